#include "engine/text/rerere_hunk.h"

#include <stdint.h>
#include <string.h>

#include "engine/text/diff.h"

/* Enough to distinguish two similar functions: all of them contain a lone brace. */
#define CONTEXT 3

/* --- keys ----------------------------------------------------------------------- */

/* The text before hunk `number`, or after the last one for number == count. */
static struct view common_part(const struct rerere_text *text, size_t number)
{
	size_t start = number ? text->hunks[number - 1].normal_end : 0;
	size_t end =
		number < text->count ? text->hunks[number].normal_start : text->normalized.len;

	return view_slice(view_of_buf(&text->normalized), start, end);
}

static struct view first_lines(struct view text)
{
	struct view rest = text, line;

	for (int i = 0; i < CONTEXT && diff_next_line(&rest, &line); i++)
		continue;
	return view_slice(text, 0, text.len - rest.len);
}

static struct view last_lines(struct view text)
{
	size_t start = text.len;

	for (int i = 0; i < CONTEXT && start; i++) {
		const char *newline = start > 1 ? memrchr(text.data, '\n', start - 1) : NULL;

		start = newline ? (size_t)(newline - text.data) + 1 : 0;
	}
	return view_slice(text, start, text.len);
}

/* With its length, so that no two lists of parts give the same text. */
static void append_part(struct buf *out, struct view part)
{
	buf_appendf(out, "%zu:", part.len);
	buf_append(out, part.data, part.len);
}

bool rerere_hunk_key(
	const struct rerere_text *text, size_t number, struct view scope, struct hash *ret_key)
{
	const struct rerere_hunk *hunk = &text->hunks[number];
	CLEANUP(buf_release) struct buf parts = BUF_INIT;
	struct view before = common_part(text, number);
	struct view behind = common_part(text, number + 1);

	if ((number && !before.len) || (number + 1 < text->count && !behind.len))
		return false;
	/* Fewer lines than CONTEXT mean the beginning or end of the file: H1. */
	buf_append_str(&parts, "nanoclaw hunk 2\n");
	append_part(&parts, scope);
	append_part(&parts, last_lines(before));
	append_part(&parts, view_of_buf(&hunk->one));
	append_part(&parts, view_of_buf(&hunk->two));
	append_part(&parts, first_lines(behind));
	*ret_key = hash_of(view_of_buf(&parts));
	return true;
}

/* --- where the hunks are in the resolved text: H2, H3 --------------------------- */

struct lines {
	struct view *list;
	size_t count;
	size_t cap;
};

static void lines_release(struct lines *lines)
{
	free(lines->list);
}

static void lines_of(struct view text, struct lines *ret_lines)
{
	struct view line;

	while (diff_next_line(&text, &line)) {
		GROW(ret_lines->list, ret_lines->count, ret_lines->cap);
		ret_lines->list[ret_lines->count++] = line;
	}
}

static bool lines_equal(const struct view *a, const struct view *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!view_equal(a[i], b[i]))
			return false;
	return true;
}

/*
 * For each line of `part`, the length of the longest beginning of the part that
 * ends there and is shorter: Knuth, Morris and Pratt. Files from outside may be
 * made to repeat, so a search must not take the product of the lengths.
 */
static size_t *borders_of(const struct view *part, size_t count, bool backwards)
{
	size_t *borders = xcalloc(count + 1, sizeof(*borders));

	for (size_t i = 1, k = 0; i < count; i++) {
		struct view line = part[backwards ? count - 1 - i : i];

		while (k && !view_equal(line, part[backwards ? count - 1 - k : k]))
			k = borders[k - 1];
		k += view_equal(line, part[backwards ? count - 1 - k : k]);
		borders[i] = k;
	}
	return borders;
}

#define NOWHERE SIZE_MAX

/* The first place of `part` in the lines from..to of `text`; with `backwards`, the last one. */
static size_t find_part(const struct lines *text, size_t from, size_t to,
	const struct lines *part, bool backwards)
{
	CLEANUP(freep) size_t *borders = borders_of(part->list, part->count, backwards);
	size_t count = part->count, k = 0;

	if (!count)
		return backwards ? to : from;
	for (size_t i = 0; i < to - from; i++) {
		struct view line = text->list[backwards ? to - 1 - i : from + i];

		while (k && !view_equal(line, part->list[backwards ? count - 1 - k : k]))
			k = borders[k - 1];
		k += view_equal(line, part->list[backwards ? count - 1 - k : k]);
		if (k == count)
			return backwards ? to - 1 - i : from + i + 1 - count;
	}
	return NOWHERE;
}

/* Where the common parts begin in the resolved text, in two ways. */
struct places {
	struct lines *parts; /* count + 1 of them */
	size_t *first;       /* as early as possible */
	size_t *last;        /* as late as possible */
	size_t count;        /* of the hunks */
};

