#include "engine/transaction.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/pause.h"
#include "engine/rollback.h"
#include "util/beneath.h"
#include "util/file.h"
#include "util/log.h"
#include "util/replace.h"
#include "util/sys.h"
#include "util/tree.h"

struct transaction {
	const struct project *project;
	struct journal journal;
	struct stat *observed; /* by number: what was there when the change was planned */
	size_t observed_cap;
	struct relpath last_read; /* and what transaction_read() saw there */
	struct stat last_stat;
	bool last_present;
	int nanoclaw; /* open folders, once something is staged */
	int tx;
	int stage;
	int saved;
	bool dry;
	struct buf *contents; /* by number, of a dry one */
	size_t content_cap;
	bool applied; /* the journal is on the disk: there is something to undo */
	bool armed;   /* commands may have changed files */
	bool over;    /* committed, or rolled back */
};

#define NUMBER_SIZE 16

static void number_name(unsigned number, char ret_name[static NUMBER_SIZE])
{
	snprintf(ret_name, NUMBER_SIZE, "%u", number);
}

struct transaction *transaction_new(const struct project *project, const char *operation)
{
	struct transaction *tx = xcalloc(1, sizeof(*tx));

	tx->project = project;
	tx->journal.operation = xstrdup(operation);
	tx->nanoclaw = tx->tx = tx->stage = tx->saved = -1;
	return tx;
}

struct transaction *transaction_new_dry(const struct project *project, const char *operation)
{
	struct transaction *tx = transaction_new(project, operation);

	tx->dry = true;
	return tx;
}

const struct journal *transaction_journal(const struct transaction *tx)
{
	return &tx->journal;
}

/* --- the stage ----------------------------------------------------------------- */

static int make_folder(int parent, const char *name, int *ret_fd, struct error *err)
{
	if (sys.mkdir(parent, name, 0777) < 0)
		return error_errno(err, "cannot make the folder '%s' in '.nanoclaw'", name);
	*ret_fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (*ret_fd < 0)
		return error_errno(err, "cannot open the folder '%s' in '.nanoclaw'", name);
	return 0;
}

/* Make .nanoclaw/tx when the first file is staged. */
static int open_stage(struct transaction *tx, struct error *err)
{
	if (tx->stage >= 0 || tx->dry)
		return 0;
	if (sys.mkdir(tx->project->root, ".nanoclaw", 0777) == 0)
		tx->journal.created_nanoclaw = true;
	else if (errno != EEXIST)
		return error_errno(err, "cannot make the folder '.nanoclaw'");
	if (project_open_nanoclaw(tx->project, &tx->nanoclaw, err) < 0 ||
		make_folder(tx->nanoclaw, "tx", &tx->tx, err) < 0 ||
		make_folder(tx->tx, "saved", &tx->saved, err) < 0 ||
		make_folder(tx->tx, "stage", &tx->stage, err) < 0)
		return -1;
	return 0;
}

static int write_staged(struct transaction *tx, const char *name, struct view content,
	mode_t mode, struct error *err)
{
	CLEANUP(closep)
	int fd = sys.create(tx->stage, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);

	if (fd < 0 || sys_write_all(fd, content.data, content.len) < 0 ||
		sys.chmod(fd, mode) < 0)
		return error_errno(err, "cannot prepare the new files in '.nanoclaw'");
	return 0;
}

/* --- reading --------------------------------------------------------------------- */

