/*
 * What an agent does on the way to its answer, for `trace`.
 * Nothing depends on these rows; the ledger (ledger.h) is what counts.
 */
#ifndef LEDGER_STEPS_H
#define LEDGER_STEPS_H

#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

/* Of one attempt; what comes behind is not kept. */
#define STEPS_MAX 200

enum step_kind {
	STEP_SAID, /* a text before the answer */
	STEP_TOOL,
};

/* In the latest attempt of the turn. */
int store_step_add(struct store *store, int64_t turn, enum step_kind kind, const char *detail,
	int64_t now, struct error *err);

#endif
