#include "../test.h"

#include <string.h>

#include "agent/mcp/tools.h"
#include "util/json.h"

static json_t *parse(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	json_t *json = NULL;

	assert_int_equal(json_read(view_of(text), "test", SIZE_MAX, &json, &err), 0);
	return json;
}

static const json_t *all_rights(void)
{
	static json_t *rights;

	if (!rights)
		rights = parse("[\"send\", \"send_elsewhere\", \"tasks\", \"tasks_elsewhere\","
			       " \"find_chats\", \"register_group\", \"remove_group\","
			       " \"write_global_memory\", \"list_channels\","
			       " \"configure_groups\"]");
	return rights;
}

/* What is wrong with it; "" if nothing is. */
static const char *faults_of(const char *name, const char *arguments)
{
	static char text[4096];
	CLEANUP(buf_release) struct buf faults = BUF_INIT;
	CLEANUP(json_decrefp) json_t *json = parse(arguments);
	bool ok = tool_check(tool_find(name), json, &faults);

	assert_int_equal(ok, faults.len == 0);
	snprintf(text, sizeof(text), "%s", faults.data);
	return text;
}

static void every_example_is_right(void **state)
{
	CLEANUP(json_decrefp) json_t *list = tools_list(all_rights());

	(void)state;
	assert_int_equal(json_array_size(list), 16);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *name =
			json_string_value(json_object_get(json_array_get(list, i), "name"));

		assert_string_equal(faults_of(name, tool_find(name)->example), "");
	}
}

static void a_schema_says_what_is_checked(void **state)
{
	CLEANUP(json_decrefp) json_t *list = tools_list(all_rights());

	(void)state;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *tool = json_array_get(list, i);
		const json_t *schema = json_object_get(tool, "inputSchema");

		assert_string_equal(
			json_string_value(json_object_get(schema, "type")), "object");
		assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
		assert_true(json_is_object(json_object_get(schema, "properties")));
		assert_true(
			strlen(json_string_value(json_object_get(tool, "description"))) > 20);
	}
}

static void a_schema_is_published_as_it_should_be(void **state)
{
	CLEANUP(json_decrefp) json_t *rights = parse("[\"register_group\"]");
	CLEANUP(json_decrefp) json_t *list = tools_list(rights);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const json_t *schema;

	(void)state;
	assert_int_equal(json_array_size(list), 2); /* list_groups is for everybody */
	schema = json_object_get(json_array_get(list, 1), "inputSchema");
	json_write_ours(
		json_object_get(json_object_get(schema, "properties"), "folder"), false, &text);
	assert_string_equal(text.data,
		"{\"description\":\"its folder; left out, it is made from the name\","
		"\"maxLength\":64,\"minLength\":1,\"pattern\":\"^[a-z0-9][a-z0-9_-]*$\","
		"\"type\":\"string\"}");
	buf_clear(&text);
	json_write_ours(json_object_get(schema, "required"), false, &text);
	assert_string_equal(text.data, "[\"jid\",\"name\"]");
}

static void what_breaks_the_schema_is_told(void **state)
{
	static const struct {
		const char *tool;
		const char *arguments;
		const char *wanted;
	} cases[] = {
		{"send_message", "{}", "'text' is missing (the message)"},
		{"send_message", "{\"text\": null}", "'text' must be a text"},
		{"send_message", "{\"text\": \"\"}", "'text' must not be empty"},
		{"send_message", "{\"text\": \"a\\u0000b\"}",
			"'text' must not have the character U+0000 in it"},
		{"send_message", "{\"text\": \"x\", \"folder\": \"main\"}",
			"there is no argument 'folder' (it has 'text', 'group')"},
		{"list_groups", "{\"is_main\": true}",
			"there is no argument 'is_main' (it has none)"},
		{"schedule_task",
			"{\"prompt\": \"x\", \"schedule_type\": \"hourly\", \"schedule_value\": 5}",
			"'schedule_type' must be one of 'cron', 'interval', 'once'; "
			"'schedule_value' must be a text"},
		{"get_task_runs", "{\"task_id\": 1.5, \"limit\": 0}",
			"'task_id' must be a text; 'limit' must be a whole number from 1 to 1000, "
			"not in quotes"},
		{"get_task_runs", "{\"task_id\": 3, \"limit\": \"10\"}",
			"'limit' must be a whole number from 1 to 1000, not in quotes"},
		{"list_tasks", "{\"all\": \"yes\"}",
			"'all' must be true or false, not in quotes"},
		{"register_group", "{\"jid\": \"x\", \"name\": \"n\", \"folder\": \"../main\"}",
			"'folder' must match the pattern ^[a-z0-9][a-z0-9_-]*$"},
		{"register_group", "{\"jid\": \"x\", \"name\": \"n\", \"allow\": [1]}",
			"'allow' must be a text"},
		{"register_group", "{\"jid\": \"x\", \"name\": \"n\", \"allow\": \"x\"}",
			"'allow' must be a list of at most 100 texts"},
		{"register_group", "{\"jid\": \"x\", \"name\": \"n\", \"agent\": \"sh\"}",
			"there is no argument 'agent' (it has 'jid', 'name', 'folder', 'trigger', "
			"'requires_trigger', 'instructions', 'allow')"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(
			faults_of(cases[i].tool, cases[i].arguments), cases[i].wanted);
}

static void lengths_are_counted_in_characters(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	buf_append_str(&text, "{\"jid\": \"x\", \"name\": \"");
	for (int i = 0; i < 200; i++)
		buf_append_str(&text, "é");
	buf_append_str(&text, "\"}");
	assert_string_equal(faults_of("register_group", text.data), "");
	buf_set_len(&text, text.len - 2);
	buf_append_str(&text, "x\"}");
	assert_string_equal(faults_of("register_group", text.data),
		"'name' must have at most 200 characters, and has 201");
}

static void many_unknown_arguments_are_not_all_named(void **state)
{
	CLEANUP(json_decrefp) json_t *arguments = json_object();
	CLEANUP(buf_release) struct buf faults = BUF_INIT;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		CLEANUP(freep) char *name = xasprintf("a%d", i);

		json_object_set_new(arguments, name, json_true());
	}
	assert_false(tool_check(tool_find("list_groups"), arguments, &faults));
	assert_true(faults.len < 300);
}

static void a_request_has_the_arguments_and_nothing_else(void **state)
{
	CLEANUP(json_decrefp)
	json_t *arguments = parse("{\"task_id\": \"4\", \"op\": \"remove_group\", \"id\": 9}");
	CLEANUP(json_decrefp)
	json_t *request = tool_request(tool_find("pause_task"), arguments);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	json_write_ours(request, false, &text);
	assert_string_equal(text.data, "{\"op\":\"pause_task\",\"task_id\":\"4\"}");
}

TESTS(cmocka_unit_test(every_example_is_right), cmocka_unit_test(a_schema_says_what_is_checked),
	cmocka_unit_test(a_schema_is_published_as_it_should_be),
	cmocka_unit_test(what_breaks_the_schema_is_told),
	cmocka_unit_test(lengths_are_counted_in_characters),
	cmocka_unit_test(many_unknown_arguments_are_not_all_named),
	cmocka_unit_test(a_request_has_the_arguments_and_nothing_else))
