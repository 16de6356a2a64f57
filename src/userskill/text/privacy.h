/*
 * Mail addresses and phone numbers in a skill: it is handed on, and they are somebody's.
 *
 * Looked at is every line, code and comments too. Addresses of domains that are nobody's
 * (example.com, .test, .invalid and the like) and numbers that are nobody's (555-01xx) are
 * for examples, and no fault.
 */
#ifndef USERSKILL_TEXT_PRIVACY_H
#define USERSKILL_TEXT_PRIVACY_H

#include "base/view.h"
#include "userskill/text/faults.h"

/* A warning for each, with this line. */
void privacy_check(struct view line, size_t number, struct skill_faults *faults);

#endif
