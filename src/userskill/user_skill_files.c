#include "userskill/user_skill_files.h"

#include "db/query.h"

int store_skill_file_list(
	struct store *store, struct skill_file_rows *ret_rows, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT path, skill, content_hash, device, inode, size, mtime, ctime"
		    " FROM skill_files ORDER BY path",
		    "") < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		GROW(ret_rows->list, ret_rows->count, ret_rows->cap);
		ret_rows->list[ret_rows->count++] = (struct skill_file_row){query_copy(&q, 0),
			query_copy(&q, 1), query_copy(&q, 2), query_int(&q, 3),
			query_int(&q, 4), query_int(&q, 5), query_int(&q, 6), query_int(&q, 7)};
	}
	return more;
}

void skill_file_rows_release(struct skill_file_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		free(rows->list[i].path);
		free(rows->list[i].skill);
		free(rows->list[i].hash);
	}
	free(rows->list);
	*rows = (struct skill_file_rows){0};
}

int store_skill_file_put(
	struct store *store, const struct skill_file_row *row, struct error *err)
{
	return query_run(store, err,
		"INSERT OR REPLACE INTO skill_files (path, skill, content_hash, device, inode,"
		" size, mtime, ctime) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		"sssiiiii", row->path, row->skill, row->hash, row->device, row->inode,
		row->size, row->mtime, row->ctime);
}

int store_skill_file_remove(struct store *store, const char *path, struct error *err)
{
	return query_run(store, err, "DELETE FROM skill_files WHERE path = ?", "s", path);
}
