#include "structured_check.h"

#include "engine/structured/env/env.h"
#include "engine/text/lines.h"

static const struct structured_format *const env = &structured_env;

/* --- what is declared ----------------------------------------------------------- */

static char *faults_of(const char *yaml)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(buf_release) struct buf all = BUF_INIT;

	assert_int_equal(yaml_parse(view_of(yaml), "m", &doc, &err), 0);
	env->check(doc->root, &faults);
	for (size_t i = 0; i < faults.count; i++)
		buf_appendf(&all, "%s %s\n", faults.list[i].where, faults.list[i].text);
	return buf_take(&all);
}

static void assert_faults(const char *yaml, const char *expected)
{
	CLEANUP(freep) char *found = faults_of(yaml);

	assert_string_equal(found, expected);
}

static void all_spellings_of_a_declaration_are_right(void **state)
{
	(void)state;
	assert_faults("[A, B=1, {name: C, default: 2, comment: \"x\\ny\"}, {D: 3}, E=]\n", "");
	assert_faults("A:\nB: 1\nC: {default: true, comment: x}\nD: {}\n", "");
	assert_faults("null\n", "");
}

static void faults_have_their_places(void **state)
{
	(void)state;
	assert_faults("A\n", "m:1:1 'env_additions' must be a sequence, not a string\n");
	assert_faults("- A\n- 1A\n- A-B=2\n",
		"m:2:3 '1A' is not a variable name: letters, digits and '_', "
		"and no digit first\n"
		"m:3:3 'A-B' is not a variable name: letters, digits and '_', "
		"and no digit first\n");
	assert_faults("A: \"x\\ny\"\n", "m:1:4 the default of 'A' must be one line\n");
	assert_faults("A: [x]\n",
		"m:1:4 the default of a variable must be a string, not a sequence\n");
	assert_faults("- default: 1\n  comment: x\n", "m:1:3 a variable needs a 'name'\n");
	assert_faults("- {name: A, value: 1}\n",
		"m:1:13 unknown key 'value': a variable has 'name', 'default' and "
		"'comment'\n");
	assert_faults("- [A]\n",
		"m:1:3 an item of 'env_additions' must be a mapping, not a sequence\n");
	assert_faults("- A: 'x`\"'''\n",
		"m:1:6 the default of 'A' cannot be written so that every reader agrees: it has "
		"control characters, or quotes or a backslash at the end that no quotes can "
		"enclose\n");
}

static void a_variable_is_declared_twice_only_with_the_same_default(void **state)
{
	(void)state;
	assert_faults("[A=1, A, A=1]\n", "");
	assert_faults("[A=1, A=2]\n", "m:1:7 'A' is declared twice, with '1' and with '2'\n");
}

/* --- rendering ------------------------------------------------------------------ */

static void each_skill_has_a_block_at_the_end(void **state)
{
	CLEANUP(skills_release)
	struct skills skills = skills_of("b: [X=1, {name: Y, comment: \"one\\n\\ntwo\"}]\n"
					 "a: {TOKEN: }\n");

	(void)state;
	assert_rendered(env, "# core\nCORE=1\n", &skills,
		"# core\nCORE=1\n"
		"\n# Skill: a\nTOKEN=\n"
		"\n# Skill: b\nX=1\n# one\n#\n# two\nY=\n");
	assert_rendered(env, "", &skills,
		"# Skill: a\nTOKEN=\n\n# Skill: b\nX=1\n# one\n#\n# two\nY=\n");
}

static void the_end_of_the_own_content_is_respected(void **state)
{
	CLEANUP(skills_release) struct skills skills = skills_of("a: [X]\n");

	(void)state;
	assert_rendered(env, "A=1", &skills, "A=1\n\n# Skill: a\nX=\n");
	assert_rendered(env, "A=1\n\n", &skills, "A=1\n\n# Skill: a\nX=\n");
	assert_rendered(env, "A=1\r\nB=2", &skills, "A=1\r\nB=2\r\n\r\n# Skill: a\r\nX=\r\n");
}

