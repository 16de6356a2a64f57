#include "channels/bridge/program.h"

#include <signal.h>
#include <unistd.h>

#include "util/child.h"
#include "util/line_reader.h"
#include "util/log.h"
#include "util/utf8.h"

#define PAUSE_ABOVE     ((size_t)1024 * 1024)
#define ERROR_LINE_MAX  4096
#define MAX_LAST_PIECES 16

struct program {
	const char *name;
	struct program_handlers handlers;
	void *data;
	struct child child;
	uv_pipe_t in;
	uv_pipe_t out;
	uv_pipe_t errors;
	uv_poll_t end;
	unsigned open_handles;
	struct line_reader error_lines;
	bool abandoned;
	bool paused;
};

struct write_request {
	uv_write_t request;
	char *data;
};

/* --- the end ----------------------------------------------------------------- */

static void handle_closed(uv_handle_t *handle)
{
	struct program *program = handle->data;

	if (--program->open_handles)
		return;
	line_reader_release(&program->error_lines);
	child_release(&program->child);
	free(program);
}

static void close_handle(uv_handle_t *handle)
{
	if (!uv_is_closing(handle))
		uv_close(handle, handle_closed);
}

void program_close_input(struct program *program)
{
	close_handle((uv_handle_t *)&program->in);
}

void program_abandon(struct program *program)
{
	program->abandoned = true;
	child_signal(&program->child, SIGKILL);
	close_handle((uv_handle_t *)&program->in);
	close_handle((uv_handle_t *)&program->out);
	close_handle((uv_handle_t *)&program->errors);
}

/* --- reading ----------------------------------------------------------------- */

static void give_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buf)
{
	static char chunk[65536];

	(void)handle;
	(void)suggested;
	*ret_buf = uv_buf_init(chunk, sizeof(chunk));
}

static void hear(struct program *program, const uv_buf_t *chunk, ssize_t got)
{
	program->handlers.piece((struct view){chunk->base, (size_t)got}, program->data);
}

static void read_output(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk)
{
	struct program *program = stream->data;

	if (got < 0)
		uv_read_stop(stream); /* its end comes by the pidfd */
	else if (got > 0 && !program->abandoned)
		hear(program, chunk, got);
}

static bool log_error_line(struct view line, bool too_long, void *data)
{
	struct program *program = data;
	CLEANUP(freep) char *shown = utf8_excerpt(line);

	(void)too_long;
	if (!program->abandoned)
		log_debug("bridge '%s' says: %s", program->name, shown);
	return true;
}

static void read_errors(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk)
{
	struct program *program = stream->data;

	if (got < 0)
		uv_read_stop(stream);
	else if (got > 0)
		line_reader_feed(&program->error_lines, chunk->base, (size_t)got,
			log_error_line, program);
}

/* Its last words, which wait in the pipe. */
static void read_rest(struct program *program)
{
	uv_buf_t chunk;
	ssize_t got;
	int fd;

	if (uv_is_closing((uv_handle_t *)&program->out) ||
		uv_fileno((uv_handle_t *)&program->out, &fd) < 0)
		return;
	give_chunk(NULL, 0, &chunk);
	/* A pipe does not hold more; another process may have it, and go on. */
	for (int i = 0; i < MAX_LAST_PIECES && !program->abandoned; i++) {
		got = read(fd, chunk.base, chunk.len);
		if (got <= 0)
			break;
		hear(program, &chunk, got);
	}
}

static void process_ended(uv_poll_t *poll, int status, int events)
{
	struct program *program = poll->data;

	(void)status;
	(void)events;
	uv_poll_stop(poll);
	child_signal(&program->child, SIGKILL); /* what it has left of its group */
	child_reap(&program->child);
	close_handle((uv_handle_t *)poll);
	read_rest(program);
	if (!program->abandoned)
		program->handlers.ended(program->data);
}

/* --- writing ----------------------------------------------------------------- */

size_t program_queued(const struct program *program)
{
	return uv_stream_get_write_queue_size((const uv_stream_t *)&program->in);
}

static void pause_or_go_on(struct program *program)
{
	size_t queued = program_queued(program);

	if (!program->paused && queued > PAUSE_ABOVE) {
		program->paused = true;
		uv_read_stop((uv_stream_t *)&program->out);
	} else if (program->paused && queued < PAUSE_ABOVE / 2) {
		program->paused = false;
		uv_read_start((uv_stream_t *)&program->out, give_chunk, read_output);
	}
}

static void written(uv_write_t *request, int status)
{
	struct write_request *write_request = (struct write_request *)request;
	struct program *program = request->handle->data;

	/* A closed pipe shows as the end of the process. */
	free(write_request->data);
	free(write_request);
	if (status == 0 && !program->abandoned)
		pause_or_go_on(program);
}

void program_write(struct program *program, struct buf *text)
{
	struct write_request *request;
	uv_buf_t bytes;

	if (!text->len || uv_is_closing((uv_handle_t *)&program->in))
		return;
	request = xcalloc(1, sizeof(*request));
	bytes = uv_buf_init(NULL, (unsigned)text->len);
	bytes.base = request->data = buf_take(text);
	if (uv_write(&request->request, (uv_stream_t *)&program->in, &bytes, 1, written) < 0) {
		free(request->data);
		free(request);
		return;
	}
	pause_or_go_on(program);
}

/* --- the start --------------------------------------------------------------- */

static void open_stream(struct program *program, uv_loop_t *loop, uv_pipe_t *stream, int *fd)
{
	uv_pipe_init(loop, stream, 0);
	stream->data = program;
	uv_pipe_open(stream, TAKE_FD(*fd));
	program->open_handles++;
}

static void watch(struct program *program, uv_loop_t *loop)
{
	open_stream(program, loop, &program->in, &program->child.in);
	open_stream(program, loop, &program->out, &program->child.out);
	open_stream(program, loop, &program->errors, &program->child.errors);
	uv_poll_init(loop, &program->end, program->child.pidfd);
	program->end.data = program;
	program->open_handles++;
	uv_poll_start(&program->end, UV_READABLE, process_ended);
	uv_read_start((uv_stream_t *)&program->out, give_chunk, read_output);
	uv_read_start((uv_stream_t *)&program->errors, give_chunk, read_errors);
}

int program_start(
	const struct program_setup *setup, struct program **ret_program, struct error *err)
{
	struct child_request request = {
		.argv = setup->argv, .env = setup->env, .cwd = setup->cwd};
	struct child child;
	struct program *program;

	if (child_start(&request, &child, err) < 0)
		return -1;
	program = xcalloc(1, sizeof(*program));
	program->name = setup->name;
	program->handlers = setup->handlers;
	program->data = setup->data;
	program->child = child;
	line_reader_init(&program->error_lines, ERROR_LINE_MAX);
	watch(program, setup->loop);
	*ret_program = program;
	return 0;
}
