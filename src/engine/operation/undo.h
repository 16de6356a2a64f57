/*
 * Undo and redo.
 *
 * An undo takes back the last finished operations, whatever they were (history.h). Every file
 * that they changed is as it was before: content, permissions, links, and the time of its last
 * change; state and base are among them. This is one transaction, and then the tests of the
 * skills that are applied run. Afterwards the entries are gone from the history, and a redo
 * takes the undo back in the same way: files and entries are as before the undo. Several undos
 * are redone one by one, the last first. A redo is possible until another operation ends. An
 * undo of the first operation leaves nothing, and cannot be redone.
 *
 * A file that is not as the operation, or the undo, left it was changed since. Then nothing is
 * done, but with `set_aside` such files of the project go to .nanoclaw/kept first. Files that a
 * person edited while the operation was paused go there in any case, as with an abort.
 */
#ifndef ENGINE_OPERATION_UNDO_H
#define ENGINE_OPERATION_UNDO_H

#include "engine/disk/history.h"
#include "engine/session/session.h"

enum undo_effect {
	UNDO_RESTORED, /* as it was before */
	UNDO_REMOVED,  /* it did not exist before */
};

extern const char *const undo_effect_names[];

struct undo_file {
	char *path;
	enum undo_effect effect;
	char *kept; /* where an edited version is now, or NULL */
};

/* A file that is not as the operation `by` left it. */
struct undo_changed {
	char *path;
	char *by;
};

struct undo_result {
	struct history entries;  /* that were taken back, the newest first; or redone */
	struct undo_file *files; /* of the project, without those in .nanoclaw */
	size_t file_count, file_cap;
	struct undo_changed *changed;
	size_t changed_count, changed_cap;
	struct operation_result told; /* warnings, tests, installed packages */
};

#define UNDO_RESULT_INIT ((struct undo_result){0})

/*
 * Take back the last `count` operations. `options` are no_test, no_install, dry_run, live and
 * test_seconds. Errors:
 *	fewer operations are kept		ERROR_INVALID
 *	files were changed since		ERROR_INVALID, with `changed`
 *	a test fails				ERROR_TEST; everything is as it was
 */
int undo_last(const struct project *project, size_t count,
	const struct operation_options *options, bool set_aside, struct undo_result *ret_result,
	struct error *err);

/* Redo the last undo. The errors are the same. */
int redo_last(const struct project *project, const struct operation_options *options,
	bool set_aside, struct undo_result *ret_result, struct error *err);

void undo_result_release(struct undo_result *result);

#endif
