#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builds/builds.h"
#include "tempdir.h"

/* --- the source ---------------------------------------------------------------- */

static void put_source(struct tempdir *temp)
{
	tempdir_put(temp->fd, "meson.build", "project('nanoclaw', 'c')\n");
	tempdir_mkdir(temp->fd, "tools");
	tempdir_put(temp->fd, "tools/build", "#!/bin/sh\n");
	assert_int_equal(fchmodat(temp->fd, "tools/build", 0755, 0), 0);
	tempdir_mkdir(temp->fd, "src");
	tempdir_put(temp->fd, "src/a.c", "a\n");
	tempdir_mkdir(temp->fd, "docs");
}

static void read_source(struct tempdir *temp, struct build_source *ret_source)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(build_source_read(temp->fd, ret_source, &err), 0);
}

static void only_a_tree_that_is_built_like_nanoclaw_is_its_source(void **state)
{
	struct tempdir *temp = *state;

	assert_false(build_source_is_own(temp->fd));
	put_source(temp);
	assert_true(build_source_is_own(temp->fd));
	tempdir_put(temp->fd, "meson.build", "project('postbox', 'c')\n");
	assert_false(build_source_is_own(temp->fd));
}

static void a_source_has_another_name_if_its_programs_can_differ(void **state)
{
	static const char *const others[] = {"docs/a.md", "README.md", "notes.txt"};
	static const char *const parts[] = {"src/b.c", "VERSION", "tools/new"};
	CLEANUP(build_source_release) struct build_source before = BUILD_SOURCE_INIT;
	CLEANUP(build_source_release) struct build_source now = BUILD_SOURCE_INIT;
	struct tempdir *temp = *state;

	put_source(temp);
	read_source(temp, &before);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		tempdir_put(temp->fd, others[i], "x\n");
		read_source(temp, &now);
		assert_string_equal(now.name, before.name);
	}
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		tempdir_put(temp->fd, parts[i], "x\n");
		read_source(temp, &now);
		assert_string_not_equal(now.name, before.name);
		unlinkat(temp->fd, parts[i], 0);
	}
	assert_int_equal(fchmodat(temp->fd, "src/a.c", 0755, 0), 0);
	read_source(temp, &now);
	assert_string_not_equal(now.name, before.name);
}

static void changed_added_and_deleted_files_are_found(void **state)
{
	CLEANUP(build_source_release) struct build_source before = BUILD_SOURCE_INIT;
	CLEANUP(build_source_release) struct build_source now = BUILD_SOURCE_INIT;
	CLEANUP(string_array_release) struct string_array changed = {0};
	struct tempdir *temp = *state;

	put_source(temp);
	tempdir_put(temp->fd, "src/gone.c", "x\n");
	read_source(temp, &before);
	tempdir_put(temp->fd, "src/a.c", "b\n");
	tempdir_put(temp->fd, "src/a-new.c", "x\n");
	tempdir_put(temp->fd, "docs/new.md", "x\n");
	unlinkat(temp->fd, "src/gone.c", 0);
	read_source(temp, &now);
	build_source_changes(view_of_buf(&before.list), view_of_buf(&now.list), &changed);
	assert_int_equal(changed.count, 4);
	assert_string_equal(changed.list[0], "docs/new.md");
	assert_string_equal(changed.list[1], "src/a-new.c");
	assert_string_equal(changed.list[2], "src/a.c");
	assert_string_equal(changed.list[3], "src/gone.c");
}

/* --- builds -------------------------------------------------------------------- */

static void open_builds(struct tempdir *temp, struct builds *ret_builds)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(builds_open_locked(temp->fd, temp->path, ret_builds, &err), 0);
}

static void add_untested(struct tempdir *temp, const struct builds *builds, const char *name,
	const struct buf *untested)
{
	CLEANUP(build_source_release) struct build_source source = BUILD_SOURCE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (!tempdir_exists(temp->fd, BUILDS_WORK))
		tempdir_mkdir(temp->fd, BUILDS_WORK);
	tempdir_put(temp->fd, BUILDS_WORK "/nanoclaw", name);
	tempdir_put(temp->fd, BUILDS_WORK "/nanoclaw.p", "not a program");
	assert_int_equal(fchmodat(temp->fd, BUILDS_WORK "/nanoclaw", 0755, 0), 0);
	buf_appendf(&source.list, "list of %s\n", name);
	assert_int_equal(builds_copy(builds, &source, untested, &err), 0);
	assert_int_equal(builds_add(builds, name, &err), 0);
}

static void add(struct tempdir *temp, const struct builds *builds, const char *name)
{
	add_untested(temp, builds, name, NULL);
}

static void switch_to(const struct builds *builds, const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(builds_switch(builds, name, false, &err), 0);
}

