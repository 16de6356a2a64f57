/*
 * Whether one skill builds on another, directly or through others.
 */
#ifndef ENGINE_SESSION_DEPENDS_H
#define ENGINE_SESSION_DEPENDS_H

#include "engine/package/manifest.h"
#include "engine/session/session.h"

/* Does the skill of this manifest depend on `skill`, through applied skills as well? */
bool depends_on(struct session *s, const struct manifest *manifest, const char *skill);

#endif
