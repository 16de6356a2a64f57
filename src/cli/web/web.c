#include "web/web.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "channels/local/local.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/project.h"
#include "format/json.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "proc/local_socket.h"
#include "proc/log.h"
#include "proc/process.h"
#include "veil/veil.h"

#define OPEN_FILE    "web.html"
#define PATIENCE_MS  10000
#define ANSWER_MAX   ((size_t)64 * 1024)
#define LINK_REQUEST "POST /api/link HTTP/1.0\r\nHost: localhost\r\ncontent-length: 0\r\n\r\n"

struct dashboard {
	const struct cli *cli;
	struct project *project;
	int folder; /* data/run */
	bool opens;
	bool running; /* in another process */
};

/*
 * A browser gets the link in a file that only its owner can read: other users see command lines.
 */
static void dashboard_open(const struct dashboard *dashboard, const char *link)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	CLEANUP(freep)
	char *path = xasprintf("%s/" LOCAL_FOLDER "/" OPEN_FILE, dashboard->project->path);
	CLEANUP(freep)
	char *page = xasprintf("<!doctype html>\n<title>NanoClaw</title>\n"
			       "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n",
		link);

	request.argv = (const char *const[]){"xdg-open", path, NULL};
	request.timeout_ms = PATIENCE_MS;
	request.output.mode = request.errors.mode = PROCESS_DISCARD;
	if (replace_file(dashboard->folder, OPEN_FILE, view_of(page), 0600, NULL, 0, &err) <
			0 ||
		process_run(&request, &result, &err) < 0)
		log_warning("cannot open a browser: %s", err.message);
	else if (result.exit_code != 0)
		log_warning("cannot open a browser: 'xdg-open' failed");
}

static void dashboard_ready(const char *link, void *data)
{
	const struct dashboard *dashboard = data;

	if (dashboard->cli->json)
		output_success("link:s running:b", link, dashboard->running);
	else
		printf("%s\n", link);
	fflush(stdout);
	log_note("the link works once, for a minute; 'nanoclaw web' prints another");
	if (!dashboard->running)
		log_note("the dashboard is running (pid %d); Ctrl-C stops it", (int)getpid());
	if (dashboard->opens)
		dashboard_open(dashboard, link);
}

/* A fresh link from the dashboard that runs. */
static int dashboard_ask(struct dashboard *dashboard, struct error *err)
{
	CLEANUP(buf_release) struct buf answer = BUF_INIT_MAX(ANSWER_MAX);
	CLEANUP(json_decrefp) json_t *json = NULL;
	CLEANUP(closep) int fd = -1;
	struct pollfd readable = {.events = POLLIN};
	const char *body, *link;
	ssize_t got = 1;

	if (local_socket_connect(dashboard->folder, WEB_SOCKET, &fd) < 0 ||
		sys.write(fd, LINK_REQUEST, sizeof(LINK_REQUEST) - 1) < 0)
		return error_errno(err, "cannot talk to the dashboard that is running here");
	readable.fd = fd;
	while (got > 0 && !answer.overflow) {
		char piece[4096];

		if (poll(&readable, 1, PATIENCE_MS) <= 0)
			return error_set(err, ERROR_BUSY,
				"a dashboard is running here, but it does not answer");
		got = read(fd, piece, sizeof(piece));
		if (got > 0)
			buf_append(&answer, piece, (size_t)got);
	}
	body = answer.len ? strstr(answer.data, "\r\n\r\n") : NULL;
	if (!body || json_read(view_of(body + 4), "answer", ANSWER_MAX, &json, err) < 0 ||
		!(link = json_string_value(json_object_get(json, "link"))))
		return error_set(err, ERROR_FAILED,
			"the dashboard that is running here did not give a link");
	dashboard->running = true;
	dashboard_ready(link, dashboard);
	return EXIT_DONE;
}

/* With its lock, which goes with the old folder. */
static int folder_again(void *data, struct error *err)
{
	const struct dashboard *dashboard = data;
	CLEANUP(closep) int folder = -1;

	if (local_open_folder(dashboard->project->root, &folder, err) < 0)
		return -1;
	if (flock(folder, LOCK_EX | LOCK_NB) < 0 ||
		dup3(folder, dashboard->folder, O_CLOEXEC) < 0)
		return error_errno(err, "cannot lock '%s'", LOCAL_FOLDER);
	return 0;
}

static int run_web(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct dashboard dashboard = {.cli = cli, .project = &project, .folder = -1};
	CLEANUP(closep) int folder = -1;
	CLEANUP(string_array_release) struct string_array hosts = {0};
	struct web_options options = {.hosts = &hosts,
		.ready = dashboard_ready,
		.again = folder_again,
		.data = &dashboard,
		.socket_only = arguments_flag(args, "socket")};
	int64_t port = 0;
	bool engine_running;

	umask(077);
	if (arguments_number(args, "port", 1, 65535, &port, err) < 0 ||
		project_open_reading(&project, &engine_running, err) < 0 ||
		local_open_folder(project.root, &folder, err) < 0)
		return -1;
	for (size_t i = 0; i < args->option_count; i++) {
		const char *name = args->options[i].option->name;
		const char *value = args->options[i].value;

		if (name && value && !strcmp(name, "host"))
			string_array_add(&hosts, value);
		if (name && value && !strcmp(name, "pass-env") && veil_pass_env(value, err) < 0)
			return -1;
	}
	dashboard.folder = folder;
	dashboard.opens = arguments_flag(args, "open");
	/* The folder is the lock: one dashboard for a project. */
	if (flock(folder, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			return error_errno(err, "cannot lock '%s'", LOCAL_FOLDER);
		return dashboard_ask(&dashboard, err);
	}
	options.root = project.root;
	options.run_folder = folder;
	options.port = (uint16_t)port;
	return web_run(&options, err) < 0 ? -1 : EXIT_DONE;
}

static const struct option options[] = {
	{.name = "port", .argument = "N", .help = "the port on 127.0.0.1 (any that is free)"},
	{.name = "socket", .help = "listen on the Unix socket data/run/web.sock only"},
	{.name = "host",
		.argument = "NAME",
		.help = "also accept requests to this name, with its port; can be repeated"},
	{.name = "pass-env",
		.argument = "NAME",
		.help = "also pass this environment variable to commands of the dashboard"},
	{.name = "open", .help = "open the link in a browser"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw web", "prints a link, and serves until Ctrl-C"},
	{"nanoclaw web --open", "opens it in a browser"},
	{0},
};

COMMAND(web) = {
	.name = "web",
	.summary = "show everything in a browser, on this machine",
	.description =
		"A local dashboard: chats, groups, tasks, usage, and the skills engine with its\n"
		"conflicts. Everything in it is a nanoclaw command, which it shows.\n"
		"\n"
		"Only programs of the same user on this machine can reach it, and only with a link,\n"
		"which works once, for a minute. If a dashboard is running in this project, the\n"
		"command prints a fresh link to it and ends.\n"
		"\n"
		"From another machine, use ssh:\n"
		"\n"
		"  ssh -L 8080:127.0.0.1:8080 me@machine nanoclaw web --port 8080",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.run = run_web,
};
