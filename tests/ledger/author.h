/*
 * Who wrote which line: `diff --by` against what each line says of itself.
 *
 * The last token of a line is from whoever touched it last. A person's line is never
 * the core's or a skill's; a skill's line is never the core's, and of the skills only
 * one whose package has it. A line that a person moved, or left in a settled conflict,
 * is the person's, whatever it says.
 */
#ifndef LEDGER_AUTHOR_H
#define LEDGER_AUTHOR_H

#include "world.h"

void author_check(struct world *w);

#endif
