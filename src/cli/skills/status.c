#include <stdio.h>

#include "base/string_array.h"
#include "cli/assistant/state.h"
#include "cli/conflict/choice.h"
#include "cli/output.h"
#include "cli/project.h"
#include "cli/rebuild/build_state.h"
#include "cli/report/source_output.h"
#include "engine/commit/pending.h"
#include "engine/operation/customize.h"
#include "engine/session/drift.h"
#include "engine/state/layer.h"
#include "engine/state/state.h"
#include "format/json.h"

struct report {
	struct state state;
	bool initialized;
	struct drift_list drift;
	struct pending pending;
	bool paused;
	struct customizing customizing;
	bool is_customizing;
	bool running;
	json_t *host;  /* null, or the state of the assistant's host */
	json_t *build; /* null, or whether it runs this source */
};

static void report_release(struct report *report)
{
	state_release(&report->state);
	drift_list_release(&report->drift);
	pending_release(&report->pending);
	customizing_release(&report->customizing);
	json_decref(report->host);
	json_decref(report->build);
}

static int status_collect(
	const struct project *project, bool running, void *data, struct error *err)
{
	struct report *report = data;
	CLEANUP(string_array_release) struct string_array unwritten = {0};
	size_t kept = 0;

	report_release(report);
	*report = (struct report){.running = running};
	if (state_load(project, &report->state, &report->initialized, err) < 0)
		return -1;
	if (report->running)
		return 0;
	/* Packages can be worked on where nothing is applied (refresh.h). */
	if (pending_load(project, &report->pending, &report->paused, err) < 0)
		return -1;
	if (!report->initialized)
		return 0;
	if (customize_load(project, &report->customizing, &report->is_customizing, err) < 0 ||
		drift_find(project, report->paused ? &report->pending.state : &report->state,
			&report->drift, err) < 0)
		return -1;
	/* Files that a paused operation has written, or will write, do not count as drift. */
	if (!report->paused)
		return 0;
	if (pending_unwritten(project, &report->state, &report->pending, &unwritten, err) < 0)
		return -1;
	for (size_t i = 0; i < report->drift.count; i++) {
		const char *path = report->drift.list[i].path;

		if (pending_has_conflict(&report->pending, path) ||
			string_array_has(&unwritten, path))
			free(report->drift.list[i].path);
		else
			report->drift.list[kept++] = report->drift.list[i];
	}
	report->drift.count = kept;
	return 0;
}

static json_t *pending_json(const struct report *report)
{
	json_t *conflicts = json_array();

	if (report->running)
		return json_build("operation:s conflicts:o", "running", conflicts);
	for (size_t i = 0; i < report->pending.conflict_count; i++)
		json_add_text(conflicts, report->pending.conflicts[i].path.text);
	if (report->paused) {
		json_t *to_settle = json_array();

		/* A conflict is resolved in the file, or the file is kept or deleted by a decision. */
		for (size_t i = 0; i < report->pending.conflict_count; i++) {
			const struct conflict *conflict = &report->pending.conflicts[i];

			json_add(to_settle, "path:s skill:s kind:s", conflict->path.text,
				conflict->skill,
				conflict->kind == CONFLICT_DELETE ? "decision" : "conflict");
		}
		return json_build("operation:s conflicts:o toSettle:o",
			report->pending.operation, conflicts, to_settle);
	}
	if (report->is_customizing)
		return json_build("operation:s conflicts:o description:s", "customize",
			conflicts, report->customizing.description);
	json_decref(conflicts);
	return json_null();
}

static json_t *drift_json(const struct report *report, bool details)
{
	json_t *list = json_array();

	for (size_t i = 0; i < report->drift.count; i++) {
		const struct drift *drift = &report->drift.list[i];
		json_t *path = json_text(view_of(drift->path));

		json_array_append_new(list, details ? json_build("path:o change:s", path,
							      drift_change_names[drift->change])
						    : path);
	}
	return list;
}

