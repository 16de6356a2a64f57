/*
 * The overhead of the host, compared with the minimum:
 *
 *	bench-host NANOCLAW_HOST [start|storing|memory]
 *
 *	- from the arrival of a message to the first instruction of the agent in its sandbox,
 *	  as a ratio to starting the same program with bwrap alone; at most 1.3;
 *	- messages stored in a second, as a ratio to bare SQLite with a transaction each,
 *	  which is as durable;
 *	- its memory at the start, with 1,000 groups, after 10,000 and 100,000 messages, and
 *	  after 10,000 messages with a file each.
 *
 * Started by a host, the same program is the agent or the bridge.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../host/driver.h"
#include "host/base/registry.h"
#include "timing.h"

#define STARTS  100
#define ROWS    20000
#define BARE    1000 /* rows of bare SQLite: each waits for the disk */
#define FEW     10000
#define MANY    100000
#define GROUPS  1000
#define SUBJECT "a message of a usual length, as people write them in a chat"

/* --- the agent: says when it was started ------------------------------------- */

/* In the folder of its group, all that it reaches of the bench. */
#define GATE "gate"

static void tell_start(void)
{
	int64_t now = timing_now();
	int fd = open(GATE, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, &now, sizeof(now)) != sizeof(now))
		exit(1);
	close(fd);
}

static int be_agent(void)
{
	char line[65536];

	tell_start();
	printf("{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		printf("{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"\"}\n");
		fflush(stdout);
	}
	return 0;
}

/* --- the bridge: sends many messages, and reports the time -------------------- */

/* A file that no other message has: 12 digits in Base64 are 9 bytes. */
static void tell_file(long number)
{
	printf(",\"attachments\":[{\"name\":\"f.bin\",\"data\":\"%012ld\"}]", number);
}

static void tell_messages(long count, bool files)
{
	static char out[1 << 16];

	setvbuf(stdout, out, _IOFBF, sizeof(out));
	for (long i = 0; i < count; i++) {
		printf("{\"type\":\"message\",\"id\":\"%ld\",\"chat\":\"test:%ld\",\"sender\":\"s\","
		       "\"text\":\"%s\",\"group\":true",
			i, i % 10, SUBJECT);
		if (files)
			tell_file(i);
		puts("}");
	}
	fflush(stdout);
}

static int be_bridge(const char *folder, const char *mode)
{
	CLEANUP(freep) char *path = xasprintf("%s/stored", folder);
	CLEANUP(freep) char *line = NULL;
	size_t cap = 0;
	long acked = 0;
	char *rest;
	long count = strtol(mode, &rest, 10);
	int64_t start;
	FILE *file;

	printf("{\"type\":\"hello\",\"protocol\":1,\"jids\":[\"test:*\"]}\n"
	       "{\"type\":\"connected\"}\n");
	fflush(stdout);
	if (getline(&line, &cap, stdin) < 0) /* welcome */
		return 1;
	start = timing_now();
	/* Writing and reading go on beside each other. */
	if (!fork()) {
		tell_messages(count, *rest);
		_exit(0);
	}
	while (acked < count && getline(&line, &cap, stdin) > 0)
		acked += strstr(line, "\"ack\"") != NULL;
	file = fopen(path, "w");
	fprintf(file, "%lld\n", (long long)(timing_now() - start));
	fclose(file);
	while (getline(&line, &cap, stdin) > 0)
		if (strstr(line, "\"ping\"") && puts("{\"type\":\"pong\"}") >= 0)
			fflush(stdout);
	return 0;
}

/* --- message to agent -------------------------------------------------------- */

static int connect_to(struct driver *d)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/data/run/host.sock", d->root);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		driver_fail(d, "no host");
	return fd;
}

static int64_t read_start(struct driver *d, int gate)
{
	struct pollfd fd = {gate, POLLIN, 0};
	int64_t then;

	if (poll(&fd, 1, 60 * 1000) != 1 || read(gate, &then, sizeof(then)) != sizeof(then))
		driver_fail(d, "the agent did not start");
	return then;
}

/* So that a message does not wait for the previous one. */
static void wait_until_settled(struct driver *d, int host, size_t seq)
{
	CLEANUP(freep) char *line = xasprintf("{\"type\":\"wait\",\"seq\":%zu}\n", seq);
	CLEANUP(buf_release) struct buf heard = BUF_INIT;

	if (write(host, line, strlen(line)) != (ssize_t)strlen(line))
		driver_fail(d, "the host does not read");
	while (!strstr(heard.data, "\"settled\"")) {
		char byte;

		if (read(host, &byte, 1) != 1)
			driver_fail(d, "the host has ended");
		buf_append_char(&heard, byte);
	}
}

