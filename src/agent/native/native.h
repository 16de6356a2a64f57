/*
 * The native agent: a loop around a model.
 *
 *	        a message of the person
 *	                |
 *	                v
 *	 fit.c: does it fit? ---> answer.c: ask the model ---> an answer without calls: the end
 *	        ^                                 |
 *	        |                                 v
 *	        +---- results ------ calls.c: run its calls
 *
 * Every step is recorded in the log (session/history.h) before the next one begins. So after a
 * kill, native_turn() with the same message continues where the killed process stopped.
 */
#ifndef AGENT_NATIVE_NATIVE_H
#define AGENT_NATIVE_NATIVE_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>

#include "agent/native/session/history.h"
#include "agent/native/session/log.h"
#include "agent/native/setup.h"
#include "agent/native/tools/tools.h"
#include "agent/native/wire/ask.h"

struct native {
	const struct setup *setup;
	const volatile sig_atomic_t *stop; /* set: end as soon as possible */
	const char *folder;                /* where it works */
	char *session;
	struct log *log;
	struct history history;
	struct tools *tools;
	json_t *all;       /* the tools that there are … */
	json_t *described; /* … and the ones that the model is offered (offer.h) */
	char *system;      /* its instructions */
	int64_t fixed;     /* the tokens of both, as guessed */
	int64_t learned;   /* the server's window, smaller than the settings say; or 0 */
	struct ask ask;
	const struct native *parent; /* it works for this one and reports only calls; or NULL */
	const json_t *running;       /* the calls that run */
	/* Of the turn: */
	struct reply_usage spent;
	int requests;
	bool told_waiting; /* the person knows that the server is overloaded */
	int squeezed;      /* how often everything became a summary: see MAX_SQUEEZED */
	int repeats;    /* of the last answer's calls, with the same results in between … */
	json_t *called; /* … these calls … */
	json_t *got;    /* … and results; or NULL */
	char *notice;   /* a note to the person besides the answer, or NULL */
};

enum native_outcome {
	NATIVE_ANSWERED,
	NATIVE_FAILED,  /* the same turn can be tried again later */
	NATIVE_REFUSED, /* not before a person has mended something */
	NATIVE_STOPPED, /* likewise; the process is to end */
};

/*
 * Open the log of a session, or a new one (NULL). `adopt` is a message; if an earlier process began
 * it and was killed before it could report its session, that session is continued. ERROR_INVALID:
 * there is no such session.
 */
int native_open(
	struct native *native, const char *session, const char *adopt, struct error *err);

/* For a subagent: the log of this name, new or not. */
int native_open_named(struct native *native, const char *session, struct error *err);

/*
 * Prepares the tools and the instructions, which takes a while: call it before the first
 * message.
 */
int native_prepare(struct native *native, struct error *err);

/* Before each turn: servers may have other tools now. */
void native_refresh(struct native *native);

/* For a subagent: the tools of its parent, without the one that makes subagents. */
void native_prepare_child(struct native *child, const struct native *parent);
void native_release(struct native *native);

/* One turn. `ret_text` is the answer, or the reason for the failure; to be freed. */
enum native_outcome native_turn(struct native *native, const char *text, char **ret_text);

/* A text of more than `max` bytes loses its middle. To be freed. */
char *native_bound(const char *text, size_t max);

/* Is this the first message of the last turn, sent again? */
bool native_is_same_turn(const struct history *history, const char *text);

/* The model's window, as far as it is known. */
int64_t native_window(const struct native *native);

/*
 * The server's window turned out to be smaller; 0: it is unknown again. All sessions of the group
 * go by it, until its file is deleted.
 */
void native_learn_window(struct native *native, int64_t window);

/* Write a record into the log and apply it; a log that cannot be written ends the turn. */
int native_record(struct native *native, json_t *record, bool durable, struct error *err);

/* --- answer.c -------------------------------------------------------------------- */

/*
 * The next answer of the model, in the log. FAILURE_NONE, or the failure; FAILURE_STOPPED
 * with an error if the log cannot be written.
 */
enum failure_kind native_answer(struct native *native, char **ret_detail, struct error *err);

/* --- fit.c ---------------------------------------------------------------------- */

/*
 * Make room until the conversation fits the window. `*ret_squeezed`: all of it is a summary now.
 */
int native_fit(struct native *native, bool *ret_squeezed, struct error *err);

/* A record of a summary of everything before this turn, without asking the model. */
json_t *native_shorter(const struct native *native);

/* --- calls.c --------------------------------------------------------------------- */

/*
 * Run the calls of the last answer that have no result. `*ret_loop`: the model keeps repeating a
 * call even after it was told to stop.
 */
int native_run_calls(struct native *native, bool *ret_loop, struct error *err);

/* --- subagent.c -------------------------------------------------------------------- */

/* The tool by which a model gives work to another agent; `data` is the native. */
int native_subagent(void *data, const json_t *input, struct tool_result *result);

#endif
