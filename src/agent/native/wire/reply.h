/*
 * A model's answer while it arrives, and the complete message at the end.
 *
 *	struct reply reply;
 *
 *	reply_init(&reply, &wire_openai, tools);
 *	reply_feed(&reply, bytes, is_stream);		as often as bytes come
 *	state = reply_end(&reply, whole);
 *	content = TAKE(reply.content);
 *	reply_release(&reply);
 *
 * A wire (wire.h) puts the pieces of its events into parts; reply_end() makes blocks of them,
 * and only if the end of the message was seen. The server's stop reason is not trusted: arguments
 * are complete only if they are one JSON object.
 *
 * Blocks are the same for all wires:
 *
 *	{"type":"text","text":"…"}
 *	{"type":"tool_use","name":"bash","input":{…}}		the caller gives it an id
 *	{"type":"tool_use","name":"bash","input":{},"broken":"why"}	never run
 *	{"type":"thinking",…}, {"type":"redacted_thinking",…}	of Anthropic, to the byte
 *	{"type":"reasoning","field":"reasoning_content","text":"…"}	of others
 *	{"type":"reasoning","field":"reasoning_details","value":[…]}
 *
 * Some local models write a call as text. A text counts as calls only if the whole message
 * consists of them: within the tags <tool_call>…</tool_call>, after [TOOL_CALLS], or as one
 * JSON object with a name and arguments and nothing else; and only of tools that were offered.
 * A call that a model quotes in a sentence is never run.
 */
#ifndef AGENT_NATIVE_WIRE_REPLY_H
#define AGENT_NATIVE_WIRE_REPLY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/view.h"
#include "net/parse/sse.h"

#define REPLY_MAX_EVENT ((size_t)8 * 1024 * 1024)
#define REPLY_MAX_BYTES ((size_t)16 * 1024 * 1024)
#define REPLY_MAX_PARTS 256

enum part_kind {
	PART_TEXT,
	PART_THINKING, /* `field` is NULL for Anthropic's */
	PART_VERBATIM, /* `value` is the block */
	PART_CALL,
};

struct part {
	enum part_kind kind;
	int64_t index;   /* as the server numbers it; -1: it does not */
	char *id;        /* of a call, as the server named it; or NULL */
	char *name;      /* of a call, or NULL */
	char *field;     /* of reasoning: where it stood */
	struct buf text; /* or the arguments of a call */
	struct buf signature;
	json_t *value; /* kept verbatim, or NULL */
};

struct reply_usage {
	bool given;
	int64_t input; /* the whole prompt, including cached tokens */
	int64_t output;
	int64_t cache_read;
	int64_t cache_write;
};

/* Both together, in `total`. */
void reply_usage_add(struct reply_usage *total, const struct reply_usage *more);

enum reply_state {
	REPLY_DONE,  /* `content` is the message */
	REPLY_CUT,   /* it was cut off: ask again */
	REPLY_EMPTY, /* it ended without content: ask again */
	REPLY_ERROR, /* the server reported `error` in the middle */
};

struct wire;

struct reply {
	const struct wire *wire;
	const json_t *tools;                         /* that were offered */
	void (*text)(void *data, struct view piece); /* a piece of text came; or NULL */
	void *data;
	struct sse sse;
	struct buf body; /* of an answer that is not a stream */
	struct part *parts;
	size_t count;
	size_t cap;
	size_t bytes; /* in all parts */
	bool is_stream;
	bool started;
	bool restarted; /* a second beginning was announced */
	bool finished;  /* a reason for the end was given */
	bool ended;     /* the end marker came */
	bool limited;   /* the server reports that the answer reached the maximum length */
	bool paused;    /* … that it is not whole: the model wants to be asked for the rest */
	bool refused;   /* the server reports that the model refused to answer */
	bool damaged;   /* an event cannot be read */
	bool too_long;
	char *error; /* the report of an error in the stream, as JSON; or NULL */
	struct reply_usage usage;
	json_t *content;
};

/* `tools` as in wire.h; it must live as long as the reply. */
void reply_init(struct reply *reply, const struct wire *wire, const json_t *tools);
void reply_release(struct reply *reply);

void reply_feed(struct reply *reply, struct view bytes, bool is_stream);

/* `whole`: the HTTP answer ended as it should. */
enum reply_state reply_end(struct reply *reply, bool whole);

/* --- for wires ------------------------------------------------------------------ */

struct part *reply_add(struct reply *reply, enum part_kind kind, int64_t index);
void reply_drop_parts(struct reply *reply);

/* An event as JSON, to be released; NULL: not an event. Malformed JSON counts as damage. */
json_t *reply_read_event(struct reply *reply, struct view data);

/* More text of a part; for PART_TEXT, this calls the owner's function. */
void reply_append(struct reply *reply, struct part *part, const char *text);

/* The server reported an error with this event. */
void reply_fail(struct reply *reply, const json_t *event);

#endif
