#include "programs/remote_link/link.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "format/json.h"
#include "fs/sys.h"

/* Sources are not read while so many bytes wait for the other half. */
#define BUSY LINK_WINDOW

/* How long files are stored at once, and how many bytes of them. */
#define FILES_MS    100
#define FILES_PIECE ((size_t)1024)

int64_t link_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t link_number(const json_t *message, const char *name)
{
	const json_t *value = json_object_get(message, name);
	double number = json_is_number(value) ? json_number_value(value) : -1;

	return number >= 0 && number <= 9007199254740992.0 ? (int64_t)number : -1;
}

void link_init(
	struct link *link, int in, int out, const struct link_handlers *handlers, void *data)
{
	*link = (struct link){
		.in = in,
		.out = out,
		.handlers = handlers,
		.data = data,
		.unread = BUF_INIT,
		.unsent = BUF_INIT,
		.message = BUF_INIT_MAX(LINK_MAX_MESSAGE),
		.heard_ms = link_now_ms(),
	};
	fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
	fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
}

struct stream *link_add(struct link *link, unsigned id, int in, int out)
{
	struct stream *stream = xcalloc(1, sizeof(*stream));

	stream->id = id;
	stream->in = in;
	stream->out = out;
	stream->ahead = stream->held = BUF_INIT;
	link->streams[id] = stream;
	link->count++;
	return stream;
}

unsigned link_unused(const struct link *link)
{
	for (unsigned id = LINK_SOCKETS; id < FRAME_STREAMS; id++)
		if (!link->streams[id])
			return id;
	return 0;
}

static void stream_end(struct link *link, struct stream *stream)
{
	closep(&stream->in);
	closep(&stream->out);
	buf_release(&stream->ahead);
	buf_release(&stream->held);
	link->streams[stream->id] = NULL;
	link->count--;
	free(stream);
}

bool link_is_drained(const struct stream *stream)
{
	return stream->end_received && !stream->held.len;
}

static void drop_front(struct buf *b, size_t len)
{
	memmove(b->data, b->data + len, b->len - len);
	buf_set_len(b, b->len - len);
}

/* --- sending ----------------------------------------------------------------- */

void link_message(struct link *link, json_t *message)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	json_write_ours(message, false, &text);
	json_decref(message);
	buf_append_char(&text, '\n');
	for (size_t at = 0; at < text.len; at += FRAME_MAX)
		frame_write(&link->unsent, 0, FRAME_MESSAGE,
			view_slice(view_of_buf(&text), at,
				text.len - at < FRAME_MAX ? text.len : at + FRAME_MAX));
}

size_t link_room(const struct link *link, const struct stream *stream)
{
	size_t room = LINK_WINDOW - stream->unacked;

	if (link->unsent.len - link->sent >= BUSY)
		return 0;
	return room < LINK_CHUNK ? room : LINK_CHUNK;
}

void link_send(struct link *link, struct stream *stream, struct view bytes)
{
	frame_write(&link->unsent, stream->id, FRAME_DATA, bytes);
	stream->unacked += bytes.len;
}

/* Passes on what was read, as far as it may be, and then its end. */
static void stream_pass(struct link *link, struct stream *stream)
{
	size_t room = link_room(link, stream);
	struct view bytes = view_of_buf(&stream->ahead);

	bytes.len = bytes.len < room ? bytes.len : room;
	if (bytes.len && link->handlers->may_pass)
		bytes.len = link->handlers->may_pass(stream, bytes, link->data);
	if (bytes.len) {
		link_send(link, stream, bytes);
		drop_front(&stream->ahead, bytes.len);
	}
	if (stream->in_ended && !stream->ahead.len && !stream->end_sent) {
		frame_write(&link->unsent, stream->id, FRAME_END, (struct view){0});
		stream->end_sent = true;
	}
}

static void stream_read(struct stream *stream)
{
	size_t room = buf_reserve(&stream->ahead, LINK_CHUNK);
	ssize_t n = read(stream->in, stream->ahead.data + stream->ahead.len, room);

	if (n > 0) {
		buf_set_len(&stream->ahead, stream->ahead.len + (size_t)n);
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		closep(&stream->in);
		stream->in_ended = true;
	}
}

