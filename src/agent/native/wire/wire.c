#include "agent/native/wire/wire.h"

#include <string.h>

const struct wire *wire_find(const char *name)
{
	if (!strcmp(name, wire_anthropic.name))
		return &wire_anthropic;
	if (!strcmp(name, wire_openai.name))
		return &wire_openai;
	return NULL;
}

const char *wire_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

const json_t *wire_tool(const json_t *tools, const char *name)
{
	json_t *tool;
	size_t i;

	json_array_foreach(tools, i, tool)
		if (!strcmp(wire_text(tool, "name"), name))
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
	       !strcmp(wire_text(message, "api"), wire->name) &&
	       !strcmp(wire_text(message, "model"), request->model);
}
