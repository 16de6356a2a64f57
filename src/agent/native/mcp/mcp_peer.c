#include "agent/native/mcp/mcp_peer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "agent/native/mcp/mcp_name.h"
#include "format/clean_text.h"
#include "format/json.h"

#define MCP_PAGES_MAX 64
#define MCP_TOOLS_MAX 512

/* So often a server may have other tools. */
#define MCP_CHANGES_MAX 100

#define MCP_NAME_LEN_MAX    256
#define MCP_DESCRIPTION_MAX ((size_t)2048)
#define MCP_SCHEMA_MAX      ((size_t)32 * 1024)

#define MCP_METHOD_NOT_FOUND (-32601)

static const char *const revisions[] = {
	"2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05", "2024-10-07"};

enum mcp_kind {
	MCP_INITIALIZE,
	MCP_LIST,
	MCP_CALL,
};

struct mcp_request {
	enum mcp_kind kind;
	long long id;
	void *call;
	json_t *params; /* of a call that was not sent yet, else NULL */
};

/* --- its life ---------------------------------------------------------------- */

static void mcp_tools_clear(struct mcp_tools *tools)
{
	for (size_t i = 0; i < tools->count; i++) {
		struct mcp_tool *tool = &tools->list[i];

		free(tool->name);
		free(tool->full);
		free(tool->description);
		json_decref(tool->schema);
	}
	free(tools->list);
	*tools = (struct mcp_tools){0};
}

void mcp_peer_init(
	struct mcp_peer *peer, const char *name, const struct mcp_wire *wire, void *data)
{
	*peer = (struct mcp_peer){.name = xstrdup(name), .wire = wire, .data = data};
}

void mcp_peer_release(struct mcp_peer *peer)
{
	for (size_t i = 0; i < peer->count; i++)
		json_decref(peer->requests[i].params);
	mcp_tools_clear(&peer->tools);
	mcp_tools_clear(&peer->listed);
	free(peer->requests);
	free(peer->instructions);
	free(peer->problem);
	free(peer->name);
}

/* --- sending ----------------------------------------------------------------- */

/* `message` is released. */
static void peer_send(struct mcp_peer *peer, json_t *message)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	json_object_set_new(message, "jsonrpc", json_string("2.0"));
	json_write_ours(message, false, &line);
	json_decref(message);
	peer->wire->send(peer->data, view_of_buf(&line));
}

static void peer_notify(struct mcp_peer *peer, const char *method, json_t *params)
{
	peer_send(peer, params ? json_build("method:s params:o", method, params)
			       : json_build("method:s", method));
}

static void peer_ask(
	struct mcp_peer *peer, enum mcp_kind kind, const char *method, json_t *params)
{
	GROW(peer->requests, peer->count, peer->cap);
	peer->requests[peer->count++] =
		(struct mcp_request){.kind = kind, .id = ++peer->last_id};
	peer_send(peer, json_build("id:I method:s params:o", (json_int_t)peer->last_id, method,
				params ? params : json_object()));
}

/* `params` is released. */
static void peer_send_call(struct mcp_peer *peer, long long id, json_t *params)
{
	peer_send(peer,
		json_build("id:I method:s params:o", (json_int_t)id, "tools/call", params));
}

void mcp_peer_begin(struct mcp_peer *peer)
{
	peer->state = MCP_STARTING;
	freep(&peer->problem);
	peer->problem = NULL;
	peer->stale = false;
	peer->changes = 0;
	peer_ask(peer, MCP_INITIALIZE, "initialize",
		json_build("protocolVersion:s capabilities:o clientInfo:o", revisions[0],
			json_build(""),
			json_build("name:s version:s", "nanoclaw", NANOCLAW_VERSION)));
}

static void peer_list(struct mcp_peer *peer, const char *cursor)
{
	if (!cursor) {
		mcp_tools_clear(&peer->listed);
		peer->pages = 0;
	}
	peer_ask(peer, MCP_LIST, "tools/list", cursor ? json_build("cursor:s", cursor) : NULL);
}

void mcp_peer_call(struct mcp_peer *peer, const char *tool, const json_t *input,
	const char *key, void *call)
{
	json_t *params = json_build("name:s arguments:o", tool,
		json_is_object(input) ? json_incref((json_t *)(uintptr_t)input)
				      : json_object());
	bool waits = peer->state == MCP_STARTING;

	if (key)
		json_object_set_new(params, "_meta", json_pack("{s:s}", "nanoclaw/key", key));
	GROW(peer->requests, peer->count, peer->cap);
	peer->requests[peer->count++] =
		(struct mcp_request){MCP_CALL, ++peer->last_id, call, waits ? params : NULL};
	if (!waits)
		peer_send_call(peer, peer->last_id, params);
}

