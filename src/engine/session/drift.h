/*
 * Drift: files of the base, of a skill or of a custom patch that are not as recorded
 * (recorded.h).
 *
 *	CLEANUP(drift_list_release) struct drift_list drift = DRIFT_LIST_INIT;
 *
 *	if (drift_find(&project, &state, &drift, err) < 0)
 *		return -1;
 *
 * Files are compared by content, and by the owner's execute bit if it was recorded. An
 * unreadable file counts as edited. Folders are not compared: an empty one is neither missed
 * nor reported.
 *
 * No link is followed out of the project: if a folder has become a link to somewhere else, its
 * files are no longer where they were.
 */
#ifndef ENGINE_SESSION_DRIFT_H
#define ENGINE_SESSION_DRIFT_H

#include <stddef.h>

#include "engine/disk/project.h"
#include "engine/session/result.h"
#include "engine/state/state.h"

/*
 * A file that once matched its record is not read again while lstat() reports the same values:
 * stat_index.h.
 */
int drift_find(const struct project *project, const struct state *state,
	struct drift_list *ret_list, struct error *err);

/* The same, and every file is read. `ret_checked` is how many there were. */
int drift_find_reading(const struct project *project, const struct state *state,
	struct drift_list *ret_list, size_t *ret_checked, struct error *err);

#endif
