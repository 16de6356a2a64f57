#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/slack/slack.h"
#include "format/json.h"
#include "proc/log.h"

/* Chats and threads above this are forgotten, those without a word for longest first. */
#define MOST_CHATS   256
#define MOST_THREADS 8

/* Of a chat; the oldest ones are left out. */
#define MOST_MESSAGES 1000
#define PAGE          "200"
#define MAX_TS        32

/* A chat, with the time of its last message that is stored: its mark. */
struct slack_chat {
	struct slack_chat *next;
	char *id;
	char ts[MAX_TS];
	struct string_array threads; /* the latest one last */
	bool missing;                /* what came later is still to be fetched */

	/* While it is fetched. */
	json_t *found;
	struct string_array asked; /* threads that are looked into */
	size_t next_asked;
	char *page; /* NULL: the first one */
};

static struct slack_chat *chat_find(const struct slack *slack, const char *id)
{
	struct slack_chat *chat = slack->chats;

	while (chat && strcmp(chat->id, id) != 0)
		chat = chat->next;
	return chat;
}

/* Seconds have ten digits until 2286. */
static bool is_later(const char *ts, const char *other)
{
	return strcmp(ts, other) > 0;
}

static void fetch_clear(struct slack_chat *chat)
{
	json_decref(chat->found);
	string_array_release(&chat->asked);
	free(chat->page);
	chat->found = NULL;
	chat->asked = (struct string_array){0};
	chat->next_asked = 0;
	chat->page = NULL;
}

static void chat_remove(struct slack_chat **at)
{
	struct slack_chat *chat = *at;

	*at = chat->next;
	fetch_clear(chat);
	string_array_release(&chat->threads);
	free(chat->id);
	free(chat);
}

/* --- marks ------------------------------------------------------------------- */

static struct slack_chat *chat_add(struct slack *slack, const char *id)
{
	struct slack_chat **oldest = NULL;
	struct slack_chat *chat;
	unsigned count = 0;

	for (struct slack_chat **at = &slack->chats; *at; at = &(*at)->next, count++)
		if (!(*at)->missing && (!oldest || is_later((*oldest)->ts, (*at)->ts)))
			oldest = at;
	if (count >= MOST_CHATS && oldest)
		chat_remove(oldest);
	chat = xcalloc(1, sizeof(*chat));
	chat->id = xstrdup(id);
	chat->next = slack->chats;
	slack->chats = chat;
	return chat;
}

static void thread_note(struct slack_chat *chat, const char *thread)
{
	struct string_array *threads = &chat->threads;
	size_t at = 0;

	while (at < threads->count && strcmp(threads->list[at], thread) != 0)
		at++;
	if (at == threads->count && threads->count < MOST_THREADS) {
		string_array_add(threads, thread);
		return;
	}
	if (at == threads->count)
		at = 0;
	free(threads->list[at]);
	memmove(threads->list + at, threads->list + at + 1,
		(threads->count - at - 1) * sizeof(*threads->list));
	threads->list[threads->count - 1] = xstrdup(thread);
}

/* {"C1": ["1700000000.000100", "a thread" …] …} */
static char *marks_text(const struct slack *slack)
{
	CLEANUP(json_decrefp) json_t *marks = json_object();
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (const struct slack_chat *chat = slack->chats; chat; chat = chat->next) {
		json_t *mark = json_pack("[s]", chat->ts);

		for (size_t i = 0; i < chat->threads.count; i++)
			json_array_append_new(mark, json_string(chat->threads.list[i]));
		json_object_set_new(marks, chat->id, mark);
	}
	json_write_ours(marks, false, &text);
	return buf_take(&text);
}

void slack_history_recall(struct slack *slack, const char *text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *marks = NULL;
	const char *id;
	json_t *mark;

	while (slack->chats)
		chat_remove(&slack->chats);
	if (!text || json_read(view_of(text), "marks", JSON_MAX_SIZE, &marks, &ignored) < 0)
		return;
	json_object_foreach(marks, id, mark) {
		const char *ts = json_string_value(json_array_get(mark, 0));
		struct slack_chat *chat;

		if (!ts || strlen(ts) >= MAX_TS || !slack_is_id(id))
			continue;
		chat = chat_add(slack, id);
		snprintf(chat->ts, sizeof(chat->ts), "%s", ts);
		for (size_t i = 1; i < json_array_size(mark); i++)
			thread_note(chat, json_string_value(json_array_get(mark, i)));
	}
	free(slack->stored_marks);
	slack->stored_marks = xstrdup(text);
}