static json_t *status_json(const struct report *report)
{
	json_t *skills = json_array();
	json_t *status;

	for (size_t i = 0; i < report->state.skill_count; i++)
		json_add(skills, "name:s version:s", report->state.skills[i].name,
			report->state.skills[i].version);
	status = json_build("success:b initialized:b coreVersion:s skills:o drift:o "
			    "driftDetails:o pending:o host:O sources:o",
		true, report->initialized,
		report->initialized ? report->state.core_version : NULL, skills,
		drift_json(report, false), drift_json(report, true), pending_json(report),
		report->host,
		report->initialized ? source_output_json(&report->state) : json_array());
	if (json_is_object(report->build))
		json_put(status, "build:O", report->build);
	return status;
}

/* Has a person removed the conflict from the file? Then only 'continue' is left to do. */
static bool looks_resolved(const struct project *project, const struct conflict *conflict)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	bool resolved = false;

	return conflict->kind != CONFLICT_DELETE &&
	       conflict_file_resolved(project, conflict, &resolved, &ignored) == 0 && resolved;
}

static void print_pending(const struct project *project, const struct report *report)
{
	if (report->running) {
		printf("\nan operation is running\n");
		return;
	}
	printf("\n'%s' is paused; to resolve:\n", report->pending.operation);
	for (size_t i = 0; i < report->pending.conflict_count; i++) {
		const struct conflict *conflict = &report->pending.conflicts[i];
		CLEANUP(freep) char *path = output_path(conflict->path.text);

		printf("  %s  (%s%s)\n", path, conflict->skill,
			conflict->kind == CONFLICT_DELETE ? " deletes it: keep it or delete it"
			: looks_resolved(project, conflict) ? "; resolved"
							    : "");
	}
	printf("then 'nanoclaw continue', or 'nanoclaw abort' to undo everything\n");
}

static void print_status(
	const struct cli *cli, const struct project *project, const struct report *report)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(layers_release) struct layers layers = LAYERS_INIT;

	if (!report->initialized) {
		printf("no skills have been applied here\n");
		if (report->paused || report->running)
			print_pending(project, report);
		return;
	}
	printf("core %s\n", report->state.core_version);
	for (size_t i = 0; i < report->state.skill_count; i++)
		printf("  %s%s%s%s%s\n", output_color(cli, COLOR_CYAN),
			report->state.skills[i].name, output_color(cli, COLOR_RESET),
			*report->state.skills[i].version ? " " : "",
			report->state.skills[i].version);
	if (layers_read(&report->state, &layers, &ignored) == 0)
		for (size_t i = 0; i < layers.count; i++)
			if (layers.list[i].kind == LAYER_PATCH && !layers.list[i].baked)
				printf("  %s%s%s (custom patch)\n",
					output_color(cli, COLOR_CYAN), layers.list[i].name,
					output_color(cli, COLOR_RESET));
	if (cli->verbose)
		source_output(&report->state);
	if (report->drift.count) {
		printf("\nyour unrecorded changes:\n");
		for (size_t i = 0; i < report->drift.count; i++) {
			const struct drift *drift = &report->drift.list[i];
			CLEANUP(freep) char *path = output_path(drift->path);

			printf("  %s%-8s%s  %s\n", output_color(cli, COLOR_YELLOW),
				drift_change_names[drift->change],
				output_color(cli, COLOR_RESET), path);
		}
	}
	if (report->paused || report->running)
		print_pending(project, report);
	else if (report->is_customizing)
		printf("\nyou are customizing: %s\n"
		       "then 'nanoclaw customize commit', or 'nanoclaw customize abort'\n",
			report->customizing.description);
}

static int run_status(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(report_release) struct report report = {0};

	(void)args;
	if (project_read(&project, status_collect, &report, err) < 0)
		return -1;
	report.host = host_state(&project);
	report.build = build_state(&project, report.host);
	if (cli->json) {
		output_json(status_json(&report));
	} else {
		print_status(cli, &project, &report);
		host_state_print(cli, report.host);
		build_state_print(report.build);
	}
	return EXIT_DONE;
}

COMMAND(status) = {
	.name = "status",
	.summary = "show applied skills, unrecorded changes and paused operations",
	.description =
		"Shows the core, the applied skills and custom patches, your changes that are not\n"
		"recorded, a paused operation with its conflicts, and the state of the assistant.\n"
		"With -v it also shows where skills from archives and git came from. Nothing is\n"
		"changed, except that an interrupted operation is rolled back first.",
	.section = SECTION_SKILLS,
	.first = 5,
	.run = run_status,
};
