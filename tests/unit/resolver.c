#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/conflict/resolver.h"
#include "engine/disk/command.h"
#include "format/json.h"
#include "tempdir.h"

#define CONFLICT                                                                               \
	"start\n<<<<<<< yours\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> wave 1.0.0\nend\n"

/* Takes both sides, as a careful resolver might. */
#define RESOLVE "sed -i -e '/^[<=>]/d' -e '/^|/,/^old/d' "

/* A project with a base, and a conflict in one of its files. */
struct setting {
	const struct tempdir *temp;
	struct project project;
	struct state state;
	int base;
	struct relpath path;
	struct resolver_file file;
	struct resolver_skills skills;
	struct resolver_request request;
};

static struct relpath path_of(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct relpath path = RELPATH_INIT;

	assert_int_equal(relpath_parse(view_of(text), &path, &err), 0);
	return path;
}

static void put_in_both(int root, const char *name, const char *content)
{
	CLEANUP(freep) char *in_base = xasprintf(".nanoclaw/base/%s", name);
	struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};

	tempdir_put(root, name, content);
	tempdir_put(root, in_base, content);
	assert_int_equal(utimensat(root, name, times, 0), 0);
	assert_int_equal(utimensat(root, in_base, times, 0), 0);
}

static void add_skill(struct setting *s, const char *intent)
{
	s->skills.list = xcalloc(1, sizeof(*s->skills.list));
	s->skills.list[0] = (struct resolver_skill){
		.name = xstrdup("wave"),
		.version = xstrdup("1.0.0"),
		.skill_md = BUF_INIT,
		.has_skill_md = true,
		.intents = xcalloc(1, sizeof(struct resolver_intent)),
		.intent_count = 1,
	};
	s->skills.count = 1;
	buf_append_str(&s->skills.list[0].skill_md, "# Wave\n");
	s->skills.list[0].intents[0] =
		(struct resolver_intent){.path = relpath_copy(&s->path), .text = BUF_INIT};
	buf_append_str(&s->skills.list[0].intents[0].text, intent);
}

/* Everything points into `s`, which must not move. */
static void set_up(struct setting *s, const struct tempdir *temp, const char *command)
{
	*s = (struct setting){.temp = temp, .path = path_of("src/main.txt")};
	tempdir_mkdir(temp->fd, "project");
	tempdir_mkdir(temp->fd, "project/src");
	tempdir_mkdir(temp->fd, "project/.nanoclaw");
	tempdir_mkdir(temp->fd, "project/.nanoclaw/base");
	tempdir_mkdir(temp->fd, "project/.nanoclaw/base/src");
	s->project.path = xasprintf("%s/project", temp->path);
	s->project.root = openat(temp->fd, "project", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	put_in_both(s->project.root, "src/main.txt", "start\nold\nend\n");
	put_in_both(s->project.root, "src/other.txt", "other\n");
	tempdir_put(s->project.root, "src/mine.txt", "mine\n");
	tempdir_put(s->project.root, ".nanoclaw/state.yaml", "applied_skills: []\n");
	s->base = openat(s->project.root, ".nanoclaw/base", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	state_init(&s->state, "1.0.0");
	add_skill(s, "## Must-keep\n- `ours` and `theirs`\n- `nowhere`\n");
	s->file = (struct resolver_file){
		.path = &s->path,
		.base = view_of("start\nold\nend\n"),
		.current = view_of("start\nours\nend\n"),
		.skill = view_of("start\ntheirs\nend\n"),
		.merged = view_of(CONFLICT),
		.mode = 0644,
		.skill_name = "wave",
		.skill_version = "1.0.0",
	};
	s->request = (struct resolver_request){
		.project = &s->project,
		.state = &s->state,
		.base = s->base,
		.operation = "skill apply",
		.files = &s->file,
		.file_count = 1,
		.skills = &s->skills,
		.command = command,
		.seconds = 60,
	};
	setenv("PROJECT", s->project.path, 1);
	setenv("TMPDIR", temp->path, 1);
}

static void tear_down(struct setting *s)
{
	relpath_release(&s->path);
	resolver_skills_release(&s->skills);
	state_release(&s->state);
	closep(&s->base);
	closep(&s->project.root);
	free(s->project.path);
}

/* Also after a test that fails. */
static int leave(void **state)
{
	unsetenv("NANOCLAW_CLAUDE");
	unsetenv("NANOCLAW_RESOLVER_TIMEOUT");
	unsetenv("TMPDIR");
	return tempdir_teardown(state);
}

#define IN_PROJECT(test) cmocka_unit_test_setup_teardown(test, tempdir_setup, leave)

/* Nothing temporary stays, whatever the command did. */
static void assert_cleaned_up(const struct setting *s)
{
	CLEANUP(freep) char *names = tempdir_list(s->temp->fd);

	assert_null(strstr(names, "nanoclaw-"));
}

static struct resolver_result run(const struct setting *s)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct resolver_result result = RESOLVER_RESULT_INIT;

	if (resolver_run(&s->request, &result, &err) < 0)
		fail_msg("%s", err.message);
	assert_cleaned_up(s);
	return result;
}

static void assert_file(const struct setting *s, const char *name, const char *content)
{
	CLEANUP(freep) char *found = tempdir_get(s->project.root, name);

	if (!content) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, content);
}

