#include "userskill/text/items.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "userskill/text/markdown.h"

struct reading {
	struct arena *memory;
	struct items *items;
	size_t line_offset; /* of the section in the file */
	struct buf text;    /* of the last item, while it may go on */
	bool open;
	bool after_blank;
};

static void item_finish(struct reading *r)
{
	if (r->open)
		r->items->list[r->items->count - 1].text =
			arena_copy(r->memory, r->text.data, r->text.len);
	buf_set_len(&r->text, 0);
	r->open = false;
}

static void item_begin(struct reading *r, enum item_kind kind, struct view text,
	const struct markdown_line *line, long number)
{
	struct items *items = r->items;

	item_finish(r);
	ARENA_GROW(r->memory, items->list, items->count, items->cap);
	items->list[items->count++] = (struct item){
		.kind = kind,
		.line = line->number + r->line_offset,
		.indent = line->indent,
		.number = number,
	};
	buf_append(&r->text, text.data, text.len);
	r->open = true;
}

/* Does a line that begins no item belong to the last one? Otherwise it begins a paragraph. */
static bool item_continues(const struct reading *r, const struct markdown_line *line)
{
	const struct item *last;

	if (!r->open)
		return false;
	last = &r->items->list[r->items->count - 1];
	if (last->kind == ITEM_LISTED)
		return !r->after_blank || line->indent > last->indent;
	return last->kind == ITEM_PARAGRAPH && !r->after_blank;
}

static void item_read_line(struct reading *r, const struct markdown_line *line)
{
	struct view content = line->title;
	long number = -1;

	switch (line->kind) {
	case MARKDOWN_BLANK:
	case MARKDOWN_COMMENT:
	case MARKDOWN_FENCE:
		break;
	case MARKDOWN_TEXT:
		if (markdown_item(line->text, &content, &number)) {
			item_begin(r, ITEM_LISTED, content, line, number);
		} else if (item_continues(r, line)) {
			content = view_trim(line->text);
			if (r->text.len)
				buf_append_char(&r->text, ' ');
			buf_append(&r->text, content.data, content.len);
		} else {
			item_begin(r, ITEM_PARAGRAPH, view_trim(line->text), line, -1);
		}
		break;
	case MARKDOWN_HEADING:
		markdown_item(content, &content, &number);
		item_begin(r, ITEM_HEADING, content, line, number);
		break;
	case MARKDOWN_CODE:
		item_begin(r, ITEM_CODE, view_trim(line->text), line, -1);
		break;
	}
	r->after_blank = line->kind != MARKDOWN_TEXT;
}

void items_read(struct user_skill *skill, enum skill_section_kind kind, struct items *ret_items)
{
	const struct skill_section *section = user_skill_section(skill, kind);
	struct reading r = {.memory = &skill->memory, .items = ret_items, .text = BUF_INIT};
	struct markdown reader;
	struct markdown_line line;

	if (!section)
		return;
	r.line_offset = section->body_line - 1;
	reader = markdown_of(view_of(section->body));
	while (markdown_next(&reader, &line))
		item_read_line(&r, &line);
	item_finish(&r);
	buf_release(&r.text);
}

void skill_items_add(
	struct user_skill *skill, struct skill_items *items, char *text, size_t line)
{
	ARENA_GROW(&skill->memory, items->list, items->count, items->cap);
	items->list[items->count++] = (struct skill_item){text, line};
}

bool items_is_head(const struct items *items, size_t at)
{
	const struct item *item = &items->list[at];
	size_t len = strlen(item->text);

	if (item->kind == ITEM_HEADING)
		return true;
	if (!len || item->text[len - 1] != ':' || at + 1 == items->count)
		return false;
	return item->kind == ITEM_PARAGRAPH ||
	       (items->list[at + 1].kind == ITEM_LISTED &&
		       items->list[at + 1].indent > item->indent);
}

bool item_is_none(const char *text)
{
	static const char *const words[] = {"-", "n/a", "no", "none", "nothing"};
	size_t len = strcspn(text, " .,:;(");

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (len == strlen(words[i]) && !strncasecmp(text, words[i], len))
			/* "No" alone; "no more than ..." is something. */
			return strcmp(words[i], "no") || !text[len];
	return !*text;
}

bool item_labelled(const char *text, const char *label, struct view *ret_rest)
{
	const char *p = text + strspn(text, "*_");
	size_t len = strlen(label);

	if (strncasecmp(p, label, len) != 0)
		return false;
	p += len;
	p += strspn(p, "*_");
	if (*p != ':')
		return false;
	p++;
	if (p > text && text[0] == '*')
		p += strspn(p, "*");
	*ret_rest = view_trim(view_of(p));
	return true;
}
