#include "userskill/text/markdown.h"

#include <string.h>

#include "base/utf8.h"

#define CODE_INDENT 4
#define TAB         4
#define MAX_DIGITS  9

struct markdown markdown_of(struct view text)
{
	if (view_starts_with(text, UTF8_BOM))
		text = view_slice(text, strlen(UTF8_BOM), text.len);
	return (struct markdown){.rest = text};
}

/* --- lines ------------------------------------------------------------------- */

static bool take_line(struct view *rest, struct view *ret_line)
{
	size_t len = 0;

	if (!rest->len)
		return false;
	while (len < rest->len && rest->data[len] != '\n' && rest->data[len] != '\r')
		len++;
	*ret_line = view_slice(*rest, 0, len);
	if (len + 1 < rest->len && rest->data[len] == '\r' && rest->data[len + 1] == '\n')
		len++;
	*rest = view_slice(*rest, len < rest->len ? len + 1 : len, rest->len);
	return true;
}

/* The columns of white space in front, which are taken off. */
static size_t take_indent(struct view *text)
{
	size_t columns = 0;
	size_t i = 0;

	for (; i < text->len && (text->data[i] == ' ' || text->data[i] == '\t'); i++)
		columns += text->data[i] == ' ' ? 1 : TAB - columns % TAB;
	*text = view_slice(*text, i, text->len);
	return columns;
}

static size_t count_of(struct view text, char c)
{
	size_t count = 0;

	while (count < text.len && text.data[count] == c)
		count++;
	return count;
}

/* --- items of lists ---------------------------------------------------------- */

/* The length of the mark at the start of `text`, or 0. A space or the end must follow it. */
static size_t mark_len(struct view text, long *ret_number)
{
	size_t len = 0;
	long number = 0;

	*ret_number = -1;
	if (!text.len)
		return 0;
	if (strchr("-*+", text.data[0]) && text.data[0]) {
		len = 1;
	} else {
		for (; len < text.len && len <= MAX_DIGITS && text.data[len] >= '0' &&
			text.data[len] <= '9';
			len++)
			number = number * 10 + (text.data[len] - '0');
		if (!len || len > MAX_DIGITS || len == text.len ||
			(text.data[len] != '.' && text.data[len] != ')'))
			return 0;
		*ret_number = number;
		len++;
	}
	if (len < text.len && text.data[len] != ' ' && text.data[len] != '\t')
		return 0;
	return len;
}

bool markdown_item(struct view line, struct view *ret_content, long *ret_number)
{
	size_t len;

	take_indent(&line);
	len = mark_len(line, ret_number);
	if (!len)
		return false;
	*ret_content = view_trim(view_slice(line, len, line.len));
	return true;
}

/* --- blocks ------------------------------------------------------------------ */

/* How many characters open a block of code here, or 0. */
static size_t opens_fence(struct view text)
{
	size_t len;

	if (!text.len || (text.data[0] != '`' && text.data[0] != '~'))
		return 0;
	len = count_of(text, text.data[0]);
	if (len < 3)
		return 0;
	/* Inline code ends with backticks on the same line; a fence has none after it. */
	if (text.data[0] == '`' && memchr(text.data + len, '`', text.len - len))
		return 0;
	return len;
}

static bool closes_fence(const struct markdown *reader, struct view text, size_t indent)
{
	size_t len = count_of(text, reader->fence);

	return len >= reader->fence_len && indent < reader->fence_item + CODE_INDENT &&
	       !view_trim(view_slice(text, len, text.len)).len;
}

static bool line_contains(struct view text, const char *part)
{
	return memmem(text.data, text.len, part, strlen(part)) != NULL;
}

/* ATX headings: one to six '#', a space, the title, and any number of '#' again. */
static int heading_level(struct view text, struct view *ret_title)
{
	size_t level = count_of(text, '#');
	struct view title;
	size_t end;

	if (!level || level > 6)
		return 0;
	if (level < text.len && text.data[level] != ' ' && text.data[level] != '\t')
		return 0;
	title = view_trim(view_slice(text, level, text.len));
	end = title.len;
	while (end && title.data[end - 1] == '#')
		end--;
	if (!end || title.data[end - 1] == ' ' || title.data[end - 1] == '\t')
		title = view_trim(view_slice(title, 0, end));
	*ret_title = title;
	return (int)level;
}

static void open_fence(struct markdown *reader, struct view text, size_t len)
{
	reader->fence = text.data[0];
	reader->fence_len = len;
	reader->fence_line = reader->number;
	reader->fence_item = reader->item;
}

/* In a block of code, which may end with the item that it is in. False: it has ended. */
static bool in_fence(
	struct markdown *reader, struct view text, size_t indent, enum markdown_kind *ret_kind)
{
	if (closes_fence(reader, text, indent)) {
		reader->fence = 0;
		*ret_kind = MARKDOWN_FENCE;
		return true;
	}
	if (text.len && indent < reader->fence_item) {
		reader->fence = 0;
		return false;
	}
	*ret_kind = MARKDOWN_CODE;
	return true;
}

/* Opens the items that begin on this line; leaves their content in `text`. */
static void take_items(struct markdown *reader, struct view *text, size_t indent)
{
	bool first = true;
	size_t len;
	long number;

	if (reader->item && indent < reader->item)
		reader->item = 0;
	while ((len = mark_len(*text, &number))) {
		struct view behind = view_slice(*text, len, text->len);
		size_t space = take_indent(&behind);

		if (!reader->item && first && indent < CODE_INDENT)
			reader->item =
				indent + len +
				(space && space <= CODE_INDENT && behind.len ? space : 1);
		first = false;
		*text = behind;
	}
}

static enum markdown_kind line_classify(
	struct markdown *reader, struct view text, size_t indent, struct markdown_line *line)
{
	bool in_item = reader->item && indent >= reader->item;
	size_t fence;

	if (!in_item && indent < CODE_INDENT) {
		if (view_starts_with(text, "<!--")) {
			reader->item = 0;
			reader->comment = !line_contains(view_slice(text, 4, text.len), "-->");
			reader->comment_line = reader->number;
			return MARKDOWN_COMMENT;
		}
		line->level = heading_level(text, &line->title);
		if (line->level) {
			reader->item = 0;
			return MARKDOWN_HEADING;
		}
	}
	take_items(reader, &text, indent);
	fence = reader->item || indent < CODE_INDENT ? opens_fence(text) : 0;
	if (fence) {
		open_fence(reader, text, fence);
		return MARKDOWN_FENCE;
	}
	return MARKDOWN_TEXT;
}

bool markdown_next(struct markdown *reader, struct markdown_line *ret_line)
{
	struct markdown_line line = {0};
	struct view text;

	if (!take_line(&reader->rest, &line.text))
		return false;
	line.number = ++reader->number;
	text = line.text;
	line.indent = take_indent(&text);
	if (reader->comment) {
		line.kind = MARKDOWN_COMMENT;
		reader->comment = !line_contains(text, "-->");
	} else if (reader->fence && in_fence(reader, text, line.indent, &line.kind)) {
		; /* it is a part of it */
	} else if (!view_trim(text).len) {
		line.kind = MARKDOWN_BLANK;
	} else {
		line.kind = line_classify(reader, text, line.indent, &line);
	}
	*ret_line = line;
	return true;
}
