#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../harness/bwrap.h"
#include "fs/file.h"
#include "fs/tree.h"
#include "host/base/registry.h"
#include "proc/process.h"

static void show_log(const struct driver *d)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *log = xasprintf("%s/host.log", d->root);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (file_read(log, SIZE_MAX, &text, &err) == 0)
		fprintf(stderr, "--- the host's log, its end:\n%s\n",
			text.data + (text.len > 5000 ? text.len - 5000 : 0));
}

void driver_fail(struct driver *d, const char *format, ...)
{
	va_list args;

	printf("Bail out! ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	show_log(d);
	if (d->pid > 0)
		kill(d->pid, SIGKILL);
	fflush(stdout);
	_exit(1);
}

static void require(struct driver *d, bool holds, const char *what)
{
	if (!holds)
		driver_fail(d, "%s: %s", what, strerror(errno));
}

static char *path_in(const struct driver *d, const char *name)
{
	return xasprintf("%s/%s", d->root, name);
}

static void make_folder(struct driver *d, const char *name)
{
	CLEANUP(freep) char *path = path_in(d, name);

	require(d, mkdir(path, 0755) == 0, path);
	require(d, inotify_add_watch(d->inotify, path, IN_MODIFY | IN_CREATE) >= 0, path);
}

void driver_init(struct driver *d, const char *host, const char *agent, const char *bridge)
{
	/* tests/sandbox/container.sh has tried another kind. */
	if (!getenv("NANOCLAW_SANDBOX"))
		bwrap_or_skip();
	driver_init_anywhere(d, host, agent, bridge);
}

void driver_init_anywhere(
	struct driver *d, const char *host, const char *agent, const char *bridge)
{
	const char *tmp = getenv("TMPDIR");
	CLEANUP(freep) char *quoted = NULL;

	*d = (struct driver){0};
	d->host = realpath(host, NULL);
	d->agent = realpath(agent, NULL);
	quoted = xasprintf("'%s'", d->agent);
	d->bridge = realpath(bridge, NULL);
	d->root = xasprintf("%s/nanoclaw-host-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	require(d, mkdtemp(d->root) != NULL, d->root);
	d->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	make_folder(d, "platform");
	make_folder(d, "bridges");
	make_folder(d, "store");
	d->platform = path_in(d, "platform");
	driver_set(d, "NANOCLAW_AGENT", quoted);
	driver_set(d, "NANOCLAW_RETRY_MS", "5");
	/* A slow machine is no reason to end anybody, or to give up. */
	driver_set(d, "NANOCLAW_GRACE_SECONDS", "600");
	setenv("NANOCLAW_PATIENCE_SECONDS", "600", 1);
	driver_set(d, "TZ", "UTC"); /* else a machine in UTC is asked for its zone */
	driver_set(d, "NANOCLAW_SEND_RETRY_MS", "5");
}

void driver_release(struct driver *d)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (d->pid > 0)
		driver_kill(d);
	tree_remove(AT_FDCWD, d->root, &err);
	for (size_t i = 0; i < d->sent_count; i++) {
		free(d->sent[i].key);
		free(d->sent[i].chat);
		free(d->sent[i].text);
	}
	for (size_t i = 0; i < d->setting_count; i++)
		free(d->settings[i]);
	free(d->sent);
	free(d->settings);
	free(d->host);
	free(d->agent);
	free(d->bridge);
	free(d->root);
	free(d->platform);
	close(d->inotify);
}

void driver_set(struct driver *d, const char *name, const char *value)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < d->setting_count; i++)
		if (!strncmp(d->settings[i], name, len) && d->settings[i][len] == '=') {
			free(d->settings[i]);
			d->settings[i] = xasprintf("%s=%s", name, value);
			return;
		}
	GROW(d->settings, d->setting_count, d->setting_cap);
	d->settings[d->setting_count++] = xasprintf("%s=%s", name, value);
}

/* --- the project ------------------------------------------------------------- */

void driver_group(struct driver *d, const char *folder, const char *jid, bool trigger)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(store_freep) struct store *store = NULL;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(closep) int root = open(d->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct registry registry = {NULL, root, "Andy"};
	struct registration r = {
		.jid = jid, .name = folder, .folder = folder, .no_trigger = !trigger};

	if (store_open(d->root, STORE_WRITE, &store, &err) < 0)
		driver_fail(d, "%s", err.message);
	registry.store = store;
	if (registry_ensure_main(&registry, &err) < 0 ||
		registry_add(&registry, &r, &group, &err) < 0)
		driver_fail(d, "%s", err.message);
}

