#include "engine/maintain/release.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/author/check.h"
#include "engine/author/refresh.h"
#include "engine/maintain/release_parts.h"
#include "engine/package/semver.h"
#include "engine/resolution/resolution_check.h"
#include "util/interrupt.h"
#include "util/string_array.h"

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

/* --- the result ------------------------------------------------------------------- */

void release_missing(
	struct release *r, enum release_step_id id, char *command, const char *format, ...)
{
	struct release_step *step = &r->result->steps[id];
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	/* The same may be found with several skills. */
	for (size_t i = 0; i < step->count; i++)
		if (!strcmp(step->items[i].what, text.data)) {
			free(command);
			return;
		}
	GROW(step->items, step->count, step->cap);
	step->items[step->count++] = (struct release_item){buf_take(&text), command};
	step->state = RELEASE_MISSING;
}

void release_summary(struct release *r, enum release_step_id id, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	free(r->result->steps[id].summary);
	r->result->steps[id].summary = buf_take(&text);
}

void release_note(struct release *r, const char *format, ...)
{
	struct release_result *result = r->result;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	GROW(result->notes, result->note_count, result->note_cap);
	result->notes[result->note_count++] = buf_take(&text);
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
	for (size_t i = 0; i < result->note_count; i++)
		free(result->notes[i]);
	free(result->notes);
	free(result->from);
	free(result->to);
	free(result->package);
}

int release_interrupted(struct error *err)
{
	if (!interrupt_pending())
		return 0;
	error_set(err, ERROR_FAILED, "interrupted");
	err->errnum = EINTR;
	return error_hint(
		err, "nothing was written; the next call goes on from what has passed");
}

bool release_is_new_since(const struct release *r, const char *since)
{
	return semver_compare_text(since, r->result->from) > 0 &&
	       semver_compare_text(since, r->result->to) <= 0;
}

static void begin(struct release *r, enum release_step_id id)
{
	const struct release_watcher *w = &r->request->watcher;

	if (w->begun)
		w->begun(id, w->data);
}

static void end(struct release *r, enum release_step_id id)
{
	const struct release_watcher *w = &r->request->watcher;
	struct release_step *step = &r->result->steps[id];

	if (step->state == RELEASE_NOT_REACHED)
		step->state = RELEASE_OK;
	if (w->ended)
		w->ended(step, w->data);
}

/* --- the version ------------------------------------------------------------------ */

static int check_version(struct release *r)
{
	const struct release_result *result = r->result;

	if (semver_compare_text(result->to, result->from) <= 0)
		release_missing(r, RELEASE_VERSION,
			xstrdup("raise it in VERSION, package.json or meson.build"),
			"the new core is %s, and the one before was %s", result->to,
			result->from);
	else if (semver_compare_text(result->to, r->new_core.version) != 0)
		release_missing(r, RELEASE_VERSION,
			xasprintf(
				"write %s to VERSION, package.json or meson.build", result->to),
			"the new core says that it is %s", r->new_core.version);
	release_summary(r, RELEASE_VERSION, "%s, and %s before", result->to, result->from);
	return 0;
}

/* --- packages --------------------------------------------------------------------- */

static void tell_faults(struct release *r, const struct check_results *checked)
{
	for (size_t i = 0; i < checked->count; i++)
		if (checked->list[i].faults.errors)
			release_missing(r, RELEASE_PACKAGES,
				xasprintf("nanoclaw skill check %s", checked->list[i].folder),
				"'%s' has %zu fault%s", checked->list[i].folder,
				checked->list[i].faults.errors,
				checked->list[i].faults.errors == 1 ? "" : "s");
}

/* The folders of all packages of the project, broken ones included. */
static int list_folders(struct release *r, struct string_array *folders)
{
	CLEANUP(package_list_release) struct package_list packages = {0};

	if (package_list_read(r->new.root, &packages, r->err) < 0)
		return -1;
	for (size_t i = 0; i < packages.count; i++)
		string_array_add(folders, packages.list[i].folder);
	for (size_t i = 0; i < packages.broken_count; i++)
		string_array_add(folders, packages.broken[i]);
	return 0;
}

static void tell_stale(struct release *r, const struct refresh_package *p)
{
	CLEANUP(buf_release) struct buf files = BUF_INIT;

	string_array_add(&r->stale, p->skill);
	for (size_t i = 0; i < p->count; i++)
		buf_appendf(&files, "%s%s (%s)", i ? ", " : "", p->files[i].path,
			refresh_state_names[p->files[i].state]);
	release_missing(r, RELEASE_PACKAGES,
		xasprintf("nanoclaw skill refresh %s --raise patch%s%s", p->skill,
			r->core ? " --against " : "", r->core ? r->core : ""),
		"%s %s was written for core %s: %s", p->skill, p->version, p->written_for,
		files.data);
}

