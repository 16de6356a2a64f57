#include "cli/report/apply_output.h"

#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "cli/output.h"
#include "cli/report/refresh_output.h"
#include "cli/report/update_output.h"
#include "proc/log.h"

void apply_output_warnings(const struct operation_result *result)
{
	for (size_t i = 0; i < result->warning_count; i++)
		log_warning("%s", result->warnings[i]);
}

json_t *apply_output_warnings_json(const struct operation_result *result)
{
	json_t *list = json_array();

	for (size_t i = 0; i < result->warning_count; i++)
		json_add_text(list, result->warnings[i]);
	return list;
}

void apply_output_recorded(const struct operation_result *result, bool dry_run)
{
	if (result->recorded_patch)
		printf("your changes %s recorded as %s\n", dry_run ? "would be" : "are",
			result->recorded_patch);
}

/* --- for programs ------------------------------------------------------------- */

json_t *apply_output_conflicts(const struct operation_result *result, const char *skill)
{
	json_t *paths = json_array();

	for (size_t i = 0; i < result->conflict_count; i++)
		if (!skill || !strcmp(result->conflicts[i].skill, skill))
			json_add_text(paths, result->conflicts[i].path.text);
	return paths;
}

/* The conflicts that ask whether a file may be deleted, or NULL. */
static json_t *decision_paths(const struct operation_result *result, const char *skill)
{
	json_t *paths = json_array();

	for (size_t i = 0; i < result->conflict_count; i++)
		if (result->conflicts[i].kind == CONFLICT_DELETE &&
			!strcmp(result->conflicts[i].skill, skill))
			json_add_text(paths, result->conflicts[i].path.text);
	if (json_array_size(paths))
		return paths;
	json_decref(paths);
	return NULL;
}

json_t *apply_output_file(const struct file_result *file)
{
	return json_build("path:s outcome:s from:S", file->path, outcome_names[file->outcome],
		file->from);
}

static json_t *files_of(const struct operation_result *result, const char *skill)
{
	json_t *files = json_array();

	for (size_t i = 0; i < result->file_count; i++)
		if (!strcmp(result->files[i].skill, skill))
			json_array_append_new(files, apply_output_file(&result->files[i]));
	return files;
}

json_t *apply_output_untracked(const struct operation_result *result)
{
	json_t *paths = json_array();

	for (size_t i = 0; i < result->untracked_count; i++)
		json_add_text(paths, result->untracked[i]);
	return paths;
}

static json_t *skill_json(
	const struct operation_result *result, const struct skill_result *skill)
{
	json_t *conflicts = apply_output_conflicts(result, skill->name);

	return json_build("success:b skill:s version:s previousVersion:S mergeConflicts:o "
			  "decisions:o backupPending:b untrackedChanges:o files:o "
			  "nothingToDo:b reached:b",
		!result->paused && !json_array_size(conflicts), skill->name, skill->version,
		skill->old_version, conflicts, decision_paths(result, skill->name),
		result->paused, apply_output_untracked(result), files_of(result, skill->name),
		skill->nothing_to_do, skill->reached || skill->nothing_to_do);
}

/* {manager, ran, versions: {package: version}} */
json_t *apply_output_install_json(const struct install_result *install)
{
	json_t *versions = json_object();

	for (size_t i = 0; i < install->count; i++)
		json_object_set_new(versions, install->packages[i].name,
			json_string(install->packages[i].version));
	return json_build(
		"manager:s ran:b versions:o", install->manager, install->ran, versions);
}

static json_t *operation_json(const struct operation_result *result, bool dry_run)
{
	json_t *document, *list = json_array();

	if (result->skill_count == 1) {
		document = skill_json(result, &result->skills[0]);
		json_decref(list);
	} else {
		for (size_t i = 0; i < result->skill_count; i++)
			json_array_append_new(list, skill_json(result, &result->skills[i]));
		document = json_build("success:b results:o mergeConflicts:o backupPending:b",
			!result->conflict_count, list, apply_output_conflicts(result, NULL),
			result->paused);
	}
	json_put(document, "warnings:o", apply_output_warnings_json(result));
	if (result->recorded_patch)
		json_object_set_new(document, dry_run ? "wouldRecord" : "recordedPatch",
			json_string(result->recorded_patch));
	if (result->install.manager)
		json_put(document, "install:o", apply_output_install_json(&result->install));
	if (dry_run)
		json_put(document, "dryRun:b", true);
	if (result->command_count)
		json_put(document, "commands:o", apply_output_commands_json(result));
	if (result->customizing)
		json_put(document, "customizing:b", true);
	return document;
}