static void expect(const struct builds *builds, const char *wanted, const char *before)
{
	CLEANUP(freep) char *current = builds_current(builds);
	CLEANUP(freep) char *last = builds_before(builds);

	assert_string_equal(current ? current : "", wanted);
	assert_string_equal(last ? last : "", before);
}

static void one_goes_back_to_the_last_build_that_has_proved_itself(void **state)
{
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *name = NULL;
	CLEANUP(freep) char *failed = NULL;
	CLEANUP(freep) char *reason = NULL;
	struct tempdir *temp = *state;

	open_builds(temp, &builds);
	expect(&builds, "", "");
	add(temp, &builds, "one");
	add(temp, &builds, "two");
	add(temp, &builds, "three");
	switch_to(&builds, "one");
	assert_int_equal(builds_starts(&builds), 0);
	assert_int_equal(builds_settle(&builds, &err), 0);
	assert_int_equal(builds_starts(&builds), -1);
	switch_to(&builds, "two");
	expect(&builds, "two", "one");
	switch_to(&builds, "three");
	expect(&builds, "three", "one");
	assert_int_equal(builds_switch_back(&builds, "it is red", &name, &err), 0);
	assert_string_equal(name, "one");
	expect(&builds, "one", "one");
	builds_failed(&builds, &failed, &reason);
	assert_string_equal(failed, "three");
	assert_string_equal(reason, "it is red");
}

static void without_a_build_before_every_program_runs_by_itself_again(void **state)
{
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *name = NULL;
	struct tempdir *temp = *state;

	open_builds(temp, &builds);
	add(temp, &builds, "one");
	switch_to(&builds, "one");
	assert_int_equal(builds_switch_back(&builds, "it is red", &name, &err), 0);
	assert_null(name);
	expect(&builds, "", "");
}

static void what_ran_before_the_first_rebuild_is_the_first_build(void **state)
{
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;
	CLEANUP(freep) char *program = xasprintf("%s/bin/claw", temp->path);
	CLEANUP(freep) char *kept = NULL;
	CLEANUP(freep) char *helper = NULL;

	tempdir_mkdir(temp->fd, "bin");
	tempdir_put(temp->fd, "bin/claw", "the old one");
	tempdir_put(temp->fd, "bin/nanoclaw-mcp", "its helper");
	assert_int_equal(fchmodat(temp->fd, "bin/claw", 0755, 0), 0);
	assert_int_equal(fchmodat(temp->fd, "bin/nanoclaw-mcp", 0755, 0), 0);
	open_builds(temp, &builds);
	/* As of a rebuild that was killed; it may be of a source that does not work. */
	tempdir_mkdir(builds.fd, "first");
	tempdir_put(builds.fd, "first/nanoclaw", "a failed one");
	assert_int_equal(builds_keep_first(&builds, program, &err), 0);
	expect(&builds, "first", "first");
	assert_int_equal(builds_starts(&builds), -1);
	kept = tempdir_get(builds.fd, "first/nanoclaw");
	assert_string_equal(kept, "the old one");
	helper = tempdir_get(builds.fd, "first/nanoclaw-mcp");
	assert_string_equal(helper, "its helper");

	add(temp, &builds, "one");
	switch_to(&builds, "one");
	expect(&builds, "one", "first");
	assert_int_equal(builds_keep_first(&builds, program, &err), 0);
	expect(&builds, "one", "first");
}

static void a_build_without_a_way_back_is_never_taken_back(void **state)
{
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;

	open_builds(temp, &builds);
	add(temp, &builds, "one");
	add(temp, &builds, "two");
	switch_to(&builds, "one");
	assert_int_equal(builds_settle(&builds, &err), 0);
	assert_int_equal(builds_switch(&builds, "two", true, &err), 0);
	expect(&builds, "two", "two");
}

static void the_way_back_leads_to_a_build_that_has_proved_itself(void **state)
{
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *proved = NULL;
	CLEANUP(freep) char *on_trial = NULL;
	struct tempdir *temp = *state;

	open_builds(temp, &builds);
	add(temp, &builds, "one");
	add(temp, &builds, "two");
	switch_to(&builds, "one");
	assert_int_equal(builds_settle(&builds, &err), 0);
	proved = builds_way_back(&builds);
	assert_string_equal(proved, "one");
	switch_to(&builds, "two");
	on_trial = builds_way_back(&builds);
	assert_string_equal(on_trial, "one");
}

