#include "../test.h"

#include <string.h>

#include "user_skill_equal.h"
#include "userskill/text/parse.h"
#include "userskill/text/print.h"
#include "userskill/text/schedule_text.h"

/* Lines 1 to 42; each test changes one or two of them. */
static const char *const good[] = {
	"# SKILL: Morning Brief",                  /* 1 */
	"",                                        /* 2 */
	"## Metadata",                             /* 3 */
	"",                                        /* 4 */
	"- ID: skill_morning_brief_001",           /* 5 */
	"- Version: 1.0",                          /* 6 */
	"- Category: planning",                    /* 7 */
	"- Generated: 2026-02-25",                 /* 8 */
	"- Source: Pre-built",                     /* 9 */
	"- Status: Active",                        /* 10 */
	"- Quality Score: 0.5",                    /* 11 */
	"- Usage: 3",                              /* 12 */
	"",                                        /* 13 */
	"## Trigger",                              /* 14 */
	"",                                        /* 15 */
	"- `/brief [topic]`: the day at a glance", /* 16 */
	"- every weekday at 08:00",                /* 17 */
	"- Somebody asks what is up today",        /* 18 */
	"",                                        /* 19 */
	"## Context Required",                     /* 20 */
	"",                                        /* 21 */
	"- Input: what to look at (optional)",     /* 22 */
	"- File: notes/today.md",                  /* 23 */
	"",                                        /* 24 */
	"## Instructions",                         /* 25 */
	"",                                        /* 26 */
	"1. Read the notes.",                      /* 27 */
	"2. Sort them.",                           /* 28 */
	"3. Write them down.",                     /* 29 */
	"",                                        /* 30 */
	"## Output Format",                        /* 31 */
	"",                                        /* 32 */
	"A list.",                                 /* 33 */
	"",                                        /* 34 */
	"## Quality Criteria",                     /* 35 */
	"",                                        /* 36 */
	"- at most ten lines",                     /* 37 */
	"",                                        /* 38 */
	"## Feedback Loop",                        /* 39 */
	"",                                        /* 40 */
	"- Ask: every 5 uses",                     /* 41 */
	"- How useful was it (1-5)?",              /* 42 */
};

struct parsed {
	struct user_skill skill;
	struct skill_faults faults;
};

static void parsed_release(struct parsed *p)
{
	user_skill_release(&p->skill);
	skill_faults_release(&p->faults);
}

/* The good text with line `number` (0: none) in other words; `end` behind each line. */
static char *text_with(size_t number, const char *line, const char *end)
{
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		if (i + 1 == number && !line)
			continue;
		buf_append_str(&text, i + 1 == number ? line : good[i]);
		buf_append_str(&text, end);
	}
	return buf_take(&text);
}

static struct parsed parse(const char *text, size_t len)
{
	struct parsed p = {0};

	user_skill_parse(
		(struct view){text, len}, "planning/day-plan/SKILL.md", &p.skill, &p.faults);
	return p;
}

static struct parsed parse_with(size_t number, const char *line)
{
	CLEANUP(freep) char *text = text_with(number, line, "\n");

	return parse(text, strlen(text));
}

static void assert_no_faults(const struct parsed *p)
{
	for (size_t i = 0; i < p->faults.count; i++)
		print_error("%zu: %s\n", p->faults.list[i].line, p->faults.list[i].text);
	assert_int_equal(p->faults.count, 0);
}

/* --- what is read ------------------------------------------------------------ */