/* --- requests that have ended ------------------------------------------------ */

static struct mcp_request peer_take(struct mcp_peer *peer, size_t index)
{
	struct mcp_request request = peer->requests[index];

	peer->count--;
	memmove(&peer->requests[index], &peer->requests[index + 1],
		(peer->count - index) * sizeof(request));
	json_decref(request.params);
	request.params = NULL;
	return request;
}

void mcp_peer_cancel(struct mcp_peer *peer, const void *call, const char *why)
{
	for (size_t i = 0; i < peer->count; i++) {
		bool sent = !peer->requests[i].params;
		struct mcp_request request;

		if (peer->requests[i].kind != MCP_CALL || peer->requests[i].call != call)
			continue;
		request = peer_take(peer, i);
		if (sent)
			peer_notify(peer, "notifications/cancelled",
				json_build(
					"requestId:I reason:s", (json_int_t)request.id, why));
		peer->wire->answered(peer->data, request.call, NULL, why);
		return;
	}
}

void mcp_peer_end(struct mcp_peer *peer, const char *why)
{
	CLEANUP(freep) char *problem = xstrdup(why);
	CLEANUP(freep)
	char *doubt = xasprintf("%s; the call may or may not have been carried out", why);

	if (peer->state == MCP_CLOSED)
		return;
	peer->state = MCP_CLOSED;
	free(peer->problem);
	peer->problem = xstrdup(problem);
	while (peer->count) {
		bool sent = !peer->requests[peer->count - 1].params;
		struct mcp_request request = peer_take(peer, peer->count - 1);

		if (request.kind == MCP_CALL)
			peer->wire->answered(
				peer->data, request.call, NULL, sent ? doubt : problem);
	}
}

bool mcp_peer_lists(const struct mcp_peer *peer)
{
	for (size_t i = 0; i < peer->count; i++)
		if (peer->requests[i].kind != MCP_CALL)
			return true;
	return false;
}

/* --- its tools --------------------------------------------------------------- */

static char *peer_text(const json_t *value, size_t max)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (json_is_string(value))
		buf_append(&text, json_string_value(value), json_string_length(value));
	clean_text_bound(&text, max);
	return buf_take(&text);
}

/* The schema of a tool's input, as providers require it; never NULL. */
static json_t *peer_schema(const json_t *given)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *schema = json_is_object(given) ? json_deep_copy(given) : json_object();

	json_object_del(schema, "$schema");
	json_write_ours(schema, false, &text);
	if (text.len > MCP_SCHEMA_MAX)
		json_object_clear(schema);
	json_object_set_new(schema, "type", json_string("object"));
	return schema;
}

static void peer_add_tool(struct mcp_peer *peer, const json_t *json)
{
	const json_t *name = json_object_get(json, "name");
	const json_t *hints = json_object_get(json, "annotations");
	size_t len = json_string_length(name);
	struct mcp_tool tool = {0};

	if (!len || len > MCP_NAME_LEN_MAX || strlen(json_string_value(name)) != len ||
		peer->listed.count >= MCP_TOOLS_MAX)
		return;
	for (size_t i = 0; i < peer->listed.count; i++)
		if (!strcmp(peer->listed.list[i].name, json_string_value(name)))
			return;
	tool.name = xstrdup(json_string_value(name));
	tool.full = mcp_name(peer->name, tool.name);
	tool.description = peer_text(json_object_get(json, "description"), MCP_DESCRIPTION_MAX);
	tool.schema = peer_schema(json_object_get(json, "inputSchema"));
	tool.read_only = json_is_true(json_object_get(hints, "readOnlyHint"));
	GROW(peer->listed.list, peer->listed.count, peer->listed.cap);
	peer->listed.list[peer->listed.count++] = tool;
}

static void peer_listed(struct mcp_peer *peer, const json_t *result)
{
	const char *cursor = json_string_value(json_object_get(result, "nextCursor"));
	const json_t *tool;
	size_t i;

	json_array_foreach(json_object_get(result, "tools"), i, tool)
		peer_add_tool(peer, tool);
	if (peer->stale && ++peer->changes < MCP_CHANGES_MAX) {
		peer->stale = false;
		peer_list(peer, NULL);
	} else if (cursor && *cursor && ++peer->pages < MCP_PAGES_MAX) {
		peer_list(peer, cursor);
	} else {
		mcp_tools_clear(&peer->tools);
		peer->tools = peer->listed;
		peer->listed = (struct mcp_tools){0};
		peer->state = MCP_READY;
	}
}

