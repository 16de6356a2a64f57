/*
 * Undo: take back the last finished operation, whatever it was (history.h).
 *
 * Every file that it changed is again as it was before: content, permissions, links, and
 * the time of its last change; state and base are among them. This is a transaction of its
 * own, and the tests of the skills that are applied then are run. Afterwards the entry is
 * gone: a second undo takes back the operation before, and none brings it back.
 *
 * A file that is not as the operation left it was changed since. Nothing is undone then,
 * but with `set_aside` such files of the project go to .nanoclaw/kept first. What a person
 * edited while the operation was paused goes there in any case, as it does with an abort.
 */
#ifndef ENGINE_OPERATION_UNDO_H
#define ENGINE_OPERATION_UNDO_H

#include "engine/disk/history.h"
#include "engine/session/session.h"

enum undo_effect {
	UNDO_RESTORED, /* as it was before */
	UNDO_REMOVED,  /* it was not there before */
};

extern const char *const undo_effect_names[];

struct undo_file {
	char *path;
	enum undo_effect effect;
	char *kept; /* where a version that was edited is now, or NULL */
};

struct undo_result {
	struct history_entry entry; /* a copy */
	struct undo_file *files;    /* of the project, without those in .nanoclaw */
	size_t file_count, file_cap;
	char **changed; /* files that are not as the operation left them */
	size_t changed_count, changed_cap;
	struct operation_result told; /* warnings, tests, what was installed */
};

#define UNDO_RESULT_INIT ((struct undo_result){0})

/*
 * `options` are no_test, no_install, dry_run, live and test_seconds. Errors:
 *	there is nothing to undo		ERROR_INVALID
 *	files were changed since		ERROR_INVALID, with `changed`
 *	a test fails				ERROR_TEST; everything is as it was
 */
int undo_last(const struct project *project, const struct operation_options *options,
	bool set_aside, struct undo_result *ret_result, struct error *err);

void undo_result_release(struct undo_result *result);

#endif
