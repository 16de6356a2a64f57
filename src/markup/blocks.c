#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "markup/markup.h"
#include "markup/renderer.h"

/* Lines on a terminal, wrapped at words; escape sequences have no width. */

struct wrapping {
	const struct markup_page *page;
	struct buf *out;
	const char *prefix;
	int indent; /* the width of the prefix */
	int at;     /* the column */
};

/* The length of an escape sequence that the text begins with, or 0. */
static size_t sequence_len(struct view text)
{
	const char *end =
		view_starts_with(text, "\033[") ? memchr(text.data, 'm', text.len) : NULL;

	return end ? (size_t)(end - text.data) + 1 : 0;
}

static int word_width(const struct wrapping *w, struct view word)
{
	CLEANUP(buf_release) struct buf plain = BUF_INIT;

	while (word.len) {
		size_t len = sequence_len(word);

		if (!len)
			buf_append_char(&plain, word.data[0]);
		word = view_slice(word, len ? len : 1, word.len);
	}
	return w->page->width(plain.data);
}

static void line_end(struct wrapping *w)
{
	while (w->out->len && w->out->data[w->out->len - 1] == ' ')
		buf_set_len(w->out, w->out->len - 1);
	buf_appendf(w->out, "\n%s", w->prefix);
	w->at = w->indent;
}

/* How many bytes of a word fit on the rest of the line: at least one character. */
static size_t fitting_len(const struct wrapping *w, struct view word)
{
	size_t fits = 0;

	while (fits < word.len) {
		uint32_t character;
		struct view rest = view_slice(word, fits, word.len);
		size_t len = sequence_len(rest);

		if (!len)
			len = utf8_decode(rest, &character);
		len = len ? len : 1;
		if (fits && w->at + word_width(w, view_slice(word, 0, fits + len)) >
				    w->page->columns)
			break;
		fits += len;
	}
	return fits;
}

/* A word that is longer than a line is cut. */
static void append_word(struct wrapping *w, struct view word)
{
	int width = word_width(w, word);

	if (w->at > w->indent && w->at + width > w->page->columns)
		line_end(w);
	while (w->at + width > w->page->columns && w->indent < w->page->columns) {
		size_t fits = fitting_len(w, word);

		if (fits == word.len)
			break;
		buf_append(w->out, word.data, fits);
		word = view_slice(word, fits, word.len);
		width = word_width(w, word);
		line_end(w);
	}
	buf_append(w->out, word.data, word.len);
	w->at += width;
}

/*
 * Append a line after its prefix, which is as wide as `prefix` and already written; `prefix`
 * goes before each continuation line. `used` columns come before the prefix.
 */
static void page_wrap(const struct markup_page *page, struct view line, int used,
	const char *prefix, struct buf *out)
{
	struct wrapping w = {page, out, prefix, page->width(prefix), 0};
	struct view word;
	bool first = true;

	w.at = used + w.indent;
	while (view_next(&line, ' ', &word)) {
		if (!first && w.at < page->columns) {
			buf_append_char(out, ' ');
			w.at++;
		}
		append_word(&w, word);
		first = false;
	}
}

#define LANGUAGE_MAX 20

static struct list *innermost_list(struct renderer *r)
{
	return &r->lists[renderer_shown(r->list_depth) - 1];
}

static void append_prefix(struct renderer *r)
{
	for (unsigned i = 0; i < renderer_shown(r->depth); i++) {
		struct container *c = &r->containers[i];

		buf_append_str(r->out, c->used ? c->rest : c->first);
		c->used = true;
	}
}

/* An empty line separates blocks, except for the items of a tight list. */
static void block_begin(struct renderer *r)
{
	struct list *list = r->list_depth ? innermost_list(r) : NULL;
	bool tight = list && list->tight &&
		     !(r->list_depth == 1 && list->items == 1 &&
			     !r->containers[renderer_shown(r->depth) - 1].used);

	if (r->d->blocks)
		return;
	if (r->begun) {
		buf_append_char(r->out, '\n');
		if (!tight) {
			for (unsigned i = 0; i < renderer_shown(r->shared); i++)
				buf_append_str(r->out, r->containers[i].rest);
			while (r->out->data[r->out->len - 1] == ' ')
				buf_set_len(r->out, r->out->len - 1);
			buf_append_char(r->out, '\n');
		}
	}
	r->begun = true;
	r->shared = r->depth;
}

