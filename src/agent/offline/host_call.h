/*
 * Ask the host for something, through the socket of this group (NANOCLAW_SOCKET).
 *
 *	if (host_call(json_pack("{s:s}", "op", "list_groups"), &reply, err) < 0)
 *		return -1;
 *
 * If the host refuses, its reason is the error, with its hint.
 */
#ifndef AGENT_OFFLINE_HOST_CALL_H
#define AGENT_OFFLINE_HOST_CALL_H

#include <jansson.h>

#include "base/error.h"

/* `request` is released. */
int host_call(json_t *request, json_t **ret_reply, struct error *err);

#endif
