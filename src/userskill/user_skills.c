#include "userskill/user_skills.h"

#include <string.h>

#include "db/query.h"
#include "format/json.h"

#define COLUMNS                                                                                \
	"id, origin, version, name, category, source, status, stated, content_hash, path,"     \
	" gone, version_id, created_at, changed_at"

static const struct row_column skill_row_columns[] = {
	ROW_COLUMN(struct skill_row, id),
	ROW_COLUMN(struct skill_row, origin),
	ROW_COLUMN(struct skill_row, version),
	ROW_COLUMN(struct skill_row, name),
	ROW_COLUMN(struct skill_row, category),
	ROW_COLUMN(struct skill_row, source),
	ROW_COLUMN(struct skill_row, status),
	ROW_COLUMN(struct skill_row, stated),
	ROW_COLUMN(struct skill_row, hash),
	ROW_COLUMN(struct skill_row, path),
	ROW_COLUMN(struct skill_row, gone),
	ROW_COLUMN(struct skill_row, version_id),
	ROW_COLUMN(struct skill_row, created_at),
	ROW_COLUMN(struct skill_row, changed_at),
	ROW_COLUMN(struct skill_row, content),
	{0},
};

static const struct row_type skill_row_type = {sizeof(struct skill_row), skill_row_columns};

void skill_row_release(struct skill_row *row)
{
	row_release(&skill_row_type, row);
}

void skill_rows_release(struct skill_rows *rows)
{
	rows_release(&skill_row_type, rows);
}

int store_skill_get(struct store *store, const char *id, const char *origin,
	struct skill_row *ret_row, struct error *err)
{
	return query_row(store, &skill_row_type, ret_row, err,
		"SELECT " COLUMNS ", content FROM skill_definitions"
		" WHERE id = ? AND origin = ?",
		"ss", id, origin);
}

int store_skill_list(
	struct store *store, const char *origin, struct skill_rows *ret_rows, struct error *err)
{
	return query_rows(store, &skill_row_type, ret_rows, err,
		"SELECT " COLUMNS
		", NULL FROM skill_definitions WHERE ?1 IS NULL OR origin = ?1"
		" ORDER BY id, origin",
		"s", origin);
}

/* --- history ----------------------------------------------------------------- */

int store_skill_version_end(struct store *store, const char *skill, const char *origin,
	const char *group, int64_t now, struct error *err)
{
	return query_run(store, err,
		"UPDATE skill_versions SET until = ? WHERE skill = ? AND origin = ?"
		" AND group_folder IS ? AND until IS NULL",
		"tsss", now, skill, origin, group);
}

int store_skill_version_begin(struct store *store, const char *skill, const char *origin,
	const char *group, const char *version, const char *content, const char *hash,
	int64_t now, int64_t *ret_id, struct error *err)
{
	if (store_skill_version_end(store, skill, origin, group, now, err) < 0 ||
		query_run(store, err,
			"INSERT INTO skill_versions (skill, origin, group_folder, version,"
			" content, content_hash, since) VALUES (?, ?, ?, ?, ?, ?, ?)",
			"sssssst", skill, origin, group, version, content, hash, now) < 0)
		return -1;
	return query_number(store, 0, ret_id, err, "SELECT last_insert_rowid()", "");
}

static int add_event(struct store *store, const char *id, const char *origin, const char *from,
	const char *to, const char *who, int64_t now, struct error *err)
{
	return query_run(store, err,
		"INSERT INTO skill_events (skill, origin, from_status, to_status, who, at)"
		" VALUES (?, ?, ?, ?, ?, ?)",
		"ssssst", id, origin, from, to, who, now);
}

int store_skill_events(
	struct store *store, const char *id, json_t *ret_events, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT from_status, to_status, who, at, origin FROM skill_events"
		    " WHERE skill = ? ORDER BY id",
		    "s", id) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		const char *from = query_text(&q, 0);

		json_add(ret_events, "from:s to:s who:s at:s origin:s", *from ? from : NULL,
			query_text(&q, 1), query_text(&q, 2), query_text(&q, 3),
			query_text(&q, 4));
	}
	return more;
}

/* --- changes ----------------------------------------------------------------- */

int store_skill_put(struct store *store, const struct skill_row *row,
	const char *const *commands, size_t command_count, const char *who, int64_t now,
	struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(skill_row_release) struct skill_row old = {0};
	int64_t version_id;

	if (txn_begin(&txn, store, err) < 0 ||
		store_skill_get(store, row->id, row->origin, &old, err) < 0)
		return -1;
	version_id = old.version_id;
	if ((!old.id || strcmp(old.hash, row->hash) != 0) &&
		store_skill_version_begin(store, row->id, row->origin, NULL, row->version,
			row->content, row->hash, now, &version_id, err) < 0)
		return -1;
	if (query_run(store, err,
		    "INSERT INTO skill_definitions (id, origin, version, name, category, source,"
		    " status, stated, content, content_hash, path, gone, version_id, created_at,"
		    " changed_at)"
		    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?14)"
		    " ON CONFLICT (id, origin) DO UPDATE SET version = ?3, name = ?4,"
		    " category = ?5, source = ?6, status = ?7, stated = ?8, content = ?9,"
		    " content_hash = ?10, path = ?11, gone = ?12, version_id = ?13,"
		    " changed_at = ?14",
		    "sssssssssssdit", row->id, row->origin, row->version, row->name,
		    row->category, row->source, row->status, row->stated, row->content,
		    row->hash, row->path, row->gone, version_id, now) < 0 ||
		query_run(store, err,
			"DELETE FROM skill_commands WHERE skill = ? AND origin = ?", "ss",
			row->id, row->origin) < 0)
		return -1;
	for (size_t i = 0; i < command_count; i++)
		if (query_run(store, err,
			    "INSERT INTO skill_commands (command, skill, origin)"
			    " VALUES (?, ?, ?)",
			    "sss", commands[i], row->id, row->origin) < 0)
			return -1;
	if ((!old.id || strcmp(old.status, row->status) != 0) &&
		add_event(store, row->id, row->origin, old.status, row->status, who, now, err) <
			0)
		return -1;
	return txn_commit(&txn, "skill", err);
}

int store_skill_set_status(struct store *store, const char *id, const char *origin,
	const char *status, const char *who, int64_t now, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(skill_row_release) struct skill_row old = {0};

	if (txn_begin(&txn, store, err) < 0 ||
		store_skill_get(store, id, origin, &old, err) < 0)
		return -1;
	if (old.id && strcmp(old.status, status) != 0 &&
		(query_run(store, err,
			 "UPDATE skill_definitions SET status = ? WHERE id = ? AND origin = ?",
			 "sss", status, id, origin) < 0 ||
			add_event(store, id, origin, old.status, status, who, now, err) < 0))
		return -1;
	return txn_commit(&txn, "skill", err);
}

int store_skill_set_gone(struct store *store, const char *id, bool gone, struct error *err)
{
	return query_run(store, err,
		"UPDATE skill_definitions SET gone = ? WHERE id = ? AND origin = 'file'", "ds",
		gone, id);
}

int store_skill_remove(
	struct store *store, const char *id, const char *origin, int64_t now, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (txn_begin(&txn, store, err) < 0 ||
		store_skill_version_end(store, id, origin, NULL, now, err) < 0 ||
		query_run(store, err,
			"DELETE FROM skill_definitions WHERE id = ? AND origin = ?", "ss", id,
			origin) < 0)
		return -1;
	return txn_commit(&txn, "skill", err);
}
