/*
 * A question to the person, where there is one.
 */
#ifndef ENGINE_DISK_ASK_H
#define ENGINE_DISK_ASK_H

#include <stdbool.h>
#include <stddef.h>

#include "util/error.h"

struct ask {
	/*
	 * Returns the index of the choice, or -1 with the error set: nobody is there
	 * (ERROR_INVALID), or the person would rather not.
	 */
	int (*choose)(void *data, const char *question, const char *const *choices,
		size_t count, size_t recommended, struct error *err);
	void *data;
	/* Somebody is there to decide: neither a script nor an answer given beforehand. */
	bool in_person;
};

#endif
