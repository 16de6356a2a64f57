#include "test.h"

#include <string.h>

#include "engine/state/remap.h"

static struct relpath path(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct relpath ret = RELPATH_INIT;

	assert_int_equal(relpath_parse(view_of(text), &ret, &err), 0);
	return ret;
}

static void add(struct state *state, const char *from, const char *to)
{
	CLEANUP(relpath_release) struct relpath a = path(from);
	CLEANUP(relpath_release) struct relpath b = path(to);

	remap_add(state, &a, &b);
}

static void assert_resolves(const struct state *state, const char *from, const char *to)
{
	CLEANUP(relpath_release) struct relpath a = path(from);
	CLEANUP(relpath_release) struct relpath real = remap_resolve(state, NULL, &a);

	assert_string_equal(real.text, to);
}

static size_t entries(const struct state *state)
{
	const struct yaml_node *mapping = yaml_get(state->doc->root, "path_remap");

	return mapping ? mapping->count : 0;
}

static size_t origins_of(const struct state *state, const char *name)
{
	CLEANUP(relpath_list_release) struct relpath_list origins = {0};
	CLEANUP(relpath_release) struct relpath p = path(name);

	remap_origins(state, &p, &origins);
	return origins.count;
}

static void what_led_to_the_old_name_leads_to_the_new_one(void **unused)
{
	CLEANUP(state_release) struct state state = STATE_INIT;

	(void)unused;
	state_init(&state, "1.0.0");
	assert_resolves(&state, "a", "a");
	add(&state, "a", "b");
	add(&state, "b", "c");
	assert_resolves(&state, "a", "c");
	assert_resolves(&state, "b", "c");
	assert_int_equal(entries(&state), 2);
	assert_int_equal(origins_of(&state, "c"), 2);
	assert_int_equal(origins_of(&state, "b"), 0);
}

static void a_file_that_gets_its_name_back_has_no_entry_for_it(void **unused)
{
	CLEANUP(state_release) struct state state = STATE_INIT;

	(void)unused;
	state_init(&state, "1.0.0");
	add(&state, "a", "b");
	add(&state, "b", "a");
	assert_resolves(&state, "a", "a");
	assert_resolves(&state, "b", "a");
	assert_int_equal(entries(&state), 1);
	add(&state, "a", "b");
	assert_resolves(&state, "a", "b");
	assert_resolves(&state, "b", "b");
	assert_int_equal(entries(&state), 1);
}

static void names_that_are_no_utf8_lead_somewhere_too(void **unused)
{
	CLEANUP(state_release) struct state state = STATE_INIT;

	(void)unused;
	state_init(&state, "1.0.0");
	add(&state, "caf\xe9", "n\xe9w");
	assert_resolves(&state, "caf\xe9", "n\xe9w");
	assert_int_equal(origins_of(&state, "n\xe9w"), 1);
}

/* Whatever is renamed to free names, the entries stay without a circle. */
static void many_renames_never_make_a_circle(void **unused)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	char first[2] = "a", now[2] = "a";
	uint32_t random = 7;

	(void)unused;
	state_init(&state, "1.0.0");
	for (size_t i = 0; i < 500; i++) {
		char next[2] = {0};

		random = random * 1664525 + 1013904223;
		next[0] = (char)('a' + (random >> 24) % 12);
		if (!strcmp(now, next))
			continue;
		add(&state, now, next);
		now[0] = next[0];
		assert_int_equal(remap_check(state.doc->root, &err), 0);
		assert_resolves(&state, first, now);
	}
}

TESTS(cmocka_unit_test(what_led_to_the_old_name_leads_to_the_new_one),
	cmocka_unit_test(a_file_that_gets_its_name_back_has_no_entry_for_it),
	cmocka_unit_test(names_that_are_no_utf8_lead_somewhere_too),
	cmocka_unit_test(many_renames_never_make_a_circle))
