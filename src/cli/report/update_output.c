#include "cli/report/update_output.h"

#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/report/apply_output.h"
#include "engine/package/structured_format.h"

/* The number of names on a line. */
#define SHOWN_NAMES 4

/* --- for programs ------------------------------------------------------------------------- */

/* Skills that were applied again in a newer version: is all of it in? */
static json_t *reapplied_json(const struct operation_result *result)
{
	json_t *object = json_object();

	for (size_t i = 0; i < result->skill_count; i++) {
		const struct skill_result *skill = &result->skills[i];

		if (skill->old_version && *skill->old_version)
			json_object_set_new(object, skill->name,
				json_boolean(skill->reached &&
					     !apply_output_has_conflict(result, skill->name)));
	}
	return object;
}

/* By path: the hash and kind of the file afterwards; null if it is deleted. */
static json_t *changes_json(const struct update_result *u)
{
	json_t *object = json_object();

	for (size_t i = 0; i < u->change_count; i++) {
		const struct layer_file *file = &u->changes[i].file;
		CLEANUP(freep) char *path = output_path(u->changes[i].path);
		char hex[HASH_HEX_SIZE];

		hash_to_hex(&file->hash, hex);
		json_object_set_new(object, path,
			file->kind == TX_ABSENT ? json_null()
						: json_build("sha256:s mode:s", hex,
							  file->kind == TX_SYMLINK ? "120000"
							  : file->executable       ? "100755"
										   : "100644"));
	}
	return object;
}

static json_t *update_json(const struct operation_result *result, bool preview)
{
	const struct update_result *u = result->update;
	json_t *document;
	json_t *migrations;
	json_t *files;
	json_t *decisions = json_array();
	json_t *skills;

	for (size_t i = 0; i < result->conflict_count; i++)
		if (result->conflicts[i].kind == CONFLICT_DELETE)
			json_add_text(decisions, result->conflicts[i].path.text);
	document = json_build("success:b previousVersion:s newVersion:s mergeConflicts:o "
			      "decisions:o backupPending:b customPatchFailures:o "
			      "skillReapplyResults:o untrackedChanges:o nothingToDo:b "
			      "preview:b warnings:o",
		!result->conflict_count, u->previous_version, u->new_version,
		apply_output_conflicts(result, NULL), decisions, result->paused,
		json_strings(&u->patch_failures), reapplied_json(result),
		apply_output_untracked(result), u->nothing_to_do, preview,
		apply_output_warnings_json(result));
	migrations = json_array();
	for (size_t i = 0; i < u->migration_count; i++) {
		const struct update_migration *m = &u->migrations[i];

		json_add(migrations, "skill:s version:s description:s", m->skill, m->version,
			m->description);
	}
	skills = json_array();
	for (size_t i = 0; i < result->skill_count; i++) {
		const struct skill_result *skill = &result->skills[i];

		json_add(skills, "skill:s version:s previousVersion:S reached:b", skill->name,
			skill->version, skill->old_version, skill->reached);
	}
	json_put(document,
		"migrations:o skills:o newSkills:o updatedPackages:o "
		"keptPackages:o customPatches:o keptDeleted:o",
		migrations, skills, json_strings(&u->new_skills),
		json_strings(&u->new_packages), json_strings(&u->kept_packages),
		json_strings(&u->patches), json_strings(&u->kept_deleted));
	files = json_array();
	for (size_t i = 0; i < result->file_count; i++) {
		json_t *file = apply_output_file(&result->files[i]);

		json_put(file, "by:s", result->files[i].skill);
		json_array_append_new(files, file);
	}
	json_put(document, "files:o changes:o", files, changes_json(u));
	if (u->rebased)
		json_put(document, "rebased:b", true);
	if (u->commits)
		json_put(document, "commits:I", u->commits);
	if (result->recorded_patch)
		json_object_set_new(document, preview ? "wouldRecord" : "recordedPatch",
			json_string(result->recorded_patch));
	if (result->install.manager)
		json_put(document, "install:o", apply_output_install_json(&result->install));
	if (result->command_count)
		json_put(document, "commands:o", apply_output_commands_json(result));
	return document;
}

/* --- files by kind of change ------------------------------------------------------------ */

static bool path_is_config(const char *path)
{
	static const char *const endings[] = {".cfg", ".conf", ".ini", ".json", ".lock",
		".toml", ".yaml", ".yml", "Dockerfile", "Makefile"};
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	if (structured_format_of(path) || *name == '.')
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (view_ends_with(view_of(name), endings[i]))
			return true;
	return false;
}

