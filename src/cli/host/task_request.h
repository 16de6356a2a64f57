/* What the commands for scheduled tasks share. */
#ifndef CLI_HOST_TASK_REQUEST_H
#define CLI_HOST_TASK_REQUEST_H

#include <jansson.h>

#include "cli/command.h"

/* The first line of a text in a reply, safe to print; "" if it is not there. */
char *task_text(const json_t *object, const char *name);

/* "2026-11-17 09:00 Europe/Berlin", or "-". */
char *task_next_run(const json_t *task);

#endif
