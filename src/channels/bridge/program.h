/*
 * The program of a bridge, in one of its lives: a child process with its pipes, on the
 * event loop. What goes through them is the bridge's business.
 *
 *	program_start(&setup, &program, err)
 *	program_write(program, &text)	handlers.piece() hears what comes back
 *	…
 *	handlers.ended()		it has ended, and all that it wrote was heard
 *	program_abandon(program)	also when it has not: nothing more is heard of it
 *
 * It frees itself when it was abandoned, has ended and its handles are closed.
 *
 * Whoever does not read what he is told is not listened to: while more than a MiB waits
 * for it, nothing is read. What it writes to standard error goes to the log.
 */
#ifndef CHANNELS_BRIDGE_PROGRAM_H
#define CHANNELS_BRIDGE_PROGRAM_H

#include <uv.h>

#include "util/buf.h"
#include "util/error.h"
#include "util/view.h"

struct program;

struct program_handlers {
	void (*piece)(struct view bytes, void *data);
	void (*ended)(void *data);
};

struct program_setup {
	uv_loop_t *loop;
	const char *name; /* for the log; it lives as long as the program is listened to */
	const char *const *argv;
	const char *const *env;
	int cwd;
	struct program_handlers handlers;
	void *data;
};

int program_start(
	const struct program_setup *setup, struct program **ret_program, struct error *err);

/* The text is taken. */
void program_write(struct program *program, struct buf *text);
/* How many bytes it has not read yet. */
size_t program_queued(const struct program *program);
void program_close_input(struct program *program);

/* Kill it, and let go of it. It is reaped when it has really ended. */
void program_abandon(struct program *program);

#endif