/* --- receiving --------------------------------------------------------------- */

/* If nobody reads it any more, it counts as taken. */
static void stream_write(struct stream *stream)
{
	/* A pipe that poll() calls writable takes so many bytes without blocking. */
	size_t len = stream->held.len < PIPE_BUF ? stream->held.len : PIPE_BUF;
	ssize_t n = sys.write(stream->out, stream->held.data, len);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n < 0) {
		closep(&stream->out);
		return;
	}
	drop_front(&stream->held, (size_t)n);
	stream->taken += (size_t)n;
}

static bool has_files(const struct stream *stream)
{
	return stream->id == LINK_FILES && stream->held.len && !stream->waits;
}

/* Only for a moment: many small files are slow to store, and pings wait. */
static int settle_files(struct link *link, struct stream *stream, struct error *err)
{
	int64_t until = link_now_ms() + FILES_MS;
	struct view held = view_of_buf(&stream->held);
	size_t at = 0;

	do {
		size_t end = at + FILES_PIECE < held.len ? at + FILES_PIECE : held.len;

		if (link->handlers->files(view_slice(held, at, end), link->data, err) < 0)
			return -1;
		at = end;
	} while (at < held.len && link_now_ms() < until);
	drop_front(&stream->held, at);
	stream->taken += at;
	return 0;
}

static int stream_settle(struct link *link, struct stream *stream, struct error *err)
{
	if (has_files(stream) && settle_files(link, stream, err) < 0)
		return -1;
	if (stream->id != LINK_FILES && stream->out < 0 && stream->held.len && !stream->waits) {
		stream->taken += stream->held.len;
		buf_clear(&stream->held);
	}
	if (stream->taken && link->unsent.len - link->sent < BUSY) {
		frame_write_number(
			&link->unsent, stream->id, FRAME_TAKEN, (uint32_t)stream->taken);
		stream->taken = 0;
	}
	if (link_is_drained(stream) && stream->out >= 0) {
		shutdown(stream->out, SHUT_WR);
		closep(&stream->out);
	}
	return 0;
}

static int take_message(struct link *link, struct view bytes, struct error *err)
{
	char *end;

	buf_append(&link->message, bytes.data, bytes.len);
	if (link->message.overflow)
		return error_set(err, ERROR_INVALID, "sent a message that is too long");
	while ((end = memchr(link->message.data, '\n', link->message.len))) {
		struct view line = {link->message.data, (size_t)(end - link->message.data)};
		json_t *message;

		if (json_read(line, "message", LINK_MAX_MESSAGE, &message, err) < 0 ||
			link->handlers->message(message, link->data, err) < 0)
			return -1;
		drop_front(&link->message, line.len + 1);
	}
	return 0;
}

static int take_frame(struct link *link, const struct frame *frame, struct error *err)
{
	struct stream *stream = link->streams[frame->stream];

	if (frame->type == FRAME_MESSAGE)
		return take_message(link, frame->payload, err);
	if (frame->type == FRAME_OPEN) {
		if (stream || frame->stream < LINK_SOCKETS || !link->handlers->open)
			return error_set(err, ERROR_INVALID, "opened a stream that is open");
		return link->handlers->open(frame->stream, frame->number, link->data, err);
	}
	if (!stream)
		return error_set(err, ERROR_INVALID, "sent a frame of no stream");
	if (frame->type == FRAME_TAKEN) {
		if (frame->number > stream->unacked)
			return error_set(err, ERROR_INVALID, "took more than it got");
		stream->unacked -= frame->number;
		return 0;
	}
	if (stream->end_received)
		return error_set(err, ERROR_INVALID, "sent more after the end of a stream");
	if (frame->type == FRAME_END) {
		stream->end_received = true;
		return 0;
	}
	if (frame->payload.len + stream->held.len + stream->taken > LINK_WINDOW)
		return error_set(err, ERROR_INVALID, "sent more than a window");
	buf_append(&stream->held, frame->payload.data, frame->payload.len);
	stream->passed = false;
	return 0;
}

