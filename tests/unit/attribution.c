#include "test.h"

#include <string.h>

#include "engine/look/attribution.h"

#define MAX_LINES 64

static const struct author core = {AUTHOR_CORE, NULL, false};
static const struct author first = {AUTHOR_SKILL, "1", false};
static const struct author second = {AUTHOR_SKILL, "2", false};

static void claim(const char *text, const char *without, const char *with,
	const struct author *author, const struct author **owners)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(attribution_claim(view_of(text), view_of(without), view_of(with),
				 author, owners, &err),
		0);
}

/* "c" for a line of the core, the name for that of a skill, "-" for nobody's. */
static void assert_owners(const struct author *const *owners, const char *expected)
{
	char found[MAX_LINES] = "";

	for (size_t i = 0; i < strlen(expected); i++)
		found[i] = !owners[i]                       ? '-'
			   : owners[i]->kind == AUTHOR_CORE ? 'c'
							    : owners[i]->name[0];
	assert_string_equal(found, expected);
}

static void each_layer_has_the_lines_that_it_brought(void **state)
{
	const struct author *owners[MAX_LINES] = {0};
	const char *text = "a\none\nb\ntwo\nc\nhand\n";

	(void)state;
	claim(text, "", "a\nb\nc\n", &core, owners);
	claim(text, "a\nb\nc\n", "a\none\nb\nc\n", &first, owners);
	claim(text, "a\nb\nc\n", "a\nb\ntwo\nc\n", &second, owners);
	assert_owners(owners, "c1c2c-");
}

static void a_skill_on_top_of_another_has_only_its_own_lines(void **state)
{
	const struct author *owners[MAX_LINES] = {0};
	const char *text = "a\none\ntwo\nb\n";

	(void)state;
	claim(text, "", "a\nb\n", &core, owners);
	claim(text, "a\nb\n", "a\none\nb\n", &first, owners);
	claim(text, "a\nb\n", "a\none\ntwo\nb\n", &second, owners);
	assert_owners(owners, "c12c");
}

static void a_line_that_is_deleted_again_is_nobodys(void **state)
{
	const struct author *owners[MAX_LINES] = {0};

	(void)state;
	claim("a\nb\n", "", "a\nb\n", &core, owners);
	claim("a\nb\n", "a\nb\n", "a\none\nb\n", &first, owners);
	assert_owners(owners, "cc");
}

static void a_line_of_the_core_that_a_layer_only_kept_is_not_its(void **state)
{
	const struct author *owners[MAX_LINES] = {0};

	(void)state;
	claim("a\nb\n", "a\nb\n", "a\nb\none\n", &first, owners);
	assert_owners(owners, "--");
}

static void a_last_line_without_newline_is_another_line(void **state)
{
	const struct author *owners[MAX_LINES] = {0};

	(void)state;
	claim("a\nb", "", "a\nb\n", &core, owners);
	claim("a\nb", "a\nb\n", "a\nb", &first, owners);
	assert_owners(owners, "c1");
}

static void lines_that_may_begin_earlier_are_found_at_their_other_end(void **state)
{
	const struct author *owners[MAX_LINES] = {0};
	const char *text = "x\n;;\nfind\n;;\ny\n";

	(void)state;
	/* The core was matched with the second of the two equal lines. */
	owners[0] = owners[3] = owners[4] = &core;
	claim(text, "x\n;;\ny\n", "x\n;;\nfind\n;;\ny\n", &first, owners);
	assert_owners(owners, "c11cc");
	memset(owners, 0, sizeof(owners));
	/* And with the first of them. */
	owners[0] = owners[1] = owners[4] = &core;
	claim(text, "x\n;;\ny\n", "x\n;;\nfind\n;;\ny\n", &first, owners);
	assert_owners(owners, "cc11c");
}

/* A file of unique lines, and what each layer has of it. */
struct history {
	struct buf core, first, second, text;
	char owners[MAX_LINES];
	size_t count;
};

static void history_release(struct history *h)
{
	buf_release(&h->core);
	buf_release(&h->first);
	buf_release(&h->second);
	buf_release(&h->text);
}

/* Each line has a random author, and may be deleted in the end. */
static void make_history(struct history *h, unsigned *seed)
{
	*h = (struct history){BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT, "", 0};
	for (int i = 0; i < MAX_LINES - 1; i++) {
		char author = "c12-"[rand_r(seed) % 4];

		if (author == 'c')
			buf_appendf(&h->core, "%d\n", i);
		if (author == 'c' || author == '1')
			buf_appendf(&h->first, "%d\n", i);
		if (author != '-')
			buf_appendf(&h->second, "%d\n", i);
		if (rand_r(seed) % 5 == 0)
			continue;
		buf_appendf(&h->text, "%d\n", i);
		h->owners[h->count++] = author;
	}
}

static void every_unique_line_has_its_author(void **state)
{
	unsigned seed = 1;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		const struct author *owners[MAX_LINES] = {0};
		CLEANUP(history_release) struct history h;

		make_history(&h, &seed);
		claim(h.text.data, "", h.core.data, &core, owners);
		claim(h.text.data, h.core.data, h.first.data, &first, owners);
		claim(h.text.data, h.core.data, h.second.data, &second, owners);
		assert_owners(owners, h.owners);
	}
	print_message("# seed 1, 1000 histories\n");
}

TESTS(cmocka_unit_test(each_layer_has_the_lines_that_it_brought),
	cmocka_unit_test(a_skill_on_top_of_another_has_only_its_own_lines),
	cmocka_unit_test(a_line_that_is_deleted_again_is_nobodys),
	cmocka_unit_test(a_line_of_the_core_that_a_layer_only_kept_is_not_its),
	cmocka_unit_test(a_last_line_without_newline_is_another_line),
	cmocka_unit_test(lines_that_may_begin_earlier_are_found_at_their_other_end),
	cmocka_unit_test(every_unique_line_has_its_author))
