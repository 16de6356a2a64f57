/*
 * The assistant's host: one process, one thread, one event loop.
 *
 *	struct host_options options = {.root_path = path, .root = fd};
 *
 *	host_run(&options, err)		until SIGTERM, SIGINT or SIGHUP
 *
 * Work begins with an event: a message from a channel, a line from an agent, a timer. Each event
 * changes the store and marks the affected items; before the loop sleeps again, the host processes
 * the marked items:
 *
 *	channel --> router --> [store] --> queue --> worker (a group, its agent)
 *	   ^                      |                      |
 *	   +------ delivery <-----+<---------------------+
 *
 * The host polls no table and no folder. Memory holds nothing essential: everything that counts is
 * in the store (docs/host.md has the invariants), and host_run() resumes from there.
 */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct host_options {
	const char *root_path;
	int root;
	void (*ready)(void *data);   /* everything is open; may be NULL */
	void (*settled)(void *data); /* it has run for `settle_ms` since; may be NULL */
	void *data;
	uint64_t settle_ms;
};

/*
 * ERROR_BUSY if another host runs in this project. Returns 1 after SIGUSR1: call it again, and it
 * reads the settings again.
 */
int host_run(const struct host_options *options, struct error *err);

#endif
