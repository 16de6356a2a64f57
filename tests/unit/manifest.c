#include "test.h"

#include <string.h>

#include "engine/package/manifest.h"

#define HEAD "skill: telegram\nversion: 1.0.0\ncore_version: 0.1.0\n"
#define HASH "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

static void parse(const char *text, struct manifest *manifest, struct faults *faults)
{
	manifest_parse(view_of(text), "manifest.yaml", manifest, faults);
}

/* Exactly one fault, of this severity, at this place. */
static void assert_fault_of(
	const char *text, enum fault_severity severity, const char *where, const char *says)
{
	CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

	parse(text, &manifest, &faults);
	if (faults.count != 1)
		fail_msg("%zu faults in:\n%s", faults.count, text);
	if (strcmp(faults.list[0].where, where) != 0 || !strstr(faults.list[0].text, says) ||
		faults.list[0].severity != severity)
		fail_msg("%s: %s", faults.list[0].where, faults.list[0].text);
	assert_int_equal(faults.errors, severity == FAULT_ERROR);
}

/* The text comes behind three good lines, so it begins on the fourth. */
static void assert_bad(const char *text, const char *place, const char *says)
{
	CLEANUP(freep) char *whole = xasprintf(HEAD "%s\n", text);
	CLEANUP(freep) char *where = xasprintf("manifest.yaml:%s", place);

	assert_fault_of(whole, FAULT_ERROR, where, says);
}

static void parse_good(const char *text, struct manifest *manifest)
{
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(freep) char *whole = xasprintf(HEAD "%s\n", text);

	parse(whole, manifest, &faults);
	if (faults.count)
		fail_msg("%s: %s", faults.list[0].where, faults.list[0].text);
}

static struct relpath path_of(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct relpath path = RELPATH_INIT;

	assert_int_equal(relpath_parse(view_of(text), &path, &err), 0);
	return path;
}

static void every_field_is_read(void **state)
{
	CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;
	CLEANUP(relpath_release) struct relpath index = path_of("src/index.ts");
	CLEANUP(relpath_release) struct relpath config = path_of("src/config.ts");

	(void)state;
	parse_good(
		"description: Telegram\nauthor: me\nlicense: MIT\n"
		"min_skills_system_version: 0.1.0\ntest: npx vitest\n"
		"post_apply: [make, make install]\ntested_with: [slack@2.0.0]\n"
		"depends: [base]\nconflicts: [discord]\n"
		"adds: [src/b.ts, src/a.ts]\nmodifies: [src/index.ts, src/config.ts]\n"
		"base_hashes: {src/index.ts: " HASH "}\n"
		"file_ops:\n- {type: rename, from: a, to: b}\n- {type: move, from: c, to: d}\n"
		"- {type: delete, path: e}\n"
		"structured: {env_additions: [TOKEN]}\n",
		&m);
	assert_string_equal(m.skill, "telegram");
	assert_string_equal(m.version, "1.0.0");
	assert_string_equal(m.core_version, "0.1.0");
	assert_string_equal(m.description, "Telegram");
	assert_string_equal(m.author, "me");
	assert_string_equal(m.license, "MIT");
	assert_string_equal(m.min_skills_system_version, "0.1.0");
	assert_string_equal(m.test, "npx vitest");
	assert_int_equal(m.post_apply.count, 2);
	assert_string_equal(m.post_apply.list[1], "make install");
	assert_string_equal(m.tested_with.list[0].skill, "slack");
	assert_string_equal(m.tested_with.list[0].version, "2.0.0");
	assert_true(manifest_depends_on(&m, "base"));
	assert_false(manifest_depends_on(&m, "discord"));
	assert_true(manifest_conflicts_with(&m, "discord"));
	assert_string_equal(m.adds.list[0].path.text, "src/b.ts");
	assert_true(manifest_modifies(&m, &index));
	assert_false(manifest_adds(&m, &index));
	assert_non_null(manifest_base_hash(&m, &index));
	assert_null(manifest_base_hash(&m, &config));
	assert_int_equal(m.file_op_count, 3);
	assert_int_equal(m.file_ops[1].type, FILE_OP_RENAME);
	assert_string_equal(m.file_ops[1].to.text, "d");
	assert_int_equal(m.file_ops[2].type, FILE_OP_DELETE);
	assert_string_equal(m.file_ops[2].from.text, "e");
	assert_non_null(m.structured);
}