static void reads_all_of_a_good_skill(void **state)
{
	CLEANUP(parsed_release) struct parsed p = parse_with(0, NULL);
	const struct user_skill *s = &p.skill;

	(void)state;
	assert_no_faults(&p);
	assert_string_equal(s->name, "Morning Brief");
	assert_string_equal(s->id, "skill_morning_brief_001");
	assert_string_equal(s->version, "1.0");
	assert_string_equal(s->category, "planning");
	assert_int_equal(s->source, SOURCE_PRE_BUILT);
	assert_int_equal(s->status, STATUS_ACTIVE);
	assert_true(s->has_quality && s->quality == 0.5);
	assert_int_equal(s->command_count, 1);
	assert_string_equal(s->commands[0].name, "brief");
	assert_string_equal(s->commands[0].arguments, "[topic]");
	assert_string_equal(s->commands[0].help, "the day at a glance");
	assert_int_equal(s->schedule_count, 1);
	assert_string_equal(s->schedules[0].value, "0 8 * * 1-5");
	assert_int_equal(s->conditions.count, 1);
	assert_int_equal(s->context_count, 2);
	assert_int_equal(s->contexts[0].kind, CONTEXT_INPUT);
	assert_true(s->contexts[0].optional);
	assert_int_equal(s->contexts[1].kind, CONTEXT_FILE);
	assert_string_equal(s->contexts[1].value, "notes/today.md");
	assert_false(s->contexts[1].optional);
	assert_int_equal(s->steps.count, 3);
	assert_int_equal(s->criteria.count, 1);
	assert_int_equal(s->feedback_every, 5);
	assert_int_equal(s->question_count, 1);
	assert_int_equal(s->questions[0].kind, ANSWER_SCALE);
	assert_int_equal(s->questions[0].most, 5);
	assert_int_equal(s->format_count, 1);
	assert_string_equal(s->formats[0].body, "A list.");
}

static void every_kind_of_line_end_is_the_same_skill(void **state)
{
	static const char *const ends[] = {"\r\n", "\r"};
	CLEANUP(parsed_release) struct parsed plain = parse_with(0, NULL);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		CLEANUP(freep) char *text = text_with(0, NULL, ends[i]);
		CLEANUP(parsed_release) struct parsed p = parse(text, strlen(text));

		assert_no_faults(&p);
		assert_true(user_skill_equal(&plain.skill, &p.skill));
	}
}

static void a_byte_order_mark_and_no_last_newline_change_nothing(void **state)
{
	CLEANUP(parsed_release) struct parsed plain = parse_with(0, NULL);
	CLEANUP(freep) char *text = text_with(0, NULL, "\n");
	CLEANUP(freep) char *marked = xasprintf("\xef\xbb\xbf%s", text);
	CLEANUP(parsed_release) struct parsed p = parse(marked, strlen(marked) - 1);

	(void)state;
	assert_no_faults(&p);
	assert_true(user_skill_equal(&plain.skill, &p.skill));
}

static void a_megabyte_and_one_long_line_are_read(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(parsed_release) struct parsed p = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		buf_appendf(&text, "%s\n", good[i]);
	buf_append_str(&text, "\n## Examples\n\n");
	buf_append_repeated(&text, 'x', 512 * 1024);
	for (int i = 0; i < 40000; i++)
		buf_append_str(&text, "\n- one more line");
	p = parse(text.data, text.len);
	assert_no_faults(&p);
	assert_int_equal(p.skill.section_count, 8);
	assert_true(strlen(p.skill.sections[7].body) > 1024 * 1024);
}

/* --- headings ---------------------------------------------------------------- */

static void what_is_in_code_or_a_comment_is_no_heading(void **state)
{
	static const char *const blocks[] = {
		"```\n## Trigger\n```",
		"~~~\n## Trigger\n~~~",
		"````\n```\n## Trigger\n```\n````",
		"~~~\n```\n## Trigger\n~~~",
		"   ```text\n## Trigger\n   ```",
		"- ```\n  ## Trigger\n  ```",
		"- a step\n  ```\n  ## Trigger\n  ```",
		"    ## Trigger",
		"<!--\n## Trigger\n-->",
		"<!-- a\n\n## Trigger --> b",
		"``` `no fence` \n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++) {
		CLEANUP(freep) char *line = xasprintf("A list.\n\n%s\n", blocks[i]);
		CLEANUP(parsed_release) struct parsed p = parse_with(33, line);

		assert_no_faults(&p);
		assert_int_equal(p.skill.section_count, 7);
	}
}

