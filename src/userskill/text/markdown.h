/*
 * The lines of a Markdown text, and what each of them is: as much of CommonMark as it takes
 * to know which lines are headings of the document.
 *
 *	struct markdown reader = markdown_of(text);
 *	struct markdown_line line;
 *
 *	while (markdown_next(&reader, &line))
 *		...
 *
 * A line is not a heading if it is in a fenced block of code (``` and ~~~, closed by one of
 * the same kind that is at least as long), in a comment (from a line that begins with <!-- to
 * the one with -->), in an item of a list, or indented by four columns or more. A block that
 * is not closed extends to the end; one in an item of a list ends with the item.
 *
 * Lines end in LF, CR LF or CR; a byte order mark at the start is not part of the first.
 */
#ifndef USERSKILL_TEXT_MARKDOWN_H
#define USERSKILL_TEXT_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/view.h"

enum markdown_kind {
	MARKDOWN_BLANK,
	MARKDOWN_TEXT,
	MARKDOWN_HEADING,
	MARKDOWN_FENCE, /* the first or the last line of a block of code */
	MARKDOWN_CODE,
	MARKDOWN_COMMENT,
};

struct markdown_line {
	enum markdown_kind kind;
	size_t number;     /* from 1 */
	size_t indent;     /* columns of white space before it */
	int level;         /* of a heading: 1 to 6 */
	struct view text;  /* all of it, without its end */
	struct view title; /* of a heading, without the marks around it */
};

struct markdown {
	struct view rest;
	size_t number;
	char fence;        /* its character in a block of code, or 0 */
	size_t fence_len;  /* how many of them opened it */
	size_t fence_line; /* where that was */
	size_t fence_item; /* the block is in an item with this offset, or 0 */
	bool comment;
	size_t comment_line;
	size_t item; /* where the content of the outermost item of a list begins, or 0 */
};

struct markdown markdown_of(struct view text);
bool markdown_next(struct markdown *reader, struct markdown_line *ret_line);

/*
 * A line that begins a list item ("- ", "* ", "+ ", "1. ", "1) "), with any indentation.
 * `*ret_content` is the text after the mark; `*ret_number` the number of a numbered item, or
 * -1.
 */
bool markdown_item(struct view line, struct view *ret_content, long *ret_number);

#endif
