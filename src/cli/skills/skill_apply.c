#include "engine/operation/apply.h"

#include <stdlib.h>
#include <string.h>

#include "cli/project.h"
#include "cli/rebuild/offer.h"
#include "cli/report/apply_output.h"
#include "cli/skills/apply.h"
#include "engine/custom/custom.h"
#include "engine/newcore/package_source.h"
#include "proc/log.h"

static const struct option options[] = {
	OPTION_DRY_RUN,
	OPTION_ON_DRIFT,
	{0, "customize", "DESCRIPTION",
		"then start customizing the skill, like 'customize start --skill'"},
	{0, "sha256", "HEX", "the SHA-256 that the archive must have"},
	{0, "key", "FILE", "the minisign or SSH key that must have signed the archive",
		COMPLETE_FILES},
	OPTION_RESOLVER,
	OPTION_ANCESTOR,
	OPTION_ALLOW_CONFLICTS,
	OPTION_ALLOW_OLDER_CORE,
	OPTIONS_TESTING,
	OPTION_REBUILD,
	{0},
};

static int apply_named(struct cli *cli, const struct project *project, const char *const *typed,
	size_t count, const struct operation_options *how, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;

	if (apply_skills(project, APPLY_OPERATION, typed, count, how, &result, err) < 0) {
		apply_output_failure(cli, &result);
		return -1;
	}
	return apply_end(cli, project, how, typed, &result, err);
}

/* From an archive or a clone. The package is gone after that, so nothing can wait for it. */
static int apply_unpacked(struct cli *cli, const struct arguments *args,
	const struct project *project, struct operation_options *how, struct error *err)
{
	const struct package_request request = {
		.typed = args->words[0],
		.sha256 = arguments_value(args, "sha256"),
		.key = arguments_value(args, "key"),
	};
	struct package_source source;
	int code;

	if (args->count > 1)
		return error_set(err, ERROR_INVALID,
			"a package from an archive or a clone is applied alone");
	if (package_source_open(project, &request, &source, err) < 0)
		return -1;
	if (source.unsigned_for_us)
		log_warning(
			"the signature of the archive was not checked; '--key FILE' checks it");
	how->source = source.shown;
	code = apply_named(
		cli, project, (const char *const[]){source.folder, NULL}, 1, how, err);
	if (code < 0 && view_starts_with(view_of(err->message), source.folder)) {
		CLEANUP(freep) char *message = TAKE(err->message);

		/* Its folder, which a hint may name, is gone. */
		err->message = xasprintf("%s: %s", request.typed,
			message + strlen(source.folder) +
				strspn(message + strlen(source.folder), "/: "));
		free(err->hint);
		err->hint = NULL;
	}
	package_source_close(&source);
	return code;
}

static int run_skill_apply(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct operation_options how;

	if (operation_options_read(cli, args, &how, err) < 0)
		return -1;
	how.customize = arguments_value(args, "customize");
	if (how.customize) {
		if (args->count > 1)
			return error_set(err, ERROR_INVALID,
				"only one skill can be customized at a time, not %zu",
				args->count);
		if (custom_check_description(how.customize, err) < 0)
			return -1;
	}
	if (project_open_idle(&project, false, err) < 0)
		return -1;
	for (size_t i = 0; i < args->count; i++)
		if (package_source_is(args->words[i]))
			return apply_unpacked(cli, args, &project, &how, err);
	if (arguments_value(args, "sha256") || arguments_value(args, "key"))
		return error_set(err, ERROR_INVALID,
			"'--sha256' and '--key' are for an archive (.tar.gz)");
	return apply_named(cli, &project, args->words, args->count, &how, err);
}

static const struct example examples[] = {
	{"nanoclaw skill apply telegram", "a skill by its name"},
	{"nanoclaw skill apply telegram telegram-reactions", "two at once, in the right order"},
	{"nanoclaw skill apply telegram-1.0.0.tar.gz --sha256 9f86d0...", "from an archive"},
	{"nanoclaw skill apply ./my-skill --dry-run", "show what a package would do"},
	{0},
};

COMMAND(skill_apply) = {
	.name = "skill apply",
	.summary = "apply skills to this project, all or nothing",
	.usage = "<skill>...",
	.description =
		"Name a skill by the path to its package, by its name, or by its folder; or name an\n"
		"archive (.tar.gz), or 'git+REPOSITORY@REF:FOLDER', a commit of a clone on this\n"
		"machine. Nothing is fetched.\n"
		"\n"
		"New files are added, and changes are merged into yours. If anything fails, such as\n"
		"a skill's test, everything is rolled back. If you and the skill changed the same\n"
		"lines, the operation pauses with exit code 3 and conflict markers in the files:\n"
		"resolve them and run 'nanoclaw continue', or undo everything with 'nanoclaw\n"
		"abort'. On a terminal, NanoClaw walks you through the conflicts: it shows both\n"
		"sides and the intents of the skills, and you choose with a letter.\n"
		"\n"
		"Unrecorded changes of yours can first be recorded as a custom patch, or left as\n"
		"they are; they are kept in any case.\n"
		"\n"
		"The first skill in a project also copies the core (see 'nanoclaw init').",
	.section = SECTION_SKILLS,
	.first = 8,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = -1,
	.completes = {COMPLETE_SKILLS},
	.run = run_skill_apply,
	.after = rebuild_offer,
};