static void headings_are_headings_again_behind_code(void **state)
{
	static const char *const blocks[] = {
		"```\ncode\n```\n## Trigger",
		"``` inline ``` is no fence\n## Trigger",
		"- ```\n  code\n## Trigger",
		"<!-- one line -->\n## Trigger",
		"   ## Trigger ##",
		"```\n~~~\n```\n## Trigger",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++) {
		CLEANUP(freep) char *line = xasprintf("A list.\n\n%s", blocks[i]);
		CLEANUP(parsed_release) struct parsed p = parse_with(33, line);

		assert_int_equal(p.faults.errors, 1);
		assert_non_null(strstr(p.faults.list[0].text, "twice"));
	}
}

/* --- faults ------------------------------------------------------------------ */

static const struct {
	size_t number;    /* the line that is changed */
	const char *line; /* to this; NULL: it is left out */
	size_t at;        /* where the fault is */
	bool error;
	const char *text; /* a part of it */
} faulty[] = {
	{1, "# SKILL: AB", 1, true, "2 characters"},
	{1, "# SKILL:", 1, true, "0 characters"},
	{1, "# Skill: Brief", 1, false, "capital"},
	{1, "# Morning Brief", 1, true, "first line must be"},
	{1, "---", 1, true, "first line must be"},
	{1, "text\n# SKILL: Brief", 1, true, "first line must be"},
	{1, NULL, 2, true, "first line must be"},
	{1, "# SKILL: Brief\n# SKILL: Other", 2, true, "second title"},
	{1, "# SKILL: Brief\n# Other", 2, false, "second title"},
	{5, "- ID: morning brief", 5, true, "is not an ID"},
	{5, "- ID: _brief", 5, true, "is not an ID"},
	{5, "- ID: brief/2", 5, true, "is not an ID"},
	{5,
		"- ID: br\xc3\xbc"
		"cke",
		5, true, "is not an ID"},
	{5, "- ID:", 5, true, "has no value"},
	{5, "ID: skill_morning_brief_001", 5, true, "write this line as"},
	{5, "- **ID:** skill_morning_brief_001", 5, false, "without stars"},
	{5, "- Id: skill_morning_brief_001", 5, false, "written 'ID'"},
	{6, "- Version: 1", 6, true, "is not a version"},
	{6, "- Version: v1.0", 6, true, "is not a version"},
	{6, "- Version: 1.0.0.0", 6, true, "is not a version"},
	{6, "- Version: 1.0.", 6, true, "is not a version"},
	{6, "- Version: 1.0\n- Version: 1.1", 7, true, "twice, first on line 6"},
	{7, "- Category: two words", 7, true, "is not a category"},
	{8, "- Generated: 2026-02-30", 8, true, "is not a date"},
	{8, "- Generated: 25.02.2026", 8, true, "is not a date"},
	{8, "- Generated: 2026-02-25T25:00:00Z", 8, true, "is not a date"},
	{9, "- Source: Homemade", 9, true, "is not a source"},
	{9, "- Source: pre-built", 9, false, "written 'Pre-built'"},
	{10, "- Status: Running", 10, true, "is not a status"},
	{11, "- Quality Score: 1.5", 11, true, "is not a quality score"},
	{11, "- Quality Score: -1", 11, true, "is not a quality score"},
	{12, "- Usage: often", 12, false, "begin with a number"},
	{12, "- Author: me", 12, false, "'Author' is not known"},
	{14, "## Triger", 14, false, "not the section 'Trigger'"},
	{14, "## trigger", 14, false, "is called 'Trigger'"},
	{16, "- /2brief", 16, true, "not a command"},
	{16, "- /Brief", 16, false, "lower case"},
	{16, "- /brief\n- /brief", 17, false, "twice"},
	{17, "- Schedule: now and then", 17, true, "cannot be read"},
	{17, "- every Munday at 08:00", 17, false, "looks like a schedule"},
	{23, "- File: ../secret", 23, true, "the file"},
	{28, NULL, 25, true, "2 numbered steps"},
	{29, "4. Write them down.", 29, false, "step 4 comes after step 2"},
	{31, NULL, 41, true, "'Output Format' is missing"},
	{33, "", 31, true, "is empty"},
	{33, "Write to jane@acme.io.", 33, false, "mail address: 'jane@acme.io'"},
	{33, "```\nCall +49 30 1234567.\n```", 34, false, "phone number"},
	{33, "```\ncode", 33, false, "not closed"},
	{37, "", 35, false, "no quality criteria"},
	{42, "- Tell us.", 39, false, "asks nothing"},
	{33, "\xff", 33, true, "not UTF-8"},
};

