#include "cli/conflict/choice.h"

#include <fcntl.h>

#include "engine/text/lines.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"

int conflict_choice_read(const struct project *project, const struct relpath *path,
	struct tx_file *ret_file, struct error *err)
{
	CLEANUP(transaction_freep)
	struct transaction *nothing = transaction_new_dry(project, "look");

	return transaction_read(nothing, path, ret_file, err);
}

int conflict_file_resolved(const struct project *project, const struct conflict *conflict,
	bool *ret_resolved, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file beside = TX_FILE_INIT;

	if (conflict_choice_read(project, &conflict->path, &file, err) < 0 ||
		(conflict->beside.text &&
			conflict_choice_read(project, &conflict->beside, &beside, err) < 0))
		return -1;
	*ret_resolved = file.kind == TX_FILE && beside.kind == TX_ABSENT &&
			lines_count_markers(view_of_buf(&file.content)) <= conflict->markers;
	return 0;
}

void conflict_choice_add(struct conflict_choice *choice, const struct relpath *path,
	struct tx_file *before, struct tx_file *after)
{
	choice->files[choice->count++] = (struct conflict_choice_file){
		.path = relpath_copy(path), .before = *before, .after = *after};
	*before = TX_FILE_INIT;
	*after = TX_FILE_INIT;
}

static bool file_is_same(const struct tx_file *a, const struct tx_file *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == TX_ABSENT)
		return true;
	return (a->kind != TX_FILE || a->mode == b->mode) &&
	       view_equal(view_of_buf(&a->content), view_of_buf(&b->content));
}

/* --- one file --------------------------------------------------------------------------- */

/* Where the new file is made: the next command removes it if we do not get to it. */
#define STAGE "tx"

static int file_stage(
	int nanoclaw, const struct tx_file *file, int *ret_stage, struct error *err)
{
	CLEANUP(closep) int folder = -1;
	struct view content = view_of_buf(&file->content);
	int failed;

	if (sys.mkdir(nanoclaw, STAGE, 0777) < 0)
		return error_errno(err, "cannot create '.nanoclaw/" STAGE "'");
	folder = openat(nanoclaw, STAGE, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return error_errno(err, "cannot open '.nanoclaw/" STAGE "'");
	failed = file->kind == TX_SYMLINK
			 ? replace_symlink(folder, "file", content.data, REPLACE_NEW, err)
			 : replace_file(
				   folder, "file", content, file->mode, NULL, REPLACE_NEW, err);
	if (failed)
		return -1;
	*ret_stage = TAKE_FD(folder);
	return 0;
}

static int put_staged(
	int nanoclaw, int dir, const char *name, const struct tx_file *file, struct error *err)
{
	CLEANUP(closep) int folder = -1;

	if (file_stage(nanoclaw, file, &folder, err) < 0)
		return -1;
	if (sys.rename(folder, "file", dir, name, 0) < 0 || sys.sync(dir) < 0)
		return error_errno(err, "cannot replace '%s'", name);
	return 0;
}

static int file_put(const struct project *project, const struct relpath *path,
	const struct tx_file *file, struct error *err)
{
	CLEANUP(closep) int dir = -1;
	CLEANUP(closep) int nanoclaw = -1;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	int failed;

	if (beneath_open_parent(project->root, path, BENEATH_CREATE, &dir, err) < 0)
		return -1;
	if (file->kind == TX_ABSENT)
		return replace_delete(dir, relpath_base(path), 0, err);
	if (project_open_nanoclaw(project, &nanoclaw, err) < 0)
		return -1;
	failed = put_staged(nanoclaw, dir, relpath_base(path), file, err);
	if (tree_remove(nanoclaw, STAGE, failed ? &ignored : err) < 0)
		return -1;
	return failed;
}

/* --- all of them ------------------------------------------------------------------------ */

static int choice_change(const struct project *project, const struct conflict_choice *choice,
	bool back, bool *ret_done, struct error *err)
{
	bool unchanged = true;

	for (size_t i = 0; i < choice->count; i++) {
		const struct conflict_choice_file *file = &choice->files[i];
		CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;

		if (conflict_choice_read(project, &file->path, &now, err) < 0)
			return -1;
		unchanged &= file_is_same(&now, back ? &file->after : &file->before);
	}
	for (size_t i = 0; unchanged && i < choice->count; i++) {
		const struct conflict_choice_file *file = &choice->files[i];

		if (!file_is_same(&file->before, &file->after) &&
			file_put(project, &file->path, back ? &file->before : &file->after,
				err) < 0)
			return -1;
	}
	*ret_done = unchanged;
	return 0;
}

int conflict_choice_make(const struct project *project, const struct conflict_choice *choice,
	bool *ret_made, struct error *err)
{
	return choice_change(project, choice, false, ret_made, err);
}

int conflict_choice_undo(const struct project *project, const struct conflict_choice *choice,
	bool *ret_undone, struct error *err)
{
	return choice_change(project, choice, true, ret_undone, err);
}

void conflict_choice_release(struct conflict_choice *choice)
{
	for (size_t i = 0; i < choice->count; i++) {
		relpath_release(&choice->files[i].path);
		tx_file_release(&choice->files[i].before);
		tx_file_release(&choice->files[i].after);
	}
	*choice = (struct conflict_choice){0};
}
