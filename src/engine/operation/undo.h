/*
 * Undo and redo.
 *
 * An undo reverts the last finished operations, of any kind (history.h). It restores every file
 * that they changed, including the state and the base: content, permissions, links, and
 * modification times. This is one transaction, after which the tests of the applied skills run.
 * The entries are then removed from the history, and a redo reverts the undo in the same way: it
 * restores files and entries as they were before the undo. Several undos are redone one by one,
 * the last one first. A redo is possible until another operation ends. An undo of the first
 * operation leaves nothing, and cannot be redone.
 *
 * A file that differs from what the operation, or the undo, left there was edited since. Then
 * nothing is done, unless `set_aside` is given: it moves such files to .nanoclaw/kept first.
 * Files that a person edited during a pause are always moved there, as in an abort.
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
