#include "host/base/watchers.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "channels/local/local.h"
#include "format/json.h"
#include "loop/line_server.h"

#define MAX_WATCHERS 8
#define MAX_TEXTS    32
#define MAX_QUEUE    ((size_t)4 * 1024 * 1024) /* a watcher that does not read is let go */

struct text {
	int64_t turn; /* 0: free */
	char *folder;
	struct buf all;
	size_t told; /* so much of it */
};

struct watchers {
	struct line_server *server;
	int root;
	struct line_client *list[MAX_WATCHERS];
	size_t count;
	json_t *waiting; /* events */
	uint64_t seq;
	struct text texts[MAX_TEXTS];
	uv_timer_t timer;
};

bool watchers_wanted(const struct watchers *watchers)
{
	return watchers && watchers->count;
}

void watchers_send(struct watchers *watchers, json_t *event)
{
	if (!watchers_wanted(watchers)) {
		json_decref(event);
		return;
	}
	json_put(event, "seq:I", ++watchers->seq);
	json_array_append_new(watchers->waiting, event);
}

void watchers_work(struct watchers *watchers)
{
	size_t i;
	json_t *event;

	if (!watchers || !json_array_size(watchers->waiting))
		return;
	json_array_foreach(watchers->waiting, i, event)
		/* A watcher that does not read leaves the list. */
		for (size_t k = watchers->count; k-- > 0;)
			line_client_send(watchers->list[k], json_incref(event));
	json_array_clear(watchers->waiting);
}

/* --- texts ------------------------------------------------------------------- */

static json_t *text_json(const struct text *text, size_t from)
{
	return json_build("type:s group:s turn:o from:I text:o", "text", text->folder,
		json_sprintf("t%" PRId64, text->turn), from,
		json_text(view_slice(view_of_buf(&text->all), from, text->all.len)));
}

static void text_clear(struct text *text)
{
	free(text->folder);
	buf_release(&text->all);
	*text = (struct text){.all = BUF_INIT};
}

static void watchers_tell_texts(uv_timer_t *timer)
{
	struct watchers *watchers = timer->data;

	for (size_t i = 0; i < MAX_TEXTS; i++) {
		struct text *text = &watchers->texts[i];

		if (!text->turn || text->told == text->all.len)
			continue;
		watchers_send(watchers, text_json(text, text->told));
		text->told = text->all.len;
	}
}

static struct text *text_find(struct watchers *watchers, int64_t turn)
{
	for (size_t i = 0; i < MAX_TEXTS; i++)
		if (watchers->texts[i].turn == turn)
			return &watchers->texts[i];
	return NULL;
}

void watchers_text(
	struct watchers *watchers, const char *folder, int64_t turn, const char *piece)
{
	struct text *text;

	if (!watchers_wanted(watchers))
		return;
	text = text_find(watchers, turn);
	if (!text) {
		text = text_find(watchers, 0);
		if (!text)
			return;
		text->turn = turn;
		text->folder = xstrdup(folder);
	}
	if (text->all.len + strlen(piece) > WATCH_TEXT_MAX)
		return;
	buf_append_str(&text->all, piece);
	if (!uv_is_active((uv_handle_t *)&watchers->timer))
		uv_timer_start(&watchers->timer, watchers_tell_texts, WATCH_TEXT_MS, 0);
}

void watchers_text_end(struct watchers *watchers, int64_t turn)
{
	struct text *text = watchers ? text_find(watchers, turn) : NULL;

	if (!text)
		return;
	if (text->told < text->all.len)
		watchers_send(watchers, text_json(text, text->told));
	text_clear(text);
}

void watchers_turn(
	struct watchers *watchers, const char *folder, int64_t turn, const char *state)
{
	if (!watchers)
		return;
	watchers_text_end(watchers, turn);
	if (watchers_wanted(watchers) && strcmp(state, "begun") != 0)
		watchers_send(watchers, json_build("type:s group:s turn:o done:b", "text",
						folder, json_sprintf("t%" PRId64, turn), 1));
	if (watchers_wanted(watchers))
		watchers_send(
			watchers, json_build("type:s group:s turn:o state:s", "turn", folder,
					  json_sprintf("t%" PRId64, turn), state));
}

/* --- watchers ---------------------------------------------------------------- */

static void watcher_came(struct line_client *client, struct view line, void *data)
{
	struct watchers *watchers = data;

	(void)line;
	for (size_t i = 0; i < watchers->count; i++)
		if (watchers->list[i] == client)
			return;
	if (watchers->count == MAX_WATCHERS) {
		line_client_drop(client);
		return;
	}
	watchers->list[watchers->count++] = client;
	line_client_send(client, json_build("type:s pid:i", "hello", (int)getpid()));
	for (size_t i = 0; i < MAX_TEXTS; i++)
		if (watchers->texts[i].turn) {
			json_t *text = text_json(&watchers->texts[i], 0);

			line_client_send(client, text);
		}
}

static void watcher_gone(struct line_client *client, void *data)
{
	struct watchers *watchers = data;

	for (size_t i = 0; i < watchers->count; i++)
		if (watchers->list[i] == client) {
			watchers->list[i] = watchers->list[--watchers->count];
			break;
		}
	for (size_t i = 0; !watchers->count && i < MAX_TEXTS; i++)
		text_clear(&watchers->texts[i]);
}

static int watchers_again(void *data, int *ret_folder, struct error *err)
{
	const struct watchers *watchers = data;

	return local_open_folder(watchers->root, ret_folder, err);
}

int watchers_open(uv_loop_t *loop, int root, struct watchers **ret_watchers, struct error *err)
{
	static const struct line_server_handlers handlers = {
		.line = watcher_came,
		.gone = watcher_gone,
		.again = watchers_again,
		.max_clients = MAX_WATCHERS + 1,
		.max_queue = MAX_QUEUE,
	};
	CLEANUP(closep) int folder = -1;
	struct watchers *watchers = xcalloc(1, sizeof(*watchers));

	watchers->root = root;
	for (size_t i = 0; i < MAX_TEXTS; i++)
		watchers->texts[i].all = BUF_INIT;
	if (local_open_folder(root, &folder, err) < 0 ||
		line_server_open(loop, folder, WATCH_SOCKET, &handlers, watchers,
			&watchers->server, err) < 0) {
		free(watchers);
		return -1;
	}
	watchers->waiting = json_array();
	uv_timer_init(loop, &watchers->timer);
	watchers->timer.data = watchers;
	*ret_watchers = watchers;
	return 0;
}

static void watchers_closed(uv_handle_t *timer)
{
	struct watchers *watchers = timer->data;

	json_decref(watchers->waiting);
	free(watchers);
}

void watchers_close(struct watchers *watchers)
{
	if (!watchers)
		return;
	watchers_work(watchers);
	line_server_close(watchers->server);
	for (size_t i = 0; i < MAX_TEXTS; i++)
		text_clear(&watchers->texts[i]);
	uv_close((uv_handle_t *)&watchers->timer, watchers_closed);
}
