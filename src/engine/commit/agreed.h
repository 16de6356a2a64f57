/*
 * Contents of packages whose commands a person has agreed to run: one line for each in
 * $XDG_STATE_HOME/nanoclaw/agreed, or ~/.local/state/nanoclaw/agreed. The file is outside every
 * project, so that no file of a project can answer for the person.
 */
#ifndef ENGINE_COMMIT_AGREED_H
#define ENGINE_COMMIT_AGREED_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "engine/disk/project.h"

/*
 * Read everything agreed to so far. The text is empty if the file does not exist, lies in the
 * project, or is writable by other users.
 */
int agreed_read(const struct project *project, struct buf *ret_text, struct error *err);

bool agreed_has(const struct buf *text, const struct hash *content);

/*
 * Remember the content; `about` describes it for people. Fails if there is nowhere to store it.
 */
int agreed_add(const struct project *project, const struct hash *content, const char *about,
	struct error *err);

#endif
