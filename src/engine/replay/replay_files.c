/* The files of a replayed installation: compared with the record, and put into place. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/commit/install_manager.h"
#include "engine/replay/internal.h"
#include "engine/session/origin.h"
#include "engine/state/layer_names.h"
#include "engine/state/record.h"
#include "fs/beneath.h"
#include "fs/walk.h"

static void note_difference(struct replaying *r, const char *path, enum replay_why why,
	const struct layer_file *recorded, const struct layer_file *got, const char *text)
{
	char was[HASH_HEX_SIZE], is[HASH_HEX_SIZE];

	hash_to_hex(&recorded->hash, was);
	hash_to_hex(&got->hash, is);
	replay_note(r, path, why, recorded->kind == TX_ABSENT ? NULL : was,
		got->kind == TX_ABSENT ? NULL : is, "%s", text);
}

/* --- one file, as it comes out --------------------------------------------------------- */

/* The layer whose conflict has no known resolution; NULL if that is not the reason. */
static const char *find_conflict(const struct replaying *r, const char *path)
{
	for (size_t i = 0; i < r->restage.conflict_count; i++)
		if (!strcmp(r->restage.conflicts[i].path, path))
			return r->restage.conflicts[i].layer;
	return NULL;
}

static void note_failure(
	struct replaying *r, const struct recorded_file *file, const struct layer_file *got)
{
	const struct recorded *all = r->was.count ? &r->was : &r->recorded;
	const struct layer *layer = &all->layers.list[file->layer];
	const char *with = find_conflict(r, file->path);
	CLEANUP(freep) char *text = NULL;

	if (install_is_lockfile(file->path)) {
		note_difference(r, file->path, REPLAY_INSTALLED, &file->file, got,
			"the package manager's file is not kept; it writes it again");
		return;
	}
	if (with)
		text = xasprintf("no resolution is known for the conflict with '%s'", with);
	else if (r->failure)
		text = xasprintf("it is not kept, and cannot be rebuilt: %s", r->failure);
	else
		text = xasprintf(
			"after '%s' its hash differs from the recorded one", layer->name);
	note_difference(
		r, file->path, with ? REPLAY_CONFLICT : REPLAY_HASH, &file->file, got, text);
}

/*
 * The expected file: the replayed one, or the kept one. If neither matches the record,
 * `*ret_found` is false and the difference is noted.
 */
static int find_file(struct replaying *r, const struct recorded_file *file,
	const struct relpath *path, struct tx_file *ret_file, bool *ret_found,
	struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	struct layer_file got, kept;

	*ret_found = true;
	if (transaction_read(r->restage.result, path, ret_file, err) < 0)
		return -1;
	got = layer_file_of(ret_file);
	if (layer_file_equal(&got, &file->file))
		return 0;
	tx_file_release(ret_file);
	*ret_file = TX_FILE_INIT;
	if (recorded_read(r->session, &r->recorded, path, ret_file, &missing) == 0) {
		kept = layer_file_of(ret_file);
		if (layer_file_equal(&kept, &file->file)) {
			note_difference(r, file->path, REPLAY_KEPT, &file->file, &got,
				"merging again gives another result; the saved copy is used");
			return 0;
		}
	}
	if (missing.errnum && !beneath_is_absent(&missing))
		return error_move(err, &missing);
	*ret_found = false;
	note_failure(r, file, &got);
	return 0;
}

/* --- into the place --------------------------------------------------------------- */

static int stage_plain(struct replaying *r, const struct relpath *path,
	const struct tx_file *file, struct error *err)
{
	struct tx_file plain = *file;

	plain.mode = file->mode & 0100 ? 0755 : 0644;
	return tx_file_stage(r->session->tx, path, &plain, err);
}

/* Where there is the core alone. */
static int place_fresh(struct replaying *r, const struct relpath *path,
	const struct tx_file *file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	CLEANUP(freep) char *shown = relpath_quote(path);

	if (session_read_base(r->session, path, &base, err) < 0 ||
		transaction_read(r->session->tx, path, &tree, err) < 0)
		return -1;
	if (tx_file_equal(&tree, file))
		return 0;
	if (tx_file_equal(&tree, &base))
		return stage_plain(r, path, file, err);
	error_set(
		err, ERROR_INVALID, "%s already exists, and is not a file of the core", shown);
	return error_hint(err, "move it away first");
}

