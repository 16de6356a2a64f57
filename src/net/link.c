#include "net/link.h"

#include <stdlib.h>
#include <string.h>

#include "loop/stream.h"
#include "proc/local_socket.h"

#define MAX_PIECES 8

struct link {
	union {
		uv_stream_t stream;
		uv_pipe_t pipe;
		uv_tcp_t tcp;
	} at;
	struct link *next;
	struct link *previous;
	struct links *links;
	const struct link_owner *owner;
	void *data;
	char *input; /* LINK_INPUT_MAX bytes, or NULL while nothing is in it */
	size_t from;
	size_t to;
	bool reading;
	bool ended;   /* the peer has said all */
	bool closing; /* it has no owner, and ends when the peer has read everything */
	bool closed;
	bool told_end; /* the peer has seen the end of our stream */
	uv_shutdown_t end;
};

/* --- the end ----------------------------------------------------------------- */

static void link_closed(uv_handle_t *handle)
{
	struct link *link = handle->data;

	free(link->input);
	free(link);
}

void link_break(struct link *link)
{
	if (link->closed)
		return;
	link->closed = true;
	if (link->previous)
		link->previous->next = link->next;
	else
		link->links->first = link->next;
	if (link->next)
		link->next->previous = link->previous;
	link->links->count--;
	uv_close((uv_handle_t *)&link->at, link_closed);
	if (!link->closing)
		link->owner->gone(link, link->data);
}

void links_break(struct links *links)
{
	while (links->first)
		link_break(links->first);
}

static void link_ended(uv_shutdown_t *request, int status)
{
	struct link *link = request->handle->data;

	if (status < 0)
		link_break(link);
}

void link_end(struct link *link)
{
	if (link->closed || link->told_end)
		return;
	link->told_end = true;
	if (uv_shutdown(&link->end, &link->at.stream, link_ended) < 0)
		link_break(link);
}

/*
 * Closing with unread bytes from the peer would look like an error to it, and it might not read
 * what we have sent. So send the end of the stream, and discard further input.
 */
void link_close(struct link *link)
{
	if (link->closed || link->closing)
		return;
	link->closing = true;
	link->owner->gone(link, link->data);
	link_consume(link, link_input(link).len);
	if (link->ended && !link_queued(link))
		link_break(link);
	else
		link_end(link);
}

/* --- reading ----------------------------------------------------------------- */

static void link_give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buf)
{
	struct link *link = handle->data;

	(void)suggested;
	if (!link->input)
		link->input = xmalloc(LINK_INPUT_MAX);
	*ret_buf = uv_buf_init(link->input + link->to, (unsigned)(LINK_INPUT_MAX - link->to));
}

static void link_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *room)
{
	struct link *link = stream->data;

	(void)room;
	if (got > 0 && !link->closing)
		link->to += (size_t)got;
	else if (got < 0)
		link->ended = true;
	else
		return;
	if (link->reading && (link->ended || link->to == LINK_INPUT_MAX)) {
		uv_read_stop(&link->at.stream);
		link->reading = false;
	}
	if (link->ended && (got != UV_EOF || (link->closing && !link_queued(link))))
		link_break(link);
	else if (!link->closing)
		link->owner->more(link, link->data);
	/* Freed only here: more() may still use bytes that it has consumed. */
	if (!link_input(link).len) {
		free(link->input);
		link->input = NULL;
	}
}

static void link_start_reading(struct link *link)
{
	if (link->reading || link->ended || link->closed || link->to == LINK_INPUT_MAX)
		return;
	link->reading = uv_read_start(&link->at.stream, link_give_room, link_read) == 0;
}

struct view link_input(const struct link *link)
{
	if (!link->input)
		return view_of("");
	return (struct view){link->input + link->from, link->to - link->from};
}

void link_consume(struct link *link, size_t len)
{
	link->from += len;
	if (link->from == link->to) {
		link->from = link->to = 0;
	} else if (link->from > LINK_INPUT_MAX / 2) {
		memmove(link->input, link->input + link->from, link->to - link->from);
		link->to -= link->from;
		link->from = 0;
	}
	link_start_reading(link);
}

bool link_has_ended(const struct link *link)
{
	return link->ended;
}

/* --- writing ----------------------------------------------------------------- */

static void link_wrote(uv_stream_t *stream, int status)
{
	struct link *link = stream->data;

	if (link->closed)
		return;
	if (status < 0 || (link->closing && link->ended && !link_queued(link)))
		link_break(link);
	else if (!link->closing && !link_queued(link))
		link->owner->drained(link, link->data);
}

size_t link_queued(const struct link *link)
{
	return loop_queued(&link->at.stream);
}

/* A failed write is reported later, or by the reading side: never from within link_send(). */
void link_send(struct link *link, const struct view *pieces, size_t count)
{
	CLEANUP(buf_release) struct buf rest = BUF_INIT;
	uv_buf_t bufs[MAX_PIECES];
	int wrote = UV_EAGAIN;
	size_t done;

	if (link->closed || link->closing || count > MAX_PIECES)
		return;
	for (size_t i = 0; i < count; i++)
		bufs[i] =
			uv_buf_init((char *)(uintptr_t)pieces[i].data, (unsigned)pieces[i].len);
	if (!link_queued(link))
		wrote = uv_try_write(&link->at.stream, bufs, (unsigned)count);
	done = wrote > 0 ? (size_t)wrote : 0;
	for (size_t i = 0; i < count; i++) {
		size_t skip = done < pieces[i].len ? done : pieces[i].len;

		buf_append(&rest, pieces[i].data + skip, pieces[i].len - skip);
		done -= skip;
	}
	if (rest.len)
		loop_write(&link->at.stream, &rest, link_wrote);
}

/* --- the beginning ----------------------------------------------------------- */

static bool link_take_from(uv_stream_t *listener, struct link *link)
{
	int fd;

	if (listener->type == UV_TCP)
		uv_tcp_init(listener->loop, &link->at.tcp);
	else
		uv_pipe_init(listener->loop, &link->at.pipe, 0);
	link->at.stream.data = link;
	if (uv_accept(listener, &link->at.stream) < 0)
		return false;
	if (listener->type == UV_TCP)
		uv_tcp_nodelay(&link->at.tcp, 1);
	return link->links->any_user ||
	       (uv_fileno((uv_handle_t *)&link->at, &fd) == 0 && local_socket_is_ours(fd));
}

struct link *link_accept(
	struct links *links, uv_stream_t *listener, const struct link_owner *owner, void *data)
{
	struct link *link = xcalloc(1, sizeof(*link));

	link->links = links;
	link->owner = owner;
	link->data = data;
	if (!link_take_from(listener, link)) {
		link->closed = true;
		uv_close((uv_handle_t *)&link->at, link_closed);
		return NULL;
	}
	link->next = links->first;
	if (link->next)
		link->next->previous = link;
	links->first = link;
	links->count++;
	link_start_reading(link);
	return link;
}

void link_give_to(struct link *link, const struct link_owner *owner, void *data)
{
	link->owner = owner;
	link->data = data;
}

void *link_home(const struct link *link)
{
	return link->links->home;
}
