/*
 * Runs the host of a project until it is stopped; for the commands that are a host.
 */
#ifndef CLI_SERVICE_SERVE_H
#define CLI_SERVICE_SERVE_H

#include "cli/assistant/assistant.h"

/*
 * A command may hold the lock for a moment, which is waited for; another host holds it
 * for good: ERROR_BUSY. `ready` is called when all is open.
 */
int serve(
	struct assistant *assistant, void (*ready)(void *data), void *data, struct error *err);

/* --- a host beside us ---------------------------------------------------------- */

struct server {
	int pid;   /* 0: none */
	bool stay; /* it goes on when we have ended */
};

#define SERVER_INIT ((struct server){0})

/*
 * Start a host in a process of its own, and wait until it is ready. What it has to tell
 * goes to logs/host.log. Unless `stay`, it stops when we end, however that comes about:
 * the kernel tells it (PR_SET_PDEATHSIG), so that no signal has to be caught here.
 */
int server_start(
	struct assistant *assistant, bool stay, struct server *ret_server, struct error *err);

/* Stop it, unless it stays, and wait for its end. */
void server_stop(struct server *server);

#endif
