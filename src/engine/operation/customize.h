/*
 * Customizing: a person says what they are about to change, edits files, and has
 * exactly these edits recorded as a custom patch (custom.h).
 *
 *	start	notes in .nanoclaw/customize.yaml what it is about, and which files
 *		were not as recorded already: those are no part of it
 *	commit	records what changed since, any file of the tree
 *	abort	forgets the notes; the edits stay
 *
 * In between no other operation begins.
 */
#ifndef ENGINE_OPERATION_CUSTOMIZE_H
#define ENGINE_OPERATION_CUSTOMIZE_H

#include "engine/session/session.h"

struct customizing {
	char *description;
	char *skill; /* that the patch will be tied to, or NULL */
	char *started_at;
};

#define CUSTOMIZING_INIT ((struct customizing){0})

/* `*ret_found` is false if no session is open. */
int customize_load(const struct project *project, struct customizing *ret_customizing,
	bool *ret_found, struct error *err);
void customizing_release(struct customizing *customizing);

/* ERROR_BUSY while a session is open. */
int customize_refuse(const struct project *project, struct error *err);

/* Open a session; `skill` may be NULL. A project without a base gets one. */
int customize_start(const struct project *project, const char *description, const char *skill,
	const struct apply_options *options, struct apply_result *ret_result,
	struct error *err);

/* The same as a part of an operation: the notes are staged with its other changes. */
int customize_stage(
	struct session *s, const char *description, const char *skill, struct error *err);

/*
 * Record what changed. With `skill` (or NULL) the patch is tied to that, whatever
 * start was told. The result has its name and files; if nothing changed there is no
 * name. The session is over in any case.
 */
int customize_commit(const struct project *project, const char *skill,
	const struct apply_options *options, struct apply_result *ret_result,
	struct error *err);

/* Without a start: record everything that is changed and not recorded yet. */
int customize_record(const struct project *project, const char *description, const char *skill,
	bool no_test, struct apply_result *ret_result, struct error *err);

/*
 * Another description for a recorded patch, as custom_find() knows it; `*ret_name`, its name
 * then, is to be freed.
 */
int customize_rename(const struct project *project, const char *typed, const char *description,
	char **ret_name, struct error *err);

/* End the session without recording anything; the edits stay. */
int customize_abort(const struct project *project, struct error *err);

#endif
