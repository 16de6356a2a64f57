/*
 * The tree, which a rebuild leaves alone: deleted files, and conflict markers that were left in it.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/doctor/internal.h"
#include "engine/session/drift.h"
#include "engine/session/recorded.h"
#include "fs/beneath.h"

/* The recorded files, and the differences from them. It must not move in memory. */
struct record_view {
	struct operation_options options;
	struct operation_result unused;
	struct session session;
	struct recorded recorded;
	struct drift_list drift; /* only in a dry run */
};

#define RECORD_VIEW_INIT(dry)                                                                  \
	((struct record_view){.options = {.dry_run = (dry)}, .session = {.base = -1}})

static int record_view_open(
	struct record_view *v, const struct project *project, struct error *err)
{
	struct session *s = &v->session;

	if (session_open(s, project, "doctor --fix", NULL, &v->options, &v->unused, err) < 0)
		return -1;
	if (!s->found_state)
		return 0;
	if (session_open_base(s, err) < 0 || recorded_collect(&s->state, &v->recorded, err) < 0)
		return -1;
	return v->options.dry_run ? drift_find(project, &s->state, &v->drift, err) : 0;
}

static void record_view_release(struct record_view *v)
{
	drift_list_release(&v->drift);
	recorded_release(&v->recorded);
	session_release(&v->session);
	operation_result_release(&v->unused);
}

/* --- deleted files ------------------------------------------------------------------------ */

int rebuild_find_deleted(
	const struct project *project, struct string_array *ret_paths, struct error *err)
{
	CLEANUP(record_view_release) struct record_view v = RECORD_VIEW_INIT(true);

	if (record_view_open(&v, project, err) < 0)
		return -1;
	for (size_t i = 0; i < v.drift.count; i++) {
		CLEANUP(error_release) struct error unknown = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

		if (v.drift.list[i].change != DRIFT_DELETED)
			continue;
		if (relpath_parse(view_of(v.drift.list[i].path), &path, err) < 0)
			return -1;
		if (recorded_read(&v.session, &v.recorded, &path, &file, &unknown) == 0 &&
			file.kind != TX_ABSENT)
			string_array_add(ret_paths, v.drift.list[i].path);
		if (unknown.errnum && !beneath_is_absent(&unknown))
			return error_move(err, &unknown);
	}
	return 0;
}

int rebuild_restore(
	const struct project *project, const struct string_array *paths, struct error *err)
{
	CLEANUP(record_view_release) struct record_view v = RECORD_VIEW_INIT(false);
	struct transaction *tx;

	if (record_view_open(&v, project, err) < 0)
		return -1;
	tx = v.session.tx;
	for (size_t i = 0; i < paths->count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

		if (relpath_parse(view_of(paths->list[i]), &path, err) < 0 ||
			recorded_read(&v.session, &v.recorded, &path, &file, err) < 0 ||
			transaction_read(tx, &path, &there, err) < 0)
			return -1;
		if (there.kind == TX_ABSENT && tx_file_stage(tx, &path, &file, err) < 0)
			return -1;
	}
	if (transaction_apply(tx, err) < 0)
		return -1;
	return transaction_commit(tx, TRANSACTION_DONE, view_of(""), err);
}

/* --- conflict markers --------------------------------------------------------------------- */

/* The line number of the first conflict that has all three markers; 0 if there is none. */
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
	CLEANUP(record_view_release) struct record_view v = RECORD_VIEW_INIT(true);

	if (record_view_open(&v, project, err) < 0)
		return -1;
	for (size_t i = 0; i < v.drift.count; i++) {
		CLEANUP(error_release) struct error unknown = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file was = TX_FILE_INIT;
		size_t line;

		if (v.drift.list[i].change != DRIFT_EDITED)
			continue;
		if (relpath_parse(view_of(v.drift.list[i].path), &path, err) < 0)
			return -1;
		if (transaction_read(v.session.tx, &path, &tree, &unknown) < 0 ||
			tree.kind != TX_FILE)
			continue;
		line = first_marker(view_of_buf(&tree.content));
		/* A file that was recorded with markers may have them. */
		if (!line ||
			(recorded_read(&v.session, &v.recorded, &path, &was, &unknown) == 0 &&
				first_marker(view_of_buf(&was.content))))
			continue;
		GROW(ret_markers->list, ret_markers->count, ret_markers->cap);
		ret_markers->list[ret_markers->count++] =
			(struct rebuild_marker){xstrdup(v.drift.list[i].path), line};
	}
	return 0;
}

void rebuild_markers_release(struct rebuild_markers *markers)
{
	for (size_t i = 0; i < markers->count; i++)
		free(markers->list[i].path);
	free(markers->list);
}
