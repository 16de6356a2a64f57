#include "structured_check.h"

#include "engine/structured/system_packages.h"

static const struct structured_format *const packages = &structured_system;

#define HEADING "# Packages of the distribution that skills need; see 'nanoclaw doctor'.\n"

static void assert_faults(const char *yaml, const char *expected)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(buf_release) struct buf all = BUF_INIT;

	assert_int_equal(yaml_parse(view_of(yaml), "m", &doc, &err), 0);
	packages->check(doc->root, &faults);
	for (size_t i = 0; i < faults.count; i++)
		buf_appendf(&all, "%s %s\n", faults.list[i].where, faults.list[i].text);
	assert_string_equal(all.data, expected);
}

static void only_names_of_packages_are_right(void **state)
{
	(void)state;
	assert_faults("[ffmpeg, g++, libc6, python3.11, 7zip]\n", "");
	assert_faults("null\n", "");
	assert_faults("ffmpeg\n", "m:1:1 'system_packages' must be a sequence, not a string\n");
	assert_faults("- ok\n- Upper\n- x\n- -y\n- a b\n- [c]\n- 'x;y'\n- make-\n- apt.\n",
		"m:2:3 'Upper' is not a package name: lower case letters, digits and '+', "
		"'.', '-', two or more\n"
		"m:3:3 'x' is not a package name: lower case letters, digits and '+', "
		"'.', '-', two or more\n"
		"m:4:3 '-y' is not a package name: lower case letters, digits and '+', "
		"'.', '-', two or more\n"
		"m:5:3 'a b' is not a package name: lower case letters, digits and '+', "
		"'.', '-', two or more\n"
		"m:6:3 an item of 'system_packages' must be a string, not a sequence\n"
		"m:7:3 'x;y' is not a package name: lower case letters, digits and '+', "
		"'.', '-', two or more\n"
		"m:8:3 'make-' is not a package name: lower case letters, digits and '+', "
		"'.', '-', two or more\n"
		"m:9:3 'apt.' is not a package name: lower case letters, digits and '+', "
		"'.', '-', two or more\n");
}

static void a_file_of_ours_is_one_sorted_list(void **state)
{
	CLEANUP(skills_release)
	struct skills skills = skills_of("a: [jq, ffmpeg, jq]\nb: [curl, ffmpeg]\n");

	(void)state;
	assert_rendered(packages, "", &skills, HEADING "curl\nffmpeg\njq\n");
}

static void names_are_merged_into_the_lines_of_a_person(void **state)
{
	static const struct {
		const char *own, *expected;
	} table[] = {
		{"# mine\ndelta\n", "# mine\nbb\ndelta\nmm\nzz\n"},
		{"aa\n\n# why\ndelta\n", "aa\n\nbb\n# why\ndelta\nmm\nzz\n"},
		{"nn", "bb\nmm\nnn\nzz\n"},
		{"zz # needed by me\r\naa\r\n", "bb\r\nmm\r\nzz # needed by me\r\naa\r\n"},
		{"# only this\n", "# only this\nbb\nmm\nzz\n"},
		{"Bb\n", "Bb\nbb\nmm\nzz\n"},
		{"zz\nbb\nmm\n", "zz\nbb\nmm\n"},
	};
	CLEANUP(skills_release) struct skills skills = skills_of("a: [zz, bb, mm]\n");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		assert_rendered(packages, table[i].own, &skills, table[i].expected);
}

static void the_outcome_says_who_needs_what(void **state)
{
	CLEANUP(skills_release) struct skills skills = skills_of("a: [jq]\nb: [curl, jq]\n");
	struct structured_input input =
		input_of(packages, view_of("jq\n"), skills.list, skills.count);
	CLEANUP(rendered_release) struct rendered rendered = render(packages, &input);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	assert_int_equal(yaml_write(rendered.output.outcome, &text, &err), 0);
	assert_string_equal(text.data, "packages:\n"
				       "  curl:\n"
				       "    skills:\n"
				       "      - b\n"
				       "  jq:\n"
				       "    skills:\n"
				       "      - a\n"
				       "      - b\n");
}

/* --- a person's edits ----------------------------------------------------------- */

static void assert_edit(
	const char *edited, const char *own, const char *unwanted, const char *after)
{
	CLEANUP(skills_release) struct skills skills = skills_of("a: [curl, jq]\nb: [zip]\n");
	struct structured_input input =
		input_of(packages, view_of(""), skills.list, skills.count);
	CLEANUP(rendered_release) struct rendered before = render(packages, &input);
	CLEANUP(stripped_release)
	struct stripped stripped = strip(
		packages, view_of(edited), before.output.record, skills.list, skills.count);
	struct structured_input again =
		input_of(packages, view_of_buf(&stripped.own), skills.list, skills.count);
	CLEANUP(buf_release) struct buf names = BUF_INIT;

	assert_string_equal(before.output.text.data, HEADING "curl\njq\nzip\n");
	again.unwanted = stripped.unwanted;
	for (size_t i = 0; stripped.unwanted && i < stripped.unwanted->count; i++)
		buf_appendf(&names, "%s ", stripped.unwanted->items[i]->text.data);

	CLEANUP(rendered_release) struct rendered rendered = render(packages, &again);

	assert_string_equal(stripped.own.data, own);
	assert_string_equal(names.data, unwanted);
	assert_string_equal(rendered.output.text.data, after);
	assert_int_equal(rendered.output.warnings.count,
		stripped.unwanted ? stripped.unwanted->count : 0);
}

