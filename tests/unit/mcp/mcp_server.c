#include "../test.h"

#include <string.h>

#include "agent/mcp/server.h"
#include "base/buf.h"
#include "format/json.h"

/* --- a client and a host that only write down what they hear ----------------- */

struct desk {
	struct mcp_server *server;
	struct buf said;  /* to the client, a line each */
	struct buf asked; /* of the host, likewise */
	bool deaf;        /* cannot reach the host */
};

static void write_down(struct buf *out, json_t *message)
{
	json_write_ours(message, false, out);
	buf_append_char(out, '\n');
	json_decref(message);
}

static void say(void *data, json_t *message)
{
	struct desk *desk = data;

	write_down(&desk->said, message);
}

static int ask(void *data, json_t *question, struct error *err)
{
	struct desk *desk = data;

	write_down(&desk->asked, question);
	return desk->deaf ? error_set(err, ERROR_FAILED, "cannot reach the host") : 0;
}

static struct desk *desk_new(void)
{
	static const struct mcp_wire wire = {say, ask};
	struct desk *desk = xcalloc(1, sizeof(*desk));

	desk->said = desk->asked = BUF_INIT;
	desk->server = mcp_server_new(&wire, desk);
	return desk;
}

static void desk_freep(struct desk **desk)
{
	mcp_server_free((*desk)->server);
	buf_release(&(*desk)->said);
	buf_release(&(*desk)->asked);
	free(*desk);
}

static void line(struct desk *desk, const char *text)
{
	mcp_server_line(desk->server, view_of(text), false);
}

static void answer(struct desk *desk, const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *reply = NULL;

	assert_int_equal(json_read(view_of(text), "reply", SIZE_MAX, &reply, &err), 0);
	mcp_server_answer(desk->server, reply);
}

static void expect(struct buf *heard, const char *text)
{
	assert_string_equal(heard->data, text);
	buf_clear(heard);
}

static void expect_part(struct buf *heard, const char *part)
{
	if (!strstr(heard->data, part))
		print_error("'%s' is not in '%s'\n", part, heard->data);
	assert_non_null(strstr(heard->data, part));
	buf_clear(heard);
}

static struct desk *begun(const char *version)
{
	struct desk *desk = desk_new();
	CLEANUP(freep)
	char *text = xasprintf("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","
			       "\"params\":{\"protocolVersion\":\"%s\"}}",
		version);

	line(desk, text);
	line(desk, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
	buf_clear(&desk->said);
	return desk;
}

#define CALL(id, name, arguments)                                                              \
	"{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"tools/call\","                       \
	"\"params\":{\"name\":\"" name "\",\"arguments\":" arguments "}}"

#define NEWER                                                                                  \
	"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","               \
	"\"io.modelcontextprotocol/clientCapabilities\":{}}"

/* --- claims ------------------------------------------------------------------ */

static void a_version_that_both_know_is_taken(void **state)
{
	static const char *const known[] = {
		"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		CLEANUP(desk_freep) struct desk *desk = desk_new();
		CLEANUP(freep)
		char *text = xasprintf("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":"
				       "\"initialize\",\"params\":{\"protocolVersion\":"
				       "\"%s\",\"capabilities\":{}}}",
			known[i]);
		CLEANUP(freep)
		char *wanted = xasprintf("\"protocolVersion\":\"%s\"", known[i]);

		line(desk, text);
		expect_part(&desk->said, wanted);
	}
}

static void otherwise_the_newest_one_with_a_session_is_offered(void **state)
{
	static const char *const others[] = {"1900-01-01", "2026-07-28", ""};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		CLEANUP(desk_freep) struct desk *desk = desk_new();
		CLEANUP(freep)
		char *text =
			xasprintf("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
				  "\"params\":{\"protocolVersion\":\"%s\"}}",
				others[i]);

		line(desk, text);
		expect_part(&desk->said, "\"protocolVersion\":\"2025-11-25\"");
	}
}