static void places_release(struct places *places)
{
	for (size_t i = 0; i <= places->count; i++)
		lines_release(&places->parts[i]);
	free(places->parts);
	free(places->first);
	free(places->last);
}

/*
 * Find all common parts in their order. The first must be where the text begins and
 * the last where it ends. False if that cannot be done: something between the hunks
 * was changed.
 */
static bool find_places(struct places *places, const struct lines *text)
{
	const struct lines *head = &places->parts[0], *tail = &places->parts[places->count];
	size_t from = head->count, to = text->count - tail->count;

	if (head->count + tail->count > text->count ||
		!lines_equal(head->list, text->list, head->count) ||
		(tail->count && !lines_equal(tail->list, text->list + to, tail->count)))
		return false;
	places->first[places->count] = places->last[places->count] = to;
	for (size_t i = 1; i < places->count; i++) {
		places->first[i] = find_part(text, from, to, &places->parts[i], false);
		if (places->first[i] == NOWHERE)
			return false;
		from = places->first[i] + places->parts[i].count;
	}
	for (size_t i = places->count; i > 1; i--) {
		to = find_part(text, head->count, to, &places->parts[i - 1], true);
		/* There is one: the way from the other side found it. */
		places->last[i - 1] = to;
	}
	return true;
}

static size_t line_start(const struct lines *lines, size_t number, struct view text)
{
	return number < lines->count ? (size_t)(lines->list[number].data - text.data)
				     : text.len;
}

/*
 * Hunks first..end of the conflict are, taken together, this part of the resolved
 * text; where one of them ends and the next begins is not certain.
 */
struct region {
	size_t first;
	size_t end;
	struct view text;
};

/*
 * The regions of the resolved text, at most one per hunk; to be freed. There are none if the
 * text between the hunks has changed.
 */
static struct region *find_regions(
	const struct rerere_text *conflict, struct view resolved, size_t *ret_count)
{
	struct region *regions = xcalloc(conflict->count + 1, sizeof(*regions));
	CLEANUP(places_release)
	struct places places = {
		.count = conflict->count,
		.parts = xcalloc(conflict->count + 1, sizeof(*places.parts)),
		.first = xcalloc(conflict->count + 1, sizeof(*places.first)),
		.last = xcalloc(conflict->count + 1, sizeof(*places.last)),
	};
	CLEANUP(lines_release) struct lines lines = {0};
	size_t first = 0, count = 0;

	for (size_t i = 0; i <= conflict->count; i++)
		lines_of(common_part(conflict, i), &places.parts[i]);
	lines_of(resolved, &lines);
	if (!find_places(&places, &lines)) {
		*ret_count = 0;
		return regions;
	}
	for (size_t i = 1; i <= conflict->count; i++) {
		size_t from = places.first[first] + places.parts[first].count;
		size_t to = places.first[i];

		/* Is it certain where this part begins? */
		if (i < places.count && (!places.parts[i].count || to != places.last[i]))
			continue;
		regions[count++] = (struct region){first, i,
			view_slice(resolved, line_start(&lines, from, resolved),
				line_start(&lines, to, resolved))};
		first = i;
	}
	*ret_count = count;
	return regions;
}

/* --- unsafe cases: H4, H5, H6 --------------------------------------------------- */

bool rerere_hunk_is_resolution(struct view text)
{
	struct view line;

	if (!rerere_is_image(text))
		return false;
	while (diff_next_line(&text, &line)) {
		size_t run = 0;

		while (run < line.len && line.data[run] == line.data[0])
			run++;
		if (run >= RERERE_MARKER_SIZE && strchr("<|=>", line.data[0]))
			return false;
	}
	return true;
}

/* A line of a region: in a side of its hunks, or in their resolution. */
struct occurrence {
	struct view
		line; /* without white space at its ends: moved code is often indented differently */
	size_t region;
	bool before;
	bool after;
};

struct occurrences {
	struct occurrence *list;
	size_t count;
	size_t cap;
};

static void occurrences_release(struct occurrences *occurrences)
{
	free(occurrences->list);
}

static void add_occurrences(
	struct occurrences *all, struct view text, size_t region, bool before)
{
	struct view line;

	while (diff_next_line(&text, &line)) {
		line = view_trim(line);
		if (!line.len)
			continue;
		GROW(all->list, all->count, all->cap);
		all->list[all->count++] = (struct occurrence){line, region, before, !before};
	}
}

static int compare_lines(const void *a, const void *b)
{
	const struct occurrence *x = a, *y = b;
	int order = view_compare(x->line, y->line);

	return order ? order : (x->region > y->region) - (x->region < y->region);
}

/* One entry for each line and region, with all that is known of the two. */
static void unite_occurrences(struct occurrences *all)
{
	size_t kept = 0;

	if (!all->count)
		return;
	qsort(all->list, all->count, sizeof(*all->list), compare_lines);
	for (size_t i = 1; i < all->count; i++) {
		struct occurrence *last = &all->list[kept];

		if (compare_lines(last, &all->list[i])) {
			all->list[++kept] = all->list[i];
			continue;
		}
		last->before |= all->list[i].before;
		last->after |= all->list[i].after;
	}
	all->count = kept + 1;
}