static void three_fields_are_enough(void **state)
{
	CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;
	CLEANUP(relpath_release) struct relpath path = path_of("x");

	(void)state;
	parse_good("", &m);
	assert_string_equal(m.description, "");
	assert_null(m.test);
	assert_null(m.structured);
	assert_false(manifest_adds(&m, &path));
}

static void what_is_empty_declares_nothing(void **state)
{
	static const char *const texts[] = {"structured:", "structured: {}", "structured: null",
		"structured: {npm_dependencies: {}, env_additions: []}",
		"structured: {npm_dependencies: , env_additions: }",
		"structured: {docker_compose_services: {}, system_packages: []}",
		"adds:", "modifies: []", "file_ops: []", "depends:", "test: ''", "test:"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;

		parse_good(texts[i], &m);
		assert_null(m.structured);
		assert_null(m.test);
		assert_int_equal(m.adds.count + m.modifies.count + m.file_op_count, 0);
	}
}

static void forms_of_old_packages_are_taken(void **state)
{
	static const char *const texts[] = {"structured: {npm_dependencies: [grammy, x]}",
		"structured: {npm_dependencies: [{grammy: ^1.0.0}, {x: latest}]}",
		"structured: {npm_dependencies: {grammy: latest}}",
		"structured: {npm_dependencies: {a: 1}}"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;

		parse_good(texts[i], &m);
		assert_non_null(m.structured);
	}
}

static void unknown_keys_are_noted_and_left_aside(void **state)
{
	(void)state;
	assert_fault_of(HEAD "new: [1]\n", FAULT_NOTE, "manifest.yaml:4:1", "'new'");
	assert_fault_of(
		HEAD "structured: {new: 1}\n", FAULT_NOTE, "manifest.yaml:4:14", "'new'");
	assert_fault_of(HEAD "file_ops: [{type: delete, path: a, new: 1}]\n", FAULT_NOTE,
		"manifest.yaml:4:36", "'new'");
}

static void what_is_missing_is_named(void **state)
{
	(void)state;
	assert_fault_of("skill: a\nversion: 1.0.0\n", FAULT_ERROR, "manifest.yaml",
		"'core_version' is missing");
	assert_fault_of("skill: a\ncore_version: 1.0.0\n", FAULT_ERROR, "manifest.yaml",
		"'version' is missing");
	assert_fault_of("version: 1.0.0\ncore_version: 1.0.0\n", FAULT_ERROR, "manifest.yaml",
		"'skill' is missing");
}

