#include "net/http_server.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "fs/sys.h"
#include "net/link.h"
#include "net/parse/http_body.h"
#include "proc/local_socket.h"

#define DEFAULT_CONNECTIONS 64
#define DEFAULT_REQUEST_MS  30000
#define DEFAULT_IDLE_MS     120000

struct http_server {
	union {
		uv_stream_t stream;
		uv_pipe_t pipe;
		uv_tcp_t tcp;
	} listener;
	struct http_server_options options;
	struct links links;
	char *name;
	bool closing;
};

enum wait {
	WAIT_NONE,    /* for the handler */
	WAIT_IDLE,    /* for the next request to begin */
	WAIT_REQUEST, /* for the rest of a request, or for the client to read */
};

/* Lives as long as its link, and until the loop has closed the timer. */
struct connection {
	uv_timer_t timer;
	enum wait wait;
	size_t unread; /* in the link's queue when the timer was started */
	struct http_server *server;
	struct link *link; /* NULL: gone */
	struct http_exchange *exchange;
	bool serving; /* connection_serve() is running */
	bool closing; /* after the last answer: input is discarded until the client hangs up */
};

struct http_exchange {
	struct connection *connection; /* NULL: the client has gone */
	struct buf head_bytes;         /* `head` points into it */
	struct http_head head;
	struct http_body framing;
	struct buf body;
	bool arrived; /* the handler has it */
	bool chunked;
	void (*ended)(struct http_exchange *exchange, void *data); /* not NULL: in pieces */
	void *data;
};

