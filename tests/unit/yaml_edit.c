#include "test.h"

#include <string.h>

#include "format/yaml_edit.h"

struct edited {
	struct yaml_doc *doc;
	struct yaml_edit edit;
};

static struct edited begin(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct edited e = {0};

	if (yaml_parse(view_of(text), "m.yaml", &e.doc, &err) < 0)
		fail_msg("%s", err.message);
	e.edit = YAML_EDIT_INIT(view_of(text), e.doc);
	return e;
}

/* What comes out must be YAML again. */
static void assert_ends(struct edited *e, const char *expected)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *again = NULL;

	assert_int_equal(yaml_edit_finish(&e->edit, &out, &err), 0);
	assert_string_equal(out.data, expected);
	assert_int_equal(yaml_parse(view_of_buf(&out), "m.yaml", &again, &err), 0);
	yaml_edit_release(&e->edit);
	yaml_doc_free(e->doc);
}

static void a_scalar_keeps_its_quotes_and_comments(void **state)
{
	struct edited e = begin("# top\na: '1'  # one\nb: \"2\"\nc: 3 # three\n");

	(void)state;
	yaml_edit_scalar(&e.edit, yaml_get(e.doc->root, "a"), "10");
	yaml_edit_scalar(&e.edit, yaml_get(e.doc->root, "b"), "20");
	yaml_edit_field(&e.edit, "c", "x y");
	yaml_edit_field(&e.edit, "d", "new");
	assert_ends(&e, "# top\na: '10'  # one\nb: \"20\"\nc: x y # three\nd: new\n");
}

static void what_needs_quotes_gets_them(void **state)
{
	struct edited e = begin("a: x\nb: 'x'\n");

	(void)state;
	yaml_edit_field(&e.edit, "a", "1.0");
	yaml_edit_field(&e.edit, "b", "it's");
	assert_ends(&e, "a: \"1.0\"\nb: \"it's\"\n");
}

static void items_of_a_list_come_and_go(void **state)
{
	const struct yaml_edit_new added[] = {{NULL, "d"}, {NULL, "e f"}};
	const bool dropped[] = {true, false, true};
	struct edited e = begin("l:\n  - a\n  # about b\n  - b\n  - c # last\nz: 1\n");

	(void)state;
	yaml_edit_list(&e.edit, "l", dropped, added, 2);
	assert_ends(&e, "l:\n  # about b\n  - b\n  - d\n  - e f\nz: 1\n");
}

static void a_list_may_become_empty_and_full_again(void **state)
{
	const struct yaml_edit_new added[] = {{NULL, "x"}};
	const bool dropped[] = {true, true};
	struct edited e = begin("l:\n- a\n- b\nm: [] # none\nn:\no: ~\n");

	(void)state;
	yaml_edit_list(&e.edit, "l", dropped, NULL, 0);
	yaml_edit_list(&e.edit, "m", NULL, added, 1);
	yaml_edit_list(&e.edit, "n", NULL, added, 1);
	yaml_edit_list(&e.edit, "o", NULL, added, 1);
	assert_ends(&e, "l: []\nm:\n  - x # none\nn:\n  - x\no:\n  - x\n");
}

static void lists_in_brackets_stay_so(void **state)
{
	const struct yaml_edit_new added[] = {{NULL, "x,y"}};
	const bool first[] = {true, false, false}, last[] = {false, false, true};
	const bool all[] = {true, true};
	struct edited e = begin("a: [1, 2, 3]\nb: [1, 2, 3]\nc: [1, 2]\nd: [1]\n");

	(void)state;
	yaml_edit_list(&e.edit, "a", first, added, 1);
	yaml_edit_list(&e.edit, "b", last, added, 1);
	yaml_edit_list(&e.edit, "c", all, NULL, 0);
	yaml_edit_list(&e.edit, "d", NULL, added, 1);
	assert_ends(&e, "a: [2, 3, \"x,y\"]\nb: [1, 2, \"x,y\"]\nc: []\nd: [1, \"x,y\"]\n");
}

static void entries_of_a_mapping_are_items_too(void **state)
{
	const struct yaml_edit_new added[] = {{"k: 1", "v"}};
	const bool dropped[] = {true, false};
	struct edited e = begin("m:\n    a: 1\n    'b': 2\nn: {a: 1, b: 2}\n");
	const struct yaml_node *m = yaml_get(e.doc->root, "m");

	(void)state;
	yaml_edit_list(&e.edit, "m", dropped, added, 1);
	yaml_edit_key(&e.edit, &m->entries[1], "c");
	yaml_edit_scalar(&e.edit, m->entries[1].value, "3x");
	yaml_edit_list(&e.edit, "n", dropped, NULL, 0);
	assert_ends(&e, "m:\n    'c': 3x\n    \"k: 1\": v\nn: {b: 2}\n");
}

static void a_text_without_a_last_newline_gets_one(void **state)
{
	const struct yaml_edit_new added[] = {{NULL, "b"}};
	struct edited e = begin("l:\n  - a");

	(void)state;
	yaml_edit_list(&e.edit, "l", NULL, added, 1);
	yaml_edit_list(&e.edit, "m", NULL, added, 1);
	assert_ends(&e, "l:\n  - a\n  - b\n\nm:\n  - b\n");
}

static void a_node_that_is_edited_twice_is_refused(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct edited e = begin("a: x\n");

	(void)state;
	yaml_edit_field(&e.edit, "a", "long");
	yaml_edit_field(&e.edit, "a", "longer");
	assert_int_equal(yaml_edit_finish(&e.edit, &out, &err), -1);
	assert_string_equal(err.message, "'m.yaml' is written in a way that cannot be edited");
	yaml_edit_release(&e.edit);
	yaml_doc_free(e.doc);
}

TESTS(cmocka_unit_test(a_scalar_keeps_its_quotes_and_comments),
	cmocka_unit_test(what_needs_quotes_gets_them),
	cmocka_unit_test(items_of_a_list_come_and_go),
	cmocka_unit_test(a_list_may_become_empty_and_full_again),
	cmocka_unit_test(lists_in_brackets_stay_so),
	cmocka_unit_test(entries_of_a_mapping_are_items_too),
	cmocka_unit_test(a_text_without_a_last_newline_gets_one),
	cmocka_unit_test(a_node_that_is_edited_twice_is_refused))
