#include "agent/native/offer.h"

#include <string.h>

#include "agent/native/wire/wire.h"
#include "format/json.h"

#define OFFER_TOOL "mcp"

/* Names that are listed, in bytes: a server may have hundreds of tools. */
#define MAX_NAMES ((size_t)3000)

/* What people ask for most comes first. */
static const char *const often[] = {
	"mcp__nanoclaw__send_message",
	"mcp__nanoclaw__schedule_task",
	"mcp__nanoclaw__list_tasks",
};

static bool offer_is_mcp(const json_t *tool)
{
	return view_starts_with(view_of(wire_text(tool, "name")), "mcp__");
}

static size_t offer_size(json_t *tool)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	json_write_ours(tool, false, &text);
	return text.len;
}

/* Put it among those that are offered if there is room. */
static void offer_admit(json_t *names, json_t *tool, size_t *room)
{
	const char *name = wire_text(tool, "name");
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

json_t *offer_choose(const json_t *all, size_t room)
{
	CLEANUP(json_decrefp) json_t *names = json_object();
	CLEANUP(buf_release) struct buf rest = BUF_INIT;
	json_t *offer = json_array();
	size_t most = room < MAX_NAMES ? room : MAX_NAMES;
	size_t place = 0;
	json_t *tool;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(often); i++) {
		const json_t *found = wire_tool(all, often[i]);

		if (found)
			offer_admit(names, (json_t *)(uintptr_t)found, &room);
	}
	json_array_foreach(all, i, tool)
		if (offer_is_mcp(tool))
			offer_admit(names, tool, &room);
	json_array_foreach(all, i, tool) {
		const char *name = wire_text(tool, "name");

		if (!offer_is_mcp(tool) || json_object_get(names, name))
			json_array_append(offer, tool);
		else if (rest.len < most)
			buf_appendf(&rest, "%s%s", rest.len ? ", " : "", name);
		if (strcmp(name, OFFER_TOOL) < 0)
			place = json_array_size(offer);
	}
	if (rest.len)
		json_array_insert_new(offer, place, offer_rest(rest.data));
	return offer;
}

struct tool_call offer_resolve(const json_t *call)
{
	json_t *input = json_object_get(call, "input");
	struct tool_call resolved = {
		.id = wire_text(call, "id"),
		.name = wire_text(call, "name"),
		.input = input,
	};

	if (!strcmp(resolved.name, OFFER_TOOL)) {
		resolved.name = wire_text(input, "tool");
		resolved.input = json_object_get(input, "input");
	}
	return resolved;
}

bool offer_describe(const json_t *all, const char *name, struct buf *out)
{
	json_t *tool = (json_t *)(uintptr_t)wire_tool(all, name);

	if (tool)
		json_write_ours(tool, false, out);
	return tool != NULL;
}
