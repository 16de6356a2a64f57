#include "web/events.h"

#include <string.h>

#include "format/json.h"

struct events {
	uv_timer_t quiet;
	struct view kept[EVENTS_KEPT]; /* lines; that of number n is at n % EVENTS_KEPT */
	uint64_t oldest, next;         /* numbers: kept are oldest … next - 1 */
	size_t kept_size;
	struct http_exchange *streams[EVENTS_STREAMS];
	size_t stream_count;
	void (*opened)(void *data);
	void *data;
};

static void events_drop_oldest(struct events *events)
{
	struct view *line = &events->kept[events->oldest % EVENTS_KEPT];

	events->kept_size -= line->len;
	free((char *)(uintptr_t)line->data);
	events->oldest++;
}

static void events_send_all(struct events *events, struct view line)
{
	for (size_t i = 0; i < events->stream_count; i++)
		http_exchange_send(events->streams[i], line);
	if (events->stream_count)
		uv_timer_again(&events->quiet);
}

void events_add(struct events *events, json_t *event)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	struct view kept;

	json_put(event, "seq:I", events->next);
	json_write_ours(event, false, &line);
	json_decref(event);
	buf_append_char(&line, '\n');
	kept.len = line.len;
	kept.data = buf_take(&line);
	while (events->oldest < events->next &&
		(events->next - events->oldest == EVENTS_KEPT ||
			events->kept_size + kept.len > EVENTS_KEPT_SIZE))
		events_drop_oldest(events);
	events->kept[events->next++ % EVENTS_KEPT] = kept;
	events->kept_size += kept.len;
	events_send_all(events, kept);
}

static void events_ended(struct http_exchange *exchange, void *data)
{
	struct events *events = data;

	for (size_t i = 0; i < events->stream_count; i++)
		if (events->streams[i] == exchange)
			events->streams[i] = events->streams[--events->stream_count];
	if (!events->stream_count)
		uv_timer_stop(&events->quiet);
}

static void events_keep_alive(uv_timer_t *timer)
{
	events_send_all(timer->data, view_of("\n"));
}

void events_stream(struct events *events, struct http_exchange *exchange, int64_t after,
	const char *headers, struct view snapshot)
{
	bool known = after >= 0 && (uint64_t)after + 1 >= events->oldest &&
		     (uint64_t)after < events->next;
	size_t place = events->stream_count;

	if (place == EVENTS_STREAMS) {
		http_exchange_refuse(exchange, 503, "too many clients read events");
		return;
	}
	events->streams[events->stream_count++] = exchange;
	http_exchange_begin(exchange, 200, headers, events_ended, events);
	if (events->stream_count == place)
		return; /* it has gone */
	if (known) {
		for (uint64_t n = (uint64_t)after + 1; n < events->next; n++)
			http_exchange_send(exchange, events->kept[n % EVENTS_KEPT]);
	} else {
		CLEANUP(freep)
		char *line = xasprintf("{\"seq\":%llu,\"type\":\"%s\"}\n",
			(unsigned long long)events->next - 1, after < 0 ? "hello" : "resync");

		http_exchange_send(exchange, view_of(line));
		http_exchange_send(exchange, snapshot);
	}
	if (place == 0)
		uv_timer_start(
			&events->quiet, events_keep_alive, EVENTS_QUIET_MS, EVENTS_QUIET_MS);
	events->opened(events->data);
}

size_t events_stream_count(const struct events *events)
{
	return events->stream_count;
}

struct events *events_new(uv_loop_t *loop, void (*opened)(void *data), void *data)
{
	struct events *events = xcalloc(1, sizeof(*events));

	/* Number 0 is before the first one. */
	events->oldest = events->next = 1;
	events->opened = opened;
	events->data = data;
	uv_timer_init(loop, &events->quiet);
	events->quiet.data = events;
	return events;
}

static void events_closed(uv_handle_t *timer)
{
	free(timer->data);
}

void events_free(struct events *events)
{
	if (!events)
		return;
	while (events->oldest < events->next)
		events_drop_oldest(events);
	uv_close((uv_handle_t *)&events->quiet, events_closed);
}
