#include "agent/mcp/server.h"

#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "format/json.h"

#define PARSE_ERROR         (-32700)
#define INVALID_REQUEST     (-32600)
#define METHOD_NOT_FOUND    (-32601)
#define INVALID_PARAMS      (-32602)
#define INTERNAL_ERROR      (-32603)
#define UNSUPPORTED_VERSION (-32022)

#define META         "io.modelcontextprotocol/"
#define META_VERSION META "protocolVersion"
#define META_KEY     "nanoclaw/key"

/* The list of tools is the same as long as the agent runs. */
#define LIST_LASTS_MS 300000

static const char *const newer_versions[] = {"2026-07-28", NULL};
static const char *const older_versions[] = {
	"2025-11-25",
	"2025-06-18",
	"2025-03-26",
	"2024-11-05",
	NULL,
};

/* Versions are dates: up to this one there are batches. */
static const char last_with_batches[] = "2025-03-26";

static const char instructions[] =
	"These tools act for the group of this conversation; the host knows which one it is. A "
	"refused call says what to change.";

/* The replies of one batch, which go out together. */
struct batch {
	json_t *replies;
	size_t open; /* requests without a reply, plus 1 while the batch is being read */
};

/* A request that needs the host. */
struct request {
	struct request *next;
	json_t *id;
	bool newer; /* by its own version */
	bool cancelled;
	struct batch *batch; /* or NULL */
	json_t *question;    /* until it is asked */
	char *tool;          /* that is called; NULL: the list of tools is wanted */
};

struct mcp_server {
	struct mcp_wire wire;
	void *data;
	const char *version;   /* of an older session; NULL: none has begun */
	struct request *first; /* the one under way, if `asked`, then the waiting ones */
	struct request **end;
	size_t count;
	json_int_t number; /* of the last question */
	bool asked;
};

struct mcp_server *mcp_server_new(const struct mcp_wire *wire, void *data)
{
	struct mcp_server *server = xcalloc(1, sizeof(*server));

	server->wire = *wire;
	server->data = data;
	server->end = &server->first;
	return server;
}

/* --- out --------------------------------------------------------------------- */

/* One request of the batch is done; after the last one, the replies are sent. */
static void batch_less(struct mcp_server *server, struct batch *batch)
{
	if (--batch->open)
		return;
	if (json_array_size(batch->replies))
		server->wire.say(server->data, batch->replies);
	else
		json_decref(batch->replies);
	free(batch);
}

static void say_message(struct mcp_server *server, struct batch *batch, json_t *message)
{
	json_object_set_new(message, "jsonrpc", json_string("2.0"));
	if (batch)
		json_array_append_new(batch->replies, message);
	else
		server->wire.say(server->data, message);
}

static void say_error(struct mcp_server *server, struct batch *batch, json_t *id, int code,
	const char *text, json_t *more)
{
	json_t *error = json_build("code:i message:s", code, text);

	if (more)
		json_object_set_new(error, "data", more);
	say_message(server, batch, json_build("id:O error:o", id ? id : json_null(), error));
}

static json_t *server_info(void)
{
	return json_build("name:s title:s version:s", "nanoclaw", "NanoClaw", NANOCLAW_VERSION);
}

static void say_result(
	struct mcp_server *server, struct batch *batch, json_t *id, bool newer, json_t *result)
{
	if (newer)
		json_object_update_new(
			result, json_pack("{s:s, s:{s:o}}", "resultType", "complete", "_meta",
					META "serverInfo", server_info()));
	say_message(server, batch, json_build("id:O result:o", id, result));
}

static json_t *list_set_lifetime(json_t *result, bool newer)
{
	if (newer)
		json_object_update_new(
			result, json_build("ttlMs:i cacheScope:s", LIST_LASTS_MS, "private"));
	return result;
}

/* --- requests that need the host --------------------------------------------- */

