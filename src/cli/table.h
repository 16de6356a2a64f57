/*
 * Rows of cells, one below the other: for lists that people read.
 *
 *	CLEANUP(table_release) struct table table = TABLE_INIT;
 *
 *	table_add(&table, "id", "name", NULL);
 *	table_add(&table, row.id, row.name, NULL);
 *	table_print(&table, cli);
 *
 * The first row is the head, and has as many cells as all others. Text from outside is made
 * harmless for a terminal, and cut at its first line. The last column is as long as it is.
 */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stddef.h>

#include "cli/command.h"

struct table {
	char **cells; /* row by row */
	size_t count;
	size_t cap;
	size_t columns;
};

#define TABLE_INIT ((struct table){0})

/* The cells of one row, ending with NULL. */
void table_add(struct table *table, ...) __attribute__((sentinel));
void table_print(const struct table *table, const struct cli *cli);
void table_release(struct table *table);

#endif
