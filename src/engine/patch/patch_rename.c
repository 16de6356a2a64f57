#include <string.h>

#include "engine/patch/patch_parts.h"
#include "engine/patch/patch_similarity.h"

/* So many deletions and creations are compared for similarity, */
#define MAX_CANDIDATES 400
/* and so many pieces of contents, all pairs together. */
#define MAX_COMPARISONS ((size_t)200 * 1000 * 1000)
/* At least so much must be the same. */
#define LEAST (SIMILARITY_SAME / 2)

/* A deletion or a creation that may be half of a rename. */
struct candidate {
	size_t change; /* its number in the patch */
	const struct patch_end *end;
	struct pieces pieces; /* of its content, while similar ones are looked for */
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

/* Two changes, by their numbers, that are to become one. */
struct rename {
	size_t old;
	size_t new;
};

struct renames {
	struct rename *list;
	size_t count;
	size_t cap;
};

static void renames_release(struct renames *renames)
{
	free(renames->list);
}

static void add_rename(struct renames *renames, struct candidate *old, struct candidate *new)
{
	GROW(renames->list, renames->count, renames->cap);
	renames->list[renames->count++] = (struct rename){old->change, new->change};
	old->used = new->used = true;
}

/* --- candidates ------------------------------------------------------------------ */

static int by_path(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return relpath_compare(&x->end->path, &y->end->path);
}

/* Empty files are never renamed; but they must be seen where a kind changes. */
static void add_candidate(
	struct candidates *candidates, size_t change, const struct patch_end *end, bool empty)
{
	GROW(candidates->list, candidates->count, candidates->cap);
	candidates->list[candidates->count++] =
		(struct candidate){.change = change, .end = end, .used = empty};
}

static void sort(
	struct candidates *candidates, int (*order)(const void *first, const void *second))
{
	if (candidates->count)
		qsort(candidates->list, candidates->count, sizeof(*candidates->list), order);
}

/* A path that is both deleted and created changes its kind, and is not renamed. */
static void mark_changed_kinds(struct candidates *old, struct candidates *new)
{
	for (size_t i = 0, j = 0; i < old->count && j < new->count;) {
		int order = by_path(&old->list[i], &new->list[j]);

		if (!order)
			old->list[i].used = new->list[j].used = true;
		i += order <= 0;
		j += order >= 0;
	}
}

static bool is_below(const char *path, const char *above)
{
	size_t len = strlen(above);

	return !strncmp(path, above, len) && path[len] == '/';
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether one of the paths, which are sorted, is below `above`. */
static bool has_below(const char *const *paths, size_t count, const char *above)
{
	CLEANUP(freep) char *folder = xasprintf("%s/", above);
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(paths[middle], folder) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && is_below(paths[low], above);
}

/*
 * A rename alone does not say that it is one of a link. Where a folder takes the place
 * of the link, git must know that; so it is deleted and created there.
 */
static void mark_links_in_the_way(
	const struct patch *patch, struct candidates *old, struct candidates *new)
{
	struct candidates *const sides[] = {old, new};
	CLEANUP(freep) const char **paths = xcalloc(2 * patch->count + 1, sizeof(*paths));
	size_t count = 0;

	for (size_t i = 0; i < patch->count; i++) {
		if (patch->changes[i].old.path.text)
			paths[count++] = patch->changes[i].old.path.text;
		if (patch->changes[i].new.path.text)
			paths[count++] = patch->changes[i].new.path.text;
	}
	qsort(paths, count, sizeof(*paths), by_text);
	for (size_t s = 0; s < ARRAY_SIZE(sides); s++)
		for (size_t i = 0; i < sides[s]->count; i++) {
			struct candidate *c = &sides[s]->list[i];

			if (c->end->kind == PATCH_SYMLINK &&
				has_below(paths, count, c->end->path.text))
				c->used = true;
		}
}

static void find_candidates(
	const struct patch *patch, struct candidates *old, struct candidates *new)
{
	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_change *change = &patch->changes[i];
		bool empty = change->body == PATCH_NO_CONTENT;

		if (change->new.kind == PATCH_ABSENT)
			add_candidate(old, i, &change->old, empty);
		else if (change->old.kind == PATCH_ABSENT)
			add_candidate(new, i, &change->new, empty);
	}
	sort(old, by_path);
	sort(new, by_path);
	mark_changed_kinds(old, new);
	mark_links_in_the_way(patch, old, new);
}

/* --- the same content ------------------------------------------------------------ */

static int by_content(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->end->kind != y->end->kind)
		return x->end->kind < y->end->kind ? -1 : 1;
	return strcmp(x->end->id, y->end->id);
}

