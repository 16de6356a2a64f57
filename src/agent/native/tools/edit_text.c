#include "agent/native/tools/edit_text.h"

#include <stdint.h>
#include <string.h>

#define EDIT_LINES_SHOWN 10

/* Where one match is allowed, more are not counted: those of long texts that overlap take time. */
#define EDIT_COUNTED 100

static const char *edit_find(struct view text, size_t from, struct view what)
{
	return memmem(text.data + from, text.len - from, what.data, what.len);
}

/*
 * The lines on which `what` begins, as "3, 7 and 12 more". Returns how many times it is there, each
 * at least `step` bytes after the one before, and at most `most`.
 */
static size_t edit_lines(
	struct view text, struct view what, size_t step, size_t most, struct buf *lines)
{
	const char *counted = text.data;
	const char *at;
	size_t matches = 0;
	size_t line = 1;
	size_t from = 0;

	while (matches < most && (at = edit_find(text, from, what)) != NULL) {
		if (matches++ < EDIT_LINES_SHOWN) {
			for (; (counted = memchr(counted, '\n', (size_t)(at - counted)));
				counted++)
				line++;
			counted = at;
			buf_appendf(lines, "%s%zu", matches > 1 ? ", " : "", line);
		}
		from = (size_t)(at - text.data) + step;
	}
	if (matches > EDIT_LINES_SHOWN)
		buf_appendf(lines, " and %zu more", matches - EDIT_LINES_SHOWN);
	return matches;
}

/* Suggests what the model may have meant. */
static int edit_not_found(struct view text, struct view old, struct error *err)
{
	CLEANUP(buf_release) struct buf lines = BUF_INIT;
	struct view rest = old;
	struct view first = {0};

	while (!first.len && view_next(&rest, '\n', &first))
		first = view_trim(first);
	if (memmem(text.data, text.len, "\r\n", 2) && !memchr(old.data, '\r', old.len) &&
		memchr(old.data, '\n', old.len))
		return error_set(err, ERROR_INVALID,
			"old_string is not in the file, whose lines end in \\r\\n; "
			"nothing was changed");
	if (first.len && edit_lines(text, first, first.len, SIZE_MAX, &lines))
		return error_set(err, ERROR_INVALID,
			"old_string is not in the file like this; its first line is on line %s, "
			"perhaps with other spaces: read the file again; nothing was changed",
			lines.data);
	return error_set(err, ERROR_INVALID,
		"old_string is not in the file: read the file again; nothing was changed");
}

int edit_text(struct view text, const struct edit_request *edit, struct buf *ret_text,
	struct buf *note, struct error *err)
{
	CLEANUP(buf_release) struct buf lines = BUF_INIT;
	const char *at;
	size_t from = 0;
	size_t matches;

	if (!edit->old.len)
		return error_set(err, ERROR_INVALID,
			"old_string is empty; the tool 'write' writes a whole file");
	if (view_equal(edit->old, edit->new))
		return error_set(err, ERROR_INVALID, "old_string and new_string are the same");
	/* Overlapping matches count as two if only one is allowed. */
	matches = edit->all ? edit_lines(text, edit->old, edit->old.len, SIZE_MAX, &lines)
			    : edit_lines(text, edit->old, 1, EDIT_COUNTED, &lines);
	if (!matches)
		return edit_not_found(text, edit->old, err);
	if (matches > 1 && !edit->all)
		return error_set(err, ERROR_INVALID,
			"old_string occurs %zu times%s, on lines %s: give more text around it, or "
			"replace_all; nothing was changed",
			matches, matches == EDIT_COUNTED ? " or more" : "", lines.data);
	if (edit->new.len > edit->old.len &&
		edit->new.len - edit->old.len > (EDIT_TEXT_MAX - text.len) / matches)
		return error_set(err, ERROR_INVALID, "the file would be larger than 64 MB");
	while ((at = edit_find(text, from, edit->old)) != NULL) {
		buf_append(ret_text, text.data + from, (size_t)(at - text.data) - from);
		buf_append(ret_text, edit->new.data, edit->new.len);
		from = (size_t)(at - text.data) + edit->old.len;
	}
	buf_append(ret_text, text.data + from, text.len - from);
	buf_appendf(note, "replaced %zu match%s, line%s %s", matches, matches == 1 ? "" : "es",
		matches == 1 ? "" : "s", lines.data);
	return 0;
}
