#include "engine/stack/custom_rewrite.h"

#include <string.h>

#include "engine/patch/patch.h"
#include "engine/stack/custom.h"

struct rewriting {
	struct session *session;
	const struct layer *layer;
	struct patch patch; /* as it is */
	struct error *err;
};

static int read_patch(struct rewriting *r, struct relpath *ret_path)
{
	const struct yaml_node *file = yaml_get(r->layer->node, "patch_file");
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;

	if (!file || relpath_parse(file->text, ret_path, r->err) < 0 ||
		transaction_read(r->session->tx, ret_path, &text, r->err) < 0)
		return -1;
	if (text.kind != TX_FILE)
		return error_set(
			r->err, ERROR_INVALID, "the patch '%s' is gone", ret_path->text);
	return patch_parse(view_of_buf(&text.content), ret_path->text, &r->patch, r->err);
}

/* --- its files ------------------------------------------------------------------------- */

static enum tx_kind kind_of(const struct patch_end *end)
{
	return end->kind == PATCH_ABSENT    ? TX_ABSENT
	       : end->kind == PATCH_SYMLINK ? TX_SYMLINK
					    : TX_FILE;
}

/* What one side of the patch is under a path; NULL: it does not say. */
static const struct patch_end *find_end(
	const struct patch *patch, const struct relpath *path, bool old)
{
	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_end *end =
			old ? &patch->changes[i].old : &patch->changes[i].new;

		if (end->kind != PATCH_ABSENT && relpath_compare(&end->path, path) == 0)
			return end;
	}
	return NULL;
}

static int read_side(struct rewriting *r, const struct relpath *path,
	const struct yaml_node *both, bool old, struct tx_file *ret_file)
{
	const struct yaml_node *hex = yaml_get(both, old ? "before" : "after");
	const struct patch_end *end = find_end(&r->patch, path, old);
	struct hash hash;

	if (!hex)
		return 0;
	ret_file->kind = end ? kind_of(end) : TX_FILE;
	ret_file->mode = end && end->executable ? 0755 : 0644;
	if (hash_from_hex(hex->text, &hash, r->err) < 0)
		return -1;
	return recorded_find_content(r->session, path, &hash, &ret_file->content, r->err);
}

static void copy(const struct tx_file *from, struct tx_file *to)
{
	buf_append(&to->content, from->content.data, from->content.len);
	to->kind = from->kind;
	to->mode = from->mode;
}

/* All files of the patch but the one that is given anew. */
static int collect_others(
	struct rewriting *r, const struct relpath *path, struct custom_changes *changes)
{
	const struct yaml_node *contents = yaml_get(r->layer->node, "contents");

	for (size_t i = 0; i < contents->count; i++) {
		CLEANUP(freep) char *text = layer_path(contents->entries[i].key);
		CLEANUP(relpath_release) struct relpath then = RELPATH_INIT;
		CLEANUP(relpath_release) struct relpath now = RELPATH_INIT;
		struct custom_change *change;

		if (relpath_parse(view_of(text), &then, r->err) < 0)
			return -1;
		now = session_resolve(r->session, &then);
		if (relpath_compare(&now, path) == 0 || relpath_compare(&then, path) == 0)
			continue;
		GROW(changes->list, changes->count, changes->cap);
		change = &changes->list[changes->count++];
		*change =
			(struct custom_change){relpath_copy(&then), TX_FILE_INIT, TX_FILE_INIT};
		if (read_side(r, &then, contents->entries[i].value, true, &change->before) <
				0 ||
			read_side(r, &then, contents->entries[i].value, false, &change->after) <
				0)
			return -1;
	}
	return 0;
}

static void add_given(struct custom_changes *changes, const struct relpath *path,
	const struct tx_file *before, const struct tx_file *after)
{
	struct custom_change *change;

	GROW(changes->list, changes->count, changes->cap);
	change = &changes->list[changes->count++];
	*change = (struct custom_change){relpath_copy(path), TX_FILE_INIT, TX_FILE_INIT};
	copy(before, &change->before);
	copy(after, &change->after);
}

