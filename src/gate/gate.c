#include "gate/gate.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "egress/egress.h"
#include "format/json.h"
#include "fs/sys.h"
#include "net/link.h"
#include "proc/local_socket.h"

#define MAX_CONNECTIONS 128
#define MAX_SHOWN       200

struct gate {
	uv_pipe_t listener;
	struct gate_options options;
	struct links links;
	int folder;
	char *name;
	bool closing;
};

/* --- answers of our own ------------------------------------------------------ */

static const struct {
	int status;
	const char *reason;
	const char *kind; /* as the API calls it */
} answers[] = {
	{400, "Bad Request", "invalid_request_error"},
	{401, "Unauthorized", "authentication_error"},
	{403, "Forbidden", "permission_error"},
	{413, "Content Too Large", "request_too_large"},
	{417, "Expectation Failed", "invalid_request_error"},
	{431, "Request Header Fields Too Large", "invalid_request_error"},
	{501, "Not Implemented", "invalid_request_error"},
	{502, "Bad Gateway", "api_error"},
	{505, "HTTP Version Not Supported", "invalid_request_error"},
};

static size_t answer_for(int status)
{
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		if (answers[i].status == status)
			return i;
	return 0;
}

static void write_error(const char *kind, const char *message, struct buf *out)
{
	CLEANUP(json_decrefp)
	json_t *json = json_pack("{s:s, s:{s:s, s:o}}", "type", "error", "error", "type", kind,
		"message", json_text(view_of(message)));

	json_write_ours(json, false, out);
}

void gate_refuse(struct link *link, int status, const char *message)
{
	CLEANUP(buf_release) struct buf body = BUF_INIT;
	CLEANUP(buf_release) struct buf head = BUF_INIT;
	size_t i = answer_for(status);

	write_error(answers[i].kind, message, &body);
	buf_appendf(&head,
		"HTTP/1.1 %d %s\r\n"
		"content-type: application/json\r\n"
		"content-length: %zu\r\n"
		"x-should-retry: %s\r\n"
		"connection: close\r\n\r\n",
		status, answers[i].reason, body.len, status == 502 ? "true" : "false");
	link_send(link, (struct view[]){view_of_buf(&head), view_of_buf(&body)}, 2);
	link_close(link);
}

void gate_forbid(struct link *link, int status, const char *what, const char *why)
{
	const struct gate_options *options = gate_options(link_home(link));

	if (options->handlers->refused)
		options->handlers->refused(options->data, what, why);
	gate_refuse(link, status, why);
}

/* --- requests ---------------------------------------------------------------- */

static void go_elsewhere(struct link *link, const struct http_head *head, size_t head_len)
{
	struct egress *egress = gate_options(link_home(link))->egress;
	size_t len = head->target.len < MAX_SHOWN ? head->target.len : MAX_SHOWN;
	CLEANUP(freep)
	char *what =
		xasprintf("%.*s %.*s", VIEW_ARGS(head->method), (int)len, head->target.data);

	if (egress)
		egress_serve(egress, link, head, head_len);
	else
		gate_forbid(link, 403, what,
			"this sandbox reaches the API of its model, and nothing else");
}

static void go_to_api(struct link *link, const struct http_head *head, size_t len)
{
	if (gate_options(link_home(link))->provider)
		forward_start(link, head, len);
	else
		gate_forbid(link, 403, "the API", "this agent has no API of a model");
}

static void read_head(struct link *link, void *data)
{
	struct http_fault fault;
	struct http_head head;
	ssize_t len = http_head_parse(link_input(link), &head, &fault);

	(void)data;
	if (len < 0)
		gate_forbid(link, fault.status, "a request", fault.why);
	else if (len == 0 && link_has_ended(link))
		link_close(link);
	else if (len > 0 && head.form == HTTP_ORIGIN)
		go_to_api(link, &head, (size_t)len);
	else if (len > 0)
		go_elsewhere(link, &head, (size_t)len);
}

static void link_ignore(struct link *link, void *data)
{
	(void)link;
	(void)data;
}

static const struct link_owner between_requests = {
	.more = read_head,
	.drained = link_ignore,
	.gone = link_ignore,
};

void gate_next(struct link *link)
{
	link_give_to(link, &between_requests, NULL);
	if (link_input(link).len || link_has_ended(link))
		read_head(link, NULL);
}

const struct gate_options *gate_options(const struct gate *gate)
{
	return &gate->options;
}

