#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

static void add_line(struct text *text, size_t at, char *line)
{
	GROW(text->lines, text->count, text->cap);
	memmove(text->lines + at + 1, text->lines + at,
		(text->count - at) * sizeof(*text->lines));
	text->lines[at] = line;
	text->count++;
}

void text_split(struct text *text, struct view content)
{
	while (content.len) {
		const char *newline = memchr(content.data, '\n', content.len);
		size_t len = newline ? (size_t)(newline + 1 - content.data) : content.len;

		add_line(text, text->count, xmemdupz(content.data, len));
		content = view_slice(content, len, content.len);
	}
}

void text_join(const struct text *text, struct buf *out)
{
	for (size_t i = 0; i < text->count; i++)
		buf_append_str(out, text->lines[i]);
}

void text_release(struct text *text)
{
	for (size_t i = 0; i < text->count; i++)
		free(text->lines[i]);
	free(text->lines);
	*text = TEXT_INIT;
}

static size_t end_of(const char *line)
{
	return strcspn(line, "\r\n");
}

static void set_line(struct text *text, size_t at, char *line)
{
	free(text->lines[at]);
	text->lines[at] = line;
}

/* A line in the middle needs an end. */
static void close_line(struct text *text, size_t at)
{
	if (!strchr(text->lines[at], '\n'))
		set_line(text, at, xasprintf("%s\n", text->lines[at]));
}

void text_insert(struct text *text, size_t at, const char *line)
{
	const char *end = "\n";

	if (text->count && strstr(text->lines[0], "\r\n"))
		end = "\r\n";
	if (at && at == text->count)
		close_line(text, at - 1);
	add_line(text, at, xasprintf("%s%s", line, end));
}

void text_delete(struct text *text, size_t at)
{
	free(text->lines[at]);
	text->count--;
	memmove(text->lines + at, text->lines + at + 1,
		(text->count - at) * sizeof(*text->lines));
}

void text_move(struct text *text)
{
	size_t from, count, to;

	if (text->count < 3)
		return;
	close_line(text, text->count - 1);
	from = below((unsigned)text->count - 1);
	count = 1 + below(3);
	to = below((unsigned)(text->count - 1));
	for (; count && from < text->count; count--) {
		char *line = xstrdup(text->lines[from]);

		text_delete(text, from);
		add_line(text, to < text->count ? to : text->count, line);
		if (to <= from)
			from++;
		to++;
	}
}

void text_extend(struct text *text, size_t at, const char *word)
{
	const char *line = text->lines[at];
	size_t len = end_of(line);

	set_line(text, at, xasprintf("%.*s %s%s", (int)len, line, word, line + len));
}

void text_toggle_crlf(struct text *text)
{
	bool crlf = text->count && strstr(text->lines[0], "\r\n");

	for (size_t i = 0; i < text->count; i++) {
		size_t len = end_of(text->lines[i]);

		if (text->lines[i][len])
			set_line(text, i,
				xasprintf("%.*s%s", (int)len, text->lines[i],
					crlf ? "\n" : "\r\n"));
	}
}

void text_toggle_last_newline(struct text *text)
{
	size_t last = text->count - 1;

	if (!text->count)
		return;
	if (strchr(text->lines[last], '\n'))
		text->lines[last][end_of(text->lines[last])] = '\0';
	else
		close_line(text, last);
}

bool is_binary(struct view content)
{
	return content.len && memchr(content.data, 0, content.len);
}
