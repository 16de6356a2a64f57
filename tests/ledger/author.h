/*
 * Who wrote which line: compares `diff --by` with the tokens in each line.
 *
 * The last token of a line names the last one who changed it. A person's line never counts as
 * the core's or a skill's. A skill's line never counts as the core's, and only as that of a
 * skill whose package has it. A line that a person moved, or kept when resolving a conflict, is
 * the person's, whatever its tokens say.
 */
#ifndef LEDGER_AUTHOR_H
#define LEDGER_AUTHOR_H

#include "world.h"

void author_check(struct world *w);

#endif
