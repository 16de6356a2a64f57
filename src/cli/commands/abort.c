#include <stdio.h>

#include "cli/output.h"
#include "cli/workplace.h"
#include "engine/operation/customize.h"
#include "engine/commit/pending.h"

static int run(struct cli *cli, const struct arguments *args, struct error *err)
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
	.run = run,
};