/* Every line follows its prefix and is wrapped if the page asks for it. */
static void append_lines(struct renderer *r, struct view text, bool wrap)
{
	size_t start = r->out->len;
	struct view line;
	bool first = true;

	do {
		if (!view_next(&text, '\n', &line))
			line = view_of("");
		if (!first)
			buf_append_char(r->out, '\n');
		first = false;
		append_prefix(r);
		if (wrap && r->page) {
			CLEANUP(buf_release) struct buf rest = BUF_INIT;
			int used = start == r->out_start ? r->page->used : 0;

			for (unsigned i = 0; i < renderer_shown(r->depth); i++)
				buf_append_str(&rest, r->containers[i].rest);
			page_wrap(r->page, line, used, rest.data, r->out);
			start = r->out->len;
		} else {
			buf_append(r->out, line.data, line.len);
		}
	} while (text.len);
}

void block_flush(struct renderer *r)
{
	struct view text;

	styles_close(r, 0);
	r->just_closed = false;
	text = view_of_buf(&r->text);
	while (text.len && strchr(" \t\n", text.data[text.len - 1]))
		text.len--;
	if (!text.len)
		return;
	block_begin(r);
	if (r->d->blocks)
		buf_append(r->out, text.data, text.len);
	else
		append_lines(r, text, true);
	buf_clear(&r->text);
}

static void container_enter(struct renderer *r, const char *first, const char *rest)
{
	if (r->depth < NESTING_MAX) {
		struct container *c = &r->containers[r->depth];

		c->used = false;
		snprintf(c->first, sizeof(c->first), "%s", first);
		snprintf(c->rest, sizeof(c->rest), "%s", rest);
	}
	r->depth++;
}

static void container_leave(struct renderer *r)
{
	r->depth--;
	if (r->shared > r->depth)
		r->shared = r->depth;
}

void quote_enter(struct renderer *r)
{
	const char *line = r->d->quote_line ? r->d->quote_line : "";

	container_enter(r, line, line);
	if (!r->d->quote.open || (r->quotes++ && !r->d->nests))
		return;
	block_begin(r);
	buf_append_str(r->out, r->d->quote.open);
	r->begun = false;
}

void quote_leave(struct renderer *r)
{
	container_leave(r);
	if (!r->d->quote.open || (--r->quotes && !r->d->nests))
		return;
	buf_append_str(r->out, r->d->quote.close);
	r->begun = true;
}

void list_enter(struct renderer *r, bool ordered, unsigned start, bool tight)
{
	if (r->list_depth < NESTING_MAX)
		r->lists[r->list_depth] = (struct list){tight, ordered, start, 0};
	r->list_depth++;
	if (r->d->blocks && ordered && start != 1)
		buf_appendf(r->out, "<ol start=\"%u\">\n", start);
	else if (r->d->blocks)
		buf_append_str(r->out, ordered ? "<ol>\n" : "<ul>\n");
}

void list_leave(struct renderer *r, bool ordered)
{
	r->list_depth--;
	if (r->d->blocks)
		buf_append_str(r->out, ordered ? "</ol>\n" : "</ul>\n");
}

void item_enter(struct renderer *r, const MD_BLOCK_LI_DETAIL *item)
{
	struct list *list = innermost_list(r);
	char first[16];
	char rest[16];

	list->items++;
	if (list->ordered)
		snprintf(first, sizeof(first), "%u. ", list->number++);
	else
		snprintf(first, sizeof(first), "%s", r->d->bullet);
	/* A bullet is one column, and so is every other character of a mark. */
	snprintf(rest, sizeof(rest), "%*s", list->ordered ? (int)strlen(first) : 2, "");
	container_enter(r, r->d->blocks ? "" : first, r->d->blocks ? "" : rest);
	if (r->d->blocks)
		buf_append_str(r->out, "<li>");
	if (item->is_task)
		inline_text(r, view_of(item->task_mark == ' ' ? "\u2610 " : "\u2611 "));
}

