#include "engine/text/conflict_text.h"

#include <string.h>

#include "engine/text/lines.h"

#define MARKER_SIZE 7

/* A hunk while its lines are read; offsets are into the text. */
struct reading {
	struct view text;
	const char *skill;
	size_t start;
	size_t body;      /* after the first marker */
	size_t base_line; /* where the marker of the base begins, */
	size_t base;      /* and the base itself */
	size_t middle;    /* where the line of = begins, */
	size_t theirs;    /* and the text after it */
	unsigned bases;
	unsigned middles; /* after the marker of the base, if it has one */
	bool nested;      /* it has another beginning, or an end with another label */
	struct view base_label;
};

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

/* "telegram", or "telegram 1.0.0". */
static bool is_label_of(struct view label, const char *skill)
{
	size_t len = strlen(skill);

	return view_starts_with(label, skill) && (label.len == len || label.data[len] == ' ');
}

static void marked_read_line(struct reading *r, struct view line, size_t start, size_t end)
{
	struct view label;

	if (is_marker(line, '<', &label) || is_marker(line, '>', &label)) {
		r->nested = true;
	} else if (is_marker(line, '|', &label)) {
		if (!r->bases++) {
			r->base_line = start;
			r->base = end;
			r->base_label = label;
		}
		r->middles = 0; /* earlier ones are content */
	} else if (is_marker(line, '=', &label) && !label.len) {
		if (!r->middles++) {
			r->middle = start;
			r->theirs = end;
		}
	}
}

/* Continue after the first marker. False if the hunk has no end. */
static bool read_hunk(struct reading *r, struct conflict_hunk *ret_hunk)
{
	struct view rest = view_slice(r->text, r->body, r->text.len), line, label;
	struct conflict_hunk hunk = {.start = r->start};
	size_t last_line;

	for (;;) {
		last_line = r->text.len - rest.len;
		if (!view_next(&rest, '\n', &line))
			return false;
		hunk.end = r->text.len - rest.len;
		if (is_marker(line, '>', &label) && is_label_of(label, r->skill))
			break;
		marked_read_line(r, line, last_line, hunk.end);
	}
	hunk.theirs_label = label;
	hunk.clear = !r->nested && r->bases <= 1 && r->middles == 1;
	if (hunk.clear) {
		hunk.has_base = r->bases;
		hunk.ours = view_slice(r->text, r->body, r->bases ? r->base_line : r->middle);
		hunk.base = view_slice(r->text, r->bases ? r->base : r->middle, r->middle);
		hunk.theirs = view_slice(r->text, r->theirs, last_line);
		hunk.base_label = r->base_label;
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
		struct reading r = {.text = text, .skill = skill, .start = text.len - rest.len};

		if (!view_next(&rest, '\n', &line))
			break;
		if (!is_marker(line, '<', &label) ||
			!view_equal_str(label, CONFLICT_TEXT_YOURS))
			continue;
		r.body = text.len - rest.len;
		if (!read_hunk(&r, &hunk))
			break; /* no other can have an end, either */
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
