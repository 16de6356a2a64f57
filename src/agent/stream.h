/*
 * `stream-json`: the lines that Claude Code and similar programs read and write.
 *
 * The agent gets one line per turn:
 *
 *	{"type":"user","message":{"role":"user","content":[{"type":"text","text":"…"}]}, …}
 *
 * and writes events. These matter here:
 *
 *	{"type":"system","subtype":"init","session_id":"…"}
 *	{"type":"assistant","message":{"content":[{"type":"text","text":"…"},
 *		{"type":"tool_use","name":"Bash","input":{…}}]}}
 *	{"type":"stream_event","event":{"delta":{"type":"text_delta","text":"…"}}}
 *	{"type":"result","subtype":"success","is_error":false,"result":"…","session_id":"…"}
 *	{"type":"result","subtype":"error…","is_error":true,"errors":["…"]}
 *	{"type":"result","is_error":true,"result":"…","retry":false}
 *
 *	{"type":"user","isReplay":true, …}
 *
 * A result ends the turn; "usage" and "total_cost_usd" are its cost. The text of an error is for
 * the log if it is in "errors", and for the person if it is in "result"; "retry": false means that
 * another attempt would fail in the same way. Pieces of a text ("stream_event") come before the
 * whole text. Agents that were started with --replay-user-messages send the last event, an echo of
 * their input, at the beginning of a turn. Unknown events count as a sign of life.
 */
#ifndef AGENT_STREAM_H
#define AGENT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/view.h"

#define STREAM_MAX_LINE    ((size_t)8 * 1024 * 1024)
#define STREAM_MAX_SESSION 200
#define STREAM_MAX_TOOLS   ((size_t)64 * 1024)

enum stream_kind {
	STREAM_GARBAGE, /* not an event */
	STREAM_INIT,
	STREAM_TEXT,    /* and the tools that it uses */
	STREAM_PARTIAL, /* a piece of a text, before the whole */
	STREAM_RESULT,
	STREAM_ECHO, /* the agent has read the input that it was sent */
	STREAM_OTHER,
};

struct stream_usage {
	bool given;
	int64_t input_tokens;
	int64_t output_tokens;
	int64_t cache_read_tokens;
	int64_t cache_write_tokens;
	int64_t cost_micro_usd;
};

struct stream_event {
	enum stream_kind kind;
	char *session_id;          /* or NULL */
	char *text;                /* of a text, a piece or a result; never NULL for these */
	char *tools;               /* of a text: "NAME INPUT" in a line each, or NULL */
	bool is_error;             /* of a result */
	bool is_said;              /* of an error: the text is for the person */
	bool is_final;             /* of an error: another attempt would not help */
	struct stream_usage usage; /* of a result */
};

/* Never fails: anything that is not an event is garbage. */
struct stream_event stream_read(struct view line);
void stream_event_release(struct stream_event *event);

/* Append the line for a turn, with its newline. `text` is UTF-8. */
void stream_write_turn(struct view text, struct buf *out);

#endif
