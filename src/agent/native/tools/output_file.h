/*
 * The output of a command, of any length, in bounded memory: the beginning and the end are kept for
 * the result, and longer output goes to a file as a whole.
 *
 *	struct output_file output = OUTPUT_FILE_INIT;
 *
 *	output_file_start(&output, folder, max);
 *	output_file_add(&output, bytes);
 *	output_file_show(&output, &result->text);
 *	output_file_release(&output);
 *
 * A file ends at 16 MB. Of the files in the folder the newest 32 are kept.
 */
#ifndef AGENT_NATIVE_TOOLS_OUTPUT_FILE_H
#define AGENT_NATIVE_TOOLS_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/view.h"

#define OUTPUT_FILE_MAX  ((uint64_t)16 * 1024 * 1024)
#define OUTPUT_FILE_KEPT 32

struct output_file {
	const char *folder; /* NULL: no file */
	size_t max;         /* bytes to show */
	struct buf head;    /* all of it, or the first third of `max` */
	struct buf tail;    /* the end, up to twice the part that is shown */
	uint64_t total;
	bool cut; /* it did not fit into `head` */
	int fd;   /* of the file, or -1 */
	char *path;
	bool full; /* the file has 16 MB, or the disk is full */
};

#define OUTPUT_FILE_INIT ((struct output_file){.head = BUF_INIT, .tail = BUF_INIT, .fd = -1})

void output_file_start(struct output_file *output, const char *folder, size_t max);
void output_file_add(struct output_file *output, struct view bytes);
void output_file_show(const struct output_file *output, struct buf *out);
void output_file_release(struct output_file *output);

#endif
