/*
 * The assistant as a service of systemd: a unit file, and systemctl.
 *
 *	service_text(&service, &text)	what the file says
 *	service_install(&service, true, &installed, err)
 *	service_look(&service, &state, err)
 *	service_remove(&service, err)
 *
 * A unit that was not written by us is never replaced or removed.
 */
#ifndef CLI_SERVICE_SERVICE_H
#define CLI_SERVICE_SERVICE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/command.h"

struct service {
	char *root;    /* of the project */
	char *program; /* nanoclaw itself */
	char *folder;  /* of the unit */
	char *unit;    /* "nanoclaw-folder-0a1b2c.service" */
	char *user;    /* that a system's service runs as; NULL: as root, or as the user */
	char *home;    /* of the user that it runs as, or NULL */
	bool system;
};

extern const struct option service_options[];

/*
 * From the options of a command: the user's, or the system's. Its name comes from the
 * path of the project, so that two projects never have the same.
 */
int service_find(const struct arguments *args, struct service *ret_service, struct error *err);
void service_release(struct service *service);

/*
 * Before service_find() for a unit that is written: in NanoClaw's own source, the next build
 * would overwrite the program that it starts. So that becomes a build (builds/builds.h), unless
 * there is one. Nothing happens if the project is another user's.
 */
int service_keep_program(struct error *err);

void service_text(const struct service *service, struct buf *out);

enum service_installed {
	SERVICE_WRITTEN, /* the file alone: there is no systemctl, or systemd does not run */
	SERVICE_ENABLED, /* it starts at the next login or boot */
	SERVICE_STARTED,
};

/*
 * Write the unit, have it started at every login or boot and, with `start`, now. One
 * that runs is started again. All or nothing: what the manager refuses is taken back.
 */
int service_install(const struct service *service, bool start, enum service_installed *ret,
	struct error *err);

#define SERVICE_WORD_SIZE 32

struct service_state {
	bool installed;
	bool current;                   /* as it would be written now */
	char active[SERVICE_WORD_SIZE]; /* as systemctl says: "active", "failed"; "unknown"
					   without it */
	char enabled[SERVICE_WORD_SIZE];
};

int service_look(
	const struct service *service, struct service_state *ret_state, struct error *err);

/* Stop the service and delete its unit. ERROR_INVALID if there is none. */
int service_remove(const struct service *service, struct error *err);

#endif
