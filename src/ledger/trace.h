/*
 * What happened to a message, step by step; and the state of things in numbers.
 * Both read the ledger only, so they work with the host down.
 */
#ifndef LEDGER_TRACE_H
#define LEDGER_TRACE_H

#include <stdint.h>

#include "base/error.h"
#include "db/store.h"
#include "ledger/usage.h"

struct trace_step {
	char *time;
	char *what;   /* "received", "claimed", "attempt", "answered", "sent", … */
	char *detail; /* for people; may be NULL */
};

struct trace {
	int64_t turn;  /* 0: not in a turn yet */
	char *message; /* its id, or NULL */
	char *chat;
	char *group;
	char *state;
	struct usage_figures used; /* by all requests of the turn */
	struct trace_step *steps;
	size_t count;
	size_t cap;
};

#define TRACE_INIT ((struct trace){0})

void trace_release(struct trace *trace);

/*
 * `word` is the id of a turn as shown to people ("t12"), or the id of a message. An unknown id
 * is ERROR_INVALID; if several messages match, the latest one counts.
 */
int trace_find(
	struct store *store, const char *word, struct trace *ret_trace, struct error *err);

/* A turn in a list; the caller frees its strings. */
struct trace_turn {
	int64_t turn;
	char *time;
	char *group;
	char *state; /* "claimed", "answered", "delivered", or "failed" */
	char *text;  /* the first message that it answers, or the text of a task */
};

struct trace_turns {
	struct trace_turn *list;
	size_t count;
	size_t cap;
};

void trace_turns_release(struct trace_turns *turns);

/* The last `max`, the latest first. */
int trace_recent(
	struct store *store, int64_t max, struct trace_turns *ret_turns, struct error *err);

struct store_summary {
	int64_t groups;
	int64_t messages;
	int64_t waiting;     /* messages that wait for an answer and are in no turn */
	int64_t turns;       /* open ones */
	int64_t undelivered; /* rows of the outbox */
	int64_t dead;
	int64_t tasks;    /* active ones */
	int64_t next_run; /* of these, the first; INT64_MAX: none */
};

int store_summarize(struct store *store, struct store_summary *ret_summary, struct error *err);

#endif
