#include "test.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/gitindex.h"
#include "fs/file.h"
#include "realgit.h"
#include "tempdir.h"

static void read_bytes(const struct tempdir *temp, struct buf *ret_text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/.git/index", temp->path);

	assert_int_equal(file_read(path, GITINDEX_MAX_SIZE, ret_text, &err), 0);
}

static struct gitindex read_index(const struct tempdir *temp)
{
	CLEANUP(closep) int gitdir = openat(temp->fd, ".git", O_RDONLY | O_DIRECTORY);
	struct gitindex index;

	gitindex_read(gitdir, &index);
	return index;
}

/* a, dir/b, dir/sub/c tracked; dir.d and other/x not. */
static void make_repository(const struct tempdir *temp, const char *init)
{
	static const char *const files[] = {"a", "dir/b", "dir/sub/c", "dir.d", "other/x"};

	tempdir_mkdir(temp->fd, "dir");
	tempdir_mkdir(temp->fd, "dir/sub");
	tempdir_mkdir(temp->fd, "other");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		tempdir_put(temp->fd, files[i], "");
	realgit(temp->path, init);
	realgit(temp->path, "add a dir");
}

static void assert_known(const struct tempdir *temp)
{
	CLEANUP(gitindex_release) struct gitindex index = read_index(temp);

	assert_null(index.unknown);
	assert_true(gitindex_tracks(&index, "a"));
	assert_true(gitindex_tracks(&index, "dir/b"));
	assert_true(gitindex_tracks(&index, "dir/sub/c"));
	assert_false(gitindex_tracks(&index, "dir"));
	assert_false(gitindex_tracks(&index, "dir.d"));
	assert_false(gitindex_tracks(&index, "other/x"));
	assert_true(gitindex_tracks_below(&index, "dir"));
	assert_true(gitindex_tracks_below(&index, "dir/sub"));
	assert_false(gitindex_tracks_below(&index, "other"));
	assert_false(gitindex_tracks_below(&index, "di"));
}

static void assert_unknown(const struct tempdir *temp, const char *why)
{
	CLEANUP(gitindex_release) struct gitindex index = read_index(temp);

	assert_non_null(index.unknown);
	assert_string_equal(index.unknown, why);
	assert_false(gitindex_tracks(&index, "a"));
}

static void all_versions_and_both_hashes_are_read(void **state)
{
	struct tempdir *temp = *state;

	if (!realgit_present())
		return;
	make_repository(temp, "init -q --object-format=sha256");
	assert_known(temp);
	realgit(temp->path, "update-index --index-version 4");
	assert_known(temp);
	realgit(temp->path, "commit -q -m x"); /* with a cached tree, an extension */
	assert_known(temp);
	realgit(temp->path, "update-index --index-version 2");
	assert_known(temp);
	realgit(temp->path, "add -N dir.d"); /* version 3 */
	realgit(temp->path, "reset -q -- dir.d");
	assert_known(temp);
}

static void an_intended_and_a_skipped_file_is_tracked(void **state)
{
	struct tempdir *temp = *state;

	if (!realgit_present())
		return;
	make_repository(temp, "init -q");
	realgit(temp->path, "add -N other/x");
	realgit(temp->path, "update-index --skip-worktree a");
	{
		CLEANUP(gitindex_release) struct gitindex index = read_index(temp);

		assert_null(index.unknown);
		assert_true(gitindex_tracks(&index, "other/x"));
		assert_true(gitindex_tracks(&index, "a"));
	}
}

static void a_long_path_is_read_in_all_versions(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(buf_release) struct buf path = BUF_INIT;

	if (!realgit_present())
		return;
	make_repository(temp, "init -q");
	while (path.len < 3500) {
		buf_append_repeated(&path, 'x', 200);
		tempdir_mkdir(temp->fd, path.data);
		buf_append_char(&path, '/');
	}
	buf_append_str(&path, "file");
	tempdir_put(temp->fd, path.data, "");
	realgit(temp->path, "add a dir .");
	realgit(temp->path, "rm -q --cached dir.d other/x");
	for (int version = 2; version <= 4; version += 2) {
		CLEANUP(freep)
		char *words = xasprintf("update-index --index-version %d", version);

		realgit(temp->path, words);
		assert_known(temp);
		{
			CLEANUP(gitindex_release) struct gitindex index = read_index(temp);

			assert_true(gitindex_tracks(&index, path.data));
		}
	}
}

