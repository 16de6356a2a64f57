/*
 * SQL, with the values bound and the statement kept prepared.
 *
 *	if (query_run(store, err, "DELETE FROM turns WHERE id = ?", "i", id) < 0)
 *		return -1;
 *
 *	CLEANUP(query_end) struct query q = QUERY_INIT;
 *
 *	if (query_start(store, &q, err, "SELECT id FROM turns WHERE state = ?", "s", state) < 0)
 *		return -1;
 *	while ((more = query_next(&q, err)) > 0)
 *		use(query_int(&q, 0));
 *
 * The letters are the types of the values: s a string (or NULL), v a `struct view`, i an
 * int64_t, d an int or bool, t a time (int64_t, milliseconds; 0 is NULL), which is stored as
 * text (timestamp.h). The SQL must be a literal, because prepared statements are looked up by
 * its address. Do not start a statement again before its end.
 *
 * A table of columns fills structs from rows, in the order of the SELECT:
 *
 *	static const struct row_column chat_columns[] = {
 *		ROW_COLUMN(struct chat, jid),
 *		ROW_COLUMN(struct chat, is_group),
 *		{0},
 *	};
 *	static const struct row_type chat_row_type = {sizeof(struct chat), chat_columns};
 *
 *	query_rows(store, &chat_row_type, &chats, err, "SELECT jid, is_group FROM chats", "")
 */
#ifndef DB_QUERY_H
#define DB_QUERY_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "db/store.h"

struct query {
	struct store *store;
	sqlite3_stmt *statement;
};

#define QUERY_INIT ((struct query){0})

int query_start(struct store *store, struct query *ret_query, struct error *err,
	const char *sql, const char *types, ...);

/* 1: there is a row; 0: no more; -1. */
int query_next(struct query *query, struct error *err);
void query_end(struct query *query);

/* A statement that gives no rows. */
int query_run(struct store *store, struct error *err, const char *sql, const char *types, ...);

/* The first column of the first row, or `otherwise` if there are no rows. */
int query_number(struct store *store, int64_t otherwise, int64_t *ret_number, struct error *err,
	const char *sql, const char *types, ...);

/* The same as text, to be freed; NULL if there is no row, or NULL in it. */
int query_string(struct store *store, char **ret_text, struct error *err, const char *sql,
	const char *types, ...);

/* The same as a bool, false if there are no rows; and as a time. */
int query_bool(struct store *store, bool *ret_value, struct error *err, const char *sql,
	const char *types, ...);
int query_moment(struct store *store, int64_t otherwise, int64_t *ret_time, struct error *err,
	const char *sql, const char *types, ...);

/* The first column of all rows, each followed by a newline. */
int query_lines(struct store *store, struct buf *ret_lines, struct error *err, const char *sql,
	const char *types, ...);

int64_t query_int(const struct query *query, int column);

/* 0 for NULL and for anything that is not a time. */
int64_t query_time(const struct query *query, int column);

/* Good until the next step; "" for NULL. */
const char *query_text(const struct query *query, int column);

/* A copy; NULL for NULL. */
char *query_copy(const struct query *query, int column);

/* --- rows as structs ---------------------------------------------------------- */

struct row_column {
	char type; /* s char *, i int64_t, d int, b bool, t int64_t with a time, e enum */
	size_t offset;
	const char *const
		*names; /* of the enum's values, as they are stored; {NULL} at the end */
};

#define ROW_COLUMN(row, member)                                                                         \
	{                                                                                               \
		_Generic(((row *)0)->member, char *: 's', int64_t: 'i', int: 'd', bool: 'b'),         \
		offsetof(row, member), NULL \
	}
#define ROW_TIME(row, member)                                                                  \
	{                                                                                      \
		't', offsetof(row, member), NULL                                               \
	}
#define ROW_ENUM(row, member, names)                                                           \
	{                                                                                      \
		'e', offsetof(row, member), names                                              \
	}

struct row_type {
	size_t size;
	const struct row_column *columns; /* ending with an empty one */
};

/* The first row, or zeros if there is none. */
int query_row(struct store *store, const struct row_type *type, void *ret_row,
	struct error *err, const char *sql, const char *types, ...);

/* All rows, added to `list`, which is a struct {row *list; size_t count; size_t cap}. */
int query_rows(struct store *store, const struct row_type *type, void *list, struct error *err,
	const char *sql, const char *types, ...);

/* Free the texts of a row, or of all rows and the list itself; zeros remain. */
void row_release(const struct row_type *type, void *row);
void rows_release(const struct row_type *type, void *list);

#endif
