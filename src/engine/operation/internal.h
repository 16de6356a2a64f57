/* For the files of this room only. */
#ifndef ENGINE_OPERATION_INTERNAL_H
#define ENGINE_OPERATION_INTERNAL_H

#include "engine/operation/remove.h"
#include "engine/stack/drop.h"

/*
 * remove_files.c: stage the files of the dropped layers as they are without these layers.
 * `ret_handled` lists all files that were considered.
 */
int remove_stage_files(struct session *s, struct stack_drop *drop,
	struct string_array *ret_handled, struct error *err);

#endif
