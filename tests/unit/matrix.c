#include "test.h"

#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "engine/maintain/matrix_store.h"
#include "fs/file.h"
#include "tempdir.h"

static void put_skill(const struct tempdir *temp, const char *name, const char *rest)
{
	CLEANUP(freep) char *folder = xasprintf("skills/%s", name);
	CLEANUP(freep) char *path = xasprintf("%s/manifest.yaml", folder);
	CLEANUP(freep)
	char *text =
		xasprintf("skill: %s\nversion: 1.0.0\ncore_version: 1.0.0\n%s", name, rest);

	if (!tempdir_exists(temp->fd, "skills"))
		tempdir_mkdir(temp->fd, "skills");
	tempdir_mkdir(temp->fd, folder);
	tempdir_put(temp->fd, path, text);
	tempdir_put(temp->fd, "VERSION", "1.0.0\n");
}

static void open_project(const struct tempdir *temp, struct project *ret_project)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (project_open_folder(temp->path, ret_project, &err) < 0)
		fail_msg("%s", err.message);
}

static void plan(const struct tempdir *temp, struct matrix *ret_matrix)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;

	open_project(temp, &project);
	if (matrix_plan(&project, &(struct matrix_request){0}, ret_matrix, &err) < 0)
		fail_msg("%s", err.message);
}

/* --- the plan --------------------------------------------------------------------------- */

static void a_skill_and_what_it_depends_on_are_one_entry(void **state)
{
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;
	const struct matrix_entry *entry;

	put_skill(*state, "base", "adds: [a]\n");
	put_skill(*state, "layer", "modifies: [a]\ndepends: [base]\n");
	plan(*state, &matrix);
	assert_int_equal(matrix.count, 2);
	entry = matrix_find(&matrix, "1.0.0/layer");
	assert_non_null(entry);
	assert_int_equal(entry->order.count, 2);
	assert_string_equal(entry->order.list[0], "base");
	assert_int_equal(entry->reason_count, 2);
	assert_int_equal(entry->reasons[1].kind, MATRIX_PAIR);
	assert_string_equal(entry->reasons[1].text, "base and layer share a");
}

static void conflicts_of_dependencies_keep_a_pair_out_with_a_note(void **state)
{
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;

	put_skill(*state, "a", "modifies: [x]\nconflicts: [c]\n");
	put_skill(*state, "b", "modifies: [x]\ndepends: [c]\n");
	put_skill(*state, "c", "adds: [y]\n");
	plan(*state, &matrix);
	assert_null(matrix_find(&matrix, "1.0.0/a+b"));
	assert_int_equal(matrix.notes.count, 1);
	assert_string_equal(matrix.notes.list[0],
		"a and b overlap, and are left out: a declares a conflict with c");
}

static void of_too_many_stacks_those_with_the_most_in_common_are_in(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;

	for (char c = 'a'; c <= 'f'; c++)
		put_skill(temp, (char[]){c, '\0'},
			c >= 'd' ? "modifies: [x, y, z]\n" : "modifies: [x]\n");
	tempdir_mkdir(temp->fd, ".claude");
	tempdir_mkdir(temp->fd, ".claude/skills");
	tempdir_put(temp->fd, ".claude/skills/matrix.yaml", "stack_limit: 1\n");
	plan(temp, &matrix);
	assert_int_equal(matrix.count, 6 + 15 + 1);
	assert_string_equal(matrix.list[matrix.count - 1].id, "1.0.0/d+e+f");
	assert_int_equal(matrix.notes.count, 1);
	assert_non_null(strstr(matrix.notes.list[0], "20 stacks of three overlap"));
}

static void a_list_may_be_empty(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;

	put_skill(temp, "a", "adds: [x]\n");
	tempdir_mkdir(temp->fd, ".claude");
	tempdir_mkdir(temp->fd, ".claude/skills");
	tempdir_put(temp->fd, ".claude/skills/matrix.yaml", "# nothing\n");
	plan(temp, &matrix);
	assert_int_equal(matrix.count, 1);
}

/* --- results ------------------------------------------------------------------------------ */

#define LONG                                                                                   \
	"1.0.0/"                                                                               \
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"   \
	"+bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"   \
	"+ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"   \
	"+ddddddddddddddddddddddddddddddddddddddddddddddddddddd"

static void open_store(const struct project *project, struct matrix_store *ret_store)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (matrix_store_open(project, ret_store, &err) < 0)
		fail_msg("%s", err.message);
}

static void put_result(const struct matrix_store *store, const struct matrix_entry *entry,
	enum matrix_outcome outcome, const struct hash *inputs)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct matrix_result result = {.entry = entry, .outcome = outcome};

	if (matrix_store_put(store, &result, inputs, &err) < 0)
		fail_msg("%s", err.message);
}

static void only_what_has_passed_with_the_same_inputs_is_unchanged(void **state)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(matrix_store_release) struct matrix_store store = MATRIX_STORE_INIT;
	char a_id[] = LONG "x", b_id[] = LONG "y";
	struct matrix_entry a = {.id = a_id}, b = {.id = b_id};
	struct hash one = hash_of(view_of("1")), two = hash_of(view_of("2"));

	open_project(*state, &project);
	open_store(&project, &store);
	assert_false(matrix_store_has_passed(&store, &a, &one));
	put_result(&store, &a, MATRIX_PASSED, &one);
	put_result(&store, &b, MATRIX_FAILED, &one);
	assert_true(matrix_store_has_passed(&store, &a, &one));
	assert_false(matrix_store_has_passed(&store, &a, &two));
	assert_false(matrix_store_has_passed(&store, &b, &one));
}

