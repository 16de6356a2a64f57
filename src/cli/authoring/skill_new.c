#include <stdio.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/project.h"
#include "engine/author/author.h"
#include "format/json.h"
#include "proc/log.h"

static const struct option options[] = {
	{0, "from-changes", NULL, "create it from your changes, or from those in <range>"},
	{0, "into", "DIR", "the folder to create it in (.claude/skills)", COMPLETE_FOLDERS},
	{0, "version", "VERSION", "the version of the skill (1.0.0)"},
	{0, "description", "TEXT", "its purpose, in one line"},
	{0, "exact", NULL, "declare entries only if the file stays identical to the byte"},
	{0, "dry-run", NULL, "show the package without writing it"},
	{0},
};

/* --- for programs ------------------------------------------------------------------------ */

/* --- for people --------------------------------------------------------------------------- */

static void print_next(const struct author_request *request, const struct author_result *result)
{
	CLEANUP(freep) char *folder = output_path(result->folder);
	const char *package = result->apply_as;

	printf("\nNext:\n");
	if (!request->from_changes) {
		printf("  edit %s/manifest.yaml and SKILL.md\n", folder);
		printf("  nanoclaw skill check %s\n", folder);
		printf("  nanoclaw skill apply %s --dry-run\n", package);
		return;
	}
	printf("  replace the placeholders '<!-- author: … -->' in SKILL.md and "
	       "modify/*.intent.md\n");
	printf("  nanoclaw skill check %s\n", folder);
	if (result->by_head)
		printf("  git stash -u; nanoclaw init; git stash pop   (the core, without your changes)\n");
	if (result->is_in_tree || result->by_head)
		printf("  nanoclaw skill apply %s   (the skill then owns your changes)\n",
			package);
}

static void new_package_print(const struct cli *cli, const struct author_request *request,
	const struct author_result *result)
{
	CLEANUP(freep) char *folder = output_path(result->folder);

	if (cli->quiet)
		return;
	printf("%s %s%s%s\n", request->dry_run ? "would create" : "created",
		output_color(cli, COLOR_BOLD), folder, output_color(cli, COLOR_RESET));
	for (size_t i = 0; i < result->count; i++) {
		const struct author_file *file = &result->files[i];
		CLEANUP(freep) char *path = output_path(file->path);
		CLEANUP(freep) char *from = file->from ? output_path(file->from) : NULL;

		printf("  %-8s %s%s%s", author_part_names[file->part], from ? from : "",
			from ? " -> " : "", path);
		if (file->skill)
			printf("   (on top of %s)", file->skill);
		if (file->note)
			printf("   (%s)", file->note);
		printf("\n");
	}
	for (size_t i = 0; i < result->depends.count; i++)
		printf("  %-8s %s\n", i ? "" : "depends", result->depends.list[i]);
	if (request->from_changes)
		printf("Applied in memory, it gives %s.\n",
			result->by_meaning
				? "these changes; entries that are declared stand where "
				  "the engine puts them"
				: "exactly these changes");
	if (!request->dry_run)
		print_next(request, result);
}

/* --- the command ------------------------------------------------------------------------ */

static int run_skill_new(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(author_result_release) struct author_result result = AUTHOR_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct author_request request = {
		.into = arguments_value(args, "into"),
		.version = arguments_value(args, "version"),
		.description = arguments_value(args, "description"),
		.from_changes = arguments_flag(args, "from-changes"),
		.exact = arguments_flag(args, "exact"),
		.dry_run = arguments_flag(args, "dry-run"),
	};
	int failed;
	size_t paths = args->literal, words = args->count - paths;

	if (!words)
		return error_set(err, ERROR_INVALID, "the name of the skill is missing");
	request.skill = args->words[0];
	request.range = words > 1 ? args->words[1] : NULL;
	request.paths = (const char *const *)args->words + words;
	request.path_count = paths;
	if (!request.from_changes && args->count > 1) {
		error_set(err, ERROR_INVALID, "unexpected argument '%s'", args->words[1]);
		return error_hint(err, "a range and paths need '--from-changes'");
	}
	if (words > 2) {
		error_set(err, ERROR_INVALID, "unexpected argument '%s'", args->words[2]);
		return error_hint(err, "put paths after '--'");
	}
	if (project_open_idle(&project, false, err) < 0)
		return -1;
	failed = author_new(&project, &request, &result, err) < 0;
	for (size_t i = 0; i < result.warnings.count; i++)
		log_warning("%s", result.warnings.list[i]);
	if (failed)
		return -1;
	if (cli->json) {
		json_t *files = json_array();

		for (size_t i = 0; i < result.count; i++) {
			const struct author_file *file = &result.files[i];

			json_add(files, "part:s path:s from:s onTopOf:s note:s",
				author_part_names[file->part], file->path, file->from,
				file->skill, file->note);
		}
		output_success("skill:s folder:s files:o depends:o warnings:o exact:b dryRun:b",
			request.skill, result.folder, files, json_strings(&result.depends),
			json_strings(&result.warnings), !result.by_meaning, request.dry_run);
	} else {
		new_package_print(cli, &request, &result);
	}
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw skill new quiet-hours", "an empty package"},
	{"nanoclaw skill new quiet-hours --from-changes", "from your changes in the tree"},
	{"nanoclaw skill new quiet-hours --from-changes main..HEAD -- src",
		"from commits, and only in src"},
	{0},
};

COMMAND(skill_new) = {
	.name = "skill new",
	.summary = "create a skill package, empty or from changes",
	.usage = "<name> [<range>] [-- <path>...]",
	.description =
		"Creates a package in '.claude/skills' that passes 'nanoclaw skill check'. A name\n"
		"that is taken is refused, and nothing is ever overwritten.\n"
		"\n"
		"'--from-changes' creates it from your changes: everything that differs from the\n"
		"records, including new files, or the changes in a range of commits (A..B, or one\n"
		"commit). New files are added. An edited file is the core's file with only your\n"
		"change, without the lines of other skills. If your change is inside another\n"
		"skill's lines, the package depends on that skill. Renamed and deleted files become\n"
		"file operations; new dependencies, variables, services and system packages are\n"
		"declared.\n"
		"\n"
		"Before it is written, the package is applied in memory, and the result is compared\n"
		"with your files. A change that a package cannot express is refused with the reason\n"
		"and exit code 2. Your files are not changed; 'nanoclaw skill apply' then makes the\n"
		"skill the owner of the changes.",
	.section = SECTION_SKILLS,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = -1,
	.run = run_skill_new,
};
