/*
 * The host that runs in a project, however it was started: find it, signal it, and wait for its
 * restart.
 */
#ifndef CLI_SERVICE_RUNNING_H
#define CLI_SERVICE_RUNNING_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/assistant/assistant.h"

struct running {
	int pid; /* 0: none runs */
	int pidfd;
	int64_t since;    /* 0: it does not say */
	char *program;    /* the path of its program, or NULL */
	json_t *channels; /* as `host_status` reports them, or NULL */
};

#define RUNNING_INIT ((struct running){.pidfd = -1})

/* ERROR_BUSY if it does not answer. */
int running_find(struct assistant *assistant, struct running *ret_running, struct error *err);

/* The same; one whose sockets were removed is found by its lock. */
int running_find_locked(
	struct assistant *assistant, struct running *ret_running, struct error *err);
void running_release(struct running *running);

int running_signal(const struct running *running, int number, struct error *err);

/* Wait until it has ended; false if it has not after this time. */
bool running_wait_end(const struct running *running, int ms);

/*
 * Restart it in the same process, which keeps its terminal or its systemd unit, and wait until
 * it answers. It is an error if it ends instead.
 */
int running_restart(
	struct assistant *assistant, const struct running *running, struct error *err);

#endif
