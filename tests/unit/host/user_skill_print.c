#include "../test.h"

#include <fcntl.h>
#include <string.h>

#include "fs/file.h"
#include "user_skill_equal.h"
#include "userskill/check.h"
#include "userskill/text/parse.h"
#include "userskill/text/print.h"

#define FILES 5000
#define SEED  UINT64_C(0x5eed15)

/* --- made-up files ----------------------------------------------------------- */

static uint64_t random_state;

static unsigned below(unsigned bound)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned)(random_state >> 16) % bound;
}

#define ONE_OF(array) ((array)[below(ARRAY_SIZE(array))])

static const char *const odd[] = {
	"",
	"   ",
	"text",
	"  text behind spaces  ",
	"- an item",
	"- `/run <what>`: do it",
	"- /other_1",
	"* every weekday at 08:00",
	"+ Schedule: `0 8 * * 1-5`",
	"1. one",
	"2) two",
	"   3. three",
	"    - deep",
	"      deeper",
	"```",
	"   ```text",
	"- ```",
	"  ```",
	"````",
	"~~~",
	"    ~~~",
	"<!-- a comment -->",
	"<!-- it goes on",
	"-->",
	"  <!--",
	"# Another title",
	"# SKILL: another",
	"## Trigger",
	"##",
	"## # ##",
	"### WhatsApp",
	"### e-mail ###",
	"   ## Instructions ##",
	"    ## Not one",
	"## Examples #1",
	"- Key: Value",
	"-   Other Key :   value  ",
	"* **ID:** skill_x_001",
	"- **Status**: Active",
	"- `code`: x",
	"      - ```a: b",
	"- ID:",
	"- : x",
	"None",
	"- File: notes.md (optional)",
	"- Connector: calendar",
	"- Was it good? (yes/no)",
	"- Ask: every 3 uses",
	"Gr\xc3\xbc\xc3\x9f"
	"e \xe2\x80\x94 \xf0\x9f\x98\x80",
	"\xef\xbb\xbf"
	"marked",
	"---",
	"> quoted",
	"\ttabbed",
	"- \ttabbed",
};

static const char *const frame[] = {
	"# SKILL: Made Up",
	"",
	"## Metadata",
	"- ID: skill_made_up_001",
	"- Version: 1.0.2",
	"- Category: testing",
	"- Generated: 2026-02-25",
	"- Source: Auto-generated (by a test)",
	"- Status: Proposed",
	"",
	"## Trigger",
	"- /made",
	"",
	"## Context Required",
	"None",
	"## Instructions",
	"1. one",
	"2. two",
	"3. three",
	"",
	"## Output Format",
	"Any.",
	"## Notes",
	"kept",
};

/* The frame with odd lines in between, and lines of it left out; or odd lines alone. */
static void make(struct buf *out)
{
	static const char *const ends[] = {"\n", "\r\n", "\r"};
	const char *end = ONE_OF(ends);
	unsigned gaps = 2 + below(12);
	bool framed = below(8) != 0;

	if (!below(10))
		buf_append_str(out, "\xef\xbb\xbf");
	for (size_t i = 0; i < ARRAY_SIZE(frame); i++) {
		while (!below(gaps))
			buf_appendf(out, "%s%s", ONE_OF(odd), end);
		if (framed && below(60))
			buf_appendf(out, "%s%s", frame[i], end);
	}
	if (!below(3))
		while (out->len && strchr("\r\n", out->data[out->len - 1]))
			buf_set_len(out, out->len - 1);
}

/* --- claims ------------------------------------------------------------------ */

static void assert_identity(struct view text, const char *name)
{
	CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
	CLEANUP(skill_faults_release) struct skill_faults again_faults = SKILL_FAULTS_INIT;
	CLEANUP(user_skill_release) struct user_skill skill = USER_SKILL_INIT;
	CLEANUP(user_skill_release) struct user_skill again = USER_SKILL_INIT;
	CLEANUP(buf_release) struct buf once = BUF_INIT;
	CLEANUP(buf_release) struct buf twice = BUF_INIT;

	user_skill_parse(text, "planning/day-plan/SKILL.md", &skill, &faults);
	user_skill_print(&skill, &once);
	user_skill_parse(
		view_of_buf(&once), "planning/day-plan/SKILL.md", &again, &again_faults);
	user_skill_print(&again, &twice);
	if (user_skill_equal(&skill, &again) && !strcmp(once.data, twice.data) &&
		faults.errors == again_faults.errors)
		return;
	fail_msg("%s is another skill after printing:\n%.*s\n---\n%s\n---\n%s", name,
		VIEW_ARGS(text), once.data, twice.data);
}

