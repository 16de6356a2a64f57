#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/discord/discord.h"
#include "time/timestamp.h"

/* What somebody wrote, and what somebody wrote as a reply; others are notices of Discord. */
enum message_type {
	TYPE_DEFAULT = 0,
	TYPE_REPLY = 19,
};

#define REFERENCE_FORWARD 1

static const char *id_text(const json_t *object, const char *name)
{
	const char *id = discord_text(object, name);

	return id && discord_is_id(id) ? id : NULL;
}

/* A message that may be for us: of a person, and not of a bot. */
static bool is_of_person(const json_t *message)
{
	const json_t *author = json_object_get(message, "author");
	int type = (int)json_number_value(json_object_get(message, "type"));

	return id_text(author, "id") && !json_is_true(json_object_get(author, "bot")) &&
	       !json_is_true(json_object_get(author, "system")) &&
	       !discord_text(message, "webhook_id") &&
	       (type == TYPE_DEFAULT || type == TYPE_REPLY);
}

static bool is_of_us(const struct discord *discord, const json_t *message)
{
	const char *id = discord_text(json_object_get(message, "author"), "id");

	return id && !strcmp(id, discord->bot);
}

/* --- places ------------------------------------------------------------------ */

static bool channel_placed(struct discord *discord, const char *chat, const char *guild)
{
	const char *parent;

	if (!discord_place_known(discord, chat, guild, false))
		return false;
	parent = discord_place_parent(discord, chat);
	return !parent || discord_place_known(discord, parent, guild, false);
}

bool discord_message_placed(
	struct discord *discord, enum discord_event_kind kind, const json_t *event)
{
	const char *chat = id_text(event, "channel_id");
	const char *guild = id_text(event, "guild_id");
	const char *text = discord_text(event, "content");
	bool placed = !chat || !guild || channel_placed(discord, chat, guild);
	char id[32];
	char type;

	if (kind == DISCORD_REACTION || !is_of_person(event))
		return placed;
	while (text && discord_text_next(&text, &type, id))
		placed &= discord_place_known(discord, id, guild, type == '&');
	return placed;
}

/* --- its parts --------------------------------------------------------------- */

/* On one line and without controls; to be freed. */
static char *name_of(const json_t *user, const json_t *member)
{
	const char *names[] = {
		discord_text(member, "nick"),
		discord_text(user, "global_name"),
		discord_text(user, "username"),
		discord_text(user, "id"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i] && *names[i])
			return utf8_excerpt(view_of(names[i]));
	return xstrdup("?");
}

static bool mentions_us(struct discord *discord, const json_t *message)
{
	json_t *each;
	size_t i;

	json_array_foreach(json_object_get(message, "mentions"), i, each) {
		const char *id = discord_text(each, "id");

		if (id && !strcmp(id, discord->bot))
			return true;
	}
	json_array_foreach(json_object_get(message, "mention_roles"), i, each)
		if (json_is_string(each) &&
			discord_place_is_ours(discord, json_string_value(each)))
			return true;
	return is_of_us(discord, json_object_get(message, "referenced_message"));
}

/* NULL: another one. */
static const char *kind_of_type(const char *type)
{
	static const char *const kinds[] = {"audio", "image", "video"};

	for (size_t i = 0; type && i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(type, kinds[i], strlen(kinds[i])))
			return kinds[i];
	return NULL;
}

/* Files have the names that anybody chose: `texts` keeps them, on one line and without controls. */
static const char *clean_text(struct string_array *texts, const char *text)
{
	CLEANUP(freep) char *excerpt = NULL;

	if (!text)
		return NULL;
	if (strlen(text) > ATTACHMENT_MAX_NAME || !utf8_all_printable(view_of(text)))
		text = excerpt = utf8_excerpt(view_of(text));
	string_array_add(texts, text);
	return texts->list[texts->count - 1];
}

/* Addresses of files expire: the message has a new one whenever it is read. */
static size_t files_of(const json_t *message, struct string_array *texts,
	struct attachment_arrival files[static CHANNEL_MAX_ATTACHMENTS])
{
	const char *chat = discord_text(message, "channel_id");
	size_t count = 0;
	json_t *file;
	size_t i;

	json_array_foreach(json_object_get(message, "attachments"), i, file) {
		const char *id = id_text(file, "id");
		const char *type = clean_text(texts, discord_text(file, "content_type"));
		const char *name = clean_text(texts, discord_text(file, "filename"));
		double size = json_number_value(json_object_get(file, "size"));

		if (!id || count == CHANNEL_MAX_ATTACHMENTS)
			continue;
		string_array_addf(texts, "%s/%s/%s", chat, discord_text(message, "id"), id);
		files[count++] = (struct attachment_arrival){
			.kind = json_object_get(file, "waveform") ? "voice"
								  : kind_of_type(type),
			.name = name,
			.type = type,
			.size = size > 0 && size < 1e15 ? (int64_t)size : 0,
			.source = texts->list[texts->count - 1],
		};
	}
	return count;
}

/* "2026-01-02T03:04:05.678000+00:00"; 0: there is none. */
static int64_t time_of_edit(const json_t *message)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *text = discord_text(message, "edited_timestamp");
	CLEANUP(freep)
	char *utc = text ? xasprintf("%.*sZ", (int)strcspn(text, "+Z"), text) : NULL;
	int64_t time;

	return utc && !timestamp_parse(view_of(utc), &time, &ignored) ? time : 0;
}

/* --- to the host ------------------------------------------------------------- */

/* A thread belongs to the chat that its channel is. */
struct where {
	char *jid;
	const char *name;
	const char *thread; /* NULL: none */
	enum chat_kind kind;
};