static void peer_initialized(struct mcp_peer *peer, const json_t *result)
{
	const char *revision = json_string_value(json_object_get(result, "protocolVersion"));
	const json_t *capabilities = json_object_get(result, "capabilities");
	bool known = false;

	for (size_t i = 0; revision && i < ARRAY_SIZE(revisions); i++)
		known |= !strcmp(revision, revisions[i]);
	if (!known) {
		CLEANUP(freep)
		char *why = xasprintf("it speaks MCP of '%.50s', which is not known",
			revision ? revision : "");

		mcp_peer_end(peer, why);
		return;
	}
	free(peer->instructions);
	peer->instructions = peer_text(json_object_get(result, "instructions"), 4096);
	peer->state = MCP_LISTING;
	peer_notify(peer, "notifications/initialized", NULL);
	for (size_t i = 0; i < peer->count; i++)
		if (peer->requests[i].params)
			peer_send_call(
				peer, peer->requests[i].id, TAKE(peer->requests[i].params));
	if (json_object_get(capabilities, "tools"))
		peer_list(peer, NULL);
	else
		peer->state = MCP_READY;
}

/* --- lines ------------------------------------------------------------------- */

static void peer_answer(struct mcp_peer *peer, const json_t *message)
{
	const json_t *id = json_object_get(message, "id");
	const json_t *result = json_object_get(message, "result");
	const json_t *error = json_object_get(message, "error");
	CLEANUP(freep) char *failure = NULL;
	struct mcp_request request;
	size_t at = 0;

	while (at < peer->count &&
		!(json_is_number(id) && !peer->requests[at].params &&
			json_number_value(id) == (double)peer->requests[at].id))
		at++;
	if (at == peer->count)
		return; /* of a call that was given up, or of none */
	request = peer_take(peer, at);
	if (!json_is_object(result)) {
		CLEANUP(freep) char *why = peer_text(json_object_get(error, "message"), 2000);
		CLEANUP(freep) char *more = peer_text(json_object_get(error, "data"), 2000);

		failure = xasprintf("%s (error %.0f)%s%s", *why ? why : "the server refused it",
			json_number_value(json_object_get(error, "code")), *more ? ": " : "",
			more);
		result = NULL;
	}
	if (request.kind == MCP_CALL)
		peer->wire->answered(peer->data, request.call, result, failure);
	else if (request.kind == MCP_INITIALIZE && result)
		peer_initialized(peer, result);
	else if (request.kind == MCP_INITIALIZE)
		mcp_peer_end(peer, failure);
	else if (result)
		peer_listed(peer, result);
	else { /* keeps the known tools */
		free(peer->problem);
		peer->problem = xasprintf("it does not list its tools: %s", failure);
		peer->state = MCP_READY;
	}
}

static void peer_message(struct mcp_peer *peer, const json_t *message)
{
	const char *method = json_string_value(json_object_get(message, "method"));
	json_t *id = json_object_get(message, "id");

	if (peer->state == MCP_CLOSED)
		return;
	if (method && (json_is_string(id) || json_is_number(id))) {
		/* We offer nothing, so there is nothing to ask for but a sign of life. */
		if (!strcmp(method, "ping"))
			peer_send(peer, json_build("id:O result:o", id, json_build("")));
		else
			peer_send(peer,
				json_build("id:O error:o", id,
					json_build("code:i message:s", MCP_METHOD_NOT_FOUND,
						"this client offers nothing of this kind")));
	} else if (method && !strcmp(method, "notifications/tools/list_changed")) {
		if (mcp_peer_lists(peer))
			peer->stale = true;
		else if (++peer->changes < MCP_CHANGES_MAX)
			peer_list(peer, NULL);
	} else if (!method && id) {
		peer_answer(peer, message);
	}
}

void mcp_peer_line(struct mcp_peer *peer, struct view line, bool too_long)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	const json_t *message;
	size_t i;

	if (too_long) {
		/* It is unknown which call the answer was for. */
		for (i = peer->count; i-- > 0;)
			if (peer->requests[i].kind == MCP_CALL)
				peer->wire->answered(peer->data, peer_take(peer, i).call, NULL,
					"the answer of the server is too long");
		return;
	}
	line = view_trim(line);
	if (!line.len || (line.data[0] != '{' && line.data[0] != '[') ||
		json_read(line, "line", JSON_MAX_SIZE, &json, &err) < 0)
		return;
	if (json_is_object(json))
		peer_message(peer, json);
	/* Before 2025-06-18 an array could hold several messages. */
	json_array_foreach(json, i, message)
		peer_message(peer, message);
}
