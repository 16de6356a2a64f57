/*
 * A text as lines that can be inserted, taken out and moved; and random edits of it
 * that leave every token in its line.
 */
#ifndef LEDGER_TEXT_H
#define LEDGER_TEXT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/view.h"

struct text {
	char **lines; /* each with its line end, if it has one */
	size_t count;
	size_t cap;
};

#define TEXT_INIT ((struct text){0})

void text_split(struct text *text, struct view content);
void text_join(const struct text *text, struct buf *out);
void text_release(struct text *text);

/* Insert one line, without its end, before the line `at`; it gets the end of its neighbours. */
void text_insert(struct text *text, size_t at, const char *line);
void text_delete(struct text *text, size_t at);

/* Take `count` lines from one place to another, both random. */
void text_move(struct text *text);

/* Put a word at the end of a line. */
void text_extend(struct text *text, size_t at, const char *word);

/* Line ends: from LF to CR LF or back; a newline at the end, or none. */
void text_toggle_crlf(struct text *text);
void text_toggle_last_newline(struct text *text);

bool is_binary(struct view content);

#endif
