/*
 * The meaning of a server's refusal, and what a person can do about it. Every server words it
 * differently, so the text is examined where the status alone does not identify the cause.
 */
#ifndef AGENT_NATIVE_WIRE_FAILURE_H
#define AGENT_NATIVE_WIRE_FAILURE_H

#include <stdbool.h>

#include "base/view.h"

enum failure_kind {
	FAILURE_NONE,
	FAILURE_BROKEN,    /* it broke off or failed: the same again may work */
	FAILURE_BUSY,      /* overloaded, or too many requests: wait */
	FAILURE_AWAY,      /* nobody answers there */
	FAILURE_QUOTA,     /* what was paid for is used up: waiting does not help */
	FAILURE_KEY,       /* the key is not accepted */
	FAILURE_FORBIDDEN, /* it is, but not for this; or the group's budget is used up */
	FAILURE_MODEL,     /* there is no such model */
	FAILURE_NO_TOOLS,  /* the model cannot call tools */
	FAILURE_TOO_LONG,  /* more than the model's window holds */
	FAILURE_OPTION,    /* a member of the request that this server does not take */
	FAILURE_REFUSED,   /* anything else */
	FAILURE_STOPPED,   /* this process must end */
};

/* `status` 0: it came inside a stream. `text` is the body, or type and message. */
enum failure_kind failure_of(int status, struct view text);

/* The message in the body of an error, as people can read it; to be freed. */
char *failure_message(struct view body);

/*
 * A message for the person, as an answer in the chat: the problem and what to do. `detail` is what
 * the server said, or "". To be freed.
 */
char *failure_advice(
	enum failure_kind kind, const char *provider, const char *model, const char *detail);

#endif
