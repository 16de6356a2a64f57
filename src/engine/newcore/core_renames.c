#include "engine/newcore/core_renames.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/patch/patch_similarity.h"

/* Files with another file's content are compared by name in groups up to this product. */
#define MAX_GROUP_PAIRS 10000
/* Contents that are read for similarity: each, and on both sides together. */
#define MAX_CONTENT ((size_t)8 * 1024 * 1024)
#define MAX_TOTAL   ((size_t)256 * 1024 * 1024)
/* A line that more files have says nothing. */
#define MAX_SHARED 64
/* So many of the files with the most lines in common are compared in full. */
#define MAX_TRIES 8
/* At least so much must be the same. */
#define LEAST (SIMILARITY_SAME / 2)

/* A file that is gone or new. */
struct candidate {
	const struct core_file *file;
	struct pieces pieces;
	bool used;
};

struct candidates {
	struct candidate *list;
	size_t count;
	size_t cap;
};

static void candidates_release(struct candidates *candidates)
{
	for (size_t i = 0; i < candidates->count; i++)
		pieces_release(&candidates->list[i].pieces);
	free(candidates->list);
}

static void add_candidate(struct candidates *candidates, const struct core_file *file)
{
	GROW(candidates->list, candidates->count, candidates->cap);
	candidates->list[candidates->count++] = (struct candidate){.file = file};
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names in `before` that no file comes from, and files that come from nowhere. */
static void find_candidates(const struct core_tree *before, const struct core_tree *after,
	struct candidates *old, struct candidates *new)
{
	CLEANUP(freep) const char **used = xcalloc(after->count + 1, sizeof(*used));
	size_t count = 0;

	for (size_t i = 0; i < after->count; i++) {
		if (after->list[i].from.text)
			used[count++] = after->list[i].from.text;
		else
			add_candidate(new, &after->list[i]);
	}
	qsort(used, count, sizeof(*used), by_text);
	for (size_t i = 0; i < before->count; i++) {
		const char *path = before->list[i].path.text;

		if (!bsearch(&path, used, count, sizeof(*used), by_text))
			add_candidate(old, &before->list[i]);
	}
}

static void join(struct core_tree *after, struct candidate *old, struct candidate *new)
{
	struct core_file *file = &after->list[new->file - after->list];

	file->from = relpath_copy(&old->file->path);
	file->found = true;
	old->used = new->used = true;
}

/* --- names ----------------------------------------------------------------------- */

static bool same_name(const struct candidate *a, const struct candidate *b)
{
	return !strcmp(relpath_base(&a->file->path), relpath_base(&b->file->path));
}

static bool same_ending(const struct candidate *a, const struct candidate *b)
{
	const char *x = strrchr(relpath_base(&a->file->path), '.');
	const char *y = strrchr(relpath_base(&b->file->path), '.');

	return x && y && !strcmp(x, y);
}

/* How alike two paths are: what they share at both ends, the last part counting more. */
static size_t likeness(const struct candidate *a, const struct candidate *b)
{
	const char *x = a->file->path.text, *y = b->file->path.text;
	size_t x_len = strlen(x), y_len = strlen(y), first = 0, last = 0;
	size_t shorter = x_len < y_len ? x_len : y_len;

	while (first < shorter && x[first] == y[first])
		first++;
	while (last < shorter - first && x[x_len - 1 - last] == y[y_len - 1 - last])
		last++;
	return first + last + (same_name(a, b) ? RELPATH_MAX : 0) +
	       (same_ending(a, b) ? RELPATH_COMPONENT_MAX : 0);
}

struct pair {
	struct candidate *old;
	struct candidate *new;
	size_t merit;
	size_t likeness;
};

struct pairs {
	struct pair *list;
	size_t count;
	size_t cap;
};

static void pairs_release(struct pairs *pairs)
{
	free(pairs->list);
}

static void add_pair(
	struct pairs *pairs, struct candidate *old, struct candidate *new, size_t merit)
{
	GROW(pairs->list, pairs->count, pairs->cap);
	pairs->list[pairs->count++] = (struct pair){old, new, merit, likeness(old, new)};
}

/* The best first. */
static int by_merit(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order;

	if (x->merit != y->merit)
		return x->merit > y->merit ? -1 : 1;
	if (x->likeness != y->likeness)
		return x->likeness > y->likeness ? -1 : 1;
	order = relpath_compare(&x->new->file->path, &y->new->file->path);
	return order ? order : relpath_compare(&x->old->file->path, &y->old->file->path);
}

static void join_best(struct core_tree *after, struct pairs *pairs)
{
	if (pairs->count)
		qsort(pairs->list, pairs->count, sizeof(*pairs->list), by_merit);
	for (size_t i = 0; i < pairs->count; i++)
		if (!pairs->list[i].old->used && !pairs->list[i].new->used)
			join(after, pairs->list[i].old, pairs->list[i].new);
}

/* --- the same content ------------------------------------------------------------ */

static int by_content(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->file->file.kind != y->file->file.kind)
		return x->file->file.kind < y->file->file.kind ? -1 : 1;
	return hash_compare(&x->file->file.hash, &y->file->file.hash);
}

