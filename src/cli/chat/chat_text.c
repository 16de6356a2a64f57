#include "cli/chat/chat_text.h"

#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/output.h"
#include "cli/table.h"

#define LEAST_COLUMNS 20
#define MOST_COLUMNS  100 /* longer lines are hard to read */

/* Marks in a text on its way: none of them can be in a text that is harmless. */
#define MARK_BOLD  '\001'
#define MARK_CODE  '\002'
#define MARK_PLAIN '\003'

struct writing {
	struct buf *out;
	int columns;
	int at;     /* the column */
	int indent; /* of further lines */
	bool color;
};

/* --- marks in a line --------------------------------------------------------- */

/* The text between two of the same marks, which begin and end with a letter; 0: none. */
static size_t find_span(struct view text, const char *mark, struct view *ret_inside)
{
	size_t len = strlen(mark);
	const char *end;

	if (!view_starts_with(text, mark) || text.len < 2 * len + 1 || text.data[len] == ' ')
		return 0;
	end = memmem(text.data + len, text.len - len, mark, len);
	if (!end || end == text.data + len || end[-1] == ' ')
		return 0;
	*ret_inside = (struct view){text.data + len, (size_t)(end - text.data) - len};
	return ret_inside->len + 2 * len;
}

/* "[text](address)"; 0: none. */
static size_t find_link(struct view text, struct view *ret_text, struct view *ret_address)
{
	const char *middle =
		view_starts_with(text, "[") ? memmem(text.data, text.len, "](", 2) : NULL;
	const char *end =
		middle ? memchr(middle, ')', text.len - (size_t)(middle - text.data)) : NULL;

	if (!end || memchr(text.data, '\n', (size_t)(end - text.data)))
		return 0;
	*ret_text = (struct view){text.data + 1, (size_t)(middle - text.data) - 1};
	*ret_address = (struct view){middle + 2, (size_t)(end - middle) - 2};
	return (size_t)(end - text.data) + 1;
}

static void mark_line(struct view text, bool bold, struct buf *out)
{
	struct view inside, address;
	char before = ' ';
	size_t len;

	while (text.len) {
		bool word = isalnum((unsigned char)before);

		if ((len = find_span(text, "`", &inside)))
			buf_appendf(out, "%c`%.*s`%c", MARK_CODE, VIEW_ARGS(inside),
				bold ? MARK_BOLD : MARK_PLAIN);
		else if (!word && ((len = find_span(text, "**", &inside)) ||
					  (len = find_span(text, "__", &inside)) ||
					  (len = find_span(text, "*", &inside)))) {
			buf_append_char(out, MARK_BOLD);
			mark_line(inside, true, out);
			buf_append_char(out, bold ? MARK_BOLD : MARK_PLAIN);
		} else if ((len = find_link(text, &inside, &address))) {
			mark_line(inside, bold, out);
			if (!view_equal(inside, address))
				buf_appendf(out, " (%.*s)", VIEW_ARGS(address));
		} else {
			buf_append_char(out, text.data[0]);
			len = 1;
		}
		before = text.data[len - 1];
		text = view_slice(text, len, text.len);
	}
}

/* --- words on lines ---------------------------------------------------------- */

static int width_of(struct view word)
{
	CLEANUP(buf_release) struct buf plain = BUF_INIT;

	for (size_t i = 0; i < word.len; i++)
		if ((unsigned char)word.data[i] > MARK_PLAIN)
			buf_append_char(&plain, word.data[i]);
	return plain.len ? table_width(plain.data) : 0;
}

static void write_raw(struct writing *w, struct view word)
{
	for (size_t i = 0; i < word.len; i++) {
		char c = word.data[i];

		if ((unsigned char)c > MARK_PLAIN) {
			/* The color marks it as code. */
			if (c != '`' || !w->color)
				buf_append_char(w->out, c);
		} else if (w->color) {
			buf_append_str(w->out, c == MARK_BOLD   ? COLOR_BOLD
					       : c == MARK_CODE ? COLOR_YELLOW
								: COLOR_RESET);
		}
	}
}

static void new_line(struct writing *w)
{
	buf_appendf(w->out, "\n%*s", w->indent, "");
	w->at = w->indent;
}