static int by_content_and_name(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = by_content(a, b);

	return order ? order : strcmp(relpath_base(&x->end->path), relpath_base(&y->end->path));
}

static int by_content_name_and_path(const void *a, const void *b)
{
	int order = by_content_and_name(a, b);

	return order ? order : by_path(a, b);
}

/* Join what is equal in `order`, in which both are sorted. */
static void join_equal(struct candidates *old, struct candidates *new,
	int (*order)(const void *first, const void *second), struct renames *renames)
{
	for (size_t i = 0, j = 0; i < old->count && j < new->count;) {
		struct candidate *x = &old->list[i], *y = &new->list[j];
		int found = x->used ? -1 : y->used ? 1 : order(x, y);

		if (!found)
			add_rename(renames, x, y);
		i += found <= 0;
		j += found >= 0;
	}
}

static void find_same(struct candidates *old, struct candidates *new, struct renames *renames)
{
	sort(old, by_content_name_and_path);
	sort(new, by_content_name_and_path);
	join_equal(old, new, by_content_and_name, renames);
	join_equal(old, new, by_content, renames);
}

/* --- similar content ------------------------------------------------------------- */

struct pair {
	struct candidate *old;
	struct candidate *new;
	unsigned similarity;
	bool same_name;
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

/* The best first. */
static int by_merit(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order;

	if (x->similarity != y->similarity)
		return x->similarity > y->similarity ? -1 : 1;
	if (x->same_name != y->same_name)
		return x->same_name ? -1 : 1;
	order = by_path(x->new, y->new);
	return order ? order : by_path(x->old, y->old);
}

static bool is_open(const struct candidate *candidate)
{
	return !candidate->used && candidate->end->kind == PATCH_FILE;
}

static size_t count_open(const struct candidates *candidates)
{
	size_t count = 0;

	for (size_t i = 0; i < candidates->count; i++)
		count += is_open(&candidates->list[i]);
	return count;
}

/* The content that a deletion takes away, or a creation makes. */
static int content_of(
	const struct patch_change *change, struct patch_file *ret_file, struct error *err)
{
	static const struct patch_side absent = {PATCH_ABSENT, false, {"", 0}};

	return patch_apply(change,
		change->new.kind == PATCH_ABSENT ? PATCH_REVERSE : PATCH_FORWARD, &absent,
		ret_file, err);
}

static int prepare(const struct patch *patch, struct candidates *candidates, size_t *ret_pieces,
	struct error *err)
{
	size_t pieces = 0;

