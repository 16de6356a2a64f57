/*
 * Backups of a host at work, archives that are damaged, and restores that are killed.
 *
 *	backup HOST AGENT BRIDGE STRIDE
 *
 * STRIDE is how many bytes of an archive, and steps of a restore, are passed over.
 */
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "archive/gzip.h"
#include "archive/tar.h"
#include "base/hash.h"
#include "driver.h"
#include "fs/file.h"
#include "fs/tree.h"
#include "fs/walk.h"
#include "host/backup/kept.h"
#include "host/backup/restore_switch.h"
#include "time/timestamp.h"

#define BACKUP  BACKUPS_FOLDER "/b.tar.gz"
#define BACKUPS 5
#define BATCH   100

static char **programs;
static unsigned stride;
static struct tap tap;

static char *below(const struct driver *d, const char *name)
{
	return xasprintf("%s/%s", d->root, name);
}

static int run(struct driver *d, const char *a, const char *b, const char *c)
{
	CLEANUP(freep) char *output = NULL;
	int code;

	output = driver_run(d, (const char *const[]){a, b, c, NULL}, &code);
	return code;
}

static void must(struct driver *d, const char *a, const char *b, const char *c)
{
	CLEANUP(freep) char *output = NULL;
	int code;

	output = driver_run(d, (const char *const[]){a, b, c, NULL}, &code);
	if (code)
		driver_fail(d, "'%s %s' ended with %d: %s", a, b, code, output);
}

static void put(struct driver *d, const char *name, const void *data, size_t len)
{
	CLEANUP(freep) char *path = below(d, name);
	CLEANUP(closep) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, data, len) != (ssize_t)len)
		driver_fail(d, "cannot write '%s'", path);
}

static char *text_of(struct driver *d, const char *root, const char *sql)
{
	CLEANUP(freep) char *path = xasprintf("%s/store/nanoclaw.db", root);
	sqlite3 *db = NULL;
	sqlite3_stmt *statement = NULL;
	char *text = NULL;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
		sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
		driver_fail(d, "%s: %s", path, sqlite3_errmsg(db));
	text = xstrdup(sqlite3_step(statement) == SQLITE_ROW
			       ? (const char *)sqlite3_column_text(statement, 0)
			       : "");
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return text;
}

static int64_t number_of(struct driver *d, const char *root, const char *sql)
{
	CLEANUP(freep) char *text = text_of(d, root, sql);

	return strtoll(text, NULL, 10);
}

/* --- a host at work ----------------------------------------------------------- */

#define COUNT "SELECT count(*) FROM messages WHERE id LIKE 'm%'"

/* Enough old messages that a backup takes its time. */
static void fill_store(struct driver *d)
{
	CLEANUP(freep) char *path = below(d, "store/nanoclaw.db");
	sqlite3 *db = NULL;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
		sqlite3_exec(db,
			"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
			" WHERE i < 20000) INSERT INTO messages (id, chat_jid, sender,"
			" sender_name, content, timestamp, channel, group_folder, received_at,"
			" wants_answer, state) SELECT 'old' || i, 'test:1', 's', 's',"
			" hex(randomblob(100)), '2026-01-01T00:00:00.000Z', 'test', 'g1',"
			" '2026-01-01T00:00:00.000Z', 0, 'delivered' FROM n",
			NULL, NULL, NULL) != SQLITE_OK)
		driver_fail(d, "%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

struct load {
	unsigned fed;
};

static bool is_stored(struct driver *d, void *data)
{
	const struct load *load = data;

	return driver_number(d, COUNT) >= load->fed;
}

/* Some more people say something; every tenth message wants an answer. */
static void say_more(struct driver *d, struct load *load)
{
	for (unsigned i = 0; i < BATCH; i++, load->fed++) {
		CLEANUP(freep) char *id = xasprintf("m%u", load->fed);

		driver_feed(d, id, load->fed % 10 ? "test:1" : "test:2", id);
	}
}

static pid_t start_backup(struct driver *d, const char *file)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (chdir(d->root) == 0 && freopen("/dev/null", "w", stdout))
			execl(d->host, d->host, "-q", "backup", file, (char *)NULL);
		_exit(127);
	}
	return pid;
}