void apply_output_failure(struct cli *cli, const struct operation_result *result)
{
	apply_output_warnings(result);
	if (result->untracked_count)
		cli->failure = json_build("untrackedChanges:o", apply_output_untracked(result));
}

/* --- for people ------------------------------------------------------------------ */

static const char *const outcome_words[] = {
	[OUTCOME_ADDED] = "added",
	[OUTCOME_MERGED] = "merged",
	[OUTCOME_SAME] = "as it is",
	[OUTCOME_REMOVED] = "removed",
	[OUTCOME_KEPT] = "kept",
	[OUTCOME_RESTORED] = "restored",
	[OUTCOME_RENAMED] = "renamed",
	[OUTCOME_DELETED] = "deleted",
	[OUTCOME_RESOLVED] = "resolved",
	[OUTCOME_CONFLICT] = "CONFLICT",
	[OUTCOME_DECISION] = "DECISION",
};

static void print_files(
	const struct cli *cli, const struct operation_result *result, const char *skill)
{
	for (size_t i = 0; i < result->file_count; i++) {
		const struct file_result *file = &result->files[i];
		bool open =
			file->outcome == OUTCOME_CONFLICT || file->outcome == OUTCOME_DECISION;
		CLEANUP(freep) char *path = output_path(file->path);
		CLEANUP(freep) char *from = file->from ? output_path(file->from) : NULL;

		if (!strcmp(file->skill, skill))
			printf("  %s%-8s%s  %s%s%s\n",
				output_color(cli, open ? COLOR_RED : COLOR_GREEN),
				outcome_words[file->outcome], output_color(cli, COLOR_RESET),
				from ? from : "", from ? " -> " : "", path);
	}
}

bool apply_output_has_conflict(const struct operation_result *result, const char *skill)
{
	for (size_t i = 0; i < result->conflict_count; i++)
		if (!strcmp(result->conflicts[i].skill, skill))
			return true;
	return false;
}

static void print_skill(const struct cli *cli, const struct operation_result *result,
	const struct skill_result *skill, bool dry_run)
{
	const char *done = skill->removed ? "removed" : "applied";
	const char *planned = skill->removed ? "would be removed" : "would be applied";
	const char *how = dry_run ? planned : result->paused ? "paused" : done;

	if (dry_run && apply_output_has_conflict(result, skill->name))
		how = "would pause";
	if (!skill->reached)
		how = "waits until the conflict is resolved";

	if (skill->nothing_to_do) {
		printf("%s %s is already applied\n", skill->name, skill->version);
		return;
	}
	printf("%s%s%s%s%s ", output_color(cli, COLOR_BOLD), skill->name,
		*skill->version ? " " : "", skill->version, output_color(cli, COLOR_RESET));
	if (skill->old_version && *skill->old_version)
		printf("(before: %s) ", skill->old_version);
	printf("%s\n", how);
	if (!cli->quiet)
		print_files(cli, result, skill->name);
}

void apply_output_left(const struct conflict *conflicts, size_t count)
{
	printf("\nTo resolve:\n");
	for (size_t i = 0; i < count; i++) {
		const struct conflict *c = &conflicts[i];
		CLEANUP(freep) char *path = output_path(c->path.text);
		CLEANUP(freep)
		char *beside = c->beside.text ? output_path(c->beside.text) : NULL;

		if (c->kind == CONFLICT_DELETE)
			printf("  %s: %s deletes it, and changes would be lost; "
			       "leave it there to keep it, or delete it\n",
				path,
				strcmp(c->skill, CORE_UPDATE_NAME) ? c->skill : "the new core");
		else if (beside)
			printf("  %s: the %s version is in %s; "
			       "move it over yours, or delete it\n",
				path, strcmp(c->skill, CORE_UPDATE_NAME) ? "skill's" : "new",
				beside);
		else
			printf("  %s: edit it, and remove the conflict markers\n", path);
	}
	printf("Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.\n");
}

