#include "test.h"

#include <string.h>

#include "fs/relpath.h"

static void assert_accepted_bytes(const char *data, size_t len)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	assert_int_equal(relpath_parse((struct view){data, len}, &path, &err), 0);
	assert_int_equal(strlen(path.text), len);
	assert_memory_equal(path.text, data, len);
}

static void assert_accepted(const char *text)
{
	assert_accepted_bytes(text, strlen(text));
}

static void assert_refused_bytes(const char *data, size_t len, const char *reason)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct relpath path = RELPATH_INIT;

	assert_int_equal(relpath_parse((struct view){data, len}, &path, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_non_null(strstr(err.message, reason));
	assert_null(path.text);
}

static void assert_refused(const char *text, const char *reason)
{
	assert_refused_bytes(text, strlen(text), reason);
}

static struct relpath parse(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct relpath path = RELPATH_INIT;

	assert_int_equal(relpath_parse(view_of(text), &path, &err), 0);
	return path;
}

static void ordinary_paths_are_accepted(void **state)
{
	(void)state;
	assert_accepted("a");
	assert_accepted("src/channels/index.ts");
	assert_accepted(".env");
	assert_accepted("...");
	assert_accepted("..a/b..");
	assert_accepted("a.b/.c");
}

static void strange_but_legal_names_are_accepted(void **state)
{
	(void)state;
	assert_accepted(" ");
	assert_accepted("two words/ x ");
	assert_accepted("line\nbreak/\t\x01\x7f");
	assert_accepted("\xff\xfe/\x80");
	assert_accepted("back\\slash");
	assert_accepted("C:\\windows");
	assert_accepted("-rf");
	assert_accepted("'\"$(x)`");
}

static void each_thing_that_is_wrong_has_its_reason(void **state)
{
	(void)state;
	assert_refused("", "is empty");
	assert_refused("/", "is absolute");
	assert_refused("/etc/passwd", "is absolute");
	assert_refused("//a", "is absolute");
	assert_refused(".", "component '.'");
	assert_refused("..", "component '..'");
	assert_refused("a/../b", "component '..'");
	assert_refused("../a", "component '..'");
	assert_refused("a/..", "component '..'");
	assert_refused("./a", "component '.'");
	assert_refused("a/./b", "component '.'");
	assert_refused("a//b", "empty component");
	assert_refused("a/", "ends in a slash");
	assert_refused("a//", "ends in a slash");
	assert_refused_bytes("a\0b", 3, "NUL byte");
	assert_refused_bytes("\0", 1, "NUL byte");
	assert_refused_bytes("a/..\0x", 6, "NUL byte");
	assert_refused_bytes(NULL, 0, "is empty");
}

static void a_component_has_at_most_255_bytes(void **state)
{
	char text[300];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[1] = '/';
	assert_accepted_bytes(text, 2 + 255);
	assert_refused_bytes(text, 2 + 256, "more than 255 bytes");
}

static void a_path_has_at_most_4095_bytes(void **state)
{
	char text[4097];

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % 2 ? '/' : 'x';
	assert_accepted_bytes(text, 4095);
	text[4095] = 'x';
	assert_refused_bytes(text, 4096, "longer than 4095");
}

static void the_reason_for_a_huge_path_is_not_buried(void **state)
{
	CLEANUP(freep) char *text = xmalloc(1 << 20);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct relpath path = RELPATH_INIT;

	(void)state;
	memset(text, '\n', 1 << 20);
	assert_int_equal(relpath_parse((struct view){text, 1 << 20}, &path, &err), -1);
	assert_true(strlen(err.message) < 1000);
	assert_null(strchr(err.message, '\n'));
}

static bool is_protected(const char *text)
{
	CLEANUP(relpath_release) struct relpath path = parse(text);

	return relpath_protected(&path);
}

static void every_spelling_of_git_is_protected_at_any_depth(void **state)
{
	static const char *const spellings[] = {
		".git",
		".GIT",
		".Git",
		".gIt",
		".git.",
		".git ",
		".git. . ",
		".git...",
		"git~1",
		"GIT~1",
		"Git~2",
		"git~1.",
		"git~1 ",
		".git::$INDEX_ALLOCATION",
		".git:x",
		".GIT ::$INDEX_ALLOCATION",
		"git~1::$INDEX_ALLOCATION",
		".g\xe2\x80\x8cit",             /* U+200C */
		"\xe2\x80\x8d.git",             /* U+200D in front */
		".git\xe2\x80\x8e",             /* U+200E at the end */
		".\xe2\x80\x8fGI\xe2\x80\xaaT", /* U+200F, U+202A */
		".gi\xe2\x80\xaet",             /* U+202E */
		".gi\xe2\x81\xaat",             /* U+206A */
		".gi\xe2\x81\xaft",             /* U+206F */
		"\xef\xbb\xbf.git",             /* U+FEFF */
		".git\xef\xbb\xbf ",
		".git\\config",
		"x\\.git\\config",
		"x\\git~1",
		".git\\",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++) {
		CLEANUP(freep) char *deep = xasprintf("a/%s/b", spellings[i]);
		CLEANUP(freep) char *last = xasprintf("a/b/%s", spellings[i]);
		CLEANUP(freep) char *first = xasprintf("%s/b", spellings[i]);

		assert_true(is_protected(spellings[i]));
		assert_true(is_protected(first));
		assert_true(is_protected(deep));
		assert_true(is_protected(last));
	}
}

static void names_that_only_resemble_git_are_free(void **state)
{
	static const char *const names[] = {
		".gitignore",
		".gitattributes",
		".github/workflows/ci.yaml",
		"git",
		".gi",
		".gitt",
		"..git",
		" .git",
		"git~",
		"git~a",
		"git~11",
		"git1",
		"x.git",
		".git-x",
		"a/.gitkeep",
		".g\xe2\x80\x8bit", /* U+200B is not ignored */
		".g\xe2\x80",       /* cut in the middle */
		".g\xc3\xaft",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_false(is_protected(names[i]));
}

static void nanoclaw_is_protected_at_the_top_only(void **state)
{
	(void)state;
	assert_true(is_protected(".nanoclaw"));
	assert_true(is_protected(".nanoclaw/state.yaml"));
	assert_true(is_protected(".NanoClaw/x"));
	assert_true(is_protected(".nanoclaw. /x"));
	assert_true(is_protected(".nanoclaw::$INDEX_ALLOCATION"));
	assert_true(is_protected(".nano\xe2\x80\x8c"
				 "claw/x"));
	assert_true(is_protected("NANOCL~1/x"));
	assert_true(is_protected(".nanoclaw\\x"));
	assert_true(is_protected("x\\..\\.nanoclaw"));
	assert_false(is_protected("a/.nanoclaw"));
	assert_false(is_protected("nanoclaw"));
	assert_false(is_protected(".nanoclaw2"));
	assert_false(is_protected(".nanoclaw-tmp-0123456789abcdef"));
}

static void a_path_is_its_parent_and_its_base_name(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = parse("a/b b/c");
	CLEANUP(relpath_release) struct relpath parent = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath joined = RELPATH_INIT;

	(void)state;
	assert_string_equal(relpath_base(&path), "c");
	assert_true(relpath_parent(&path, &parent));
	assert_string_equal(parent.text, "a/b b");
	assert_int_equal(relpath_join(&parent, view_of("c"), &joined, &err), 0);
	assert_int_equal(relpath_compare(&path, &joined), 0);
}

static void a_path_of_one_component_has_no_parent(void **state)
{
	CLEANUP(relpath_release) struct relpath path = parse("a");
	struct relpath parent = RELPATH_INIT;

	(void)state;
	assert_false(relpath_parent(&path, &parent));
	assert_null(parent.text);
	assert_string_equal(relpath_base(&path), "a");
	assert_int_equal(relpath_depth(&path), 1);
}

static void joining_cannot_leave_the_folder(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath dir = parse("a");
	CLEANUP(relpath_release) struct relpath joined = RELPATH_INIT;

	(void)state;
	assert_int_equal(relpath_join(&dir, view_of("../x"), &joined, &err), -1);
	error_clear(&err);
	assert_int_equal(relpath_join(&dir, view_of("/x"), &joined, &err), -1);
	error_clear(&err);
	assert_int_equal(relpath_join(&dir, view_of(""), &joined, &err), -1);
	error_clear(&err);
	assert_int_equal(relpath_join(NULL, view_of("x/y"), &joined, &err), 0);
	assert_string_equal(joined.text, "x/y");
}

static void components_come_in_order(void **state)
{
	CLEANUP(relpath_release) struct relpath path = parse("one/two/three");
	struct view rest = relpath_view(&path);
	struct view component;

	(void)state;
	assert_int_equal(relpath_depth(&path), 3);
	assert_true(relpath_next(&rest, &component));
	assert_true(view_equal_str(component, "one"));
	assert_true(relpath_next(&rest, &component));
	assert_true(view_equal_str(component, "two"));
	assert_true(relpath_next(&rest, &component));
	assert_true(view_equal_str(component, "three"));
	assert_false(relpath_next(&rest, &component));
}

static void paths_are_ordered_by_bytes(void **state)
{
	CLEANUP(relpath_release) struct relpath upper = parse("B");
	CLEANUP(relpath_release) struct relpath lower = parse("a");
	CLEANUP(relpath_release) struct relpath high = parse("\xc3\xa4");
	CLEANUP(relpath_release) struct relpath copy = relpath_copy(&high);

	(void)state;
	assert_true(relpath_compare(&upper, &lower) < 0);
	assert_true(relpath_compare(&lower, &high) < 0);
	assert_int_equal(relpath_compare(&high, &copy), 0);
}

static void assert_quoted(const char *text, const char *expected)
{
	CLEANUP(relpath_release) struct relpath path = parse(text);
	CLEANUP(freep) char *shown = relpath_quote(&path);

	assert_string_equal(shown, expected);
}

static void a_path_in_a_message_cannot_steer_the_terminal(void **state)
{
	(void)state;
	assert_quoted("a b/c", "'a b/c'");
	assert_quoted("a\nb\t", "'a\\nb\\t'");
	assert_quoted("\033[31m", "'\\033[31m'");
	assert_quoted("it's", "'it\\'s'");
	assert_quoted("a\\n", "'a\\\\n'");
	assert_quoted("gr\xc3\xbc\xc3\x9f"
		      "e",
		"'gr\xc3\xbc\xc3\x9f"
		"e'");
	assert_quoted("\xff", "'\\377'");
	assert_quoted("\xc2\x9b"
		      "31m",
		"'\\302\\23331m'"); /* CSI as C1 */
	assert_quoted("a\xe2\x80\xae"
		      "b",
		"'a\\342\\200\\256b'");            /* U+202E */
	assert_quoted("\xc0\xaf", "'\\300\\257'"); /* overlong slash */
	assert_quoted("\xf0\x9f\xa6\x9e", "'\xf0\x9f\xa6\x9e'");
	assert_quoted("\x7f", "'\\177'");
}

TESTS(cmocka_unit_test(ordinary_paths_are_accepted),
	cmocka_unit_test(strange_but_legal_names_are_accepted),
	cmocka_unit_test(each_thing_that_is_wrong_has_its_reason),
	cmocka_unit_test(a_component_has_at_most_255_bytes),
	cmocka_unit_test(a_path_has_at_most_4095_bytes),
	cmocka_unit_test(the_reason_for_a_huge_path_is_not_buried),
	cmocka_unit_test(every_spelling_of_git_is_protected_at_any_depth),
	cmocka_unit_test(names_that_only_resemble_git_are_free),
	cmocka_unit_test(nanoclaw_is_protected_at_the_top_only),
	cmocka_unit_test(a_path_is_its_parent_and_its_base_name),
	cmocka_unit_test(a_path_of_one_component_has_no_parent),
	cmocka_unit_test(joining_cannot_leave_the_folder),
	cmocka_unit_test(components_come_in_order),
	cmocka_unit_test(paths_are_ordered_by_bytes),
	cmocka_unit_test(a_path_in_a_message_cannot_steer_the_terminal))
