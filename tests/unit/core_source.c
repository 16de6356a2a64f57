/* A new core from a folder. */
#include "core_source_run.h"

static void what_differs_is_told_file_by_file(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "same.c", "the same\n");
	put_base(temp, "changed.c", "before\n");
	put_base(temp, "gone.c", "a file that the new core does not have any more\n");
	put_new(temp, "same.c", "the same\n");
	put_new(temp, "changed.c", "after\n");
	put_new(temp, "new.c", "a file that is new, and has nothing to do with others\n");
	assert_source(temp, "new", NULL,
		"changed changed.c\n"
		"added new.c\n"
		"same same.c\n"
		"deleted gone.c\n");
}

static void permissions_and_kinds_count(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "run", "#!/bin/sh\n");
	put_base(temp, "link", "target");
	put_new(temp, "run", "#!/bin/sh\n");
	assert_int_equal(fchmodat(temp->fd, "new/run", 0755, 0), 0);
	tempdir_symlink("target", temp->fd, "new/link");
	assert_source(temp, "new", NULL,
		"changed link\n"
		"changed run\n");
}

static void what_is_no_core_is_left_out(void **state)
{
	struct tempdir *temp = *state;

	put_new(temp, "a.c", "a\n");
	put_new(temp, ".env", "SECRET=1\n");
	put_new(temp, "data/db", "d\n");
	put_new(temp, "debug.log", "l\n");
	put_new(temp, ".gitignore", "*.log\n");
	put_new(temp, ".nanoclaw/state.yaml", "s\n");
	put_new(temp, "updates/0.1.0-to-0.2.0/migration.md", "m\n");
	assert_source(temp, "new", NULL,
		"added .gitignore\n"
		"added a.c\n");
}

static void a_file_under_another_name_was_renamed(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "src/server.c", LINES "server\n");
	put_base(temp, "src/tool.c", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n");
	put_new(temp, "src/app.c", LINES "server\n");
	put_new(temp, "lib/tool.c", "one\ntwo\nthree\nfour\nFIVE\nsix\nseven\neight\n");
	assert_source(temp, "new", NULL,
		"changed lib/tool.c <- src/tool.c (found)\n"
		"moved src/app.c <- src/server.c (found)\n"
		"remap src/server.c -> src/app.c\n"
		"remap src/tool.c -> lib/tool.c\n");
}

static void a_declared_name_counts_whatever_the_content_is(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "server.c", "nothing of this is the same any more\n");
	put_base(temp, "kept.c", "k\n");
	put_new(temp, "app.c", "written again from the beginning, line by line\n");
	put_new(temp, "kept.c", "k\n");
	put_new(temp, ".nanoclaw-meta/path_remap.yaml",
		"path_remap:\n  server.c: app.c\n  ancient.c: server.c\n");
	assert_source(temp, "new", NULL,
		"added .nanoclaw-meta/path_remap.yaml\n"
		"changed app.c <- server.c\n"
		"same kept.c\n"
		"remap ancient.c -> app.c\n"
		"remap server.c -> app.c\n");
}

static void packages_are_no_part_of_the_core(void **state)
{
	struct tempdir *temp = *state;

	put_new(temp, "a.c", "a\n");
	put_new(temp, "skills/old/manifest.yaml", "skill: old\n");
	put_new(temp, "skills/old/add/a", "a\n");
	put_new(temp, "skills/plain/notes", "part of the core\n");
	put_new(temp, ".claude/skills/new/manifest.yaml", "skill: new\n");
	put_new(temp, ".claude/resolutions/x/meta.yaml", "m\n");
	put_project(temp, "skills/old/manifest.yaml", "skill: older\n");
	put_project(temp, "skills/old/add/a", "a\n");
	put_project(temp, "skills/old/add/b", "b\n");
	put_project(temp, "skills/old/NOTES", "mine\n");
	assert_source(temp, "new", NULL,
		"added a.c\n"
		"added skills/plain/notes\n"
		"package added .claude/resolutions/x/meta.yaml\n"
		"package added .claude/skills/new/manifest.yaml\n"
		"package same skills/old/add/a\n"
		"package gone skills/old/add/b\n"
		"package changed skills/old/manifest.yaml\n"
		"resolutions new/.claude/resolutions\n");
}

static void the_version_is_that_of_the_new_core(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;

	put_new(temp, "VERSION", "1.4.0\n");
	open_source(temp, "new", NULL, &source);
	assert_string_equal(source.version, "1.4.0");
	assert_true(source.version_known);
}

static void a_core_that_is_older_is_refused(void **state)
{
	struct tempdir *temp = *state;

	put_new(temp, "VERSION", "0.4.0\n");
	assert_refused(temp, "new", NULL,
		"'[new]' has core 0.4.0, which is older than the current one, 0.5.0");
	assert_refused(temp, "new", "one", "--to: version 'one' is not of the form 1.2.3");
}

static void an_unknown_version_is_no_older_one(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;

	put_new(temp, "a", "a\n");
	assert_refused_as(temp, "new", NULL, "0.5.0",
		"'[new]' does not say which version of the core it is, and the current one is "
		"0.5.0");
	open_source(temp, "new", "0.6.0", &source);
	assert_string_equal(source.version, "0.6.0");
}

