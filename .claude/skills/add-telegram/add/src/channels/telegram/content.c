#include "channels/telegram/content.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/utf8.h"

char *telegram_name(const json_t *about)
{
	CLEANUP(buf_release) struct buf name = BUF_INIT;
	const char *first = telegram_text(about, "first_name");
	const char *last = telegram_text(about, "last_name");
	const char *title = telegram_text(about, "title");

	buf_append_str(&name, title ? title : first ? first : "");
	if (!title && last)
		buf_appendf(&name, " %s", last);
	return view_trim(view_of_buf(&name)).len ? utf8_excerpt(view_trim(view_of_buf(&name)))
						 : NULL;
}

/* Where a UTF-16 unit is, in bytes of UTF-8. */
static size_t bytes_of_units(struct view text, int64_t units)
{
	size_t at = 0;

	while (units > 0 && at < text.len) {
		uint32_t character;
		size_t len = utf8_decode(view_slice(text, at, text.len), &character);

		units -= character > 0xffff ? 2 : 1;
		at += len ? len : 1;
	}
	return at;
}

/* --- is it to us? ------------------------------------------------------------ */

static bool is_bot_name(const struct telegram *telegram, struct view name)
{
	return name.len == strlen(telegram->username) &&
	       !strncasecmp(name.data, telegram->username, name.len);
}

/* "@bot" and "/command@bot"; `*ret_at` is where the name begins, with its @. */
static bool names_bot(const struct telegram *telegram, struct view piece, size_t *ret_at)
{
	const char *at = memchr(piece.data, '@', piece.len);

	*ret_at = at ? (size_t)(at - piece.data) : 0;
	return at && is_bot_name(telegram, view_slice(piece, *ret_at + 1, piece.len));
}

static void cut_piece(struct buf *text, size_t from, size_t to)
{
	memmove(text->data + from, text->data + to, text->len - to + 1);
	text->len -= to - from;
}

/*
 * A mention by name, or of somebody without one, or a command for this bot. The name at the
 * beginning is cut out of `text`, so that "@bot remember milk" and "/skill@bot" are
 * "remember milk" and "/skill".
 */
static bool is_mentioned(
	const struct telegram *telegram, const json_t *entities, struct buf *text)
{
	struct view whole = view_of_buf(text);
	bool mentioned = false;
	size_t cut_from = 0;
	size_t cut_to = 0;
	json_t *entity;
	size_t i;

	json_array_foreach(entities, i, entity) {
		const char *type = telegram_text(entity, "type");
		int64_t offset = telegram_number(entity, "offset");
		size_t from = bytes_of_units(whole, offset);
		size_t to = bytes_of_units(whole, offset + telegram_number(entity, "length"));
		size_t at;

		if (!type || to < from)
			continue;
		if (!strcmp(type, "text_mention")) {
			mentioned |= telegram_number(json_object_get(entity, "user"), "id") ==
				     telegram->bot;
		} else if ((!strcmp(type, "mention") || !strcmp(type, "bot_command")) &&
			   names_bot(telegram, view_slice(whole, from, to), &at)) {
			mentioned = true;
			if (!from) {
				cut_from = at;
				cut_to = to;
			}
		}
	}
	/* "@bot" alone, and "@bot, hello". */
	if (cut_to && !cut_from)
		while (cut_to < text->len && strchr(" ,:\n", text->data[cut_to]))
			cut_to++;
	if (cut_to && (cut_from || cut_to < text->len))
		cut_piece(text, cut_from, cut_to);
	return mentioned;
}

/* --- contents ---------------------------------------------------------------- */

static void append_line(struct buf *text, const char *line)
{
	if (text->len)
		buf_append_char(text, '\n');
	buf_append_str(text, line);
}

/* A name or type of a file, which its sender chose. */
static char *clean_text(const char *text)
{
	if (!text)
		return NULL;
	return strlen(text) <= ATTACHMENT_MAX_NAME && utf8_all_printable(view_of(text))
		       ? xstrdup(text)
		       : utf8_excerpt(view_of(text));
}

/* A message has one file at most. */
static void find_file(const json_t *message, struct telegram_content *content)
{
	/* An animation is there as a document, too. */
	static const struct {
		const char *field;
		const char *kind;
		const char *type;
	} kinds[] = {
		{"animation", "animation", "video/mp4"},
		{"audio", "audio", "audio/mpeg"},
		{"document", "document", NULL},
		{"photo", "image", "image/jpeg"},
		{"sticker", "sticker", "image/webp"},
		{"video", "video", "video/mp4"},
		{"video_note", "video", "video/mp4"},
		{"voice", "voice", "audio/ogg"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const json_t *file = json_object_get(message, kinds[i].field);
		const char *type;

		/* Of the sizes of a photo, the last is the largest. */
		if (json_is_array(file))
			file = json_array_get(file, json_array_size(file) - 1);
		if (!telegram_text(file, "file_id"))
			continue;
		type = telegram_text(file, "mime_type");
		content->has_file = true;
		content->file_name = clean_text(telegram_text(file, "file_name"));
		content->file_type = clean_text(type ? type : kinds[i].type);
		content->file = (struct attachment_arrival){
			.kind = kinds[i].kind,
			.name = content->file_name,
			.type = content->file_type,
			.size = telegram_number(file, "file_size"),
			.source = telegram_text(file, "file_id"),
		};
		return;
	}
}

/* What is not a text, in words. */
static void append_others(const json_t *message, struct buf *text)
{
	const json_t *place = json_object_get(message, "location");
	const json_t *contact = json_object_get(message, "contact");
	const char *sticker = telegram_text(json_object_get(message, "sticker"), "emoji");
	const char *poll = telegram_text(json_object_get(message, "poll"), "question");
	CLEANUP(freep) char *line = NULL;

	if (place)
		line = xasprintf("[location: %.6f, %.6f]",
			json_number_value(json_object_get(place, "latitude")),
			json_number_value(json_object_get(place, "longitude")));
	else if (contact) {
		CLEANUP(freep) char *name = telegram_name(contact);
		const char *number = telegram_text(contact, "phone_number");
		CLEANUP(freep) char *shown = utf8_excerpt(view_of(number ? number : ""));

		line = xasprintf("[contact: %s, %s]", name ? name : "", shown);
	} else if (sticker)
		line = xasprintf("[sticker: %s]", sticker);
	else if (poll)
		line = xasprintf("[poll: %s]", poll);
	if (line)
		append_line(text, line);
}

/* --- together ---------------------------------------------------------------- */

void telegram_content_read(const struct telegram *telegram, const json_t *message,
	struct telegram_content *ret_content)
{
	const char *text = telegram_text(message, "text");
	const char *caption = telegram_text(message, "caption");

	ret_content->text = BUF_INIT_MAX(CHANNEL_MAX_TEXT);
	buf_append_str(&ret_content->text, text ? text : caption ? caption : "");
	ret_content->mentions_bot = is_mentioned(telegram,
		json_object_get(message, text ? "entities" : "caption_entities"),
		&ret_content->text);
	find_file(message, ret_content);
	append_others(message, &ret_content->text);
}

bool telegram_content_is_empty(const struct telegram_content *content)
{
	return !content->text.len && !content->has_file;
}

void telegram_content_release(struct telegram_content *content)
{
	buf_release(&content->text);
	free(content->file_name);
	free(content->file_type);
}
