#include "engine/stack/regenerate.h"

#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/package/pack.h"
#include "engine/stack/ancestor.h"
#include "engine/stack/file_merge.h"
#include "engine/stack/recorded.h"
#include "engine/stack/replay.h"
#include "engine/text/merge.h"

#define MODE_EXECUTABLE "100755"
#define MODE_SYMLINK    "120000"

static bool is_there(const struct tx_file *file)
{
	return file->kind == TX_FILE || file->kind == TX_SYMLINK;
}

/* --- setting --------------------------------------------------------------------------- */

static void set_side(struct yaml_node *both, const char *side, const struct tx_file *file)
{
	CLEANUP(freep) char *mode = xasprintf("%s_mode", side);
	struct hash hash = hash_of(view_of_buf(&file->content));
	char hex[HASH_HEX_SIZE];

	if (!is_there(file))
		return;
	hash_to_hex(&hash, hex);
	yaml_set_string(both, side, hex);
	if (file->kind == TX_SYMLINK)
		yaml_set_string(both, mode, MODE_SYMLINK);
	else if (file->mode & 0100)
		yaml_set_string(both, mode, MODE_EXECUTABLE);
}

static int keep(struct session *s, const struct tx_file *file, struct error *err)
{
	return is_there(file) ? recorded_keep(s, view_of_buf(&file->content), err) : 0;
}

int regenerate_set(struct session *s, struct yaml_node *entry, const struct relpath *path,
	const struct tx_file *before, const struct tx_file *after, struct error *err)
{
	CLEANUP(freep) char *key = layer_key(relpath_view(path));
	struct yaml_node *both = yaml_new_mapping(entry->doc);
	struct layer_file made = {.kind = TX_ABSENT};

	if (keep(s, before, err) < 0 || keep(s, after, err) < 0)
		return -1;
	set_side(both, "before", before);
	set_side(both, "after", after);
	yaml_set_view(yaml_need(entry, "contents", YAML_MAPPING), view_of(key), both);
	if (is_there(after))
		made = layer_file_of(after);
	layer_set(entry, relpath_view(path), &made);
	return 0;
}

void regenerate_rename(
	struct yaml_node *entry, const struct relpath *from, const struct relpath *to)
{
	CLEANUP(freep) char *old = layer_key(relpath_view(from));
	CLEANUP(freep) char *new = layer_key(relpath_view(to));
	struct yaml_node *contents = yaml_get(entry, "contents");
	const struct yaml_entry *both = contents && contents->kind == YAML_MAPPING
						? yaml_find(contents, view_of(old))
						: NULL;
	struct yaml_node *value = both ? both->value : NULL;

	if (!value)
		return;
	yaml_remove(contents, old);
	yaml_set(contents, new, value);
}

/* --- reading --------------------------------------------------------------------------- */

static const struct yaml_node *find_both(const struct layer *layer, struct view path)
{
	CLEANUP(freep) char *key = layer_key(path);
	const struct yaml_node *contents =
		layer->node->kind == YAML_MAPPING ? yaml_get(layer->node, "contents") : NULL;
	const struct yaml_entry *entry = contents && contents->kind == YAML_MAPPING
						 ? yaml_find(contents, view_of(key))
						 : NULL;

	return entry && entry->value->kind == YAML_MAPPING ? entry->value : NULL;
}

bool regenerate_has(const struct layer *layer, struct view path)
{
	return find_both(layer, path) && !yaml_get(layer->node, "patch_file");
}

static int get_side(struct session *s, const struct layer *layer, const struct relpath *path,
	const char *side, struct tx_file *ret_file, struct error *err)
{
	CLEANUP(freep) char *mode_key = xasprintf("%s_mode", side);
	const struct yaml_node *both = find_both(layer, relpath_view(path));
	const struct yaml_node *hex = both ? yaml_get(both, side) : NULL;
	const struct yaml_node *mode = both ? yaml_get(both, mode_key) : NULL;
	struct hash hash;

	ret_file->kind = TX_ABSENT;
	if (!hex)
		return 0;
	if (hash_from_hex(hex->text, &hash, err) < 0)
		return -1;
	if (recorded_find_content(s, path, &hash, &ret_file->content, err) < 0)
		return error_hint(
			err, "'nanoclaw verify' says what else is missing or damaged");
	ret_file->kind =
		mode && view_equal_str(mode->text, MODE_SYMLINK) ? TX_SYMLINK : TX_FILE;
	ret_file->mode = mode && view_equal_str(mode->text, MODE_EXECUTABLE) ? 0755 : 0644;
	return 0;
}

int regenerate_get(struct session *s, const struct layer *layer, const struct relpath *path,
	struct tx_file *ret_before, struct tx_file *ret_after, struct error *err)
{
	if (get_side(s, layer, path, "before", ret_before, err) < 0)
		return -1;
	return get_side(s, layer, path, "after", ret_after, err);
}

/* --- replaying ------------------------------------------------------------------------- */

