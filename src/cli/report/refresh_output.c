#include "cli/report/refresh_output.h"

#include <stdio.h>

#include "cli/output.h"
#include "cli/report/apply_output.h"

static const char *const words[] = {
	[REFRESH_FITS] = "fits",
	[REFRESH_UNMARKED] = "as it is",
	[REFRESH_MERGES] = "merged",
	[REFRESH_RESOLVED] = "resolved",
	[REFRESH_GIVEN] = "dropped",
	[REFRESH_TAKEN] = "merged",
	[REFRESH_CONFLICT] = "CONFLICT",
	[REFRESH_GONE] = "GONE",
	[REFRESH_WAITS] = "WAITS",
	[REFRESH_LOST] = "LOST",
	[REFRESH_IMPOSSIBLE] = "IMPOSSIBLE",
};

/* --- for programs ------------------------------------------------------------------------- */

json_t *refresh_output_package(const struct refresh_package *p)
{
	json_t *files = json_array();

	for (size_t i = 0; i < p->count; i++) {
		const struct refresh_file *file = &p->files[i];

		json_add(files, "path:s state:s to:S detail:S", file->path,
			refresh_state_names[file->state], file->to, file->detail);
	}
	return json_build("skill:s folder:s version:s newVersion:S writtenFor:s applied:S "
			  "nothingToDo:b fresh:b smooth:b worst:s files:o",
		p->skill, p->folder, p->version, p->new_version, p->written_for, p->applied,
		p->fresh, p->fresh, refresh_is_smooth(p), refresh_state_names[p->worst], files);
}

static json_t *refresh_json(const struct operation_result *result, bool dry_run)
{
	const struct refresh_result *r = result->refresh;
	json_t *list = json_array(), *document;

	if (r->count == 1) {
		document = refresh_output_package(&r->packages[0]);
		json_decref(list);
	} else {
		for (size_t i = 0; i < r->count; i++)
			json_array_append_new(list, refresh_output_package(&r->packages[i]));
		document = json_build("results:o", list);
	}
	json_put(document,
		"success:b coreVersion:s mergeConflicts:o backupPending:o "
		"warnings:o",
		!result->conflict_count, r->core, apply_output_conflicts(result, NULL),
		json_boolean(result->paused), apply_output_warnings_json(result));
	if (dry_run)
		json_put(document, "dryRun:b", true);
	return document;
}

/* --- for people --------------------------------------------------------------------------- */

static void refreshed_package_print(const struct cli *cli,
	const struct operation_result *result, const struct refresh_package *p, bool dry_run)
{
	const char *core = result->refresh->core;
	bool written = !result->paused && !dry_run;

	if (p->fresh) {
		printf("%s %s: nothing to do, it fits core %s\n", p->skill, p->version, core);
		return;
	}
	if (p->worst == REFRESH_WAITS) {
		printf("%s %s waits for a package that it builds on; then run 'nanoclaw "
		       "skill refresh %s'\n",
			p->skill, p->version, p->skill);
		return;
	}
	printf("%s%s %s%s", output_color(cli, COLOR_BOLD), p->skill,
		p->new_version ? p->new_version : p->version, output_color(cli, COLOR_RESET));
	if (p->new_version)
		printf(" (before: %s)", p->version);
	printf(" %s core %s\n",
		result->paused                     ? "paused on the way to"
		: dry_run && !refresh_is_smooth(p) ? "would pause on the way to"
		: dry_run                          ? "would be refreshed for"
						   : "refreshed for",
		core);
	if (cli->quiet)
		return;
	for (size_t i = 0; i < p->count; i++) {
		const struct refresh_file *f = &p->files[i];
		bool open = f->state >= REFRESH_CONFLICT;
		CLEANUP(freep) char *path = output_path(f->path);
		CLEANUP(freep) char *to = f->to ? output_path(f->to) : NULL;
		const char *word = f->state == REFRESH_FITS ? "renamed"
				   : open && written        ? "settled"
							    : words[f->state];

		printf("  %s%-8s%s  %s%s%s\n",
			output_color(cli, open && !written ? COLOR_RED : COLOR_GREEN), word,
			output_color(cli, COLOR_RESET), path, to ? " -> " : "", to ? to : "");
	}
	if (!written || !p->applied)
		return;
	/* The state is not touched; say how to apply the refreshed skill here. */
	if (p->new_version)
		printf("  it is applied here as %s: 'nanoclaw skill update %s' applies "
		       "the new version\n",
			p->applied, p->skill);
	else
		printf("  it is applied here, and its version was not raised ('--raise "
		       "patch'): the applied one stays\n");
}

static void print_left(const struct operation_result *result)
{
	printf("\nTo resolve:\n");
	for (size_t i = 0; i < result->conflict_count; i++) {
		const struct conflict *c = &result->conflicts[i];
		CLEANUP(freep) char *path = output_path(c->path.text);
		CLEANUP(freep)
		char *beside = c->beside.text ? output_path(c->beside.text) : NULL;

		if (c->kind == CONFLICT_DELETE)
			printf("  %s: the core no longer has this file; keep it and the "
			       "skill will add it, or delete it\n",
				path);
		else if (beside)
			printf("  %s: the core's version is in %s; move it over yours, or "
			       "delete it\n",
				path, beside);
		else
			printf("  %s: edit it, and remove the conflict markers\n", path);
	}
	printf("Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.\n");
}

void refresh_output(const struct cli *cli, const struct operation_result *result, bool dry_run)
{
	const struct refresh_result *r = result->refresh;

	if (cli->json) {
		output_json(refresh_json(result, dry_run));
		return;
	}
	for (size_t i = 0; i < r->count; i++)
		refreshed_package_print(cli, result, &r->packages[i], dry_run);
	if (!r->count && !cli->quiet)
		printf("nothing to do: the project has no packages\n");
	if (result->paused)
		print_left(result);
}
