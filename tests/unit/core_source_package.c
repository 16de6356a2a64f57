/* A new core from update packages. */
#include "core_source_run.h"

#define U "updates/"

static void put(struct tempdir *temp, const char *path, const char *content)
{
	put_below(temp, "updates", path, content);
}

static void files_lie_on_top_of_the_core(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	put_base(temp, "src/b", "b\n");
	put(temp, "0.5.0-to-0.6.0/files/src/b", "B\n");
	put(temp, "0.5.0-to-0.6.0/files/src/c", "c\n");
	assert_source(temp, U "0.5.0-to-0.6.0", "0.6.0",
		"same a\n"
		"changed src/b\n"
		"added src/c\n");
}

static void file_operations_come_before_files(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "server.c", "s\n");
	put_base(temp, "old.c", "o\n");
	put_base(temp, "util/help.c", "h\n");
	put(temp, "0.5.0-to-0.6.0/file_ops.yaml",
		"file_ops:\n"
		"  - {type: rename, from: server.c, to: app.c}\n"
		"  - {type: move, from: util/help.c, to: lib/help.c}\n"
		"  - {type: delete, path: old.c}\n");
	put(temp, "0.5.0-to-0.6.0/files/app.c", "written again\n");
	assert_source(temp, U "0.5.0-to-0.6.0/", "0.6.0",
		"changed app.c <- server.c\n"
		"moved lib/help.c <- util/help.c\n"
		"deleted old.c\n"
		"remap server.c -> app.c\n"
		"remap util/help.c -> lib/help.c\n");
}

static void names_go_on_over_several_packages(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	put(temp, "0.5.0-to-0.6.0/file_ops", "- {type: rename, from: a, to: b}\n");
	put(temp, "0.5.0-to-0.6.0/path_remap", "ancient: b\n");
	put(temp, "0.6.0-to-0.7.0/update.yaml",
		"file_ops:\n- {type: rename, from: b, to: c}\npath_remap: {b: c}\n");
	put(temp, "0.7.0-to-0.8.0/files/c", "C\n");
	assert_source(temp, "updates", "0.8.0",
		"changed c <- a\n"
		"remap a -> c\n"
		"remap ancient -> c\n"
		"remap b -> c\n");
}

static void a_rename_is_found_in_the_step_that_made_it(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a.c", LINES);
	put(temp, "0.5.0-to-0.6.0/file_ops.yaml", "- {type: delete, path: a.c}\n");
	put(temp, "0.5.0-to-0.6.0/files/b.c", LINES);
	put(temp, "0.6.0-to-0.7.0/files/b.c", "nothing is left of it\n");
	assert_source(temp, "updates", "0.7.0",
		"changed b.c <- a.c (found)\n"
		"remap a.c -> b.c\n");
}

static void a_file_that_comes_back_was_never_gone(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	put_base(temp, "k", "k\n");
	put(temp, "0.5.0-to-0.6.0/file_ops.yaml", "- {type: delete, path: a}\n");
	put(temp, "0.6.0-to-0.7.0/files/a", "A\n");
	assert_source(temp, "updates", "0.7.0", "changed a\nsame k\n");
}

static void the_old_name_may_be_taken_by_a_new_file(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	put(temp, "0.5.0-to-0.6.0/file_ops.yaml", "- {type: rename, from: a, to: b}\n");
	put(temp, "0.5.0-to-0.6.0/files/a", "another one\n");
	assert_source(temp, "updates", "0.6.0", "added a\nmoved b <- a\n");
}

static void packages_and_resolutions_come_with_it(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	put_project(temp, "skills/there/manifest.yaml", "m\n");
	put_project(temp, "skills/there/add/x", "x\n");
	put_project(temp, "skills/there/add/y", "y\n");
	put(temp, "0.5.0-to-0.6.0/files/skills/there/add/x", "X\n");
	put(temp, "0.5.0-to-0.6.0/files/skills/new/manifest.yaml", "n\n");
	put(temp, "0.5.0-to-0.6.0/files/.claude/resolutions/r/meta.yaml", "r\n");
	put(temp, "0.5.0-to-0.6.0/resolutions/r/meta.yaml", "r\n");
	put(temp, "0.5.0-to-0.6.0/file_ops.yaml",
		"- {type: delete, path: skills/there/add/y}\n");
	put(temp, "0.6.0-to-0.7.0/files/skills/new/manifest.yaml", "n2\n");
	put(temp, "0.6.0-to-0.7.0/resolutions/r/meta.yaml", "r\n");
	assert_source(temp, "updates", "0.7.0",
		"same a\n"
		"package added .claude/resolutions/r/meta.yaml\n"
		"package added skills/new/manifest.yaml\n"
		"package changed skills/there/add/x\n"
		"package gone skills/there/add/y\n"
		"resolutions updates/0.6.0-to-0.7.0/resolutions\n"
		"resolutions updates/0.5.0-to-0.6.0/resolutions\n");
}

