#include "net/stream/websocket.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "net/http_answer.h"
#include "net/stream/libwslay.h"
#include "net/stream/stream.h"
#include "net/stream/websocket_handshake.h"

#define MAX_MESSAGE ((size_t)8 * 1024 * 1024)
#define MAX_QUEUE   ((size_t)8 * 1024 * 1024)
#define WAIT_MS     30000 /* unless the options override it */
#define CLOSE_MS    10000

enum websocket_state {
	WEBSOCKET_CONNECTING,
	WEBSOCKET_SHAKING_HANDS,
	WEBSOCKET_OPEN,
	WEBSOCKET_CLOSING, /* we have sent our close */
	WEBSOCKET_ENDED,
};

struct websocket {
	const struct libwslay *wslay;
	wslay_event_context_ptr frames;
	struct net_stream *stream;
	const struct websocket_handlers *handlers;
	void *data;
	enum websocket_state state;
	char key[WEBSOCKET_KEY_SIZE];
	char *protocol;
	struct buf request; /* until it is sent */
	struct buf head;    /* of the answer */
	struct view input;  /* what wslay has not read yet */
	struct buf output;  /* bytes written by it */
	bool is_control;    /* the frame that it reads */
	struct buf message; /* fragments so far */
	size_t max_message;
	char *reason; /* in the server's close */
	bool broken;  /* that close has half a code */
	uv_timer_t timer;
	uint64_t shake_ms, ping_ms;
	bool heard; /* anything since our ping */
};

/* --- the end ----------------------------------------------------------------- */

/* Memory lives until here, so that handlers may end the socket at any time. */
static void websocket_free(uv_handle_t *handle)
{
	struct websocket *socket = handle->data;

	if (socket->frames)
		socket->wslay->context_free(socket->frames);
	buf_release(&socket->request);
	buf_release(&socket->head);
	buf_release(&socket->output);
	buf_release(&socket->message);
	free(socket->protocol);
	free(socket->reason);
	free(socket);
}

void websocket_drop(struct websocket *socket)
{
	if (socket->state == WEBSOCKET_ENDED)
		return;
	socket->state = WEBSOCKET_ENDED;
	if (socket->stream)
		net_stream_finish(socket->stream);
	uv_close((uv_handle_t *)&socket->timer, websocket_free);
}

static void websocket_end(struct websocket *socket, int code, const char *why)
{
	if (socket->state == WEBSOCKET_ENDED)
		return;
	websocket_drop(socket);
	socket->handlers->closed(socket->data, code, why);
}

/* --- frames ------------------------------------------------------------------ */

static ssize_t websocket_give_input(
	wslay_event_context_ptr frames, uint8_t *bytes, size_t room, int flags, void *data)
{
	struct websocket *socket = data;
	size_t len = socket->input.len < room ? socket->input.len : room;

	(void)flags;
	if (!len) {
		socket->wslay->set_error(frames, WSLAY_ERR_WOULDBLOCK);
		return -1;
	}
	memcpy(bytes, socket->input.data, len);
	socket->input = view_slice(socket->input, len, socket->input.len);
	return (ssize_t)len;
}

static ssize_t websocket_take_output(
	wslay_event_context_ptr frames, const uint8_t *bytes, size_t len, int flags, void *data)
{
	struct websocket *socket = data;

	(void)frames;
	(void)flags;
	buf_append(&socket->output, bytes, len);
	return (ssize_t)len;
}

static int make_mask(wslay_event_context_ptr frames, uint8_t *bytes, size_t len, void *data)
{
	(void)frames;
	(void)data;
	return getrandom(bytes, len, 0) == (ssize_t)len ? 0 : -1;
}

static void frame_begins(wslay_event_context_ptr frames,
	const struct wslay_event_on_frame_recv_start_arg *frame, void *data)
{
	struct websocket *socket = data;

	(void)frames;
	socket->is_control = wslay_is_ctrl_frame(frame->opcode);
}

/* wslay would keep each fragment, however small, in memory of its own. */
static void take_fragment(wslay_event_context_ptr frames,
	const struct wslay_event_on_frame_recv_chunk_arg *piece, void *data)
{
	struct websocket *socket = data;

	if (socket->is_control)
		return;
	if (piece->data_length > socket->max_message - socket->message.len) {
		socket->wslay->queue_close(frames, WSLAY_CODE_MESSAGE_TOO_BIG, NULL, 0);
		socket->wslay->shutdown_read(frames);
		return;
	}
	buf_append(&socket->message, piece->data, piece->data_length);
}

