/* A folder with the whole new core. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "engine/core/base.h"
#include "engine/newcore/core_source.h"
#include "engine/newcore/internal.h"
#include "engine/package/package.h"
#include "fs/walk.h"

#define GUIDE_MAX ((size_t)16 * 1024 * 1024)

struct core_listing {
	struct core_reader *reader;
	struct core_tree *tree;
	size_t folder;
};

static int add_base_entry(const struct base_entry *entry, void *data, struct error *err)
{
	const struct core_listing *listing = data;
	const struct walk_entry found = {
		.path = entry->path,
		.dirfd = entry->dirfd,
		.name = entry->name,
		.kind = entry->is_symlink ? WALK_SYMLINK : WALK_FILE,
	};

	return core_list_entry(
		listing->reader, listing->tree, listing->folder, &found, entry->path, err);
}

static int list_folder_core(
	struct core_opening *o, size_t folder, struct core_tree *after, struct error *err)
{
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	struct core_source *source = o->source;
	struct core_listing listing = {source->reader, after, folder};
	int fd = source->reader->folders[folder];

	if (ignore_open(fd, &ignore, err) < 0)
		return -1;
	for (size_t i = 0; i < source->files.count; i++)
		ignore_know(ignore, &source->files.list[i].path);
	if (base_for_each_by(fd, ignore, add_base_entry, &listing, err) < 0)
		return -1;
	core_leave_persons(o, ignore, after);
	core_tree_sort(after);
	core_lineage_match(source, after);
	return 0;
}

static int read_folder_meta(
	struct core_source *source, int fd, struct core_ops *ops, struct error *err)
{
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool found;

	if (core_read_optional(fd, CORE_META_REMAP, YAML_MAX_SIZE, &text, &found, err) < 0)
		return -1;
	if (found)
		core_ops_parse(
			view_of_buf(&text), CORE_META_REMAP, CORE_OPS_REMAP, ops, &faults);
	if (faults_as_error(&faults, err) < 0)
		return -1;
	return core_read_optional(fd, CORE_META_GUIDE, GUIDE_MAX, &source->guide, &found, err);
}

int core_folder_open(struct core_opening *o, int fd, struct error *err)
{
	CLEANUP(core_tree_release) struct core_tree after = CORE_TREE_INIT;
	CLEANUP(core_ops_release) struct core_ops ops = CORE_OPS_INIT;
	CLEANUP(freep)
	char *resolutions = xasprintf("%s/.claude/resolutions", o->request->typed);
	CLEANUP(freep) char *real = realpath(resolutions, NULL);
	struct core_source *source = o->source;
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	size_t folder = core_reader_add_folder(source->reader, own);
	struct stat a, b;

	source->kind = CORE_SOURCE_FOLDER;
	source->shown = package_show_folder(o->request->typed);
	if (own < 0)
		return error_errno(err, "cannot open '%s'", source->shown);
	/* The project as its own new core would make everything in it part of the core. */
	if (fstat(own, &a) < 0 || fstat(o->request->project->root, &b) < 0)
		return error_errno(err, "cannot access '%s'", o->source->shown);
	if (a.st_dev == b.st_dev && a.st_ino == b.st_ino)
		return error_set(err, ERROR_INVALID,
			"'%s' is the project itself, not a new core", o->source->shown);
	if (list_folder_core(o, folder, &after, err) < 0)
		return error_prefix(err, "'%s'", source->shown);
	if (!after.count)
		return error_set(
			err, ERROR_INVALID, "'%s' has no file of a core in it", source->shown);
	if (real)
		string_array_add(&source->resolutions, real);
	if (core_skills_list(o, folder, err) < 0 || core_skills_add_stale(o, err) < 0 ||
		read_folder_meta(source, own, &ops, err) < 0 ||
		core_lineage_step(source, &after, &ops.map, CORE_META_REMAP, err) < 0)
		return error_prefix(err, "'%s'", source->shown);
	return core_migrations_step(o, source->shown, err);
}
