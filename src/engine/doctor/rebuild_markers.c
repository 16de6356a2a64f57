/*
 * Conflict markers that somebody left in the tree.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/doctor/internal.h"
#include "engine/session/recorded.h"

/* --- a text with markers ------------------------------------------------------------------ */

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

/* The part of a conflict that is taken: the side that was there before. */
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

/* --- in the tree -------------------------------------------------------------------------- */

static int look_at(struct session *s, const struct recorded *recorded, const char *text,
	struct rebuild_markers *markers, struct error *err)
{
	CLEANUP(error_release) struct error unknown = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file was = TX_FILE_INIT;
	size_t line;

	if (relpath_parse(view_of(text), &path, err) < 0)
		return -1;
	if (transaction_read(s->tx, &path, &tree, &unknown) < 0 || tree.kind != TX_FILE)
		return 0;
	line = first_marker(view_of_buf(&tree.content));
	/* What was recorded with them means them. */
	if (!line || (recorded_read(s, recorded, &path, &was, &unknown) == 0 &&
			     first_marker(view_of_buf(&was.content))))
		return 0;
	GROW(markers->list, markers->count, markers->cap);
	markers->list[markers->count++] = (struct rebuild_marker){xstrdup(text), line};
	return 0;
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

	if (rebuild_open_session(&s, project, &options, &unused, err) < 0)
		return -1;
	if (!s.found_state)
		return 0;
	if (drift_find(project, &s.state, &drift, err) < 0 ||
		recorded_collect(&s.state, &recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < drift.count; i++)
		if (drift.list[i].change == DRIFT_EDITED &&
			look_at(&s, &recorded, drift.list[i].path, ret_markers, err) < 0)
			return -1;
	return 0;
}

void rebuild_markers_release(struct rebuild_markers *markers)
{
	for (size_t i = 0; i < markers->count; i++)
		free(markers->list[i].path);
	free(markers->list);
}
