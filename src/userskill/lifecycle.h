/*
 * The life of a skill:
 *
 *	Observed -> Proposed -> Approved -> Active <-> Refined
 *	   |            |           |          |          |
 *	   +------------+-----------+----------+----------+--> Retired -> Active
 *
 * It was seen in what people do, proposed, approved by somebody, and is in use; with what
 * was learned it is refined, and stays in use; at the end it is retired. A retired one can
 * be taken up again. There are no other ways, whoever asks; a new skill can begin anywhere.
 *
 * In use are Active and Refined.
 */
#ifndef USERSKILL_LIFECYCLE_H
#define USERSKILL_LIFECYCLE_H

#include <stdbool.h>

#include "userskill/skill.h"
#include "util/error.h"

bool lifecycle_usable(enum skill_status status);
bool lifecycle_allows(enum skill_status from, enum skill_status to);

/* ERROR_INVALID with the ways that there are. */
int lifecycle_require(
	const char *id, enum skill_status from, enum skill_status to, struct error *err);

#endif