static void put(struct driver *d, const char *name, const char *text, int flags)
{
	CLEANUP(freep) char *path = path_in(d, name);
	CLEANUP(closep) int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644);

	require(d, fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), path);
}

void driver_bridge(struct driver *d, const char *name, const char *mode)
{
	driver_bridge_hanging(d, name, mode, 600);
}

void driver_bridge_hanging(
	struct driver *d, const char *name, const char *mode, int hang_seconds)
{
	CLEANUP(freep) char *file = xasprintf("bridges/%s.json", name);
	CLEANUP(freep) char *folder = NULL;
	CLEANUP(freep) char *text = NULL;

	if (!strcmp(name, "test")) {
		folder = xstrdup(d->platform);
	} else {
		make_folder(d, name);
		folder = path_in(d, name);
	}
	text = xasprintf("{\"command\": [\"%s\", \"%s\", \"%s\"], \"hang_seconds\": %d}\n",
		d->bridge, folder, mode, hang_seconds);
	put(d, file, text, O_TRUNC);
}

void driver_feed(struct driver *d, const char *id, const char *chat, const char *text)
{
	CLEANUP(freep) char *line = xasprintf("%s\t%s\t%s\n", id, chat, text);

	put(d, "platform/feed", line, O_APPEND);
}

static struct buf read_below(struct driver *d, const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *path = path_in(d, name);
	struct buf text = BUF_INIT;

	file_read(path, SIZE_MAX, &text, &err);
	return text;
}

unsigned driver_lines(struct driver *d, const char *name)
{
	CLEANUP(buf_release) struct buf text = read_below(d, name);
	unsigned count = 0;

	for (size_t i = 0; i < text.len; i++)
		count += text.data[i] == '\n';
	return count;
}

void driver_nudge(struct driver *d)
{
	driver_signal_bridge(d, SIGUSR1);
}

void driver_signal_bridge(struct driver *d, int number)
{
	if (!driver_try_signal(d, number))
		driver_fail(d, "the bridge is not there");
}

bool driver_try_signal(struct driver *d, int number)
{
	CLEANUP(buf_release) struct buf pids = read_below(d, "platform/pids");
	struct view rest = view_of_buf(&pids);
	struct view line = {0};

	while (view_next(&rest, '\n', &line))
		;
	return line.len && !kill((pid_t)strtol(line.data, NULL, 10), number);
}

/* --- the host ---------------------------------------------------------------- */

static const char **environment(struct driver *d, const char *variable)
{
	static const char *const ours[] = {"HOME", "PATH", "TMPDIR", "ASAN_OPTIONS",
		"UBSAN_OPTIONS", "LSAN_OPTIONS", "NANOCLAW_SANDBOX", "NANOCLAW_SANDBOX_IMAGE",
		"CONTAINERS_STORAGE_CONF", "DOCKER_HOST", "XDG_RUNTIME_DIR"};
	const char **env = xcalloc(d->setting_count + ARRAY_SIZE(ours) + 2, sizeof(*env));
	size_t count = 0;

	for (size_t i = 0; i < d->setting_count; i++)
		env[count++] = d->settings[i];
	for (size_t i = 0; i < ARRAY_SIZE(ours); i++)
		if (getenv(ours[i]))
			env[count++] = xasprintf("%s=%s", ours[i], getenv(ours[i]));
	if (variable)
		env[count++] = variable;
	return env;
}

void driver_start(struct driver *d, const char *variable)
{
	CLEANUP(freep) char *log = path_in(d, "host.log");

	d->pid = fork();
	require(d, d->pid >= 0, "fork");
	if (!d->pid) {
		int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0644);

		if (chdir(d->root) || dup2(fd, STDOUT_FILENO) < 0 ||
			dup2(fd, STDERR_FILENO) < 0)
			_exit(99);
		execle(d->host, "nanoclaw", "-v", "run", (char *)NULL,
			(char *const *)(uintptr_t)environment(d, variable));
		_exit(99);
	}
}

int driver_connect(struct driver *d, const char *name)
{
	CLEANUP(freep) char *path = path_in(d, "data/run");
	CLEANUP(closep) int folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	/* Not by its path: that may be longer than a socket's can be. */
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", folder,
		name);
	if (folder < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return -1;
	return TAKE_FD(fd);
}

