/*
 * The places at which a source can be cut, found by a walk over it: md4c hands out text as
 * pointers into its source, so a place is known to be at the start of a paragraph, between two
 * words that are not in a link, and so on.
 */
#ifndef MARKUP_SURVEY_H
#define MARKUP_SURVEY_H

#include "markup/markup.h"
#include "markup/parse.h"

#define SURVEY_STYLES 4
#define SURVEY_MARKS  16
#define SURVEY_INFO   40

/* The best first. */
enum cut_level {
	CUT_BLOCK,
	CUT_LINE,
	CUT_SENTENCE,
	CUT_WORD,
	CUT_STYLED, /* a word in styles, which are closed and opened again */
	CUT_CODE,   /* a word in a line of code */
	CUT_IN_CODE,
};

struct cut {
	size_t end;  /* of the part */
	size_t next; /* where the rest begins */
	enum cut_level level;
	char open[SURVEY_MARKS + 1]; /* styles that are opened again */
	bool inside;                 /* the rest begins within a paragraph … */
	unsigned quotes;             /* … in this many quotations */
	unsigned code;               /* which of the blocks is opened again, from 1; 0: none */
	size_t prefix;               /* the line of code begins here … */
	size_t prefix_end;           /* … and its text here */
};

struct code_block {
	size_t fence; /* its length */
	char character;
	char info[SURVEY_INFO + 1];
};

struct survey {
	struct view source;
	struct buf masked; /* the same for md4c */
	size_t opened;     /* bytes at the start that were opened again: not to be cut */
	struct cut *cuts;
	size_t count;
	size_t cap;
	struct code_block *blocks;
	size_t block_count;
	size_t block_cap;
	size_t events_left;
	size_t line;      /* the start of the latest line with a text */
	size_t at;        /* of that text */
	bool has_line;    /* there was one */
	bool block_start; /* no text of this block has come */
	bool in_code;
	bool in_table;
	unsigned quotes;
	unsigned lists;
	unsigned other_spans; /* links, in which nothing is cut */
	size_t backticks;     /* around the code that the text is in; 0: it is in none */
	bool in_code_span;
	MD_SPANTYPE styles[SURVEY_STYLES];
	unsigned style_depth;
	bool line_in_span; /* the line begins in a span */
};

/* `opened` bytes at the start of the source are not to be cut. */
void survey_take(struct survey *survey, struct view source, size_t opened);
void survey_release(struct survey *survey);

/* Would a text begin a block of another kind if it began a paragraph? */
bool survey_begins_block(struct view text);

#endif
