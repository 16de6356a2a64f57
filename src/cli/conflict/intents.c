#include "cli/conflict/intents.h"

#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "engine/author/refresh.h"
#include "engine/package/intent.h"
#include "engine/state/layer.h"
#include "engine/state/remap.h"

/* Lines of each section that are shown at first. */
#define FEW_LINES 2

/* --- reading --------------------------------------------------------------------------- */

struct search {
	const struct project *project;
	const struct pending *pending;
	const struct conflict *conflict;
	const char *const *typed;
	struct conflict_intents *intents;
};

static bool find_named(const struct search *search, const char *typed, const char *skill,
	struct package *ret_package)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(package_release) struct package package = PACKAGE_INIT;

	if (package_find(search->project->root, typed, &package, &ignored) < 0 ||
		strcmp(package.manifest.skill, skill) != 0)
		return false;
	*ret_package = package;
	package = PACKAGE_INIT;
	return true;
}

static bool find_package(
	const struct search *search, const char *skill, struct package *ret_package)
{
	for (const char *const *word = search->typed; word && *word; word++)
		if (find_named(search, *word, skill, ret_package))
			return true;
	return find_named(search, skill, skill, ret_package);
}

/* The intent for the file, which the package may know by an older name. */
static bool read_intent(
	const struct search *search, const struct package *package, struct buf *ret_text)
{
	const struct manifest_paths *modifies = &package->manifest.modifies;

	for (size_t i = 0; i < modifies->count; i++) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(relpath_release)
		struct relpath real =
			remap_resolve(&search->pending->state, NULL, &modifies->list[i].path);

		if (relpath_compare(&real, &search->conflict->path) == 0)
			return intent_read(package, &modifies->list[i].path, ret_text,
				       &ignored) == 0;
	}
	return false;
}

static void intent_add(struct search *search, const char *skill, bool yours)
{
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct conflict_intents *intents = search->intents;

	if (!find_package(search, skill, &package) || !read_intent(search, &package, &text))
		return;
	intent_remove_comments(&text);
	GROW(intents->list, intents->count, intents->cap);
	intents->list[intents->count++] = (struct conflict_intent){
		.skill = xstrdup(skill),
		.version = xstrdup(package.manifest.version),
		.yours = yours,
		.text = text,
	};
	text = BUF_INIT;
}

/* Also under a name that the file had before. */
static bool owner_touches(const struct search *search, const struct layer *layer)
{
	CLEANUP(relpath_list_release) struct relpath_list origins = {0};
	const struct relpath *path = &search->conflict->path;
	struct layer_file file;
	bool found = layer_get(layer, relpath_view(path), &file);

	remap_origins(&search->pending->state, path, &origins);
	for (size_t i = 0; !found && i < origins.count; i++)
		found = layer_get(layer, relpath_view(&origins.list[i]), &file);
	return found;
}

/* A file of a package itself, which is being refreshed for another core (refresh.h). */
static void add_owner(struct search *search)
{
	CLEANUP(package_list_release) struct package_list packages = {0};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct conflict_intents *intents = search->intents;

	if (package_list_read(search->project->root, &packages, &ignored) < 0)
		return;
	for (size_t i = 0; i < packages.count; i++) {
		const struct package *package = &packages.list[i];
		CLEANUP(freep) char *below = xasprintf("%s/modify/", package->folder);
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(error_release) struct error none = ERROR_INIT;
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		if (!view_starts_with(relpath_view(&search->conflict->path), below) ||
			relpath_parse(view_of(search->conflict->path.text + strlen(below)),
				&path, &none) < 0 ||
			intent_read(package, &path, &text, &none) < 0)
			continue;
		GROW(intents->list, intents->count, intents->cap);
		intents->list[intents->count++] = (struct conflict_intent){
			.skill = xstrdup(package->manifest.skill),
			.version = xstrdup(package->manifest.version),
			.yours = true,
			.text = text,
		};
		text = BUF_INIT;
	}
}

void conflict_intents_read(const struct project *project, const struct pending *pending,
	const struct conflict *conflict, const char *const *typed,
	struct conflict_intents *ret_intents)
{
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct search search = {project, pending, conflict, typed, ret_intents};

	intent_add(&search, conflict->skill, false);
	if (!strcmp(pending->operation, REFRESH_OPERATION))
		add_owner(&search);
	if (layers_read(&pending->state, &layers, &ignored) < 0)
		return;
	for (size_t i = 0; i < layers.count; i++)
		if (layers.list[i].kind == LAYER_SKILL &&
			strcmp(layers.list[i].name, conflict->skill) != 0 &&
			owner_touches(&search, &layers.list[i]))
			intent_add(&search, layers.list[i].name, true);
}

/* --- printing -------------------------------------------------------------------------- */

/* Only the first line begins with the title. */
static void print_section(const struct cli *cli, const struct conflict_intent *intent,
	enum intent_heading heading, const char *title)
{
	bool found;
	struct view rest = intent_section(view_of_buf(&intent->text), heading, &found), line;
	size_t lines = 0;

	while (lines < FEW_LINES && view_next(&rest, '\n', &line)) {
		CLEANUP(buf_release) struct buf shown = BUF_INIT;
		CLEANUP(buf_release) struct buf wrapped = BUF_INIT;

		line = view_trim(line);
		if (!line.len)
			continue;
		printf("    %s%-10s%s  ", output_color(cli, COLOR_DIM), lines++ ? "" : title,
			output_color(cli, COLOR_RESET));
		shown_append(&shown, line);
		output_wrap(&wrapped, shown.data, 16);
		printf("%s\n", wrapped.data);
	}
	if (view_trim(rest).len)
		printf("    %-10s  %s... ([i] shows all)%s\n", "", output_color(cli, COLOR_DIM),
			output_color(cli, COLOR_RESET));
}

void conflict_intents_print(
	const struct cli *cli, const struct conflict_intents *intents, bool whole)
{
	for (size_t i = 0; i < intents->count; i++) {
		const struct conflict_intent *intent = &intents->list[i];

		printf("\n  the intent of %s%s %s%s%s\n",
			output_color(cli, intent->yours ? COLOR_GREEN : COLOR_CYAN),
			intent->skill, intent->version, output_color(cli, COLOR_RESET),
			intent->yours ? " (part of yours)" : "");
		if (whole) {
			struct view rest = view_trim(view_of_buf(&intent->text)), line;

			while (view_next(&rest, '\n', &line)) {
				CLEANUP(buf_release) struct buf shown = BUF_INIT;

				if (line.len && line.data[line.len - 1] == '\r')
					line.len--;
				shown_append(&shown, line);
				printf("%s%s\n", line.len ? "    " : "", shown.data);
			}
			continue;
		}
		print_section(cli, intent, INTENT_WHAT, "changes");
		print_section(cli, intent, INTENT_INVARIANTS, "invariants");
		print_section(cli, intent, INTENT_MUST_KEEP, "must keep");
	}
}

void conflict_intents_release(struct conflict_intents *intents)
{
	for (size_t i = 0; i < intents->count; i++) {
		free(intents->list[i].skill);
		free(intents->list[i].version);
		buf_release(&intents->list[i].text);
	}
	free(intents->list);
}