static void edits_are_the_persons(void **state)
{
	(void)state;
	/* Nothing but ours is left: nothing is anybody's own. */
	assert_edit(HEADING "curl\njq\nzip\n", "", "", HEADING "curl\njq\nzip\n");
	assert_edit(HEADING "curl\njq\nnano\nzip\n", HEADING "nano\n", "",
		HEADING "curl\njq\nnano\nzip\n");
	assert_edit(HEADING "curl # mine\njq\nzip\n", HEADING "curl # mine\n", "",
		HEADING "curl # mine\njq\nzip\n");
	assert_edit("curl\njq\nzip\n", "", "", HEADING "curl\njq\nzip\n");
}

static void what_a_person_took_out_stays_out(void **state)
{
	(void)state;
	assert_edit(HEADING "curl\nzip\n", "", "jq ", HEADING "curl\nzip\n");
	assert_edit("", "", "curl jq zip ", "");
}

static void without_a_record_what_is_declared_is_taken(void **state)
{
	CLEANUP(skills_release) struct skills skills = skills_of("a: [curl, jq]\n");
	CLEANUP(stripped_release)
	struct stripped stripped = strip(
		packages, view_of("# own\ncurl\nmake\n"), NULL, skills.list, skills.count);

	(void)state;
	assert_string_equal(stripped.own.data, "# own\nmake\n");
	assert_null(stripped.unwanted);
}

static void the_names_of_a_file_are_sorted_and_single(void **state)
{
	CLEANUP(freep) struct view *names = NULL;
	CLEANUP(buf_release) struct buf all = BUF_INIT;
	size_t count = system_packages_read(
		view_of("# x\n zip\r\njq=1.6\nzip # again\n\n-o\nJQ\nx\nlast"), &names);

	(void)state;
	for (size_t i = 0; i < count; i++)
		buf_appendf(&all, "[%.*s]", VIEW_ARGS(names[i]));
	assert_string_equal(all.data, "[jq][last][zip]");
}

/* --- random files and skills ---------------------------------------------------- */

static unsigned seed = 1;

static const char *random_line(void)
{
	static const char *const lines[] = {
		"", " ", "# text", "aa", "bb # why", "  cc", "Dd", "ee", "ff=1", "# aa", "zz"};

	return lines[(size_t)rand_r(&seed) % ARRAY_SIZE(lines)];
}

static void random_own(struct buf *out)
{
	const char *line_end = rand_r(&seed) % 3 ? "\n" : "\r\n";

	for (int i = rand_r(&seed) % 7; i > 0; i--) {
		buf_append_str(out, random_line());
		if (i > 1 || rand_r(&seed) % 3)
			buf_append_str(out, line_end);
		else if (rand_r(&seed) % 4 == 0)
			buf_append_char(out, '\r');
	}
}

static struct skills random_skills(void)
{
	CLEANUP(buf_release) struct buf yaml = BUF_INIT;

	for (int i = 0; i < 3; i++) {
		buf_appendf(&yaml, "%c: [", "abc"[i]);
		for (int j = rand_r(&seed) % 5; j > 0; j--) {
			char letter = (char)('a' + rand_r(&seed) % 9);

			buf_appendf(&yaml, "%c%c%s", letter, letter, j > 1 ? ", " : "");
		}
		buf_append_str(&yaml, "]\n");
	}
	return skills_of(yaml.data);
}

/* A name stands once, whatever else a person has written into its line. */
static bool is_named(struct view line, struct view text)
{
	CLEANUP(freep) struct view *names = NULL;
	size_t count = system_packages_read(text, &names);
	struct view name = system_package_of_line(line);

	for (size_t i = 0; i < count; i++)
		if (view_equal(names[i], name) && view_equal(view_trim(line), name))
			return true;
	return false;
}

static void edit(struct view text, struct buf *out)
{
	struct view line;

	while (view_next(&text, '\n', &line)) {
		int what = rand_r(&seed) % 10;

		if (what == 0)
			continue;
		if (what == 1)
			buf_appendf(out, "%s\n", random_line());
		buf_append(out, line.data, line.len);
		buf_append_str(out, what == 2 ? " # edited\n" : "\n");
	}
}

static void random_files_keep_the_invariants(void **state)
{
	enum { ROUNDS = 500 };

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		CLEANUP(buf_release) struct buf own = BUF_INIT, edited = BUF_INIT;
		CLEANUP(skills_release) struct skills skills = random_skills();

		random_own(&own);
		check_all(packages, view_of_buf(&own), &skills);

		struct structured_input input =
			input_of(packages, view_of_buf(&own), skills.list, skills.count);
		CLEANUP(rendered_release) struct rendered rendered = render(packages, &input);

		edit(view_of_buf(&rendered.output.text), &edited);
		check_edited(packages, view_of_buf(&own), &skills, view_of_buf(&edited),
			"# Packages of ", is_named);
	}
	print_message("# seed 1, %d files\n", ROUNDS);
}

TESTS(cmocka_unit_test(only_names_of_packages_are_right),
	cmocka_unit_test(a_file_of_ours_is_one_sorted_list),
	cmocka_unit_test(names_are_merged_into_the_lines_of_a_person),
	cmocka_unit_test(the_outcome_says_who_needs_what),
	cmocka_unit_test(edits_are_the_persons),
	cmocka_unit_test(what_a_person_took_out_stays_out),
	cmocka_unit_test(without_a_record_what_is_declared_is_taken),
	cmocka_unit_test(the_names_of_a_file_are_sorted_and_single),
	cmocka_unit_test(random_files_keep_the_invariants))