static void a_shared_variable_stands_once(void **state)
{
	CLEANUP(skills_release)
	struct skills skills = skills_of(
		"a: [X]\nb: [{name: X, default: 5, comment: how many}, Z]\nc: [X=5]\n");

	(void)state;
	assert_rendered(env, "", &skills,
		"# Skill: a\n# how many\n# also for: b, c\nX=5\n\n# Skill: b\nZ=\n");
}

static void values_are_quoted_where_readers_need_it(void **state)
{
	static const struct {
		const char *value, *written;
	} table[] = {
		{"plain/1.0:2@x", "plain/1.0:2@x"},
		{"", ""},
		{"two words", "'two words'"},
		{"a#b", "'a#b'"},
		{"$HOME", "'$HOME'"},
		{"say \"x\"", "'say \"x\"'"},
		{"it's", "\"it's\""},
		{"it's \"x\"", "`it's \"x\"`"},
		{"it's \\n", "`it's \\n`"},
		{"C:\\some dir\\", "C:\\some dir\\"},
		{"`it's $x`", "\"`it's $x`\""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(buf_release) struct buf written = BUF_INIT;
		CLEANUP(freep) char *read = NULL;

		env_value_write(table[i].value, &written);
		read = env_value_read(view_of_buf(&written));
		assert_string_equal(written.data, table[i].written);
		assert_string_equal(read, table[i].value);
	}
}

static struct rendered rendered_warning(
	const char *own, const struct skills *skills, const char *warning)
{
	struct structured_input input =
		input_of(env, view_of(own), skills->list, skills->count);
	struct rendered rendered = render(env, &input);

	assert_string_equal(rendered.output.text.data, own);
	assert_int_equal(rendered.output.warnings.count, warning ? 1 : 0);
	if (warning)
		assert_string_equal(rendered.output.warnings.list[0], warning);
	return rendered;
}

static void what_the_own_content_has_stays_its_own(void **state)
{
	static const char warning[] = "'.env.example' has 'X' already, and it stays as it is; "
				      "skill 'a' has '5' for it";
	static const struct {
		const char *own, *warning;
	} table[] = {
		{"X=5\n", NULL},
		{"X='5' # five\n", NULL},
		{"export X = 5\n", NULL},
		{"#X=5\n", NULL},
		{"X=6\n", warning},
		{"# X=\n", warning},
		{"# X=5\nX=6\n", warning},
	};
	CLEANUP(skills_release) struct skills skills = skills_of("a: [X=5]\nb: [X]\n");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(rendered_release)
		struct rendered rendered =
			rendered_warning(table[i].own, &skills, table[i].warning);

		(void)rendered;
	}
}

static void prose_is_no_assignment(void **state)
{
	CLEANUP(skills_release) struct skills skills = skills_of("a: [X]\n");

	(void)state;
	assert_rendered(env, "# set X=1 here, or\n# X = 2\n", &skills,
		"# set X=1 here, or\n# X = 2\n\n# Skill: a\nX=\n");
}

static void the_outcome_names_variables_with_their_skills(void **state)
{
	CLEANUP(skills_release) struct skills skills = skills_of("a: [X, Z]\nb: [X=5]\n");
	struct structured_input input =
		input_of(env, view_of("Z=own\n"), skills.list, skills.count);
	CLEANUP(rendered_release) struct rendered rendered = render(env, &input);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	assert_int_equal(yaml_write(rendered.output.outcome, &text, &err), 0);
	assert_string_equal(text.data, "variables:\n"
				       "  X:\n"
				       "    default: \"5\"\n"
				       "    skills:\n"
				       "      - a\n"
				       "      - b\n"
				       "  Z:\n"
				       "    default: own\n"
				       "    skills:\n"
				       "      - a\n");
}

/* --- clashes -------------------------------------------------------------------- */

#define CLASHING "a: [{name: X, default: 1, comment: c}, Y]\nb: [X=2]\nc: [X]\n"

