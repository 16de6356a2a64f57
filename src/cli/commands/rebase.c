#include "engine/replay/rebase.h"

#include "cli/apply_end.h"
#include "cli/apply_options.h"
#include "cli/apply_output.h"
#include "cli/output.h"
#include "cli/rebase_output.h"
#include "cli/update_output.h"
#include "cli/workplace.h"
#include "engine/update/core_update.h"

static const struct option options[] = {
	{0, "dry-run", NULL, "show what is lost and gained, and do nothing"},
	OPTIONS_TESTING,
	{0},
};

/* A preview: the same, and nothing is done. */
static int look(const struct project *project, const struct apply_options *how,
	struct rebase_result *ret_result, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result applied = APPLY_RESULT_INIT;
	struct apply_options looking = *how;

	looking.dry_run = true;
	return rebase(project, &looking, &applied, ret_result, err);
}

/* On a terminal: show what it does, and ask. `*ret_stop`: there is nothing to do. */
static int confirm(const struct cli *cli, const struct project *project,
	const struct apply_options *how, bool *ret_stop, struct error *err)
{
	static const char *const choices[] = {"rebase", "abort"};
	CLEANUP(rebase_result_release) struct rebase_result planned = REBASE_RESULT_INIT;
	int answer;

	if (how->ask.in_person && !cli->json) {
		if (look(project, how, &planned, err) < 0)
			return -1;
		rebase_output_text(cli, &planned, true);
		*ret_stop = planned.nothing_to_do;
		if (*ret_stop)
			return 0;
	}
	answer = how->ask.choose(how->ask.data, "Flatten patches and skills?", choices,
		ARRAY_SIZE(choices), 0, err);
	if (answer < 0)
		return error_hint(err, "'nanoclaw rebase --dry-run' shows what is lost and "
				       "gained; 'nanoclaw rebase --yes' does it");
	return answer == 0 ? 0
			   : error_set(err, ERROR_FAILED, "nothing was done, as you wished");
}

/* Onto another core: an update that is flattened at the end. */
static int run_update(struct cli *cli, const struct project *project, const char *source,
	const struct apply_options *how, struct error *err)
{
	static const char *const choices[] = {"update the core and rebase", "abort"};
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	struct apply_options options_for_update = *how;
	int answer = how->dry_run ? 0
				  : how->ask.choose(how->ask.data,
					    "Update the core, and flatten patches and skills?",
					    choices, ARRAY_SIZE(choices), 0, err);

	if (answer < 0)
		return error_hint(err,
			"'nanoclaw update %s --preview' shows what the new core "
			"changes; '--yes' does both",
			source);
	if (answer)
		return error_set(err, ERROR_FAILED, "nothing was done, as you wished");
	options_for_update.rebase = true;
	options_for_update.on_drift = ON_DRIFT_RECORD;
	if (core_update(project, source, NULL, &options_for_update, &result, err) < 0) {
		apply_output_failure(cli, &result);
		update_output_failure(cli, &result);
		return -1;
	}
	return apply_end(cli, project, &options_for_update, NULL, &result, err);
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result applied = APPLY_RESULT_INIT;
	CLEANUP(rebase_result_release) struct rebase_result result = REBASE_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct apply_options how;
	bool stop = false;
	int failed;

	if (apply_options_read(cli, args, &how, err) < 0)
		return -1;
	if (workplace_open_idle(&project, false, err) < 0)
		return -1;
	if (args->count)
		return run_update(cli, &project, args->words[0], &how, err);
	if ((!how.dry_run && confirm(cli, &project, &how, &stop, err) < 0))
		return -1;
	if (stop)
		return EXIT_DONE;
	failed = rebase(&project, &how, &applied, &result, err);
	apply_output_warnings(&applied);
	if (failed)
		return -1;
	if (cli->json)
		output_json(rebase_output_json(&result, &applied, how.dry_run));
	else
		rebase_output_text(cli, &result, how.dry_run);
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw rebase --dry-run", "see what is lost and gained"},
	{"nanoclaw rebase", "look at that, and answer"},
	{"nanoclaw rebase ../nanoclaw-0.6.0", "update the core first, in the same operation"},
	{"nanoclaw undo", "and all is as it was before"},
	{0},
};

COMMAND(rebase) = {
	.name = "rebase",
	.summary = "flatten skills and custom patches into a clean start",
	.description =
		"Your files stay as they are, to the byte. Custom patches and changes that are not\n"
		"recorded become one layer on top of the skills, and each skill keeps the part in\n"
		"your files that it has now, with all that was settled; so nothing has to be merged\n"
		"again. Packages are not changed.\n"
		"\n"
		"The patches do not stand alone any more, and the skills cannot be removed one by\n"
		"one; a newer version of one can still be applied. 'nanoclaw undo' takes it back.\n"
		"\n"
		"With a new core, which is named as for 'nanoclaw update', the core is updated\n"
		"first, in the same operation.\n"
		"\n"
		"It asks before; '--yes' is the answer for scripts. The tests of all skills are run,\n"
		"and if one fails everything is as it was before.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.usage = "[<new core>]",
	.min_arguments = 0,
	.max_arguments = 1,
	.run = run,
};
