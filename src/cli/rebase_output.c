#include "cli/rebase_output.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/apply_output.h"
#include "cli/output.h"

/* --- for programs ------------------------------------------------------------------------- */

static json_t *texts_of(const struct string_array *array)
{
	json_t *list = json_array();

	for (size_t i = 0; i < array->count; i++)
		json_array_append_new(list, json_text(view_of(array->list[i])));
	return list;
}

static json_t *patches_of(const struct rebase_result *result)
{
	json_t *list = json_array();

	for (size_t i = 0; i < result->patch_count; i++) {
		const struct rebase_patch *patch = &result->patches[i];

		json_array_append_new(list,
			json_pack("{s:o, s:o, s:s?}", "name", json_text(view_of(patch->name)),
				"description", json_text(view_of(patch->description)), "skill",
				patch->skill));
	}
	return list;
}

json_t *rebase_output_json(
	const struct rebase_result *result, const struct apply_result *applied, bool dry_run)
{
	json_t *document = json_pack("{s:b, s:s, s:b, s:o, s:o, s:o, s:o}", "success", true,
		"coreVersion", result->core_version, "nothingToDo", result->nothing_to_do,
		"foldedPatches", patches_of(result), "untrackedChanges",
		texts_of(&result->unrecorded), "bakedFiles", texts_of(&result->baked),
		"droppedResolutions", texts_of(&result->resolutions));
	json_t *warnings = json_array();

	for (size_t i = 0; i < applied->warning_count; i++)
		json_array_append_new(warnings, json_text(view_of(applied->warnings[i])));
	json_object_set_new(document, "flattenedSkills", texts_of(&result->skills));
	json_object_set_new(
		document, "regeneratedFiles", json_integer((json_int_t)result->regenerated));
	json_object_set_new(
		document, "droppedContents", json_integer((json_int_t)result->contents));
	json_object_set_new(
		document, "bytesDropped", json_integer((json_int_t)result->bytes_dropped));
	json_object_set_new(
		document, "bytesKept", json_integer((json_int_t)result->bytes_kept));
	json_object_set_new(document, "testsRun", json_integer((json_int_t)applied->tests_run));
	json_object_set_new(document, "warnings", warnings);
	if (dry_run)
		json_object_set_new(document, "dryRun", json_true());
	return document;
}

/* --- for people --------------------------------------------------------------------------- */

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static void print_list(const struct string_array *array)
{
	for (size_t i = 0; i < array->count; i++) {
		CLEANUP(freep) char *shown = output_path(array->list[i]);

		printf("    %s\n", shown);
	}
}

static void print_patches(const struct rebase_result *result)
{
	printf("  %zu custom patch%s no longer stand%s alone:\n", result->patch_count,
		result->patch_count == 1 ? "" : "es", result->patch_count == 1 ? "s" : "");
	for (size_t i = 0; i < result->patch_count; i++) {
		const struct rebase_patch *patch = &result->patches[i];
		CLEANUP(freep) char *name = output_path(patch->name);
		CLEANUP(freep) char *description = output_text(patch->description);

		printf("    %s: %s%s%s%s\n", name, description, patch->skill ? " (" : "",
			patch->skill ? patch->skill : "", patch->skill ? ")" : "");
	}
}

static void print_lost(const struct cli *cli, const struct rebase_result *result)
{
	printf("%slost%s\n", output_color(cli, COLOR_BOLD), output_color(cli, COLOR_RESET));
	if (result->patch_count)
		print_patches(result);
	if (result->skills.count) {
		printf("  %zu skill%s cannot be removed one by one any more:\n",
			result->skills.count, plural(result->skills.count));
		print_list(&result->skills);
	}
	if (result->resolutions.count) {
		printf("  %zu recorded resolution%s that no merge can ask for any more:\n",
			result->resolutions.count, plural(result->resolutions.count));
		print_list(&result->resolutions);
	}
	if (!result->patch_count && !result->skills.count && !result->resolutions.count)
		printf("  nothing\n");
}

static void print_gained(
	const struct cli *cli, const struct rebase_result *result, bool planned)
{
	printf("%sgained%s\n", output_color(cli, COLOR_BOLD), output_color(cli, COLOR_RESET));
	printf("  %zu file%s of skills %s without a merge from now on\n", result->regenerated,
		plural(result->regenerated), planned ? "would be made" : "are made");
	if (result->baked.count) {
		printf("  %zu file%s with changes of yours, %zu of them unrecorded so far:\n",
			result->baked.count, plural(result->baked.count),
			result->unrecorded.count);
		print_list(&result->baked);
	}
	printf("  %" PRIu64 " bytes go from '.nanoclaw', %" PRIu64
	       " come; the history keeps what goes, for 'nanoclaw undo'\n",
		result->bytes_dropped, result->bytes_kept);
}

void rebase_output_text(const struct cli *cli, const struct rebase_result *result, bool planned)
{
	if (result->nothing_to_do) {
		printf("everything is flat already: there is nothing to do\n");
		return;
	}
	printf("%s onto core %s; your files %s as they are\n", planned ? "a rebase" : "rebased",
		result->core_version, planned ? "stay" : "stayed");
	if (cli->quiet)
		return;
	print_lost(cli, result);
	print_gained(cli, result, planned);
}
