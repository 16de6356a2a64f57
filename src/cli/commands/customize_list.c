#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "cli/workplace.h"
#include "engine/operation/customize.h"
#include "engine/state/layer.h"
#include "util/json.h"

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

static int collect(const struct project *project, struct listing *listing, struct error *err)
{
	bool found;

	if (state_load(project, &listing->state, &found, err) < 0 ||
		customize_load(project, &listing->open, &listing->is_open, err) < 0)
		return -1;
	return found ? layers_read(&listing->state, &listing->layers, err) : 0;
}

static const char *text_of(const struct layer *patch, const char *key)
{
	const struct yaml_node *node = yaml_get(patch->node, key);

	return node && node->kind == YAML_SCALAR ? node->text.data : "";
}

static json_t *files_of(const struct layer *patch)
{
	const struct yaml_node *files = yaml_get(patch->node, "files_modified");
	json_t *list = json_array();

	for (size_t i = 0; files && files->kind == YAML_SEQUENCE && i < files->count; i++) {
		CLEANUP(freep) char *path = layer_path(files->items[i]->text);

		json_array_append_new(list, json_text(view_of(path)));
	}
	return list;
}

/* What a rebase has baked in is no patch of its own. */
static bool is_listed(const struct layer *layer)
{
	return layer->kind == LAYER_PATCH && !layer->baked;
}

static void print_json(const struct listing *listing)
{
	json_t *patches = json_array();

	for (size_t i = 0; i < listing->layers.count; i++) {
		const struct layer *l = &listing->layers.list[i];

		if (!is_listed(l))
			continue;
		json_array_append_new(
			patches, json_pack("{s:o, s:o, s:s, s:o, s:s?, s:o}", "name",
					 json_text(view_of(l->name)), "description",
					 json_text(view_of(text_of(l, "description"))),
					 "appliedAt", text_of(l, "applied_at"), "patch",
					 json_text(view_of(text_of(l, "patch_file"))), "skill",
					 l->skill, "files", files_of(l)));
	}
	output_json(json_pack("{s:b, s:o, s:o}", "success", true, "patches", patches, "open",
		listing->is_open
			? json_pack("{s:o, s:s?, s:s}", "description",
				  json_text(view_of(listing->open.description)), "skill",
				  listing->open.skill, "startedAt", listing->open.started_at)
			: json_null()));
}

static size_t widest_name(const struct layers *layers)
{
	size_t width = 0;

	for (size_t i = 0; i < layers->count; i++)
		if (is_listed(&layers->list[i]) && strlen(layers->list[i].name) > width)
			width = strlen(layers->list[i].name);
	return width;
}

static void print_patch(const struct cli *cli, const struct layer *patch, size_t width)
{
	json_t *files = files_of(patch);
	CLEANUP(freep) char *description = output_path(text_of(patch, "description"));
	size_t count = json_array_size(files);

	printf("%s%-*s%s  %.10s  %2zu %s  %s", output_color(cli, COLOR_CYAN), (int)width,
		patch->name, output_color(cli, COLOR_RESET), text_of(patch, "applied_at"),
		count, count == 1 ? "file " : "files", description);
	if (patch->skill)
		printf(" (%s)", patch->skill);
	printf("\n");
	json_decref(files);
}

static void print_text(const struct cli *cli, const struct listing *listing)
{
	size_t width = widest_name(&listing->layers);

	for (size_t i = 0; i < listing->layers.count; i++)
		if (is_listed(&listing->layers.list[i]))
			print_patch(cli, &listing->layers.list[i], width);
	if (!width)
		printf("no custom patches are recorded here\n");
	if (listing->is_open)
		printf("\ncustomizing since %.16s: %s\n", listing->open.started_at,
			listing->open.description);
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(listing_release) struct listing listing = {0};
	bool running;

	(void)args;
	if (workplace_look(&project, &running, err) < 0 || collect(&project, &listing, err) < 0)
		return -1;
	if (cli->json)
		print_json(&listing);
	else
		print_text(cli, &listing);
	return EXIT_DONE;
}

COMMAND(customize_list) = {
	.name = "customize list",
	.summary = "list the custom patches that are recorded",
	.section = SECTION_SKILLS,
	.run = run,
};
