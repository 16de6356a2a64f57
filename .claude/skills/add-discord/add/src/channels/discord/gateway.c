#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/discord/discord.h"
#include "format/json.h"
#include "net/stream/websocket.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define MAX_PAYLOAD ((size_t)16 * 1024 * 1024) /* a large server is described in one */
#define LEAST_BEAT  1000
#define MOST_BEAT   600000

enum opcode {
	OP_DISPATCH = 0,
	OP_HEARTBEAT = 1,
	OP_IDENTIFY = 2,
	OP_RESUME = 6,
	OP_RECONNECT = 7,
	OP_INVALID_SESSION = 9,
	OP_HELLO = 10,
	OP_HEARTBEAT_ACK = 11,
};

/* What the bot is told of: servers, messages and reactions in them and in direct chats, texts. */
#define INTENTS (1 << 0 | 1 << 9 | 1 << 10 | 1 << 12 | 1 << 13 | 1 << 15)

void discord_session_forget(struct discord *discord)
{
	discord_events_outlive(discord);
	free(discord->session.id);
	free(discord->session.url);
	discord->session = (struct discord_session){0};
}

void discord_gateway_drop(struct discord *discord)
{
	uv_timer_stop(&discord->beat_timer);
	if (discord->socket)
		websocket_drop(discord->socket);
	discord->socket = NULL;
}

static void gateway_lost(struct discord *discord, const char *why)
{
	discord_gateway_drop(discord);
	discord_connect_lost(discord, why);
}

/* If it cannot be sent, the socket is about to be lost. */
static void gateway_send(struct discord *discord, enum opcode op, json_t *data)
{
	CLEANUP(json_decrefp) json_t *payload = json_pack("{s:i, s:o}", "op", op, "d", data);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	json_write_ours(payload, false, &text);
	websocket_send(discord->socket, WEBSOCKET_TEXT, view_of_buf(&text));
	explicit_bzero(text.data, text.len); /* some have the token */
}

/* --- heartbeats -------------------------------------------------------------- */

static void gateway_beat(struct discord *discord)
{
	const struct discord_session *session = &discord->session;

	discord->beat_unanswered = true;
	gateway_send(discord, OP_HEARTBEAT,
		session->id && session->done ? json_integer(session->done) : json_null());
}

static void beat_again(uv_timer_t *timer)
{
	struct discord *discord = timer->data;

	if (discord->beat_unanswered)
		gateway_lost(discord, "Discord has stopped answering");
	else
		gateway_beat(discord);
}

/* --- sessions ---------------------------------------------------------------- */

static json_t *identity(const struct discord *discord)
{
	return json_pack("{s:s, s:i, s:{s:s, s:s, s:s}}", "token", discord->api.token,
		"intents", INTENTS, "properties", "os", "linux", "browser", "nanoclaw",
		"device", "nanoclaw");
}

static json_t *resumption(const struct discord *discord)
{
	const struct discord_session *session = &discord->session;

	return json_pack("{s:s, s:s, s:I}", "token", discord->api.token, "session_id",
		session->id, "seq", (json_int_t)session->seq);
}

static void take_hello(struct discord *discord, const json_t *hello)
{
	double ms = json_number_value(json_object_get(hello, "heartbeat_interval"));

	if (!(ms >= LEAST_BEAT && ms <= MOST_BEAT)) {
		gateway_lost(discord, "Discord asked for an invalid heartbeat");
		return;
	}
	discord->beat_ms = (uint64_t)ms;
	discord->beat_unanswered = false;
	/* The first one comes at any time of the interval: not all clients at once. */
	uv_timer_start(&discord->beat_timer, beat_again,
		uv_hrtime() / 1000 % discord->beat_ms + 1, discord->beat_ms);
	if (discord->session.id)
		gateway_send(discord, OP_RESUME, resumption(discord));
	else
		gateway_send(discord, OP_IDENTIFY, identity(discord));
}

static void take_ready(struct discord *discord, const json_t *ready, int64_t seq)
{
	const char *id = discord_text(ready, "session_id");
	const char *url = discord_text(ready, "resume_gateway_url");

	if (!id || !url) {
		gateway_lost(discord, "Discord gave no session");
		return;
	}
	discord_session_forget(discord);
	discord->session = (struct discord_session){xstrdup(id), xstrdup(url), seq, seq};
	if (discord_history_begin(discord) < 0) {
		discord_session_forget(discord);
		gateway_lost(discord, "its session could not be stored");
		return;
	}
	discord_connect_ready(discord);
	discord_history_go_on(discord);
}