static void guides_and_migrations_come_together(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;

	put_base(temp, "a", "a\n");
	put(temp, "0.5.0-to-0.6.0/migration.md", "# 0.6\n");
	put(temp, "0.5.0-to-0.6.0/files/migrations.yaml", "- {since: 0.6.0, skill: x@1.0.0}\n");
	put(temp, "0.6.0-to-0.7.0/migration.md", "# 0.7\n");
	open_source(temp, "updates", NULL, &source);
	assert_string_equal(source.guide.data, "# 0.6\n\n# 0.7\n");
	assert_string_equal(source.version, "0.7.0");
	assert_int_equal(source.migrations.count, 1);
	assert_string_equal(source.migrations.list[0].version, "1.0.0");
}

static void migrations_of_the_project_count_if_there_are_more(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
	CLEANUP(core_source_release) struct core_source other = CORE_SOURCE_INIT;

	put_base(temp, "migrations.yaml", "- {since: 0.4.0, skill: x}\n");
	put_project(temp, "migrations.yaml",
		"- {since: 0.4.0, skill: x}\n- {since: 0.6.0, skill: y}\n");
	put(temp, "0.5.0-to-0.6.0/migration.md", "# 0.6\n");
	open_source(temp, "updates", NULL, &source);
	assert_int_equal(source.migrations.count, 2);
	put_project(temp, "migrations.yaml", "- {since: 0.6.0, skill: y}\n");
	open_source(temp, "updates", NULL, &other);
	assert_int_equal(other.migrations.count, 1);
	assert_string_equal(other.migrations.list[0].skill, "x");
}

static void assert_version(
	struct tempdir *temp, const char *name, const char *to, const char *version)
{
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;

	open_source(temp, name, to, &source);
	assert_int_equal(source.kind, CORE_SOURCE_PACKAGE);
	assert_string_equal(source.version, version);
}

static void a_way_is_found_by_the_first_and_by_the_last(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	put(temp, "0.5.0-to-0.6.0/migration.md", "");
	put(temp, "0.6.0-to-0.7.0/migration.md", "");
	put(temp, "0.7.0-to-0.8.0-rc.1/migration.md", "");
	put(temp, "notes/README", "");
	assert_version(temp, U "0.5.0-to-0.6.0", NULL, "0.6.0");
	assert_version(temp, U "0.5.0-to-0.6.0", "0.7.0", "0.7.0");
	assert_version(temp, U "0.7.0-to-0.8.0-rc.1", NULL, "0.8.0-rc.1");
	assert_version(temp, U "0.6.0-to-0.7.0", "0.8.0-rc.1", "0.8.0-rc.1");
	assert_version(temp, "updates", NULL, "0.8.0-rc.1");
	assert_version(temp, "updates", "0.6.0", "0.6.0");
	assert_version(temp, "updates", "0.5.0", "0.5.0");
}

static void being_there_already_changes_nothing(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	put(temp, "0.4.0-to-0.5.0/files/a", "never looked at\n");
	assert_source(temp, U "0.4.0-to-0.5.0", "0.5.0", "same a\n");
	assert_version(temp, "updates", NULL, "0.5.0");
}

static void gaps_and_wrong_starts_are_refused(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	put(temp, "0.6.0-to-0.7.0/migration.md", "");
	assert_refused(temp, "updates", NULL,
		"no update package in '[updates]' starts at the current core, 0.5.0");
	assert_refused(temp, U "0.6.0-to-0.7.0", NULL,
		"package '0.6.0-to-0.7.0' starts at core 0.6.0, and the current one is 0.5.0: no "
		"update packages in '[updates]' lead from core 0.5.0 to 0.6.0: there are "
		"0.6.0-to-0.7.0");
	put(temp, "0.5.0-to-0.5.5/migration.md", "");
	assert_refused(temp, "updates", "0.7.0",
		"no update packages in '[updates]' lead from core 0.5.0 to 0.7.0: there are "
		"0.5.0-to-0.5.5, 0.6.0-to-0.7.0");
	put(temp, "0.3.0-to-0.4.0/migration.md", "");
	assert_refused(temp, U "0.3.0-to-0.4.0", NULL,
		"package '0.3.0-to-0.4.0' starts at core 0.3.0, and the current one is 0.5.0");
}