/* The person's edits stay, and missing files are restored. */
static int place_again(struct replaying *r, const struct relpath *path,
	const struct tx_file *file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	struct layer_file wanted = layer_file_of(file), is;

	if (transaction_read(r->session->tx, path, &tree, err) < 0)
		return -1;
	is = layer_file_of(&tree);
	if (layer_file_equal(&is, &wanted))
		return 0;
	if (tree.kind != TX_ABSENT) {
		note_difference(r, path->text, REPLAY_EDITED, &wanted, &is,
			"edited by you since; it stays as it is");
		return 0;
	}
	note_difference(r, path->text, REPLAY_RESTORED, &wanted, &is,
		"it was missing, and is restored");
	return stage_plain(r, path, file, err);
}

static int place_recorded(
	struct replaying *r, const struct recorded_file *recorded, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file kept = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;
	bool found;

	if (relpath_parse(view_of(recorded->path), &path, err) < 0 ||
		find_file(r, recorded, &path, &file, &found, err) < 0)
		return -1;
	if (!found)
		return 0;
	r->result->files++;
	/*
	 * Keep the contents that recorded_read() will need; most of them are in packs or the
	 * base.
	 */
	if (recorded_read(r->session, &r->recorded, &path, &kept, &missing) < 0) {
		if (missing.errnum != ENOENT)
			return error_move(err, &missing);
		if (transaction_read(r->restage.result, &path, &made, err) < 0 ||
			recorded_keep(r->session, view_of_buf(&made.content), err) < 0)
			return -1;
	}
	if (r->in_place)
		return place_again(r, &path, &file, err);
	if (r->aside && file.kind == TX_ABSENT)
		return 0;
	return r->aside ? stage_plain(r, &path, &file, err) : place_fresh(r, &path, &file, err);
}

/* --- files of the core that no layer has touched ---------------------------------- */

static int place_core_file(struct replaying *r, struct view text, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

	if (recorded_find(&r->recorded, text))
		return 0;
	if (relpath_parse(text, &path, err) < 0 ||
		session_read_base(r->session, &path, &file, err) < 0)
		return -1;
	return r->in_place ? place_again(r, &path, &file, err)
			   : stage_plain(r, &path, &file, err);
}

static enum walk_result place_core_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct view path = {entry->path, entry->path_len};

	if (entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK)
		return WALK_GO_ON;
	return place_core_file(data, path, err) < 0 ? WALK_FAIL : WALK_GO_ON;
}

/* --- folders that are empty ------------------------------------------------------- */

static bool is_folder_used(const struct replaying *r, const struct relpath *folder)
{
	const struct journal *journal = transaction_journal(r->session->tx);
	size_t len = strlen(folder->text);

	for (size_t i = 0; i < journal->change_count; i++) {
		const char *path = journal->changes[i].path.text;

		if (!strncmp(path, folder->text, len) && (!path[len] || path[len] == '/'))
			return true;
	}
	return false;
}

/* A skill that deletes the last file of the core in a folder leaves the folder. */
static int make_folders(struct replaying *r, struct error *err)
{
	for (size_t i = 0; i < r->recorded.count && !r->session->options->dry_run; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
		CLEANUP(closep) int fd = -1;

		if (r->recorded.files[i].file.kind != TX_ABSENT)
			continue;
		if (relpath_parse(view_of(r->recorded.files[i].path), &path, err) < 0 ||
			session_read_base(r->session, &path, &base, err) < 0)
			return -1;
		if (base.kind != TX_ABSENT && relpath_parent(&path, &folder) &&
			!is_folder_used(r, &folder) &&
			transaction_put_folder(r->session->tx, &folder, &fd, err) < 0)
			return -1;
	}
	return 0;
}

/* --- contents that layers made on the way ----------------------------------------- */

/* One side of a patch: its content, wherever it is. */
static int keep_side(struct replaying *r, const struct relpath *path,
	const struct layer_file *side, struct error *err)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct session *s = r->session;
	struct transaction *tx = s->tx;
	bool kept;
	int failed;

	if (side->kind == TX_ABSENT)
		return 0;
	s->tx = r->restage.result;
	failed = recorded_try_find(s, path, &side->hash, &content, &kept, err);
	s->tx = tx;
	if (failed || !kept)
		return failed;
	return recorded_keep(s, view_of_buf(&content), err);
}

