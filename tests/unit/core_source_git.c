/* A new core from a commit of the project's repository. */
#include "core_source_run.h"

#include <stdlib.h>

#include "engine/core/base_sums.h"
#include "realgit.h"

static void git(struct tempdir *temp, const char *words)
{
	CLEANUP(freep) char *folder = xasprintf("%s/project", temp->path);

	realgit(folder, words);
}

/* Commit the content of `new`, with a tag. */
static void commit(struct tempdir *temp, const char *tag)
{
	CLEANUP(freep) char *words = xasprintf("tag %s", tag);

	if (!tempdir_exists(temp->fd, "project/.git"))
		git(temp, "init -q -b main");
	git(temp, "--work-tree=../new add -A -f");
	git(temp, "--work-tree=../new commit -q -m x");
	git(temp, words);
}

static void a_tag_is_a_whole_core(void **state)
{
	struct tempdir *temp = *state;

	if (!realgit_present())
		return;
	put_base(temp, "same", "s\n");
	put_base(temp, "changed", "c\n");
	put_base(temp, "gone", "g\n");
	put_base(temp, "src/old.c", LINES);
	put_base(temp, "tool", "t\n");
	put_new(temp, "same", "s\n");
	put_new(temp, "changed", "C\n");
	put_new(temp, "src/new.c", LINES "and more\n");
	put_new(temp, "tool", "t\n");
	put_new(temp, "empty", "");
	assert_int_equal(fchmodat(temp->fd, "new/tool", 0755, 0), 0);
	tempdir_symlink("same", temp->fd, "new/link");
	commit(temp, "v1");
	assert_source(temp, ":v1", NULL,
		"changed changed\n"
		"added empty\n"
		"added link\n"
		"same same\n"
		"changed src/new.c <- src/old.c (found)\n"
		"changed tool\n"
		"deleted gone\n"
		"remap src/old.c -> src/new.c\n");
}

static void what_is_no_core_is_left_out_of_a_commit(void **state)
{
	struct tempdir *temp = *state;

	if (!realgit_present())
		return;
	put_new(temp, "a", "a\n");
	put_new(temp, ".gitignore", "*.log\n");
	put_new(temp, "tracked.log", "part of the core\n");
	put_new(temp, ".env", "SECRET=1\n");
	put_new(temp, "data/db", "no\n");
	put_new(temp, "store/kept", "yes\n");
	put_new(temp, "x/node_modules/y", "no\n");
	put_new(temp, "docs/secret", "no\n");
	put_new(temp, "kept/node_modules/y", "yes\n");
	put_new(temp, "cache/x", "no\n");
	put_new(temp, "docs/cache", "yes, it is a file\n");
	put_new(temp, ".nanoclaw-ignore", "!data/\nsecret\n!kept/node_modules/\ncache/\n");
	/* The project's own file decides which files are the person's. */
	put_project(temp, ".nanoclaw-ignore", "!store/\n");
	put_new(temp, "updates/0.1.0-to-0.2.0/migration.md", "no\n");
	put_new(temp, "skills/s/manifest.yaml", "m\n");
	put_new(temp, "skills/plain/notes", "n\n");
	put_new(temp, ".claude/resolutions/r/meta.yaml", "r\n");
	put_new(temp, ".nanoclaw-meta/path_remap.yaml", "ancient: a\n");
	commit(temp, "v1");
	assert_source(temp, ":main", NULL,
		"added .gitignore\n"
		"added .nanoclaw-ignore\n"
		"added .nanoclaw-meta/path_remap.yaml\n"
		"added a\n"
		"added docs/cache\n"
		"added kept/node_modules/y\n"
		"added skills/plain/notes\n"
		"added store/kept\n"
		"added tracked.log\n"
		"remap ancient -> a\n"
		"package added .claude/resolutions/r/meta.yaml\n"
		"package added skills/s/manifest.yaml\n");
}

static void contents_links_and_permissions_are_read(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	static const struct {
		const char *content;
		enum tx_kind kind;
	} expected[] = {{"1.2.3\n", TX_FILE}, {"a\nb", TX_FILE}, {"../far", TX_SYMLINK}};

	if (!realgit_present())
		return;
	put_new(temp, "VERSION", "1.2.3\n");
	put_new(temp, "a", "a\nb");
	tempdir_symlink("../far", temp->fd, "new/link");
	commit(temp, "v1");
	open_source(temp, ":v1", NULL, &source);
	assert_string_equal(source.version, "1.2.3");
	assert_int_equal(source.files.count, 3);
	for (size_t i = 0; i < 3; i++) {
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		assert_int_equal(
			core_source_read(&source, &source.files.list[i], &file, &err), 0);
		assert_string_equal(file.content.data, expected[i].content);
		assert_int_equal(file.kind, expected[i].kind);
	}
}

static void commits_in_between_are_counted(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;

	if (!realgit_present())
		return;
	put_new(temp, "a", "1\n");
	commit(temp, "v1");
	put_new(temp, "a", "2\n");
	commit(temp, "v2");
	put_new(temp, "a", "3\n");
	commit(temp, "v3");
	git(temp, "update-ref refs/heads/main v1");
	git(temp, "pack-refs --all");
	git(temp, "gc -q");
	open_source(temp, ":v3", "1.0.0", &source);
	assert_int_equal(source.commits, 2);
}

