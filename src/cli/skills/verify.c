#include <stdio.h>

#include "base/string_array.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/report/source_output.h"
#include "engine/commit/pending.h"
#include "engine/look/verify.h"
#include "format/json.h"

#define SHORT_HASH 12

/* Files that a paused operation has written, or will write, do not count as differences. */
static int leave_out_pending(const struct project *project, const struct state *before,
	const struct pending *pending, struct verify_result *result, struct error *err)
{
	CLEANUP(string_array_release) struct string_array unwritten = {0};
	size_t kept = 0;

	if (pending_unwritten(project, before, pending, &unwritten, err) < 0)
		return -1;
	for (size_t i = 0; i < result->count; i++) {
		if (pending_has_conflict(pending, result->list[i].path) ||
			string_array_has(&unwritten, result->list[i].path)) {
			result->damages -= result->list[i].damage;
			verify_difference_release(&result->list[i]);
		} else {
			result->list[kept++] = result->list[i];
		}
	}
	result->count = kept;
	return 0;
}

static json_t *verification_json(const struct verify_result *result, const struct state *state)
{
	json_t *list = json_array(), *document;

	for (size_t i = 0; i < result->count; i++) {
		const struct verify_difference *d = &result->list[i];

		json_add(list, "path:s change:s by:s layer:o expected:s found:s note:s",
			d->path, d->change, d->damage ? "damage" : "user",
			json_build("kind:s name:s", verify_layer_names[d->layer], d->name),
			d->expected, d->found, d->note);
	}
	document = json_build("success:b checked:I differences:o",
		!result->count && !result->problems.count, result->checked, list);
	if (result->problems.count)
		json_put(document, "problems:o error:s", json_strings(&result->problems),
			result->problems.list[0]);
	if (result->count)
		json_put(document, "error:o",
			json_sprintf("%zu difference%s from the records", result->count,
				plural(result->count)));
	json_put(document, "sources:o changedPackages:o",
		state ? source_output_json(state) : json_array(),
		json_strings(&result->changed_packages));
	return document;
}

static void differences_print(const struct cli *cli, const struct verify_result *result,
	bool damage, const char *title)
{
	printf("\n%s\n", title);
	for (size_t i = 0; i < result->count; i++)
		if (result->list[i].damage == damage) {
			const struct verify_difference *d = &result->list[i];
			CLEANUP(freep) char *path = output_path(d->path);

			printf("  %s%-8s%s  %s  (%s%s%s, %.*s, now %.*s)\n",
				output_color(cli, d->damage ? COLOR_RED : COLOR_YELLOW),
				d->change, output_color(cli, COLOR_RESET), path,
				verify_layer_names[d->layer], d->name && *d->name ? " " : "",
				d->name ? d->name : "", SHORT_HASH,
				d->expected ? d->expected : "nothing", SHORT_HASH,
				d->found ? d->found : "nothing");
			if (d->note)
				printf("            %s\n", d->note);
		}
}

static void print_verification(
	const struct cli *cli, const struct verify_result *result, const struct state *state)
{
	if (!result->count)
		printf("%zu files checked: all as recorded\n", result->checked);
	else
		printf("%zu files checked: %zu changed by you, %zu damaged\n", result->checked,
			result->count - result->damages, result->damages);
	if (result->count > result->damages)
		differences_print(cli, result, false,
			"your unrecorded changes ('nanoclaw customize record' records them):");
	if (result->damages)
		differences_print(cli, result, true,
			"damaged: nanoclaw's own files\n('nanoclaw doctor --fix' repairs "
			"what it can):");
	if (result->problems.count)
		printf("\nproblems, to correct in the file:\n");
	for (size_t i = 0; i < result->problems.count; i++)
		printf("  %s\n", result->problems.list[i]);
	for (size_t i = 0; i < result->changed_packages.count; i++)
		printf("%s\n", result->changed_packages.list[i]);
	if (cli->verbose)
		source_output(state);
}

struct verification {
	struct verify_result result;
	struct state state;
	bool initialized;
};

static void verification_release(struct verification *v)
{
	verify_result_release(&v->result);
	state_release(&v->state);
}

static int verification_collect(
	const struct project *project, bool running, void *data, struct error *err)
{
	CLEANUP(pending_release) struct pending pending = PENDING_INIT;
	struct verification *v = data;
	bool paused;

	if (running)
		return project_refuse_running(project, err);
	verification_release(v);
	*v = (struct verification){.result = VERIFY_RESULT_INIT};
	if (state_load(project, &v->state, &v->initialized, err) < 0)
		return -1;
	if (!v->initialized)
		return 0;
	if (pending_load(project, &pending, &paused, err) < 0 ||
		verify(project, paused ? &pending.state : &v->state, &v->result, err) < 0)
		return -1;
	return paused ? leave_out_pending(project, &v->state, &pending, &v->result, err) : 0;
}

static int run_verify(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(verification_release) struct verification v = {.result = VERIFY_RESULT_INIT};

	(void)args;
	if (project_read(&project, verification_collect, &v, err) < 0)
		return -1;
	if (cli->json)
		output_json(verification_json(&v.result, v.initialized ? &v.state : NULL));
	else if (!v.initialized)
		printf("no skills have been applied here\n");
	else
		print_verification(cli, &v.result, &v.state);
	return v.result.count || v.result.problems.count ? EXIT_FAILED : EXIT_DONE;
}

COMMAND(verify) = {
	.name = "verify",
	.summary = "check every file against the records",
	.description =
		"Reads every file of the core, skills and custom patches, and the files in\n"
		"'.nanoclaw', and compares them with the recorded hashes. For each difference it\n"
		"shows the layer that recorded the file (the core, a skill or a patch), the\n"
		"recorded hash and the actual one.\n"
		"\n"
		"The exit code is 0 if everything matches, and 1 otherwise. Nothing is changed.",
	.section = SECTION_SKILLS,
	.run = run_verify,
};