static const char *version_of(const struct layer *layer)
{
	const struct yaml_node *version =
		layer->kind == LAYER_SKILL ? yaml_get(layer->node, "version") : NULL;

	return version && version->kind == YAML_SCALAR ? version->text.data : "";
}

static int merge(struct session *s, const struct layer *layer, const struct relpath *path,
	const struct tx_file *const sides[3], struct layer_file *ret_made, struct error *err)
{
	const struct tx_file *ours = sides[0], *before = sides[1], *after = sides[2];
	char label[] = "before";
	struct ancestor ancestor = {.file = *before, .label = label};

	return file_merge(
		&(struct file_merge){
			.session = s,
			.skill = layer->name,
			.version = version_of(layer),
			.path = path,
			.ours = ours,
			.ancestor = &ancestor,
			.theirs = view_of_buf(&after->content),
			.theirs_mode = after->mode,
		},
		ret_made, err);
}

int regenerate_stage(struct session *s, const struct layer *layer, const struct relpath *then,
	const struct relpath *now, struct layer_file *ret_made, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	const struct tx_file *sides[] = {&ours, &before, &after};

	if (regenerate_get(s, layer, then, &before, &after, err) < 0 ||
		transaction_read(s->tx, now, &ours, err) < 0)
		return -1;
	if (ours.kind == TX_FILE && after.kind == TX_FILE && before.kind != TX_SYMLINK &&
		!tx_file_same(&ours, &before) && !tx_file_same(&ours, &after))
		return merge(s, layer, now, sides, ret_made, err);
	*ret_made = is_there(&after) ? layer_file_of(&after)
				     : (struct layer_file){.kind = TX_ABSENT};
	return tx_file_same(&ours, &after) ? 0 : tx_file_stage(s->tx, now, &after, err);
}

/*
 * Whoever added the file is left out of the replay, and the person has changed it: it stays,
 * and it is theirs to say whether it goes.
 */
static int note_lost(struct session *s, const struct layer *layer, const struct relpath *then,
	const struct relpath *now, struct error *err)
{
	const struct yaml_node *both = find_both(layer, relpath_view(then));
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;

	if (!s->replay || !s->replay->left_out.count || !yaml_get(both, "before") ||
		!yaml_get(both, "after"))
		return 0;
	if (transaction_read(s->tx, now, &ours, err) < 0)
		return -1;
	if (ours.kind == TX_ABSENT)
		session_add_conflict(s, (struct conflict){
						.kind = CONFLICT_DELETE,
						.path = relpath_copy(now),
						.skill = xstrdup(s->replay->left_out.list[0]),
					});
	return 0;
}

int regenerate_stage_all(struct session *s, const struct layer *layer, struct error *err)
{
	const struct yaml_node *contents = yaml_get(layer->node, "contents");

	for (size_t i = 0; contents && contents->kind == YAML_MAPPING && i < contents->count;
		i++) {
		CLEANUP(freep) char *text = layer_path(contents->entries[i].key);
		CLEANUP(relpath_release) struct relpath then = RELPATH_INIT;
		CLEANUP(relpath_release) struct relpath now = RELPATH_INIT;
		struct layer_file made;

		if (relpath_parse(view_of(text), &then, err) < 0)
			return -1;
		now = s->replay ? replay_name_now(s->replay, &then) : relpath_copy(&then);
		if (s->replay && !replay_has(s->replay, relpath_view(&now)))
			continue;
		if (note_lost(s, layer, &then, &now, err) < 0 ||
			regenerate_stage(s, layer, &then, &now, &made, err) < 0)
			return -1;
	}
	return 0;
}

/* --- carrying over --------------------------------------------------------------------- */

int regenerate_carry(const struct tx_file *now, const struct tx_file *before,
	const struct tx_file *after, struct tx_file *ret_file, bool *ret_clean,
	struct error *err)
{
	CLEANUP(merge_result_release) struct merge_result merged = {.content = BUF_INIT};
	struct merge_options options = {.style = MERGE_STYLE_DIFF3};
	struct merge_input ours = {view_of_buf(&now->content), ""};
	struct merge_input base = {view_of_buf(&before->content), ""};
	struct merge_input theirs = {view_of_buf(&after->content), ""};

	*ret_clean = true;
	if (tx_file_same(now, before) || tx_file_same(now, after)) {
		tx_file_copy(after, ret_file);
		return 0;
	}
	if (tx_file_same(before, after)) {
		tx_file_copy(now, ret_file);
		return 0;
	}
	*ret_clean = false;
	if (now->kind != TX_FILE || before->kind != TX_FILE || after->kind != TX_FILE ||
		merge_is_binary(ours.content) || merge_is_binary(base.content) ||
		merge_is_binary(theirs.content))
		return 0;
	if (merge_contents(&ours, &base, &theirs, &options, &merged, err) < 0)
		return -1;
	if (merged.conflicts)
		return 0;
	ret_file->content = merged.content;
	merged.content = BUF_INIT;
	ret_file->kind = TX_FILE;
	ret_file->mode = (before->mode ^ after->mode) & 0100 ? after->mode : now->mode;
	*ret_clean = true;
	return 0;
}
