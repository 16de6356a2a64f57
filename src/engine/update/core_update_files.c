/*
 * Merges the files of the new core into the tree.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "engine/commit/install_manager.h"
#include "engine/conflict/file_merge.h"
#include "engine/disk/tx_file.h"
#include "engine/package/structured_format.h"
#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/stack/unrecorded.h"
#include "engine/state/record.h"
#include "engine/state/remap.h"
#include "engine/structured/npm/npm.h"
#include "engine/structured/structured.h"
#include "engine/structured/structured_state.h"
#include "engine/update/core_update.h"
#include "engine/update/internal.h"

/* A file that has left its old name and gets its new one later. */
struct moving {
	struct relpath from;
	struct relpath to;
	struct tx_file file;
};

struct moves {
	struct moving *list;
	size_t count;
	size_t cap;
};

static void moves_release(struct moves *moves)
{
	for (size_t i = 0; i < moves->count; i++) {
		relpath_release(&moves->list[i].from);
		relpath_release(&moves->list[i].to);
		tx_file_release(&moves->list[i].file);
	}
	free(moves->list);
}

struct placing {
	struct core_update *update;
	struct session *session;
	struct recorded recorded; /* with the names that files have now */
	struct error *err;
};

static bool is_leaf(const struct tx_file *file)
{
	return file->kind == TX_FILE || file->kind == TX_SYMLINK;
}

static void note_outcome(
	struct placing *p, const struct relpath *path, enum file_outcome outcome)
{
	session_note_file(p->session, path, CORE_UPDATE_NAME, outcome);
}

static int stage_over(struct placing *p, const struct relpath *path, const struct tx_file *file,
	const struct tx_file *there)
{
	return tx_file_stage_over(p->session->tx, path, file, there, p->err);
}

/* --- folders ----------------------------------------------------------------------------- */

/* Folders that the new core does not have go with their last file. */
static int stage_deletion(struct placing *p, const struct relpath *path)
{
	const struct core_tree *files = &p->update->source->files;
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath inner = relpath_copy(path);

	if (transaction_remove(p->session->tx, path, p->err) < 0)
		return -1;
	while (relpath_parent(&inner, &folder)) {
		CLEANUP(freep) char *below = xasprintf("%s/", folder.text);
		size_t at = core_tree_place_of(files, view_of(below));

		if (at < files->count &&
			view_starts_with(relpath_view(&files->list[at].path), below))
			return 0;
		transaction_prune(p->session->tx, &folder);
		relpath_release(&inner);
		inner = folder;
		folder = RELPATH_INIT;
	}
	return 0;
}

/* --- names ------------------------------------------------------------------------ */

/* The file leaves its old name, and is kept in `moves`. */
static int rename_file(struct placing *p, const struct core_file *file, struct moves *moves)
{
	struct state *state = &p->session->state;
	CLEANUP(relpath_release) struct relpath now = origin_resolve(p->session, &file->from);
	bool is_elsewhere = relpath_compare(&now, &file->from) != 0;
	struct moving *moving;

	/* A skill or the person has given it a name of their own, and that stays. */
	if (!is_elsewhere) {
		GROW(moves->list, moves->count, moves->cap);
		moving = &moves->list[moves->count++];
		*moving = (struct moving){
			relpath_copy(&now), relpath_copy(&file->path), TX_FILE_INIT};
		if (structured_unfold(p->session, &now, p->err) < 0 ||
			transaction_read(p->session->tx, &now, &moving->file, p->err) < 0 ||
			(is_leaf(&moving->file) && stage_deletion(p, &now) < 0))
			return -1;
	}
	if (core_update_rename(state, &file->from, &file->path, p->err) < 0)
		return -1;
	if (!is_elsewhere)
		remap_add(state, &file->from, &file->path);
	else if (relpath_compare(&now, &file->path) != 0)
		remap_add(state, &file->path, &now);
	return 0;
}

static int give_new_name(struct placing *p, const struct moving *moving)
{
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	CLEANUP(freep) char *to = relpath_quote(&moving->to);

	if (transaction_read(p->session->tx, &moving->to, &there, p->err) < 0)
		return -1;
	session_note_rename(p->session, &moving->from, &moving->to, CORE_UPDATE_NAME);
	if (there.kind == TX_ABSENT || tx_file_equal(&there, &moving->file))
		return stage_over(p, &moving->to, &moving->file, &moving->file);
	error_set(p->err, ERROR_INVALID,
		"the new core renames '%s' to %s, where you have a file", moving->from.text,
		to);
	return error_hint(p->err, "move it away first");
}

