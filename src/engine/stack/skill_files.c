#include "engine/stack/skill_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "engine/conflict/file_merge.h"
#include "engine/disk/project.h"
#include "engine/package/pack.h"
#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/stack/ancestor.h"
#include "engine/stack/file_ops.h"
#include "engine/stack/skill_record.h"
#include "engine/state/layer.h"
#include "engine/state/record.h"
#include "engine/structured/structured.h"
#include "fs/beneath.h"

/* One skill on its way into the tree. */
struct staging {
	struct session *session;
	const struct package *package;
	const struct manifest *manifest;
	struct pack old;  /* the applied version, if there is one */
	struct pack pack; /* this version, to be kept */
	struct skill_record record;
	struct error *err;
};

static struct file_merge merge_of(struct staging *st, const struct relpath *path,
	const struct tx_file *ours, const struct ancestor *ancestor)
{
	return (struct file_merge){
		.session = st->session,
		.skill = st->manifest->skill,
		.version = st->manifest->version,
		.path = path,
		.ours = ours,
		.ancestor = ancestor,
	};
}

/* --- one file ------------------------------------------------------------------- */

static int record_merged(struct staging *st, bool added, const struct file_merge *sides,
	const struct layer_file *merged)
{
	CLEANUP(tx_file_release)
	struct tx_file want = {
		.kind = TX_FILE,
		.mode = sides->theirs_mode,
		.content = BUF_INIT,
	};

	buf_append(&want.content, sides->theirs.data, sides->theirs.len);
	return skill_record_file(&st->record, added, sides->path, &sides->ancestor->file, &want,
		merged, st->err);
}

static int in_the_way(
	const char *skill, const struct relpath *path, enum tx_kind kind, struct error *err)
{
	static const char *const names[] = {
		[TX_SYMLINK] = "a symbolic link",
		[TX_FOLDER] = "a folder",
		[TX_OTHER] = "something that is not a file",
	};
	CLEANUP(freep) char *shown = relpath_quote(path);

	error_set(err, ERROR_INVALID, "skill '%s' needs a file at %s, but %s is there", skill,
		shown, names[kind]);
	return error_hint(err, "move it away first");
}

/* "You deleted", or who else did. */
static int tell_who_deleted(struct staging *st, const struct relpath *path, char **ret_text)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	const struct recorded_file *file;
	const struct layer *layer;

	if (recorded_collect(&st->session->state, &recorded, st->err) < 0)
		return -1;
	file = recorded_find(&recorded, relpath_view(path));
	if (!file || file->file.kind != TX_ABSENT) {
		*ret_text = xstrdup("You");
		return 0;
	}
	layer = &recorded.layers.list[file->layer];
	*ret_text =
		xasprintf(layer->kind == LAYER_SKILL ? "Skill '%s'" : "Your custom patch '%s'",
			layer->name);
	return 0;
}

/* A deleted file: restore it, or leave it out. */
static int ask_deleted(struct staging *st, const struct relpath *path, bool *ret_restore)
{
	static const char *const choices[] = {
		"restore it, with the skill's changes",
		"leave it deleted, without the skill's changes",
	};
	const struct ask *ask = &st->session->options->ask;
	struct update_result *update = st->session->result->update;
	CLEANUP(freep) char *who = NULL;
	CLEANUP(freep) char *question = NULL;
	int answer;

	/* A migration preserves existing files; it does not restore deleted ones. */
	*ret_restore = false;
	if (session_is_migration(st->session, st->manifest->skill))
		return 0;
	/* An update of the core asks no questions, and deleted files stay deleted. */
	if (update && !string_array_has(&update->kept_deleted, path->text))
		string_array_add(&update->kept_deleted, path->text);
	if (update)
		return 0;
	if (tell_who_deleted(st, path, &who) < 0)
		return -1;
	question = xasprintf("%s deleted '%s', and skill '%s' changes it.", who, path->text,
		st->manifest->skill);
	answer = ask->choose(ask->data, question, choices, ARRAY_SIZE(choices), 0, st->err);
	*ret_restore = answer == 0;
	return answer < 0 ? -1 : 0;
}

