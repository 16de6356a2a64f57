#include "agent/native/offer.h"

#include <string.h>

#include "agent/native/wire/wire.h"
#include "format/json.h"

#define OFFER_TOOL "mcp"
#define OFFER_HOST "mcp__nanoclaw__"

/* Names that are listed, in bytes: a server may have hundreds of tools. */
#define MAX_NAMES   ((size_t)3000)
#define LEAST_NAMES ((size_t)500)

/* The most used tools; the host's other tools are listed by name. */
static const char *const often[] = {
	"mcp__nanoclaw__send_message",
	"mcp__nanoclaw__schedule_task",
};

static bool offer_is_mcp(const json_t *tool)
{
	return view_starts_with(view_of(json_member(tool, "name")), "mcp__");
}

/* Without limits that a model does not need and the server checks. */
static void offer_trim(json_t *schema)
{
	static const char *const limits[] = {
		"$schema", "maxLength", "maximum", "minLength", "minimum", "title"};
	json_t *inside;
	const char *name;

	if (!json_is_object(schema))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		json_object_del(schema, limits[i]);
	if (json_is_false(json_object_get(schema, "additionalProperties")))
		json_object_del(schema, "additionalProperties");
	if (json_is_array(json_object_get(schema, "enum")))
		json_object_del(schema, "type");
	json_object_foreach(json_object_get(schema, "properties"), name, inside)
		offer_trim(inside);
	offer_trim(json_object_get(schema, "items"));
}

static json_t *offer_terse(const json_t *tool)
{
	json_t *copy = json_deep_copy(tool);

	offer_trim(json_object_get(copy, "input_schema"));
	return copy;
}

static size_t offer_size(const json_t *tool)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *terse = offer_terse(tool);

	json_write_ours(terse, false, &text);
	return text.len;
}

/* Offer the tool if there is room. */
static void offer_admit(json_t *names, json_t *tool, size_t *room)
{
	const char *name = json_member(tool, "name");
	size_t size = offer_size(tool);

	if (size > *room || json_object_get(names, name))
		return;
	*room -= size;
	json_object_set_new(names, name, json_true());
}

static json_t *offer_rest(const char *names)
{
	return json_pack("{s:s, s:o, s:{s:s, s:{s:{s:s}, s:{s:s}}, s:[s]}}", "name", OFFER_TOOL,
		"description",
		json_sprintf(
			"More tools. Without 'input' it describes a tool, with it the tool is "
			"called: %s",
			names),
		"input_schema", "type", "object", "properties", "tool", "type", "string",
		"input", "type", "object", "required", "tool");
}

/* As mcp__SERVER__{TOOL, TOOL}; `server` is the length of the last prefix. */
static void offer_list(struct buf *rest, const char *name, struct view *server)
{
	const char *end = strstr(name + strlen("mcp__"), "__");
	size_t len = end ? (size_t)(end - name) + 2 : strlen("mcp__");

	if (server->len == len && !strncmp(server->data, name, len)) {
		buf_appendf(rest, ", %s", name + len);
		return;
	}
	buf_appendf(rest, "%s%.*s{%s", rest->len ? "}, " : "", (int)len, name, name + len);
	*server = (struct view){name, len};
}

json_t *offer_choose(const json_t *all, size_t room)
{
	struct view server = {"", 0};
	CLEANUP(json_decrefp) json_t *names = json_object();
	CLEANUP(buf_release) struct buf rest = BUF_INIT;
	json_t *offer = json_array();
	size_t most = room < LEAST_NAMES ? LEAST_NAMES : room < MAX_NAMES ? room : MAX_NAMES;
	size_t place = 0;
	json_t *tool;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(often); i++) {
		const json_t *found = wire_tool(all, often[i]);

		if (found)
			offer_admit(names, (json_t *)(uintptr_t)found, &room);
	}
	json_array_foreach(all, i, tool)
		if (offer_is_mcp(tool) &&
			!view_starts_with(view_of(json_member(tool, "name")), OFFER_HOST))
			offer_admit(names, tool, &room);
	json_array_foreach(all, i, tool) {
		const char *name = json_member(tool, "name");

		if (!offer_is_mcp(tool))
			json_array_append(offer, tool);
		else if (json_object_get(names, name))
			json_array_append_new(offer, offer_terse(tool));
		else if (rest.len < most)
			offer_list(&rest, name, &server);
		if (strcmp(name, OFFER_TOOL) < 0)
			place = json_array_size(offer);
	}
	if (rest.len)
		buf_append_char(&rest, '}');
	if (rest.len)
		json_array_insert_new(offer, place, offer_rest(rest.data));
	return offer;
}

struct tool_call offer_resolve(const json_t *call)
{
	json_t *input = json_object_get(call, "input");
	struct tool_call resolved = {
		.id = json_member(call, "id"),
		.name = json_member(call, "name"),
		.input = input,
	};

	if (!strcmp(resolved.name, OFFER_TOOL)) {
		resolved.name = json_member(input, "tool");
		resolved.input = json_object_get(input, "input");
		/* What MCP itself calls it. */
		if (!resolved.input)
			resolved.input = json_object_get(input, "arguments");
	}
	return resolved;
}

void offer_describe(const json_t *all, const char *name, struct buf *out)
{
	json_write_ours((json_t *)(uintptr_t)wire_tool(all, name), false, out);
}
