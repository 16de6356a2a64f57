#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/slack/slack.h"

/* --- what kind of event it is ------------------------------------------------ */

static bool is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(word, *words))
			return true;
	return false;
}

/*
 * The message in an event, or NULL: in an edit it is a field. Two bots that answer each other
 * would never end, so those of bots are left out, and with them our own.
 */
static const json_t *message_in(const struct slack *slack, const json_t *event)
{
	static const char *const types[] = {"message", "app_mention", NULL};
	static const char *const subtypes[] = {
		"file_share", "me_message", "message_changed", "thread_broadcast", NULL};
	const char *type = slack_text(event, "type");
	const char *subtype = slack_text(event, "subtype");
	const json_t *message = subtype && !strcmp(subtype, "message_changed")
					? json_object_get(event, "message")
					: event;
	const char *user = slack_text(message, "user");
	const char *chat = slack_text(event, "channel");
	const char *ts = slack_text(message, "ts");

	if (!type || !is_one_of(type, types) || (subtype && !is_one_of(subtype, subtypes)))
		return NULL;
	if (!user || !slack_is_id(user) || !chat || !slack_is_id(chat) || !ts)
		return NULL;
	if (slack_text(message, "bot_id") || !strcmp(user, "USLACKBOT") ||
		!strcmp(user, slack->bot_user))
		return NULL;
	return message;
}

/* NULL: it is none, or nothing in it was changed by a person: a preview of a link came. */
static const char *edit_time(const json_t *event, const json_t *message)
{
	const char *now = slack_text(json_object_get(message, "edited"), "ts");
	const char *before = slack_text(
		json_object_get(json_object_get(event, "previous_message"), "edited"), "ts");

	return message != event && now && (!before || strcmp(now, before) != 0) ? now : NULL;
}

/* --- its parts --------------------------------------------------------------- */

/* Seconds, and behind the point what makes it unique in its chat. */
static int64_t time_of(const char *ts)
{
	double seconds = strtod(ts, NULL);

	return seconds > 0 && seconds < 1e11 ? (int64_t)(seconds * 1000) : 0;
}

static bool is_direct(const char *chat)
{
	return *chat == 'D';
}

/* NULL: another one. A recording that was made in Slack is a voice message. */
static const char *kind_of_file(const json_t *file, const char *type)
{
	static const char *const kinds[] = {"audio", "image", "video"};
	const char *subtype = slack_text(file, "subtype");

	if (subtype && !strcmp(subtype, "slack_audio"))
		return "voice";
	if (!type)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(type, kinds[i], strlen(kinds[i])))
			return kinds[i];
	return NULL;
}

/* Files have the names that anybody chose: `texts` keeps them, on one line and without controls. */
static const char *clean_text(struct string_array *texts, const json_t *file, const char *field)
{
	const char *text = slack_text(file, field);
	CLEANUP(freep) char *excerpt = NULL;

	if (!text)
		return NULL;
	if (strlen(text) > ATTACHMENT_MAX_NAME || !utf8_all_printable(view_of(text)))
		text = excerpt = utf8_excerpt(view_of(text));
	string_array_add(texts, text);
	return texts->list[texts->count - 1];
}

/* A file that is not at Slack has no source. Of one that was deleted nothing is left. */
static size_t files_of(const json_t *message, struct string_array *texts,
	struct attachment_arrival files[static CHANNEL_MAX_ATTACHMENTS])
{
	size_t count = 0;
	json_t *file;
	size_t i;

	json_array_foreach(json_object_get(message, "files"), i, file) {
		const char *mode = slack_text(file, "mode");
		const char *id = slack_text(file, "id");
		const char *type = clean_text(texts, file, "mimetype");
		double size = json_number_value(json_object_get(file, "size"));

		if (!id || !slack_is_id(id) || count == CHANNEL_MAX_ATTACHMENTS ||
			(mode && !strcmp(mode, "tombstone")))
			continue;
		files[count++] = (struct attachment_arrival){
			.kind = kind_of_file(file, type),
			.name = clean_text(texts, file, "name"),
			.type = type,
			.size = size > 0 && size < 1e15 ? (int64_t)size : 0,
			.source = mode && !strcmp(mode, "external") ? NULL : id,
		};
	}
	return count;
}