static void other_defaults_are_a_clash(void **state)
{
	static const char *const texts[] = {
		[CLASH_NEITHER] = "O=1\n\n# Skill: a\nY=\n",
		[CLASH_FIRST] = "O=1\n\n# Skill: a\n# c\n# also for: b, c\nX=1\nY=\n",
		[CLASH_LAST] = "O=1\n\n# Skill: a\n# c\n# also for: b, c\nX=2\nY=\n",
	};
	CLEANUP(skills_release) struct skills skills = skills_of(CLASHING);
	struct structured_input input =
		input_of(env, view_of("O=1\n"), skills.list, skills.count);

	(void)state;
	for (input.side = CLASH_NEITHER; input.side <= CLASH_LAST; input.side++) {
		CLEANUP(rendered_release) struct rendered rendered = render(env, &input);
		const struct clash_list *clashes = &rendered.output.clashes;

		assert_string_equal(rendered.output.text.data, texts[input.side]);
		assert_int_equal(clashes->count, 1);
		assert_string_equal(clashes->list[0].key, "X");
		assert_string_equal(clashes->list[0].about,
			"'X' in '.env.example' has different defaults: "
			"'1' of skill 'a', '2' of skill 'b'");
		assert_int_equal(clashes->list[0].claim_count, 2);
		assert_string_equal(clashes->list[0].claims[1].who, "b");
		assert_string_equal(clashes->list[0].claims[1].what, "2");
	}
}

static void assert_decided(const char *decisions, const char *expected, size_t clashes)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	CLEANUP(skills_release) struct skills skills = skills_of(CLASHING);
	struct structured_input input = input_of(env, view_of(""), skills.list, skills.count);

	assert_int_equal(yaml_parse(view_of(decisions), "d", &doc, &err), 0);
	input.decisions = doc->root;
	CLEANUP(rendered_release) struct rendered rendered = render(env, &input);

	assert_string_equal(rendered.output.text.data, expected);
	assert_int_equal(rendered.output.clashes.count, clashes);
}

static void a_decision_resolves_its_clash_and_no_other(void **state)
{
	(void)state;
	assert_decided("X: {claims: {a: 1, b: 2}, value: 3 4}\n",
		"# Skill: a\n# c\n# also for: b, c\nX='3 4'\nY=\n", 0);
	assert_decided("X: {claims: {a: 1, b: 2}, value: null}\n", "# Skill: a\nY=\n", 0);
	/* One for other claims does not resolve it, and is one side of the conflict. */
	assert_decided("X: {claims: {a: 1, b: 3}, value: 3}\n",
		"# Skill: a\n# c\n# also for: b, c\nX=3\nY=\n", 1);
}

static void what_a_person_resolves_is_read_from_the_file(void **state)
{
	static const struct {
		const char *text, *value;
	} table[] = {
		{"A=1\nX='3 4'\n", "3 4"},
		{"X=1\nX=2 # both\n", "2"},
		{"# X=1\n", NULL},
		{"", NULL},
	};
	struct clash clash = {.key = (char[]){"X"}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("state");
		struct yaml_node *value;

		assert_int_equal(env->resolved(".env.example", view_of(table[i].text), &clash,
					 doc, &value, &err),
			0);
		assert_true(!value == !table[i].value);
		if (value)
			assert_string_equal(value->text.data, table[i].value);
	}
}

/* --- a person's edits ----------------------------------------------------------- */

#define EDITED_OWN    "O=1\n"
#define EDITED_SKILLS "a: [A=1, {name: B, default: 2, comment: two}, C=3]\nb: [D=4]\n"

/* From the file after the edit: its own content, the names of what is unwanted, and the
 * file after the next rendering. */
