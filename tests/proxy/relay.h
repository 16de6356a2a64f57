/*
 * nanoclaw-relay outside of a sandbox, on a port that is free, for tests.
 */
#ifndef PROXY_TEST_RELAY_H
#define PROXY_TEST_RELAY_H

#include <sys/types.h>

struct relay {
	pid_t program; /* that it has become */
	unsigned port;
};

/* `socket` is the path of a gate. */
void relay_start(struct relay *relay, const char *program, const char *socket);
void relay_stop(struct relay *relay);
/* The process beside the program; -1: there is none. */
pid_t relay_pid(void);

/* A port of 127.0.0.1 on which nobody listens: this process holds it. */
unsigned relay_closed_port(void);

/* A connection to 127.0.0.1, or -1. */
int relay_connect(unsigned port);

#endif
