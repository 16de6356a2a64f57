/*
 * The layers once more, on the core alone, so that there is a record of each of them.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/doctor/internal.h"
#include "engine/session/recorded.h"
#include "engine/stack/file_ops.h"
#include "engine/stack/skill_files.h"
#include "engine/state/record.h"
#include "engine/structured/structured.h"
#include "engine/text/lines.h"

/* --- conflicts: the tree has the answer -------------------------------------------------- */

/* What somebody once made of the two versions, or else the version before the skill. */
static int find_resolved(struct rebuild *r, struct session *s, const struct conflict *conflict,
	struct tx_file *ret_file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;

	rebuild_read(r, conflict->path.text, &tree);
	if (tree.kind == TX_FILE &&
		lines_count_markers(view_of_buf(&tree.content)) <= conflict->markers) {
		*ret_file = tree;
		tree = TX_FILE_INIT;
		return 0;
	}
	if (!conflict->has_inputs)
		return transaction_read(s->tx, &conflict->path, ret_file, err);
	ret_file->kind = TX_FILE;
	ret_file->mode = 0644;
	return recorded_fetch(s, &conflict->inputs.current, &ret_file->content, err);
}

static int resolve_merge(struct rebuild *r, struct session *s, const struct conflict *conflict,
	struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct layer_file resolved;

	if (find_resolved(r, s, conflict, &file, err) < 0)
		return -1;
	resolved = layer_file_of(&file);
	if (conflict->beside.text && transaction_remove(s->tx, &conflict->beside, err) < 0)
		return -1;
	if (transaction_put(s->tx, &conflict->path, view_of_buf(&file.content),
		    file.mode & 0100 ? 0755 : 0644, err) < 0 ||
		recorded_keep(s, view_of_buf(&file.content), err) < 0)
		return -1;
	if (conflict->recorded_apart)
		return 0;
	return state_record_resolved(
		&s->state, conflict->skill, &conflict->path, &resolved, err);
}

/* It is deleted if it is not in the tree any more. */
static int resolve_delete(struct rebuild *r, struct session *s, const struct conflict *conflict,
	struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	bool resolved;

	rebuild_read(r, conflict->path.text, &tree);
	if (tree.kind == TX_ABSENT && transaction_remove(s->tx, &conflict->path, err) < 0)
		return -1;
	return conflict->recorded_apart ? 0 : file_ops_resolve(s, conflict, &resolved, err);
}

