#include <stdio.h>

#include "cli/output.h"
#include "cli/report/apply_output.h"
#include "cli/skills/apply.h"
#include "cli/workplace.h"
#include "engine/commit/pending.h"
#include "engine/continue.h"
#include "engine/operation/apply.h"
#include "engine/operation/customize.h"

static const struct option options[] = {
	OPTION_RESOLVER,
	OPTIONS_TESTING,
	{0},
};

static int run_continue_(struct cli *cli, const struct arguments *args, struct error *err)
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
	.run = run_continue_,
};

static int run_abort(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;
	CLEANUP(error_release) struct error idle = ERROR_INIT;
	CLEANUP(error_release) struct error customizing = ERROR_INIT;

	(void)args;
	if (workplace_open(&project, false, err) < 0)
		return -1;
	if (pending_refuse(&project, &idle) == 0) {
		error_set(err, ERROR_INVALID,
			"no operation is paused: there is nothing to abort");
		return customize_refuse(&project, &customizing) < 0
			       ? error_hint(err, "%s", customizing.hint)
			       : -1;
	}
	if (recovery_abort(&project, &recovery, err) < 0)
		return -1;
	workplace_tell_kept(&recovery.kept);
	if (cli->json)
		output_json(json_pack("{s:b, s:s}", "success", true, "operation",
			recovery.operation ? recovery.operation : ""));
	else if (!cli->quiet)
		printf("everything is as it was before '%s'\n",
			recovery.operation ? recovery.operation : "it");
	return EXIT_DONE;
}

COMMAND(abort) = {
	.name = "abort",
	.summary = "undo an operation that paused",
	.description =
		"Every file is as it was before the operation: its content, permissions and times.\n"
		"What you edited since the pause is kept in .nanoclaw/kept.",
	.section = SECTION_SKILLS,
	.run = run_abort,
};
