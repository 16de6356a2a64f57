#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/discord/discord.h"
#include "format/json.h"
#include "proc/log.h"

/* Chats above this are forgotten, those without a word for longest first. */
#define MOST_CHATS 256

/* Of a chat; later ones are left out. */
#define MOST_MESSAGES 1000
#define PAGE          100

/* A channel, a direct chat or a thread, with its last message that is stored: its mark. */
struct discord_chat {
	struct discord_chat *next;
	char *id;
	char *mark;
	char *parent; /* the channel of a thread; else NULL */
	char *guild;  /* NULL: a direct chat */
	bool missing; /* what came later is still to be fetched */

	/* While it is fetched. */
	bool threads_known;
	json_t *found;
};

static struct discord_chat *chat_find(const struct discord *discord, const char *id)
{
	struct discord_chat *chat = discord->chats;

	while (chat && strcmp(chat->id, id) != 0)
		chat = chat->next;
	return chat;
}

static void fetch_clear(struct discord_chat *chat)
{
	json_decref(chat->found);
	chat->found = NULL;
	chat->threads_known = false;
}

static void chat_remove(struct discord_chat **at)
{
	struct discord_chat *chat = *at;

	*at = chat->next;
	fetch_clear(chat);
	free(chat->id);
	free(chat->mark);
	free(chat->parent);
	free(chat->guild);
	free(chat);
}

/* --- marks ------------------------------------------------------------------- */

static struct discord_chat *chat_add(struct discord *discord, const struct discord_note *note)
{
	struct discord_chat **oldest = NULL;
	struct discord_chat *chat;
	unsigned count = 0;

	for (struct discord_chat **at = &discord->chats; *at; at = &(*at)->next, count++)
		if (!(*at)->missing &&
			(!oldest || discord_id_compare((*oldest)->mark, (*at)->mark) > 0))
			oldest = at;
	if (count >= MOST_CHATS && oldest)
		chat_remove(oldest);
	chat = xcalloc(1, sizeof(*chat));
	chat->id = xstrdup(note->chat);
	chat->mark = xstrdup(note->message);
	chat->parent = note->parent ? xstrdup(note->parent) : NULL;
	chat->guild = note->guild ? xstrdup(note->guild) : NULL;
	chat->next = discord->chats;
	discord->chats = chat;
	return chat;
}

/* {"chats": {"7": ["its mark", "its channel", "its server", missing] …}, "session": [id, url, seq]} */
static char *marks_text(const struct discord *discord)
{
	const struct discord_session *session = &discord->session;
	CLEANUP(json_decrefp) json_t *marks = json_pack("{s:{}}", "chats");
	json_t *chats = json_object_get(marks, "chats");
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (const struct discord_chat *chat = discord->chats; chat; chat = chat->next)
		json_object_set_new(chats, chat->id,
			json_pack("[s, s, s, b]", chat->mark, chat->parent ? chat->parent : "",
				chat->guild ? chat->guild : "", chat->missing));
	if (session->id)
		json_object_set_new(marks, "session",
			json_pack("[s, s, I]", session->id, session->url,
				(json_int_t)session->done));
	json_write_ours(marks, false, &text);
	return buf_take(&text);
}

static const char *id_in(const json_t *mark, size_t index)
{
	const char *id = json_string_value(json_array_get(mark, index));

	return id && discord_is_id(id) ? id : NULL;
}

static void recall_chats(struct discord *discord, json_t *chats)
{
	const char *id;
	json_t *mark;

	while (discord->chats)
		chat_remove(&discord->chats);
	json_object_foreach(chats, id, mark)
		if (discord_is_id(id) && id_in(mark, 0))
			chat_add(discord, &(struct discord_note){id, id_in(mark, 0),
						  id_in(mark, 1), id_in(mark, 2), true})
				->missing = json_is_true(json_array_get(mark, 3));
}

void discord_history_recall(struct discord *discord, const char *text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *marks = NULL;
	const json_t *session;
	const char *id;
	const char *url;

	if (!text || json_read(view_of(text), "marks", JSON_MAX_SIZE, &marks, &ignored) < 0)
		return;
	recall_chats(discord, json_object_get(marks, "chats"));
	session = json_object_get(marks, "session");
	id = json_string_value(json_array_get(session, 0));
	url = json_string_value(json_array_get(session, 1));
	if (id && url && !discord->session.id) {
		int64_t seq = (int64_t)json_number_value(json_array_get(session, 2));

		discord->session =
			(struct discord_session){xstrdup(id), xstrdup(url), seq, seq};
	}
	free(discord->stored_marks);
	discord->stored_marks = xstrdup(text);
}

