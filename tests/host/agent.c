/*
 * The scripted agent: speaks stream-json, and does what the messages tell it.
 *
 *	test-agent [--resume SESSION]
 *
 * The answer to a turn is the first word of each message, or of the prompt of a task, in
 * order. A message may have a command behind its first word:
 *
 *	!fail-once	the first time, the result is an error
 *	!fail		always
 *	!die-once	the first time, exit 3 without a result; !die always
 *	!hang		say nothing, for ever
 *	!garbage	lines that are no events, before the answer
 *	!flood		such lines without an end
 *	!silent		an empty answer
 *	!long		an answer of many words
 *	!session	answer with the session that is gone on with
 *	!refuse		the next --resume is refused as Claude Code refuses it
 *	!say		say "said WORD" in the middle of the turn, through the socket
 *	!bye		say "said bye" when the input ends, through the socket
 *	!op JSON	an operation of the host; the answer is its reply
 *	!token		answer with a number that each process has of its own
 *	!wait FILE	answer when the FIFO of this name has been written to
 *	!steps FILE	each line of this FIFO is a text before a tool, with "|" for the end of a
 *			line. "." is the end; !say says what !say does, and !fail and !silent end
 *			the turn like the commands
 *	!env NAME	answer with this variable
 *	!extra		give one answer more than was asked for
 *	!echo		from now on, say when a turn is taken up
 *	!extra-later	the same as !extra, but at the beginning of the next turn
 *	!sh COMMAND	answer with what a shell says to this, in one line
 *	!attributes	answer with what stands beside the message
 *	!files		answer with the elements for its files
 *	!api N		ask the API so many times; what it refuses is an error, as in Claude
 * Code !cost MICRO	say in the result that it has cost so many millionths of a dollar
 *
 * "Once" is kept in the folder of the group, so that it holds over kills.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/host_socket.h"
#include "base/buf.h"
#include "format/json.h"

static char session[64];
static bool echoes, owes_extra;
static bool says_bye;
static int64_t cost;
static uint64_t token;

/* Lines that are held leave in one write with the next line that is not. */
static bool hold;

static void print_line(json_t *event)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	json_write_ours(event, false, &line);
	json_decref(event);
	buf_append_char(&line, '\n');
	if (fwrite(line.data, 1, line.len, stdout) != line.len || (!hold && fflush(stdout)))
		exit(1);
}

static void answer(const char *text, bool is_error)
{
	json_t *event = json_pack("{s:s, s:s, s:b, s:s, s:s}", "type", "result", "subtype",
		is_error ? "error_during_execution" : "success", "is_error", is_error, "result",
		text, "session_id", session);

	if (cost) {
		json_object_set_new(event, "total_cost_usd", json_real((double)cost / 1e6));
		json_object_set_new(event, "usage", json_pack("{s:i}", "input_tokens", 1000));
	}
	print_line(event);
}

/* Was this not done before? Kept in a file, which is made first. */
static bool first_time(const char *what, const char *word)
{
	CLEANUP(freep) char *name = xasprintf("once-%s-%s", what, word);
	int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* --- the socket -------------------------------------------------------------- */

static char *call_host(const char *request)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int fd = host_socket_connect(&err);
	CLEANUP(buf_release) struct buf reply = BUF_INIT;
	char byte;

	if (fd < 0)
		return xasprintf("no socket: %s", err.message);
	if (write(fd, request, strlen(request)) < 0 || write(fd, "\n", 1) < 0)
		return xstrdup("no write");
	while (read(fd, &byte, 1) == 1 && byte != '\n')
		buf_append_char(&reply, byte);
	return buf_take(&reply);
}

static void say(const char *word)
{
	CLEANUP(freep)
	char *request = xasprintf("{\"op\":\"send_message\",\"text\":\"said %s\"}", word);
	CLEANUP(freep) char *reply = call_host(request);

	(void)reply;
}

/* --- the API ----------------------------------------------------------------- */

/* NULL if it was answered, else what is wrong. To be freed. */
static char *ask_api(const char *model)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
		.sin_port = htons(8484),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	CLEANUP(closep) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	CLEANUP(freep) char *body = xasprintf("{\"model\":\"%s\"}", model);
	CLEANUP(freep)
	char *request = xasprintf("POST /v1/messages HTTP/1.1\r\nHost: api\r\n"
				  "Content-Type: application/json\r\nContent-Length: %zu\r\n"
				  "Connection: close\r\n\r\n%s",
		strlen(body), body);
	CLEANUP(buf_release) struct buf reply = BUF_INIT;
	char byte;

	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
		write(fd, request, strlen(request)) < 0)
		return xasprintf("API Error: %s", strerror(errno));
	while (read(fd, &byte, 1) == 1)
		buf_append_char(&reply, byte);
	if (strstr(reply.data, " 200 ") && strstr(reply.data, "message_stop"))
		return NULL;
	return xasprintf("API Error: %s", reply.data);
}