static int put_new(struct staging *st, const struct relpath *path, struct view content,
	mode_t mode, struct layer_file *ret_merged)
{
	*ret_merged = layer_file_of_content(content, mode);
	session_note_file(st->session, path, st->manifest->skill, OUTCOME_ADDED);
	return transaction_put(st->session->tx, path, content, mode, st->err);
}

/* Restore a deleted file as it would be without the deletion, then merge as usual. */
static int restore_deleted(struct staging *st, const struct relpath *path,
	const struct file_merge *sides, struct layer_file *ret_merged)
{
	CLEANUP(tx_file_release) struct tx_file rebuilt = TX_FILE_INIT;
	struct file_merge with_rebuilt = *sides;
	struct operation_result *result = st->session->result;

	if (recorded_rebuild(st->session, path, &rebuilt, st->err) < 0)
		return -1;
	if (rebuilt.kind != TX_FILE)
		return put_new(st, path, sides->theirs, sides->theirs_mode, ret_merged);
	with_rebuilt.ours = &rebuilt;
	if (transaction_put(st->session->tx, path, view_of_buf(&rebuilt.content), rebuilt.mode,
		    st->err) < 0 ||
		file_merge(&with_rebuilt, ret_merged, st->err) < 0)
		return -1;
	if (result->files[result->file_count - 1].outcome != OUTCOME_CONFLICT)
		result->files[result->file_count - 1].outcome = OUTCOME_RESTORED;
	return 0;
}

/* Would the skill claim a file of the core, or of another skill, as its own? */
static int check_collision(struct staging *st, const struct relpath *path,
	const struct tx_file *base, struct view theirs)
{
	const struct applied_skill *adder = state_adder_of(&st->session->state, path);
	CLEANUP(relpath_release) struct relpath real = origin_resolve(st->session, path);

	/* The file that used to have this name was renamed. */
	if (relpath_compare(&real, path) != 0)
		return 0;
	if (base->kind != TX_ABSENT) {
		error_set(st->err, ERROR_INVALID,
			"skill '%s' adds '%s', which is a file of the core",
			st->manifest->skill, path->text);
		if (!st->session->found_state &&
			view_equal(theirs, view_of_buf(&base->content)))
			return error_hint(
				st->err, "if the skill was made from it: " CORE_WITHOUT_CHANGE);
		return error_hint(st->err, "its author should list it under 'modifies'");
	}
	if (adder && strcmp(adder->name, st->manifest->skill))
		return error_set(st->err, ERROR_INVALID,
			"skill '%s' adds '%s', which skill '%s' has added", st->manifest->skill,
			path->text, adder->name);
	return 0;
}

/* Two names in the package may lead to one file now. */
static int check_once(
	struct staging *st, const struct relpath *path, const struct relpath *real)
{
	if (!record_has_hashes(st->record.entry, relpath_view(real)))
		return 0;
	return error_set(st->err, ERROR_INVALID,
		"skill '%s' has two versions of one file: '%s' is now '%s', which it also has",
		st->manifest->skill, path->text, real->text);
}

static void take_old_version(
	struct staging *st, const struct pack_entry *old, struct ancestor *ancestor)
{
	pack_read_file(&st->old, old, &ancestor->file);
	ancestor->label = xstrdup("the version before");
}

/* --- files that were there before ------------------------------------------------------ */

/* Was it there before the version that is applied? */
static bool was_found(const struct staging *st, const struct relpath *real)
{
	const struct applied_skill *applied =
		state_find(&st->session->state, st->manifest->skill);

	return applied && record_lists(applied->node, RECORD_FOUND, relpath_view(real));
}

/* Merge the package's file with the one in the tree, if there is one. */
static int merge_into_tree(struct staging *st, struct file_merge *sides, bool *ret_recorded,
	struct layer_file *ret_merged)
{
	if (sides->ours->kind == TX_ABSENT) {
		/* Nothing is in the tree. `*ret_recorded`: record the file. */
		*ret_recorded = true;
		if (sides->ancestor->file.kind == TX_ABSENT)
			return put_new(
				st, sides->path, sides->theirs, sides->theirs_mode, ret_merged);
		if (ask_deleted(st, sides->path, ret_recorded) < 0)
			return -1;
		if (*ret_recorded)
			return restore_deleted(st, sides->path, sides, ret_merged);
		session_note_file(st->session, sides->path, st->manifest->skill, OUTCOME_KEPT);
		return 0;
	}
	if (sides->ours->kind != TX_FILE)
		return in_the_way(st->manifest->skill, sides->path, sides->ours->kind, st->err);
	return file_merge(sides, ret_merged, st->err);
}

