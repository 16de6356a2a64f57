/* Which renames are found by content, and which are not. */
#include "core_source_run.h"

#define MOVED(to, from) "moved " to " <- " from " (found)\n"

static char *repeat(const char *line, size_t count)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (size_t i = 0; i < count; i++)
		buf_appendf(&text, "%s %zu\n", line, i);
	return buf_take(&text);
}

static void tiny_files_need_the_same_name(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a/__init__.py", "");
	put_base(temp, "one", "x\n");
	put_base(temp, "two/mod.js", "export {};\n");
	put_new(temp, "b/__init__.py", "");
	put_new(temp, "other", "x\n");
	put_new(temp, "three/mod.js", "export {};\n");
	assert_source(temp, "new", NULL,
		MOVED("b/__init__.py", "a/__init__.py") "added other\n" MOVED(
			"three/mod.js", "two/mod.js") "deleted one\n"
						      "remap a/__init__.py -> b/__init__.py\n"
						      "remap two/mod.js -> three/mod.js\n");
}

static void among_equal_files_the_names_decide(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a/left.c", LINES);
	put_base(temp, "a/right.c", LINES);
	put_new(temp, "b/right.c", LINES);
	put_new(temp, "b/left2.c", LINES);
	assert_source(temp, "new", NULL,
		MOVED("b/left2.c", "a/left.c")
			MOVED("b/right.c", "a/right.c") "remap a/left.c -> b/left2.c\n"
							"remap a/right.c -> b/right.c\n");
}

static void a_copy_is_no_rename(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a.c", LINES);
	put_new(temp, "a.c", LINES);
	put_new(temp, "b.c", LINES);
	assert_source(temp, "new", NULL, "same a.c\nadded b.c\n");
}

static void half_must_be_the_same(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *kept = repeat("a line that stays", 10);
	CLEANUP(freep) char *less = repeat("a line that stays", 8);
	CLEANUP(freep) char *more = repeat("another line here", 11);
	CLEANUP(freep) char *old = xasprintf("%s%s", kept, "");
	CLEANUP(freep) char *similar = xasprintf("%send of the file\n", less);
	CLEANUP(freep) char *other = xasprintf("%s%s", less, more);

	put_base(temp, "a.c", old);
	put_new(temp, "b.c", other);
	assert_source(temp, "new", NULL, "added b.c\ndeleted a.c\n");
	put_new(temp, "c.c", similar);
	assert_source(
		temp, "new", NULL, "added b.c\nchanged c.c <- a.c (found)\nremap a.c -> c.c\n");
}

static void the_more_similar_one_wins(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *old = repeat("a line that stays", 20);
	CLEANUP(freep) char *near = repeat("a line that stays", 19);
	CLEANUP(freep) char *far = repeat("a line that stays", 12);

	put_base(temp, "src/a.c", old);
	put_new(temp, "lib/a.c", far);
	put_new(temp, "z/b.c", near);
	assert_source(temp, "new", NULL,
		"added lib/a.c\nchanged z/b.c <- src/a.c (found)\nremap src/a.c -> z/b.c\n");
}

static void a_file_becomes_no_link(void **state)
{
	struct tempdir *temp = *state;

	put_base(temp, "a", "some/path/that/is/long/enough/to/be/told/by");
	put_new(temp, "k", "k\n");
	tempdir_symlink("some/path/that/is/long/enough/to/be/told/by", temp->fd, "new/b");
	assert_source(temp, "new", NULL, "added b\nadded k\ndeleted a\n");
}

/* Lines that all files have do not make them similar, nor the work endless. */
static void many_files_with_common_lines_are_told_apart(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(core_source_release) struct core_source source = CORE_SOURCE_INIT;
	CLEANUP(freep) char *common = repeat("/* the same header in every file */", 3);

	for (size_t i = 0; i < 300; i++) {
		CLEANUP(freep) char *own = xasprintf("function number %zu", i);
		CLEANUP(freep) char *body = repeat(own, 12);
		CLEANUP(freep) char *old = xasprintf("%s%s", common, body);
		CLEANUP(freep) char *new = xasprintf("%s%slast %zu\n", common, body, i);
		CLEANUP(freep) char *from = xasprintf("old/f%zu.c", i);
		CLEANUP(freep) char *to = xasprintf("new/g%zu.c", 300 - i);

		put_base(temp, from, old);
		put_new(temp, to, new);
	}
	open_source(temp, "new", "1.0.0", &source);
	assert_int_equal(source.renames.count, 300);
	for (size_t i = 0; i < 300; i++) {
		size_t number =
			strtoul(source.renames.list[i].from.text + strlen("old/f"), NULL, 10);
		CLEANUP(freep) char *to = xasprintf("new/g%zu.c", 300 - number);

		assert_string_equal(source.renames.list[i].to.text, to);
	}
}

TESTS(IN_PROJECT(tiny_files_need_the_same_name), IN_PROJECT(among_equal_files_the_names_decide),
	IN_PROJECT(a_copy_is_no_rename), IN_PROJECT(half_must_be_the_same),
	IN_PROJECT(the_more_similar_one_wins), IN_PROJECT(a_file_becomes_no_link),
	IN_PROJECT(many_files_with_common_lines_are_told_apart))
