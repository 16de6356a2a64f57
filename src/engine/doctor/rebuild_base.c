/*
 * The core without skills: from the remains of the base, by hash, from git, or as a last resort
 * from the tree.
 */
#include <stdlib.h>
#include <string.h>

#include "base/string_array.h"
#include "engine/conflict/merge3.h"
#include "engine/core/base.h"
#include "engine/core/ignore.h"
#include "engine/custom/custom.h"
#include "engine/disk/tx_file.h"
#include "engine/doctor/internal.h"
#include "engine/state/record.h"
#include "fs/beneath.h"

static int compare_paths(const void *a, const void *b)
{
	return strcmp(
		((const struct rebuild_file *)a)->path, ((const struct rebuild_file *)b)->path);
}

struct rebuild_file *rebuild_base_find(const struct rebuild *r, const char *path)
{
	for (size_t i = 0; i < r->base.count; i++)
		if (!strcmp(r->base.list[i].path, path))
			return &r->base.list[i];
	return NULL;
}

void rebuild_files_release(struct rebuild_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		free(files->list[i].path);
		tx_file_release(&files->list[i].file);
	}
	free(files->list);
}

/* The list owns the content afterwards. */
static struct rebuild_file *base_add(struct rebuild *r, const char *path, struct tx_file *file)
{
	struct rebuild_file *added;

	GROW(r->base.list, r->base.count, r->base.cap);
	added = &r->base.list[r->base.count++];
	*added = (struct rebuild_file){.path = xstrdup(path), .file = *file};
	added->file.mode = file->mode & 0100 ? 0755 : 0644;
	*file = TX_FILE_INIT;
	return added;
}

/* --- what skills and patches know about a file ----------------------------------- */

/* The skill's version of a file that it modifies, or NULL. */
static const struct pack_entry *modified_entry(
	const struct rebuild_skill *skill, const char *path)
{
	for (size_t i = 0; i < skill->pack.count; i++)
		if (skill->pack.entries[i].part == PACK_MODIFY &&
			!strcmp(skill->pack.entries[i].path.text, path))
			return &skill->pack.entries[i];
	return NULL;
}

/* The hash of the core's file, if a skill recorded it. */
static bool noted_hash(const struct rebuild *r, const char *path, struct hash *ret_hash)
{
	for (size_t i = 0; i < r->skill_count; i++) {
		const struct rebuild_skill *skill = &r->skills[i];
		const struct pack_entry *entry = modified_entry(skill, path);
		const struct hash *declared =
			entry ? manifest_base_hash(&skill->manifest, &entry->path) : NULL;
		struct record_hashes was;

		if (!entry)
			continue;
		if (declared) {
			*ret_hash = *declared;
			return true;
		}
		/* An update was merged with the version before it. */
		if (!record_was_updated(skill->old) &&
			record_hashes(skill->old, relpath_view(&entry->path), &was) &&
			was.has_base) {
			*ret_hash = was.base;
			return true;
		}
	}
	return false;
}

static bool is_added(const struct rebuild *r, const char *path)
{
	for (size_t i = 0; i < r->skill_count; i++) {
		const struct manifest *m = &r->skills[i].manifest;

		for (size_t j = 0; j < m->adds.count; j++)
			if (!strcmp(m->adds.list[j].path.text, path))
				return true;
	}
	return false;
}

/* Revert the patches that fit in reverse, the last one first. */
static bool undo_patches(struct rebuild *r, const char *path, struct tx_file *file)
{
	for (size_t i = r->patch_count; i > 0; i--) {
		const struct patch *patch = &r->patches[i - 1].parsed;

		for (size_t j = 0; j < patch->count; j++) {
			CLEANUP(error_release) struct error unfit = ERROR_INIT;
			CLEANUP(patch_file_release) struct patch_file before = PATCH_FILE_INIT;
			struct patch_side after = custom_side(file);

			if (strcmp(patch_path(&patch->changes[j])->text, path))
				continue;
			if (patch_apply(&patch->changes[j], PATCH_REVERSE, &after, &before,
				    &unfit) < 0) {
				rebuild_judge(r, &unfit);
				continue;
			}
			if (before.kind == PATCH_ABSENT)
				return false; /* the patch added the file */
			buf_clear(&file->content);
			buf_append(&file->content, before.content.data, before.content.len);
		}
	}
	return true;
}

/* --- renames ----------------------------------------------------------------------------- */

static void add_rename(struct rebuild *r, const struct relpath *from, const struct relpath *to)
{
	string_array_add(&r->renames, from->text);
	string_array_add(&r->renames, to->text);
}

