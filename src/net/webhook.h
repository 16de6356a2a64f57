/*
 * A webhook: an address to which a platform posts its events.
 *
 *	webhook_open(&options, &webhook, err)
 *	…
 *	options.take(data, body)	a signed document has arrived
 *		0	it is stored: the platform gets 200
 *		-1	it is not: the platform gets 503, and retries
 *	…
 *	webhook_close(webhook)
 *
 * It listens on a port of 127.0.0.1, for a reverse proxy or a tunnel. Anybody on the Internet
 * can post there. So a body is read up to a maximum, and take() only gets a body with a valid
 * signature: a header with the HMAC-SHA-256 of the body, in hexadecimal digits, keyed with a
 * secret that the platform and we share.
 */
#ifndef NET_WEBHOOK_H
#define NET_WEBHOOK_H

#include <uv.h>

#include "base/error.h"
#include "base/view.h"
#include "net/http_server.h"

struct webhook;

struct webhook_options {
	uv_loop_t *loop;
	uint16_t port;      /* 0: any that is free, see webhook_port() */
	const char *path;   /* "/webhook/whatsapp"; a constant */
	const char *header; /* of the signature: "x-hub-signature-256"; a constant */
	const char *prefix; /* of the signature: "sha256="; a constant, "" for none */
	const char *secret; /* copied */
	size_t max_body;
	int (*take)(void *data, struct view body);
	/* A GET: answer it, with the parameters of the address; NULL: refused. */
	void (*get)(void *data, struct http_exchange *exchange, struct view query);
	/* A signature was wrong, or missing; may be NULL. */
	void (*forged)(void *data);
	void *data;
};

int webhook_open(
	const struct webhook_options *options, struct webhook **ret_webhook, struct error *err);
void webhook_close(struct webhook *webhook);

uint16_t webhook_port(const struct webhook *webhook);

/*
 * A parameter of a query ("a=1&b=x%20y"), decoded and to be freed; NULL if it is missing or
 * malformed.
 */
char *webhook_parameter(struct view query, const char *name);

#endif
