/*
 * Intent files: modify/X.intent.md explains the skill's changes to X, under fixed headings.
 *
 *	CLEANUP(buf_release) struct buf text = BUF_INIT;
 *
 *	if (intent_read(&package, &path, &text, err) < 0)
 *		return -1;
 *	summary = intent_section(view_of_buf(&text), INTENT_WHAT, &found);
 */
#ifndef ENGINE_PACKAGE_INTENT_H
#define ENGINE_PACKAGE_INTENT_H

#include <stdbool.h>

#include "engine/package/package.h"

#define INTENT_SUFFIX   ".intent.md"
#define INTENT_MAX_SIZE ((size_t)1024 * 1024)

enum intent_heading {
	INTENT_WHAT, /* "What this skill adds" or "What changed" */
	INTENT_KEY_SECTIONS,
	INTENT_INVARIANTS,
	INTENT_MUST_KEEP, /* "Must-keep" or "Must-keep sections" */
	INTENT_COUNT,
};

/* The usual spelling. */
const char *intent_heading_name(enum intent_heading heading);

/* The intent file for a path in `modifies`; errnum is ENOENT if it does not exist. */
int intent_read(const struct package *package, const struct relpath *path, struct buf *ret_text,
	struct error *err);

/* Remove HTML comments, such as the placeholders of 'skill new', before people read it. */
void intent_remove_comments(struct buf *text);

/*
 * The text below a heading, up to the next one, trimmed. Case, the heading's level and a colon
 * after it do not matter.
 */
struct view intent_section(struct view text, enum intent_heading heading, bool *ret_found);

/* --- what must be kept ----------------------------------------------------------- */

/*
 * The code that an intent file requires a merge to keep: the pieces in backticks below its
 * heading "Must-keep".
 *
 *	CLEANUP(string_array_release) struct string_array pieces = {0};
 *
 *	must_keep_read(text, &pieces);
 *	lost = must_keep_lost(&pieces, current, skill, result);
 *
 * A piece is the text between `one`, ``two`` or more backticks within a paragraph, with line
 * breaks turned into spaces; or a line, trimmed, of a block fenced by three backticks or more.
 * Text without backticks is for people and cannot be checked.
 */

/* More pieces than this in one intent file are not looked at. */
#define MUST_KEEP_MAX 10000

/* From the whole text of an intent file; empty without the heading. */
void must_keep_read(struct view intent, struct string_array *ret_pieces);

/* The first piece that stood in `current` or `skill` and is not in `result`; or NULL. */
const char *must_keep_lost(const struct string_array *pieces, struct view current,
	struct view skill, struct view result);

#endif
