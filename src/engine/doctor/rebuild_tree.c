/*
 * The tree, which a rebuild leaves alone: files that are gone from it.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/doctor/internal.h"
#include "engine/session/recorded.h"

int rebuild_open_session(struct session *s, const struct project *project,
	const struct operation_options *options, struct operation_result *unused,
	struct error *err)
{
	if (session_open(s, project, "doctor --fix", NULL, options, unused, err) < 0)
		return -1;
	return s->found_state ? session_open_base(s, err) : 0;
}

/* --- files that are gone ------------------------------------------------------------------ */

int rebuild_find_deleted(
	const struct project *project, struct string_array *ret_paths, struct error *err)
{
	const struct operation_options options = {.dry_run = true};
	CLEANUP(operation_result_release)
	struct operation_result unused = OPERATION_RESULT_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(drift_list_release) struct drift_list drift = DRIFT_LIST_INIT;

	if (rebuild_open_session(&s, project, &options, &unused, err) < 0)
		return -1;
	if (!s.found_state)
		return 0;
	if (drift_find(project, &s.state, &drift, err) < 0 ||
		recorded_collect(&s.state, &recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < drift.count; i++) {
		CLEANUP(error_release) struct error unknown = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (drift.list[i].change == DRIFT_DELETED &&
			relpath_parse(view_of(drift.list[i].path), &path, &unknown) == 0 &&
			recorded_read(&s, &recorded, &path, &file, &unknown) == 0 &&
			file.kind != TX_ABSENT)
			string_array_add(ret_paths, drift.list[i].path);
	}
	return 0;
}

static int restore(struct session *s, const struct recorded *recorded, const char *text,
	size_t *restored, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	struct view content;

	if (relpath_parse(view_of(text), &path, err) < 0 ||
		recorded_read(s, recorded, &path, &file, err) < 0 ||
		transaction_read(s->tx, &path, &there, err) < 0)
		return -1;
	if (there.kind != TX_ABSENT)
		return 0;
	++*restored;
	content = view_of_buf(&file.content);
	if (file.kind == TX_SYMLINK)
		return transaction_put_link(s->tx, &path, content, err);
	return transaction_put(s->tx, &path, content, file.mode, err);
}

int rebuild_restore(const struct project *project, const struct string_array *paths,
	size_t *ret_restored, struct error *err)
{
	const struct operation_options options = {0};
	CLEANUP(operation_result_release)
	struct operation_result unused = OPERATION_RESULT_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;

	*ret_restored = 0;
	if (rebuild_open_session(&s, project, &options, &unused, err) < 0 ||
		recorded_collect(&s.state, &recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < paths->count; i++)
		if (restore(&s, &recorded, paths->list[i], ret_restored, err) < 0)
			return -1;
	if (transaction_apply(s.tx, err) < 0)
		return -1;
	return transaction_commit(s.tx, TRANSACTION_DONE, view_of(""), err);
}
