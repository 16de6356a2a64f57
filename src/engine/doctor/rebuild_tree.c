/*
 * The tree, which a rebuild leaves alone: deleted files, and conflict markers that were left in it.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/doctor/internal.h"
#include "engine/session/recorded.h"
#include "fs/beneath.h"

/* The session, and what is recorded; `drift` may be NULL. */
static int open_record(struct session *s, const struct project *project,
	const struct operation_options *options, struct operation_result *unused,
	struct recorded *recorded, struct drift_list *drift, struct error *err)
{
	if (session_open(s, project, "doctor --fix", NULL, options, unused, err) < 0)
		return -1;
	if (!s->found_state)
		return 0;
	if (session_open_base(s, err) < 0 || recorded_collect(&s->state, recorded, err) < 0)
		return -1;
	return drift ? drift_find(project, &s->state, drift, err) : 0;
}

/* --- deleted files ------------------------------------------------------------------------ */

int rebuild_find_deleted(
	const struct project *project, struct string_array *ret_paths, struct error *err)
{
	const struct operation_options options = {.dry_run = true};
	CLEANUP(operation_result_release)
	struct operation_result unused = OPERATION_RESULT_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(drift_list_release) struct drift_list drift = DRIFT_LIST_INIT;

	if (open_record(&s, project, &options, &unused, &recorded, &drift, err) < 0)
		return -1;
	for (size_t i = 0; i < drift.count; i++) {
		CLEANUP(error_release) struct error unknown = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (drift.list[i].change != DRIFT_DELETED)
			continue;
		if (relpath_parse(view_of(drift.list[i].path), &path, err) < 0)
			return -1;
		if (recorded_read(&s, &recorded, &path, &file, &unknown) == 0 &&
			file.kind != TX_ABSENT)
			string_array_add(ret_paths, drift.list[i].path);
		if (unknown.errnum && !beneath_is_absent(&unknown))
			return error_move(err, &unknown);
	}
	return 0;
}

int rebuild_restore(
	const struct project *project, const struct string_array *paths, struct error *err)
{
	const struct operation_options options = {0};
	CLEANUP(operation_result_release)
	struct operation_result unused = OPERATION_RESULT_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;

	if (open_record(&s, project, &options, &unused, &recorded, NULL, err) < 0)
		return -1;
	for (size_t i = 0; i < paths->count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

		if (relpath_parse(view_of(paths->list[i]), &path, err) < 0 ||
			recorded_read(&s, &recorded, &path, &file, err) < 0 ||
			transaction_read(s.tx, &path, &there, err) < 0)
			return -1;
		if (there.kind == TX_ABSENT && tx_file_stage(s.tx, &path, &file, err) < 0)
			return -1;
	}
	if (transaction_apply(s.tx, err) < 0)
		return -1;
	return transaction_commit(s.tx, TRANSACTION_DONE, view_of(""), err);
}

/* --- conflict markers --------------------------------------------------------------------- */

/* The first line of a conflict that has all three markers; 0 if there is none. */
static size_t first_marker(struct view text)
{
	struct view rest = text, line;
	size_t number = 0, begin = 0;
	bool divided = false;

	while (view_next(&rest, '\n', &line)) {
		number++;
		if (view_starts_with(line, "<<<<<<< ")) {
			begin = number;
			divided = false;
		} else if (begin && view_starts_with(line, "=======")) {
			divided = true;
		} else if (begin && divided && view_starts_with(line, ">>>>>>> ")) {
			return begin;
		}
	}
	return 0;
}

/* Of a conflict, the side that was there before is taken. */
enum part { OUTSIDE, OURS, OTHERS };

void rebuild_unmark(struct view text, struct buf *out)
{
	struct view rest = text, line;
	enum part part = OUTSIDE;

	if (!first_marker(text)) {
		buf_append(out, text.data, text.len);
		return;
	}
	while (rest.len && view_next(&rest, '\n', &line)) {
		const char *end = line.data + line.len;
		bool whole = end < text.data + text.len;

		if (part == OUTSIDE && view_starts_with(line, "<<<<<<< ") &&
			first_marker(view_slice(
				text, (size_t)(line.data - text.data), text.len)) == 1)
			part = OURS;
		else if (part == OURS && (view_starts_with(line, "||||||| ") ||
						 view_starts_with(line, "=======")))
			part = OTHERS;
		else if (part == OTHERS && view_starts_with(line, ">>>>>>> "))
			part = OUTSIDE;
		else if (part != OTHERS)
			buf_append(out, line.data, line.len + whole);
	}
}

int rebuild_find_markers(
	const struct project *project, struct rebuild_markers *ret_markers, struct error *err)
{
	const struct operation_options options = {.dry_run = true};
	CLEANUP(operation_result_release)
	struct operation_result unused = OPERATION_RESULT_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(drift_list_release) struct drift_list drift = DRIFT_LIST_INIT;

	if (open_record(&s, project, &options, &unused, &recorded, &drift, err) < 0)
		return -1;
	for (size_t i = 0; i < drift.count; i++) {
		CLEANUP(error_release) struct error unknown = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file was = TX_FILE_INIT;
		size_t line;

		if (drift.list[i].change != DRIFT_EDITED)
			continue;
		if (relpath_parse(view_of(drift.list[i].path), &path, err) < 0)
			return -1;
		if (transaction_read(s.tx, &path, &tree, &unknown) < 0 || tree.kind != TX_FILE)
			continue;
		line = first_marker(view_of_buf(&tree.content));
		/* A file that was recorded with markers is meant to have them. */
		if (!line || (recorded_read(&s, &recorded, &path, &was, &unknown) == 0 &&
				     first_marker(view_of_buf(&was.content))))
			continue;
		GROW(ret_markers->list, ret_markers->count, ret_markers->cap);
		ret_markers->list[ret_markers->count++] =
			(struct rebuild_marker){xstrdup(drift.list[i].path), line};
	}
	return 0;
}

void rebuild_markers_release(struct rebuild_markers *markers)
{
	for (size_t i = 0; i < markers->count; i++)
		free(markers->list[i].path);
	free(markers->list);
}
