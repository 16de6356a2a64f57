#include "host/base/watchers.h"

#include <stdio.h>
#include <unistd.h>

#include "channels/local/local.h"
#include "cli/assistant/assistant.h"
#include "cli/output.h"
#include "format/json.h"
#include "format/line_reader.h"
#include "fs/sys.h"
#include "loop/line_server.h"
#include "proc/local_socket.h"

/* "turn begun main t7": the members that people know, in a line. */
static bool print_event(struct view line, bool too_long, void *data)
{
	static const char *const members[] = {
		"type", "state", "group", "turn", "chat", "channel", "operation", "text"};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *event = NULL;
	const struct cli *cli = data;

	if (too_long)
		return true;
	if (cli->json) {
		printf("%.*s\n", VIEW_ARGS(line));
	} else if (json_read(line, "event", LINE_CLIENT_MAX, &event, &ignored) == 0) {
		for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
			CLEANUP(freep)
			char *shown = output_first_line(json_member(event, members[i]));

			printf("%s%s", i && *shown ? " " : "", shown);
		}
		printf("\n");
	}
	fflush(stdout);
	return !ferror(stdout);
}

static int run_watch(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(line_reader_release) struct line_reader lines;
	CLEANUP(closep) int folder = -1;
	CLEANUP(closep) int fd = -1;
	char piece[4096];
	ssize_t got;

	(void)args;
	line_reader_init(&lines, LINE_CLIENT_MAX);
	if (assistant_find_project(&assistant, err) < 0 ||
		client_require(assistant.project.root, &assistant.client, err) < 0 ||
		local_open_folder(assistant.project.root, &folder, err) < 0)
		return -1;
	if (local_socket_connect(folder, WATCH_SOCKET, &fd) < 0 || sys.write(fd, "{}\n", 3) < 0)
		return error_errno(err, "cannot talk to the host");
	while ((got = read(fd, piece, sizeof(piece))) > 0) {
		line_reader_feed(&lines, piece, (size_t)got, print_event, cli);
		if (ferror(stdout))
			return EXIT_DONE;
	}
	return error_set(err, ERROR_FAILED, "the host has stopped");
}

static const struct example examples[] = {
	{"nanoclaw watch --json", "one JSON object per line, for programs"},
	{0},
};

COMMAND(watch) = {
	.name = "watch",
	.summary = "show what the host does, as it happens",
	.description =
		"Messages, turns and their steps, what agents write, answers that are sent, and\n"
		"changes of channels, groups and tasks, one per line, until Ctrl-C. With '--json' each\n"
		"line is an object; docs/host.md describes them. The host must be running.",
	.section = SECTION_ASSISTANT,
	.examples = examples,
	.run = run_watch,
};
