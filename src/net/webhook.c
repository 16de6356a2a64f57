#include "net/webhook.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define MAX_CONNECTIONS 32

struct webhook {
	struct webhook_options options;
	struct http_server *server;
	char *secret;
};

static bool webhook_is_signed(const struct webhook *webhook, struct http_exchange *exchange)
{
	const struct webhook_options *options = &webhook->options;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct view signature = http_exchange_header(exchange, options->header);
	struct hash given;
	struct hash right;

	if (!signature.data || !view_starts_with(signature, options->prefix))
		return false;
	signature = view_slice(signature, strlen(options->prefix), signature.len);
	if (hash_from_hex(signature, &given, &ignored) < 0)
		return false;
	right = hash_hmac(view_of(webhook->secret), http_exchange_body(exchange));
	return hash_equal_secret(&given, &right);
}

static void webhook_request(struct http_exchange *exchange, void *data)
{
	struct webhook *webhook = data;
	const struct webhook_options *options = &webhook->options;
	const struct http_head *head = http_exchange_head(exchange);
	struct view query = head->target;
	struct view path = {"", 0};

	view_next(&query, '?', &path);
	if (head->form != HTTP_ORIGIN || !view_equal_str(path, options->path)) {
		http_exchange_refuse(exchange, 404, "there is nothing here");
	} else if (options->get && view_equal_str(head->method, "GET")) {
		options->get(options->data, exchange, query);
	} else if (!view_equal_str(head->method, "POST")) {
		http_exchange_refuse(exchange, 405, "a webhook takes POST");
	} else if (!webhook_is_signed(webhook, exchange)) {
		if (options->forged)
			options->forged(options->data);
		http_exchange_refuse(exchange, 401, "the signature is wrong");
	} else if (options->take(options->data, http_exchange_body(exchange)) < 0) {
		http_exchange_refuse(exchange, 503, "it could not be stored: post it again");
	} else {
		http_exchange_answer(exchange, 200, NULL, view_of(""));
	}
}

int webhook_open(
	const struct webhook_options *options, struct webhook **ret_webhook, struct error *err)
{
	struct webhook *webhook = xcalloc(1, sizeof(*webhook));

	webhook->options = *options;
	webhook->secret = xstrdup(options->secret);
	webhook->options.secret = NULL;
	/*
	 * A proxy often runs as another user; the signature proves that the platform sent the
	 * request.
	 */
	if (http_server_open(
		    &(struct http_server_options){
			    .loop = options->loop,
			    .port = options->port,
			    .any_user = true,
			    .max_body = options->max_body,
			    .max_connections = MAX_CONNECTIONS,
			    .request = webhook_request,
			    .data = webhook,
		    },
		    &webhook->server, err) < 0) {
		webhook_close(webhook);
		return -1;
	}
	*ret_webhook = webhook;
	return 0;
}

void webhook_close(struct webhook *webhook)
{
	if (webhook->server)
		http_server_close(webhook->server);
	explicit_bzero(webhook->secret, strlen(webhook->secret));
	free(webhook->secret);
	free(webhook);
}

uint16_t webhook_port(const struct webhook *webhook)
{
	return http_server_port(webhook->server);
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static char *webhook_decode(struct view text)
{
	CLEANUP(freep) char *decoded = xmalloc(text.len + 1);
	size_t len = 0;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];

		if (c == '+') {
			c = ' ';
		} else if (c == '%') {
			int high = i + 2 < text.len ? hex_digit(text.data[i + 1]) : -1;
			int low = i + 2 < text.len ? hex_digit(text.data[i + 2]) : -1;

			if (high < 0 || low < 0)
				return NULL;
			c = (char)(high << 4 | low);
			i += 2;
		}
		if (!c)
			return NULL;
		decoded[len++] = c;
	}
	decoded[len] = '\0';
	return TAKE(decoded);
}

char *webhook_parameter(struct view query, const char *name)
{
	struct view pair;

	while (view_next(&query, '&', &pair)) {
		struct view key = {"", 0};

		view_next(&pair, '=', &key);
		if (view_equal_str(key, name))
			return webhook_decode(pair);
	}
	return NULL;
}