/* On a line, as in "installed with npm: grammy 1.39.3, zod 3.23.8". */
void apply_output_install(const struct install_result *install, bool dry_run)
{
	if (!install->manager || install->skipped || (!install->ran && !dry_run))
		return;
	printf("%s with %s", dry_run ? "dependencies would be installed" : "installed",
		install->manager);
	for (size_t i = 0; i < install->count; i++)
		printf("%s %s %s", i ? "," : ":", install->packages[i].name,
			install->packages[i].version);
	printf("\n");
}

/* Of a dry run. */
void apply_output_commands(const struct operation_result *result)
{
	for (size_t i = 0; i < result->command_count; i++) {
		const struct command_result *command = &result->commands[i];
		CLEANUP(freep) char *text = quote_command(view_of(command->text));
		CLEANUP(freep)
		char *diff = quote_text(view_of(command->diff ? command->diff : ""));

		if (command->kind == COMMAND_PACKAGES)
			printf("%s needs packages of the system, which a rebuild with --install-packages installs as root: %s\n",
				command->skill, text);
		else if (command->kind == COMMAND_STARTS)
			printf("%s would change a file that tells other programs or agents what to do: %s%s\n",
				command->skill, text, diff);
		else
			printf("would run the %s of %s: %s\n",
				command_kind_names[command->kind], command->skill, text);
	}
}

json_t *apply_output_commands_json(const struct operation_result *result)
{
	json_t *list = json_array();

	for (size_t i = 0; i < result->command_count; i++)
		json_add(list, "skill:s kind:s command:s diff:S", result->commands[i].skill,
			command_kind_names[result->commands[i].kind], result->commands[i].text,
			result->commands[i].diff);
	return list;
}

int apply_output(const struct cli *cli, const struct operation_result *result, bool dry_run)
{
	int code = result->paused ? EXIT_PAUSED : EXIT_DONE;

	apply_output_warnings(result);
	if (result->update) {
		update_output(cli, result, dry_run);
		return code;
	}
	if (result->refresh) {
		refresh_output(cli, result, dry_run);
		return code;
	}
	if (cli->json) {
		output_json(operation_json(result, dry_run));
		return code;
	}
	if (!cli->quiet)
		apply_output_recorded(result, dry_run);
	for (size_t i = 0; i < result->skill_count; i++)
		print_skill(cli, result, &result->skills[i], dry_run);
	if (!result->skill_count && !result->paused && !cli->quiet)
		printf("done\n");
	if (!cli->quiet)
		apply_output_install(&result->install, dry_run);
	if (!cli->quiet && dry_run)
		apply_output_commands(result);
	if (result->tests_run && !cli->quiet)
		printf("%zu %s passed\n", result->tests_run,
			result->tests_run == 1 ? "test" : "tests");
	if (result->paused)
		apply_output_left(result->conflicts, result->conflict_count);
	else if (result->customizing && !dry_run)
		printf("Now make your changes, then run 'nanoclaw customize commit'.\n");
	return code;
}

/* --- custom patches ---------------------------------------------------------------- */

int apply_output_patch(
	const struct cli *cli, const struct operation_result *result, bool dry_run)
{
	const char *name = result->file_count ? result->files[0].skill : "";

	apply_output_warnings(result);
	if (cli->json) {
		json_t *files = json_array();

		for (size_t i = 0; i < result->file_count; i++)
			json_add(files, "path:s outcome:s", result->files[i].path,
				outcome_names[result->files[i].outcome]);
		output_json(json_build("success:b files:o mergeConflicts:o backupPending:b",
			!result->conflict_count, files, apply_output_conflicts(result, NULL),
			result->paused));
	} else {
		printf("%s %s\n", name,
			result->paused ? "paused"
			: dry_run      ? "would be applied"
				       : "applied");
		if (!cli->quiet)
			print_files(cli, result, name);
		if (!cli->quiet && dry_run)
			apply_output_commands(result);
		if (result->paused)
			apply_output_left(result->conflicts, result->conflict_count);
	}
	return result->paused ? EXIT_PAUSED : EXIT_DONE;
}