static bool has_fault(const struct parsed *p, size_t i)
{
	for (size_t f = 0; f < p->faults.count; f++)
		if (p->faults.list[f].line == faulty[i].at &&
			(p->faults.list[f].severity == SKILL_ERROR) == faulty[i].error &&
			strstr(p->faults.list[f].text, faulty[i].text))
			return true;
	return false;
}

static void each_fault_is_told_with_its_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(faulty); i++) {
		CLEANUP(parsed_release)
		struct parsed p = parse_with(faulty[i].number, faulty[i].line);

		if (has_fault(&p, i))
			continue;
		for (size_t f = 0; f < p.faults.count; f++)
			print_error("%zu: %s\n", p.faults.list[f].line, p.faults.list[f].text);
		fail_msg("'%s': no fault '%s' in line %zu",
			faulty[i].line ? faulty[i].line : "(gone)", faulty[i].text,
			faulty[i].at);
	}
}

static void an_empty_file_has_all_that_is_missing_at_once(void **state)
{
	CLEANUP(parsed_release) struct parsed p = parse("", 0);

	(void)state;
	assert_int_equal(p.faults.errors, 5);
}

#define FOUR_SECTIONS                                                                          \
	"# SKILL: Brief\n\n## Trigger\n\n- /brief\n\n## Context Required\n\nNone\n\n"          \
	"## Instructions\n\n1. Look.\n2. Sort.\n3. Write.\n\n## Output Format\n\nA list.\n"

