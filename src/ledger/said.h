/*
 * What was said in a group, by people and by the assistant: the messages that came in and
 * the rows of the outbox, in the order of their times.
 */
#ifndef LEDGER_SAID_H
#define LEDGER_SAID_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

struct said {
	char *time;
	char *who;  /* the sender's name; NULL: the assistant */
	char *kind; /* "message", "answer", "error", "notice" */
	char *text;
	int64_t turn; /* 0: none */
};

struct said_list {
	struct said *list;
	size_t count;
	size_t cap;
};

void said_list_release(struct said_list *said);

/* The last `max`, the oldest of them first. What waits to be delivered is not among them. */
int store_said(struct store *store, const char *folder, int64_t max, struct said_list *ret_said,
	struct error *err);

#endif
