/*
 * The end of an operation: the state, the commands of skills, and the commit; or, after a
 * failure, the rollback.
 */
#ifndef ENGINE_COMMIT_FINISH_H
#define ENGINE_COMMIT_FINISH_H

#include "engine/commit/pending.h"
#include "engine/session/session.h"

/*
 * Make the staged changes, install dependencies if they have changed (install.h), run
 * the commands of these skills and the tests of all that are applied, and commit. On
 * failure everything is as it was before.
 */
int finish(struct session *s, const struct string_array *skills, struct error *err);

/*
 * The same for an undo or a redo (undo.h), whose state is staged like its other files. The
 * tests of all skills that are applied afterwards run. If the undone operation had `mended`
 * the state, the state may be damaged again, and then no test runs.
 */
int finish_undo(struct session *s, enum transaction_end end, bool mended, struct error *err);

/*
 * If nothing changes, run the tests of these skills. The run is recorded in neither the state
 * nor the history.
 */
int finish_tests(struct session *s, const struct string_array *skills, struct error *err);

/* Of a dry run: could that be done, and what would be installed and run? */
int finish_dry(struct session *s, const struct string_array *skills, struct error *err);

/*
 * Commit the staged changes, and pause on the conflicts in the session's result. `what` names
 * the operation and its remaining steps; the rest is filled in.
 */
int finish_paused(struct session *s, const struct pending *what, struct error *err);

/*
 * After a failure before finish(): undo the staged changes, and add the present situation to
 * the error. Always returns -1.
 */
int finish_fail(struct session *s, struct error *err);

#endif
