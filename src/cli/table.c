#include "cli/table.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "cli/output.h"

#define GAP 2

/* In the place of the column: the cell is a line of its own. */
#define WHOLE_LINE SIZE_MAX

struct table_cell {
	char *text;
	const char *color; /* or NULL */
	size_t row;
	size_t column;
	int width;
};

/* --- rows -------------------------------------------------------------------- */

static void add_cell(struct table *table, const char *color, const char *text)
{
	size_t start = strspn(text, "\r\n");
	char *line = output_line((struct view){text + start, strcspn(text + start, "\r\n")});

	GROW(table->cells, table->count, table->cap);
	table->cells[table->count++] = (struct table_cell){
		.text = line,
		.color = color,
		.row = table->row,
		.column = table->column,
		.width = output_width(line),
	};
	if (table->column != WHOLE_LINE && ++table->column > table->columns)
		table->columns = table->column;
}

void table_row(struct table *table)
{
	if (table->count)
		table->row++;
	table->column = 0;
}

void table_cell(struct table *table, const char *color, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	add_cell(table, color, text.data);
}

static void add_texts(struct table *table, const char *color, va_list args)
{
	const char *text;

	table_row(table);
	while ((text = va_arg(args, const char *)))
		add_cell(table, color, text);
}

void table_head(struct table *table, ...)
{
	va_list args;

	va_start(args, table);
	add_texts(table, COLOR_BOLD, args);
	va_end(args);
}

void table_add(struct table *table, ...)
{
	va_list args;

	va_start(args, table);
	add_texts(table, NULL, args);
	va_end(args);
}

void table_line(struct table *table, const char *color, const char *text)
{
	table_row(table);
	table->column = WHOLE_LINE;
	add_cell(table, color, text);
}

/* --- printing ---------------------------------------------------------------- */

/* `at` is the column of the terminal where the cell starts. The last cell of a row is wrapped. */
static void print_cell(const struct table *table, const struct table_cell *cell, int fill,
	int at, bool last, const struct cli *cli)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool right = cell->column != WHOLE_LINE && (table->right >> cell->column & 1);

	if (cell->column != WHOLE_LINE)
		printf("%*s", cell->column ? GAP : (int)table->indent, "");
	if (right)
		printf("%*s", fill, "");
	if (last && cell->column)
		output_wrap(&text, cell->text, at);
	else
		buf_append_str(&text, cell->text);
	printf("%s%s%s", cell->color ? output_color(cli, cell->color) : "", text.data,
		cell->color ? output_color(cli, COLOR_RESET) : "");
	if (!right && !last)
		printf("%*s", fill, "");
}

void table_print(const struct table *table, const struct cli *cli)
{
	CLEANUP(freep) int *widths = xcalloc(table->columns + 1, sizeof(*widths));
	size_t begin = 0;

	for (size_t i = 0; i < table->columns && i < ARRAY_SIZE(table->least); i++)
		widths[i] = table->least[i];
	for (size_t i = 0; i < table->count; i++) {
		int width = table->cells[i].width;
		int *widest;

		if (table->cells[i].column == WHOLE_LINE)
			continue;
		widest = &widths[table->cells[i].column];
		if (table->widest && width > table->widest)
			width = table->widest;
		*widest = width > *widest ? width : *widest;
	}
	while (begin < table->count) {
		size_t next = begin, end;
		int at = (int)table->indent;

		while (next < table->count && table->cells[next].row == table->cells[begin].row)
			next++;
		for (end = next; end > begin && !*table->cells[end - 1].text;)
			end--;
		for (size_t i = begin; i < end; i++) {
			const struct table_cell *cell = &table->cells[i];
			int fill = cell->column == WHOLE_LINE
					   ? 0
					   : widths[cell->column] - cell->width;

			print_cell(table, cell, fill > 0 ? fill : 0, at, i + 1 == end, cli);
			at += cell->width + (fill > 0 ? fill : 0) + GAP;
		}
		printf("\n");
		begin = next;
	}
}

void table_release(struct table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->cells[i].text);
	free(table->cells);
	*table = TABLE_INIT;
}