static void assert_project_untouched(const struct setting *s)
{
	assert_file(s, "src/main.txt", "start\nold\nend\n");
	assert_file(s, "src/other.txt", "other\n");
	assert_file(s, "src/mine.txt", "mine\n");
	assert_file(s, ".nanoclaw/state.yaml", "applied_skills: []\n");
}

#define SETTING(temp, command)                                                                 \
	CLEANUP(tear_down) struct setting s;                                                   \
                                                                                               \
	set_up(&s, (temp), (command))

#define RESULT CLEANUP(resolver_result_release) struct resolver_result

/* Run the command, whose work is refused for this reason. */
static void assert_refused(const struct tempdir *temp, const char *command, const char *why)
{
	SETTING(temp, command);
	RESULT result = run(&s);

	assert_non_null(result.refused);
	if (!strstr(result.refused, why))
		fail_msg("refused because %s", result.refused);
	assert_null(result.edits);
	assert_int_equal(result.edit_count, 0);
	assert_project_untouched(&s);
}

/* --- accepted results ------------------------------------------------------------- */

static void a_file_that_is_resolved_is_taken(void **state)
{
	SETTING(*state, "echo working; " RESOLVE "src/main.txt");
	RESULT result = run(&s);

	assert_null(result.refused);
	assert_int_equal(result.edit_count, 1);
	assert_string_equal(result.edits[0].data, "start\nours\ntheirs\nend\n");
	assert_string_equal(result.output.data, "working\n");
	assert_int_equal(result.kept.count, 0);
	assert_project_untouched(&s);
}

/* What the command read, as JSON. */
static json_t *document_given(struct setting *s)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *text = NULL;
	json_t *document = NULL;

	setenv("SEEN", s->temp->path, 1);
	s->request.command = "cat >\"$SEEN/seen\"; exit 1";
	RESULT result = run(s);
	assert_string_equal(result.refused, "it failed with exit code 1");
	text = tempdir_get(s->temp->fd, "seen");
	if (json_read(view_of(text), "seen", JSON_MAX_SIZE, &document, &err) < 0)
		fail_msg("%s", err.message);
	return document;
}

static const char *text_at(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	assert_non_null(text);
	return text;
}

