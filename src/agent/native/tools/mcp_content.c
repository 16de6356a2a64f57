#include "agent/native/tools/mcp_content.h"

#include <string.h>

#include "format/json.h"

/* The most base64 that providers accept. */
#define MCP_IMAGE_MAX ((size_t)5 * 1000 * 1000)

static struct view content_bytes(const json_t *item, const char *name)
{
	const json_t *value = json_object_get(item, name);

	return json_is_string(value)
		       ? (struct view){json_string_value(value), json_string_length(value)}
		       : view_of("");
}

static bool content_is_base64(struct view text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=",
			    text.data[i]) ||
			!text.data[i])
			return false;
	return text.len;
}

static void content_image(const json_t *item, bool images, struct tool_result *result)
{
	static const char *const known[] = {
		"image/png", "image/jpeg", "image/gif", "image/webp"};
	struct view data = content_bytes(item, "data");
	const char *type = json_member(item, "mimeType");
	bool takes = false;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		takes |= !strcmp(type, known[i]);
	if (images && takes && !result->image_type && data.len <= MCP_IMAGE_MAX &&
		content_is_base64(data)) {
		result->image_type = xstrdup(type);
		buf_append(&result->image, data.data, data.len);
	}
	buf_appendf(&result->text, "[image: %.100s, %zu bytes]", type, data.len / 4 * 3);
}

static void content_resource(const json_t *item, struct tool_result *result)
{
	const json_t *resource = json_object_get(item, "resource");
	struct view text = content_bytes(resource, "text");
	size_t blob = content_bytes(resource, "blob").len;

	buf_appendf(&result->text, "[resource: %.500s", json_member(resource, "uri"));
	if (blob)
		buf_appendf(&result->text, ", %.100s, %zu bytes",
			json_member(resource, "mimeType"), blob / 4 * 3);
	buf_append_char(&result->text, ']');
	if (!text.len)
		return;
	buf_append_char(&result->text, '\n');
	buf_append(&result->text, text.data, text.len);
}

static void content_item(const json_t *item, bool images, struct tool_result *result)
{
	const char *type = json_member(item, "type");
	struct view text = content_bytes(item, "text");

	if (result->text.len)
		buf_append_char(&result->text, '\n');
	if (!strcmp(type, "text"))
		buf_append(&result->text, text.data, text.len);
	else if (!strcmp(type, "image"))
		content_image(item, images, result);
	else if (!strcmp(type, "resource"))
		content_resource(item, result);
	else if (!strcmp(type, "resource_link"))
		buf_appendf(&result->text, "[resource: %.500s, %.200s]",
			json_member(item, "uri"), json_member(item, "name"));
	else if (!strcmp(type, "audio"))
		buf_appendf(&result->text, "[audio: %.100s, %zu bytes]",
			json_member(item, "mimeType"), content_bytes(item, "data").len / 4 * 3);
	else
		buf_appendf(&result->text, "[content of the unknown type '%.100s']", type);
}

void mcp_content(const json_t *result, bool images, struct tool_result *ret_result)
{
	const json_t *content = json_object_get(result, "content");
	json_t *structured = json_object_get(result, "structuredContent");
	const json_t *item;
	size_t i;

	ret_result->is_error = json_is_true(json_object_get(result, "isError"));
	json_array_foreach(content, i, item)
		content_item(item, images, ret_result);
	if (!json_array_size(content) && structured)
		json_write_ours(structured, false, &ret_result->text);
	if (!ret_result->text.len)
		buf_append_str(&ret_result->text, "(no output)");
}
