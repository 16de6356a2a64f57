/*
 * The text of the unit that runs the host (systemd.unit(5), systemd.exec(5)).
 *
 * Pure text: nothing is looked up here. A path may hold spaces, quotes, '%', '$' and
 * backslashes; service_unit_can_name() says whether a unit can express a path.
 */
#ifndef CLI_SERVICE_SERVICE_UNIT_H
#define CLI_SERVICE_SERVICE_UNIT_H

#include <stdbool.h>

#include "base/buf.h"

/* The first line of every unit that is ours. */
#define SERVICE_UNIT_MARK "# Written by 'nanoclaw service install'.\n"

struct service_unit {
	const char *root;    /* of the project, absolute */
	const char *program; /* nanoclaw itself, absolute */
	const char *user;    /* that a system's service runs as; NULL: root */
	const char *home;    /* of the user that it runs as, or NULL */
	const char *path;    /* the installing user's PATH, or NULL */
	unsigned systemd;    /* its version, 0 if that is not known */
	bool system;
};

void service_unit_write(const struct service_unit *unit, struct buf *out);

/* The line that says which project a unit is for, with newlines around it. */
void service_unit_place(const char *root, struct buf *out);

/* No control characters, and nothing at its end that the parser would take away. */
bool service_unit_can_name(const char *path);

#endif
