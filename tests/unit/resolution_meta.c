#include "test.h"

#include <string.h>

#include "engine/resolution/resolution_meta.h"

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define C "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
#define D "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"

#define HEAD                                                                                   \
	"skills:\n  - whatsapp@1.2.0\n  - telegram@1.0.0\n"                                    \
	"apply_order: [whatsapp, telegram]\n"                                                  \
	"core_version: 0.6.0\nresolved_at: 2026-02-15T10:00:00Z\n"                             \
	"tested: true\ntest_passed: true\nresolution_source: maintainer\n"

#define FLAT                                                                                   \
	"input_hashes:\n  base: \"" A "\"\n  current_after_whatsapp: \"" B "\"\n"              \
	"  telegram_modified: \"" C "\"\noutput_hash: \"" D "\"\n"

#define HASHES "{base: " A ", current: " B ", skill: " C ", output: " D "}\n"

static struct relpath path_of(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct relpath path = RELPATH_INIT;

	assert_int_equal(relpath_parse(view_of(text), &path, &err), 0);
	return path;
}

static void assert_hash(const struct hash *hash, const char *expected)
{
	char hex[HASH_HEX_SIZE];

	hash_to_hex(hash, hex);
	assert_string_equal(hex, expected);
}

static void assert_complete(const struct resolution_meta *meta, const char *text)
{
	CLEANUP(relpath_release) struct relpath path = path_of(text);
	const struct resolution_file *file = resolution_meta_find(meta, &path);

	assert_non_null(file);
	assert_true(file->inputs.has_base);
	assert_hash(&file->inputs.base, A);
	assert_hash(&file->inputs.current, B);
	assert_hash(&file->inputs.skill, C);
	assert_hash(&file->output, D);
}

static void assert_read(const char *text, const char *only, const char *expected)
{
	CLEANUP(resolution_meta_release) struct resolution_meta meta = RESOLUTION_META_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (only)
		path = path_of(only);
	resolution_meta_parse(view_of(text), "meta.yaml", only ? &path : NULL, &meta, &faults);
	if (faults.count)
		fail_msg("%s: %s", faults.list[0].where, faults.list[0].text);
	assert_complete(&meta, expected);
}

static void assert_fault(
	const char *text, const char *only, const char *where, const char *says)
{
	CLEANUP(resolution_meta_release) struct resolution_meta meta = RESOLUTION_META_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (only)
		path = path_of(only);
	resolution_meta_parse(view_of(text), "meta.yaml", only ? &path : NULL, &meta, &faults);
	assert_int_not_equal(faults.errors, 0);
	for (size_t i = 0; i < faults.count; i++)
		if (!strcmp(faults.list[i].where, where) && strstr(faults.list[i].text, says))
			return;
	fail_msg("%s: %s", faults.list[0].where, faults.list[0].text);
}

static void the_form_for_one_file_is_read(void **state)
{
	(void)state;
	assert_read(HEAD FLAT, "src/server.ts", "src/server.ts");
	assert_read(HEAD "input_hashes: {base: " A ", current: " B ", skill: " C "}\n"
			 "output_hash: " D "\n",
		"a", "a");
}

static void hashes_by_path_are_read_in_all_forms(void **state)
{
	(void)state;
	assert_read(HEAD "file_hashes:\n  a/b: " HASHES "  c: " HASHES, NULL, "a/b");
	assert_read(HEAD "input_hashes:\n  a/b: " HASHES, NULL, "a/b");
	assert_read(HEAD "input_hashes:\n  a/b: {base: " A ", current_after_whatsapp: " B
			 ", telegram_modified: " C "}\noutput_hashes: {a/b: " D "}\n",
		NULL, "a/b");
	assert_read(HEAD "input_hashes:\n  a/b: {base: " A ", current: " B ", skill: " C
			 "}\noutput_hash: {a/b: " D "}\n",
		NULL, "a/b");
	/* The form by path counts where both are there. */
	assert_read(HEAD FLAT "file_hashes:\n  a: " HASHES, "a", "a");
}

static void the_form_for_one_file_does_not_fit_several(void **state)
{
	(void)state;
	assert_fault(HEAD FLAT, NULL, "meta.yaml:11:3", "is for a single file");
}

