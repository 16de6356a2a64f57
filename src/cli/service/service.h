/*
 * The assistant as a systemd service: a unit file, and systemctl.
 *
 *	service_text(&service, &text)	the content of the file
 *	service_install(&service, true, &installed, err)
 *	service_look(&service, &state, err)
 *	service_remove(&service, err)
 *
 * A unit that NanoClaw did not write is never replaced or removed.
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
 * From the options of a command: the user's service, or the system's. Its name comes from the
 * path of the project, so that no two projects have the same.
 */
int service_find(const struct arguments *args, struct service *ret_service, struct error *err);
void service_release(struct service *service);

/*
 * Call this before service_find() for a unit that will be written. In NanoClaw's own source, the
 * next build would overwrite the program that the unit starts, so that program becomes a build
 * (builds/builds.h), unless there is one. Does nothing if the project belongs to another user.
 */
int service_keep_program(struct error *err);

void service_text(const struct service *service, struct buf *out);

enum service_installed {
	SERVICE_WRITTEN, /* only the file: there is no systemctl, or systemd does not run */
	SERVICE_ENABLED, /* it starts at the next login or boot */
	SERVICE_STARTED,
};

/*
 * Write the unit, enable it for every login or boot and, with `start`, start it now. A running
 * service is restarted. All or nothing: if the manager refuses it, everything is undone.
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
