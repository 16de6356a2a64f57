/*
 * The stage of a transaction: the new files, before the tree changes.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "engine/disk/internal.h"
#include "engine/disk/transaction.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/sys.h"

/* --- the stage --- */

static int tx_make_folder(int parent, const char *name, int *ret_fd, struct error *err)
{
	if (sys.mkdir(parent, name, 0777) < 0)
		return error_errno(err, "cannot create the folder '%s' in '.nanoclaw'", name);
	*ret_fd = disk_open_folder(parent, name);
	if (*ret_fd < 0)
		return error_errno(err, "cannot open the folder '%s' in '.nanoclaw'", name);
	return 0;
}

/* Make .nanoclaw/tx when the first file is staged. */
int transaction_open_stage(struct transaction *tx, struct error *err)
{
	if (tx->stage >= 0 || tx->dry)
		return 0;
	if (project_make_nanoclaw(tx->project, &tx->journal.created_nanoclaw, err) < 0 ||
		project_open_nanoclaw(tx->project, &tx->nanoclaw, err) < 0 ||
		tx_make_folder(tx->nanoclaw, "tx", &tx->tx, err) < 0 ||
		tx_make_folder(tx->tx, "saved", &tx->saved, err) < 0 ||
		tx_make_folder(tx->tx, "stage", &tx->stage, err) < 0)
		return -1;
	return 0;
}

/* --- reading --- */

