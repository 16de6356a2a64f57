#include "host/api_gate.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "channels/local/local.h"
#include "util/beneath.h"
#include "util/local_socket.h"
#include "util/log.h"
#include "util/quote.h"
#include "util/sys.h"

#define MAX_CONNECTIONS 128
#define MAX_REQUEST     ((size_t)8192)
#define CHUNK           ((size_t)64 * 1024)

#define ACCEPTED "HTTP/1.1 200 Connection established\r\n\r\n"
#define REFUSED                                                                                \
	"HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"      \
	"this sandbox reaches the API of its model, and nothing else\n"

enum stage {
	STAGE_ASKING,     /* TLS: until the request is whole */
	STAGE_CONNECTING, /* name, then connection */
	STAGE_OPEN,
	STAGE_CLOSING,
};

struct connection;

/* One of the two ends, and what is on its way from here to the other. */
struct side {
	struct connection *connection;
	union {
		uv_stream_t stream;
		uv_pipe_t pipe;
		uv_tcp_t tcp;
	} handle;
	uv_write_t write; /* to the other side */
	uv_shutdown_t end;
	char chunk[CHUNK];
	bool said_all;
};

struct connection {
	struct connection *next;
	struct connection *previous;
	struct api_gate *gate;
	struct side agent;
	struct side api;
	enum stage stage;
	struct buf request;
	uv_getaddrinfo_t lookup;
	uv_connect_t connect;
	struct addrinfo *addresses;
	struct addrinfo *address; /* being tried */
	unsigned users;           /* handles and requests that are not done */
	bool api_is_open;
};

struct api_gate {
	uv_pipe_t listener;
	struct api_address address;
	struct connection *connections;
	size_t count;
	int folder;
	char *name;
	char *group;
	bool closing;
};

/* --- addresses --------------------------------------------------------------- */

void api_address_release(struct api_address *address)
{
	free(address->host);
	free(address->port);
	free(address->path);
	*address = (struct api_address){0};
}

static bool is_host(struct view text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!isalnum((unsigned char)text.data[i]) && !strchr("-._:", text.data[i]))
			return false;
	return text.len && text.len < 254;
}

static bool is_port(struct view text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!isdigit((unsigned char)text.data[i]))
			return false;
	return text.len && text.len <= 5;
}

/* "[::1]:8080", "host:8080", "host" */
static bool split_authority(
	struct view authority, bool tls, struct view *ret_host, struct view *ret_port)
{
	const char *colon = memrchr(authority.data, ':', authority.len);
	const char *bracket = memrchr(authority.data, ']', authority.len);
	struct view host = authority;

	*ret_port = view_of(tls ? "443" : "80");
	if (colon && (!bracket || colon > bracket)) {
		host = view_slice(authority, 0, (size_t)(colon - authority.data));
		*ret_port = view_slice(authority, host.len + 1, authority.len);
	}
	if (bracket) {
		if (host.len < 2 || host.data[0] != '[' || host.data[host.len - 1] != ']')
			return false;
		host = view_slice(host, 1, host.len - 1);
	}
	*ret_host = host;
	return is_host(host) && is_port(*ret_port);
}

int api_address_parse(const char *url, struct api_address *ret_address, struct error *err)
{
	bool tls = !strncasecmp(url, "https://", strlen("https://"));
	bool plain = !strncasecmp(url, "http://", strlen("http://"));
	const char *rest = url + strlen(tls ? "https://" : "http://");
	struct view authority;
	struct view host;
	struct view port;
	CLEANUP(freep) char *shown = quote(view_of(url));

	if (tls || plain) {
		authority = (struct view){rest, strcspn(rest, "/?#")};
		if (authority.len && split_authority(authority, tls, &host, &port)) {
			*ret_address = (struct api_address){
				.tls = tls,
				.host = xmemdupz(host.data, host.len),
				.port = xmemdupz(port.data, port.len),
				.path = xstrdup(rest + authority.len),
			};
			return 0;
		}
	}
	error_set(err, ERROR_INVALID, "ANTHROPIC_BASE_URL is %s, which is no address of an API",
		shown);
	return error_hint(err, "it is like 'https://api.anthropic.com'");
}

