#include "agent/agent.h"

#include <signal.h>
#include <string.h>

#include "util/child.h"
#include "util/line_reader.h"
#include "util/log.h"

enum handle {
	HANDLE_IN,
	HANDLE_OUT,
	HANDLE_ERRORS,
	HANDLE_END,
	HANDLE_TIMER,
	HANDLE_COUNT,
};

struct agent {
	struct agent_handlers handlers;
	void *data;
	struct child child;
	struct sandbox *sandbox;
	uv_pipe_t in;
	uv_pipe_t out;
	uv_pipe_t errors;
	uv_poll_t end;
	uv_timer_t timer;
	struct line_reader lines;
	struct buf error_text;
	char *killed;
	uint64_t grace_ms;
	int garbage;
	int exit_code;
	unsigned open_handles;
	bool talking;
	bool input_closed;
	bool terminated;
	bool reaped;
	bool out_ended;
	bool errors_ended;
	bool closing;
};

struct write_request {
	uv_write_t request;
	char *data;
};

/* --- the end ----------------------------------------------------------------- */

static void handle_closed(uv_handle_t *handle)
{
	struct agent *agent = handle->data;

	if (--agent->open_handles)
		return;
	line_reader_release(&agent->lines);
	buf_release(&agent->error_text);
	child_release(&agent->child);
	free(agent->killed);
	free(agent);
}

static void close_all(struct agent *agent)
{
	uv_handle_t *handles[] = {
		[HANDLE_IN] = (uv_handle_t *)&agent->in,
		[HANDLE_OUT] = (uv_handle_t *)&agent->out,
		[HANDLE_ERRORS] = (uv_handle_t *)&agent->errors,
		[HANDLE_END] = (uv_handle_t *)&agent->end,
		[HANDLE_TIMER] = (uv_handle_t *)&agent->timer,
	};

	agent->closing = true;
	for (size_t i = 0; i < HANDLE_COUNT; i++)
		if (!uv_is_closing(handles[i]))
			uv_close(handles[i], handle_closed);
}

/* Reaped, and nothing more to read: tell, and go. */
static void finish(struct agent *agent)
{
	if (agent->closing || !agent->reaped || !agent->out_ended || !agent->errors_ended)
		return;
	agent->handlers.ended(agent,
		&(struct agent_end){
			.exit_code = agent->exit_code,
			.killed = agent->killed,
			.errors = agent->error_text.data,
			.started_talking = agent->talking,
		},
		agent->data);
	close_all(agent);
}

static void close_input(struct agent *agent)
{
	if (agent->input_closed)
		return;
	agent->input_closed = true;
	uv_close((uv_handle_t *)&agent->in, handle_closed);
}

static void grace_over(uv_timer_t *timer);

static void give_grace(struct agent *agent)
{
	uv_timer_start(&agent->timer, grace_over, agent->grace_ms, 0);
}

static void grace_really_over(uv_timer_t *timer)
{
	struct agent *agent = timer->data;

	if (agent->reaped) {
		/* Somebody else holds its output open. */
		agent->out_ended = agent->errors_ended = true;
		finish(agent);
		return;
	}
	child_signal(&agent->child, agent->terminated ? SIGKILL : SIGTERM);
	agent->terminated = true;
	give_grace(agent);
}

/* Timers come first in the loop; what was written in time may still wait in the pipes. */
static void grace_over(uv_timer_t *timer)
{
	uv_timer_start(timer, grace_really_over, 1, 0);
}

static void process_ended(uv_poll_t *poll, int status, int events)
{
	struct agent *agent = poll->data;

	(void)status;
	(void)events;
	uv_poll_stop(poll);
	/* What it has left of its group; before its number can mean another one. */
	child_signal(&agent->child, SIGKILL);
	agent->exit_code = child_reap(&agent->child);
	if (!agent->killed)
		agent->killed = sandbox_limit_reached(agent->sandbox, agent->exit_code);
	sandbox_ended(TAKE(agent->sandbox));
	agent->reaped = true;
	close_input(agent);
	give_grace(agent);
	finish(agent);
}

void agent_finish(struct agent *agent)
{
	if (agent->input_closed)
		return;
	close_input(agent);
	give_grace(agent);
}

void agent_kill(struct agent *agent, const char *why)
{
	if (agent->reaped || agent->killed)
		return;
	agent->killed = xstrdup(why);
	child_signal(&agent->child, SIGKILL);
}

/* --- what it says ------------------------------------------------------------ */