static void assert_edit(
	const char *edited, const char *own, const char *unwanted, const char *after)
{
	CLEANUP(skills_release) struct skills skills = skills_of(EDITED_SKILLS);
	struct structured_input input =
		input_of(env, view_of(EDITED_OWN), skills.list, skills.count);
	CLEANUP(rendered_release) struct rendered before = render(env, &input);
	CLEANUP(stripped_release)
	struct stripped stripped =
		strip(env, view_of(edited), before.output.record, skills.list, skills.count);
	struct structured_input again =
		input_of(env, view_of_buf(&stripped.own), skills.list, skills.count);
	CLEANUP(buf_release) struct buf names = BUF_INIT;

	assert_string_equal(before.output.text.data,
		"O=1\n\n# Skill: a\nA=1\n# two\nB=2\nC=3\n\n# Skill: b\nD=4\n");
	again.unwanted = stripped.unwanted;
	for (size_t i = 0; stripped.unwanted && i < stripped.unwanted->count; i++)
		buf_appendf(&names, "%s ", stripped.unwanted->items[i]->text.data);

	CLEANUP(rendered_release) struct rendered rendered = render(env, &again);

	assert_string_equal(stripped.own.data, own);
	assert_string_equal(names.data, unwanted);
	assert_string_equal(rendered.output.text.data, after);
	assert_int_equal(rendered.output.warnings.count >= !!*unwanted, 1);
}

static void an_edited_entry_is_the_persons_and_stays_in_its_place(void **state)
{
	(void)state;
	assert_edit("O=1\n\n# Skill: a\nA=1\n# two\nB=22\nC=3\n\n# Skill: b\nD=4\n",
		"O=1\n\n# Skill: a\n# two\nB=22\n", "",
		"O=1\n\n# Skill: a\nA=1\n# two\nB=22\nC=3\n\n# Skill: b\nD=4\n");
	/* The comment is a part of the entry. */
	assert_edit("O=1\n\n# Skill: a\nA=1\n# or three\nB=2\nC=3\n\n# Skill: b\nD=4\n",
		"O=1\n\n# Skill: a\n# or three\nB=2\n", "",
		"O=1\n\n# Skill: a\nA=1\n# or three\nB=2\nC=3\n\n# Skill: b\nD=4\n");
	/* The last one of a block; one that was commented out. */
	assert_edit("O=1\n\n# Skill: a\nA=1\n# two\nB=2\n#C=3\n\n# Skill: b\nD=4\n",
		"O=1\n\n# Skill: a\n#C=3\n", "",
		"O=1\n\n# Skill: a\nA=1\n# two\nB=2\n#C=3\n\n# Skill: b\nD=4\n");
}

static void lines_that_a_person_added_are_kept(void **state)
{
	(void)state;
	assert_edit("O=1\n\n# Skill: a\nA=1\n# mine\n# two\nB=2\nC=3\n\n# Skill: b\nD=4\n",
		"O=1\n\n# Skill: a\n# mine\n", "",
		"O=1\n\n# Skill: a\nA=1\n# two\nB=2\nC=3\n# mine\n\n# Skill: b\nD=4\n");
	/* Behind the last block: no part of it. */
	assert_edit("O=1\n\n# Skill: a\nA=1\n# two\nB=2\nC=3\n\n# Skill: b\nD=4\n\n# me\nE=5\n",
		"O=1\n\n# me\nE=5\n", "",
		"O=1\n\n# me\nE=5\n\n# Skill: a\nA=1\n# two\nB=2\nC=3\n\n# Skill: b\nD=4\n");
}

static void what_a_person_took_out_stays_out(void **state)
{
	(void)state;
	assert_edit("O=1\n\n# Skill: a\nA=1\nC=3\n\n# Skill: b\nD=4\n", "O=1\n", "B ",
		"O=1\n\n# Skill: a\nA=1\nC=3\n\n# Skill: b\nD=4\n");
	assert_edit("O=1\n\n# Skill: a\nA=1\n# two\nB=2\nC=3\n", "O=1\n", "D ",
		"O=1\n\n# Skill: a\nA=1\n# two\nB=2\nC=3\n");
	/* Moved is not taken out. */
	assert_edit("D=4\nO=1\n\n# Skill: a\nA=1\n# two\nB=2\nC=3\n", "O=1\n", "",
		"O=1\n\n# Skill: a\nA=1\n# two\nB=2\nC=3\n\n# Skill: b\nD=4\n");
}