/* "host:443", "[::1]:443". To be freed. */
static char *authority_of(const struct api_address *address)
{
	bool v6 = strchr(address->host, ':') != NULL;

	return xasprintf(
		"%s%s%s:%s", v6 ? "[" : "", address->host, v6 ? "]" : "", address->port);
}

/* --- the end of a connection ------------------------------------------------- */

static void release_when_done(struct connection *c)
{
	if (c->users)
		return;
	if (c->previous)
		c->previous->next = c->next;
	else if (c->gate)
		c->gate->connections = c->next;
	if (c->next)
		c->next->previous = c->previous;
	if (c->gate)
		c->gate->count--;
	if (c->addresses)
		uv_freeaddrinfo(c->addresses);
	buf_release(&c->request);
	free(c);
}

static void user_done(struct connection *c)
{
	c->users--;
	release_when_done(c);
}

static void side_closed(uv_handle_t *handle)
{
	struct side *side = handle->data;

	user_done(side->connection);
}

static void hang_up(struct connection *c)
{
	if (c->stage == STAGE_CLOSING)
		return;
	if (c->stage == STAGE_CONNECTING && !c->addresses)
		uv_cancel((uv_req_t *)&c->lookup);
	c->stage = STAGE_CLOSING;
	uv_close((uv_handle_t *)&c->agent.handle.stream, side_closed);
	if (c->api_is_open)
		uv_close((uv_handle_t *)&c->api.handle.stream, side_closed);
}

/* --- bytes ------------------------------------------------------------------- */

static struct side *other_side(struct side *side)
{
	struct connection *c = side->connection;

	return side == &c->agent ? &c->api : &c->agent;
}

static void read_side(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk);

static void give_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *ret_buf)
{
	struct side *side = handle->data;

	(void)suggested;
	*ret_buf = uv_buf_init(side->chunk, sizeof(side->chunk));
}

static void listen_to(struct side *side)
{
	if (uv_read_start(&side->handle.stream, give_chunk, read_side) < 0)
		hang_up(side->connection);
}

static void chunk_written(uv_write_t *write, int status)
{
	struct side *side = write->data;
	struct connection *c = side->connection;

	if (status < 0)
		hang_up(c);
	else if (c->stage == STAGE_OPEN)
		listen_to(side);
	user_done(c);
}

static void told_end(uv_shutdown_t *request, int status)
{
	struct side *side = request->data;

	(void)status;
	if (other_side(side)->said_all)
		hang_up(side->connection);
	user_done(side->connection);
}

/* One chunk at a time: it is written before the next is read. */
static void pass_on(struct side *side, size_t len)
{
	struct connection *c = side->connection;
	uv_buf_t bytes = uv_buf_init(side->chunk, (unsigned)len);

	uv_read_stop(&side->handle.stream);
	side->write.data = side;
	c->users++;
	if (uv_write(&side->write, &other_side(side)->handle.stream, &bytes, 1, chunk_written) <
		0) {
		c->users--;
		hang_up(c);
	}
}

static void pass_on_end(struct side *side)
{
	struct connection *c = side->connection;

	uv_read_stop(&side->handle.stream);
	side->said_all = true;
	side->end.data = side;
	c->users++;
	if (uv_shutdown(&side->end, &other_side(side)->handle.stream, told_end) < 0) {
		c->users--;
		hang_up(c);
	}
}

static void take_request(struct connection *c, const char *data, size_t len);

static void read_side(uv_stream_t *stream, ssize_t got, const uv_buf_t *chunk)
{
	struct side *side = stream->data;
	struct connection *c = side->connection;

	if (got > 0 && c->stage == STAGE_ASKING)
		take_request(c, chunk->base, (size_t)got);
	else if (got > 0)
		pass_on(side, (size_t)got);
	else if (got == UV_EOF && c->stage == STAGE_OPEN)
		pass_on_end(side);
	else if (got < 0)
		hang_up(c);
}

/* --- the way to the API ------------------------------------------------------ */

static void answer_written(uv_write_t *write, int status)
{
	struct side *side = write->data;
	struct connection *c = side->connection;

	if (status < 0 || c->stage != STAGE_OPEN)
		hang_up(c);
	else
		listen_to(&c->agent);
	user_done(c);
}

