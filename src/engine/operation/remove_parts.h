/*
 * The parts of remove.c.
 */
#ifndef ENGINE_OPERATION_REMOVE_PARTS_H
#define ENGINE_OPERATION_REMOVE_PARTS_H

#include "engine/operation/remove.h"

/*
 * remove_dependents.c: add the names of applied skills that cannot do without one in
 * `names`, and of those that cannot do without these. They depend on it, or change a file
 * that it adds or has renamed, or use a name that it has freed.
 */
int remove_find_dependents(struct session *s, struct string_array *names, struct error *err);

/* remove_files.c: bring the result of a replay into the tree. */
int remove_stage_files(struct session *s, struct replay *replay, struct error *err);

/*
 * remove_settled.c: is a line of `was` gone in `now` that neither the core nor a layer has
 * brought? A person wrote it to settle a conflict. `then` is the recorded name of the file.
 */
int remove_loses_settled(struct session *s, struct replay *replay, const struct relpath *then,
	struct view was, struct view now, bool *ret_loses, struct error *err);

/* remove_hard.c: the paths that the replay could not make. */
int remove_stage_hard(struct session *s, struct replay *replay, struct error *err);

#endif
