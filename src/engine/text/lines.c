#include "engine/text/lines.h"

#include <stdlib.h>
#include <string.h>

#define MARKER_SIZE 7

bool lines_keep_all(struct view base, struct view text)
{
	struct view wanted, line;

	while (view_next(&base, '\n', &wanted)) {
		bool found = false;

		while (!found && view_next(&text, '\n', &line))
			found = view_equal(line, wanted);
		if (!found)
			return false;
	}
	return true;
}

size_t lines_displaced(struct view base, struct view text, struct view *ret_lines, size_t max)
{
	struct view wanted, line;
	size_t count = 0;

	while (view_next(&base, '\n', &wanted)) {
		struct view rest = text;
		bool found = false;

		while (!found && view_next(&rest, '\n', &line))
			found = view_equal(line, wanted);
		if (found)
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

static int by_line(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;
	int order = view_compare(x->line, y->line);

	if (order)
		return order;
	return (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
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
		qsort(lines, count, sizeof(*lines), by_line);
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
		qsort(wanted, missing, sizeof(*wanted), by_number);
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

static bool is_marker(struct view line)
{
	size_t run = 0;

	if (line.len < MARKER_SIZE || !strchr("<|>", line.data[0]))
		return false;
	while (run < line.len && line.data[run] == line.data[0])
		run++;
	return run >= MARKER_SIZE && (run == line.len || strchr(" \r", line.data[run]));
}

size_t lines_count_markers(struct view text)
{
	struct view line;
	size_t count = 0;

	while (view_next(&text, '\n', &line))
		count += is_marker(line);
	return count;
}