/* Patches need theirs, so that they can be merged into other files later. */
static int keep_sides(struct replaying *r, struct error *err)
{
	for (size_t i = 0; i < r->recorded.layers.count; i++) {
		const struct layer *layer = &r->recorded.layers.list[i];
		CLEANUP(string_array_release) struct string_array paths = {0};

		if (layer->kind != LAYER_PATCH)
			continue;
		paths = record_part_paths(layer->node);
		for (size_t j = 0; j < paths.count; j++) {
			CLEANUP(relpath_release)
			struct relpath path = relpath_of(paths.list[j]);
			struct record_part part;

			record_part(layer->node, relpath_view(&path), &part);
			if (keep_side(r, &path, &part.before, err) < 0 ||
				keep_side(r, &path, &part.after, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* Packs and the base have their contents; these need not be kept once more. */
static int keep_objects(struct replaying *r, struct error *err)
{
	const struct journal *journal = transaction_journal(r->restage.result);
	const struct state *state = &r->session->state;
	CLEANUP(hash_set_release) struct hash_set named = {0};
	CLEANUP(hash_set_release) struct hash_set elsewhere = {0};

	if (hash_set_scan_state(&named, &r->session->state, err) < 0)
		return -1;
	hash_set_sort(&named);
	for (size_t i = 0; i < r->core.count; i++)
		hash_set_add(&elsewhere, &r->core.list[i].file.hash);
	for (size_t i = 0; i < state->skill_count; i++) {
		CLEANUP(pack_release) struct pack pack = PACK_INIT;

		if (origin_load_pack(r->session, state->skills[i].name, &pack, err) < 0)
			return -1;
		for (size_t j = 0; j < pack.count; j++) {
			struct hash hash = hash_of(pack_content(&pack, &pack.entries[j]));

			hash_set_add(&elsewhere, &hash);
		}
	}
	hash_set_sort(&elsewhere);
	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (change->kind != CHANGE_PUT ||
			!view_starts_with(relpath_view(&change->path), ".nanoclaw/objects/") ||
			!hash_set_has(&named, &change->hash) ||
			hash_set_has(&elsewhere, &change->hash))
			continue;
		if (transaction_read(r->restage.result, &change->path, &file, err) < 0 ||
			recorded_keep(r->session, view_of_buf(&file.content), err) < 0)
			return -1;
	}
	return 0;
}

/* A later patch of v0.1 does not record its result for the file. */
static bool is_patched_later(const struct replaying *r, const struct recorded_file *file)
{
	for (size_t i = file->layer + 1; i < r->was.layers.count; i++) {
		const struct layer *layer = &r->was.layers.list[i];

		if (layer->kind == LAYER_PATCH && !layer_is_complete(layer) &&
			record_lists(layer->node, RECORD_MODIFIED, view_of(file->path)))
			return true;
	}
	return false;
}

int replay_stage_files(struct replaying *r, struct error *err)
{
	const struct drift_list *drift = &r->session->drift;

	/* Of layers of v0.1: conflicts in files of which the old state had no hash. */
	for (size_t i = 0; r->restage.old.doc && i < r->restage.conflict_count; i++) {
		const struct restage_conflict *conflict = &r->restage.conflicts[i];

		if (!recorded_find(&r->was, view_of(conflict->path)))
			replay_note(r, conflict->path, REPLAY_CONFLICT, NULL, NULL,
				"no resolution is known for the conflict with '%s'",
				conflict->layer);
	}
	/* Does the result match the old state? */
	for (size_t i = 0; i < r->was.count; i++) {
		const struct recorded_file *file = &r->was.files[i];
		CLEANUP(relpath_release) struct relpath path = relpath_of(file->path);
		CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;
		struct layer_file got;

		if (transaction_read(r->restage.result, &path, &made, err) < 0)
			return -1;
		got = layer_file_of(&made);
		if (!layer_file_equal(&got, &file->file) && !is_patched_later(r, file))
			note_failure(r, file, &got);
	}
	for (size_t i = 0; i < r->recorded.count; i++)
		if (place_recorded(r, &r->recorded.files[i], err) < 0)
			return -1;
	if (replay_has_failed(r->result))
		return 0;
	if (r->aside && (walk(r->session->base, place_core_entry, r, err) < 0 ||
				make_folders(r, err) < 0))
		return -1;
	/* In place, only files that differ from the record. */
	for (size_t i = 0; r->in_place && i < drift->count; i++)
		if (place_core_file(r, view_of(drift->list[i].path), err) < 0)
			return -1;
	return keep_sides(r, err) < 0 ? -1 : keep_objects(r, err);
}