static struct where where_of(struct discord *discord, const json_t *event)
{
	const char *chat = discord_text(event, "channel_id");
	const char *parent = discord_place_parent(discord, chat);
	bool direct = !discord_text(event, "guild_id");

	return (struct where){
		.jid = discord_jid(parent ? parent : chat),
		.name = direct ? NULL : discord_place_name(discord, parent ? parent : chat),
		.thread = parent ? chat : NULL,
		.kind = direct ? CHAT_DIRECT : CHAT_GROUP,
	};
}

static enum channel_arrival message_give(
	struct discord *discord, enum discord_event_kind kind, const json_t *message)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT_MAX(CHANNEL_MAX_TEXT);
	CLEANUP(string_array_release) struct string_array texts = {0};
	struct attachment_arrival files[CHANNEL_MAX_ATTACHMENTS];
	size_t file_count = files_of(message, &texts, files);
	struct channel *channel = &discord->channel;
	const json_t *author = json_object_get(message, "author");
	const json_t *reference = json_object_get(message, "message_reference");
	const char *replied = id_text(reference, "message_id");
	const char *id = discord_text(message, "id");
	struct where where = where_of(discord, message);
	CLEANUP(freep) char *jid = where.jid;
	CLEANUP(freep) char *name = name_of(author, json_object_get(message, "member"));
	int64_t edited = kind == DISCORD_EDIT ? time_of_edit(message) : 0;
	CLEANUP(freep)
	char *edit_id = edited ? xasprintf("%s:%jd", id, (intmax_t)edited) : NULL;
	int64_t seq;

	if (json_number_value(json_object_get(reference, "type")) == REFERENCE_FORWARD)
		replied = NULL;
	discord_text_plain(discord, message, &text);
	/* Names in the place of ids can make it too long. */
	buf_set_len(&text, utf8_valid_len(view_of_buf(&text)));
	/* Without a time, an embed was added, and no person has changed anything. */
	if ((kind == DISCORD_EDIT && !edited) || (!text.len && !file_count))
		return ARRIVAL_IGNORED;
	return channel->events->message(channel,
		&(struct channel_message){
			.chat_jid = jid,
			.id = edited ? edit_id : id,
			.sender = discord_text(author, "id"),
			.sender_name = name,
			.text = view_of_buf(&text),
			.time = edited ? edited : discord_id_time(id),
			.chat_name = where.kind == CHAT_DIRECT ? name : where.name,
			.chat_kind = where.kind,
			.mentions_me = mentions_us(discord, message),
			.thread = where.thread,
			.reference = edited    ? REFERENCE_EDIT
				     : replied ? REFERENCE_REPLY
					       : REFERENCE_NONE,
			.refers_to = edited ? id : replied,
			.attachments = edited ? NULL : files,
			.attachment_count = edited ? 0 : file_count,
		},
		&seq);
}

static void reaction_give(struct discord *discord, const json_t *reaction)
{
	struct channel *channel = &discord->channel;
	const json_t *member = json_object_get(reaction, "member");
	const json_t *emoji = json_object_get(reaction, "emoji");
	const char *user = id_text(reaction, "user_id");
	const char *message = id_text(reaction, "message_id");
	const char *symbol = discord_text(emoji, "name");
	struct where where = where_of(discord, reaction);
	CLEANUP(freep) char *jid = where.jid;
	CLEANUP(freep) char *name = name_of(json_object_get(member, "user"), member);
	CLEANUP(freep) char *text = NULL;
	CLEANUP(freep) char *id = NULL;
	int64_t seq;

	if (!user || !message || !symbol || !strcmp(user, discord->bot) ||
		json_is_true(json_object_get(json_object_get(member, "user"), "bot")))
		return;
	text = discord_text(emoji, "id") ? xasprintf(":%s:", symbol) : xstrdup(symbol);
	id = xasprintf("%s:r:%s:%s", message, user, symbol);
	if (strlen(id) >= CHANNEL_MAX_ID || !utf8_all_printable(view_of(text)))
		return;
	channel->events->message(channel,
		&(struct channel_message){
			.chat_jid = jid,
			.id = id,
			.sender = user,
			.sender_name = member ? name : user,
			.text = view_of(text),
			.chat_name = where.name,
			.chat_kind = where.kind,
			.thread = where.thread,
			.reference = REFERENCE_REACTION,
			.refers_to = message,
		},
		&seq);
}

/* Also a message that is not for us moves the mark of its chat; one of ours begins it. */
void discord_message_take(struct discord *discord, enum discord_event_kind kind,
	const json_t *event, bool of_history)
{
	const char *chat = id_text(event, "channel_id");
	const char *id = id_text(event, kind == DISCORD_REACTION ? "message_id" : "id");
	enum channel_arrival arrival = ARRIVAL_IGNORED;
	struct discord_note note;

	if (!chat || !id)
		return;
	if (kind == DISCORD_REACTION)
		reaction_give(discord, event);
	else if (is_of_person(event))
		arrival = message_give(discord, kind, event);
	if (kind != DISCORD_MESSAGE || (!of_history && discord_history_missing(discord, chat)))
		return;
	note = (struct discord_note){
		.chat = chat,
		.message = id,
		.parent = discord_place_parent(discord, chat),
		.guild = id_text(event, "guild_id"),
		.begins = arrival == ARRIVAL_STORED || is_of_us(discord, event),
	};
	discord_history_note(discord, &note);
	/* Further threads of the channel are found by it. */
	if (note.parent && note.begins && !discord_history_has(discord, note.parent)) {
		note.chat = TAKE(note.parent);
		discord_history_note(discord, &note);
	}
}
