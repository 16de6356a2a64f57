#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/gitdir.h"
#include "engine/resolution/rr_cache.h"
#include "fault.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "tempdir.h"

#define CONFLICT "a\n<<<<<<< o\n1\n=======\n2\n>>>>>>> t\nb\n"
#define OTHER    "A\n<<<<<<< o\n1\n=======\n2\n>>>>>>> t\nB\n"
/* printf '1\n\0002\n\000' | sha1sum */
#define ID "926133105e31f617cc54391d3e20dbea186fdfea"

/* Only what the test puts there is read. */
static int setup(void **state)
{
	struct tempdir *temp;

	tempdir_setup(state);
	temp = *state;
	setenv("HOME", temp->path, 1);
	unsetenv("XDG_CONFIG_HOME");
	return 0;
}

#define IN_HOME(test) cmocka_unit_test_setup_teardown(test, setup, tempdir_teardown)

static void record(const struct rr_cache *cache, const char *conflict, const char *postimage)
{
	CLEANUP(rerere_text_release) struct rerere_text text = RERERE_TEXT_INIT;
	CLEANUP(rr_writes_release) struct rr_writes writes = RR_WRITES_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_true(rerere_parse(view_of(conflict), 0, &text));
	assert_int_equal(rr_cache_record(cache, &text, view_of(postimage), &writes, &err), 0);
	assert_int_equal(rr_cache_write(cache, &writes, &err), 0);
}

static void assert_replayed(
	const struct rr_cache *cache, const char *conflict, const char *expected)
{
	CLEANUP(rerere_text_release) struct rerere_text text = RERERE_TEXT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	bool found;

	assert_true(rerere_parse(view_of(conflict), 0, &text));
	assert_int_equal(rr_cache_replay(cache, &text, &content, &found, &err), 0);
	assert_int_equal(found, expected != NULL);
	if (expected)
		assert_string_equal(content.data, expected);
}

static bool uses_git(struct tempdir *temp)
{
	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;

	rr_cache_open(temp->fd, &cache);
	return cache.in_git;
}

static void git_s_store_is_used_where_git_would(void **state)
{
	struct tempdir *temp = *state;

	assert_false(uses_git(temp));
	tempdir_mkdir(temp->fd, ".git");
	assert_false(uses_git(temp));
	tempdir_put(temp->fd, ".git/config", "[core]\n\tbare = false\n[rerere] Enabled\n");
	assert_true(uses_git(temp));
	assert_false(tempdir_exists(temp->fd, ".git/rr-cache"));
	tempdir_put(temp->fd, ".git/config", "[rerere]\nenabled = false\n");
	tempdir_mkdir(temp->fd, ".git/rr-cache");
	assert_false(uses_git(temp));
	tempdir_put(temp->fd, ".git/config", "");
	assert_true(uses_git(temp));
}

static void a_linked_store_is_not_used(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, ".git");
	tempdir_mkdir(temp->fd, "elsewhere");
	tempdir_symlink("../elsewhere", temp->fd, ".git/rr-cache");
	tempdir_put(temp->fd, ".git/config", "[rerere]\n enabled = true\n");
	assert_false(uses_git(temp));
}

static void a_global_setting_counts_and_the_repository_wins(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, ".git");
	tempdir_put(temp->fd, ".gitconfig", "[rerere]\n\tenabled = yes ; why not\n");
	assert_true(uses_git(temp));
	tempdir_put(temp->fd, ".git/config", "[rerere]\n\tenabled = \"off\"\n");
	assert_false(uses_git(temp));
}

