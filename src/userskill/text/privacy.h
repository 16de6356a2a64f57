/*
 * Mail addresses and phone numbers in a skill: skills are shared, and the addresses may be real.
 *
 * Every line is checked, including code and comments. Reserved domains (example.com, .test,
 * .invalid and the like) and reserved numbers (555-01xx) are for examples, and not a fault.
 */
#ifndef USERSKILL_TEXT_PRIVACY_H
#define USERSKILL_TEXT_PRIVACY_H

#include "base/view.h"
#include "userskill/text/faults.h"

/* A warning for each, with this line. */
void privacy_check(struct view line, size_t number, struct skill_faults *faults);

#endif
