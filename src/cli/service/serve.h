/*
 * Runs the host of a project until it is stopped; for the commands that are a host.
 */
#ifndef CLI_SERVICE_SERVE_H
#define CLI_SERVICE_SERVE_H

#include "cli/assistant/assistant.h"

/* How long a host must run until a new build has proved itself: a setting, and its default. */
#define SETTLE_SETTING "NANOCLAW_SETTLE_SECONDS"
#define SETTLE_SECONDS 90
#define SETTLE_MAX     3600

/*
 * Waits if a command holds the lock for a moment; ERROR_BUSY if another host holds it. `ready`
 * is called when everything is open. To restart, the host becomes the current build
 * (current_build.h).
 */
int serve(const struct cli *cli, struct assistant *assistant, void (*ready)(void *data),
	void *data, struct error *err);

/* --- a host beside us ---------------------------------------------------------- */

struct server {
	int pid;   /* 0: none */
	bool stay; /* it keeps running when we have ended */
};

#define SERVER_INIT ((struct server){0})

/*
 * Start a host in its own process, and wait until it is ready. It logs to logs/host.log. Unless
 * `stay`, it stops when this process ends for any reason: the kernel signals it
 * (PR_SET_PDEATHSIG), so no signal has to be caught here.
 */
int server_start(const struct cli *cli, struct assistant *assistant, bool stay,
	struct server *ret_server, struct error *err);

/* Stop it, unless it stays, and wait for its end. */
void server_stop(struct server *server);

#endif