/* --- its entry -------------------------------------------------------------------- */

static void set_content(struct yaml_node *mapping, const char *key, const struct tx_file *file)
{
	struct hash hash = hash_of(view_of_buf(&file->content));
	char hex[HASH_HEX_SIZE];

	if (file->kind == TX_ABSENT)
		return;
	hash_to_hex(&hash, hex);
	yaml_set_string(mapping, key, hex);
}

static void set_entry(
	struct yaml_node *entry, const struct custom_changes *changes, struct view text)
{
	struct yaml_node *contents = yaml_new_mapping(entry->doc);
	struct hash hash = hash_of(text);
	char hex[HASH_HEX_SIZE];

	hash_to_hex(&hash, hex);
	yaml_set_string(entry, "patch_hash", hex);
	for (size_t i = 0; i < changes->count; i++) {
		const struct custom_change *c = &changes->list[i];
		CLEANUP(freep) char *key = layer_key(relpath_view(&c->path));
		struct yaml_node *both = yaml_new_mapping(entry->doc);

		set_content(both, "before", &c->before);
		set_content(both, "after", &c->after);
		yaml_set(contents, key, both);
	}
	yaml_set(entry, "contents", contents);
}

static int keep(struct session *s, const struct tx_file *file, struct error *err)
{
	return file->kind == TX_ABSENT ? 0 : recorded_keep(s, view_of_buf(&file->content), err);
}

static void take_out(struct yaml_node *list, const struct yaml_node *entry)
{
	size_t kept = 0;

	if (!list || list->kind != YAML_SEQUENCE)
		return;
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i] != entry)
			list->items[kept++] = list->items[i];
	list->count = kept;
}

/* Nothing of it is left: the entry goes, and its file stays in its folder. */
static int give_up(struct rewriting *r)
{
	struct state *state = &r->session->state;

	take_out(yaml_get(state->doc->root, "custom_modifications"), r->layer->node);
	for (size_t i = 0; i < state->skill_count; i++)
		if (state->skills[i].node->kind == YAML_MAPPING)
			take_out(yaml_get(state->skills[i].node, "custom_patches"),
				r->layer->node);
	session_warn(r->session,
		"nothing is left of custom patch '%s': it is not recorded any more; its file "
		"stays in '" CUSTOM_FOLDER "'",
		r->layer->name);
	return 0;
}

static int rewrite(struct rewriting *r, const struct relpath *path,
	const struct tx_file *before, const struct tx_file *after)
{
	CLEANUP(custom_changes_release) struct custom_changes changes = CUSTOM_CHANGES_INIT;
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(relpath_release) struct relpath file = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct layer_file x = layer_file_of(before), y = layer_file_of(after);

	if (read_patch(r, &file) < 0 || collect_others(r, path, &changes) < 0)
		return -1;
	if (!layer_file_equal(&x, &y))
		add_given(&changes, path, before, after);
	if (!changes.count)
		return give_up(r);
	custom_changes_sort(&changes);
	if (custom_make_patch(&changes, &patch, r->err) < 0 ||
		patch_find_renames(&patch, r->err) < 0 ||
		patch_write(&patch, &text, r->err) < 0 ||
		keep(r->session, before, r->err) < 0 || keep(r->session, after, r->err) < 0 ||
		transaction_put(r->session->tx, &file, view_of_buf(&text), 0644, r->err) < 0)
		return -1;
	set_entry(r->layer->node, &changes, view_of_buf(&text));
	return 0;
}

int custom_rewrite(struct session *s, const struct layer *patch, const struct relpath *path,
	const struct tx_file *before, const struct tx_file *after, struct error *err)
{
	struct rewriting r = {s, patch, PATCH_INIT, err};
	int failed;

	if (!yaml_get(patch->node, "contents") || !yaml_get(patch->node, "patch_file"))
		return 0;
	failed = rewrite(&r, path, before, after);
	patch_release(&r.patch);
	return failed ? error_prefix(err, "patch '%s'", patch->name) : 0;
}
