/*
 * Does a message call the assistant?
 *
 * It does if it begins with the trigger of its group as a whole word: "@Andy, hello" does,
 * "@Andyman" does not. The case of ASCII letters and white space before it do not matter.
 */
#ifndef HOST_BASE_TRIGGER_H
#define HOST_BASE_TRIGGER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/view.h"

#define TRIGGER_MAX 100

bool trigger_matches(const char *trigger, struct view text);

/* The text after the trigger, trimmed; the whole text if it has no trigger. */
struct view trigger_rest(const char *trigger, struct view text);

/* A trigger is 1 to 100 printable characters without spaces at the ends. */
int trigger_check(const char *trigger, struct error *err);

#endif