static int64_t start_by_message(struct driver *d, int host, int gate, size_t number)
{
	CLEANUP(freep)
	char *line = xasprintf("{\"type\":\"message\",\"chat\":\"g%zu\",\"id\":\"%zu\","
			       "\"text\":\"%s\"}\n",
		number, number, SUBJECT);
	int64_t before = timing_now();
	int64_t started;

	if (write(host, line, strlen(line)) != (ssize_t)strlen(line))
		driver_fail(d, "the host does not read");
	started = read_start(d, gate) - before;
	wait_until_settled(d, host, number + 1);
	return started;
}

/* The namespaces of our sandbox, and a single mount beside the whole machine. */
static int64_t start_by_bwrap(struct driver *d, int gate, const char *folder)
{
	extern char **environ;
	const char *const argv[] = {"bwrap", "--unshare-all", "--die-with-parent", "--ro-bind",
		"/", "/", "--proc", "/proc", "--dev", "/dev", "--bind", folder, folder,
		"--chdir", folder, d->agent, GATE, NULL};
	int64_t before = timing_now();
	int64_t then;
	posix_spawn_file_actions_t actions;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, argv[0], &actions, NULL, (char **)(uintptr_t)argv, environ))
		driver_fail(d, "cannot start bwrap");
	posix_spawn_file_actions_destroy(&actions);
	then = read_start(d, gate);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return then - before;
}

/* In one transaction: each of its own would wait for the disk. */
static void add_groups(struct driver *d, size_t count, bool trigger)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(closep) int root = open(d->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct registry registry = {NULL, root, "Andy"};

	if (store_open(d->root, STORE_WRITE, &store, &err) < 0 ||
		txn_begin(&txn, store, &err) < 0)
		driver_fail(d, "%s", err.message);
	registry.store = store;
	if (registry_ensure_main(&registry, &err) < 0)
		driver_fail(d, "%s", err.message);
	for (size_t i = 0; i < count; i++) {
		CLEANUP(freep) char *name = xasprintf("g%zu", i);
		CLEANUP(freep) char *jid = xasprintf("test:%zu", i);
		CLEANUP(group_release) struct group group = GROUP_INIT;
		struct registration r = {.by_person = true,
			.jid = jid,
			.name = name,
			.folder = name,
			.no_trigger = !trigger};

		if (registry_add(&registry, &r, &group, &err) < 0)
			driver_fail(d, "%s", err.message);
	}
	if (txn_commit(&txn, "groups", &err) < 0)
		driver_fail(d, "%s", err.message);
}

static void bench_start(const char *host, const char *self)
{
	struct driver d;
	int64_t ours[STARTS];
	int64_t bare[STARTS];
	CLEANUP(freep) char *command = NULL;
	int fd;

	driver_init(&d, host, self, self);
	command = xasprintf("%s " GATE, d.agent);
	driver_set(&d, "NANOCLAW_AGENT", command);
	driver_set(&d, "NANOCLAW_AGENTS", "1000");
	add_groups(&d, STARTS, false);
	driver_start_ready(&d);
	fd = connect_to(&d);
	for (size_t i = 0; i < STARTS; i++) {
		CLEANUP(freep) char *folder = xasprintf("%s/groups/g%zu", d.root, i);
		CLEANUP(freep) char *path = xasprintf("%s/" GATE, folder);
		CLEANUP(closep) int gate = -1;

		mkfifo(path, 0600);
		gate = open(path, O_RDWR | O_CLOEXEC);
		ours[i] = start_by_message(&d, fd, gate, i);
		bare[i] = start_by_bwrap(&d, gate, folder);
	}
	printf("%-44s %6.2f  of  bwrap alone with the same program  (%.1f ms, and %.1f)\n",
		"host: message to agent start",
		timing_median(ours, STARTS) / timing_median(bare, STARTS),
		timing_median(ours, STARTS) / 1e6, timing_median(bare, STARTS) / 1e6);
	close(fd);
	driver_stop(&d);
	driver_release(&d);
}

/* --- storing ----------------------------------------------------------------- */

static bool is_stored(struct driver *d, void *data)
{
	(void)data;
	return driver_lines(d, "platform/stored") == 1;
}

