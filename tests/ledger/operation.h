/*
 * What nanoclaw is asked to do, at random, with everything that has to hold afterwards.
 */
#ifndef LEDGER_OPERATION_H
#define LEDGER_OPERATION_H

#include "world.h"

/* Apply or update some skills; a pause is settled, or aborted. */
void operation_apply(struct world *w);

/* A session of customizing, from its start to its end. */
void operation_customize(struct world *w);

/* A recorded patch once more, maybe after a person put back files that it changed. */
void operation_reapply(struct world *w);

#endif
