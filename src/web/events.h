/*
 * Events for all clients, in JSON lines with numbers: {"seq": 7, "type": "…", …}.
 *
 *	events_add(events, json_pack("{s:s}", "type", "message"))
 *	events_stream(events, exchange, after)		GET /api/events?after=7
 *
 * The latest ones are kept, so that a client whose connection broke continues after the last one
 * that it saw. A client that missed more gets {"seq": N, "type": "resync"}: it must reload what
 * it shows, and continues after N. A client that names no number begins with {"type": "hello"}.
 *
 * A stream that is quiet gets an empty line every EVENTS_QUIET_MS, so that a tunnel keeps it and
 * both ends notice if it is broken.
 */
#ifndef WEB_EVENTS_H
#define WEB_EVENTS_H

#include <jansson.h>
#include <uv.h>

#include "net/http_server.h"

#define EVENTS_KEPT      1024
#define EVENTS_KEPT_SIZE ((size_t)1024 * 1024) /* of all together */
#define EVENTS_STREAMS   48
#define EVENTS_QUIET_MS  20000

struct events;

/* `opened` is called with every new stream. */
struct events *events_new(uv_loop_t *loop, void (*opened)(void *data), void *data);

/* After the servers were closed, and with them all streams. */
void events_free(struct events *events);

/* `event` is an object, which is released. */
void events_add(struct events *events, json_t *event);

/*
 * Keeps the exchange until the client goes away. `after` is -1 without a number. `headers` as in
 * http_exchange_answer(). A client that starts over also gets the lines in `snapshot`.
 */
void events_stream(struct events *events, struct http_exchange *exchange, int64_t after,
	const char *headers, struct view snapshot);

size_t events_stream_count(const struct events *events);

#endif
