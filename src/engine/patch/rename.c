#include "engine/patch/rename.h"

#include <stdint.h>
#include <string.h>

/* Files with the same content are paired by their names while there are so few pairs. */
#define MAX_GROUP_PAIRS 10000
/* How much is read to find similar contents: of one file, and in all. */
#define MAX_CONTENT ((size_t)8 * 1024 * 1024)
#define MAX_TOTAL   ((size_t)256 * 1024 * 1024)
/* A line shared by more old files than this does not count. */
#define MAX_SHARED 64
/* A new file is compared in full with this many old ones: the ones it shares most with. */
#define MAX_TRIES 8
/* Similarity is in hundredths of a percent. */
#define SAME  10000
#define LEAST (SAME / 2)

void rename_files_add(struct rename_files *files, struct rename_file file)
{
	GROW(files->list, files->count, files->cap);
	files->list[files->count++] = file;
}

void rename_files_release(struct rename_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->list[i].pieces);
	free(files->list);
}

/* --- similarity ------------------------------------------------------------------ */

/*
 * As in git, a content is a bag of pieces, each a line or, where that is longer, 64
 * bytes. Two contents have in common the bytes of the pieces that are in both bags.
 */
#define PIECE_MAX 64

struct piece {
	uint64_t hash;
	size_t bytes; /* in all pieces with this hash */
};

static int compare_hashes(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return (x->hash > y->hash) - (x->hash < y->hash);
}

/* The pieces are sorted by hash, with one for each hash. */
static struct piece *split_pieces(struct view content, size_t *ret_count)
{
	struct piece *list = NULL;
	size_t count = 0, cap = 0, kept = 0;

	for (size_t at = 0; at < content.len;) {
		size_t start = at;
		uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

		do
			hash = (hash ^ (unsigned char)content.data[at++]) *
			       UINT64_C(0x100000001b3);
		while (at < content.len && at - start < PIECE_MAX &&
			content.data[at - 1] != '\n');
		GROW(list, count, cap);
		list[count++] = (struct piece){hash, at - start};
	}
	if (count)
		qsort(list, count, sizeof(*list), compare_hashes);
	for (size_t i = 0; i < count; i++) {
		if (kept && list[kept - 1].hash == list[i].hash)
			list[kept - 1].bytes += list[i].bytes;
		else
			list[kept++] = list[i];
	}
	*ret_count = kept;
	return list;
}

static unsigned compare_pieces(const struct rename_file *a, const struct rename_file *b)
{
	size_t larger = a->size > b->size ? a->size : b->size, same = 0;

	for (size_t i = 0, j = 0; i < a->piece_count && j < b->piece_count;) {
		const struct piece *x = &a->pieces[i], *y = &b->pieces[j];

		if (x->hash == y->hash)
			same += x->bytes < y->bytes ? x->bytes : y->bytes;
		i += x->hash <= y->hash;
		j += x->hash >= y->hash;
	}
	return larger ? (unsigned)(same * SAME / larger) : 0;
}

unsigned rename_similarity(struct view old, struct view new)
{
	struct rename_file a = {.size = old.len}, b = {.size = new.len};
	unsigned percent;

	if (view_equal(old, new))
		return 100;
	a.pieces = split_pieces(old, &a.piece_count);
	b.pieces = split_pieces(new, &b.piece_count);
	percent = compare_pieces(&a, &b) / 100;
	free(a.pieces);
	free(b.pieces);
	/* The same lines in another order are not the same. */
	return percent < 100 ? percent : 99;
}

/* --- pairs ----------------------------------------------------------------------- */

static bool same_name(const struct rename_file *a, const struct rename_file *b)
{
	return !strcmp(relpath_base(a->path), relpath_base(b->path));
}

static bool same_ending(const struct rename_file *a, const struct rename_file *b)
{
	const char *x = strrchr(relpath_base(a->path), '.');
	const char *y = strrchr(relpath_base(b->path), '.');

	return x && y && !strcmp(x, y);
}

