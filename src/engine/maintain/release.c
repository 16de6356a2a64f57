#include "engine/maintain/release.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/author/check.h"
#include "engine/author/refresh.h"
#include "engine/maintain/internal.h"
#include "engine/package/semver.h"
#include "engine/resolution/resolution_check.h"
#include "proc/interrupt.h"

const char *const release_step_names[] = {
	[RELEASE_VERSION] = "version",
	[RELEASE_PACKAGES] = "packages",
	[RELEASE_ALONE] = "alone",
	[RELEASE_PAIRS] = "pairs",
	[RELEASE_STACKS] = "stacks",
	[RELEASE_MIGRATIONS] = "migrations",
	[RELEASE_RESOLUTIONS] = "resolutions",
	[RELEASE_UPDATE] = "update",
};

void release_missing(struct release *r, enum release_step_id id, char *command, char *what)
{
	struct release_step *step = &r->result->steps[id];

	/* Several skills can lack the same thing. */
	for (size_t i = 0; i < step->count; i++)
		if (!strcmp(step->items[i].what, what)) {
			free(command);
			free(what);
			return;
		}
	GROW(step->items, step->count, step->cap);
	step->items[step->count++] = (struct release_item){what, command};
	step->state = RELEASE_MISSING;
}

int release_interrupted(struct error *err)
{
	if (!interrupt_pending())
		return 0;
	error_set(err, ERROR_FAILED, "interrupted");
	err->errnum = EINTR;
	return error_hint(err, "nothing was written; the next call continues from there");
}

/* --- steps --- */

static int check_version(struct release *r, struct error *err)
{
	const struct release_result *result = r->result;

	(void)err;
	if (semver_compare_text(result->to, result->from) <= 0)
		release_missing(r, RELEASE_VERSION,
			xstrdup("raise it in VERSION, package.json or meson.build"),
			xasprintf("the new core is %s, but the previous one was %s", result->to,
				result->from));
	else if (semver_compare_text(result->to, r->new_core.version) != 0)
		release_missing(r, RELEASE_VERSION,
			xasprintf(
				"write %s to VERSION, package.json or meson.build", result->to),
			xasprintf("the new core says that it is %s", r->new_core.version));
	r->result->steps[RELEASE_VERSION].summary =
		xasprintf("%s, and %s before", result->to, result->from);
	return 0;
}

/* Every package of the project, broken ones included. */
static int check_all_packages(struct release *r, struct error *err)
{
	CLEANUP(package_list_release) struct package_list packages = {0};
	CLEANUP(string_array_release) struct string_array paths = {0};
	CLEANUP(check_results_release) struct check_results checked = {0};
	CLEANUP(operation_result_release)
	struct operation_result looked = OPERATION_RESULT_INIT;
	const struct refresh_request all = {.against = r->core};

	if (package_list_read(r->new.root, &packages, err) < 0)
		return -1;
	for (size_t i = 0; i < packages.count; i++)
		string_array_addf(&paths, "%s/%s", r->project->path, packages.list[i].folder);
	for (size_t i = 0; i < packages.broken.count; i++)
		string_array_addf(&paths, "%s/%s", r->project->path, packages.broken.list[i]);
	if (check_packages(r->project, (const char *const *)paths.list, paths.count, false,
		    &checked, err) < 0 ||
		refresh_look(r->project, &all, &looked, err) < 0)
		return -1;
	for (size_t i = 0; i < checked.count; i++) {
		const struct check_result *result = &checked.list[i];

		if (result->faults.errors)
			release_missing(r, RELEASE_PACKAGES,
				xasprintf("nanoclaw skill check %s", result->folder),
				xasprintf("'%s' has %zu fault%s", result->folder,
					result->faults.errors,
					result->faults.errors == 1 ? "" : "s"));
	}
	for (size_t i = 0; i < looked.refresh->count; i++) {
		const struct refresh_package *p = &looked.refresh->packages[i];
		CLEANUP(buf_release) struct buf files = BUF_INIT;

		if (p->fresh)
			continue;
		string_array_add(&r->stale, p->skill);
		for (size_t j = 0; j < p->count; j++)
			buf_appendf(&files, "%s%s (%s)", j ? ", " : "", p->files[j].path,
				refresh_state_names[p->files[j].state]);
		release_missing(r, RELEASE_PACKAGES,
			xasprintf("nanoclaw skill refresh %s --raise patch%s%s", p->skill,
				r->core ? " --against " : "", r->core ? r->core : ""),
			xasprintf("%s %s was written for core %s: %s", p->skill, p->version,
				p->written_for, files.data));
	}
	r->result->steps[RELEASE_PACKAGES].summary = xasprintf("%zu", paths.count);
	return 0;
}

