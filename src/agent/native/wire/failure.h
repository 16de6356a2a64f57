/*
 * The meaning of a server's error, and what a person can do about it.
 *
 * A status, code or type that means one thing decides. Otherwise words of the message do, because
 * many servers give every error the same type; a word elsewhere in the report never counts.
 */
#ifndef AGENT_NATIVE_WIRE_FAILURE_H
#define AGENT_NATIVE_WIRE_FAILURE_H

#include "base/view.h"

enum failure_kind {
	FAILURE_NONE,
	FAILURE_BROKEN,    /* it broke off or failed: the same again may work */
	FAILURE_BUSY,      /* overloaded, or too many requests: wait */
	FAILURE_AWAY,      /* nothing answers there */
	FAILURE_QUOTA,     /* the paid quota is used up: waiting does not help */
	FAILURE_KEY,       /* the key is not accepted */
	FAILURE_FORBIDDEN, /* it is, but not for this; or the group's budget is used up */
	FAILURE_MODEL,     /* there is no such model */
	FAILURE_NO_TOOLS,  /* the model cannot call tools */
	FAILURE_TOO_LONG,  /* more than the model's window holds */
	FAILURE_SMALL,     /* the window holds the instructions, and no work besides */
	FAILURE_OPTION,    /* this server refuses a member of the request */
	FAILURE_REFUSED,   /* anything else */
	FAILURE_STOPPED,   /* this process must end */
};

/*
 * `status` is 0 if the failure came inside a stream. `body` is the body of the answer, or the
 * event. The message is the server's own, for people to read; to be freed.
 */
enum failure_kind failure_of(int status, struct view body, char **ret_message);

/*
 * A message for the person, sent as the answer in the chat: the problem and what to do.
 * `detail` is the server's message, or "". To be freed.
 */
char *failure_advice(
	enum failure_kind kind, const char *provider, const char *model, const char *detail);

#endif