static void four_sections_are_enough(void **state)
{
	static const struct {
		const char *path, *id, *category;
	} places[] = {
		{"planning/day-plan/SKILL.md", "day-plan", "planning"},
		{"/srv/x/skills/sales/Risk_2/SKILL.md", "Risk_2", "sales"},
		{"./day-plan/SKILL.md", "day-plan", "general"},
		{"my.files/day-plan/SKILL.md", "day-plan", "general"},
		{"some/where/brief.md", "brief", "general"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		CLEANUP(parsed_release) struct parsed p = {0};
		const struct user_skill *s = &p.skill;

		user_skill_parse(view_of(FOUR_SECTIONS), places[i].path, &p.skill, &p.faults);
		assert_int_equal(p.faults.errors, 0);
		assert_string_equal(s->id, places[i].id);
		assert_string_equal(s->category, places[i].category);
		assert_string_equal(s->version, "1.0");
		assert_int_equal(s->status, STATUS_ACTIVE);
		assert_int_equal(s->source, SOURCE_USER);
	}
}

static void a_folder_whose_name_is_no_id_needs_one_in_the_metadata(void **state)
{
	CLEANUP(parsed_release) struct parsed p = {0};

	(void)state;
	user_skill_parse(view_of(FOUR_SECTIONS), "a/two words/SKILL.md", &p.skill, &p.faults);
	assert_int_equal(p.faults.errors, 1);
	assert_int_equal(p.faults.list[0].line, 1);
	assert_non_null(strstr(p.faults.list[0].text, "there is no ID"));
}

static void a_trigger_that_says_none_is_none(void **state)
{
	static const char text[] = "# SKILL: Brief\n## Trigger\n\n- None\n";
	CLEANUP(parsed_release) struct parsed p = parse(text, sizeof(text) - 1);
	bool found = false;

	(void)state;
	for (size_t i = 0; i < p.faults.count; i++)
		found |= strstr(p.faults.list[i].text, "no command and no condition") != NULL;
	assert_true(found);
}

static void a_nul_byte_is_an_error_with_its_line(void **state)
{
	static const char text[] = "# SKILL: Brief\n\n\0";
	CLEANUP(parsed_release) struct parsed p = parse(text, sizeof(text) - 1);
	bool found = false;

	(void)state;
	for (size_t i = 0; i < p.faults.count; i++)
		found |= p.faults.list[i].line == 3 && strstr(p.faults.list[i].text, "NUL");
	assert_true(found);
}

static void what_is_nobodys_is_no_fault(void **state)
{
	static const char *const lines[] = {
		"Write to someone@example.com or a@b.test.",
		"On 2026-02-25 at 10:30, 2026-02-25T10:30:00Z, 14:00-15:00.",
		"Versions 1.2.3 and 10.20.30, 1,000,000 things, 3.14159265.",
		"Ring 555-0123, or (555) 555-0123.",
		"See @home, a @ b, user@localhost, and x@y.",
		"An ISBN is 978-3-16-148410-0, a card ends in 1234.",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		CLEANUP(parsed_release) struct parsed p = parse_with(33, lines[i]);

		assert_no_faults(&p);
	}
}

static void phone_numbers_are_found_in_their_forms(void **state)
{
	static const char *const lines[] = {"+1 (212) 736-5000", "+493012345678",
		"030/901820 12", "(212) 736-5000", "212-736-5000", "0171 2345678"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		CLEANUP(freep) char *line = xasprintf("Call %s now.", lines[i]);
		CLEANUP(parsed_release) struct parsed p = parse_with(33, line);

		if (p.faults.count != 1)
			print_error("%s\n", lines[i]);
		assert_int_equal(p.faults.count, 1);
	}
}

/* --- triggers ---------------------------------------------------------------- */

static void commands_are_found_in_the_forms_people_use(void **state)
{
	static const struct {
		const char *line;
		const char *name;
		const char *arguments;
		const char *help;
	} forms[] = {
		{"- /brief", "brief", "", ""},
		{"- `/brief`", "brief", "", ""},
		{"- **/brief** - the news", "brief", "", "the news"},
		{"- /brief <topic> [days]: the news", "brief", "<topic> [days]", "the news"},
		{"- Slash command: `/brief <topic>`", "brief", "<topic>", ""},
		{"- User types `/brief-now`", "brief-now", "", ""},
		{"/brief_2 \xe2\x80\x94 the news", "brief_2", "", "the news"},
		{"```\n/brief\n```", "brief", "", ""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		CLEANUP(parsed_release) struct parsed p = parse_with(16, forms[i].line);

		assert_int_equal(p.faults.errors, 0);
		assert_int_equal(p.skill.command_count, 1);
		assert_string_equal(p.skill.commands[0].name, forms[i].name);
		assert_string_equal(p.skill.commands[0].arguments, forms[i].arguments);
		assert_string_equal(p.skill.commands[0].help, forms[i].help);
	}
}

static void paths_and_fractions_are_no_commands(void **state)
{
	CLEANUP(parsed_release)
	struct parsed p = parse_with(16, "- a file in /etc/nanoclaw and/or 1/2 of it");

	(void)state;
	assert_int_equal(p.skill.command_count, 0);
	assert_int_equal(p.skill.conditions.count, 2);
}

static void schedules_are_read_as_people_write_them(void **state)
{
	static const struct {
		const char *text;
		const char *value; /* NULL: not a schedule */
	} texts[] = {
		{"`0 8 * * 1-5`", "0 8 * * 1-5"},
		{"0 8 * * MON-FRI", "0 8 * * MON-FRI"},
		{"@daily", "@daily"},
		{"Every weekday morning (`30 7 * * 1-5`)", "30 7 * * 1-5"},
		{"every weekday at 08:00", "0 8 * * 1-5"},
		{"Every working day at 8", "0 8 * * 1-5"},
		{"daily at 7:30 pm", "30 19 * * *"},
		{"every day at 12am", "0 0 * * *"},
		{"every morning", "0 9 * * *"},
		{"every morning at 7:15", "15 7 * * *"},
		{"every Monday and Thursday at 9", "0 9 * * 1,4"},
		{"every Mon, Wed and Fri at noon", "0 12 * * 1,3,5"},
		{"Mondays at 10:00", "0 10 * * 1"},
		{"Monday to Friday at 17:30", "30 17 * * 1-5"},
		{"mon-fri 9:00", "0 9 * * 1-5"},
		{"every Sunday evening", "0 18 * * 0"},
		{"weekly on Friday at 16:00", "0 16 * * 5"},
		{"every weekend at 10:00", "0 10 * * 0,6"},
		{"monthly on the 1st at 9:00", "0 9 1 * *"},
		{"on the 15th of every month at 6pm", "0 18 15 * *"},
		{"hourly", "0 * * * *"},
		{"every 30 minutes", "30m"},
		{"every 2 hours", "2h"},
		{"every Friday", "0 9 * * 5"},
		{"every time somebody asks", NULL},
		{"every day at 25:00", NULL},
		{"every day that ends in y", NULL},
		{"every", NULL},
		{"at 8", NULL},
		{"when it rains", NULL},
		{"", NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CLEANUP(freep) char *value = NULL;
		enum schedule_type type;
		bool found = schedule_text_parse(view_of(texts[i].text), &type, &value);

		if (found != (texts[i].value != NULL) ||
			(found && strcmp(value, texts[i].value) != 0))
			fail_msg("'%s' is '%s'", texts[i].text, found ? value : "(none)");
	}
}

/* --- fields ------------------------------------------------------------------ */

static void setting_a_field_changes_nothing_else(void **state)
{
	CLEANUP(freep) char *text = text_with(0, NULL, "\r\n");
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	CLEANUP(buf_release) struct buf back = BUF_INIT;

	(void)state;
	user_skill_set_field(view_of(text), "Status", "Retired", &out);
	assert_non_null(strstr(out.data, "- Status: Retired\r\n"));
	user_skill_set_field(view_of_buf(&out), "Status", "Active", &back);
	assert_string_equal(back.data, text);
}

static void a_field_that_is_missing_is_added(void **state)
{
	CLEANUP(buf_release) struct buf section = BUF_INIT;
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	(void)state;
	user_skill_set_field(view_of(FOUR_SECTIONS), "Status", "Retired", &section);
	assert_non_null(strstr(section.data,
		"# SKILL: Brief\n\n## Metadata\n\n- Status: Retired\n\n## Trigger\n"));
	user_skill_set_field(view_of_buf(&section), "ID", "brief", &line);
	assert_non_null(strstr(line.data, "## Metadata\n\n- ID: brief\n- Status: Retired\n\n"));
}

static void formats_are_told_apart_by_channel(void **state)
{
	CLEANUP(parsed_release)
	struct parsed p =
		parse_with(33, "For all.\n\n### WhatsApp\n\nShort.\n\n### Email\nLong.");
	const struct skill_format *format;

	(void)state;
	assert_no_faults(&p);
	assert_int_equal(p.skill.format_count, 3);
	format = user_skill_format(&p.skill, "whatsapp");
	assert_string_equal(format->body, "Short.");
	assert_string_equal(user_skill_format(&p.skill, "")->body, "For all.");
	assert_null(user_skill_format(&p.skill, "slack"));
}

TESTS(cmocka_unit_test(reads_all_of_a_good_skill),
	cmocka_unit_test(every_kind_of_line_end_is_the_same_skill),
	cmocka_unit_test(a_byte_order_mark_and_no_last_newline_change_nothing),
	cmocka_unit_test(a_megabyte_and_one_long_line_are_read),
	cmocka_unit_test(what_is_in_code_or_a_comment_is_no_heading),
	cmocka_unit_test(headings_are_headings_again_behind_code),
	cmocka_unit_test(each_fault_is_told_with_its_line),
	cmocka_unit_test(an_empty_file_has_all_that_is_missing_at_once),
	cmocka_unit_test(four_sections_are_enough),
	cmocka_unit_test(a_folder_whose_name_is_no_id_needs_one_in_the_metadata),
	cmocka_unit_test(a_trigger_that_says_none_is_none),
	cmocka_unit_test(a_nul_byte_is_an_error_with_its_line),
	cmocka_unit_test(what_is_nobodys_is_no_fault),
	cmocka_unit_test(phone_numbers_are_found_in_their_forms),
	cmocka_unit_test(commands_are_found_in_the_forms_people_use),
	cmocka_unit_test(paths_and_fractions_are_no_commands),
	cmocka_unit_test(schedules_are_read_as_people_write_them),
	cmocka_unit_test(setting_a_field_changes_nothing_else),
	cmocka_unit_test(a_field_that_is_missing_is_added),
	cmocka_unit_test(formats_are_told_apart_by_channel))
