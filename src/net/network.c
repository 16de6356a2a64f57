#include "net/network_call.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define CONNECT_MS   10000
#define BUFFER_SIZE  65536L
#define IDLE_SECONDS 60L /* that a connection is kept without a request */
#define IDLE_AT_MOST 16L

struct network {
	uv_loop_t *loop;
	char *ca_file;
	const struct libcurl *curl;
	CURLM *multi;
	uv_timer_t timer;
	struct network_call *calls;
	bool closed;
	unsigned
		inside; /* libcurl, from whose callbacks most of its functions must not be called */
};

/* A socket of libcurl's on the loop. */
struct watch {
	uv_poll_t poll;
	struct network *network;
	curl_socket_t socket;
};

/* --- calls that have ended --------------------------------------------------- */

/*
 * libcurl's messages name hosts and reasons, never headers. But it repeats the address of a proxy
 * that it cannot use, with the password.
 */
static const char *call_reason(const struct network_call *call, CURLcode code)
{
	if (code == CURLE_OK)
		return NULL;
	if (code == CURLE_SEND_FAIL_REWIND)
		return "the connection ended before the response";
	if (!strncmp(call->why, "Unsupported proxy", strlen("Unsupported proxy")))
		return "HTTPS_PROXY of the host, or another such variable, is not the address of a "
		       "proxy that can be used";
	if (!*call->why || strchr(call->why, '@'))
		return call->network->curl->easy_strerror(code);
	return call->why;
}

static void end_call(struct network_call *call, const char *why)
{
	if (call->cancelled)
		call->type->drop(call);
	else
		call->type->ended(call, why);
}

static void end_calls(struct network *network)
{
	struct network_call *next;
	CURLMsg *message;
	int left;

	if (network->inside)
		return;
	/* A callback may close the network. */
	while (network->multi &&
		(message = network->curl->multi_info_read(network->multi, &left)))
		if (message->msg == CURLMSG_DONE) {
			struct network_call *call = NULL;

			network->curl->easy_getinfo(
				message->easy_handle, CURLINFO_PRIVATE, &call);
			end_call(call, call_reason(call, message->data.result));
		}
	for (struct network_call *call = network->calls; call; call = next) {
		next = call->next;
		if (call->cancelled)
			call->type->drop(call);
	}
}

/* --- libcurl on the loop ----------------------------------------------------- */

static void drive_network(struct network *network, curl_socket_t socket, int events)
{
	int running;

	network->inside++;
	network->curl->multi_socket_action(network->multi, socket, events, &running);
	network->inside--;
	end_calls(network);
}

