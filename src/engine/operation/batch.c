#include "engine/operation/batch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "engine/package/pack.h"
#include "engine/package/semver.h"
#include "engine/session/confine.h"
#include "engine/stack/file_ops.h"
#include "engine/stack/skill_files.h"
#include "engine/structured/structured.h"

/* For the state, the journal and folders. */
#define SPARE_BYTES ((size_t)256 * 1024)

bool batch_has(const struct batch *batch, const char *skill)
{
	for (size_t i = 0; i < batch->count; i++)
		if (!strcmp(batch->packages[i].manifest.skill, skill))
			return true;
	return false;
}

int batch_load(const struct project *project, const char *const *typed, size_t count,
	struct batch *ret_batch, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		CLEANUP(package_release) struct package package = PACKAGE_INIT;
		CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

		if (package_find(project->root, typed[i], &package, err) < 0)
			return -1;
		package_check_files(&package, &faults);
		if (faults_as_error(&faults, err) < 0)
			return error_prefix(err, "%s", package.folder);
		if (!batch_has(ret_batch, package.manifest.skill))
			batch_add(ret_batch, &package);
	}
	return 0;
}

void batch_add(struct batch *batch, struct package *package)
{
	GROW(batch->packages, batch->count, batch->cap);
	batch->packages[batch->count++] = *package;
	*package = PACKAGE_INIT;
}

/* --- skills that are applied already ------------------------------------------------------- */

static void add_skill_result(struct session *s, const struct manifest *manifest,
	const char *old_version, bool nothing_to_do)
{
	struct operation_result *result = s->result;

	GROW(result->skills, result->skill_count, result->skill_cap);
	result->skills[result->skill_count++] = (struct skill_result){
		.name = xstrdup(manifest->skill),
		.version = xstrdup(manifest->version),
		.old_version = old_version ? xstrdup(old_version) : NULL,
		.nothing_to_do = nothing_to_do,
	};
}

static void drop_applied(struct session *s, struct batch *batch)
{
	size_t kept = 0;

	for (size_t i = 0; i < batch->count; i++) {
		const struct manifest *m = &batch->packages[i].manifest;
		const struct applied_skill *applied = state_find(&s->state, m->skill);

		if (applied && !strcmp(applied->version, m->version)) {
			add_skill_result(s, m, NULL, true);
			package_release(&batch->packages[i]);
		} else {
			batch->packages[kept++] = batch->packages[i];
		}
	}
	batch->count = kept;
}

/* --- the order --------------------------------------------------------------------- */

/* Is everything that it depends on among the first `placed`, or not in the batch? */
static bool is_ready(const struct batch *batch, size_t placed, const struct package *package)
{
	for (size_t i = placed; i < batch->count; i++)
		if (&batch->packages[i] != package &&
			manifest_depends_on(
				&package->manifest, batch->packages[i].manifest.skill))
			return false;
	return true;
}

/* Of the packages that cannot be placed, one that is in the cycle and not only before it. */
static const struct package *in_cycle(const struct batch *batch, size_t placed)
{
	const struct package *package = &batch->packages[placed];

	for (size_t step = placed; step < batch->count; step++)
		for (size_t i = placed; i < batch->count; i++)
			if (&batch->packages[i] != package &&
				manifest_depends_on(&package->manifest,
					batch->packages[i].manifest.skill)) {
				package = &batch->packages[i];
				break;
			}
	return package;
}

/* The order as typed, except that a skill comes after its dependencies. */
static int sort_by_dependencies(struct batch *batch, struct error *err)
{
	for (size_t placed = 0; placed < batch->count; placed++) {
		struct package next;
		size_t i = placed;

		while (i < batch->count && !is_ready(batch, placed, &batch->packages[i]))
			i++;
		if (i == batch->count)
			return error_set(err, ERROR_INVALID,
				"skill '%s' depends on itself, through others",
				in_cycle(batch, placed)->manifest.skill);
		next = batch->packages[i];
		memmove(&batch->packages[placed + 1], &batch->packages[placed],
			(i - placed) * sizeof(next));
		batch->packages[placed] = next;
	}
	return 0;
}

/* --- checks ------------------------------------------------------------------ */

static int refuse_conflict(
	const char *one, const char *other, const char *why, struct error *err)
{
	error_set(err, ERROR_INVALID, "skills '%s' and '%s' conflict, according to %s", one,
		other, why);
	return error_hint(err, "apply only one of them, or both with '--allow-conflicts'");
}

