/*
 * A bridge for tests, with a folder as its platform.
 *
 *	test-bridge FOLDER [MODE]
 *
 * FOLDER/feed has the messages that people write, one per line: id, chat, text,
 * separated by tabs. FOLDER/acked gets the ids that the host has acknowledged, and
 * FOLDER/sent what it has said: key, chat, text. Both survive kills, as on a real platform: an
 * unacknowledged message is reported again, and a key that was sent is not sent again.
 *
 * A text that begins with "{" is an object with fields of the message beside its id and chat. A
 * line with the id "-" is not a message: its text is a raw line for the host.
 *
 * A text with "nackme" fails the first time, one with a file and "nofileme" always, one with "laterme" is rate-limited once, one with
 * "neverlater" always, and one with "refuseme" is refused; so is an edit with "noeditme". FOLDER/lines has every line in which
 * the host asked to send something. FOLDER/sends has a line for each of them: its key, and
 * whether `again` was set.
 *
 * When the feed is told it looks for more whenever it gets SIGUSR1; FOLDER/pids says which
 * process that is, and FOLDER/starts has a line for each.
 *
 * FOLDER/hello, if it is there, has fields of its hello.
 *
 * Modes: "plain" (as above), "jids=PATTERN", "max=N" (bytes of a text), "paced=N" (at most
 * N messages are told before they are answered: each word that is sent is an answer), and
 * the bad ones:
 *	flood		messages for chats that nobody has registered, without an end, and
 *			it never reads
 *	late		gives its receipts when it is told to shut down, and not before
 *	deaf		never gives a receipt
 *	shy		is "max=64", and says hello after the first time only when it gets
 *			SIGUSR1
 *	hang		says hello, and then nothing more
 *	mute		does not even say hello
 *	garbage		bytes that are no lines of the protocol
 *	half		half of a line, and then nothing
 *	huge		a line of 50 MB, then behaves
 *	die		exits at once
 *	foreign		messages for the terminal's chat
 *	stranger	what somebody on the platform writes who wants it to fall, again and
 *			again until it is acknowledged
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "format/json.h"
#include "fs/file.h"

#define WINDOW 200

/* Texts that are known, in the order in which they came. */
struct set {
	char **list;
	size_t count;
	size_t cap;
};

struct message {
	char *id;
	char *chat;
	char *text;
	bool acked;
};

static const char *folder;
static struct set keys, nacked;
static struct message *feed;
static size_t feed_count, feed_cap, feed_told, unacked, first_unacked;
static size_t pace = SIZE_MAX, answered;
static bool late, deaf;
static struct set owed; /* receipts */
static volatile sig_atomic_t look_again;

static bool set_has(const struct set *set, const char *text)
{
	for (size_t i = set->count; i > 0; i--)
		if (!strcmp(set->list[i - 1], text))
			return true;
	return false;
}

static void set_add(struct set *set, const char *text)
{
	GROW(set->list, set->count, set->cap);
	set->list[set->count++] = xstrdup(text);
}

static void append(const char *name, const char *line)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", folder, name);
	CLEANUP(freep) char *text = xasprintf("%s\n", line);
	CLEANUP(closep) int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		exit(9);
}

static struct buf read_file(const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/%s", folder, name);
	struct buf text = BUF_INIT;

	file_read(path, SIZE_MAX, &text, &err);
	return text;
}

static void tell(json_t *document)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	json_write_ours(document, false, &line);
	json_decref(document);
	buf_append_char(&line, '\n');
	for (size_t done = 0; done < line.len;) {
		ssize_t n = write(STDOUT_FILENO, line.data + done, line.len - done);

		if (n < 0 && errno != EINTR)
			exit(0);
		done += n > 0 ? (size_t)n : 0;
	}
}

static void count_answers(struct view text)
{
	struct view word;

	while (view_next(&text, ' ', &word))
		answered++;
}

/* --- what was ---------------------------------------------------------------- */

static void read_feed(void)
{
	CLEANUP(buf_release) struct buf text = read_file("feed");
	struct view rest = view_of_buf(&text);
	struct view line;
	size_t number = 0;

	while (view_next(&rest, '\n', &line)) {
		struct view id, chat;

		if (number++ < feed_count)
			continue;
		view_next(&line, '\t', &id);
		view_next(&line, '\t', &chat);
		GROW(feed, feed_count, feed_cap);
		feed[feed_count++] = (struct message){xmemdupz(id.data, id.len),
			xmemdupz(chat.data, chat.len), xmemdupz(line.data, line.len), false};
	}
}

