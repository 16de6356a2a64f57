#include "../test.h"

#include <stdlib.h>
#include <string.h>

#include "format/json.h"
#include "fs/file.h"
#include "host/ops/tools.h"

static json_t *parse(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	json_t *json = NULL;

	assert_int_equal(json_read(view_of(text), "test", SIZE_MAX, &json, &err), 0);
	return json;
}

static json_t *tools_of_main(void)
{
	bool rights[RIGHT_COUNT];

	for (enum right right = 0; right < RIGHT_COUNT; right++)
		rights[right] = rights_of_main(right);
	return tools_list(rights);
}

/* The error in it; "" if there is none. */
static const char *faults_of(const char *name, const char *arguments, bool model)
{
	static char text[4096];
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = parse(arguments);
	CLEANUP(json_decrefp) json_t *read = NULL;
	int result = operation_read(operation_find(name), json, model, &read, &err);

	assert_int_equal(result, err.message ? -1 : 0);
	snprintf(text, sizeof(text), "%s", err.message ? err.message : "");
	return text;
}

static void every_example_is_right(void **state)
{
	CLEANUP(json_decrefp) json_t *list = tools_of_main();

	(void)state;
	assert_int_equal(json_array_size(list), 21);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *name =
			json_string_value(json_object_get(json_array_get(list, i), "name"));

		assert_string_equal(faults_of(name, operation_find(name)->example, true), "");
	}
}

static void a_schema_says_what_is_checked(void **state)
{
	CLEANUP(json_decrefp) json_t *list = tools_of_main();

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
	const bool rights[RIGHT_COUNT] = {[RIGHT_NONE] = true, [RIGHT_REGISTER_GROUP] = true};
	CLEANUP(json_decrefp) json_t *list = tools_list(rights);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const json_t *schema;

	(void)state;
	assert_int_equal(json_array_size(list), 2); /* list_groups is for everybody */
	schema = json_object_get(json_array_get(list, 1), "inputSchema");
	json_write_ours(
		json_object_get(json_object_get(schema, "properties"), "folder"), false, &text);
	assert_string_equal(text.data,
		"{\"description\":\"its folder below 'groups'; made from the name if left out\","
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
		{"send_message", "{\"text\": null}", "'text' must be a string"},
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
			"'schedule_value' must be a string"},
		{"get_task_runs", "{\"task_id\": 1.5, \"limit\": 0}",
			"'task_id' must be a string; 'limit' must be a whole number from 1 to 1000, "
			"not in quotes"},
		{"get_task_runs", "{\"task_id\": 3, \"limit\": \"10\"}",
			"'limit' must be a whole number from 1 to 1000, not in quotes"},
		{"list_tasks", "{\"all\": \"yes\"}",
			"'all' must be true or false, not in quotes"},
		{"register_group", "{\"jid\": \"x\", \"name\": \"n\", \"folder\": \"../main\"}",
			"'folder' must match the pattern ^[a-z0-9][a-z0-9_-]*$"},
		{"register_group", "{\"jid\": \"x\", \"name\": \"n\", \"allow\": [1]}",
			"'allow' must be a string"},
		{"register_group", "{\"jid\": \"x\", \"name\": \"n\", \"allow\": \"x\"}",
			"'allow' must be a list of at most 100 strings"},
		{"register_group", "{\"jid\": \"x\", \"name\": \"n\", \"agent\": \"sh\"}",
			"there is no argument 'agent' (it has 'jid', 'name', 'folder', 'trigger', "
			"'requires_trigger', 'instructions', 'allow')"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(
			faults_of(cases[i].tool, cases[i].arguments, true), cases[i].wanted);
}

static void lengths_are_counted_in_characters(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	buf_append_str(&text, "{\"jid\": \"x\", \"name\": \"");
	for (int i = 0; i < 200; i++)
		buf_append_str(&text, "é");
	buf_append_str(&text, "\"}");
	assert_string_equal(faults_of("register_group", text.data, true), "");
	buf_set_len(&text, text.len - 2);
	buf_append_str(&text, "x\"}");
	assert_string_equal(faults_of("register_group", text.data, true),
		"'name' must have at most 200 characters, and has 201");
}

static void many_unknown_arguments_are_not_all_named(void **state)
{
	CLEANUP(json_decrefp) json_t *arguments = json_object();
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *read = NULL;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		CLEANUP(freep) char *name = xasprintf("a%d", i);

		json_object_set_new(arguments, name, json_true());
	}
	assert_int_equal(
		operation_read(operation_find("list_groups"), arguments, true, &read, &err),
		-1);
	assert_true(strlen(err.message) < 300);
}

