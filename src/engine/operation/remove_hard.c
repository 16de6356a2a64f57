/*
 * Files that cannot be made again from the beginning: the skill's changes are merged out
 * of them as they are.
 */
#include <string.h>

#include "engine/operation/remove_parts.h"
#include "engine/stack/ancestor.h"
#include "engine/stack/file_merge.h"
#include "engine/stack/origin.h"
#include "engine/stack/recorded.h"
#include "engine/stack/regenerate.h"

struct undoing {
	struct session *session;
	struct replay *replay;
	const struct relpath *path; /* now */
	struct relpath then;
	struct error *err;
};

/* The hashes of the file with a layer and without it, in the entry of that layer. */
struct hashes {
	const struct yaml_node *with; /* NULL: the layer did not change the content */
	const struct yaml_node *without;
};

/*
 * The part of a skill as it is recorded may have lines that a person wrote to settle a
 * conflict. They are not the skill's, so what its package says counts then.
 */
static bool is_from_package(const struct undoing *u, const struct layer *layer)
{
	CLEANUP(error_release) struct error unknown = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	bool loses;

	if (layer->kind != LAYER_SKILL || !regenerate_has(layer, relpath_view(&u->then)))
		return layer->kind == LAYER_SKILL;
	return regenerate_get(u->session, layer, &u->then, &before, &after, &unknown) == 0 &&
	       remove_loses_settled(u->session, u->replay, &u->then,
		       view_of_buf(&after.content), view_of_buf(&before.content), &loses,
		       &unknown) == 0 &&
	       loses;
}

static struct hashes find_hashes(const struct undoing *u, const struct layer *layer)
{
	bool is_skill = is_from_package(u, layer);
	const struct yaml_node *all = yaml_get(layer->node, is_skill ? "hashes" : "contents");
	CLEANUP(freep) char *key = layer_key(relpath_view(&u->then));
	const struct yaml_entry *entry = all ? yaml_find(all, view_of(key)) : NULL;

	return (struct hashes){
		.with = entry ? yaml_get(entry->value, is_skill ? "skill" : "after") : NULL,
		.without = entry ? yaml_get(entry->value, is_skill ? "base" : "before") : NULL,
	};
}

static int refuse(const struct undoing *u)
{
	const struct string_array *names = &u->replay->left_out;

	error_set(u->err, ERROR_FAILED, "the changes to '%s' cannot be told apart all at once",
		u->path->text);
	if (names->count == 1)
		return -1;
	return error_hint(u->err, "remove '%s' first, and then the others",
		names->list[names->count - 1]);
}

/* A content by its hash: it is kept, or in the pack of the skill. */
static int fetch(const struct undoing *u, const struct layer *layer,
	const struct yaml_node *hex, struct tx_file *ret_file)
{
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	const char *skill = layer->kind == LAYER_SKILL ? layer->name : layer->skill;
	struct hash hash, found;

	if (!hex)
		return 0;
	if (hash_from_hex(hex->text, &hash, u->err) < 0 ||
		origin_load_pack(u->session, skill, &pack, u->err) < 0)
		return -1;
	ret_file->kind = TX_FILE;
	ret_file->mode = 0644;
	for (size_t i = 0; i < pack.count; i++) {
		struct view content = pack_content(&pack, &pack.entries[i]);

		found = hash_of(content);
		if (!hash_equal(&found, &hash))
			continue;
		buf_append(&ret_file->content, content.data, content.len);
		return 0;
	}
	return recorded_find_content(u->session, u->path, &hash, &ret_file->content, u->err);
}

/*
 * The file without a skill that was updated: what its entry has is the file of the version
 * before. The skill itself was written against something else, or has added the file.
 */
static int find_without_update(
	const struct undoing *u, const struct layer *layer, struct tx_file *ret_file)
{
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;
	CLEANUP(ancestor_release) struct ancestor ancestor = ANCESTOR_INIT;
	struct apply_options accepting = *u->session->options;
	const struct apply_options *options = u->session->options;
	const struct pack_entry *entry;
	struct pack none = PACK_INIT;
	int failed;

	if (origin_load_pack(u->session, layer->name, &pack, u->err) < 0 ||
		pack_read_manifest(&pack, &manifest, u->err) < 0)
		return -1;
	entry = manifest.skill ? origin_find_entry(u->session, &pack, PACK_MODIFY, u->path)
			       : NULL;
	if (!entry)
		return 0;
	accepting.ancestor_is_base = true; /* it was accepted then */
	u->session->options = &accepting;
	failed = ancestor_find(u->session, &manifest, &none, &entry->path,
		pack_content(&pack, entry), &ancestor, u->err);
	u->session->options = options;
	if (failed)
		return -1;
	*ret_file = ancestor.file;
	ancestor.file = TX_FILE_INIT;
	return 0;
}