void slack_history_note(
	struct slack *slack, const char *id, const char *ts, const char *thread, bool begins)
{
	struct slack_chat *chat = chat_find(slack, id);

	if (strlen(ts) >= MAX_TS || (!chat && !begins))
		return;
	if (!chat)
		chat = chat_add(slack, id);
	if (thread)
		thread_note(chat, thread);
	if (is_later(ts, chat->ts))
		snprintf(chat->ts, sizeof(chat->ts), "%s", ts);
	free(slack->new_marks);
	slack->new_marks = marks_text(slack);
	slack->channel.events->remember(&slack->channel, slack->new_marks);
}

void slack_history_committed(struct slack *slack, bool committed)
{
	CLEANUP(freep) char *marks = TAKE(slack->new_marks);

	if (!marks)
		return;
	if (committed) {
		free(slack->stored_marks);
		slack->stored_marks = TAKE(marks);
	} else {
		CLEANUP(freep) char *stored = TAKE(slack->stored_marks);

		slack_history_stop(slack);
		slack_history_recall(slack, stored);
	}
}

/* --- fetching ---------------------------------------------------------------- */

static void fetch_now(uv_timer_t *timer);

static void fetch_later(struct slack *slack, int64_t wait)
{
	uv_timer_start(&slack->history_timer, fetch_now, (uint64_t)wait, 0);
}

bool slack_history_has(const struct slack *slack, const char *id)
{
	return chat_find(slack, id) != NULL;
}

bool slack_history_missing(const struct slack *slack, const char *id)
{
	const struct slack_chat *chat = chat_find(slack, id);

	return chat && chat->missing;
}

void slack_history_stop(struct slack *slack)
{
	uv_timer_stop(&slack->history_timer);
	if (slack->fetch)
		slack_call_cancel(slack->fetch);
	slack->fetch = NULL;
	if (slack->fetching)
		fetch_clear(slack->fetching);
	slack->fetching = NULL;
}

void slack_history_end(struct slack *slack)
{
	slack_history_stop(slack);
	while (slack->chats)
		chat_remove(&slack->chats);
	free(slack->stored_marks);
	free(slack->new_marks);
	slack->stored_marks = slack->new_marks = NULL;
}

void slack_history_begin(struct slack *slack)
{
	slack_history_stop(slack);
	for (struct slack_chat *chat = slack->chats; chat; chat = chat->next)
		chat->missing = true;
	fetch_later(slack, 0);
}

void slack_history_done(struct slack *slack, const char *id)
{
	struct slack_chat *chat = chat_find(slack, id);

	if (!chat || chat != slack->fetching || slack->fetch)
		return; /* it is fetched again: the connection was lost meanwhile */
	chat->missing = false;
	fetch_clear(chat);
	slack->fetching = NULL;
	slack_events_go_on(slack);
	fetch_later(slack, 0);
}

static int compare_messages(const void *a, const void *b)
{
	const json_t *const *x = a, *const *y = b;

	return strcmp(slack_text(*x, "ts"), slack_text(*y, "ts"));
}

/* The oldest first, whatever thread they are in. */
static json_t *fetch_sorted(const struct slack_chat *chat)
{
	size_t count = 0;
	CLEANUP(freep) json_t **list = xcalloc(json_array_size(chat->found) + 1, sizeof(*list));
	json_t *sorted = json_array();
	json_t *message;
	size_t i;

	json_array_foreach(chat->found, i, message) {
		const char *ts = slack_text(message, "ts");

		if (ts && is_later(ts, chat->ts))
			list[count++] = message;
	}
	qsort(list, count, sizeof(*list), compare_messages);
	for (i = 0; i < count; i++)
		json_array_append(sorted, list[i]);
	return sorted;
}

