#include "engine/custom/new_files.h"

#include "engine/core/base.h"
#include "engine/patch/patch.h"
#include "fs/beneath.h"

struct search {
	struct session *session;
	const struct recorded *recorded;
	new_file_function each;
	void *data;
};

static int visit_file(const struct base_entry *entry, void *data, struct error *err)
{
	struct search *search = data;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error local = ERROR_INIT;
	struct stat in_base;

	if (recorded_find(search->recorded, view_of(entry->path)))
		return 0;
	if (relpath_parse(view_of(entry->path), &path, err) < 0)
		return -1;
	if (beneath_stat(search->session->base, &path, &in_base, &local) == 0 ||
		!layer_may_record(&path))
		return 0;
	if (!beneath_is_absent(&local))
		return error_move(err, &local);
	return search->each(&path, entry->stat, search->data, err);
}

int new_files_each(struct session *s, const struct recorded *recorded, new_file_function each,
	void *data, struct error *err)
{
	struct search search = {s, recorded, each, data};

	return base_for_each(s->project->root, visit_file, &search, err);
}

/* --- renamed files ---------------------------------------------------------------- */

struct candidates {
	struct session *session;
	const struct recorded *recorded;
	const struct custom_changes *changes;
	struct custom_changes found;
};

/* Half of a file cannot be in one that is more than twice or less than half as long. */
static bool may_be_renamed(const struct custom_changes *changes, size_t size)
{
	for (size_t i = 0; i < changes->count; i++) {
		size_t before = changes->list[i].before.content.len;

		if (changes->list[i].after.kind == TX_ABSENT && size / 2 <= before &&
			before / 2 <= size)
			return true;
	}
	return false;
}

static int add_candidate(
	const struct relpath *path, const struct stat *st, void *data, struct error *err)
{
	struct candidates *c = data;

	if (!may_be_renamed(c->changes, (size_t)st->st_size))
		return 0;
	return custom_changes_add(c->session, c->recorded, path, &c->found, err);
}

static bool is_rename_target(const struct patch *patch, const struct relpath *path)
{
	for (size_t i = 0; i < patch->count; i++)
		if (patch_is_rename(&patch->changes[i]) &&
			!relpath_compare(&patch->changes[i].new.path, path))
			return true;
	return false;
}

/* Which of the candidates are one of the deleted files under another name. */
static int find_targets(const struct custom_changes *changes, struct custom_changes *found,
	struct custom_changes *ret_all, struct error *err)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	if (custom_make_patch(changes, &patch, err) < 0 ||
		custom_make_patch(found, &patch, err) < 0 ||
		patch_find_renames(&patch, err) < 0)
		return -1;
	for (size_t i = 0; i < found->count; i++) {
		if (!is_rename_target(&patch, &found->list[i].path))
			continue;
		GROW(ret_all->list, ret_all->count, ret_all->cap);
		ret_all->list[ret_all->count++] = found->list[i];
		found->list[i] =
			(struct custom_change){.before = TX_FILE_INIT, .after = TX_FILE_INIT};
	}
	return 0;
}

int new_files_add_renamed(struct session *s, const struct recorded *recorded,
	struct custom_changes *changes, struct error *err)
{
	struct candidates c = {s, recorded, changes, CUSTOM_CHANGES_INIT};
	bool deleted = false;
	int failed = 0;

	for (size_t i = 0; i < changes->count; i++)
		deleted |= changes->list[i].after.kind == TX_ABSENT;
	if (deleted)
		failed = new_files_each(s, recorded, add_candidate, &c, err) < 0 ||
			 find_targets(changes, &c.found, changes, err) < 0;
	custom_changes_release(&c.found);
	return failed ? -1 : 0;
}