static void collect_renames(struct rebuild *r)
{
	for (size_t i = 0; i < r->skill_count; i++) {
		const struct manifest *m = &r->skills[i].manifest;

		for (size_t j = 0; j < m->file_op_count; j++)
			if (m->file_ops[j].type == FILE_OP_RENAME)
				add_rename(r, &m->file_ops[j].from, &m->file_ops[j].to);
	}
	for (size_t i = 0; i < r->patch_count; i++) {
		const struct patch *patch = &r->patches[i].parsed;

		for (size_t j = 0; j < patch->count; j++)
			if (patch_is_rename(&patch->changes[j]))
				add_rename(r, &patch->changes[j].old.path,
					&patch->changes[j].new.path);
	}
}

/* The name that the core had for a file of the tree. */
static const char *core_name(const struct rebuild *r, const char *path)
{
	for (size_t i = r->renames.count; i > 1; i -= 2)
		if (!strcmp(r->renames.list[i - 1], path))
			path = r->renames.list[i - 2];
	return path;
}

/* The name that a file of the core has in the tree. */
static const char *tree_name(const struct rebuild *r, const char *path)
{
	for (size_t i = 0; i + 1 < r->renames.count; i += 2)
		if (!strcmp(r->renames.list[i], path))
			path = r->renames.list[i + 1];
	return path;
}

/* --- guessing one file ------------------------------------------------------------------- */

static void set_content(struct tx_file *file, struct view content, mode_t mode)
{
	struct buf copy = BUF_INIT;

	buf_append(&copy, content.data, content.len);
	buf_release(&file->content);
	file->content = copy;
	file->mode = mode;
	file->kind = TX_FILE;
}

/* Could this have been the core's file? Then the tree has what each skill changed in it. */
static bool is_likely_core(struct rebuild *r, const char *path, const struct tx_file *core,
	const struct tx_file *tree)
{
	for (size_t i = 0; i < r->skill_count; i++) {
		const struct pack_entry *entry = modified_entry(&r->skills[i], path);
		CLEANUP(error_release) struct error failed = ERROR_INIT;
		CLEANUP(tx_file_release) struct tx_file theirs = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file merged = TX_FILE_INIT;
		bool clean;

		if (!entry)
			continue;
		set_content(&theirs, pack_content(&r->skills[i].pack, entry), core->mode);
		if (tx_file_equal(core, &theirs))
			return false;
		if (tree->kind != TX_FILE)
			continue;
		if (merge3(core, tree, &theirs, &merged, &clean, &failed) < 0) {
			rebuild_judge(r, &failed);
			return false;
		}
		if (!clean || !tx_file_equal(&merged, tree))
			return false;
	}
	return true;
}

/*
 * Pick the version with this hash, or the first one that fits if `hash` is NULL. The execute
 * bit comes from the tree's file, if it exists.
 */
static bool take_version(struct rebuild *r, const char *path,
	const struct rebuild_versions *versions, const struct hash *hash,
	const struct tx_file *tree, struct tx_file *ret_file)
{
	for (size_t i = 0; i < versions->count; i++) {
		struct hash found = hash_of(view_of_buf(&versions->list[i]));

		set_content(ret_file, view_of_buf(&versions->list[i]),
			tree->kind == TX_FILE ? tree->mode : 0644);
		if (hash ? hash_equal(hash, &found) : is_likely_core(r, path, ret_file, tree))
			return true;
	}
	return false;
}

static bool take_from_git(struct rebuild *r, const char *path, const struct hash *hash,
	const struct tx_file *tree, struct tx_file *ret_file)
{
	CLEANUP(rebuild_versions_release) struct rebuild_versions versions = {0};

	rebuild_git_versions(r, path, &versions);
	return take_version(r, path, &versions, hash, tree, ret_file);
}

/* By a hash, from anywhere. */
static bool take_by_hash(struct rebuild *r, const char *path, const struct hash *hash,
	const struct tx_file *tree, struct tx_file *ret_file)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	if (!rebuild_contents_find(r, hash, &content))
		return take_from_git(r, path, hash, tree, ret_file);
	set_content(ret_file, view_of_buf(&content), tree->kind == TX_FILE ? tree->mode : 0644);
	return true;
}

/* No core has conflict markers. */
static void unmark(struct tx_file *file)
{
	struct buf plain = BUF_INIT;

	if (file->kind != TX_FILE)
		return;
	rebuild_unmark(view_of_buf(&file->content), &plain);
	buf_release(&file->content);
	file->content = plain;
}

