#include "test.h"

#include <string.h>

#include "engine/state/layer_list.h"
#include "engine/state/record.h"

static const struct layer_file program = {
	.kind = TX_FILE, .mode_known = true, .executable = true, .hash = {{1}}};
static const struct layer_file absent = {.kind = TX_ABSENT};

static void a_part_has_modes_unless_they_are_in_a_patch(void **unused)
{
	CLEANUP(state_release) struct state state = STATE_INIT;
	const struct record_part part = {absent, program};
	struct yaml_node *entry;
	struct record_part read;

	(void)unused;
	state_init(&state, "1.0.0");
	entry = yaml_new_mapping(state.doc);
	assert_false(record_part(entry, view_of("a"), &read));
	record_set_part(entry, view_of("a"), &part);
	assert_true(record_part(entry, view_of("a"), &read));
	assert_true(layer_file_equal(&read.before, &absent));
	assert_true(layer_file_equal(&read.after, &program));
	record_set_patch(entry, ".nanoclaw/custom/001-a.patch", view_of("text"));
	record_set_part(entry, view_of("a"), &part);
	assert_true(record_part(entry, view_of("a"), &read));
	assert_false(read.after.executable);
}

static void a_dropped_file_is_nowhere_in_the_entry(void **unused)
{
	CLEANUP(state_release) struct state state = STATE_INIT;
	const struct record_part part = {absent, program};
	const char *name = "caf\xe9"; /* not UTF-8 */
	struct layer layer = {.kind = LAYER_SKILL};
	struct layer_file file;

	(void)unused;
	state_init(&state, "1.0.0");
	layer.node = yaml_new_mapping(state.doc);
	record_list_add(layer.node, RECORD_ADDED, view_of(name));
	record_list_add(layer.node, RECORD_ADDED, view_of("other"));
	record_set_part(layer.node, view_of(name), &part);
	layer_set(layer.node, view_of(name), &program);
	assert_true(record_lists(layer.node, RECORD_ADDED, view_of(name)));
	record_drop_file(layer.node, view_of(name));
	assert_false(record_lists(layer.node, RECORD_ADDED, view_of(name)));
	assert_true(record_lists(layer.node, RECORD_ADDED, view_of("other")));
	assert_int_equal(record_part_count(layer.node), 0);
	assert_false(layer_get(&layer, view_of(name), &file));
}

static void operations_are_read_in_their_order(void **unused)
{
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(relpath_release) struct relpath a = relpath_of("a");
	CLEANUP(relpath_release) struct relpath b = relpath_of("b");
	CLEANUP(record_ops_release) struct record_ops ops = {0};
	struct yaml_node *entry;

	(void)unused;
	state_init(&state, "1.0.0");
	entry = yaml_new_mapping(state.doc);
	record_add_op(entry, &b, NULL);
	record_add_op(entry, &a, &b);
	ops = record_ops(entry);
	assert_int_equal(ops.count, 2);
	assert_int_equal(ops.list[0].type, FILE_OP_DELETE);
	assert_string_equal(ops.list[0].from.text, "b");
	assert_int_equal(ops.list[1].type, FILE_OP_RENAME);
	assert_string_equal(ops.list[1].from.text, "a");
	assert_string_equal(ops.list[1].to.text, "b");
}

static void assert_refused(const char *member, const char *why)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(freep) char *text = xasprintf("applied_skills: [{name: s, %s}]\n", member);

	assert_int_equal(state_parse(view_of(text), "state.yaml", &state, &err), -1);
	assert_non_null(strstr(err.message, why));
}

static void names_that_lead_out_of_the_project_are_refused(void **unused)
{
	(void)unused;
	assert_refused("renames: {a: ../b}", "..");
	assert_refused("moved: {a: .git/b}", ".git/b");
	assert_refused("file_ops: [{type: delete, path: /etc}]", "/etc");
	assert_refused("file_ops: [{type: rename, from: a}]", "'to' is missing");
	assert_refused("file_ops: yes", "file_ops");
}

static struct yaml_node *add_patch(struct state *state, const char *name)
{
	struct yaml_node *entry = yaml_new_mapping(state->doc);

	record_set_patch(entry, name, view_of("text"));
	layers_add_patch(state, entry, false);
	return entry;
}

static void add_skill(struct state *state, const char *name)
{
	struct yaml_node *entry = yaml_new_mapping(state->doc);

	yaml_set_string(entry, "name", name);
	state_append(state, entry);
}

static void patches_of_dropped_skills_come_after_the_one_below(void **unused)
{
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(string_array_release) struct string_array dropped = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const struct yaml_node *second, *third;

	(void)unused;
	state_init(&state, "1.0.0");
	add_skill(&state, "first");
	add_skill(&state, "second");
	second = add_patch(&state, ".nanoclaw/custom/001-a.patch");
	add_skill(&state, "third");
	third = add_patch(&state, ".nanoclaw/custom/002-b.patch");
	add_skill(&state, "last");
	string_array_add(&dropped, "second");
	string_array_add(&dropped, "third");
	layers_drop_skills(&state, &dropped);
	assert_int_equal(layers_read(&state, &layers, &err), 0);
	assert_int_equal(layers.count, 4);
	assert_string_equal(layers.list[0].name, "first");
	assert_ptr_equal(layers.list[1].node, second);
	assert_ptr_equal(layers.list[2].node, third);
	assert_string_equal(layers.list[3].name, "last");
}

TESTS(cmocka_unit_test(a_part_has_modes_unless_they_are_in_a_patch),
	cmocka_unit_test(a_dropped_file_is_nowhere_in_the_entry),
	cmocka_unit_test(operations_are_read_in_their_order),
	cmocka_unit_test(names_that_lead_out_of_the_project_are_refused),
	cmocka_unit_test(patches_of_dropped_skills_come_after_the_one_below))