/* A word that is longer than a line is cut. */
static void write_word(struct writing *w, struct view word)
{
	int width = width_of(word);

	if (w->at > w->indent && w->at + width > w->columns)
		new_line(w);
	while (w->at + width > w->columns && word.len) {
		size_t fits = 0;

		while (fits < word.len) {
			uint32_t character;
			size_t len = utf8_decode(view_slice(word, fits, word.len), &character);

			len = len ? len : 1;
			if (w->at + width_of(view_slice(word, 0, fits + len)) > w->columns)
				break;
			fits += len;
		}
		if (!fits)
			break;
		write_raw(w, view_slice(word, 0, fits));
		word = view_slice(word, fits, word.len);
		width = width_of(word);
		new_line(w);
	}
	write_raw(w, word);
	w->at += width;
}

static void write_words(struct writing *w, struct view text)
{
	struct view word;
	bool first = true;

	while (view_next(&text, ' ', &word)) {
		if (!first && w->at < w->columns && w->at > 0) {
			buf_append_char(w->out, ' ');
			w->at++;
		}
		write_word(w, word);
		first = false;
	}
}

/* --- lines ------------------------------------------------------------------- */

/* How long the mark of a list is at the beginning of a line: "- ", "12. "; 0: none. */
static size_t list_mark(struct view line)
{
	size_t digits = 0;

	if (line.len > 2 && strchr("-*+", line.data[0]) && line.data[1] == ' ')
		return 2;
	while (digits < line.len && isdigit((unsigned char)line.data[digits]))
		digits++;
	return digits && digits < 4 && digits + 2 < line.len &&
			       (line.data[digits] == '.' || line.data[digits] == ')') &&
			       line.data[digits + 1] == ' '
		       ? digits + 2
		       : 0;
}

static void write_line(struct writing *w, struct view line)
{
	CLEANUP(buf_release) struct buf marked = BUF_INIT;
	struct view trimmed = line;
	size_t mark;

	while (trimmed.len && trimmed.data[0] == ' ')
		trimmed = view_slice(trimmed, 1, trimmed.len);
	w->indent = (int)(line.len - trimmed.len);
	if (w->indent > w->columns / 2)
		w->indent = 0;
	buf_appendf(w->out, "%*s", w->indent, "");
	w->at += w->indent;
	if ((mark = list_mark(trimmed))) {
		if (mark == 2)
			buf_append_str(w->out, "\u2022 ");
		else
			buf_append(w->out, trimmed.data, mark);
		w->at += (int)mark;
		w->indent += (int)mark;
	} else if (view_starts_with(trimmed, "> ")) {
		mark = 2;
		buf_append_str(w->out, "\u2502 ");
		w->at += 2;
		w->indent += 2;
	} else if (view_starts_with(trimmed, "#")) {
		while (mark < trimmed.len && trimmed.data[mark] == '#')
			mark++;
		mark = mark < 7 && mark < trimmed.len && trimmed.data[mark] == ' ' ? mark + 1
										   : 0;
		if (mark)
			buf_append_char(&marked, MARK_BOLD);
	}
	mark_line(view_slice(trimmed, mark, trimmed.len), marked.len, &marked);
	if (marked.len && marked.data[0] == MARK_BOLD)
		buf_append_char(&marked, MARK_PLAIN);
	write_words(w, view_of_buf(&marked));
}

void chat_text_append(struct buf *out, const char *text, int used, int columns, bool color)
{
	struct writing w = {out, columns, used, 0, color};
	struct view rest = view_of(text), line;
	bool code = false, first = true;

	if (w.columns > MOST_COLUMNS)
		w.columns = MOST_COLUMNS;
	if (w.columns < LEAST_COLUMNS)
		w.columns = LEAST_COLUMNS;
	while (view_next(&rest, '\n', &line)) {
		if (view_starts_with(line, "```")) {
			code = !code;
			continue;
		}
		if (!first)
			buf_append_char(out, '\n');
		if (!first)
			w.at = 0;
		if (code && first)
			buf_append_char(out, '\n');
		if (code)
			buf_appendf(out, "    %.*s", VIEW_ARGS(line));
		else
			write_line(&w, line);
		first = false;
	}
}