static void a_damaged_result_is_as_if_there_were_none(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(matrix_store_release) struct matrix_store store = MATRIX_STORE_INIT;
	char id[] = "1.0.0/a";
	struct matrix_entry entry = {.id = id};
	struct hash inputs = hash_of(view_of("1"));

	open_project(temp, &project);
	open_store(&project, &store);
	put_result(&store, &entry, MATRIX_PASSED, &inputs);
	tempdir_put(temp->fd, ".nanoclaw/matrix/1.0.0/a.json", "{\"outcome\": \"passed\"");
	assert_false(matrix_store_has_passed(&store, &entry, &inputs));
	tempdir_put(
		temp->fd, ".nanoclaw/matrix/1.0.0/a.json", "{\"outcome\": 1, \"inputs\": []}");
	assert_false(matrix_store_has_passed(&store, &entry, &inputs));
}

static void a_second_run_is_refused_while_the_first_goes_on(void **state)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(matrix_store_release) struct matrix_store first = MATRIX_STORE_INIT;
	CLEANUP(matrix_store_release) struct matrix_store second = MATRIX_STORE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	open_project(*state, &project);
	open_store(&project, &first);
	assert_int_equal(matrix_store_open(&project, &second, &err), -1);
	assert_int_equal(err.kind, ERROR_BUSY);
	matrix_store_release(&first);
	first = MATRIX_STORE_INIT;
	open_store(&project, &second);
}

static void a_folder_that_no_run_of_this_project_has_made_is_not_removed(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(matrix_store_release) struct matrix_store store = MATRIX_STORE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *theirs = xasprintf("%s/nanoclaw-matrix-1", temp->path);
	struct scratch scratch;

	open_project(temp, &project);
	open_store(&project, &store);
	tempdir_mkdir(temp->fd, "nanoclaw-matrix-1");
	tempdir_put(temp->fd, "nanoclaw-matrix-1/owner", "/another/project");
	tempdir_put(temp->fd, ".nanoclaw/matrix/scratch", theirs);
	if (matrix_store_make_scratch(&store, &scratch, &err) < 0)
		fail_msg("%s", err.message);
	assert_true(tempdir_exists(temp->fd, "nanoclaw-matrix-1"));
	assert_int_equal(matrix_store_remove_scratch(&store, &scratch, &err), 0);
	assert_false(tempdir_exists(temp->fd, ".nanoclaw/matrix/scratch"));

	/* The same folder, if it was left by a run of this one. */
	tempdir_put(temp->fd, "nanoclaw-matrix-1/owner", project.path);
	tempdir_put(temp->fd, ".nanoclaw/matrix/scratch", theirs);
	if (matrix_store_make_scratch(&store, &scratch, &err) < 0)
		fail_msg("%s", err.message);
	assert_false(tempdir_exists(temp->fd, "nanoclaw-matrix-1"));
	assert_int_equal(matrix_store_remove_scratch(&store, &scratch, &err), 0);
}

/* --- GitHub Actions --------------------------------------------------------------------- */

/* Whether the service takes it is the business of tests/oracle/workflow.mjs. */
static void the_workflow_that_is_shipped_takes_its_jobs_from_the_plan(void **unused)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	const struct yaml_node *jobs;

	(void)unused;
	if (file_read(SOURCE_ROOT "/examples/postbox/.github/workflows/skills-matrix.yml",
		    YAML_MAX_SIZE, &text, &err) < 0 ||
		yaml_parse(view_of_buf(&text), "skills-matrix.yml", &doc, &err) < 0)
		fail_msg("%s", err.message);
	jobs = yaml_get(doc->root, "jobs");
	assert_non_null(yaml_get(jobs, "plan"));
	assert_string_equal(
		yaml_get(yaml_get(yaml_get(jobs, "test"), "strategy"), "matrix")->text.data,
		"${{ fromJSON(needs.plan.outputs.matrix) }}");
	assert_non_null(strstr(text.data, "nanoclaw matrix --github"));
}

/* --- JUnit XML -------------------------------------------------------------------------- */

static void whatever_a_test_writes_may_stand_in_xml(void **unused)
{
	static const char text[] = "a<b>&\"c\"\t\r\n\x1b[31m\x80 \xef\xbf\xbe \xc3\xa9";
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	(void)unused;
	escape_xml(&out, (struct view){text, sizeof(text) - 1});
	assert_string_equal(out.data, "a&lt;b&gt;&amp;&quot;c&quot;\t&#13;\n?[31m? ? \xc3\xa9");
}

TESTS(IN_TEMPDIR(a_skill_and_what_it_depends_on_are_one_entry),
	IN_TEMPDIR(conflicts_of_dependencies_keep_a_pair_out_with_a_note),
	IN_TEMPDIR(of_too_many_stacks_those_with_the_most_in_common_are_in),
	IN_TEMPDIR(a_list_may_be_empty),
	IN_TEMPDIR(only_what_has_passed_with_the_same_inputs_is_unchanged),
	IN_TEMPDIR(a_damaged_result_is_as_if_there_were_none),
	IN_TEMPDIR(a_second_run_is_refused_while_the_first_goes_on),
	IN_TEMPDIR(a_folder_that_no_run_of_this_project_has_made_is_not_removed),
	cmocka_unit_test(the_workflow_that_is_shipped_takes_its_jobs_from_the_plan),
	cmocka_unit_test(whatever_a_test_writes_may_stand_in_xml))
