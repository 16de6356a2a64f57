#include "engine/operation/remove.h"

#include "cli/report/apply_output.h"
#include "cli/skills/apply.h"
#include "cli/workplace.h"

static const struct option options[] = {
	OPTION_DRY_RUN,
	{0, "with-dependents", NULL, "remove the skills that build on it, too"},
	{0, "flattened", NULL,
		"remove it although a rebase has flattened it: its part is merged out"},
	OPTION_ON_DRIFT,
	OPTION_RESOLVER,
	OPTIONS_TESTING,
	{0},
};

static int run_skill_remove(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct apply_options how;

	if (apply_options_read(cli, args, &how, err) < 0)
		return -1;
	if (workplace_open_idle(&project, false, err) < 0)
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
	{"nanoclaw skill remove telegram --dry-run", "see what would become of your files"},
	{"nanoclaw skill remove telegram --with-dependents", "and what builds on it"},
	{0},
};

COMMAND(skill_remove) = {
	.name = "skill remove",
	.summary = "take an applied skill out again",
	.usage = "<skill>...",
	.description =
		"The files become what they would be if the skill had never been applied: those\n"
		"that it added go, renamed ones get their old names, deleted ones come back, and\n"
		"its changes are taken out of the others. What other skills, custom patches and\n"
		"you yourself have changed stays.\n"
		"\n"
		"A file that the skill added and that you have changed is for you to decide: the\n"
		"operation pauses with exit code 3. Leave the file there to keep it, or delete it;\n"
		"then 'nanoclaw continue', or 'nanoclaw abort'.\n"
		"\n"
		"Custom patches that are tied to the skill are discarded with it, after a question;\n"
		"their files stay in '.nanoclaw/custom'. The tests of all other skills are run, and\n"
		"if one fails everything is as it was before.\n"
		"\n"
		"A skill that was there at the last rebase is flattened: what it changed was settled\n"
		"with the rest. It is refused, unless '--flattened' says that its part shall be\n"
		"merged out of the files as they are.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = -1,
	.completes = {COMPLETE_APPLIED},
	.run = run_skill_remove,
};