static int resolve_all(struct rebuild *r, struct session *s, struct error *err)
{
	struct operation_result *result = s->result;

	for (size_t i = 0; i < result->conflict_count; i++) {
		const struct conflict *conflict = &result->conflicts[i];

		rebuild_note(r, REBUILD_GUESS,
			"'%s', in which skill '%s' and others have different lines: as it is in your tree",
			conflict->path.text, conflict->skill);
		if ((conflict->kind == CONFLICT_DELETE ? resolve_delete : resolve_merge)(
			    r, s, conflict, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < result->conflict_count; i++)
		conflict_release(&result->conflicts[i]);
	result->conflict_count = 0;
	return 0;
}

/* --- a skill ------------------------------------------------------------------------------ */

/* Where the skill's changes are in the core already, its own file is the ancestor. */
static void use_ancestors(const struct rebuild *r, struct package *package)
{
	struct manifest *m = &package->manifest;

	for (size_t i = 0; i < m->modifies.count; i++) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(buf_release) struct buf theirs = BUF_INIT;
		const struct relpath *path = &m->modifies.list[i].path;
		const struct rebuild_file *file = rebuild_base_find(r, path->text);
		size_t place = 0;
		mode_t mode;

		if (!file || !file->absorbed ||
			package_read_modify(package, path, &theirs, &mode, &ignored) < 0)
			continue;
		while (place < m->base_hash_count &&
			relpath_compare(&m->base_hashes[place].path, path) != 0)
			place++;
		if (place == m->base_hash_count) {
			m->base_hashes = xreallocarray(
				m->base_hashes, place + 1, sizeof(*m->base_hashes));
			m->base_hashes[m->base_hash_count++] =
				(struct manifest_base_hash){.path = relpath_copy(path)};
		}
		m->base_hashes[place].hash = hash_of(view_of_buf(&theirs));
	}
}

static int stage_skill(struct rebuild *r, struct session *s, const struct rebuild_skill *skill,
	struct error *err)
{
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	CLEANUP(string_array_release) struct string_array one = {0};
	CLEANUP(freep)
	char *folder = xasprintf("%s/packages/%s", s->project->path, skill->manifest.skill);
	const struct applied_skill *now;

	if (package_load(folder, &package, err) < 0)
		return -1;
	use_ancestors(r, &package);
	if (skill_files_stage(s, &package, err) < 0 || resolve_all(r, s, err) < 0)
		return -1;
	string_array_add(&one, skill->manifest.skill);
	if (structured_stage(s, &one, err) < 0 || resolve_all(r, s, err) < 0 ||
		structured_adopt(s, err) < 0)
		return -1;
	now = state_find(&s->state, skill->manifest.skill);
	if (!now)
		return 0;
	/* This package is made of what was kept, and comes from nowhere. */
	state_set_source(&s->state, now->name, NULL, NULL);
	record_keep_facts(now->node, skill->old);
	return 0;
}

/* --- in their order -------------------------------------------------------------- */

/* The core as the tree, in memory. */
static int seed(const struct rebuild *r, struct session *s, struct error *err)
{
	for (size_t i = 0; i < r->base.count; i++) {
		const struct rebuild_file *file = &r->base.list[i];
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		struct view content = view_of_buf(&file->file.content);
		int failed;

		if (relpath_parse(view_of(file->path), &path, err) < 0)
			return -1;
		failed = file->file.kind == TX_SYMLINK
				 ? transaction_put_link(s->tx, &path, content, err)
				 : transaction_put(s->tx, &path, content, file->file.mode, err);
		if (failed)
			return -1;
	}
	return 0;
}

static bool is_there(const struct rebuild *r, const char *skill)
{
	for (size_t i = 0; i < r->skill_count; i++)
		if (!r->skills[i].left_out && !strcmp(r->skills[i].manifest.skill, skill))
			return true;
	return false;
}

/* Patches right above a skill; NULL: below all; "": above all. */
static int stage_patches(struct rebuild *r, struct session *s, const char *after, bool tied,
	bool *ret_again, struct error *err)
{
	for (size_t i = 0; i < r->patch_count; i++) {
		struct rebuild_patch *patch = &r->patches[i];
		const char *place;

		if (patch->skill && !is_there(r, patch->skill))
			free(TAKE(patch->skill));
		place = patch->skill ? patch->skill : patch->after;
		if (place && *place && !is_there(r, place))
			place = "";
		if (patch->left_out || (patch->skill != NULL) != tied ||
			(place && after ? strcmp(place, after) != 0 : place != after))
			continue;
		if (rebuild_replay_patch(r, s, patch, err) < 0)
			return -1;
		*ret_again |= patch->left_out != NULL;
	}
	return 0;
}

int rebuild_replay(struct rebuild *r, struct session *s, bool *ret_again, struct error *err)
{
	*ret_again = false;
	if (session_open_base(s, err) < 0 || seed(r, s, err) < 0 ||
		stage_patches(r, s, NULL, false, ret_again, err) < 0)
		return -1;
	for (size_t i = 0; i < r->skill_count && !*ret_again; i++) {
		struct rebuild_skill *skill = &r->skills[i];
		CLEANUP(error_release) struct error unfit = ERROR_INIT;
		const char *name = skill->manifest.skill;

		if (skill->left_out)
			continue;
		if (stage_skill(r, s, skill, &unfit) < 0) {
			skill->left_out = xstrdup(unfit.message);
			*ret_again = true;
			return 0;
		}
		if (stage_patches(r, s, name, true, ret_again, err) < 0 ||
			stage_patches(r, s, name, false, ret_again, err) < 0)
			return -1;
	}
	return *ret_again ? 0 : stage_patches(r, s, "", false, ret_again, err);
}
