#include "test.h"

#include <string.h>

#include "markup/markup.h"

static void renders(enum markup_dialect dialect, const char *source, const char *expected)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	markup_render(view_of(source), dialect, &out);
	assert_string_equal(out.data, expected);
}

#define SOURCE                                                                                 \
	"# Title\n"                                                                            \
	"A **bold *both*** a < b, `x<y` and [a _site_](https://example.org/?a=1&b).\n"         \
	"Next ~~gone~~\n"                                                                      \
	"- one\n"                                                                              \
	"  1. two\n"                                                                           \
	"> said\n"                                                                             \
	">\n"                                                                                  \
	"> again\n"                                                                            \
	"```sh\n"                                                                              \
	"a | b  # <c>\n"                                                                       \
	"```\n"

static void a_product_keeps_its_stars(void **state)
{
	(void)state;
	for (int dialect = MARKUP_PLAIN; dialect <= MARKUP_HTML; dialect++) {
		CLEANUP(buf_release) struct buf out = BUF_INIT;
		size_t stars = 0;

		markup_render(
			view_of("2*3*4 = a*b*c, 2**3**2"), (enum markup_dialect)dialect, &out);
		for (size_t i = 0; i < out.len; i++)
			stars += out.data[i] == '*';
		assert_int_equal(stars, 8);
	}
	renders(MARKUP_TELEGRAM, "2*3*4 is *24*, a**b**c", "2*3*4 is <i>24</i>, a<b>b</b>c");
	renders(MARKUP_IRC, "2*3*4", "2*3*4");
	renders(MARKUP_DISCORD, "2*3*4", "2\\*3\\*4");
}

static void each_dialect_has_its_own_marks(void **state)
{
	(void)state;
	renders(MARKUP_PLAIN, SOURCE,
		"Title\n\nA bold both a < b, x<y and a site (https://example.org/?a=1&b).\n"
		"Next gone\n\n- one\n  1. two\n\n> said\n>\n> again\n\na | b  # <c>");
	renders(MARKUP_TELEGRAM, SOURCE,
		"<b>Title</b>\n\nA <b>bold <i>both</i></b> a &lt; b, <code>x&lt;y</code> and "
		"<a href=\"https://example.org/?a=1&amp;b\">a site</a>.\nNext <s>gone</s>\n\n"
		"\u2022 one\n  1. two\n\n<blockquote>said\n\nagain</blockquote>\n\n"
		"<pre><code class=\"language-sh\">a | b  # &lt;c&gt;</code></pre>");
	renders(MARKUP_SLACK, SOURCE,
		"*Title*\n\nA *bold _both_* a &lt; b, `x&lt;y` and "
		"<https://example.org/?a=1&amp;b|a site>.\nNext ~gone~\n\n"
		"\u2022 one\n  1. two\n\n> said\n>\n> again\n\n```\na | b  # &lt;c&gt;\n```");
	renders(MARKUP_WHATSAPP, SOURCE,
		"*Title*\n\nA *bold _both_* a < b, `x<y` and a site (https://example.org/?a=1&b)."
		"\nNext ~gone~\n\n- one\n  1. two\n\n> said\n>\n> again\n\n```\na | b  # <c>\n```");
	renders(MARKUP_DISCORD, SOURCE,
		"**Title**\n\nA **bold *both*** a \\< b, `x<y` and "
		"[a site](https://example.org/?a=1&b).\nNext ~~gone~~\n\n"
		"- one\n  1. two\n\n> said\n>\n> again\n\n```sh\na | b  # <c>\n```");
	renders(MARKUP_IRC, SOURCE,
		"\x02Title\x02\n\nA \x02"
		"bold \x1d"
		"both\x1d\x02 a < b, \x11x<y\x11 and a site (https://example.org/?a=1&b).\n"
		"Next \x1egone\x1e\n\n- one\n  1. two\n\n> said\n>\n> again\n\na | b  # <c>");
	renders(MARKUP_HTML, SOURCE,
		"<h1>Title</h1>\n<p>A <strong>bold <em>both</em></strong> a &lt; b, "
		"<code>x&lt;y</code> and <a href=\"https://example.org/?a=1&amp;b\">a "
		"<em>site</em></a>.<br>\nNext <del>gone</del></p>\n<ul>\n<li>one<ol>\n"
		"<li>two</li>\n</ol>\n</li>\n</ul>\n<blockquote>\n<p>said</p>\n<p>again</p>\n"
		"</blockquote>\n<pre><code class=\"language-sh\">a | b  # &lt;c&gt;\n"
		"</code></pre>\n");
}

