/*
 * Packages, for an installation that is built aside.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "engine/package/package.h"
#include "engine/replay/internal.h"
#include "engine/resolution/resolution_folder.h"
#include "fs/beneath.h"
#include "fs/walk.h"

struct copying {
	struct replaying *r;
	const char *folder;
};

static bool is_package(int folder)
{
	return faccessat(folder, "manifest.yaml", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static enum walk_result copy_package(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct copying *c = data;
	CLEANUP(freep) char *to = xasprintf("%s/%s", c->folder, entry->name);
	CLEANUP(closep) int fd = -1;

	if (entry->kind != WALK_DIR)
		return WALK_GO_ON;
	fd = openat(entry->dirfd, entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		error_errno(err, "cannot open '%s'", to);
		return WALK_FAIL;
	}
	if (is_package(fd) && replay_copy_folder(c->r, fd, to, err) < 0)
		return WALK_FAIL;
	return WALK_SKIP;
}

/* A folder that is not there has nothing to copy. */
static int open_folder(int root, const char *name, int *ret_fd, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (relpath_parse(view_of(name), &path, err) < 0)
		return -1;
	if (beneath_open_dir(root, &path, ret_fd, &missing) == 0)
		return 0;
	*ret_fd = -1;
	return beneath_is_absent(&missing) ? 0 : error_move(err, &missing);
}

static int copy_from(struct replaying *r, int root, struct error *err)
{
	static const char *const folders[] = {".claude/skills", "skills"};
	CLEANUP(closep) int resolutions = -1;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		struct copying c = {r, folders[i]};
		CLEANUP(closep) int fd = -1;

		if (open_folder(root, folders[i], &fd, err) < 0 ||
			(fd >= 0 && walk(fd, copy_package, &c, err) < 0))
			return -1;
	}
	if (open_folder(root, RESOLUTIONS_SHIPPED, &resolutions, err) < 0)
		return -1;
	return resolutions < 0 ? 0
			       : replay_copy_folder(r, resolutions, RESOLUTIONS_SHIPPED, err);
}

int replay_stage_packages(struct replaying *r, struct error *err)
{
	/* What is here takes the place of what is there. */
	if (r->source->core_root >= 0 && copy_from(r, r->source->core_root, err) < 0)
		return -1;
	return copy_from(r, r->project->root, err);
}