/* Drop the first request; it has its answer or was cancelled. */
static void server_drop_first(struct mcp_server *server)
{
	struct request *request = server->first;
	struct batch *batch = request->batch;

	server->first = request->next;
	if (!server->first)
		server->end = &server->first;
	server->count--;
	server->asked = false;
	json_decref(request->id);
	json_decref(request->question);
	free(request->tool);
	free(request);
	if (batch)
		batch_less(server, batch);
}

static void server_give_result(struct mcp_server *server, json_t *result)
{
	struct request *request = server->first;

	if (request->cancelled)
		json_decref(result);
	else
		say_result(server, request->batch, request->id, request->newer, result);
	server_drop_first(server);
}

static void server_give_error(struct mcp_server *server, int code, const char *text)
{
	struct request *request = server->first;

	if (!request->cancelled)
		say_error(server, request->batch, request->id, code, text, NULL);
	server_drop_first(server);
}

static void server_lose(struct mcp_server *server, const struct error *why)
{
	struct request *request = server->first;

	if (request->tool)
		server_give_result(server, result_failure(why));
	else
		server_give_error(server, INTERNAL_ERROR, why->message);
}

/* Send the next request to the host, unless one is under way. */
static void server_go_on(struct mcp_server *server)
{
	while (server->first && !server->asked) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct request *request = server->first;

		if (request->cancelled) {
			server_drop_first(server);
			continue;
		}
		json_object_set_new(request->question, "id", json_integer(++server->number));
		server->asked = true;
		if (server->wire.ask(server->data, TAKE(request->question), &err) < 0)
			server_lose(server, &err);
	}
}

static struct request *server_enqueue(struct mcp_server *server, struct batch *batch,
	json_t *id, bool newer, json_t *question)
{
	struct request *request = xcalloc(1, sizeof(*request));

	request->id = json_incref(id);
	request->newer = newer;
	request->batch = batch;
	request->question = question;
	if (batch)
		batch->open++;
	*server->end = request;
	server->end = &request->next;
	server->count++;
	return request;
}

bool mcp_server_takes(const struct mcp_server *server)
{
	return server->count < MCP_MAX_WAITING;
}

bool mcp_server_waits(const struct mcp_server *server)
{
	return server->asked;
}

void mcp_server_answer(struct mcp_server *server, const json_t *reply)
{
	const struct request *request = server->first;
	const char *kind = json_string_value(json_object_get(reply, "kind"));
	json_t *tools = json_object_get(reply, "tools");

	if (!server->asked ||
		json_number_value(json_object_get(reply, "id")) != (double)server->number)
		return;
	if (request->tool && !strcmp(kind ? kind : "", "unknown"))
		server_give_error(server, INVALID_PARAMS, json_member(reply, "error"));
	else if (request->tool)
		server_give_result(server, result_of(request->tool, reply));
	else if (json_is_array(tools))
		server_give_result(server,
			list_set_lifetime(json_build("tools:O", tools), request->newer));
	else
		server_give_error(server, INTERNAL_ERROR,
			"the host did not send the tools of this group");
	server_go_on(server);
}

void mcp_server_lost(struct mcp_server *server, const struct error *why)
{
	if (!server->asked)
		return;
	server_lose(server, why);
	server_go_on(server);
}

/* --- methods ----------------------------------------------------------------- */

/* A request that is being read. */
struct message {
	struct batch *batch;
	json_t *id;
	const json_t *params; /* an object, or NULL */
	bool newer;
};

static void message_error(
	struct mcp_server *server, const struct message *m, int code, const char *text)
{
	say_error(server, m->batch, m->id, code, text, NULL);
}

