/*
 * One question to the model: the request, its answer, and retries where they can help.
 *
 *	struct ask ask = { … };
 *	struct reply reply;
 *
 *	kind = ask_model(&ask, &request, &reply, &detail);
 *
 *	FAILURE_NONE	reply.content is a whole message
 *	otherwise	nothing was answered; `detail` is what the server said
 *
 * Retries wait 0.5 s at first, and twice as long each time. An answer that breaks off, is empty or
 * fails is retried up to six times, with waits of up to 8 s. An overloaded server is retried up to
 * ten times, with waits of up to a minute, or after the time that it asks for if that is at most a
 * minute. If the server refuses a field of the request, later requests leave it out (`ask.quirks`).
 */
#ifndef AGENT_NATIVE_WIRE_ASK_H
#define AGENT_NATIVE_WIRE_ASK_H

#include <signal.h>
#include <stdint.h>

#include "agent/native/wire/failure.h"
#include "agent/native/wire/wire.h"

#define ASK_USUAL_RETRY_MS 500
#define ASK_USUAL_STALL_MS 300000

/* A model on a slow machine takes a long time to read a prompt before it answers. */
#define ASK_FIRST_BYTE 4 /* times the other silence */

struct ask {
	const struct wire *wire;
	const char *address; /* as in post.h */
	const char *prefix;  /* of the path */
	int64_t retry_ms;
	int stall_ms;
	const volatile sig_atomic_t *stop;
	struct wire_quirks quirks; /* learned; the owner may keep them */
	int64_t retry_after;       /* from the server's last answer; -1: none */
	void (*text)(void *data, struct view piece); /* a piece of text came; or NULL */
	void (*alive)(void *data);                   /* nothing has come for a while; or NULL */
	/* It will wait so long for the next attempt; attempts count from 1. Or NULL. */
	void (*waits)(void *data, enum failure_kind kind, int attempt, int64_t ms);
	void *data;
};

/* The reply is initialised here, and released by the caller in any case. */
enum failure_kind ask_model(struct ask *ask, const struct wire_request *request,
	struct reply *ret_reply, char **ret_detail);

#endif
