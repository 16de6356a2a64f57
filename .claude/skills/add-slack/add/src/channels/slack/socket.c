#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/slack/slack.h"
#include "format/json.h"
#include "net/stream/websocket.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define PING_MS      15000
#define MAX_ENVELOPE ((size_t)4 * 1024 * 1024)

struct slack_socket {
	struct slack_socket *next;
	struct slack *slack;
	struct websocket *websocket;
	bool greeted; /* it brings events */
	bool warned;  /* Slack is about to close it */
	bool leaving; /* we are */
};

bool slack_socket_listens(const struct slack *slack)
{
	for (const struct slack_socket *s = slack->sockets; s; s = s->next)
		if (s->greeted && !s->leaving)
			return true;
	return false;
}

bool slack_socket_lasts(const struct slack *slack)
{
	for (const struct slack_socket *s = slack->sockets; s; s = s->next)
		if (!s->warned && !s->leaving)
			return true;
	return false;
}

static void socket_remove(struct slack_socket *socket)
{
	struct slack_socket **at = &socket->slack->sockets;

	while (*at != socket)
		at = &(*at)->next;
	*at = socket->next;
	slack_events_forget_socket(socket->slack, socket);
	free(socket);
}

void slack_socket_drop(struct slack *slack, bool all)
{
	for (struct slack_socket *socket = slack->sockets, *next; socket; socket = next) {
		next = socket->next;
		if (!all && (socket->greeted || socket->leaving))
			continue;
		websocket_drop(socket->websocket);
		socket_remove(socket);
	}
}

void slack_socket_acknowledge(struct slack_socket *socket, const char *envelope)
{
	CLEANUP(json_decrefp) json_t *document = json_pack("{s:s}", "envelope_id", envelope);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	json_write_ours(document, false, &text);
	/* If it cannot be sent, Slack repeats the envelope, and the host knows the message. */
	websocket_send(socket->websocket, WEBSOCKET_TEXT, view_of_buf(&text));
}

/* --- envelopes --------------------------------------------------------------- */

/* The old ones go now: there is one that brings events. */
static void take_hello(struct slack_socket *socket, const json_t *hello)
{
	struct slack *slack = socket->slack;
	bool deaf = !slack_socket_listens(slack);
	int ours = 0;

	for (struct slack_socket *other = slack->sockets; other; other = other->next) {
		ours++;
		if (other == socket || other->leaving)
			continue;
		other->leaving = true;
		websocket_close(other->websocket, 1000);
	}
	if ((int)json_number_value(json_object_get(hello, "num_connections")) > ours)
		log_note(
			"Slack has other connections of this app: another program with its tokens receives some of the messages");
	socket->greeted = true;
	slack_connect_greeted(slack, deaf);
}

static void take_disconnect(struct slack_socket *socket, const json_t *message)
{
	const char *reason = slack_text(message, "reason");

	socket->warned = true;
	if (reason && !strcmp(reason, "link_disabled"))
		slack_connect_refused(socket->slack,
			"Socket Mode is turned off for the app: turn it on at "
			"https://api.slack.com/apps, then restart");
	else
		slack_connect_renew(socket->slack);
}

static void socket_message(void *data, enum websocket_kind kind, struct view text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *message = NULL;
	struct slack_socket *socket = data;
	const char *type;
	const char *envelope;
	json_t *event;

	if (kind != WEBSOCKET_TEXT ||
		json_read(text, "envelope", MAX_ENVELOPE, &message, &err) < 0) {
		log_warning("a message from Slack cannot be read, and is skipped");
		return;
	}
	type = slack_text(message, "type");
	envelope = slack_text(message, "envelope_id");
	event = json_object_get(json_object_get(message, "payload"), "event");
	socket->slack->channel.last_event = timestamp_clock();
	if (type && !strcmp(type, "hello"))
		take_hello(socket, message);
	else if (type && !strcmp(type, "disconnect"))
		take_disconnect(socket, message);
	else if (envelope && json_is_object(event))
		slack_events_add(socket->slack, socket, envelope, event);
	else if (envelope)
		slack_socket_acknowledge(socket, envelope);
}

/* --- connections ------------------------------------------------------------- */

static void socket_opened(void *data)
{
	(void)data; /* 'hello' follows */
}

static void socket_closed(void *data, int code, const char *why)
{
	struct slack_socket *socket = data;
	struct slack *slack = socket->slack;
	bool leaving = socket->leaving;

	(void)code;
	socket_remove(socket);
	if (!leaving)
		slack_connect_lost(slack, why);
}

int slack_socket_open(struct slack *slack, const char *url, struct error *err)
{
	static const struct websocket_handlers handlers = {
		socket_opened, socket_message, socket_closed};
	struct websocket_options options = {
		.url = url, .max_message = MAX_ENVELOPE, .ping_ms = PING_MS};
	struct slack_socket *socket = xcalloc(1, sizeof(*socket));

	socket->slack = slack;
	if (websocket_open(slack->api.network, &options, &handlers, socket, &socket->websocket,
		    err) < 0) {
		free(socket);
		return -1;
	}
	socket->next = slack->sockets;
	slack->sockets = socket;
	return 0;
}