static void the_document_says_all_that_is_known(void **state)
{
	json_t *document, *file, *skill, *intent;

	SETTING(*state, NULL);
	s.request.state_text = view_of("applied_skills: []\n");
	s.request.test_output = view_of("1 failed\n");
	document = document_given(&s);
	file = json_array_get(json_object_get(document, "files"), 0);
	skill = json_array_get(json_object_get(document, "skills"), 0);
	intent = json_array_get(json_object_get(skill, "intents"), 0);
	assert_true(json_number_value(json_object_get(document, "version")) == 1);
	assert_string_equal(text_at(document, "operation"), "skill apply");
	assert_string_equal(text_at(document, "state"), "applied_skills: []\n");
	assert_string_equal(text_at(document, "testOutput"), "1 failed\n");
	assert_true(json_is_null(json_object_get(document, "migration")));
	assert_string_equal(text_at(file, "path"), "src/main.txt");
	assert_int_equal(text_at(file, "edit")[0], '/');
	assert_true(view_ends_with(view_of(text_at(file, "edit")), "/src/main.txt"));
	assert_string_equal(text_at(file, "encoding"), "utf-8");
	assert_string_equal(text_at(file, "base"), "start\nold\nend\n");
	assert_string_equal(text_at(file, "current"), "start\nours\nend\n");
	assert_string_equal(text_at(file, "skill"), "start\ntheirs\nend\n");
	assert_string_equal(text_at(file, "merged"), CONFLICT);
	assert_string_equal(text_at(file, "skillName"), "wave");
	assert_string_equal(text_at(skill, "name"), "wave");
	assert_string_equal(text_at(skill, "skillMd"), "# Wave\n");
	assert_string_equal(text_at(intent, "path"), "src/main.txt");
	assert_non_null(strstr(text_at(intent, "text"), "`theirs`"));
	json_decref(document);
}

static void what_is_no_utf8_is_given_in_base64(void **state)
{
	json_t *document, *file;

	SETTING(*state, NULL);
	s.file.base = (struct view){NULL, 0};
	s.file.current = s.file.merged = view_of("caf\xe9");
	document = document_given(&s);
	file = json_array_get(json_object_get(document, "files"), 0);
	assert_string_equal(text_at(file, "encoding"), "base64");
	assert_string_equal(text_at(file, "current"), "Y2Fm6Q==");
	assert_true(json_is_null(json_object_get(file, "base")));
	json_decref(document);
}

static void lines_that_were_content_before_may_look_like_markers(void **state)
{
	SETTING(*state, "printf 'ours\\n>>>>>>> quoted\\n=======\\ntheirs\\n' >src/main.txt");
	s.file.current = view_of("ours\n>>>>>>> quoted\n=======\n");
	s.file.markers = 1;
	RESULT result = run(&s);
	assert_null(result.refused);
}

static void bytes_of_a_binary_file_are_taken_as_they_are(void **state)
{
	SETTING(*state, "printf 'a\\000\\377' >src/main.txt");
	s.file.current = s.file.merged = (struct view){"x\0y", 3};
	s.file.skill = (struct view){"z\0y", 3};
	RESULT result = run(&s);
	assert_null(result.refused);
	assert_int_equal(result.edits[0].len, 3);
	assert_memory_equal(result.edits[0].data, "a\0\xff", 3);
}

static void the_execute_bit_is_on_the_copy(void **state)
{
	SETTING(*state, "test -x src/main.txt && " RESOLVE "src/main.txt");
	s.file.mode = 0755;
	RESULT result = run(&s);
	assert_null(result.refused);
}

/* --- what is refused: the command --------------------------------------------------- */

static void a_command_that_hangs_is_ended_with_all_its_children(void **state)
{
	SETTING(*state, "echo thinking; " RESOLVE "src/main.txt; sleep 1000 & sleep 1000");
	s.request.seconds = 1;
	RESULT result = run(&s);
	assert_string_equal(result.refused, "it took more than 1 seconds");
	assert_string_equal(result.output.data, "thinking\n");
	assert_null(result.edits);
}

static void a_command_that_crashes_is_refused(void **state)
{
	assert_refused(
		*state, RESOLVE "src/main.txt; kill -SEGV $$", "it was killed by signal 11");
}

static void an_exit_code_is_a_refusal_whatever_was_resolved(void **state)
{
	assert_refused(*state, RESOLVE "src/main.txt; exit 7", "it failed with exit code 7");
}

static void a_command_that_is_not_there_is_refused(void **state)
{
	assert_refused(*state, "/nowhere/resolver", "it failed with exit code 127");
}

