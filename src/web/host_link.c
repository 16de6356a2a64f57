#include "web/host_link.h"

#include <stdio.h>
#include <string.h>

#include "format/json.h"
#include "format/line_reader.h"
#include "loop/stream.h"

#define LINE_MAX_SIZE ((size_t)1024 * 1024)
#define MAX_TEXTS     32
#define TEXT_MAX      ((size_t)64 * 1024)

struct pipe {
	uv_pipe_t handle;
	uv_connect_t connect;
	struct host_link *link; /* NULL: it is being closed */
};

struct host_link {
	uv_loop_t *loop;
	int folder;
	struct events *events;
	uv_timer_t timer;  /* every second, while a client is there or was a moment ago */
	unsigned quiet;    /* seconds without a client */
	struct pipe *pipe; /* NULL: not connected, nor connecting */
	bool connected;
	struct line_reader lines;
	json_t *texts; /* by turn: {group, turn, text} */
};

static void pipe_closed(uv_handle_t *handle)
{
	free(handle->data);
}

static void link_hang_up(struct host_link *link)
{
	if (!link->pipe)
		return;
	link->pipe->link = NULL;
	uv_close((uv_handle_t *)&link->pipe->handle, pipe_closed);
	link->pipe = NULL;
	line_reader_release(&link->lines);
	line_reader_init(&link->lines, LINE_MAX_SIZE);
	json_object_clear(link->texts);
	if (link->connected)
		events_add(link->events, json_build("type:s running:b", "host", 0));
	link->connected = false;
}

/* Keeps the text so far, for a client that connects in the middle of it. */
static void link_keep_text(struct host_link *link, json_t *event)
{
	const char *turn = json_string_value(json_object_get(event, "turn"));
	const char *piece = json_string_value(json_object_get(event, "text"));
	json_t *kept = turn ? json_object_get(link->texts, turn) : NULL;
	const char *before = json_string_value(json_object_get(kept, "text"));
	bool begins = json_number_value(json_object_get(event, "from")) == 0;

	if (!turn)
		return;
	if (!piece) {
		json_object_del(link->texts, turn);
	} else if (begins || !before) {
		if (kept || json_object_size(link->texts) < MAX_TEXTS)
			json_object_set_new(link->texts, turn, json_deep_copy(event));
	} else if (strlen(before) + strlen(piece) <= TEXT_MAX) {
		json_put(kept, "text:o", json_sprintf("%s%s", before, piece));
	}
}

static bool link_take_line(struct view line, bool too_long, void *data)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct host_link *link = data;
	const char *type;
	json_t *event = NULL;

	if (too_long || json_read(line, "event", LINE_MAX_SIZE, &event, &ignored) < 0)
		return true;
	type = json_string_value(json_object_get(event, "type"));
	if (type && !strcmp(type, "hello")) {
		/* Only now: from here on, the host reports everything. */
		link->connected = true;
		events_add(link->events, json_build("type:s host:b", "resync", 1));
	}
	if (!type || !strcmp(type, "hello")) {
		json_decref(event);
		return true;
	}
	if (!strcmp(type, "text"))
		link_keep_text(link, event);
	events_add(link->events, event);
	return link->pipe != NULL;
}

static void link_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk)
{
	struct pipe *pipe = stream->data;

	if (!pipe->link)
		return;
	if (got < 0)
		link_hang_up(pipe->link);
	else if (got > 0)
		line_reader_feed(&pipe->link->lines, chunk->base, (size_t)got, link_take_line,
			pipe->link);
}

static void link_connected(uv_connect_t *connect, int status)
{
	struct pipe *pipe = connect->handle->data;
	struct host_link *link = pipe->link;
	CLEANUP(buf_release) struct buf hello = BUF_INIT;

	if (!link)
		return;
	buf_append_str(&hello, "{}\n");
	if (status < 0 || loop_write((uv_stream_t *)&pipe->handle, &hello, NULL) < 0 ||
		uv_read_start((uv_stream_t *)&pipe->handle, loop_chunk, link_read) < 0)
		link_hang_up(link);
}

static void link_look(uv_timer_t *timer)
{
	struct host_link *link = timer->data;
	char path[64];

	link->quiet = events_stream_count(link->events) ? 0 : link->quiet + 1;
	if (link->quiet > LINK_LINGER_S) {
		uv_timer_stop(timer);
		link_hang_up(link);
	} else if (!link->quiet && !link->pipe) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d/watch.sock", link->folder);
		link->pipe = xcalloc(1, sizeof(*link->pipe));
		link->pipe->link = link;
		uv_pipe_init(link->loop, &link->pipe->handle, 0);
		link->pipe->handle.data = link->pipe;
		uv_pipe_connect(
			&link->pipe->connect, &link->pipe->handle, path, link_connected);
	}
}

void host_link_wake(struct host_link *link)
{
	if (!uv_is_active((uv_handle_t *)&link->timer))
		uv_timer_start(&link->timer, link_look, 0, 1000);
}

void host_link_texts(const struct host_link *link, struct buf *out)
{
	const char *turn;
	json_t *text;

	json_object_foreach(link->texts, turn, text) {
		CLEANUP(json_decrefp) json_t *event = json_copy(text);

		json_object_del(event, "seq");
		json_put(event, "from:i", 0);
		json_write_ours(event, false, out);
		buf_append_char(out, '\n');
	}
}

struct host_link *host_link_new(uv_loop_t *loop, int folder, struct events *events)
{
	struct host_link *link = xcalloc(1, sizeof(*link));

	link->loop = loop;
	link->folder = folder;
	link->events = events;
	link->texts = json_object();
	line_reader_init(&link->lines, LINE_MAX_SIZE);
	uv_timer_init(loop, &link->timer);
	link->timer.data = link;
	return link;
}

static void link_freed(uv_handle_t *timer)
{
	struct host_link *link = timer->data;

	line_reader_release(&link->lines);
	json_decref(link->texts);
	free(link);
}

void host_link_free(struct host_link *link)
{
	if (!link)
		return;
	link_hang_up(link);
	uv_close((uv_handle_t *)&link->timer, link_freed);
}
