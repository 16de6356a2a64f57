#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "userskill/text/markdown.h"
#include "userskill/text/sections.h"

struct reading {
	struct user_skill *skill;
	struct skill_faults *faults;
	struct buf body;
	char *channel;
	size_t line;
};

static char *lower(struct view text)
{
	char *copy = xmemdupz(text.data, text.len);

	for (char *p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

static void format_finish(struct reading *r)
{
	struct user_skill *skill = r->skill;
	struct view body = view_of_buf(&r->body);

	/* The first part may be empty: then all is said per channel. */
	while (body.len && body.data[body.len - 1] == '\n')
		body.len--;
	if (*r->channel && user_skill_format(skill, r->channel)) {
		skill_faults_add(r->faults, r->line, SKILL_WARNING,
			"the format for '%s' appears twice", r->channel);
	} else if (body.len || *r->channel) {
		GROW(skill->formats, skill->format_count, skill->format_cap);
		skill->formats[skill->format_count++] = (struct skill_format){
			TAKE(r->channel), xmemdupz(body.data, body.len), r->line};
	}
	free(r->channel);
	r->channel = NULL;
	buf_set_len(&r->body, 0);
}

void parse_output(struct user_skill *skill, struct skill_faults *faults)
{
	const struct skill_section *section = user_skill_section(skill, SECTION_OUTPUT);
	struct reading r = {.skill = skill, .faults = faults, .body = BUF_INIT};
	struct markdown reader;
	struct markdown_line line;

	if (!section)
		return;
	reader = markdown_of(view_of(section->body));
	r.channel = xstrdup("");
	r.line = section->line;
	while (markdown_next(&reader, &line)) {
		if (line.kind == MARKDOWN_HEADING && line.level == 3) {
			format_finish(&r);
			r.channel = lower(line.title);
			r.line = section->body_line - 1 + line.number;
		} else if (r.body.len || line.kind != MARKDOWN_BLANK) {
			buf_append(&r.body, line.text.data, line.text.len);
			buf_append_char(&r.body, '\n');
		}
	}
	format_finish(&r);
	buf_release(&r.body);
}
