#include "test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/ignore.h"
#include "realgit.h"
#include "tempdir.h"

static bool ask(struct ignore *ignore, const char *path, bool is_folder, bool *ret_enter)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool excluded;

	assert_int_equal(
		ignore_excludes(ignore, path, is_folder, &excluded, ret_enter, &err), 0);
	return excluded;
}

/* Read the rules again, and ask once. */
static bool excludes(int root, const char *path, bool is_folder)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	bool excluded, enter;

	assert_int_equal(ignore_open(root, &ignore, &err), 0);
	excluded = ask(ignore, path, is_folder, &enter);
	assert_null(ignore_unknown(ignore));
	return excluded;
}

static bool file_out(const struct tempdir *temp, const char *path)
{
	return excludes(temp->fd, path, false);
}

static bool folder_out(const struct tempdir *temp, const char *path)
{
	return excludes(temp->fd, path, true);
}

/* --- names ------------------------------------------------------------------------- */

static void some_names_are_never_core(void **state)
{
	struct tempdir *temp = *state;
	static const char *const names[] = {".git", ".nanoclaw", ".env", "a/.git",
		"a/b/.nanoclaw", "a/.env", ".claude/resolutions", "updates"};

	tempdir_put(temp->fd, ".nanoclaw-ignore", "!*\n!.*\n!.git/\n!.env\n!updates/\n");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_true(folder_out(temp, names[i]));
		assert_true(file_out(temp, names[i]));
	}
	assert_true(file_out(temp, ".git/config"));
	assert_true(file_out(temp, "updates/a-to-b/x"));
	assert_false(file_out(temp, ".env.example"));
	assert_false(file_out(temp, ".gitignore"));
	assert_false(folder_out(temp, "a/updates"));
}

static void some_names_are_core_only_if_asked_for(void **state)
{
	struct tempdir *temp = *state;
	static const char *const names[] = {
		"groups", "data", "store", "logs", "dist", "build", "node_modules"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_true(folder_out(temp, names[i]));
	assert_true(file_out(temp, "data/x"));
	assert_true(folder_out(temp, "a/node_modules"));
	assert_false(folder_out(temp, "a/data"));
	tempdir_put(temp->fd, ".nanoclaw-ignore", "!data/\n!node_modules/\n");
	assert_false(folder_out(temp, "data"));
	assert_false(file_out(temp, "data/x"));
	assert_false(file_out(temp, "a/node_modules/x"));
	assert_true(file_out(temp, "data/.env"));
	assert_true(folder_out(temp, "logs"));
}

static bool is_persons(const struct tempdir *temp, const char *path)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;

	assert_int_equal(ignore_open(temp->fd, &ignore, &err), 0);
	assert_int_equal(relpath_parse(view_of(path), &parsed, &err), 0);
	return ignore_is_persons(ignore, &parsed);
}

static void folders_of_data_are_the_persons_unless_the_base_has_them(void **state)
{
	struct tempdir *temp = *state;

	assert_true(is_persons(temp, "groups/main/CLAUDE.md"));
	assert_true(is_persons(temp, "data"));
	assert_true(is_persons(temp, "a/.env.local"));
	assert_true(is_persons(temp, ".ENV"));
	assert_false(is_persons(temp, ".env.example"));
	assert_false(is_persons(temp, "a/data/x"));
	/* Another spelling, where the folder is there, and where it is another one. */
	assert_false(is_persons(temp, "Data/x"));
	tempdir_mkdir(temp->fd, "data");
	assert_true(is_persons(temp, "Data/x"));
	tempdir_mkdir(temp->fd, "Data");
	assert_false(is_persons(temp, "Data/x"));
	tempdir_mkdir(temp->fd, ".nanoclaw");
	tempdir_mkdir(temp->fd, ".nanoclaw/base");
	tempdir_mkdir(temp->fd, ".nanoclaw/base/data");
	tempdir_put(temp->fd, ".nanoclaw/base/data/x", "");
	tempdir_put(temp->fd, ".nanoclaw/base/.env.test", "");
	assert_false(is_persons(temp, "data/y"));
	assert_false(is_persons(temp, ".env.test"));
	assert_true(is_persons(temp, ".env.local"));
	assert_true(is_persons(temp, "store/x"));
	/* In the folder others are still data. */
	assert_false(file_out(temp, "data/x"));
	assert_true(file_out(temp, "data/y"));
	tempdir_put(temp->fd, ".nanoclaw-ignore", "!store/\n");
	assert_false(is_persons(temp, "store/x"));
}