/* Messages keep coming until the backup has been made, and at least one batch of them. */
static int back_up_under_load(struct driver *d, struct load *load, const char *file)
{
	pid_t pid = start_backup(d, file);
	int64_t start = timestamp_clock();
	unsigned fed = load->fed;
	int status = 0;

	do {
		say_more(d, load);
		driver_nudge(d);
		driver_wait(d, is_stored, load, "the messages are stored");
	} while (waitpid(pid, &status, WNOHANG) == 0);
	printf("# %lld messages a second were stored meanwhile\n",
		(long long)(load->fed - fed) * 1000 /
			(long long)(timestamp_clock() - start + 1));
	return status;
}

/*
 * The backup has everything stored before it began, and of later messages only an unbroken run.
 */
static bool is_consistent(struct driver *d, const char *file, int64_t before, int64_t after)
{
	CLEANUP(freep) char *root = below(d, "restored");
	CLEANUP(freep) char *integrity = NULL;
	CLEANUP(freep) char *output = NULL;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int64_t count;
	bool good;

	if (mkdir(root, 0755) < 0)
		driver_fail(d, "cannot make '%s'", root);
	output = driver_run(d, (const char *const[]){"-C", root, "restore", file, NULL}, NULL);
	integrity = text_of(d, root, "PRAGMA integrity_check");
	count = number_of(d, root, COUNT);
	good = !strcmp(integrity, "ok") && count >= before && count <= after &&
	       number_of(d, root, "SELECT count(*) FROM pragma_foreign_key_check") == 0 &&
	       number_of(d, root,
		       "SELECT max(CAST(substr(id, 2) AS INTEGER)) + 1 FROM messages"
		       " WHERE id LIKE 'm%'") == count;
	printf("# %s: %lld messages before, %lld in it, %lld after\n", strrchr(file, '/') + 1,
		(long long)before, (long long)count, (long long)after);
	if (!good)
		tap_note(output);
	tree_remove(AT_FDCWD, root, &err);
	return good;
}

static void backups_of_a_host_at_work(void)
{
	struct driver d;
	struct load load = {0};
	int64_t before[BACKUPS], after[BACKUPS];
	bool made = true;
	bool consistent = true;

	driver_init(&d, programs[1], programs[2], programs[3]);
	driver_bridge(&d, "test", "plain");
	driver_group(&d, "g1", "test:1", true);
	driver_group(&d, "g2", "test:2", false);
	fill_store(&d);
	say_more(&d, &load);
	driver_start_ready(&d);
	driver_wait(&d, is_stored, &load, "the first messages are stored");
	for (unsigned i = 0; i < BACKUPS; i++) {
		CLEANUP(freep)
		char *file = xasprintf("%s/" BACKUPS_FOLDER "/b%u.tar.gz", d.root, i);

		before[i] = driver_number(&d, COUNT);
		made = back_up_under_load(&d, &load, file) == 0 && made;
		after[i] = driver_number(&d, COUNT);
	}
	driver_stop(&d);
	tap_result(&tap, made, "backups are made while messages come");
	for (unsigned i = 0; i < BACKUPS && made; i++) {
		CLEANUP(freep)
		char *file = xasprintf("%s/" BACKUPS_FOLDER "/b%u.tar.gz", d.root, i);

		consistent = is_consistent(&d, file, before[i], after[i]) && consistent;
	}
	tap_result(&tap, made && consistent,
		"each has every message up to one moment, and no other");
	driver_release(&d);
}

/* --- the content of a project -------------------------------------------------- */

static enum walk_result add_to_digest(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct buf *digest = data;
	char hex[HASH_HEX_SIZE] = "";

	if (entry->kind == WALK_DIR_END)
		return WALK_GO_ON;
	if (entry->kind == WALK_FILE) {
		CLEANUP(closep)
		int fd = openat(entry->dirfd, entry->name, O_RDONLY | O_CLOEXEC);
		struct hash hash;

		if (hash_of_fd(fd, &hash, err) < 0)
			return WALK_FAIL;
		hash_to_hex(&hash, hex);
	}
	buf_appendf(digest, "%s %o %s\n", entry->path, entry->stat.st_mode, hex);
	return WALK_GO_ON;
}