/* All files leave their old names before the first gets its new one: they may swap names. */
static int rename_files(struct placing *p)
{
	const struct core_source *source = p->update->source;
	struct state *state = &p->session->state;
	CLEANUP(layer_renames_release) struct layer_renames pairs = remap_pairs(state);
	CLEANUP(moves_release) struct moves moves = {0};

	/* If the new core has a file of its own under an old name, the name means that file. */
	for (size_t i = 0; i < pairs.from.count; i++) {
		struct relpath path = {pairs.from.list[i]};
		const struct core_file *file = core_source_find(source, &path);

		if (file && file->change == CORE_ADDED)
			remap_forget(state, relpath_view(&path));
	}
	for (size_t i = 0; i < source->files.count; i++) {
		const struct core_file *file = &source->files.list[i];

		if (file->from.text && relpath_compare(&file->from, &file->path) != 0 &&
			rename_file(p, file, &moves) < 0)
			return -1;
	}
	for (size_t i = 0; i < moves.count; i++)
		if (is_leaf(&moves.list[i].file) && give_new_name(p, &moves.list[i]) < 0)
			return -1;
	for (size_t i = 0; i < source->remap.count; i++) {
		const struct core_rename *r = &source->remap.list[i];
		CLEANUP(relpath_release)
		struct relpath now = origin_resolve(p->session, &r->from);

		if (!core_source_find(source, &r->from) && relpath_compare(&now, &r->to) != 0 &&
			relpath_compare(&now, &r->from) == 0)
			remap_add(state, &r->from, &r->to);
	}
	return 0;
}

/* --- dependencies ------------------------------------------------------------------------- */

/* If the new core needs other packages, they are installed at the end. */
static int compare_dependencies(struct placing *p, const struct core_file *file)
{
	CLEANUP(npm_package_release) struct npm_package old = NPM_PACKAGE_INIT;
	CLEANUP(npm_package_release) struct npm_package new = NPM_PACKAGE_INIT;
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *name = file->path.text;

	if (structured_format_of(name) != &structured_npm)
		return 0;
	if (session_read_base(p->session, &file->path, &before, p->err) < 0 ||
		core_source_read(p->update->source, file, &after, p->err) < 0)
		return -1;
	/* A package.json that cannot be parsed cannot be installed either. */
	if (npm_package_parse(name, view_of_buf(&before.content), &old, &ignored) < 0 ||
		npm_package_parse(name, view_of_buf(&after.content), &new, &ignored) < 0)
		return 0;
	for (int i = 0; i < NPM_SECTION_COUNT; i++)
		if (!json_equal(npm_section(old.json, (enum npm_section)i),
			    npm_section(new.json, (enum npm_section)i)))
			core_update_note_install(p->session);
	return 0;
}

/* --- one file ---------------------------------------------------------------------------- */

/* Do layers have a part in it, other than entries of a structured file? */
static bool is_layered(struct placing *p, const struct placed_file *placed)
{
	return (recorded_find(&p->recorded, relpath_view(&placed->path)) || placed->lower) &&
	       !yaml_get(structured_files(&p->session->state), placed->path.text);
}

/* Add a file to record again. `file` is the result of the last layer. */
static void add_placed(
	struct placing *p, struct placed_file *placed, const struct layer_file *file)
{
	struct core_update *u = p->update;

	if (!is_layered(p, placed))
		return;
	GROW(u->placed, u->placed_count, u->placed_cap);
	u->placed[u->placed_count++] = (struct placed_file){
		.path = relpath_copy(&placed->path),
		.in_base = placed->in_base,
		.old = placed->old,
		.new = placed->new,
		.lower = placed->lower,
		.recorded = file != NULL,
		.file = file ? *file : (struct layer_file){.kind = TX_ABSENT},
	};
	placed->in_base = RELPATH_INIT;
	placed->old = TX_FILE_INIT;
	placed->new = TX_FILE_INIT;
}

/* The file without its unrecorded changes; TX_ABSENT if it has none. */
static int read_without_changes(
	struct placing *p, const struct placed_file *placed, struct tx_file *ret_file)
{
	CLEANUP(error_release) struct error lost = ERROR_INIT;

