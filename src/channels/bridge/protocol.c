#include "channels/bridge/protocol.h"

#include <ctype.h>
#include <limits.h>
#include <nettle/base64.h>
#include <string.h>

#include "base/utf8.h"
#include "channels/channel.h"
#include "format/json.h"
#include "ledger/groups.h"
#include "time/timestamp.h"

void bridge_line_release(struct bridge_line *line)
{
	for (size_t i = 0; i < line->attachment_count; i++)
		free((char *)(uintptr_t)line->attachments[i].content.data);
	json_decref(line->document);
	*line = (struct bridge_line){0};
}

/* --- fields ------------------------------------------------------------------ */

static int field_error(const char *name, const char *what, struct error *err)
{
	return error_set(err, ERROR_INVALID, "'%s' must be %s", name, what);
}

/* A string of any length; NULL if the field is missing or "". */
static int text_field(
	const json_t *document, const char *name, const char **ret_text, struct error *err)
{
	const json_t *value = json_object_get(document, name);
	const char *text = json_string_value(value);

	*ret_text = NULL;
	if (!value || json_is_null(value))
		return 0;
	if (!text || strlen(text) != json_string_length(value))
		return field_error(name, "a string", err);
	*ret_text = *text ? text : NULL;
	return 0;
}

/* The same, cut to `max` bytes: a person may have written it. */
static int cut_field(json_t *document, const char *name, size_t max, const char **ret_text,
	struct error *err)
{
	size_t len;

	if (text_field(document, name, ret_text, err) < 0)
		return -1;
	len = *ret_text ? strlen(*ret_text) : 0;
	if (len <= max)
		return 0;
	len = utf8_valid_len((struct view){*ret_text, max});
	json_object_set_new(document, name, json_stringn(*ret_text, len));
	*ret_text = json_string_value(json_object_get(document, name));
	return 0;
}

/* Names are a single line: a line end in one could forge another person's message. */
static int name_field(
	json_t *document, const char *name, const char **ret_text, struct error *err)
{
	CLEANUP(freep) char *line = NULL;

	if (cut_field(document, name, GROUP_NAME_MAX, ret_text, err) < 0)
		return -1;
	if (!*ret_text)
		return 0;
	line = xstrdup(*ret_text);
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	json_object_set_new(document, name, json_string(line));
	*ret_text = json_string_value(json_object_get(document, name));
	return 0;
}

static int required_field(
	const json_t *document, const char *name, const char **ret_text, struct error *err)
{
	if (text_field(document, name, ret_text, err) < 0)
		return -1;
	return *ret_text ? 0 : field_error(name, "there", err);
}

static int bool_field(const json_t *document, const char *name, bool otherwise, bool *ret_value,
	struct error *err)
{
	const json_t *value = json_object_get(document, name);

	if (value && !json_is_boolean(value))
		return field_error(name, "true or false", err);
	*ret_value = value ? json_is_true(value) : otherwise;
	return 0;
}

static int chat_fields(struct bridge_line *line, struct error *err)
{
	const json_t *group = json_object_get(line->document, "group");
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (required_field(line->document, "chat", &line->chat, err) < 0)
		return -1;
	if (group_check_jid(line->chat, &ignored) < 0)
		line->unwanted = "'chat' is not a JID";
	if (group && !json_is_boolean(group))
		return field_error("group", "true or false", err);
	line->chat_kind = !group                ? CHAT_UNKNOWN
			  : json_is_true(group) ? CHAT_GROUP
						: CHAT_DIRECT;
	return 0;
}

/* A pattern needs a character besides '*', so that no bridge owns every JID. */
bool bridge_is_pattern(const char *text)
{
	size_t len = strlen(text);
	size_t literal = 0;

	for (const char *c = text; *c; c++)
		literal += *c != '*';
	return literal >= 2 && len <= GROUP_JID_MAX;
}

/* --- types ------------------------------------------------------------------- */

