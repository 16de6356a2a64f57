#include "engine/commit/recovery.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "engine/commit/install_manager.h"
#include "engine/disk/pause.h"
#include "engine/disk/project.h"
#include "engine/session/guard.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/sys.h"
#include "fs/tree.h"

static bool has_begun(const struct project *project)
{
	return disk_exists(project->root, ".nanoclaw/tx") ||
	       disk_exists(project->root, ".nanoclaw/backup/aborting");
}

bool recovery_needed(const struct project *project)
{
	if (!disk_exists(project->root, ".nanoclaw"))
		return false;
	return has_begun(project) || !disk_exists(project->root, ".nanoclaw/state.yaml");
}

static int recovery_read_journal(
	int nanoclaw, const char *name, struct journal *ret_journal, struct error *err)
{
	CLEANUP(closep) int fd = openat(nanoclaw, name, O_RDONLY | O_CLOEXEC);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (fd < 0) {
		error_errno(err, "cannot read '.nanoclaw/%s'", name);
		return damage_hint(err);
	}
	if (file_read_fd(fd, name, JOURNAL_MAX_SIZE, &text, err) < 0 ||
		journal_parse(view_of_buf(&text), ret_journal, err) < 0) {
		error_prefix(err, "cannot undo an operation that was interrupted");
		return damage_hint(err);
	}
	return 0;
}

/* Was an install running that changed an existing node_modules? */
static bool was_installing(int nanoclaw, const struct journal *journal)
{
	bool exposed = false;

	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];

		exposed |= change->exposed;
		if (change->exposed && change->kind == CHANGE_FOLDER)
			return false; /* it did not exist before, and is gone again */
	}
	return exposed &&
	       (disk_exists(nanoclaw, "tx/armed") || disk_exists(nanoclaw, "tx/aborting"));
}

/*
 * The command that restores node_modules, now that the manifest and the lockfile are the old
 * ones.
 */
static char *how_to_reinstall(const struct project *project)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = relpath_of(INSTALL_MANIFEST);
	CLEANUP(buf_release) struct buf manifest = BUF_INIT;
	struct install_choice choice;

	if (beneath_read(project->root, &path, JSON_MAX_SIZE, &manifest, &local) < 0)
		buf_clear(&manifest);
	choice = install_choose(project, view_of_buf(&manifest));
	return install_by_hand(&choice);
}

int recovery_run(
	const struct project *project, struct recovery *ret_recovery, struct error *err)
{
	CLEANUP(error_release) struct error busy = ERROR_INIT, gone = ERROR_INIT;
	CLEANUP(closep) int nanoclaw = -1;

	if (!recovery_needed(project))
		return 0;
	/* Another operation, which had made it, may have removed it in the meantime. */
	if (project_open_nanoclaw(project, &nanoclaw, &gone) < 0)
		return gone.errnum == ENOENT ? 0 : error_move(err, &gone);
	/* If another operation holds the lock, it is running and was not interrupted. */
	if (project_check_lock(project, &busy) < 0)
		return has_begun(project) ? error_move(err, &busy) : 0;
	if (disk_exists(nanoclaw, "tx/journal")) {
		CLEANUP(journal_release) struct journal journal = JOURNAL_INIT;
		bool given_up = disk_exists(nanoclaw, "tx/aborting");

		if (recovery_read_journal(nanoclaw, "tx/journal", &journal, err) < 0)
			return -1;
		/* A command failed, or was running: its changes to other files go too. */
		if ((given_up || disk_exists(nanoclaw, "tx/armed")) &&
			guard_recover(project, &journal, given_up, &ret_recovery->kept, err) <
				0)
			return -1;
		if (rollback(project, &journal,
			    given_up ? ROLLBACK_RESTORE : ROLLBACK_KEEP_EDITS,
			    &ret_recovery->kept, err) < 0)
			return -1;
		ret_recovery->operation = TAKE(journal.operation);
		if (was_installing(nanoclaw, &journal))
			ret_recovery->reinstall = how_to_reinstall(project);
		if (rollback_end(nanoclaw, err) < 0)
			return -1;
	} else if (commit_clean_up(project, nanoclaw, err) < 0) {
		return -1;
	}
	if (disk_exists(nanoclaw, "backup/aborting") &&
		sys.unlink(nanoclaw, "backup/aborting", 0) < 0)
		return error_errno(err, "cannot clean up '.nanoclaw/backup'");
	/* An operation that had just made it. */
	if (!disk_exists(nanoclaw, "state.yaml"))
		project_remove_nanoclaw(project);
	return 0;
}

int recovery_abort(
	const struct project *project, struct recovery *ret_recovery, struct error *err)
{
	CLEANUP(closep) int nanoclaw = -1;
	CLEANUP(closep) int mark = -1;
	CLEANUP(journal_release) struct journal journal = JOURNAL_INIT;

	if (project_open_nanoclaw(project, &nanoclaw, err) < 0)
		return -1;
	/* While it is still only a pause, 'continue' is possible. */
	if (recovery_read_journal(nanoclaw, "backup/journal", &journal, err) < 0)
		return -1;
	/* Is everything there that a pause keeps? Later, a missing file means "undone". */
	for (size_t i = 0; i < journal.change_count; i++) {
		CLEANUP(freep)
		char *name = xasprintf("backup/saved/%u", journal.changes[i].number);

		if (!journal.changes[i].had_before || disk_exists(nanoclaw, name))
			continue;
		error_set(err, ERROR_FAILED,
			"'.nanoclaw/%s', the old version of '%s', is missing", name,
			journal.changes[i].path.text);
		return error_hint(err,
			"nothing was changed: it is still paused; restore that file, or resolve the conflict and 'nanoclaw continue'; 'nanoclaw doctor --fix' moves the remains of the pause away");
	}
	mark = sys.create(nanoclaw, "backup/aborting", O_WRONLY | O_CREAT, 0644);
	/* The mark is on the disk before the rename, and both before anything is undone. */
	if (mark < 0 || sys.sync_all(nanoclaw) < 0 ||
		sys.rename(nanoclaw, "backup", nanoclaw, "tx", RENAME_NOREPLACE) < 0 ||
		sys.sync(nanoclaw) < 0)
		return error_errno(err, "cannot begin to abort");
	return recovery_run(project, ret_recovery, err);
}

void recovery_release(struct recovery *recovery)
{
	free(recovery->operation);
	free(recovery->reinstall);
	kept_list_release(&recovery->kept);
}
