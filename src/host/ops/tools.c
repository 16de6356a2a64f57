#include "host/ops/tools.h"

#include <string.h>

#include "format/json.h"

static json_t *input_schema(const struct operation *operation, const bool rights[RIGHT_COUNT])
{
	json_t *properties = json_object();
	json_t *required = json_array();
	json_t *schema = json_build(
		"type:s additionalProperties:b properties:o", "object", 0, properties);

	for (const struct argument *a = operation->arguments; a->name; a++) {
		if (a->direct || !rights[a->right])
			continue;
		json_object_set_new(properties, a->name, argument_schema(a));
		if (a->required)
			json_array_append_new(required, json_string(a->name));
	}
	/* An empty list is not allowed by older drafts of JSON Schema. */
	if (json_array_size(required))
		json_object_set(schema, "required", required);
	json_decref(required);
	return schema;
}

json_t *tools_list(const bool rights[RIGHT_COUNT])
{
	json_t *list = json_array();

	for (const struct operation *o = operation_table; o->name; o++)
		if (o->title && rights[o->right])
			json_array_append_new(list,
				json_pack("{s:s, s:s, s:s, s:o, s:{s:s, s:b, s:b, s:b, s:b}}",
					"name", o->name, "title", o->title, "description",
					o->description, "inputSchema", input_schema(o, rights),
					"annotations", "title", o->title, "readOnlyHint",
					o->effect == OPERATION_READS, "destructiveHint",
					o->effect == OPERATION_CHANGES, "idempotentHint",
					o->effect != OPERATION_ADDS, "openWorldHint", 0));
	return list;
}

void tools_complete(const struct operation *operation, json_t *reply)
{
	const char *hint = json_string_value(json_object_get(reply, "hint"));
	const char *kind = json_string_value(json_object_get(reply, "kind"));

	if (json_is_true(json_object_get(reply, "ok"))) {
		if (operation->done)
			json_put(reply, "done:s", operation->done);
		return;
	}
	/* A model cannot type commands. */
	if (hint && (strstr(hint, "'nanoclaw ") || strstr(hint, "'--"))) {
		json_object_del(reply, "hint");
		if (operation->see)
			json_put(reply, "hint:s", operation->see);
	}
	if (kind && !strcmp(kind, "invalid"))
		json_put(reply, "example:s", operation->example);
}
