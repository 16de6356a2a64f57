/*
 * Custom patches that are recorded: list, show, remove and rename them.
 */
#include <stdio.h>

#include "cli/completion.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/report/apply_output.h"
#include "cli/skills/apply.h"
#include "cli/table.h"
#include "engine/custom/custom.h"
#include "engine/operation/customize.h"
#include "engine/operation/remove.h"
#include "engine/state/layer.h"
#include "engine/state/record.h"
#include "format/json.h"
#include "fs/beneath.h"

#define PATCH_MAX ((size_t)64 * 1024 * 1024)

/* --- list -------------------------------------------------------------------------------- */

struct listing {
	struct state state;
	struct layers layers;
	struct customizing open;
	bool is_open;
};

static void listing_release(struct listing *listing)
{
	layers_release(&listing->layers);
	state_release(&listing->state);
	customizing_release(&listing->open);
}

static int patches_collect(
	const struct project *project, struct listing *listing, struct error *err)
{
	bool found;

	if (state_load(project, &listing->state, &found, err) < 0 ||
		customize_load(project, &listing->open, &listing->is_open, err) < 0)
		return -1;
	return found ? layers_read(&listing->state, &listing->layers, err) : 0;
}

static const char *patch_text(const struct layer *patch, const char *key)
{
	const struct yaml_node *node = yaml_get(patch->node, key);

	return node && node->kind == YAML_SCALAR ? node->text.data : "";
}

static json_t *patch_files(const struct layer *patch)
{
	CLEANUP(string_array_release)
	struct string_array files = record_listed(patch->node, RECORD_MODIFIED);

	return json_strings(&files);
}

/* A patch that a rebase has baked in is no longer separate. */
static bool patch_is_listed(const struct layer *layer)
{
	return layer->kind == LAYER_PATCH && !layer->baked;
}

static void customize_list_print_json(const struct listing *listing)
{
	json_t *patches = json_array();

	for (size_t i = 0; i < listing->layers.count; i++) {
		const struct layer *l = &listing->layers.list[i];
		const char *file = record_patch_file(l->node);

		if (!patch_is_listed(l))
			continue;
		json_add(patches, "name:s description:s appliedAt:s patch:s skill:s files:o",
			l->name, patch_text(l, "description"), patch_text(l, "applied_at"),
			file ? file : "", l->skill, patch_files(l));
	}
	output_success("patches:o open:o", patches,
		listing->is_open ? json_build("description:s skill:s startedAt:s",
					   listing->open.description, listing->open.skill,
					   listing->open.started_at)
				 : json_null());
}

static void add_patch(struct table *table, const struct layer *patch)
{
	json_t *files = patch_files(patch);
	CLEANUP(freep) char *description = output_path(patch_text(patch, "description"));
	size_t count = json_array_size(files);

	table_row(table);
	table_cell(table, COLOR_CYAN, "%s", patch->name);
	table_cell(table, NULL, "%.10s", patch_text(patch, "applied_at"));
	table_cell(table, NULL, "%2zu %s", count, count == 1 ? "file " : "files");
	table_cell(table, NULL, "%s%s%s%s", description, patch->skill ? " (" : "",
		patch->skill ? patch->skill : "", patch->skill ? ")" : "");
	for (size_t i = 0; i < count; i++) {
		CLEANUP(freep)
		char *path = output_path(json_string_value(json_array_get(files, i)));
		CLEANUP(freep) char *line = xasprintf("  %s", path);

		table_line(table, COLOR_DIM, line);
	}
	json_decref(files);
}

static void customize_list_print_text(const struct cli *cli, const struct listing *listing)
{
	CLEANUP(table_release) struct table table = {.least = {0, 0, 8}};

	for (size_t i = 0; i < listing->layers.count; i++)
		if (patch_is_listed(&listing->layers.list[i]))
			add_patch(&table, &listing->layers.list[i]);
	table_print(&table, cli);
	if (!table.count)
		printf("no custom patches are recorded here\n");
	if (listing->is_open)
		printf("\ncustomizing since %.16s: %s\n", listing->open.started_at,
			listing->open.description);
}

static int run_customize_list(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(listing_release) struct listing listing = {0};
	bool running;

	(void)args;
	if (project_open_reading(&project, &running, err) < 0 ||
		patches_collect(&project, &listing, err) < 0)
		return -1;
	if (cli->json)
		customize_list_print_json(&listing);
	else
		customize_list_print_text(cli, &listing);
	return EXIT_DONE;
}

COMMAND(customize_list) = {
	.name = "customize list",
	.summary = "list the recorded custom patches, with their files",
	.section = SECTION_SKILLS,
	.run = run_customize_list,
};

static void complete_patches(struct completion *completion)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(listing_release) struct listing listing = {0};

	if (project_open(&project, &ignored) < 0 ||
		patches_collect(&project, &listing, &ignored) < 0)
		return;
	for (size_t i = 0; i < listing.layers.count; i++)
		if (patch_is_listed(&listing.layers.list[i]))
			completion_add(completion, listing.layers.list[i].name,
				patch_text(&listing.layers.list[i], "description"));
}