static void claude_that_is_not_there_is_refused(void **state)
{
	setenv("NANOCLAW_CLAUDE", "/nowhere/claude", 1);
	assert_refused(*state, "claude", "it could not be started");
}

static void what_it_left_in_the_background_ends_with_it(void **state)
{
	SETTING(*state, "sleep 1000 & echo $! >\"$PROJECT/../pid\"; " RESOLVE "src/main.txt");
	RESULT result = run(&s);
	CLEANUP(freep) char *pid = tempdir_get(s.temp->fd, "pid");
	int pidfd = (int)syscall(SYS_pidfd_open, strtol(pid, NULL, 10), 0);
	struct pollfd end = {.fd = pidfd, .events = POLLIN};

	assert_null(result.refused);
	/* It is gone already, or about to: a signal takes its time. */
	assert_true(pidfd < 0 ? errno == ESRCH : poll(&end, 1, 60 * 1000) == 1);
	closep(&pidfd);
}

static void of_much_output_the_end_is_kept(void **state)
{
	SETTING(*state, "yes | head -c 20000000; echo last; exit 1");
	RESULT result = run(&s);

	assert_non_null(result.refused);
	assert_true(result.output.len <= (size_t)16 * 1024);
	assert_true(view_ends_with(view_of_buf(&result.output), "\nlast\n"));
}

/* --- what is refused: the copies ------------------------------------------------------ */

static void a_file_left_as_it_was_is_refused(void **state)
{
	assert_refused(*state, "true", "it did not change 'src/main.txt'");
}

static void markers_that_are_left_are_refused(void **state)
{
	assert_refused(*state, "sed -i /ours/d src/main.txt",
		"it left conflict markers in 'src/main.txt'");
}

static void the_line_between_the_sides_is_a_marker_too(void **state)
{
	assert_refused(*state, "printf 'ours\\n=======\\ntheirs\\n' >src/main.txt",
		"it left conflict markers in 'src/main.txt'");
}

static void code_that_must_be_kept_may_not_be_dropped(void **state)
{
	assert_refused(*state, "printf 'start\\nours\\nend\\n' >src/main.txt",
		"it dropped `theirs` from 'src/main.txt', which skill 'wave' says must be kept");
}

static void a_link_in_the_place_of_the_file_is_refused(void **state)
{
	assert_refused(
		*state, "ln -sf \"$PROJECT/src/other.txt\" src/main.txt", "a symbolic link");
}

static void a_link_in_the_place_of_its_folder_is_refused(void **state)
{
	assert_refused(
		*state, "mv src elsewhere; ln -s elsewhere src", "it created 'elsewhere'");
}

static void a_fifo_in_the_place_of_the_file_is_refused(void **state)
{
	assert_refused(*state, "rm src/main.txt; mkfifo src/main.txt", "not a regular file");
}

static void a_file_that_is_gone_is_refused(void **state)
{
	assert_refused(*state, "rm src/main.txt", "it removed 'src/main.txt'");
}

static void another_file_in_its_folder_is_refused(void **state)
{
	assert_refused(*state, RESOLVE "src/main.txt; touch src/main.txt.orig",
		"it created 'src/main.txt.orig' in its folder");
}

static void a_folder_that_it_made_is_refused(void **state)
{
	assert_refused(*state, RESOLVE "src/main.txt; mkdir src/main", "it created 'src/main'");
}

static void a_folder_before_all_files_is_refused(void **state)
{
	assert_refused(*state, RESOLVE "src/main.txt; mkdir early", "it created 'early'");
}

static void a_file_of_a_gigabyte_is_not_read(void **state)
{
	assert_refused(*state, "truncate -s 1G src/main.txt",
		"it made 'src/main.txt' larger than 64 MB");
}

static void one_file_that_is_refused_refuses_all(void **state)
{
	CLEANUP(relpath_release) struct relpath second = path_of("src/second.txt");
	struct resolver_file files[2];

	SETTING(*state, RESOLVE "src/main.txt");
	files[0] = files[1] = s.file;
	files[1].path = &second;
	s.request.files = files;
	s.request.file_count = 2;
	RESULT result = run(&s);
	assert_string_equal(result.refused, "it did not change 'src/second.txt'");
	assert_null(result.edits);
}

