/*
 * An answer of a server, whatever it is: in one piece and in small ones it gives the same message,
 * and a message that is taken consists of blocks that can stand in a request. The first byte chooses
 * the API and whether it is a stream, the second one the size of the pieces. The same bytes, as the
 * body of an error, have a meaning.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "agent/native/session/check.h"
#include "agent/native/wire/failure.h"
#include "agent/native/wire/reply.h"
#include "agent/native/wire/wire.h"
#include "base/utf8.h"
#include "format/json.h"

static enum reply_state reply_of(const struct wire *wire, const json_t *tools,
	struct view bytes, size_t piece, bool is_stream, struct reply *reply)
{
	reply_init(reply, wire, tools);
	while (bytes.len) {
		size_t len = bytes.len < piece ? bytes.len : piece;

		reply_feed(reply, (struct view){bytes.data, len}, is_stream);
		bytes = (struct view){bytes.data + len, bytes.len - len};
	}
	return reply_end(reply, true);
}

/* As the loop does it: calls get ids, and then results. */
static void check_content(const struct wire *wire, const json_t *tools, json_t *content)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *messages = NULL;
	CLEANUP(json_decrefp) json_t *body = NULL;
	json_t *results = json_array();
	json_t *block;
	size_t i;

	json_array_foreach(content, i, block) {
		CLEANUP(freep) char *id = xasprintf("%09zu", i);

		if (strcmp(json_member(block, "type"), "tool_use") != 0)
			continue;
		json_object_set_new(block, "id", json_string(id));
		json_array_append_new(results,
			json_pack("{s:s, s:s, s:b}", "id", id, "text", "ok", "is_error", 0));
	}
	messages = json_pack("[{s:s, s:s}, {s:s, s:O, s:s, s:s}]", "role", "user", "text",
		"Go on.", "role", "assistant", "content", content, "api", wire->name, "model",
		"m");
	if (json_array_size(results))
		json_array_append_new(messages,
			json_pack("{s:s, s:o}", "role", "results", "results", results));
	else {
		json_decref(results);
		json_array_append_new(
			messages, json_pack("{s:s, s:s}", "role", "user", "text", "And now?"));
	}
	if (check_messages(messages, &err) < 0) {
		check_repair(messages);
		error_clear(&err);
		assert(check_messages(messages, &err) == 0);
	}
	body = wire->request(&(struct wire_request){
		.model = "m", .system = "s", .tools = tools, .messages = messages});
	assert(json_is_object(body));
}

/* An error has a meaning and a text that can be shown, whatever the server sent. */
static void check_failure(int status, struct view body)
{
	CLEANUP(freep) char *message = NULL;
	enum failure_kind kind = failure_of(status, body, &message);

	assert(kind != FAILURE_NONE && kind != FAILURE_STOPPED);
	assert(utf8_valid_len(view_of(message)) == strlen(message));
}

static void check_reply(
	const struct wire *wire, bool is_stream, size_t piece, struct view bytes)
{
	CLEANUP(json_decrefp)
	json_t *tools = json_pack("[{s:s, s:s, s:{s:s}}]", "name", "bash", "description", "d",
		"input_schema", "type", "object");
	CLEANUP(reply_release) struct reply whole;
	CLEANUP(reply_release) struct reply split;
	enum reply_state state = reply_of(wire, tools, bytes, SIZE_MAX, is_stream, &whole);

	assert(reply_of(wire, tools, bytes, piece, is_stream, &split) == state);
	if (state == REPLY_DONE) {
		assert(json_array_size(whole.content));
		assert(json_equal(whole.content, split.content));
		check_content(wire, tools, whole.content);
	}
	if (state == REPLY_ERROR) {
		assert(!strcmp(whole.error, split.error));
		check_failure(0, view_of(whole.error));
	}
}

FUZZ_TARGET(native_reply)
{
	if (len > 2)
		check_failure(data[1] * 2, (struct view){(const char *)data + 2, len - 2});
	if (len > 2)
		check_reply(data[0] & 1 ? &wire_openai : &wire_anthropic, data[0] & 2,
			(size_t)data[1] % 16 + 1,
			(struct view){(const char *)data + 2, len - 2});
	return 0;
}
