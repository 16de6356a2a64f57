#include "markup/page.h"

#include <string.h>

#include "base/utf8.h"

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

void page_wrap(const struct markup_page *page, struct view line, int used, const char *prefix,
	struct buf *out)
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