static void report_entry(
	struct release *r, enum release_step_id id, const struct matrix_result *result)
{
	const char *message = result->message ? result->message : "";
	bool conflict = result->outcome == MATRIX_CONFLICT;

	release_missing(r, id,
		xasprintf("nanoclaw matrix run --only %s%s", result->entry->id,
			conflict ? " --record --resolver COMMAND" : ""),
		xasprintf("%s: %s%s%.*s", result->entry->id,
			matrix_outcome_names[result->outcome], *message ? ": " : "",
			(int)strcspn(message, "\n"), message));
}

static bool has_stale_package(const struct release *r, const struct matrix_entry *entry)
{
	for (size_t i = 0; i < entry->order.count; i++)
		if (string_array_has(&r->stale, entry->order.list[i]))
			return true;
	return false;
}

/* Failures with stale packages are counted only: the packages step names these. */
static void report_matrix(struct release *r, const struct matrix_run *run)
{
	static const enum release_step_id steps[] = {
		[MATRIX_ALONE] = RELEASE_ALONE,
		[MATRIX_PAIR] = RELEASE_PAIRS,
		[MATRIX_STACK] = RELEASE_STACKS,
	};

	for (size_t kind = 0; kind < ARRAY_SIZE(steps); kind++) {
		enum release_step_id id = steps[kind];
		size_t count = 0, unchanged = 0, waiting = 0;

		for (size_t i = 0; i < run->count; i++) {
			const struct matrix_result *result = &run->list[i];

			if (result->entry->kind != kind)
				continue;
			count++;
			unchanged += result->outcome == MATRIX_UNCHANGED;
			if (result->outcome != MATRIX_NOT_RUN &&
				!matrix_outcome_is_failure(result->outcome))
				continue;
			if (has_stale_package(r, result->entry))
				waiting++;
			else
				report_entry(r, id, result);
		}
		if (waiting)
			release_missing(r, id,
				xstrdup("refresh the packages first, and run this again"),
				xasprintf("%zu of %zu fail with packages that do not fit the "
					  "new core",
					waiting, count));
		r->result->steps[id].summary =
			unchanged ? xasprintf("%zu, %zu of them unchanged", count, unchanged)
				  : xasprintf("%zu", count);
	}
}

static int run_matrix(struct release *r, struct error *err)
{
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;
	CLEANUP(matrix_run_release) struct matrix_run run = MATRIX_RUN_INIT;
	CLEANUP(string_array_release) struct string_array version = {0};
	struct matrix_request request = {.core = r->core};

	string_array_add(&version, r->new_core.version);
	request.core_versions = version;
	if (matrix_plan(r->project, &request, &matrix, err) < 0)
		return -1;
	r->needs_setup = matrix.setup != NULL;
	for (size_t i = 0; i < matrix.notes.count; i++)
		string_array_add(&r->result->notes, matrix.notes.list[i]);
	if (matrix_run(r->project, &matrix, &r->request->matrix, &run, err) < 0)
		return -1;
	report_matrix(r, &run);
	return release_interrupted(err);
}

static int check_resolutions(struct release *r, struct error *err)
{
	CLEANUP(resolution_checks_release)
	struct resolution_checks checks = RESOLUTION_CHECKS_INIT;
	size_t count = 0;

	if (resolution_check(&r->new, NULL, false, &checks, err) < 0)
		return -1;
	for (size_t i = 0; i < checks.count; i++) {
		const struct faults *faults = &checks.list[i].faults;

		/* Resolutions for updates are about old versions: the update proves them. */
		if (strstr(checks.list[i].entry, "+core@") ||
			release_is_for_update(r, checks.list[i].entry))
			continue;
		count++;
		for (size_t j = 0; j < faults->count; j++)
			if (faults->list[j].severity == FAULT_ERROR)
				release_missing(r, RELEASE_RESOLUTIONS,
					xstrdup("nanoclaw resolution check; record it again, or "
						"delete it"),
					xasprintf("%s: %s", checks.list[i].entry,
						faults->list[j].text));
	}
	r->result->steps[RELEASE_RESOLUTIONS].summary = xasprintf("%zu shipped", count);
	return 0;
}

