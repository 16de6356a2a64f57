/*
 * One skill, staged again from its pack.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/conflict/file_merge.h"
#include "engine/disk/tx_file.h"
#include "engine/package/structured_format.h"
#include "engine/replay/internal.h"
#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/stack/ancestor.h"
#include "engine/stack/file_ops_record.h"
#include "engine/stack/regenerate.h"
#include "engine/state/remap.h"
#include "engine/structured/structured.h"

struct restaging {
	struct session *session;
	const struct layer *old; /* its entry in the old state */
	struct manifest manifest;
	struct pack pack;
	struct yaml_node *record;
	bool told; /* by the old entry, which file it has; else it is of v0.1 */
	struct error *err;
};

static struct view text_of(const struct yaml_node *mapping, const char *key)
{
	const struct yaml_node *node = yaml_get(mapping, key);

	return node && node->kind == YAML_SCALAR ? node->text : view_of("");
}

static bool lists(const struct yaml_node *entry, const char *key, struct view path)
{
	const struct yaml_node *list = yaml_get(entry, key);
	CLEANUP(freep) char *wanted = layer_key(path);

	for (size_t i = 0; list && list->kind == YAML_SEQUENCE && i < list->count; i++)
		if (view_equal_str(list->items[i]->text, wanted))
			return true;
	return false;
}

static void list_path(struct restaging *rs, const char *key, struct view path)
{
	CLEANUP(freep) char *text = layer_key(path);

	yaml_append(yaml_need(rs->record, key, YAML_SEQUENCE),
		yaml_new_string(rs->record->doc, text));
}

/* --- file operations ------------------------------------------------------------------- */

static int rename_again(
	struct restaging *rs, const struct relpath *from, const struct relpath *to)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	struct transaction *tx = rs->session->tx;

	if (relpath_compare(from, to) == 0)
		return 0;
	if (transaction_read(tx, from, &file, rs->err) < 0 ||
		transaction_read(tx, to, &there, rs->err) < 0)
		return -1;
	if (file.kind != TX_FILE && file.kind != TX_SYMLINK)
		return 0;
	if (there.kind != TX_ABSENT)
		return error_set(rs->err, ERROR_FAILED,
			"skill '%s' renames '%s' to '%s', and something would be there",
			rs->manifest.skill, from->text, to->text);
	if (transaction_remove(tx, from, rs->err) < 0 ||
		tx_file_stage(rs->session->tx, to, &file, rs->err) < 0)
		return -1;
	return file_ops_record_rename(
		rs->session, rs->manifest.skill, from, to, &file, rs->err);
}

static int delete_again(struct restaging *rs, const struct relpath *path)
{
	if (transaction_remove(rs->session->tx, path, rs->err) < 0)
		return -1;
	return file_ops_record_delete(rs->session, rs->manifest.skill, path, rs->err);
}

static int do_op(struct restaging *rs, const struct yaml_node *op)
{
	bool is_rename = view_equal_str(text_of(op, "type"), "rename");
	CLEANUP(freep) char *first = layer_path(text_of(op, is_rename ? "from" : "path"));
	CLEANUP(freep) char *second = layer_path(text_of(op, "to"));
	CLEANUP(relpath_release) struct relpath from = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath to = RELPATH_INIT;

	if (relpath_parse(view_of(first), &from, rs->err) < 0 ||
		(is_rename && relpath_parse(view_of(second), &to, rs->err) < 0))
		return -1;
	return is_rename ? rename_again(rs, &from, &to) : delete_again(rs, &from);
}

static int do_declared_ops(struct restaging *rs)
{
	for (size_t i = 0; i < rs->manifest.file_op_count; i++) {
		const struct file_op *op = &rs->manifest.file_ops[i];

		if ((op->type == FILE_OP_RENAME ? rename_again(rs, &op->from, &op->to)
						: delete_again(rs, &op->from)) < 0)
			return -1;
	}
	return 0;
}

