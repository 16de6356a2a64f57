#include "userskill/text/print.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "userskill/text/faults.h"
#include "userskill/text/markdown.h"
#include "userskill/text/parse.h"

static void print_part(struct buf *out, const char *text)
{
	if (!*text)
		return;
	/* A byte order mark at the start of a file would not count as text. */
	if (out->len || !strncmp(text, UTF8_BOM, strlen(UTF8_BOM)))
		buf_append_char(out, '\n');
	buf_append_str(out, text);
	buf_append_char(out, '\n');
}

/* '#' at the end of a heading is not part of it, unless more of them follow. */
static void print_heading(struct buf *out, const char *marks, const char *title)
{
	size_t len = strlen(title);
	size_t end = len;

	while (end && title[end - 1] == '#')
		end--;
	if (out->len)
		buf_append_char(out, '\n');
	buf_append_str(out, marks);
	if (len)
		buf_appendf(out, " %s", title);
	if (end < len && (!end || title[end - 1] == ' ' || title[end - 1] == '\t'))
		buf_append_str(out, " #");
	buf_append_char(out, '\n');
}

void user_skill_print(const struct user_skill *skill, struct buf *out)
{
	print_part(out, skill->preamble);
	if (skill->name)
		print_heading(out, "# SKILL:", skill->name);
	print_part(out, skill->intro);
	for (size_t i = 0; i < skill->section_count; i++) {
		print_heading(out, "##", skill->sections[i].title);
		print_part(out, skill->sections[i].body);
	}
}

/* --- one field --------------------------------------------------------------- */

/* Where the line with this number begins, and its text; the end if there is no such line. */
static size_t start_of_line(struct view text, size_t number, struct view *ret_line)
{
	struct markdown reader = markdown_of(text);
	struct markdown_line line = {0};

	while (line.number < number)
		if (!markdown_next(&reader, &line))
			return text.len;
	*ret_line = line.text;
	return (size_t)(line.text.data - text.data);
}

static void replace_value(struct view text, size_t number, const char *value, struct buf *out)
{
	struct view line = {0};
	size_t end = start_of_line(text, number, &line) + line.len;
	size_t start = (size_t)((const char *)memchr(line.data, ':', line.len) - text.data) + 1;

	while (start < end && text.data[start] == '*')
		start++; /* - **Key:** Value */
	buf_append(out, text.data, start);
	buf_appendf(out, " %s", value);
	buf_append(out, text.data + end, text.len - end);
}

void user_skill_set_field(struct view text, const char *key, const char *value, struct buf *out)
{
	CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
	CLEANUP(user_skill_release) struct user_skill skill = USER_SKILL_INIT;
	const struct skill_section *metadata;
	struct view line;
	size_t at;

	user_skill_parse(text, "", &skill, &faults);
	for (size_t i = 0; i < skill.field_count; i++)
		if (skill.fields[i].key && !strcasecmp(skill.fields[i].key, key)) {
			replace_value(text, skill.fields[i].line, value, out);
			return;
		}
	metadata = user_skill_section(&skill, SECTION_METADATA);
	if (!metadata && !skill.section_count) {
		buf_append(out, text.data, text.len);
		return;
	}
	/* Before the first line of the section, or with a section before all others. */
	at = start_of_line(
		text, metadata ? metadata->body_line : skill.sections[0].line, &line);
	buf_append(out, text.data, at);
	if (at == text.len && text.data[at - 1] != '\n')
		buf_append_char(out, '\n');
	buf_appendf(out, metadata ? "- %s: %s\n" : "## Metadata\n\n- %s: %s\n\n", key, value);
	buf_append(out, text.data + at, text.len - at);
}
