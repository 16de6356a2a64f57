/*
 * Tables for people: rows of aligned cells.
 *
 *	CLEANUP(table_release) struct table table = TABLE_INIT;
 *
 *	table_head(&table, "id", "files", "name", NULL);
 *	for (...) {
 *		table_row(&table);
 *		table_cell(&table, COLOR_CYAN, "%s", row->id);
 *		table_cell(&table, NULL, "%zu", row->files);
 *		table_cell(&table, NULL, "%s", row->name);
 *	}
 *	table_print(&table, cli);
 *
 * A column is as wide as its widest cell, counted as a terminal does: a wide character is two
 * columns, an accent none. The last cell of a row is never filled up, and is wrapped at words if
 * the terminal is too narrow; empty cells at its end print nothing. Text from outside is made harmless for a terminal, and cut at its first
 * line.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stddef.h>

#include "cli/command.h"

struct table {
	struct table_cell *cells; /* row by row */
	size_t count;
	size_t cap;
	size_t columns; /* of the longest row */
	size_t row;     /* of the next cell */
	size_t column;
	size_t indent;  /* spaces before each row */
	int widest;     /* a cell that is wider than this does not widen its column; 0: any */
	int least[4];   /* how wide the first columns are at least */
	unsigned right; /* the columns whose cells end at the same place, as bits */
};

#define TABLE_INIT ((struct table){0})

/* The titles of the columns, ending with NULL: the first row. */
void table_head(struct table *table, ...) __attribute__((sentinel));

/* A row of plain texts, ending with NULL. */
void table_add(struct table *table, ...) __attribute__((sentinel));

/* Begin a row, and add a cell to it; `color` may be NULL. */
void table_row(struct table *table);
void table_cell(struct table *table, const char *color, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A line of its own between rows, which widens no column: a title, or an empty one. */
void table_line(struct table *table, const char *color, const char *text);

void table_print(const struct table *table, const struct cli *cli);
void table_release(struct table *table);

#endif