static int stage_add(struct staging *st, const struct relpath *path)
{
	CLEANUP(buf_release) struct buf theirs = BUF_INIT;
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(ancestor_release) struct ancestor ancestor = ANCESTOR_INIT;
	/* A file that an earlier version has added may have another name now. */
	CLEANUP(relpath_release)
	struct relpath real = pack_find(&st->old, PACK_ADD, path)
				      ? origin_resolve(st->session, path)
				      : relpath_copy(path);
	const struct pack_entry *old =
		origin_find_entry(st->session, &st->old, PACK_ADD, &real);
	struct file_merge sides = merge_of(st, &real, &ours, &ancestor);
	bool recorded = true;
	struct layer_file merged;

	if (package_read_add(st->package, path, &theirs, &sides.theirs_mode, st->err) < 0 ||
		check_once(st, path, &real) < 0 ||
		session_read_base(st->session, &real, &base, st->err) < 0 ||
		(!old && check_collision(st, &real, &base, view_of_buf(&theirs)) < 0) ||
		structured_unfold(st->session, &real, st->err) < 0 ||
		transaction_read(st->session->tx, &real, &ours, st->err) < 0)
		return -1;
	sides.theirs = view_of_buf(&theirs);
	pack_add(&st->pack, PACK_ADD, path, sides.theirs_mode, sides.theirs);
	if (old)
		take_old_version(st, old, &ancestor);
	if (merge_into_tree(st, &sides, &recorded, &merged) < 0)
		return -1;
	if (!old ? ours.kind == TX_FILE : was_found(st, &real))
		record_list_add(st->record.entry, RECORD_FOUND, relpath_view(&real));
	return recorded ? record_merged(st, true, &sides, &merged) : 0;
}

static int stage_modify(struct staging *st, const struct relpath *path)
{
	CLEANUP(buf_release) struct buf theirs = BUF_INIT;
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(ancestor_release) struct ancestor ancestor = ANCESTOR_INIT;
	CLEANUP(relpath_release) struct relpath real = origin_resolve(st->session, path);
	struct file_merge sides = merge_of(st, &real, &ours, &ancestor);
	bool recorded = true;
	struct layer_file merged;

	if (package_read_modify(st->package, path, &theirs, &sides.theirs_mode, st->err) < 0 ||
		check_once(st, path, &real) < 0)
		return -1;
	sides.theirs = view_of_buf(&theirs);
	pack_add(&st->pack, PACK_MODIFY, path, sides.theirs_mode, sides.theirs);
	if (ancestor_find(st->session, st->manifest, &st->old, path, sides.theirs, &ancestor,
		    st->err) < 0 ||
		structured_unfold(st->session, &real, st->err) < 0 ||
		transaction_read(st->session->tx, &real, &ours, st->err) < 0)
		return -1;
	if (ancestor.file.kind != TX_FILE && ancestor.file.kind != TX_ABSENT)
		return in_the_way(st->manifest->skill, &real, ancestor.file.kind, st->err);
	if (ours.kind == TX_ABSENT && ancestor.file.kind == TX_ABSENT)
		session_warn(st->session,
			"skill '%s' changes '%s', which does not exist; it is added",
			st->manifest->skill, real.text);
	if (merge_into_tree(st, &sides, &recorded, &merged) < 0)
		return -1;
	return recorded ? record_merged(st, false, &sides, &merged) : 0;
}

/* --- files that only the earlier version has ---------------------------------------- */

