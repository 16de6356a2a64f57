#include "loop/child.h"

#include <signal.h>
#include <unistd.h>

#include "loop/stream.h"

/* A pipe holds no more than this; another process may have its other end and keep writing. */
#define MAX_LAST_PIECES 16

struct loop_child {
	struct loop_child_handlers handlers;
	void *data;
	struct child child;
	uv_pipe_t in;
	uv_pipe_t out;
	uv_pipe_t errors;
	uv_poll_t end;
	unsigned open_handles;
	size_t pause_above;
	bool abandoned;
	bool input_ends; /* once everything written has been read */
	bool paused;
};

/* --- the end ----------------------------------------------------------------- */

static void child_handle_closed(uv_handle_t *handle)
{
	struct loop_child *child = handle->data;

	if (--child->open_handles)
		return;
	child_release(&child->child);
	free(child);
}

static void close_handle(uv_handle_t *handle)
{
	if (!uv_is_closing(handle))
		uv_close(handle, child_handle_closed);
}

static void close_pipes(struct loop_child *child)
{
	close_handle((uv_handle_t *)&child->in);
	close_handle((uv_handle_t *)&child->out);
	close_handle((uv_handle_t *)&child->errors);
}

void loop_child_signal(struct loop_child *child, int number)
{
	child_signal(&child->child, number);
}

void loop_child_abandon(struct loop_child *child)
{
	child->abandoned = true;
	child_signal(&child->child, SIGKILL);
	close_pipes(child);
}

/* --- reading ----------------------------------------------------------------- */

static void child_hear(
	struct loop_child *child, const uv_pipe_t *pipe, const char *bytes, size_t len)
{
	struct view piece = {bytes, len};

	if (child->abandoned)
		return;
	if (pipe == &child->out)
		child->handlers.output(piece, child->data);
	else
		child->handlers.errors(piece, child->data);
}

static void read_some(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk)
{
	struct loop_child *child = stream->data;

	if (got < 0)
		uv_read_stop(stream); /* its end comes by the pidfd */
	else if (got > 0)
		child_hear(child, (uv_pipe_t *)stream, chunk->base, (size_t)got);
}

/* Its last words, which wait in the pipe. */
static void read_rest(struct loop_child *child, uv_pipe_t *pipe)
{
	uv_buf_t chunk;
	int fd;

	loop_chunk(NULL, 0, &chunk);
	for (int i = 0; i < MAX_LAST_PIECES; i++) {
		ssize_t got;

		if (uv_is_closing((uv_handle_t *)pipe) ||
			uv_fileno((uv_handle_t *)pipe, &fd) < 0)
			return;
		got = read(fd, chunk.base, chunk.len);
		if (got <= 0)
			return;
		child_hear(child, pipe, chunk.base, (size_t)got);
	}
}

static void child_process_ended(uv_poll_t *poll, int status, int events)
{
	struct loop_child *child = poll->data;
	int exit_code;

	(void)status;
	(void)events;
	uv_poll_stop(poll);
	/* Kill the rest of its process group before its id can be reused. */
	child_signal(&child->child, SIGKILL);
	exit_code = child_reap(&child->child);
	read_rest(child, &child->out);
	read_rest(child, &child->errors);
	if (!child->abandoned)
		child->handlers.ended(exit_code, child->data);
	close_pipes(child);
	close_handle((uv_handle_t *)poll);
}

/* --- writing ----------------------------------------------------------------- */

size_t loop_child_queued(const struct loop_child *child)
{
	return loop_queued((const uv_stream_t *)&child->in);
}

static void pause_or_go_on(struct loop_child *child)
{
	size_t queued = loop_child_queued(child);

	if (!child->pause_above)
		return;
	if (!child->paused && queued > child->pause_above) {
		child->paused = true;
		uv_read_stop((uv_stream_t *)&child->out);
	} else if (child->paused && queued < child->pause_above / 2) {
		child->paused = false;
		uv_read_start((uv_stream_t *)&child->out, loop_chunk, read_some);
	}
}

static void input_written(uv_stream_t *stream, int status)
{
	struct loop_child *child = stream->data;

	if (status == 0 && !child->abandoned)
		pause_or_go_on(child);
	if (child->input_ends && !loop_child_queued(child))
		close_handle((uv_handle_t *)stream);
}

void loop_child_close_input(struct loop_child *child)
{
	child->input_ends = true;
	if (!loop_child_queued(child))
		close_handle((uv_handle_t *)&child->in);
}

void loop_child_write(struct loop_child *child, struct buf *text)
{
	if (!text->len || uv_is_closing((uv_handle_t *)&child->in))
		return;
	if (loop_write((uv_stream_t *)&child->in, text, input_written) == 0)
		pause_or_go_on(child);
}

/* --- the start --------------------------------------------------------------- */

static void open_pipe(struct loop_child *child, uv_loop_t *loop, uv_pipe_t *pipe, int *fd)
{
	uv_pipe_init(loop, pipe, 0);
	pipe->data = child;
	uv_pipe_open(pipe, TAKE_FD(*fd));
	child->open_handles++;
}

int loop_child_start(const struct loop_child_options *options, struct loop_child **ret_child,
	struct error *err)
{
	struct child started;
	struct loop_child *child;

	if (child_start(options->request, &started, err) < 0)
		return -1;
	child = xcalloc(1, sizeof(*child));
	child->handlers = options->handlers;
	child->data = options->data;
	child->child = started;
	child->pause_above = options->pause_above;
	open_pipe(child, options->loop, &child->in, &child->child.in);
	open_pipe(child, options->loop, &child->out, &child->child.out);
	open_pipe(child, options->loop, &child->errors, &child->child.errors);
	uv_poll_init(options->loop, &child->end, child->child.pidfd);
	child->end.data = child;
	child->open_handles++;
	uv_poll_start(&child->end, UV_READABLE, child_process_ended);
	uv_read_start((uv_stream_t *)&child->out, loop_chunk, read_some);
	uv_read_start((uv_stream_t *)&child->errors, loop_chunk, read_some);
	*ret_child = child;
	return 0;
}

pid_t loop_child_pid(const struct loop_child *child)
{
	return child->child.pid;
}
