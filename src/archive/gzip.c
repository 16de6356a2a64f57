#include "archive/gzip.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>
#include <zlib.h>

#include "fs/sys.h"

#define PIECE_SIZE (64 * 1024)

/* For zlib: the largest window, and gzip's header around the data. */
#define WINDOW (15 + 16)
#define MEMORY 8

/* --- writing ----------------------------------------------------------------- */

struct gzip_writer {
	z_stream stream;
	int fd;
	unsigned char piece[PIECE_SIZE];
};

struct gzip_writer *gzip_writer_new(int fd)
{
	struct gzip_writer *writer = xcalloc(1, sizeof(*writer));

	writer->fd = fd;
	if (deflateInit2(&writer->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW, MEMORY,
		    Z_DEFAULT_STRATEGY) != Z_OK)
		out_of_memory();
	return writer;
}

/* Until zlib has taken all of its input; with Z_FINISH, until it has given all. */
static int compress_input(struct gzip_writer *writer, int flush, struct error *err)
{
	z_stream *stream = &writer->stream;
	int status;

	do {
		stream->next_out = writer->piece;
		stream->avail_out = PIECE_SIZE;
		status = deflate(stream, flush);
		assert(status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR);
		if (sys_write_all(writer->fd, writer->piece, PIECE_SIZE - stream->avail_out) <
			0)
			return error_errno(err, "cannot write the compressed data");
	} while (stream->avail_in || (flush == Z_FINISH && status != Z_STREAM_END));
	return 0;
}

int gzip_write(struct gzip_writer *writer, const void *data, size_t len, struct error *err)
{
	const unsigned char *bytes = data;

	while (len) {
		size_t part = len < PIECE_SIZE ? len : PIECE_SIZE;

		/* zlib's interface lacks const for input. */
		writer->stream.next_in = (z_const Bytef *)(uintptr_t)bytes;
		writer->stream.avail_in = (uInt)part;
		if (compress_input(writer, Z_NO_FLUSH, err) < 0)
			return -1;
		bytes += part;
		len -= part;
	}
	return 0;
}

int gzip_write_end(struct gzip_writer *writer, struct error *err)
{
	return compress_input(writer, Z_FINISH, err);
}

void gzip_writer_freep(struct gzip_writer **writer)
{
	if (!*writer)
		return;
	deflateEnd(&(*writer)->stream);
	free(*writer);
	*writer = NULL;
}

/* --- reading ----------------------------------------------------------------- */

struct gzip_reader {
	z_stream stream;
	int fd;
	bool between; /* two files: at the start, and where one has ended */
	unsigned char piece[PIECE_SIZE];
};

struct gzip_reader *gzip_reader_new(int fd)
{
	struct gzip_reader *reader = xcalloc(1, sizeof(*reader));

	reader->fd = fd;
	reader->between = true;
	if (inflateInit2(&reader->stream, WINDOW) != Z_OK)
		out_of_memory();
	return reader;
}

/* Reads more input if the buffer is empty; `*ret_more` is false at the end of the file. */
static int gzip_fill(struct gzip_reader *reader, bool *ret_more, struct error *err)
{
	ssize_t n;

	*ret_more = true;
	if (reader->stream.avail_in)
		return 0;
	do
		n = read(reader->fd, reader->piece, PIECE_SIZE);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_errno(err, "cannot read the compressed data");
	reader->stream.next_in = reader->piece;
	reader->stream.avail_in = (uInt)n;
	*ret_more = n > 0;
	return 0;
}

int gzip_read_some(
	struct gzip_reader *reader, void *data, size_t len, size_t *ret_len, struct error *err)
{
	z_stream *stream = &reader->stream;
	size_t got = 0;

	while (got < len) {
		size_t part = len - got < PIECE_SIZE ? len - got : PIECE_SIZE;
		bool more;
		int status;

		if (gzip_fill(reader, &more, err) < 0)
			return -1;
		if (!more && reader->between)
			break;
		if (!more)
			return error_set(err, ERROR_INVALID, "the compressed data ends early");
		stream->next_out = (Bytef *)data + got;
		stream->avail_out = (uInt)part;
		status = inflate(stream, Z_NO_FLUSH);
		got += part - stream->avail_out;
		reader->between = status == Z_STREAM_END;
		if (status == Z_STREAM_END)
			inflateReset(stream);
		else if (status != Z_OK && status != Z_BUF_ERROR)
			return error_set(
				err, ERROR_INVALID, "it is not a gzip file, or is damaged");
	}
	*ret_len = got;
	return 0;
}

int gzip_read(struct gzip_reader *reader, void *data, size_t len, struct error *err)
{
	size_t got = 0;

	if (gzip_read_some(reader, data, len, &got, err) < 0)
		return -1;
	return got == len ? 0 : error_set(err, ERROR_INVALID, "the compressed data ends early");
}

int gzip_read_end(struct gzip_reader *reader, struct error *err)
{
	char spare;
	size_t got = 0;

	if (gzip_read_some(reader, &spare, 1, &got, err) < 0)
		return -1;
	return got ? error_set(err, ERROR_INVALID, "there is more data than expected") : 0;
}

void gzip_reader_freep(struct gzip_reader **reader)
{
	if (!*reader)
		return;
	inflateEnd(&(*reader)->stream);
	free(*reader);
	*reader = NULL;
}