static void nothing_is_listed_before_the_session_has_begun(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = desk_new();

	(void)state;
	line(desk, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
	expect_part(&desk->said, "\"code\":-32600");
	expect(&desk->asked, "");
	line(desk, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
	expect(&desk->said, "{\"id\":2,\"jsonrpc\":\"2.0\",\"result\":{}}\n");
}

static void a_stateless_client_needs_no_session(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = desk_new();

	(void)state;
	line(desk, "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"server/discover\","
		   "\"params\":{" NEWER "}}");
	assert_non_null(strstr(desk->said.data, "\"resultType\":\"complete\""));
	assert_non_null(strstr(desk->said.data, "\"supportedVersions\":[\"2026-07-28\","));
	expect_part(&desk->said, "\"ttlMs\":");
	line(desk, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" NEWER
		   "}}");
	expect(&desk->asked, "{\"id\":1,\"op\":\"list_tools\"}\n");
	answer(desk, "{\"id\":1,\"ok\":true,\"tools\":[{\"name\":\"send_message\"}]}");
	assert_non_null(strstr(desk->said.data, "\"cacheScope\":\"private\""));
	expect_part(&desk->said, "\"name\":\"send_message\"");
	line(desk, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",\"params\":{" NEWER "}}");
	expect_part(&desk->said, "\"code\":-32601");
}

static void a_stateless_version_that_is_not_known_is_told_which_are(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = desk_new();

	(void)state;
	line(desk,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":"
		"{\"io.modelcontextprotocol/protocolVersion\":\"2099-01-01\"}}}");
	expect(&desk->said,
		"{\"error\":{\"code\":-32022,\"data\":{\"requested\":\"2099-01-01\",\"supported\":"
		"[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\",\"2024-11-05\"]},"
		"\"message\":\"Unsupported protocol version\"},\"id\":1,\"jsonrpc\":\"2.0\"}\n");
	expect(&desk->asked, "");
}

static void tools_are_those_that_the_host_lists(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");

	(void)state;
	line(desk, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\",\"params\":{}}");
	answer(desk, "{\"id\":1,\"ok\":true,\"tools\":[{\"name\":\"a\"}],\"type\":\"reply\"}");
	expect(&desk->said, "{\"id\":7,\"jsonrpc\":\"2.0\",\"result\":{\"tools\":[{\"name\":"
			    "\"a\"}]}}\n");
	line(desk, "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/list\",\"params\":{}}");
	answer(desk, "{\"id\":2,\"ok\":false,\"error\":\"no\",\"kind\":\"failed\"}");
	expect_part(&desk->said, "\"code\":-32603");
}

static void a_call_is_an_operation_of_the_host(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");

	(void)state;
	line(desk, CALL(5, "send_message", "{\"text\":\"hi\"}"));
	expect(&desk->asked, "{\"arguments\":{\"text\":\"hi\"},\"id\":1,\"op\":\"call_tool\","
			     "\"tool\":\"send_message\"}\n");
	expect(&desk->said, "");
	assert_true(mcp_server_waits(desk->server));
	answer(desk, "{\"id\":1,\"ok\":true,\"added\":true,\"done\":\"It is on its way.\"}");
	expect(&desk->said, "{\"id\":5,\"jsonrpc\":\"2.0\",\"result\":{\"content\":[{\"text\":"
			    "\"It is on its way.\",\"type\":\"text\"}],\"isError\":false}}\n");
	assert_false(mcp_server_waits(desk->server));
}

static void the_key_of_a_call_goes_to_the_host(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");

	(void)state;
	line(desk, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{"
		   "\"name\":\"send_message\",\"_meta\":{\"nanoclaw/key\":\"abc\"}}}");
	expect(&desk->asked, "{\"id\":1,\"key\":\"abc\",\"op\":\"call_tool\","
			     "\"tool\":\"send_message\"}\n");
}

static void what_the_host_refuses_is_told_to_the_model(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");

	(void)state;
	line(desk, CALL(5, "remove_group", "{\"group\":\"family\"}"));
	answer(desk, "{\"id\":1,\"ok\":false,\"error\":\"the group 'x' may not remove groups\","
		     "\"hint\":\"ask in the main group\",\"kind\":\"invalid\"}");
	assert_non_null(strstr(desk->said.data, "\"isError\":true"));
	assert_non_null(strstr(desk->said.data, "the group 'x' may not remove groups."));
	expect_part(&desk->said, "ask in the main group");
}

static void an_example_of_the_host_is_shown(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");

	(void)state;
	line(desk, CALL(5, "send_message", "{\"txt\":\"hi\",\"is_main\":true}"));
	expect_part(&desk->asked, "\"arguments\":{\"is_main\":true,\"txt\":\"hi\"}");
	answer(desk, "{\"id\":1,\"ok\":false,\"error\":\"'text' is missing\","
		     "\"example\":\"{}\",\"kind\":\"invalid\"}");
	assert_non_null(strstr(desk->said.data, "\"isError\":true"));
	assert_non_null(strstr(desk->said.data, "'text' is missing"));
	expect_part(&desk->said, "A correct call: send_message {}");
}

static void a_tool_that_is_not_there_is_an_error_of_the_protocol(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");

	(void)state;
	line(desk, CALL(5, "format_disk", "{}"));
	answer(desk, "{\"id\":1,\"ok\":false,\"error\":\"Unknown tool: format_disk\","
		     "\"kind\":\"unknown\"}");
	expect(&desk->said, "{\"error\":{\"code\":-32602,\"message\":\"Unknown tool: "
			    "format_disk\"},\"id\":5,\"jsonrpc\":\"2.0\"}\n");
}

static void a_host_that_is_gone_is_told(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	line(desk, CALL(5, "list_tasks", "{}"));
	line(desk, CALL(6, "list_tasks", "{}"));
	error_set(&err, ERROR_FAILED, "the host has ended the connection");
	mcp_server_lost(desk->server, &err);
	assert_non_null(strstr(desk->said.data, "\"isError\":true"));
	expect_part(&desk->said, "\"id\":5");
	desk->deaf = true;
	answer(desk, "{\"id\":2,\"ok\":true,\"tasks\":[]}");
	line(desk, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\"}");
	expect_part(&desk->said,
		"\"error\":{\"code\":-32603,\"message\":\"cannot reach the host\"},\"id\":7");
	assert_false(mcp_server_waits(desk->server));
}

static void calls_happen_in_their_order_one_at_a_time(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");

	(void)state;
	line(desk, CALL(5, "pause_task", "{\"task_id\":\"1\"}"));
	line(desk, CALL(6, "resume_task", "{\"task_id\":2}"));
	expect(&desk->asked, "{\"arguments\":{\"task_id\":\"1\"},\"id\":1,\"op\":\"call_tool\","
			     "\"tool\":\"pause_task\"}\n");
	answer(desk, "{\"id\":99,\"ok\":true}"); /* to nothing that was asked */
	expect(&desk->said, "");
	answer(desk, "{\"id\":1,\"ok\":true,\"task\":{}}");
	expect(&desk->asked, "{\"arguments\":{\"task_id\":2},\"id\":2,\"op\":\"call_tool\","
			     "\"tool\":\"resume_task\"}\n");
	expect_part(&desk->said, "\"id\":5");
}

static void what_is_cancelled_is_neither_done_nor_answered(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");

	(void)state;
	line(desk, CALL(5, "list_tasks", "{}"));
	line(desk, CALL(6, "list_groups", "{}"));
	line(desk, CALL(7, "list_channels", "{}"));
	line(desk, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
		   "\"requestId\":6,\"reason\":\"x\"}}");
	line(desk, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
		   "\"requestId\":5}}");
	line(desk, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
		   "\"requestId\":\"7\"}}");
	line(desk, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}");
	buf_clear(&desk->asked);
	answer(desk, "{\"id\":1,\"ok\":true,\"tasks\":[]}");
	expect(&desk->said, "");
	expect(&desk->asked, "{\"arguments\":{},\"id\":2,\"op\":\"call_tool\","
			     "\"tool\":\"list_channels\"}\n");
	answer(desk, "{\"id\":2,\"ok\":true,\"channels\":[]}");
	expect_part(&desk->said, "\"id\":7");
}

static void old_versions_know_batches(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-03-26");

	(void)state;
	line(desk, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
		   "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}," CALL(
			   2, "list_tasks", "{}") ",5]");
	expect(&desk->said, "");
	answer(desk, "{\"id\":1,\"ok\":true,\"tasks\":[]}");
	assert_true(desk->said.data[0] == '[');
	assert_non_null(
		strstr(desk->said.data, "{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":{}}"));
	assert_non_null(strstr(desk->said.data, "\"code\":-32600"));
	expect_part(&desk->said, "{\\\"tasks\\\":[]}");
}

static void a_batch_of_notifications_is_not_answered(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2024-11-05");

	(void)state;
	line(desk, "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}]");
	expect(&desk->said, "");
	line(desk, "[]");
	expect_part(&desk->said, "\"code\":-32600");
}

static void newer_versions_have_no_batches(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");

	(void)state;
	line(desk, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]");
	expect_part(&desk->said, "\"code\":-32600");
}

static void a_session_does_not_begin_in_a_batch(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-03-26");

	(void)state;
	line(desk, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
		   "\"protocolVersion\":\"2025-06-18\"}}]");
	expect_part(&desk->said, "[{\"error\":{\"code\":-32600");
}

static void what_is_no_message_gets_the_error_that_the_protocol_has(void **state)
{
	static const struct {
		const char *line;
		const char *wanted;
	} cases[] = {
		{"x", "\"code\":-32700"},
		{"{\"jsonrpc\":\"2.0\",", "\"code\":-32700"},
		{"{\"a\":\"\xff\"}", "\"code\":-32700"},
		{"5", "\"code\":-32600"},
		{"null", "\"code\":-32600"},
		{"{}", "\"code\":-32600"},
		{"{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"ping\"}", "\"code\":-32600"},
		{"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", "\"code\":-32600"},
		{"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", "\"code\":-32600"},
		{"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":5}", "\"id\":3"},
		{"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x\"}", "\"code\":-32601"},
		{"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/list\"}",
			"\"code\":-32601"},
		{"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":[]}",
			"\"code\":-32602"},
		{"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\"}", "\"code\":-32602"},
		{"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":"
		 "\"send_message\",\"arguments\":[]}}",
			"\"code\":-32602"},
		{"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\",\"params\":{\"cursor\":"
		 "\"2\"}}",
			"\"code\":-32602"},
		{"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"initialize\",\"params\":{}}",
			"\"code\":-32602"},
	};
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		line(desk, cases[i].line);
		expect_part(&desk->said, cases[i].wanted);
	}
	mcp_server_line(desk->server, view_of(""), true);
	expect_part(&desk->said, "\"code\":-32700");
}

static void answers_and_empty_lines_are_ignored(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");

	(void)state;
	line(desk, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	line(desk, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"x\"}}");
	line(desk, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unheard-of\"}");
	line(desk, " \r");
	expect(&desk->said, "");
}

static void only_so_many_wait(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");

	(void)state;
	for (int i = 0; i < MCP_MAX_WAITING; i++) {
		assert_true(mcp_server_takes(desk->server));
		line(desk, CALL(5, "list_tasks", "{}"));
	}
	assert_false(mcp_server_takes(desk->server));
	answer(desk, "{\"id\":1,\"ok\":true,\"tasks\":[]}");
	assert_true(mcp_server_takes(desk->server));
}

static void a_long_result_is_cut(void **state)
{
	CLEANUP(desk_freep) struct desk *desk = begun("2025-06-18");
	CLEANUP(buf_release) struct buf reply = BUF_INIT;

	(void)state;
	buf_append_str(&reply, "{\"id\":1,\"ok\":true,\"tasks\":[\"");
	for (size_t i = 0; i < 2 * MCP_MAX_RESULT; i++)
		buf_append_char(&reply, 'x');
	buf_append_str(&reply, "\"]}");
	line(desk, CALL(5, "list_tasks", "{}"));
	answer(desk, reply.data);
	assert_in_range(desk->said.len, MCP_MAX_RESULT, MCP_MAX_RESULT + 1000);
	expect_part(&desk->said, "more bytes are left out");
}

TESTS(cmocka_unit_test(a_version_that_both_know_is_taken),
	cmocka_unit_test(otherwise_the_newest_one_with_a_session_is_offered),
	cmocka_unit_test(nothing_is_listed_before_the_session_has_begun),
	cmocka_unit_test(a_stateless_client_needs_no_session),
	cmocka_unit_test(a_stateless_version_that_is_not_known_is_told_which_are),
	cmocka_unit_test(tools_are_those_that_the_host_lists),
	cmocka_unit_test(a_call_is_an_operation_of_the_host),
	cmocka_unit_test(the_key_of_a_call_goes_to_the_host),
	cmocka_unit_test(what_the_host_refuses_is_told_to_the_model),
	cmocka_unit_test(an_example_of_the_host_is_shown),
	cmocka_unit_test(a_tool_that_is_not_there_is_an_error_of_the_protocol),
	cmocka_unit_test(a_host_that_is_gone_is_told),
	cmocka_unit_test(calls_happen_in_their_order_one_at_a_time),
	cmocka_unit_test(what_is_cancelled_is_neither_done_nor_answered),
	cmocka_unit_test(old_versions_know_batches),
	cmocka_unit_test(a_batch_of_notifications_is_not_answered),
	cmocka_unit_test(newer_versions_have_no_batches),
	cmocka_unit_test(a_session_does_not_begin_in_a_batch),
	cmocka_unit_test(what_is_no_message_gets_the_error_that_the_protocol_has),
	cmocka_unit_test(answers_and_empty_lines_are_ignored),
	cmocka_unit_test(only_so_many_wait), cmocka_unit_test(a_long_result_is_cut))
