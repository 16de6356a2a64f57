/*
 * A question to the person at the terminal, if there is one.
 */
#ifndef ENGINE_DISK_ASK_H
#define ENGINE_DISK_ASK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct ask {
	/*
	 * Returns the index of the choice, or -1 with the error set: not a terminal
	 * (ERROR_INVALID), or the person declined.
	 */
	int (*choose)(void *data, const char *question, const char *const *choices,
		size_t count, size_t recommended, struct error *err);
	/* Show a question that an option has already answered; may be NULL. */
	void (*show)(void *data, const char *text);
	void *data;
	/* A person answers, not a script or an option. */
	bool in_person;
};

#endif
