#include "engine/session/recorded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/objects.h"
#include "engine/disk/project.h"
#include "engine/session/origin.h"
#include "engine/text/merge.h"
#include "fs/beneath.h"

/* --- recorded files ----------------------------------------------------------------- */

struct collecting {
	struct recorded *recorded;
	size_t layer;
};

static void collect_file(struct view path, const struct layer_file *file, void *data)
{
	struct collecting *c = data;
	struct recorded *r = c->recorded;

	GROW(r->files, r->count, r->cap);
	r->files[r->count++] =
		(struct recorded_file){xmemdupz(path.data, path.len), *file, c->layer};
}

static int by_path_then_layer(const void *a, const void *b)
{
	const struct recorded_file *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ? order : (x->layer > y->layer) - (x->layer < y->layer);
}

int recorded_collect(
	const struct state *state, struct recorded *ret_recorded, struct error *err)
{
	struct collecting c = {ret_recorded, 0};
	size_t kept = 0;

	if (layers_read(state, &ret_recorded->layers, err) < 0)
		return -1;
	for (; c.layer < ret_recorded->layers.count; c.layer++)
		layer_each(&ret_recorded->layers.list[c.layer], collect_file, &c);
	if (ret_recorded->count)
		qsort(ret_recorded->files, ret_recorded->count, sizeof(*ret_recorded->files),
			by_path_then_layer);
	/* Of several for one path the last layer counts. */
	for (size_t i = 0; i < ret_recorded->count; i++) {
		if (i + 1 < ret_recorded->count &&
			!strcmp(ret_recorded->files[i].path, ret_recorded->files[i + 1].path))
			free(ret_recorded->files[i].path);
		else
			ret_recorded->files[kept++] = ret_recorded->files[i];
	}
	ret_recorded->count = kept;
	return 0;
}

static int compare_recorded_path(const void *key, const void *file)
{
	const struct view *path = key;

	return view_compare(*path, view_of(((const struct recorded_file *)file)->path));
}

const struct recorded_file *recorded_find(const struct recorded *recorded, struct view path)
{
	if (!recorded->count)
		return NULL;
	return bsearch(&path, recorded->files, recorded->count, sizeof(*recorded->files),
		compare_recorded_path);
}

void recorded_release(struct recorded *recorded)
{
	for (size_t i = 0; i < recorded->count; i++)
		free(recorded->files[i].path);
	free(recorded->files);
	layers_release(&recorded->layers);
}

/* --- contents --------------------------------------------------------------------------- */

static int object_path(const struct hash *hash, struct relpath *ret_path, struct error *err)
{
	char hex[HASH_HEX_SIZE];
	CLEANUP(freep) char *text = NULL;

	hash_to_hex(hash, hex);
	text = xasprintf(".nanoclaw/objects/%.2s/%s", hex, hex + 2);
	return relpath_parse(view_of(text), ret_path, err);
}

int recorded_keep(struct session *s, struct view content, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	struct hash hash = hash_of(content);

	if (object_path(&hash, &path, err) < 0 ||
		transaction_read(s->tx, &path, &there, err) < 0)
		return -1;
	if (there.kind == TX_FILE && view_equal(view_of_buf(&there.content), content))
		return 0;
	return transaction_put(s->tx, &path, content, 0444, err);
}

int recorded_fetch(
	struct session *s, const struct hash *hash, struct buf *ret_content, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	struct hash found;

	if (object_path(hash, &path, err) < 0 ||
		transaction_read(s->tx, &path, &there, err) < 0)
		return -1;
	found = hash_of(view_of_buf(&there.content));
	if (there.kind == TX_FILE && hash_equal(&found, hash)) {
		buf_append(ret_content, there.content.data, there.content.len);
		return 0;
	}
	error_set(err, ERROR_FAILED, "'%s' is %s", path.text,
		there.kind == TX_ABSENT ? "missing" : "damaged");
	err->errnum = ENOENT;
	return damage_hint(err);
}

static bool has_hash(struct view content, const struct hash *hash)
{
	struct hash found = hash_of(content);

	return hash_equal(&found, hash);
}

/* Take the content of a file if it has the hash. */
static bool take_if_same(
	const struct tx_file *file, const struct hash *hash, struct buf *ret_content)
{
	struct view content = view_of_buf(&file->content);

	if (file->kind == TX_ABSENT || !has_hash(content, hash))
		return false;
	buf_append(ret_content, content.data, content.len);
	return true;
}

