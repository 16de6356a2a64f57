/*
 * The parts of resolution_check(), for resolution_check*.c only.
 */
#ifndef ENGINE_RESOLUTION_INTERNAL_H
#define ENGINE_RESOLUTION_INTERNAL_H

#include "base/view.h"
#include "engine/state/skillset.h"

struct resolution_checked;
struct resolution_file;

/* The packages and cores that resolutions are compared with. */
struct resolution_context {
	const struct project *project;
	struct skillset skills;
	int core;           /* the open folder of the core */
	char *core_version; /* NULL if nothing states it */
	int objects;        /* the open folder .nanoclaw, or -1 */
	bool foreign;       /* a missing package is not an error */
};

int resolution_context_open(const struct project *project, bool foreign,
	struct resolution_context *ret_context, struct error *err);
void resolution_context_release(struct resolution_context *context);

/* The skills of a folder against the packages. */
void resolution_check_skills(
	const struct resolution_context *context, struct resolution_checked *checked);

/*
 * The inputs of one file against packages and core. `content` is the result: lines
 * in it that look like conflict markers must have been in one of the inputs.
 */
void resolution_check_inputs(const struct resolution_context *context,
	struct resolution_checked *checked, const struct resolution_file *file,
	struct view content);

#endif