/* groups/, data/ and who is registered. */
static char *digest_of(struct driver *d, const char *root)
{
	static const char *const folders[] = {"groups", "data"};
	CLEANUP(buf_release) struct buf digest = BUF_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep)
	char *groups = text_of(d, root,
		"SELECT group_concat(folder || jid) FROM (SELECT * FROM registered_groups"
		" ORDER BY folder)");

	buf_appendf(&digest, "%s\n", groups);
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", root, folders[i]);
		CLEANUP(closep) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (fd >= 0 && walk(fd, add_to_digest, &digest, &err) < 0)
			driver_fail(d, "%s", err.message);
	}
	return buf_take(&digest);
}

/* A project with a backup of how it was before it got one more group. */
static void prepare(struct driver *d, char **ret_old, char **ret_new)
{
	driver_init(d, programs[1], programs[2], programs[3]);
	driver_group(d, "g1", "test:1", true);
	put(d, "groups/g1/notes", "some notes\n", 11);
	must(d, "-q", "backup", BACKUP);
	must(d, "-q", "restore", BACKUP); /* without what is not in backups */
	*ret_new = digest_of(d, d->root);
	driver_group(d, "g2", "test:2", true);
	put(d, "groups/g1/notes", "other notes\n", 12);
	*ret_old = digest_of(d, d->root);
}

/* --- damage ---------------------------------------------------------------------- */

struct damage {
	struct driver d;
	char *old;
	char *new;
	struct buf archive;
	unsigned refused;
	unsigned harmless;
	unsigned wrong;
};

/* It is refused and nothing has changed; or it made no difference. */
static void try_damaged(struct damage *damage, const char *text, size_t len)
{
	struct driver *d = &damage->d;
	CLEANUP(freep) char *now = NULL;
	int code;

	put(d, "damaged", text, len);
	code = run(d, "-q", "restore", "damaged");
	now = digest_of(d, d->root);
	if (code == 2 && !strcmp(now, damage->old)) {
		damage->refused++;
	} else if (code == 0 && !strcmp(now, damage->new)) {
		damage->harmless++;
		must(d, "-q", "restore", "--undo");
	} else {
		damage->wrong++;
	}
}

/* The tar inside the archive. */
static void unpack(struct driver *d, struct buf *ret_tar)
{
	CLEANUP(error_release) struct error end = ERROR_INIT;
	CLEANUP(freep) char *path = below(d, BACKUP);
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	CLEANUP(gzip_reader_freep) struct gzip_reader *in = gzip_reader_new(fd);
	char block[TAR_BLOCK];

	while (gzip_read(in, block, sizeof(block), &end) == 0)
		buf_append(ret_tar, block, sizeof(block));
}

static void try_packed(struct damage *damage, const struct buf *tar)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf packed = BUF_INIT;
	CLEANUP(freep) char *path = below(&damage->d, "packed");
	CLEANUP(closep) int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CLEANUP(gzip_writer_freep) struct gzip_writer *out = gzip_writer_new(fd);

	if (gzip_write(out, tar->data, tar->len, &err) < 0 || gzip_write_end(out, &err) < 0 ||
		file_read(path, SIZE_MAX, &packed, &err) < 0)
		driver_fail(&damage->d, "%s", err.message);
	try_damaged(damage, packed.data, packed.len);
}

/* With new gzip checksums: headers, contents, padding and the end. */
static void try_members(struct damage *damage)
{
	CLEANUP(buf_release) struct buf members = BUF_INIT;
	size_t step;

	unpack(&damage->d, &members);
	damage->refused = damage->harmless = damage->wrong = 0;
	for (size_t i = 0; i < members.len; i += step) {
		/* The small files are in the end, where most is header. */
		step = members.len - i > (size_t)16 * TAR_BLOCK ? (size_t)61 * stride
								: 7 * (size_t)stride;
		members.data[i] = (char)(members.data[i] ^ (1 << i % 8));
		try_packed(damage, &members);
		members.data[i] = (char)(members.data[i] ^ (1 << i % 8));
	}
	printf("# changed bytes in members: %u refused\n", damage->refused);
	tap_result(&tap, !damage->wrong && !damage->harmless && damage->refused > 10,
		"a changed byte in a member is found, whatever gzip says");
}

