/*
 * From resolved.yaml to recorded resolutions.
 */
#include <string.h>

#include "engine/commit/finish.h"
#include "engine/conflict/last_resolved.h"
#include "engine/conflict/resolution_record.h"
#include "engine/session/recorded.h"

/* The conflicts that belong into one folder, with their contents. */
struct group {
	const struct last_resolved *first;
	struct resolution_entry *entries;
	struct buf *contents; /* two for each entry */
	size_t count;
	bool tested; /* all of them */
	bool test_passed;
};

static void group_release(struct group *group)
{
	for (size_t i = 0; group->contents && i < 2 * group->count; i++)
		buf_release(&group->contents[i]);
	free(group->contents);
	free(group->entries);
}

/* Everything with the same skills as `first`, which is the first of them. */
static int gather_group(struct session *s, const struct last_resolved_list *list,
	const struct last_resolved *first, struct group *group, struct error *err)
{
	size_t left = list->count - (size_t)(first - list->list);

	group->first = first;
	group->tested = group->test_passed = true;
	group->entries = xcalloc(left, sizeof(*group->entries));
	group->contents = xcalloc(2 * left, sizeof(*group->contents));
	for (size_t i = 0; i < left; i++) {
		const struct last_resolved *resolved = &first[i];
		struct buf *content = &group->contents[2 * group->count];
		struct buf *preimage = content + 1;

		if (!resolution_skills_equal(&resolved->skills, &first->skills))
			continue;
		*content = *preimage = BUF_INIT;
		group->count++;
		group->tested = group->tested && resolved->tested;
		group->test_passed = group->test_passed && resolved->test_passed;
		if (recorded_fetch(s, &resolved->output, content, err) < 0 ||
			(resolved->has_preimage &&
				recorded_fetch(s, &resolved->preimage, preimage, err) < 0))
			return error_prefix(
				err, "the resolution of '%s' is gone", resolved->path.text);
		group->entries[group->count - 1] = (struct resolution_entry){
			.path = &resolved->path,
			.inputs = resolved->inputs,
			.content = view_of_buf(content),
			.preimage = view_of_buf(preimage),
		};
	}
	return 0;
}

static bool is_first_of_group(
	const struct last_resolved_list *list, const struct last_resolved *resolved)
{
	for (const struct last_resolved *s = list->list; s < resolved; s++)
		if (resolution_skills_equal(&s->skills, &resolved->skills))
			return false;
	return true;
}

static int record_group(struct session *s, const struct relpath *folder, const char *source,
	const struct group *group, struct last_resolved_record_result *result,
	struct error *err)
{
	struct resolution_about about = {
		.skills = &group->first->skills,
		.core_version = group->first->core_version,
		.source = source ? source : group->first->source,
		.tested = group->tested,
		.test_passed = group->test_passed,
	};
	bool changed;

	if (resolution_record(s, folder, &about, group->entries, group->count, &changed, err) <
		0)
		return -1;
	if (changed) {
		GROW(result->keys, result->key_count, result->key_cap);
		result->keys[result->key_count++] = resolution_key(&group->first->skills);
	}
	return 0;
}

static int record_groups(struct session *s, const struct last_resolved_list *list,
	const struct relpath *folder, const char *source,
	struct last_resolved_record_result *result, struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		CLEANUP(group_release) struct group group = {0};
		const struct last_resolved *resolved = &list->list[i];

		/* A resolution is looked up by its skills, so it needs one at least. */
		if (!resolved->skills.count || !is_first_of_group(list, resolved))
			continue;
		if (gather_group(s, list, resolved, &group, err) < 0 ||
			record_group(s, folder, source, &group, result, err) < 0)
			return -1;
	}
	return 0;
}

int last_resolved_record(const struct project *project, const struct relpath *folder,
	const char *source, struct last_resolved_record_result *ret_result, struct error *err)
{
	CLEANUP(operation_result_release) struct operation_result told = OPERATION_RESULT_INIT;
	CLEANUP(last_resolved_list_release)
	struct last_resolved_list list = LAST_RESOLVED_LIST_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
	struct operation_options options = {0};

	if (last_resolved_load(project, &list, err) < 0)
		return -1;
	ret_result->resolved = list.count;
	if (!list.count) {
		error_set(err, ERROR_INVALID, "there is no resolved conflict to record");
		return error_hint(err,
			"when an operation pauses on a conflict, resolve it, run 'nanoclaw continue', and then this command");
	}
	if (session_open(&s, project, "resolution record", NULL, &options, &told, err) < 0)
		return -1;
	if (record_groups(&s, &list, folder, source, ret_result, err) < 0)
		return finish_fail(&s, err);
	if (!ret_result->key_count)
		return 0;
	if (transaction_apply(s.tx, err) < 0 ||
		transaction_commit(s.tx, TRANSACTION_DONE, view_of(""), err) < 0)
		return finish_fail(&s, err);
	return 0;
}

void last_resolved_record_result_release(struct last_resolved_record_result *result)
{
	for (size_t i = 0; i < result->key_count; i++)
		free(result->keys[i]);
	free(result->keys);
}