/* How much two paths share at both ends, the last part counting more. */
static size_t path_likeness(const struct rename_file *a, const struct rename_file *b)
{
	const char *x = a->path->text, *y = b->path->text;
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
	struct rename_file *old;
	struct rename_file *new;
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

static void pairs_add(
	struct pairs *pairs, struct rename_file *old, struct rename_file *new, size_t merit)
{
	GROW(pairs->list, pairs->count, pairs->cap);
	pairs->list[pairs->count++] = (struct pair){old, new, merit, path_likeness(old, new)};
}

/* The best first. */
static int compare_merit(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order;

	if (x->merit != y->merit)
		return x->merit > y->merit ? -1 : 1;
	if (x->likeness != y->likeness)
		return x->likeness > y->likeness ? -1 : 1;
	order = relpath_compare(x->new->path, y->new->path);
	return order ? order : relpath_compare(x->old->path, y->old->path);
}

static void pair_join(struct rename_file *old, struct rename_file *new)
{
	new->from = old;
	old->used = new->used = true;
}

static void pairs_join_best(struct pairs *pairs)
{
	if (pairs->count)
		qsort(pairs->list, pairs->count, sizeof(*pairs->list), compare_merit);
	for (size_t i = 0; i < pairs->count; i++)
		if (!pairs->list[i].old->used && !pairs->list[i].new->used)
			pair_join(pairs->list[i].old, pairs->list[i].new);
}

/* --- the same content ------------------------------------------------------------ */

static int compare_content(const void *a, const void *b)
{
	const struct rename_file *x = a, *y = b;

	return x->link != y->link ? (x->link ? 1 : -1) : view_compare(x->id, y->id);
}

static int compare_content_name_and_path(const void *a, const void *b)
{
	const struct rename_file *x = a, *y = b;
	int order = compare_content(a, b);

	if (!order)
		order = strcmp(relpath_base(x->path), relpath_base(y->path));
	return order ? order : relpath_compare(x->path, y->path);
}

/* How many files from `start` on have the same content. */
static size_t group_length(const struct rename_files *files, size_t start)
{
	size_t end = start;

	while (end < files->count && !compare_content(&files->list[start], &files->list[end]))
		end++;
	return end - start;
}

/* Join files that all have the same content. */
static void join_same_content(
	struct rename_file *old, size_t old_count, struct rename_file *new, size_t new_count)
{
	CLEANUP(pairs_release) struct pairs pairs = {0};
	bool many = old_count > MAX_GROUP_PAIRS / new_count;

	for (size_t i = 0, j = 0; i < old_count && j < new_count;) {
		int order = strcmp(relpath_base(old[i].path), relpath_base(new[j].path));

		if (!order)
			pair_join(&old[i], &new[j]);
		i += order <= 0;
		j += order >= 0;
	}
	if (old->by_name)
		return;
	for (size_t i = 0, next = 0; i < old_count; i++) {
		for (size_t j = many ? next : 0; j < new_count && !old[i].used; j++) {
			if (new[j].used)
				continue;
			pairs_add(&pairs, &old[i], &new[j], 0);
			next = j + 1;
			if (many)
				break;
		}
	}
	pairs_join_best(&pairs);
}

static void renames_find_same(struct rename_files *old, struct rename_files *new)
{
	qsort(old->list, old->count, sizeof(*old->list), compare_content_name_and_path);
	qsort(new->list, new->count, sizeof(*new->list), compare_content_name_and_path);
	for (size_t i = 0, j = 0; i < old->count && j < new->count;) {
		struct rename_file *x = &old->list[i], *y = &new->list[j];
		size_t x_count = group_length(old, i), y_count = group_length(new, j);
		int order = compare_content(x, y);

		if (!order)
			join_same_content(x, x_count, y, y_count);
		i += order <= 0 ? x_count : 0;
		j += order >= 0 ? y_count : 0;
	}
}

/* --- similar content ------------------------------------------------------------- */

/* Files that are not to be compared count as used. `*left` is how much may be read. */
static int rename_files_read(struct rename_files *files, rename_read *read, void *context,
	size_t *left, struct error *err)
{
	for (size_t i = 0; i < files->count; i++) {
		CLEANUP(buf_release) struct buf content = BUF_INIT;
		struct rename_file *file = &files->list[i];

		file->used |= file->link || file->by_name || file->size > MAX_CONTENT ||
			      file->size > *left;
		if (file->used)
			continue;
		if (read(file, context, &content, err) < 0)
			return -1;
		file->size = content.len;
		*left -= *left < content.len ? *left : content.len;
		file->pieces = split_pieces(view_of_buf(&content), &file->piece_count);
	}
	return 0;
}

/* An old file that has a piece. */
struct posting {
	uint64_t hash;
	size_t bytes;
	size_t old;
};

struct index {
	struct posting *list; /* sorted by hash */
	size_t count;
	size_t *shared;  /* with the new file in question, for each old one: bytes, and */
	size_t *touched; /* the old ones that share any */
	size_t touched_count;
};

static void index_release(struct index *index)
{
	free(index->list);
	free(index->shared);
	free(index->touched);
}

static int compare_postings(const void *a, const void *b)
{
	const struct posting *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->old > y->old) - (x->old < y->old);
}

