#include "cli/apply_end.h"

#include "cli/apply_output.h"
#include "cli/conflict_walk.h"

int apply_end(const struct cli *cli, const struct project *project,
	const struct apply_options *options, const char *const *typed,
	const struct apply_result *result, struct error *err)
{
	int code = apply_output(cli, result, options->dry_run);

	if (code != EXIT_PAUSED)
		return code;
	return conflict_walk(
		&(struct conflict_walk){
			.cli = cli, .project = project, .options = options, .typed = typed},
		err);
}
