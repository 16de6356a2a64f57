#include "test.h"

#include "engine/structured/npm/npm.h"

static const struct {
	const char *name;
	enum npm_name_kind kind;
} name_cases[] = {
	{"grammy", NPM_NAME_GOOD},
	{"@scope/name", NPM_NAME_GOOD},
	{"@scope/_name", NPM_NAME_GOOD},
	{"a.b-c_d", NPM_NAME_GOOD},
	{"0", NPM_NAME_GOOD},
	{"JSONStream", NPM_NAME_OLD},
	{"@scope/Name", NPM_NAME_OLD},
	{"crazy!", NPM_NAME_OLD},
	{"", NPM_NAME_WRONG},
	{".hidden", NPM_NAME_WRONG},
	{"-dash", NPM_NAME_WRONG},
	{"_under", NPM_NAME_WRONG},
	{"__proto__", NPM_NAME_WRONG},
	{" blank", NPM_NAME_WRONG},
	{"blank ", NPM_NAME_WRONG},
	{"a b", NPM_NAME_WRONG},
	{"a/b", NPM_NAME_WRONG},
	{"../a", NPM_NAME_WRONG},
	{"@scope", NPM_NAME_WRONG},
	{"@/name", NPM_NAME_WRONG},
	{"@scope/", NPM_NAME_WRONG},
	{"@scope/.name", NPM_NAME_WRONG},
	{"@scope/a/b", NPM_NAME_WRONG},
	{"@sc ope/a", NPM_NAME_WRONG},
	{"node_modules", NPM_NAME_WRONG},
	{"Favicon.ico", NPM_NAME_WRONG},
	{"a:b", NPM_NAME_WRONG},
	{"a\nb", NPM_NAME_WRONG},
	{"h\xc3\xa9", NPM_NAME_WRONG},
};

static void names_are_judged_as_npm_does(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(name_cases); i++) {
		const char *why;

		if (npm_name_check(name_cases[i].name, &why) != name_cases[i].kind)
			fail_msg("'%s': %s", name_cases[i].name, why ? why : "good");
		assert_int_equal(!why, name_cases[i].kind == NPM_NAME_GOOD);
	}
}

static const struct {
	const char *spec;
	enum npm_spec_kind kind;
} spec_cases[] = {
	{"", NPM_SPEC_ANY},
	{" * ", NPM_SPEC_ANY},
	{"x", NPM_SPEC_ANY},
	{"^1.2.0", NPM_SPEC_RANGE},
	{"1.2.3", NPM_SPEC_RANGE},
	{"~0.3.1", NPM_SPEC_RANGE},
	{"latest", NPM_SPEC_TAG},
	{"next-11", NPM_SPEC_TAG},
	{"file:../a", NPM_SPEC_ADDRESS},
	{"FILE:a.tgz", NPM_SPEC_ADDRESS},
	{"./a", NPM_SPEC_ADDRESS},
	{"~/a", NPM_SPEC_ADDRESS},
	{"a.tgz", NPM_SPEC_ADDRESS},
	{"link:../a", NPM_SPEC_ADDRESS},
	{"workspace:*", NPM_SPEC_ADDRESS},
	{"user/repo", NPM_SPEC_ADDRESS},
	{"user/repo#semver:^1", NPM_SPEC_ADDRESS},
	{"github:user/repo", NPM_SPEC_ADDRESS},
	{"git@host.example:user/repo.git", NPM_SPEC_ADDRESS},
	{"git+ssh://git@host.example/a.git#v1", NPM_SPEC_ADDRESS},
	{"https://host.example/a.tgz", NPM_SPEC_ADDRESS},
	{"npm:other@^1.2.0", NPM_SPEC_ADDRESS},
	{"npm:@scope/other", NPM_SPEC_ADDRESS},
	{"npm:@scope/other@next", NPM_SPEC_ADDRESS},
	{"npm:", NPM_SPEC_WRONG},
	{"npm:not a name@1.0.0", NPM_SPEC_WRONG},
	{"npm:other@file:x", NPM_SPEC_WRONG},
	{"javascript:alert", NPM_SPEC_WRONG},
	{"not a range", NPM_SPEC_WRONG},
	{"^^1.0.0 ?", NPM_SPEC_WRONG},
	{"a\nb", NPM_SPEC_WRONG},
	{"@scope", NPM_SPEC_WRONG},
};

static void specifiers_are_told_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(spec_cases); i++)
		if (npm_spec_kind(view_of(spec_cases[i].spec)) != spec_cases[i].kind)
			fail_msg("'%s' is taken for %d", spec_cases[i].spec,
				(int)npm_spec_kind(view_of(spec_cases[i].spec)));
}

static const struct {
	const char *specs[4];
	const char *expected; /* NULL: they do not agree */
} combine_cases[] = {
	{{"^1.2.0"}, "^1.2.0"},
	{{"*", "x", ""}, "*"},
	{{"*", "^1.2.0"}, "^1.2.0"},
	{{"*", "latest"}, "latest"},
	{{" ^1.2.0", "^1.2.0 "}, "^1.2.0"},
	{{"^1.2.0", "^1.4.0"}, "^1.4.0"},
	{{"^1.2.0", "~1.2.5", "1.2.7"}, "1.2.7"},
	{{"^1.0.0", "^2.0.0"}, NULL},
	{{"^0.1.0", "^0.2.0"}, NULL},
	{{"latest", "latest", "*"}, "latest"},
	{{"latest", "^1.0.0"}, NULL},
	{{"latest", "next"}, NULL},
	{{"file:../a", "file:../a"}, "file:../a"},
	{{"file:../a", "file:../b"}, NULL},
	{{"npm:other@^1.0.0", "^1.0.0"}, NULL},
};

static void specifiers_are_put_together_where_they_agree(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(combine_cases); i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		const char *const *specs = combine_cases[i].specs;
		size_t count = 0;

		while (count < 4 && specs[count])
			count++;
		if (npm_specs_combine(specs, count, &text))
			assert_string_equal(text.data,
				combine_cases[i].expected ? combine_cases[i].expected : "");
		else
			assert_null(combine_cases[i].expected);
	}
}

TESTS(cmocka_unit_test(names_are_judged_as_npm_does),
	cmocka_unit_test(specifiers_are_told_apart),
	cmocka_unit_test(specifiers_are_put_together_where_they_agree))
