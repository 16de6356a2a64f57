/*
 * The stack once more: the core and the layers that were found, staged by the code of an apply.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/doctor/internal.h"
#include "engine/session/recorded.h"
#include "engine/stack/file_ops.h"
#include "engine/stack/skill_files.h"
#include "engine/state/record.h"
#include "engine/state/remap.h"
#include "engine/structured/structured.h"
#include "engine/text/lines.h"

/* Packages of skills are staged here; the core has no such folder. */
#define PACKAGES ".nanoclaw-packages"

/* --- conflicts, resolved as in the tree --------------------------------------------------- */

/* Use the tree's file if it has no markers; else the file before the skill. */
static int resolve_merge(struct rebuild *r, struct session *s, const struct conflict *conflict,
	struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct layer_file resolved;

	rebuild_read(r, conflict->path.text, &file);
	if (file.kind != TX_FILE ||
		lines_count_markers(view_of_buf(&file.content)) > conflict->markers) {
		buf_clear(&file.content);
		file.kind = TX_FILE;
		file.mode = 0644;
		if ((conflict->has_inputs
				    ? recorded_fetch(
					      s, &conflict->inputs.current, &file.content, err)
				    : transaction_read(s->tx, &conflict->path, &file, err)) < 0)
			return -1;
	}
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

/* The file is deleted if the tree does not have it. */
static int resolve_delete(struct rebuild *r, struct session *s, const struct conflict *conflict,
	struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	bool resolved;

	rebuild_read(r, conflict->path.text, &tree);
	if (tree.kind == TX_ABSENT && transaction_remove(s->tx, &conflict->path, err) < 0)
		return -1;
	return file_ops_resolve(s, conflict, &resolved, err);
}

static int resolve_all(struct rebuild *r, struct session *s, struct error *err)
{
	struct operation_result *result = s->result;

	for (size_t i = 0; i < result->conflict_count; i++) {
		const struct conflict *conflict = &result->conflicts[i];

		rebuild_note(r, REBUILD_GUESS,
			"'%s', where skill '%s' conflicts with others: taken from your tree",
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

/*
 * Keep the files that the skill was written against, if they are known. If the core already has
 * the skill's changes, the skill's own file is the ancestor.
 */
static int keep_ancestors(struct rebuild *r, struct session *s,
	const struct rebuild_skill *skill, struct manifest *m, struct error *err)
{
	for (size_t i = 0; i < m->base_hash_count; i++) {
		CLEANUP(buf_release) struct buf content = BUF_INIT;

		if (rebuild_contents_find(r, &m->base_hashes[i].hash, &content) &&
			recorded_keep(s, view_of_buf(&content), err) < 0)
			return -1;
	}
	for (size_t i = 0; i < skill->pack.count; i++) {
		const struct pack_entry *entry = &skill->pack.entries[i];
		const struct rebuild_file *file = rebuild_base_find(r, entry->path.text);
		struct view own = pack_content(&skill->pack, entry);
		size_t place = 0;

		if (entry->part != PACK_MODIFY || !file || !file->absorbed)
			continue;
		while (place < m->base_hash_count &&
			relpath_compare(&m->base_hashes[place].path, &entry->path) != 0)
			place++;
		if (place == m->base_hash_count) {
			m->base_hashes = xreallocarray(
				m->base_hashes, place + 1, sizeof(*m->base_hashes));
			m->base_hashes[m->base_hash_count++] =
				(struct manifest_base_hash){.path = relpath_copy(&entry->path)};
		}
		m->base_hashes[place].hash = hash_of(own);
		if (recorded_keep(s, own, err) < 0)
			return -1;
	}
	return 0;
}

static int stage_skill(struct rebuild *r, struct session *s, const struct rebuild_skill *skill,
	struct error *err)
{
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	CLEANUP(string_array_release) struct string_array one = {0};
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	const struct applied_skill *now;

	if (relpath_printf(&folder, err, PACKAGES "/%s", skill->manifest.skill) < 0 ||
		pack_stage(&skill->pack, s->tx, &folder, err) < 0 ||
		package_load_staged(s->tx, &folder, &package, err) < 0 ||
		keep_ancestors(r, s, skill, &package.manifest, err) < 0 ||
		skill_files_stage(s, &package, err) < 0 || resolve_all(r, s, err) < 0)
		return -1;
	string_array_add(&one, skill->manifest.skill);
	if (structured_stage(s, &one, err) < 0 || resolve_all(r, s, err) < 0 ||
		structured_adopt(s, err) < 0)
		return -1;
	now = state_find(&s->state, skill->manifest.skill);
	if (!now)
		return 0;
	/* This package was made from the pack, and comes from nowhere. */
	state_set_source(&s->state, now->name, NULL, NULL);
	record_keep_facts(now->node, skill->old);
	return 0;
}

/* --- the stack ------------------------------------------------------------------- */

/* The core, as the tree and as the base; and a state without layers. */
static int stage_core(const struct rebuild *r, struct session *s, struct error *err)
{
	CLEANUP(layer_renames_release) struct layer_renames pairs = {0};

	for (size_t i = 0; i < r->base.count; i++) {
		const struct rebuild_file *file = &r->base.list[i];
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(relpath_release) struct relpath base = RELPATH_INIT;

		if (relpath_parse(view_of(file->path), &path, err) < 0 ||
			session_base_path(&path, &base, err) < 0 ||
			tx_file_stage(s->tx, &path, &file->file, err) < 0 ||
			tx_file_stage(s->tx, &base, &file->file, err) < 0)
			return -1;
	}
	s->found_state = s->base_staged = true;
	state_init(&s->state, r->core_version);
	if (!r->has_state && !r->has_older)
		return 0;
	state_copy_rest(&s->state, r->has_state ? &r->state : &r->older);
	/* Names that layers have changed come back with them. */
	pairs = remap_pairs(&s->state);
	for (size_t i = 0; i < pairs.to.count; i++)
		if (!rebuild_base_find(r, pairs.to.list[i]))
			remap_forget(&s->state, view_of(pairs.from.list[i]));
	return 0;
}

static bool is_in_stack(const struct rebuild *r, const char *name)
{
	const struct rebuild_skill *skill = rebuild_skill_find(r, name);

	return skill && !skill->left_out;
}

/* The patches right above a skill; NULL: below all; "": above all. */
static int stage_patches(struct rebuild *r, struct session *s, const char *after, bool tied,
	bool *ret_again, struct error *err)
{
	for (size_t i = 0; i < r->patch_count; i++) {
		struct rebuild_patch *patch = &r->patches[i];
		const char *place;

		if (patch->skill && !is_in_stack(r, patch->skill))
			free(TAKE(patch->skill));
		place = patch->skill ? patch->skill : patch->after;
		if (place && *place && !is_in_stack(r, place))
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
	CLEANUP(relpath_release) struct relpath path = relpath_of(BASE_SUMS_PATH);
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	*ret_again = false;
	if (stage_core(r, s, err) < 0 || stage_patches(r, s, NULL, false, ret_again, err) < 0)
		return -1;
	for (size_t i = 0; i < r->skill_count && !*ret_again; i++) {
		struct rebuild_skill *skill = &r->skills[i];
		CLEANUP(error_release) struct error unfit = ERROR_INIT;
		const char *name = skill->manifest.skill;

		if (skill->left_out)
			continue;
		if (stage_skill(r, s, skill, &unfit) < 0) {
			skill->left_out = xstrdup(unfit.message);
			rebuild_judge(r, &unfit);
			*ret_again = true;
			return 0;
		}
		if (stage_patches(r, s, name, true, ret_again, err) < 0 ||
			stage_patches(r, s, name, false, ret_again, err) < 0)
			return -1;
	}
	if (*ret_again)
		return 0;
	if (stage_patches(r, s, "", false, ret_again, err) < 0)
		return -1;
	if (*ret_again)
		return 0;
	for (size_t i = 0; i < r->base.count; i++) {
		GROW(sums.list, sums.count, sums.cap);
		sums.list[sums.count++] = (struct base_sum){
			xstrdup(r->base.list[i].path), layer_file_of(&r->base.list[i].file)};
	}
	base_sums_render(&sums, r->core_version, &text);
	if (transaction_put(s->tx, &path, view_of_buf(&text), 0644, err) < 0)
		return -1;
	return session_put_state(s, err);
}