static void packages_are_left_out_and_other_folders_are_not(void **state)
{
	struct tempdir *temp = *state;

	tempdir_put(temp->fd, ".nanoclaw-ignore", "!skills/\n!skills/**\n");
	tempdir_mkdir(temp->fd, "skills");
	tempdir_mkdir(temp->fd, "skills/one");
	tempdir_put(temp->fd, "skills/one/manifest.yaml", "");
	tempdir_mkdir(temp->fd, "skills/plain");
	tempdir_mkdir(temp->fd, ".claude");
	tempdir_mkdir(temp->fd, ".claude/skills");
	tempdir_mkdir(temp->fd, ".claude/skills/two");
	tempdir_put(temp->fd, ".claude/skills/two/manifest.yaml", "");
	tempdir_mkdir(temp->fd, ".claude/skills/setup");
	tempdir_mkdir(temp->fd, "a");
	tempdir_mkdir(temp->fd, "a/skills");
	tempdir_mkdir(temp->fd, "a/skills/one");
	tempdir_put(temp->fd, "a/skills/one/manifest.yaml", "");
	assert_true(folder_out(temp, "skills/one"));
	assert_true(file_out(temp, "skills/one/SKILL.md"));
	assert_true(file_out(temp, ".claude/skills/two/add/x"));
	assert_false(folder_out(temp, "skills/plain"));
	assert_false(file_out(temp, ".claude/skills/setup/SKILL.md"));
	assert_false(file_out(temp, "a/skills/one/manifest.yaml"));
}

/* --- .gitignore without git ------------------------------------------------------------ */

static void rules_count_without_git_and_deeper_ones_come_first(void **state)
{
	struct tempdir *temp = *state;

	tempdir_put(temp->fd, ".gitignore", "*.o\n/out/\n");
	tempdir_mkdir(temp->fd, "a");
	tempdir_put(temp->fd, "a/.gitignore", "!keep.o\n/x\n");
	tempdir_mkdir(temp->fd, "out");
	tempdir_put(temp->fd, "out/.gitignore", "!*\n");
	assert_true(file_out(temp, "b.o"));
	assert_true(file_out(temp, "a/b.o"));
	assert_false(file_out(temp, "a/keep.o"));
	assert_true(file_out(temp, "keep.o"));
	assert_true(file_out(temp, "a/x"));
	assert_false(file_out(temp, "x"));
	assert_true(file_out(temp, "out/y")); /* not taken back from inside */
	assert_false(file_out(temp, "a/out"));
}

static void our_own_rules_come_last(void **state)
{
	struct tempdir *temp = *state;

	tempdir_put(temp->fd, ".gitignore", "*.o\n/gen/\n");
	tempdir_put(temp->fd, ".nanoclaw-ignore", "!keep.o\n*.c\n!gen/\n!data/keep\n");
	assert_false(file_out(temp, "keep.o"));
	assert_true(file_out(temp, "a.o"));
	assert_true(file_out(temp, "a.c"));
	assert_false(file_out(temp, "gen/x"));
	assert_true(file_out(temp, "gen/x.o"));
	assert_true(file_out(temp, "data/keep")); /* its folder is out */
}

static void a_gitignore_that_is_no_file_has_no_rules(void **state)
{
	struct tempdir *temp = *state;

	tempdir_put(temp->fd, "rules", "*\n");
	tempdir_symlink("rules", temp->fd, ".gitignore");
	assert_false(file_out(temp, "a"));
	tempdir_mkdir(temp->fd, "d");
	tempdir_mkdir(temp->fd, "d/.gitignore");
	assert_false(file_out(temp, "d/a"));
	tempdir_mkdir(temp->fd, "f");
	tempdir_fifo(temp->fd, "f/.gitignore");
	assert_false(file_out(temp, "f/a"));
}

static void questions_may_come_in_any_order(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	bool enter;

	tempdir_mkdir(temp->fd, "a");
	tempdir_put(temp->fd, "a/.gitignore", "x\n");
	assert_int_equal(ignore_open(temp->fd, &ignore, &err), 0);
	for (int i = 0; i < 2; i++) {
		assert_true(ask(ignore, "a/b/c/x", false, &enter));
		assert_false(ask(ignore, "x", false, &enter));
		assert_false(ask(ignore, "ab/x", false, &enter));
		assert_true(ask(ignore, "a/x/y", false, &enter));
		assert_true(ask(ignore, "a/x", true, &enter));
		assert_false(enter);
		assert_false(ask(ignore, "a", true, &enter));
		assert_true(enter);
	}
}

/* --- with git --------------------------------------------------------------------------- */

