/*
 * How good a skill is, from 0 to 1, by what became of its uses.
 *
 *	completion	uses that ended well, of all that ended
 *	feedback	the mean score of the answers
 *	score		the mean of both; completion alone while nobody has answered
 *
 * Few uses say little: the score is drawn towards one half as if there had been two more
 * uses, one good and one bad. A skill that nobody has used has none.
 */
#ifndef USERSKILL_SCORE_H
#define USERSKILL_SCORE_H

#include <stdbool.h>

#include "userskill/user_skill_uses.h"

/* False: there is none. */
bool skill_score(const struct skill_numbers *numbers, double *ret_score);

#endif