/* How its texts are to look: the dialect, the unit that the platform counts, the limit. */
static int read_form(struct bridge_line *line, struct error *err)
{
	const json_t *limit = json_object_get(line->document, "max_text");
	size_t least;
	const char *dialect;
	const char *unit;

	if (text_field(line->document, "dialect", &dialect, err) < 0 ||
		text_field(line->document, "unit", &unit, err) < 0)
		return -1;
	if (dialect && !markup_dialect_find(dialect, &line->form.dialect))
		return field_error(
			"dialect", "one of the formats in the manual, such as 'plain'", err);
	if (unit && !markup_unit_find(unit, &line->form.unit))
		return field_error("unit", "'bytes', 'utf16' or 'characters'", err);
	least = MARKUP_LEAST_LIMIT(line->form.dialect);
	if (limit &&
		!(json_number_value(limit) >= (double)least && json_number_value(limit) < 1e9))
		return error_set(
			err, ERROR_INVALID, "'max_text' must be a number, at least %zu", least);
	line->form.limit = limit ? (size_t)json_number_value(limit) : 0;
	return 0;
}

static const struct {
	const char *name;
	enum channel_ability ability;
} abilities[] = {
	{"edit", CHANNEL_EDIT},
	{"files", CHANNEL_FILES},
	{"react", CHANNEL_REACT},
	{"typing", CHANNEL_TYPING},
};

/* Unknown words are abilities of later versions. */
static int read_abilities(struct bridge_line *line, struct error *err)
{
	const json_t *can = json_object_get(line->document, "can");
	json_t *word;
	size_t i;

	if (!can)
		line->abilities = CHANNEL_TYPING; /* as before there was this field */
	else if (!json_is_array(can))
		return field_error("can", "an array of words", err);
	json_array_foreach(can, i, word) {
		if (!json_is_string(word))
			return field_error("can", "an array of words", err);
		for (size_t k = 0; k < ARRAY_SIZE(abilities); k++)
			if (!strcmp(json_string_value(word), abilities[k].name))
				line->abilities |= abilities[k].ability;
	}
	return 0;
}

static int read_hello(struct bridge_line *line, struct error *err)
{
	double protocol = json_number_value(json_object_get(line->document, "protocol"));
	json_t *pattern;
	size_t i;

	if (protocol != BRIDGE_PROTOCOL)
		return error_set(err, ERROR_INVALID,
			"this host speaks version %d of the protocol, but the bridge speaks %g",
			BRIDGE_PROTOCOL, protocol);
	line->patterns = json_object_get(line->document, "jids");
	if (name_field(line->document, "name", &line->name, err) < 0)
		return -1;
	if (!json_array_size(line->patterns) ||
		json_array_size(line->patterns) > BRIDGE_MAX_PATTERNS)
		return field_error("jids", "an array with 1 to 32 patterns", err);
	json_array_foreach(line->patterns, i, pattern) {
		const char *text = json_string_value(pattern);

		if (!text || !bridge_is_pattern(text))
			return field_error("jids", "an array of patterns like 'slack:*'", err);
	}
	if (bool_field(line->document, "remembers_keys", false, &line->remembers_keys, err) <
			0 ||
		read_form(line, err) < 0)
		return -1;
	return read_abilities(line, err);
}

