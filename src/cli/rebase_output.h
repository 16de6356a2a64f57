/*
 * What a rebase does, or would do, for people and for programs.
 */
#ifndef CLI_REBASE_OUTPUT_H
#define CLI_REBASE_OUTPUT_H

#include "cli/command.h"
#include "engine/replay/rebase.h"
#include "util/json.h"

/* What is lost and gained. `planned`: it was not done yet. */
void rebase_output_text(
	const struct cli *cli, const struct rebase_result *result, bool planned);

/* `dry_run`: it was not done at all. */
json_t *rebase_output_json(
	const struct rebase_result *result, const struct apply_result *applied, bool dry_run);

#endif
