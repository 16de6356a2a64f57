#include "channels/bridge/protocol.h"

#include <string.h>

#include "channels/channel.h"
#include "store/groups.h"
#include "util/json.h"
#include "util/timestamp.h"

void bridge_line_release(struct bridge_line *line)
{
	json_decref(line->document);
	line->document = NULL;
}

/* --- fields ------------------------------------------------------------------ */

static int wrong(const char *name, const char *what, struct error *err)
{
	return error_set(err, ERROR_INVALID, "'%s' must be %s", name, what);
}

/* A string of 1 to `max` bytes without NUL; NULL if the field is not there. */
static int optional(const json_t *document, const char *name, size_t max, const char **ret_text,
	struct error *err)
{
	const json_t *value = json_object_get(document, name);
	const char *text = json_string_value(value);

	*ret_text = NULL;
	if (!value || json_is_null(value))
		return 0;
	if (!text || strlen(text) != json_string_length(value) || strlen(text) > max)
		return wrong(name, "a string that is not too long", err);
	*ret_text = *text ? text : NULL;
	return 0;
}

static int required(const json_t *document, const char *name, size_t max, const char **ret_text,
	struct error *err)
{
	if (optional(document, name, max, ret_text, err) < 0)
		return -1;
	return *ret_text ? 0 : wrong(name, "there", err);
}

static int optional_bool(const json_t *document, const char *name, bool otherwise,
	bool *ret_value, struct error *err)
{
	const json_t *value = json_object_get(document, name);

	if (value && !json_is_boolean(value))
		return wrong(name, "true or false", err);
	*ret_value = value ? json_is_true(value) : otherwise;
	return 0;
}

static int chat_fields(struct bridge_line *line, struct error *err)
{
	const json_t *group = json_object_get(line->document, "group");

	if (required(line->document, "chat", GROUP_JID_MAX, &line->chat, err) < 0 ||
		group_check_jid(line->chat, err) < 0)
		return -1;
	if (group && !json_is_boolean(group))
		return wrong("group", "true or false", err);
	line->chat_kind = !group                ? CHAT_UNKNOWN
			  : json_is_true(group) ? CHAT_GROUP
						: CHAT_DIRECT;
	return 0;
}

/* Something must stand beside the stars: nobody owns everything. */
bool bridge_is_pattern(const char *text)
{
	size_t len = strlen(text);
	size_t literal = 0;

	for (const char *c = text; *c; c++)
		literal += *c != '*';
	return literal >= 2 && len <= GROUP_JID_MAX;
}

/* --- types ------------------------------------------------------------------- */

static int check_patterns(const json_t *patterns, struct error *err)
{
	json_t *pattern;
	size_t i;

	if (!json_array_size(patterns) || json_array_size(patterns) > BRIDGE_MAX_PATTERNS)
		return wrong("jids", "an array with 1 to 32 patterns", err);
	json_array_foreach(patterns, i, pattern)
	{
		const char *text = json_string_value(pattern);

		if (!text || !bridge_is_pattern(text))
			return wrong("jids", "an array of patterns like 'slack:*'", err);
	}
	return 0;
}

static int read_hello(struct bridge_line *line, struct error *err)
{
	const json_t *limits = json_object_get(line->document, "max_text");
	double protocol = json_number_value(json_object_get(line->document, "protocol"));

	if (protocol != BRIDGE_PROTOCOL)
		return error_set(err, ERROR_INVALID,
			"this host speaks version %d of the protocol, and the bridge %g",
			BRIDGE_PROTOCOL, protocol);
	line->patterns = json_object_get(line->document, "jids");
	if (optional(line->document, "name", 64, &line->name, err) < 0 ||
		check_patterns(line->patterns, err) < 0 ||
		optional_bool(line->document, "remembers_keys", false, &line->remembers_keys,
			err) < 0)
		return -1;
	if (limits && !(json_number_value(limits) >= 16 && json_number_value(limits) < 1e9))
		return wrong("max_text", "a number of bytes, at least 16", err);
	line->max_text = limits ? (size_t)json_number_value(limits) : 0;
	return 0;
}

static int read_message(struct bridge_line *line, struct error *err)
{
	CLEANUP(error_release) struct error bad_time = ERROR_INIT;
	const char *time;

	if (chat_fields(line, err) < 0 ||
		required(line->document, "id", CHANNEL_MAX_ID, &line->id, err) < 0 ||
		required(line->document, "sender", GROUP_JID_MAX, &line->sender, err) < 0 ||
		optional(line->document, "name", GROUP_NAME_MAX, &line->name, err) < 0 ||
		optional(line->document, "chat_name", GROUP_NAME_MAX, &line->chat_name, err) <
			0 ||
		required(line->document, "text", CHANNEL_MAX_TEXT, &line->text, err) < 0 ||
		optional(line->document, "time", 64, &time, err) < 0 ||
		optional_bool(line->document, "from_me", false, &line->from_me, err) < 0)
		return -1;
	if (time && timestamp_parse(view_of(time), &line->time, &bad_time) < 0)
		return wrong("time", "like 2026-02-16T22:47:02.139Z", err);
	return 0;
}

static int read_receipt(struct bridge_line *line, struct error *err)
{
	if (required(line->document, "key", CHANNEL_MAX_ID, &line->key, err) < 0 ||
		optional_bool(line->document, "ok", true, &line->ok, err) < 0 ||
		optional_bool(line->document, "retry", true, &line->retry, err) < 0 ||
		optional(line->document, "id", CHANNEL_MAX_ID, &line->id, err) < 0)
		return -1;
	return optional(line->document, "error", 2000, &line->reason, err);
}

static int read_metadata(struct bridge_line *line, struct error *err)
{
	if (chat_fields(line, err) < 0)
		return -1;
	return optional(line->document, "chat_name", GROUP_NAME_MAX, &line->chat_name, err);
}

static int read_reason(struct bridge_line *line, struct error *err)
{
	return optional(line->document, "reason", 2000, &line->reason, err);
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
	[BRIDGE_PONG] = {"pong", NULL},
};

int bridge_read(struct view text, struct bridge_line *ret_line, struct error *err)
{
	CLEANUP(bridge_line_release) struct bridge_line line = {0};
	const char *type;

	if (json_read(text, "line", BRIDGE_MAX_LINE, &line.document, err) < 0)
		return -1;
	type = json_string_value(json_object_get(line.document, "type"));
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (!type || strcmp(type, types[i].name) != 0)
			continue;
		line.type = (enum bridge_type)i;
		if (types[i].read && types[i].read(&line, err) < 0)
			return error_prefix(err, "%s", types[i].name);
		*ret_line = line;
		line.document = NULL;
		return 0;
	}
	return error_set(err, ERROR_INVALID, "the type of the line is not known");
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
