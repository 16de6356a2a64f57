/*
 * Calling operations (operation.h), for a person at the terminal or an agent.
 *
 * A request is an object with the name of the operation in "op" and its arguments beside it;
 * "id", if there is one, comes back in the reply. A reply has "ok"; if that is false also
 * "error", "kind" (failed, invalid, busy or unknown), and perhaps "hint".
 *
 * An operation does everything or nothing.
 */
#ifndef HOST_OPS_OPERATIONS_H
#define HOST_OPS_OPERATIONS_H

#include "host/ops/operation.h"

/* Returns the reply, never NULL. */
json_t *operations_call(
	struct operations_desk *host, const struct actor *actor, const json_t *request);

/*
 * The same without a running host, for a command that has the store to itself, or only looks.
 * Operations that need a running host fail.
 */
json_t *operations_call_alone(const struct registry *registry, const struct settings *settings,
	const struct actor *actor, const json_t *request);

/*
 * The operation that a request is for, and its arguments, also of a tool that it calls. NULL if
 * there is no such operation or tool.
 */
const struct operation *operations_find(const json_t *request, json_t **ret_arguments);

#endif
