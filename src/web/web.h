/*
 * The dashboard: a local web server whose every read and every action is a nanoclaw command
 * (routes.h), run as a child with --json. It is a process of its own, beside the host: the pages
 * of the engine work without a host, and a slow page delays no message.
 *
 *	GET  /, /assets/NAME		the pages, which are embedded in this program
 *	POST /api/session {"code"}	the code in the link's fragment for a token: {"token"}
 *	everything else needs "Authorization: Bearer TOKEN"
 *	GET  /api/commands		the routes, for the client
 *	GET  /api/events?after=N	events (events.h)
 *	GET  /api/job?job=N		a job's result (jobs.h)
 *	POST /api/job-stop {"job"}
 *	GET  /api/NAME?PARAMETER=…	a read: the command's JSON, its exit code in "x-exit"
 *	POST /api/NAME {…}		an action: {"exit", "result"}, or {"job"}
 *
 * It listens on 127.0.0.1, or with `socket_only` only on the Unix socket data/run/web.sock,
 * which always exists. Only this user can open that socket, and gets a new link there:
 *
 *	POST /api/link			{"link"}
 *
 * Requests of other users are refused, and so are requests whose Host is not this machine by one
 * of its usual names (DNS rebinding), or whose Origin is another page.
 */
#ifndef WEB_WEB_H
#define WEB_WEB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/string_array.h"

#define WEB_SOCKET "web.sock"

struct web_options {
	int root;       /* of the project */
	int run_folder; /* data/run, open */
	uint16_t port;  /* 0: any */
	bool socket_only;
	const struct string_array
		*hosts; /* further names in Host, with their port if they have one */
	/* It listens; this is the link. */
	void (*ready)(const char *link, void *data);
	/* Somebody has removed the folder: make it again, with the same descriptor. */
	int (*again)(void *data, struct error *err);
	void *data;
};

/* Serves until SIGINT or SIGTERM. */
int web_run(const struct web_options *options, struct error *err);

#endif
