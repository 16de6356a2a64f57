/* Skill packages and shipped resolutions that come with a core, and are not part of it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "engine/newcore/core_source.h"
#include "engine/newcore/internal.h"
#include "fs/beneath.h"
#include "fs/walk.h"

#define RESOLUTIONS ".claude/resolutions"

static const char *const skill_folders[] = {".claude/skills", "skills"};

size_t core_skills_folder_len(struct view path)
{
	for (size_t i = 0; i < ARRAY_SIZE(skill_folders); i++) {
		size_t len = strlen(skill_folders[i]);
		struct view rest, name;

		if (!view_starts_with(path, skill_folders[i]) || path.len <= len ||
			path.data[len] != '/')
			continue;
		rest = view_slice(path, len + 1, path.len);
		if (view_next(&rest, '/', &name) && rest.len)
			return len + 1 + name.len;
	}
	return 0;
}

bool core_skills_is_resolution(struct view path)
{
	return view_starts_with(path, RESOLUTIONS "/");
}

/* --- a whole core ---------------------------------------------------------------- */

struct skill_listing {
	struct core_source *source;
	const char *prefix;
	size_t folder;
	bool is_skills; /* only folders with a manifest.yaml */
};

static bool is_name_left_out(const char *name)
{
	static const char *const names[] = {".env", ".git", ".nanoclaw", "node_modules"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* A folder that is not a package is left out. */
static enum walk_result enter_package(const struct walk_entry *entry, struct error *err)
{
	CLEANUP(freep) char *name = xasprintf("%s/manifest.yaml", entry->name);
	struct stat st;

	if (fstatat(entry->dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return S_ISREG(st.st_mode) ? WALK_GO_ON : WALK_SKIP;
	if (errno == ENOENT)
		return WALK_SKIP;
	error_errno(err, "cannot access '%s/manifest.yaml'", entry->path);
	return WALK_FAIL;
}

static enum walk_result list_skill_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	const struct skill_listing *listing = data;
	struct core_source *source = listing->source;
	CLEANUP(freep) char *path = xasprintf("%s/%s", listing->prefix, entry->path);
	bool at_top = !strchr(entry->path, '/');

	if (is_name_left_out(entry->name))
		return entry->kind == WALK_DIR ? WALK_SKIP : WALK_GO_ON;
	if (entry->kind == WALK_DIR)
		return listing->is_skills && at_top ? enter_package(entry, err) : WALK_GO_ON;
	if ((entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK) ||
		(listing->is_skills && at_top))
		return WALK_GO_ON;
	return core_list_entry(
		       source->reader, &source->packages, listing->folder, entry, path, err) < 0
		       ? WALK_FAIL
		       : WALK_GO_ON;
}

/* `*ret_fd` is -1 if the folder is missing or behind a link. */
static int open_skill_folder(int fd, const char *name, int *ret_fd, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(name);

	*ret_fd = -1;
	if (beneath_open_dir(fd, &path, ret_fd, err) == 0)
		return 0;
	if (err->errnum != ENOENT && err->errnum != ENOTDIR && err->errnum != ELOOP)
		return -1;
	error_clear(err);
	return 0;
}

static int list_skill_folder(struct core_opening *o, size_t folder, const char *prefix,
	bool is_skills, struct error *err)
{
	struct core_reader *reader = o->source->reader;
	struct skill_listing listing = {
		.source = o->source, .prefix = prefix, .is_skills = is_skills};
	int fd;

	if (open_skill_folder(reader->folders[folder], prefix, &fd, err) < 0)
		return -1;
	if (fd < 0)
		return 0;
	listing.folder = core_reader_add_folder(reader, fd);
	return walk(fd, list_skill_entry, &listing, err);
}

int core_skills_list(struct core_opening *o, size_t folder, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(skill_folders); i++)
		if (list_skill_folder(o, folder, skill_folders[i], true, err) < 0)
			return -1;
	if (list_skill_folder(o, folder, RESOLUTIONS, false, err) < 0)
		return -1;
	core_tree_sort(&o->source->packages);
	return 0;
}

/* --- files to delete ------------------------------------------------------- */

struct stale {
	const struct core_tree *packages;
	const char *prefix;
	struct core_tree found;
};

void core_skills_add_deleted(struct core_tree *packages, struct relpath *path)
{
	static const struct layer_file absent = {.kind = TX_ABSENT};
	struct core_file *file = core_tree_add(packages, path, &absent, 0);

	file->from = relpath_copy(&file->path);
	file->change = CORE_CHANGED;
}

static enum walk_result find_stale_file(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct stale *stale = data;
	CLEANUP(freep) char *text = xasprintf("%s/%s", stale->prefix, entry->path);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK)
		return WALK_GO_ON;
	if (relpath_parse(view_of(text), &path, err) < 0)
		return WALK_FAIL;
	if (!core_tree_find(stale->packages, &path))
		core_skills_add_deleted(&stale->found, &path);
	return WALK_GO_ON;
}

static int add_stale_of(
	struct core_opening *o, struct view folder, struct stale *stale, struct error *err)
{
	static const char *const parts[] = {"add", "modify"};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		CLEANUP(freep)
		char *prefix = xasprintf("%.*s/%s", VIEW_ARGS(folder), parts[i]);
		CLEANUP(closep) int fd = -1;

		if (open_skill_folder(o->request->project->root, prefix, &fd, err) < 0)
			return -1;
		stale->prefix = prefix;
		if (fd >= 0 && walk(fd, find_stale_file, stale, err) < 0)
			return -1;
	}
	return 0;
}

static void stale_release(struct stale *stale)
{
	core_tree_release(&stale->found);
}

int core_skills_add_stale(struct core_opening *o, struct error *err)
{
	CLEANUP(stale_release) struct stale stale = {.packages = &o->source->packages};
	struct view last = view_of("");

	for (size_t i = 0; i < o->source->packages.count; i++) {
		struct view path = relpath_view(&o->source->packages.list[i].path);
		struct view folder = view_slice(path, 0, core_skills_folder_len(path));

		if (!folder.len || view_equal(folder, last))
			continue;
		last = folder;
		if (add_stale_of(o, folder, &stale, err) < 0)
			return -1;
	}
	core_tree_join(&o->source->packages, &stale.found);
	return 0;
}
