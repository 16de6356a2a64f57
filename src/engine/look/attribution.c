#include "engine/look/attribution.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/package/structured_format.h"
#include "engine/session/origin.h"
#include "engine/stack/part.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"
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

/* Which lines of `new` are not in `old`. */
static int find_inserted(
	struct view old, struct view new, bool **ret_inserted, struct error *err)
{
	CLEANUP(diff_changes_release) struct diff_changes changes = DIFF_CHANGES_INIT;
	bool *inserted;

	if (diff_lines(old, new, &changes, err) < 0)
		return -1;
	inserted = xcalloc(count_lines(new) + 1, sizeof(*inserted));
	for (size_t i = 0; i < changes.count; i++)
		memset(inserted + changes.list[i].new_start, true, changes.list[i].new_count);
	*ret_inserted = inserted;
	return 0;
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
 * Of lines that were inserted, the last may be the same as the one before the first:
 * then they may as well begin there, and another diff may have taken them so. What
 * was lost at one end to an earlier claim is found at the other.
 */
static void slide(const struct view *lines, size_t count, size_t first, size_t end,
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
	CLEANUP(freep) bool *inserted = NULL;
	CLEANUP(freep) size_t *matches = NULL;
	CLEANUP(freep) struct view *lines = split_lines(text);
	size_t count = count_lines(text), end;

	if (find_inserted(without, with, &inserted, err) < 0 ||
		match_lines(with, text, &matches, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i = end + 1) {
		for (end = i; end < count && matches[end] != SIZE_MAX && inserted[matches[end]];
			end++)
			if (!owners[end])
				owners[end] = author;
		if (end > i)
			slide(lines, count, i, end, author, owners);
	}
	return 0;
}

/* --- begin and end --------------------------------------------------------------------- */

void attribution_begin(struct attribution *ret_attribution, struct comparison *comparison)
{
	const struct layers *layers = &comparison->recorded.layers;
	struct attribution a = {.comparison = comparison, .author_count = layers->count + 3};

	a.authors = xcalloc(a.author_count, sizeof(*a.authors));
	a.packs = xcalloc(layers->count + 1, sizeof(*a.packs));
	a.pack_loaded = xcalloc(layers->count + 1, sizeof(*a.pack_loaded));
	a.authors[0].kind = AUTHOR_CORE;
	for (size_t i = 0; i < layers->count; i++) {
		bool skill = layers->list[i].kind == LAYER_SKILL;

		a.packs[i] = PACK_INIT;
		a.authors[1 + i] = (struct author){
			skill ? AUTHOR_SKILL : AUTHOR_PATCH, layers->list[i].name, false};
	}
	a.authors[layers->count + 1] = (struct author){AUTHOR_USER, NULL, false};
	a.authors[layers->count + 2] = (struct author){AUTHOR_USER, NULL, true};
	*ret_attribution = a;
}

void attribution_release(struct attribution *a)
{
	for (size_t i = 0; a->comparison && i < a->comparison->recorded.layers.count; i++)
		pack_release(&a->packs[i]);
	free(a->packs);
	free(a->pack_loaded);
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

static int load_pack(struct attribution *a, size_t layer, struct error *err)
{
	const struct layers *layers = &a->comparison->recorded.layers;

	if (a->pack_loaded[layer])
		return 0;
	a->pack_loaded[layer] = true;
	return origin_load_pack(
		&a->comparison->session, layers->list[layer].name, &a->packs[layer], err);
}

/* --- the names of a file ------------------------------------------------------------------ */

struct names {
	struct relpath *list; /* before the first layer, after it, after the second ... */
	size_t count;
};

static void names_release(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		relpath_release(&names->list[i]);
	free(names->list);
}

static void find_names(
	const struct layers *layers, const struct relpath *path, struct names *ret_names)
{
	ret_names->count = layers->count + 1;
	ret_names->list = xcalloc(ret_names->count, sizeof(*ret_names->list));
	ret_names->list[layers->count] = relpath_copy(path);
	for (size_t i = layers->count; i > 0; i--)
		ret_names->list[i - 1] =
			layer_name_below(&layers->list[i - 1], &ret_names->list[i]);
}

/* --- the file of a skill ---------------------------------------------------------- */

/* By the name that it had then; else by any, for a skill may use an older one. */
static const struct pack_entry *find_packed(
	const struct pack *pack, const struct names *names, size_t layer)
{
	const struct pack_entry *found = NULL;

	for (size_t n = 0; n <= names->count && !found; n++) {
		const struct relpath *name = &names->list[n ? n - 1 : layer + 1];

		found = pack_find(pack, PACK_ADD, name);
		if (!found)
			found = pack_find(pack, PACK_MODIFY, name);
	}
	return found;
}

/* What skills change: the core's file, or that of the first skill that added it. */
static int find_origin(struct attribution *a, const struct names *names,
	struct tx_file *ret_origin, struct error *err)
{
	const struct layers *layers = &a->comparison->recorded.layers;

	if (session_read_base(&a->comparison->session, &names->list[0], ret_origin, err) < 0)
		return -1;
	for (size_t i = 0; ret_origin->kind != TX_FILE && i < layers->count; i++) {
		const struct pack_entry *entry;

		if (layers->list[i].kind != LAYER_SKILL)
			continue;
		if (load_pack(a, i, err) < 0)
			return -1;
		entry = find_packed(&a->packs[i], names, i);
		if (entry && entry->part == PACK_ADD) {
			struct view content = pack_content(&a->packs[i], entry);

			buf_append(&ret_origin->content, content.data, content.len);
			ret_origin->kind = TX_FILE;
		}
	}
	return 0;
}

/* --- claims of layers ------------------------------------------------------------------- */

struct claims {
	struct attribution *attribution;
	const struct names *names;
	struct view origin; /* what the skills were written on top of */
	struct view text;
	const struct author **owners;
	const struct author *left; /* who has what nobody claims; NULL: the user */
};

/* The file as a layer left it; false if that is not known. */
static bool read_layer(struct claims *c, size_t layer, struct buf *ret_content)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct comparison *comparison = c->attribution->comparison;
	struct layer_file file;

	return layer_get(&comparison->recorded.layers.list[layer],
		       relpath_view(&c->names->list[layer + 1]), &file) &&
	       file.kind == TX_FILE &&
	       recorded_fetch(&comparison->session, &file.hash, ret_content, &ignored) == 0;
}

/* What a skill contributed to a structured file: how that differs from the layer below. */
static int claim_contribution(struct claims *c, size_t layer, struct error *err)
{
	CLEANUP(buf_release) struct buf before = BUF_INIT;
	CLEANUP(buf_release) struct buf after = BUF_INIT;
	bool found = false;

	if (!read_layer(c, layer, &after))
		return 0;
	for (size_t i = layer; i > 0 && !found; i--)
		found = read_layer(c, i - 1, &before);
	return attribution_claim(c->text, found ? view_of_buf(&before) : c->origin,
		view_of_buf(&after), &c->attribution->authors[1 + layer], c->owners, err);
}

static int claim_for_skill(struct claims *c, size_t layer, struct error *err)
{
	struct attribution *a = c->attribution;
	const struct layer *skill = &a->comparison->recorded.layers.list[layer];
	const struct pack_entry *entry;
	struct layer_file ignored;
	struct view nothing = {"", 0}, content;

	if (load_pack(a, layer, err) < 0)
		return -1;
	entry = find_packed(&a->packs[layer], c->names, layer);
	if (!entry) {
		/* v0.1 did not keep the file; then the rest must be its. */
		if (!a->packs[layer].count &&
			layer_get(skill, relpath_view(&c->names->list[layer + 1]), &ignored))
			c->left = &a->authors[1 + layer];
		return structured_format_of(c->names->list[layer + 1].text)
			       ? claim_contribution(c, layer, err)
			       : 0;
	}
	content = pack_content(&a->packs[layer], entry);
	if (merge_is_binary(content))
		return 0;
	return attribution_claim(c->text, entry->part == PACK_ADD ? nothing : c->origin,
		content, &a->authors[1 + layer], c->owners, err);
}

/* By the name that it had there; else by any, for a patch keeps the one that it was made with. */
static void find_part(
	const struct claims *c, size_t layer, size_t name, struct record_part *ret_part)
{
	const struct yaml_node *node =
		c->attribution->comparison->recorded.layers.list[layer].node;

	for (size_t n = 0; n <= c->names->count; n++)
		if (record_part(
			    node, relpath_view(&c->names->list[n ? n - 1 : name]), ret_part))
			return;
}

/* One of the two contents that a patch has of a file; empty if there is none. */
static int read_content(struct session *s, const struct layer_file *side,
	struct buf *ret_content, bool *ret_found, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;

	*ret_found = false;
	if (side->kind == TX_ABSENT)
		return 0;
	if (recorded_fetch(s, &side->hash, ret_content, &local) < 0)
		return local.errnum == ENOENT ? 0 : error_move(err, &local);
	*ret_found = true;
	return 0;
}

static int compare_lines(const void *a, const void *b)
{
	return view_compare(*(const struct view *)a, *(const struct view *)b);
}

/*
 * What is recorded as a skill's part has the lines that a person wrote to resolve a conflict,
 * too: the skill brought those that its package has.
 */
static int disclaim_resolved(struct claims *c, size_t layer, struct error *err)
{
	struct attribution *a = c->attribution;
	struct view rest = c->text, line, content;
	CLEANUP(freep) struct view *packed = NULL;
	const struct pack_entry *entry;
	size_t count;

	if (a->comparison->recorded.layers.list[layer].kind != LAYER_SKILL)
		return 0;
	if (load_pack(a, layer, err) < 0)
		return -1;
	entry = find_packed(&a->packs[layer], c->names, layer);
	if (!entry)
		return 0;
	content = pack_content(&a->packs[layer], entry);
	packed = split_lines(content);
	count = count_lines(content);
	qsort(packed, count, sizeof(*packed), compare_lines);
	for (size_t i = 0; diff_next_line(&rest, &line); i++)
		if (c->owners[i] == &a->authors[1 + layer] &&
			!bsearch(&line, packed, count, sizeof(*packed), compare_lines))
			c->owners[i] = NULL;
	return 0;
}

static int claim_between(struct claims *c, size_t layer, struct error *err)
{
	struct attribution *a = c->attribution;
	CLEANUP(buf_release) struct buf before = BUF_INIT;
	CLEANUP(buf_release) struct buf after = BUF_INIT;
	struct record_part old, new;
	bool had, has;

	find_part(c, layer, layer, &old);
	find_part(c, layer, layer + 1, &new);
	if (read_content(&a->comparison->session, &old.before, &before, &had, err) < 0 ||
		read_content(&a->comparison->session, &new.after, &after, &has, err) < 0)
		return -1;
	if (!has || merge_is_binary(view_of_buf(&before)) ||
		merge_is_binary(view_of_buf(&after)))
		return 0;
	if (attribution_claim(c->text, view_of_buf(&before), view_of_buf(&after),
		    &a->authors[1 + layer], c->owners, err) < 0)
		return -1;
	return disclaim_resolved(c, layer, err);
}

/* Else it is known what the file was before the layer and after it. */
static bool is_from_package(const struct claims *c, size_t layer)
{
	const struct layer *l = &c->attribution->comparison->recorded.layers.list[layer];

	return l->kind == LAYER_SKILL && !part_has(l, relpath_view(&c->names->list[layer + 1]));
}

/* Everybody in turn; what is left is the user's. */
static int claim_all(
	struct claims *c, const struct tx_file *base, bool resolved, struct error *err)
{
	struct attribution *a = c->attribution;
	const struct layers *layers = &a->comparison->recorded.layers;
	size_t count = count_lines(c->text);

	if (base->kind == TX_FILE && !merge_is_binary(view_of_buf(&base->content)) &&
		attribution_claim(c->text, (struct view){"", 0}, view_of_buf(&base->content),
			&a->authors[0], c->owners, err) < 0)
		return -1;
	for (size_t i = 0; i < layers->count; i++)
		if ((is_from_package(c, i) ? claim_for_skill(c, i, err)
					   : claim_between(c, i, err)) < 0)
			return -1;
	for (size_t i = 0; i < count; i++)
		if (!c->owners[i])
			c->owners[i] = resolved && c->left ? c->left : user_of(a, resolved);
	return 0;
}

/* --- one file --------------------------------------------------------------------------- */

/* What is recorded. `*ret_known` is false if it is not kept, or is in conflict. */
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

/* The recorded lines have owners; those of the tree that are the same have these, too. */
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

static int attribute_lines(struct attribution *a, const struct relpath *path,
	const struct tx_file *recorded, bool known, struct attributed_file *file,
	struct error *err)
{
	CLEANUP(names_release) struct names names = {0};
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file origin = TX_FILE_INIT;
	struct view text = view_of_buf(&recorded->content);
	CLEANUP(freep)
	const struct author **owners = xcalloc(count_lines(text) + 1, sizeof(*owners));
	struct claims claims = {
		.attribution = a, .names = &names, .text = text, .owners = owners};

	find_names(&a->comparison->recorded.layers, path, &names);
	if (session_read_base(&a->comparison->session, &names.list[0], &base, err) < 0 ||
		find_origin(a, &names, &origin, err) < 0)
		return -1;
	if (!merge_is_binary(view_of_buf(&origin.content)))
		claims.origin = view_of_buf(&origin.content);
	else
		claims.origin = (struct view){"", 0};
	if (claim_all(&claims, &base, known, err) < 0)
		return -1;
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
