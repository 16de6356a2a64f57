/*
 * The conversation of a session, as the records of its log make it. A record is applied in the
 * same way when it is written and when it is read again, so there is one truth.
 *
 *	history_init(&history, "c1f0…");
 *	log_open(…, history_take, &history, &log, err)		all that were written
 *	history_add(&history, log, record, durable, err)	one more
 *
 * Records, and what they do:
 *
 *	{"type":"turn","text":"…"}			a person's message begins a turn
 *	{"type":"answer","content":[…],"api":…,"model":…,"usage":{…},"estimate":N,
 *		"limited":true}				the limit of the output has cut it; or
 *							"paused":true, it is to go on
 *	{"type":"go-on"}				… which the model is asked for
 *	{"type":"run","id":"…"}				this call begins: it may have happened
 *	{"type":"result","id":"…","text":"…",…}		it has ended
 *	{"type":"prune","ids":["…"]}			old results become a line each
 *	{"type":"summary","from":N,"text":"…"}		takes the place of the first N messages
 *	{"type":"learned","quirks":{…}}			about the server
 *	{"type":"repair"}				it was mended (check.h)
 *	{"type":"end","text":"…"}			the turn is answered
 *
 *	        turn                 answer with calls
 *	[idle] ------> [asking] <---------------------> [running]  run, result … for each call
 *	   ^               |          all results
 *	   |   end         | answer without calls
 *	   +---------------+
 *
 * Messages are {"role":"user","text"}, {"role":"assistant","content":[blocks of wire/reply.h],
 * "api","model"} and {"role":"results","results":[{"id","text","is_error","image_type",
 * "image"}]}.
 *
 * A turn that begins while another is open closes the open one: each call without a result gets one
 * that says so.
 */
#ifndef AGENT_NATIVE_SESSION_HISTORY_H
#define AGENT_NATIVE_SESSION_HISTORY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/native/session/log.h"
#include "base/error.h"

#define HISTORY_ID_SIZE 10

/* Asks for the rest of an answer that has paused. */
#define HISTORY_GO_ON "(Go on exactly where you stopped.)"

struct history {
	json_t *messages;
	json_t *begun;     /* ids of calls that have begun and have no result */
	char *turn_text;   /* of the last turn, or NULL */
	char *answer;      /* or NULL: it is open */
	size_t turn_at;    /* the index of its message */
	uint64_t first_id; /* ids count up from this */
	uint64_t calls;    /* how many ids were given */
	size_t turns;
	int64_t known;     /* tokens that the server counted … */
	size_t known_upto; /* … in this many messages, plus the instructions; 0: unknown */
	int64_t largest;   /* prompt that the server has reported */
	double factor;     /* tokens of this model for each one that we guess */
	char *model;       /* what follows is about this one; NULL: nothing is known yet */
	json_t *quirks;    /* what its server refuses (wire.h); or NULL */
};

void history_init(struct history *history, const char *session);
void history_release(struct history *history);

/* A log_function; `data` is the history. */
void history_take(void *data, json_t *record);

/* Write a record, which is released, and apply it. Without a log it is only applied. */
int history_add(struct history *history, struct log *log, json_t *record, bool durable,
	struct error *err);

/* Switch to another model: forget what was learned about the previous one. */
void history_use_model(struct history *history, const char *model);

/* The messages as a record of a summary would leave them; to be released. */
json_t *history_preview(const struct history *history, json_t *summary);

/* Calls of the last answer that have no result yet; to be released. */
json_t *history_open_calls(const struct history *history);
bool history_has_begun(const struct history *history, const char *id);

/* The id of the call that comes `ahead` calls from now. */
void history_id(
	const struct history *history, size_t ahead, char ret_id[static HISTORY_ID_SIZE]);

#endif
