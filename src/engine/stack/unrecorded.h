/*
 * Decides what to do about unrecorded changes by the person before an operation begins.
 *
 * They can be recorded as a custom patch, which is recommended; stay unrecorded; or stop the
 * operation before it begins. In each case the edits stay in the files.
 *
 * If they stay unrecorded, a skill that is merged into such a file is recorded as merged into
 * the file without the person's lines, so that these can still be recognized afterwards.
 */
#ifndef ENGINE_STACK_UNRECORDED_H
#define ENGINE_STACK_UNRECORDED_H

#include "engine/session/session.h"

/* Which files are not as recorded: the session's drift. */
int unrecorded_find(struct session *s, struct error *err);

/* Ask, or follow the session's options. The base must be open. */
int unrecorded_decide(struct session *s, struct error *err);

/* When a paused operation goes on: all that changed in between is left unrecorded. */
int unrecorded_leave(struct session *s, struct error *err);

#endif
