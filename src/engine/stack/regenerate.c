#include "engine/stack/regenerate.h"

#include <string.h>

#include "engine/conflict/file_merge.h"
#include "engine/disk/tx_file.h"
#include "engine/package/pack.h"
#include "engine/session/recorded.h"
#include "engine/stack/ancestor.h"

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

int regenerate_stage_all(struct session *s, const struct layer *layer, struct error *err)
{
	const struct yaml_node *contents = yaml_get(layer->node, "contents");

	for (size_t i = 0; contents && contents->kind == YAML_MAPPING && i < contents->count;
		i++) {
		CLEANUP(freep) char *text = layer_path(contents->entries[i].key);
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		struct layer_file made;

		if (relpath_parse(view_of(text), &path, err) < 0 ||
			regenerate_stage(s, layer, &path, &path, &made, err) < 0)
			return -1;
	}
	return 0;
}

/* --- the end of an operation ------------------------------------------------------ */

/* As it is recorded; false if that is not kept. */
static bool read_recorded(struct session *s, const struct relpath *path,
	const struct layer_file *file, struct tx_file *ret_file)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	ret_file->kind = file->kind;
	ret_file->mode = file->executable ? 0755 : 0644;
	return file->kind == TX_ABSENT ||
	       recorded_find_content(s, path, &file->hash, &ret_file->content, &ignored) == 0;
}

static int settle(struct session *s, const struct layer *layer,
	const struct recorded_file *recorded, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file is = TX_FILE_INIT;

	if (relpath_parse(view_of(recorded->path), &path, err) < 0)
		return -1;
	if (!read_recorded(s, &path, &recorded->file, &is))
		return 0;
	if (regenerate_get(s, layer, &path, &before, &after, err) < 0)
		return -1;
	return tx_file_same(&after, &is)
		       ? 0
		       : regenerate_set(s, layer->node, &path, &before, &is, err);
}

/* Does it say already what is recorded? Then nothing has to be read. */
static bool is_settled(const struct layer *layer, const struct recorded_file *recorded)
{
	CLEANUP(freep) char *key = layer_key(view_of(recorded->path));
	const struct yaml_entry *both =
		yaml_find(yaml_get(layer->node, "contents"), view_of(key));
	const struct yaml_node *after = yaml_get(both->value, "after");
	const struct yaml_node *mode = yaml_get(both->value, "after_mode");
	char hex[HASH_HEX_SIZE];

	if (!after || recorded->file.kind == TX_ABSENT)
		return !after && recorded->file.kind == TX_ABSENT;
	hash_to_hex(&recorded->file.hash, hex);
	return view_equal_str(after->text, hex) &&
	       (recorded->file.executable || recorded->file.kind == TX_SYMLINK) ==
		       (mode != NULL);
}

int regenerate_settle(struct session *s, struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;

	if (recorded_collect(&s->state, &recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < recorded.count; i++) {
		const struct recorded_file *file = &recorded.files[i];
		const struct layer *layer = &recorded.layers.list[file->layer];

		if (regenerate_has(layer, view_of(file->path)) && !is_settled(layer, file) &&
			settle(s, layer, file, err) < 0)
			return -1;
	}
	return 0;
}