static bool file_is_told(const struct file_result *file, enum file_outcome outcome)
{
	/* The core has changed the file, whatever the outcome. */
	if (outcome == OUTCOME_MERGED)
		return file->outcome == OUTCOME_MERGED || file->outcome == OUTCOME_RESOLVED ||
		       file->outcome == OUTCOME_CONFLICT;
	return file->outcome == outcome;
}

/* "4 files modified (server.ts, config.ts, ...)"; false if there are none. */
static bool print_kind(const struct operation_result *result, bool config,
	enum file_outcome outcome, const char *word, bool first)
{
	size_t count = 0;

	for (size_t i = 0; i < result->file_count; i++)
		count += !strcmp(result->files[i].skill, CORE_UPDATE_NAME) &&
			 path_is_config(result->files[i].path) == config &&
			 file_is_told(&result->files[i], outcome);
	if (!count)
		return false;
	printf("%s%zu %s %s (", first ? "" : ", ", count, count == 1 ? "file" : "files", word);
	for (size_t i = 0, shown = 0; i < result->file_count && shown <= SHOWN_NAMES; i++) {
		const struct file_result *file = &result->files[i];
		CLEANUP(freep) char *path = NULL;

		if (strcmp(file->skill, CORE_UPDATE_NAME) != 0 ||
			path_is_config(file->path) != config || !file_is_told(file, outcome))
			continue;
		path = output_path(file->path);
		if (shown == SHOWN_NAMES)
			printf(", ...");
		else
			printf("%s%s", shown ? ", " : "", path);
		shown++;
	}
	printf(")");
	return true;
}

static bool file_group_print(const struct operation_result *result, bool config)
{
	static const struct {
		enum file_outcome outcome;
		const char *word;
	} kinds[] = {
		{OUTCOME_MERGED, "modified"},
		{OUTCOME_ADDED, "added"},
		{OUTCOME_RENAMED, "renamed"},
		{OUTCOME_DELETED, "deleted"},
		{OUTCOME_DECISION, "dropped; you decide"},
		{OUTCOME_KEPT, "kept as you have them"},
	};
	bool any = false;

	for (size_t i = 0; i < result->file_count && !any; i++)
		any = !strcmp(result->files[i].skill, CORE_UPDATE_NAME) &&
		      path_is_config(result->files[i].path) == config &&
		      result->files[i].outcome != OUTCOME_SAME;
	if (!any)
		return false;
	printf("  %s", config ? "Config:  " : "Source:  ");
	any = false;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		any |= print_kind(result, config, kinds[i].outcome, kinds[i].word, !any);
	printf("\n");
	return true;
}

static bool print_packages(const struct update_result *u)
{
	size_t added = u->new_skills.count, updated = u->new_packages.count;

	if (!added && !updated)
		return false;
	printf("  Skills:  ");
	if (added)
		printf("%zu new %s added%s", added, added == 1 ? "skill" : "skills",
			updated ? ", " : "");
	if (updated)
		printf("%zu %s updated", updated, updated == 1 ? "skill" : "skills");
	printf("\n");
	return true;
}

/* --- the preview ------------------------------------------------------------------------ */

static void print_list(const char *title, const char *mark, const struct string_array *list)
{
	if (!list->count)
		return;
	printf("\n  %s\n", title);
	for (size_t i = 0; i < list->count; i++)
		printf("    %s%s\n", mark, list->list[i]);
}

static void print_migrations(
	const struct cli *cli, const struct update_result *u, const char *title)
{
	if (!u->migration_count)
		return;
	printf("\n  %s\n", title);
	for (size_t i = 0; i < u->migration_count; i++) {
		const struct update_migration *m = &u->migrations[i];
		CLEANUP(freep) char *description = output_first_line(m->description);

		printf("    %s+ %s@%s%s", output_color(cli, COLOR_GREEN), m->skill, m->version,
			output_color(cli, COLOR_RESET));
		if (*description)
			printf(" (%s)", description);
		printf("\n");
	}
}

static void print_skill_updates(const struct operation_result *result, const char *mark)
{
	bool titled = false;

	for (size_t i = 0; i < result->skill_count; i++) {
		const struct skill_result *skill = &result->skills[i];

		if (!skill->old_version || !*skill->old_version)
			continue;
		if (!titled)
			printf("\n  Skill updates:\n");
		titled = true;
		printf("    %s%s %s → %s\n", mark, skill->name, skill->old_version,
			skill->version);
	}
}

