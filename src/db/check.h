/*
 * Checks whether a store is sound and whether anything in it needs attention. Both checks only
 * read, so they work whether or not the host is running.
 */
#ifndef DB_CHECK_H
#define DB_CHECK_H

#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

struct store_check {
	char *fault;     /* SQLite's first complaint; NULL: none */
	int64_t orphans; /* rows that refer to missing rows */
	int64_t newest;  /* when the newest message came; 0: there are no messages */
};

#define STORE_CHECK_INIT ((struct store_check){0})

int store_check(struct store *store, struct store_check *ret_check, struct error *err);
void store_check_release(struct store_check *check);

struct store_troubles {
	int64_t dead;         /* texts given up since `since` */
	int64_t dead_turn;    /* the turn of the latest; 0: it has none */
	int64_t old_turns;    /* open ones that began before `before` */
	int64_t old_turn;     /* the first of them */
	int64_t failed_tasks; /* active ones whose last run has failed */
	char *failed_task;    /* the first of them, or NULL */
	int64_t retried;      /* texts that were tried three times and more, and wait */
};

#define STORE_TROUBLES_INIT ((struct store_troubles){0})

/* Times in milliseconds. */
int store_troubles(struct store *store, int64_t since, int64_t before,
	struct store_troubles *ret_troubles, struct error *err);
void store_troubles_release(struct store_troubles *troubles);

#endif