static void marks_in_an_address_stay_in_it(void **state)
{
	(void)state;
	renders(MARKUP_TELEGRAM, "**see** https://e.org/_a_/*b*?c=~d~.",
		"<b>see</b> https://e.org/_a_/*b*?c=~d~.");
	renders(MARKUP_DISCORD, "https://e.org/a_b_c a_b", "https://e.org/a_b_c a\\_b");
	renders(MARKUP_SLACK, "**https://e.org/a_b**", "*https://e.org/a_b*");
	renders(MARKUP_PLAIN, "`https://e.org/_a_`", "https://e.org/_a_");
	renders(MARKUP_SLACK, "[a](https://e.org/_b_)", "<https://e.org/_b_|a>");
}

static void a_link_that_is_not_for_people_is_text(void **state)
{
	(void)state;
	renders(MARKUP_TELEGRAM, "[x](javascript:alert(1))", "x (javascript:alert(1))");
	renders(MARKUP_HTML, "[x](/etc/passwd)", "<p>x (/etc/passwd)</p>\n");
	renders(MARKUP_TELEGRAM, "[x](https://e.org/\"><b>)",
		"<a href=\"https://e.org/%22%3E%3Cb%3E\">x</a>");
	renders(MARKUP_HTML, "<script>alert(1)</script>",
		"<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n");
}

static void styles_end_where_platforms_end_them(void **state)
{
	(void)state;
	/* At the end of a line, around code, at words. */
	renders(MARKUP_SLACK, "**one\ntwo**", "*one*\n*two*");
	renders(MARKUP_SLACK, "**a `b` c**", "*a* `b` *c*");
	renders(MARKUP_SLACK, "a**b**c", "a\u200b*b*\u200bc");
	renders(MARKUP_SLACK, "[**a** `b`](https://e.org)", "<https://e.org|a b>");
	renders(MARKUP_TELEGRAM, "> a\n> > b", "<blockquote>a\n\nb</blockquote>");
	renders(MARKUP_DISCORD, "```\na ``` b\n```", "```\na ``\u200b` b\n```");
	renders(MARKUP_SLACK, "``a ` b``", "a ` b");
}

static void a_table_is_lines(void **state)
{
	(void)state;
	renders(MARKUP_SLACK, "| a | b |\n|---|---|\n| c | d |", "*a* | *b*\nc | d");
	renders(MARKUP_PLAIN, "- [ ] do\n- [x] done\n\n---\n&lt;&#65;",
		"- \u2610 do\n- \u2611 done\n\n\u2014\u2014\u2014\n\n<A");
}

/* Every cell of a short row is written, so rows can be many times as long as their source. */
static void a_source_that_would_grow_is_plain_lines(void **state)
{
	CLEANUP(buf_release) struct buf source = BUF_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	(void)state;
	for (int i = 0; i < 2000; i++)
		buf_append_str(&source, "|a");
	buf_append_str(&source, "|\n");
	for (int i = 0; i < 2000; i++)
		buf_append_str(&source, "|-");
	buf_append_str(&source, "|\n");
	for (int i = 0; i < 5000; i++)
		buf_append_str(&source, "|\n");
	markup_render(view_of_buf(&source), MARKUP_HTML, &out);
	assert_true(out.len < 20 * source.len);
	assert_non_null(strstr(out.data, "<p>|a|a"));
}

