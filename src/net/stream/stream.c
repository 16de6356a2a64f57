#include "net/stream/stream.h"

#include <stdlib.h>
#include <string.h>

#include "loop/stream.h"
#include "net/network_call.h"

#define MAX_QUEUE     ((size_t)1024 * 1024)
#define READS_AT_ONCE 16 /* before others on the loop have their turn */

struct net_stream {
	struct network_call call;
	const struct net_stream_handlers *handlers;
	void *data;
	uint64_t idle_ms;
	size_t max_queue;
	/*
	 * `sending` must not move once libcurl has sent a part of it: TLS wants the same bytes
	 * again from the same address. So new bytes go to `queued`.
	 */
	struct buf sending;
	size_t sent;
	struct buf queued;
	uv_poll_t poll; /* once it is connected */
	uv_timer_t quiet;
	uv_timer_t again; /* reads the rest */
	unsigned open_handles;
	bool connected;
	bool finishing; /* the owner has stopped listening */
	bool closed;
};

/* --- the end ----------------------------------------------------------------- */

static void handle_closed(uv_handle_t *handle)
{
	struct net_stream *stream = handle->data;

	if (--stream->open_handles)
		return;
	buf_release(&stream->sending);
	buf_release(&stream->queued);
	free(stream);
}

static void drop_stream(struct network_call *call)
{
	struct net_stream *stream = (struct net_stream *)call;

	/* The poll first: libcurl closes the socket. */
	if (stream->connected)
		uv_close((uv_handle_t *)&stream->poll, handle_closed);
	uv_close((uv_handle_t *)&stream->quiet, handle_closed);
	uv_close((uv_handle_t *)&stream->again, handle_closed);
	network_call_close(call);
}

void net_stream_close(struct net_stream *stream)
{
	if (stream->closed)
		return;
	stream->closed = true;
	if (stream->connected)
		uv_poll_stop(&stream->poll);
	uv_timer_stop(&stream->quiet);
	uv_timer_stop(&stream->again);
	network_call_cancel(&stream->call);
}

static void fail_stream(struct net_stream *stream, const char *why)
{
	const struct net_stream_handlers *handlers = stream->handlers;
	bool told = stream->finishing;
	void *data = stream->data;

	net_stream_close(stream);
	if (!told)
		handlers->closed(data, why);
}

static size_t queue_length(const struct net_stream *stream)
{
	return stream->sending.len - stream->sent + stream->queued.len;
}

static void too_quiet(uv_timer_t *timer)
{
	struct net_stream *stream = timer->data;
	uint64_t seconds = (stream->idle_ms ? stream->idle_ms : NET_STREAM_WRITE_MS) / 1000;
	CLEANUP(freep)
	char *why = xasprintf("it %s nothing for %llu seconds",
		queue_length(stream) ? "took" : "said", (unsigned long long)seconds);

	fail_stream(stream, why);
}

/* Something came or went. */
static void restart_quiet(struct net_stream *stream)
{
	if (stream->idle_ms || queue_length(stream))
		uv_timer_start(&stream->quiet, too_quiet,
			stream->idle_ms ? stream->idle_ms : NET_STREAM_WRITE_MS, 0);
	else
		uv_timer_stop(&stream->quiet);
}

/* --- reading and writing ----------------------------------------------------- */

/* -1: the stream is closed. */
static int send_queued(struct net_stream *stream)
{
	const struct libcurl *curl = network_curl(stream->call.network);

	while (queue_length(stream)) {
		CURLcode code;
		size_t len = 0;

		if (stream->sent == stream->sending.len) {
			struct buf empty = stream->sending;

			stream->sending = stream->queued;
			stream->queued = empty;
			buf_clear(&stream->queued);
			stream->sent = 0;
		}
		code = curl->easy_send(stream->call.easy, stream->sending.data + stream->sent,
			stream->sending.len - stream->sent, &len);
		if (code == CURLE_AGAIN)
			return 0;
		if (code != CURLE_OK) {
			fail_stream(stream, curl->easy_strerror(code));
			return -1;
		}
		stream->sent += len;
		restart_quiet(stream);
	}
	if (!stream->finishing)
		return 0;
	net_stream_close(stream);
	return -1;
}

static void socket_ready(uv_poll_t *poll, int status, int events);

static void watch_socket(struct net_stream *stream)
{
	uv_poll_start(&stream->poll, UV_READABLE | (queue_length(stream) ? UV_WRITABLE : 0),
		socket_ready);
}

static void read_again(uv_timer_t *timer);