	for (size_t i = 0; i < candidates->count; i++) {
		CLEANUP(patch_file_release) struct patch_file file = PATCH_FILE_INIT;
		struct candidate *candidate = &candidates->list[i];

		if (!is_open(candidate))
			continue;
		if (content_of(&patch->changes[candidate->change], &file, err) < 0)
			return -1;
		pieces_of(view_of_buf(&file.content), &candidate->pieces);
		pieces += candidate->pieces.count;
	}
	*ret_pieces = pieces;
	return 0;
}

static void compare(struct candidate *old, struct candidate *new, struct pairs *pairs)
{
	size_t small = old->pieces.bytes, large = new->pieces.bytes;
	unsigned similarity;

	if (!is_open(old) || !is_open(new))
		return;
	if (small > large) {
		small = new->pieces.bytes;
		large = old->pieces.bytes;
	}
	if (small < large / (SIMILARITY_SAME / LEAST)) /* too little can be the same */
		return;
	similarity = pieces_similarity(&old->pieces, &new->pieces);
	if (similarity < LEAST)
		return;
	GROW(pairs->list, pairs->count, pairs->cap);
	pairs->list[pairs->count++] = (struct pair){old, new, similarity,
		!strcmp(relpath_base(&old->end->path), relpath_base(&new->end->path))};
}

static int find_similar(const struct patch *patch, struct candidates *old,
	struct candidates *new, struct renames *renames, struct error *err)
{
	CLEANUP(pairs_release) struct pairs pairs = {0};
	size_t olds = count_open(old), news = count_open(new);
	size_t old_pieces, new_pieces;

	if (!olds || !news || olds > MAX_CANDIDATES || news > MAX_CANDIDATES)
		return 0;
	if (prepare(patch, old, &old_pieces, err) < 0 ||
		prepare(patch, new, &new_pieces, err) < 0)
		return -1;
	if (old_pieces * news + new_pieces * olds > MAX_COMPARISONS)
		return 0;
	for (size_t i = 0; i < old->count; i++)
		for (size_t j = 0; j < new->count; j++)
			compare(&old->list[i], &new->list[j], &pairs);
	if (pairs.count)
		qsort(pairs.list, pairs.count, sizeof(*pairs.list), by_merit);
	for (size_t i = 0; i < pairs.count; i++)
		if (!pairs.list[i].old->used && !pairs.list[i].new->used)
			add_rename(renames, pairs.list[i].old, pairs.list[i].new);
	return 0;
}

/* --- the changes ----------------------------------------------------------------- */

/* The rename takes the place of the creation. */
static int join(struct patch *patch, const struct rename *rename, struct error *err)
{
	struct patch_change *deletion = &patch->changes[rename->old];
	struct patch_change *creation = &patch->changes[rename->new];
	CLEANUP(patch_file_release) struct patch_file before = PATCH_FILE_INIT;
	CLEANUP(patch_file_release) struct patch_file after = PATCH_FILE_INIT;
	CLEANUP(patch_release) struct patch joined = PATCH_INIT;
	struct patch_side old, new;
	struct patch_change change;

	if (content_of(deletion, &before, err) < 0 || content_of(creation, &after, err) < 0)
		return -1;
	old = (struct patch_side){before.kind, before.executable, view_of_buf(&before.content)};
	new = (struct patch_side){after.kind, after.executable, view_of_buf(&after.content)};
	if (patch_add_change(
		    &joined, &deletion->old.path, &old, &creation->new.path, &new, err) < 0)
		return -1;
	change = *creation;
	*creation = joined.changes[0];
	joined.changes[0] = change;
	return 0;
}

static void drop_deletions(struct patch *patch, const struct renames *renames)
{
	CLEANUP(freep) bool *joined = xcalloc(patch->count + 1, sizeof(*joined));
	size_t kept = 0;

	for (size_t i = 0; i < renames->count; i++)
		joined[renames->list[i].old] = true;
	for (size_t i = 0; i < patch->count; i++) {
		if (joined[i])
			patch_change_release(&patch->changes[i]);
		else
			patch->changes[kept++] = patch->changes[i];
	}
	patch->count = kept;
}

int patch_find_renames(struct patch *patch, struct error *err)
{
	CLEANUP(candidates_release) struct candidates old = {0};
	CLEANUP(candidates_release) struct candidates new = {0};
	CLEANUP(renames_release) struct renames renames = {0};

	find_candidates(patch, &old, &new);
	find_same(&old, &new, &renames);
	if (find_similar(patch, &old, &new, &renames, err) < 0)
		return -1;
	for (size_t i = 0; i < renames.count; i++)
		if (join(patch, &renames.list[i], err) < 0)
			return -1;
	drop_deletions(patch, &renames);
	return 0;
}
