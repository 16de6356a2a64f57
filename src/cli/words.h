/*
 * Words that people type for a command with another name: "install" for "skill apply".
 */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include "base/error.h"

/*
 * ERROR_INVALID: `first`, or `first second`, is not the name of a command; the hint names the
 * right one, or the skill in the current project that adds it. `second` is the word that follows, or NULL. `before` is what the hint puts before
 * the name: "" or "help ". Returns -1.
 */
int words_unknown(const char *first, const char *second, const char *before, struct error *err);

#endif