static void mark_acked(const char *id)
{
	/* Acknowledgements arrive roughly in the order of the messages. */
	for (size_t i = first_unacked; i < feed_count; i++)
		if (!strcmp(feed[i].id, id)) {
			feed[i].acked = true;
			break;
		}
	while (first_unacked < feed_count && feed[first_unacked].acked)
		first_unacked++;
}

static void read_past(void)
{
	CLEANUP(buf_release) struct buf acks = read_file("acked");
	CLEANUP(buf_release) struct buf sent = read_file("sent");
	struct view rest = view_of_buf(&acks);
	struct view line;

	while (view_next(&rest, '\n', &line)) {
		CLEANUP(freep) char *id = xmemdupz(line.data, line.len);

		mark_acked(id);
	}
	rest = view_of_buf(&sent);
	while (view_next(&rest, '\n', &line)) {
		struct view key;

		view_next(&line, '\t', &key);
		CLEANUP(freep) char *copy = xmemdupz(key.data, key.len);

		set_add(&keys, copy);
		view_next(&line, '\t', &key);
		count_answers(line);
	}
}

/* --- talking ----------------------------------------------------------------- */

static void tell_message(const struct message *m)
{
	json_t *line = json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:s}", "type", "message", "id",
		m->id, "chat", m->chat, "sender", "tester", "text", m->text, "group", 1,
		"chat_name", m->chat);

	if (m->text[0] == '{')
		json_object_update_new(line, json_loads(m->text, 0, NULL));
	tell(line);
}

static void tell_messages(void)
{
	for (; feed_told < feed_count && unacked < WINDOW &&
		(pace == SIZE_MAX || feed_told < answered + pace);
		feed_told++) {
		const struct message *m = &feed[feed_told];

		if (m->acked)
			continue;
		if (!strcmp(m->id, "-")) {
			tell(json_loads(m->text, 0, NULL));
			continue;
		}
		unacked++;
		tell_message(m);
	}
}

static void tell_receipt(const char *key)
{
	CLEANUP(freep) char *id = xasprintf("id-%s", key);

	tell(json_pack(
		"{s:s, s:s, s:b, s:s}", "type", "receipt", "key", key, "ok", 1, "id", id));
}

static void send_text(const json_t *line)
{
	const char *key = json_string_value(json_object_get(line, "key"));
	const char *chat = json_string_value(json_object_get(line, "chat"));
	const char *text = json_string_value(json_object_get(line, "text"));

	CLEANUP(freep)
	char *note = xasprintf(
		"%s %s", key, json_is_true(json_object_get(line, "again")) ? "again" : "first");

	append("sends", note);
	CLEANUP(freep) char *whole = json_dumps(line, JSON_COMPACT | JSON_SORT_KEYS);

	append("lines", whole);
	if (strstr(text, "refuseme")) {
		tell(json_pack("{s:s, s:s, s:b, s:b, s:s}", "type", "receipt", "key", key, "ok",
			0, "retry", 0, "error", "told to refuse"));
		return;
	}
	if ((strstr(text, "nackme") && !set_has(&nacked, key)) ||
		(strstr(text, "nofileme") && json_object_get(line, "attachments"))) {
		set_add(&nacked, key);
		tell(json_pack("{s:s, s:s, s:b, s:s}", "type", "receipt", "key", key, "ok", 0,
			"error", "told to fail"));
		return;
	}
	if (strstr(text, "neverlater") || (strstr(text, "laterme") && !set_has(&nacked, key))) {
		set_add(&nacked, key);
		tell(json_pack("{s:s, s:s, s:b, s:f}", "type", "receipt", "key", key, "ok", 0,
			"later", 0.2));
		return;
	}
	if (!set_has(&keys, key)) {
		CLEANUP(freep) char *record = xasprintf("%s\t%s\t%s", key, chat, text);

		set_add(&keys, key);
		append("sent", record);
		count_answers(view_of(text));
	}
	if (late)
		set_add(&owed, key);
	else if (!deaf)
		tell_receipt(key);
}