static void websocket_take_message(wslay_event_context_ptr frames,
	const struct wslay_event_on_msg_recv_arg *message, void *data)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct websocket *socket = data;

	if (message->opcode == WSLAY_CONNECTION_CLOSE && message->msg_length > 2)
		socket->reason =
			xmemdupz((const char *)message->msg + 2, message->msg_length - 2);
	socket->broken |= message->opcode == WSLAY_CONNECTION_CLOSE && message->msg_length == 1;
	if (wslay_is_ctrl_frame(message->opcode) || !socket->wslay->get_read_enabled(frames))
		return;
	content = socket->message;
	socket->message = BUF_INIT;
	socket->handlers->message(socket->data,
		message->opcode == WSLAY_TEXT_FRAME ? WEBSOCKET_TEXT : WEBSOCKET_BINARY,
		view_of_buf(&content));
	if (socket->state == WEBSOCKET_ENDED)
		socket->wslay->shutdown_read(frames);
}

static const struct wslay_event_callbacks frame_callbacks = {
	.recv_callback = websocket_give_input,
	.send_callback = websocket_take_output,
	.genmask_callback = make_mask,
	.on_frame_recv_start_callback = frame_begins,
	.on_frame_recv_chunk_callback = take_fragment,
	.on_msg_recv_callback = websocket_take_message,
};

static void new_frames(struct websocket *socket)
{
	if (socket->frames)
		socket->wslay->context_free(socket->frames);
	if (socket->wslay->context_client_init(&socket->frames, &frame_callbacks, socket))
		out_of_memory();
	socket->wslay->config_set_no_buffering(socket->frames, 1);
	socket->wslay->config_set_max_recv_msg_length(socket->frames, socket->max_message);
}

/* Each call passes on whole frames, or nothing. */
static bool send_frames(struct websocket *socket)
{
	bool sent;

	if (socket->state == WEBSOCKET_ENDED)
		return true;
	socket->wslay->send(socket->frames);
	sent = net_stream_write(socket->stream, view_of_buf(&socket->output));
	buf_clear(&socket->output);
	return sent;
}

/* --- from the server --------------------------------------------------------- */

static const char *fault_text(int code)
{
	switch (code) {
	case WSLAY_CODE_INVALID_FRAME_PAYLOAD_DATA:
		return "it sent text that is not UTF-8";
	case WSLAY_CODE_MESSAGE_TOO_BIG:
		return "it sent a message that is too long";
	default:
		return "it broke the WebSocket protocol";
	}
}

static void websocket_take_frames(struct websocket *socket, struct view bytes)
{
	const struct libwslay *wslay = socket->wslay;

	socket->heard = true;
	socket->input = bytes;
	if (wslay->recv(socket->frames) != 0 || socket->broken) {
		/* wslay closes without a code if a frame makes no sense. */
		new_frames(socket);
		wslay->queue_close(socket->frames, WSLAY_CODE_PROTOCOL_ERROR, NULL, 0);
		wslay->shutdown_read(socket->frames);
	}
	if (!send_frames(socket))
		websocket_end(socket, WEBSOCKET_LOST, "the server is not reading");
	else if (wslay->get_close_received(socket->frames))
		websocket_end(socket, wslay->get_status_code_received(socket->frames),
			socket->reason ? socket->reason : "the server closed the connection");
	else if (!wslay->get_read_enabled(socket->frames))
		websocket_end(socket, wslay->get_status_code_sent(socket->frames),
			fault_text(wslay->get_status_code_sent(socket->frames)));
}

static void start_timer(struct websocket *socket, uint64_t ms);

static void websocket_take_head(struct websocket *socket, struct view bytes)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf whole = BUF_INIT;
	const char *end;
	size_t len;

	buf_append(&socket->head, bytes.data, bytes.len);
	end = memmem(socket->head.data, socket->head.len, "\r\n\r\n", 4);
	if (!end) {
		if (socket->head.overflow)
			websocket_end(socket, WEBSOCKET_LOST, "its answer is not valid HTTP");
		return;
	}
	whole = socket->head;
	socket->head = BUF_INIT;
	len = (size_t)(end - whole.data) + 4;
	if (websocket_check(
		    (struct view){whole.data, len}, socket->key, socket->protocol, &err) < 0) {
		websocket_end(socket, WEBSOCKET_LOST, err.message);
		return;
	}
	socket->state = WEBSOCKET_OPEN;
	socket->heard = true;
	start_timer(socket, socket->ping_ms);
	socket->handlers->opened(socket->data);
	if (socket->state != WEBSOCKET_ENDED && whole.len > len)
		websocket_take_frames(socket, view_slice(view_of_buf(&whole), len, whole.len));
}

static void stream_bytes(void *data, struct view bytes)
{
	struct websocket *socket = data;

	if (socket->state == WEBSOCKET_SHAKING_HANDS)
		websocket_take_head(socket, bytes);
	else
		websocket_take_frames(socket, bytes);
}