int recorded_find_content(struct session *s, const struct relpath *path,
	const struct hash *hash, struct buf *ret_content, struct error *err)
{
	CLEANUP(error_release) struct error no_base = ERROR_INIT;
	CLEANUP(error_release) struct error no_tree = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	struct error *unreadable = &no_base;

	if (recorded_fetch(s, hash, ret_content, err) == 0)
		return 0;
	if ((origin_read_base(s, path, &base, NULL, &no_base) == 0 &&
		    take_if_same(&base, hash, ret_content)) ||
		(transaction_read(s->tx, path, &tree, &no_tree) == 0 &&
			take_if_same(&tree, hash, ret_content))) {
		error_clear(err);
		return 0;
	}
	if (!no_base.errnum || beneath_is_absent(&no_base))
		unreadable = &no_tree;
	if (unreadable->errnum && !beneath_is_absent(unreadable)) {
		error_clear(err);
		return error_move(err, unreadable);
	}
	return -1;
}

int recorded_try_find(struct session *s, const struct relpath *path, const struct hash *hash,
	struct buf *ret_content, bool *ret_found, struct error *err)
{
	CLEANUP(error_release) struct error lost = ERROR_INIT;

	*ret_found = recorded_find_content(s, path, hash, ret_content, &lost) == 0;
	return *ret_found || lost.errnum == ENOENT ? 0 : error_move(err, &lost);
}

int recorded_try_fetch(struct session *s, const struct hash *hash, struct buf *ret_content,
	bool *ret_found, struct error *err)
{
	CLEANUP(error_release) struct error lost = ERROR_INIT;

	*ret_found = recorded_fetch(s, hash, ret_content, &lost) == 0;
	return *ret_found || lost.errnum == ENOENT ? 0 : error_move(err, &lost);
}

int recorded_find_file(struct session *s, const struct relpath *path,
	const struct layer_file *file, struct tx_file *ret_file, struct error *err)
{
	if (file->kind != TX_ABSENT &&
		recorded_find_content(s, path, &file->hash, &ret_file->content, err) < 0)
		return -1;
	ret_file->kind = file->kind;
	ret_file->mode = file->executable ? 0755 : 0644;
	return 0;
}

int recorded_keep_file(struct session *s, const struct tx_file *file, struct error *err)
{
	if (!tx_file_exists(file))
		return 0;
	return recorded_keep(s, view_of_buf(&file->content), err);
}

int recorded_find_in_pack(struct session *s, const char *skill, const struct hash *hash,
	struct buf *ret_content, bool *ret_found, struct error *err)
{
	const struct session_pack *pack = origin_pack(s, skill, err);

	*ret_found = false;
	if (!pack)
		return -1;
	for (size_t i = 0; i < pack->pack.count && !*ret_found; i++) {
		struct view content = pack_content(&pack->pack, &pack->pack.entries[i]);

		if (!hash_equal(&pack->hashes[i], hash))
			continue;
		buf_append(ret_content, content.data, content.len);
		*ret_found = true;
	}
	return 0;
}

/* A recorded file, with its content, wherever that is. */
static int find_content(struct session *s, const struct recorded *recorded,
	const struct recorded_file *file, const struct tx_file *base, struct tx_file *ret_file,
	struct error *err)
{
	const struct hash *hash = &file->file.hash;
	const struct layers *layers = &recorded->layers;
	bool found;

	ret_file->kind = file->file.kind;
	ret_file->mode = file->file.executable ? 0755 : 0644;
	if (has_hash(view_of_buf(&base->content), hash)) {
		buf_append(&ret_file->content, base->content.data, base->content.len);
		return 0;
	}
	if (recorded_try_fetch(s, hash, &ret_file->content, &found, err) < 0)
		return -1;
	/* Try the skill itself first, since it usually has the content. */
	for (size_t i = layers->count; i > 0 && !found; i--) {
		const struct layer *layer = &layers->list[(file->layer + i) % layers->count];

		if (layer->kind == LAYER_SKILL && recorded_find_in_pack(s, layer->name, hash,
							  &ret_file->content, &found, err) < 0)
			return -1;
	}
	if (found)
		return 0;
	ret_file->kind = TX_ABSENT;
	error_set(err, ERROR_FAILED, "the recorded content of '%s' is lost", file->path);
	err->errnum = ENOENT;
	return damage_hint(err);
}