bool slack_message_named(struct slack *slack, const json_t *event)
{
	const json_t *message = message_in(slack, event);
	const char *chat = slack_text(event, "channel");
	const char *text = slack_text(message, "text");
	bool known;

	if (!message)
		return true;
	known = slack_name_known(slack, slack_text(message, "user"));
	if (!is_direct(chat))
		known &= slack_name_known(slack, chat);
	if (text)
		known &= slack_text_known(slack, text, slack_name_known);
	return known;
}

/* --- to the host ------------------------------------------------------------- */

/* An answer goes to the thread of its message; the first one of a thread is in none. */
static const char *thread_of(const json_t *message)
{
	const char *thread = slack_text(message, "thread_ts");
	const char *ts = slack_text(message, "ts");

	return thread && strcmp(thread, ts) != 0 ? thread : NULL;
}

static bool is_to_us(const struct slack *slack, const json_t *event, const json_t *message)
{
	const char *type = slack_text(event, "type");
	const char *parent = slack_text(message, "parent_user_id");

	return !strcmp(type, "app_mention") || (parent && !strcmp(parent, slack->bot_user));
}

static enum channel_arrival message_give(
	struct slack *slack, const json_t *event, const json_t *message)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT_MAX(CHANNEL_MAX_TEXT);
	CLEANUP(string_array_release) struct string_array texts = {0};
	struct attachment_arrival files[CHANNEL_MAX_ATTACHMENTS];
	size_t file_count = files_of(message, &texts, files);
	struct channel *channel = &slack->channel;
	const char *edit = edit_time(event, message);
	const char *written = slack_text(message, "text");
	const char *user = slack_text(message, "user");
	const char *name = slack_name_get(slack, user);
	const char *ts = slack_text(message, "ts");
	const char *thread = thread_of(message);
	const char *chat = slack_text(event, "channel");
	CLEANUP(freep) char *jid = slack_jid(chat);
	CLEANUP(freep) char *edit_id = edit ? xasprintf("%s:%s", ts, edit) : NULL;
	bool mentioned = slack_text_plain(slack, written ? written : "", &text);
	int64_t seq;

	/* Names in the place of ids can make it too long. */
	buf_set_len(&text, utf8_valid_len(view_of_buf(&text)));
	if (!slack_chat_id(jid) || (message != event && !edit) || (!text.len && !file_count))
		return ARRIVAL_IGNORED;
	return channel->events->message(channel,
		&(struct channel_message){
			.chat_jid = jid,
			.id = edit ? edit_id : ts,
			.sender = user,
			.sender_name = name ? name : user,
			.text = view_of_buf(&text),
			.time = time_of(edit ? edit : ts),
			.chat_name = is_direct(chat) ? name : slack_name_get(slack, chat),
			.chat_kind = is_direct(chat) ? CHAT_DIRECT : CHAT_GROUP,
			.mentions_me = mentioned || is_to_us(slack, event, message),
			.thread = thread,
			.reference = edit     ? REFERENCE_EDIT
				     : thread ? REFERENCE_REPLY
					      : REFERENCE_NONE,
			.refers_to = edit ? ts : thread,
			.attachments = edit ? NULL : files,
			.attachment_count = edit ? 0 : file_count,
		},
		&seq);
}

/* Also a message that is not for us moves the mark of its chat. */
void slack_message_take(struct slack *slack, const json_t *event, bool of_history)
{
	const json_t *message = message_in(slack, event);
	enum channel_arrival arrival =
		message ? message_give(slack, event, message) : ARRIVAL_IGNORED;
	const char *type = slack_text(event, "type");
	const char *chat = slack_text(event, "channel");
	const char *ts = slack_text(event, "ts");

	if (type && !strcmp(type, "message") && chat && ts && (!message || message == event) &&
		(of_history || !slack_history_missing(slack, chat)))
		slack_history_note(
			slack, chat, ts, thread_of(event), arrival == ARRIVAL_STORED);
}