static void marks_write(struct discord *discord)
{
	free(discord->new_marks);
	discord->new_marks = marks_text(discord);
	discord->channel.events->remember(&discord->channel, discord->new_marks);
}

void discord_history_note(struct discord *discord, const struct discord_note *note)
{
	struct discord_chat *chat = chat_find(discord, note->chat);

	if (!chat && !note->begins)
		return;
	if (!chat) {
		chat_add(discord, note);
	} else if (discord_id_compare(note->message, chat->mark) > 0) {
		free(chat->mark);
		chat->mark = xstrdup(note->message);
	}
	marks_write(discord);
}

void discord_history_committed(struct discord *discord, bool committed)
{
	CLEANUP(freep) char *marks = TAKE(discord->new_marks);

	if (!marks)
		return;
	if (committed) {
		free(discord->stored_marks);
		discord->stored_marks = TAKE(marks);
	} else {
		CLEANUP(freep) char *stored = TAKE(discord->stored_marks);

		discord_history_stop(discord);
		discord_history_recall(discord, stored);
	}
}

/* --- fetching ---------------------------------------------------------------- */

static void fetch_now(uv_timer_t *timer);

static void fetch_later(struct discord *discord, int64_t wait)
{
	uv_timer_start(&discord->history_timer, fetch_now, (uint64_t)wait, 0);
}

bool discord_history_has(const struct discord *discord, const char *id)
{
	return chat_find(discord, id) != NULL;
}

bool discord_history_missing(const struct discord *discord, const char *id)
{
	const struct discord_chat *chat = chat_find(discord, id);

	return chat && chat->missing;
}

void discord_history_stop(struct discord *discord)
{
	uv_timer_stop(&discord->history_timer);
	if (discord->fetch)
		discord_call_cancel(discord->fetch);
	discord->fetch = NULL;
	if (discord->fetching)
		fetch_clear(discord->fetching);
	discord->fetching = NULL;
}

void discord_history_end(struct discord *discord)
{
	discord_history_stop(discord);
	while (discord->chats)
		chat_remove(&discord->chats);
	free(discord->stored_marks);
	free(discord->new_marks);
	discord->stored_marks = discord->new_marks = NULL;
}

/* From now on the session alone would be resumed, so what is missing is stored with it. */
int discord_history_begin(struct discord *discord)
{
	struct channel *channel = &discord->channel;
	int failed;

	discord_history_stop(discord);
	for (struct discord_chat *chat = discord->chats; chat; chat = chat->next)
		chat->missing = true;
	channel->events->begin(channel->host);
	marks_write(discord);
	failed = channel->events->commit(channel->host);
	discord_history_committed(discord, failed == 0);
	return failed;
}

void discord_history_go_on(struct discord *discord)
{
	if (!discord->fetching)
		fetch_later(discord, 0);
}

void discord_history_done(struct discord *discord, const char *id)
{
	struct discord_chat *chat = chat_find(discord, id);

	if (!chat || chat != discord->fetching || discord->fetch)
		return; /* it is fetched again: the connection was lost meanwhile */
	chat->missing = false;
	fetch_clear(chat);
	discord->fetching = NULL;
	discord_events_go_on(discord, 0);
	fetch_later(discord, 0);
}

static void fetch_failed(struct discord *discord, const struct discord_reply *reply)
{
	int64_t wait = backoff_next(&discord->history_backoff);

	fetch_clear(discord->fetching);
	discord->fetching = NULL;
	if (reply->outcome == DISCORD_LATER && reply->retry_after_ms > wait)
		wait = reply->retry_after_ms;
	fetch_later(discord, wait);
}

static void fetch_next(struct discord *discord);

static void fetch_call(struct discord *discord, const char *path, discord_call_function take)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (discord_call(&discord->api, &(struct discord_request){"GET", path}, take, discord,
		    &discord->fetch, &err) < 0)
		fetch_failed(discord, &(struct discord_reply){.outcome = DISCORD_UNANSWERED});
}

static int compare_messages(const void *a, const void *b)
{
	const json_t *const *x = a, *const *y = b;

	return discord_id_compare(discord_text(*x, "id"), discord_text(*y, "id"));
}

