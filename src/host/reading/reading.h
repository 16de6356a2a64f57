/*
 * One file that is being read, for the files of this room.
 *
 *	reading_run() or ask() of its reader	it has begun
 *	…
 *	reading_end(reading, text, cut)	there is a text, perhaps cut off
 *	reading_fail(reading, why)	there will be none
 *	reading_again(reading, why)	not now
 */
#ifndef HOST_READING_READING_H
#define HOST_READING_READING_H

#include "host/agent/sandboxes.h"
#include "host/base/installation.h"
#include "host/reading/reader.h"
#include "loop/child.h"
#include "sandbox/watch.h"

struct readings;

struct reading {
	struct readings *readings;
	struct installation *inst;
	struct sandboxes *sandboxes;
	struct attachment about; /* `id` 0: none */
	struct buf content;      /* of the file, until it is handed on */

	/* a program */
	struct loop_child *child;
	struct sandbox *sandbox;
	char *program;
	char *killed; /* why it was */
	struct buf text;
	struct buf errors; /* the end of its output */
	bool cut;          /* there was more text than is kept */

	/* a server */
	struct http_call *call;
	const char *(*text_of)(const json_t *reply);
};

/*
 * Run a command line with the file as its standard input: what it prints is the text. The
 * program reads files from strangers, so it runs in a sandbox without a network, and without any
 * file of the project except the program. A relative path names a program of the project.
 */
int reading_run(struct reading *reading, const char *command, struct error *err);

void reading_end(struct reading *reading, struct view text, bool cut);
void reading_fail(struct reading *reading, const char *why);
void reading_again(struct reading *reading, const char *why);

bool readings_stopping(const struct readings *readings);

/* As if it had never begun. */
void reading_clear(struct reading *reading);

/* Every second: is its program over a limit? */
void reading_watch(struct reading *reading, const struct watch *watch);

/* End its program or its request. A program's end comes later. */
void reading_stop(struct reading *reading);

#endif