static void method_initialize(struct mcp_server *server, const struct message *m)
{
	const char *wanted = json_string_value(json_object_get(m->params, "protocolVersion"));

	if (m->batch) {
		message_error(
			server, m, INVALID_REQUEST, "'initialize' must not be part of a batch");
		return;
	}
	if (!wanted) {
		message_error(server, m, INVALID_PARAMS, "'protocolVersion' is missing");
		return;
	}
	server->version = older_versions[0];
	for (size_t i = 0; older_versions[i]; i++)
		if (!strcmp(older_versions[i], wanted))
			server->version = older_versions[i];
	say_result(server, NULL, m->id, false,
		json_build("protocolVersion:s capabilities:o serverInfo:o instructions:s",
			server->version, json_build("tools:o", json_build("")), server_info(),
			instructions));
}

static json_t *all_versions(void)
{
	json_t *list = json_array();

	for (size_t i = 0; newer_versions[i]; i++)
		json_array_append_new(list, json_string(newer_versions[i]));
	for (size_t i = 0; older_versions[i]; i++)
		json_array_append_new(list, json_string(older_versions[i]));
	return list;
}

static void method_discover(struct mcp_server *server, const struct message *m)
{
	json_t *result = json_build("supportedVersions:o capabilities:o instructions:s",
		all_versions(), json_build("tools:o", json_build("")), instructions);

	if (m->newer)
		say_result(server, m->batch, m->id, true, list_set_lifetime(result, true));
	else {
		json_decref(result);
		message_error(server, m, METHOD_NOT_FOUND,
			"'server/discover' needs '" META_VERSION "' in '_meta'");
	}
}

static void method_ping(struct mcp_server *server, const struct message *m)
{
	if (m->newer)
		message_error(
			server, m, METHOD_NOT_FOUND, "there is no 'ping' in this version");
	else
		say_result(server, m->batch, m->id, false, json_object());
}

static void method_list_tools(struct mcp_server *server, const struct message *m)
{
	if (json_object_get(m->params, "cursor")) {
		message_error(
			server, m, INVALID_PARAMS, "this cursor was not given by this server");
		return;
	}
	server_enqueue(server, m->batch, m->id, m->newer, json_build("op:s", "list_tools"));
	server_go_on(server);
}

static void method_call_tool(struct mcp_server *server, const struct message *m)
{
	const char *name = json_string_value(json_object_get(m->params, "name"));
	json_t *arguments = json_object_get(m->params, "arguments");
	json_t *key = json_object_get(json_object_get(m->params, "_meta"), META_KEY);
	json_t *question;

	if (!name || (arguments && !json_is_object(arguments))) {
		message_error(server, m, INVALID_PARAMS,
			name ? "'arguments' must be an object" : "'name' is missing");
		return;
	}
	question = json_build("op:s tool:O", "call_tool", json_object_get(m->params, "name"));
	if (arguments)
		json_object_set(question, "arguments", arguments);
	if (json_is_string(key))
		json_object_set(question, "key", key);
	server_enqueue(server, m->batch, m->id, m->newer, question)->tool = xstrdup(name);
	server_go_on(server);
}

static const struct {
	const char *name;
	void (*run)(struct mcp_server *server, const struct message *m);
	bool at_any_time; /* before the session has begun, too */
} methods[] = {
	{"initialize", method_initialize, true},
	{"ping", method_ping, true},
	{"server/discover", method_discover, true},
	{"tools/call", method_call_tool, false},
	{"tools/list", method_list_tools, false},
};

/* --- in ---------------------------------------------------------------------- */

static void server_cancel(struct mcp_server *server, const json_t *id)
{
	for (struct request *request = server->first; id && request; request = request->next)
		if (json_equal(request->id, id))
			request->cancelled = true;
}

static void server_take_request(
	struct mcp_server *server, struct batch *batch, const json_t *message)
{
	json_t *id = json_object_get(message, "id");
	const char *name = json_string_value(json_object_get(message, "method"));
	struct message m = {batch, id, json_object_get(message, "params"), false};
	const json_t *version =
		json_object_get(json_object_get(m.params, "_meta"), META_VERSION);
	CLEANUP(freep) char *shown = NULL;
	CLEANUP(freep) char *text = NULL;

