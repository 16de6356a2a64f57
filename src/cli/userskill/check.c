#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/assistant/assistant.h"
#include "cli/command.h"
#include "cli/output.h"
#include "format/json.h"
#include "userskill/check.h"

/* --- for programs ------------------------------------------------------------ */

static json_t *faults_json(const struct skill_faults *faults)
{
	json_t *list = json_array();

	for (size_t i = 0; i < faults->count; i++) {
		const struct skill_fault *fault = &faults->list[i];

		json_add(list, "severity:s line:I text:s hint:S",
			skill_severity_name(fault->severity), fault->line, fault->text,
			fault->hint);
	}
	return list;
}

static void print_checked_skills_json(const struct checked_skills *all)
{
	json_t *list = json_array();
	json_t *json;

	for (size_t i = 0; i < all->count; i++) {
		const struct checked_skill *checked = &all->list[i];
		const struct skill_faults *faults = &checked->faults;
		json_t *checked_list = json_build(
			"success:b file:s skill:s errors:I warnings:I fixed:b faults:o",
			!faults->errors, checked->path, checked->skill.id, faults->errors,
			faults->warnings, checked->fixed, faults_json(faults));

		if (faults->errors)
			json_put(checked_list, "error:o",
				json_sprintf(
					"%zu error%s", faults->errors, plural(faults->errors)));
		json_array_append_new(list, checked_list);
	}
	if (all->count == 1) {
		output_json(json_incref(json_array_get(list, 0)));
		json_decref(list);
		return;
	}
	json = json_build("success:b errors:I warnings:I results:o", !all->errors, all->errors,
		all->warnings, list);
	if (all->errors)
		json_put(json, "error:o",
			json_sprintf("%zu error%s in user skills", all->errors,
				plural(all->errors)));
	output_json(json);
}

/* --- for people -------------------------------------------------------------- */

static void print_faults(const struct cli *cli, const struct checked_skill *checked)
{
	CLEANUP(freep) char *path = output_path(checked->path);

	if (checked->fixed)
		printf("%s: written in the standard form\n", path);
	for (size_t i = 0; i < checked->faults.count; i++) {
		const struct skill_fault *fault = &checked->faults.list[i];
		bool error = fault->severity == SKILL_ERROR;
		CLEANUP(freep) char *text = output_first_line(fault->text);

		if (cli->quiet && !error)
			continue;
		printf("%s:%zu: %s%s%s: %s\n", path, fault->line,
			output_color(cli, error ? COLOR_RED : COLOR_YELLOW),
			skill_severity_name(fault->severity), output_color(cli, COLOR_RESET),
			text);
		if (fault->hint && !cli->quiet)
			printf("%s    %s%s\n", output_color(cli, COLOR_DIM), fault->hint,
				output_color(cli, COLOR_RESET));
	}
	if (checked->faults.left_out)
		printf("%s: and %zu more\n", path, checked->faults.left_out);
}

static void print_checked_skills(const struct cli *cli, const struct checked_skills *all)
{
	for (size_t i = 0; i < all->count; i++)
		print_faults(cli, &all->list[i]);
	if (cli->quiet)
		return;
	printf("%zu user skill%s checked: ", all->files, plural(all->files));
	if (!all->errors && !all->warnings)
		printf("no faults\n");
	else
		printf("%zu error%s, %zu warning%s\n", all->errors, plural(all->errors),
			all->warnings, plural(all->warnings));
}

static int check_library(struct checked_skills *all, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	const char *setting;

	if (assistant_find(&assistant, err) < 0)
		return -1;
	setting = settings_get(&assistant.settings, LIBRARY_SETTING);
	if (!setting && faccessat(assistant.project.root, LIBRARY_FOLDER, F_OK, 0) < 0) {
		error_set(err, ERROR_INVALID, "there is no '%s/'", LIBRARY_FOLDER);
		return error_hint(err, "name the files or folders to check");
	}
	return skill_check_path(
		assistant.project.root, setting ? setting : LIBRARY_FOLDER, all, err);
}

static int run_user_skill_check(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(checked_skills_release)
	struct checked_skills all = {.fix = arguments_flag(args, "fix")};

	if (!args->count && check_library(&all, err) < 0)
		return -1;
	for (size_t i = 0; i < args->count; i++)
		if (skill_check_path(AT_FDCWD, args->words[i], &all, err) < 0)
			return -1;
	skill_check_together(&all);
	if (cli->json)
		print_checked_skills_json(&all);
	else
		print_checked_skills(cli, &all);
	return all.errors ? EXIT_INVALID : EXIT_DONE;
}

static const struct option options[] = {
	{0, "fix", NULL, "rewrite the files in the standard form"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw user-skill check skills/planning", "one category"},
	{0},
};

COMMAND(user_skill_check) = {
	.name = "user-skill check",
	.summary = "show every fault in user skills, with its line",
	.usage = "[<file or folder>...]",
	.description =
		"An error means that the skill cannot be used, a warning that its author should\n"
		"look at it. A folder is a library (category/id/SKILL.md), a category, or the\n"
		"folder of one skill; the default is the project's library. The exit code is 2 if\n"
		"there is an error, and 0 otherwise. No store is needed.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.max_arguments = -1,
	.completes = {COMPLETE_FILES},
	.run = run_user_skill_check,
};
