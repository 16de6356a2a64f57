/*
 * Words that people type for a command that has another name: "install" for "skill apply".
 */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include "base/error.h"

/*
 * ERROR_INVALID: `typed` is not the name of a command, with a hint at the right one. `before`
 * is what the hint puts before that name: "" or "help ". Returns -1.
 */
int words_unknown(const char *typed, const char *before, struct error *err);

#endif
