/*
 * `diff --by`: who wrote which line, for people and for programs.
 */
#ifndef CLI_SKILLS_ATTRIBUTION_OUTPUT_H
#define CLI_SKILLS_ATTRIBUTION_OUTPUT_H

#include "cli/command.h"
#include "engine/look/compare.h"

/* All files that were named, or that are not the core's alone. */
int attribution_output(const struct cli *cli, struct comparison *comparison,
	const struct selection *selection, struct error *err);

#endif