/* --- the checklist --- */

static void end_step(struct release *r, enum release_step_id id)
{
	const struct release_watcher *w = &r->request->watcher;
	struct release_step *step = &r->result->steps[id];

	if (step->state == RELEASE_NOT_REACHED)
		step->state = RELEASE_OK;
	if (w->ended)
		w->ended(step, w->data);
}

/* An error of the step is something that is missing. Only a signal ends everything. */
static int run_step(struct release *r, enum release_step_id id,
	int (*function)(struct release *, struct error *), struct error *err)
{
	const struct release_watcher *w = &r->request->watcher;
	CLEANUP(error_release) struct error failure = ERROR_INIT;

	if (w->begun)
		w->begun(id, w->data);
	if (function(r, &failure) < 0) {
		if (failure.errnum == EINTR)
			return release_interrupted(err);
		release_missing(r, id, failure.hint ? xstrdup(failure.hint) : NULL,
			xstrdup(failure.message));
	}
	end_step(r, id);
	return 0;
}

static void release_release(struct release *r)
{
	CLEANUP(error_release) struct error left = ERROR_INIT;

	core_source_release(&r->change);
	project_release(&r->base);
	project_release(&r->old);
	project_release(&r->new);
	if (r->scratch.path && r->request->matrix.keep)
		string_array_addf(&r->result->notes, "the copies are in '%s'", r->scratch.path);
	else if (r->scratch.path && scratch_remove(&r->scratch, &left) < 0)
		string_array_add(&r->result->notes, left.message);
	free(r->scratch.path);
	free(r->core);
	free(r->old_core.version);
	free(r->old_core.source);
	free(r->new_core.version);
	free(r->new_core.source);
	string_array_release(&r->stale);
	resolution_skills_release(&r->before);
	resolution_skills_release(&r->after);
	buf_release(&r->guide);
	release_files_release(r);
}

int release_run(struct project *project, const struct release_request *request,
	struct release_result *ret_result, struct error *err)
{
	CLEANUP(release_release)
	struct release r = {
		.project = project,
		.request = request,
		.result = ret_result,
		.scratch = {.fd = -1},
		.base = PROJECT_INIT,
		.old = PROJECT_INIT,
		.new = PROJECT_INIT,
		.change = CORE_SOURCE_INIT,
		.guide = BUF_INIT,
	};
	bool newer;

	for (size_t i = 0; i < RELEASE_STEPS; i++)
		ret_result->steps[i].id = (enum release_step_id)i;
	if (release_open_cores(&r, err) < 0 ||
		run_step(&r, RELEASE_VERSION, check_version, err) < 0)
		return -1;
	/* Without a newer version there is no update to check. */
	newer = ret_result->steps[RELEASE_VERSION].state == RELEASE_OK;
	if (newer && core_source_open(
			     &(struct core_request){
				     .project = &r.old,
				     .base = r.base.root,
				     .old_version = ret_result->from,
				     .typed = r.new.path,
				     .to = ret_result->to,
			     },
			     &r.change, err) < 0)
		return -1;
	if (run_step(&r, RELEASE_PACKAGES, check_all_packages, err) < 0 ||
		run_step(&r, RELEASE_ALONE, run_matrix, err) < 0)
		return -1;
	/* One run has the three kinds of entries. */
	end_step(&r, RELEASE_PAIRS);
	end_step(&r, RELEASE_STACKS);
	if (run_step(&r, RELEASE_MIGRATIONS, release_check_migrations, err) < 0 ||
		run_step(&r, RELEASE_RESOLUTIONS, check_resolutions, err) < 0 ||
		(newer && run_step(&r, RELEASE_UPDATE, release_make_update, err) < 0))
		return -1;
	ret_result->ready = true;
	for (size_t i = 0; i < RELEASE_STEPS; i++)
		ret_result->ready &= ret_result->steps[i].state == RELEASE_OK;
	if (!ret_result->ready && !(request->keep_going && r.file_count))
		return 0;
	return release_write_package(&r, err);
}

void release_result_release(struct release_result *result)
{
	for (size_t i = 0; i < RELEASE_STEPS; i++) {
		struct release_step *step = &result->steps[i];

		for (size_t j = 0; j < step->count; j++) {
			free(step->items[j].what);
			free(step->items[j].command);
		}
		free(step->items);
		free(step->summary);
	}
	string_array_release(&result->notes);
	free(result->from);
	free(result->to);
	free(result->package);
}
