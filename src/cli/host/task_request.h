/*
 * The operations of scheduled tasks (host/task_operations.h), for commands: done by the
 * host if it runs, so that it knows at once, and else in the store.
 *
 *	CLEANUP(json_decrefp) json_t *reply = NULL;
 *
 *	if (task_change(json_pack("{s:s, s:s}", "op", "pause_task", …), &reply, err) < 0)
 *		return -1;
 */
#ifndef CLI_HOST_TASK_REQUEST_H
#define CLI_HOST_TASK_REQUEST_H

#include <jansson.h>

#include "cli/command.h"

/*
 * `request` is released. One that looks needs no lock and makes no store; where there is
 * none, the list of all tasks is empty.
 */
int task_change(json_t *request, json_t **ret_reply, struct error *err);
int task_look(json_t *request, json_t **ret_reply, struct error *err);

/* The first line of a text in a reply, safe to print; "" if it is not there. */
char *task_text(const json_t *object, const char *name);

/* "2026-11-17 09:00 Europe/Berlin", or "-". */
char *task_next_run(const json_t *task);

#endif
