/*
 * Skills whose changes are in the tree already: somebody made them there, and then a package of
 * them (author.h).
 *
 * Without this they would be merged into files that have them, and be recorded twice: as an
 * unrecorded change or a custom patch of the person's, and as the skill's. So, before it is
 * asked what becomes of unrecorded changes (unrecorded.h): if all files of the skills are in
 * the tree exactly as these skills would make them of what is recorded, and some of them are
 * unrecorded changes, then those are no changes of the person's any more. The files are staged
 * as they are recorded, the skills are applied to that, and what comes out is what is there:
 * the tree stays, and the record says whose it is.
 */
#ifndef ENGINE_OPERATION_ALREADY_THERE_H
#define ENGINE_OPERATION_ALREADY_THERE_H

#include "engine/operation/batch.h"
#include "engine/session/session.h"

/* The session's drift must be known (unrecorded_find()); what is taken over is no part of it
 * afterwards. */
int already_there(struct session *s, const struct batch *batch, struct error *err);

#endif