static void two_forms_must_say_the_same(void **state)
{
	(void)state;
	assert_fault(HEAD "input_hashes: {base: " B ", current: " B ", skill: " C
			  "}\noutput_hash: " D "\nfile_hashes:\n  a: " HASHES,
		"a", "meta.yaml:10:15", "contradict each other");
	assert_fault(HEAD "input_hashes: {base: null, current: " B ", skill: " C
			  "}\noutput_hash: " D "\nfile_hashes:\n  a: " HASHES,
		"a", "meta.yaml:10:15", "contradict each other");
	assert_fault(HEAD "output_hash: " A "\nfile_hashes:\n  a: " HASHES, "a",
		"meta.yaml:10:14", "contradict each other");
}

static void a_null_base_says_that_there_was_none(void **state)
{
	CLEANUP(resolution_meta_release) struct resolution_meta meta = RESOLUTION_META_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

	(void)state;
	resolution_meta_parse(view_of(HEAD "file_hashes:\n  a: {base: null, current: " B
					   ", skill: " C ", output: " D "}\n"),
		"meta.yaml", NULL, &meta, &faults);
	assert_int_equal(faults.count, 0);
	assert_false(meta.files[0].inputs.has_base);
	assert_fault(HEAD "file_hashes:\n  a: {current: " B ", skill: " C ", output: " D "}\n",
		NULL, "meta.yaml:11:3", "the hash 'base' of 'a' is missing");
}

static void every_fault_has_its_place(void **state)
{
	(void)state;
	assert_fault(HEAD "file_hashes:\n  ../a: " HASHES, NULL, "meta.yaml:11:3", "..");
	assert_fault(HEAD "file_hashes:\n  .git/config: " HASHES, NULL, "meta.yaml:11:3",
		"skills may not change");
	assert_fault(HEAD "file_hashes:\n  .nanoclaw/state.yaml: " HASHES, NULL,
		"meta.yaml:11:3", "skills may not change");
	assert_fault(HEAD "file_hashes:\n  a: {base: " A ", current: " B
			  ", skill: xyz, output: " D "}\n",
		NULL, "meta.yaml:11:161", "'skill' is not a SHA-256 hash");
	assert_fault(HEAD "file_hashes:\n  a: {base: " A ", current: " B ", skill: " C "}\n",
		NULL, "meta.yaml:11:3", "'output' of 'a' is missing");
	assert_fault(HEAD "input_hashes: {base: " A ", current: " B ", current_2: " B
			  ", skill: " C "}\noutput_hash: " D "\n",
		"a", "meta.yaml:10:174", "more than one hash for 'current'");
	assert_fault(FLAT, "a", "meta.yaml:1:1", "'skills' is missing");
	assert_fault("skills: [a/b]\n" FLAT, "a", "meta.yaml:1:10", "not a skill's name");
	assert_fault("skills: [a@1]\n" FLAT, "a", "meta.yaml:1:10", "the version of skill 'a'");
	assert_fault("skills: [a, a]\n" FLAT, "a", "meta.yaml:1:13", "named twice");
	assert_fault("skills: [a, b]\napply_order: [a, c]\n" FLAT, "a", "meta.yaml:2:18",
		"which is not in 'skills'");
	assert_fault("skills: [a, b]\napply_order: [a, a]\n" FLAT, "a", "meta.yaml:2:18",
		"or has it twice");
	assert_fault("skills: [a, b]\napply_order: [a]\n" FLAT, "a", "meta.yaml:2:14",
		"lacks skill 'b'");
	assert_fault("a: [", "a", "meta.yaml:2:1", "");
	assert_fault("- a\n", "a", "meta.yaml:1:1", "mapping");
}

static void what_is_for_people_only_is_no_error(void **state)
{
	CLEANUP(resolution_meta_release) struct resolution_meta meta = RESOLUTION_META_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(relpath_release) struct relpath path = path_of("a");

	(void)state;
	resolution_meta_parse(view_of("skills: [a]\nresolution_source: me\ncore_version: new\n"
				      "resolved_at: today\n" FLAT),
		"meta.yaml", &path, &meta, &faults);
	assert_int_equal(faults.errors, 0);
	/* These three, and those that are missing: apply_order, tested, test_passed. */
	assert_int_equal(faults.warnings, 6);
	assert_complete(&meta, "a");
}

