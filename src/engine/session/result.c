#include "engine/session/result.h"

#include <stdlib.h>

const char *const outcome_names[] = {
	[OUTCOME_ADDED] = "added",
	[OUTCOME_MERGED] = "merged",
	[OUTCOME_SAME] = "same",
	[OUTCOME_REMOVED] = "removed",
	[OUTCOME_KEPT] = "kept",
	[OUTCOME_RESTORED] = "restored",
	[OUTCOME_RENAMED] = "renamed",
	[OUTCOME_DELETED] = "deleted",
	[OUTCOME_RESOLVED] = "resolved",
	[OUTCOME_CONFLICT] = "conflict",
	[OUTCOME_DECISION] = "decision",
};

const char *const drift_change_names[] = {
	[DRIFT_EDITED] = "edited",
	[DRIFT_MODE] = "mode",
	[DRIFT_DELETED] = "deleted",
	[DRIFT_TYPE] = "type",
	[DRIFT_APPEARED] = "appeared",
};

const char *const refresh_state_names[] = {
	[REFRESH_FITS] = "fits",
	[REFRESH_UNMARKED] = "unmarked",
	[REFRESH_MERGES] = "merges",
	[REFRESH_RESOLVED] = "settled",
	[REFRESH_GIVEN] = "given",
	[REFRESH_TAKEN] = "taken",
	[REFRESH_CONFLICT] = "conflict",
	[REFRESH_GONE] = "gone",
	[REFRESH_WAITS] = "waits",
	[REFRESH_LOST] = "lost",
	[REFRESH_IMPOSSIBLE] = "impossible",
};

const char *const command_kind_names[] = {
	[COMMAND_INSTALL] = "install",
	[COMMAND_POST_APPLY] = "post_apply",
	[COMMAND_TEST] = "test",
	[COMMAND_PACKAGES] = "packages",
	[COMMAND_STARTS] = "starts",
};

static void update_result_release(struct update_result *r)
{
	free(r->previous_version);
	free(r->new_version);
	for (size_t i = 0; i < r->migration_count; i++) {
		free(r->migrations[i].skill);
		free(r->migrations[i].version);
		free(r->migrations[i].description);
	}
	free(r->migrations);
	string_array_release(&r->new_skills);
	string_array_release(&r->new_packages);
	string_array_release(&r->kept_packages);
	string_array_release(&r->patches);
	string_array_release(&r->patch_failures);
	string_array_release(&r->kept_deleted);
	for (size_t i = 0; i < r->change_count; i++)
		free(r->changes[i].path);
	free(r->changes);
}

static void refresh_result_release(struct refresh_result *result)
{
	for (size_t i = 0; i < result->count; i++) {
		struct refresh_package *p = &result->packages[i];

		for (size_t j = 0; j < p->count; j++) {
			free(p->files[j].path);
			free(p->files[j].to);
			free(p->files[j].detail);
		}
		free(p->files);
		free(p->folder);
		free(p->skill);
		free(p->version);
		free(p->new_version);
		free(p->written_for);
		free(p->applied);
	}
	free(result->packages);
	free(result->core);
}

struct conflict conflict_copy(const struct conflict *conflict)
{
	struct conflict copy = *conflict;

	copy.path = relpath_copy(&conflict->path);
	copy.beside = conflict->beside.text ? relpath_copy(&conflict->beside) : RELPATH_INIT;
	copy.skill = xstrdup(conflict->skill);
	copy.version = conflict->version ? xstrdup(conflict->version) : NULL;
	return copy;
}

void conflict_release(struct conflict *conflict)
{
	relpath_release(&conflict->path);
	relpath_release(&conflict->beside);
	free(conflict->skill);
	free(conflict->version);
}

void drift_list_release(struct drift_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->list[i].path);
	free(list->list);
}

void operation_result_release(struct operation_result *result)
{
	for (size_t i = 0; i < result->skill_count; i++) {
		free(result->skills[i].name);
		free(result->skills[i].version);
		free(result->skills[i].old_version);
	}
	for (size_t i = 0; i < result->file_count; i++) {
		free(result->files[i].path);
		free(result->files[i].from);
		free(result->files[i].skill);
	}
	for (size_t i = 0; i < result->conflict_count; i++)
		conflict_release(&result->conflicts[i]);
	for (size_t i = 0; i < result->warning_count; i++)
		free(result->warnings[i]);
	for (size_t i = 0; i < result->untracked_count; i++)
		free(result->untracked[i]);
	for (size_t i = 0; i < result->install.count; i++) {
		free(result->install.packages[i].name);
		free(result->install.packages[i].version);
	}
	for (size_t i = 0; i < result->command_count; i++) {
		free(result->commands[i].skill);
		free(result->commands[i].text);
		free(result->commands[i].diff);
	}
	free(result->commands);
	if (result->update)
		update_result_release(result->update);
	free(result->update);
	if (result->refresh)
		refresh_result_release(result->refresh);
	free(result->refresh);
	free(result->install.packages);
	free(result->untracked);
	free(result->recorded_patch);
	free(result->skills);
	free(result->files);
	free(result->conflicts);
	free(result->warnings);
}