/* "react MESSAGE TEXT" or "edit MESSAGE TEXT" is what was sent. */
static void act(const char *type, const json_t *line)
{
	const char *key = json_string_value(json_object_get(line, "key"));
	CLEANUP(freep)
	char *record = xasprintf("%s\t%s\t%s %s %s", key,
		json_string_value(json_object_get(line, "chat")), type,
		json_string_value(json_object_get(line, "message")),
		json_string_value(json_object_get(line, "text")));

	if (strstr(record, "noeditme")) {
		append("refused", key);
		tell(json_pack("{s:s, s:s, s:b, s:b}", "type", "receipt", "key", key, "ok", 0,
			"retry", 0));
		return;
	}
	if (!set_has(&keys, key)) {
		set_add(&keys, key);
		append("sent", record);
	}
	tell_receipt(key);
}

static void take(const json_t *line)
{
	const char *type = json_string_value(json_object_get(line, "type"));

	if (!strcmp(type, "ack")) {
		const char *id = json_string_value(json_object_get(line, "id"));

		mark_acked(id);
		append("acked", id);
		unacked -= unacked > 0;
		tell_messages();
	} else if (!strcmp(type, "send")) {
		send_text(line);
	} else if (!strcmp(type, "react") || !strcmp(type, "edit")) {
		act(type, line);
	} else if (!strcmp(type, "typing")) {
		CLEANUP(freep) char *whole = json_dumps(line, JSON_COMPACT | JSON_SORT_KEYS);

		append("lines", whole);
	} else if (!strcmp(type, "ping")) {
		tell(json_pack("{s:s}", "type", "pong"));
	} else if (!strcmp(type, "moved")) {
		append("moves", json_string_value(json_object_get(line, "to")));
	} else if (!strcmp(type, "error")) {
		append("errors", json_string_value(json_object_get(line, "error")));
	} else if (!strcmp(type, "shutdown")) {
		for (size_t i = 0; i < owed.count; i++)
			tell_receipt(owed.list[i]);
		exit(0);
	}
}

static void on_signal(int number)
{
	(void)number;
	look_again = 1;
}

static void talk(void)
{
	CLEANUP(buf_release) struct buf input = BUF_INIT;
	sigset_t usr1, before;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, &before);
	signal(SIGUSR1, on_signal);
	for (;;) {
		struct pollfd fd = {STDIN_FILENO, POLLIN, 0};
		ssize_t got;
		char *end;

		tell_messages();
		if (ppoll(&fd, 1, NULL, &before) < 0 && look_again) {
			look_again = 0;
			read_feed();
			continue;
		}
		buf_reserve(&input, 65536);
		got = read(STDIN_FILENO, input.data + input.len, 65536);
		if (got <= 0)
			return;
		buf_set_len(&input, input.len + (size_t)got);
		while ((end = memchr(input.data, '\n', input.len))) {
			CLEANUP(error_release) struct error err = ERROR_INIT;
			CLEANUP(json_decrefp) json_t *line = NULL;
			size_t len = (size_t)(end - input.data);

			if (json_read((struct view){input.data, len}, "line", SIZE_MAX, &line,
				    &err) == 0)
				take(line);
			memmove(input.data, end + 1, input.len - len - 1);
			buf_set_len(&input, input.len - len - 1);
		}
	}
}

/* --- the bad ones ------------------------------------------------------------ */

static void flood(void)
{
	for (unsigned long i = 0;; i++) {
		CLEANUP(freep) char *id = xasprintf("f%lu", i);
		CLEANUP(freep) char *chat = xasprintf("flood:%lu", i % 100);

		tell(json_pack("{s:s, s:s, s:s, s:s, s:s}", "type", "message", "id", id, "chat",
			chat, "sender", "flooder", "text", "a message that nobody wants"));
	}
}

static void write_bytes(const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(STDOUT_FILENO, bytes, len);

		if (n < 0)
			exit(0);
		bytes += n;
		len -= (size_t)n;
	}
}

static void write_huge(void)
{
	static char chunk[1024 * 1024];

	memset(chunk, 'x', sizeof(chunk));
	for (int i = 0; i < 50; i++)
		write_bytes(chunk, sizeof(chunk));
	write_bytes("\n", 1);
}

#define STRANGE_COUNT 24