static void of_files_without_a_conflict_one_must_be_changed(void **state)
{
	CLEANUP(relpath_release) struct relpath second = path_of("src/second.txt");
	struct resolver_file files[2];

	SETTING(*state, "true");
	files[0] = files[1] = s.file;
	files[0].clean = files[1].clean = true;
	files[0].merged = files[1].merged = view_of("ours\ntheirs\n");
	files[1].path = &second;
	s.request.files = files;
	s.request.file_count = 2;
	RESULT idle = run(&s);
	assert_string_equal(idle.refused, "it changed nothing");
	s.request.command = "echo mended >>src/second.txt";
	RESULT result = run(&s);
	assert_null(result.refused);
	assert_string_equal(result.edits[0].data, "ours\ntheirs\n");
	assert_string_equal(result.edits[1].data, "ours\ntheirs\nmended\n");
}

/* --- what is refused: the project ------------------------------------------------------- */

static void a_file_of_the_project_that_it_changed_is_put_back(void **state)
{
	SETTING(*state, RESOLVE "src/main.txt; echo more >>\"$PROJECT/src/other.txt\"; "
				"echo more >>\"$PROJECT/src/mine.txt\"");
	RESULT result = run(&s);

	assert_string_equal(result.refused,
		"it changed 'src/mine.txt' in the project, but may only edit its copies");
	assert_null(result.edits);
	assert_project_untouched(&s);
	assert_int_equal(result.kept.count, 2);
	assert_string_equal(result.kept.list[1].path, "src/other.txt");
	assert_file(&s, result.kept.list[1].where, "other\nmore\n");
}

static void a_file_of_the_project_that_it_deleted_is_put_back(void **state)
{
	assert_refused(*state, "rm -r \"$PROJECT/src\"; echo x >\"$PROJECT/src\"",
		"it changed 'src/main.txt' in the project");
}