/* The thread, and the id of the earlier message that this one refers to. */
static int read_references(struct bridge_line *line, struct error *err)
{
	static const struct {
		const char *name;
		enum reference reference;
	} references[] = {
		{"edit_of", REFERENCE_EDIT},
		{"reaction_to", REFERENCE_REACTION},
		{"reply_to", REFERENCE_REPLY},
	};

	if (text_field(line->document, "thread", &line->thread, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(references); i++) {
		const char *id;

		if (text_field(line->document, references[i].name, &id, err) < 0)
			return -1;
		if (id && !line->refers_to) {
			line->refers_to = id;
			line->reference = references[i].reference;
		}
	}
	/* Keep the text even if its thread or reference is unusable. */
	if (line->thread && strlen(line->thread) > CHANNEL_MAX_ID)
		line->thread = NULL;
	if (line->refers_to && strlen(line->refers_to) > CHANNEL_MAX_ID) {
		line->refers_to = NULL;
		line->reference = REFERENCE_NONE;
	}
	return 0;
}

/* Base64, as Python, Node and others write it. */
static int read_content(const char *text, struct view *ret_content, struct error *err)
{
	struct base64_decode_ctx decoding;
	size_t len = BASE64_DECODE_LENGTH(strlen(text));
	CLEANUP(freep) uint8_t *bytes = xmalloc(len + 1);

	base64_decode_init(&decoding);
	if (!base64_decode_update(&decoding, &len, bytes, strlen(text), text) ||
		!base64_decode_final(&decoding))
		return field_error("data", "base64", err);
	*ret_content = (struct view){(char *)TAKE(bytes), len};
	return 0;
}

static int read_attachment(
	json_t *document, struct attachment_arrival *ret_file, struct error *err)
{
	struct attachment_arrival *file = ret_file;
	double size = json_number_value(json_object_get(document, "size"));
	const char *data;

	if (name_field(document, "name", &file->name, err) < 0 ||
		name_field(document, "type", &file->type, err) < 0 ||
		name_field(document, "kind", &file->kind, err) < 0 ||
		text_field(document, "file", &file->source, err) < 0 ||
		text_field(document, "data", &data, err) < 0)
		return -1;
	if (size > 0 && size < 9e15)
		file->size = (int64_t)size;
	/* In the folder that the host has named: a name without a path. */
	if (file->source && (*file->source == '.' || strchr(file->source, '/') ||
				    strlen(file->source) > NAME_MAX))
		return field_error(
			"file", "the name of a file in the folder that 'welcome' names", err);
	return data ? read_content(data, &file->content, err) : 0;
}

static int read_attachments(struct bridge_line *line, struct error *err)
{
	json_t *list = json_object_get(line->document, "attachments");
	json_t *attachment;
	size_t i;

	if (!list || json_is_null(list))
		return 0;
	if (!json_is_array(list))
		return field_error("attachments", "an array of objects", err);
	json_array_foreach(list, i, attachment) {
		if (!json_is_object(attachment))
			return field_error("attachments", "an array of objects", err);
		if (i < CHANNEL_MAX_ATTACHMENTS &&
			read_attachment(attachment,
				&line->attachments[line->attachment_count++], err) < 0)
			return -1;
	}
	return 0;
}

static int read_message(struct bridge_line *line, struct error *err)
{
	CLEANUP(error_release) struct error bad_time = ERROR_INIT;
	const char *time;

	if (chat_fields(line, err) < 0 ||
		required_field(line->document, "id", &line->id, err) < 0 ||
		required_field(line->document, "sender", &line->sender, err) < 0 ||
		name_field(line->document, "name", &line->name, err) < 0 ||
		name_field(line->document, "chat_name", &line->chat_name, err) < 0 ||
		cut_field(line->document, "text", CHANNEL_MAX_TEXT, &line->text, err) < 0 ||
		read_attachments(line, err) < 0 ||
		text_field(line->document, "time", &time, err) < 0 ||
		bool_field(line->document, "from_me", false, &line->from_me, err) < 0 ||
		bool_field(line->document, "mentions_me", false, &line->mentions_me, err) < 0 ||
		read_references(line, err) < 0)
		return -1;
	if (!line->text && !line->attachment_count)
		line->unwanted = "a message without a text";
	if (!line->text)
		line->text = "";
	if (strlen(line->id) > CHANNEL_MAX_ID || strlen(line->sender) > GROUP_JID_MAX)
		line->unwanted = "'id' and 'sender' have at most 256 bytes";
	if (time && timestamp_parse(view_of(time), &line->time, &bad_time) < 0)
		line->time = 0;
	return 0;
}

static int read_receipt(struct bridge_line *line, struct error *err)
{
	const json_t *later = json_object_get(line->document, "later");

	double seconds = json_number_value(later);

	if (later && !json_is_null(later) &&
		!(json_is_number(later) && seconds >= 0 && seconds < 1e9))
		return field_error("later", "a number of seconds", err);
	/* At least one: platforms round down, and mean "not now". */
	if (json_is_number(later))
		line->later = seconds < 1 ? 1000 : (int64_t)(seconds * 1000);
	if (required_field(line->document, "key", &line->key, err) < 0 ||
		bool_field(line->document, "ok", true, &line->ok, err) < 0 ||
		bool_field(line->document, "retry", true, &line->retry, err) < 0 ||
		cut_field(line->document, "id", CHANNEL_MAX_ID, &line->id, err) < 0)
		return -1;
	return cut_field(line->document, "error", 2000, &line->reason, err);
}

static int read_metadata(struct bridge_line *line, struct error *err)
{
	if (chat_fields(line, err) < 0)
		return -1;
	return name_field(line->document, "chat_name", &line->chat_name, err);
}

static int read_moved(struct bridge_line *line, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (chat_fields(line, err) < 0 ||
		required_field(line->document, "to", &line->to, err) < 0)
		return -1;
	if (group_check_jid(line->to, &ignored) < 0)
		line->unwanted = "'to' is not a JID";
	return 0;
}

static int read_reason(struct bridge_line *line, struct error *err)
{
	return cut_field(line->document, "reason", 2000, &line->reason, err);
}

static const struct {
	const char *name;
	int (*read)(struct bridge_line *line, struct error *err);
} types[] = {
	[BRIDGE_HELLO] = {"hello", read_hello},
	[BRIDGE_CONNECTED] = {"connected", NULL},
	[BRIDGE_DISCONNECTED] = {"disconnected", read_reason},
	[BRIDGE_MESSAGE] = {"message", read_message},
	[BRIDGE_RECEIPT] = {"receipt", read_receipt},
	[BRIDGE_METADATA] = {"metadata", read_metadata},
	[BRIDGE_MOVED] = {"moved", read_moved},
	[BRIDGE_PONG] = {"pong", NULL},
};

/* --- lines ------------------------------------------------------------------- */

/* The code unit of an escape such as \ud83d; 0: not an escape. */
static uint32_t escape_at(struct view text, size_t at)
{
	uint32_t number = 0;

	if (at + 6 > text.len || text.data[at] != '\\' || text.data[at + 1] != 'u')
		return 0;
	for (size_t i = at + 2; i < at + 6; i++) {
		char c = text.data[i];

		if (!isxdigit((unsigned char)c))
			return 0;
		number = number * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return number ? number : UINT32_MAX; /* a NUL */
}

/* U+FFFD for what a string of JSON can hold and UTF-8 cannot, and for NUL. */
static void mend_line(struct view text, struct buf *ret_mended)
{
	for (size_t i = 0; i < text.len;) {
		uint32_t character;
		uint32_t escape = escape_at(text, i);
		bool high = escape >= 0xd800 && escape < 0xdc00;
		uint32_t next = high ? escape_at(text, i + 6) : 0;
		size_t len = utf8_decode(view_slice(text, i, text.len), &character);

		if (high && next >= 0xdc00 && next < 0xe000) {
			len = 12;
		} else if ((escape >= 0xd800 && escape < 0xe000) || escape == UINT32_MAX) {
			buf_append_str(ret_mended, UTF8_REPLACEMENT);
			i += 6;
			continue;
		} else if (text.data[i] == '\\' && i + 1 < text.len) {
			len = 2;
		} else if (!len) {
			buf_append_str(ret_mended, UTF8_REPLACEMENT);
			i++;
			continue;
		}
		buf_append(ret_mended, text.data + i, len);
		i += len;
	}
}

static int read_document(struct view text, json_t **ret_document, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf mended = BUF_INIT;

	if (!memmem(text.data, text.len, "\\u0000", 6) &&
		json_read(text, "line", BRIDGE_MAX_LINE, ret_document, &ignored) == 0)
		return 0;
	mend_line(text, &mended);
	return json_read(view_of_buf(&mended), "line", 3 * BRIDGE_MAX_LINE, ret_document, err);
}

int bridge_read_cut(struct view head, struct bridge_line *ret_line, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf closed = BUF_INIT;
	size_t last = head.len < 12 ? 0 : head.len - 12;
	size_t len = last;

	/* Not within an escape; of two for one character, not between them. */
	while (len < head.len && head.data[len] != '\\')
		len++;
	while (len > 0 && len < head.len && head.data[len - 1] == '\\')
		len--;
	while (len > 0 && len < head.len && (head.data[len] & 0xc0) == 0x80)
		len--;
	buf_append(&closed, head.data, len);
	buf_append_str(&closed, "\"}");
	if (bridge_read(view_of_buf(&closed), ret_line, &ignored) == 0)
		return 0;
	return error_set(err, ERROR_INVALID, "a line of more than %zu bytes", BRIDGE_MAX_LINE);
}

int bridge_read(struct view text, struct bridge_line *ret_line, struct error *err)
{
	CLEANUP(bridge_line_release) struct bridge_line line = {0};
	const char *type;

	if (read_document(text, &line.document, err) < 0)
		return -1;
	type = json_string_value(json_object_get(line.document, "type"));
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (!type || strcmp(type, types[i].name) != 0)
			continue;
		line.type = (enum bridge_type)i;
		if (types[i].read && types[i].read(&line, err) < 0)
			return error_prefix(err, "%s", types[i].name);
		*ret_line = line;
		line = (struct bridge_line){0};
		return 0;
	}
	return error_set(err, ERROR_INVALID, "unknown type of line");
}

/* --- lines to the bridge ------------------------------------------------------ */

static json_t *rendered_text(const char *source, enum markup_dialect dialect)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	markup_render(view_of(source), dialect, &text);
	return json_text(view_of_buf(&text));
}

