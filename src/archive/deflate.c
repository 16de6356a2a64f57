#include "archive/deflate.h"

#include <assert.h>
#include <stdint.h>
#include <zlib.h>

/* How much is given to zlib at a time: its counters are smaller than a size_t. */
#define PIECE ((size_t)1 << 20)

/* zlib's interface lacks const for input. */
static void deflate_give_input(z_stream *stream, struct view *rest)
{
	size_t len = rest->len < PIECE ? rest->len : PIECE;

	if (stream->avail_in)
		return;
	stream->next_in = (z_const Bytef *)(uintptr_t)rest->data;
	stream->avail_in = (uInt)len;
	*rest = view_slice(*rest, len, rest->len);
}

static void deflate_give_room(z_stream *stream, struct buf *out, size_t len)
{
	size_t room = buf_reserve(out, len < PIECE ? len : PIECE);

	stream->next_out = (Bytef *)out->data + out->len;
	stream->avail_out = (uInt)(room < PIECE ? room : PIECE);
}

void deflate_append(struct buf *out, struct view content)
{
	z_stream stream = {0};
	int status;

	if (deflateInit(&stream, Z_DEFAULT_COMPRESSION) != Z_OK)
		out_of_memory();
	do {
		uInt room;

		deflate_give_input(&stream, &content);
		deflate_give_room(&stream, out, PIECE);
		room = stream.avail_out;
		status = deflate(&stream, content.len ? Z_NO_FLUSH : Z_FINISH);
		assert(status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR);
		buf_set_len(out, out->len + (room - stream.avail_out));
	} while (status != Z_STREAM_END);
	deflateEnd(&stream);
}

int deflate_undo(struct view compressed, size_t len, struct buf *out, struct error *err)
{
	z_stream stream = {0};
	size_t left = len;
	bool too_long = false;
	int status;

	if (inflateInit(&stream) != Z_OK)
		out_of_memory();
	do {
		char spare;
		uInt room;

		deflate_give_input(&stream, &compressed);
		if (left) {
			deflate_give_room(&stream, out, left);
		} else { /* the end of the stream may still be unread */
			stream.next_out = (Bytef *)&spare;
			stream.avail_out = 1;
		}
		room = stream.avail_out;
		status = inflate(&stream, Z_NO_FLUSH);
		if (left) {
			buf_set_len(out, out->len + (room - stream.avail_out));
			left -= room - stream.avail_out;
		} else {
			too_long = stream.avail_out != room;
		}
	} while (status == Z_OK && !too_long);
	inflateEnd(&stream);
	if (too_long || status != Z_STREAM_END || left || stream.avail_in || compressed.len)
		return error_set(err, ERROR_INVALID,
			"the compressed data is damaged, or does not have %zu bytes", len);
	return 0;
}