static void take_invalid_session(struct discord *discord, bool resumable)
{
	if (!resumable)
		discord_session_forget(discord);
	gateway_lost(discord, resumable ? "Discord is not ready for the session"
					: "Discord has ended the session");
}

/* --- events ------------------------------------------------------------------ */

static void take_event(struct discord *discord, const char *type, int64_t seq, json_t *event)
{
	static const struct {
		const char *type;
		enum discord_event_kind kind;
	} kinds[] = {
		{"MESSAGE_CREATE", DISCORD_MESSAGE},
		{"MESSAGE_REACTION_ADD", DISCORD_REACTION},
		{"MESSAGE_UPDATE", DISCORD_EDIT},
	};
	static const char *const places[] = {
		"CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_CREATE", "THREAD_UPDATE"};

	if (!strcmp(type, "READY")) {
		take_ready(discord, event, seq);
		return;
	}
	if (seq > discord->session.seq)
		discord->session.seq = seq;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(type, kinds[i].type)) {
			discord_events_add(discord, kinds[i].kind, seq, event);
			return;
		}
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (!strcmp(type, places[i]))
			discord_place_learn(discord, event);
	if (!discord->events)
		discord->session.done = discord->session.seq;
	if (!strcmp(type, "RESUMED")) {
		discord_connect_ready(discord);
		discord_history_go_on(discord);
	}
}

static void socket_message(void *data, enum websocket_kind kind, struct view text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *payload = NULL;
	struct discord *discord = data;
	const char *type;
	json_t *content;

	if (kind != WEBSOCKET_TEXT ||
		json_read(text, "payload", MAX_PAYLOAD, &payload, &err) < 0) {
		log_warning("a message from Discord cannot be read, and is skipped");
		return;
	}
	discord->channel.last_event = timestamp_clock();
	type = discord_text(payload, "t");
	content = json_object_get(payload, "d");
	switch ((int)json_number_value(json_object_get(payload, "op"))) {
	case OP_DISPATCH:
		if (type)
			take_event(discord, type,
				(int64_t)json_number_value(json_object_get(payload, "s")),
				content);
		break;
	case OP_HEARTBEAT:
		gateway_beat(discord);
		break;
	case OP_RECONNECT:
		discord_connect_renew(discord);
		break;
	case OP_INVALID_SESSION:
		take_invalid_session(discord, json_is_true(content));
		break;
	case OP_HELLO:
		take_hello(discord, content);
		break;
	case OP_HEARTBEAT_ACK:
		discord->beat_unanswered = false;
		break;
	default:
		break;
	}
}

/* --- the socket -------------------------------------------------------------- */

static void socket_opened(void *data)
{
	(void)data; /* HELLO follows */
}

/* NULL: the connection is tried again. */
static const char *refusal_of_code(int code)
{
	switch (code) {
	case 4010:
	case 4011:
		return "the bot is in so many servers that Discord wants it in several programs, which this channel does not support";
	case 4012:
	case 4013:
		return "Discord no longer takes this version of its gateway: update NanoClaw";
	case 4014:
		return "Discord does not let the bot read messages: at "
		       "https://discord.com/developers/applications, on the page 'Bot', turn "
		       "on 'Message Content Intent', save, then restart";
	default:
		return NULL;
	}
}

static void socket_closed(void *data, int code, const char *why)
{
	struct discord *discord = data;
	const char *refusal = refusal_of_code(code);

	discord->socket = NULL; /* it is gone after this */
	uv_timer_stop(&discord->beat_timer);
	/* The session is none any more: not begun, unknown number, timed out, or refused. */
	if (refusal || code == 4003 || code == 4004 || code == 4007 || code == 4009)
		discord_session_forget(discord);
	if (code == 4004)
		discord_connect_no_token(discord);
	else if (refusal)
		discord_connect_refused(discord, refusal);
	else
		discord_connect_lost(discord, why);
}

int discord_gateway_open(struct discord *discord, const char *url, struct error *err)
{
	static const struct websocket_handlers handlers = {
		socket_opened, socket_message, socket_closed};
	size_t len = strcspn(url, "?");
	CLEANUP(freep)
	char *whole = xasprintf("%.*s%s?v=10&encoding=json", (int)len, url,
		strchr(strstr(url, "://") ? strstr(url, "://") + 3 : url, '/') ? "" : "/");
	struct websocket_options options = {.url = whole, .max_message = MAX_PAYLOAD};

	return websocket_open(
		discord->api.network, &options, &handlers, discord, &discord->socket, err);
}
