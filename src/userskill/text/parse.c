#include "userskill/text/parse.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/similar.h"
#include "base/utf8.h"
#include "userskill/text/markdown.h"
#include "userskill/text/privacy.h"
#include "userskill/text/sections.h"

#define TITLE "SKILL:"

#define LEAST_NAME 3
#define MOST_NAME  100

struct parsing {
	struct user_skill *skill;
	struct skill_faults *faults;
	struct buf text; /* of the part that is being read */
	size_t text_line;
	bool misplaced; /* text before the title was found and reported */
};

/* --- bytes ------------------------------------------------------------------- */

static void check_bytes(struct view text, struct skill_faults *faults)
{
	size_t valid = utf8_valid_len(text);
	const char *nul = text.len ? memchr(text.data, '\0', text.len) : NULL;
	size_t line, column;

	if (valid < text.len) {
		utf8_place(text, valid, &line, &column);
		skill_faults_add(faults, line, SKILL_ERROR, "these bytes are not UTF-8");
		skill_faults_hint(faults, "save the file as UTF-8");
	}
	if (nul) {
		utf8_place(text, (size_t)(nul - text.data), &line, &column);
		skill_faults_add(faults, line, SKILL_ERROR, "a NUL byte");
	}
	if (text.len > USER_SKILL_MAX)
		skill_faults_add(faults, 1, SKILL_ERROR, "more than %zu MB",
			USER_SKILL_MAX / 1024 / 1024);
}

/* --- the parts of the text --------------------------------------------------- */

/* The text of the part, without the blank lines at its end. */
static char *part_text(struct parsing *p)
{
	size_t end = p->text.len;
	char *text;

	while (end) {
		size_t start = end - 1; /* after a newline */

		while (start && p->text.data[start - 1] != '\n')
			start--;
		if (view_trim((struct view){p->text.data + start, end - start}).len)
			break;
		end = start;
	}
	text = arena_copy(&p->skill->memory, p->text.data, end ? end - 1 : 0);
	buf_set_len(&p->text, 0);
	return text;
}

static void finish_part(struct parsing *p)
{
	struct user_skill *skill = p->skill;

	if (skill->section_count) {
		struct skill_section *section = &skill->sections[skill->section_count - 1];

		section->body_line = p->text_line ? p->text_line : section->line + 1;
		section->body = part_text(p);
	} else if (skill->name) {
		skill->intro = part_text(p);
	} else {
		skill->preamble = part_text(p);
	}
	p->text_line = 0;
}

static void add_line(struct parsing *p, const struct markdown_line *line)
{
	if (!p->text.len && line->kind == MARKDOWN_BLANK)
		return;
	if (!p->text.len)
		p->text_line = line->number;
	buf_append(&p->text, line->text.data, line->text.len);
	buf_append_char(&p->text, '\n');
}

/* --- the title --------------------------------------------------------------- */

static bool is_title(const struct markdown_line *line)
{
	return line->kind == MARKDOWN_HEADING && line->level == 1 &&
	       line->title.len >= strlen(TITLE) &&
	       !strncasecmp(line->title.data, TITLE, strlen(TITLE));
}

static void read_title(struct parsing *p, const struct markdown_line *line)
{
	struct view name = view_trim(view_slice(line->title, strlen(TITLE), line->title.len));
	size_t len = 0; /* in characters */

	for (size_t i = 0; i < name.len; i++)
		len += ((unsigned char)name.data[i] & 0xc0) != 0x80;
	finish_part(p);
	p->skill->name = arena_copy(&p->skill->memory, name.data, name.len);
	p->skill->name_line = line->number;
	if (!view_starts_with(line->title, TITLE)) {
		skill_faults_add(p->faults, line->number, SKILL_WARNING,
			"the title begins with '# SKILL:' in capital letters");
	}
	if (len < LEAST_NAME || len > MOST_NAME) {
		skill_faults_add(p->faults, line->number, SKILL_ERROR,
			"the name has %zu character%s, and must have %d to %d", len,
			len == 1 ? "" : "s", LEAST_NAME, MOST_NAME);
		skill_faults_hint(p->faults, "write '# SKILL: ' and what it does");
	}
	if (!utf8_all_printable(name))
		skill_faults_add(p->faults, line->number, SKILL_ERROR,
			"the name has invisible characters");
}

/* Text before the title that is not a comment. */
static void refuse_before_title(struct parsing *p, const struct markdown_line *line)
{
	if (p->misplaced || p->skill->name || line->kind == MARKDOWN_BLANK ||
		line->kind == MARKDOWN_COMMENT)
		return;
	p->misplaced = true;
	skill_faults_add(p->faults, line->number, SKILL_ERROR,
		"the first line must be '# SKILL: <name>'");
	if (view_equal_str(view_trim(line->text), "---"))
		skill_faults_hint(p->faults,
			"a user skill has no front matter: put it into '## Metadata'");
	else
		skill_faults_hint(p->faults, "only comments may come before it");
}

/* --- sections ---------------------------------------------------------------- */

static void check_section(struct parsing *p, const struct skill_section *section)
{
	const char *name = skill_section_name(section->kind);
	const struct skill_section *first = user_skill_section(p->skill, section->kind);

	if (section->kind == SECTION_OTHER) {
		struct similar best = similar_to(section->title);

		for (int i = 0; i < SECTION_OTHER; i++)
			similar_consider(&best, skill_section_name(i));
		if (best.found)
			skill_faults_add(p->faults, section->line, SKILL_WARNING,
				"this is not the section '%s'", best.found);
		if (best.found)
			skill_faults_hint(p->faults, "write '## %s'", best.found);
		return;
	}
	if (first != section)
		skill_faults_add(p->faults, section->line, SKILL_ERROR,
			"the section '%s' appears twice, first on line %zu", name, first->line);
	else if (strcmp(section->title, name) != 0)
		skill_faults_add(p->faults, section->line, SKILL_WARNING,
			"the section is called '%s'", name);
}

