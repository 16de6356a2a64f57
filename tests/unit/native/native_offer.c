#include "test.h"

#include <string.h>

#include "agent/native/offer.h"
#include "format/json.h"

static json_t *tool(const char *name, size_t size)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_append_repeated(&text, 'x', size);
	return json_pack(
		"{s:s, s:s, s:{}}", "name", name, "description", text.data, "input_schema");
}

static json_t *names_of(const json_t *tools)
{
	json_t *names = json_array();
	json_t *one;
	size_t i;

	json_array_foreach(tools, i, one)
		json_array_append(names, json_object_get(one, "name"));
	return names;
}

static void expect_offer(const json_t *all, size_t room, const char *expected)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *offer = offer_choose(all, room);
	CLEANUP(json_decrefp) json_t *names = names_of(offer);

	json_write_ours(names, false, &text);
	assert_string_equal(text.data, expected);
}

static void what_has_no_room_is_named_in_one_tool(void **state)
{
	CLEANUP(json_decrefp) json_t *all = json_array();

	(void)state;
	json_array_append_new(all, tool("bash", 9000));
	json_array_append_new(all, tool("mcp__a__big", 500));
	json_array_append_new(all, tool("mcp__nanoclaw__send_message", 500));
	json_array_append_new(all, tool("read", 10));
	expect_offer(all, 3000,
		"[\"bash\",\"mcp__a__big\",\"mcp__nanoclaw__send_message\",\"read\"]");
	/* The tool that is needed most has its place first. */
	expect_offer(all, 700, "[\"bash\",\"mcp\",\"mcp__nanoclaw__send_message\",\"read\"]");
	expect_offer(all, 0, "[\"bash\",\"mcp\",\"read\"]");
}

static void names_are_grouped_by_server(void **state)
{
	CLEANUP(json_decrefp) json_t *all = json_array();
	CLEANUP(json_decrefp) json_t *offer = NULL;
	const char *about;

	(void)state;
	json_array_append_new(all, tool("mcp__a__big", 500));
	json_array_append_new(all, tool("mcp__a__huge", 500));
	json_array_append_new(all, tool("mcp__nanoclaw__react", 1));
	offer = offer_choose(all, 0);
	about = json_string_value(json_object_get(json_array_get(offer, 0), "description"));
	assert_non_null(strstr(about, ": mcp__a__{big, huge}, mcp__nanoclaw__{react}"));
}

static void schemas_lose_what_only_the_server_needs(void **state)
{
	CLEANUP(json_decrefp)
	json_t *all = json_pack("[{s:s, s:s, s:{s:b, s:{s:{s:s, s:i}, s:{s:s, s:[s]}}}}]",
		"name", "mcp__a__b", "description", "x", "input_schema", "additionalProperties",
		0, "properties", "title", "type", "string", "maxLength", 9, "mode", "type",
		"string", "enum", "on");
	CLEANUP(json_decrefp) json_t *offer = offer_choose(all, 3000);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	json_write_ours(
		json_object_get(json_array_get(offer, 0), "input_schema"), false, &text);
	assert_string_equal(text.data, "{\"properties\":{\"mode\":{\"enum\":[\"on\"]},"
				       "\"title\":{\"type\":\"string\"}}}");
}

static void a_call_of_it_is_a_call_of_the_tool(void **state)
{
	CLEANUP(json_decrefp)
	json_t *call = json_pack("{s:s, s:s, s:{s:s, s:{s:i}}}", "id", "aaaaaaaa1", "name",
		"mcp", "input", "tool", "mcp__a__big", "input", "n", 1);
	struct tool_call meant = offer_resolve(call);

	(void)state;
	assert_string_equal(meant.id, "aaaaaaaa1");
	assert_string_equal(meant.name, "mcp__a__big");
	assert_int_equal(json_integer_value(json_object_get(meant.input, "n")), 1);
	json_object_del(json_object_get(call, "input"), "input");
	assert_null(offer_resolve(call).input);
}

static void a_description_has_the_schema(void **state)
{
	CLEANUP(json_decrefp) json_t *all = json_array();
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	json_array_append_new(all, tool("mcp__a__b", 3));
	offer_describe(all, "mcp__a__b", &text);
	assert_string_equal(text.data,
		"{\"description\":\"xxx\",\"input_schema\":{},\"name\":\"mcp__a__b\"}");
}

TESTS(cmocka_unit_test(what_has_no_room_is_named_in_one_tool),
	cmocka_unit_test(names_are_grouped_by_server),
	cmocka_unit_test(schemas_lose_what_only_the_server_needs),
	cmocka_unit_test(a_call_of_it_is_a_call_of_the_tool),
	cmocka_unit_test(a_description_has_the_schema))
