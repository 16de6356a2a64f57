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
	va_list args;
	int result;

	va_start(args, types);
	result = query_begin(store, ret_query, err, sql, types, args);
	va_end(args);
	return result;
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
	va_list args;
	int result;

	va_start(args, types);
	result = query_begin(store, &query, err, sql, types, args);
	va_end(args);
	if (result < 0)
		return -1;
	result = query_next(&query, err);
	assert(result <= 0);
	return result;
}

int query_number(struct store *store, int64_t otherwise, int64_t *ret_number, struct error *err,
	const char *sql, const char *types, ...)
{
	CLEANUP(query_end) struct query query = QUERY_INIT;
	va_list args;
	int result;

	va_start(args, types);
	result = query_begin(store, &query, err, sql, types, args);
	va_end(args);
	if (result < 0)
		return -1;
	result = query_next(&query, err);
	if (result < 0)
		return -1;
	*ret_number = result > 0 ? query_int(&query, 0) : otherwise;
	return 0;
}

int query_string(struct store *store, char **ret_text, struct error *err, const char *sql,
	const char *types, ...)
{
	CLEANUP(query_end) struct query query = QUERY_INIT;
	va_list args;
	int result;

	va_start(args, types);
	result = query_begin(store, &query, err, sql, types, args);
	va_end(args);
	if (result < 0)
		return -1;
	result = query_next(&query, err);
	if (result < 0)
		return -1;
	*ret_text = result > 0 ? query_copy(&query, 0) : NULL;
	return 0;
}

int query_lines(struct store *store, struct buf *ret_lines, struct error *err, const char *sql,
	const char *types, ...)
{
	CLEANUP(query_end) struct query query = QUERY_INIT;
	va_list args;
	int result;

	va_start(args, types);
	result = query_begin(store, &query, err, sql, types, args);
	va_end(args);
	if (result < 0)
		return -1;
	while ((result = query_next(&query, err)) > 0)
		buf_appendf(ret_lines, "%s\n", query_text(&query, 0));
	return result;
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