static void time_is_up(uv_timer_t *timer)
{
	drive_network(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static int set_timer(CURLM *multi, long ms, void *data)
{
	struct network *network = data;

	(void)multi;
	if (ms < 0)
		uv_timer_stop(&network->timer);
	else
		uv_timer_start(&network->timer, time_is_up, (uint64_t)ms, 0);
	return 0;
}

static void socket_ready(uv_poll_t *poll, int status, int events)
{
	struct watch *watch = poll->data;
	/* CURL_CSELECT_ERR would keep libcurl from finding out what the error is. */
	int flags = status < 0 ? CURL_CSELECT_IN | CURL_CSELECT_OUT : 0;

	if (events & UV_READABLE)
		flags |= CURL_CSELECT_IN;
	if (events & UV_WRITABLE)
		flags |= CURL_CSELECT_OUT;
	drive_network(watch->network, watch->socket, flags);
}

static void watch_closed(uv_handle_t *handle)
{
	free(handle->data);
}

static struct watch *add_watch(struct network *network, curl_socket_t socket)
{
	struct watch *watch = xcalloc(1, sizeof(*watch));

	watch->network = network;
	watch->socket = socket;
	if (uv_poll_init(network->loop, &watch->poll, socket) < 0) {
		free(watch);
		return NULL;
	}
	watch->poll.data = watch;
	network->curl->multi_assign(network->multi, socket, watch);
	return watch;
}

static int set_watch(CURL *easy, curl_socket_t socket, int what, void *data, void *socket_data)
{
	struct network *network = data;
	struct watch *watch = socket_data;
	int events = (what & CURL_POLL_IN ? UV_READABLE : 0) |
		     (what & CURL_POLL_OUT ? UV_WRITABLE : 0);

	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		if (watch) {
			uv_poll_stop(&watch->poll);
			uv_close((uv_handle_t *)&watch->poll, watch_closed);
		}
		network->curl->multi_assign(network->multi, socket, NULL);
		return 0;
	}
	if (!watch)
		watch = add_watch(network, socket);
	if (!watch)
		return -1;
	uv_poll_start(&watch->poll, events, socket_ready);
	return 0;
}

/* --- a network --------------------------------------------------------------- */

void network_new(const struct network_options *options, struct network **ret_network)
{
	struct network *network = xcalloc(1, sizeof(*network));

	network->loop = options->loop;
	network->ca_file = options->ca_file ? xstrdup(options->ca_file) : NULL;
	uv_timer_init(network->loop, &network->timer);
	network->timer.data = network;
	*ret_network = network;
}

static void timer_closed(uv_handle_t *handle)
{
	struct network *network = handle->data;

	free(network->ca_file);
	free(network);
}

void network_close(struct network *network)
{
	if (!network)
		return;
	assert(!network->inside);
	network->closed = true;
	while (network->calls)
		end_call(network->calls, "the network was closed");
	if (network->multi) {
		network->inside++;
		network->curl->multi_cleanup(network->multi);
		network->multi = NULL;
	}
	uv_close((uv_handle_t *)&network->timer, timer_closed);
}

static int network_load(struct network *network, struct error *err)
{
	const struct libcurl *curl;

	if (network->closed)
		return error_set(err, ERROR_FAILED, "the network was closed");
	if (network->multi)
		return 0;
	network->curl = curl = libcurl_load(err);
	if (!curl)
		return -1;
	network->multi = curl->multi_init();
	if (!network->multi)
		return error_set(err, ERROR_FAILED, "libcurl cannot be set up");
	curl->multi_setopt(network->multi, CURLMOPT_SOCKETFUNCTION, set_watch);
	curl->multi_setopt(network->multi, CURLMOPT_SOCKETDATA, network);
	curl->multi_setopt(network->multi, CURLMOPT_TIMERFUNCTION, set_timer);
	curl->multi_setopt(network->multi, CURLMOPT_TIMERDATA, network);
	curl->multi_setopt(network->multi, CURLMOPT_MAXCONNECTS, IDLE_AT_MOST);
	return 0;
}

const struct libcurl *network_curl(const struct network *network)
{
	return network->curl;
}

uv_loop_t *network_loop(const struct network *network)
{
	return network->loop;
}

/* --- a call ------------------------------------------------------------------ */

int network_call_open(struct network *network, struct network_call *call,
	const struct network_call_type *type, const char *url, uint64_t connect_ms,
	struct error *err)
{
	const struct libcurl *curl;

	if (network_load(network, err) < 0)
		return -1;
	curl = network->curl;
	call->network = network;
	call->type = type;
	call->easy = curl->easy_init();
	if (!call->easy)
		out_of_memory();
	call->next = network->calls;
	if (call->next)
		call->next->previous = call;
	network->calls = call;

	curl->easy_setopt(call->easy, CURLOPT_PRIVATE, call);
	curl->easy_setopt(call->easy, CURLOPT_ERRORBUFFER, call->why);
	curl->easy_setopt(call->easy, CURLOPT_URL, url);
	curl->easy_setopt(call->easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl->easy_setopt(call->easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
	curl->easy_setopt(call->easy, CURLOPT_NOSIGNAL, 1L);
	/* Otherwise the end of a call waits for the thread that looks its name up. */
	curl->easy_setopt(call->easy, CURLOPT_QUICK_EXIT, 1L);
	curl->easy_setopt(call->easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl->easy_setopt(call->easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl->easy_setopt(call->easy, CURLOPT_TCP_NODELAY, 1L);
	curl->easy_setopt(call->easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl->easy_setopt(call->easy, CURLOPT_BUFFERSIZE, BUFFER_SIZE);
	curl->easy_setopt(call->easy, CURLOPT_MAXAGE_CONN, IDLE_SECONDS);
	curl->easy_setopt(call->easy, CURLOPT_CONNECTTIMEOUT_MS,
		connect_ms ? (long)connect_ms : (long)CONNECT_MS);
	if (network->ca_file)
		curl->easy_setopt(call->easy, CURLOPT_CAINFO, network->ca_file);
	return 0;
}

void network_call_start(struct network_call *call)
{
	struct network *network = call->network;

	assert(!network->inside);
	network->inside++;
	network->curl->multi_add_handle(network->multi, call->easy);
	network->inside--;
}

void network_call_cancel(struct network_call *call)
{
	call->cancelled = true;
	if (!call->network->inside)
		call->type->drop(call);
}

void network_call_resume(struct network_call *call)
{
	struct network *network = call->network;

	network->inside++;
	network->curl->easy_pause(call->easy, CURLPAUSE_CONT);
	network->inside--;
	end_calls(network);
}

void network_call_close(struct network_call *call)
{
	struct network *network = call->network;

	if (call->previous)
		call->previous->next = call->next;
	else
		network->calls = call->next;
	if (call->next)
		call->next->previous = call->previous;
	network->inside++;
	network->curl->multi_remove_handle(network->multi, call->easy);
	network->curl->easy_cleanup(call->easy);
	network->inside--;
}
