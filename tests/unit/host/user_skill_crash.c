/* A process that is killed in the middle of a sync leaves the store before or after it. */
#include "../test.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/query.h"
#include "fs/file.h"
#include "tempdir.h"
#include "userskill/sync.h"

static void put(int root, const char *name, const char *version)
{
	CLEANUP(freep) char *path = xasprintf("skills/a/skill_%s_001/SKILL.md", name);
	CLEANUP(freep)
	char *text =
		xasprintf("# SKILL: The skill %s\n\n## Metadata\n\n- ID: skill_%s_001\n"
			  "- Version: %s\n- Category: a\n- Generated: 2026-02-25\n"
			  "- Source: Pre-built\n- Status: Active\n\n## Trigger\n\n- /%s\n\n"
			  "## Context Required\n\nNone\n\n## Instructions\n\n1. One.\n"
			  "2. Two.\n3. Three.\n\n## Output Format\n\nAny.\n",
			name, name, version, name);
	CLEANUP(freep) char *folder = xasprintf("skills/a/skill_%s_001", name);

	if (!tempdir_exists(root, folder))
		tempdir_mkdir(root, folder);
	tempdir_put(root, path, text);
}

static void put_before(int root)
{
	tempdir_mkdir(root, "skills");
	tempdir_mkdir(root, "skills/a");
	put(root, "kept", "1.0");
	put(root, "changed", "1.0");
	put(root, "gone", "1.0");
}

static void put_after(int root)
{
	put(root, "changed", "1.1");
	put(root, "added", "1.0");
	put(root, "another", "1.0");
	assert_int_equal(unlinkat(root, "skills/a/skill_gone_001/SKILL.md", 0), 0);
}

static void sync_there(const struct tempdir *temp)
{
	CLEANUP(sync_report_release) struct sync_report report = SYNC_REPORT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct store *store = NULL;

	assert_int_equal(store_open(temp->path, STORE_WRITE, &store, &err), 0);
	assert_int_equal(skill_sync(store, temp->fd, NULL, &report, &err), 0);
	store_free(store);
}

/* All that a sync can change, but for the times of files. */
static char *dump(const struct tempdir *temp)
{
	static const char *const queries[] = {
		"SELECT id, version, status, stated, content_hash, path, gone, version_id"
		" FROM skill_definitions ORDER BY id",
		"SELECT id, skill, version, content_hash, since, until FROM skill_versions"
		" ORDER BY id",
		"SELECT skill, command, origin FROM skill_commands ORDER BY skill",
		"SELECT skill, from_status, to_status, who FROM skill_events ORDER BY id",
		"SELECT path, skill, content_hash FROM skill_files ORDER BY path",
	};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	struct store *store = NULL;

	assert_int_equal(store_open(temp->path, STORE_READ, &store, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(queries); i++) {
		CLEANUP(query_end) struct query q = QUERY_INIT;

		assert_int_equal(query_start(store, &q, &err, queries[i], ""), 0);
		while (query_next(&q, &err) > 0)
			for (int c = 0; c < sqlite3_column_count(q.statement); c++)
				buf_appendf(&out, "%s\n", query_text(&q, c));
	}
	store_free(store);
	return buf_take(&out);
}

static void copy(int root, const char *from, const char *to)
{
	CLEANUP(closep) int fd = openat(root, from, O_RDONLY | O_CLOEXEC);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf bytes = BUF_INIT;

	assert_int_equal(file_read_fd(fd, from, (size_t)1 << 30, &bytes, &err), 0);
	tempdir_put_bytes(root, to, bytes.data, bytes.len);
	unlinkat(root, "store/nanoclaw.db-wal", 0);
	unlinkat(root, "store/nanoclaw.db-shm", 0);
}

static int kill_at;

static void change(const char *name, bool committed)
{
	(void)name;
	(void)committed;
	if (--kill_at == 0)
		kill(getpid(), SIGKILL);
}

/* Whether it was killed. */
static bool sync_killed_at(const struct tempdir *temp, int at)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		kill_at = at;
		store_calls.change = change;
		sync_there(temp);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) || !WEXITSTATUS(status));
	return WIFSIGNALED(status);
}

static void a_sync_that_is_killed_has_done_all_or_nothing(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *before = NULL;
	CLEANUP(freep) char *after = NULL;
	bool killed = true;
	int kept = 0;
	int done = 0;

	setenv("SOURCE_DATE_EPOCH", "1770000000", 1);
	put_before(temp->fd);
	sync_there(temp);
	before = dump(temp);
	copy(temp->fd, "store/nanoclaw.db", "before.db");
	put_after(temp->fd);
	sync_there(temp);
	after = dump(temp);
	assert_string_not_equal(before, after);
	for (int at = 1; killed; at++) {
		CLEANUP(freep) char *now = NULL;
		CLEANUP(freep) char *again = NULL;

		copy(temp->fd, "before.db", "store/nanoclaw.db");
		killed = sync_killed_at(temp, at);
		now = dump(temp);
		kept += !strcmp(now, before);
		done += !strcmp(now, after);
		assert_int_equal(kept + done, at);
		sync_there(temp);
		again = dump(temp);
		assert_string_equal(again, after);
	}
	assert_true(kept >= 6 && done >= 2);
}

TESTS(IN_TEMPDIR(a_sync_that_is_killed_has_done_all_or_nothing))
