/*
 * Lines of an MCP server, whatever they are, after those that make it ready: every call gets one
 * answer, names are ones that providers take, and what is sent is JSON.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "agent/native/mcp/mcp_name.h"
#include "agent/native/mcp/mcp_peer.h"
#include "agent/native/tools/mcp_content.h"
#include "format/json.h"

static size_t answers;
static size_t sent;

static void heard(void *data, struct view line)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *message = NULL;

	(void)data;
	/* A restless server may not make us ask without end. */
	assert(++sent < 10000);
	assert(!memchr(line.data, '\n', line.len));
	assert(json_read(line, "sent", SIZE_MAX, &message, &err) == 0);
}

static void answered(void *data, void *call, const json_t *result, const char *failure)
{
	struct tool_result shown = TOOL_RESULT_INIT;

	(void)data;
	(void)call;
	answers++;
	assert(!result == !!failure);
	if (result)
		mcp_content(result, true, &shown);
	tool_result_release(&shown);
}

FUZZ_TARGET(native_mcp_lines)
{
	static const struct mcp_wire wire = {heard, answered};
	struct view rest = {(const char *)data, len};
	struct mcp_peer peer;
	struct view line;

	answers = sent = 0;
	mcp_peer_init(&peer, "fuzz", &wire, NULL);
	mcp_peer_begin(&peer);
	mcp_peer_call(&peer, "early", NULL, "key", &peer);
	mcp_peer_line(&peer,
		view_of("{\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\","
			"\"capabilities\":{\"tools\":{}}}}"),
		false);
	mcp_peer_call(&peer, "late", NULL, NULL, &answers);
	while (view_next(&rest, '\n', &line))
		mcp_peer_line(&peer, line, line.len > 1000);
	for (size_t i = 0; i < peer.tools.count; i++)
		assert(strlen(peer.tools.list[i].full) <= MCP_NAME_MAX);
	mcp_peer_cancel(&peer, &peer, "enough");
	mcp_peer_end(&peer, "it has ended");
	assert(answers == 2);
	mcp_peer_release(&peer);
	return 0;
}
