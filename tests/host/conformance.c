/*
 * Does a bridge keep to the protocol? (docs/bridge-protocol.md)
 *
 *	conformance CHAT COMMAND [ARGUMENT...]
 *
 * Plays the host: starts the command in the current folder, and says and asks what a
 * host would. CHAT is a JID that the bridge owns and to which it can really send two
 * short texts. Every claim is one of the protocol's "must".
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "channels/bridge/protocol.h"
#include "format/json.h"
#include "proc/child.h"

#define PATIENCE_MS (5 * 60 * 1000)

struct peer {
	struct child child;
	struct buf input;
	struct tap tap;
	unsigned bad_lines;
};

static void say(struct peer *peer, const char *line)
{
	struct pollfd fd = {peer->child.in, POLLOUT, 0};

	poll(&fd, 1, PATIENCE_MS);
	if (write(peer->child.in, line, strlen(line)) != (ssize_t)strlen(line) ||
		write(peer->child.in, "\n", 1) != 1)
		printf("# it does not read\n");
}

/* The next line; false at the end, or when it says nothing for too long. */
static bool hear(struct peer *peer, struct bridge_line *ret_line)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	char *end;

	while (!(end = memchr(peer->input.data, '\n', peer->input.len))) {
		struct pollfd fd = {peer->child.out, POLLIN, 0};
		ssize_t got;

		if (poll(&fd, 1, PATIENCE_MS) <= 0)
			return false;
		buf_reserve(&peer->input, 65536);
		got = read(peer->child.out, peer->input.data + peer->input.len, 65536);
		if (got <= 0)
			return false;
		buf_set_len(&peer->input, peer->input.len + (size_t)got);
	}
	size_t len = (size_t)(end - peer->input.data);
	int failed = bridge_read((struct view){peer->input.data, len}, ret_line, &err);

	if (failed) {
		printf("# not of the protocol: %.*s: %s\n", (int)(len < 200 ? len : 200),
			peer->input.data, err.message);
		peer->bad_lines++;
	}
	memmove(peer->input.data, end + 1, peer->input.len - len - 1);
	buf_set_len(&peer->input, peer->input.len - len - 1);
	return failed ? hear(peer, ret_line) : true;
}

static void acknowledge(struct peer *peer, const struct bridge_line *line)
{
	CLEANUP(buf_release) struct buf ack = BUF_INIT;
	json_t *document = json_pack("{s:s, s:s, s:s, s:b}", "type", "ack", "chat", line->chat,
		"id", line->id, "stored", 1);

	json_write_ours(document, false, &ack);
	json_decref(document);
	say(peer, ack.data);
}

/* Until a line of this type, and for receipts of this key, comes. */
static bool hear_type(struct peer *peer, enum bridge_type type, const char *key, bool *ret_ok)
{
	for (;;) {
		CLEANUP(bridge_line_release) struct bridge_line line = {0};

		if (!hear(peer, &line))
			return false;
		if (line.type == BRIDGE_MESSAGE)
			acknowledge(peer, &line);
		if (line.type != type || (key && strcmp(line.key, key) != 0))
			continue;
		if (ret_ok)
			*ret_ok = type == BRIDGE_HELLO ? line.remembers_keys : line.ok;
		return true;
	}
}

static void send_text(struct peer *peer, const char *chat, const char *key)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	json_t *document = json_pack("{s:s, s:s, s:s, s:s, s:s, s:b}", "type", "send", "key",
		key, "chat", chat, "text", "conformance", "kind", "answer", "again", 0);

	json_write_ours(document, false, &line);
	json_decref(document);
	say(peer, line.data);
}

static void check_sending(struct peer *peer, const char *chat)
{
	bool ok = false;

	send_text(peer, chat, "conformance-1");
	tap_result(&peer->tap, hear_type(peer, BRIDGE_RECEIPT, "conformance-1", &ok) && ok,
		"a text gets a receipt with its key");
	send_text(peer, chat, "conformance-1");
	tap_result(&peer->tap, hear_type(peer, BRIDGE_RECEIPT, "conformance-1", &ok) && ok,
		"the same key again gets a receipt again");
	send_text(peer, chat, "conformance-2");
	tap_result(&peer->tap, hear_type(peer, BRIDGE_RECEIPT, "conformance-2", &ok) && ok,
		"another key is another text");
}

static int ends(struct peer *peer)
{
	struct pollfd fd = {peer->child.pidfd, POLLIN, 0};

	say(peer, "{\"type\":\"shutdown\"}");
	close(peer->child.in);
	peer->child.in = -1;
	if (poll(&fd, 1, PATIENCE_MS) != 1)
		child_signal(&peer->child, SIGKILL);
	return child_reap(&peer->child);
}

int main(int argc, char **argv)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(bridge_line_release) struct bridge_line first = {0};
	extern char **environ;
	struct peer peer = {.input = BUF_INIT};
	struct child_request request = {
		.argv = (const char *const *)(argv + 2),
		.env = (const char *const *)environ,
		.cwd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	};

	if (argc < 3 || child_start(&request, &peer.child, &err) < 0) {
		fprintf(stderr, "%s\n",
			argc < 3 ? "usage: conformance CHAT COMMAND…" : err.message);
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	tap_result(&peer.tap, hear(&peer, &first) && first.type == BRIDGE_HELLO,
		"'hello' comes first");
	say(&peer, "{\"type\":\"welcome\",\"protocol\":1}");
	tap_result(&peer.tap, hear_type(&peer, BRIDGE_CONNECTED, NULL, NULL),
		"it says when it is connected to its platform");
	say(&peer, "{\"type\":\"ping\"}");
	tap_result(&peer.tap, hear_type(&peer, BRIDGE_PONG, NULL, NULL), "a ping is answered");
	say(&peer, "{\"type\":\"something-new\",\"with\":[1,2]}");
	say(&peer, "{\"type\":\"typing\",\"chat\":\"x\",\"on\":true}");
	say(&peer, "{\"type\":\"ping\"}");
	tap_result(&peer.tap, hear_type(&peer, BRIDGE_PONG, NULL, NULL),
		"lines that it does not know do not disturb it");
	check_sending(&peer, argv[1]);
	tap_result(&peer.tap, ends(&peer) == 0, "it ends with exit code 0 when it is told to");
	tap_result(&peer.tap, peer.bad_lines == 0, "every line is one of the protocol");
	child_release(&peer.child);
	close(request.cwd);
	buf_release(&peer.input);
	return tap_end(&peer.tap);
}