/* In both directions, with all applied skills and the other skills of the batch. */
static int check_conflicts(const struct session *s, const struct batch *batch,
	const struct manifest *m, struct error *err)
{
	for (size_t i = 0; i < s->state.skill_count; i++) {
		const char *other = s->state.skills[i].name;
		CLEANUP(manifest_release) struct manifest applied = MANIFEST_INIT;

		if (!strcmp(other, m->skill))
			continue;
		if (manifest_conflicts_with(m, other))
			return refuse_conflict(m->skill, other, m->skill, err);
		if (pack_load_manifest(s->project, other, &applied, err) < 0)
			return -1;
		if (manifest_conflicts_with(&applied, m->skill))
			return refuse_conflict(m->skill, other, other, err);
	}
	for (size_t i = 0; i < batch->count; i++) {
		const char *other = batch->packages[i].manifest.skill;

		if (strcmp(other, m->skill) != 0 && manifest_conflicts_with(m, other))
			return refuse_conflict(m->skill, other, m->skill, err);
	}
	return 0;
}

static int check_versions(struct session *s, const struct manifest *m, struct error *err)
{
	if (manifest_require_system(m, err) < 0)
		return -1;
	if (semver_compare_text(m->core_version, s->state.core_version) <= 0)
		return 0;
	if (s->options->allow_older_core) {
		session_warn(s,
			"skill '%s' was written for core %s, and this core is older: %s",
			m->skill, m->core_version, s->state.core_version);
		return 0;
	}
	error_set(err, ERROR_INVALID, "skill '%s' needs core %s or newer, and this is %s",
		m->skill, m->core_version, s->state.core_version);
	return error_hint(err, "%s, or apply it anyway with '--allow-older-core'",
		s->found_state
			? "update the core first"
			: "set the version of the core with 'nanoclaw init --core-version'");
}

/* Each file is written once to the tree and once to be kept. */
static int check_space(const struct session *s, const struct batch *batch, struct error *err)
{
	struct statvfs fs;
	size_t wanted = SPARE_BYTES;

	for (size_t i = 0; i < batch->count; i++)
		wanted += 2 * skill_files_size(&batch->packages[i]);
	if (fstatvfs(s->project->root, &fs) < 0)
		return error_errno(err, "cannot determine the free disk space");
	if (!batch->count || fs.f_bavail > wanted / fs.f_frsize)
		return 0;
	error_set(err, ERROR_FAILED, "not enough disk space: about %zu KiB are needed",
		wanted / 1024);
	return error_hint(
		err, "nothing was changed; free some space and run the command again");
}

int batch_check(struct session *s, struct batch *batch, struct error *err)
{
	drop_applied(s, batch);
	if (sort_by_dependencies(batch, err) < 0)
		return -1;
	for (size_t i = 0; i < batch->count; i++) {
		const struct manifest *m = &batch->packages[i].manifest;
		const struct applied_skill *applied = state_find(&s->state, m->skill);
		CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

		if (confine_check_manifest(s->project, m, &faults, err) < 0)
			return -1;
		if (faults_as_error(&faults, err) < 0)
			return error_prefix(err, "%s", batch->packages[i].folder);
		if (check_versions(s, m, err) < 0)
			return -1;
		for (size_t j = 0; j < m->depends.count; j++) {
			const char *skill = m->depends.list[j].skill;

			if (state_find(&s->state, skill) || batch_has(batch, skill))
				continue;
			error_set(err, ERROR_INVALID,
				"skill '%s' depends on '%s', which is not applied", m->skill,
				skill);
			return error_hint(err, "nanoclaw skill apply %s %s", skill, m->skill);
		}
		structured_warn_modified(s, m);
		if (!s->options->allow_conflicts && check_conflicts(s, batch, m, err) < 0)
			return -1;
		add_skill_result(s, m, applied ? applied->version : NULL, false);
	}
	return check_space(s, batch, err);
}

int batch_check_files(struct session *s, const struct batch *batch, struct error *err)
{
	for (size_t i = 0; i < batch->count; i++)
		if (skill_files_check(s, &batch->packages[i].manifest, err) < 0)
			return -1;
	return file_ops_check(s, batch->packages, batch->count, err);
}

void batch_list_rest(const struct session *s, const struct batch *batch, size_t next,
	struct string_array *ret_folders, struct string_array *ret_versions)
{
	for (size_t i = next; i < batch->count; i++) {
		const struct package *package = &batch->packages[i];
		CLEANUP(freep)
		char *folder =
			package->tx ? xasprintf("%s/%s", s->project->path, package->staged.text)
				    : package_path(package);

		string_array_add(ret_folders, folder);
		string_array_add(ret_versions, package->manifest.version);
	}
}

void batch_mark_reached(struct session *s, const char *skill)
{
	for (size_t i = 0; i < s->result->skill_count; i++)
		if (!strcmp(s->result->skills[i].name, skill))
			s->result->skills[i].reached = true;
}

void batch_release(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		package_release(&batch->packages[i]);
	free(batch->packages);
}