COMPLETER(COMPLETE_PATCHES, complete_patches);

/* --- show -------------------------------------------------------------------------------- */

static int read_part(const struct project *project, const char *name, const char *ending,
	struct buf *ret_text, struct error *err)
{
	CLEANUP(freep) char *path = xasprintf(CUSTOM_FOLDER "/%s%s", name, ending);

	return beneath_path_read(project->root, path, PATCH_MAX, ret_text, err);
}

static int run_customize_show(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(listing_release) struct listing listing = {0};
	CLEANUP(buf_release) struct buf patch = BUF_INIT;
	CLEANUP(buf_release) struct buf note = BUF_INIT;
	CLEANUP(freep) char *name = NULL;
	bool running;
	struct view text;
	struct view line;

	if (project_open_reading(&project, &running, err) < 0 ||
		patches_collect(&project, &listing, err) < 0 ||
		custom_find(&listing.state, args->words[0], &name, err) < 0 ||
		read_part(&project, name, ".patch", &patch, err) < 0)
		return -1;
	read_part(&project, name, ".md", &note, &missing); /* for people only */
	if (cli->json) {
		output_success(
			"name:s note:v patch:v", name, view_of_buf(&note), view_of_buf(&patch));
		return EXIT_DONE;
	}
	if (note.len) {
		CLEANUP(freep) char *shown = output_text(note.data);

		printf("%s\n", shown);
	}
	text = view_of_buf(&patch);
	while (view_next(&text, '\n', &line)) {
		CLEANUP(buf_release) struct buf shown = BUF_INIT;
		const char *color = view_starts_with(line, "diff ") ? COLOR_BOLD
				    : view_starts_with(line, "@@")  ? COLOR_CYAN
				    : view_starts_with(line, "+")   ? COLOR_GREEN
				    : view_starts_with(line, "-")   ? COLOR_RED
								    : "";

		if (shown_on_terminal())
			shown_append(&shown, line);
		else
			buf_append(&shown, line.data, line.len);
		printf("%s%s%s\n", output_color(cli, color), shown.data,
			*color ? output_color(cli, COLOR_RESET) : "");
	}
	return EXIT_DONE;
}

COMMAND(customize_show) = {
	.name = "customize show",
	.summary = "show a custom patch and its note",
	.usage = "<patch>",
	.description =
		"Name a patch by its number ('1'), by its name, or by the beginning of the name\n"
		"after the number if only one patch has it.",
	.section = SECTION_SKILLS,
	.pages = true,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_PATCHES},
	.run = run_customize_show,
};

/* --- remove ------------------------------------------------------------------------------ */

static const struct option customize_remove_options[] = {
	OPTION_DRY_RUN,
	OPTION_ON_DRIFT,
	OPTION_RESOLVER,
	OPTIONS_TESTING,
	{0},
};

static int run_customize_remove(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct operation_options how;

	if (operation_options_read(cli, args, &how, err) < 0 ||
		project_open_idle(&project, false, err) < 0)
		return -1;
	if (remove_patch(&project, args->words[0], &how, &result, err) < 0) {
		apply_output_failure(cli, &result);
		return -1;
	}
	return apply_end(cli, &project, &how, args->words, &result, err);
}

COMMAND(customize_remove) = {
	.name = "customize remove",
	.summary = "remove a custom patch from your files",
	.usage = "<patch>",
	.description =
		"Restores the files to what they would be without the patch. Changes by skills, by\n"
		"other patches and by you stay. The patch's own file stays in '.nanoclaw/custom'.\n"
		"'nanoclaw undo' undoes this.",
	.section = SECTION_SKILLS,
	.options = customize_remove_options,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_PATCHES},
	.run = run_customize_remove,
};

/* --- rename ------------------------------------------------------------------------------ */

static int run_customize_rename(
	struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(freep) char *name = NULL;

	if (project_open_idle(&project, false, err) < 0 ||
		customize_rename(&project, args->words[0], args->words[1], &name, err) < 0)
		return -1;
	if (cli->json)
		output_success("name:s", name);
	else
		printf("renamed to %s\n", name);
	return EXIT_DONE;
}

static const struct example customize_rename_examples[] = {
	{"nanoclaw customize rename 1 'quieter log'", "001-quieter-log"},
	{0},
};

COMMAND(customize_rename) = {
	.name = "customize rename",
	.summary = "change the description of a custom patch, and its name to match",
	.usage = "<patch> <description>",
	.section = SECTION_SKILLS,
	.examples = customize_rename_examples,
	.min_arguments = 2,
	.max_arguments = 2,
	.completes = {COMPLETE_PATCHES, COMPLETE_TEXT},
	.run = run_customize_rename,
};