void item_leave(struct renderer *r)
{
	if (r->d->blocks) {
		buf_append_str(r->out, "</li>\n");
	} else if (r->depth <= NESTING_MAX && !r->containers[r->depth - 1].used) {
		block_begin(r);
		append_lines(r, view_of(""), false);
	}
	container_leave(r);
}

/* A word that cannot end an attribute or a line; "" otherwise. */
static void language_of(const MD_BLOCK_CODE_DETAIL *detail, char ret_language[LANGUAGE_MAX + 1])
{
	ret_language[0] = '\0';
	if (detail->lang.size > LANGUAGE_MAX)
		return;
	for (unsigned i = 0; i < detail->lang.size; i++)
		if (!isalnum((unsigned char)detail->lang.text[i]) &&
			!memchr("+#.-_", detail->lang.text[i], 5))
			return;
	memcpy(ret_language, detail->lang.text ? detail->lang.text : "", detail->lang.size);
	ret_language[detail->lang.size] = '\0';
}

void code_block_leave(struct renderer *r, const MD_BLOCK_CODE_DETAIL *detail)
{
	CLEANUP(buf_release) struct buf block = BUF_INIT;
	char language[LANGUAGE_MAX + 1];
	const struct marks *marks = &r->d->code_block;
	struct view code = view_of_buf(&r->code);
	const char *fence;

	r->in_code = false;
	if (view_ends_with(code, "\n"))
		code.len--;
	if (!code.len && !r->d->blocks)
		return;
	language_of(detail, language);
	if (*language && r->d->code_language.open) {
		marks = &r->d->code_language;
		buf_appendf(&block, "%s%s%s", marks->open, language, r->d->code_language_end);
	} else {
		buf_append_str(&block, marks->open);
	}
	/* An invisible space breaks up a fence within the code, which would end the block. */
	while (strchr(marks->open, '`') && (fence = memmem(code.data, code.len, "```", 3))) {
		inline_escape(r->d, (struct view){code.data, (size_t)(fence - code.data) + 2},
			true, &block);
		buf_append_str(&block, ZERO_WIDTH);
		code = view_slice(code, (size_t)(fence - code.data) + 2, code.len);
	}
	inline_escape(r->d, code, true, &block);
	buf_append_str(&block, marks->close);
	block_begin(r);
	if (r->page && r->out->len == r->out_start)
		buf_append_char(r->out, '\n');
	if (r->d->code_indent)
		container_enter(r, r->d->code_indent, r->d->code_indent);
	if (r->d->blocks)
		buf_append(r->out, block.data, block.len);
	else
		append_lines(r, view_of_buf(&block), false);
	if (r->d->code_indent)
		container_leave(r);
	buf_clear(&r->code);
}

/* Cells and rows; the lines of a table are one block where it is not an element. */
void cell_enter(struct renderer *r, bool head)
{
	if (r->d->blocks) {
		buf_append_str(r->out, head ? "<th>" : "<td>");
		return;
	}
	if (r->text.len && r->text.data[r->text.len - 1] != '\n')
		buf_append_str(&r->text, " | ");
	if (head)
		style_enter(r, STYLE_STRONG);
}

void cell_leave(struct renderer *r, bool head)
{
	if (r->d->blocks) {
		block_flush(r);
		buf_append_str(r->out, head ? "</th>" : "</td>");
	} else if (head) {
		style_leave(r);
	}
	r->just_closed = false;
}

void rule_put(struct renderer *r)
{
	block_begin(r);
	append_prefix(r);
	buf_append_str(r->out, r->d->rule);
}
