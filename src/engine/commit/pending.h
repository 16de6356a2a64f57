/* The remaining steps of a paused operation: .nanoclaw/backup/pause.yaml. */
#ifndef ENGINE_COMMIT_PENDING_H
#define ENGINE_COMMIT_PENDING_H

#include <stdbool.h>

#include "base/string_array.h"
#include "engine/session/session.h"

struct pending {
	const char *operation;
	struct conflict *conflicts;
	size_t conflict_count, conflict_cap;
	struct lesson *lessons; /* of conflicts that are resolved already */
	size_t lesson_count, lesson_cap;
	struct string_array remaining; /* packages that come after the conflict */
	struct string_array versions;  /* and their versions, when the operation began */
	struct string_array skills;    /* all skills of the operation so far */
	bool no_test;
	bool test_new;
	bool no_install;
	bool allow_older_core;
	bool allow_conflicts;
	bool ancestor_is_base;
	const char *customize;  /* what to customize when it is done, or NULL */
	struct yaml_doc *notes; /* of an update of the core (core_update.h); or NULL */
	struct state state;     /* as it will be */
};

#define PENDING_INIT ((struct pending){0})

/* `*ret_found` is false if no operation is paused. */
int pending_load(const struct project *project, struct pending *ret_pending, bool *ret_found,
	struct error *err);

/* Does this file have a conflict to resolve? */
bool pending_has_conflict(const struct pending *pending, const char *path);

/* The text of pause.yaml for a session that stops here. */
int pending_write(const struct pending *pending, struct buf *out, struct error *err);

/* ERROR_BUSY if an operation is paused; operations that change the tree must wait for it. */
int pending_refuse(const struct project *project, struct error *err);

/*
 * Structured files are written at the end of an operation. While it is paused they are as they
 * were before it, or without the entries of skills (structured.h), although the planned state
 * may say otherwise. Add the paths that still match `before`, the state when the operation
 * began, or that are as the pause left them.
 */
int pending_unwritten(const struct project *project, const struct state *before,
	const struct pending *pending, struct string_array *ret_paths, struct error *err);

void pending_release(struct pending *pending);

#endif