/* `text` stands for what must be unique: the id. */
static void write_strange(void)
{
	static const char *const fields[] = {
		"\"text\":\"\"",
		"\"text\":null",
		"\"name\":\"n\"",
		"\"text\":\"a\\u0000b\"",
		"\"text\":\"\\ud83d\"",
		"\"text\":\"\xff\"",
		"\"text\":\"t\",\"time\":\"yesterday\"",
	};
	static char chunk[64 * 1024];

	memset(chunk, 'x', sizeof(chunk));
	for (unsigned i = 0; i < STRANGE_COUNT; i++) {
		CLEANUP(freep)
		char *head = xasprintf("{\"type\":\"message\",\"id\":\"s%u\",\"chat\":"
				       "\"flood:1\",\"sender\":\"s\",",
			i);

		write_bytes(head, strlen(head));
		if (i % 8 < ARRAY_SIZE(fields)) {
			write_bytes(fields[i % 8], strlen(fields[i % 8]));
		} else {
			/* A name, a text, a line that are too long. */
			write_bytes(i < 8 ? "\"name\":\"" : "\"text\":\"", 8);
			for (unsigned n = 0; n < (i < 8 ? 1U : i < 16 ? 8U : 40U); n++)
				write_bytes(chunk, sizeof(chunk));
			write_bytes("\"", 1);
		}
		write_bytes("}\n", 2);
	}
}

static void misbehave(const char *mode)
{
	if (!strcmp(mode, "stranger"))
		write_strange();
	if (!strcmp(mode, "flood"))
		flood();
	if (!strcmp(mode, "garbage"))
		for (;;)
			write_bytes("\x80\xff{]\n\0nonsense\n", 15);
	if (!strcmp(mode, "half"))
		write_bytes("{\"type\":\"message\",\"id\"", 22);
	if (!strcmp(mode, "hang") || !strcmp(mode, "half"))
		for (;;)
			pause();
	if (!strcmp(mode, "huge"))
		write_huge();
	if (!strcmp(mode, "foreign"))
		tell(json_pack("{s:s, s:s, s:s, s:s, s:s}", "type", "message", "id", "x1",
			"chat", "local:main", "sender", "owner", "text", "forged"));
}

static json_t *read_hello(void)
{
	CLEANUP(buf_release) struct buf text = read_file("hello");

	return text.len ? json_loads(text.data, 0, NULL) : json_object();
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[2] : "plain";
	CLEANUP(freep) char *pid = xasprintf("%d", (int)getpid());
	const char *pattern = "test:*";
	sigset_t nudge;
	bool shy = false;
	int number;
	int max = 0;
	json_t *hello;

	folder = argv[1];
	signal(SIGPIPE, SIG_IGN);
	hello = read_hello();
	if (!strncmp(mode, "jids=", 5))
		pattern = mode + 5;
	if (!strncmp(mode, "max=", 4))
		max = (int)strtol(mode + 4, NULL, 10);
	if (!strncmp(mode, "paced=", 6)) {
		pace = strtoul(mode + 6, NULL, 10);
		mode = "plain";
	}
	if (!strcmp(mode, "late") || !strcmp(mode, "deaf")) {
		late = !strcmp(mode, "late");
		deaf = !late;
		mode = "plain";
	}
	if (!strcmp(mode, "shy")) {
		CLEANUP(buf_release) struct buf starts = read_file("starts");

		max = 64;
		shy = starts.len > 0;
		mode = "plain";
		sigemptyset(&nudge);
		sigaddset(&nudge, SIGUSR1);
		sigprocmask(SIG_BLOCK, &nudge, NULL);
	}
	append("starts", mode);
	append("pids", pid);
	if (shy)
		sigwait(&nudge, &number);
	if (!strcmp(mode, "die"))
		return 7;
	if (!strcmp(mode, "mute"))
		for (;;)
			pause();
	if (strcmp(mode, "plain") != 0 && strncmp(mode, "jids=", 5) != 0 &&
		strncmp(mode, "max=", 4) != 0)
		pattern = !strcmp(mode, "foreign") ? "*" : "flood:*";
	json_object_update_missing_new(
		hello, json_pack("{s:s, s:i, s:[s], s:b, s:o*}", "type", "hello", "protocol", 1,
			       "jids", pattern, "remembers_keys", 1, "max_text",
			       max ? json_integer(max) : NULL));
	tell(hello);
	tell(json_pack("{s:s}", "type", "connected"));
	misbehave(mode);
	read_feed();
	read_past();
	talk();
	return 0;
}
