#include "cli/chat/chat_text.h"

#include "cli/table.h"
#include "markup/markup.h"

#define LEAST_COLUMNS 20
#define MOST_COLUMNS  100 /* longer lines are hard to read */

void chat_text_append(struct buf *out, const char *text, int used, int columns, bool color)
{
	struct markup_page page = {columns, used, table_width};

	if (columns > MOST_COLUMNS)
		page.columns = MOST_COLUMNS;
	if (columns < LEAST_COLUMNS)
		page.columns = LEAST_COLUMNS;
	markup_render_page(
		view_of(text), color ? MARKUP_TERMINAL : MARKUP_TERMINAL_PLAIN, &page, out);
}
