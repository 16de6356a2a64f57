/*
 * The files that readers read (reader.h).
 *
 *	readings_reader(inst, about)	a file has arrived: the name of its reader, or NULL
 *	readings_work(readings)		before the loop sleeps: begin the readings that can begin
 *	handlers.ended()		a file has its text, or will have none
 *
 * A message waits until its files are read; host/chat/media.h says how long at most. Two files are
 * read at a time, and one per group, so that no group holds up the others. A text is stored as soon
 * as it is found. A reading that was running when the host was killed starts again.
 */
#ifndef HOST_READING_READINGS_H
#define HOST_READING_READINGS_H

#include "host/agent/sandboxes.h"
#include "host/base/installation.h"

struct media;
struct readings;

struct readings_handlers {
	void (*ended)(struct media *media);
	struct media *media;
};

const char *readings_reader(
	const struct installation *inst, const struct attachment_arrival *about);

struct readings *readings_new(struct installation *inst, struct sandboxes *sandboxes,
	const struct readings_handlers *handlers);

void readings_work(struct readings *readings);

/* Ends running readings; the next host starts them again. */
void readings_stop(struct readings *readings);
/* After the loop has ended. */
void readings_free(struct readings *readings);

#endif
