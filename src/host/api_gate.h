/*
 * The way of an agent to the API of its model, and to nothing else.
 *
 * A sandbox has no network. For an agent that needs an API the host opens a Unix socket,
 * data/run/api-NAME.sock, which is mounted into its sandbox; nanoclaw-relay inside leads there
 * from 127.0.0.1:API_GATE_PORT. What is connected to it is connected to the address of the
 * setting ANTHROPIC_BASE_URL, whatever is said:
 *
 *	http://…	all bytes go there and back
 *	https://…	first "CONNECT HOST:PORT", as to an HTTP proxy, for that very host and
 *			port; then the agent speaks TLS with the API, end to end
 *
 *	api_gate_open(worker, name, &gate, err)
 *	api_gate_environment(gate, add, data)		what the agent has to know
 *	api_gate_close(gate)				with its agent
 */
#ifndef HOST_API_GATE_H
#define HOST_API_GATE_H

#include "host/parts.h"

#define API_GATE_PORT    "8484"
#define API_GATE_DEFAULT "https://api.anthropic.com"

/* The parts of a base URL. */
struct api_address {
	bool tls;
	char *host;
	char *port;
	char *path; /* "" or with its slash */
};

void api_address_release(struct api_address *address);

/* ERROR_INVALID if it is none of http or https. */
int api_address_parse(const char *url, struct api_address *ret_address, struct error *err);

struct api_gate;

/* `name` is that of the worker's socket: "family", or that of an isolated task. */
int api_gate_open(
	struct host *host, const char *name, struct api_gate **ret_gate, struct error *err);

/* Its socket, open, for a mount. */
int api_gate_socket(const struct api_gate *gate, int *ret_fd, struct error *err);

/* Variables of the agent: where the API is for it. */
void api_gate_environment(const struct api_gate *gate,
	void (*add)(void *data, const char *name, const char *value), void *data);

void api_gate_close(struct api_gate *gate);

#endif