static void other_line_ends_are_no_edit(void **state)
{
	(void)state;
	assert_edit("O=1\r\n\r\n# Skill: a\r\nA=1\r\n# two\r\nB=2\r\nC=3\r\n\r\n"
		    "# Skill: b\r\nD=4\r\n",
		"O=1\r\n", "",
		"O=1\r\n\r\n# Skill: a\r\nA=1\r\n# two\r\nB=2\r\nC=3\r\n\r\n"
		"# Skill: b\r\nD=4\r\n");
}

static void without_a_record_what_is_as_declared_is_taken(void **state)
{
	static const char *const texts[] = {
		"O=1\n\n# Added by skill\nA=1\nB=2\n\n# Added by skill\nD=4\n",
		"O=1\n\n# Skill: a\nA=1\n# two\nB=2\nC=3\n\n# Skill: b\nD=4\n",
	};
	CLEANUP(skills_release) struct skills skills = skills_of(EDITED_SKILLS);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CLEANUP(stripped_release)
		struct stripped stripped =
			strip(env, view_of(texts[i]), NULL, skills.list, skills.count);

		assert_string_equal(stripped.own.data, "O=1\n");
		assert_null(stripped.unwanted);
	}
}

/* --- random files and skills ---------------------------------------------------- */

static unsigned seed = 1;

static const char *pick(const char *const *list, size_t count)
{
	return list[(size_t)rand_r(&seed) % count];
}

#define PICK(...)                                                                              \
	({                                                                                     \
		static const char *const list_[] = {__VA_ARGS__};                              \
		pick(list_, ARRAY_SIZE(list_));                                                \
	})

static const char *random_line(void)
{
	return PICK("", "", "  ", "# text", "A=1", "B=", "C='x y'", "# D=4", "#E=5",
		"export F=6", "# Skill: a", "# Skill: b", "# Skill: d", "no assignment",
		"G=\"open", "H", "# c");
}

static void random_own(struct buf *out)
{
	const char *line_end = PICK("\n", "\n", "\r\n");

	for (int i = rand_r(&seed) % 8; i > 0; i--) {
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
		buf_appendf(&yaml, "%c:\n", "abc"[i]);
		for (char name = 'A'; name <= 'J'; name++)
			if (rand_r(&seed) % 3 == 0)
				buf_appendf(&yaml, "  %c: {default: %s, comment: %s}\n", name,
					PICK("", "", "5", "it's", "a b", "'\"'"),
					PICK("", "", "text", "'Skill: b'", "A=1",
						"\"a\\n\\nb\""));
		if (yaml.data[yaml.len - 2] == ':')
			buf_append_str(&yaml, "  []\n");
	}
	return skills_of(yaml.data);
}

static void random_files_keep_the_invariants(void **state)
{
	enum { ROUNDS = 150 };

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		CLEANUP(buf_release) struct buf own = BUF_INIT;
		CLEANUP(skills_release) struct skills skills = random_skills();

		random_own(&own);
		check_all(env, view_of_buf(&own), &skills);
	}
	print_message("# seed 1, %d files\n", ROUNDS);
}

static bool is_disputed(const struct clash_list *clashes, struct view line)
{
	struct view name;

	view_next(&line, '=', &name);
	for (size_t i = 0; i < clashes->count; i++)
		if (view_equal_str(name, clashes->list[i].key))
			return true;
	return false;
}

/* How many lines differ; only disputed ones may. */
static size_t compare_sides(
	const struct structured_output *one, const struct structured_output *two)
{
	struct view left = view_of_buf(&one->text), right = view_of_buf(&two->text), a, b;
	size_t count = 0;

	while (view_next(&left, '\n', &a)) {
		assert_true(view_next(&right, '\n', &b));
		if (view_equal(a, b))
			continue;
		assert_true(is_disputed(&one->clashes, a) && is_disputed(&one->clashes, b));
		count++;
	}
	assert_int_equal(right.len, 0);
	return count;
}

