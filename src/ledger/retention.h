/*
 * Limits on the size of the store. Rows that nothing depends on are deleted when they are too
 * old or when their group has too many; docs/host.md has the policy.
 *
 *	messages	answered, or not to be answered: RETENTION_DAYS, and of each group
 *			the newest RETENTION_MESSAGES and RETENTION_BYTES of text
 *	turns		with their steps and texts, when their messages are gone
 *	task runs	ended: RETENTION_DAYS, and of each task the newest TASK_RUNS_MAX
 *	texts		sent or given up, and without a turn: RETENTION_DAYS
 *
 * A message that waits for its answer, or a text that waits to be sent, is never deleted.
 */
#ifndef LEDGER_RETENTION_H
#define LEDGER_RETENTION_H

#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

#define RETENTION_DAYS     365
#define RETENTION_MESSAGES 50000
#define RETENTION_BYTES    (INT64_C(256) * 1024 * 1024)

/* Maximum rows of each kind that are deleted at a time: the host waits meanwhile. */
#define RETENTION_BATCH 5000

/* The limits are checked after this many new rows. */
#define RETENTION_EVERY 1000

int store_retain(struct store *store, int64_t now, struct error *err);

#endif
