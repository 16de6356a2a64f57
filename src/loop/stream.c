#include "loop/stream.h"

struct loop_write_request {
	uv_write_t request;
	char *text;
	void (*written)(uv_stream_t *stream, int status);
};

void loop_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_chunk)
{
	static char chunk[LOOP_CHUNK];

	(void)handle;
	(void)suggested;
	*ret_chunk = uv_buf_init(chunk, sizeof(chunk));
}

static void write_done(uv_write_t *request, int status)
{
	struct loop_write_request *done = (struct loop_write_request *)request;
	void (*written)(uv_stream_t * stream, int status) = done->written;
	uv_stream_t *stream = request->handle;

	free(done->text);
	free(done);
	if (written)
		written(stream, status);
}

int loop_write(
	uv_stream_t *stream, struct buf *text, void (*written)(uv_stream_t *stream, int status))
{
	struct loop_write_request *request = xcalloc(1, sizeof(*request));
	uv_buf_t bytes = uv_buf_init(NULL, (unsigned)text->len);

	bytes.base = request->text = buf_take(text);
	request->written = written;
	if (uv_write(&request->request, stream, &bytes, 1, write_done) == 0)
		return 0;
	free(request->text);
	free(request);
	return -1;
}

size_t loop_queued(const uv_stream_t *stream)
{
	return uv_stream_get_write_queue_size(stream);
}