static void a_process_counts_its_start_once(void **state)
{
	char text[64];
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;

	open_builds(temp, &builds);
	add(temp, &builds, "one");
	assert_int_equal(builds_count_start(&builds, &err), 0);
	assert_int_equal(builds_starts(&builds), -1);
	switch_to(&builds, "one");
	assert_int_equal(builds_starts(&builds), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(builds_count_start(&builds, &err), 0);
	assert_int_equal(builds_starts(&builds), 1);
	/* Another process that had the same number, as in a container. */
	snprintf(text, sizeof(text), "2 %d 7\n", (int)getpid());
	tempdir_put(builds.fd, "starts", text);
	assert_int_equal(builds_count_start(&builds, &err), 0);
	assert_int_equal(builds_starts(&builds), 3);
	assert_int_equal(builds_forget_starts(&builds, &err), 0);
	assert_int_equal(builds_starts(&builds), 0);
}

static void a_build_whose_tests_were_skipped_knows_what_was_tested(void **state)
{
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf list = BUF_INIT;
	struct tempdir *temp = *state;

	open_builds(temp, &builds);
	add(temp, &builds, "one");
	assert_true(builds_tested(&builds, "one", &list));
	assert_string_equal(list.data, "list of one\n");
	add_untested(temp, &builds, "two", &list);
	assert_false(builds_tested(&builds, "two", &list));
	assert_string_equal(list.data, "list of one\n");
	assert_int_equal(builds_set_tested(&builds, "two", &err), 0);
	assert_true(builds_tested(&builds, "two", &list));
	assert_string_equal(list.data, "list of two\n");
}

static void the_last_three_builds_are_kept(void **state)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;

	open_builds(temp, &builds);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct timespec times[2] = {
			{.tv_sec = 1000 + (time_t)i}, {.tv_sec = 1000 + (time_t)i}};

		add(temp, &builds, names[i]);
		assert_int_equal(utimensat(builds.fd, names[i], times, 0), 0);
	}
	/* The oldest ones count, because they are in use. */
	switch_to(&builds, "a");
	assert_int_equal(builds_settle(&builds, &err), 0);
	switch_to(&builds, "b");
	assert_int_equal(builds_prune(&builds, &err), 0);
	assert_true(builds_has(&builds, "a"));
	assert_true(builds_has(&builds, "b"));
	assert_false(builds_has(&builds, "c"));
	assert_false(builds_has(&builds, "d"));
	assert_true(builds_has(&builds, "e"));
}

static void a_link_that_leads_to_no_build_is_none(void **state)
{
	static const char *const targets[] = {"..", "../../tools", "nowhere", "/bin"};
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	struct tempdir *temp = *state;

	open_builds(temp, &builds);
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
		tempdir_symlink(targets[i], builds.fd, "current");
		assert_null(builds_current(&builds));
		unlinkat(builds.fd, "current", 0);
	}
}

static void a_second_rebuild_has_to_wait(void **state)
{
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(builds_release) struct builds second = BUILDS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;

	open_builds(temp, &builds);
	assert_int_equal(builds_open_locked(temp->fd, temp->path, &second, &err), -1);
	assert_int_equal(err.kind, ERROR_BUSY);
}

static void a_folder_that_others_may_write_is_refused(void **state)
{
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(builds_release) struct builds open = BUILDS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;

	open_builds(temp, &builds);
	assert_int_equal(fchmod(builds.fd, 0777), 0);
	assert_int_equal(builds_open(temp->fd, temp->path, &open, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
}

static void a_program_is_known_by_the_build_it_is_in(void **state)
{
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	struct tempdir *temp = *state;
	CLEANUP(freep) char *real = realpath(temp->path, NULL);
	CLEANUP(freep) char *inside = xasprintf("%s/" BUILDS_FOLDER "/one/nanoclaw", real);
	CLEANUP(freep) char *outside = xasprintf("%s/build-run/nanoclaw", real);
	CLEANUP(freep) char *name = NULL;

	open_builds(temp, &builds);
	add(temp, &builds, "one");
	name = builds_name_of(&builds, inside);
	assert_string_equal(name, "one");
	assert_null(builds_name_of(&builds, outside));
}

TESTS(IN_TEMPDIR(only_a_tree_that_is_built_like_nanoclaw_is_its_source),
	IN_TEMPDIR(a_source_has_another_name_if_its_programs_can_differ),
	IN_TEMPDIR(changed_added_and_deleted_files_are_found),
	IN_TEMPDIR(one_goes_back_to_the_last_build_that_has_proved_itself),
	IN_TEMPDIR(without_a_build_before_every_program_runs_by_itself_again),
	IN_TEMPDIR(what_ran_before_the_first_rebuild_is_the_first_build),
	IN_TEMPDIR(a_build_without_a_way_back_is_never_taken_back),
	IN_TEMPDIR(the_way_back_leads_to_a_build_that_has_proved_itself),
	IN_TEMPDIR(a_process_counts_its_start_once),
	IN_TEMPDIR(a_build_whose_tests_were_skipped_knows_what_was_tested),
	IN_TEMPDIR(the_last_three_builds_are_kept),
	IN_TEMPDIR(a_link_that_leads_to_no_build_is_none),
	IN_TEMPDIR(a_second_rebuild_has_to_wait),
	IN_TEMPDIR(a_folder_that_others_may_write_is_refused),
	IN_TEMPDIR(a_program_is_known_by_the_build_it_is_in))
