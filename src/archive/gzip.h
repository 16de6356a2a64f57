/*
 * Writes and reads files in gzip's format, piece by piece.
 *
 *	CLEANUP(gzip_writer_freep) struct gzip_writer *out = gzip_writer_new(fd);
 *
 *	if (gzip_write(out, data, len, err) < 0 || gzip_write_end(out, err) < 0)
 *		return -1;
 *
 * The same content gives the same bytes: they contain no time and no name. Concatenated
 * files are read as one, as gzip does. Memory use is constant, whatever a file holds. `fd`
 * stays open, and belongs to the caller.
 */
#ifndef ARCHIVE_GZIP_H
#define ARCHIVE_GZIP_H

#include <stddef.h>

#include "base/error.h"

struct gzip_writer;

struct gzip_writer *gzip_writer_new(int fd);
int gzip_write(struct gzip_writer *writer, const void *data, size_t len, struct error *err);
int gzip_write_end(struct gzip_writer *writer, struct error *err);
void gzip_writer_freep(struct gzip_writer **writer);

struct gzip_reader;

struct gzip_reader *gzip_reader_new(int fd);

/* Up to `len` bytes; fewer only at the end. */
int gzip_read_some(
	struct gzip_reader *reader, void *data, size_t len, size_t *ret_len, struct error *err);

/* Exactly `len` bytes. ERROR_INVALID: it is damaged, or has fewer. */
int gzip_read(struct gzip_reader *reader, void *data, size_t len, struct error *err);

/* ERROR_INVALID: it is damaged, or there is more. */
int gzip_read_end(struct gzip_reader *reader, struct error *err);
void gzip_reader_freep(struct gzip_reader **reader);

#endif