static void begin_section(struct parsing *p, const struct markdown_line *line)
{
	struct user_skill *skill = p->skill;
	char *title = arena_copy(&skill->memory, line->title.data, line->title.len);

	finish_part(p);
	ARENA_GROW(&skill->memory, skill->sections, skill->section_count, skill->section_cap);
	skill->sections[skill->section_count++] = (struct skill_section){
		.kind = skill_section_parse(title),
		.title = title,
		.line = line->number,
	};
	check_section(p, &skill->sections[skill->section_count - 1]);
}

static void read_line(struct parsing *p, const struct markdown_line *line)
{
	struct user_skill *skill = p->skill;

	if (is_title(line) && !skill->name && !skill->section_count) {
		read_title(p, line);
		return;
	}
	if (line->kind == MARKDOWN_HEADING && line->level == 1 && skill->name)
		skill_faults_add(p->faults, line->number,
			is_title(line) ? SKILL_ERROR : SKILL_WARNING,
			"a second title; the first is on line %zu", skill->name_line);
	if (!skill->section_count)
		refuse_before_title(p, line);
	if (line->kind == MARKDOWN_HEADING && line->level == 2)
		begin_section(p, line);
	else
		add_line(p, line);
}

static void check_closed(const struct markdown *reader, struct skill_faults *faults)
{
	if (reader->fence) {
		skill_faults_add(faults, reader->fence_line, SKILL_WARNING,
			"this code block is not closed, so everything after it is part of it");
		skill_faults_hint(faults, "close it with a line of its own: %.*s",
			reader->fence_len < 10 ? (int)reader->fence_len : 3,
			reader->fence == '~' ? "~~~~~~~~~~" : "``````````");
	}
	if (reader->comment)
		skill_faults_add(faults, reader->comment_line, SKILL_WARNING,
			"this comment is not closed, so everything after it is part of it");
}

static void check_order(const struct user_skill *skill, struct skill_faults *faults)
{
	enum skill_section_kind last = SECTION_METADATA;

	for (size_t i = 0; i < skill->section_count; i++) {
		const struct skill_section *section = &skill->sections[i];

		if (section->kind == SECTION_OTHER)
			continue;
		if (section->kind < last && skill_section_required(section->kind) &&
			user_skill_section(skill, section->kind) == section) {
			skill_faults_add(faults, section->line, SKILL_WARNING,
				"'%s' comes after '%s'", section->title,
				skill_section_name(last));
			skill_faults_hint(faults, "the usual order is Metadata, Trigger, "
						  "Context Required, Instructions, "
						  "Output Format, and the others");
		} else if (section->kind > last) {
			last = section->kind;
		}
	}
}

static void check_sections(
	const struct user_skill *skill, size_t last_line, struct skill_faults *faults)
{
	for (int kind = 0; kind < SECTION_OTHER; kind++) {
		const struct skill_section *section = user_skill_section(skill, kind);

		if (!section && skill_section_required(kind)) {
			skill_faults_add(faults, last_line, SKILL_ERROR,
				"the section '%s' is missing", skill_section_name(kind));
			skill_faults_hint(faults, "add '## %s'", skill_section_name(kind));
		} else if (section && !*section->body) {
			skill_faults_add(faults, section->line,
				skill_section_required(kind) ? SKILL_ERROR : SKILL_WARNING,
				"the section '%s' is empty", section->title);
			if (kind == SECTION_CONTEXT)
				skill_faults_hint(faults, "write 'None' if it needs nothing");
		}
	}
	check_order(skill, faults);
}

/* Splits the text into its parts. Returns the number of its last line. */
static size_t read_parts(
	struct view text, struct user_skill *skill, struct skill_faults *faults)
{
	struct parsing p = {.skill = skill, .faults = faults, .text = BUF_INIT};
	struct markdown reader = markdown_of(text);
	struct markdown_line line;
	size_t last = 1;

	skill->preamble = skill->intro = arena_copy(&skill->memory, "", 0);
	while (markdown_next(&reader, &line)) {
		read_line(&p, &line);
		privacy_check(line.text, line.number, faults);
		last = line.number;
	}
	finish_part(&p);
	buf_release(&p.text);
	check_closed(&reader, faults);
	if (!skill->name && !p.misplaced)
		skill_faults_add(faults, 1, SKILL_ERROR, "there is no title '# SKILL: <name>'");
	return last;
}

void user_skill_parse(struct view text, const char *path, struct user_skill *ret_skill,
	struct skill_faults *faults)
{
	struct user_skill *skill = ret_skill;
	size_t last;

	*skill = USER_SKILL_INIT;
	check_bytes(text, faults);
	last = read_parts(text, skill, faults);
	check_sections(skill, last, faults);
	parse_metadata(skill, path, faults);
	parse_trigger(skill, faults);
	parse_context(skill, faults);
	parse_connectors(skill, faults);
	parse_dependencies(skill, faults);
	parse_criteria(skill, faults);
	parse_steps(skill, faults);
	parse_output(skill, faults);
	parse_feedback(skill, faults);
	skill_faults_sort(faults);
}

int user_skill_load(
	struct view text, const char *path, struct user_skill *ret_skill, struct error *err)
{
	CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;

	user_skill_parse(text, path, ret_skill, &faults);
	if (skill_faults_as_error(&faults, path, err) == 0)
		return 0;
	user_skill_release(ret_skill);
	return -1;
}