static void what_is_recorded_is_replayed(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;
	CLEANUP(freep) char *preimage = NULL;
	mode_t mask = umask(027);
	struct stat st;

	rr_cache_open(temp->fd, &cache);
	assert_replayed(&cache, CONFLICT, NULL);
	record(&cache, CONFLICT, "a\n12\nb\n");
	umask(mask);
	assert_replayed(&cache, CONFLICT, "a\n12\nb\n");
	preimage = tempdir_get(temp->fd, ".nanoclaw/rr-cache/" ID "/preimage");
	assert_string_equal(preimage, "a\n<<<<<<<\n1\n=======\n2\n>>>>>>>\nb\n");
	assert_int_equal(fstatat(temp->fd, ".nanoclaw/rr-cache/" ID "/postimage", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	/* The latest decision stands. */
	record(&cache, CONFLICT, "a\n21\nb\n");
	assert_replayed(&cache, CONFLICT, "a\n21\nb\n");
}

static void another_conflict_with_the_same_id_is_a_variant(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;

	rr_cache_open(temp->fd, &cache);
	record(&cache, CONFLICT, "a\n1\nb\n");
	record(&cache, OTHER, "A\n2\nB\n");
	assert_true(tempdir_exists(temp->fd, ".nanoclaw/rr-cache/" ID "/postimage.1"));
	assert_replayed(&cache, CONFLICT, "a\n1\nb\n");
	assert_replayed(&cache, OTHER, "A\n2\nB\n");
}

static void what_git_learned_is_not_changed(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;

	tempdir_mkdir(temp->fd, ".git");
	tempdir_mkdir(temp->fd, ".git/rr-cache");
	rr_cache_open(temp->fd, &cache);
	assert_true(cache.in_git);
	record(&cache, CONFLICT, "a\n1\nb\n");
	record(&cache, CONFLICT, "a\n2\nb\n");
	assert_replayed(&cache, CONFLICT, "a\n1\nb\n");
	assert_false(tempdir_exists(temp->fd, ".nanoclaw"));
}

static void hostile_recordings_are_as_if_not_there(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;
	const char *post = ".nanoclaw/rr-cache/" ID "/postimage";

	rr_cache_open(temp->fd, &cache);
	record(&cache, CONFLICT, "a\n1\nb\n");
	tempdir_put(temp->fd, ".nanoclaw/rr-cache/" ID "/postimage.99999999999999999999", "x");
	tempdir_put(temp->fd, ".nanoclaw/rr-cache/" ID "/postimage.-1", "x");
	tempdir_put_bytes(temp->fd, post, "a\n\0\nb\n", 6);
	assert_replayed(&cache, CONFLICT, NULL);
	tempdir_put(temp->fd, "secret", "a\n1\nb\n");
	assert_int_equal(unlinkat(temp->fd, post, 0), 0);
	tempdir_symlink("../../../secret", temp->fd, post);
	assert_replayed(&cache, CONFLICT, NULL);
	assert_int_equal(unlinkat(temp->fd, post, 0), 0);
	tempdir_fifo(temp->fd, post);
	assert_replayed(&cache, CONFLICT, NULL);
}

static void a_hunk_is_found_whole_or_not_at_all(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;
	CLEANUP(rr_writes_release) struct rr_writes writes = RR_WRITES_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf found = BUF_INIT;
	struct hash key = hash_of(view_of("key"));

	rr_cache_open(temp->fd, &cache);
	assert_false(rr_cache_find_hunk(temp->fd, &key, &found));
	assert_int_equal(rr_cache_record_hunk(&key, view_of("text\n"), &writes, &err), 0);
	assert_int_equal(rr_cache_write(&cache, &writes, &err), 0);
	assert_true(rr_cache_find_hunk(temp->fd, &key, &found));
	assert_string_equal(found.data, "text\n");
	writes.list[0].content.data[writes.list[0].content.len - 2] = 'T';
	assert_int_equal(rr_cache_write(&cache, &writes, &err), 0);
	assert_false(rr_cache_find_hunk(temp->fd, &key, &found));
	tempdir_put(temp->fd, writes.list[0].path.text, "");
	assert_false(rr_cache_find_hunk(temp->fd, &key, &found));
}

static int (*real_sync)(int fd);
static int (*real_sync_all)(int fd);
static unsigned syncs;

static int count_sync(int fd)
{
	syncs++;
	return real_sync(fd);
}

static int count_sync_all(int fd)
{
	syncs++;
	return real_sync_all(fd);
}

static void plan_many(struct rr_writes *writes, int count)
{
	for (int i = 0; i < count; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct hash key = hash_of((struct view){(const char *)&i, sizeof(i)});

		assert_int_equal(
			rr_cache_record_hunk(&key, view_of("text\n"), writes, &err), 0);
	}
}

static void many_recordings_need_no_more_syncs_than_one(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;
	CLEANUP(rr_writes_release) struct rr_writes writes = RR_WRITES_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct sys_calls before = sys;

	rr_cache_open(temp->fd, &cache);
	plan_many(&writes, 50);
	real_sync = sys.sync;
	real_sync_all = sys.sync_all;
	sys.sync = count_sync;
	sys.sync_all = count_sync_all;
	syncs = 0;
	assert_int_equal(rr_cache_write(&cache, &writes, &err), 0);
	sys = before;
	assert_int_equal(syncs, 2);
}

static void a_failure_leaves_no_temporary_file(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;
	unsigned long calls = 1;

	rr_cache_open(temp->fd, &cache);
	for (unsigned long n = 1; n <= calls; n++) {
		CLEANUP(rr_writes_release) struct rr_writes writes = RR_WRITES_INIT;
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(closep) int dir = -1;
		int failed;

		plan_many(&writes, 3);
		fault_arm(FAULT_EIO, n);
		failed = rr_cache_write(&cache, &writes, &err);
		calls = fault_disarm();
		assert_int_equal(failed, n <= calls ? -1 : 0);
		dir = openat(temp->fd, ".nanoclaw/hunks", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir < 0)
			continue;
		/* replace_clean() would remove one: it is to make no call. */
		fault_arm(FAULT_COUNT, 0);
		assert_int_equal(replace_clean(dir, &err), 0);
		assert_int_equal(fault_disarm(), 0);
	}
}

static void settings_are_read_as_git_reads_them(void **state)
{
	static const struct {
		const char *text;
		const char *value; /* NULL: not said */
	} cases[] = {
		{"[rerere]\nenabled = true\n", "true"},
		{"[RERERE] ENABLED = 1 # x\r\n", "1"},
		{"[rerere]\nenabled", "true"},
		{"[rerere]\nenabled =", ""},
		{"[rerere]\nenabled = t\\\nrue\n", "true"},
		{"[rerere]\nenabled = \"a # b\" c\n", "a # b c"},
		{"[rerere \"x\"]\nenabled = true\n", NULL},
		{"[rerere.x]\nenabled = true\n", NULL},
		{"# [rerere]\nenabled = true\n", NULL},
		{"[rerere]\nenabled = 0\nenabled = 1\n", "1"},
		{"[rerere]\nenabled = \"open\n", NULL},
		{"[rerere\nenabled = true\n", NULL},
		{"", NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_release) struct buf value = BUF_INIT;
		bool found =
			gitconfig_find(view_of(cases[i].text), "rerere", "enabled", &value);

		assert_int_equal(found, cases[i].value != NULL);
		if (found)
			assert_string_equal(value.data, cases[i].value);
	}
}

TESTS(IN_HOME(git_s_store_is_used_where_git_would), IN_HOME(a_linked_store_is_not_used),
	IN_HOME(a_global_setting_counts_and_the_repository_wins),
	IN_HOME(what_is_recorded_is_replayed),
	IN_HOME(another_conflict_with_the_same_id_is_a_variant),
	IN_HOME(what_git_learned_is_not_changed),
	IN_HOME(hostile_recordings_are_as_if_not_there),
	IN_HOME(a_hunk_is_found_whole_or_not_at_all),
	IN_HOME(many_recordings_need_no_more_syncs_than_one),
	IN_HOME(a_failure_leaves_no_temporary_file),
	cmocka_unit_test(settings_are_read_as_git_reads_them))