	if (!session_has_drift(p->session, &placed->path) || !is_layered(p, placed))
		return 0;
	if (recorded_read(p->session, &p->recorded, &placed->path, ret_file, &lost) < 0) {
		if (lost.errnum != ENOENT)
			return error_move(p->err, &lost);
		tx_file_release(ret_file);
		*ret_file = TX_FILE_INIT;
	}
	if (ret_file->kind == TX_ABSENT)
		return 0;
	return recorded_keep(p->session, view_of_buf(&ret_file->content), p->err);
}

/* A person resolves it; the file is recorded after that. */
static int leave_open(struct placing *p, const struct placed_file *placed,
	const struct tx_file *ours, size_t first)
{
	struct operation_result *result = p->session->result;
	bool layered = is_layered(p, placed);

	for (size_t i = first; i < result->conflict_count; i++) {
		struct conflict *conflict = &result->conflicts[i];
		CLEANUP(tx_file_release) struct tx_file without = TX_FILE_INIT;

		if (layered)
			core_update_note_open(p->session, placed,
				conflict->kind == CONFLICT_DELETE, conflict->recorded_apart);
		/* The resolved lines of a file belong to a layer; its unrecorded changes do not. */
		if (layered && !conflict->recorded_apart &&
			read_without_changes(p, placed, &without) < 0)
			return -1;
		if (without.kind != TX_ABSENT) {
			core_update_note_changes(p->session, ours, &without);
			if (recorded_keep(p->session, view_of_buf(&ours->content), p->err) < 0)
				return -1;
		}
		conflict->recorded_apart = true;
	}
	if (recorded_keep(p->session, view_of_buf(&placed->old.content), p->err) < 0)
		return -1;
	return core_update_find_failing(
		p->session, placed, &p->update->result->patch_failures, p->err);
}

static int refuse_blocked(struct placing *p, const struct relpath *path)
{
	CLEANUP(freep) char *shown = relpath_quote(path);

	error_set(p->err, ERROR_INVALID,
		"the new core has a file %s, where you have something else", shown);
	return error_hint(p->err, "move it away first");
}

/* If markers cannot show both files: ours stays, and the new core's is written next to it. */
static int put_beside(
	struct placing *p, const struct placed_file *placed, const struct tx_file *ours)
{
	CLEANUP(relpath_release) struct relpath beside = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

	if (relpath_printf(&beside, p->err, "%s.from-%s", placed->path.text, CORE_UPDATE_NAME) <
			0 ||
		transaction_read(p->session->tx, &beside, &there, p->err) < 0)
		return -1;
	if (there.kind != TX_ABSENT)
		return refuse_blocked(p, &beside);
	if (stage_over(p, &beside, &placed->new, &placed->new) < 0 ||
		stage_over(p, &placed->path, ours, ours) < 0)
		return -1;
	session_add_conflict(p->session, (struct conflict){
						 .path = relpath_copy(&placed->path),
						 .beside = relpath_copy(&beside),
						 .skill = xstrdup(CORE_UPDATE_NAME),
						 .version = xstrdup(p->update->source->version),
					 });
	note_outcome(p, &placed->path, OUTCOME_CONFLICT);
	return 0;
}

/*
 * A lockfile that the new core and an install changed, and nobody else, is the new core's: the
 * package manager adds again what the merged package.json needs besides.
 */
static int is_for_manager(
	struct placing *p, const struct placed_file *placed, bool *ret_is, struct error *err)
{
	CLEANUP(relpath_release) struct relpath manifest = relpath_of(INSTALL_MANIFEST);
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;
	struct view path = relpath_view(&placed->path);
	struct layer_file file;

	*ret_is = false;
	if (p->session->options->no_install || placed->new.kind != TX_FILE || placed->lower ||
		!recorded_find(&p->recorded, path) ||
		session_has_drift(p->session, &placed->path))
		return 0;
	for (size_t i = 0; i < p->recorded.layers.count; i++) {
		const struct layer *layer = &p->recorded.layers.list[i];

		if (layer_get(layer, path, &file) &&
			(layer->kind != LAYER_SKILL || record_has_hashes(layer->node, path)))
			return 0;
	}
	if (transaction_read(p->session->tx, &manifest, &text, err) < 0)
		return -1;
	*ret_is = install_writes(
		p->session->project, view_of_buf(&text.content), placed->path.text);
	return 0;
}