static int drop_added(
	struct staging *st, const struct pack_entry *entry, const struct relpath *real)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	const struct layer_file gone = {.kind = TX_ABSENT};
	bool patched;
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	struct layer_file file;

	if (structured_unfold(st->session, real, st->err) < 0 ||
		transaction_read(st->session->tx, real, &ours, st->err) < 0)
		return -1;
	/* Has the person recorded it as a change of theirs? */
	patched = false;
	if (layers_read(&st->session->state, &layers, st->err) < 0)
		return -1;
	for (size_t i = 0; i < layers.count; i++)
		patched |= layers.list[i].kind == LAYER_PATCH &&
			   layer_get(&layers.list[i], relpath_view(real), &file) &&
			   file.kind != TX_ABSENT;
	if (ours.kind == TX_ABSENT)
		return 0;
	if (ours.kind != TX_FILE || was_found(st, real) || patched ||
		!view_equal(view_of_buf(&ours.content), pack_content(&st->old, entry))) {
		session_warn(st->session,
			"'%s' is no longer part of '%s', but it is also yours; it stays",
			real->text, st->manifest->skill);
		session_note_file(st->session, real, st->manifest->skill, OUTCOME_KEPT);
		return 0;
	}
	session_note_file(st->session, real, st->manifest->skill, OUTCOME_REMOVED);
	if (transaction_remove(st->session->tx, real, st->err) < 0 ||
		session_prune_above(st->session, real, st->err) < 0)
		return -1;
	return skill_record_dropped(&st->record, real, &gone, st->err);
}

/*
 * The file as it should be without this skill; `*ret_counts` is false if a layer above it has
 * the file.
 */
static int find_below(struct staging *st, const struct relpath *real,
	const struct tx_file *origin, struct layer_file *ret_file, bool *ret_counts)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	bool below = false;

	if (layers_read(&st->session->state, &layers, st->err) < 0)
		return -1;
	*ret_counts = true;
	for (size_t i = layers.count; i > 0; i--) {
		const struct layer *layer = &layers.list[i - 1];

		if (layer->kind == LAYER_SKILL && !strcmp(layer->name, st->manifest->skill)) {
			below = true;
		} else if (layer_get(layer, relpath_view(real), ret_file)) {
			*ret_counts = below;
			return 0;
		}
	}
	*ret_file = layer_file_of(origin);
	return 0;
}

/* Remove the changes of the previous version: merge back to the file that it changed. */
static int drop_modified(
	struct staging *st, const struct pack_entry *entry, const struct relpath *real)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(ancestor_release) struct ancestor ancestor = ANCESTOR_INIT;
	struct file_merge sides = merge_of(st, real, &ours, &ancestor);
	struct layer_file merged;
	struct layer_file below;
	bool counts;

	if (origin_read(st->session, real, &base, st->err) < 0 ||
		structured_unfold(st->session, real, st->err) < 0 ||
		transaction_read(st->session->tx, real, &ours, st->err) < 0)
		return -1;
	if (ours.kind != TX_FILE || base.kind != TX_FILE)
		return 0;
	take_old_version(st, entry, &ancestor);
	sides.theirs = view_of_buf(&base.content);
	sides.theirs_mode = base.mode;
	/* In no pack, and the base may have it under another name. */
	if (file_merge(&sides, &merged, st->err) < 0 ||
		recorded_keep(st->session, sides.theirs, st->err) < 0)
		return -1;
	/*
	 * A resolution that included the skill's changes stays recorded without them.
	 */
	if (find_below(st, real, &base, &below, &counts) < 0)
		return -1;
	if (counts && !layer_file_equal(&below, &merged))
		layer_set(st->record.entry, relpath_view(real), &merged);
	return skill_record_dropped(&st->record, real, &merged, st->err);
}

/* --- before anything is written ------------------------------------------------------- */

int skill_files_check(struct session *s, const struct manifest *manifest, struct error *err)
{
	const struct manifest_paths *both[] = {&manifest->adds, &manifest->modifies};
	bool is_update = state_find(&s->state, manifest->skill);

	s->manifest = manifest;
	for (size_t i = 0; i < ARRAY_SIZE(both); i++)
		for (size_t j = 0; j < both[i]->count; j++) {
			const struct relpath *path = &both[i]->list[j].path;
			bool resolve = is_update || both[i] == &manifest->modifies;
			CLEANUP(relpath_release)
			struct relpath real =
				resolve ? origin_resolve(s, path) : relpath_copy(path);
			enum tx_kind kind;

			if (transaction_look(s->project, &real, &kind, err) < 0)
				return -1;
			if (kind != TX_ABSENT && kind != TX_FILE)
				return in_the_way(manifest->skill, &real, kind, err);
		}
	return 0;
}