/* As they were done, and not as the manifest has them: some were decided. */
static int do_ops(struct restaging *rs)
{
	const struct yaml_node *ops = yaml_get(rs->old->node, "file_ops");

	if (!rs->told)
		return do_declared_ops(rs);

	for (size_t i = 0; ops && ops->kind == YAML_SEQUENCE && i < ops->count; i++)
		if (do_op(rs, ops->items[i]) < 0)
			return error_prefix(rs->err, "file operations");
	return 0;
}

/* --- files ----------------------------------------------------------------------------- */

/* The name under which the old entry has the file, or NULL: it was left out then. */
static const struct yaml_entry *find_old(
	struct restaging *rs, const struct relpath *declared, const struct relpath *real)
{
	const struct relpath *names[] = {real, declared};
	const struct yaml_node *hashes = yaml_get(rs->old->node, "hashes");

	for (size_t i = 0; hashes && i < ARRAY_SIZE(names); i++) {
		CLEANUP(freep) char *key = layer_key(relpath_view(names[i]));
		const struct yaml_entry *entry = yaml_find(hashes, view_of(key));

		if (entry)
			return entry;
	}
	return NULL;
}

/* What the file was before and after, where that is known. */
static void copy_contents(struct restaging *rs, struct view then, struct view now)
{
	const struct yaml_node *contents = yaml_get(rs->old->node, "contents");
	const struct yaml_entry *both =
		contents && contents->kind == YAML_MAPPING ? yaml_find(contents, then) : NULL;

	if (both)
		yaml_set_view(yaml_need(rs->record, "contents", YAML_MAPPING), now,
			yaml_copy(rs->record->doc, both->value));
}

static void copy_file(struct restaging *rs, bool added, const struct yaml_entry *entry)
{
	CLEANUP(freep) char *path = layer_path(entry->key);
	struct layer_file file;

	list_path(rs, added ? "files_added" : "files_modified", view_of(path));
	yaml_set_view(yaml_need(rs->record, "hashes", YAML_MAPPING), entry->key,
		yaml_copy(rs->record->doc, entry->value));
	if (layer_get(rs->old, view_of(path), &file))
		layer_set(rs->record, view_of(path), &file);
	if (lists(rs->old->node, "files_found", view_of(path)))
		list_path(rs, "files_found", view_of(path));
	copy_contents(rs, entry->key, entry->key);
}

static void record(struct restaging *rs, bool added, const struct file_merge *sides,
	const struct layer_file *merged)
{
	const struct tx_file *ancestor = &sides->ancestor->file;
	struct hash base = hash_of(view_of_buf(&ancestor->content));

	state_record_file(&rs->session->state, rs->record,
		&(struct file_record){
			.added = added,
			.path = sides->path,
			.base = ancestor->kind == TX_FILE ? &base : NULL,
			.skill = hash_of(sides->theirs),
			.merged = *merged,
		});
}

/* A file that was the person's before: as it was with the skill. */
static int put_found(
	struct restaging *rs, const struct relpath *real, const struct yaml_entry *entry)
{
	CLEANUP(freep) char *path = layer_path(entry->key);
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct layer_file was;

	copy_file(rs, true, entry);
	if (!layer_get(rs->old, view_of(path), &was) || was.kind == TX_ABSENT)
		return 0;
	if (recorded_find_content(rs->session, real, &was.hash, &file.content, rs->err) < 0) {
		error_clear(rs->err);
		return 0;
	}
	file.kind = was.kind;
	file.mode = was.executable ? 0755 : 0644;
	return tx_file_stage(rs->session->tx, real, &file, rs->err);
}

static int put_theirs(
	struct restaging *rs, const struct file_merge *sides, struct layer_file *ret_merged)
{
	*ret_merged = layer_file_of_content(sides->theirs, sides->theirs_mode);
	return transaction_put(
		rs->session->tx, sides->path, sides->theirs, sides->theirs_mode, rs->err);
}

