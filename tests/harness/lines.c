#include "lines.h"

#include <string.h>

/* Longer differences are cut: the first lines say what is wrong. */
#define DIFF_MAX 40

void lines_add(struct lines *lines, struct view text, unsigned number)
{
	GROW(lines->items, lines->count, lines->cap);
	lines->items[lines->count++] =
		(struct line){.text = xmemdupz(text.data, text.len), .number = number};
}

static bool is_continuation(struct view text, size_t at)
{
	return at < text.len && ((unsigned char)text.data[at] & 0xc0) == 0x80;
}

/* The length of the character at `at`, or 0 if these bytes are no UTF-8 text. */
static size_t character_len(struct view text, size_t at)
{
	unsigned char c = (unsigned char)text.data[at];
	size_t len = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : 4;

	if (c < 0x80)
		return c == '\t' || (c >= ' ' && c != 0x7f) ? 1 : 0;
	if (c < 0xc2 || c > 0xf4)
		return 0;
	for (size_t i = 1; i < len; i++)
		if (!is_continuation(text, at + i))
			return 0;
	return len;
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* Whether the text that begins with "[" would be read as notation. */
static bool looks_like_notation(struct view text)
{
	if (view_starts_with(text, "[..]") || view_starts_with(text, "[dir]") ||
		view_starts_with(text, "[no-newline]"))
		return true;
	return text.len >= 4 && is_hex(text.data[1]) && is_hex(text.data[2]) &&
	       text.data[3] == ']';
}

static void encode_line(struct buf *out, struct view line, const char *dir)
{
	size_t i = 0;

	if (view_equal_str(line, "...")) {
		buf_append_str(out, "[2e]..");
		return;
	}
	while (i < line.len) {
		struct view rest = view_slice(line, i, line.len);
		size_t len = character_len(line, i);

		if (dir && view_starts_with(rest, dir)) {
			buf_append_str(out, "[dir]");
			len = strlen(dir);
		} else if (!len || (line.data[i] == '[' && looks_like_notation(rest))) {
			buf_appendf(out, "[%02x]", (unsigned char)line.data[i]);
			len = 1;
		} else {
			buf_append(out, line.data + i, len);
		}
		i += len;
	}
}

void lines_encode(struct lines *lines, struct view output, const char *dir)
{
	bool complete = view_ends_with(output, "\n");
	struct view rest = output;
	struct view line;

	while (view_next(&rest, '\n', &line)) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		encode_line(&text, line, dir);
		if (!rest.len && !complete)
			buf_append_str(&text, "[no-newline]");
		lines_add(lines, view_of_buf(&text), 0);
	}
}

bool line_matches(const char *expected, const char *line)
{
	const char *after_star = NULL;
	const char *retry = NULL;

	/* At a mismatch, the last [..] swallows one more character. */
	for (;;) {
		if (!strncmp(expected, "[..]", 4)) {
			expected += 4;
			after_star = expected;
			retry = line;
		} else if (*expected == *line) {
			if (!*line)
				return true;
			expected++;
			line++;
		} else if (retry && *retry) {
			expected = after_star;
			line = ++retry;
		} else {
			return false;
		}
	}
}

static bool is_any_lines(const char *expected)
{
	return !strcmp(expected, "...");
}

bool lines_match(const struct lines *expected, const struct lines *got)
{
	size_t e = 0;
	size_t g = 0;
	size_t after_star = 0;
	size_t retry = 0;
	bool star = false;

	for (;;) {
		if (e < expected->count && is_any_lines(expected->items[e].text)) {
			after_star = ++e;
			retry = g;
			star = true;
		} else if (e == expected->count && g == got->count) {
			return true;
		} else if (e < expected->count && g < got->count &&
			   line_matches(expected->items[e].text, got->items[g].text)) {
			e++;
			g++;
		} else if (star && retry < got->count) {
			e = after_star;
			g = ++retry;
		} else {
			return false;
		}
	}
}

static bool pair_is_equal(
	const struct lines *expected, size_t e, const struct lines *got, size_t g)
{
	return !is_any_lines(expected->items[e].text) &&
	       line_matches(expected->items[e].text, got->items[g].text);
}

static void show(
	struct buf *out, const char *sign, const struct lines *lines, size_t start, size_t end)
{
	for (size_t i = start; i < end && i < start + DIFF_MAX; i++)
		buf_appendf(out, "%s %s\n", sign, lines->items[i].text);
	if (end > start + DIFF_MAX)
		buf_appendf(out, "%s (%zu more lines)\n", sign, end - start - DIFF_MAX);
}

unsigned lines_diff(struct buf *out, const struct lines *expected, const struct lines *got)
{
	size_t start = 0;
	size_t expected_end = expected->count;
	size_t got_end = got->count;

	while (start < expected_end && start < got_end &&
		pair_is_equal(expected, start, got, start))
		start++;
	while (expected_end > start && got_end > start &&
		pair_is_equal(expected, expected_end - 1, got, got_end - 1)) {
		expected_end--;
		got_end--;
	}
	show(out, " ", expected, start > 3 ? start - 3 : 0, start);
	show(out, "-", expected, start, expected_end);
	show(out, "+", got, start, got_end);
	if (start < expected->count)
		return expected->items[start].number;
	return expected->count ? expected->items[expected->count - 1].number : 0;
}

void lines_release(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->items[i].text);
	free(lines->items);
	*lines = LINES_INIT;
}
