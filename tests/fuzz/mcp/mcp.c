/*
 * Lines of an MCP client, whatever they are: each request gets at most one answer that is a
 * message, and the host is asked for the list of tools or to call one, with the arguments where
 * they cannot be taken for anything else. The first byte chooses the version; a line that begins with '<' is a reply
 * of the host.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "agent/mcp/server.h"
#include "format/json.h"

struct heard {
	size_t asked;
	size_t answers;
};

static void check_answer(const json_t *message)
{
	const json_t *id = json_object_get(message, "id");
	const json_t *content = json_object_get(json_object_get(message, "result"), "content");

	assert(!strcmp(json_string_value(json_object_get(message, "jsonrpc")), "2.0"));
	assert(json_is_string(id) || json_is_number(id) || json_is_null(id));
	assert(!json_object_get(message, "result") != !json_object_get(message, "error"));
	if (content)
		assert(json_string_length(json_object_get(json_array_get(content, 0), "text")) >
			0);
}

static void say(void *data, json_t *message)
{
	CLEANUP(json_decrefp) json_t *owned = message;
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	struct heard *heard = data;

	json_write_ours(owned, false, &line);
	assert(!memchr(line.data, '\n', line.len));
	if (!json_is_array(owned))
		check_answer(owned);
	for (size_t i = 0; i < json_array_size(owned); i++)
		check_answer(json_array_get(owned, i));
	heard->answers++;
}

static int ask(void *data, json_t *question, struct error *err)
{
	CLEANUP(json_decrefp) json_t *owned = question;
	const char *op = json_string_value(json_object_get(owned, "op"));
	struct heard *heard = data;

	assert(op && json_is_integer(json_object_get(owned, "id")));
	assert(!strcmp(op, "list_tools") || !strcmp(op, "call_tool"));
	heard->asked++;
	return heard->asked % 7 ? 0 : error_set(err, ERROR_FAILED, "the host is busy");
}

static void reply(struct mcp_server *server, struct view text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;

	if (json_read(text, "reply", MCP_MAX_LINE, &json, &err) < 0) {
		mcp_server_lost(server, &err);
		return;
	}
	mcp_server_answer(server, json);
}

static void begin(struct mcp_server *server, uint8_t choice)
{
	static const char *const versions[] = {"2024-11-05", "2025-03-26", "2025-11-25"};
	CLEANUP(freep) char *text = NULL;

	if (choice % 4 >= ARRAY_SIZE(versions))
		return;
	text = xasprintf("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
			 "{\"protocolVersion\":\"%s\"}}",
		versions[choice % 4]);
	mcp_server_line(server, view_of(text), false);
}

FUZZ_TARGET(mcp)
{
	static const struct mcp_wire wire = {say, ask};
	struct heard heard = {0};
	struct mcp_server *server = mcp_server_new(&wire, &heard);
	struct view rest;
	struct view line;
	size_t lines = 1;

	if (len)
		begin(server, data[0]);
	rest = (struct view){len ? (const char *)data + 1 : "", len ? len - 1 : 0};
	while (view_next(&rest, '\n', &line)) {
		if (line.len && line.data[0] == '<')
			reply(server, (struct view){line.data + 1, line.len - 1});
		else
			mcp_server_line(server, line, false);
		lines++;
	}
	assert(heard.answers <= lines);
	mcp_server_free(server);
	return 0;
}
