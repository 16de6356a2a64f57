/*
 * Completions for shells, made from the descriptors of the commands.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "util/buf.h"

struct completion_shell {
	const char *name;
	void (*print)(struct buf *out);
};

/* The shells that are known, ending with an empty one. */
extern const struct completion_shell completion_shells[];

#endif
