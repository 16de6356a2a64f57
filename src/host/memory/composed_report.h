/*
 * Compose groups on request, and report what that changed or would change. As an operation of the
 * host (operations.h), or without one, with the store locked.
 *
 *	changed		how many changes there are
 *	shared		changes of what all groups share: [{path, action, reason}]
 *	groups		[{folder, changes: [{path, action, reason}], warnings, error?, kind?}]
 *	warnings	what of the shared files is left out
 *
 * A group that cannot be composed has an `error` of the kind "invalid" or "failed"; the other
 * groups are still composed.
 */
#ifndef HOST_MEMORY_COMPOSED_REPORT_H
#define HOST_MEMORY_COMPOSED_REPORT_H

#include <jansson.h>

#include "base/error.h"
#include "host/base/registry.h"

/* `folder` may be NULL: all groups. `flags` are those of compose_group(). */
int composed_report(const struct registry *registry, const char *folder, unsigned flags,
	json_t *reply, struct error *err);

#endif