static void contents_are_read_as_they_were_found(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	put_new(temp, "VERSION", "1.0.0\n");
	open_source(temp, "new", NULL, &source);
	assert_int_equal(core_source_read(&source, &source.files.list[0], &file, &err), 0);
	assert_string_equal(file.content.data, "1.0.0\n");
	tempdir_put(temp->fd, "new/VERSION", "2.0.0\n");
	tx_file_release(&file);
	file = TX_FILE_INIT;
	assert_int_equal(core_source_read(&source, &source.files.list[0], &file, &err), -1);
	assert_string_equal(
		err.message, "'VERSION' of the new core has changed since it was read");
}

static void a_folder_without_a_core_is_refused(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, "new/data");
	assert_refused(temp, "new", "1.0.0", "'[new]' has no file of a core in it");
	assert_refused(
		temp, "project", "1.0.0", "'[project]' is the project itself, not a new core");
}

static void names_that_clash_are_refused(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "Old", "old\n");
	put_base(temp, "old", "old\n");
	put_new(temp, "Old", "old\n");
	put_new(temp, "old", "old\n");
	assert_source(temp, "new", NULL, "same Old\nsame old\n");
	put_new(temp, "OLD", "old\n");
	assert_refused(
		temp, "new", "1.0.0", "[new]: path 'Old' differs from 'OLD' only in case");
}

static void a_hidden_repository_is_refused(void **state)
{
	struct tempdir *temp = *state;

	put_new(temp, "a/.GIT/config", "x\n");
	assert_refused(temp, "new", "1.0.0",
		"'[new]': path 'a/.GIT/config' leads into '.git', '.nanoclaw' or '.env', which no "
		"update may touch");
}

static void a_remap_must_lead_to_a_file(void **state)
{
	struct tempdir *temp = *state;

	put_new(temp, "a", "a\n");
	put_new(temp, ".nanoclaw-meta/path_remap.yaml", "path_remap:\n  b: c\n");
	assert_refused(temp, "new", "1.0.0",
		"'[new]': .nanoclaw-meta/path_remap.yaml:2:3: 'path_remap': 'c' is not a file of "
		"the new core");
	put_new(temp, ".nanoclaw-meta/path_remap.yaml", "b: c\nc: b\n");
	assert_refused(temp, "new", "1.0.0",
		"'[new]': .nanoclaw-meta/path_remap.yaml:1:1: 'path_remap' has a cycle at 'b', or a chain of more than 100 names (and 1 more fault)");
	put_new(temp, ".nanoclaw-meta/path_remap.yaml", "a: a2\n");
	put_new(temp, "a2", "a\n");
	assert_refused(temp, "new", "1.0.0",
		"'[new]': .nanoclaw-meta/path_remap.yaml:1:1: 'path_remap': 'a' is a file of the "
		"new core, and cannot lead to another");
	put_new(temp, ".nanoclaw-meta/path_remap.yaml", "../x: a2\n");
	assert_refused(
		temp, "new", "1.0.0", "'[new]': .nanoclaw-meta/path_remap.yaml:1:1: [..]");
}

static void migrations_only_grow(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;

	put_base(temp, "migrations.yaml", "- {since: 0.4.0, skill: a@1.0.0}\n");
	put_new(temp, "migrations.yaml",
		"- {since: 0.4.0, skill: a@1.0.0}\n- {since: 0.6.0, skill: b}\n");
	open_source(temp, "new", "1.0.0", &source);
	assert_int_equal(source.migrations.count, 2);
	assert_string_equal(source.migrations.list[1].skill, "b");
	put_new(temp, "migrations.yaml", "- {since: 0.4.1, skill: a@1.0.0}\n");
	assert_refused(temp, "new", "1.0.0",
		"[new]/migrations.yaml:1:3: the migration 'a' since 0.4.0 was changed or moved");
}

static void names_that_are_no_utf8_arrive(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "caf\xe9", "a name that is older than this encoding of characters\n");
	put_new(temp, "n\xe9w", "a name that is older than this encoding of characters\n");
	assert_source(temp, "new", NULL,
		"moved n\xe9w <- caf\xe9 (found)\nremap caf\xe9 -> n\xe9w\n");
}

TESTS(IN_PROJECT(what_differs_is_told_file_by_file), IN_PROJECT(permissions_and_kinds_count),
	IN_PROJECT(what_is_no_core_is_left_out),
	IN_PROJECT(a_file_under_another_name_was_renamed),
	IN_PROJECT(a_declared_name_counts_whatever_the_content_is),
	IN_PROJECT(packages_are_no_part_of_the_core),
	IN_PROJECT(the_version_is_that_of_the_new_core),
	IN_PROJECT(a_core_that_is_older_is_refused),
	IN_PROJECT(an_unknown_version_is_no_older_one),
	IN_PROJECT(contents_are_read_as_they_were_found),
	IN_PROJECT(a_folder_without_a_core_is_refused),
	IN_PROJECT(names_that_clash_are_refused), IN_PROJECT(a_hidden_repository_is_refused),
	IN_PROJECT(a_remap_must_lead_to_a_file), IN_PROJECT(migrations_only_grow),
	IN_PROJECT(names_that_are_no_utf8_arrive))
