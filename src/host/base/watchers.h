/*
 * Events for programs that watch the host: `nanoclaw watch`, and the dashboard.
 *
 *	watchers_open(loop, root, &watchers, err)
 *	if (watchers_wanted(watchers))
 *		watchers_send(watchers, json_pack("{s:s, …}", "type", "message", …))
 *	watchers_text(watchers, folder, turn, piece)		what an agent is writing
 *	watchers_text_end(watchers, turn)			that text is complete
 *	watchers_work(watchers)				before the loop sleeps: send
 *
 * A watcher connects to data/run/watch.sock, sends a line, and gets JSON lines: first {"type":
 * "hello", "pid": …} and the texts that are being written, then every event, with a number "seq".
 * Nothing is kept for watchers that are not connected: a watcher that connects again must read
 * the store again.
 *
 *	{"type": "message", "group": "main", "message": 12}	stored
 *	{"type": "turn", "group": "main", "turn": "t7", "state": "begun"}
 *				or "answered", "failed", "again": it will be tried again
 *	{"type": "step", "group": "main", "turn": "t7", "text": "Bash {…}"}
 *	{"type": "text", "group": "main", "turn": "t7", "from": 120, "text": "…"}
 *				what the agent has written since; from 0 a new text begins
 *	{"type": "text", "group": "main", "turn": "t7", "done": true}
 *	{"type": "sent", "chat": "local:main"}
 *	{"type": "channel", "channel": "local", "state": "connected"}
 *	{"type": "changed", "operation": "pause_task"}
 *
 * Events are sent after the transaction, so a watcher that gets one finds the change in the store.
 * Pieces of texts are gathered for WATCH_TEXT_MS. Without watchers, none of this is done.
 */
#ifndef HOST_BASE_WATCHERS_H
#define HOST_BASE_WATCHERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/error.h"

#define WATCH_SOCKET   "watch.sock"
#define WATCH_TEXT_MS  50
#define WATCH_TEXT_MAX ((size_t)64 * 1024) /* of one text; the rest comes with the answer */

struct watchers;

int watchers_open(uv_loop_t *loop, int root, struct watchers **ret_watchers, struct error *err);

/* Does nothing for NULL, like the functions below. */
void watchers_close(struct watchers *watchers);

bool watchers_wanted(const struct watchers *watchers);

/* `event` is released. */
void watchers_send(struct watchers *watchers, json_t *event);

void watchers_text(
	struct watchers *watchers, const char *folder, int64_t turn, const char *piece);
void watchers_text_end(struct watchers *watchers, int64_t turn);

/* {"type": "turn", …}; the end of a turn also ends its text. */
void watchers_turn(
	struct watchers *watchers, const char *folder, int64_t turn, const char *state);

void watchers_work(struct watchers *watchers);

#endif
