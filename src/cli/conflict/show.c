#include "cli/conflict/show.h"

#include <stdio.h>

#include "cli/output.h"

/* How much of a side and of a line is shown at first. */
#define FEW_LINES  20
#define FEW_BYTES  300
#define NOT_A_SIDE ' '

/* --- lines around a hunk ---------------------------------------------------------------- */

struct view conflict_show_before(
	struct view text, const struct conflict_text *marked, size_t number, size_t lines)
{
	size_t first = number ? marked->hunks[number - 1].end : 0;
	size_t end = marked->hunks[number].start, start = end;

	while (lines-- && start > first) {
		start--;
		while (start > first && text.data[start - 1] != '\n')
			start--;
	}
	return view_slice(text, start, end);
}

struct view conflict_show_behind(
	struct view text, const struct conflict_text *marked, size_t number, size_t lines)
{
	size_t start = marked->hunks[number].end;
	size_t last = number + 1 < marked->count ? marked->hunks[number + 1].start : text.len;
	struct view all = view_slice(text, start, last), rest = all, line;

	while (lines-- && view_next(&rest, '\n', &line))
		;
	return view_slice(all, 0, all.len - rest.len);
}

/* --- printing --------------------------------------------------------------------------- */

struct part {
	char key;
	const char *color;
	struct view label;
	struct view lines;
};

static void shown_line_print(const struct cli *cli, const char *gutter, const char *color,
	struct view line, bool whole)
{
	CLEANUP(buf_release) struct buf shown = BUF_INIT;
	bool cut = !whole && line.len > FEW_BYTES;

	if (line.len && line.data[line.len - 1] == '\r')
		line.len--;
	shown_append(&shown, cut ? view_slice(line, 0, FEW_BYTES) : line);
	printf("%s%s%s%s%s\n", gutter, output_color(cli, color), shown.data, cut ? "..." : "",
		output_color(cli, *color ? COLOR_RESET : ""));
}

static void shown_part_print(const struct cli *cli, const struct part *part, bool whole)
{
	CLEANUP(freep) char *gutter = xasprintf("  %c | ", part->key);
	CLEANUP(buf_release) struct buf label = BUF_INIT;
	struct view rest = part->lines, line;
	size_t lines = 0, more = 0;

	shown_append(&label, part->label);
	printf("  %c %s%s%s\n", part->key, output_color(cli, part->color), label.data,
		output_color(cli, COLOR_RESET));
	if (!rest.len)
		printf("%s%s(nothing)%s\n", gutter, output_color(cli, COLOR_DIM),
			output_color(cli, COLOR_RESET));
	while (view_next(&rest, '\n', &line)) {
		if (whole || lines++ < FEW_LINES)
			shown_line_print(cli, gutter, part->color, line, whole);
		else
			more++;
	}
	if (more)
		printf("%s%s... %zu more lines ([i] shows all)%s\n", gutter,
			output_color(cli, COLOR_DIM), more, output_color(cli, COLOR_RESET));
}

static void print_around(const struct cli *cli, struct view lines)
{
	struct view line;

	while (view_next(&lines, '\n', &line))
		shown_line_print(cli, "      ", "", line, false);
}

size_t conflict_show_line(struct view text, const struct conflict_hunk *hunk)
{
	size_t line = 1;

	for (size_t i = 0; i < hunk->start; i++)
		line += text.data[i] == '\n';
	return line;
}

void conflict_show_hunk(const struct cli *cli, struct view text,
	const struct conflict_text *marked, size_t number, bool whole)
{
	const struct conflict_hunk *hunk = &marked->hunks[number];
	struct part ours = {'o', COLOR_GREEN, hunk->ours_label, hunk->ours};
	struct part base = {NOT_A_SIDE, COLOR_DIM, hunk->base_label, hunk->base};
	struct part theirs = {'t', COLOR_CYAN, hunk->theirs_label, hunk->theirs};
	struct part unclear = {NOT_A_SIDE, COLOR_YELLOW,
		view_of("lines in it look like conflict markers"),
		view_slice(text, hunk->start, hunk->end)};

	print_around(cli, conflict_show_before(text, marked, number, CONFLICT_SHOW_AROUND));
	if (hunk->clear) {
		shown_part_print(cli, &ours, whole);
		if (hunk->has_base)
			shown_part_print(cli, &base, whole);
		shown_part_print(cli, &theirs, whole);
	} else {
		shown_part_print(cli, &unclear, whole);
	}
	print_around(cli, conflict_show_behind(text, marked, number, CONFLICT_SHOW_AROUND));
}
