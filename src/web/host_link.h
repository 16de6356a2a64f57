/*
 * The dashboard's connection to a running host, whose events (host/base/watchers.h) go to all
 * clients (events.h). It is open while a client reads events, and for LINK_LINGER_S after that;
 * otherwise the host has no watcher to slow it down.
 *
 * When it begins, clients get {"type": "resync", "host": true}: they reload what they show,
 * because events may have been missed. When it breaks they get {"type": "host", "running":
 * false}, and it is tried again every second.
 */
#ifndef WEB_HOST_LINK_H
#define WEB_HOST_LINK_H

#include <uv.h>

#include "web/events.h"

#define LINK_LINGER_S 10

struct host_link;

/* `folder` is data/run, open; it must stay open. */
struct host_link *host_link_new(uv_loop_t *loop, int folder, struct events *events);
void host_link_free(struct host_link *link);

/* A client reads events. */
void host_link_wake(struct host_link *link);

/* The texts that agents are writing, as events without a number, for a client that begins. */
void host_link_texts(const struct host_link *link, struct buf *out);

#endif
