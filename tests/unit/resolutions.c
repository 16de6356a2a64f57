#include "test.h"

#include <string.h>

#include "engine/commit/finish.h"
#include "engine/conflict/last_resolved.h"
#include "engine/conflict/resolution_record.h"
#include "engine/conflict/resolutions.h"
#include "fs/sys.h"
#include "tempdir.h"

#define STATE                                                                                  \
	"skills_system_version: 0.1.0\ncore_version: 1.0.0\napplied_skills:\n"                 \
	"  - {name: shout, version: 1.0.0, file_hashes: {postbox: " HASH "}}\n"                \
	"  - {name: diary, version: 2.0.0, file_hashes: {other: " HASH "}}\n"
#define HASH "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

#define KEY    "shout@1.0.0+polite@1.0.0"
#define FOLDER ".nanoclaw/resolutions/" KEY

/* Three texts that conflict, and how that was resolved. */
#define BASE     "answer\n"
#define CURRENT  "ANSWER\n"
#define SKILL    "answer, thank you\n"
#define RESOLVED "ANSWER, THANK YOU\n"
#define OTHER    "other\n"

struct fixture {
	struct project project;
	struct operation_options options;
	struct operation_result result;
	struct session session;
	struct relpath path;
};

static void begin(struct fixture *f, const struct tempdir *temp)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	*f = (struct fixture){
		.project = {.path = temp->path, .root = temp->fd, .locked = true}};
	assert_int_equal(relpath_parse(view_of("postbox"), &f->path, &err), 0);
	if (session_open(
		    &f->session, &f->project, "test", NULL, &f->options, &f->result, &err) < 0)
		fail_msg("%s", err.message);
}

static void end(struct fixture *f)
{
	session_release(&f->session);
	operation_result_release(&f->result);
	relpath_release(&f->path);
}

static void commit(struct fixture *f)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (transaction_apply(f->session.tx, &err) < 0 ||
		transaction_commit(f->session.tx, TRANSACTION_DONE, view_of(""), &err) < 0)
		fail_msg("%s", err.message);
}

static struct resolution_inputs inputs_of(
	const char *base, const char *current, const char *skill)
{
	return (struct resolution_inputs){
		.has_base = base != NULL,
		.base = hash_of(view_of(base ? base : "")),
		.current = hash_of(view_of(current)),
		.skill = hash_of(view_of(skill)),
	};
}

/* As an operation does: what was resolved is remembered with it. `second` may be NULL. */
static void resolve(const struct tempdir *temp, const char *path, const char *second)
{
	const char *const paths[] = {path, second};
	CLEANUP(last_resolved_list_release)
	struct last_resolved_list list = LAST_RESOLVED_LIST_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(end) struct fixture f;

	begin(&f, temp);
	for (size_t i = 0; i < ARRAY_SIZE(paths) && paths[i]; i++) {
		CLEANUP(relpath_release) struct relpath resolved = RELPATH_INIT;

		assert_int_equal(relpath_parse(view_of(paths[i]), &resolved, &err), 0);
		assert_int_equal(last_resolved_add(&f.session, &list,
					 &(struct last_resolved_conflict){.path = &resolved,
						 .skill = "polite",
						 .version = "1.0.0",
						 .inputs = inputs_of(BASE, CURRENT, SKILL),
						 .content = view_of(RESOLVED),
						 .preimage = view_of("conflict\n"),
						 .source = "user",
						 .tested = true},
					 &err),
			0);
	}
	assert_int_equal(last_resolved_put(&f.session, &list, &err), 0);
	commit(&f);
}

static size_t record(const struct tempdir *temp, const char *source)
{
	CLEANUP(last_resolved_record_result_release)
	struct last_resolved_record_result result = {0};
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct project project = {.path = temp->path, .root = temp->fd, .locked = true};

	assert_int_equal(relpath_parse(view_of(RESOLUTIONS_OWN), &folder, &err), 0);
	if (last_resolved_record(&project, &folder, source, &result, &err) < 0)
		fail_msg("%s", err.message);
	return result.key_count;
}

static void setup(const struct tempdir *temp)
{
	tempdir_mkdir(temp->fd, ".nanoclaw");
	tempdir_put(temp->fd, ".nanoclaw/state.yaml", STATE);
}

