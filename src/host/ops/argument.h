/*
 * An argument of an operation (operation.h). One row defines both the schema that an MCP tool
 * publishes and the check of every call, so the two always agree.
 *
 * A model's call must match the schema. A direct call, by a command or by an agent that uses its
 * socket itself, may also give a whole number for a text, and longer texts; which words a text can
 * be is up to the operation.
 *
 * An argument that only callers with some right can use is published to these alone. The check
 * takes it from all: the operation says whether it is allowed.
 */
#ifndef HOST_OPS_ARGUMENT_H
#define HOST_OPS_ARGUMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "host/ops/rights.h"

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
	enum right right;         /* RIGHT_NONE: for everybody */
	bool direct;              /* not an argument of the MCP tool */
	bool empty;               /* a direct call may give an empty text */
	bool secret;              /* the audit log leaves its value out */
};

#define ARGUMENT_USUAL_MAX 256

/* A direct call may have this many bytes for each character that a model's call may have. */
#define ARGUMENT_DIRECT_FACTOR 4

/* Entries of ARGUMENT_TEXTS in a model's call. */
#define ARGUMENT_MAX_TEXTS 100

json_t *argument_schema(const struct argument *argument);

/*
 * The value for the operation, a new reference: whole numbers that stand for texts are texts.
 * NULL, with the reason added to `faults`, if it is wrong. `model`: it must match the schema.
 */
json_t *argument_read(
	const struct argument *argument, json_t *value, bool model, struct buf *faults);

#endif