/* "2", "1 some-model" */
static char *ask_several(const char *words)
{
	char *end;
	long count = strtol(words, &end, 10);
	char *wrong = NULL;

	while (!wrong && count-- > 0)
		wrong = ask_api(*end ? end + 1 : "claude-sonnet-4-6");
	return wrong;
}

/* --- commands ---------------------------------------------------------------- */

static void __attribute__((noreturn)) hang(void)
{
	for (;;)
		pause();
}

static void wait_for(const char *fifo)
{
	CLEANUP(closep) int fd = open(fifo, O_RDONLY | O_CLOEXEC);
	char byte;

	if (fd < 0 || read(fd, &byte, 1) < 0)
		exit(1);
}

static void take_step(const char *text)
{
	CLEANUP(freep) char *lines = xstrdup(text);

	for (char *c = lines; *c; c++)
		*c = *c == '|' ? '\n' : *c;
	print_line(json_pack("{s:s, s:{s:[{s:s, s:s}, {s:s, s:s, s:{s:s}}]}}", "type",
		"assistant", "message", "content", "type", "text", "text", lines, "type",
		"tool_use", "name", "Read", "input", "path", "x"));
}

/* False: the turn has its result already. The FIFO stays open: its reader may be behind. */
static bool take_steps(const char *word, const char *fifo)
{
	static FILE *file;
	CLEANUP(freep) char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	if (!file)
		file = fopen(fifo, "re");
	while (file && (len = getline(&line, &cap, file)) > 0) {
		line[len - 1] = '\0';
		if (!strcmp(line, "."))
			return true;
		if (!strcmp(line, "!fail") || !strcmp(line, "!silent")) {
			answer(line[1] == 'f' ? "told to fail" : "", line[1] == 'f');
			return false;
		}
		if (!strcmp(line, "!say"))
			say(word);
		else
			take_step(line);
	}
	exit(1);
}

static void print_garbage(int count)
{
	for (int i = 0; i < count; i++)
		printf("{\"type\": this is line %d of what is no event\n", i);
	fflush(stdout);
}

/* In our own process group: another one is refused in some sandboxes. */
static void run_shell(const char *command, struct buf *out)
{
	int ends[2];
	pid_t pid;
	char c;

	if (pipe2(ends, O_CLOEXEC) < 0)
		exit(1);
	pid = fork();
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	while (read(ends[0], &c, 1) == 1)
		buf_append_char(out, c == '\n' ? ' ' : c);
	close(ends[0]);
	waitpid(pid, NULL, 0);
}

/* False: the turn has its result already. */
static bool obey(const char *word, const char *command, struct buf *out)
{
	if (!strcmp(command, "!fail") ||
		(!strcmp(command, "!fail-once") && first_time("fail", word))) {
		answer("told to fail", true);
		return false;
	}
	if (!strcmp(command, "!die") ||
		(!strcmp(command, "!die-once") && first_time("die", word))) {
		fprintf(stderr, "told to die\n");
		exit(3);
	}
	if (!strcmp(command, "!hang"))
		hang();
	if (!strcmp(command, "!garbage"))
		print_garbage(20);
	if (!strcmp(command, "!flood"))
		for (;;)
			print_garbage(1000);
	if (!strcmp(command, "!silent")) {
		buf_clear(out);
		answer("", false);
		return false;
	}
	if (!strcmp(command, "!long"))
		for (int i = 0; i < 40; i++)
			buf_appendf(out, "%s-%d ", word, i);
	if (!strcmp(command, "!session"))
		buf_appendf(out, "%s ", session);
	if (!strcmp(command, "!refuse"))
		first_time("refuse", "resume");
	if (!strcmp(command, "!say"))
		say(word);
	if (!strcmp(command, "!bye"))
		says_bye = true;
	if (!strcmp(command, "!token"))
		buf_appendf(out, "%016" PRIx64 " ", token);
	if (!strncmp(command, "!wait ", 6))
		wait_for(command + 6);
	if (!strncmp(command, "!steps ", 7) && !take_steps(word, command + 7)) {
		buf_clear(out);
		return false;
	}
	if (!strncmp(command, "!env ", 5))
		buf_appendf(out, "%s ", getenv(command + 5) ? getenv(command + 5) : "(unset)");
	if (!strncmp(command, "!sh ", 4))
		run_shell(command + 4, out);
	if (!strncmp(command, "!cost ", 6))
		cost = strtoll(command + 6, NULL, 10);
	if (!strncmp(command, "!api ", 5)) {
		CLEANUP(freep) char *wrong = ask_several(command + 5);

		if (wrong) {
			answer(wrong, true);
			return false;
		}
	}
	if (!strncmp(command, "!op ", 4)) {
		CLEANUP(freep) char *reply = call_host(command + 4);

		buf_appendf(out, "%s ", reply);
	}
	return true;
}

