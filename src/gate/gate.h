/*
 * The gate of an agent: its only way out of a sandbox that has no network.
 *
 * It is a Unix socket that is mounted into the sandbox, where nanoclaw-relay forwards to it from
 * 127.0.0.1:GATE_PORT. The agent speaks HTTP/1.1, in one of two ways:
 *
 *	POST /v1/messages HTTP/1.1	to the API of its model (provider.h). Credentials that
 *					the agent sent are dropped, and the real ones added
 *					(forward.c)
 *	CONNECT host:443, or		to another host, by the rules for that (egress.h)
 *	GET http://host/ HTTP/1.1
 *
 * The agent has a placeholder for the key, and the gate's address as the address of the API. So
 * nothing that it reads, writes or sends can contain the key.
 *
 *	gate_open(&options, &gate, err)
 *	gate_socket(gate, &fd, err)			for a mount
 *	gate_environment(gate, add, data)		variables for the agent
 *	gate_close(gate)				with its agent
 *
 * The gate asks and informs its owner through gate_handlers.
 */
#ifndef GATE_GATE_H
#define GATE_GATE_H

#include <uv.h>

#include "base/error.h"
#include "gate/api_address.h"
#include "gate/credentials.h"
#include "gate/provider.h"
#include "net/parse/http_head.h"

#define GATE_PORT "8484"

/* Of a request to the API. */
#define GATE_BODY_MAX ((uint64_t)64 * 1024 * 1024)

struct api_usage;
struct egress;
struct link;
struct network;

struct gate_handlers {
	/* May the agent use its model now? If not: -1, with a text for the agent and the person. */
	int (*may_spend)(void *data, struct error *err);
	/* The usage of a request: the API's own figures, or an estimate (usage_reader.h). */
	void (*used)(void *data, const struct api_usage *usage);
	/* A request was refused: its target and the reason, for the log and the audit. */
	void (*refused)(void *data, const char *what, const char *why);
	/* An allowed request failed: `what` is the host. For the log. */
	void (*failed)(void *data, const char *what, const char *why);
};

struct gate_options {
	uv_loop_t *loop;
	int folder;                        /* of the socket, open */
	const char *name;                  /* of the socket */
	const struct provider *provider;   /* of its model; NULL: this agent has no API */
	const struct api_address *address; /* of its API */
	struct egress *egress;             /* NULL: it has no other hosts */
	bool needs_key;                    /* refuse requests while there is no credential */
	bool no_key;                       /* send none, even if one is set */
	struct credentials *credentials;
	struct network *network;
	uint64_t idle_ms; /* silence of the API before the request fails; 0: 10 minutes */
	const struct gate_handlers *handlers; /* each may be NULL */
	void *data;                           /* for them */
};

struct gate;

/* Everything that the options point to, except `folder` and `name`, must outlive the gate. */
int gate_open(const struct gate_options *options, struct gate **ret_gate, struct error *err);

/* Breaks off its connections. NULL is fine. */
void gate_close(struct gate *gate);

/* Its socket, open (O_PATH). */
int gate_socket(const struct gate *gate, int *ret_fd, struct error *err);

/*
 * Variables for an agent that uses nanoclaw-relay: the addresses of its API and its proxy, and
 * a placeholder for the key.
 */
void gate_environment(const struct gate *gate,
	void (*add)(void *data, const char *name, const char *value), void *data);

/* --- for the owner of a link -------------------------------------------------- */

const struct gate_options *gate_options(const struct gate *gate);

/*
 * The key for its requests, or CREDENTIAL_NONE. ERROR_INVALID with a message for the person if the
 * provider needs one. Callers may use it before they open the gate.
 */
int gate_credential(const struct gate_options *options, struct credential *ret_credential,
	struct error *err);

/* Hand a request to the API (forward.c). The head is the first `len` bytes of the link's input. */
void forward_start(struct link *link, const struct http_head *head, size_t len);

/* The request of this link is finished; read the next one. */
void gate_next(struct link *link);

/*
 * Sends an answer of our own, in the form of the API's errors, so that the agent shows it, and
 * closes the link.
 */
void gate_refuse(struct link *link, int status, const char *message);

/* The same, and calls `refused`. */
void gate_forbid(struct link *link, int status, const char *what, const char *why);

#endif