static int by_content_and_name(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = by_content(a, b);

	return order ? order
		     : strcmp(relpath_base(&x->file->path), relpath_base(&y->file->path));
}

static int by_content_name_and_path(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = by_content_and_name(a, b);

	return order ? order : relpath_compare(&x->file->path, &y->file->path);
}

static void sort(struct candidates *candidates)
{
	if (candidates->count)
		qsort(candidates->list, candidates->count, sizeof(*candidates->list),
			by_content_name_and_path);
}

/* The end of those that are equal in content to the one at `start`. */
static size_t group_end(const struct candidates *candidates, size_t start)
{
	size_t end = start;

	while (end < candidates->count &&
		!by_content(&candidates->list[start], &candidates->list[end]))
		end++;
	return end;
}

/* Is the content of the candidate one that a rename can be told by, whatever the name? */
static int tell_by_content(const struct candidate *candidate, struct core_reader *reader,
	bool *ret_enough, struct error *err)
{
	size_t size = 0;

	if (candidate->file->file.kind == TX_FILE &&
		core_reader_size(reader, candidate->file->place, &size, err) < 0)
		return -1;
	*ret_enough = size >= CORE_RENAMES_TINY;
	return 0;
}

/* Both are slices with one content, `count` of them each. */
static void join_group(struct core_tree *after, struct candidate *old, size_t old_count,
	struct candidate *new, size_t new_count, bool by_name_alone)
{
	CLEANUP(pairs_release) struct pairs pairs = {0};
	bool many = old_count > MAX_GROUP_PAIRS / new_count;

	for (size_t i = 0, j = 0; i < old_count && j < new_count;) {
		int order = strcmp(
			relpath_base(&old[i].file->path), relpath_base(&new[j].file->path));

		if (!order)
			join(after, &old[i], &new[j]);
		i += order <= 0;
		j += order >= 0;
	}
	if (by_name_alone)
		return;
	for (size_t i = 0, next = 0; i < old_count; i++) {
		if (old[i].used)
			continue;
		for (size_t j = many ? next : 0; j < new_count; j++) {
			if (new[j].used)
				continue;
			add_pair(&pairs, &old[i], &new[j], 0);
			next = j + 1;
			if (many)
				break;
		}
	}
	join_best(after, &pairs);
}

static int find_same(struct core_tree *after, struct candidates *old, struct candidates *new,
	struct core_reader *reader, struct error *err)
{
	sort(old);
	sort(new);
	for (size_t i = 0, j = 0; i < old->count && j < new->count;) {
		int order = by_content(&old->list[i], &new->list[j]);
		size_t old_end = group_end(old, i), new_end = group_end(new, j);
		bool enough;

		if (!order) {
			if (tell_by_content(&old->list[i], reader, &enough, err) < 0)
				return -1;
			join_group(after, &old->list[i], old_end - i, &new->list[j],
				new_end - j, !enough);
		}
		i = order <= 0 ? old_end : i;
		j = order >= 0 ? new_end : j;
	}
	return 0;
}

/* --- similar content ------------------------------------------------------------- */

/* `*left` is how much may still be read. Files that are not looked at count as used. */
static int read_pieces(struct candidate *candidate, struct core_reader *reader, size_t *left,
	struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	size_t size;

	if (candidate->used)
		return 0;
	candidate->used = true;
	if (candidate->file->file.kind != TX_FILE)
		return 0;
	if (core_reader_size(reader, candidate->file->place, &size, err) < 0)
		return -1;
	if (size < CORE_RENAMES_TINY || size > MAX_CONTENT || size > *left)
		return 0;
	if (core_reader_read_checked(reader, candidate->file, &file, err) < 0)
		return -1;
	*left -= size;
	pieces_of(view_of_buf(&file.content), &candidate->pieces);
	candidate->used = false;
	return 0;
}

static int read_all(struct candidates *candidates, struct core_reader *reader, size_t *left,
	struct error *err)
{
	for (size_t i = 0; i < candidates->count; i++)
		if (read_pieces(&candidates->list[i], reader, left, err) < 0)
			return -1;
	return 0;
}

static size_t count_open(const struct candidates *candidates)
{
	size_t count = 0;

	for (size_t i = 0; i < candidates->count; i++)
		count += !candidates->list[i].used;
	return count;
}

/* Which of the old files have a piece. */
struct posting {
	uint64_t hash;
	size_t bytes;
	size_t old;
};

