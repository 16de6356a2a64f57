/*
 * The walk through a source, while it is rendered. Inline text gathers in `text` until its
 * block ends (inline.c); then it is written, line by line, each behind the marks of the lists
 * and quotations around it (blocks.c).
 *
 * Invariant: styles[0..written) are open in the output, in this order, and are closed in the
 * reverse one. A style is opened by the first text in it, so no style is empty.
 */
#ifndef MARKUP_RENDERER_H
#define MARKUP_RENDERER_H

#include "markup/dialect.h"
#include "markup/parse.h"

/* Of styles, lists and quotations; those within more are not shown. */
#define NESTING_MAX 16

/* Between two characters that must not be read as one; it is not seen. */
#define ZERO_WIDTH "\xe2\x80\x8b"

/* A quotation or an item of a list. */
struct container {
	char first[16]; /* before its first line */
	char rest[16];  /* before the others */
	bool used;      /* the first line is written */
};

struct list {
	bool tight;
	bool ordered;
	unsigned number;
	unsigned items;
};

struct renderer {
	const struct dialect *d;
	const struct markup_page *page; /* NULL: lines are not wrapped */
	struct buf *out;
	size_t out_start;
	size_t out_max;
	size_t events_left;
	struct buf text;
	struct buf code; /* of a span or block of code */
	bool in_code;
	struct container containers[NESTING_MAX];
	unsigned depth;  /* may be greater: the innermost are not shown */
	unsigned shared; /* the containers that have been open since the last block */
	struct list lists[NESTING_MAX];
	unsigned list_depth;
	unsigned quotes;
	bool begun; /* a block was written before, which the next is apart from */
	enum style styles[NESTING_MAX];
	unsigned style_depth;
	unsigned written;
	bool just_closed;
	unsigned links;    /* around the text, images included */
	size_t link_start; /* of its label in `text` */
	struct buf label;  /* the same, not escaped */
};

/* How many of `depth` are shown. */
unsigned renderer_shown(unsigned depth);

/* --- inline text --------------------------------------------------------------- */

/* Controls are dropped, but line ends and tabs stay. Marks in addresses are not escaped. */
void inline_escape(const struct dialect *d, struct view text, bool in_code, struct buf *out);

void inline_text(struct renderer *r, struct view text);
void inline_break(struct renderer *r);

/* The code that has gathered is a span. */
void inline_code(struct renderer *r);

void style_enter(struct renderer *r, enum style style);
void style_leave(struct renderer *r);

/* Close styles down to `depth`; trailing spaces move after the marks. */
void styles_close(struct renderer *r, unsigned depth);

void link_enter(struct renderer *r);
void link_leave(struct renderer *r, const MD_ATTRIBUTE *address);

/* --- blocks -------------------------------------------------------------------- */

/* Write the text that has gathered, if there is any. */
void block_flush(struct renderer *r);

void quote_enter(struct renderer *r);
void quote_leave(struct renderer *r);
void list_enter(struct renderer *r, bool ordered, unsigned start, bool tight);
void list_leave(struct renderer *r, bool ordered);
void item_enter(struct renderer *r, const MD_BLOCK_LI_DETAIL *item);
void item_leave(struct renderer *r);
void code_block_leave(struct renderer *r, const MD_BLOCK_CODE_DETAIL *detail);
void cell_enter(struct renderer *r, bool head);
void cell_leave(struct renderer *r, bool head);
void rule_put(struct renderer *r);

#endif
