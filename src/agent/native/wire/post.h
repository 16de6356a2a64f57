/*
 * One HTTP/1.1 POST, with plain calls: a connection of its own, the request, and the answer as
 * it comes. Local servers close idle connections at any time, so none is kept.
 *
 *	struct post post = {
 *		.address = "/run/nanoclaw/api.sock",	or "tcp:127.0.0.1:8080"
 *		.path = "/v1/messages",
 *		.body = view_of_buf(&request),
 *		.first_ms = 1200000,
 *		.stall_ms = 300000,
 *	};
 *	struct post_answer answer = POST_ANSWER_INIT;
 *
 *	if (post_send(&post, take_piece, data, &answer, err) < 0)
 *		…	not there, or it broke off before the head of an answer
 *	if (!answer.whole)
 *		…	it broke off, or was silent for too long, in the middle
 *
 * The body of an answer with status 200 goes to the function, piece by piece. Any other body is
 * kept in `answer.body`, at most POST_MAX_BODY bytes of it.
 */
#ifndef AGENT_NATIVE_WIRE_POST_H
#define AGENT_NATIVE_WIRE_POST_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

#define POST_MAX_BODY   ((size_t)64 * 1024)
#define POST_MAX_STREAM ((uint64_t)64 * 1024 * 1024)

struct post {
	const char *address;
	const char *path;
	const char *header; /* one more, "name: value", or NULL */
	struct view body;
	int first_ms;              /* so long for the first byte of the answer */
	int stall_ms;              /* so long without another byte is the end */
	void (*alive)(void *data); /* called now and then while it waits; or NULL */
	void *data;
	const volatile sig_atomic_t *stop; /* give up when it is set; or NULL */
};

struct post_answer {
	int status;             /* 0: there was none */
	bool whole;             /* the body ended as its head had said */
	bool is_stream;         /* of server-sent events */
	int64_t retry_after_ms; /* -1: not said */
	struct buf body;        /* unless the status is 200 */
};

#define POST_ANSWER_INIT                                                                       \
	((struct post_answer){.retry_after_ms = -1, .body = BUF_INIT_MAX(POST_MAX_BODY)})

void post_answer_release(struct post_answer *answer);

/* ERROR_INVALID: nothing listens there. ERROR_FAILED: it broke off before an answer. */
int post_send(const struct post *post,
	void (*piece)(struct view bytes, bool is_stream, void *data), void *data,
	struct post_answer *ret_answer, struct error *err);

#endif
