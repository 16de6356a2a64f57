/*
 * Markdown on its way to people: rendered as their platform writes it, in parts that it takes.
 *
 *	CLEANUP(string_array_release) struct string_array parts = {0};
 *	struct markup_form form = {MARKUP_TELEGRAM, MARKUP_UTF16, 4096};
 *
 *	markup_split(view_of(answer), &form, &parts);
 *	for (size_t i = 0; i < parts.count; i++)
 *		markup_render(view_of(parts.list[i]), form.dialect, &out);
 *
 * md4c parses the source, one walk renders it, and a table for each dialect says how
 * (dialect.h). Nothing is searched and replaced in a text, so a `_` in an address or a `<` in
 * code cannot break the markup. Where a dialect cannot escape a character that means something
 * to the platform (`*` in Slack and WhatsApp), the character stays as it is.
 *
 * An agent writes the source, so the walk is bounded: a source that would grow more than
 * sixteenfold is rendered as plain lines.
 */
#ifndef MARKUP_MARKUP_H
#define MARKUP_MARKUP_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/string_array.h"
#include "base/view.h"

enum markup_dialect {
	MARKUP_SOURCE, /* as the agent wrote it */
	MARKUP_PLAIN,
	MARKUP_TELEGRAM, /* Telegram's HTML */
	MARKUP_SLACK,    /* mrkdwn */
	MARKUP_WHATSAPP,
	MARKUP_DISCORD,
	MARKUP_IRC,            /* control codes */
	MARKUP_HTML,           /* for e-mail */
	MARKUP_TERMINAL,       /* in colors */
	MARKUP_TERMINAL_PLAIN, /* without */
};

/* What a platform counts. */
enum markup_unit {
	MARKUP_BYTES,
	MARKUP_UTF16,
	MARKUP_CHARACTERS,
};

/* What a platform accepts in one message. */
struct markup_form {
	enum markup_dialect dialect;
	enum markup_unit unit;
	size_t limit; /* 0: no limit; otherwise at least the one below */
};

/* In a dialect, a single character can be a list or a quotation. */
#define MARKUP_LEAST_LIMIT(dialect) ((size_t)((dialect) == MARKUP_SOURCE ? 16 : 64))

/* "telegram", "slack" … and "bytes", "utf16", "characters"; false for another name. */
bool markup_dialect_find(const char *name, enum markup_dialect *ret_dialect);
bool markup_unit_find(const char *name, enum markup_unit *ret_unit);

size_t markup_length(struct view text, enum markup_unit unit);

/* Append the rendered source, without a line end. */
void markup_render(struct view source, enum markup_dialect dialect, struct buf *out);

/*
 * Append it for a terminal, wrapped at words. `used` columns of the first line are taken;
 * `width` counts the columns of a text.
 */
struct markup_page {
	int columns;
	int used;
	int (*width)(const char *text);
};

void markup_render_page(struct view source, enum markup_dialect dialect,
	const struct markup_page *page, struct buf *out);

/*
 * The source in parts, each of which is within the limit when it is rendered in the dialect of
 * `form`, and as plain text too. It is cut where a reader would: between paragraphs, else
 * lines, sentences, words, and as a last resort between characters. Code blocks and styles are
 * closed at a cut and opened again behind it. A better place is preferred to a later one,
 * unless it would waste half of the part. White space alone is no part.
 */
void markup_split(
	struct view source, const struct markup_form *form, struct string_array *ret_parts);

#endif
