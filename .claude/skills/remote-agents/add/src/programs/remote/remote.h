/*
 * nanoclaw-remote: the engine of sandboxes of the kind `remote`, on the host. People do not run it,
 * except `check`; docs/remote-agents.md explains how it works.
 *
 *	nanoclaw-remote run LABELS... spec=FD	an agent on a machine that the driver finds
 *	nanoclaw-remote inspect … NAME		is this run still there?
 *	nanoclaw-remote rm --force NAME		ends it
 *	nanoclaw-remote check			are the settings right, and does the driver work?
 *
 * Its folder is that of the project, with sandboxes/remote.json:
 *
 *	{"driver": ["sandboxes/driver"], "image": "nanoclaw-agent:latest", "lease_seconds": 30}
 *
 * run ends with the agent's exit code; SANDBOX_NO_PLACE and SANDBOX_LOST mean what
 * sandbox/sandbox.h says, and an agent's own 75 and 76 become 1.
 */
#ifndef PROGRAMS_REMOTE_REMOTE_H
#define PROGRAMS_REMOTE_REMOTE_H

#include <jansson.h>

#include "base/error.h"
#include "base/string_array.h"

#define REMOTE_SETTINGS "sandboxes/remote.json"

struct remote_settings {
	struct string_array driver;
	char *image;
	int64_t lease_ms;
};

int remote_settings_read(struct remote_settings *ret_settings, struct error *err);

/* The driver with this verb and argument: its exit code, or -1. */
int remote_drive(const struct remote_settings *settings, const char *verb, const char *argument,
	struct buf *ret_output, struct error *err);

/* Returns the exit code; -1 is a failure of the agent. */
int remote_run(const struct remote_settings *settings, json_t *spec, struct error *err);

#endif