static void a_tracked_file_is_never_excluded_by_git(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	bool enter;

	if (!realgit_present())
		return;
	realgit(temp->path, "init -q");
	tempdir_put(temp->fd, ".gitignore", "*.o\n/gen/\n/empty/\n");
	tempdir_put(temp->fd, "a.o", "");
	tempdir_mkdir(temp->fd, "gen");
	tempdir_put(temp->fd, "gen/t", "");
	tempdir_put(temp->fd, "gen/u", "");
	realgit(temp->path, "add -f a.o gen/t");
	assert_int_equal(ignore_open(temp->fd, &ignore, &err), 0);
	assert_false(ask(ignore, "a.o", false, &enter));
	assert_true(ask(ignore, "b.o", false, &enter));
	assert_true(ask(ignore, "gen", true, &enter));
	assert_true(enter);
	assert_false(ask(ignore, "gen/t", false, &enter));
	assert_true(ask(ignore, "gen/u", false, &enter));
	assert_true(ask(ignore, "empty", true, &enter));
	assert_false(enter);
	/* Our own list has the last word. */
	tempdir_put(temp->fd, ".nanoclaw-ignore", "a.o\n!gen/u\n");
	assert_true(file_out(temp, "a.o"));
	assert_true(file_out(temp, "gen/u"));
	assert_false(file_out(temp, "gen/t"));
}

static void a_worktree_has_an_index_of_its_own_and_shares_the_rest(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(closep) int tree = -1;

	if (!realgit_present())
		return;
	realgit(temp->path, "init -q main");
	tempdir_put(temp->fd, "main/a", "");
	realgit(temp->path, "-C main add a");
	realgit(temp->path, "-C main commit -q -m x");
	realgit(temp->path, "-C main worktree add -q ../tree");
	tempdir_put(temp->fd, "main/.git/info/exclude", "*.o\n");
	tempdir_put(temp->fd, "tree/t.o", "");
	realgit(temp->path, "-C tree add -f t.o");
	tree = openat(temp->fd, "tree", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(excludes(tree, "b.o", false));
	assert_false(excludes(tree, "t.o", false));
}

static void an_index_that_is_not_understood_is_told(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	bool enter;

	tempdir_mkdir(temp->fd, ".git");
	tempdir_put(temp->fd, ".git/index", "nonsense");
	tempdir_put(temp->fd, ".gitignore", "*.o\n");
	assert_int_equal(ignore_open(temp->fd, &ignore, &err), 0);
	assert_false(ask(ignore, "a.c", false, &enter));
	assert_null(ignore_unknown(ignore)); /* it was not needed */
	assert_true(ask(ignore, "a.o", false, &enter));
	assert_string_equal(ignore_unknown(ignore), "it is damaged");
}

static void a_gitdir_that_leads_nowhere_is_told(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	bool enter;

	tempdir_put(temp->fd, ".git", "gitdir: ../nowhere\n");
	tempdir_put(temp->fd, ".gitignore", "*.o\n");
	assert_int_equal(ignore_open(temp->fd, &ignore, &err), 0);
	assert_true(ask(ignore, "a.o", false, &enter));
	assert_non_null(ignore_unknown(ignore));
}

static void unreadable_rules_are_an_error(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	int result;

	tempdir_put(temp->fd, ".gitignore", "a\n");
	assert_int_equal(fchmodat(temp->fd, ".gitignore", 0, 0), 0);
	assert_int_equal(fchmod(temp->fd, 0755), 0);
	tempdir_be_nobody();
	result = ignore_open(temp->fd, &ignore, &err);
	tempdir_be_root();
	assert_int_equal(result, -1);
	assert_string_equal(err.message, "cannot open '.gitignore': permission denied");
}

TESTS(IN_TEMPDIR(some_names_are_never_core), IN_TEMPDIR(some_names_are_core_only_if_asked_for),
	IN_TEMPDIR(folders_of_data_are_the_persons_unless_the_base_has_them),
	IN_TEMPDIR(packages_are_left_out_and_other_folders_are_not),
	IN_TEMPDIR(rules_count_without_git_and_deeper_ones_come_first),
	IN_TEMPDIR(our_own_rules_come_last),
	IN_TEMPDIR(a_gitignore_that_is_no_file_has_no_rules),
	IN_TEMPDIR(questions_may_come_in_any_order),
	IN_TEMPDIR(a_tracked_file_is_never_excluded_by_git),
	IN_TEMPDIR(a_worktree_has_an_index_of_its_own_and_shares_the_rest),
	IN_TEMPDIR(an_index_that_is_not_understood_is_told),
	IN_TEMPDIR(a_gitdir_that_leads_nowhere_is_told),
	IN_TEMPDIR(unreadable_rules_are_an_error))
