/*
 * For the files of this room only.
 */
#ifndef ENGINE_OPERATION_INTERNAL_H
#define ENGINE_OPERATION_INTERNAL_H

#include "engine/operation/remove.h"
#include "engine/stack/drop.h"

/*
 * remove_dependents.c: add the names of applied skills that cannot do without one in
 * `names`, and of those that cannot do without these. They depend on it, or change a file
 * that it adds or has renamed, or use a name that it has freed.
 */
int remove_find_dependents(struct session *s, struct string_array *names, struct error *err);

/*
 * remove_files.c: bring the files of the dropped layers into the tree as they are without
 * them. `ret_handled` are the names of all that were looked at.
 */
int remove_stage_files(struct session *s, struct stack_drop *drop,
	struct string_array *ret_handled, struct error *err);

#endif
