/*
 * The life of a skill:
 *
 *	Observed -> Proposed -> Approved -> Active <-> Refined
 *	   |            |           |          |          |
 *	   +------------+-----------+----------+----------+--> Retired -> Active
 *
 * A skill is observed in what people do, proposed, approved by a person, and then active.
 * Refined means improved with feedback. A retired skill can become active again. No other
 * change is possible for anybody; a new skill can begin with any status.
 *
 * Active and Refined skills are in use.
 */
#ifndef USERSKILL_LIFECYCLE_H
#define USERSKILL_LIFECYCLE_H

#include <stdbool.h>

#include "base/error.h"
#include "userskill/text/skill.h"

bool lifecycle_usable(enum skill_status status);
bool lifecycle_allows(enum skill_status from, enum skill_status to);

/* ERROR_INVALID, with the possible changes. */
int lifecycle_require(
	const char *id, enum skill_status from, enum skill_status to, struct error *err);

/*
 * A new text of a skill may state a status. `before` is the current status of the skill, and
 * `stated` the status that the earlier text stated: the status changes only if the new text states
 * another one. False: that change is not possible, and the status stays.
 */
bool lifecycle_stated(enum skill_status before, enum skill_status stated,
	enum skill_status states, enum skill_status *ret_status);

#endif