size_t skill_files_size(const struct package *package)
{
	const struct manifest_paths *both[] = {
		&package->manifest.adds, &package->manifest.modifies};
	static const char *const folders[] = {"add", "modify"};
	size_t total = 0;

	for (size_t i = 0; i < ARRAY_SIZE(both); i++)
		for (size_t j = 0; j < both[i]->count; j++) {
			CLEANUP(freep)
			char *name = xasprintf("%s/%s", folders[i], both[i]->list[j].path.text);
			struct stat st;

			if (fstatat(package->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
				total += (size_t)st.st_size;
		}
	return total;
}

/* --- the skill ----------------------------------------------------------------------- */

static int stage_files(struct staging *st)
{
	const struct manifest *m = st->manifest;

	if (file_ops_stage(st->session, m, &st->old, st->err) < 0)
		return -1;
	for (size_t i = 0; i < m->adds.count; i++)
		if (stage_add(st, &m->adds.list[i].path) < 0)
			return -1;
	for (size_t i = 0; i < m->modifies.count; i++)
		if (stage_modify(st, &m->modifies.list[i].path) < 0)
			return -1;
	for (size_t i = 0; i < st->old.count; i++) {
		const struct pack_entry *entry = &st->old.entries[i];
		CLEANUP(relpath_release)
		struct relpath real = origin_resolve(st->session, &entry->path);

		/* It is also part of this version, perhaps under another name. */
		if (manifest_adds(st->manifest, &entry->path) ||
			manifest_modifies(st->manifest, &entry->path) ||
			record_has_hashes(st->record.entry, relpath_view(&real)))
			continue;
		if (entry->part == PACK_ADD && drop_added(st, entry, &real) < 0)
			return -1;
		if (entry->part == PACK_MODIFY && drop_modified(st, entry, &real) < 0)
			return -1;
	}
	return 0;
}

int skill_files_keep_pack(
	struct session *s, const struct package *package, struct pack *pack, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath name = relpath_of(PACK_MANIFEST_NAME);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (pack_path(package->manifest.skill, &path, err) < 0)
		return -1;
	/* The manifest that was checked, not the one on disk now. */
	pack_add(pack, PACK_MANIFEST, &name, 0644, view_of(package->text));
	pack_write(pack, &text);
	session_forget_pack(s, package->manifest.skill);
	return transaction_put(s->tx, &path, view_of_buf(&text), 0644, err);
}

/*
 * The files of the version that is applied. Only entries of v0.1, which
 * did not keep them, may lack them.
 */
static int load_old_version(struct staging *st)
{
	const struct applied_skill *applied =
		state_find(&st->session->state, st->manifest->skill);

	if (!applied)
		return 0;
	if (pack_load(st->session->project, applied->name, &st->old, st->err) < 0)
		return -1;
	if (st->old.count ||
		!layer_is_complete(&(struct layer){.kind = LAYER_SKILL, .node = applied->node}))
		return 0;
	error_set(st->err, ERROR_INVALID, "the applied files of skill '%s' %s are missing",
		applied->name, applied->version);
	return damage_hint(st->err);
}

int skill_files_stage(struct session *s, const struct package *package, struct error *err)
{
	struct staging st = {
		.session = s,
		.package = package,
		.manifest = &package->manifest,
		.old = PACK_INIT,
		.pack = PACK_INIT,
		.record = {.session = s, .skill = package->manifest.skill},
		.err = err,
	};
	struct hash content;
	int failed;

	s->manifest = &package->manifest;
	/* Ancestors are looked up while the old entry is still there. */
	st.record.entry = s->layer = yaml_new_mapping(s->state.doc);
	failed = load_old_version(&st) < 0 || stage_files(&st) < 0 ||
		 skill_files_keep_pack(s, package, &st.pack, err) < 0;
	s->layer = NULL;
	s->manifest = NULL;
	pack_release(&st.old);
	pack_release(&st.pack);
	if (failed || package_hash(package, s->project->root, &content, err) < 0)
		return -1;
	state_record(&s->state, &package->manifest, st.record.entry);
	state_set_source(&s->state, package->manifest.skill,
		s->options->source ? s->options->source : package->folder, &content);
	return 0;
}