static void parts_of(const char *text, const struct markup_form *form,
	const char *const *expected, size_t count)
{
	CLEANUP(string_array_release) struct string_array parts = {0};

	markup_split(view_of(text), form, &parts);
	for (size_t i = 0; i < parts.count && i < count; i++)
		assert_string_equal(parts.list[i], expected[i]);
	assert_int_equal(parts.count, count);
}

#define PARTS(text, most, ...)                                                                 \
	parts_of(text, &(struct markup_form){.limit = (most)},                                 \
		(const char *const[]){__VA_ARGS__},                                            \
		sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void a_text_is_cut_where_a_reader_would(void **state)
{
	(void)state;
	PARTS("short", 0, "short");
	parts_of("  ", &(struct markup_form){.limit = 20}, NULL, 0);
	PARTS("one paragraph\n\nand then two", 20, "one paragraph", "and then two");
	PARTS("a first line\nsecond one", 20, "a first line", "second one");
	PARTS("It is so. Or is it not?", 20, "It is so. Or is it", "not?");
	PARTS("One sentence. And more of it", 20, "One sentence.", "And more of it");
	PARTS("aaaaaaaaaaaaaaaaaaaaaaaa", 20, "aaaaaaaaaaaaaaaaaaaa", "aaaa");
	PARTS("- one item\n- two items\n  - and three", 24, "- one item\n- two items",
		"  - and three");
	PARTS("before it [a link](https://e.org) after", 30, "before it",
		"[a link](https://e.org) after");
}

static void what_is_open_at_a_cut_is_closed_and_opened_again(void **state)
{
	(void)state;
	PARTS("```sh\nfirst line\nsecond line\n```\nend", 24, "```sh\nfirst line\n```",
		"```sh\nsecond line\n```", "end");
	PARTS("> ~~~\n> first line\n> second line\n> ~~~", 30, "> ~~~\n> first line\n> ~~~",
		"> ~~~\n> second line\n> ~~~");
	PARTS("**one two three four five**", 20, "**one two three**", "**four five**");
	PARTS("> one two three four five", 20, "> one two three four", "> five");
	PARTS("`one two three four five`", 20, "`one two three four`", "`five`");
}

static void a_cut_begins_no_other_block(void **state)
{
	struct markup_form form = {MARKUP_PLAIN, MARKUP_BYTES, 64};

	(void)state;
	parts_of(
		"one two three four five six seven eight nine ten eleven twelve 13\n[fourteen]: "
		"fifteen",
		&form,
		(const char *const[]){"one two three four five six seven eight nine ten eleven "
				      "twelve",
			"13\n[fourteen]: fifteen"},
		2);
	parts_of("one two three four five six seven eight nine ten eleven twelve ~~~ fourteen",
		&form,
		(const char *const[]){"one two three four five six seven eight nine ten eleven "
				      "twelve",
			"\\~~~ fourteen"},
		2);
}

static void a_cut_hides_no_letter(void **state)
{
	struct markup_form form = {MARKUP_HTML, MARKUP_BYTES, 64};
	CLEANUP(string_array_release) struct string_array parts = {0};
	CLEANUP(buf_release) struct buf seen = BUF_INIT;

	(void)state;
	/* Within its first words this would be a fence. */
	markup_split(view_of("> > ````a ` words and words and words and words"), &form, &parts);
	for (size_t i = 0; i < parts.count; i++)
		markup_render(view_of(parts.list[i]), MARKUP_HTML, &seen);
	assert_null(strstr(seen.data, "language-a"));
	assert_non_null(strstr(seen.data, "````a"));
}

static void a_definition_that_nothing_refers_to_is_text(void **state)
{
	(void)state;
	renders(MARKUP_PLAIN, "Sources:\n\n[one]: https://example.org/a_b\n",
		"Sources:\n\n[one]: https://example.org/a_b");
	renders(MARKUP_PLAIN, "> [one]: https://example.org", "> [one]: https://example.org");
	renders(MARKUP_PLAIN, "See [One].\n\n[one]: https://example.org",
		"See One (https://example.org).");
	renders(MARKUP_PLAIN, "```\n[one]: two\n```", "[one]: two");
	renders(MARKUP_HTML, "[one]: two", "<p>[one]: two</p>\n");
}

static void the_limit_is_in_the_unit_of_the_platform(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	static const size_t counts[] = {
		[MARKUP_BYTES] = 25, [MARKUP_UTF16] = 13, [MARKUP_CHARACTERS] = 7};

	(void)state;
	for (int i = 0; i < 100; i++)
		buf_append_str(&text, "\xf0\x9f\x99\x82");
	for (int unit = MARKUP_BYTES; unit <= MARKUP_CHARACTERS; unit++) {
		CLEANUP(string_array_release) struct string_array parts = {0};
		struct markup_form form = {MARKUP_SOURCE, (enum markup_unit)unit, 16};

		markup_split(view_of_buf(&text), &form, &parts);
		assert_int_equal(parts.count, counts[unit]);
		assert_int_equal(strlen(parts.list[0]) % 4, 0);
	}
	assert_int_equal(markup_length(view_of("a\u00e9\xf0\x9f\x99\x82"), MARKUP_BYTES), 7);
	assert_int_equal(markup_length(view_of("a\u00e9\xf0\x9f\x99\x82"), MARKUP_UTF16), 4);
	assert_int_equal(
		markup_length(view_of("a\u00e9\xf0\x9f\x99\x82"), MARKUP_CHARACTERS), 3);
}

/* "&" is five bytes for Telegram, and it is the rendered text that has to fit. */
static void the_rendered_text_is_within_the_limit(void **state)
{
	CLEANUP(string_array_release) struct string_array parts = {0};
	struct markup_form form = {MARKUP_TELEGRAM, MARKUP_BYTES, 64};

	(void)state;
	markup_split(view_of("& & & & & & & & & & & & & & & & & & & &"), &form, &parts);
	assert_int_equal(parts.count, 2);
	assert_string_equal(parts.list[0], "& & & & & & & & & &");
}

static int count_bytes(const char *text)
{
	return (int)strlen(text);
}

static void a_page_is_wrapped_at_words(void **state)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct markup_page page = {20, 5, count_bytes};

	(void)state;
	markup_render_page(view_of("some **bold words** and\n- an item that is long\n```\ncode "
				   "that is not wrapped\n```"),
		MARKUP_TERMINAL, &page, &out);
	assert_string_equal(out.data,
		"some \033[1mbold words\033[22m\nand\n\n\u2022 an item that is\n  long\n\n"
		"    code that is not wrapped");
}

TESTS(cmocka_unit_test(a_product_keeps_its_stars),
	cmocka_unit_test(each_dialect_has_its_own_marks),
	cmocka_unit_test(marks_in_an_address_stay_in_it),
	cmocka_unit_test(a_link_that_is_not_for_people_is_text),
	cmocka_unit_test(styles_end_where_platforms_end_them),
	cmocka_unit_test(a_table_is_lines),
	cmocka_unit_test(a_source_that_would_grow_is_plain_lines),
	cmocka_unit_test(a_text_is_cut_where_a_reader_would),
	cmocka_unit_test(what_is_open_at_a_cut_is_closed_and_opened_again),
	cmocka_unit_test(a_cut_begins_no_other_block), cmocka_unit_test(a_cut_hides_no_letter),
	cmocka_unit_test(a_definition_that_nothing_refers_to_is_text),
	cmocka_unit_test(the_limit_is_in_the_unit_of_the_platform),
	cmocka_unit_test(the_rendered_text_is_within_the_limit),
	cmocka_unit_test(a_page_is_wrapped_at_words))
