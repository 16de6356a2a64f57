#include "engine/replay/restage.h"

#include <stdlib.h>
#include <string.h>

#include "engine/conflict/file_merge.h"
#include "engine/disk/tx_file.h"
#include "engine/operation/custom_apply.h"
#include "engine/package/structured_format.h"
#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/stack/ancestor.h"
#include "engine/stack/file_ops_record.h"
#include "engine/stack/part.h"
#include "engine/state/layer_list.h"
#include "engine/state/record.h"
#include "engine/state/remap.h"
#include "engine/structured/structured.h"
#include "engine/structured/structured_state.h"

/* --- the beginning ------------------------------------------------------------------- */

/* All files that any layer touched; the core may have renamed them since. */
static void find_paths(struct restage *r, const struct layers *layers)
{
	CLEANUP(layer_renames_release) struct layer_renames pairs = remap_pairs(&r->old);

	for (size_t i = 0; i < layers->count; i++)
		layer_add_paths(&layers->list[i], &r->paths);
	string_array_sort_once(&r->paths);
	for (size_t i = 0; i < pairs.from.count; i++) {
		const char *from = pairs.from.list[i], *to = pairs.to.list[i];

		if (string_array_has(&r->paths, from) != string_array_has(&r->paths, to)) {
			string_array_add(&r->paths, from);
			string_array_add(&r->paths, to);
		}
	}
	string_array_sort_once(&r->paths);
}

struct restaging {
	struct session *session;
	const struct layer *old; /* its entry in the old state */
	struct manifest manifest;
	struct pack pack;
	struct yaml_node *record;
	bool told; /* the old entry records its files; an entry of v0.1 does not */
	struct error *err;
};

/* --- file operations of a skill ------------------------------------------------------------------- */

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
			"skill '%s' renames '%s' to '%s', but that path would be in use",
			rs->manifest.skill, from->text, to->text);
	if (transaction_remove(tx, from, rs->err) < 0 ||
		tx_file_stage(rs->session->tx, to, &file, rs->err) < 0)
		return -1;
	return file_ops_record_rename(
		rs->session, rs->manifest.skill, from, to, &file, rs->err);
}

/* As they were done, and not as in the manifest: a person may have decided some. */
static int repeat_ops(struct restaging *rs)
{
	CLEANUP(record_ops_release) struct record_ops done = record_ops(rs->old->node);
	const struct file_op *ops = rs->told ? done.list : rs->manifest.file_ops;
	size_t count = rs->told ? done.count : rs->manifest.file_op_count;

	for (size_t i = 0; i < count; i++) {
		const struct relpath *from = &ops[i].from;

		if (ops[i].type == FILE_OP_RENAME
				? rename_again(rs, from, &ops[i].to) < 0
				: transaction_remove(rs->session->tx, from, rs->err) < 0 ||
					  file_ops_record_delete(rs->session,
						  rs->manifest.skill, from, rs->err) < 0)
			return error_prefix(rs->err, "file operations");
	}
	return 0;
}

/* --- files ----------------------------------------------------------------------------- */

/* The name under which the old entry has the file, or NULL: it was left out then. */
static const struct relpath *find_old(
	struct restaging *rs, const struct relpath *declared, const struct relpath *real)
{
	if (record_has_hashes(rs->old->node, relpath_view(real)))
		return real;
	return record_has_hashes(rs->old->node, relpath_view(declared)) ? declared : NULL;
}