static void the_sides_of_a_clash_differ_in_its_lines_only(void **state)
{
	enum { ROUNDS = 500 };
	size_t clashes = 0;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		CLEANUP(buf_release) struct buf own = BUF_INIT;
		CLEANUP(skills_release) struct skills skills = random_skills();
		struct structured_input input;

		random_own(&own);
		input = input_of(env, view_of_buf(&own), skills.list, skills.count);
		CLEANUP(rendered_release) struct rendered first = render(env, &input);

		input.side = CLASH_LAST;
		CLEANUP(rendered_release) struct rendered last = render(env, &input);

		input.side = CLASH_NEITHER;
		CLEANUP(rendered_release) struct rendered neither = render(env, &input);

		assert_int_equal(
			compare_sides(&first.output, &last.output), first.output.clashes.count);
		clashes += first.output.clashes.count;
		if (!first.output.clashes.count)
			assert_same(&neither.output.text, view_of_buf(&first.output.text));
		if (view_ends_with(view_of_buf(&own), "\n"))
			assert_true(lines_keep_all(view_of_buf(&neither.output.text),
				view_of_buf(&first.output.text)));
	}
	assert_true(clashes > ROUNDS / 4);
	print_message("# seed 1, %zu clashes\n", clashes);
}

/* Some lines are deleted, some are edited, some are new. */
static void edit(struct view text, struct buf *out)
{
	struct view line;

	while (view_next(&text, '\n', &line)) {
		int what = rand_r(&seed) % 12;

		if (what == 0)
			continue;
		if (what == 1)
			buf_appendf(out, "%s\n", random_line());
		buf_append(out, line.data, line.len);
		buf_append_str(out, what == 2 ? "edited\n" : "\n");
	}
}

static void random_edits_lose_nothing(void **state)
{
	enum { ROUNDS = 700 };

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		CLEANUP(buf_release) struct buf own = BUF_INIT, edited = BUF_INIT;
		CLEANUP(skills_release) struct skills skills = random_skills();

		random_own(&own);
		struct structured_input input =
			input_of(env, view_of_buf(&own), skills.list, skills.count);
		CLEANUP(rendered_release) struct rendered rendered = render(env, &input);

		edit(view_of_buf(&rendered.output.text), &edited);
		check_edited(env, view_of_buf(&own), &skills, view_of_buf(&edited),
			"# Skill: ", NULL);
	}
	print_message("# seed 1, %d edits\n", ROUNDS);
}

TESTS(cmocka_unit_test(all_spellings_of_a_declaration_are_right),
	cmocka_unit_test(faults_have_their_places),
	cmocka_unit_test(a_variable_is_declared_twice_only_with_the_same_default),
	cmocka_unit_test(each_skill_has_a_block_at_the_end),
	cmocka_unit_test(the_end_of_the_own_content_is_respected),
	cmocka_unit_test(a_shared_variable_stands_once),
	cmocka_unit_test(values_are_quoted_where_readers_need_it),
	cmocka_unit_test(what_the_own_content_has_stays_its_own),
	cmocka_unit_test(prose_is_no_assignment),
	cmocka_unit_test(the_outcome_names_variables_with_their_skills),
	cmocka_unit_test(other_defaults_are_a_clash),
	cmocka_unit_test(a_decision_resolves_its_clash_and_no_other),
	cmocka_unit_test(what_a_person_resolves_is_read_from_the_file),
	cmocka_unit_test(an_edited_entry_is_the_persons_and_stays_in_its_place),
	cmocka_unit_test(lines_that_a_person_added_are_kept),
	cmocka_unit_test(what_a_person_took_out_stays_out),
	cmocka_unit_test(other_line_ends_are_no_edit),
	cmocka_unit_test(without_a_record_what_is_as_declared_is_taken),
	cmocka_unit_test(random_files_keep_the_invariants),
	cmocka_unit_test(the_sides_of_a_clash_differ_in_its_lines_only),
	cmocka_unit_test(random_edits_lose_nothing))
