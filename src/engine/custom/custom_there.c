#include "engine/custom/custom_there.h"

#include <stdlib.h>

#include "engine/text/diff.h"
#include "engine/text/merge.h"

struct text {
	struct view *lines;
	size_t count;
	size_t cap;
};

static void split_lines(struct view text, struct text *ret_text)
{
	struct view line;

	while (diff_next_line(&text, &line)) {
		GROW(ret_text->lines, ret_text->count, ret_text->cap);
		ret_text->lines[ret_text->count++] = line;
	}
}

static void text_release(struct text *text)
{
	free(text->lines);
}

static bool same_lines(
	const struct text *a, size_t at, const struct text *b, size_t from, size_t count)
{
	if (at + count > a->count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!view_equal(a->lines[at + i], b->lines[from + i]))
			return false;
	return true;
}

struct search {
	struct text before;
	struct text ours;
	struct diff_changes since; /* from the file after the patch to ours */
};

static void search_release(struct search *s)
{
	text_release(&s->before);
	text_release(&s->ours);
	diff_changes_release(&s->since);
}

/* Were the lines that the patch removes put back at the same place? */
static bool is_put_back(
	const struct search *s, const struct diff_change *since, const struct diff_change *c)
{
	for (size_t i = 0; i + c->old_count <= since->new_count; i++)
		if (same_lines(&s->ours, since->new_start + i, &s->before, c->old_start,
			    c->old_count))
			return true;
	return false;
}

/*
 * The file has a change of the patch if none of the added lines was changed since, and the
 * removed lines were not put back.
 */
static bool has_change(const struct search *s, const struct diff_change *c)
{
	size_t end = c->new_start + c->new_count;

	for (size_t i = 0; i < s->since.count; i++) {
		const struct diff_change *since = &s->since.list[i];
		size_t since_end = since->old_start + since->old_count;

		if (since->old_count && since->old_start < end && since_end > c->new_start)
			return false;
		if (c->old_count && since->new_count && since->old_start <= end &&
			since_end >= c->new_start && is_put_back(s, since, c))
			return false;
	}
	return true;
}

static void append_lines(struct buf *out, const struct text *text, size_t start, size_t end)
{
	for (size_t i = start; i < end; i++)
		buf_append(out, text->lines[i].data, text->lines[i].len);
}

int custom_there(struct view before, struct view after, struct view ours,
	struct buf *ret_ancestor, struct error *err)
{
	CLEANUP(diff_changes_release) struct diff_changes patch = DIFF_CHANGES_INIT;
	CLEANUP(text_release) struct text new = {0};
	CLEANUP(search_release) struct search s = {.since = DIFF_CHANGES_INIT};
	CLEANUP(buf_release) struct buf ancestor = BUF_INIT;
	size_t at = 0, found = 0;

	if (merge_is_binary(before) || merge_is_binary(after))
		return 0;
	if (diff_lines(before, after, &patch, err) < 0 ||
		diff_lines(after, ours, &s.since, err) < 0)
		return -1;
	split_lines(before, &s.before);
	split_lines(after, &new);
	split_lines(ours, &s.ours);
	for (size_t i = 0; i < patch.count; i++) {
		const struct diff_change *c = &patch.list[i];
		bool there = has_change(&s, c);

		append_lines(&ancestor, &s.before, at, c->old_start);
		if (there)
			append_lines(
				&ancestor, &new, c->new_start, c->new_start + c->new_count);
		else
			append_lines(&ancestor, &s.before, c->old_start,
				c->old_start + c->old_count);
		at = c->old_start + c->old_count;
		found += there;
	}
	append_lines(&ancestor, &s.before, at, s.before.count);
	if (found) {
		*ret_ancestor = ancestor;
		ancestor = BUF_INIT;
	}
	return 0;
}
