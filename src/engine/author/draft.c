#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/author/internal.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"

/*
 * In .nanoclaw: a staging folder that the next command removes, and the folder in it that is
 * renamed into place.
 */
#define STAGE "tx"
#define TOP   STAGE "/package"

void draft_add(struct draft *draft, const char *name, struct view content, mode_t mode)
{
	struct draft_file *file;

	GROW(draft->list, draft->count, draft->cap);
	file = &draft->list[draft->count++];
	*file = (struct draft_file){xstrdup(name), BUF_INIT, mode};
	buf_append(&file->content, content.data, content.len);
}

void draft_release(struct draft *draft)
{
	for (size_t i = 0; i < draft->count; i++) {
		free(draft->list[i].name);
		buf_release(&draft->list[i].content);
	}
	free(draft->list);
}

int draft_stage(const struct draft *draft, struct transaction *tx, const struct relpath *folder,
	struct error *err)
{
	for (size_t i = 0; i < draft->count; i++) {
		const struct draft_file *file = &draft->list[i];
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

		if (relpath_join(folder, view_of(file->name), &path, err) < 0 ||
			transaction_put(
				tx, &path, view_of_buf(&file->content), file->mode, err) < 0)
			return -1;
	}
	return 0;
}

/* --- on the disk --- */

/* The topmost folder of the path that is missing, and its parent, open. */
static int find_missing(const struct project *project, const struct relpath *folder,
	struct relpath *ret_missing, int *ret_parent, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_copy(folder);

	for (;;) {
		CLEANUP(error_release) struct error none = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath parent = RELPATH_INIT;
		bool below = relpath_parent(&path, &parent);
		struct stat st;

		if (beneath_stat(project->root, &path, &st, &none) == 0) {
			error_set(err, ERROR_INVALID, "'%s' already exists", folder->text);
			err->errnum = EEXIST;
			return -1;
		}
		if (none.errnum != ENOENT)
			return error_set(err, ERROR_INVALID, "%s", none.message);
		error_clear(&none);
		if (!below || beneath_stat(project->root, &parent, &st, &none) == 0) {
			*ret_missing = path;
			path = RELPATH_INIT;
			return beneath_open_dir(
				project->root, below ? &parent : NULL, ret_parent, err);
		}
		relpath_release(&path);
		path = parent;
		parent = RELPATH_INIT;
	}
}

/* `below` is the rest of the package's path, below the folder that is renamed. */
static int write_files(
	const struct draft *draft, int nanoclaw, struct view below, struct error *err)
{
	const unsigned flags = REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC;

	if (sys.mkdir(nanoclaw, STAGE, 0777) < 0)
		return error_errno(err, "cannot create a folder in '.nanoclaw'");
	for (size_t i = 0; i < draft->count; i++) {
		const struct draft_file *file = &draft->list[i];
		CLEANUP(freep)
		char *text = xasprintf(TOP "%.*s/%s", VIEW_ARGS(below), file->name);
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(closep) int dir = -1;

		if (relpath_parse(view_of(text), &path, err) < 0 ||
			beneath_open_parent(nanoclaw, &path, BENEATH_CREATE, &dir, err) < 0 ||
			replace_file(dir, relpath_base(&path), view_of_buf(&file->content),
				file->mode, NULL, flags, err) < 0)
			return error_prefix(
				err, "cannot write '%s' of the package", file->name);
	}
	/* Everything is on the disk before it gets its name. */
	if (sys.sync_all(nanoclaw) < 0)
		return error_errno(err, "cannot write the package to disk");
	return 0;
}

int draft_place(const struct draft *draft, const struct project *project,
	const struct relpath *folder, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath missing = RELPATH_INIT;
	CLEANUP(closep) int nanoclaw = -1;
	CLEANUP(closep) int parent = -1;
	struct view below = relpath_view(folder);
	bool made, failed;

	if (find_missing(project, folder, &missing, &parent, err) < 0)
		return -1;
	below = view_slice(below, relpath_view(&missing).len, below.len);
	made = sys.mkdir(project->root, ".nanoclaw", 0777) == 0;
	if (!made && errno != EEXIST)
		return error_errno(err, "cannot create the folder '.nanoclaw'");
	if (project_open_nanoclaw(project, &nanoclaw, err) < 0)
		return -1;
	failed = write_files(draft, nanoclaw, below, err) < 0;
	if (!failed && sys.rename(nanoclaw, TOP, parent, relpath_base(&missing),
			       RENAME_NOREPLACE) < 0) {
		int errnum = errno;

		failed = true;
		error_errno(err, "cannot move the package into place");
		if (errnum == EEXIST || errnum == EXDEV)
			err->kind = ERROR_INVALID;
		if (errnum == EXDEV)
			error_hint(err, "name a folder on the file system of the project with "
					"'--into'");
	}
	if (!failed && sys.sync(parent) < 0)
		failed = error_errno(err, "cannot write the package to disk") < 0;

	tree_remove(nanoclaw, STAGE, &ignored);
	if (made)
		sys.unlink(project->root, ".nanoclaw", AT_REMOVEDIR);
	return failed ? -1 : 0;
}