static int read_staged(struct transaction *tx, const struct change *change,
	struct tx_file *ret_file, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	char name[NUMBER_SIZE];

	if (change->kind == CHANGE_REMOVE)
		return 0;
	if (tx->dry) {
		struct buf *content = &tx->contents[change->number];

		buf_append(&ret_file->content, content->data, content->len);
		ret_file->kind = TX_FILE;
		ret_file->mode = change->mode;
		return 0;
	}
	number_name(change->number, name);
	fd = openat(tx->stage, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_errno(
			err, "cannot read what was prepared for '%s'", change->path.text);
	ret_file->kind = TX_FILE;
	ret_file->mode = change->mode;
	return file_read_fd(
		fd, change->path.text, TRANSACTION_MAX_FILE, &ret_file->content, err);
}

static enum tx_kind kind_of(const struct stat *st)
{
	if (S_ISREG(st->st_mode))
		return TX_FILE;
	if (S_ISLNK(st->st_mode))
		return TX_SYMLINK;
	return S_ISDIR(st->st_mode) ? TX_FOLDER : TX_OTHER;
}

/* `*ret_present` is false if there is nothing. */
static int look(const struct project *project, const struct relpath *path,
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

	if (look(project, path, &st, &present, err) < 0)
		return -1;
	*ret_kind = present ? kind_of(&st) : TX_ABSENT;
	return 0;
}

/* Look at a path, and remember what was seen for a later put. */
static int observe(struct transaction *tx, const struct relpath *path, struct error *err)
{
	relpath_release(&tx->last_read);
	tx->last_read = relpath_copy(path);
	return look(tx->project, path, &tx->last_stat, &tx->last_present, err);
}

int transaction_read(struct transaction *tx, const struct relpath *path,
	struct tx_file *ret_file, struct error *err)
{
	const struct change *change = journal_find(&tx->journal, path);
	CLEANUP(closep) int fd = -1;

	ret_file->kind = TX_ABSENT;
	if (change)
		return read_staged(tx, change, ret_file, err);
	if (observe(tx, path, err) < 0)
		return -1;
	if (!tx->last_present)
		return 0;
	if (kind_of(&tx->last_stat) == TX_FILE) {
		/* The descriptor, not the name, says what was really read. */
		if (beneath_open_file(tx->project->root, path, &fd, &tx->last_stat, err) < 0 ||
			file_read_fd(fd, path->text, TRANSACTION_MAX_FILE, &ret_file->content,
				err) < 0)
			return -1;
		ret_file->mode = tx->last_stat.st_mode & 07777;
	}
	ret_file->kind = kind_of(&tx->last_stat);
	return 0;
}

void tx_file_release(struct tx_file *file)
{
	buf_release(&file->content);
}

/* --- staging changes --------------------------------------------------------------- */

/* The change for a path, new or again; remembers what is there now. */
static int plan_change(struct transaction *tx, const struct relpath *path,
	enum change_kind kind, struct change **ret_change, struct error *err)
{
	struct change *change = journal_find(&tx->journal, path);
	unsigned number = (unsigned)tx->journal.change_count;

	assert(!tx->applied);
	if (open_stage(tx, err) < 0)
		return -1;
	if (change) {
		char name[NUMBER_SIZE];

		number_name(change->number, name);
		if (change->kind == CHANGE_PUT && !tx->dry &&
			sys.unlink(tx->stage, name, 0) < 0)
			return error_errno(err, "cannot replace what was prepared");
		change->kind = kind;
		*ret_change = change;
		return 0;
	}
	if ((!tx->last_read.text || relpath_compare(&tx->last_read, path) != 0) &&
		observe(tx, path, err) < 0)
		return -1;
	GROW(tx->observed, number, tx->observed_cap);
	tx->observed[number] = tx->last_stat;
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
	struct change *change;
	char name[NUMBER_SIZE];

	if (plan_change(tx, path, CHANGE_PUT, &change, err) < 0)
		return -1;
	change->hash = hash_of(content);
	change->mode = mode;
	if (tx->dry) {
		buf_clear(&tx->contents[change->number]);
		buf_append(&tx->contents[change->number], content.data, content.len);
		return 0;
	}
	number_name(change->number, name);
	return write_staged(tx, name, content, mode, err);
}

int transaction_remove(struct transaction *tx, const struct relpath *path, struct error *err)
{
	struct change *change;

	return plan_change(tx, path, CHANGE_REMOVE, &change, err);
}

int transaction_put_folder(
	struct transaction *tx, const struct relpath *path, int *ret_fd, struct error *err)
{
	struct change *change;
	char name[NUMBER_SIZE];

	if (plan_change(tx, path, CHANGE_FOLDER, &change, err) < 0)
		return -1;
	if (change->had_before)
		return error_set(err, ERROR_FAILED, "'%s' is there already", path->text);
	number_name(change->number, name);
	return make_folder(tx->stage, name, ret_fd, err);
}

/* --- before the first change ----------------------------------------------------------- */

static bool knows_folder(const struct journal *journal, const struct relpath *path)
{
	for (size_t i = journal->folder_count; i > 0; i--)
		if (relpath_compare(&journal->folders[i - 1], path) == 0)
			return true;
	return false;
}

/* May we change names in this folder, by a rename from the stage and back? */
static int check_writable(
	struct transaction *tx, const struct relpath *folder, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	struct stat st, root;

	if (beneath_open_dir(tx->project->root, folder, &fd, err) < 0)
		return -1;
	if (fstat(fd, &st) < 0 || fstat(tx->project->root, &root) < 0)
		return error_errno(err, "cannot look at the folder '%s'", folder->text);
	if (st.st_dev != root.st_dev) {
		error_set(err, ERROR_INVALID,
			"the folder '%s' is on another file system than the project",
			folder->text);
		return error_hint(err, "files there cannot be changed all or nothing");
	}
	if (faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0)
		return error_errno(
			err, "cannot write to the folder '%s'", folder ? folder->text : ".");
	return 0;
}

/* Note the folders above a path that are missing, and check the one that is not. */
static int plan_folders(struct transaction *tx, const struct relpath *path, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath parent = RELPATH_INIT;
	struct stat st;

	if (!relpath_parent(path, &parent))
		return check_writable(tx, NULL, err);
	if (knows_folder(&tx->journal, &parent))
		return 0;
	if (beneath_stat(tx->project->root, &parent, &st, &local) == 0 && S_ISDIR(st.st_mode))
		return check_writable(tx, &parent, err);
	if (local.kind == ERROR_NONE || local.errnum != ENOENT) {
		error_set(err, ERROR_INVALID, "'%s' is not a folder, and '%s' must be in it",
			parent.text, path->text);
		return error_hint(err, "move '%s' away first", parent.text);
	}
	if (plan_folders(tx, &parent, err) < 0)
		return -1;
	journal_add_folder(&tx->journal, relpath_copy(&parent));
	return 0;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
	       a->st_mode == b->st_mode && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static int copy_with_times(
	int folder, const char *base, int saved, const char *name, struct error *err)
{
	struct stat st;
	struct timespec times[2];

	if (fstatat(folder, base, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(err, "cannot look at '%s'", base);
	if (tree_copy_file(folder, base, saved, name, err) < 0)
		return -1;
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	if (sys.set_times(saved, name, times) < 0)
		return error_errno(err, "cannot save '%s'", base);
	return 0;
}

/* Give the file that is there a second name, by which it can be put back. */
static int save_before(struct transaction *tx, const struct change *change, struct error *err)
{
	CLEANUP(closep) int folder = -1;
	const char *base = relpath_base(&change->path);
	char name[NUMBER_SIZE];
	struct stat now;

	if (beneath_open_parent(tx->project->root, &change->path, 0, &folder, err) < 0)
		return -1;
	if (fstatat(folder, base, &now, AT_SYMLINK_NOFOLLOW) < 0 ||
		!same_file(&now, &tx->observed[change->number])) {
		error_set(err, ERROR_FAILED, "'%s' was changed while we were at work",
			change->path.text);
		return error_hint(err, "type the command again");
	}
	number_name(change->number, name);
	if (sys.link(folder, base, tx->saved, name) == 0)
		return 0;
	/* Not every file system has second names, and not every file may get one. */
	if (errno != EPERM && errno != EMLINK && errno != EOPNOTSUPP)
		return error_errno(err, "cannot save '%s'", change->path.text);
	return copy_with_times(folder, base, tx->saved, name, err);
}

/* T1, T2: the journal, and all that is needed to go on or back, is on the disk. */
static int write_journal(struct transaction *tx, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	journal_write(&tx->journal, &text);
	if (replace_file(tx->tx, "journal", view_of_buf(&text), 0644, NULL,
		    REPLACE_NEW | REPLACE_NO_DIR_SYNC, err) < 0)
		return -1;
	tx->applied = true;
	if (sys.sync_all(tx->tx) < 0)
		return error_errno(err, "cannot bring the journal to the disk");
	return 0;
}

/* --- the changes ---------------------------------------------------------------------------
 */

/* T3 */
static int place(struct transaction *tx, const struct change *change, struct error *err)
{
	CLEANUP(closep) int folder = -1;
	const char *base = relpath_base(&change->path);
	unsigned flags = change->had_before ? 0 : RENAME_NOREPLACE;
	char name[NUMBER_SIZE];
	struct stat now;

	number_name(change->number, name);
	if (beneath_open_parent(tx->project->root, &change->path, 0, &folder, err) < 0)
		return -1;
	/* T6: the sync took its time; what somebody saved meanwhile must not go. */
	if (change->had_before && (fstatat(folder, base, &now, AT_SYMLINK_NOFOLLOW) < 0 ||
					  !same_file(&now, &tx->observed[change->number]))) {
		error_set(err, ERROR_FAILED, "'%s' was changed while we were at work",
			change->path.text);
		return error_hint(err, "type the command again");
	}
	if (change->kind == CHANGE_REMOVE) {
		if (sys.unlink(folder, base, 0) == 0)
			return 0;
	} else {
		if (sys.rename(tx->stage, name, folder, base, flags) == 0)
			return 0;
		/* A file system without RENAME_NOREPLACE. */
		if (errno == EINVAL && flags &&
			faccessat(folder, base, F_OK, AT_SYMLINK_NOFOLLOW) &&
			sys.rename(tx->stage, name, folder, base, 0) == 0)
			return 0;
	}
	return error_errno(err, "cannot change '%s'", change->path.text);
}

int transaction_check(struct transaction *tx, struct error *err)
{
	struct journal *journal = &tx->journal;

	for (size_t i = 0; i < journal->change_count; i++)
		if (plan_folders(tx, &journal->changes[i].path, err) < 0)
			return -1;
	for (size_t i = 0; i < journal->folder_count; i++) {
		const struct change *change = journal_find(journal, &journal->folders[i]);

		if (change && change->kind == CHANGE_PUT)
			return error_set(err, ERROR_INVALID,
				"'%s' cannot be a file and a folder at once",
				change->path.text);
	}
	return 0;
}

int transaction_apply(struct transaction *tx, struct error *err)
{
	struct journal *journal = &tx->journal;

	if (open_stage(tx, err) < 0 || transaction_check(tx, err) < 0)
		return -1;
	for (size_t i = 0; i < journal->change_count; i++)
		if (journal->changes[i].had_before &&
			save_before(tx, &journal->changes[i], err) < 0)
			return -1;
	if (write_journal(tx, err) < 0)
		return -1;
	for (size_t i = 0; i < journal->folder_count; i++) {
		CLEANUP(closep) int parent = -1;

		if (beneath_open_parent(
			    tx->project->root, &journal->folders[i], 0, &parent, err) < 0)
			return -1;
		if (sys.mkdir(parent, relpath_base(&journal->folders[i]), 0777) < 0)
			return error_errno(
				err, "cannot make the folder '%s'", journal->folders[i].text);
	}
	for (size_t i = 0; i < journal->change_count; i++)
		if (place(tx, &journal->changes[i], err) < 0)
			return -1;
	return 0;
}

/* --- the end
 * ----------------------------------------------------------------------------------- */

int transaction_commit(
	struct transaction *tx, enum transaction_end end, struct view notes, struct error *err)
{
	CLEANUP(error_release) struct error later = ERROR_INIT;
	bool pause = end == TRANSACTION_PAUSE;

	assert(tx->applied && !tx->over);
	if (pause && pause_prepare(tx->nanoclaw, &tx->journal, notes, err) < 0)
		return -1;
	if (sys.sync_all(tx->tx) < 0)
		return error_errno(err, "cannot bring the changes to the disk");
	if (sys.rename(tx->tx, "journal", tx->tx, pause ? "paused" : "done", 0) < 0)
		return error_errno(err, "cannot finish");
	/* T4: from here on it is the new state; what is left to do, recovery does too. */
	tx->over = true;
	if (sys.sync(tx->tx) < 0 || pause_finish(tx->nanoclaw, &later) < 0)
		log_debug("the next command will clean up: %s",
			later.message ? later.message : "the disk reports an error");
	return 0;
}

static int remove_traces(struct transaction *tx, struct error *err)
{
	if (tx->nanoclaw < 0)
		return 0;
	/* What was undone must be on the disk before the journal goes. */
	if (tx->applied && sys.sync_all(tx->nanoclaw) < 0)
		return error_errno(err, "cannot bring the undone files to the disk");
	/* The journal goes first: without it the rest is only litter. */
	if (tx->applied && sys.unlink(tx->tx, "journal", 0) < 0 && errno != ENOENT)
		return error_errno(err, "cannot remove '.nanoclaw/tx/journal'");
	if (tree_remove(tx->nanoclaw, "tx", err) < 0)
		return -1;
	/* Fails, as it should, if there is anything else in it. */
	if (tx->journal.created_nanoclaw)
		sys.unlink(tx->project->root, ".nanoclaw", AT_REMOVEDIR);
	return 0;
}

int transaction_arm(struct transaction *tx, struct error *err)
{
	CLEANUP(closep) int mark = sys.create(tx->tx, "armed", O_WRONLY | O_CREAT, 0644);

	if (mark < 0)
		return error_errno(err, "cannot prepare for a failure");
	tx->armed = true;
	return 0;
}

void transaction_give_up(struct transaction *tx)
{
	if (tx->applied && !tx->over && sys.rename(tx->tx, "armed", tx->tx, "aborting", 0) < 0)
		log_debug("a crash from here on would leave what a command changed");
}

void transaction_abandon(struct transaction *tx)
{
	tx->over = true;
}

int transaction_rollback(struct transaction *tx, struct kept_list *kept, struct error *err)
{
	if (tx->over)
		return 0;
	/* Before commands have run, a file that is not ours is a person's. */
	if (tx->applied &&
		rollback(tx->project, &tx->journal,
			tx->armed ? ROLLBACK_RESTORE : ROLLBACK_KEEP_EDITS, kept, err) < 0) {
		tx->over = true;
		return error_hint(err, "the next command will try again");
	}
	tx->over = true;
	return remove_traces(tx, err);
}

void transaction_free(struct transaction *tx)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (!tx)
		return;
	transaction_rollback(tx, NULL, &ignored);
	for (size_t i = 0; i < tx->journal.change_count; i++)
		buf_release(&tx->contents[i]);
	free(tx->contents);
	journal_release(&tx->journal);
	relpath_release(&tx->last_read);
	free(tx->observed);
	closep(&tx->saved);
	closep(&tx->stage);
	closep(&tx->tx);
	closep(&tx->nanoclaw);
	free(tx);
}

void transaction_freep(struct transaction **tx)
{
	transaction_free(*tx);
}
