/*
 * The core that packages are compared with: the current one, or any other that a person names.
 *
 *	CLEANUP(core_view_release) struct core_view view = CORE_VIEW_INIT;
 *
 *	core_view_open(s, NULL, &view, err)		the present core; "." is, too
 *	core_view_open(s, "../core-0.6.0", &view, err)	or one as in core_source.h; or the
 *							version of an earlier one
 *	core_view_name(&view, &path, &now, err)		what a file is called there
 *	core_view_read(&view, &now, &file, err)
 *
 * The session must have its core (session_open_core()) and outlive the view. Nothing is
 * written, except in a temporary folder: a project without a base is copied to one, to find
 * out what was renamed between it and another core.
 */
#ifndef ENGINE_NEWCORE_CORE_VIEW_H
#define ENGINE_NEWCORE_CORE_VIEW_H

#include "engine/core/base_sums.h"
#include "engine/newcore/core_ops.h"
#include "engine/newcore/core_source.h"
#include "engine/session/session.h"
#include "fs/scratch.h"

enum core_view_kind {
	CORE_VIEW_PRESENT,
	CORE_VIEW_SOURCE,
	CORE_VIEW_EARLIER,
};

struct core_view {
	enum core_view_kind kind;
	struct session *session;
	char *version;
	char *shown;               /* its name in messages: "core 0.6.0" */
	struct core_source source; /* CORE_VIEW_SOURCE */
	struct core_ops declared;  /* path_remap that the present core comes with */
	struct scratch copy;       /* of a project without a base; or no path */
};

#define CORE_VIEW_INIT ((struct core_view){.source = {.guide = BUF_INIT}})

/* `typed` may be NULL. */
int core_view_open(
	struct session *s, const char *typed, struct core_view *ret_view, struct error *err);

/* The current name of a package's path in that core, if it is known. */
int core_view_name(const struct core_view *view, const struct relpath *path,
	struct relpath *ret_name, struct error *err);

/* TX_ABSENT if it has no such file. */
int core_view_read(const struct core_view *view, const struct relpath *path,
	struct tx_file *ret_file, struct error *err);

void core_view_release(struct core_view *view);

#endif
