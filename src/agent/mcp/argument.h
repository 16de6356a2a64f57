/*
 * An argument of a tool. One table gives both the schema that is published and the check that
 * is made, so that neither can promise what the other does not hold.
 *
 * An argument that is only of use to groups with some right is published to these alone. The
 * check takes it from all: whether it is allowed is for the host to say.
 */
#ifndef AGENT_MCP_ARGUMENT_H
#define AGENT_MCP_ARGUMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"

enum argument_type {
	ARGUMENT_TEXT,
	ARGUMENT_ID, /* a text or a whole number */
	ARGUMENT_NUMBER,
	ARGUMENT_FLAG,
	ARGUMENT_TEXTS,
	ARGUMENT_ANY,
};

struct argument {
	const char *name;
	enum argument_type type;
	bool required;
	const char *description;
	size_t max;               /* of texts: characters; 0: ARGUMENT_USUAL_MAX */
	const char *pattern;      /* of a text: means the same to POSIX and to JavaScript */
	const char *const *words; /* the texts that it can be, ending with NULL */
	int64_t least, most;      /* of a number */
	const char *right;        /* NULL: for everybody */
};

#define ARGUMENT_USUAL_MAX 256

/* Entries of ARGUMENT_TEXTS. */
#define ARGUMENT_MAX_TEXTS 100

json_t *argument_schema(const struct argument *argument);

/* Adds to `faults` what is wrong with the value, as a sentence; false if there was something.
 */
bool argument_check(const struct argument *argument, const json_t *value, struct buf *faults);

#endif