/* To the agent, from us. */
static void answer(struct connection *c, const char *text)
{
	uv_buf_t bytes = uv_buf_init((char *)(uintptr_t)text, (unsigned)strlen(text));

	c->agent.write.data = &c->agent;
	c->users++;
	if (uv_write(&c->agent.write, &c->agent.handle.stream, &bytes, 1, answer_written) < 0) {
		c->users--;
		hang_up(c);
	}
}

static void open_up(struct connection *c)
{
	c->stage = STAGE_OPEN;
	uv_tcp_nodelay(&c->api.handle.tcp, 1);
	listen_to(&c->api);
	if (c->gate->address.tls)
		answer(c, ACCEPTED);
	else
		listen_to(&c->agent);
}

static void try_address(struct connection *c);

static void api_closed_to_retry(uv_handle_t *handle)
{
	struct side *side = handle->data;
	struct connection *c = side->connection;

	if (c->stage == STAGE_CONNECTING)
		try_address(c);
	user_done(c);
}

static void reached(uv_connect_t *request, int status)
{
	struct connection *c = request->data;

	if (c->stage == STAGE_CONNECTING && status >= 0) {
		open_up(c);
	} else if (c->stage == STAGE_CONNECTING) {
		c->address = c->address->ai_next;
		c->api_is_open = false;
		uv_close((uv_handle_t *)&c->api.handle.stream, api_closed_to_retry);
	}
	user_done(c);
}

static void try_address(struct connection *c)
{
	if (!c->address) {
		log_warning("the agent of '%s' does not reach '%s'", c->gate->group,
			c->gate->address.host);
		hang_up(c);
		return;
	}
	uv_tcp_init(c->agent.handle.stream.loop, &c->api.handle.tcp);
	c->api.handle.stream.data = &c->api;
	c->api_is_open = true;
	c->connect.data = c;
	c->users += 2;
	if (uv_tcp_connect(&c->connect, &c->api.handle.tcp, c->address->ai_addr, reached) < 0) {
		c->users--;
		hang_up(c);
	}
}

static void looked_up(uv_getaddrinfo_t *request, int status, struct addrinfo *addresses)
{
	struct connection *c = request->data;

	c->addresses = addresses;
	c->address = status < 0 ? NULL : addresses;
	if (c->stage == STAGE_CONNECTING)
		try_address(c);
	user_done(c);
}

static void reach(struct connection *c)
{
	static const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	const struct api_address *address = &c->gate->address;

	c->stage = STAGE_CONNECTING;
	uv_read_stop(&c->agent.handle.stream);
	c->lookup.data = c;
	c->users++;
	if (uv_getaddrinfo(c->agent.handle.stream.loop, &c->lookup, looked_up, address->host,
		    address->port, &hints) < 0) {
		c->users--;
		hang_up(c);
	}
}

/* "CONNECT HOST:PORT HTTP/1.1" and headers, which do not matter. */
static bool is_for_api(const struct connection *c)
{
	CLEANUP(freep) char *authority = authority_of(&c->gate->address);
	CLEANUP(freep) char *wanted = xasprintf("CONNECT %s HTTP/1.", authority);

	return !strncasecmp(c->request.data, wanted, strlen(wanted));
}

static void take_request(struct connection *c, const char *data, size_t len)
{
	const char *end;

	buf_append(&c->request, data, len);
	end = memmem(c->request.data, c->request.len, "\r\n\r\n", 4);
	if (!end && !c->request.overflow)
		return;
	/* Whoever speaks on before he is answered is no client of a proxy. */
	if (end && end + 4 == c->request.data + c->request.len && is_for_api(c)) {
		reach(c);
		return;
	}
	log_warning("the agent of '%s' asked for something else than the API of its model",
		c->gate->group);
	uv_read_stop(&c->agent.handle.stream);
	answer(c, REFUSED);
}

/* --- the socket -------------------------------------------------------------- */

static struct connection *add_connection(struct api_gate *gate)
{
	struct connection *c = xcalloc(1, sizeof(*c));

	c->gate = gate;
	c->agent.connection = c->api.connection = c;
	c->request = BUF_INIT_MAX(MAX_REQUEST);
	c->stage = gate->address.tls ? STAGE_ASKING : STAGE_CONNECTING;
	c->next = gate->connections;
	if (c->next)
		c->next->previous = c;
	gate->connections = c;
	gate->count++;
	return c;
}

