#include "test.h"

#include <string.h>

#include "engine/patch/patch.h"

static struct patch_side file(const char *text)
{
	return (struct patch_side){PATCH_FILE, false, view_of(text)};
}

static struct patch_side tool(const char *text)
{
	return (struct patch_side){PATCH_FILE, true, view_of(text)};
}

static struct patch_side link_to(const char *target)
{
	return (struct patch_side){PATCH_SYMLINK, false, view_of(target)};
}

static void add(struct patch *patch, const char *old_path, struct patch_side old,
	const char *new_path, struct patch_side new)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath from = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath to = RELPATH_INIT;

	assert_int_equal(relpath_parse(view_of(old_path), &from, &err), 0);
	assert_int_equal(relpath_parse(view_of(new_path), &to, &err), 0);
	assert_int_equal(patch_add_change(patch, &from, &old, &to, &new, &err), 0);
}

static void create(struct patch *patch, const char *path, struct patch_side new)
{
	add(patch, path, PATCH_SIDE_ABSENT, path, new);
}

static void delete (struct patch *patch, const char *path, struct patch_side old)
{
	add(patch, path, old, path, PATCH_SIDE_ABSENT);
}

static char *written(const struct patch *patch)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	assert_int_equal(patch_write(patch, &out, &err), 0);
	return buf_take(&out);
}

static void assert_written(const struct patch *patch, const char *expected)
{
	CLEANUP(freep) char *text = written(patch);

	assert_string_equal(text, expected);
}

static void find_renames(struct patch *patch)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(patch_find_renames(patch, &err), 0);
}

static void parse(const char *text, struct patch *ret_patch)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (patch_parse(view_of(text), "p", ret_patch, &err) < 0)
		fail_msg("%s", err.message);
}