static int merge_file(struct placing *p, struct placed_file *placed, const struct tx_file *ours)
{
	CLEANUP(freep) char *label = xasprintf("core %s", p->session->state.core_version);
	struct ancestor ancestor = {.file = placed->old, .label = label};
	size_t conflicts = p->session->result->conflict_count;
	struct layer_file merged = {.kind = TX_ABSENT};
	bool for_manager;
	const struct file_merge merge = {
		.session = p->session,
		.skill = CORE_UPDATE_NAME,
		.version = p->update->source->version,
		.path = &placed->path,
		.ours = ours,
		.ancestor = &ancestor,
		.theirs = view_of_buf(&placed->new.content),
		.theirs_mode = placed->new.mode,
	};

	if (!is_leaf(ours))
		return refuse_blocked(p, &placed->path);
	if (is_for_manager(p, placed, &for_manager, p->err) < 0)
		return -1;
	if (for_manager) {
		merged = layer_file_of(&placed->new);
		core_update_note_install(p->session);
		note_outcome(p, &placed->path, OUTCOME_MERGED);
		if (stage_over(p, &placed->path, &placed->new, ours) < 0)
			return -1;
		add_placed(p, placed, &merged);
		return 0;
	}
	if (ours->kind == TX_FILE && placed->new.kind == TX_FILE &&
				placed->old.kind != TX_SYMLINK
			? file_merge(&merge, &merged, p->err) < 0
			: put_beside(p, placed, ours) < 0)
		return -1;
	placed->file = merged;
	if (p->session->result->conflict_count > conflicts)
		return leave_open(p, placed, ours, conflicts);
	add_placed(p, placed, &merged);
	return 0;
}

/* Only its name has changed. */
static int place_renamed(
	struct placing *p, struct placed_file *placed, const struct tx_file *ours)
{
	CLEANUP(tx_file_release) struct tx_file without = TX_FILE_INIT;
	struct layer_file is;

	if (read_without_changes(p, placed, &without) < 0)
		return -1;
	is = layer_file_of(without.kind == TX_ABSENT ? ours : &without);
	add_placed(p, placed, &is);
	return 0;
}

/* Everything about a file that the new core has. */
static int place_file(struct placing *p, const struct core_file *file)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(placed_file_release)
	struct placed_file placed = {.old = TX_FILE_INIT, .new = TX_FILE_INIT};
	const struct tx_file *lower = core_update_find_lower(p->update, &file->path);
	bool is_new = !file->from.text, changed;
	struct layer_file as_core;

	placed.path =
		is_new ? relpath_copy(&file->path) : origin_resolve(p->session, &file->path);
	placed.lower = lower;
	if (lower)
		tx_file_copy(lower, &placed.new);
	else if (core_source_read(p->update->source, file, &placed.new, p->err) < 0)
		return -1;
	if ((!is_new && session_read_base(p->session, &file->from, &placed.old, p->err) < 0) ||
		structured_unfold(p->session, &placed.path, p->err) < 0 ||
		structured_carry_recorded(
			p->session, &placed.path, &placed.old, &placed.new, p->err) < 0 ||
		transaction_read(p->session->tx, &placed.path, &ours, p->err) < 0)
		return -1;
	if (core_source_find(p->update->source, &file->path)) {
		placed.in_base = relpath_copy(&file->path);
		if (compare_dependencies(p, file) < 0)
			return -1;
	}
	as_core = layer_file_of(&placed.new);
	changed = !tx_file_equal(&placed.old, &placed.new);
	if (ours.kind == TX_ABSENT && !is_new) {
		/* It was deleted on purpose, and stays deleted. */
		if (changed) {
			string_array_add(&p->update->result->kept_deleted, placed.path.text);
			note_outcome(p, &placed.path, OUTCOME_KEPT);
			add_placed(p, &placed, NULL);
		}
		return 0;
	}
	if (ours.kind == TX_ABSENT) {
		note_outcome(p, &placed.path, OUTCOME_ADDED);
		if (stage_over(p, &placed.path, &placed.new, &placed.new) < 0)
			return -1;
		add_placed(p, &placed, &as_core);
		return 0;
	}
	if (tx_file_equal(&ours, &placed.new)) {
		note_outcome(p, &placed.path, OUTCOME_SAME);
		add_placed(p, &placed, &as_core);
		return 0;
	}
	if (!is_new && tx_file_equal(&ours, &placed.old)) {
		note_outcome(p, &placed.path, OUTCOME_MERGED);
		if (stage_over(p, &placed.path, &placed.new, &ours) < 0)
			return -1;
		add_placed(p, &placed, &as_core);
		return 0;
	}
	return is_new || changed ? merge_file(p, &placed, &ours)
				 : place_renamed(p, &placed, &ours);
}