/* The same as in the old entry, where it is `then`, except for the result. */
static void record_as_then(struct restaging *rs, bool added, const struct relpath *then,
	const struct relpath *now, const struct layer_file *made)
{
	struct record_hashes hashes;
	struct record_part part;

	record_hashes(rs->old->node, relpath_view(then), &hashes);
	state_record_file(&rs->session->state, rs->record,
		&(struct file_record){
			.added = added,
			.path = now,
			.base = hashes.has_base ? &hashes.base : NULL,
			.skill = hashes.skill,
			.merged = *made,
		});
	if (record_part(rs->old->node, relpath_view(then), &part))
		record_set_part(rs->record, relpath_view(now), &part);
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
static int put_found(struct restaging *rs, const struct relpath *real)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct layer_file was = {.kind = TX_ABSENT};
	bool kept;

	layer_get(rs->old, relpath_view(real), &was);
	record_as_then(rs, true, real, real, &was);
	record_list_add(rs->record, RECORD_FOUND, relpath_view(real));
	if (was.kind == TX_ABSENT)
		return 0;
	if (recorded_try_find(rs->session, real, &was.hash, &file.content, &kept, rs->err) < 0)
		return -1;
	if (!kept)
		return 0;
	file.kind = was.kind;
	file.mode = was.executable ? 0755 : 0644;
	return tx_file_stage(rs->session->tx, real, &file, rs->err);
}

static int merge_into(
	struct restaging *rs, const struct file_merge *sides, struct layer_file *ret_merged)
{
	CLEANUP(tx_file_release) struct tx_file rebuilt = TX_FILE_INIT;
	struct file_merge with_rebuilt = *sides;

	if (sides->ours->kind == TX_FILE)
		return file_merge(sides, ret_merged, rs->err);
	if (sides->ours->kind != TX_ABSENT)
		return error_set(rs->err, ERROR_FAILED,
			"skill '%s' adds '%s', but that path would be in use",
			rs->manifest.skill, sides->path->text);
	/* If something deleted it, it was restored then. */
	if (sides->ancestor->file.kind != TX_ABSENT &&
		recorded_rebuild(rs->session, sides->path, &rebuilt, rs->err) < 0)
		return -1;
	if (rebuilt.kind != TX_FILE) {
		*ret_merged = layer_file_of_content(sides->theirs, sides->theirs_mode);
		return transaction_put(rs->session->tx, sides->path, sides->theirs,
			sides->theirs_mode, rs->err);
	}
	with_rebuilt.ours = &rebuilt;
	if (tx_file_stage(rs->session->tx, sides->path, &rebuilt, rs->err) < 0)
		return -1;
	return file_merge(&with_rebuilt, ret_merged, rs->err);
}

