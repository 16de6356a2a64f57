#include "cli/apply_end.h"
#include "cli/apply_options.h"
#include "cli/apply_output.h"
#include "cli/workplace.h"
#include "engine/continue.h"
#include "engine/operation/apply.h"

static const struct option options[] = {
	OPTION_RESOLVER,
	OPTIONS_TESTING,
	{0},
};

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct apply_options how;

	if (apply_options_read(cli, args, &how, err) < 0)
		return -1;
	if (workplace_open(&project, false, err) < 0)
		return -1;
	if (continue_paused(&project, &how, &result, err) < 0) {
		apply_output_warnings(&result);
		return -1;
	}
	return apply_end(cli, &project, &how, NULL, &result, err);
}

COMMAND(continue_) = {
	.name = "continue",
	.summary = "go on with an operation that paused",
	.description =
		"When all conflicts are settled, does everything that was still to do. If a test\n"
		"fails, the operation is still paused, with your files as you settled them.\n"
		"\n"
		"What is not settled is named; on a terminal you are led through it. $VISUAL,\n"
		"$EDITOR or vi edits a conflict. NANOCLAW_MERGETOOL is a shell command for a merge\n"
		"tool, which finds the names of files in $BASE, $LOCAL and $REMOTE and writes to\n"
		"$MERGED; without it git's 'merge.tool' counts if it is kdiff3, meld, nvimdiff or\n"
		"vimdiff.",
	.section = SECTION_SKILLS,
	.options = options,
	.run = run,
};