static void connected(uv_stream_t *stream, int status)
{
	struct api_gate *gate = stream->data;
	struct connection *c;
	int fd;

	if (status < 0 || gate->closing)
		return;
	c = add_connection(gate);
	uv_pipe_init(stream->loop, &c->agent.handle.pipe, 0);
	c->agent.handle.stream.data = &c->agent;
	c->users++;
	if (uv_accept(stream, &c->agent.handle.stream) < 0 ||
		uv_fileno((uv_handle_t *)&c->agent.handle.stream, &fd) < 0 ||
		!local_socket_is_ours(fd) || gate->count > MAX_CONNECTIONS) {
		c->stage = STAGE_OPEN; /* nothing is looked up yet */
		hang_up(c);
	} else if (gate->address.tls) {
		listen_to(&c->agent);
	} else {
		reach(c);
	}
}

static int listen_in(struct host *host, struct api_gate *gate, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	int fd;

	if (relpath_parse(view_of(LOCAL_FOLDER), &path, err) < 0 ||
		beneath_open_dir(host->root, &path, &gate->folder, err) < 0)
		return -1;
	if (local_socket_bind(gate->folder, gate->name, &fd) < 0)
		return error_errno(err, "cannot open the socket '%s'", gate->name);
	if (uv_pipe_open(&gate->listener, fd) < 0 ||
		uv_listen((uv_stream_t *)&gate->listener, 64, connected) < 0)
		return error_set(
			err, ERROR_FAILED, "cannot listen on the socket '%s'", gate->name);
	return 0;
}

int api_gate_open(
	struct host *host, const char *name, struct api_gate **ret_gate, struct error *err)
{
	const char *url = settings_get(&host->settings, "ANTHROPIC_BASE_URL");
	struct api_address address;
	struct api_gate *gate;

	if (api_address_parse(url ? url : API_GATE_DEFAULT, &address, err) < 0)
		return -1;
	gate = xcalloc(1, sizeof(*gate));
	gate->address = address;
	gate->folder = -1;
	gate->name = xasprintf("api-%s.sock", name);
	gate->group = xstrdup(name);
	gate->listener.data = gate;
	uv_pipe_init(&host->loop, &gate->listener, 0);
	if (listen_in(host, gate, err) < 0) {
		api_gate_close(gate);
		return -1;
	}
	*ret_gate = gate;
	return 0;
}

int api_gate_socket(const struct api_gate *gate, int *ret_fd, struct error *err)
{
	int fd = openat(gate->folder, gate->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return error_errno(err, "cannot open the socket '%s'", gate->name);
	*ret_fd = fd;
	return 0;
}

void api_gate_environment(const struct api_gate *gate,
	void (*add)(void *data, const char *name, const char *value), void *data)
{
	const struct api_address *address = &gate->address;
	CLEANUP(freep)
	char *here = xasprintf(
		"http://127.0.0.1:" API_GATE_PORT "%s", address->tls ? "" : address->path);
	CLEANUP(freep) char *authority = authority_of(address);
	CLEANUP(freep) char *url = NULL;

	if (!address->tls) {
		add(data, "ANTHROPIC_BASE_URL", here);
		return;
	}
	url = xasprintf("https://%s%s", authority, address->path);
	add(data, "ANTHROPIC_BASE_URL", url);
	add(data, "HTTPS_PROXY", here);
	add(data, "https_proxy", here);
}

static void listener_closed(uv_handle_t *handle)
{
	struct api_gate *gate = handle->data;

	/* Those that are not done yet free themselves. */
	for (struct connection *c = gate->connections; c; c = c->next)
		c->gate = NULL;
	api_address_release(&gate->address);
	closep(&gate->folder);
	free(gate->name);
	free(gate->group);
	free(gate);
}

void api_gate_close(struct api_gate *gate)
{
	if (!gate)
		return;
	gate->closing = true;
	if (gate->folder >= 0)
		sys.unlink(gate->folder, gate->name, 0);
	for (struct connection *c = gate->connections; c; c = c->next)
		hang_up(c);
	uv_close((uv_handle_t *)&gate->listener, listener_closed);
}