/* Something deleted it, and it was brought back then. */
static int restore(
	struct restaging *rs, const struct file_merge *sides, struct layer_file *ret_merged)
{
	CLEANUP(tx_file_release) struct tx_file rebuilt = TX_FILE_INIT;
	struct file_merge with_rebuilt = *sides;

	if (origin_rebuild(rs->session, sides->path, &rebuilt, rs->err) < 0)
		return -1;
	if (rebuilt.kind != TX_FILE)
		return put_theirs(rs, sides, ret_merged);
	with_rebuilt.ours = &rebuilt;
	if (tx_file_stage(rs->session->tx, sides->path, &rebuilt, rs->err) < 0)
		return -1;
	return file_merge(&with_rebuilt, ret_merged, rs->err);
}

static int merge_into(
	struct restaging *rs, const struct file_merge *sides, struct layer_file *ret_merged)
{
	const struct tx_file *ours = sides->ours;

	if (ours->kind == TX_FILE)
		return file_merge(sides, ret_merged, rs->err);
	if (ours->kind != TX_ABSENT)
		return error_set(rs->err, ERROR_FAILED,
			"skill '%s' has a file '%s', and something else would be there",
			rs->manifest.skill, sides->path->text);
	if (sides->ancestor->file.kind == TX_ABSENT)
		return put_theirs(rs, sides, ret_merged);
	return restore(rs, sides, ret_merged);
}

static bool is_regenerated(const struct restaging *rs, const struct yaml_entry *old)
{
	CLEANUP(freep) char *path = layer_path(old->key);

	return regenerate_has(rs->old, view_of(path));
}

/* As things are recorded, and not from the package. */
static int stage_regenerated(struct restaging *rs, bool added, const struct relpath *real,
	const struct yaml_entry *old)
{
	CLEANUP(freep) char *text = layer_path(old->key);
	CLEANUP(freep) char *key = layer_key(relpath_view(real));
	CLEANUP(relpath_release) struct relpath then = RELPATH_INIT;
	struct yaml_node *three = yaml_copy(rs->record->doc, old->value);
	struct layer_file made;
	char hex[HASH_HEX_SIZE];

	if (relpath_parse(view_of(text), &then, rs->err) < 0 ||
		regenerate_stage(rs->session, rs->old, &then, real, &made, rs->err) < 0)
		return -1;
	list_path(rs, added ? "files_added" : "files_modified", relpath_view(real));
	hash_to_hex(&made.hash, hex);
	if (made.kind != TX_ABSENT)
		yaml_set_string(three, "merged", hex);
	yaml_set(yaml_need(rs->record, "hashes", YAML_MAPPING), key, three);
	layer_set(rs->record, relpath_view(real), &made);
	copy_contents(rs, old->key, view_of(key));
	return 0;
}

static int stage_file(struct restaging *rs, const struct pack_entry *entry)
{
	bool added = entry->part == PACK_ADD;
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(ancestor_release) struct ancestor ancestor = ANCESTOR_INIT;
	CLEANUP(relpath_release)
	struct relpath real =
		added ? relpath_copy(&entry->path) : session_resolve(rs->session, &entry->path);
	const struct yaml_entry *old = find_old(rs, &entry->path, &real);
	struct pack none = PACK_INIT;
	struct file_merge sides = {
		.session = rs->session,
		.skill = rs->manifest.skill,
		.version = rs->manifest.version,
		.path = &real,
		.ours = &ours,
		.ancestor = &ancestor,
		.theirs = pack_content(&rs->pack, entry),
		.theirs_mode = entry->mode,
	};
	struct layer_file merged;

	if (!old && rs->told)
		return 0;
	if (added && lists(rs->old->node, "files_found", relpath_view(&real)))
		return put_found(rs, &real, old);
	if (old && is_regenerated(rs, old))
		return stage_regenerated(rs, added, &real, old);
	if (!added && (ancestor_find(rs->session, &rs->manifest, &none, &entry->path,
			       sides.theirs, &ancestor, rs->err) < 0 ||
			      structured_unfold(rs->session, &real, rs->err) < 0))
		return -1;
	if (transaction_read(rs->session->tx, &real, &ours, rs->err) < 0 ||
		merge_into(rs, &sides, &merged) < 0)
		return -1;
	record(rs, added, &sides, &merged);
	return 0;
}

