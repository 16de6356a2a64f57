#include "test.h"

#include <string.h>

#include "engine/newcore/migrations.h"

static void parse(const char *text, struct migrations *ret_list)
{
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	migrations_parse(view_of(text), "m.yaml", ret_list, &faults);
	if (faults_as_error(&faults, &err) < 0)
		fail_msg("%s", err.message);
}

static void assert_fault(const char *text, const char *expected)
{
	CLEANUP(migrations_release) struct migrations list = MIGRATIONS_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	migrations_parse(view_of(text), "m.yaml", &list, &faults);
	assert_int_equal(faults_as_error(&faults, &err), -1);
	assert_string_equal(err.message, expected);
}

static void entries_are_read_in_their_order(void **unused)
{
	CLEANUP(migrations_release) struct migrations list = MIGRATIONS_INIT;

	(void)unused;
	parse("# a comment\n"
	      "- since: 0.6.0\n"
	      "  skill: apple-containers@1.0.0\n"
	      "  description: \"Preserves Apple Containers\"\n"
	      "\n"
	      "- since: 0.7.0\n"
	      "  skill: add-whatsapp\n",
		&list);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.list[0].since, "0.6.0");
	assert_string_equal(list.list[0].skill, "apple-containers");
	assert_string_equal(list.list[0].version, "1.0.0");
	assert_string_equal(list.list[0].description, "Preserves Apple Containers");
	assert_int_equal(list.list[0].at.line, 2);
	assert_string_equal(list.list[1].skill, "add-whatsapp");
	assert_null(list.list[1].version);
	assert_string_equal(list.list[1].description, "");
}

static void an_empty_file_has_no_entries(void **unused)
{
	CLEANUP(migrations_release) struct migrations list = MIGRATIONS_INIT;

	(void)unused;
	parse("", &list);
	parse("# nothing yet\n", &list);
	parse("[]\n", &list);
	assert_int_equal(list.count, 0);
}

static void faults_have_their_place(void **unused)
{
	(void)unused;
	assert_fault("a: b\n",
		"m.yaml:1:1: the list of migrations must be a sequence, not a mapping");
	assert_fault("- x\n", "m.yaml:1:3: a migration must be a mapping, not a string");
	assert_fault("- {skill: a}\n", "m.yaml:1:3: the migration has no 'since'");
	assert_fault("- {since: 1.0.0}\n", "m.yaml:1:3: the migration has no 'skill'");
	assert_fault("- {since: '0.6', skill: a}\n",
		"m.yaml:1:11: 'since': version '0.6' is not of the form 1.2.3");
	assert_fault("- {since: 1.0.0, skill: a@1}\n",
		"m.yaml:1:25: 'skill': version '1' is not of the form 1.2.3");
	assert_fault("- {since: 1.0.0, skill: ../a}\n",
		"m.yaml:1:25: '../a' is not the name of a skill");
	assert_fault("- {since: 1.0.0, skill: '@1.0.0'}\n",
		"m.yaml:1:25: '@1.0.0' is not the name of a skill");
	assert_fault("- {since: 1.0.0, skill: a, skill: b}\n",
		"m.yaml:1:28: key 'skill' appears twice (first on line 1)");
	assert_fault("- {since: 1, skill: a}\n- {since: 2, skill: b}\n",
		"m.yaml:1:11: 'since': version '1' is not of the form 1.2.3 (and 1 more fault)");
}

/* NULL: it is fine. */
static void assert_appended(const char *old_text, const char *new_text, const char *expected)
{
	CLEANUP(migrations_release) struct migrations old = MIGRATIONS_INIT;
	CLEANUP(migrations_release) struct migrations new = MIGRATIONS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	parse(old_text, &old);
	parse(new_text, &new);
	assert_int_equal(
		migrations_check_appended(&old, &new, "new.yaml", &err), expected ? -1 : 0);
	if (expected)
		assert_string_equal(err.message, expected);
}

#define A "- {since: 0.6.0, skill: a@1.0.0, description: d}\n"
#define B "- {since: 0.7.0, skill: b}\n"
#define C "- {since: 0.8.0, skill: c}\n"

static void a_list_may_grow(void **unused)
{
	(void)unused;
	assert_appended("", "", NULL);
	assert_appended("", A, NULL);
	assert_appended(A, A B, NULL);
	assert_appended(A C, A B C, NULL);
	assert_appended(A A, A A, NULL);
}

static void nothing_may_go_or_change(void **unused)
{
	(void)unused;
	assert_appended(A B, A,
		"new.yaml: the migration 'b' since 0.7.0 is missing, and the current core has it");
	assert_appended(
		A B, B A, "new.yaml:1:3: the migration 'b' since 0.7.0 was changed or moved");
	assert_appended(A, "- {since: 0.6.0, skill: a@1.0.1, description: d}\n",
		"new.yaml:1:3: the migration 'a' since 0.6.0 was changed or moved");
	assert_appended(A, "- {since: 0.6.0, skill: a@1.0.0, description: other}\n",
		"new.yaml:1:3: the migration 'a' since 0.6.0 was changed or moved");
	assert_appended(
		A A, A, "new.yaml:1:3: the migration 'a' since 0.6.0 was changed or moved");
}

TESTS(cmocka_unit_test(entries_are_read_in_their_order),
	cmocka_unit_test(an_empty_file_has_no_entries),
	cmocka_unit_test(faults_have_their_place), cmocka_unit_test(a_list_may_grow),
	cmocka_unit_test(nothing_may_go_or_change))