/* Discord's pages go forward, but each of them begins with its newest message. */
static void fetch_keep(struct discord_chat *chat, const json_t *page)
{
	size_t count = 0;
	CLEANUP(freep) json_t **list = xcalloc(json_array_size(page) + 1, sizeof(*list));
	json_t *message;
	size_t i;

	json_array_foreach(page, i, message) {
		const char *id = discord_text(message, "id");

		if (!id || !discord_is_id(id))
			continue;
		if (chat->guild)
			json_object_set_new(message, "guild_id", json_string(chat->guild));
		list[count++] = message;
	}
	qsort(list, count, sizeof(*list), compare_messages);
	for (i = 0; i < count; i++)
		json_array_append(chat->found, list[i]);
}

static void fetch_complete(struct discord *discord)
{
	struct discord_chat *chat = discord->fetching;

	backoff_reset(&discord->history_backoff);
	if (json_array_size(chat->found) >= MOST_MESSAGES)
		log_warning(
			"%d messages or more came to '%s%s' while Discord was not connected; the later ones are skipped",
			MOST_MESSAGES, DISCORD_PREFIX, chat->id);
	if (json_array_size(chat->found))
		discord_events_insert(discord, chat->id, chat->found);
	else
		discord_history_done(discord, chat->id);
}

static void take_page(void *data, const struct discord_reply *reply)
{
	struct discord *discord = data;
	struct discord_chat *chat = discord->fetching;
	size_t size = json_array_size(reply->document);
	size_t before = json_array_size(chat->found);

	discord->fetch = NULL;
	if (reply->outcome == DISCORD_REFUSED) /* the chat may be gone, or closed to us */
		log_warning("what was said in '%s%s' while Discord was not connected cannot be "
			    "read: %s",
			DISCORD_PREFIX, chat->id, reply->error);
	else if (reply->outcome != DISCORD_DONE) {
		fetch_failed(discord, reply);
		return;
	}
	if (json_is_array(reply->document))
		fetch_keep(chat, reply->document);
	if (size < PAGE || json_array_size(chat->found) >= MOST_MESSAGES ||
		json_array_size(chat->found) == before)
		fetch_complete(discord);
	else
		fetch_next(discord);
}

/*
 * Threads of the channel that have begun, or of which nothing was heard before: all that was said
 * in them after the channel's mark is missing.
 */
static void take_threads(void *data, const struct discord_reply *reply)
{
	struct discord *discord = data;
	struct discord_chat *chat = discord->fetching;
	json_t *thread;
	size_t i;

	discord->fetch = NULL;
	if (reply->outcome != DISCORD_DONE && reply->outcome != DISCORD_REFUSED) {
		fetch_failed(discord, reply);
		return;
	}
	json_array_foreach(json_object_get(reply->document, "threads"), i, thread) {
		const char *id = discord_text(thread, "id");
		const char *parent = discord_text(thread, "parent_id");
		const char *last = discord_text(thread, "last_message_id");

		if (!id || !discord_is_id(id) || !parent || strcmp(parent, chat->id) != 0 ||
			!last || discord_id_compare(last, chat->mark) <= 0 ||
			chat_find(discord, id))
			continue;
		discord_place_learn(discord, thread);
		chat_add(discord,
			&(struct discord_note){id, chat->mark, chat->id, chat->guild, true})
			->missing = true;
	}
	chat->threads_known = true;
	fetch_next(discord);
}

/* First the threads of a channel, then its messages, forward from its mark. */
static void fetch_next(struct discord *discord)
{
	struct discord_chat *chat = discord->fetching;
	size_t count = json_array_size(chat->found);
	const char *after =
		count ? discord_text(json_array_get(chat->found, count - 1), "id") : chat->mark;
	CLEANUP(freep) char *path = NULL;

	if (chat->guild && !chat->parent && !chat->threads_known) {
		path = xasprintf("guilds/%s/threads/active", chat->guild);
		fetch_call(discord, path, take_threads);
	} else {
		path = xasprintf(
			"channels/%s/messages?after=%s&limit=%d", chat->id, after, PAGE);
		fetch_call(discord, path, take_page);
	}
}

static void fetch_now(uv_timer_t *timer)
{
	struct discord *discord = timer->data;
	const char *wanted = discord_events_chat(discord);
	struct discord_chat *chat = wanted ? chat_find(discord, wanted) : NULL;

	if (!chat || !chat->missing)
		for (chat = discord->chats; chat && !chat->missing;)
			chat = chat->next;
	if (!chat || discord->fetching)
		return;
	discord->fetching = chat;
	chat->found = json_array();
	fetch_next(discord);
}
