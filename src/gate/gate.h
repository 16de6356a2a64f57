/*
 * The gate of an agent: its way out of a sandbox that has no network.
 *
 * It is a Unix socket, which is mounted into the sandbox; nanoclaw-relay inside leads there
 * from 127.0.0.1:GATE_PORT. The agent speaks HTTP/1.1, in one of two ways:
 *
 *	POST /v1/messages HTTP/1.1	to the API of its model (provider.h). Credentials that
 *					the agent sent are dropped, and the real ones put in
 *					(forward.h)
 *	CONNECT host:443, or		to another host, by the rules for that (egress.h)
 *	GET http://host/ HTTP/1.1
 *
 * The agent has a placeholder for a key, and its address of the API is that of the gate. So
 * whatever it reads, writes or sends, the key is not in it.
 *
 *	gate_open(&options, &gate, err)
 *	gate_socket(gate, &fd, err)			for a mount
 *	gate_environment(gate, add, data)		what the agent has to know
 *	gate_close(gate)				with its agent
 *
 * What has to be decided or kept elsewhere is asked and told through gate_handlers.
 */
#ifndef GATE_GATE_H
#define GATE_GATE_H

#include <uv.h>

#include "base/error.h"
#include "gate/api_address.h"
#include "gate/credentials.h"
#include "gate/provider.h"
#include "net/http_head.h"

#define GATE_PORT "8484"

/* Of a request to the API. */
#define GATE_BODY_MAX ((uint64_t)64 * 1024 * 1024)

struct api_usage;
struct egress;
struct link;
struct network;

struct gate_handlers {
	/* May the agent use its model now? -1 with a text for it, and for its person, if not. */
	int (*may_spend)(void *data, struct error *err);
	/* What a request has used: by the API's own figures, or estimated (usage_reader.h). */
	void (*used)(void *data, const struct api_usage *usage);
	/* A request was not let through: what was wanted, and why not. For log and audit. */
	void (*refused)(void *data, const char *what, const char *why);
	/* One was, and came to nothing: `what` is the host. For the log. */
	void (*failed)(void *data, const char *what, const char *why);
};

struct gate_options {
	uv_loop_t *loop;
	int folder;                        /* of the socket, open */
	const char *name;                  /* of the socket */
	const struct provider *provider;   /* of its model; NULL: this agent has no API */
	const struct api_address *address; /* of its API */
	struct egress *egress;             /* NULL: it has no other hosts */
	bool needs_key;                    /* is a request without a credential of no use? */
	struct credentials *credentials;
	struct network *network;
	uint64_t idle_ms; /* of the API, until it is given up; 0: 10 minutes */
	const struct gate_handlers *handlers; /* each may be NULL */
	void *data;                           /* for them */
};

struct gate;

/* What the options point to has to live as long as the gate; but for `folder` and `name`. */
int gate_open(const struct gate_options *options, struct gate **ret_gate, struct error *err);

/* Its connections are broken off. NULL is fine. */
void gate_close(struct gate *gate);

/* Its socket, open (O_PATH). */
int gate_socket(const struct gate *gate, int *ret_fd, struct error *err);

/*
 * Variables for an agent behind nanoclaw-relay: where its API and its proxy are, and a
 * placeholder for the key.
 */
void gate_environment(const struct gate *gate,
	void (*add)(void *data, const char *name, const char *value), void *data);

/* --- for the owner of a link -------------------------------------------------- */

const struct gate_options *gate_options(const struct gate *gate);

/*
 * The key for its requests, which may be none. ERROR_INVALID with a message for the person if
 * the provider needs one. Also for callers that have not opened the gate yet.
 */
int gate_credential(const struct gate_options *options, struct credential *ret_credential,
	struct error *err);

/* The request of this link is done: on to the next one. */
void gate_next(struct link *link);

/*
 * An answer of our own, in the form that errors of the Messages API have, so that the agent
 * shows it; then the link is closed.
 */
void gate_refuse(struct link *link, int status, const char *message);

/* The same, and `refused` is called. */
void gate_forbid(struct link *link, int status, const char *what, const char *why);

#endif
