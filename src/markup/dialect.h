/*
 * How each platform writes what Markdown can say: a table for each, which the walk in render.c
 * reads. A new dialect is a new entry in dialect.c and in `enum markup_dialect`.
 */
#ifndef MARKUP_DIALECT_H
#define MARKUP_DIALECT_H

#include "markup/markup.h"

enum style {
	STYLE_STRONG,
	STYLE_EMPHASIS,
	STYLE_DELETED,
	STYLE_CODE,
	STYLE_COUNT,
	STYLE_NONE = STYLE_COUNT, /* it is not shown */
};

struct marks {
	const char *open;
	const char *close;
};

enum escaping {
	ESCAPE_NOTHING,
	ESCAPE_XML,       /* & < > as entities */
	ESCAPE_BACKSLASH, /* outside of code */
};

enum link_form {
	LINK_BEHIND,   /* text (address) */
	LINK_BRACKETS, /* [text](address) */
	LINK_ANGLES,   /* <address|text> */
	LINK_TAG,      /* <a href="address">text</a> */
};

struct dialect {
	const char *name;
	struct marks styles[STYLE_COUNT];
	struct marks code_block;
	struct marks code_language; /* the same, if its language is known; NULL: as without */
	const char *code_language_end;
	const char *code_indent; /* before each line of a code block */
	struct marks quote;      /* around a quotation … */
	const char *quote_line;  /* … or before each of its lines */
	const char *bullet;
	const char *rule; /* a horizontal one */
	enum escaping escaping;
	enum link_form link;
	bool blocks;  /* paragraphs and lists are elements, not lines */
	bool nests;   /* styles go over lines, and contain code and links with styles */
	bool bounded; /* styles begin and end at words */
};

/* Not of MARKUP_SOURCE. */
const struct dialect *dialect_get(enum markup_dialect dialect);

#endif