static void every_bad_manifest_has_its_place(void **state)
{
	static const struct {
		const char *text;
		const char *place;
		const char *says;
	} bad[] = {
		{"adds: x", "4:7", "must be a sequence"},
		{"adds: [a, [b]]", "4:11", "item 2 of 'adds'"},
		{"adds:\n- a\n- ../b", "6:3", "component '..'"},
		{"adds: [/a]", "4:8", "is absolute"},
		{"adds: [\"a\\0b\"]", "4:8", "NUL byte"},
		{"modifies: [a, .git/config]", "4:15", "which no skill may touch"},
		{"modifies: [.nanoclaw/base/x]", "4:12", "which no skill may touch"},
		{"adds: [a/.env]", "4:8", "belongs to the user"},
		{"adds: [a, b, a]", "4:14", "listed twice (first on line 4)"},
		{"adds: [a]\nmodifies: [a]", "5:12", "both added and modified"},
		{"modifies: [a]\nadds: [a]", "5:8", "both added and modified"},
		{"adds: [src/A, src/a]", "4:15", "only in case"},
		{"adds: [a, a.b, a/b]", "4:16", "below 'a'"},
		{"adds: [a/b/c]\nmodifies: [A/b]", "4:8", "below 'A/b'"},
		{"depends: [telegram]", "4:11", "depends on itself"},
		{"conflicts: [telegram]", "4:13", "conflicts with itself"},
		{"depends: [a]\nconflicts: [a]", "5:13", "both depends on 'a'"},
		{"depends: [a/b]", "4:11", "letters, digits"},
		{"depends: [a@1]", "4:11", "form 1.2.3"},
		{"test: [a]", "4:7", "must be a string"},
		{"post_apply: x", "4:13", "sequence of strings"},
		{"min_skills_system_version: 1", "4:28", "form 1.2.3"},
		{"file_ops: x", "4:11", "must be a sequence"},
		{"file_ops: [{type: copy}]", "4:19", "'copy'"},
		{"file_ops: [{path: a}]", "4:12", "no 'type'"},
		{"file_ops: [{type: move, from: a, to: .git/x}]", "4:38", "no skill may"},
		{"file_ops: [{type: move, from: a, to: a}]", "4:12", "to itself"},
		{"base_hashes: [a]", "4:14", "must be a mapping"},
		{"modifies: [a]\nbase_hashes: {a: 12}", "5:18", "64 digits"},
		{"base_hashes: {../a: " HASH "}", "4:15", "component '..'"},
		{"structured: x", "4:13", "must be a mapping"},
		{"structured: {npm_dependencies: {a: {}}}", "4:36", "must have a range"},
		{"structured: {npm_dependencies: [{a: []}]}", "4:37", "must have a range"},
		{"structured: {npm_dependencies: [[a]]}", "4:33", "npm_dependencies"},
		{"structured: {npm_dependencies: x}", "4:32", "npm_dependencies"},
		{"structured: {env_additions: x}", "4:29", "env_additions"},
		{"structured: {docker_compose_services: {db: x}}", "4:44", "service"},
		{"adds: [a", "5:1", "did not find"},
		{"version: 2.0.0", "4:1", "appears twice"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_bad(bad[i].text, bad[i].place, bad[i].says);
}

static void all_faults_are_found_at_once(void **state)
{
	CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	parse("skill: a/b\nversion: v1\nadds: [/x, ok, ../y]\ntest: []\nother: 1\n", &manifest,
		&faults);
	assert_int_equal(faults.errors, 6);
	assert_int_equal(faults.count, 7);
	assert_int_equal(manifest.adds.count, 1);
	assert_int_equal(faults_as_error(&faults, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_string_equal(err.message,
		"manifest.yaml:1:8: the skill's name 'a/b' may have letters, digits and '._-' only "
		"(and 5 more faults)");
}

static void any_number_of_faults_is_counted_and_few_are_kept(void **state)
{
	CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	buf_append_str(&text, HEAD "adds:\n");
	for (int i = 0; i < 1000; i++)
		buf_append_str(&text, "- /x\n");
	parse(text.data, &manifest, &faults);
	assert_int_equal(faults.errors, 1000);
	assert_int_equal(faults.count, FAULTS_MAX);
	assert_int_equal(faults.left_out, 1000 - FAULTS_MAX);
}

static void names_are_words_that_are_safe_everywhere(void **state)
{
	static const char *const good[] = {"a", "add-telegram", "x.y_z", "0", "_a", "A1"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		CLEANUP(freep)
		char *text = xasprintf(
			"skill: '%s'\nversion: 1.0.0\ncore_version: 0.1.0\n", good[i]);
		CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;
		CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

		parse(text, &manifest, &faults);
		assert_int_equal(faults.count, 0);
		assert_string_equal(manifest.skill, good[i]);
	}
}

static void a_newer_system_is_asked_for_in_vain(void **state)
{
	CLEANUP(manifest_release) struct manifest now = MANIFEST_INIT;
	CLEANUP(manifest_release) struct manifest later = MANIFEST_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	parse_good("min_skills_system_version: " SKILLS_SYSTEM_VERSION, &now);
	parse_good("min_skills_system_version: 99.0.0", &later);
	assert_int_equal(manifest_require_system(&now, &err), 0);
	assert_int_equal(manifest_require_system(&later, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
}

TESTS(cmocka_unit_test(every_field_is_read), cmocka_unit_test(three_fields_are_enough),
	cmocka_unit_test(what_is_empty_declares_nothing),
	cmocka_unit_test(forms_of_old_packages_are_taken),
	cmocka_unit_test(unknown_keys_are_noted_and_left_aside),
	cmocka_unit_test(what_is_missing_is_named),
	cmocka_unit_test(every_bad_manifest_has_its_place),
	cmocka_unit_test(all_faults_are_found_at_once),
	cmocka_unit_test(any_number_of_faults_is_counted_and_few_are_kept),
	cmocka_unit_test(names_are_words_that_are_safe_everywhere),
	cmocka_unit_test(a_newer_system_is_asked_for_in_vain))
