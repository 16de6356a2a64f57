/*
 * Changes that a person made outside of the system: the decision about them before an
 * operation begins.
 *
 * They may be recorded as a custom patch, which is recommended; be left as they are,
 * and unrecorded; or the operation does not begin. Whatever is chosen, the files stay
 * as the person made them.
 *
 * What is left unrecorded stays so: a skill that is merged into such a file is
 * recorded as merged into the file without the person's lines, so that these can
 * still be told from the others afterwards.
 */
#ifndef ENGINE_STACK_UNRECORDED_H
#define ENGINE_STACK_UNRECORDED_H

#include "engine/session/session.h"

/* Which files are not as recorded: the session's drift. */
int unrecorded_find(struct session *s, struct error *err);

/* Ask, or do as the session's options say. The base must be open. */
int unrecorded_decide(struct session *s, struct error *err);

/* When a paused operation goes on: all that changed in between is left unrecorded. */
int unrecorded_leave(struct session *s, struct error *err);

#endif