static const char *reason_of(int status)
{
	static const struct {
		int status;
		const char *reason;
	} reasons[] = {
		{200, "OK"},
		{202, "Accepted"},
		{204, "No Content"},
		{304, "Not Modified"},
		{400, "Bad Request"},
		{401, "Unauthorized"},
		{403, "Forbidden"},
		{404, "Not Found"},
		{405, "Method Not Allowed"},
		{409, "Conflict"},
		{413, "Content Too Large"},
		{415, "Unsupported Media Type"},
		{421, "Misdirected Request"},
		{429, "Too Many Requests"},
		{431, "Request Header Fields Too Large"},
		{500, "Internal Server Error"},
		{502, "Bad Gateway"},
		{503, "Service Unavailable"},
		{504, "Gateway Timeout"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (reasons[i].status == status)
			return reasons[i].reason;
	return "Other";
}

/* --- connections ------------------------------------------------------------- */

static void exchange_free(struct http_exchange *exchange)
{
	buf_release(&exchange->head_bytes);
	buf_release(&exchange->body);
	free(exchange);
}

static void connection_expired(uv_timer_t *timer);

static void connection_start_timer(struct connection *c, uint64_t ms)
{
	c->unread = link_queued(c->link);
	uv_timer_start(&c->timer, connection_expired, ms, 0);
}

static void connection_expired(uv_timer_t *timer)
{
	struct connection *c = timer->data;

	if (!c->link)
		return;
	if (link_queued(c->link) < c->unread)
		connection_start_timer(c, c->server->options.request_timeout);
	else
		link_break(c->link);
}

static void connection_wait(struct connection *c, enum wait wait)
{
	const struct http_server_options *options = &c->server->options;

	if (!c->link || c->wait == wait)
		return;
	c->wait = wait;
	if (wait == WAIT_NONE)
		uv_timer_stop(&c->timer);
	else
		connection_start_timer(c,
			wait == WAIT_IDLE ? options->idle_timeout : options->request_timeout);
}

static void connection_freed(uv_handle_t *timer)
{
	free(timer->data);
}

static void connection_gone(struct link *link, void *data)
{
	struct connection *c = data;
	struct http_exchange *exchange = c->exchange;

	(void)link;
	c->link = NULL;
	c->exchange = NULL;
	uv_close((uv_handle_t *)&c->timer, connection_freed);
	if (!exchange)
		return;
	exchange->connection = NULL;
	if (exchange->ended)
		exchange->ended(exchange, exchange->data);
	if (exchange->ended || !exchange->arrived)
		exchange_free(exchange);
}

/* Closing at once would lose the answer if the client has sent more than was read. */
static void connection_close(struct connection *c)
{
	c->closing = true;
	connection_wait(c, WAIT_REQUEST);
	link_consume(c->link, link_input(c->link).len);
	if (link_has_ended(c->link) && !link_queued(c->link))
		link_break(c->link);
	else
		link_end(c->link);
}

/* --- requests ---------------------------------------------------------------- */

static struct http_exchange *exchange_new(struct connection *c)
{
	struct http_exchange *exchange = xcalloc(1, sizeof(*exchange));

	exchange->connection = c;
	exchange->head_bytes = BUF_INIT;
	exchange->body = BUF_INIT;
	c->exchange = exchange;
	return exchange;
}

/* A request that is not understood: the connection ends. */
static void connection_refuse(struct connection *c, const struct http_fault *fault)
{
	struct http_exchange *exchange = c->exchange ? c->exchange : exchange_new(c);

	exchange->arrived = true;
	exchange->head.keep_alive = false;
	http_exchange_refuse(exchange, fault->status, fault->why);
}

/* Reads the head of a request; false: it is not whole yet. */
static bool connection_read_head(struct connection *c)
{
	struct http_fault fault = {400, "this server is not a proxy"};
	struct http_exchange *exchange;
	struct http_head head;
	ssize_t len = http_head_parse(link_input(c->link), &head, &fault);

	if (len == 0) {
		if (link_has_ended(c->link))
			connection_close(c);
		else
			connection_wait(c, link_input(c->link).len ? WAIT_REQUEST : WAIT_IDLE);
		return false;
	}
	if (len < 0 || head.form != HTTP_ORIGIN) {
		connection_refuse(c, &fault);
		return false;
	}
	exchange = exchange_new(c);
	buf_append(&exchange->head_bytes, link_input(c->link).data, (size_t)len);
	http_head_parse(view_of_buf(&exchange->head_bytes), &exchange->head, &fault);
	link_consume(c->link, (size_t)len);
	http_body_init(&exchange->framing, &exchange->head, c->server->options.max_body);
	connection_wait(c, WAIT_REQUEST);
	if (exchange->head.expects_continue && !link_input(c->link).len &&
		(exchange->head.framing != HTTP_LENGTH ||
			exchange->head.length <= c->server->options.max_body)) {
		struct view go_on = view_of("HTTP/1.1 100 Continue\r\n\r\n");

		link_send(c->link, &go_on, 1);
	}
	return true;
}

/* Reads the body; false: it is not whole yet. */
static bool connection_read_body(struct connection *c)
{
	struct http_exchange *exchange = c->exchange;
	struct http_fault fault;
	struct view input;

	if (exchange->head.framing == HTTP_LENGTH &&
		exchange->head.length > c->server->options.max_body) {
		connection_refuse(c, &(struct http_fault){413, "the body is too large"});
		return false;
	}
	while (!http_body_is_done(&exchange->framing) && (input = link_input(c->link)).len) {
		struct view piece;
		ssize_t used = http_body_take(&exchange->framing, input, &piece, &fault);

		if (used < 0) {
			connection_refuse(c, &fault);
			return false;
		}
		buf_append(&exchange->body, piece.data, piece.len);
		link_consume(c->link, (size_t)used);
	}
	if (!http_body_is_done(&exchange->framing) && link_has_ended(c->link))
		link_break(c->link);
	return c->link && http_body_is_done(&exchange->framing);
}

/*
 * One request after the other, as long as each is answered at once and the client reads the
 * answers.
 */
static void connection_serve(struct connection *c)
{
	if (c->serving)
		return;
	c->serving = true;
	while (c->link && !c->closing && !link_queued(c->link)) {
		if (c->exchange && c->exchange->arrived)
			break;
		if (!c->exchange && !connection_read_head(c))
			break;
		if (!connection_read_body(c))
			break;
		c->exchange->arrived = true;
		connection_wait(c, WAIT_NONE);
		c->server->options.request(c->exchange, c->server->options.data);
	}
	c->serving = false;
}

static void connection_more(struct link *link, void *data)
{
	struct connection *c = data;

	if (c->closing)
		connection_close(c);
	else if (c->exchange && c->exchange->ended && link_has_ended(link))
		link_break(link);
	else
		connection_serve(c);
}

static void connection_drained(struct link *link, void *data)
{
	struct connection *c = data;

	if (c->closing && link_has_ended(link)) {
		link_break(link);
		return;
	}
	if (!c->closing && c->exchange && c->exchange->arrived)
		connection_wait(c, WAIT_NONE);
	connection_serve(c);
}

static void server_connected(uv_stream_t *listener, int status)
{
	static const struct link_owner owner = {
		connection_more, connection_drained, connection_gone};
	struct http_server *server = listener->data;
	struct connection *c;

	if (status < 0 || server->closing)
		return;
	c = xcalloc(1, sizeof(*c));
	c->server = server;
	c->link = link_accept(&server->links, listener, &owner, c);
	if (!c->link) {
		free(c);
		return;
	}
	uv_timer_init(server->options.loop, &c->timer);
	c->timer.data = c;
	connection_wait(c, WAIT_IDLE);
	if (server->links.count > server->options.max_connections)
		link_break(c->link);
}

/* --- answers ----------------------------------------------------------------- */

const struct http_head *http_exchange_head(const struct http_exchange *exchange)
{
	return &exchange->head;
}

struct view http_exchange_body(const struct http_exchange *exchange)
{
	return view_of_buf(&exchange->body);
}

struct view http_exchange_header(const struct http_exchange *exchange, const char *name)
{
	for (size_t i = 0; i < exchange->head.count; i++)
		if (http_name_is(exchange->head.headers[i].name, name))
			return exchange->head.headers[i].value;
	return (struct view){NULL, 0};
}

/* The answer is complete: the next request, or the end of the connection. */
static void exchange_finish(struct http_exchange *exchange)
{
	struct connection *c = exchange->connection;
	bool keep_alive = exchange->head.keep_alive;

	exchange_free(exchange);
	if (!c)
		return;
	c->exchange = NULL;
	if (!keep_alive) {
		connection_close(c);
		return;
	}
	connection_wait(c, link_queued(c->link) ? WAIT_REQUEST : WAIT_IDLE);
	connection_serve(c);
}

void http_exchange_answer(
	struct http_exchange *exchange, int status, const char *headers, struct view body)
{
	CLEANUP(buf_release) struct buf head = BUF_INIT;

	if (exchange->connection) {
		buf_appendf(&head, "HTTP/1.1 %d %s\r\n%s", status, reason_of(status),
			headers ? headers : "");
		if (status != 204 && status != 304)
			buf_appendf(&head, "content-length: %zu\r\n", body.len);
		buf_appendf(&head, "%s\r\n",
			exchange->head.keep_alive ? "" : "connection: close\r\n");
		if (view_equal_str(exchange->head.method, "HEAD") || status == 204 ||
			status == 304)
			body.len = 0;
		link_send(exchange->connection->link, (struct view[]){view_of_buf(&head), body},
			2);
	}
	exchange_finish(exchange);
}

void http_exchange_refuse(struct http_exchange *exchange, int status, const char *why)
{
	CLEANUP(freep) char *text = xasprintf("%s\n", why);

	http_exchange_answer(exchange, status,
		"content-type: text/plain; charset=utf-8\r\n"
		"x-content-type-options: nosniff\r\n",
		view_of(text));
}

void http_exchange_begin(struct http_exchange *exchange, int status, const char *headers,
	void (*ended)(struct http_exchange *exchange, void *data), void *data)
{
	struct connection *c = exchange->connection;
	CLEANUP(freep) char *head = NULL;
	struct view view;

	exchange->chunked = exchange->head.minor > 0;
	exchange->head.keep_alive = exchange->head.keep_alive && exchange->chunked;
	exchange->ended = ended;
	exchange->data = data;
	if (!c) {
		ended(exchange, data);
		exchange_free(exchange);
		return;
	}
	head = xasprintf("HTTP/1.1 %d %s\r\n%s%s%s\r\n", status, reason_of(status),
		headers ? headers : "",
		exchange->chunked ? "transfer-encoding: chunked\r\n" : "",
		exchange->head.keep_alive ? "" : "connection: close\r\n");
	view = view_of(head);
	link_send(c->link, &view, 1);
	if (link_has_ended(c->link))
		connection_start_timer(c, 0);
}

void http_exchange_send(struct http_exchange *exchange, struct view piece)
{
	struct connection *c = exchange->connection;
	char size[32];
	int len = snprintf(size, sizeof(size), "%zx\r\n", piece.len);
	struct view pieces[] = {{size, (size_t)len}, piece, {"\r\n", 2}};

	if (!piece.len)
		return;
	if (exchange->chunked)
		link_send(c->link, pieces, ARRAY_SIZE(pieces));
	else
		link_send(c->link, &piece, 1);
	if (!link_queued(c->link))
		return;
	connection_wait(c, WAIT_REQUEST);
	if (link_queued(c->link) > HTTP_SERVER_QUEUE_MAX)
		connection_start_timer(c, 0);
}

void http_exchange_end(struct http_exchange *exchange)
{
	struct view last = view_of("0\r\n\r\n");

	exchange->ended = NULL;
	if (exchange->chunked)
		link_send(exchange->connection->link, &last, 1);
	exchange_finish(exchange);
}

/* --- the server -------------------------------------------------------------- */

static int listen_local(struct http_server *server, struct error *err)
{
	int fd;

	uv_pipe_init(server->options.loop, &server->listener.pipe, 0);
	if (local_socket_bind(server->options.folder, server->name, &fd) < 0)
		return error_errno(err, "cannot open the socket '%s'", server->name);
	if (uv_pipe_open(&server->listener.pipe, fd) < 0 ||
		uv_listen(&server->listener.stream, 64, server_connected) < 0)
		return error_set(
			err, ERROR_FAILED, "cannot listen on the socket '%s'", server->name);
	return 0;
}

static int listen_tcp(struct http_server *server, struct error *err)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(server->options.port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int failed;

	uv_tcp_init(server->options.loop, &server->listener.tcp);
	failed = uv_tcp_bind(&server->listener.tcp, (struct sockaddr *)&address, 0);
	if (!failed)
		failed = uv_listen(&server->listener.stream, 64, server_connected);
	if (failed)
		return error_set(err, ERROR_FAILED, "cannot listen on 127.0.0.1:%u: %s",
			server->options.port, error_text(-failed));
	return 0;
}

int http_server_open(const struct http_server_options *options, struct http_server **ret_server,
	struct error *err)
{
	struct http_server *server = xcalloc(1, sizeof(*server));

	server->options = *options;
	if (!server->options.max_connections)
		server->options.max_connections = DEFAULT_CONNECTIONS;
	if (!server->options.request_timeout)
		server->options.request_timeout = DEFAULT_REQUEST_MS;
	if (!server->options.idle_timeout)
		server->options.idle_timeout = DEFAULT_IDLE_MS;
	server->options.folder = -1;
	if (options->name) {
		server->name = xstrdup(options->name);
		server->options.folder = fcntl(options->folder, F_DUPFD_CLOEXEC, 3);
	}
	server->links.home = server;
	server->links.any_user = options->any_user;
	if ((options->name ? listen_local(server, err) : listen_tcp(server, err)) < 0) {
		http_server_close(server);
		return -1;
	}
	server->listener.stream.data = server;
	*ret_server = server;
	return 0;
}

static void listener_closed(uv_handle_t *handle)
{
	struct http_server *server = handle->data;

	closep(&server->options.folder);
	free(server->name);
	free(server);
}

void http_server_close(struct http_server *server)
{
	if (!server || server->closing)
		return;
	server->closing = true;
	if (server->name)
		sys.unlink(server->options.folder, server->name, 0);
	links_break(&server->links);
	server->listener.stream.data = server;
	uv_close((uv_handle_t *)&server->listener, listener_closed);
}

uint16_t http_server_port(const struct http_server *server)
{
	struct sockaddr_in address = {0};
	int len = sizeof(address);

	uv_tcp_getsockname(&server->listener.tcp, (struct sockaddr *)&address, &len);
	return ntohs(address.sin_port);
}
