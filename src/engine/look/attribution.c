#include "engine/look/attribution.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/package/structured_format.h"
#include "engine/session/origin.h"
#include "engine/stack/part.h"
#include "engine/stack/thread.h"
#include "engine/state/layer_names.h"
#include "engine/text/diff.h"
#include "engine/text/merge.h"

const char *const author_kind_names[] = {
	[AUTHOR_CORE] = "core",
	[AUTHOR_SKILL] = "skill",
	[AUTHOR_PATCH] = "patch",
	[AUTHOR_USER] = "user",
};

/* --- claims ------------------------------------------------------------------------- */

static size_t count_lines(struct view text)
{
	struct view line;
	size_t count = 0;

	while (diff_next_line(&text, &line))
		count++;
	return count;
}

/* For each line of `new` the line of `old` that it is, or SIZE_MAX. */
static int match_lines(
	struct view old, struct view new, size_t **ret_matches, struct error *err)
{
	CLEANUP(diff_changes_release) struct diff_changes changes = DIFF_CHANGES_INIT;
	size_t count = count_lines(new), from = 0, to = 0;
	size_t *matches;

	if (diff_lines(old, new, &changes, err) < 0)
		return -1;
	matches = xcalloc(count + 1, sizeof(*matches));
	for (size_t i = 0; i <= changes.count; i++) {
		size_t end = i < changes.count ? changes.list[i].new_start : count;

		while (to < end)
			matches[to++] = from++;
		for (size_t n = i < changes.count ? changes.list[i].new_count : 0; n > 0; n--)
			matches[to++] = SIZE_MAX;
		if (i < changes.count)
			from += changes.list[i].old_count;
	}
	*ret_matches = matches;
	return 0;
}

static struct view *split_lines(struct view text)
{
	struct view *lines = xcalloc(count_lines(text) + 1, sizeof(*lines));

	for (size_t i = 0; diff_next_line(&text, &lines[i]); i++)
		;
	return lines;
}

/*
 * If the last inserted line equals the line before the first, the insertion may as well begin
 * there, and another diff may have chosen that. A line lost at one end to an earlier claim is
 * found at the other.
 */
static void slide_claim(const struct view *lines, size_t count, size_t first, size_t end,
	const struct author *author, const struct author **owners)
{
	for (size_t a = first, b = end - 1; a > 0 && !owners[a - 1] && owners[b] != author &&
					    view_equal(lines[a - 1], lines[b]);
		a--, b--)
		owners[a - 1] = author;
	for (size_t a = first, b = end; b < count && !owners[b] && owners[a] != author &&
					view_equal(lines[a], lines[b]);
		a++, b++)
		owners[b] = author;
}

int attribution_claim(struct view text, struct view without, struct view with,
	const struct author *author, const struct author **owners, struct error *err)
{
	CLEANUP(diff_changes_release) struct diff_changes changes = DIFF_CHANGES_INIT;
	CLEANUP(freep) bool *inserted = NULL;
	CLEANUP(freep) size_t *matches = NULL;
	CLEANUP(freep) struct view *lines = split_lines(text);
	size_t count = count_lines(text), end;

	if (diff_lines(without, with, &changes, err) < 0 ||
		match_lines(with, text, &matches, err) < 0)
		return -1;
	/* Which lines of `with` are not in `without`. */
	inserted = xcalloc(count_lines(with) + 1, sizeof(*inserted));
	for (size_t i = 0; i < changes.count; i++)
		memset(inserted + changes.list[i].new_start, true, changes.list[i].new_count);
	for (size_t i = 0; i < count; i = end + 1) {
		for (end = i; end < count && matches[end] != SIZE_MAX && inserted[matches[end]];
			end++)
			if (!owners[end])
				owners[end] = author;
		if (end > i)
			slide_claim(lines, count, i, end, author, owners);
	}
	return 0;
}

/* --- begin and end --------------------------------------------------------------------- */

void attribution_begin(struct attribution *ret_attribution, struct comparison *comparison)
{
	const struct layers *layers = &comparison->recorded.layers;
	struct attribution a = {.comparison = comparison, .author_count = layers->count + 3};

	a.authors = xcalloc(a.author_count, sizeof(*a.authors));
	a.authors[0].kind = AUTHOR_CORE;
	for (size_t i = 0; i < layers->count; i++) {
		bool skill = layers->list[i].kind == LAYER_SKILL;

		a.authors[1 + i] = (struct author){
			skill ? AUTHOR_SKILL : AUTHOR_PATCH, layers->list[i].name, false};
	}
	a.authors[layers->count + 1] = (struct author){AUTHOR_USER, NULL, false};
	a.authors[layers->count + 2] = (struct author){AUTHOR_USER, NULL, true};
	*ret_attribution = a;
}