static void a_direct_call_may_be_less_strict(void **state)
{
	static const struct {
		const char *operation;
		const char *arguments;
		const char *wanted;
	} cases[] = {
		{"pause_task", "{\"task_id\": 4, \"op\": \"pause_task\", \"id\": 9}",
			"{\"task_id\":\"4\"}"},
		{"register_group", "{\"jid\": \"x\", \"name\": \"n\", \"agent\": \"sh\"}",
			"{\"agent\":\"sh\",\"jid\":\"x\",\"name\":\"n\"}"},
		{"schedule_task",
			"{\"prompt\": \"x\", \"schedule_type\": \"interval\", "
			"\"schedule_value\": 60000, \"tz\": null}",
			"{\"prompt\":\"x\",\"schedule_type\":\"interval\","
			"\"schedule_value\":\"60000\"}"},
		{"set_group_config", "{\"key\": \"k\", \"value\": null}",
			"{\"key\":\"k\",\"value\":null}"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		CLEANUP(json_decrefp) json_t *given = parse(cases[i].arguments);
		CLEANUP(json_decrefp) json_t *read = NULL;

		assert_int_equal(operation_read(operation_find(cases[i].operation), given,
					 false, &read, &err),
			0);
		json_write_ours(read, false, &text);
		assert_string_equal(text.data, cases[i].wanted);
	}
}

static void a_direct_call_has_bounds(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	buf_append_str(&text, "{\"text\": \"");
	for (int i = 0; i <= 256 * 1024; i++)
		buf_append_char(&text, 'x');
	buf_append_str(&text, "\"}");
	assert_string_equal(faults_of("send_message", text.data, false),
		"'text' must have at most 262144 bytes, and has 262145");
	assert_string_equal(
		faults_of("send_message", "{\"text\": [1]}", false), "'text' must be a string");
	assert_string_equal(faults_of("send_message", "{\"text\": null}", false),
		"'text' is missing (the message)");
}

/* --- the page ----------------------------------------------------------------- */

static void append_who(struct buf *out, const struct operation *o, bool right, bool elsewhere)
{
	buf_append_str(out, !right          ? " no |"
			    : !o->elsewhere ? " yes |"
			    : elsewhere     ? " any group |"
					    : " its own |");
}

static void append_row(struct buf *out, const struct operation *o)
{
	const char *before = " ";

	buf_appendf(out, "| `%s` | %s |", o->name, o->title ? "yes" : "no");
	for (int required = 1; required >= 0; required--) {
		for (const struct argument *a = o->arguments; a->name; a++) {
			if (a->required != required)
				continue;
			buf_appendf(out, "%s`%s`", before, a->name);
			before = ", ";
		}
		if (*before == ',')
			before = required ? "; " : before;
	}
	buf_appendf(out, " | %s |", o->description);
	append_who(out, o, rights_of_main(o->right), rights_of_main(o->elsewhere));
	append_who(out, o, rights_of_groups(o->right), rights_of_groups(o->elsewhere));
	buf_append_char(out, '\n');
}

#define PAGE       SOURCE_ROOT "/docs/host.md"
#define TABLE_HEAD "| operation | tool | arguments | what it does | main | other groups |\n"

/* For `make docs`. */
static void replace_table(const struct buf *page, const struct buf *table)
{
	const char *old = strstr(page->data, TABLE_HEAD);
	const char *rest = old ? strstr(old, "\n\n") : NULL;
	FILE *file;

	assert_non_null(rest);
	file = fopen(PAGE, "w");
	assert_non_null(file);
	fprintf(file, "%.*s%s%s", (int)(old - page->data), page->data, table->data, rest + 2);
	assert_int_equal(fclose(file), 0);
}

static void the_page_has_every_operation(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf page = BUF_INIT;
	CLEANUP(buf_release) struct buf table = BUF_INIT;

	(void)state;
	buf_append_str(&table, TABLE_HEAD "|---|---|---|---|---|---|\n");
	for (const struct operation *o = operation_table; o->name; o++)
		append_row(&table, o);
	buf_append_char(&table, '\n');
	assert_int_equal(file_read(PAGE, SIZE_MAX, &page, &err), 0);
	if (getenv("NANOCLAW_WRITE_DOCS")) {
		replace_table(&page, &table);
		return;
	}
	if (!strstr(page.data, table.data))
		fprintf(stderr, "'make docs' updates the table in docs/host.md to\n%s",
			table.data);
	assert_non_null(strstr(page.data, table.data));
}

static void operations_are_sorted_and_complete(void **state)
{
	(void)state;
	for (const struct operation *o = operation_table; o->name; o++) {
		assert_true(!o[1].name || strcmp(o->name, o[1].name) < 0);
		assert_true(!o->title || o->example);
		assert_non_null(o->description);
	}
}

TESTS(cmocka_unit_test(every_example_is_right), cmocka_unit_test(a_schema_says_what_is_checked),
	cmocka_unit_test(a_schema_is_published_as_it_should_be),
	cmocka_unit_test(what_breaks_the_schema_is_told),
	cmocka_unit_test(lengths_are_counted_in_characters),
	cmocka_unit_test(many_unknown_arguments_are_not_all_named),
	cmocka_unit_test(a_direct_call_may_be_less_strict),
	cmocka_unit_test(a_direct_call_has_bounds),
	cmocka_unit_test(the_page_has_every_operation),
	cmocka_unit_test(operations_are_sorted_and_complete))