static int stage_file(struct restaging *rs, const struct pack_entry *entry)
{
	bool added = entry->part == PACK_ADD;
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(ancestor_release) struct ancestor ancestor = ANCESTOR_INIT;
	CLEANUP(relpath_release)
	struct relpath real =
		added ? relpath_copy(&entry->path) : origin_resolve(rs->session, &entry->path);
	const struct relpath *old = find_old(rs, &entry->path, &real);
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
	if (added && record_lists(rs->old->node, RECORD_FOUND, relpath_view(&real)))
		return put_found(rs, &real);
	/* As things are recorded, and not from the package. */
	if (old && part_has(rs->old, relpath_view(old))) {
		if (part_stage(rs->session, rs->old, old, &real, &merged, rs->err) < 0)
			return -1;
		record_as_then(rs, added, old, &real, &merged);
		return 0;
	}
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

/* --- the entry ---------------------------------------------------------------- */

static void restaging_release(struct restaging *rs)
{
	rs->session->layer = NULL;
	rs->session->manifest = NULL;
	pack_release(&rs->pack);
	manifest_release(&rs->manifest);
}

/* Stage a skill again from its pack; `entry` becomes its entry in the state. */
static int restage_skill(
	struct session *s, const struct layer *old, struct yaml_node *entry, struct error *err)
{
	CLEANUP(restaging_release)
	struct restaging rs = {
		.session = s,
		.old = old,
		.manifest = MANIFEST_INIT,
		.pack = PACK_INIT,
		.told = layer_is_complete(old),
		.err = err,
	};
	const struct manifest_paths *both[] = {&rs.manifest.adds, &rs.manifest.modifies};
	static const enum pack_part parts[] = {PACK_ADD, PACK_MODIFY};

	if (origin_load_pack(s, old->name, &rs.pack, err) < 0 ||
		pack_read_manifest(&rs.pack, &rs.manifest, err) < 0)
		return -1;
	if (!rs.manifest.skill) {
		error_set(err, ERROR_INVALID, "the applied files of skill '%s' are not kept",
			old->name);
		return error_hint(err,
			"nothing was changed; 'nanoclaw replay' restores them from "
			"its package, if it still exists");
	}
	rs.record = s->layer = yaml_new_mapping(s->state.doc);
	s->manifest = &rs.manifest;
	if (repeat_ops(&rs) < 0)
		return -1;
	/* In the order of the manifest, in which they were applied. */
	for (size_t i = 0; i < ARRAY_SIZE(both); i++)
		for (size_t j = 0; j < both[i]->count; j++) {
			const struct pack_entry *packed =
				pack_find(&rs.pack, parts[i], &both[i]->list[j].path);

			if (packed && stage_file(&rs, packed) < 0)
				return -1;
		}
	record_take_files(entry, rs.record);
	/* An entry of v0.1 may lack these. */
	if (!rs.told)
		yaml_set_string(entry, "version", rs.manifest.version);
	if (!rs.told && !record_has_declared(entry))
		state_record_declared(entry, &rs.manifest);
	return 0;
}

/* --- a patch --- */

/* Record the file as the patch left it this time. */
static int note_patched(struct session *s, const struct layer *layer, const char *text,
	struct yaml_node *entry, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath here = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct layer_file is;

	if (relpath_parse(view_of(text), &path, err) < 0)
		return -1;
	here = layer_name_at(s->restaged, layer, &path);
	if (transaction_read(s->tx, &here, &file, err) < 0)
		return -1;
	is = layer_file_of(&file);
	layer_set(entry, view_of(text), &is);
	if (file.kind == TX_ABSENT)
		return 0;
	return recorded_keep(s, view_of_buf(&file.content), err);
}

static int fold_structured(struct session *s, struct error *err)
{
	CLEANUP(string_array_release) struct string_array skills = {0};

	for (size_t i = 0; i < s->state.skill_count; i++)
		string_array_add(&skills, s->state.skills[i].name);
	return structured_stage(s, &skills, err);
}

static int add_patch(struct session *s, const struct restage *r, const struct layer *layer,
	struct error *err)
{
	CLEANUP(string_array_release) struct string_array paths = {0};
	CLEANUP(layer_renames_release) struct layer_renames renames = layer_renames(layer);
	struct yaml_node *entry = yaml_copy(s->state.doc, layer->node);
	size_t reported = s->result->file_count;
	bool structured = false;
	struct layer_file file;
	int failed;

	for (size_t i = 0; i < r->paths.count && !structured; i++)
		structured = structured_format_of(r->paths.list[i]) &&
			     layer_get(layer, view_of(r->paths.list[i]), &file);
	/* The person saw the entries of skills in the structured file that they changed. */
	if (structured && fold_structured(s, err) < 0)
		return -1;
	s->layer = entry;
	failed = custom_apply(s, layer, err);
	s->layer = NULL;
	if (failed)
		return error_prefix(err, "patch '%s'", layer->name);
	/* A patch of v0.1 does not record its files: the report has them. */
	if (layer_is_complete(layer))
		layer_add_paths(layer, &paths);
	else
		for (size_t i = reported; i < s->result->file_count; i++) {
			string_array_add(&paths, s->result->files[i].path);
			if (s->result->files[i].from)
				string_array_add(&paths, s->result->files[i].from);
		}
	for (size_t i = 0; i < paths.count; i++)
		if (note_patched(s, layer, paths.list[i], entry, err) < 0)
			return -1;
	/* So that skills find a renamed file by its old name. */
	for (size_t i = 0; i < renames.from.count; i++) {
		CLEANUP(relpath_release) struct relpath old = relpath_of(renames.from.list[i]);
		CLEANUP(relpath_release) struct relpath new = relpath_of(renames.to.list[i]);

		if (!remap_is_ambiguous(&s->state, &old, &new))
			remap_add(&s->state, &old, &new);
	}
	layers_add_again(&s->state, layer, entry);
	return 0;
}

/* --- the whole stack -------------------------------------------------------------------- */

/* Begin with a state without layers and files as in the core; then apply layer by layer. */
static int stage_layers(struct session *s, struct restage *r, struct error *err)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	r->old = s->state;
	s->state = STATE_INIT;
	if (layers_read(&r->old, &layers, err) < 0 ||
		state_from_node(r->old.doc->root, &s->state, err) < 0)
		return -1;
	find_paths(r, &layers);
	layers_drop_all(&s->state);
	remap_reset(&s->state, &layers);
	for (size_t i = 0; i < r->paths.count; i++) {
		CLEANUP(relpath_release) struct relpath path = relpath_of(r->paths.list[i]);
		CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;

		if (session_read_base(s, &path, &base, err) < 0 ||
			tx_file_stage(s->tx, &path, &base, err) < 0)
			return -1;
		if (structured_format_of(path.text))
			yaml_remove(structured_files(&s->state), path.text);
	}
	for (size_t i = 0; i < layers.count; i++) {
		const struct layer *layer = &layers.list[i];
		struct yaml_node *entry;

		if (layer->kind == LAYER_PATCH) {
			if (add_patch(s, r, layer, err) < 0)
				return -1;
			continue;
		}
		entry = layers_copy_skill(s->state.doc, layer);
		if (restage_skill(s, layer, entry, err) < 0)
			return -1;
		state_append(&s->state, entry);
	}
	return fold_structured(s, err);
}

