#include "cli/project.h"
#include "cli/prompt.h"
#include "cli/rebuild/rebuild.h"
#include "cli/report/apply_output.h"
#include "cli/report/update_output.h"
#include "cli/skills/apply.h"
#include "cli/skills/upstream.h"
#include "engine/update/core_update.h"

static const struct option options[] = {
	{0, "preview", NULL, "show the result without changing anything"},
	{0, "to", "VERSION", "the version of the new core; with packages, how far to go"},
	OPTION_ON_DRIFT,
	OPTION_RESOLVER,
	OPTION_ALLOW_OLDER_CORE,
	OPTIONS_TESTING,
	OPTION_REBUILD,
	{0},
};

/* For unrecorded changes, the preview assumes the recommended choice. */
static int update_preview(struct cli *cli, const struct project *project, const char *source,
	const struct arguments *args, const struct operation_options *how,
	struct operation_result *ret_result, struct error *err)
{
	struct operation_options look = *how;

	look.dry_run = true;
	look.resolver = NULL;
	if (look.on_drift == ON_DRIFT_ASK)
		look.on_drift = ON_DRIFT_RECORD;
	if (core_update(project, source, arguments_value(args, "to"), &look, ret_result, err) ==
		0)
		return 0;
	apply_output_failure(cli, ret_result);
	return -1;
}

/* On a terminal, show the preview and ask once. Elsewhere, the preview must only succeed. */
static int confirm_update(struct cli *cli, const struct project *project, const char *source,
	const struct arguments *args, const struct operation_options *how, bool *ret_stop,
	struct error *err)
{
	static const char *const choices[] = {"proceed with the update", "abort"};
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	const struct ask *ask = &how->ask;
	int answer;

	*ret_stop = false;
	if (cli->yes)
		return 0;
	if (update_preview(cli, project, source, args, how, &result, err) < 0)
		return -1;
	*ret_stop = result.update->nothing_to_do;
	if (*ret_stop || ask->in_person)
		apply_output(cli, &result, true);
	if (*ret_stop)
		return 0;
	answer = ask->choose(
		ask->data, "Update the core?", choices, ARRAY_SIZE(choices), 0, err);
	if (answer < 0)
		return error_hint(err, "'--preview' shows the changes, and '--yes' makes them");
	if (answer)
		return error_set(err, ERROR_FAILED, "nothing was done");
	return 0;
}

static int update_from(struct cli *cli, const struct project *project, const char *source,
	const struct arguments *args, struct operation_options *how, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	struct cli sure = *cli;
	bool stop = false;

	if (arguments_flag(args, "preview")) {
		if (update_preview(cli, project, source, args, how, &result, err) < 0)
			return -1;
		return apply_output(cli, &result, true);
	}
	if (confirm_update(cli, project, source, args, how, &stop, err) < 0)
		return -1;
	if (stop)
		return EXIT_DONE;
	/* The person has agreed to the preview; do not ask again. */
	sure.yes = true;
	how->ask = prompt_for(&sure);
	if (cli->interactive && !cli->yes)
		how->ask.show = NULL;
	if (core_update(project, source, arguments_value(args, "to"), how, &result, err) < 0) {
		apply_output_failure(cli, &result);
		update_output_failure(cli, &result);
		return -1;
	}
	return apply_end(cli, project, how, NULL, &result, err);
}

static int run_update(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct upstream upstream;
	struct operation_options how;
	int code;

	if (operation_options_read(cli, args, &how, err) < 0)
		return -1;
	if (project_open_idle(&project, false, err) < 0)
		return -1;
	if (args->count)
		return update_from(cli, &project, args->words[0], args, &how, err);
	if (upstream_open(&project, arguments_value(args, "to"), &how.ask, &upstream, err) < 0)
		return -1;
	how.source = upstream.shown;
	code = update_from(cli, &project, upstream.source, args, &how, err);
	upstream_close(&upstream);
	return code;
}

static const struct example examples[] = {
	{"nanoclaw update", "fetch the newest version, show it, and ask"},
	{"nanoclaw update ../nanoclaw-0.6.0 --preview", "show what a new core would change"},
	{"nanoclaw update ../nanoclaw-0.6.0", "update to it"},
	{"nanoclaw update updates/0.5.0-to-0.6.0", "an update package"},
	{"nanoclaw update upstream/main", "a git ref that you have fetched"},
	{0},
};

COMMAND(update) = {
	.name = "update",
	.summary = "update the core",
	.usage = "[<source>]",
	.description =
		"Without a source, the new core comes from where the last one came from, or from the\n"
		"git remote 'upstream' or 'origin' of the project: the command names it, asks, and lets\n"
		"git fetch the newest version into a temporary folder. Your repository stays as it is.\n"
		"\n"
		"The source is an update package ('updates/A-to-B'; one leads to the next), a\n"
		"folder with the whole new core, or a git ref that you have already fetched.\n"
		"\n"
		"The new core's changes are merged into your files. Changes by skills, custom\n"
		"patches and you are kept; conflicts pause as in 'skill apply'. If the new core\n"
		"changed a default or dropped a feature, migration skills keep your setup; removing\n"
		"one accepts the new default. Skills with a newer package are applied again. Then\n"
		"the tests of all skills run, and if one fails, everything is rolled back.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
	.run = run_update,
	.after = rebuild_offer,
};