/* The message begins with the name of the patch and the line. */
static void assert_fault(const char *text, const char *message)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	assert_int_equal(patch_parse(view_of(text), "p", &patch, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_int_equal(patch.count, 0);
	if (!strstr(err.message, message) || strncmp(err.message, "p:", 2) != 0)
		fail_msg("'%s' is not in '%s'", message, err.message);
}

#define A_ID     "78981922613b2afb6025042ff6bd878ac1994e85" /* a\n */
#define B_ID     "61780798228d17af2d34fce4cfbdf35556832472" /* b\n */
#define EMPTY_ID "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
#define NULL_ID  "0000000000000000000000000000000000000000"

/* --- writing ---------------------------------------------------------------------- */

static void a_changed_line_is_a_hunk_with_three_lines_around(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	add(&patch, "x", file("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), "x",
		file("1\n2\n3\n4\nfive\n6\n7\n8\n9\n"));
	assert_written(&patch, "diff --git a/x b/x\n"
			       "index 07193989308c972f8a2d0f1b3a15c29ea4ac565b.."
			       "4c5701d775286e43e9f53ee570f38b6070b09616 100644\n"
			       "--- a/x\n+++ b/x\n"
			       "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

static void changes_with_six_lines_between_are_one_hunk_and_with_seven_two(void **state)
{
	CLEANUP(patch_release) struct patch near = PATCH_INIT;
	CLEANUP(patch_release) struct patch far = PATCH_INIT;

	(void)state;
	add(&near, "x", file("a\n1\n2\n3\n4\n5\n6\nb\n"), "x",
		file("A\n1\n2\n3\n4\n5\n6\nB\n"));
	add(&far, "x", file("a\n1\n2\n3\n4\n5\n6\n7\nb\n"), "x",
		file("A\n1\n2\n3\n4\n5\n6\n7\nB\n"));
	assert_int_equal(near.changes[0].hunk_count, 1);
	assert_int_equal(far.changes[0].hunk_count, 2);
	assert_int_equal(far.changes[0].hunks[1].old_start, 5);
	assert_int_equal(far.changes[0].hunks[1].old_count, 4);
}

static void a_missing_newline_is_said_on_its_side(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(freep) char *text = NULL;

	(void)state;
	add(&patch, "x", file("a\nb"), "x", file("a\nb\n"));
	text = written(&patch);
	assert_non_null(
		strstr(text, "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"));
}

static void modes_are_written_as_git_does(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	add(&patch, "m", file("a\n"), "m", tool("a\n"));
	create(&patch, "t", tool("a\n"));
	add(&patch, "w", tool("a\n"), "w", file("b\n"));
	assert_written(&patch,
		"diff --git a/m b/m\nold mode 100644\nnew mode 100755\n"
		"diff --git a/t b/t\nnew file mode 100755\nindex " NULL_ID ".." A_ID "\n"
		"--- /dev/null\n+++ b/t\n@@ -0,0 +1 @@\n+a\n"
		"diff --git a/w b/w\nold mode 100755\nnew mode 100644\nindex " A_ID ".." B_ID
		"\n--- a/w\n+++ b/w\n@@ -1 +1 @@\n-a\n+b\n");
}

static void a_file_that_becomes_a_link_is_deleted_and_created(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(freep) char *text = NULL;
	const char *deleted, *created;

	(void)state;
	add(&patch, "x", file("a\n"), "x", link_to("a"));
	assert_int_equal(patch.count, 2);
	find_renames(&patch);
	assert_int_equal(patch.count, 2);
	text = written(&patch);
	deleted = strstr(text, "deleted file mode 100644\n");
	created = strstr(text, "new file mode 120000\n");
	assert_true(deleted && created && deleted < created);
}

static void empty_files_have_no_hunk(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	create(&patch, "n", file(""));
	delete (&patch, "o", file(""));
	assert_written(&patch,
		"diff --git a/n b/n\nnew file mode 100644\nindex " NULL_ID ".." EMPTY_ID "\n"
		"diff --git a/o b/o\ndeleted file mode 100644\nindex " EMPTY_ID ".." NULL_ID
		"\n");
}

static void what_is_the_same_is_no_change(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	add(&patch, "x", file("a\n"), "x", file("a\n"));
	add(&patch, "y", link_to("a"), "y", link_to("a"));
	add(&patch, "z", PATCH_SIDE_ABSENT, "z", PATCH_SIDE_ABSENT);
	assert_int_equal(patch.count, 0);
	assert_written(&patch, "");
}

static void unusual_names_are_quoted_and_spaces_end_in_a_tab(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(freep) char *text = NULL;

	(void)state;
	add(&patch, "caf\xc3\xa9\t\"\\", file("a\n"), "caf\xc3\xa9\t\"\\", file("b\n"));
	add(&patch, "two words", file("a\n"), "two words", file("b\n"));
	text = written(&patch);
	assert_non_null(strstr(text,
		"diff --git \"a/caf\\303\\251\\t\\\"\\\\\" \"b/caf\\303\\251\\t\\\"\\\\\"\n"));
	assert_non_null(strstr(text, "diff --git a/two words b/two words\n"));
	assert_non_null(strstr(text, "--- a/two words\t\n+++ b/two words\t\n"));
}

static void changes_are_sorted_by_path(void **state)
{
	CLEANUP(patch_release) struct patch one = PATCH_INIT;
	CLEANUP(patch_release) struct patch other = PATCH_INIT;
	CLEANUP(freep) char *text = NULL;

	(void)state;
	create(&one, "b", file("a\n"));
	create(&one, "a/c", file("b\n"));
	create(&other, "a/c", file("b\n"));
	create(&other, "b", file("a\n"));
	text = written(&one);
	assert_non_null(strstr(text, "diff --git a/a/c"));
	assert_true(strstr(text, "diff --git a/a/c") < strstr(text, "diff --git a/b"));
	assert_written(&other, text);
}

static void lines_that_come_and_go_are_counted(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	size_t added, removed;

	(void)state;
	add(&patch, "x", file("a\nb\nc"), "x", file("a\nB\nc\nd\n"));
	patch_count_lines(&patch.changes[0], &added, &removed);
	assert_int_equal(added, 3);
	assert_int_equal(removed, 2);
}

/* --- renames ---------------------------------------------------------------------- */

static void the_same_content_elsewhere_is_a_rename(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	delete (&patch, "old", tool("a\n"));
	create(&patch, "new", tool("a\n"));
	find_renames(&patch);
	assert_written(&patch,
		"diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n");
}

static void half_the_same_is_a_rename_with_hunks_and_less_is_not(void **state)
{
	CLEANUP(patch_release) struct patch half = PATCH_INIT;
	CLEANUP(patch_release) struct patch less = PATCH_INIT;

	(void)state;
	delete (&half, "o", file("1\n2\n3\n4\n"));
	create(&half, "n", file("1\n2\nC\nD\n"));
	find_renames(&half);
	assert_int_equal(half.count, 1);
	assert_true(patch_is_rename(&half.changes[0]));
	assert_int_equal(half.changes[0].similarity, 50);
	assert_int_equal(half.changes[0].hunk_count, 1);
	delete (&less, "o", file("1\n2\n3\n4\n"));
	create(&less, "n", file("1\nB\nC\nD\n"));
	find_renames(&less);
	assert_int_equal(less.count, 2);
}

static const struct patch_change *change_to(const struct patch *patch, const char *path)
{
	for (size_t i = 0; i < patch->count; i++)
		if (!strcmp(patch_path(&patch->changes[i])->text, path))
			return &patch->changes[i];
	fail_msg("no change to '%s'", path);
	return NULL;
}

static void the_same_name_and_the_most_similar_go_first(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	delete (&patch, "a/one", file("x\n"));
	delete (&patch, "a/two", file("x\n"));
	create(&patch, "b/two", file("x\n"));
	create(&patch, "b/zero", file("x\n"));
	delete (&patch, "p", file("1\n2\n3\n4\n5\n6\n"));
	create(&patch, "q", file("1\n2\n3\n4\nE\nF\n"));
	create(&patch, "r", file("1\n2\n3\n4\n5\nF\n"));
	find_renames(&patch);
	assert_string_equal(change_to(&patch, "b/two")->old.path.text, "a/two");
	assert_string_equal(change_to(&patch, "b/zero")->old.path.text, "a/one");
	assert_string_equal(change_to(&patch, "r")->old.path.text, "p");
	assert_null(change_to(&patch, "q")->old.path.text);
}

static void links_are_renamed_if_the_same_and_empty_files_never(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	delete (&patch, "e1", file(""));
	create(&patch, "e2", file(""));
	delete (&patch, "l1", link_to("there"));
	create(&patch, "l2", link_to("there"));
	delete (&patch, "m1", link_to("long/and/nearly/the/same/1"));
	create(&patch, "m2", link_to("long/and/nearly/the/same/2"));
	delete (&patch, "n1", file("text"));
	create(&patch, "n2", link_to("text"));
	find_renames(&patch);
	assert_int_equal(patch.count, 7);
	assert_true(patch_is_rename(change_to(&patch, "l2")));
}

static void a_link_that_becomes_a_folder_is_not_renamed(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	delete (&patch, "d", link_to("there"));
	create(&patch, "d/x", link_to("there"));
	find_renames(&patch);
	assert_int_equal(patch.count, 2);
}

static void a_link_that_becomes_an_empty_file_is_not_renamed(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	add(&patch, "x", link_to("there"), "x", file(""));
	create(&patch, "y", link_to("there"));
	find_renames(&patch);
	assert_int_equal(patch.count, 3);
}

static void very_many_files_are_told_apart_by_the_lines_of_their_own(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	for (unsigned i = 10; i < 400; i++) {
		CLEANUP(freep) char *old = xasprintf("old/%u", i);
		CLEANUP(freep) char *new = xasprintf("new/%u", 500 - i);
		CLEANUP(freep) char *text = xasprintf("1\n2\n3\n4\n%u\n", i);
		CLEANUP(freep) char *edited = xasprintf("%s%s", text, "more\n");

		delete (&patch, old, file(text));
		create(&patch, new, file(edited));
	}
	find_renames(&patch);
	assert_int_equal(patch.count, 390);
	assert_string_equal(change_to(&patch, "new/101")->old.path.text, "old/399");
}

/* --- parsing ---------------------------------------------------------------------- */

#define CHANGE "diff --git a/x b/x\nindex " A_ID ".." B_ID " 100644\n--- a/x\n+++ b/x\n"

static void what_git_writes_is_parsed(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	parse("From 123 Mon Sep 17\nSubject: x\n---\n x | 2 +-\n\n"
	      "diff --git a/x b/y z\nsimilarity index 70%\nrename from x\nrename to y z\n"
	      "index 7898192..6178079 100755\n--- a/x\n+++ b/y z\t\n@@ -1,2 +1,2 @@ int f()\n"
	      "\n-a\n+b\n\\ Kein Zeilenumbruch am Dateiende.\n-- \n2.39.5\n\n",
		&patch);
	assert_int_equal(patch.count, 1);
	assert_string_equal(patch.changes[0].new.path.text, "y z");
	assert_string_equal(patch.changes[0].old.id, "7898192");
	assert_true(patch.changes[0].new.executable);
	assert_int_equal(patch.changes[0].line, 6);
	assert_string_equal(patch.changes[0].hunks[0].lines.data,
		" \n-a\n+b\n\\ No newline at end of file\n");
}

static void paths_that_lead_outside_are_refused(void **state)
{
	static const char *const names[] = {"../x", "/x", "a/../../x", ".git/config",
		"a/.GIT/x", ".nanoclaw/state.yaml", "a//x", "x/"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		CLEANUP(freep)
		char *creation = xasprintf("diff --git a/%s b/%s\nnew file mode 100644\n"
					   "index " NULL_ID ".." EMPTY_ID "\n",
			names[i], names[i]);
		CLEANUP(freep)
		char *rename = xasprintf("diff --git a/x b/%s\nsimilarity index 100%%\n"
					 "rename from x\nrename to %s\n",
			names[i], names[i]);

		assert_fault(creation, "path ");
		assert_fault(rename, "path ");
	}
	assert_fault(
		"diff --git \"a/x\\000y\" \"b/x\\000y\"\nold mode 100644\nnew mode 100755\n",
		"NUL");
}

static void names_must_agree_everywhere(void **state)
{
	(void)state;
	assert_fault(
		"diff --git a/x b/y\nold mode 100644\nnew mode 100755\n", "p:3: the names");
	assert_fault("diff --git x y\nold mode 100644\nnew mode 100755\n", "p:3: the names");
	assert_fault("diff --git a/x b/x\nindex " A_ID ".." B_ID
		     " 100644\n--- a/z\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
		"p:3: the name after '--- '");
	assert_fault("diff --git a/x b/x\nindex " A_ID ".." B_ID
		     " 100644\n--- a/x\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n",
		"p:4: the name after '+++ '");
	assert_fault("diff --git \"a/x\\q\" \"b/x\\q\"\nold mode 100644\nnew mode 100755\n",
		"are ambiguous");
	assert_fault(CHANGE "@@ -1 +1 @@\n-a\n+b\n" CHANGE "@@ -1 +1 @@\n-a\n+b\n",
		"p:8: path 'x' is changed twice (first on line 1)");
}

static void headers_that_contradict_themselves_are_refused(void **state)
{
	static const struct {
		const char *header;
		const char *message;
	} cases[] = {
		{"old mode 100644\n", "p:2: 'old mode' and 'new mode'"},
		{"old mode 100644\nnew mode 100644\n", "p:3: the new mode is the old one"},
		{"old mode 100644\nnew mode 120000\n", "p:3: a file that becomes a link"},
		{"old mode 100644\nnew mode 160000\n", "p:3: a submodule"},
		{"old mode 100644\nnew mode 100600\n", "p:3: '100600' is not a mode"},
		{"old mode 100644\nold mode 100644\n", "p:3: a second line 'old mode ...'"},
		{"new file mode 100644\ndeleted file mode 100644\n", "p:3: a file is created"},
		{"new file mode 100644\n", "p:2: a created or deleted file"},
		{"new file mode 100644\nindex " NULL_ID ".." A_ID "\n", "p:3: the content is"},
		{"new file mode 100644\nindex " A_ID ".." EMPTY_ID "\n", "all zeros"},
		{"deleted file mode 100644\nindex " EMPTY_ID ".." A_ID "\n", "all zeros"},
		{"new file mode 100644\nindex " NULL_ID ".." EMPTY_ID " 100644\n", "two lines"},
		{"similarity index 100%\nrename from x\nrename to x\n", "p:4: the new name"},
		{"similarity index 101%\n", "p:2: the similarity"},
		{"rename from x\n", "p:2: a rename has"},
		{"copy from x\ncopy to x\n", "p:2: copies and rewrites"},
		{"index " A_ID ".." B_ID " 100644\n", "p:2: the content is missing"},
		{"index " A_ID ".." A_ID " 100644\n", "p:2: the new id is the old one"},
		{"index " A_ID ".." B_ID "\n", "p:2: the mode is missing"},
		{"index " A_ID " 100644\n", "p:2: an index line has two ids"},
		{"index 78..61 100644\n", "p:2: an id is 4 to 40"},
		{"index " A_ID ".." B_ID " 100644\nBinary files a/x and b/x differ\n",
			"p:3: the content of the binary file is missing"},
		{"", "p:1: the change changes nothing"},
		{"old mode 100644\nnew mode 100755\ngarbage\n", "p:4: this line belongs to no"},
		{"old mode 100644\nnew mode 100755\nGIT binary patch\n",
			"p:3: expected an 'index' line"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(freep)
		char *text = xasprintf("diff --git a/x b/x\n%s", cases[i].header);

		assert_fault(text, cases[i].message);
	}
}

static void hunks_must_be_what_they_say(void **state)
{
	(void)state;
	assert_fault(CHANGE, "p:4: a hunk is missing");
	assert_fault(CHANGE "@@ -1 +1\n-a\n+b\n", "p:5: a hunk begins with");
	assert_fault(CHANGE "@@ -0 +1 @@\n-a\n+b\n", "p:5: a hunk begins with");
	assert_fault(CHANGE "@@ -99999999999 +1 @@\n-a\n+b\n", "p:5: a hunk begins with");
	assert_fault(CHANGE "@@ -1,2 +1 @@\n-a\n+b\n", "p:7: the patch ends within a hunk");
	assert_fault(CHANGE "@@ -1 +1 @@\n-a\n+b", "p:6: the patch ends within a hunk");
	assert_fault(CHANGE "@@ -1 +1 @@\n-a\n-b\n", "p:7: the hunk has more lines");
	assert_fault(CHANGE "@@ -1 +1 @@\n-a\n+b\n+c\n", "p:8: this line belongs to no change");
	assert_fault(CHANGE "@@ -1 +1 @@\n-a\n*b\n", "p:7: a line of a hunk begins with");
	assert_fault(CHANGE "@@ -1 +1 @@\n a\n", "p:6: the hunk changes nothing");
	assert_fault(
		CHANGE "@@ -1 +1 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n", "p:8: the line numbers");
	assert_fault(
		CHANGE "@@ -1 +1 @@\n-a\n+b\n@@ -5 +6 @@\n-a\n+b\n", "p:8: the line numbers");
	assert_fault(CHANGE "@@ -1,2 +1 @@\n-a\n\\ No newline at end of file\n-b\n+b\n",
		"p:8: this line is after the last line");
	assert_fault(CHANGE "@@ -1 +1 @@\n-\n\\ No newline at end of file\n+b\n",
		"p:7: a last line without a newline");
	assert_fault("diff --git a/x b/x\nnew file mode 100644\nindex " NULL_ID ".." A_ID
		     "\n--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-b\n+a\n",
		"p:8: a file is created or deleted with all its lines");
}

static void changes_that_only_git_would_see_are_refused(void **state)
{
	(void)state;
	assert_fault("", "no change");
	assert_fault("just a text\n", "no change");
	assert_fault("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "p:1: a change without");
	assert_fault("text\n@@ -1 +1 @@\n-a\n+b\n" CHANGE "@@ -1 +1 @@\n-a\n+b\n",
		"p:2: a change without");
}

#define BINARY                                                                                 \
	"diff --git a/x b/x\nindex 8ab1f1dcd37dbd4bd1d4d0ea4c9a4e5ee1c1cb04.."                 \
	"f76dd238ade08917e6712764a16a22005a50573d 100644\nGIT binary patch\n"

static void damaged_binary_contents_are_refused(void **state)
{
	(void)state;
	assert_fault("diff --git a/x b/x\nindex 8ab1f1d..f76dd23 100644\nGIT binary patch\n"
		     "literal 0\nHc$@<O00001\n\nliteral 0\nHc$@<O00001\n\n",
		"whole ids");
	assert_fault(BINARY "litteral 1\n", "p:4: expected 'literal SIZE'");
	assert_fault(
		BINARY "literal 999999999\nHc$@<O00001\n\n", "p:4: the contents are too large");
	assert_fault(BINARY "literal 0\nHc$@<O0000\n\n", "p:5: this is not a line");
	assert_fault(BINARY "literal 0\nHc$@<O00\"01\n\n", "p:5: this is not a line");
	assert_fault(BINARY "literal 0\nHc$@<O00001\n", "p:5: the binary content has no end");
	assert_fault(BINARY "literal 1\nHc$@<O00001\n\n", "p:6: the compressed data");
	assert_fault(BINARY "literal 0\nHc$@<O00001\n\n", "p:6: expected 'literal SIZE'");
}

/* --- applying --------------------------------------------------------------------- */

static char *applied(const struct patch_change *change, enum patch_direction direction,
	struct patch_side before)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(patch_file_release) struct patch_file after = PATCH_FILE_INIT;

	if (patch_apply(change, direction, &before, &after, &err) < 0)
		return TAKE(err.message);
	return buf_take(&after.content);
}

static void assert_applied(const struct patch_change *change, enum patch_direction direction,
	struct patch_side before, const char *expected)
{
	CLEANUP(freep) char *result = applied(change, direction, before);

	assert_string_equal(result, expected);
}

static void a_text_needs_no_index_line(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	parse("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
	      "diff --git a/y b/y\nnew file mode 100755\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+y\n",
		&patch);
	assert_int_equal(patch.count, 2);
	assert_applied(&patch.changes[0], PATCH_FORWARD, tool("a\n"), "b\n");
	assert_applied(&patch.changes[0], PATCH_REVERSE, file("b\n"), "a\n");
	assert_applied(&patch.changes[1], PATCH_FORWARD, PATCH_SIDE_ABSENT, "y\n");
	assert_written(&patch,
		"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
		"diff --git a/y b/y\nnew file mode 100755\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+y\n");
}

static void hunks_apply_in_both_directions(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	static const char old[] = "a\nb\n1\n2\n3\n4\n5\n6\n7\nc\nd";
	static const char new[] = "B\n1\n2\n3\n4\n5\n6\n7\nx\ny\nc\nd\n";

	(void)state;
	add(&patch, "x", file(old), "x", file(new));
	assert_int_equal(patch.changes[0].hunk_count, 2);
	assert_applied(&patch.changes[0], PATCH_FORWARD, file(old), new);
	assert_applied(&patch.changes[0], PATCH_REVERSE, file(new), old);
}

static void a_hunk_that_does_not_fit_is_named(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	const struct patch_change *change;

	(void)state;
	parse(CHANGE "@@ -1 +1 @@\n-a\n+b\n@@ -4,2 +4,2 @@\n c\n-d\n+e\n", &patch);
	change = &patch.changes[0];
	assert_applied(change, PATCH_FORWARD, file("a\n\n\nc\nd\n"), "b\n\n\nc\ne\n");
	assert_applied(change, PATCH_FORWARD, file("a\n\n\nc\nD\n"),
		"'x': hunk 2 does not fit at line 5");
	assert_applied(change, PATCH_FORWARD, file("a\n\n\nc\nd"),
		"'x': hunk 2 does not fit at line 5");
	assert_applied(change, PATCH_FORWARD, file("\na\n\nc\nd\n"),
		"'x': hunk 1 does not fit at line 1");
	assert_applied(change, PATCH_FORWARD, file("a\n"),
		"'x': hunk 2 does not fit: it is for line 4, and there are fewer");
	assert_applied(change, PATCH_FORWARD, PATCH_SIDE_ABSENT,
		"'x': there is no file where the patch expects a file");
	assert_applied(change, PATCH_FORWARD, link_to("a"),
		"'x': there is a symbolic link where the patch expects a file");
}

static void a_deletion_needs_the_whole_file(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	delete (&patch, "x", file("a\n"));
	assert_applied(&patch.changes[0], PATCH_FORWARD, file("a\n"), "");
	assert_applied(&patch.changes[0], PATCH_FORWARD, file("a\nb\n"),
		"'x': the patch deletes the file, but the file has more in it");
	assert_applied(&patch.changes[0], PATCH_REVERSE, file("a\n"),
		"'x': there is a file where the patch expects no file");
}

static void a_line_behind_the_last_one_does_not_fit(void **state)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	(void)state;
	add(&patch, "x", file("a\nb\n"), "x", file("a\nc"));
	assert_applied(&patch.changes[0], PATCH_FORWARD, file("a\nb\nmore\n"),
		"'x': hunk 1 does not fit: there are lines after the last one");
}

static void the_executable_bit_is_set_only_by_a_patch_that_changes_it(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(patch_file_release) struct patch_file edited = PATCH_FILE_INIT;
	CLEANUP(patch_file_release) struct patch_file set = PATCH_FILE_INIT;
	CLEANUP(patch_file_release) struct patch_file cleared = PATCH_FILE_INIT;
	struct patch_side plain = file("a\n"), executable = tool("a\n");

	(void)state;
	add(&patch, "edit", plain, "edit", file("b\n"));
	add(&patch, "set", plain, "set", executable);
	assert_int_equal(
		patch_apply(&patch.changes[0], PATCH_FORWARD, &executable, &edited, &err), 0);
	assert_true(edited.executable);
	assert_int_equal(patch_apply(&patch.changes[1], PATCH_FORWARD, &plain, &set, &err), 0);
	assert_true(set.executable);
	assert_int_equal(
		patch_apply(&patch.changes[1], PATCH_REVERSE, &executable, &cleared, &err), 0);
	assert_false(cleared.executable);
}

static void a_rename_keeps_what_the_file_is(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(patch_file_release) struct patch_file after = PATCH_FILE_INIT;
	struct patch_side before = link_to("there");

	(void)state;
	parse("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n",
		&patch);
	assert_int_equal(patch.changes[0].old.kind, PATCH_ANY);
	assert_int_equal(
		patch_apply(&patch.changes[0], PATCH_FORWARD, &before, &after, &err), 0);
	assert_int_equal(after.kind, PATCH_SYMLINK);
	assert_string_equal(after.content.data, "there");
}

static void a_binary_file_must_be_the_right_one(void **state)
{
	static const char old[] = "a\0b", new[] = "c\0d";
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	struct patch_side before = {PATCH_FILE, false, {old, sizeof(old) - 1}};
	struct patch_side after = {PATCH_FILE, false, {new, sizeof(new) - 1}};

	(void)state;
	add(&patch, "x", before, "x", after);
	assert_int_equal(patch.changes[0].body, PATCH_BINARY);
	assert_applied(&patch.changes[0], PATCH_FORWARD, before, new);
	assert_applied(&patch.changes[0], PATCH_REVERSE, after, old);
	assert_applied(&patch.changes[0], PATCH_FORWARD, after,
		"'x': the binary file differs from the one that the patch was made for");
	patch.changes[0].forward.data.data[0] = 'X';
	assert_applied(&patch.changes[0], PATCH_FORWARD, before,
		"'x': the binary content in the patch does not match its id");
	patch.changes[0].forward.delta = true;
	assert_applied(&patch.changes[0], PATCH_FORWARD, before,
		"'x': the delta is for 88 bytes, not for 3");
}

TESTS(cmocka_unit_test(a_changed_line_is_a_hunk_with_three_lines_around),
	cmocka_unit_test(changes_with_six_lines_between_are_one_hunk_and_with_seven_two),
	cmocka_unit_test(a_missing_newline_is_said_on_its_side),
	cmocka_unit_test(modes_are_written_as_git_does),
	cmocka_unit_test(a_file_that_becomes_a_link_is_deleted_and_created),
	cmocka_unit_test(empty_files_have_no_hunk),
	cmocka_unit_test(what_is_the_same_is_no_change),
	cmocka_unit_test(unusual_names_are_quoted_and_spaces_end_in_a_tab),
	cmocka_unit_test(changes_are_sorted_by_path),
	cmocka_unit_test(lines_that_come_and_go_are_counted),
	cmocka_unit_test(the_same_content_elsewhere_is_a_rename),
	cmocka_unit_test(half_the_same_is_a_rename_with_hunks_and_less_is_not),
	cmocka_unit_test(the_same_name_and_the_most_similar_go_first),
	cmocka_unit_test(links_are_renamed_if_the_same_and_empty_files_never),
	cmocka_unit_test(a_link_that_becomes_a_folder_is_not_renamed),
	cmocka_unit_test(a_link_that_becomes_an_empty_file_is_not_renamed),
	cmocka_unit_test(very_many_files_are_told_apart_by_the_lines_of_their_own),
	cmocka_unit_test(what_git_writes_is_parsed),
	cmocka_unit_test(paths_that_lead_outside_are_refused),
	cmocka_unit_test(names_must_agree_everywhere),
	cmocka_unit_test(headers_that_contradict_themselves_are_refused),
	cmocka_unit_test(hunks_must_be_what_they_say),
	cmocka_unit_test(changes_that_only_git_would_see_are_refused),
	cmocka_unit_test(damaged_binary_contents_are_refused),
	cmocka_unit_test(a_text_needs_no_index_line),
	cmocka_unit_test(hunks_apply_in_both_directions),
	cmocka_unit_test(a_hunk_that_does_not_fit_is_named),
	cmocka_unit_test(a_deletion_needs_the_whole_file),
	cmocka_unit_test(a_line_behind_the_last_one_does_not_fit),
	cmocka_unit_test(the_executable_bit_is_set_only_by_a_patch_that_changes_it),
	cmocka_unit_test(a_rename_keeps_what_the_file_is),
	cmocka_unit_test(a_binary_file_must_be_the_right_one))