static void fetch_complete(struct slack *slack)
{
	struct slack_chat *chat = slack->fetching;
	CLEANUP(json_decrefp) json_t *messages = fetch_sorted(chat);

	backoff_reset(&slack->history_backoff);
	if (json_array_size(chat->found) >= MOST_MESSAGES)
		log_warning(
			"more than %d messages came to '%s%s' while Slack was not connected; the oldest ones are skipped",
			MOST_MESSAGES, SLACK_PREFIX, chat->id);
	if (json_array_size(messages))
		slack_events_insert(slack, chat->id, messages);
	else
		slack_history_done(slack, chat->id);
}

static void fetch_keep(struct slack_chat *chat, const json_t *messages)
{
	json_t *message;
	size_t i;

	json_array_foreach(messages, i, message) {
		const char *ts = slack_text(message, "ts");
		const char *reply = slack_text(message, "latest_reply");

		json_array_append(chat->found, message);
		if (ts && reply && is_later(reply, chat->ts))
			string_array_add_new(&chat->asked, ts);
	}
}

static void fetch_page(struct slack *slack);

static void take_page(void *data, const struct slack_reply *reply)
{
	struct slack *slack = data;
	struct slack_chat *chat = slack->fetching;
	const char *page = slack_text(
		json_object_get(reply->document, "response_metadata"), "next_cursor");
	bool enough;

	slack->fetch = NULL;
	if (reply->outcome == SLACK_REFUSED || reply->outcome == SLACK_UNREADABLE) {
		/* A thread may be gone, or we are no longer in the chat. */
		log_warning("what was said in '%s%s' while Slack was not connected cannot be "
			    "read: %s%s%s",
			SLACK_PREFIX, chat->id, reply->error, reply->needed ? " " : "",
			reply->needed ? reply->needed : "");
		page = NULL;
	} else if (reply->outcome != SLACK_DONE) {
		int64_t wait = backoff_next(&slack->history_backoff);

		fetch_clear(chat);
		slack->fetching = NULL;
		if (reply->outcome == SLACK_LATER && reply->retry_after_ms > wait)
			wait = reply->retry_after_ms;
		fetch_later(slack, wait);
		return;
	}
	fetch_keep(chat, json_object_get(reply->document, "messages"));
	enough = json_array_size(chat->found) >= MOST_MESSAGES;
	free(chat->page);
	chat->page = page && *page && !enough ? xstrdup(page) : NULL;
	if (!chat->page)
		chat->next_asked++;
	if (enough || chat->next_asked > chat->asked.count)
		fetch_complete(slack);
	else
		fetch_page(slack);
}

/* First the chat itself, from its newest message back; then threads, in which they are forward. */
static void fetch_page(struct slack *slack)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct slack_chat *chat = slack->fetching;
	const char *thread = chat->next_asked ? chat->asked.list[chat->next_asked - 1] : NULL;
	json_t *parameters = json_pack(
		"{s:s, s:s, s:s}", "channel", chat->id, "oldest", chat->ts, "limit", PAGE);

	if (thread)
		json_object_set_new(parameters, "ts", json_string(thread));
	if (chat->page)
		json_object_set_new(parameters, "cursor", json_string(chat->page));
	if (slack_call(&slack->api, SLACK_BOT,
		    thread ? "conversations.replies" : "conversations.history", parameters,
		    take_page, slack, &slack->fetch, &ignored) < 0)
		take_page(slack, &(struct slack_reply){.outcome = SLACK_UNANSWERED});
}

static void fetch_now(uv_timer_t *timer)
{
	struct slack *slack = timer->data;
	const char *wanted = slack_events_chat(slack);
	struct slack_chat *chat = wanted ? chat_find(slack, wanted) : NULL;

	if (!chat || !chat->missing)
		for (chat = slack->chats; chat && !chat->missing;)
			chat = chat->next;
	if (!chat || slack->fetching)
		return;
	slack->fetching = chat;
	chat->found = json_array();
	for (size_t i = 0; i < chat->threads.count; i++)
		string_array_add(&chat->asked, chat->threads.list[i]);
	fetch_page(slack);
}