static void setup_recorded(const struct tempdir *temp)
{
	setup(temp);
	resolve(temp, "postbox", NULL);
	assert_int_equal(record(temp, NULL), 1);
}

/* Look for it in a fresh session; the content, or NULL. `*ret_warning` may be NULL. */
static char *find(const struct tempdir *temp, struct resolution_inputs inputs,
	const char *skill, const char *version, char **ret_warning)
{
	CLEANUP(resolution_found_release)
	struct resolution_found found = RESOLUTION_FOUND_INIT;
	CLEANUP(end) struct fixture f;
	struct resolution_query query = {&f.path, inputs, skill, version};
	bool there;

	begin(&f, temp);
	query.path = &f.path;
	there = resolutions_find(&f.session, &query, &found);
	if (ret_warning)
		*ret_warning = f.result.warning_count ? xstrdup(f.result.warnings[0]) : NULL;
	return there ? xstrdup(found.content.data) : NULL;
}

static void assert_found(
	const struct tempdir *temp, const char *base, const char *current, const char *skill)
{
	CLEANUP(freep) char *warning = NULL;
	CLEANUP(freep)
	char *content =
		find(temp, inputs_of(base, current, skill), "polite", "1.0.0", &warning);

	if (!content)
		fail_msg("not found: %s", warning ? warning : "without a warning");
	assert_string_equal(content, RESOLVED);
	assert_null(warning);
}

static void assert_refused(const struct tempdir *temp, const char *says)
{
	CLEANUP(freep) char *warning = NULL;
	CLEANUP(freep)
	char *content =
		find(temp, inputs_of(BASE, CURRENT, SKILL), "polite", "1.0.0", &warning);

	assert_null(content);
	if (!says)
		assert_null(warning);
	else if (!warning || !strstr(warning, says))
		fail_msg("%s", warning ? warning : "no warning");
}

static void what_was_resolved_and_recorded_is_found_again(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *preimage = NULL;

	setup_recorded(temp);
	assert_found(temp, BASE, CURRENT, SKILL);
	preimage = tempdir_get(temp->fd, FOLDER "/postbox.preimage");
	assert_string_equal(preimage, "conflict\n");
}

static void the_two_sides_may_change_places(void **state)
{
	struct tempdir *temp = *state;

	setup_recorded(temp);
	assert_found(temp, BASE, SKILL, CURRENT);
}

static void one_other_byte_in_an_input_and_it_is_not_used(void **state)
{
	struct tempdir *temp = *state;
	struct resolution_inputs inputs = inputs_of(BASE, CURRENT, SKILL);
	struct hash *hashes[] = {&inputs.base, &inputs.current, &inputs.skill};

	setup_recorded(temp);
	for (size_t i = 0; i < ARRAY_SIZE(hashes); i++)
		for (size_t byte = 0; byte < HASH_SIZE; byte++) {
			hashes[i]->bytes[byte] ^= 1;
			assert_null(find(temp, inputs, "polite", "1.0.0", NULL));
			hashes[i]->bytes[byte] ^= 1;
		}
	inputs.has_base = false;
	assert_null(find(temp, inputs, "polite", "1.0.0", NULL));
}

static void one_other_byte_in_the_result_and_it_is_not_used(void **state)
{
	struct tempdir *temp = *state;

	setup_recorded(temp);
	for (size_t i = 0; i < strlen(RESOLVED); i++) {
		char text[] = RESOLVED;

		text[i] ^= 1;
		tempdir_put(temp->fd, FOLDER "/postbox.resolution", text);
		assert_refused(temp, "does not match the recorded hash");
	}
	tempdir_put(temp->fd, FOLDER "/postbox.resolution", RESOLVED);
	assert_found(temp, BASE, CURRENT, SKILL);
}

/* A digit of a hash that becomes another digit. */
static void one_other_digit_in_the_hashes_and_it_is_not_used(void **state)
{
	static const char *const keys[] = {"\n  base: ", "\n  current_after_shout: ",
		"\n  polite_modified: ", "\noutput_hash: ", "\n    base: ", "\n    current: ",
		"\n    skill: ", "\n    output: "};
	struct tempdir *temp = *state;
	CLEANUP(freep) char *meta = NULL;

	setup_recorded(temp);
	meta = tempdir_get(temp->fd, FOLDER "/meta.yaml");
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		char *line = strstr(meta, keys[i]);

		assert_non_null(line);
		for (size_t k = 0; k < 64; k++) {
			char *digit = line + strlen(keys[i]) + k;
			char before = *digit;

			*digit = before == '0' ? '1' : '0';
			tempdir_put(temp->fd, FOLDER "/meta.yaml", meta);
			assert_null(find(temp, inputs_of(BASE, CURRENT, SKILL), "polite",
				"1.0.0", NULL));
			*digit = before;
		}
	}
}

