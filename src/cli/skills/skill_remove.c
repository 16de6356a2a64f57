#include "engine/operation/remove.h"

#include "cli/project.h"
#include "cli/rebuild/offer.h"
#include "cli/report/apply_output.h"
#include "cli/skills/apply.h"

static const struct option options[] = {
	OPTION_DRY_RUN,
	{0, "with-dependents", NULL, "also remove the skills that build on it"},
	{0, "flattened", NULL, "remove it after a rebase: merge its part out of the files"},
	OPTION_ON_DRIFT,
	OPTION_RESOLVER,
	OPTIONS_TESTING,
	OPTION_REBUILD,
	{0},
};

static int run_skill_remove(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct operation_options how;

	if (operation_options_read(cli, args, &how, err) < 0)
		return -1;
	if (project_open_idle(&project, false, err) < 0)
		return -1;
	if (remove_skills(&project, args->words, args->count,
		    arguments_flag(args, "with-dependents"), &how, &result, err) < 0) {
		apply_output_failure(cli, &result);
		return -1;
	}
	return apply_end(cli, &project, &how, args->words, &result, err);
}

static const struct example examples[] = {
	{"nanoclaw skill remove telegram", "as if it had never been applied"},
	{"nanoclaw skill remove telegram --dry-run", "show what would happen to your files"},
	{"nanoclaw skill remove telegram --with-dependents", "and the skills that build on it"},
	{0},
};

COMMAND(skill_remove) = {
	.name = "skill remove",
	.summary = "remove an applied skill",
	.usage = "<skill>...",
	.description =
		"Produces the files as if the skill had never been applied: files that it added are\n"
		"deleted, renamed files get their old names back, deleted files are restored, and\n"
		"its changes are taken out of the others. Changes by other skills, custom patches\n"
		"and you stay.\n"
		"\n"
		"If you edited a file that the skill added, the operation pauses with exit code 3\n"
		"and you decide. Keep the file or delete it, then run 'nanoclaw continue' or\n"
		"'nanoclaw abort'.\n"
		"\n"
		"Custom patches tied to the skill are discarded with it, after a question; their\n"
		"files stay in '.nanoclaw/custom'. The tests of all other skills run, and if one\n"
		"fails, everything is rolled back.\n"
		"\n"
		"A skill from before the last rebase was squashed with the others. It is refused,\n"
		"unless '--flattened' says to merge its part out of the current files.",
	.section = SECTION_SKILLS,
	.first = 9,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = -1,
	.completes = {COMPLETE_APPLIED},
	.run = run_skill_remove,
	.after = rebuild_offer,
};