/* Accept the tree's file as the core's, including the skills' changes. */
static void absorb(struct rebuild *r, const char *path, struct tx_file *tree)
{
	bool changed = false;

	unmark(tree);
	for (size_t i = 0; i < r->skill_count; i++) {
		const struct pack_entry *entry = modified_entry(&r->skills[i], path);

		if (!entry)
			continue;
		changed = true;
		if (tree->kind != TX_FILE)
			set_content(tree, pack_content(&r->skills[i].pack, entry), 0644);
	}
	if (tree->kind == TX_ABSENT)
		return;
	base_add(r, path, tree)->absorbed = changed;
	rebuild_note(r, REBUILD_GUESS, "'%s' of the core is lost: your file is used instead%s",
		path, changed ? ", including changes by skills" : "");
}

static void guess_file(struct rebuild *r, const char *path)
{
	CLEANUP(rebuild_versions_release) struct rebuild_versions past = {0};
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file found = TX_FILE_INIT;
	struct hash hash;

	rebuild_read(r, tree_name(r, path), &tree);
	if (noted_hash(r, path, &hash) && take_by_hash(r, path, &hash, &tree, &found)) {
		base_add(r, path, &found);
		rebuild_note(
			r, REBUILD_SURE, "'%s' of the core was found again by its hash", path);
		return;
	}
	rebuild_history_versions(r, path, &past);
	if (take_version(r, path, &past, NULL, &tree, &found)) {
		base_add(r, path, &found);
		rebuild_note(r, REBUILD_GUESS,
			"the core's '%s' comes from the history, from before the first "
			"operation that changed it",
			path);
	} else if (take_from_git(r, path, NULL, &tree, &found)) {
		base_add(r, path, &found);
		rebuild_note(r, REBUILD_GUESS, "the core's '%s' comes from git", path);
	} else if (tree.kind != TX_FILE || undo_patches(r, tree_name(r, path), &tree)) {
		absorb(r, path, &tree);
	}
}

/* --- with the list of hashes ----------------------------------------------------- */

static bool take_if_same(struct rebuild *r, const char *folder, const struct base_sum *sum)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct layer_file is;

	if (folder)
		rebuild_read_at(r, folder, sum->path, &file);
	else
		rebuild_read(r, sum->path, &file);
	is = layer_file_of(&file);
	if (file.kind == TX_ABSENT || !layer_file_equal(&is, &sum->file))
		return false;
	base_add(r, sum->path, &file);
	return true;
}

static void use_sums(struct rebuild *r)
{
	size_t again = 0;

	for (size_t i = 0; i < r->sums.count; i++) {
		const struct base_sum *sum = &r->sums.list[i];
		CLEANUP(tx_file_release) struct tx_file found = TX_FILE_INIT;
		const struct tx_file nothing = {.mode = sum->file.executable ? 0755 : 0644};

		if (take_if_same(r, BASE_FOLDER, sum))
			continue;
		again++;
		if (take_if_same(r, NULL, sum))
			continue;
		if (sum->file.kind == TX_FILE &&
			take_by_hash(r, sum->path, &sum->file.hash, &nothing, &found)) {
			found.mode = nothing.mode;
			base_add(r, sum->path, &found);
			continue;
		}
		again--;
		guess_file(r, sum->path);
	}
	if (again)
		rebuild_note(r, REBUILD_SURE,
			"files of the core found again by their hash: %zu", again);
}

/* --- without it ------------------------------------------------------------------ */

/* Files that skills modify: missing ones, and ones that are not what a skill was merged with. */
static void check_modified(struct rebuild *r)
{
	for (size_t i = 0; i < r->skill_count; i++) {
		const struct pack *pack = &r->skills[i].pack;

		for (size_t j = 0; j < pack->count; j++) {
			const char *path = pack->entries[j].path.text;
			struct rebuild_file *file = rebuild_base_find(r, path);
			CLEANUP(tx_file_release) struct tx_file found = TX_FILE_INIT;
			struct hash noted, is;

			if (pack->entries[j].part != PACK_MODIFY || is_added(r, path))
				continue;
			if (!file) {
				guess_file(r, path);
				continue;
			}
			is = hash_of(view_of_buf(&file->file.content));
			if (!noted_hash(r, path, &noted) || hash_equal(&is, &noted) ||
				!take_by_hash(r, path, &noted, &file->file, &found))
				continue;
			buf_release(&file->file.content);
			file->file.content = found.content;
			found.content = BUF_INIT;
			rebuild_note(r, REBUILD_SURE,
				"'%s' of the core was damaged, and found again by its hash",
				path);
		}
	}
}

