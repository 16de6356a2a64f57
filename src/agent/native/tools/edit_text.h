/* The replacement that the tool "edit" makes, in memory. */
#ifndef AGENT_NATIVE_TOOLS_EDIT_TEXT_H
#define AGENT_NATIVE_TOOLS_EDIT_TEXT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

/* The result may be longer than the file, but not without end. */
#define EDIT_TEXT_MAX ((size_t)64 * 1024 * 1024)

struct edit_request {
	struct view old;
	struct view new;
	bool all; /* else more than one match is an error, which names the lines */
};

/* `note` gets a description: "replaced 2 matches, lines 3 and 7". */
int edit_text(struct view text, const struct edit_request *edit, struct buf *ret_text,
	struct buf *note, struct error *err);

#endif