static void skills_that_are_not_applied_in_that_version_do_not_count(void **state)
{
	struct tempdir *temp = *state;
	struct resolution_inputs inputs = inputs_of(BASE, CURRENT, SKILL);

	setup_recorded(temp);
	assert_null(find(temp, inputs, "polite", "1.0.1", NULL));
	assert_null(find(temp, inputs, "brief", "1.0.0", NULL));
	tempdir_put(temp->fd, ".nanoclaw/state.yaml",
		"skills_system_version: 0.1.0\ncore_version: 1.0.0\n"
		"applied_skills: [{name: shout, version: 1.1.0}]\n");
	assert_null(find(temp, inputs, "polite", "1.0.0", NULL));
}

static void one_whose_tests_failed_is_not_used(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *meta = NULL;
	CLEANUP(freep) char *failed = NULL;
	char *passed;

	setup_recorded(temp);
	meta = tempdir_get(temp->fd, FOLDER "/meta.yaml");
	passed = strstr(meta, "test_passed: true");
	assert_non_null(passed);
	failed = xasprintf("%.*stest_passed: false%s", (int)(passed - meta), meta,
		passed + strlen("test_passed: true"));
	tempdir_put(temp->fd, FOLDER "/meta.yaml", failed);
	assert_refused(temp, "its tests have failed");
}

static void one_that_is_broken_is_told_and_left_aside(void **state)
{
	struct tempdir *temp = *state;

	setup_recorded(temp);
	tempdir_put(temp->fd, FOLDER "/meta.yaml", "skills: [");
	assert_refused(temp, "meta.yaml:2:1");
	tempdir_put(temp->fd, FOLDER "/meta.yaml", "skills: [shout@1.0.0, polite@1.0.0]\n");
	assert_refused(temp, "'input_hashes' is missing");
}

static void broken_ones_of_other_skills_are_not_even_looked_at(void **state)
{
	struct tempdir *temp = *state;

	setup_recorded(temp);
	tempdir_mkdir(temp->fd, ".nanoclaw/resolutions/brief+polite");
	tempdir_put(temp->fd, ".nanoclaw/resolutions/brief+polite/meta.yaml", "[");
	tempdir_put(temp->fd, ".nanoclaw/resolutions/README", "for people");
	assert_found(temp, BASE, CURRENT, SKILL);
}

static void own_ones_come_before_shipped_ones(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *meta = NULL;

	setup_recorded(temp);
	meta = tempdir_get(temp->fd, FOLDER "/meta.yaml");
	tempdir_mkdir(temp->fd, ".claude");
	tempdir_mkdir(temp->fd, ".claude/resolutions");
	tempdir_mkdir(temp->fd, ".claude/resolutions/polite+shout");
	tempdir_put(temp->fd, ".claude/resolutions/polite+shout/meta.yaml", meta);
	tempdir_put(temp->fd, ".claude/resolutions/polite+shout/postbox.resolution", OTHER);
	/* The shipped resolution is damaged, without any warning. */
	assert_found(temp, BASE, CURRENT, SKILL);
	/* Now the own one is, and the shipped one takes its place. */
	tempdir_put(temp->fd, ".claude/resolutions/polite+shout/postbox.resolution", RESOLVED);
	tempdir_put(temp->fd, FOLDER "/postbox.resolution", OTHER);
	{
		CLEANUP(freep) char *warning = NULL;
		CLEANUP(freep)
		char *content = find(
			temp, inputs_of(BASE, CURRENT, SKILL), "polite", "1.0.0", &warning);

		assert_string_equal(content, RESOLVED);
		assert_non_null(strstr(warning, FOLDER));
	}
}