static void damaged_archives(void)
{
	struct damage damage = {.archive = BUF_INIT};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *path = NULL;
	struct buf *archive = &damage.archive;

	prepare(&damage.d, &damage.old, &damage.new);
	path = below(&damage.d, BACKUP);
	if (file_read(path, SIZE_MAX, archive, &err) < 0)
		driver_fail(&damage.d, "%s", err.message);
	for (size_t i = 0; i < archive->len; i += stride) {
		archive->data[i] = (char)(archive->data[i] ^ (1 << i % 8));
		try_damaged(&damage, archive->data, archive->len);
		archive->data[i] = (char)(archive->data[i] ^ (1 << i % 8));
	}
	printf("# changed bytes: %u refused, %u made no difference\n", damage.refused,
		damage.harmless);
	/* Those are in the two headers of gzip: the time and the name of a system. */
	tap_result(&tap, !damage.wrong && damage.harmless <= 60 && damage.refused > 10,
		"a changed byte is found, and nothing is replaced");
	damage.harmless = damage.wrong = 0;
	for (size_t len = 0; len < archive->len; len += (size_t)3 * stride)
		try_damaged(&damage, archive->data, len);
	try_damaged(&damage, archive->data, archive->len - 1);
	tap_result(&tap, !damage.wrong && !damage.harmless,
		"an archive that is cut anywhere is refused");
	try_members(&damage);
	buf_release(archive);
	free(damage.old);
	free(damage.new);
	driver_release(&damage.d);
}

/* --- kills ----------------------------------------------------------------------- */

static bool is_tidy(struct driver *d)
{
	CLEANUP(freep) char *journal = below(d, RESTORE_JOURNAL);

	return access(journal, F_OK) < 0;
}

/* One restore with a fault; returns whether that was behind its end. */
static bool restore_with_fault(struct driver *d, const char *mode, unsigned at, const char *old,
	const char *new, unsigned *wrong)
{
	CLEANUP(freep) char *fault = xasprintf("%s %u", mode, at);
	CLEANUP(freep) char *now = NULL;
	bool is_new;
	int code;

	setenv("NANOCLAW_FAULT", fault, 1);
	code = run(d, "-q", "restore", BACKUP);
	unsetenv("NANOCLAW_FAULT");
	must(d, "-q", "group", "list");
	now = digest_of(d, d->root);
	is_new = !strcmp(now, new);
	if (!is_tidy(d) || (!is_new && strcmp(now, old) != 0) || (code == 0 && !is_new)) {
		printf("# %s: exit %d, %s\n", fault, code, is_new ? "after" : "not after");
		(*wrong)++;
	}
	if (is_new)
		must(d, "-q", "restore", "--undo");
	return code == 0;
}

static void killed_restores(const char *mode)
{
	CLEANUP(freep) char *name = xasprintf("a restore with '%s' at any step", mode);
	CLEANUP(freep) char *old = NULL;
	CLEANUP(freep) char *new = NULL;
	struct driver d;
	unsigned wrong = 0;
	unsigned step = stride < 10 ? 1 : stride / 10;
	unsigned at = 1;
	unsigned calls = 0;

	prepare(&d, &old, &new);
	/* How far a restore goes is known when a kill no longer meets it. */
	while (!restore_with_fault(&d, "kill", at, old, new, &wrong))
		at += step;
	calls = at;
	for (at = 1; strcmp(mode, "kill") != 0 && at <= calls; at += step)
		restore_with_fault(&d, mode, at, old, new, &wrong);
	printf("# up to %u steps\n", calls);
	tap_result(&tap, !wrong && calls > 20, name);
	driver_release(&d);
}

/* --- imports --------------------------------------------------------------------- */

