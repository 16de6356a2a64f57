/*
 * Customizing: a person describes a change, edits files, and records exactly these edits as a
 * custom patch (custom.h).
 *
 *	start	writes the description to .nanoclaw/customize.yaml, and the files that have
 *		unrecorded changes already: these are not part of the patch
 *	commit	records all later changes, in any file of the tree
 *	abort	deletes the notes; the edits stay
 *
 * No other operation can begin in between.
 */
#ifndef ENGINE_OPERATION_CUSTOMIZE_H
#define ENGINE_OPERATION_CUSTOMIZE_H

#include "engine/session/session.h"

struct customizing {
	char *description;
	char *skill; /* the patch will be tied to it; or NULL */
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
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err);

/* The same within another operation: stages the notes with its other changes. */
int customize_stage(
	struct session *s, const char *description, const char *skill, struct error *err);

/*
 * Record the changes and end the session. `skill`, or NULL, overrides the skill given to
 * `start`. The result has the name of the patch and its files; without changes there is no
 * name.
 */
int customize_commit(const struct project *project, const char *skill,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err);

/* Without a session: record all unrecorded changes. */
int customize_record(const struct project *project, const char *description, const char *skill,
	bool no_test, struct operation_result *ret_result, struct error *err);

/* Give a recorded patch (custom_find()) another description. Free `*ret_name`, its new name. */
int customize_rename(const struct project *project, const char *typed, const char *description,
	char **ret_name, struct error *err);

/* End the session without recording anything; the edits stay. */
int customize_abort(const struct project *project, struct error *err);

#endif