static void read_some(struct net_stream *stream)
{
	const struct libcurl *curl = network_curl(stream->call.network);
	uv_buf_t chunk;

	loop_chunk(NULL, 0, &chunk);
	for (int i = 0; i < READS_AT_ONCE && !stream->closed; i++) {
		size_t len = 0;
		CURLcode code = curl->easy_recv(stream->call.easy, chunk.base, chunk.len, &len);

		if (code == CURLE_AGAIN)
			return;
		if (code != CURLE_OK) {
			fail_stream(stream, curl->easy_strerror(code));
			return;
		}
		if (!len) {
			fail_stream(stream, NULL);
			return;
		}
		/* Give up on a server that sends but does not accept our data. */
		if (!queue_length(stream))
			restart_quiet(stream);
		if (!stream->finishing)
			stream->handlers->bytes(stream->data, (struct view){chunk.base, len});
	}
	/* The rest may be within TLS already, where the poll does not see it. */
	if (!stream->closed)
		uv_timer_start(&stream->again, read_again, 0, 0);
}

static void read_again(uv_timer_t *timer)
{
	read_some(timer->data);
}

/* If the poll fails, reading finds out why. */
static void socket_ready(uv_poll_t *poll, int status, int events)
{
	struct net_stream *stream = poll->data;

	if ((events & UV_WRITABLE || status < 0) && send_queued(stream) < 0)
		return;
	if (events & UV_READABLE || status < 0)
		read_some(stream);
	if (!stream->closed)
		watch_socket(stream);
}

bool net_stream_write(struct net_stream *stream, struct view bytes)
{
	bool was_empty = !queue_length(stream);

	if (stream->closed || stream->finishing)
		return true;
	if (bytes.len > stream->max_queue - queue_length(stream))
		return false;
	buf_append(&stream->queued, bytes.data, bytes.len);
	/* It is sent from the loop: a failure is not reported within a call of the owner. */
	if (was_empty) {
		restart_quiet(stream);
		watch_socket(stream);
	}
	return true;
}

void net_stream_finish(struct net_stream *stream)
{
	stream->finishing = true;
	if (!stream->connected || !queue_length(stream))
		net_stream_close(stream);
}

/* --- the beginning ----------------------------------------------------------- */

static void stream_connected(struct network_call *call, const char *why)
{
	struct net_stream *stream = (struct net_stream *)call;
	curl_socket_t socket = CURL_SOCKET_BAD;

	if (why) {
		fail_stream(stream, why);
		return;
	}
	network_curl(call->network)->easy_getinfo(call->easy, CURLINFO_ACTIVESOCKET, &socket);
	if (uv_poll_init(network_loop(call->network), &stream->poll, socket) < 0) {
		fail_stream(stream, "its socket cannot be watched");
		return;
	}
	stream->poll.data = stream;
	stream->connected = true;
	stream->open_handles++;
	restart_quiet(stream);
	watch_socket(stream);
	stream->handlers->connected(stream->data);
	/*
	 * Reading makes the connection this handle's. Until then it is idle for libcurl, and the
	 * next request closes it once it is old or has ended.
	 */
	if (!stream->closed)
		read_some(stream);
}

static const struct network_call_type stream_type = {
	.ended = stream_connected,
	.drop = drop_stream,
};

int net_stream_open(struct network *network, const struct net_stream_options *options,
	const struct net_stream_handlers *handlers, void *data, struct net_stream **ret_stream,
	struct error *err)
{
	bool is_ipv6 = strchr(options->host, ':');
	CLEANUP(freep)
	char *url = xasprintf("%s://%s%s%s:%u/%s",
		options->starttls ? "smtp"
		: options->plain  ? "http"
				  : "https",
		is_ipv6 ? "[" : "", options->host, is_ipv6 ? "]" : "", options->port,
		options->starttls ? options->starttls : "");
	struct net_stream *stream = xcalloc(1, sizeof(*stream));
	const struct libcurl *curl;

	if (network_call_open(
		    network, &stream->call, &stream_type, url, options->connect_ms, err) < 0) {
		free(stream);
		return -1;
	}
	stream->handlers = handlers;
	stream->data = data;
	stream->idle_ms = options->idle_ms;
	stream->max_queue = options->max_queue ? options->max_queue : MAX_QUEUE;
	stream->sending = stream->queued = BUF_INIT;
	uv_timer_init(network_loop(network), &stream->quiet);
	uv_timer_init(network_loop(network), &stream->again);
	stream->quiet.data = stream->again.data = stream;
	stream->open_handles = 2;
	curl = network_curl(network);
	curl->easy_setopt(stream->call.easy, CURLOPT_CONNECT_ONLY, 1L);
	curl->easy_setopt(stream->call.easy, CURLOPT_HTTPPROXYTUNNEL, 1L);
	curl->easy_setopt(stream->call.easy, CURLOPT_SSL_ENABLE_ALPN, 0L);
	if (options->starttls) {
		curl->easy_setopt(stream->call.easy, CURLOPT_PROTOCOLS_STR, "smtp");
		curl->easy_setopt(stream->call.easy, CURLOPT_USE_SSL, (long)CURLUSESSL_ALL);
	}
	network_call_start(&stream->call);
	*ret_stream = stream;
	return 0;
}
