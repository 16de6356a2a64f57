/*
 * The texts of a request (operations.h).
 */
#ifndef HOST_REQUEST_TEXT_H
#define HOST_REQUEST_TEXT_H

#include <jansson.h>
#include <stdbool.h>

#include "util/error.h"

/*
 * NULL if it is not there and not needed. One that is there is not empty, and has no NUL in
 * it; ERROR_INVALID otherwise.
 */
int request_text(const json_t *request, const char *name, bool needed, const char **ret_text,
	struct error *err);

#endif