static void print_preview(const struct cli *cli, const struct operation_result *result)
{
	const struct update_result *u = result->update;
	bool any;
	bool titled = false;

	printf("%sUpdate available: %s → %s%s", output_color(cli, COLOR_BOLD),
		u->previous_version, u->new_version, output_color(cli, COLOR_RESET));
	if (u->commits)
		printf(" (%zu %s)", u->commits, u->commits == 1 ? "commit" : "commits");
	printf("\n\n");
	any = file_group_print(result, false);
	any |= print_packages(u);
	any |= file_group_print(result, true);
	if (!any)
		printf("  no file of yours changes\n");
	print_migrations(cli, u, "Migrations (auto-applied to preserve your setup):");
	print_skill_updates(result, "");
	print_list("Custom patches in files that change:", "", &u->patches);
	print_list("Custom patches that do not apply cleanly:", "", &u->patch_failures);
	for (size_t i = 0; i < result->file_count; i++) {
		const struct file_result *file = &result->files[i];
		CLEANUP(freep) char *path = output_path(file->path);
		bool open = file->outcome == OUTCOME_CONFLICT;
		bool core = !strcmp(file->skill, CORE_UPDATE_NAME);

		if (!open && file->outcome != OUTCOME_RESOLVED &&
			file->outcome != OUTCOME_DECISION)
			continue;
		if (!titled)
			printf("\n  Conflicts:\n");
		titled = true;
		printf("    %s%s%s%s%s: %s\n",
			output_color(cli,
				file->outcome == OUTCOME_RESOLVED ? COLOR_GREEN : COLOR_RED),
			path, output_color(cli, COLOR_RESET), core ? "" : ", skill ",
			core ? "" : file->skill,
			open ? "you or a resolver must resolve it"
			: file->outcome == OUTCOME_RESOLVED ? "resolved as before"
			: core ? "the new core dropped it; keep it or delete it"
			       : "the skill deletes it; keep it or delete it");
	}
	if (result->command_count || (result->install.manager && !result->install.skipped))
		printf("\n");
	apply_output_install(&result->install, true);
	apply_output_commands(result);
	if (result->recorded_patch)
		printf("\n  Your unrecorded changes would be recorded as %s.\n",
			result->recorded_patch);
}

/* --- the result ------------------------------------------------------------------------- */

static void update_print_paused(const struct cli *cli, const struct operation_result *result)
{
	const struct update_result *u = result->update;

	printf("%sUpdate paused: %s → %s%s\n", output_color(cli, COLOR_BOLD),
		u->previous_version, u->new_version, output_color(cli, COLOR_RESET));
	print_list("Custom patches that do not apply cleanly:", "", &u->patch_failures);
	apply_output_left(result->conflicts, result->conflict_count);
}

static void update_print(const struct cli *cli, const struct operation_result *result)
{
	const struct update_result *u = result->update;
	const char *green = output_color(cli, COLOR_GREEN);
	const char *reset = output_color(cli, COLOR_RESET);

	if (u->nothing_to_do) {
		printf("nothing to do: the core is already %s\n", u->new_version);
		return;
	}
	printf("%sCore updated: %s → %s%s\n", output_color(cli, COLOR_BOLD),
		u->previous_version, u->new_version, reset);
	if (cli->quiet)
		return;
	printf("  %s✓%s All patches applied\n", green, reset);
	print_migrations(cli, u, "Preserving your current setup:");
	print_skill_updates(result, "✓ ");
	print_list("Custom patches re-applied:", "✓ ", &u->patches);
	print_list("Deleted by you, still deleted:", "", &u->kept_deleted);
	if (u->migration_count)
		printf("\n  To accept new defaults: nanoclaw skill remove <name>\n");
	else if (result->tests_run || u->rebased)
		printf("\n");
	if (u->rebased)
		printf("  %s✓%s Rebased: skills and patches are squashed\n", green, reset);
	if (result->tests_run)
		printf("  %s✓%s All tests passing\n", green, reset);
	apply_output_install(&result->install, false);
}

void update_output(const struct cli *cli, const struct operation_result *result, bool preview)
{
	if (cli->json) {
		output_json(update_json(result, preview));
		return;
	}
	if (!cli->quiet && !preview)
		apply_output_recorded(result, preview);
	if (preview && result->update->nothing_to_do)
		update_print(cli, result);
	else if (preview)
		print_preview(cli, result);
	else if (result->paused)
		update_print_paused(cli, result);
	else
		update_print(cli, result);
}

void update_output_failure(struct cli *cli, const struct operation_result *result)
{
	const struct update_result *u = result->update;

	if (!u)
		return;
	if (!cli->failure)
		cli->failure = json_object();
	json_put(cli->failure, "previousVersion:s newVersion:s", u->previous_version,
		u->new_version);
}
