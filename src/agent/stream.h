/*
 * `stream-json`, the lines that Claude Code and programs like it speak.
 *
 * To the agent goes one line per turn:
 *
 *	{"type":"user","message":{"role":"user","content":[{"type":"text","text":"…"}]}, …}
 *
 * and from it come events, of which these matter here:
 *
 *	{"type":"system","subtype":"init","session_id":"…"}
 *	{"type":"assistant","message":{"content":[{"type":"text","text":"…"}]}}
 *	{"type":"result","subtype":"success","is_error":false,"result":"…","session_id":"…"}
 *	{"type":"result","subtype":"error…","is_error":true,"errors":["…"]}
 *
 *	{"type":"user","isReplay":true, …}
 *
 * A result ends the turn. The last one comes at its beginning, from agents that were
 * started with --replay-user-messages. Events that are not known are taken for a sign of life.
 */
#ifndef AGENT_STREAM_H
#define AGENT_STREAM_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/view.h"

#define STREAM_MAX_LINE    ((size_t)8 * 1024 * 1024)
#define STREAM_MAX_SESSION 200

enum stream_kind {
	STREAM_GARBAGE, /* no event at all */
	STREAM_INIT,
	STREAM_TEXT,
	STREAM_RESULT,
	STREAM_ECHO, /* it has taken up what it was told */
	STREAM_OTHER,
};

struct stream_event {
	enum stream_kind kind;
	char *session_id; /* or NULL */
	char *text;       /* of a text or a result; never NULL for these */
	bool is_error;    /* of a result */
};

/* Never fails: what is no event is garbage. */
struct stream_event stream_read(struct view line);
void stream_event_release(struct stream_event *event);

/* Append the line for a turn, with its newline. `text` is UTF-8. */
void stream_write_turn(struct view text, struct buf *out);

#endif
