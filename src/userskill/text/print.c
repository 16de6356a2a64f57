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
	/* At the start of a file a byte order mark would be none of the text. */
	if (out->len || !strncmp(text, UTF8_BOM, strlen(UTF8_BOM)))
		buf_append_char(out, '\n');
	buf_append_str(out, text);
	buf_append_char(out, '\n');
}

/* '#' at the end of a heading is no part of it, unless more of them stand behind it. */
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

static size_t line_of_field(struct view text, const char *key)
{
	CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
	CLEANUP(user_skill_release) struct user_skill skill = USER_SKILL_INIT;

	user_skill_parse(text, &skill, &faults);
	for (size_t i = 0; i < skill.field_count; i++)
		if (skill.fields[i].key && !strcasecmp(skill.fields[i].key, key))
			return skill.fields[i].line;
	return 0;
}

void user_skill_set_field(struct view text, const char *key, const char *value, struct buf *out)
{
	size_t wanted = line_of_field(text, key);
	struct markdown reader = markdown_of(text);
	struct markdown_line line = {0};
	size_t start, end;

	while (wanted && line.number < wanted && markdown_next(&reader, &line))
		;
	if (!wanted) {
		buf_append(out, text.data, text.len);
		return;
	}
	end = (size_t)(line.text.data - text.data) + line.text.len;
	start = (size_t)((const char *)memchr(line.text.data, ':', line.text.len) - text.data);
	for (start++; start < end && text.data[start] == '*'; start++)
		; /* - **Key:** Value */
	buf_append(out, text.data, start);
	buf_appendf(out, " %s", value);
	buf_append(out, text.data + end, text.len - end);
}