json_t *bridge_send_line(
	const struct outbox_row *row, enum markup_dialect dialect, const char *root, bool again)
{
	static const char *const actions[] = {
		[OUTBOX_TEXT] = "send",
		[OUTBOX_REACT] = "react",
		[OUTBOX_EDIT] = "edit",
	};
	json_t *files = row->attachments.count ? json_array() : NULL;

	for (size_t i = 0; i < row->attachments.count; i++) {
		const struct attachment *file = &row->attachments.list[i];
		CLEANUP(freep)
		char *below = attachment_path(file->group_folder, file->file ? file->file : "");
		CLEANUP(freep) char *path = xasprintf("%s/%s", root, below);

		if (!file->file)
			continue; /* it was set aside */
		json_add(files, "path:s name:S type:S size:I", path, file->name, file->type,
			file->size);
	}
	return json_build(
		"type:s key:s chat:s text:o kind:s again:b plain:o thread:S reply_to:S"
		" message:S attachments:o",
		actions[row->action], row->key, row->chat_jid,
		rendered_text(row->content, dialect), outbox_kind_name(row->kind), again,
		dialect == MARKUP_SOURCE ? NULL : rendered_text(row->content, MARKUP_PLAIN),
		row->thread, row->reply_to, row->target, files);
}

bool bridge_jid_matches(const char *pattern, const char *jid)
{
	const char *star = NULL;
	const char *resume = NULL;

	while (*jid) {
		if (*pattern == '*') {
			star = ++pattern;
			resume = jid;
		} else if (*pattern == *jid) {
			pattern++;
			jid++;
		} else if (star) {
			pattern = star;
			jid = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
