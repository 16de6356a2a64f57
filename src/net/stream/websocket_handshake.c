#include "net/stream/websocket_handshake.h"

#include <nettle/base64.h>
#include <nettle/sha1.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "net/http_answer.h"
#include "net/libcurl.h"

#define GUID        "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
#define KEY_BYTES   16
#define ACCEPT_SIZE (BASE64_ENCODE_RAW_LENGTH(SHA1_DIGEST_SIZE) + 1)

/* --- the address ------------------------------------------------------------- */

void websocket_address_release(struct websocket_address *address)
{
	free(address->host);
	free(address->target);
}

/* libcurl's parser knows only http and https, so parse ws and wss as those. */
static int address_parse_http(const struct libcurl *curl, const char *url, CURLU *parsed,
	struct websocket_address *ret_address)
{
	char *host = NULL, *port = NULL, *path = NULL, *query = NULL, *user = NULL;
	bool plain = !strncmp(url, "ws://", 5);
	CLEANUP(freep) char *http = xasprintf("http%s", url + 2);
	int result = -1;

	if ((plain || !strncmp(url, "wss://", 6)) &&
		!curl->url_set(parsed, CURLUPART_URL, http, CURLU_PATH_AS_IS) &&
		curl->url_get(parsed, CURLUPART_USER, &user, 0) == CURLUE_NO_USER &&
		!curl->url_get(parsed, CURLUPART_HOST, &host, 0) &&
		!curl->url_get(parsed, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) &&
		!curl->url_get(parsed, CURLUPART_PATH, &path, 0)) {
		size_t brackets = *host == '[';

		curl->url_get(parsed, CURLUPART_QUERY, &query, 0);
		ret_address->host = xmemdupz(host + brackets, strlen(host) - 2 * brackets);
		ret_address->port = (unsigned)strtoul(port, NULL, 10);
		ret_address->plain = plain;
		ret_address->target =
			xasprintf("%s%s%s", path, query ? "?" : "", query ? query : "");
		result = 0;
	}
	curl->free(host);
	curl->free(port);
	curl->free(path);
	curl->free(query);
	curl->free(user);
	return result;
}

int websocket_address_parse(
	const char *url, struct websocket_address *ret_address, struct error *err)
{
	const struct libcurl *curl = libcurl_load(err);
	CURLU *parsed;
	int result;

	if (!curl)
		return -1;
	parsed = curl->url();
	if (!parsed)
		out_of_memory();
	result = address_parse_http(curl, url, parsed, ret_address);
	curl->url_cleanup(parsed);
	/* What follows the scheme may be a secret. */
	if (result < 0)
		return error_set(err, ERROR_INVALID,
			"the address of a WebSocket must be wss://HOST[:PORT][/PATH]");
	return 0;
}

/* --- the request ------------------------------------------------------------- */

void websocket_key(char ret_key[static WEBSOCKET_KEY_SIZE])
{
	uint8_t bytes[KEY_BYTES] = {0};

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		abort();
	base64_encode_raw(ret_key, sizeof(bytes), bytes);
	ret_key[WEBSOCKET_KEY_SIZE - 1] = '\0';
}

void websocket_request(const struct websocket_address *address, const char *key,
	const char *const *headers, const char *protocol, struct buf *out)
{
	bool is_ipv6 = strchr(address->host, ':');

	buf_appendf(out,
		"GET %s HTTP/1.1\r\n"
		"Host: %s%s%s",
		address->target, is_ipv6 ? "[" : "", address->host, is_ipv6 ? "]" : "");
	if (address->port != (address->plain ? 80 : 443))
		buf_appendf(out, ":%u", address->port);
	buf_appendf(out,
		"\r\nUpgrade: websocket\r\n"
		"Connection: Upgrade\r\n"
		"Sec-WebSocket-Version: 13\r\n"
		"Sec-WebSocket-Key: %s\r\n",
		key);
	if (protocol)
		buf_appendf(out, "Sec-WebSocket-Protocol: %s\r\n", protocol);
	for (; headers && *headers; headers++)
		buf_appendf(out, "%s\r\n", *headers);
	buf_append_str(out, "\r\n");
}

/* --- the response ------------------------------------------------------------ */

static void accept_of(const char *key, char ret_accept[static ACCEPT_SIZE])
{
	uint8_t digest[SHA1_DIGEST_SIZE];
	struct sha1_ctx sha1;

	sha1_init(&sha1);
	sha1_update(&sha1, strlen(key), (const uint8_t *)key);
	sha1_update(&sha1, strlen(GUID), (const uint8_t *)GUID);
	sha1_digest(&sha1, sizeof(digest), digest);
	base64_encode_raw(ret_accept, sizeof(digest), digest);
	ret_accept[ACCEPT_SIZE - 1] = '\0';
}

int websocket_check(struct view head, const char *key, const char *protocol, struct error *err)
{
	struct http_answer answer;
	char accept[ACCEPT_SIZE];
	struct view chosen;

	accept_of(key, accept);
	if (http_answer_parse(head, &answer) < 0 || !answer.status)
		return error_set(err, ERROR_FAILED, "its answer is not valid HTTP");
	if (answer.status != 101)
		return error_set(err, ERROR_FAILED, "it refused the WebSocket with status %d",
			answer.status);
	if (!http_value_has(http_answer_header(&answer, "upgrade"), "websocket") ||
		!http_value_has(http_answer_header(&answer, "connection"), "upgrade"))
		return error_set(err, ERROR_FAILED, "it switched to another protocol");
	if (!view_equal_str(http_answer_header(&answer, "sec-websocket-accept"), accept))
		return error_set(
			err, ERROR_FAILED, "its Sec-WebSocket-Accept does not fit our key");
	if (http_answer_header(&answer, "sec-websocket-extensions").data)
		return error_set(
			err, ERROR_FAILED, "it uses an extension that was not requested");
	chosen = http_answer_header(&answer, "sec-websocket-protocol");
	if (protocol ? !view_equal_str(chosen, protocol) : chosen.data != NULL)
		return error_set(err, ERROR_FAILED, "it speaks another subprotocol");
	return 0;
}