/* --- all of it is lost ----------------------------------------------------------- */

static bool is_modified(const struct rebuild *r, const char *path)
{
	for (size_t i = 0; i < r->skill_count; i++)
		if (modified_entry(&r->skills[i], path))
			return true;
	return false;
}

struct taking {
	struct rebuild *r;
	size_t taken;
};

static int take_tree_file(const struct base_entry *entry, void *data, struct error *err)
{
	struct taking *t = data;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	const char *path = core_name(t->r, entry->path);

	(void)err;
	if (is_added(t->r, path) || is_modified(t->r, path) || rebuild_base_find(t->r, path))
		return 0;
	rebuild_read(t->r, entry->path, &file);
	if ((file.kind != TX_FILE && file.kind != TX_SYMLINK) ||
		(file.kind == TX_FILE && !undo_patches(t->r, entry->path, &file)))
		return 0;
	unmark(&file);
	base_add(t->r, path, &file);
	t->taken++;
	return 0;
}

/* Files that git has and that are gone from the tree. */
static int take_git_files(struct rebuild *r, size_t *taken, struct error *err)
{
	CLEANUP(string_array_release) struct string_array paths = {0};
	CLEANUP(string_array_release) struct string_array programs = {0};
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;

	rebuild_git_paths(r, false, &paths);
	rebuild_git_paths(r, true, &programs);
	if (ignore_open(r->project->root, &ignore, err) < 0)
		return -1;
	for (size_t i = 0; i < paths.count; i++) {
		CLEANUP(rebuild_versions_release) struct rebuild_versions versions = {0};
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		const char *path = paths.list[i];
		bool excluded, enter;

		if (ignore_excludes(ignore, path, false, &excluded, &enter, err) < 0)
			return -1;
		if (excluded || is_added(r, path) || is_modified(r, path) ||
			rebuild_base_find(r, path))
			continue;
		rebuild_git_versions(r, path, &versions);
		if (!versions.count)
			continue;
		set_content(&file, view_of_buf(&versions.list[0]),
			string_array_has(&programs, path) ? 0755 : 0644);
		base_add(r, path, &file);
		++*taken;
	}
	return 0;
}

/* A file that a skill renames or deletes must have been there. */
static void check_operations(struct rebuild *r)
{
	for (size_t i = 0; i < r->skill_count; i++) {
		const struct manifest *m = &r->skills[i].manifest;

		for (size_t j = 0; j < m->file_op_count; j++) {
			const char *path = core_name(r, m->file_ops[j].from.text);
			CLEANUP(tx_file_release) struct tx_file empty = TX_FILE_INIT;

			if (rebuild_base_find(r, path) || is_added(r, path))
				continue;
			guess_file(r, path);
			if (rebuild_base_find(r, path))
				continue;
			set_content(&empty, view_of(""), 0644);
			base_add(r, path, &empty);
			rebuild_note(r, REBUILD_LOST,
				"'%s' of the core, which skill '%s' removes, cannot be found: it counts as empty",
				path, m->skill);
		}
	}
}

int rebuild_find_base(struct rebuild *r, struct error *err)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath folder = relpath_of(BASE_FOLDER);
	CLEANUP(base_sums_release) struct base_sums found = BASE_SUMS_INIT;
	CLEANUP(closep) int base = -1;
	struct taking taking = {r, 0};
	size_t from_git = 0;

	collect_renames(r);
	if (r->has_sums)
		use_sums(r);
	else if (beneath_open_dir(r->project->root, &folder, &base, &failed) < 0 ||
		 base_sums_collect(base, &found, &failed) < 0)
		rebuild_judge(r, &failed);
	else
		for (size_t i = 0; i < found.count; i++)
			take_if_same(r, BASE_FOLDER, &found.list[i]);
	if (!r->base.count && !r->has_sums) {
		if (base_for_each(r->project->root, take_tree_file, &taking, err) < 0 ||
			take_git_files(r, &from_git, err) < 0)
			return -1;
		rebuild_note(r, REBUILD_GUESS,
			"the base is lost, and so is the list of its files: %zu of your files that no skill changes are used as the core, and %zu that only git has",
			taking.taken, from_git);
	}
	/* With the list, a modified file may be missing because it never was there. */
	if (!r->has_sums)
		check_modified(r);
	check_operations(r);
	if (r->base.count)
		qsort(r->base.list, r->base.count, sizeof(*r->base.list), compare_paths);
	return 0;
}
