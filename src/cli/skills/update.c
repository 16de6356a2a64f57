#include "cli/prompt.h"
#include "cli/report/apply_output.h"
#include "cli/report/update_output.h"
#include "cli/skills/apply.h"
#include "cli/workplace.h"
#include "engine/update/core_update.h"

static const struct option options[] = {
	{0, "preview", NULL, "show what would be done, and do nothing"},
	{0, "to", "VERSION",
		"the version of the new core; with update packages, how far to go"},
	OPTION_ON_DRIFT,
	OPTION_RESOLVER,
	OPTIONS_TESTING,
	{0},
};

/* What the preview assumes of changes that are not recorded is what is recommended. */
static int preview(struct cli *cli, const struct project *project, const struct arguments *args,
	const struct apply_options *how, bool *ret_nothing, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	struct apply_options look = *how;

	look.dry_run = true;
	look.resolver = NULL;
	if (look.on_drift == ON_DRIFT_ASK)
		look.on_drift = ON_DRIFT_RECORD;
	if (core_update(project, args->words[0], arguments_value(args, "to"), &look, &result,
		    err) < 0) {
		apply_output_failure(cli, &result);
		return -1;
	}
	*ret_nothing = result.update->nothing_to_do;
	apply_output(cli, &result, true);
	return EXIT_DONE;
}

/* On a terminal: show what is coming, and ask once. */
static int confirm(struct cli *cli, const struct project *project, const struct arguments *args,
	const struct apply_options *how, bool *ret_stop, struct error *err)
{
	static const char *const choices[] = {"proceed with the update", "abort"};
	const struct ask *ask = &how->ask;
	bool nothing = false;
	int answer;

	*ret_stop = false;
	if (ask->in_person && preview(cli, project, args, how, &nothing, err) < 0)
		return -1;
	*ret_stop = nothing;
	if (nothing)
		return 0;
	answer = ask->choose(
		ask->data, "Update the core?", choices, ARRAY_SIZE(choices), 0, err);
	if (answer < 0)
		return error_hint(
			err, "'--preview' shows what would be done, and '--yes' does it");
	if (answer)
		return error_set(err, ERROR_FAILED, "nothing was done, as you wished");
	return 0;
}

static int run_update(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	bool looks = arguments_flag(args, "preview");
	struct cli sure = *cli;
	bool stop = false;
	struct apply_options how;

	if (apply_options_read(cli, args, &how, err) < 0)
		return -1;
	if (workplace_open_idle(&project, false, err) < 0)
		return -1;
	if (looks)
		return preview(cli, &project, args, &how, &stop, err);
	if (confirm(cli, &project, args, &how, &stop, err) < 0)
		return -1;
	if (stop)
		return EXIT_DONE;
	/* What was shown is what is done: nothing else is asked. */
	sure.yes = true;
	how.ask = prompt_for(&sure);
	if (core_update(&project, args->words[0], arguments_value(args, "to"), &how, &result,
		    err) < 0) {
		apply_output_failure(cli, &result);
		update_output_failure(cli, &result);
		return -1;
	}
	return apply_end(cli, &project, &how, NULL, &result, err);
}

static const struct example examples[] = {
	{"nanoclaw update ../nanoclaw-0.6.0 --preview", "what a new core would change"},
	{"nanoclaw update ../nanoclaw-0.6.0", "take it"},
	{"nanoclaw update updates/0.5.0-to-0.6.0", "an update package"},
	{"nanoclaw update upstream/main", "a git ref that is there already"},
	{0},
};

COMMAND(update) = {
	.name = "update",
	.summary = "update the core",
	.usage = "<source>",
	.description =
		"The source is an update package ('updates/A-to-B'; one leads on to the next), a\n"
		"folder with the whole new core, or a git ref that is already present.\n"
		"\n"
		"What the new core has changed is merged into your files. What skills, custom\n"
		"patches and you yourself have changed is kept; conflicts pause as in 'skill\n"
		"apply'. Where the new core has changed a default or given something up, migration\n"
		"skills keep your setup as it is; removing one accepts the new default. Skills\n"
		"whose package is newer are applied again. Then the tests of all skills are run,\n"
		"and if one fails everything is as it was before.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run_update,
};