int recorded_read(struct session *s, const struct recorded *recorded,
	const struct relpath *path, struct tx_file *ret_file, struct error *err)
{
	const struct recorded_file *file = recorded_find(recorded, relpath_view(path));
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;

	ret_file->kind = TX_ABSENT;
	if (file && file->file.kind == TX_ABSENT)
		return 0;
	if (session_read_base(s, path, &base, err) < 0)
		return -1;
	if (!file) {
		*ret_file = base;
		base = TX_FILE_INIT;
		return 0;
	}
	return find_content(s, recorded, file, &base, ret_file, err);
}

int recorded_read_last(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	struct recorded_file file = {.path = path->text};

	ret_file->kind = TX_ABSENT;
	if (layers_read(&s->state, &recorded.layers, err) < 0 ||
		session_read_base(s, path, &base, err) < 0)
		return -1;
	for (file.layer = recorded.layers.count; file.layer > 0; file.layer--)
		if (layer_get(&recorded.layers.list[file.layer - 1], relpath_view(path),
			    &file.file) &&
			file.file.kind != TX_ABSENT)
			break;
	if (!file.layer) {
		*ret_file = base;
		base = TX_FILE_INIT;
		return 0;
	}
	file.layer--;
	return find_content(s, &recorded, &file, &base, ret_file, err);
}

int recorded_read_layer(struct session *s, const struct layers *layers, size_t layer,
	const struct relpath *path, struct tx_file *ret_file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	struct recorded_file file = {.path = path->text, .layer = layer};
	const struct recorded recorded = {.layers = *layers};

	ret_file->kind = TX_ABSENT;
	if (!layer_get(&layers->list[layer], relpath_view(path), &file.file) ||
		file.file.kind == TX_ABSENT)
		return 0;
	if (session_read_base(s, path, &base, err) < 0)
		return -1;
	return find_content(s, &recorded, &file, &base, ret_file, err);
}

/* --- with all changes ------------------------------------------------------------- */

/* Put the changes that one skill made to the origin into the file. */
static int add_changes(const struct relpath *path, const struct tx_file *origin,
	struct view changed, const char *skill, struct tx_file *file, struct error *err)
{
	CLEANUP(merge_result_release) struct merge_result merged = {.content = BUF_INIT};
	struct merge_options options = {.style = MERGE_STYLE_DIFF3};
	struct merge_input ours = {view_of_buf(&file->content), ""};
	struct merge_input base = {view_of_buf(&origin->content), ""};
	struct merge_input theirs = {changed, ""};
	bool binary = merge_is_binary(ours.content) || merge_is_binary(base.content) ||
		      merge_is_binary(changed);

	if (view_equal(ours.content, base.content)) {
		buf_append(&merged.content, changed.data, changed.len);
	} else if (!binary) {
		if (merge_contents(&ours, &base, &theirs, &options, &merged, err) < 0)
			return -1;
		binary = merged.conflicts > 0;
	}
	if (binary) {
		error_set(err, ERROR_INVALID,
			"'%s' was deleted, and its changes by skill '%s' and others cannot be rebuilt",
			path->text, skill);
		return error_hint(err, "restore the file first");
	}
	buf_release(&file->content);
	file->content = merged.content;
	merged.content = BUF_INIT;
	return 0;
}

int recorded_rebuild(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err)
{
	CLEANUP(error_release) struct error lost = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file origin = TX_FILE_INIT;

	if (recorded_read_last(s, path, ret_file, &lost) == 0 && ret_file->kind != TX_ABSENT)
		return 0;
	buf_clear(&ret_file->content);
	/*
	 * For a state that does not have the contents: merge the changes of all skills again.
	 */
	if (origin_read(s, path, &origin, err) < 0)
		return -1;
	buf_append(&ret_file->content, origin.content.data, origin.content.len);
	ret_file->kind = origin.kind;
	ret_file->mode = origin.mode;
	for (size_t i = 0; origin.kind == TX_FILE && i < s->state.skill_count; i++) {
		const char *skill = s->state.skills[i].name;
		CLEANUP(pack_release) struct pack pack = PACK_INIT;
		const struct pack_entry *entry;

		if (origin_load_pack(s, skill, &pack, err) < 0)
			return -1;
		entry = origin_find_entry(s, &pack, PACK_MODIFY, path);
		if (entry && add_changes(path, &origin, pack_content(&pack, entry), skill,
				     ret_file, err) < 0)
			return -1;
	}
	return 0;
}
