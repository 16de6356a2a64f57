/*
 * Stages the files of removed skills: carries them without these skills (thread.h).
 *
 * If a file cannot be carried, or would lose a line that a person wrote to resolve a
 * conflict, the changes of the skill are merged out of the file in the tree.
 */
#ifndef ENGINE_OPERATION_REMOVE_FILES_H
#define ENGINE_OPERATION_REMOVE_FILES_H

#include "engine/session/session.h"
#include "engine/stack/drop.h"

/*
 * Stage the files of the dropped layers as they are without these layers. `ret_handled` lists
 * all files that were considered.
 */
int remove_stage_files(struct session *s, struct stack_drop *drop,
	struct string_array *ret_handled, struct error *err);

#endif
