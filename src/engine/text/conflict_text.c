#include "engine/text/conflict_text.h"

#include <string.h>

#include "engine/text/lines.h"

#define MARKER_SIZE 7

/* Is the line seven of this character, alone or followed by a space and a label? */
static bool is_marker(struct view line, char sign, struct view *ret_label)
{
	size_t run = 0;

	if (line.len && line.data[line.len - 1] == '\r')
		line.len--;
	while (run < line.len && line.data[run] == sign)
		run++;
	if (run != MARKER_SIZE || (run < line.len && line.data[run] != ' '))
		return false;
	*ret_label = view_slice(line, run < line.len ? run + 1 : run, line.len);
	return true;
}

/* Is it the name, such as "telegram", "telegram 1.0.0" or "without telegram"? */
static bool is_label_of(struct view label, const char *name)
{
	size_t len = strlen(name);

	if (view_starts_with(label, CONFLICT_TEXT_WITHOUT))
		label = view_slice(label, strlen(CONFLICT_TEXT_WITHOUT), label.len);
	return view_starts_with(label, name) && (label.len == len || label.data[len] == ' ');
}

/*
 * Parse the hunk whose first marker is from `start` to `body`. False if it has no end: a
 * marker with the skill's name.
 */
static bool conflict_hunk_parse(struct view text, size_t start, size_t body, const char *skill,
	struct conflict_hunk *ret_hunk)
{
	struct view rest = view_slice(text, body, text.len), line, label;
	struct conflict_hunk hunk = {.start = start};
	size_t at, base_line = 0, base = 0, middle = 0, theirs = 0;
	unsigned bases = 0, middles = 0;
	bool nested = false; /* another beginning, or an end with another label */

	for (;;) {
		at = text.len - rest.len;
		if (!view_next(&rest, '\n', &line))
			return false;
		hunk.end = text.len - rest.len;
		if (is_marker(line, '>', &label) && is_label_of(label, skill))
			break;
		if (is_marker(line, '<', &label) || is_marker(line, '>', &label)) {
			nested = true;
		} else if (is_marker(line, '|', &label)) {
			if (!bases++) {
				base_line = at;
				base = hunk.end;
				hunk.base_label = label;
			}
			middles = 0; /* earlier ones are content */
		} else if (is_marker(line, '=', &label) && !label.len && !middles++) {
			middle = at;
			theirs = hunk.end;
		}
	}
	hunk.theirs_label = label;
	hunk.clear = !nested && bases <= 1 && middles == 1;
	if (hunk.clear) {
		hunk.has_base = bases;
		hunk.ours = view_slice(text, body, bases ? base_line : middle);
		hunk.base = view_slice(text, bases ? base : middle, middle);
		hunk.theirs = view_slice(text, theirs, at);
	} else {
		hunk.base_label = (struct view){0};
	}
	*ret_hunk = hunk;
	return true;
}

void conflict_text_parse(struct view text, const char *skill, struct conflict_text *ret_marked)
{
	struct conflict_text marked = CONFLICT_TEXT_INIT;
	struct view rest = text, line, label;
	struct conflict_hunk hunk;
	size_t done = 0;

	for (;;) {
		size_t start = text.len - rest.len;

		if (!view_next(&rest, '\n', &line))
			break;
		if (!is_marker(line, '<', &label) || !is_label_of(label, CONFLICT_TEXT_YOURS))
			continue;
		if (!conflict_hunk_parse(text, start, text.len - rest.len, skill, &hunk))
			break; /* no other can have an end, either */
		hunk.ours_label = label;
		GROW(marked.hunks, marked.count, marked.cap);
		marked.hunks[marked.count++] = hunk;
		marked.stray += lines_count_markers(view_slice(text, done, hunk.start));
		done = hunk.end;
		rest = view_slice(text, done, text.len);
	}
	marked.stray += lines_count_markers(view_slice(text, done, text.len));
	*ret_marked = marked;
}

static void append_view(struct buf *out, struct view text)
{
	buf_append(out, text.data, text.len);
}

void conflict_text_replace(struct view text, const struct conflict_hunk *hunk,
	struct view replacement, struct buf *out)
{
	append_view(out, view_slice(text, 0, hunk->start));
	append_view(out, replacement);
	append_view(out, view_slice(text, hunk->end, text.len));
}

bool conflict_text_side(struct view text, const struct conflict_text *marked,
	enum conflict_side side, struct buf *out)
{
	size_t done = 0;

	for (size_t i = 0; i < marked->count; i++)
		if (!marked->hunks[i].clear)
			return false;
	for (size_t i = 0; i < marked->count; i++) {
		const struct conflict_hunk *hunk = &marked->hunks[i];

		append_view(out, view_slice(text, done, hunk->start));
		append_view(out, side == CONFLICT_OURS   ? hunk->ours
				 : side == CONFLICT_BASE ? hunk->base
							 : hunk->theirs);
		done = hunk->end;
	}
	append_view(out, view_slice(text, done, text.len));
	return true;
}

void conflict_text_release(struct conflict_text *marked)
{
	free(marked->hunks);
}