static int transaction_read_staged(struct transaction *tx, const struct change *change,
	struct tx_file *ret_file, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	char name[CHANGE_NAME_SIZE];

	if (change->kind == CHANGE_REMOVE)
		return 0;
	ret_file->kind = change->kind == CHANGE_LINK ? TX_SYMLINK : TX_FILE;
	ret_file->mode = change->mode;
	/* The target of a link is always in memory. */
	if (tx->dry || change->kind == CHANGE_LINK) {
		struct buf *content = &tx->contents[change->number];

		buf_append(&ret_file->content, content->data, content->len);
		return 0;
	}
	change_file_name(change, name);
	fd = openat(tx->stage, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_errno(
			err, "cannot read the new version of '%s'", change->path.text);
	return file_read_fd(
		fd, change->path.text, TRANSACTION_MAX_FILE, &ret_file->content, err);
}

static enum tx_kind tx_kind_of(const struct stat *st)
{
	if (S_ISREG(st->st_mode))
		return TX_FILE;
	if (S_ISLNK(st->st_mode))
		return TX_SYMLINK;
	return S_ISDIR(st->st_mode) ? TX_FOLDER : TX_OTHER;
}

static int transaction_stat(const struct project *project, const struct relpath *path,
	struct stat *ret_stat, bool *ret_present, struct error *err)
{
	*ret_present = false;
	if (beneath_stat(project->root, path, ret_stat, err) == 0) {
		*ret_present = true;
		return 0;
	}
	if (err->errnum == ENOENT) {
		error_clear(err);
		return 0;
	}
	if (err->errnum == ENOTDIR) {
		err->kind = ERROR_INVALID;
		return error_hint(
			err, "a file is where a folder is needed; move it away first");
	}
	return -1;
}

int transaction_look(const struct project *project, const struct relpath *path,
	enum tx_kind *ret_kind, struct error *err)
{
	struct stat st;
	bool present;

	if (transaction_stat(project, path, &st, &present, err) < 0)
		return -1;
	*ret_kind = present ? tx_kind_of(&st) : TX_ABSENT;
	return 0;
}

/* Stat a path, and remember the result for a later put. */
static int transaction_observe(
	struct transaction *tx, const struct relpath *path, struct error *err)
{
	relpath_release(&tx->last_read);
	tx->last_read = relpath_copy(path);
	return transaction_stat(tx->project, path, &tx->last_stat, &tx->last_present, err);
}

int transaction_read(struct transaction *tx, const struct relpath *path,
	struct tx_file *ret_file, struct error *err)
{
	const struct change *change = journal_find(&tx->journal, path);
	CLEANUP(closep) int fd = -1;

	ret_file->kind = TX_ABSENT;
	if (change && !tx->planned[change->number].placed)
		return transaction_read_staged(tx, change, ret_file, err);
	if (tx->under)
		return transaction_read(tx->under, path, ret_file, err);
	if (transaction_observe(tx, path, err) < 0)
		return -1;
	if (!tx->last_present)
		return 0;
	if (tx_kind_of(&tx->last_stat) == TX_FILE) {
		/* The stat of the descriptor, not of the name: that is the file we read. */
		if (beneath_open_file(tx->project->root, path, &fd, &tx->last_stat, err) < 0 ||
			file_read_fd(fd, path->text, TRANSACTION_MAX_FILE, &ret_file->content,
				err) < 0)
			return -1;
		ret_file->mode = tx->last_stat.st_mode & 07777;
	}
	if (tx_kind_of(&tx->last_stat) == TX_SYMLINK &&
		beneath_read_link(tx->project->root, path, &ret_file->content, err) < 0)
		return -1;
	ret_file->kind = tx_kind_of(&tx->last_stat);
	return 0;
}

/* --- staging changes --- */

/* A second change of a path replaces the first. */
static int transaction_plan_again(
	struct transaction *tx, struct change *change, enum change_kind kind, struct error *err)
{
	struct planned *planned = &tx->planned[change->number];
	char name[CHANGE_NAME_SIZE];

	change_file_name(change, name);
	if (planned->placed && !change->exposed)
		return transaction_changed_meanwhile(&change->path, err);
	if (planned->placed) {
		/* The first is in the tree, and ours until the second replaces it. */
		if (change_puts(change))
			change->earlier = change->hash;
		planned->placed = false;
		planned->replaces = true;
	}
	/* What is in the stage: the first, or the file that it displaced. */
	if (!tx->dry && disk_exists(tx->stage, name) && sys.unlink(tx->stage, name, 0) < 0)
		return error_errno(err, "cannot replace a staged file");
	change->kind = kind;
	return 0;
}

/* The change of a path; a new one remembers the file in the tree. */
static int transaction_plan(struct transaction *tx, const struct relpath *path,
	enum change_kind kind, struct change **ret_change, struct error *err)
{
	struct change *change = journal_find(&tx->journal, path);
	unsigned number = (unsigned)tx->journal.change_count;

	if (transaction_open_stage(tx, err) < 0)
		return -1;
	if (change) {
		*ret_change = change;
		return transaction_plan_again(tx, change, kind, err);
	}
	if ((!tx->last_read.text || relpath_compare(&tx->last_read, path) != 0) &&
		transaction_observe(tx, path, err) < 0)
		return -1;
	GROW(tx->planned, number, tx->planned_cap);
	tx->planned[number] = (struct planned){.observed = tx->last_stat};
	GROW(tx->contents, number, tx->content_cap);
	tx->contents[number] = BUF_INIT;
	*ret_change = journal_add(&tx->journal, (struct change){
							.kind = kind,
							.path = relpath_copy(path),
							.number = number,
							.had_before = tx->last_present,
						});
	return 0;
}

int transaction_put(struct transaction *tx, const struct relpath *path, struct view content,
	mode_t mode, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	struct change *change;
	char name[CHANGE_NAME_SIZE];

	if (transaction_plan(tx, path, CHANGE_PUT, &change, err) < 0)
		return -1;
	change->hash = hash_of(content);
	change->mode = mode;
	if (tx->dry) {
		buf_clear(&tx->contents[change->number]);
		buf_append(&tx->contents[change->number], content.data, content.len);
		return 0;
	}
	change_file_name(change, name);
	fd = sys.create(tx->stage, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	if (fd < 0 || sys_write_all(fd, content.data, content.len) < 0 ||
		sys.chmod(fd, mode) < 0)
		return error_errno(err, "cannot prepare the new files in '.nanoclaw'");
	return 0;
}

int transaction_put_link(struct transaction *tx, const struct relpath *path, struct view target,
	struct error *err)
{
	struct buf *content;
	struct change *change;
	char name[CHANGE_NAME_SIZE];

	if (!target.len || memchr(target.data, '\0', target.len))
		return error_set(err, ERROR_INVALID,
			"the symbolic link '%s' has an impossible target", path->text);
	if (transaction_plan(tx, path, CHANGE_LINK, &change, err) < 0)
		return -1;
	change->hash = hash_of(target);
	change->mode = 0777;
	content = &tx->contents[change->number];
	buf_clear(content);
	buf_append(content, target.data, target.len);
	if (tx->dry)
		return 0;
	change_file_name(change, name);
	if (sys.symlink(content->data, tx->stage, name) < 0)
		return error_errno(err, "cannot prepare the link '%s'", path->text);
	return 0;
}

int transaction_remove(struct transaction *tx, const struct relpath *path, struct error *err)
{
	struct change *change;

	return transaction_plan(tx, path, CHANGE_REMOVE, &change, err);
}

int tx_file_stage_over(struct transaction *tx, const struct relpath *path,
	const struct tx_file *file, const struct tx_file *there, struct error *err)
{
	struct view content = view_of_buf(&file->content);
	mode_t mode = file->mode;

	if (file->kind == TX_SYMLINK)
		return transaction_put_link(tx, path, content, err);
	if (file->kind != TX_FILE)
		return transaction_remove(tx, path, err);
	if (there->kind == TX_FILE && !((there->mode ^ file->mode) & 0100))
		mode = there->mode;
	else if (there->kind == TX_FILE)
		mode = file->mode & 0100 ? there->mode | ((there->mode & 0444) >> 2)
					 : there->mode & ~(mode_t)0111;
	return transaction_put(tx, path, content, mode, err);
}

int tx_file_stage(struct transaction *tx, const struct relpath *path,
	const struct tx_file *file, struct error *err)
{
	return tx_file_stage_over(tx, path, file, file, err);
}

int transaction_put_folder(
	struct transaction *tx, const struct relpath *path, int *ret_fd, struct error *err)
{
	struct change *change;
	char name[CHANGE_NAME_SIZE];

	if (transaction_plan(tx, path, CHANGE_FOLDER, &change, err) < 0)
		return -1;
	if (change->had_before)
		return error_set(err, ERROR_FAILED, "'%s' already exists", path->text);
	change_file_name(change, name);
	return tx_make_folder(tx->stage, name, ret_fd, err);
}

int transaction_take_folder(
	struct transaction *tx, const struct relpath *path, struct error *err)
{
	struct change *change;

	return transaction_plan(tx, path, CHANGE_TAKE, &change, err);
}

int transaction_set_times(struct transaction *tx, const struct relpath *path,
	const struct timespec times[2], struct error *err)
{
	const struct change *change = journal_find(&tx->journal, path);
	char name[CHANGE_NAME_SIZE];

	assert(change && change_puts(change));
	change_file_name(change, name);
	if (!tx->dry && sys.set_times(tx->stage, name, times) < 0)
		return error_errno(err, "cannot prepare '%s'", path->text);
	return 0;
}

int transaction_observe_again(
	struct transaction *tx, const struct relpath *path, struct error *err)
{
	const struct change *change = journal_find(&tx->journal, path);

	if (!change || !change->had_before)
		return 0;
	if (transaction_observe(tx, path, err) < 0)
		return -1;
	if (tx->last_present)
		tx->planned[change->number].observed = tx->last_stat;
	return 0;
}

/* --- files that commands may change --- */

/*
 * A copy replaces the file in the tree. So a command that writes into the file that it
 * finds does not write into the saved one.
 */
static int transaction_put_copy(
	struct transaction *tx, const struct relpath *path, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct timespec times[2];

	if (transaction_read(tx, path, &file, err) < 0)
		return -1;
	if (file.kind == TX_ABSENT)
		return transaction_remove(tx, path, err);
	if (file.kind != TX_FILE) {
		error_set(err, ERROR_INVALID,
			"'%s' is not a regular file: changes by a command could not be undone",
			path->text);
		return error_hint(err, "replace it with the file itself");
	}
	times[0] = tx->last_stat.st_atim;
	times[1] = tx->last_stat.st_mtim;
	if (transaction_put(tx, path, view_of_buf(&file.content), file.mode, err) < 0)
		return -1;
	return transaction_set_times(tx, path, times, err);
}

int transaction_expose(struct transaction *tx, const struct relpath *path, struct error *err)
{
	assert(!tx->applied);
	if (!journal_find(&tx->journal, path) && transaction_put_copy(tx, path, err) < 0)
		return -1;
	journal_find(&tx->journal, path)->exposed = true;
	return 0;
}

int transaction_expose_folder(
	struct transaction *tx, const struct relpath *path, struct error *err)
{
	struct change *change;

	assert(!tx->applied);
	if (transaction_plan(tx, path, CHANGE_FOLDER, &change, err) < 0)
		return -1;
	if (change->had_before)
		return error_set(err, ERROR_FAILED, "'%s' already exists", path->text);
	change->exposed = true;
	tx->planned[change->number].placed = true;
	return 0;
}

int transaction_adopt(struct transaction *tx, const struct relpath *path,
	struct tx_file *ret_file, bool *ret_changed, struct error *err)
{
	struct change *change = journal_find(&tx->journal, path);
	struct hash hash;

	assert(tx->applied && change && change->exposed);
	assert(tx->planned[change->number].placed);
	if (transaction_read(tx, path, ret_file, err) < 0)
		return -1;
	*ret_changed = ret_file->kind != TX_ABSENT || change_puts(change);
	/* A link or folder is removed when the transaction is undone. */
	if (ret_file->kind != TX_FILE)
		return 0;
	hash = hash_of(view_of_buf(&ret_file->content));
	*ret_changed = change->kind != CHANGE_PUT || !hash_equal(&hash, &change->hash) ||
		       ret_file->mode != change->mode;
	if (!*ret_changed)
		return 0;
	if (change->kind == CHANGE_PUT)
		change->earlier = change->hash;
	change->kind = CHANGE_PUT;
	change->hash = hash;
	change->mode = ret_file->mode;
	return 0;
}