/* The same rows into the same table, one transaction each. */
static double bare_rate(struct driver *d, long count)
{
	CLEANUP(freep) char *path = xasprintf("%s/bare.db", d->root);
	sqlite3 *db = NULL;
	sqlite3_stmt *insert = NULL;
	int64_t start;

	sqlite3_open(path, &db);
	sqlite3_exec(db,
		"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
		"CREATE TABLE messages (seq INTEGER PRIMARY KEY, id TEXT, chat_jid TEXT,"
		" sender TEXT, content TEXT, timestamp TEXT); CREATE UNIQUE INDEX i ON messages"
		" (chat_jid, id)",
		NULL, NULL, NULL);
	sqlite3_prepare_v2(db,
		"INSERT INTO messages (id, chat_jid, sender, content, timestamp)"
		" VALUES (?, ?, 's', '" SUBJECT "', '2026-02-16T22:47:02.139Z')",
		-1, &insert, NULL);
	start = timing_now();
	for (long i = 0; i < count; i++) {
		sqlite3_bind_int64(insert, 1, i);
		sqlite3_bind_int64(insert, 2, i % 10);
		if (sqlite3_step(insert) != SQLITE_DONE)
			driver_fail(d, "bare SQLite: %s", sqlite3_errmsg(db));
		sqlite3_reset(insert);
	}
	start = timing_now() - start;
	sqlite3_finalize(insert);
	sqlite3_close(db);
	return (double)count * 1e9 / (double)start;
}

static double host_rate(struct driver *d, long count)
{
	CLEANUP(freep) char *path = xasprintf("%s/platform/stored", d->root);
	long long ns = 0;
	FILE *file;

	driver_wait(d, is_stored, NULL, "all messages are stored");
	file = fopen(path, "r");
	if (!file || fscanf(file, "%lld", &ns) != 1)
		driver_fail(d, "cannot read '%s'", path);
	fclose(file);
	return (double)count * 1e9 / (double)ns;
}

static void prepare_storing(
	struct driver *d, const char *host, const char *self, long count, bool files)
{
	CLEANUP(freep) char *mode = xasprintf("%ld%s", count, files ? "files" : "");

	driver_init(d, host, self, self);
	add_groups(d, 10, true);
	driver_bridge(d, "test", mode);
}

static void bench_storing(const char *host, const char *self)
{
	struct driver d;
	double ours;
	double bare;

	prepare_storing(&d, host, self, ROWS, false);
	bare = bare_rate(&d, BARE);
	driver_start_ready(&d);
	ours = host_rate(&d, ROWS);
	printf("%-44s %6.2f  of  bare SQLite, a transaction each  (%.0f a second)\n",
		"host: messages stored in a second", ours / bare, ours);
	driver_stop(&d);
	driver_release(&d);
}

/* --- memory ------------------------------------------------------------------ */

static long memory_with_groups(const char *host, const char *self, size_t groups)
{
	struct driver d;
	long memory;

	driver_init(&d, host, self, self);
	add_groups(&d, groups, true);
	driver_start_ready(&d);
	memory = driver_memory(&d);
	driver_stop(&d);
	driver_release(&d);
	return memory;
}

static long memory_after(const char *host, const char *self, long messages, bool files)
{
	struct driver d;
	long memory;

	prepare_storing(&d, host, self, messages, files);
	driver_start_ready(&d);
	host_rate(&d, messages);
	memory = driver_memory(&d);
	driver_stop(&d);
	driver_release(&d);
	return memory;
}

/* Flat: what it keeps does not depend on how much has come, only on the page cache. */
static void bench_memory(const char *host, const char *self)
{
	double start = (double)memory_with_groups(host, self, 0) / 1024;
	double groups = (double)memory_with_groups(host, self, GROUPS) / 1024;
	double few = (double)memory_after(host, self, FEW, false) / 1024;
	double many = (double)memory_after(host, self, MANY, false) / 1024;
	double files = (double)memory_after(host, self, FEW, true) / 1024;

	printf("host: memory                                 %5.1f MiB at the start, %.1f with "
	       "1,000 groups, %.1f after 10,000 and %.1f after 100,000 messages, %.1f after "
	       "10,000 with a file each\n",
		start, groups, few, many, files);
}

static const struct {
	const char *name;
	void (*run)(const char *host, const char *self);
} benches[] = {
	{"start", bench_start},
	{"storing", bench_storing},
	{"memory", bench_memory},
};

int main(int argc, char **argv)
{
	if (getenv("NANOCLAW_BRIDGE"))
		return be_bridge(argv[1], argv[2]);
	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], GATE))
		return be_agent();
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < ARRAY_SIZE(benches); i++)
		if (!argv[2] || !strcmp(argv[2], benches[i].name))
			benches[i].run(argv[1], argv[0]);
	return 0;
}
