/*
 * nanoclaw-offline [--resume SESSION]: the offline agent as a program. It speaks
 * stream-json (agent/stream.h) on standard input and output, as every agent does; the
 * host starts it in the folder of its group.
 *
 * It has no conversation to resume. It returns the session id that it gets, so that a later
 * agent can resume that session.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "agent/offline/offline.h"
#include "format/json.h"

#define MAX_TURN    ((size_t)16 * 1024 * 1024)
#define UUID_SIZE   sizeof("01234567-0123-4123-8123-0123456789ab")
#define SESSION_MAX 200

static int print_event(json_t *event)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	json_write_ours(event, false, &line);
	json_decref(event);
	buf_append_char(&line, '\n');
	return fwrite(line.data, 1, line.len, stdout) == line.len && !fflush(stdout) ? 0 : -1;
}

/* Random, in the form that other agents use. */
static void make_session(char ret_id[static UUID_SIZE])
{
	uint64_t half[2] = {(uint64_t)getpid(), 0};

	if (getrandom(half, sizeof(half), 0) != sizeof(half))
		half[1] = (uint64_t)getppid();
	snprintf(ret_id, UUID_SIZE, "%08x-%04x-4%03x-%04x-%012llx", (unsigned)(half[0] >> 32),
		(unsigned)(half[0] >> 16 & 0xffff), (unsigned)(half[0] & 0xfff),
		(unsigned)(half[1] >> 48 & 0x3fff) | 0x8000U,
		(unsigned long long)(half[1] & 0xffffffffffffULL));
}

/* Answers the user's turn in a line; other lines are ignored. */
static int answer_turn(
	struct offline *offline, struct view line, const char *session, struct error *err)
{
	CLEANUP(json_decrefp) json_t *turn = NULL;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *answer = NULL;
	const json_t *content, *part;
	const char *type;
	size_t i;

	if (json_read(line, "turn", MAX_TURN, &turn, err) < 0)
		return -1;
	type = json_string_value(json_object_get(turn, "type"));
	if (!type || strcmp(type, "user") != 0)
		return 0;
	/* The content is a text, or a list of parts. */
	content = json_object_get(json_object_get(turn, "message"), "content");
	if (json_is_string(content))
		buf_append_str(&text, json_string_value(content));
	json_array_foreach(content, i, part) {
		const char *said = json_string_value(json_object_get(part, "text"));

		if (said)
			buf_appendf(&text, "%s%s", text.len ? "\n" : "", said);
	}
	answer = offline_answer(offline, view_of_buf(&text));
	if (print_event(json_build("type:s subtype:s is_error:b result:s session_id:s",
		    "result", "success", 0, answer, session)) < 0)
		return error_errno(err, "cannot write the answer");
	return 0;
}

static const char *setting(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value && *value ? value : otherwise;
}

int main(int argc, char **argv)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct offline offline = {
		.folder = folder,
		.name = setting("ASSISTANT_NAME", "Andy"),
		.trigger = setting("NANOCLAW_TRIGGER", ""),
	};
	char made[UUID_SIZE];
	const char *session = made;
	CLEANUP(freep) char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	bool failed;

	make_session(made);
	if (argc == 3 && !strcmp(argv[1], "--resume") && strlen(argv[2]) <= SESSION_MAX)
		session = argv[2];
	failed = print_event(json_build(
			 "type:s subtype:s session_id:s", "system", "init", session)) < 0;
	while (!failed && (len = getline(&line, &cap, stdin)) > 0)
		failed = answer_turn(&offline, view_trim((struct view){line, (size_t)len}),
				 session, &err) < 0;
	offline_release(&offline);
	if (err.message)
		fprintf(stderr, "error: %s\n", err.message);
	return failed;
}
