#include "cli/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli/output.h"

#define GAP 2

void table_add(struct table *table, ...)
{
	size_t columns = 0;
	const char *cell;
	va_list args;

	va_start(args, table);
	while ((cell = va_arg(args, const char *))) {
		GROW(table->cells, table->count, table->cap);
		table->cells[table->count++] = output_first_line(cell);
		columns++;
	}
	va_end(args);
	if (!table->columns)
		table->columns = columns;
	assert(columns == table->columns);
}

/* Characters, of which each is taken for one column. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static void print_row(const struct table *table, size_t row, const int *widths)
{
	char *const *cells = table->cells + row * table->columns;

	for (size_t i = 0; i + 1 < table->columns; i++)
		printf("%s%*s", cells[i], widths[i] - width_of(cells[i]) + GAP, "");
	printf("%s", cells[table->columns - 1]);
}

void table_print(const struct table *table, const struct cli *cli)
{
	CLEANUP(freep) int *widths = xcalloc(table->columns + 1, sizeof(*widths));

	for (size_t i = 0; i < table->count; i++) {
		int width = width_of(table->cells[i]);
		int *widest = &widths[i % table->columns];

		*widest = width > *widest ? width : *widest;
	}
	for (size_t row = 0; row * table->columns < table->count; row++) {
		printf("%s", row ? "" : output_color(cli, COLOR_BOLD));
		print_row(table, row, widths);
		printf("%s\n", row ? "" : output_color(cli, COLOR_RESET));
	}
}

void table_release(struct table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i]);
	free(table->cells);
	*table = TABLE_INIT;
}
