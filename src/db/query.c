#include "db/query.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

#include "base/view.h"
#include "time/timestamp.h"

static int query_bind(sqlite3_stmt *statement, const char *types, va_list args)
{
	int result = SQLITE_OK;

	assert((int)strlen(types) == sqlite3_bind_parameter_count(statement));
	for (int i = 1; types[i - 1] && result == SQLITE_OK; i++) {
		char time[TIMESTAMP_SIZE];
		struct view view;
		const char *text;
		int64_t ms;

		switch (types[i - 1]) {
		case 's':
			text = va_arg(args, const char *);
			result = text ? sqlite3_bind_text(
						statement, i, text, -1, SQLITE_TRANSIENT)
				      : sqlite3_bind_null(statement, i);
			break;
		case 'v':
			view = va_arg(args, struct view);
			result = sqlite3_bind_text64(statement, i, view.data ? view.data : "",
				view.len, SQLITE_TRANSIENT, SQLITE_UTF8);
			break;
		case 'i':
			result = sqlite3_bind_int64(statement, i, va_arg(args, int64_t));
			break;
		case 'd':
			result = sqlite3_bind_int(statement, i, va_arg(args, int));
			break;
		default:
			assert(types[i - 1] == 't');
			ms = va_arg(args, int64_t);
			timestamp_format(ms, time);
			result =
				ms ? sqlite3_bind_text(statement, i, time, -1, SQLITE_TRANSIENT)
				   : sqlite3_bind_null(statement, i);
		}
	}
	return result;
}

/* Starts the query with the arguments of the function that this is used in. */
#define QUERY_BEGIN(store, query, err, sql, types)                                             \
	({                                                                                     \
		va_list args_;                                                                 \
		int result_;                                                                   \
                                                                                               \
		va_start(args_, types);                                                        \
		result_ = query_begin(store, query, err, sql, types, args_);                   \
		va_end(args_);                                                                 \
		result_;                                                                       \
	})

static int query_begin(struct store *store, struct query *ret_query, struct error *err,
	const char *sql, const char *types, va_list args)
{
	sqlite3_stmt *statement = store_statement(store, sql, err);

	if (!statement)
		return -1;
	assert(!sqlite3_stmt_busy(statement));
	if (query_bind(statement, types, args) != SQLITE_OK)
		return store_fail(store, err);
	*ret_query = (struct query){store, statement};
	return 0;
}

int query_start(struct store *store, struct query *ret_query, struct error *err,
	const char *sql, const char *types, ...)
{
	return QUERY_BEGIN(store, ret_query, err, sql, types);
}

int query_next(struct query *query, struct error *err)
{
	switch (sqlite3_step(query->statement)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		return store_fail(query->store, err);
	}
}

void query_end(struct query *query)
{
	if (!query->statement)
		return;
	sqlite3_reset(query->statement);
	sqlite3_clear_bindings(query->statement);
	query->statement = NULL;
}

int query_run(struct store *store, struct error *err, const char *sql, const char *types, ...)
{
	CLEANUP(query_end) struct query query = QUERY_INIT;
	int more;

	if (QUERY_BEGIN(store, &query, err, sql, types) < 0)
		return -1;
	more = query_next(&query, err);
	assert(more <= 0);
	return more;
}

int query_number(struct store *store, int64_t otherwise, int64_t *ret_number, struct error *err,
	const char *sql, const char *types, ...)
{
	CLEANUP(query_end) struct query query = QUERY_INIT;
	int more;

	if (QUERY_BEGIN(store, &query, err, sql, types) < 0 ||
		(more = query_next(&query, err)) < 0)
		return -1;
	*ret_number = more ? query_int(&query, 0) : otherwise;
	return 0;
}

int query_string(struct store *store, char **ret_text, struct error *err, const char *sql,
	const char *types, ...)
{
	CLEANUP(query_end) struct query query = QUERY_INIT;
	int more;

	if (QUERY_BEGIN(store, &query, err, sql, types) < 0 ||
		(more = query_next(&query, err)) < 0)
		return -1;
	*ret_text = more ? query_copy(&query, 0) : NULL;
	return 0;
}

int query_bool(struct store *store, bool *ret_value, struct error *err, const char *sql,
	const char *types, ...)
{
	CLEANUP(query_end) struct query query = QUERY_INIT;
	int more;

	if (QUERY_BEGIN(store, &query, err, sql, types) < 0 ||
		(more = query_next(&query, err)) < 0)
		return -1;
	*ret_value = more && query_int(&query, 0);
	return 0;
}