static void times_and_permissions_are_put_back_too(void **state)
{
	struct stat st;

	SETTING(*state,
		"chmod 777 \"$PROJECT/src/other.txt\"; touch \"$PROJECT/src/other.txt\"");
	assert_int_equal(fchmodat(s.project.root, "src/other.txt", 0640, 0), 0);
	RESULT result = run(&s);
	assert_non_null(strstr(result.refused, "'src/other.txt' in the project"));
	assert_int_equal(fstatat(s.project.root, "src/other.txt", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(st.st_mtim.tv_sec, 1000000);
}

static void a_new_file_in_the_project_is_taken_away(void **state)
{
	SETTING(*state, RESOLVE "src/main.txt; echo new >\"$PROJECT/src/new.txt\"");
	RESULT result = run(&s);

	assert_non_null(strstr(result.refused, "'src/new.txt' in the project"));
	assert_file(&s, "src/new.txt", NULL);
	assert_int_equal(result.kept.count, 1);
	assert_file(&s, result.kept.list[0].where, "new\n");
}

static void another_gitignore_does_not_make_old_files_new(void **state)
{
	SETTING(*state, "rm \"$PROJECT/.gitignore\"");
	tempdir_put(s.project.root, ".gitignore", "secret\n");
	tempdir_put(s.project.root, "secret", "of the person\n");
	RESULT result = run(&s);

	assert_non_null(strstr(result.refused, "'.gitignore' in the project"));
	assert_file(&s, ".gitignore", "secret\n");
	assert_file(&s, "secret", "of the person\n");
}

static void a_link_of_the_project_that_it_changed_is_put_back(void **state)
{
	SETTING(*state, "ln -sfn mine.txt \"$PROJECT/src/link\"");
	tempdir_symlink("other.txt", s.project.root, "src/link");
	RESULT result = run(&s);
	CLEANUP(freep) char *target = tempdir_get_link(s.project.root, "src/link");

	assert_non_null(strstr(result.refused, "'src/link' in the project"));
	assert_string_equal(target, "other.txt");
}

static void the_state_is_put_back(void **state)
{
	assert_refused(*state, "echo x >\"$PROJECT/.nanoclaw/state.yaml\"",
		"it changed '.nanoclaw/state.yaml' in the project");
}

static void a_resolution_that_it_slips_in_is_taken_away(void **state)
{
	SETTING(*state, RESOLVE "src/main.txt; mkdir \"$PROJECT/.nanoclaw/resolutions\"; "
				"echo x >\"$PROJECT/.nanoclaw/resolutions/main.txt\"");
	RESULT result = run(&s);

	assert_non_null(strstr(result.refused, "'.nanoclaw/resolutions/main.txt'"));
	assert_file(&s, ".nanoclaw/resolutions/main.txt", NULL);
}

static void a_signal_to_us_ends_it_and_the_project_is_put_back(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct resolver_result result = RESOLVER_RESULT_INIT;

	SETTING(*state, "echo x >\"$PROJECT/src/other.txt\"; kill -TERM $PPID; sleep 1000");
	assert_int_equal(resolver_run(&s.request, &result, &err), -1);
	assert_int_equal(err.errnum, EINTR);
	assert_project_untouched(&s);
	assert_cleaned_up(&s);
}

static void a_base_that_it_changed_is_an_error(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct resolver_result result = RESOLVER_RESULT_INIT;

	SETTING(*state,
		RESOLVE "src/main.txt; echo x >\"$PROJECT/.nanoclaw/base/src/main.txt\"");
	assert_int_equal(resolver_run(&s.request, &result, &err), -1);
	assert_int_equal(err.kind, ERROR_FAILED);
	assert_string_equal(err.message,
		"the resolver has changed the project: '.nanoclaw/base/src/main.txt' was "
		"changed, and there is no copy to restore");
	assert_cleaned_up(&s);
}

static void a_temporary_folder_in_the_project_is_no_part_of_it(void **state)
{
	SETTING(*state, RESOLVE "src/main.txt");
	setenv("TMPDIR", s.project.path, 1);
	RESULT result = run(&s);

	assert_null(result.refused);
	assert_int_equal(result.kept.count, 0);
}

/* --- the skills ------------------------------------------------------------------------- */

static void put_package(const struct setting *s, const char *name)
{
	CLEANUP(freep) char *folder = xasprintf(".claude/skills/%s", name);
	CLEANUP(freep) char *manifest = xasprintf("%s/manifest.yaml", folder);
	CLEANUP(freep) char *skill_md = xasprintf("%s/SKILL.md", folder);
	CLEANUP(freep) char *modify = xasprintf("%s/modify", folder);
	CLEANUP(freep) char *src = xasprintf("%s/src", modify);
	CLEANUP(freep) char *file = xasprintf("%s/main.txt", src);
	CLEANUP(freep) char *intent = xasprintf("%s/main.txt.intent.md", src);
	CLEANUP(freep)
	char *text = xasprintf("skill: %s\nversion: 1.0.0\ncore_version: 1.0.0\n"
			       "adds: []\nmodifies: [src/main.txt]\n",
		name);

	tempdir_mkdir(s->project.root, folder);
	tempdir_mkdir(s->project.root, modify);
	tempdir_mkdir(s->project.root, src);
	tempdir_put(s->project.root, manifest, text);
	tempdir_put(s->project.root, skill_md, name);
	tempdir_put(s->project.root, file, "x\n");
	tempdir_put(s->project.root, intent, "## Must-keep\n`x`\n");
}

/* A state in which these skills are applied, each with one file. */
static struct state state_with(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct yaml_doc *doc = NULL;
	struct state state = STATE_INIT;

	assert_int_equal(yaml_parse(view_of(text), "state", &doc, &err), 0);
	assert_int_equal(state_from_node(doc->root, &state, &err), 0);
	yaml_doc_free(doc);
	return state;
}

static void all_skills_that_have_the_file_are_collected(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(resolver_skills_release) struct resolver_skills skills = RESOLVER_SKILLS_INIT;

	SETTING(*state, NULL);
	CLEANUP(state_release)
	struct state applied = state_with("skills_system_version: 0.1.0\n"
					  "core_version: 1.0.0\n"
					  "applied_skills:\n"
					  "- name: gone\n"
					  "  version: 2.0.0\n"
					  "  file_hashes: {src/main.txt: ab}\n"
					  "- name: stranger\n"
					  "  version: 1.0.0\n"
					  "  file_hashes: {src/other.txt: ab}\n"
					  "- name: first\n"
					  "  version: 1.0.0\n"
					  "  file_hashes: {src/main.txt: ab}\n");
	tempdir_mkdir(s.project.root, ".claude");
	tempdir_mkdir(s.project.root, ".claude/skills");
	put_package(&s, "first");
	put_package(&s, "stranger");
	put_package(&s, "wave");
	if (resolver_skills_collect(&skills, &s.project, &applied, &s.file, 1, &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(skills.count, 3);
	assert_string_equal(skills.list[0].name, "gone");
	assert_string_equal(skills.list[0].version, "2.0.0");
	assert_false(skills.list[0].has_skill_md);
	assert_string_equal(skills.list[1].name, "first");
	assert_string_equal(skills.list[1].skill_md.data, "first");
	assert_string_equal(skills.list[2].name, "wave");
	assert_int_equal(skills.list[2].intent_count, 1);
	assert_string_equal(skills.list[2].intents[0].path.text, "src/main.txt");
	assert_string_equal(skills.list[2].intents[0].text.data, "## Must-keep\n`x`\n");
}

/* --- Claude Code ------------------------------------------------------------------------- */

static void claude_gets_a_prompt_and_no_more_rights_than_it_needs(void **state)
{
	CLEANUP(freep) char *prompt = NULL;
	CLEANUP(freep) char *arguments = NULL;

	SETTING(*state, "claude");
	tempdir_put(s.temp->fd, "claude",
		"#!/bin/sh\ncat >\"$PROJECT/../prompt\"\necho \"$*\" >\"$PROJECT/../arguments\"\n"
		"[ \"$DISABLE_AUTOUPDATER\" = 1 ] && " RESOLVE "src/main.txt\n");
	assert_int_equal(fchmodat(s.temp->fd, "claude", 0755, 0), 0);
	/* A relative path counts from where we are, not from the folder of the copies. */
	assert_int_equal(fchdir(s.temp->fd), 0);
	setenv("NANOCLAW_CLAUDE", "./claude", 1);
	s.request.test_output = view_of("1 failed\n");
	s.request.migration = view_of("new names\n");
	RESULT result = run(&s);
	assert_int_equal(chdir("/"), 0);
	assert_null(result.refused);
	prompt = tempdir_get(s.temp->fd, "prompt");
	arguments = tempdir_get(s.temp->fd, "arguments");
	assert_non_null(strstr(prompt, "- src/main.txt (skill wave 1.0.0)\n"));
	assert_non_null(strstr(prompt, "# Wave\n"));
	assert_non_null(strstr(prompt, "`ours` and `theirs`"));
	assert_non_null(strstr(prompt, "1 failed\n"));
	assert_non_null(strstr(prompt, "new names\n"));
	assert_non_null(strstr(arguments, "--print"));
	assert_non_null(strstr(arguments, "--restricted"));
	assert_non_null(strstr(arguments, "--tools=Read,Edit,Write"));
	assert_null(strstr(arguments, "bypassPermissions"));
}

static void claude_is_not_asked_about_a_binary_file(void **state)
{
	SETTING(*state, "claude");
	s.file.merged = (struct view){"x\0y", 3};
	RESULT result = run(&s);
	assert_string_equal(result.refused, "it cannot edit 'src/main.txt', which is not text");
}

/* --- the time limit --------------------------------------------------------------------- */

static void the_time_limit_comes_from_the_environment(void **state)
{
	static const char *const wrong[] = {"0", "-1", "1x", " 1", "86401", "x"};
	unsigned seconds = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		setenv("NANOCLAW_RESOLVER_TIMEOUT", wrong[i], 1);
		assert_int_equal(command_seconds("NANOCLAW_RESOLVER_TIMEOUT",
					 RESOLVER_DEFAULT_SECONDS, &seconds, &err),
			-1);
		assert_int_equal(err.kind, ERROR_INVALID);
	}
	CLEANUP(error_release) struct error err = ERROR_INIT;
	setenv("NANOCLAW_RESOLVER_TIMEOUT", "90", 1);
	assert_int_equal(command_seconds("NANOCLAW_RESOLVER_TIMEOUT", RESOLVER_DEFAULT_SECONDS,
				 &seconds, &err),
		0);
	assert_int_equal(seconds, 90);
	setenv("NANOCLAW_RESOLVER_TIMEOUT", "", 1);
	assert_int_equal(command_seconds("NANOCLAW_RESOLVER_TIMEOUT", RESOLVER_DEFAULT_SECONDS,
				 &seconds, &err),
		0);
	assert_int_equal(seconds, RESOLVER_DEFAULT_SECONDS);
}

TESTS(IN_PROJECT(a_file_that_is_resolved_is_taken),
	IN_PROJECT(the_document_says_all_that_is_known),
	IN_PROJECT(what_is_no_utf8_is_given_in_base64),
	IN_PROJECT(lines_that_were_content_before_may_look_like_markers),
	IN_PROJECT(bytes_of_a_binary_file_are_taken_as_they_are),
	IN_PROJECT(the_execute_bit_is_on_the_copy),
	IN_PROJECT(a_command_that_hangs_is_ended_with_all_its_children),
	IN_PROJECT(a_command_that_crashes_is_refused),
	IN_PROJECT(an_exit_code_is_a_refusal_whatever_was_resolved),
	IN_PROJECT(a_command_that_is_not_there_is_refused),
	IN_PROJECT(claude_that_is_not_there_is_refused),
	IN_PROJECT(what_it_left_in_the_background_ends_with_it),
	IN_PROJECT(of_much_output_the_end_is_kept),
	IN_PROJECT(a_file_left_as_it_was_is_refused),
	IN_PROJECT(markers_that_are_left_are_refused),
	IN_PROJECT(the_line_between_the_sides_is_a_marker_too),
	IN_PROJECT(code_that_must_be_kept_may_not_be_dropped),
	IN_PROJECT(a_link_in_the_place_of_the_file_is_refused),
	IN_PROJECT(a_link_in_the_place_of_its_folder_is_refused),
	IN_PROJECT(a_fifo_in_the_place_of_the_file_is_refused),
	IN_PROJECT(a_file_that_is_gone_is_refused),
	IN_PROJECT(another_file_in_its_folder_is_refused),
	IN_PROJECT(a_folder_that_it_made_is_refused),
	IN_PROJECT(a_folder_before_all_files_is_refused),
	IN_PROJECT(a_file_of_a_gigabyte_is_not_read),
	IN_PROJECT(one_file_that_is_refused_refuses_all),
	IN_PROJECT(of_files_without_a_conflict_one_must_be_changed),
	IN_PROJECT(a_file_of_the_project_that_it_changed_is_put_back),
	IN_PROJECT(a_file_of_the_project_that_it_deleted_is_put_back),
	IN_PROJECT(times_and_permissions_are_put_back_too),
	IN_PROJECT(a_new_file_in_the_project_is_taken_away),
	IN_PROJECT(another_gitignore_does_not_make_old_files_new),
	IN_PROJECT(a_link_of_the_project_that_it_changed_is_put_back),
	IN_PROJECT(the_state_is_put_back),
	IN_PROJECT(a_resolution_that_it_slips_in_is_taken_away),
	IN_PROJECT(a_signal_to_us_ends_it_and_the_project_is_put_back),
	IN_PROJECT(a_base_that_it_changed_is_an_error),
	IN_PROJECT(a_temporary_folder_in_the_project_is_no_part_of_it),
	IN_PROJECT(all_skills_that_have_the_file_are_collected),
	IN_PROJECT(claude_gets_a_prompt_and_no_more_rights_than_it_needs),
	IN_PROJECT(claude_is_not_asked_about_a_binary_file),
	IN_PROJECT(the_time_limit_comes_from_the_environment))
