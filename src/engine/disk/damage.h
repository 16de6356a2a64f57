/*
 * What to type when something that the engine keeps in .nanoclaw is lost or damaged.
 * The error says what it is; nothing has been changed.
 *
 *	error_set(err, ERROR_INVALID, "'%s' is gone", path);
 *	return damage_hint(err);
 */
#ifndef ENGINE_DISK_DAMAGE_H
#define ENGINE_DISK_DAMAGE_H

#include "util/error.h"

/* Returns -1. */
int damage_hint(struct error *err);

#endif