static void two_ways_are_refused(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	put(temp, "0.5.0-to-0.6.0/migration.md", "");
	put(temp, "0.6.0-to-0.7.0/migration.md", "");
	put(temp, "0.5.0-to-0.7.0/migration.md", "");
	assert_refused(temp, "updates", NULL,
		"update packages in '[updates]' lead to core 0.7.0 in more than one way: by "
		"'0.5.0-to-0.6.0' and by '0.5.0-to-0.7.0'");
	assert_version(temp, U "0.5.0-to-0.7.0", NULL, "0.7.0");
	assert_version(temp, U "0.5.0-to-0.6.0", "0.7.0", "0.7.0");
}

static void a_package_needs_its_name(void **state)
{
	struct tempdir *temp = *state;

	put_new(temp, "files/a", "a\n");
	put_new(temp, "file_ops.yaml", "[]\n");
	assert_refused(temp, "new", NULL,
		"'[new]' looks like an update package, but is not named after two versions");
}

/* --- hostile ---------------------------------------------------------------------- */

/* One file of a package, and the error that it causes. */
static void assert_text_refused(
	struct tempdir *temp, const char *name, const char *content, const char *expected)
{
	CLEANUP(freep) char *path = xasprintf("0.5.0-to-0.6.0/%s", name);
	CLEANUP(freep)
	char *message = xasprintf("[updates]/0.5.0-to-0.6.0/%s%s", name, expected);

	put(temp, path, content);
	assert_refused(temp, "updates", NULL, message);
}

static void file_operations_that_cannot_be_are_refused(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	put_base(temp, "b", "b\n");
	assert_text_refused(temp, "file_ops.yaml", "- {type: delete, path: none}\n",
		":1:3: the file operation is about 'none', which the core does not have");
	assert_text_refused(temp, "file_ops.yaml", "- {type: rename, from: a, to: b}\n",
		":1:3: the file operation is about 'b', which already exists");
	assert_text_refused(
		temp, "file_ops.yaml", "- {type: rename, from: a, to: ../b}\n", ":1:31: [..]");
	assert_text_refused(
		temp, "file_ops.yaml", "- {type: rename, from: a, to: /b}\n", ":1:31: [..]");
	assert_text_refused(temp, "file_ops.yaml", "- {type: delete, path: .git/config}\n",
		":1:24: path '.git/config' leads into '.git' or '.nanoclaw'[..]");
	assert_text_refused(temp, "file_ops.yaml", "- {type: delete, path: x/.env}\n",
		":1:24: path 'x/.env' leads to '.env'[..]");
	assert_text_refused(temp, "file_ops.yaml", "- {type: delete, path: a, path: b}\n",
		":1:27: key 'path' appears twice[..]");
	assert_text_refused(temp, "file_ops.yaml", "{a: b}\n", ":1:1: [..]");
	assert_text_refused(temp, "file_ops.yaml",
		"- {type: rename, from: a, to: c}\n- {type: rename, from: b, to: c}\n",
		":2:3: the file operation is about 'c', which is a new name already (on line 1)");
	put(temp, "0.5.0-to-0.6.0/files/a", "A\n");
	assert_text_refused(temp, "file_ops.yaml", "- {type: delete, path: a}\n",
		":1:3: the file operation is about 'a', which the package also brings");
	put(temp, "0.5.0-to-0.6.0/file_ops.yaml", "[]\n");
	put(temp, "0.5.0-to-0.6.0/update.yaml", "file_ops: []\n");
	assert_refused(temp, "updates", NULL,
		"[updates]/0.5.0-to-0.6.0/update.yaml: 'file_ops' is in "
		"'[updates]/0.5.0-to-0.6.0/file_ops.yaml', too");
}