static int check_packages_of(struct release *r)
{
	CLEANUP(string_array_release) struct string_array folders = {0};
	CLEANUP(string_array_release) struct string_array paths = {0};
	CLEANUP(check_results_release) struct check_results checked = {0};
	CLEANUP(apply_result_release) struct apply_result look = APPLY_RESULT_INIT;
	const struct refresh_request all = {.against = r->core};

	if (list_folders(r, &folders) < 0)
		return -1;
	for (size_t i = 0; i < folders.count; i++) {
		CLEANUP(freep)
		char *path = xasprintf("%s/%s", r->project->path, folders.list[i]);

		string_array_add(&paths, path);
	}
	if (check_packages(r->project, (const char *const *)paths.list, paths.count, false,
		    &checked, r->err) < 0 ||
		refresh_look(r->project, &all, &look, r->err) < 0)
		return -1;
	tell_faults(r, &checked);
	for (size_t i = 0; i < look.refresh->count; i++)
		if (!look.refresh->packages[i].fresh)
			tell_stale(r, &look.refresh->packages[i]);
	release_summary(r, RELEASE_PACKAGES, "%zu", folders.count);
	return 0;
}

/* --- the matrix ------------------------------------------------------------------- */

static enum release_step_id step_of(enum matrix_kind kind)
{
	return kind == MATRIX_ALONE  ? RELEASE_ALONE
	       : kind == MATRIX_PAIR ? RELEASE_PAIRS
				     : RELEASE_STACKS;
}

static void tell_entry(struct release *r, const struct matrix_result *result)
{
	CLEANUP(freep) char *line = NULL;
	const char *end;

	end = result->message ? strchrnul(result->message, '\n') : NULL;
	line = end ? xmemdupz(result->message, (size_t)(end - result->message)) : xstrdup("");
	release_missing(r, step_of(result->entry->kind),
		result->outcome == MATRIX_CONFLICT
			? xasprintf("nanoclaw matrix run --only %s --record --resolver COMMAND",
				  result->entry->id)
			: xasprintf("nanoclaw matrix run --only %s", result->entry->id),
		"%s: %s%s%s", result->entry->id, matrix_outcome_names[result->outcome],
		*line ? ": " : "", line);
}

/* Of those that have a package which does not fit yet, that is what is missing. */
static bool waits(const struct release *r, const struct matrix_entry *entry)
{
	for (size_t i = 0; i < entry->order.count; i++)
		if (string_array_has(&r->stale, entry->order.list[i]))
			return true;
	return false;
}

static void sum_up_matrix(struct release *r, const struct matrix_run *run)
{
	size_t count[RELEASE_STEPS] = {0}, before[RELEASE_STEPS] = {0};
	size_t waiting[RELEASE_STEPS] = {0};

	for (size_t i = 0; i < run->count; i++) {
		const struct matrix_result *result = &run->list[i];
		enum release_step_id id = step_of(result->entry->kind);
		bool failed = result->outcome == MATRIX_NOT_RUN ||
			      matrix_outcome_is_failure(result->outcome);

		count[id]++;
		before[id] += result->outcome == MATRIX_UNCHANGED;
		if (failed && waits(r, result->entry))
			waiting[id]++;
		else if (failed)
			tell_entry(r, result);
	}
	for (int id = RELEASE_ALONE; id <= RELEASE_STACKS; id++) {
		if (waiting[id])
			release_missing(r, (enum release_step_id)id,
				xstrdup("refresh the packages first, and look again"),
				"%zu of %zu fail with packages that do not fit the new core",
				waiting[id], count[id]);
		release_summary(r, (enum release_step_id)id,
			before[id] ? "%zu, %zu of them unchanged" : "%zu", count[id],
			before[id]);
	}
}

static int run_matrix(struct release *r)
{
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;
	CLEANUP(matrix_run_release) struct matrix_run run = MATRIX_RUN_INIT;
	const char *const version[] = {r->new_core.version};
	const struct matrix_request request = {
		.core = r->core, .core_versions = version, .core_version_count = 1};

	if (matrix_plan(r->project, &request, &matrix, r->err) < 0)
		return -1;
	r->needs_setup = matrix.setup != NULL;
	for (size_t i = 0; i < matrix.note_count; i++)
		release_note(r, "%s", matrix.notes[i]);
	if (matrix_run(r->project, &matrix, &r->request->matrix, &run, r->err) < 0)
		return -1;
	sum_up_matrix(r, &run);
	return release_interrupted(r->err);
}

