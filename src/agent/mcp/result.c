#include "agent/mcp/result.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "format/json.h"

static json_t *text_result(const struct buf *text, bool is_error)
{
	CLEANUP(buf_release) struct buf shown = BUF_INIT;
	size_t len = text->len;

	if (len > MCP_MAX_RESULT)
		len = utf8_valid_len((struct view){text->data, MCP_MAX_RESULT});
	buf_append(&shown, text->data, len);
	if (len < text->len)
		buf_appendf(&shown, "… (%zu more bytes are left out; ask for less)",
			text->len - len);
	return json_pack("{s:[{s:s, s:o}], s:b}", "content", "type", "text", "text",
		json_text(view_of_buf(&shown)), "isError", is_error);
}

static const char *text_in(const json_t *reply, const char *name)
{
	return json_string_value(json_object_get(reply, name));
}

json_t *result_of(const char *tool, const json_t *reply)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *shown = NULL;
	bool repeated = json_is_false(json_object_get(reply, "added"));
	const char *answer = text_in(reply, "done");
	const char *error = text_in(reply, "error");
	const char *hint = text_in(reply, "hint");
	const char *example = text_in(reply, "example");

	if (!json_is_true(json_object_get(reply, "ok"))) {
		buf_appendf(&text, "%s was not done: %s.", tool,
			error ? error : "the host refused it");
		if (hint)
			buf_appendf(&text, "\n%s.", hint);
		if (example)
			buf_appendf(&text, "\nA correct call: %s %s", tool, example);
		return text_result(&text, true);
	}
	if (answer) {
		buf_append_str(&text,
			repeated ? "This was done already in an earlier attempt." : answer);
		return text_result(&text, false);
	}
	shown = json_copy((json_t *)(uintptr_t)reply);
	json_object_del(shown, "ok");
	json_object_del(shown, "type");
	json_object_del(shown, "id");
	json_write_ours(shown, false, &text);
	return text_result(&text, false);
}

json_t *result_failure(const struct error *why)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_appendf(&text, "%s.", why->message);
	if (why->hint)
		buf_appendf(&text, "\n%s.", why->hint);
	return text_result(&text, true);
}