static int find_without(const struct undoing *u, const struct layer *layer,
	const struct hashes *hashes, struct tx_file *ret_file)
{
	if (layer->kind == LAYER_SKILL && yaml_get(layer->node, "updated_from"))
		return find_without_update(u, layer, ret_file);
	return fetch(u, layer, hashes->without, ret_file);
}

/* What each layer made of it is as it was, but for its name. */
static int restore_layers(const struct undoing *u)
{
	CLEANUP(layers_release) struct layers old = LAYERS_INIT;
	CLEANUP(layers_release) struct layers now = LAYERS_INIT;
	struct layer_file file, made;

	if (layers_read(&u->replay->old, &old, u->err) < 0 ||
		layers_read(&u->session->state, &now, u->err) < 0)
		return -1;
	for (size_t i = 0, j = 0; i < old.count && j < now.count; i++) {
		if (replay_leaves_out(u->replay, &old.list[i]))
			continue;
		if (layer_get(&old.list[i], relpath_view(&u->then), &file) &&
			layer_get(&now.list[j], relpath_view(u->path), &made))
			layer_set(now.list[j].node, relpath_view(u->path), &file);
		j++;
	}
	return 0;
}

static int merge_out(struct undoing *u, const struct layer *layer, const struct hashes *hashes,
	struct layer_file *ret_merged)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file with = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file without = TX_FILE_INIT;
	CLEANUP(freep) char *label = xasprintf("with %s", layer->name);
	struct session *s = u->session;
	bool drift_left = s->drift_left;
	struct ancestor ancestor;
	int failed;

	if (fetch(u, layer, hashes->with, &with) < 0 ||
		find_without(u, layer, hashes, &without) < 0 ||
		transaction_read(s->tx, u->path, &ours, u->err) < 0)
		return -1;
	ancestor = (struct ancestor){.file = with, .label = label};
	s->drift_left = false;
	failed = file_merge(
		&(struct file_merge){
			.session = s,
			.skill = u->replay->left_out.list[0],
			.version = "",
			.path = u->path,
			.ours = &ours,
			.ancestor = &ancestor,
			.theirs = view_of_buf(&without.content),
			.theirs_mode = with.mode,
		},
		ret_merged, u->err);
	s->drift_left = drift_left;
	return failed;
}

/* The last first. After a conflict nothing more can be merged out. */
static int merge_all_out(struct undoing *u, struct layer_file *merged)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	const struct apply_result *result = u->session->result;
	size_t conflicts = result->conflict_count;

	if (layers_read(&u->replay->old, &layers, u->err) < 0)
		return -1;
	for (size_t i = layers.count; i > 0; i--) {
		const struct layer *layer = &layers.list[i - 1];
		struct hashes hashes = find_hashes(u, layer);

		if (!replay_leaves_out(u->replay, layer) || !hashes.with)
			continue;
		if (result->conflict_count > conflicts)
			return refuse(u);
		if (merge_out(u, layer, &hashes, merged) < 0)
			return -1;
	}
	return 0;
}

/* The file is not without its contributions, as the replay took it to be. */
static void restore_structured(const struct undoing *u)
{
	const struct yaml_node *old = yaml_get(u->replay->old.doc->root, "structured_files");
	const struct yaml_node *entry = old ? yaml_get(old, u->path->text) : NULL;
	struct yaml_doc *doc = u->session->state.doc;

	if (entry)
		yaml_set(yaml_need(doc->root, "structured_files", YAML_MAPPING), u->path->text,
			yaml_copy(doc, entry));
}

static int stage(struct undoing *u)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	struct transaction *tx = u->session->tx;
	struct layer_file merged;

	if (restore_layers(u) < 0 || transaction_read(tx, &u->then, &ours, u->err) < 0)
		return -1;
	restore_structured(u);
	if (ours.kind != TX_FILE)
		return refuse(u);
	if (relpath_compare(&u->then, u->path) != 0) {
		session_note_rename(u->session, &u->then, u->path, u->replay->left_out.list[0]);
		if (transaction_remove(tx, &u->then, u->err) < 0 ||
			session_prune_above(u->session, &u->then, u->err) < 0 ||
			transaction_put(
				tx, u->path, view_of_buf(&ours.content), ours.mode, u->err) < 0)
			return -1;
	}
	merged = layer_file_of(&ours);
	if (merge_all_out(u, &merged) < 0)
		return -1;
	return layers_note(&u->session->state, "", relpath_view(u->path), &merged, u->err);
}

int remove_stage_hard(struct session *s, struct replay *replay, struct error *err)
{
	for (size_t i = 0; i < replay->hard.count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		struct undoing u = {s, replay, &path, RELPATH_INIT, err};
		int failed;

		if (relpath_parse(view_of(replay->hard.list[i]), &path, err) < 0)
			return -1;
		u.then = replay_name_then(replay, &path);
		failed = stage(&u);
		relpath_release(&u.then);
		if (failed)
			return -1;
	}
	return 0;
}
