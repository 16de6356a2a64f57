#include "agent/agent.h"

#include <signal.h>
#include <string.h>

#include "format/line_reader.h"
#include "loop/child.h"
#include "proc/log.h"

/* How long the kernel may take to end killed processes, and how often we check. */
#define CLEAR_TRIES   1000
#define CLEAR_WAIT_MS 10

struct agent {
	struct agent_handlers handlers;
	void *data;
	struct loop_child *child; /* NULL when its process has ended */
	struct sandbox *sandbox;
	uv_timer_t timer; /* of its grace, and of its end */
	struct line_reader lines;
	struct buf error_text;
	char *killed;
	uint64_t grace_ms;
	int garbage;
	int exit_code;
	int looks; /* for what is left of it */
	bool talking;
	bool input_closed;
	bool terminated;
};

/* --- the end ----------------------------------------------------------------- */

static void agent_timer_closed(uv_handle_t *handle)
{
	struct agent *agent = handle->data;

	line_reader_release(&agent->lines);
	buf_release(&agent->error_text);
	free(agent->killed);
	free(agent);
}

/* Wait until none of its processes can write: its last writes must not escape the disk limit. */
static void end_when_clear(uv_timer_t *timer)
{
	struct agent *agent = timer->data;
	bool elsewhere;

	if (!sandbox_is_clear(agent->sandbox) && ++agent->looks < CLEAR_TRIES) {
		uv_timer_start(timer, end_when_clear, CLEAR_WAIT_MS, 0);
		return;
	}
	elsewhere = sandbox_kind(agent->sandbox)->elsewhere;
	sandbox_ended(TAKE(agent->sandbox));
	agent->handlers.ended(agent,
		&(struct agent_end){
			.elsewhere = elsewhere,
			.exit_code = agent->exit_code,
			.killed = agent->killed,
			.errors = agent->error_text.data,
		},
		agent->data);
	uv_close((uv_handle_t *)&agent->timer, agent_timer_closed);
}

static void agent_process_ended(int exit_code, void *data)
{
	struct agent *agent = data;

	if (!agent->killed)
		agent->killed = sandbox_limit_reached(agent->sandbox, exit_code);
	agent->child = NULL;
	agent->exit_code = exit_code;
	end_when_clear(&agent->timer);
}

static void grace_over(uv_timer_t *timer)
{
	struct agent *agent = timer->data;

	loop_child_signal(agent->child, agent->terminated ? SIGKILL : SIGTERM);
	agent->terminated = true;
	uv_timer_start(&agent->timer, grace_over, agent->grace_ms, 0);
}

void agent_finish(struct agent *agent)
{
	if (agent->input_closed || !agent->child)
		return;
	agent->input_closed = true;
	loop_child_close_input(agent->child);
	uv_timer_start(&agent->timer, grace_over, agent->grace_ms, 0);
}

void agent_kill(struct agent *agent, const char *why)
{
	if (agent->killed || !agent->child)
		return;
	agent->killed = xstrdup(why);
	loop_child_signal(agent->child, SIGKILL);
}

/* --- output ------------------------------------------------------------------ */

static bool agent_take_line(struct view line, bool too_long, void *data)
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
			agent_kill(agent, "it wrote too much that is not stream-json");
	} else {
		agent->talking = true;
		agent->handlers.event(agent, &event, agent->data);
	}
	stream_event_release(&event);
	return !agent->killed;
}

static void take_output(struct view bytes, void *data)
{
	struct agent *agent = data;

	line_reader_feed(&agent->lines, bytes.data, bytes.len, agent_take_line, agent);
}

/* The end of it is kept. */
static void take_errors(struct view bytes, void *data)
{
	struct agent *agent = data;
	struct buf *text = &agent->error_text;

	buf_append(text, bytes.data, bytes.len);
	if (text->len > AGENT_MAX_ERRORS) {
		memmove(text->data, text->data + text->len - AGENT_MAX_ERRORS,
			AGENT_MAX_ERRORS);
		buf_set_len(text, AGENT_MAX_ERRORS);
	}
}

/* --- input ------------------------------------------------------------------- */

void agent_say(struct agent *agent, struct view text)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	if (!agent->child)
		return;
	stream_write_turn(text, &line);
	loop_child_write(agent->child, &line);
}

/* --- the start --------------------------------------------------------------- */

int agent_start(uv_loop_t *loop, const struct agent_config *config,
	const struct agent_handlers *handlers, void *data, struct agent **ret_agent,
	struct error *err)
{
	struct agent *agent = xcalloc(1, sizeof(*agent));
	struct loop_child_options options = {
		.loop = loop,
		.request = sandbox_command(config->sandbox),
		.handlers = {take_output, take_errors, agent_process_ended},
		.data = agent,
	};

	if (loop_child_start(&options, &agent->child, err) < 0) {
		sandbox_ended(config->sandbox);
		free(agent);
		return -1;
	}
	sandbox_started(config->sandbox, loop_child_pid(agent->child));
	agent->handlers = *handlers;
	agent->data = data;
	agent->sandbox = config->sandbox;
	agent->grace_ms = config->grace_ms;
	agent->error_text = BUF_INIT;
	line_reader_init(&agent->lines, STREAM_MAX_LINE);
	uv_timer_init(loop, &agent->timer);
	agent->timer.data = agent;
	log_debug("agent %d started", (int)loop_child_pid(agent->child));
	*ret_agent = agent;
	return 0;
}

struct sandbox *agent_sandbox(const struct agent *agent)
{
	return agent->sandbox;
}