static void what_is_printed_and_parsed_again_is_the_same(void **state)
{
	size_t without_errors = 0;

	(void)state;
	random_state = SEED;
	print_message("# seed %#llx\n", (unsigned long long)SEED);
	for (int i = 0; i < FILES; i++) {
		CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
		CLEANUP(user_skill_release) struct user_skill skill = USER_SKILL_INIT;
		CLEANUP(freep) char *name = xasprintf("file %d", i);
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		make(&text);
		assert_identity(view_of_buf(&text), name);
		user_skill_parse(
			view_of_buf(&text), "planning/day-plan/SKILL.md", &skill, &faults);
		without_errors += !faults.errors;
	}
	/* Both kinds are tried. */
	assert_true(without_errors > FILES / 50);
	assert_true(without_errors < FILES - FILES / 50);
}

static void two_skills_that_differ_in_a_word_are_not_equal(void **state)
{
	size_t told_apart = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(frame); i++) {
		CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
		CLEANUP(user_skill_release) struct user_skill one = USER_SKILL_INIT;
		CLEANUP(user_skill_release) struct user_skill other = USER_SKILL_INIT;
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		CLEANUP(buf_release) struct buf changed = BUF_INIT;

		for (size_t j = 0; j < ARRAY_SIZE(frame); j++) {
			buf_appendf(&text, "%s\n", frame[j]);
			buf_appendf(
				&changed, "%s%s\n", frame[j], i == j && *frame[j] ? "x" : "");
		}
		user_skill_parse(
			view_of_buf(&text), "planning/day-plan/SKILL.md", &one, &faults);
		user_skill_parse(
			view_of_buf(&changed), "planning/day-plan/SKILL.md", &other, &faults);
		if (*frame[i])
			assert_false(user_skill_equal(&one, &other));
		told_apart += *frame[i] != '\0';
	}
	assert_true(told_apart > 15);
}

/* --- the library that is shipped --------------------------------------------- */

static int open_library(struct library *library, struct error *err)
{
	return library_open(AT_FDCWD, SOURCE_ROOT "/" LIBRARY_FOLDER, library, err) < 0 ||
			       library_scan(library, err) < 0
		       ? -1
		       : 0;
}

static void the_shipped_library_has_no_faults(void **state)
{
	CLEANUP(checked_skills_release) struct checked_skills all = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(
		skill_check_path(AT_FDCWD, SOURCE_ROOT "/" LIBRARY_FOLDER, &all, &err), 0);
	skill_check_together(&all);
	for (size_t i = 0; i < all.count; i++)
		for (size_t f = 0; f < all.list[i].faults.count; f++)
			print_error("%s:%zu: %s\n", all.list[i].path,
				all.list[i].faults.list[f].line,
				all.list[i].faults.list[f].text);
	assert_int_equal(all.errors, 0);
	assert_int_equal(all.warnings, 0);
}

static void the_shipped_library_has_every_usual_category(void **state)
{
	static const char *const categories[] = {"analysis/", "communication/", "household/",
		"learning/", "management/", "operations/", "planning/", "research/", "sales/",
		"strategy/", "writing/"};
	CLEANUP(library_release) struct library library = LIBRARY_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(open_library(&library, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(categories); i++) {
		bool found = false;

		for (size_t k = 0; k < library.count; k++)
			found |= !strncmp(
				library.files[k].path, categories[i], strlen(categories[i]));
		if (!found)
			fail_msg("there is no skill in '%s'", categories[i]);
	}
}

/* So that nobody takes it for a platform skill or for instructions to Claude Code. */
static void each_shipped_skill_says_that_it_is_a_user_skill(void **state)
{
	CLEANUP(library_release) struct library library = LIBRARY_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(open_library(&library, &err), 0);
	for (size_t i = 0; i < library.count; i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		assert_int_equal(library_read(&library, library.files[i].path, &text, &err), 0);
		assert_int_equal(strncmp(text.data, "<!-- A user skill.", 18), 0);
	}
}

static void the_shipped_library_is_in_the_usual_form(void **state)
{
	CLEANUP(library_release) struct library library = LIBRARY_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(open_library(&library, &err), 0);
	for (size_t i = 0; i < library.count; i++) {
		CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
		CLEANUP(user_skill_release) struct user_skill skill = USER_SKILL_INIT;
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		CLEANUP(buf_release) struct buf printed = BUF_INIT;

		assert_int_equal(library_read(&library, library.files[i].path, &text, &err), 0);
		assert_identity(view_of_buf(&text), library.files[i].path);
		user_skill_parse(
			view_of_buf(&text), "planning/day-plan/SKILL.md", &skill, &faults);
		user_skill_print(&skill, &printed);
		assert_string_equal(text.data, printed.data);
		assert_true(skill.command_count > 0);
	}
}

TESTS(cmocka_unit_test(what_is_printed_and_parsed_again_is_the_same),
	cmocka_unit_test(two_skills_that_differ_in_a_word_are_not_equal),
	cmocka_unit_test(the_shipped_library_has_no_faults),
	cmocka_unit_test(the_shipped_library_has_every_usual_category),
	cmocka_unit_test(each_shipped_skill_says_that_it_is_a_user_skill),
	cmocka_unit_test(the_shipped_library_is_in_the_usual_form))