int gate_credential(const struct gate_options *options, struct credential *ret_credential,
	struct error *err)
{
	const struct provider *provider = options->provider;

	*ret_credential = (struct credential){CREDENTIAL_NONE, NULL, NULL};
	if (!options->no_key &&
		credentials_get(options->credentials, provider, ret_credential, err) < 0)
		return -1;
	if (ret_credential->kind == CREDENTIAL_NONE && options->needs_key)
		return error_set(err, ERROR_INVALID,
			"there is no key for %s: put %s=... into '.env'", provider->title,
			provider->usual_key);
	return 0;
}

/* --- the socket -------------------------------------------------------------- */

static void agent_connected(uv_stream_t *stream, int status)
{
	struct gate *gate = stream->data;
	struct link *link;

	if (status < 0 || gate->closing)
		return;
	link = link_accept(&gate->links, stream, &between_requests, NULL);
	if (link && gate->links.count > MAX_CONNECTIONS)
		link_break(link);
}

static int listen_in(struct gate *gate, struct error *err)
{
	int fd;

	if (local_socket_bind(gate->folder, gate->name, &fd) < 0)
		return error_errno(err, "cannot open the socket '%s'", gate->name);
	if (uv_pipe_open(&gate->listener, fd) < 0 ||
		uv_listen((uv_stream_t *)&gate->listener, MAX_CONNECTIONS, agent_connected) < 0)
		return error_set(
			err, ERROR_FAILED, "cannot listen on the socket '%s'", gate->name);
	return 0;
}

int gate_open(const struct gate_options *options, struct gate **ret_gate, struct error *err)
{
	struct gate *gate = xcalloc(1, sizeof(*gate));

	gate->options = *options;
	gate->links.home = gate;
	gate->folder = fcntl(options->folder, F_DUPFD_CLOEXEC, 3);
	gate->name = xstrdup(options->name);
	gate->listener.data = gate;
	uv_pipe_init(options->loop, &gate->listener, 0);
	if (listen_in(gate, err) < 0) {
		gate_close(gate);
		return -1;
	}
	*ret_gate = gate;
	return 0;
}

static void listener_closed(uv_handle_t *handle)
{
	struct gate *gate = handle->data;

	closep(&gate->folder);
	free(gate->name);
	free(gate);
}

void gate_close(struct gate *gate)
{
	if (!gate)
		return;
	gate->closing = true;
	if (gate->folder >= 0)
		sys.unlink(gate->folder, gate->name, 0);
	links_break(&gate->links);
	uv_close((uv_handle_t *)&gate->listener, listener_closed);
}

int gate_socket(const struct gate *gate, int *ret_fd, struct error *err)
{
	int fd = openat(gate->folder, gate->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return error_errno(err, "cannot open the socket '%s'", gate->name);
	*ret_fd = fd;
	return 0;
}

static void add_api(const struct gate *gate, const char *here,
	void (*add)(void *data, const char *name, const char *value), void *data)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const struct gate_options *options = &gate->options;
	CLEANUP(freep) char *api = xasprintf("%s%s", here, options->address->path);
	struct credential credential = {CREDENTIAL_NONE, NULL, NULL};

	if (options->provider->protocol == API_OPENAI) {
		add(data, "OPENAI_BASE_URL", api);
		add(data, "OPENAI_API_KEY", CREDENTIAL_PLACEHOLDER);
		return;
	}
	add(data, "ANTHROPIC_BASE_URL", api);
	/* Without one of the kind that the host has, a client might speak otherwise. */
	if (credentials_get(options->credentials, options->provider, &credential, &ignored) <
			0 ||
		credential.kind == CREDENTIAL_NONE)
		credential.name = options->provider->usual_key;
	add(data, credential.name, CREDENTIAL_PLACEHOLDER);
}

void gate_environment(const struct gate *gate,
	void (*add)(void *data, const char *name, const char *value), void *data)
{
	static const char *const proxies[] = {
		"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"};
	static const char here[] = "http://127.0.0.1:" GATE_PORT;

	for (size_t i = 0; i < ARRAY_SIZE(proxies); i++)
		add(data, proxies[i], here);
	add(data, "NO_PROXY", "127.0.0.1,localhost");
	add(data, "no_proxy", "127.0.0.1,localhost");
	if (gate->options.provider)
		add_api(gate, here, add, data);
}