static void skills_are_in_the_order_of_their_application(void **state)
{
	CLEANUP(resolution_meta_release) struct resolution_meta meta = RESOLUTION_META_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(relpath_release) struct relpath path = path_of("a");
	CLEANUP(freep) char *key = NULL;

	(void)state;
	resolution_meta_parse(
		view_of("skills: [c@3.0.0, a@1.0.0, b]\napply_order: [b, c, a]\n" FLAT),
		"meta.yaml", &path, &meta, &faults);
	assert_int_equal(faults.errors, 0);
	key = resolution_key(&meta.skills);
	assert_string_equal(key, "b+c@3.0.0+a@1.0.0");
}

static void only_tests_that_failed_count_against_it(void **state)
{
	static const struct {
		const char *text;
		bool failed;
	} cases[] = {
		{"tested: true\ntest_passed: false\n", true},
		{"test_passed: false\n", true},
		{"tested: true\ntest_passed: true\n", false},
		{"tested: false\ntest_passed: false\n", false},
		{"tested: false\n", false},
		{"", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(resolution_meta_release) struct resolution_meta meta = {0};
		CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
		CLEANUP(relpath_release) struct relpath path = path_of("a");
		CLEANUP(freep) char *text = xasprintf("skills: [a]\n%s" FLAT, cases[i].text);

		resolution_meta_parse(view_of(text), "meta.yaml", &path, &meta, &faults);
		assert_int_equal(resolution_meta_failed(&meta), cases[i].failed);
	}
}

static void what_is_written_is_read_back_with_keys_that_are_not_ours(void **state)
{
	CLEANUP(resolution_meta_release) struct resolution_meta meta = RESOLUTION_META_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(relpath_release) struct relpath path = path_of("a");
	CLEANUP(relpath_release) struct relpath second = path_of("b\377");
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	resolution_meta_parse(
		view_of(HEAD FLAT "reviewed_by: eve\n"), "meta.yaml", &path, &meta, &faults);
	assert_int_equal(resolution_meta_write(&meta, &text, &err), 0);
	assert_non_null(strstr(text.data, "reviewed_by: eve\n"));
	assert_non_null(strstr(text.data, "  current_after_whatsapp: " B "\n"));
	assert_non_null(strstr(text.data, "  telegram_modified: " C "\n"));
	assert_non_null(strstr(text.data, "output_hash: " D "\n"));
	assert_read(text.data, NULL, "a");
	/* With a second file the form for one is gone. */
	resolution_meta_set(&meta, &second, &meta.files[0].inputs, &meta.files[0].output);
	buf_clear(&text);
	assert_int_equal(resolution_meta_write(&meta, &text, &err), 0);
	assert_null(strstr(text.data, "input_hashes"));
	assert_read(text.data, NULL, "a");
	assert_read(text.data, NULL, "b\377");
}

static struct resolution_skills skills_of(const char *texts)
{
	struct resolution_skills skills = RESOLUTION_SKILLS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct view rest = view_of(texts), text;

	while (view_next(&rest, ' ', &text))
		assert_int_equal(resolution_skills_parse(&skills, text, &err), 0);
	resolution_skills_sort(&skills);
	return skills;
}

static void names_fit_what_is_applied_in_any_order_with_or_without_versions(void **state)
{
	static const struct {
		const char *key;
		bool fits;
	} cases[] = {
		{"telegram+whatsapp", true},
		{"whatsapp+telegram", true},
		{"whatsapp@1.2.0+telegram@1.0.0", true},
		{"telegram@1.0.0+whatsapp", true},
		{"telegram", true},
		{"slack@1.0.0+5+telegram", true},
		{"telegram+slack@1.0.0+5", true},
		{"slack@1.0.0+telegram", false},
		{"telegram@1.0.1+whatsapp", false},
		{"telegram@1.0.0.1", false},
		{"telegram+discord", false},
		{"telegram+", false},
		{"+" A, true},
		{"telegram@", false},
		{"telegra", false},
		{"telegram@1.0.0whatsapp", false},
		{"", false},
	};
	CLEANUP(resolution_skills_release)
	struct resolution_skills present =
		skills_of("whatsapp@1.2.0 telegram@1.0.0 slack@1.0.0+5 tele@1.0.0");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (resolution_key_fits(view_of(cases[i].key), &present) != cases[i].fits)
			fail_msg("%s", cases[i].key);
}

static void what_is_met_on_the_way_only_is_neither_before_nor_after(void **state)
{
	static const struct {
		const char *key;
		bool between;
	} cases[] = {
		{"a@1.0.0+new@1.0.0", true},
		{"new@1.0.0+a@1.0.0", true},
		{"a@1.0.0+b@1.1.0", true},
		{"a@1.0.0+b@1.0.0", false},
		{"a@1.1.0+new@1.0.0", false},
		{"a@1.0.0+other@1.0.0", false},
		{"a@1.0.0+new@2.0.0", false},
		{"a+new", false},
		{"+" A, false},
		{"", false},
	};
	CLEANUP(resolution_skills_release)
	struct resolution_skills before = skills_of("a@1.0.0 b@1.0.0");
	CLEANUP(resolution_skills_release)
	struct resolution_skills after = skills_of("a@1.1.0 b@1.1.0 new@1.0.0");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (resolution_key_is_between(view_of(cases[i].key), &before, &after) !=
			cases[i].between)
			fail_msg("%s", cases[i].key);
}

static void skills_of_a_resolution_must_all_be_there_in_their_versions(void **state)
{
	static const struct {
		const char *skills;
		bool fits;
	} cases[] = {
		{"a b", true},
		{"a@1.0.0", true},
		{"a@1.0.1", false},
		{"a c", false},
		{"old", true},
		{"old@1.0.0", false},
	};
	CLEANUP(resolution_skills_release)
	struct resolution_skills present = skills_of("a@1.0.0 b@2.0.0 old");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(resolution_skills_release)
		struct resolution_skills skills = skills_of(cases[i].skills);

		if (resolution_skills_fit(&skills, &present) != cases[i].fits)
			fail_msg("%s", cases[i].skills);
	}
}