static int link_take(struct link *link, struct error *err)
{
	size_t room = buf_reserve(&link->unread, LINK_CHUNK);
	ssize_t n = read(link->in, link->unread.data + link->unread.len, room);
	size_t at = 0;
	struct frame frame;
	ssize_t len;

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n <= 0) {
		link->ended = true;
		return 0;
	}
	buf_set_len(&link->unread, link->unread.len + (size_t)n);
	link->heard_ms = link_now_ms();
	while ((len = frame_read(view_slice(view_of_buf(&link->unread), at, link->unread.len),
			&frame, err)) > 0) {
		if (take_frame(link, &frame, err) < 0)
			return -1;
		at += (size_t)len;
	}
	drop_front(&link->unread, at);
	return len < 0 ? -1 : 0;
}

static void link_put(struct link *link)
{
	ssize_t n = sys.write(
		link->out, link->unsent.data + link->sent, link->unsent.len - link->sent);

	if (n < 0 && errno != EINTR && errno != EAGAIN)
		link->ended = true;
	if (n > 0)
		link->sent += (size_t)n;
	if (link->sent == link->unsent.len) {
		buf_clear(&link->unsent);
		link->sent = 0;
	} else if (link->sent > BUSY) {
		drop_front(&link->unsent, link->sent);
		link->sent = 0;
	}
}

/* --- a turn ------------------------------------------------------------------ */

int link_settle(struct link *link, struct error *err)
{
	for (unsigned id = 1; id < FRAME_STREAMS; id++) {
		struct stream *stream = link->streams[id];

		if (!stream)
			continue;
		stream_pass(link, stream);
		if (stream_settle(link, stream, err) < 0)
			return -1;
		/* Only when the other half knows all of it, so that its number is free there. */
		if (id >= LINK_SOCKETS && stream->end_sent && link_is_drained(stream) &&
			!stream->unacked && !stream->taken)
			stream_end(link, stream);
	}
	if (link->unsent.len - link->sent > LINK_MAX_OUT)
		return error_set(err, ERROR_INVALID, "does not read what it asks for");
	return 0;
}

int link_wait(struct link *link, struct pollfd *others, size_t count, int timeout_ms,
	struct error *err)
{
	static struct pollfd fds[LINK_MAX_OTHERS + 2 + 2 * FRAME_STREAMS];
	static struct stream *readers[FRAME_STREAMS], *writers[FRAME_STREAMS];
	size_t n = count + 2, reading = 0, writing = 0;

	for (size_t i = 0; i < count; i++)
		fds[i] = others[i];
	fds[count] = (struct pollfd){link->ended ? -1 : link->in, POLLIN, 0};
	fds[count + 1] =
		(struct pollfd){link->unsent.len && !link->ended ? link->out : -1, POLLOUT, 0};
	for (unsigned id = 1; id < FRAME_STREAMS; id++) {
		struct stream *stream = link->streams[id];

		if (stream && stream->in >= 0 && !stream->ahead.len &&
			link_room(link, stream)) {
			readers[reading++] = stream;
			fds[n++] = (struct pollfd){stream->in, POLLIN, 0};
		}
	}
	for (unsigned id = 1; id < FRAME_STREAMS; id++) {
		struct stream *stream = link->streams[id];

		if (stream && stream->out >= 0 && stream->held.len) {
			writers[writing++] = stream;
			fds[n++] = (struct pollfd){stream->out, POLLOUT, 0};
		}
	}
	if (poll(fds, n, has_files(link->streams[LINK_FILES]) ? 0 : timeout_ms) < 0)
		return errno == EINTR ? 0 : error_errno(err, "cannot wait");
	for (size_t i = 0; i < count; i++)
		others[i].revents = fds[i].revents;
	for (size_t i = 0; i < reading; i++)
		if (fds[count + 2 + i].revents)
			stream_read(readers[i]);
	for (size_t i = 0; i < writing; i++)
		if (fds[count + 2 + reading + i].revents)
			stream_write(writers[i]);
	if (fds[count + 1].revents)
		link_put(link);
	return fds[count].revents ? link_take(link, err) : 0;
}