/* --- turns ------------------------------------------------------------------- */

static char *unescape(struct view text)
{
	static const struct {
		const char *name;
		char c;
	} entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''},
		{"&amp;", '&'}};
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	while (text.len) {
		size_t len = 1;
		char c = text.data[0];

		for (size_t i = 0; i < ARRAY_SIZE(entities); i++)
			if (view_starts_with(text, entities[i].name)) {
				len = strlen(entities[i].name);
				c = entities[i].c;
				break;
			}
		buf_append_char(&out, c);
		text = view_slice(text, len, text.len);
	}
	return buf_take(&out);
}

static bool take_message(struct view attributes, struct view escaped, struct buf *out)
{
	const char *files = memmem(escaped.data, escaped.len, "\n<attachment", 12);
	struct view text = {escaped.data, files ? (size_t)(files - escaped.data) : escaped.len};
	CLEANUP(freep) char *content = unescape(text);
	char *space = strchr(content, ' ');

	if (space && files && !strcmp(space + 1, "!files"))
		for (size_t i = text.len; i < escaped.len; i++)
			buf_append_char(out, escaped.data[i] == '\n' ? ' ' : escaped.data[i]);
	if (space)
		*space = '\0';
	buf_appendf(out, "%s ", content);
	if (space && !strcmp(space + 1, "!attributes"))
		buf_append(out, attributes.data, attributes.len);
	return !space || obey(content, space + 1, out);
}

static void answer_to_nothing(void)
{
	answer("an answer to nothing", false);
}

static void echo(void)
{
	print_line(json_pack("{s:s, s:b}", "type", "user", "isReplay", 1));
}

static void take_turn(const char *text)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	const char *at = text;
	bool extra = strstr(text, "!extra<") != NULL;
	bool task = strstr(text, "<scheduled_task ") != NULL; /* maybe behind a skill */

	if (owes_extra)
		answer_to_nothing();
	owes_extra = strstr(text, "!extra-later") != NULL;
	echoes = echoes || strstr(text, "!echo");
	if (echoes)
		echo();
	while ((at = strstr(at, task ? "<scheduled_task " : "<message "))) {
		const char *start = strchr(at, '>') + 1;
		const char *end = strstr(start, task ? "</scheduled_task>" : "</message>");

		if (!take_message((struct view){at, (size_t)(start - at)},
			    (struct view){start, (size_t)(end - start)}, &out))
			return;
		at = end;
	}
	/* In one write: the host reads both before it can send the next turn. */
	hold = extra;
	answer(out.data, false);
	hold = false;
	if (extra)
		answer_to_nothing();
}

/* Not by its number: that is the same in every sandbox. */
static void new_session(void)
{
	uint64_t number = 0;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		exit(1);
	snprintf(session, sizeof(session), "session-%llx", (unsigned long long)number);
}

static void start(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--resume")) {
		if (unlink("once-refuse-resume") == 0) {
			CLEANUP(freep)
			char *why =
				xasprintf("No conversation found with session ID: %s", argv[2]);

			fprintf(stderr, "%s\n", why);
			print_line(json_pack("{s:s, s:s, s:b, s:[s]}", "type", "result",
				"subtype", "error_during_execution", "is_error", 1, "errors",
				why));
			exit(1);
		}
		snprintf(session, sizeof(session), "%s", argv[2]);
	} else {
		new_session();
	}
}

int main(int argc, char **argv)
{
	CLEANUP(freep) char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	if (getrandom(&token, sizeof(token), 0) != sizeof(token))
		return 1;
	start(argc, argv);
	print_line(json_pack(
		"{s:s, s:s, s:s}", "type", "system", "subtype", "init", "session_id", session));
	while ((len = getline(&line, &cap, stdin)) > 0) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(json_decrefp) json_t *turn = NULL;
		const char *text;

		if (json_read((struct view){line, (size_t)len}, "turn", SIZE_MAX, &turn, &err) <
			0) {
			fprintf(stderr, "%s\n", err.message);
			return 2;
		}
		text = json_string_value(json_object_get(
			json_array_get(
				json_object_get(json_object_get(turn, "message"), "content"),
				0),
			"text"));
		take_turn(text ? text : "");
	}
	if (says_bye)
		say("bye");
	return 0;
}