/* An old NanoClaw with one group, which has some files. */
static void make_v1(struct driver *d)
{
	static const char *const folders[] = {
		"old", "old/store", "old/groups", "old/groups/g2", "old/groups/g2/deep"};
	CLEANUP(freep) char *path = below(d, "old/store/messages.db");
	sqlite3 *db = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		CLEANUP(freep) char *folder = below(d, folders[i]);

		if (mkdir(folder, 0755) < 0)
			driver_fail(d, "cannot make '%s'", folder);
	}
	put(d, "old/groups/g2/CLAUDE.md", "memory\n", 7);
	put(d, "old/groups/g2/deep/file", "content\n", 8);
	if (sqlite3_open(path, &db) != SQLITE_OK ||
		sqlite3_exec(db,
			"CREATE TABLE chats (jid TEXT, name TEXT, last_message_time TEXT);"
			"CREATE TABLE messages (id TEXT, chat_jid TEXT, sender TEXT,"
			" sender_name TEXT, content TEXT, timestamp TEXT, is_from_me INTEGER);"
			"CREATE TABLE registered_groups (jid TEXT, name TEXT, folder TEXT,"
			" trigger_pattern TEXT, added_at TEXT, container_config TEXT);"
			"INSERT INTO registered_groups VALUES ('test:2', 'G2', 'g2', '@Andy',"
			" '2026-01-01T00:00:00.000Z', NULL);"
			"INSERT INTO messages VALUES ('x', 'test:2', 's', 's', 'hi',"
			" '2026-01-01T00:00:00.000Z', 0)",
			NULL, NULL, NULL) != SQLITE_OK)
		driver_fail(d, "%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

/* In a separate project; returns its content afterwards. */
static char *import_with_fault(struct driver *d, const char *fault, bool again, int *ret_exit)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *root = below(d, "target");
	CLEANUP(freep) char *old = below(d, "old");
	const char *const words[] = {"-q", "-C", root, "import", old, NULL};
	const char *const first[] = {"-q", "-C", root, "group", "add", "test:1", "G1", NULL};
	char *digest;

	if (mkdir(root, 0755) < 0)
		driver_fail(d, "cannot make '%s'", root);
	free(driver_run(d, first, NULL));
	if (fault)
		setenv("NANOCLAW_FAULT", fault, 1);
	if (fault || again)
		free(driver_run(d, words, ret_exit));
	unsetenv("NANOCLAW_FAULT");
	if (again)
		free(driver_run(d, words, NULL));
	digest = digest_of(d, root);
	if (tree_remove(AT_FDCWD, root, &err) < 0)
		driver_fail(d, "%s", err.message);
	return digest;
}

static bool fault_leads_to(struct driver *d, const char *mode, unsigned at, const char *wanted,
	const char *done, bool *ret_ended)
{
	CLEANUP(freep) char *fault = xasprintf("%s %u", mode, at);
	CLEANUP(freep) char *now = NULL;
	bool good;
	int code;

	now = import_with_fault(d, fault, !strcmp(mode, "kill"), &code);
	*ret_ended = code == 0 && !strcmp(mode, "kill");
	good = !strcmp(now, code == 0 ? done : wanted);
	if (!good)
		printf("# %s: exit %d:\n%s", fault, code, now);
	return good;
}

static void imports_with_faults(void)
{
	CLEANUP(freep) char *before = NULL;
	CLEANUP(freep) char *done = NULL;
	struct driver d;
	bool killed = true;
	bool failed = true;
	bool ended = false;
	unsigned calls = 0;
	int code;

	driver_init(&d, programs[1], programs[2], programs[3]);
	make_v1(&d);
	before = import_with_fault(&d, NULL, false, &code);
	done = import_with_fault(&d, NULL, true, &code);
	while (!ended)
		killed = fault_leads_to(&d, "kill", ++calls, done, done, &ended) && killed;
	for (unsigned at = 1; at <= calls; at++)
		failed = fault_leads_to(&d, "eio", at, before, done, &ended) && failed;
	printf("# %u steps\n", calls);
	tap_result(&tap, killed && calls > 10,
		"an import that is killed is made up for by the next");
	tap_result(&tap, failed && strcmp(before, done) != 0,
		"an import that fails takes nothing");
	driver_release(&d);
}

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	programs = argv;
	stride = (unsigned)strtoul(argv[4], NULL, 10);
	backups_of_a_host_at_work();
	damaged_archives();
	killed_restores("kill");
	killed_restores("eio");
	imports_with_faults();
	return tap_end(&tap);
}
