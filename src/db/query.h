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
 * The letters say what follows: s a string (or NULL), v a `struct view`, i an int64_t, d an int
 * or bool, t a time (int64_t, milliseconds; 0 is NULL), which is stored as text (timestamp.h).
 * The SQL must be a literal: statements are found again by its address. The same statement is
 * not started a second time before its end.
 */
#ifndef DB_QUERY_H
#define DB_QUERY_H

#include <sqlite3.h>
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

/* --- for store.c ------------------------------------------------------------ */

sqlite3 *store_database(struct store *store);
sqlite3_stmt *store_statement(struct store *store, const char *sql, struct error *err);
int store_fail(struct store *store, struct error *err);

#endif