static void index_make(const struct rename_files *old, struct index *index)
{
	size_t cap = 0;

	for (size_t i = 0; i < old->count; i++)
		for (size_t j = 0; j < old->list[i].piece_count; j++) {
			const struct piece *piece = &old->list[i].pieces[j];

			GROW(index->list, index->count, cap);
			index->list[index->count++] =
				(struct posting){piece->hash, piece->bytes, i};
		}
	if (index->count)
		qsort(index->list, index->count, sizeof(*index->list), compare_postings);
	index->shared = xcalloc(old->count + 1, sizeof(*index->shared));
	index->touched = xcalloc(old->count + 1, sizeof(*index->touched));
}

static size_t index_first(const struct index *index, uint64_t hash)
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

static void index_count_shared(struct index *index, const struct rename_file *new)
{
	for (size_t i = 0; i < new->piece_count; i++) {
		const struct piece *piece = &new->pieces[i];
		size_t start = index_first(index, piece->hash), end = start;

		while (end < index->count && end - start <= MAX_SHARED &&
			index->list[end].hash == piece->hash)
			end++;
		if (end - start > MAX_SHARED)
			continue;
		for (size_t j = start; j < end; j++) {
			const struct posting *p = &index->list[j];

			if (!index->shared[p->old])
				index->touched[index->touched_count++] = p->old;
			index->shared[p->old] +=
				p->bytes < piece->bytes ? p->bytes : piece->bytes;
		}
	}
}

/* The old file that shares the most, of those not taken yet; or SIZE_MAX. */
static size_t index_take_best(struct index *index)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < index->touched_count; i++) {
		size_t at = index->touched[i];

		if (index->shared[at] &&
			(best == SIZE_MAX || index->shared[at] > index->shared[best] ||
				(index->shared[at] == index->shared[best] && at < best)))
			best = at;
	}
	if (best != SIZE_MAX)
		index->shared[best] = 0;
	return best;
}

static void compare_with_old(struct rename_files *old, struct rename_file *new,
	struct index *index, struct pairs *pairs)
{
	index_count_shared(index, new);
	for (size_t i = 0, at; i < MAX_TRIES; i++) {
		struct rename_file *file;
		unsigned similarity;

		at = index_take_best(index);
		if (at == SIZE_MAX)
			break;
		file = &old->list[at];
		similarity = compare_pieces(file, new);
		/* A twentieth for the name, half of that for its ending. */
		if (similarity >= LEAST)
			pairs_add(pairs, file, new,
				similarity + (same_name(file, new)            ? SAME / 20
						     : same_ending(file, new) ? SAME / 40
									      : 0));
	}
	while (index->touched_count)
		index->shared[index->touched[--index->touched_count]] = 0;
}

static bool rename_files_used(const struct rename_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		if (!files->list[i].used)
			return false;
	return true;
}

int renames_find(struct rename_files *old, struct rename_files *new, rename_read *read,
	void *context, struct error *err)
{
	CLEANUP(pairs_release) struct pairs pairs = {0};
	CLEANUP(index_release) struct index index = {0};
	size_t left = MAX_TOTAL;

	if (!old->count || !new->count)
		return 0;
	renames_find_same(old, new);
	if (rename_files_used(old) || rename_files_used(new))
		return 0;
	if (rename_files_read(old, read, context, &left, err) < 0 ||
		rename_files_read(new, read, context, &left, err) < 0)
		return -1;
	index_make(old, &index);
	for (size_t i = 0; i < new->count; i++)
		if (!new->list[i].used)
			compare_with_old(old, &new->list[i], &index, &pairs);
	pairs_join_best(&pairs);
	return 0;
}