/* In the order of the manifest, in which they were applied. */
static int stage_files(struct restaging *rs)
{
	const struct manifest_paths *both[] = {&rs->manifest.adds, &rs->manifest.modifies};
	static const enum pack_part parts[] = {PACK_ADD, PACK_MODIFY};

	for (size_t i = 0; i < ARRAY_SIZE(both); i++)
		for (size_t j = 0; j < both[i]->count; j++) {
			const struct pack_entry *entry =
				pack_find(&rs->pack, parts[i], &both[i]->list[j].path);

			if (entry && stage_file(rs, entry) < 0)
				return -1;
		}
	return 0;
}

/* --- the rest of the entry ---------------------------------------------------------------- */

static void fill_entry(struct restaging *rs, struct yaml_node *entry)
{
	static const struct {
		const char *key;
		enum yaml_kind kind;
	} always[] = {
		{"file_hashes", YAML_MAPPING},
		{"files_added", YAML_SEQUENCE},
		{"files_modified", YAML_SEQUENCE},
		{"hashes", YAML_MAPPING},
		{"modes", YAML_MAPPING},
	};
	static const char *const where_needed[] = {
		"contents", "file_ops", "files_deleted", "files_found", "renames"};

	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		yaml_set(entry, always[i].key,
			yaml_need(rs->record, always[i].key, always[i].kind));
	for (size_t i = 0; i < ARRAY_SIZE(where_needed); i++) {
		struct yaml_node *value = yaml_get(rs->record, where_needed[i]);

		yaml_remove(entry, where_needed[i]);
		if (value)
			yaml_set(entry, where_needed[i], value);
	}
}

/* What else an entry of v0.1 may do without. */
static void fill_missing(struct restaging *rs, struct yaml_node *entry)
{
	yaml_set_string(entry, "version", rs->manifest.version);
	if (!yaml_get(entry, "structured_outcomes"))
		state_record_declared(entry, &rs->manifest);
}

static int load(struct restaging *rs)
{
	if (origin_load_pack(rs->session, rs->old->name, &rs->pack, rs->err) < 0 ||
		pack_read_manifest(&rs->pack, &rs->manifest, rs->err) < 0)
		return -1;
	if (rs->manifest.skill)
		return 0;
	error_set(rs->err, ERROR_INVALID,
		"the files of skill '%s', as it was applied, are not kept", rs->old->name);
	return error_hint(rs->err, "nothing was changed; 'nanoclaw replay' takes them from its "
				   "package, if that is still there");
}

int restage_skill(
	struct session *s, const struct layer *old, struct yaml_node *entry, struct error *err)
{
	struct restaging rs = {
		.session = s,
		.old = old,
		.manifest = MANIFEST_INIT,
		.pack = PACK_INIT,
		.err = err,
	};
	int failed = load(&rs) < 0;

	rs.told = yaml_get(old->node, "hashes");
	if (!failed) {
		rs.record = s->layer = yaml_new_mapping(s->state.doc);
		s->manifest = &rs.manifest;
		failed = do_ops(&rs) < 0 || stage_files(&rs) < 0;
	}
	s->layer = NULL;
	s->manifest = NULL;
	if (!failed) {
		fill_entry(&rs, entry);
		if (!rs.told)
			fill_missing(&rs, entry);
	}
	pack_release(&rs.pack);
	manifest_release(&rs.manifest);
	return failed ? -1 : 0;
}