static void find_moved(const struct occurrences *all, bool *moved)
{
	for (size_t start = 0, end; start < all->count; start = end) {
		bool lost = false, gained = false;

		for (end = start; end < all->count &&
				  view_equal(all->list[end].line, all->list[start].line);
			end++) {
			lost |= all->list[end].before && !all->list[end].after;
			gained |= all->list[end].after && !all->list[end].before;
		}
		for (size_t i = start; lost && gained && i < end; i++)
			if (all->list[i].before != all->list[i].after)
				moved[all->list[i].region] = true;
	}
}

/* H4, and H3: hunks that share a region cannot be separated. */
static void take_resolutions(const struct rerere_text *conflict, const struct region *regions,
	size_t count, struct view *resolutions)
{
	CLEANUP(occurrences_release) struct occurrences all = {0};
	CLEANUP(freep) bool *moved = xcalloc(count + 2, sizeof(*moved));

	for (size_t i = 0; i < count; i++) {
		const struct region *region = &regions[i];

		for (size_t h = region->first; h < region->end; h++) {
			add_occurrences(&all, view_of_buf(&conflict->hunks[h].one), i, true);
			add_occurrences(&all, view_of_buf(&conflict->hunks[h].two), i, true);
		}
		add_occurrences(&all, region->text, i, false);
	}
	/* The text between the hunks is unchanged (H2); a hunk may have lost a line to it. */
	for (size_t i = 0; i <= conflict->count; i++)
		add_occurrences(&all, common_part(conflict, i), count, false);
	unite_occurrences(&all);
	find_moved(&all, moved);
	for (size_t i = 0; i < count; i++)
		if (!moved[i] && regions[i].end == regions[i].first + 1)
			resolutions[regions[i].first] = regions[i].text;
}

struct last_resolved {
	const struct rerere_hunk *hunk;
	struct view *resolution;
};

static int compare_sides(const void *a, const void *b)
{
	const struct last_resolved *x = a, *y = b;
	int order = view_compare(view_of_buf(&x->hunk->one), view_of_buf(&y->hunk->one));

	return order ? order
		     : view_compare(view_of_buf(&x->hunk->two), view_of_buf(&y->hunk->two));
}

static void drop_ambiguous(const struct rerere_text *conflict, struct view *resolutions)
{
	CLEANUP(freep)
	struct last_resolved *all = xcalloc(conflict->count + 1, sizeof(*all));

	for (size_t i = 0; i < conflict->count; i++)
		all[i] = (struct last_resolved){&conflict->hunks[i], &resolutions[i]};
	qsort(all, conflict->count, sizeof(*all), compare_sides);
	for (size_t start = 0, end; start < conflict->count; start = end) {
		struct view first = *all[start].resolution;
		bool same = true;

		for (end = start;
			end < conflict->count && !compare_sides(&all[start], &all[end]);
			end++) {
			struct view other = *all[end].resolution;

			same &= end == start ||
				(first.data && other.data && view_equal(first, other));
		}
		for (size_t i = start; !same && i < end; i++)
			all[i].resolution->data = NULL;
	}
}

void rerere_hunk_learn(
	const struct rerere_text *conflict, struct view resolved, struct view *ret_resolutions)
{
	size_t count;
	CLEANUP(freep) struct region *regions = find_regions(conflict, resolved, &count);

	for (size_t i = 0; i < conflict->count; i++)
		ret_resolutions[i] = (struct view){NULL, 0};
	take_resolutions(conflict, regions, count, ret_resolutions);
	drop_ambiguous(conflict, ret_resolutions);
	for (size_t i = 0; i < conflict->count; i++)
		if (ret_resolutions[i].data && !rerere_hunk_is_resolution(ret_resolutions[i]))
			ret_resolutions[i].data = NULL;
}

/* --- resolving: H7 --------------------------------------------------------------- */

void rerere_hunk_resolve(const struct rerere_text *conflict, struct view text,
	const struct view *resolutions, struct buf *ret_content, size_t *ret_left)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	size_t at = 0, left = 0;

	for (size_t i = 0; i < conflict->count; i++) {
		const struct rerere_hunk *hunk = &conflict->hunks[i];
		struct view between = view_slice(text, at, hunk->start);
		struct view piece = resolutions[i].data
					    ? resolutions[i]
					    : view_slice(text, hunk->start, hunk->end);

		buf_append(&content, between.data, between.len);
		buf_append(&content, piece.data, piece.len);
		left += !resolutions[i].data;
		at = hunk->end;
	}
	buf_append(&content, text.data + at, text.len - at);
	buf_release(ret_content);
	*ret_content = content;
	content = BUF_INIT;
	*ret_left = left;
}