static void stream_connected(void *data)
{
	struct websocket *socket = data;

	socket->state = WEBSOCKET_SHAKING_HANDS;
	start_timer(socket, socket->shake_ms);
	if (!net_stream_write(socket->stream, view_of_buf(&socket->request)))
		websocket_end(socket, WEBSOCKET_LOST, "the request is too long");
	buf_clear(&socket->request);
}

static void stream_closed(void *data, const char *why)
{
	struct websocket *socket = data;

	socket->stream = NULL;
	websocket_end(socket, WEBSOCKET_LOST, why ? why : "the server ended the connection");
}

static const struct net_stream_handlers stream_handlers = {
	.connected = stream_connected,
	.bytes = stream_bytes,
	.closed = stream_closed,
};

/* --- the clock --------------------------------------------------------------- */

static void websocket_ping(struct websocket *socket)
{
	socket->wslay->queue_msg(
		socket->frames, &(struct wslay_event_msg){.opcode = WSLAY_PING});
	socket->heard = false;
	if (send_frames(socket))
		start_timer(socket, socket->ping_ms);
	else
		websocket_end(socket, WEBSOCKET_LOST, "the server is not reading");
}

static void websocket_time_is_up(uv_timer_t *timer)
{
	struct websocket *socket = timer->data;

	if (socket->state == WEBSOCKET_SHAKING_HANDS) {
		websocket_end(
			socket, WEBSOCKET_LOST, "it did not answer the handshake in time");
	} else if (socket->state == WEBSOCKET_CLOSING) {
		websocket_end(socket, WEBSOCKET_LOST, "it did not answer our close in time");
	} else if (!socket->heard) {
		websocket_end(socket, WEBSOCKET_LOST, "it did not answer a ping in time");
	} else {
		websocket_ping(socket);
	}
}

static void start_timer(struct websocket *socket, uint64_t ms)
{
	uv_timer_start(&socket->timer, websocket_time_is_up, ms, 0);
}

/* --- for the owner ----------------------------------------------------------- */

int websocket_open(struct network *network, const struct websocket_options *options,
	const struct websocket_handlers *handlers, void *data, struct websocket **ret_socket,
	struct error *err)
{
	CLEANUP(websocket_address_release) struct websocket_address address = {0};
	const struct libwslay *wslay = libwslay_load(err);
	struct websocket *socket;

	if (!wslay || http_headers_check(options->headers, err) < 0 ||
		websocket_address_parse(options->url, &address, err) < 0)
		return -1;
	socket = xcalloc(1, sizeof(*socket));
	socket->wslay = wslay;
	socket->handlers = handlers;
	socket->data = data;
	socket->protocol = options->protocol ? xstrdup(options->protocol) : NULL;
	socket->request = socket->output = socket->message = BUF_INIT;
	socket->head = BUF_INIT_MAX(HTTP_ANSWER_MAX);
	socket->max_message = options->max_message ? options->max_message : MAX_MESSAGE;
	socket->shake_ms = options->connect_ms ? options->connect_ms : WAIT_MS;
	socket->ping_ms = options->ping_ms ? options->ping_ms : WAIT_MS;
	uv_timer_init(network_loop(network), &socket->timer);
	socket->timer.data = socket;
	new_frames(socket);
	websocket_key(socket->key);
	websocket_request(
		&address, socket->key, options->headers, options->protocol, &socket->request);
	if (net_stream_open(network,
		    &(struct net_stream_options){.host = address.host,
			    .port = address.port,
			    .plain = address.plain,
			    .connect_ms = options->connect_ms,
			    .max_queue = MAX_QUEUE},
		    &stream_handlers, socket, &socket->stream, err) < 0) {
		websocket_drop(socket);
		return -1;
	}
	*ret_socket = socket;
	return 0;
}

bool websocket_send(struct websocket *socket, enum websocket_kind kind, struct view message)
{
	if (socket->state != WEBSOCKET_OPEN)
		return false;
	if (socket->wslay->queue_msg(socket->frames,
		    &(struct wslay_event_msg){
			    .opcode = kind == WEBSOCKET_TEXT ? WSLAY_TEXT_FRAME
							     : WSLAY_BINARY_FRAME,
			    .msg = (const uint8_t *)message.data,
			    .msg_length = message.len,
		    }))
		return false;
	return send_frames(socket);
}

void websocket_close(struct websocket *socket, int code)
{
	if (socket->state < WEBSOCKET_OPEN)
		websocket_end(socket, code, "it was closed before it was open");
	if (socket->state != WEBSOCKET_OPEN)
		return;
	socket->state = WEBSOCKET_CLOSING;
	socket->wslay->queue_close(socket->frames, (uint16_t)code, NULL, 0);
	start_timer(socket, CLOSE_MS);
	if (!send_frames(socket))
		websocket_end(socket, WEBSOCKET_LOST, "the server is not reading");
}
