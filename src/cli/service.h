/*
 * The assistant as a service of systemd: a unit file, and systemctl.
 *
 *	service_unit(&service, &text)	what the file says
 *	service_install(&service, true, err)
 *	service_look(&service, &state, err)
 *	service_remove(&service, err)
 *
 * A unit that was not written by us is never replaced or removed.
 */
#ifndef CLI_SERVICE_H
#define CLI_SERVICE_H

#include <stdbool.h>
#include <sys/types.h>

#include "cli/command.h"
#include "util/buf.h"
#include "util/error.h"

struct service {
	char *root;    /* of the project */
	char *program; /* nanoclaw itself */
	char *folder;  /* of the unit */
	char *unit;    /* "nanoclaw.service" */
	char *user;    /* that a system's service runs as */
	bool system;
};

extern const struct option service_options[];

/* From the options of a command: the user's, or the system's. */
int service_find(const struct arguments *args, struct service *ret_service, struct error *err);
void service_release(struct service *service);

void service_unit(const struct service *service, struct buf *out);

/* Write the unit and, with `start`, start it now and at every boot. All or nothing. */
int service_install(const struct service *service, bool start, struct error *err);

struct service_state {
	bool installed;
	char active[32]; /* as systemctl says: "active", "failed"; "unknown" without it */
	char enabled[32];
};

int service_look(
	const struct service *service, struct service_state *ret_state, struct error *err);

/* Stop it, and delete the unit. ERROR_INVALID if there is none. */
int service_remove(const struct service *service, struct error *err);

#endif