static bool is_listening(struct driver *d, void *data)
{
	CLEANUP(closep) int fd = driver_connect(d, "host.sock");

	(void)data;
	return fd >= 0;
}

void driver_start_ready(struct driver *d)
{
	driver_start(d, NULL);
	driver_wait(d, is_listening, NULL, "the host is ready");
}

int driver_reap(struct driver *d)
{
	int status = 0;

	while (waitpid(d->pid, &status, 0) < 0 && errno == EINTR)
		;
	d->pid = 0;
	return status;
}

void driver_kill(struct driver *d)
{
	kill(d->pid, SIGKILL);
	driver_reap(d);
}

int driver_stop(struct driver *d)
{
	int status;

	kill(d->pid, SIGTERM);
	status = driver_reap(d);
	if (status)
		show_log(d);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool driver_is_alive(struct driver *d)
{
	siginfo_t info = {0};

	return d->pid > 0 && !waitid(P_PID, (id_t)d->pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
	       !info.si_pid;
}

/* --- looking ----------------------------------------------------------------- */

void driver_read_sent(struct driver *d)
{
	CLEANUP(freep) char *path = xasprintf("%s/sent", d->platform);
	CLEANUP(freep) char *line = NULL;
	FILE *file = fopen(path, "r");
	size_t cap = 0;
	ssize_t len;

	if (!file)
		return;
	fseek(file, d->sent_offset, SEEK_SET);
	while ((len = getline(&line, &cap, file)) > 0 && line[len - 1] == '\n') {
		struct view rest = {line, (size_t)len - 1};
		struct view key = {"", 0},
			    chat = {"", 0}; /* of the first line of a text only */

		view_next(&rest, '\t', &key);
		view_next(&rest, '\t', &chat);
		GROW(d->sent, d->sent_count, d->sent_cap);
		d->sent[d->sent_count++] = (struct driver_sent){xmemdupz(key.data, key.len),
			xmemdupz(chat.data, chat.len), xmemdupz(rest.data, rest.len)};
		d->sent_offset += len;
	}
	fclose(file);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool driver_wait_alive(struct driver *d, bool (*condition)(struct driver *d, void *data),
	void *data, const char *what)
{
	int64_t deadline = now_ms() + DRIVER_PATIENCE_MS;
	char events[65536];

	for (;;) {
		struct pollfd fd = {d->inotify, POLLIN, 0};

		while (read(d->inotify, events, sizeof(events)) > 0)
			;
		if (condition(d, data))
			return true;
		if (d->pid && !driver_is_alive(d))
			return false;
		if (now_ms() > deadline)
			driver_fail(d, "waited in vain: %s", what);
		poll(&fd, 1, 100); /* the death of the host is no event of a file */
	}
}

void driver_wait(struct driver *d, bool (*condition)(struct driver *d, void *data), void *data,
	const char *what)
{
	if (!driver_wait_alive(d, condition, data, what))
		driver_fail(d, "the host has ended: %s", what);
}

int64_t driver_number(struct driver *d, const char *sql)
{
	CLEANUP(freep) char *path = path_in(d, "store/nanoclaw.db");
	sqlite3 *db = NULL;
	sqlite3_stmt *statement = NULL;
	int64_t number = -1;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
		sqlite3_busy_timeout(db, DRIVER_PATIENCE_MS);
		if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
			sqlite3_step(statement) == SQLITE_ROW)
			number = sqlite3_column_int64(statement, 0);
	}
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return number;
}

char *driver_run(struct driver *d, const char *const *words, int *ret_exit)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	const char *argv[32] = {d->host};

	for (size_t i = 0; words[i]; i++)
		argv[i + 1] = words[i];
	request.argv = argv;
	request.cwd = d->root;
	request.timeout_ms = DRIVER_PATIENCE_MS;
	request.output = (struct process_stream){PROCESS_CAPTURE, 1 << 24};
	request.errors = (struct process_stream){PROCESS_WITH_OUTPUT};
	if (process_run(&request, &result, &err) < 0)
		driver_fail(d, "%s", err.message);
	if (ret_exit)
		*ret_exit = result.exit_code;
	return buf_take(&result.output);
}

long driver_memory(struct driver *d)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%d/statm", (int)d->pid);
	FILE *file = fopen(path, "r");
	long pages = 0;

	if (!file || fscanf(file, "%*d %ld", &pages) != 1)
		driver_fail(d, "cannot read '%s'", path);
	fclose(file);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

unsigned driver_below(uint64_t *state, unsigned limit)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ (z >> 31)) % limit);
}
