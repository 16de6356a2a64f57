#include <stdio.h>

#include "cli/output.h"
#include "cli/project.h"
#include "cli/rebuild/offer.h"
#include "cli/report/apply_output.h"
#include "cli/skills/apply.h"
#include "engine/commit/pending.h"
#include "engine/continue.h"
#include "engine/operation/customize.h"

static const struct option options[] = {
	OPTION_RESOLVER,
	OPTIONS_TESTING,
	OPTION_REBUILD,
	{0},
};

static int run_continue_(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct operation_options how;

	if (operation_options_read(cli, args, &how, err) < 0)
		return -1;
	if (project_open_locked(&project, false, err) < 0)
		return -1;
	if (continue_paused(&project, &how, &result, err) < 0) {
		apply_output_warnings(&result);
		return -1;
	}
	return apply_end(cli, &project, &how, NULL, &result, err);
}

COMMAND(continue_) = {
	.name = "continue",
	.summary = "continue a paused operation",
	.description =
		"Completes the operation once all conflicts are resolved. If a test fails, the\n"
		"operation stays paused and keeps your resolutions.\n"
		"\n"
		"If a conflict is unresolved, the command names it; on a terminal it walks you\n"
		"through it. $VISUAL, $EDITOR or vi edits a conflict. NANOCLAW_MERGETOOL is a shell\n"
		"command for a merge tool: it reads the files named in $BASE, $LOCAL and $REMOTE,\n"
		"and writes to $MERGED. Without it, git's 'merge.tool' is used if it is kdiff3,\n"
		"meld, nvimdiff or vimdiff.",
	.section = SECTION_SKILLS,
	.options = options,
	.run = run_continue_,
	.after = rebuild_offer,
};

static int run_abort(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;
	CLEANUP(error_release) struct error idle = ERROR_INIT;
	CLEANUP(error_release) struct error customizing = ERROR_INIT;

	(void)args;
	if (project_open_locked(&project, false, err) < 0)
		return -1;
	if (pending_refuse(&project, &idle) == 0) {
		error_set(err, ERROR_INVALID, "no operation is paused");
		return customize_refuse(&project, &customizing) < 0
			       ? error_hint(err, "%s", customizing.hint)
			       : -1;
	}
	if (recovery_abort(&project, &recovery, err) < 0)
		return -1;
	project_report_kept(&recovery.kept);
	if (cli->json)
		output_success("operation:s", recovery.operation ? recovery.operation : "");
	else if (!cli->quiet)
		printf("everything is as it was before '%s'\n",
			recovery.operation ? recovery.operation : "it");
	return EXIT_DONE;
}

COMMAND(abort) = {
	.name = "abort",
	.summary = "undo a paused operation",
	.description =
		"Restores the content, permissions and times of every file from before the\n"
		"operation. Edits that you made during the pause are saved in .nanoclaw/kept.",
	.section = SECTION_SKILLS,
	.run = run_abort,
};
