#include "engine/patch/patch_parts.h"
#include "engine/text/diff.h"

#define CONTEXT 3

struct lines {
	struct view *list;
	size_t count;
	size_t cap;
};

static void lines_release(struct lines *lines)
{
	free(lines->list);
}

static void split(struct view text, struct lines *lines)
{
	struct view line;

	while (diff_next_line(&text, &line)) {
		GROW(lines->list, lines->count, lines->cap);
		lines->list[lines->count++] = line;
	}
}

struct patch_hunk *patch_add_hunk(struct patch_change *change)
{
	struct patch_hunk *hunk;

	/* Grown in powers of two, since the capacity is not kept. */
	if (!(change->hunk_count & (change->hunk_count - 1)))
		change->hunks = xreallocarray(change->hunks,
			change->hunk_count ? 2 * change->hunk_count : 1, sizeof(*hunk));
	hunk = &change->hunks[change->hunk_count++];
	*hunk = (struct patch_hunk){.lines = BUF_INIT};
	return hunk;
}

bool patch_next_line(struct view *rest, char *ret_sign, struct view *ret_content)
{
	struct view line;

	if (!diff_next_line(rest, &line))
		return false;
	*ret_sign = line.data[0];
	*ret_content = view_slice(line, 1, line.len);
	if (rest->len && rest->data[0] == '\\') {
		ret_content->len--;
		diff_next_line(rest, &line);
	}
	return true;
}

static void append_line(struct buf *out, char sign, struct view line)
{
	buf_append_char(out, sign);
	buf_append(out, line.data, line.len);
	if (line.data[line.len - 1] != '\n')
		buf_append_str(out, "\n" PATCH_NO_NEWLINE);
}

static void append_lines(
	struct buf *out, char sign, const struct lines *lines, size_t start, size_t count)
{
	for (size_t i = 0; i < count; i++)
		append_line(out, sign, lines->list[start + i]);
}

/* Make one hunk of the changes from `first` to before `end`. */
static void make_hunk(const struct diff_change *first, const struct diff_change *end,
	const struct lines *old, const struct lines *new, struct patch_hunk *hunk)
{
	const struct diff_change *last = end - 1;
	size_t before = first->old_start < CONTEXT ? first->old_start : CONTEXT;
	size_t at = first->old_start - before;
	size_t behind = old->count - (last->old_start + last->old_count);

	if (behind > CONTEXT)
		behind = CONTEXT;
	hunk->old_start = at;
	hunk->new_start = first->new_start - before;
	for (const struct diff_change *c = first; c < end; c++) {
		append_lines(&hunk->lines, ' ', old, at, c->old_start - at);
		append_lines(&hunk->lines, '-', old, c->old_start, c->old_count);
		append_lines(&hunk->lines, '+', new, c->new_start, c->new_count);
		at = c->old_start + c->old_count;
	}
	append_lines(&hunk->lines, ' ', old, at, behind);
	hunk->old_count = at + behind - hunk->old_start;
	hunk->new_count = last->new_start + last->new_count + behind - hunk->new_start;
}

/* The end of the changes that are in one hunk with `first`: their contexts meet. */
static size_t hunk_end(const struct diff_changes *changes, size_t first)
{
	size_t i = first + 1;

	for (; i < changes->count; i++) {
		const struct diff_change *last = &changes->list[i - 1];

		if (changes->list[i].old_start - (last->old_start + last->old_count) >
			2 * CONTEXT)
			break;
	}
	return i;
}

int patch_make_hunks(
	struct view old, struct view new, struct patch_change *change, struct error *err)
{
	CLEANUP(diff_changes_release) struct diff_changes changes = DIFF_CHANGES_INIT;
	CLEANUP(lines_release) struct lines old_lines = {0};
	CLEANUP(lines_release) struct lines new_lines = {0};
	size_t end;

	if (diff_lines(old, new, &changes, err) < 0)
		return -1;
	split(old, &old_lines);
	split(new, &new_lines);
	for (size_t i = 0; i < changes.count; i = end) {
		end = hunk_end(&changes, i);
		make_hunk(&changes.list[i], &changes.list[end], &old_lines, &new_lines,
			patch_add_hunk(change));
	}
	return 0;
}
