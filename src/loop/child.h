/*
 * A child process with its pipes (proc/child.h), on the event loop.
 *
 *	loop_child_start(&options, &child, err)
 *	loop_child_write(child, &text)		handlers.output() gets the answer
 *	…
 *	handlers.ended()			it has ended, and all its output was handled
 *
 * It frees itself after handlers.ended(), or, if it was abandoned, when it has ended. Until
 * handlers.ended() every call is allowed; within it only loop_child_abandon(), and afterwards
 * none.
 */
#ifndef LOOP_CHILD_H
#define LOOP_CHILD_H

#include <uv.h>

#include "base/buf.h"
#include "base/view.h"
#include "proc/child.h"

struct loop_child;

struct loop_child_handlers {
	void (*output)(struct view bytes, void *data);
	void (*errors)(struct view bytes, void *data); /* standard error */
	/* 128 + N for signal N. The rest of its process group was killed. */
	void (*ended)(int exit_code, void *data);
};

struct loop_child_options {
	uv_loop_t *loop;
	const struct child_request *request;
	struct loop_child_handlers handlers;
	void *data;
	/* While more bytes wait for it, nothing is read from it; 0: it is always read from. */
	size_t pause_above;
};

int loop_child_start(const struct loop_child_options *options, struct loop_child **ret_child,
	struct error *err);

pid_t loop_child_pid(const struct loop_child *child);

/* The text is taken. A closed pipe shows as the end of the process. */
void loop_child_write(struct loop_child *child, struct buf *text);
/* How many bytes it has not read yet. */
size_t loop_child_queued(const struct loop_child *child);
/* Takes effect after everything written so far; write nothing after it. */
void loop_child_close_input(struct loop_child *child);

/* To its whole process group. */
void loop_child_signal(struct loop_child *child, int number);

/* Kill it, without further handlers. It is reaped when it has ended. */
void loop_child_abandon(struct loop_child *child);

#endif