static void assert_file_refused(struct tempdir *temp, const char *path, const char *expected)
{
	CLEANUP(freep) char *name = xasprintf("0.5.0-to-0.6.0/files/%s", path);
	CLEANUP(freep) char *full = xasprintf(U "%s", name);
	CLEANUP(freep)
	char *message = xasprintf("[updates]/0.5.0-to-0.6.0/files: %s", expected);

	put(temp, name, "x\n");
	assert_refused(temp, "updates", NULL, message);
	assert_int_equal(unlinkat(temp->fd, full, 0), 0);
}

static void files_that_no_core_has_are_refused(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	assert_file_refused(temp, "x/.git/config",
		"path 'x/.git/config' leads into '.git', '.nanoclaw' or '.env', which no update "
		"may touch");
	assert_file_refused(
		temp, ".nanoclaw/state.yaml", "path '.nanoclaw/state.yaml' leads[..]");
	assert_file_refused(temp, ".env", "path '.env' leads into[..]");
	assert_file_refused(
		temp, "data/db", "'data/db' is not part of a core, and belongs to the user");
	assert_file_refused(temp, "x/node_modules/y",
		"'x/node_modules/y' is not part of a core, and belongs to the user");
}

static void links_and_devices_are_refused(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	put(temp, "0.5.0-to-0.6.0/files/x", "x\n");
	tempdir_symlink("/etc", temp->fd, U "0.5.0-to-0.6.0/files/link");
	assert_refused(temp, "updates", NULL,
		"[updates]/0.5.0-to-0.6.0/files: 'link' is not a regular file");
	assert_int_equal(unlinkat(temp->fd, U "0.5.0-to-0.6.0/files/link", 0), 0);
	tempdir_fifo(temp->fd, U "0.5.0-to-0.6.0/files/pipe");
	assert_refused(temp, "updates", NULL,
		"[updates]/0.5.0-to-0.6.0/files: 'pipe' is not a regular file");
}

static void a_file_that_is_too_large_is_refused(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "a\n");
	put(temp, "0.5.0-to-0.6.0/files/x", "x\n");
	{
		CLEANUP(closep) int fd = openat(temp->fd, U "0.5.0-to-0.6.0/files/x", O_WRONLY);

		assert_int_equal(ftruncate(fd, (off_t)1 << 34), 0);
	}
	assert_refused(temp, "updates", NULL,
		"[updates]/0.5.0-to-0.6.0/files: a file is larger than 268435456 bytes");
}

static void a_file_in_the_place_of_a_folder_is_refused(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "src/a", "a\n");
	put(temp, "0.5.0-to-0.6.0/files/src", "x\n");
	assert_refused(temp, "updates", NULL,
		"[updates]: path 'src/a' is below 'src', which is a file");
	assert_int_equal(unlinkat(temp->fd, U "0.5.0-to-0.6.0/files/src", 0), 0);
	put(temp, "0.5.0-to-0.6.0/files/SRC/A", "x\n");
	assert_refused(temp, "updates", NULL,
		"[updates]: path 'src/a' differs from 'SRC/A' only in case");
}

TESTS(IN_PROJECT(files_lie_on_top_of_the_core), IN_PROJECT(file_operations_come_before_files),
	IN_PROJECT(names_go_on_over_several_packages),
	IN_PROJECT(a_rename_is_found_in_the_step_that_made_it),
	IN_PROJECT(a_file_that_comes_back_was_never_gone),
	IN_PROJECT(the_old_name_may_be_taken_by_a_new_file),
	IN_PROJECT(packages_and_resolutions_come_with_it),
	IN_PROJECT(guides_and_migrations_come_together),
	IN_PROJECT(migrations_of_the_project_count_if_there_are_more),
	IN_PROJECT(a_way_is_found_by_the_first_and_by_the_last),
	IN_PROJECT(being_there_already_changes_nothing),
	IN_PROJECT(gaps_and_wrong_starts_are_refused), IN_PROJECT(two_ways_are_refused),
	IN_PROJECT(a_package_needs_its_name),
	IN_PROJECT(file_operations_that_cannot_be_are_refused),
	IN_PROJECT(files_that_no_core_has_are_refused),
	IN_PROJECT(links_and_devices_are_refused),
	IN_PROJECT(a_file_that_is_too_large_is_refused),
	IN_PROJECT(a_file_in_the_place_of_a_folder_is_refused))