static void a_name_that_would_be_too_long_becomes_a_hash(void **state)
{
	CLEANUP(resolution_skills_release)
	struct resolution_skills skills = RESOLUTION_SKILLS_INIT;
	CLEANUP(freep) char *key = NULL;

	(void)state;
	for (int i = 0; i < 30; i++) {
		CLEANUP(freep) char *name = xasprintf("a-skill-with-a-name-%d", i);

		resolution_skills_add(&skills, name, "1.0.0");
	}
	key = resolution_key(&skills);
	assert_int_equal(strlen(key), 65);
	assert_true(resolution_key_fits(view_of(key), &skills));
	assert_true(resolution_key_names(view_of(key), &skills));
}

TESTS(cmocka_unit_test(the_form_for_one_file_is_read),
	cmocka_unit_test(hashes_by_path_are_read_in_all_forms),
	cmocka_unit_test(the_form_for_one_file_does_not_fit_several),
	cmocka_unit_test(two_forms_must_say_the_same),
	cmocka_unit_test(a_null_base_says_that_there_was_none),
	cmocka_unit_test(every_fault_has_its_place),
	cmocka_unit_test(what_is_for_people_only_is_no_error),
	cmocka_unit_test(skills_are_in_the_order_of_their_application),
	cmocka_unit_test(only_tests_that_failed_count_against_it),
	cmocka_unit_test(what_is_written_is_read_back_with_keys_that_are_not_ours),
	cmocka_unit_test(names_fit_what_is_applied_in_any_order_with_or_without_versions),
	cmocka_unit_test(what_is_met_on_the_way_only_is_neither_before_nor_after),
	cmocka_unit_test(skills_of_a_resolution_must_all_be_there_in_their_versions),
	cmocka_unit_test(a_name_that_would_be_too_long_becomes_a_hash))