struct index {
	struct posting *list; /* sorted by hash */
	size_t count;
	size_t *shared;  /* with the file that is looked at, for each old one: bytes, and */
	size_t *touched; /* the old ones that have any */
	size_t touched_count;
};

static void index_release(struct index *index)
{
	free(index->list);
	free(index->shared);
	free(index->touched);
}

static int by_hash(const void *a, const void *b)
{
	const struct posting *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->old > y->old) - (x->old < y->old);
}

static void index_make(const struct candidates *old, struct index *index)
{
	size_t cap = 0;

	for (size_t i = 0; i < old->count; i++)
		for (size_t j = 0; j < old->list[i].pieces.count && !old->list[i].used; j++) {
			const struct piece *piece = &old->list[i].pieces.list[j];

			GROW(index->list, index->count, cap);
			index->list[index->count++] =
				(struct posting){piece->hash, piece->bytes, i};
		}
	if (index->count)
		qsort(index->list, index->count, sizeof(*index->list), by_hash);
	index->shared = xcalloc(old->count + 1, sizeof(*index->shared));
	index->touched = xcalloc(old->count + 1, sizeof(*index->touched));
}

static void count_run(
	struct index *index, const struct posting *run, size_t count, size_t bytes)
{
	if (count > MAX_SHARED)
		return;
	for (size_t i = 0; i < count; i++) {
		size_t *shared = &index->shared[run[i].old];

		if (!*shared)
			index->touched[index->touched_count++] = run[i].old;
		*shared += run[i].bytes < bytes ? run[i].bytes : bytes;
	}
}

static size_t first_posting(const struct index *index, uint64_t hash)
{
	size_t low = 0, high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->list[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void count_shared(struct index *index, const struct pieces *pieces)
{
	for (size_t i = 0; i < pieces->count; i++) {
		const struct piece *piece = &pieces->list[i];
		size_t start = first_posting(index, piece->hash), end = start;

		while (end < index->count && end - start <= MAX_SHARED &&
			index->list[end].hash == piece->hash)
			end++;
		count_run(index, &index->list[start], end - start, piece->bytes);
	}
}

/* The old file that shares the most and was not tried; or none. */
static size_t take_best(struct index *index)
{
	size_t best = index->touched_count;

	for (size_t i = 0; i < index->touched_count; i++) {
		size_t at = index->touched[i];

		if (!index->shared[at])
			continue;
		if (best == index->touched_count ||
			index->shared[at] > index->shared[index->touched[best]] ||
			(index->shared[at] == index->shared[index->touched[best]] &&
				at < index->touched[best]))
			best = i;
	}
	return best;
}

static void compare(struct candidate *old, struct candidate *new, struct pairs *pairs)
{
	unsigned similarity = pieces_similarity(&old->pieces, &new->pieces);

	/* A twentieth for the name, half of that for its ending. */
	if (similarity >= LEAST)
		add_pair(pairs, old, new,
			similarity + (same_name(old, new)            ? SIMILARITY_SAME / 20
					     : same_ending(old, new) ? SIMILARITY_SAME / 40
								     : 0));
}

static void compare_with_old(
	struct candidates *old, struct candidate *new, struct index *index, struct pairs *pairs)
{
	count_shared(index, &new->pieces);
	for (size_t i = 0; i < MAX_TRIES; i++) {
		size_t best = take_best(index);

		if (best == index->touched_count)
			break;
		compare(&old->list[index->touched[best]], new, pairs);
		index->shared[index->touched[best]] = 0;
	}
	while (index->touched_count)
		index->shared[index->touched[--index->touched_count]] = 0;
}

static int find_similar(struct core_tree *after, struct candidates *old, struct candidates *new,
	struct core_reader *reader, struct error *err)
{
	CLEANUP(pairs_release) struct pairs pairs = {0};
	CLEANUP(index_release) struct index index = {0};
	size_t left = MAX_TOTAL;

	if (!count_open(old) || !count_open(new))
		return 0;
	if (read_all(old, reader, &left, err) < 0 || read_all(new, reader, &left, err) < 0)
		return -1;
	index_make(old, &index);
	for (size_t i = 0; i < new->count; i++)
		if (!new->list[i].used)
			compare_with_old(old, &new->list[i], &index, &pairs);
	join_best(after, &pairs);
	return 0;
}

int core_renames_find(const struct core_tree *before, struct core_tree *after,
	struct core_reader *reader, struct error *err)
{
	CLEANUP(candidates_release) struct candidates old = {0};
	CLEANUP(candidates_release) struct candidates new = {0};

	find_candidates(before, after, &old, &new);
	if (find_same(after, &old, &new, reader, err) < 0)
		return -1;
	return find_similar(after, &old, &new, reader, err);
}