void attribution_release(struct attribution *a)
{
	free(a->authors);
}

void attributed_file_release(struct attributed_file *file)
{
	buf_release(&file->content);
	free(file->lines);
}

static const struct author *user_of(const struct attribution *a, bool resolved)
{
	return &a->authors[a->author_count - (resolved ? 1 : 2)];
}

/* --- claims of layers ------------------------------------------------------------------- */

struct claims {
	struct attribution *attribution;
	struct thread *thread;
	struct view text;
	const struct author **owners;
	const struct author *left; /* author of lines that no layer claims; NULL: the user */
};

static int claim_change(struct claims *c, size_t layer, const struct tx_file *base,
	const struct tx_file *want, struct error *err)
{
	struct view without = view_of_buf(&base->content), with = view_of_buf(&want->content);

	if (want->kind != TX_FILE || merge_is_binary(with))
		return 0;
	if (base->kind != TX_FILE || merge_is_binary(without))
		without = view_of("");
	return attribution_claim(
		c->text, without, with, &c->attribution->authors[1 + layer], c->owners, err);
}

/* A skill of which only the result is recorded: in v0.1, or because it has no file of its own. */
static int claim_recorded(struct claims *c, size_t part, struct error *err)
{
	const struct thread_part *l = &c->thread->parts[part];
	const struct layer *layer = &c->thread->layers->list[l->layer];
	const struct session_pack *pack;

	if (layer->kind != LAYER_SKILL)
		return 0;
	pack = origin_pack(c->thread->session, layer->name, err);
	if (!pack)
		return -1;
	/* v0.1 did not keep its files, so the remaining lines must be the skill's. */
	if (!pack->pack.count)
		c->left = &c->attribution->authors[1 + l->layer];
	/* The entries in a structured file are the difference to the layer below. */
	if (!structured_format_of(l->name.text) || !l->old_known)
		return 0;
	return claim_change(c, l->layer, thread_below_old(c->thread, part), &l->old, err);
}

static int compare_lines(const void *a, const void *b)
{
	return view_compare(*(const struct view *)a, *(const struct view *)b);
}

/*
 * The recorded part of a skill includes lines that a person wrote to resolve a conflict. The
 * skill brought the lines that its package has.
 */
static int disclaim_resolved(struct claims *c, size_t part, struct error *err)
{
	const struct author *author =
		&c->attribution->authors[1 + c->thread->parts[part].layer];
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file want = TX_FILE_INIT;
	CLEANUP(freep) struct view *packed = NULL;
	struct view rest = c->text, line;
	size_t count;
	bool known;

	if (thread_sides(c->thread, part, true, &base, &want, &known, err) < 0)
		return -1;
	if (!known)
		return 0;
	packed = split_lines(view_of_buf(&want.content));
	count = count_lines(view_of_buf(&want.content));
	qsort(packed, count, sizeof(*packed), compare_lines);
	for (size_t i = 0; diff_next_line(&rest, &line); i++)
		if (c->owners[i] == author &&
			!bsearch(&line, packed, count, sizeof(*packed), compare_lines))
			c->owners[i] = NULL;
	return 0;
}

static int claim_for_part(struct claims *c, size_t part, struct error *err)
{
	const struct thread_part *l = &c->thread->parts[part];
	const struct layer *layer = &c->thread->layers->list[l->layer];
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file want = TX_FILE_INIT;
	bool known;

	if (thread_sides(c->thread, part, false, &base, &want, &known, err) < 0)
		return -1;
	if (!known)
		return claim_recorded(c, part, err);
	if (claim_change(c, l->layer, &base, &want, err) < 0)
		return -1;
	return layer->kind == LAYER_SKILL && part_has(layer, relpath_view(&l->name))
		       ? disclaim_resolved(c, part, err)
		       : 0;
}

/* --- one file --------------------------------------------------------------------------- */

/* Read the recorded file. `*ret_known` is false if it is not kept, or is in conflict. */
static int read_recorded(struct attribution *a, const struct relpath *path,
	const struct tx_file *tree, struct tx_file *ret_file, bool *ret_known,
	struct error *err)
{
	struct comparison *c = a->comparison;
	const struct recorded_file *file = recorded_find(&c->recorded, relpath_view(path));
	CLEANUP(error_release) struct error local = ERROR_INIT;
	struct hash now = hash_of(view_of_buf(&tree->content));
	bool same = file && file->file.kind == tree->kind && hash_equal(&file->file.hash, &now);

