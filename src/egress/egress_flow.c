#include <stdlib.h>

#include "egress/internal.h"

#define ACCEPTED "HTTP/1.1 200 Connection established\r\n\r\n"

static void bytes_moved(struct egress_connection *c, size_t len)
{
	c->moved += len;
	c->active = uv_now(c->egress->options.loop);
}

static bool is_too_much(struct egress_connection *c)
{
	uint64_t most = c->egress->options.bytes_most;

	if (c->moved <= most)
		return false;
	egress_tell(c, EGRESS_FAILED, "closed: it carried more than %llu MB",
		(unsigned long long)(most / (1024 * 1024)));
	egress_break(c);
	return true;
}

/* --- to the server ----------------------------------------------------------- */

static void flow_send_up(struct egress_connection *c);

static void sent_up(uv_write_t *write, int status)
{
	struct egress_connection *c = write->data;

	c->is_writing = false;
	if (c->stage == EGRESS_OPEN && status < 0) {
		egress_break(c);
	} else if (c->stage == EGRESS_OPEN) {
		bytes_moved(c, c->up.len);
		if (!is_too_much(c))
			flow_send_up(c);
	}
	egress_user_done(c);
}

static void told_end(uv_shutdown_t *request, int status)
{
	struct egress_connection *c = request->data;

	(void)status;
	if (c->stage == EGRESS_OPEN && c->server_ended)
		egress_end(c);
	egress_user_done(c);
}

/* The agent has sent everything. For a request this is fine: the answer is still to come. */
static void flow_tell_end(struct egress_connection *c)
{
	if (!c->is_tunnel || c->agent_ended)
		return;
	c->agent_ended = true;
	c->end.data = c;
	c->users++;
	if (uv_shutdown(&c->end, (uv_stream_t *)&c->server, told_end) < 0) {
		c->users--;
		egress_break(c);
	}
}

static void flow_fill_from_tunnel(struct egress_connection *c)
{
	struct view input = link_input(c->link);
	size_t len = input.len < EGRESS_CHUNK ? input.len : EGRESS_CHUNK;

	if (!len)
		return;
	buf_append(&c->up, input.data, len);
	link_consume(c->link, len);
}

/* False: the request is broken, and so is the connection. */
static bool flow_fill_from_request(struct egress_connection *c)
{
	struct http_fault fault = {0};

	buf_append(&c->up, c->head.data, c->head.len);
	buf_clear(&c->head);
	if (egress_request_body(c, &fault) < 0) {
		egress_turn_away(c, fault.status, EGRESS_REFUSED, fault.why, NULL);
		return false;
	}
	if (!c->body_ended && link_has_ended(c->link) && !link_input(c->link).len)
		egress_turn_away(c, 400, EGRESS_FAILED, "the request was incomplete", NULL);
	else
		return true;
	return false;
}

/* One chunk at a time: it is written before the next one is made. */
static void flow_send_up(struct egress_connection *c)
{
	uv_buf_t bytes;

	if (c->is_writing || c->stage != EGRESS_OPEN)
		return;
	buf_clear(&c->up);
	if (c->is_tunnel)
		flow_fill_from_tunnel(c);
	else if (!flow_fill_from_request(c))
		return;
	if (!c->up.len) {
		if (link_has_ended(c->link))
			flow_tell_end(c);
		return;
	}
	bytes = uv_buf_init(c->up.data, (unsigned)c->up.len);
	c->write.data = c;
	c->is_writing = true;
	c->users++;
	if (uv_write(&c->write, (uv_stream_t *)&c->server, &bytes, 1, sent_up) < 0) {
		c->users--;
		c->is_writing = false;
		egress_break(c);
	}
}

/* --- to the agent ------------------------------------------------------------ */

static void flow_give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buf)
{
	struct egress_connection *c = handle->data;

	(void)suggested;
	*ret_buf = uv_buf_init(c->down, EGRESS_CHUNK);
}

static void flow_take_end(struct egress_connection *c)
{
	uv_read_stop((uv_stream_t *)&c->server);
	c->server_ended = true;
	if (!c->is_tunnel && link_input(c->link).len && c->body_ended)
		egress_tell(c, EGRESS_REFUSED,
			"data after the request was discarded: a connection carries one request");
	if (!c->is_tunnel || c->agent_ended)
		egress_end(c);
	else
		link_end(c->link);
}

static void flow_take_from_server(uv_stream_t *stream, ssize_t got, const uv_buf_t *room)
{
	struct egress_connection *c = stream->data;

	if (got > 0) {
		bytes_moved(c, (size_t)got);
		c->is_answered = true;
		if (is_too_much(c))
			return;
		link_send(c->link, &(struct view){room->base, (size_t)got}, 1);
		/* Read on when the agent has taken it. */
		if (link_queued(c->link))
			uv_read_stop(stream);
	} else if (got == UV_EOF) {
		flow_take_end(c);
	} else if (got < 0) {
		egress_break(c);
	}
}

/* Reading may have started already: queued data can be written before we get here. */
static void listen_to_server(struct egress_connection *c)
{
	int result = 0;

	if (!c->server_ended)
		result = uv_read_start(
			(uv_stream_t *)&c->server, flow_give_room, flow_take_from_server);
	if (result < 0 && result != UV_EALREADY)
		egress_break(c);
}

void egress_flow_drained(struct egress_connection *c)
{
	if (c->stage != EGRESS_OPEN)
		return;
	bytes_moved(c, 0);
	listen_to_server(c);
}

void egress_flow_more(struct egress_connection *c)
{
	flow_send_up(c);
}

/* --- the beginning ----------------------------------------------------------- */

/* Nothing has moved for a while? */
static void look_at_clock(uv_timer_t *timer)
{
	struct egress_connection *c = timer->data;
	uint64_t idle = uv_now(timer->loop) - c->active;
	uint64_t most = c->egress->options.idle_ms;

	if (idle < most) {
		uv_timer_start(timer, look_at_clock, most - idle, 0);
		return;
	}
	egress_tell(c, EGRESS_FAILED, "closed: idle for %llu seconds",
		(unsigned long long)(most / 1000));
	egress_break(c);
}

void egress_flow_begin(struct egress_connection *c)
{
	c->stage = EGRESS_OPEN;
	c->active = uv_now(c->egress->options.loop);
	c->down = xmalloc(EGRESS_CHUNK);
	uv_tcp_nodelay(&c->server, 1);
	uv_timer_start(&c->timer, look_at_clock, c->egress->options.idle_ms, 0);
	if (c->is_tunnel)
		link_send(c->link, &(struct view){ACCEPTED, sizeof(ACCEPTED) - 1}, 1);
	listen_to_server(c);
	flow_send_up(c);
}
