#include "engine/text/lines.h"

#include <stdlib.h>
#include <string.h>

#define MARKER_SIZE 7

/* Pass over the text up to and with the next line that is `wanted`. */
static bool skip_to(struct view *text, struct view wanted)
{
	struct view line;

	while (view_next(text, '\n', &line))
		if (view_equal(line, wanted))
			return true;
	return false;
}

bool lines_keep_all(struct view base, struct view text)
{
	struct view wanted;

	while (view_next(&base, '\n', &wanted))
		if (!skip_to(&text, wanted))
			return false;
	return true;
}

size_t lines_displaced(struct view base, struct view text, struct view *ret_lines, size_t max)
{
	struct view wanted;
	size_t count = 0;

	while (view_next(&base, '\n', &wanted)) {
		struct view rest = text;

		if (skip_to(&rest, wanted))
			text = rest;
		else if (count++ < max)
			ret_lines[count - 1] = wanted;
	}
	return count;
}

struct counted {
	struct view line;
	size_t number; /* of the line, to keep the order */
};

static int compare_numbers(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static int compare_lines(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;
	int order = view_compare(x->line, y->line);

	return order ? order : compare_numbers(a, b);
}

static struct counted *sorted_lines(struct view text, size_t *ret_count)
{
	struct counted *lines = NULL;
	size_t count = 0, cap = 0;
	struct view line;

	while (view_next(&text, '\n', &line)) {
		GROW(lines, count, cap);
		lines[count] = (struct counted){line, count};
		count++;
	}
	if (count)
		qsort(lines, count, sizeof(*lines), compare_lines);
	*ret_count = count;
	return lines;
}

size_t lines_missing(struct view base, struct view text, struct view *ret_lines, size_t max)
{
	size_t base_count, text_count, missing = 0, j = 0;
	CLEANUP(freep) struct counted *wanted = sorted_lines(base, &base_count);
	CLEANUP(freep) struct counted *there = sorted_lines(text, &text_count);

	for (size_t i = 0; i < base_count; i++) {
		while (j < text_count && view_compare(there[j].line, wanted[i].line) < 0)
			j++;
		if (j < text_count && view_equal(there[j].line, wanted[i].line))
			j++;
		else
			wanted[missing++] = wanted[i];
	}
	if (missing)
		qsort(wanted, missing, sizeof(*wanted), compare_numbers);
	for (size_t i = 0; i < missing && i < max; i++)
		ret_lines[i] = wanted[i].line;
	return missing;
}

static int compare_line(const void *key, const void *line)
{
	return view_compare(*(const struct view *)key, ((const struct counted *)line)->line);
}

bool lines_lost(struct view lines, struct view known, struct view text)
{
	size_t known_count, text_count;
	CLEANUP(freep) struct counted *there = sorted_lines(known, &known_count);
	CLEANUP(freep) struct counted *kept = sorted_lines(text, &text_count);
	struct view line;

	while (known_count && view_next(&lines, '\n', &line))
		if (view_trim(line).len &&
			bsearch(&line, there, known_count, sizeof(*there), compare_line) &&
			(!text_count ||
				!bsearch(&line, kept, text_count, sizeof(*kept), compare_line)))
			return true;
	return false;
}

size_t lines_count_markers(struct view text)
{
	struct view line;
	size_t count = 0;

	while (view_next(&text, '\n', &line)) {
		size_t run = 0;

		if (line.len < MARKER_SIZE || !strchr("<|>", line.data[0]))
			continue;
		while (run < line.len && line.data[run] == line.data[0])
			run++;
		count += run >= MARKER_SIZE &&
			 (run == line.len || strchr(" \r", line.data[run]));
	}
	return count;
}

/* How often a line occurs in a text, with either line ending. */
static size_t count_line(struct view text, struct view wanted)
{
	struct view line;
	size_t count = 0;

	while (view_next(&text, '\n', &line)) {
		if (view_ends_with(line, "\r"))
			line.len--;
		count += view_equal(line, wanted);
	}
	return count;
}

bool markers_are_left(struct view text, const struct markers_question *q)
{
	CLEANUP(freep) char *theirs = xasprintf(">>>>>>> %s", q->label);
	const char *const markers[] = {"=======", "<<<<<<< yours", theirs};

	if (lines_count_markers(text) > q->content)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(markers); i++) {
		struct view marker = view_of(markers[i]);

		if (count_line(text, marker) >
			count_line(q->ours, marker) + count_line(q->theirs, marker))
			return true;
	}
	return false;
}
