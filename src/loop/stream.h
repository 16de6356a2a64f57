/*
 * Reading from and writing to streams of the event loop.
 *
 *	uv_read_start(stream, loop_chunk, read_some);
 *	loop_write(stream, &text, written);
 */
#ifndef LOOP_STREAM_H
#define LOOP_STREAM_H

#include <uv.h>

#include "base/buf.h"

#define LOOP_CHUNK ((size_t)64 * 1024)

/* The buffer for the next read: one for all streams, processed before the next read begins. */
void loop_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_chunk);

/*
 * Queue the text, which is taken. `written` is called later, also if that failed, with 0 or an
 * error of libuv; it may be NULL. Returns -1 if nothing was queued; then it is not called.
 */
int loop_write(uv_stream_t *stream, struct buf *text,
	void (*written)(uv_stream_t *stream, int status));

/* How many bytes are queued. */
size_t loop_queued(const uv_stream_t *stream);

#endif
