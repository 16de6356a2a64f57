#include "agent/native/wire/wire.h"
#include "format/json.h"

#include <string.h>

const struct wire *wire_find(const char *name)
{
	if (!strcmp(name, wire_anthropic.name))
		return &wire_anthropic;
	if (!strcmp(name, wire_openai.name))
		return &wire_openai;
	return NULL;
}

const json_t *wire_tool(const json_t *tools, const char *name)
{
	json_t *tool;
	size_t i;

	json_array_foreach(tools, i, tool)
		if (!strcmp(json_member(tool, "name"), name))
			return tool;
	return NULL;
}

const char *wire_shown(const char *text)
{
	return view_trim(view_of(text)).len ? text : "(no output)";
}

bool wire_keeps_reasoning(
	const struct wire *wire, const struct wire_request *request, const json_t *message)
{
	return !request->quirks.no_reasoning &&
	       !strcmp(json_member(message, "api"), wire->name) &&
	       !strcmp(json_member(message, "model"), request->model);
}