int query_moment(struct store *store, int64_t otherwise, int64_t *ret_time, struct error *err,
	const char *sql, const char *types, ...)
{
	CLEANUP(query_end) struct query query = QUERY_INIT;
	int more;

	if (QUERY_BEGIN(store, &query, err, sql, types) < 0 ||
		(more = query_next(&query, err)) < 0)
		return -1;
	*ret_time = more ? query_time(&query, 0) : otherwise;
	return 0;
}

int query_lines(struct store *store, struct buf *ret_lines, struct error *err, const char *sql,
	const char *types, ...)
{
	CLEANUP(query_end) struct query query = QUERY_INIT;
	int more;

	if (QUERY_BEGIN(store, &query, err, sql, types) < 0)
		return -1;
	while ((more = query_next(&query, err)) > 0)
		buf_appendf(ret_lines, "%s\n", query_text(&query, 0));
	return more;
}

int64_t query_int(const struct query *query, int column)
{
	return sqlite3_column_int64(query->statement, column);
}

int64_t query_time(const struct query *query, int column)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	int64_t ms = 0;

	timestamp_parse(view_of(query_text(query, column)), &ms, &ignored);
	return ms;
}

const char *query_text(const struct query *query, int column)
{
	const char *text = (const char *)sqlite3_column_text(query->statement, column);

	return text ? text : "";
}

char *query_copy(const struct query *query, int column)
{
	const char *text = (const char *)sqlite3_column_text(query->statement, column);

	return text ? xstrdup(text) : NULL;
}

/* --- rows as structs ---------------------------------------------------------- */

static void row_fill(const struct query *query, const struct row_type *type, char *row)
{
	int at = 0;

	memset(row, 0, type->size);
	for (const struct row_column *column = type->columns; column->type; column++, at++) {
		char *member = row + column->offset;
		int value = 0;

		switch (column->type) {
		case 's':
			*(char **)member = query_copy(query, at);
			break;
		case 'i':
			*(int64_t *)member = query_int(query, at);
			break;
		case 'd':
			*(int *)member = (int)query_int(query, at);
			break;
		case 'b':
			*(bool *)member = query_int(query, at);
			break;
		case 't':
			*(int64_t *)member = query_time(query, at);
			break;
		default:
			while (column->names[value] &&
				strcmp(column->names[value], query_text(query, at)) != 0)
				value++;
			/* The tables allow no other names. */
			*(int *)member = column->names[value] ? value : 0;
		}
	}
	assert(at == sqlite3_column_count(query->statement));
}

int query_row(struct store *store, const struct row_type *type, void *ret_row,
	struct error *err, const char *sql, const char *types, ...)
{
	CLEANUP(query_end) struct query query = QUERY_INIT;
	int more;

	if (QUERY_BEGIN(store, &query, err, sql, types) < 0 ||
		(more = query_next(&query, err)) < 0)
		return -1;
	if (more)
		row_fill(&query, type, ret_row);
	else
		memset(ret_row, 0, type->size);
	return 0;
}

/* A list of rows whose type is not known here. */
struct row_list {
	char *list;
	size_t count;
	size_t cap;
};

int query_rows(struct store *store, const struct row_type *type, void *list, struct error *err,
	const char *sql, const char *types, ...)
{
	CLEANUP(query_end) struct query query = QUERY_INIT;
	struct row_list rows;
	size_t before;
	int more;

	if (QUERY_BEGIN(store, &query, err, sql, types) < 0)
		return -1;
	memcpy(&rows, list, sizeof(rows));
	before = rows.count;
	while ((more = query_next(&query, err)) > 0) {
		if (rows.count == rows.cap) {
			rows.cap += rows.cap / 2 + 8;
			rows.list = xreallocarray(rows.list, rows.cap, type->size);
		}
		row_fill(&query, type, rows.list + rows.count++ * type->size);
	}
	while (more < 0 && rows.count > before)
		row_release(type, rows.list + --rows.count * type->size);
	memcpy(list, &rows, sizeof(rows));
	return more;
}

void row_release(const struct row_type *type, void *row)
{
	for (const struct row_column *column = type->columns; column->type; column++)
		if (column->type == 's')
			free(*(char **)((char *)row + column->offset));
	memset(row, 0, type->size);
}

void rows_release(const struct row_type *type, void *list)
{
	struct row_list rows;

	memcpy(&rows, list, sizeof(rows));
	for (size_t i = 0; i < rows.count; i++)
		row_release(type, rows.list + i * type->size);
	free(rows.list);
	memset(list, 0, sizeof(rows));
}
