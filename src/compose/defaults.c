#include "compose/defaults.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"

#define BASE   "CLAUDE.md"
#define SKILLS "skills"
/* The skills get their name when they are all there. */
#define STAGE ".nanoclaw-new-skills"

static bool entry_exists(int dir, const char *name)
{
	struct stat st;

	return dir >= 0 && fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static int put_file(int dir, const char *path, const struct default_file *file, unsigned flags,
	struct error *err)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	CLEANUP(closep) int parent = -1;

	if (relpath_parse(view_of(path), &parsed, err) < 0 ||
		beneath_open_parent(dir, &parsed, BENEATH_CREATE, &parent, err) < 0)
		return -1;
	return replace_file(parent, relpath_base(&parsed),
		(struct view){(const char *)file->content, file->len}, file->mode, NULL, flags,
		err);
}

static int put_base(int container, bool dry_run, struct changes *changes, struct error *err)
{
	const struct default_file *file = default_files;

	if (entry_exists(container, BASE))
		return 0;
	while (strcmp(file->path, BASE) != 0)
		file++;
	changes_add(changes, CHANGE_MADE, "missing", "container/" BASE);
	if (dry_run)
		return 0;
	if (replace_clean(container, err) < 0)
		return -1;
	return put_file(container, BASE, file, REPLACE_NEW, err);
}

static int stage_skills(int container, struct error *err)
{
	for (const struct default_file *file = default_files; file->path; file++) {
		CLEANUP(freep) char *path = NULL;

		if (strncmp(file->path, SKILLS "/", strlen(SKILLS "/")) != 0)
			continue;
		path = xasprintf(STAGE "/%s", file->path + strlen(SKILLS "/"));
		if (put_file(container, path, file, REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC,
			    err) < 0)
			return -1;
	}
	return 0;
}

static int put_skills(int container, bool dry_run, struct changes *changes, struct error *err)
{
	if (entry_exists(container, SKILLS))
		return entry_exists(container, STAGE) && !dry_run
			       ? tree_remove(container, STAGE, err)
			       : 0;
	changes_add(changes, CHANGE_MADE, "missing", "container/" SKILLS);
	if (dry_run)
		return 0;
	if (tree_remove(container, STAGE, err) < 0 || stage_skills(container, err) < 0)
		return -1;
	if (sys.sync_all(container) < 0 ||
		sys.rename(container, STAGE, container, SKILLS, RENAME_NOREPLACE) < 0 ||
		sys.sync(container) < 0)
		return error_errno(err, "cannot put the skills into 'container/" SKILLS "'");
	return 0;
}

int defaults_put(int root, bool dry_run, struct changes *changes, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of("container/" BASE);
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(closep) int container = -1;

	if (beneath_open_parent(root, &path, dry_run ? 0 : BENEATH_CREATE | BENEATH_SYNC,
		    &container, &missing) < 0 &&
		!(dry_run && missing.errnum == ENOENT))
		return error_move(err, &missing);
	if (put_base(container, dry_run, changes, err) < 0)
		return -1;
	return put_skills(container, dry_run, changes, err);
}