	*ret_known = !compare_is_conflict(c, relpath_view(path));
	if (*ret_known && !same) {
		if (recorded_read(&c->session, &c->recorded, path, ret_file, &local) == 0)
			return 0;
		if (local.errnum != ENOENT)
			return error_move(err, &local);
		*ret_known = false;
	}
	buf_append(&ret_file->content, tree->content.data, tree->content.len);
	ret_file->kind = tree->kind;
	return 0;
}

static const struct author *owner_of_whole(struct attribution *a, const struct relpath *path,
	const struct tx_file *tree, const struct tx_file *recorded, bool known)
{
	const struct recorded_file *file =
		recorded_find(&a->comparison->recorded, relpath_view(path));

	if (!known || tree->kind != recorded->kind ||
		!view_equal(view_of_buf(&tree->content), view_of_buf(&recorded->content)))
		return user_of(a, false);
	return &a->authors[file ? 1 + file->layer : 0];
}

/* Lines of the tree that are also recorded have the owners of the recorded lines. */
static int fill_lines(struct attribution *a, struct view recorded,
	const struct author *const *owners, struct attributed_file *file, struct error *err)
{
	struct view rest = view_of_buf(&file->content), line;
	CLEANUP(freep) size_t *matches = NULL;

	if (match_lines(recorded, rest, &matches, err) < 0)
		return -1;
	while (diff_next_line(&rest, &line)) {
		size_t match = matches[file->count];

		GROW(file->lines, file->count, file->cap);
		file->lines[file->count++] = (struct attributed_line){
			line, match == SIZE_MAX ? user_of(a, false) : owners[match]};
	}
	return 0;
}

/* The core and each layer in turn claim lines; the rest is the user's. */
static int attribute_lines(struct attribution *a, const struct relpath *path,
	const struct tx_file *recorded, bool known, struct attributed_file *file,
	struct error *err)
{
	struct comparison *comparison = a->comparison;
	CLEANUP(thread_release) struct thread thread = THREAD_INIT;
	CLEANUP(tx_file_release) struct tx_file core = TX_FILE_INIT;
	struct view text = view_of_buf(&recorded->content);
	size_t count = count_lines(text);
	CLEANUP(freep) const struct author **owners = xcalloc(count + 1, sizeof(*owners));
	struct claims claims = {a, &thread, text, owners, NULL};
	CLEANUP(relpath_release) struct relpath name = relpath_copy(path);

	/* The core's file may have had another name below the layers. */
	for (size_t i = comparison->recorded.layers.count; i > 0; i--) {
		struct relpath below =
			layer_name_below(&comparison->recorded.layers.list[i - 1], &name);

		relpath_release(&name);
		name = below;
	}
	if (thread_open(&thread, &comparison->session, &comparison->session.state,
		    &comparison->recorded.layers, path, err) < 0 ||
		session_read_base(&comparison->session, &name, &core, err) < 0)
		return -1;
	if (core.kind == TX_FILE && !merge_is_binary(view_of_buf(&core.content)) &&
		attribution_claim(text, view_of(""), view_of_buf(&core.content), &a->authors[0],
			owners, err) < 0)
		return -1;
	for (size_t i = 0; i < thread.count; i++)
		if (claim_for_part(&claims, i, err) < 0)
			return -1;
	for (size_t i = 0; i < count; i++)
		if (!owners[i])
			owners[i] = known && claims.left ? claims.left : user_of(a, known);
	return fill_lines(a, text, owners, file, err);
}

int attribution_of(struct attribution *a, const struct relpath *path,
	const struct relpath *recorded, struct attributed_file *ret_file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(attributed_file_release) struct attributed_file file = ATTRIBUTED_FILE_INIT;
	bool known;

	if (custom_read_tree(&a->comparison->session, path, &tree, err) < 0 ||
		read_recorded(a, recorded, &tree, &before, &known, err) < 0)
		return -1;
	if (tree.kind != TX_FILE || merge_is_binary(view_of_buf(&tree.content))) {
		file.whole = owner_of_whole(a, recorded, &tree, &before, known);
	} else {
		if (before.kind != TX_FILE || merge_is_binary(view_of_buf(&before.content)))
			buf_clear(&before.content);
		buf_append(&file.content, tree.content.data, tree.content.len);
		if (attribute_lines(a, recorded, &before, known, &file, err) < 0)
			return -1;
	}
	*ret_file = file;
	file = ATTRIBUTED_FILE_INIT;
	return 0;
}