	if (!json_is_string(id) && !json_is_number(id)) {
		m.id = NULL;
		message_error(server, &m, INVALID_REQUEST, "'id' must be a string or a number");
		return;
	}
	if (m.params && !json_is_object(m.params)) {
		message_error(server, &m, INVALID_PARAMS, "'params' must be an object");
		return;
	}
	for (size_t i = 0; json_is_string(version) && newer_versions[i]; i++)
		m.newer = m.newer || !strcmp(newer_versions[i], json_string_value(version));
	if (version && !m.newer) {
		say_error(server, batch, id, UNSUPPORTED_VERSION,
			"Unsupported protocol version",
			json_build("supported:o requested:O", all_versions(), version));
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		if (strcmp(methods[i].name, name) != 0)
			continue;
		if (server->version || m.newer || methods[i].at_any_time)
			methods[i].run(server, &m);
		else
			message_error(
				server, &m, INVALID_REQUEST, "'initialize' has to come first");
		return;
	}
	shown = utf8_excerpt(view_of(name));
	text = xasprintf("Method not found: %s", shown);
	message_error(server, &m, METHOD_NOT_FOUND, text);
}

static void server_take_message(
	struct mcp_server *server, struct batch *batch, const json_t *message)
{
	const json_t *id = json_object_get(message, "id");
	const char *method = json_string_value(json_object_get(message, "method"));
	const char *rpc = json_string_value(json_object_get(message, "jsonrpc"));
	bool is_reply = json_object_get(message, "result") || json_object_get(message, "error");

	if (rpc && !strcmp(rpc, "2.0") && !method && is_reply)
		return; /* to a request that we never make */
	if (!rpc || strcmp(rpc, "2.0") != 0 || !method)
		say_error(server, batch,
			json_is_string(id) || json_is_number(id)
				? json_object_get(message, "id")
				: NULL,
			INVALID_REQUEST,
			"a message has 'jsonrpc': \"2.0\" and the name of a 'method'", NULL);
	else if (id)
		server_take_request(server, batch, message);
	else if (!strcmp(method, "notifications/cancelled"))
		server_cancel(server,
			json_object_get(json_object_get(message, "params"), "requestId"));
}

static bool server_has_batches(const struct mcp_server *server)
{
	return server->version && strcmp(server->version, last_with_batches) <= 0;
}

static void server_take_batch(struct mcp_server *server, const json_t *list)
{
	struct batch *batch;

	if (!server_has_batches(server) || !json_array_size(list) ||
		json_array_size(list) > MCP_MAX_BATCH) {
		say_error(server, NULL, NULL, INVALID_REQUEST,
			server_has_batches(server) ? "a batch has from 1 to 256 messages"
						   : "there are no batches in this version",
			NULL);
		return;
	}
	batch = xcalloc(1, sizeof(*batch));
	batch->replies = json_array();
	batch->open = 1;
	for (size_t i = 0; i < json_array_size(list); i++)
		server_take_message(server, batch, json_array_get(list, i));
	batch_less(server, batch);
}

void mcp_server_line(struct mcp_server *server, struct view line, bool too_long)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *message = NULL;
	CLEANUP(freep) char *text = NULL;

	if (!too_long && !view_trim(line).len)
		return;
	if (too_long) {
		text = xasprintf("Parse error: a line has more than %zu bytes", MCP_MAX_LINE);
	} else if (json_read(line, "line", MCP_MAX_LINE, &message, &err) < 0) {
		text = xasprintf("Parse error: %s", err.message);
	}
	if (text)
		say_error(server, NULL, NULL, PARSE_ERROR, text, NULL);
	else if (json_is_array(message))
		server_take_batch(server, message);
	else
		server_take_message(server, NULL, message);
}

/* --- the end ----------------------------------------------------------------- */

void mcp_server_free(struct mcp_server *server)
{
	if (!server)
		return;
	while (server->first) {
		server->first->cancelled = true;
		server_drop_first(server);
	}
	free(server);
}