static void no_index_tracks_nothing(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, ".git");
	{
		CLEANUP(gitindex_release) struct gitindex index = read_index(temp);

		assert_null(index.unknown);
		assert_int_equal(index.count, 0);
	}
}

static void split_and_sparse_indexes_are_unknown(void **state)
{
	struct tempdir *temp = *state;

	if (!realgit_present())
		return;
	make_repository(temp, "init -q");
	realgit(temp->path, "commit -q -m x");
	realgit(temp->path, "update-index --split-index");
	assert_unknown(temp, "it is split");
	realgit(temp->path, "update-index --no-split-index");
	assert_known(temp);
	realgit(temp->path, "sparse-checkout set --cone --sparse-index other");
	assert_unknown(temp, "it is sparse");
}

static void what_is_no_index_is_unknown(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, ".git");
	tempdir_put(temp->fd, ".git/index", "");
	assert_unknown(temp, "it is damaged");
	tempdir_put_bytes(temp->fd, ".git/index", "DIRC\0\0\0\5\0\0\0\0", 12);
	assert_unknown(temp, "its version is unknown");
	tempdir_put_bytes(temp->fd, ".git/index", "DIRC\0\0\0\2\377\377\377\377", 12);
	assert_unknown(temp, "it is damaged");
	assert_int_equal(unlinkat(temp->fd, ".git/index", 0), 0);
	tempdir_mkdir(temp->fd, ".git/index");
	assert_unknown(temp, "it is not a file");
}

/* Git may have changed the ends of the lines, but nothing else. */
static void lines_that_end_otherwise_are_not_edited(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(gitindex_release) struct gitindex index = GITINDEX_INIT;

	realgit(temp->path, "init -q");
	tempdir_put(temp->fd, "f", "a\nb\rc");
	realgit(temp->path, "add f");
	index = read_index(temp);
	assert_false(gitindex_differs(&index, "f", view_of("a\nb\rc")));
	assert_false(gitindex_differs(&index, "f", view_of("a\r\nb\rc")));
	assert_true(gitindex_differs(&index, "f", view_of("a\r\nbc")));
	/* A CR at the very end, whatever is in memory behind it. */
	assert_true(gitindex_differs(&index, "f", (struct view){"a\nb\rc\r\n", 6}));
	assert_false(gitindex_differs(&index, "other", view_of("a")));
}

static void an_index_cut_anywhere_is_unknown(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(buf_release) struct buf whole = BUF_INIT;

	if (!realgit_present())
		return;
	make_repository(temp, "init -q");
	for (int version = 2; version <= 4; version += 2) {
		CLEANUP(freep)
		char *words = xasprintf("update-index --index-version %d", version);

		realgit(temp->path, words);
		read_bytes(temp, &whole);
		for (size_t len = 0; len < whole.len; len++) {
			CLEANUP(buf_release) struct buf cut = BUF_INIT;
			CLEANUP(gitindex_release) struct gitindex index = GITINDEX_INIT;

			buf_append(&cut, whole.data, len);
			gitindex_parse(&cut, &index);
			assert_non_null(index.unknown);
		}
	}
}

TESTS(IN_TEMPDIR(all_versions_and_both_hashes_are_read),
	IN_TEMPDIR(an_intended_and_a_skipped_file_is_tracked),
	IN_TEMPDIR(a_long_path_is_read_in_all_versions), IN_TEMPDIR(no_index_tracks_nothing),
	IN_TEMPDIR(split_and_sparse_indexes_are_unknown),
	IN_TEMPDIR(what_is_no_index_is_unknown),
	IN_TEMPDIR(lines_that_end_otherwise_are_not_edited),
	IN_TEMPDIR(an_index_cut_anywhere_is_unknown))