static bool take_line(struct view line, bool too_long, void *data)
{
	struct agent *agent = data;
	struct stream_event event;

	if (agent->killed)
		return false;
	if (too_long) {
		agent_kill(agent, "it wrote a line that is too long");
		return false;
	}
	if (!view_trim(line).len)
		return true;
	event = stream_read(line);
	if (event.kind == STREAM_GARBAGE) {
		if (++agent->garbage > AGENT_MAX_GARBAGE)
			agent_kill(agent, "it wrote too much that is no stream-json");
	} else {
		agent->talking = true;
		agent->handlers.event(agent, &event, agent->data);
	}
	stream_event_release(&event);
	return !agent->killed;
}

static void give_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buf)
{
	/* One for all: it is used up before the next one is asked for. */
	static char chunk[65536];

	(void)handle;
	(void)suggested;
	*ret_buf = uv_buf_init(chunk, sizeof(chunk));
}

static void read_output(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk)
{
	struct agent *agent = stream->data;

	if (got > 0)
		line_reader_feed(&agent->lines, chunk->base, (size_t)got, take_line, agent);
	if (got >= 0)
		return;
	uv_read_stop(stream);
	agent->out_ended = true;
	finish(agent);
}

/* The end of it is kept. */
static void read_errors(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk)
{
	struct agent *agent = stream->data;
	struct buf *text = &agent->error_text;

	if (got < 0) {
		uv_read_stop(stream);
		agent->errors_ended = true;
		finish(agent);
		return;
	}
	buf_append(text, chunk->base, (size_t)got);
	if (text->len > AGENT_MAX_ERRORS) {
		memmove(text->data, text->data + text->len - AGENT_MAX_ERRORS,
			AGENT_MAX_ERRORS);
		buf_set_len(text, AGENT_MAX_ERRORS);
	}
}

/* --- what it is told --------------------------------------------------------- */

static void written(uv_write_t *request, int status)
{
	struct write_request *write_request = (struct write_request *)request;

	(void)status; /* a closed pipe shows as the end of the process */
	free(write_request->data);
	free(write_request);
}

void agent_say(struct agent *agent, struct view text)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	struct write_request *request;
	uv_buf_t bytes;

	if (agent->input_closed)
		return;
	request = xcalloc(1, sizeof(*request));
	stream_write_turn(text, &line);
	bytes = uv_buf_init(NULL, (unsigned)line.len);
	bytes.base = request->data = buf_take(&line);
	if (uv_write(&request->request, (uv_stream_t *)&agent->in, &bytes, 1, written) < 0)
		written(&request->request, -1);
}

/* --- the start --------------------------------------------------------------- */

static void open_stream(struct agent *agent, uv_loop_t *loop, uv_pipe_t *stream, int *fd)
{
	uv_pipe_init(loop, stream, 0);
	stream->data = agent;
	uv_pipe_open(stream, TAKE_FD(*fd));
	agent->open_handles++;
}

static void watch(struct agent *agent, uv_loop_t *loop)
{
	open_stream(agent, loop, &agent->in, &agent->child.in);
	open_stream(agent, loop, &agent->out, &agent->child.out);
	open_stream(agent, loop, &agent->errors, &agent->child.errors);
	uv_poll_init(loop, &agent->end, agent->child.pidfd);
	uv_timer_init(loop, &agent->timer);
	agent->end.data = agent->timer.data = agent;
	agent->open_handles += 2;
	uv_poll_start(&agent->end, UV_READABLE, process_ended);
	uv_read_start((uv_stream_t *)&agent->out, give_chunk, read_output);
	uv_read_start((uv_stream_t *)&agent->errors, give_chunk, read_errors);
}

int agent_start(uv_loop_t *loop, const struct agent_config *config,
	const struct agent_handlers *handlers, void *data, struct agent **ret_agent,
	struct error *err)
{
	struct child child;
	struct agent *agent;

	if (child_start(sandbox_command(config->sandbox), &child, err) < 0) {
		sandbox_ended(config->sandbox);
		return -1;
	}
	sandbox_started(config->sandbox, child.pid);
	agent = xcalloc(1, sizeof(*agent));
	agent->handlers = *handlers;
	agent->data = data;
	agent->child = child;
	agent->sandbox = config->sandbox;
	agent->grace_ms = config->grace_ms;
	agent->error_text = BUF_INIT;
	line_reader_init(&agent->lines, STREAM_MAX_LINE);
	watch(agent, loop);
	log_debug("agent %d started", (int)child.pid);
	*ret_agent = agent;
	return 0;
}

struct sandbox *agent_sandbox(const struct agent *agent)
{
	return agent->sandbox;
}