/* --- resolutions ------------------------------------------------------------------ */

static int check_resolutions(struct release *r)
{
	CLEANUP(resolution_checks_release)
	struct resolution_checks checks = RESOLUTION_CHECKS_INIT;
	size_t count = 0;

	if (resolution_check(&r->new, NULL, &checks, r->err) < 0)
		return -1;
	for (size_t i = 0; i < checks.count; i++) {
		const struct faults *faults = &checks.list[i].faults;

		/* Those for updates are about versions of before: the update proves them. */
		if (strstr(checks.list[i].entry, "+core@") ||
			release_is_for_update(r, checks.list[i].entry))
			continue;
		count++;
		for (size_t j = 0; j < faults->count; j++)
			if (faults->list[j].severity == FAULT_ERROR)
				release_missing(r, RELEASE_RESOLUTIONS,
					xstrdup("nanoclaw resolution check; record it anew, or "
						"delete it"),
					"%s: %s", checks.list[i].entry, faults->list[j].text);
	}
	release_summary(r, RELEASE_RESOLUTIONS, "%zu shipped", count);
	return 0;
}

/* --- the update package ----------------------------------------------------------- */

static int open_change(struct release *r)
{
	return core_source_open(&r->old, r->base.root, r->new.path, r->result->to,
		r->result->from, &r->change, r->err);
}

/* A package that lacks its resolutions can be tried, and shows what is missing. */
static int make_update(struct release *r)
{
	CLEANUP(freep) char *package = NULL;

	if (release_build_package(r) < 0)
		return -1;
	package = release_put_package(r, r->err);
	if (!package)
		return -1;
	return release_prove(r, package);
}

/* --- all of it -------------------------------------------------------------------- */

/* A step that cannot be done is missing, with the reason. A signal ends everything. */
static int step(struct release *r, enum release_step_id id, int (*function)(struct release *))
{
	CLEANUP(error_release) struct error failure = ERROR_INIT;
	struct error *err = r->err;
	int failed;

	begin(r, id);
	r->err = &failure;
	failed = function(r);
	r->err = err;
	if (failed && failure.errnum == EINTR)
		return release_interrupted(err);
	if (failed)
		release_missing(r, id, failure.hint ? xstrdup(failure.hint) : NULL, "%s",
			failure.message);
	end(r, id);
	return 0;
}

/* The three kinds of entries are one run. */
static int step_matrix(struct release *r)
{
	if (step(r, RELEASE_ALONE, run_matrix) < 0)
		return -1;
	end(r, RELEASE_PAIRS);
	end(r, RELEASE_STACKS);
	return 0;
}

static bool is_ready(const struct release_result *result)
{
	for (size_t i = 0; i < RELEASE_STEPS; i++)
		if (result->steps[i].state != RELEASE_OK)
			return false;
	return true;
}

static int run(struct release *r)
{
	struct release_result *result = r->result;

	if (release_open_cores(r) < 0)
		return -1;
	if (step(r, RELEASE_VERSION, check_version) < 0)
		return -1;
	/* Without a newer version there is no update to look at. */
	if (result->steps[RELEASE_VERSION].state == RELEASE_OK && open_change(r) < 0)
		return -1;
	if (step(r, RELEASE_PACKAGES, check_packages_of) < 0 || step_matrix(r) < 0 ||
		step(r, RELEASE_MIGRATIONS, release_check_migrations) < 0 ||
		step(r, RELEASE_RESOLUTIONS, check_resolutions) < 0)
		return -1;
	if (result->steps[RELEASE_VERSION].state == RELEASE_OK &&
		step(r, RELEASE_UPDATE, make_update) < 0)
		return -1;
	result->ready = is_ready(result);
	if (!result->ready && !(r->request->keep_going && r->files.count))
		return 0;
	return release_write_package(r);
}

static void release_release(struct release *r)
{
	CLEANUP(error_release) struct error left = ERROR_INIT;

	core_source_release(&r->change);
	project_release(&r->base);
	project_release(&r->old);
	project_release(&r->new);
	if (r->scratch.path && r->request->matrix.keep)
		release_note(r, "the copies are in '%s'", r->scratch.path);
	if (r->scratch.path && !r->request->matrix.keep &&
		scratch_remove(&r->scratch, &left) < 0)
		release_note(r, "%s", left.message);
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
	release_files_release(&r->files);
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
		.err = err,
	};

	for (size_t i = 0; i < RELEASE_STEPS; i++)
		ret_result->steps[i].id = (enum release_step_id)i;
	return run(&r);
}