/* Discard the reports of the restage; unresolved conflicts go to `r`. */
static void reset_result(struct operation_result *result, size_t files, size_t warnings,
	size_t conflicts, struct restage *r)
{
	while (result->file_count > files) {
		struct file_result *file = &result->files[--result->file_count];

		free(file->path);
		free(file->from);
		free(file->skill);
	}
	while (result->warning_count > warnings)
		free(result->warnings[--result->warning_count]);
	for (size_t i = conflicts; i < result->conflict_count; i++) {
		struct conflict *conflict = &result->conflicts[i];

		GROW(r->conflicts, r->conflict_count, r->conflict_cap);
		r->conflicts[r->conflict_count++] = (struct restage_conflict){
			xstrdup(conflict->path.text), xstrdup(conflict->skill)};
		conflict_release(conflict);
	}
	result->conflict_count = conflicts;
}

int restage_run(struct session *s, struct restage *r, struct error *err)
{
	const struct operation_options *options = s->options;
	struct operation_options silent = *options;
	struct transaction *tree = s->tx;
	struct operation_result *result = s->result;
	size_t files = result->file_count, warnings = result->warning_count;
	size_t conflicts = result->conflict_count;
	bool drift_left = s->drift_left;
	int failed;

	silent.ancestor_is_base = true; /* it was accepted then */
	silent.resolver = NULL;
	s->options = &silent;
	s->drift_left = false;
	s->restaged = &r->old;
	s->tx = r->result = transaction_new_over(tree);
	failed = stage_layers(s, r, err);
	s->tx = tree;
	s->restaged = NULL;
	s->drift_left = drift_left;
	s->options = options;
	reset_result(result, files, warnings, conflicts, r);
	return failed;
}

void restage_release(struct restage *r)
{
	string_array_release(&r->paths);
	for (size_t i = 0; i < r->conflict_count; i++) {
		free(r->conflicts[i].path);
		free(r->conflicts[i].layer);
	}
	free(r->conflicts);
	if (r->result)
		transaction_free(r->result);
	state_release(&r->old);
}
