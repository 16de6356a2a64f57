#include "cli/service/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/service/current_build.h"
#include "fs/sys.h"
#include "host/host.h"
#include "proc/log.h"
#include "proc/log_file.h"
#include "time/timestamp.h"

#define LOCK_PATIENCE_MS 5000
#define LOCK_WAIT_MS     50

/* Also one that does not answer. */
static bool host_is_running(const struct assistant *assistant)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(client_release)
	struct client client = {
		.fd = -1, .input = BUF_INIT, .patience_ms = assistant->client.patience_ms};
	bool running = false;

	if (client_connect(assistant->project.root, &client, &running, &local) < 0)
		return local.kind == ERROR_BUSY;
	return running;
}

struct serving {
	struct assistant *assistant;
	void (*ready)(void *data);
	void *data;
};

static void serving_ready(void *data)
{
	struct serving *serving = data;

	if (serving->ready)
		serving->ready(serving->data);
}

static void serving_settled(void *data)
{
	const struct serving *serving = data;

	current_build_settled(&serving->assistant->project);
}

static int serve_once(struct serving *serving, int64_t settle_seconds, struct error *err)
{
	struct project *project = &serving->assistant->project;
	struct host_options options = {
		.root_path = project->path,
		.root = project->root,
		.ready = serving_ready,
		.settled = serving_settled,
		.data = serving,
		.settle_ms = (uint64_t)settle_seconds * 1000,
	};
	int result;

	current_build_begin(project);
	result = host_run(&options, err);
	/* A host that is stopped, or finds another host, does not count against its build. */
	if (result >= 0 || err->kind == ERROR_BUSY)
		current_build_end(project);
	return result;
}

int serve(const struct cli *cli, struct assistant *assistant, void (*ready)(void *data),
	void *data, struct error *err)
{
	struct serving serving = {assistant, ready, data};
	int64_t start = timestamp_steady();
	int64_t settle;

	if (settings_number(&assistant->settings, SETTLE_SETTING, 1, SETTLE_MAX, SETTLE_SECONDS,
		    &settle, err) < 0)
		return -1;
	for (;;) {
		int result = serve_once(&serving, settle, err);

		if (!result)
			return 0;
		if (result > 0) { /* it is to start again */
			current_build_enter(cli, &assistant->project,
				(const char *const[]){"run", NULL}, true);
			continue;
		}
		if (err->kind != ERROR_BUSY || host_is_running(assistant) ||
			timestamp_steady() >= start + LOCK_PATIENCE_MS)
			break;
		error_clear(err);
		poll(NULL, 0, LOCK_WAIT_MS);
	}
	if (err->kind == ERROR_BUSY) {
		error_clear(err);
		error_set(err, ERROR_BUSY, "a host is already running in '%s'",
			assistant->project.path);
		error_hint(err, "'nanoclaw status' shows it");
	}
	return -1;
}

/* --- in the process of the host ------------------------------------------------ */

static void server_report(int to, const char *text)
{
	/* The reader may be gone. */
	if (sys.write(to, text, strlen(text)) < 0)
		return;
}

static void serve_report_ready(void *data)
{
	int *to = data;

	log_note("the host is running (pid %d)", (int)getpid());
	server_report(*to, "ready");
	closep(to);
	*to = -1;
}

/* The kind, the message and what to type next, as wait_until_ready() reads them. */
static void serve_report_failure(int to, const struct error *err)
{
	CLEANUP(freep)
	char *text = xasprintf(
		"%d\n%s\n%s", (int)err->kind, err->message, err->hint ? err->hint : "");

	server_report(to, text);
}

/* Never returns. `to` hears that it is ready, or why it cannot be. */
static void __attribute__((noreturn))
be_server(const struct cli *cli, struct assistant *assistant, int to)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	signal(SIGPIPE, SIG_IGN);
	dup2(null, STDIN_FILENO);
	log_file_take_streams();
	if (serve(cli, assistant, serve_report_ready, &to, &err) == 0)
		_exit(0);
	if (log_file_is_open())
		log_error("%s", err.message);
	if (to >= 0)
		serve_report_failure(to, &err);
	_exit(1);
}

/* --- in the process of the command --------------------------------------------- */

static enum error_kind error_kind_of_digit(struct view digit)
{
	static const enum error_kind kinds[] = {ERROR_INVALID, ERROR_BUSY};

	for (size_t i = 0; digit.len == 1 && i < ARRAY_SIZE(kinds); i++)
		if (digit.data[0] == (char)('0' + kinds[i]))
			return kinds[i];
	return ERROR_FAILED;
}

/* The text of serve_report_failure(); empty if the host was killed. */
static int read_failure(struct view text, struct error *err)
{
	struct view kind = {"", 0};
	struct view message = view_of("it has ended");
	struct view hint = {"", 0};

	if (text.len) {
		view_next(&text, '\n', &kind);
		view_next(&text, '\n', &message);
		hint = text;
	}
	error_set(err, error_kind_of_digit(kind), "the host could not be started: %.*s",
		VIEW_ARGS(message));
	if (hint.len)
		return error_hint(err, "%.*s", VIEW_ARGS(hint));
	return error_hint(err, "'" LOG_FOLDER "/" LOG_FILE "' may say more");
}

static int wait_until_ready(int from, struct error *err)
{
	char text[1024] = "";
	size_t len = 0;
	ssize_t n;

	while (len < sizeof(text) - 1 &&
		((n = read(from, text + len, sizeof(text) - 1 - len)) > 0 ||
			(n < 0 && errno == EINTR)))
		len += n > 0 ? (size_t)n : 0;
	text[len] = '\0';
	if (!strcmp(text, "ready"))
		return 0;
	return read_failure((struct view){text, len}, err);
}

int server_start(const struct cli *cli, struct assistant *assistant, bool stay,
	struct server *ret_server, struct error *err)
{
	CLEANUP(closep) int from = -1;
	CLEANUP(closep) int to = -1;
	pid_t parent = getpid();
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_errno(err, "cannot start the host");
	from = ends[0];
	to = ends[1];
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return error_errno(err, "cannot start the host");
	if (!pid) {
		setsid();
		if (!stay)
			prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (!stay && getppid() != parent)
			_exit(1); /* it died before the line above */
		closep(&from);
		be_server(cli, assistant, to);
	}
	closep(&to);
	to = -1;
	*ret_server = (struct server){.pid = pid, .stay = stay};
	if (wait_until_ready(from, err) == 0)
		return 0;
	ret_server->stay = false;
	server_stop(ret_server);
	return -1;
}

void server_stop(struct server *server)
{
	if (server->pid && !server->stay) {
		kill(server->pid, SIGTERM);
		while (waitpid(server->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	server->pid = 0;
}