/* All that is in the repository, with its content. */
static char *repository(struct tempdir *temp)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int fd = openat(temp->fd, "project/.git", O_RDONLY | O_DIRECTORY);

	assert_int_equal(base_sums_collect(fd, &sums, &err), 0);
	base_sums_render(&sums, "1.0.0", &text);
	return buf_take(&text);
}

static void the_repository_is_not_touched(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *before = NULL;
	CLEANUP(freep) char *after = NULL;

	if (!realgit_present())
		return;
	put_base(temp, "a", "a\n");
	put_new(temp, "a", "b\n");
	commit(temp, "v1");
	before = repository(temp);
	assert_source(temp, ":v1", NULL, "changed a\n");
	after = repository(temp);
	assert_string_equal(before, after);
}

static void the_environment_does_not_lead_elsewhere(void **state)
{
	struct tempdir *temp = *state;

	if (!realgit_present())
		return;
	put_base(temp, "a", "a\n");
	put_new(temp, "a", "b\n");
	commit(temp, "v1");
	setenv("GIT_DIR", "/nowhere", 1);
	setenv("GIT_OBJECT_DIRECTORY", "/nowhere", 1);
	setenv("GIT_COMMON_DIR", "/nowhere", 1);
	assert_source(temp, ":v1", NULL, "changed a\n");
	unsetenv("GIT_DIR");
	unsetenv("GIT_OBJECT_DIRECTORY");
	unsetenv("GIT_COMMON_DIR");
}

static void worktrees_and_alternates_are_followed(void **state)
{
	struct tempdir *temp = *state;

	if (!realgit_present())
		return;
	put_base(temp, "a", "a\n");
	put_new(temp, "a", "b\n");
	realgit(temp->path, "init -q -b main main");
	realgit(temp->path, "-C main --work-tree=../new add -A");
	realgit(temp->path, "-C main --work-tree=../new commit -q -m x");
	realgit(temp->path, "-C main tag v1");
	realgit(temp->path, "clone -q -s -n main shared");
	realgit(temp->path, "-C shared worktree add -q --no-checkout -b side ../side v1");
	assert_int_equal(renameat(temp->fd, "side/.git", temp->fd, "project/.git"), 0);
	assert_source(temp, ":v1", NULL, "changed a\n");
}

static void a_name_that_is_nothing_is_refused(void **state)
{
	struct tempdir *temp = *state;

	if (!realgit_present())
		return;
	assert_refused(temp, ":v1", NULL,
		"'v1' is neither a folder nor a commit that the project's repository has");
	put_new(temp, "a", "a\n");
	commit(temp, "v1");
	assert_refused(temp, ":v2", NULL,
		"'v2' is neither a folder nor a commit that the project's repository has");
	assert_refused(temp, ":--all", NULL,
		"'--all' is neither a folder nor a commit that the project's repository has");
	assert_refused(temp, ":v1:a", NULL,
		"'v1:a' is neither a folder nor a commit that the project's repository has");
}

static void submodules_and_lfs_are_noted(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
	CLEANUP(buf_release) struct buf shown = BUF_INIT;

	if (!realgit_present())
		return;
	put_base(temp, "big", "x\n");
	put_new(temp, "big",
		"version https://git-lfs.github.com/spec/v1\n"
		"oid sha256:73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac\n"
		"size 2\n");
	put_new(temp, "other",
		"version https://git-lfs.github.com/spec/v1\n"
		"oid sha256:0000000000000000000000000000000000000000000000000000000000000000\n"
		"size 2\n");
	commit(temp, "v1");
	git(temp, "update-index --add --cacheinfo "
		  "160000,0123456789012345678901234567890123456789,lib/sub");
	git(temp, "commit -q -m x");
	open_source(temp, ":main", "1.0.0", &source);
	show_source(temp, &source, &shown);
	assert_string_equal(shown.data, "same big\nadded other\n");
	assert_int_equal(source.notes.count, 2);
	assert_string_equal(source.notes.list[0], "'lib/sub' is a submodule, and is left out");
	assert_string_equal(source.notes.list[1],
		"'other' is a pointer of git LFS, and its content is elsewhere");
}

/* More files than are read at once. */
static void many_contents_are_read_in_groups(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (!realgit_present())
		return;
	for (size_t i = 0; i < 1100; i++) {
		CLEANUP(freep) char *name = xasprintf("f/%04zu", i);
		CLEANUP(freep) char *content = xasprintf("%zu\n", i);

		put_new(temp, name, content);
	}
	commit(temp, "v1");
	open_source(temp, ":v1", "1.0.0", &source);
	assert_int_equal(source.files.count, 1100);
	for (size_t i = 0; i < 1100; i++) {
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		assert_int_equal(
			core_source_read(&source, &source.files.list[i], &file, &err), 0);
		assert_int_equal(strtoull(file.content.data, NULL, 10), i);
	}
}

TESTS(IN_PROJECT(a_tag_is_a_whole_core), IN_PROJECT(what_is_no_core_is_left_out_of_a_commit),
	IN_PROJECT(contents_links_and_permissions_are_read),
	IN_PROJECT(commits_in_between_are_counted), IN_PROJECT(the_repository_is_not_touched),
	IN_PROJECT(the_environment_does_not_lead_elsewhere),
	IN_PROJECT(worktrees_and_alternates_are_followed),
	IN_PROJECT(a_name_that_is_nothing_is_refused), IN_PROJECT(submodules_and_lfs_are_noted),
	IN_PROJECT(many_contents_are_read_in_groups))
