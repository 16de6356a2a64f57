/*
 * nanoclaw-native [--resume SESSION] [--mcp-config FILE]: the native agent (native.h) as a
 * program. It speaks stream-json (agent/stream.h) on standard input and output, as every agent
 * does; the host starts it in the folder of its group, with the environment of setup.h.
 *
 * It ends when its input does, or with SIGTERM, at any point: the log has what was done.
 */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/native/native.h"
#include "agent/native/output.h"
#include "format/json.h"

#define MAX_TURN ((size_t)16 * 1024 * 1024)

static volatile sig_atomic_t stop;
static struct native native = {.stop = &stop};

static void stop_work(int signal_number)
{
	(void)signal_number;
	stop = 1;
	if (native.tools)
		tools_cancel(native.tools);
}

/* The texts of a message: "content" is a text, or a list of parts. To be freed. */
static char *text_of_message(const json_t *message)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const json_t *content = json_object_get(message, "content");
	const json_t *part;
	size_t i;

	if (json_is_string(content))
		buf_append_str(&text, json_string_value(content));
	json_array_foreach(content, i, part)
		if (*json_member(part, "text"))
			buf_appendf(
				&text, "%s%s", text.len ? "\n" : "", json_member(part, "text"));
	return buf_take(&text);
}

static int take_turn(const json_t *message, bool *begun, struct error *err)
{
	CLEANUP(freep) char *text = text_of_message(message);
	CLEANUP(freep) char *answer = NULL;
	enum native_outcome outcome;

	if (!view_trim(view_of(text)).len) {
		free(text);
		text = xstrdup("(an empty message)");
	}
	/* With the first message it is known which session it belongs to. */
	if (!*begun) {
		if (!native.session && native_open(&native, NULL, text, err) < 0)
			return -1;
		output_init(native.session, native.setup->model, native.described);
	}
	*begun = true;
	output_replay(native.session, (json_t *)(uintptr_t)message);
	outcome = native_turn(&native, text, &answer);
	if (outcome == NATIVE_STOPPED)
		return 0;
	output_result(&(struct output_end){
		.session = native.session,
		.text = answer,
		.is_error = outcome != NATIVE_ANSWERED,
		.is_final = outcome == NATIVE_REFUSED,
		.requests = native.requests,
		.usage = native.spent,
	});
	return 0;
}

static int read_turns(const char *session, const char *wrong, struct error *err)
{
	CLEANUP(freep) char *line = NULL;
	bool begun = false;
	size_t cap = 0;
	ssize_t len;

	while (!stop && (len = getline(&line, &cap, stdin)) > 0) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(json_decrefp) json_t *event = NULL;

		if (json_read((struct view){line, (size_t)len}, "line", MAX_TURN, &event,
			    &ignored) < 0 ||
			strcmp(json_member(event, "type"), "user") != 0)
			continue;
		if (wrong)
			output_result(&(struct output_end){.session = session,
				.text = wrong,
				.is_error = true,
				.is_final = true});
		else if (take_turn(json_object_get(event, "message"), &begun, err) < 0)
			return -1;
	}
	return 0;
}

static int agent_run(const char *session, struct setup *setup, struct error *err)
{
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	char folder[PATH_MAX];

	if (!getcwd(folder, sizeof(folder)))
		return error_errno(err, "cannot find the working folder");
	native.setup = setup;
	native.folder = folder;
	if (setup_read(setup, &wrong) < 0)
		return read_turns(session, wrong.message, err);
	if (session && native_open(&native, session, NULL, err) < 0) {
		if (err->kind != ERROR_INVALID)
			return -1;
		/* Claude Code's words, which the host expects. */
		error_clear(err);
		return error_set(err, ERROR_INVALID,
			"No conversation found with session ID: %s", session);
	}
	if (native_prepare(&native, err) < 0)
		return -1;
	return read_turns(NULL, NULL, err);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"resume", required_argument, NULL, 'r'},
		{"mcp-config", required_argument, NULL, 'm'},
		{0},
	};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(setup_release) struct setup setup = {0};
	struct sigaction action = {.sa_handler = stop_work};
	const char *session = NULL;
	int option;
	int result;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'r')
			session = optarg;
		else if (option == 'm')
			setup.servers = optarg;
		else
			return 2;
	}
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	result = agent_run(session, &setup, &err);
	native_release(&native);
	if (result == 0)
		return EXIT_SUCCESS;
	fprintf(stderr, "error: %s\n", err.message);
	return EXIT_FAILURE;
}