/* --- files that the new core does not have --------------------------------------------- */

/* It stays until a person decides; it is staged so that abort can restore it. */
static int leave_to_decide(
	struct placing *p, struct placed_file *placed, const struct tx_file *ours)
{
	CLEANUP(tx_file_release) struct tx_file without = TX_FILE_INIT;
	size_t conflicts = p->session->result->conflict_count;
	bool apart;

	if (stage_over(p, &placed->path, ours, ours) < 0 ||
		read_without_changes(p, placed, &without) < 0)
		return -1;
	/* If the file is kept, unrecorded changes do not become a layer's. */
	apart = without.kind == TX_FILE;
	if (apart)
		placed->file = layer_file_of(&without);
	session_add_conflict(p->session, (struct conflict){
						 .kind = CONFLICT_DELETE,
						 .recorded_apart = apart,
						 .path = relpath_copy(&placed->path),
						 .skill = xstrdup(CORE_UPDATE_NAME),
						 .version = xstrdup(p->update->source->version),
					 });
	note_outcome(p, &placed->path, OUTCOME_DECISION);
	return leave_open(p, placed, ours, conflicts);
}

static int delete_file(struct placing *p, const struct relpath *path)
{
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(placed_file_release)
	struct placed_file placed = {.old = TX_FILE_INIT, .new = TX_FILE_INIT};
	const struct core_file *packaged = core_tree_find(&p->update->source->packages, path);
	struct state *state = &p->session->state;

	/* Instructions that have become a package are no longer part of the core. */
	if (packaged && packaged->file.kind != TX_ABSENT)
		return core_update_drop(state, path, p->err);
	placed.path = origin_resolve(p->session, path);
	/* If `path_remap` leads to another file of the new core, that file stays. */
	if (core_source_find(p->update->source, &placed.path)) {
		relpath_release(&placed.path);
		placed.path = relpath_copy(path);
	}
	if (session_read_base(p->session, path, &placed.old, p->err) < 0 ||
		structured_unfold(p->session, &placed.path, p->err) < 0 ||
		transaction_read(p->session->tx, &placed.path, &ours, p->err) < 0)
		return -1;
	if (ours.kind == TX_ABSENT)
		return core_update_drop(state, &placed.path, p->err);
	if (!tx_file_equal(&ours, &placed.old) || relpath_compare(&placed.path, path) != 0)
		return leave_to_decide(p, &placed, &ours);
	note_outcome(p, &placed.path, OUTCOME_DELETED);
	if (core_update_drop(state, &placed.path, p->err) < 0)
		return -1;
	return stage_deletion(p, &placed.path);
}

/* --- all files ------------------------------------------------------------------ */

int core_update_stage_files(struct core_update *u)
{
	const struct core_source *source = u->source;
	struct placing p = {.update = u, .session = u->session, .err = u->err};
	int failed = rename_files(&p) < 0 || core_update_lower_migrations(u) < 0 ||
		     recorded_collect(&u->session->state, &p.recorded, u->err) < 0;

	/* Deletions make room for additions. */
	for (size_t i = 0; i < source->deleted_count && !failed; i++)
		if (!core_update_find_lower(u, &source->deleted[i]))
			failed = delete_file(&p, &source->deleted[i]) < 0;
	for (size_t i = 0; i < source->files.count && !failed; i++)
		if (source->files.list[i].change != CORE_SAME ||
			core_update_find_lower(u, &source->files.list[i].path))
			failed = place_file(&p, &source->files.list[i]) < 0;
	/* A file that a migration adds; the old core may have had it. */
	for (size_t i = 0; i < u->lower_count && !failed; i++) {
		CLEANUP(tx_file_release) struct tx_file old = TX_FILE_INIT;
		struct core_file file = {.path = u->lower[i].path};

		if (core_source_find(source, &file.path))
			continue;
		failed = session_read_base(p.session, &file.path, &old, p.err) < 0;
		if (old.kind != TX_ABSENT)
			file.from = file.path;
		failed = failed || place_file(&p, &file) < 0;
	}
	recorded_release(&p.recorded);
	return failed ? -1 : 0;
}