static void recording_the_same_again_changes_nothing(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *before = NULL;
	CLEANUP(freep) char *after = NULL;

	setup_recorded(temp);
	before = tempdir_get(temp->fd, FOLDER "/meta.yaml");
	assert_int_equal(record(temp, NULL), 0);
	assert_int_equal(record(temp, "user"), 0);
	assert_int_equal(record(temp, "maintainer"), 1);
	after = tempdir_get(temp->fd, FOLDER "/meta.yaml");
	assert_non_null(strstr(before, "resolution_source: user\n"));
	assert_non_null(strstr(after, "resolution_source: maintainer\n"));
}

/* A file that only `polite` touches gets a separate folder, without `shout`. */
static void a_folder_is_extended_and_each_set_of_skills_has_its_own(void **state)
{
	struct tempdir *temp = *state;

	setup_recorded(temp);
	resolve(temp, "sub/file", NULL);
	assert_int_equal(record(temp, NULL), 1);
	assert_true(tempdir_exists(temp->fd, FOLDER "/postbox.resolution"));
	assert_true(tempdir_exists(
		temp->fd, ".nanoclaw/resolutions/polite@1.0.0/sub/file.resolution"));
}

static void an_operation_replaces_what_an_earlier_one_resolved(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(last_resolved_list_release)
	struct last_resolved_list list = LAST_RESOLVED_LIST_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct project project = {.path = temp->path, .root = temp->fd};

	setup(temp);
	resolve(temp, "first", NULL);
	resolve(temp, "postbox", "sub/file");
	assert_int_equal(last_resolved_load(&project, &list, &err), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.list[0].path.text, "postbox");
	assert_string_equal(list.list[1].path.text, "sub/file");
	assert_int_equal(record(temp, NULL), 2);
}

static void nothing_resolved_is_nothing_to_record(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(last_resolved_record_result_release)
	struct last_resolved_record_result result = {0};
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct project project = {.path = temp->path, .root = temp->fd};

	setup(temp);
	assert_int_equal(relpath_parse(view_of(RESOLUTIONS_OWN), &folder, &err), 0);
	assert_int_equal(last_resolved_record(&project, &folder, NULL, &result, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_non_null(err.hint);
}

static void thousands_of_folders_are_listed_once_and_not_opened(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(resolution_found_release)
	struct resolution_found found = RESOLUTION_FOUND_INIT;
	CLEANUP(end) struct fixture f;
	struct resolution_query query;

	setup_recorded(temp);
	for (int i = 0; i < 3000; i++) {
		CLEANUP(freep)
		char *name = xasprintf(".nanoclaw/resolutions/s%d@1.0.0+polite@1.0.0", i);

		/* Opening one would cause a warning, because it has no meta.yaml. */
		tempdir_mkdir(temp->fd, name);
	}
	begin(&f, temp);
	query = (struct resolution_query){
		&f.path, inputs_of(BASE, OTHER, SKILL), "polite", "1.0.0"};
	for (int i = 0; i < 3000; i++)
		assert_false(resolutions_find(&f.session, &query, &found));
	query.inputs = inputs_of(BASE, CURRENT, SKILL);
	assert_true(resolutions_find(&f.session, &query, &found));
	assert_int_equal(f.result.warning_count, 0);
}

TESTS(IN_TEMPDIR(what_was_resolved_and_recorded_is_found_again),
	IN_TEMPDIR(the_two_sides_may_change_places),
	IN_TEMPDIR(one_other_byte_in_an_input_and_it_is_not_used),
	IN_TEMPDIR(one_other_byte_in_the_result_and_it_is_not_used),
	IN_TEMPDIR(one_other_digit_in_the_hashes_and_it_is_not_used),
	IN_TEMPDIR(skills_that_are_not_applied_in_that_version_do_not_count),
	IN_TEMPDIR(one_whose_tests_failed_is_not_used),
	IN_TEMPDIR(one_that_is_broken_is_told_and_left_aside),
	IN_TEMPDIR(broken_ones_of_other_skills_are_not_even_looked_at),
	IN_TEMPDIR(own_ones_come_before_shipped_ones),
	IN_TEMPDIR(recording_the_same_again_changes_nothing),
	IN_TEMPDIR(a_folder_is_extended_and_each_set_of_skills_has_its_own),
	IN_TEMPDIR(an_operation_replaces_what_an_earlier_one_resolved),
	IN_TEMPDIR(nothing_resolved_is_nothing_to_record),
	IN_TEMPDIR(thousands_of_folders_are_listed_once_and_not_opened))
