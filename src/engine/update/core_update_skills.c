/* The skills of an update: migrations, and skills whose package is newer. */
#include <stdlib.h>
#include <string.h>

#include "engine/commit/finish.h"
#include "engine/disk/tx_file.h"
#include "engine/package/semver.h"
#include "engine/session/recorded.h"
#include "engine/stack/resolve.h"
#include "engine/stack/skill_files.h"
#include "engine/update/core_update.h"
#include "engine/update/internal.h"

/* Packages that can be applied: the ones that come with the update, and others on the disk. */
static int find_available(struct core_update *u, struct batch *available)
{
	CLEANUP(package_list_release) struct package_list there = {0};

	for (size_t i = 0; i < u->staged.count; i++) {
		CLEANUP(relpath_release) struct relpath folder = relpath_of(u->staged.list[i]);
		struct package package = PACKAGE_INIT;

		if (package_load_staged(u->session->tx, &folder, &package, u->err) < 0)
			return -1;
		batch_add(available, &package);
	}
	if (package_list_read(u->session->project->root, &there, u->err) < 0)
		return -1;
	for (size_t i = 0; i < there.count; i++)
		if (!string_array_has(&u->staged, there.list[i].folder))
			batch_add(available, &there.list[i]);
	return 0;
}

static const char *folder_name(const struct package *package)
{
	const char *slash = strrchr(package->folder, '/');

	return slash ? slash + 1 : package->folder;
}

/* Find it by the name of the skill, or else of the folder; NULL if neither matches. */
static struct package *find_package(struct batch *available, const char *name, bool folders)
{
	for (int by_folder = 0; by_folder <= folders; by_folder++)
		for (size_t i = 0; i < available->count; i++) {
			struct package *package = &available->packages[i];

			if (package->manifest.skill &&
				!strcmp(by_folder ? folder_name(package)
						  : package->manifest.skill,
					name))
				return package;
		}
	return NULL;
}

/* --- migrations ------------------------------------------------------------------- */

static int add_migration(
	struct core_update *u, struct batch *available, const struct core_migration *m)
{
	struct package *package = find_package(available, m->skill, true);
	struct update_result *r = u->result;

	if (state_find(&u->session->state, m->skill) || find_package(&u->batch, m->skill, true))
		return 0;
	if (!package) {
		error_set(u->err, ERROR_INVALID,
			"migrations.yaml of the new core names the skill '%s' (since %s), and "
			"there is no such package",
			m->skill, m->since);
		return error_hint(u->err, "it should be in '.claude/skills' or 'skills' of the "
					  "new core or of the project");
	}
	if (state_find(&u->session->state, package->manifest.skill))
		return 0;
	if (m->version && semver_compare_text(package->manifest.version, m->version) < 0)
		return error_set(u->err, ERROR_INVALID,
			"migrations.yaml of the new core names %s %s, and the package '%s' is the "
			"older %s",
			m->skill, m->version, package->folder, package->manifest.version);
	GROW(r->migrations, r->migration_count, r->migration_cap);
	r->migrations[r->migration_count++] = (struct update_migration){
		.skill = xstrdup(package->manifest.skill),
		.version = xstrdup(package->manifest.version),
		.description = xstrdup(m->description),
	};
	batch_add(&u->batch, package);
	return 0;
}

/* The next one by `since`, and of the same version by its place in the file; or NULL. */
static const struct core_migration *next_migration(
	const struct core_update *u, const struct core_migration *last)
{
	const char *from = u->result->previous_version, *to = u->result->new_version;
	const struct core_migration *next = NULL;

	for (size_t i = 0; i < u->source->migrations.count; i++) {
		const struct core_migration *m = &u->source->migrations.list[i];
		int order = last ? semver_compare_text(m->since, last->since) : 1;

		/* An unknown or unraised version does not tell which changes the core has. */
		if (semver_compare_text(m->since, from) <= 0 ||
			(semver_compare_text(m->since, to) > 0 &&
				semver_compare_text(to, from) > 0) ||
			order < 0 || (!order && m <= last))
			continue;
		if (!next || semver_compare_text(m->since, next->since) < 0)
			next = m;
	}
	return next;
}

int core_update_find_skills(struct core_update *u)
{
	CLEANUP(batch_release) struct batch available = BATCH_INIT;
	const struct state *state = &u->session->state;
	const struct core_migration *m = NULL;

	if (find_available(u, &available) < 0)
		return -1;
	/* In the order in which updates step by step would reach them. */
	while ((m = next_migration(u, m)))
		if (add_migration(u, &available, m) < 0)
			return -1;
	/* Skills whose package is newer. */
	for (size_t i = 0; i < state->skill_count; i++) {
		struct package *package =
			find_package(&available, state->skills[i].name, false);
		const char *version = state->skills[i].version;

		if (package && *version &&
			semver_compare_text(package->manifest.version, version) > 0)
			batch_add(&u->batch, package);
	}
	return 0;
}

/* --- applying skills ------------------------------------------------------------------------ */

/* A preview continues as if the person kept their own side of each conflict. */
static int preview_beyond(struct session *s, struct error *err)
{
	const struct operation_result *result = s->result;
	struct update_result *r = result->update;

	if (transaction_check(s->tx, err) < 0)
		return -1;
	if (!r->foreseen)
		core_update_note_tree(s);
	while (r->foreseen < result->conflict_count) {
		const struct conflict *conflict = &result->conflicts[r->foreseen++];
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (!conflict->has_inputs)
			continue;
		if (transaction_read(s->tx, &conflict->path, &file, err) < 0)
			return -1;
		buf_clear(&file.content);
		if (recorded_fetch(s, &conflict->inputs.current, &file.content, err) < 0 ||
			tx_file_stage(s->tx, &conflict->path, &file, err) < 0)
			return -1;
	}
	return 0;
}

int core_update_pause(struct session *s, const struct batch *batch, size_t next,
	const struct string_array *skills, bool *ret_paused, struct error *err)
{
	CLEANUP(string_array_release) struct string_array remaining = {0};
	CLEANUP(string_array_release) struct string_array versions = {0};

	*ret_paused = false;
	if (!s->result->conflict_count)
		return 0;
	if (s->options->dry_run)
		return preview_beyond(s, err);
	if (resolve_conflicts(s, CORE_UPDATE_OPERATION, err) < 0)
		return finish_fail(s, err);
	if (!s->result->conflict_count)
		return 0;
	*ret_paused = true;
	batch_list_rest(s, batch, next, &remaining, &versions);
	core_update_note_result(s);
	if (finish_paused(s,
		    &(struct pending){
			    .operation = CORE_UPDATE_OPERATION,
			    .skills = *skills,
			    .remaining = remaining,
			    .versions = versions,
		    },
		    err) < 0)
		return -1;
	core_update_note_tree(s);
	return 0;
}

int core_update_stage_skills(struct session *s, struct batch *batch,
	struct string_array *skills, bool *ret_paused, struct error *err)
{
	for (size_t i = 0; i < batch->count; i++) {
		if (skill_files_stage(s, &batch->packages[i], err) < 0)
			return finish_fail(s, err);
		batch_mark_reached(s, batch->packages[i].manifest.skill);
		string_array_add(skills, batch->packages[i].manifest.skill);
		if (core_update_pause(s, batch, i + 1, skills, ret_paused, err) < 0)
			return -1;
		if (*ret_paused)
			return 0;
	}
	return 0;
}
