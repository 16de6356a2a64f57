/*
 * Intent files: modify/X.intent.md says what a skill means to do to X, under
 * headings that everybody knows.
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

/* As it is usually written. */
const char *intent_heading_name(enum intent_heading heading);

/* The intent file for a path in `modifies`; if there is none, errnum is ENOENT. */
int intent_read(const struct package *package, const struct relpath *path, struct buf *ret_text,
	struct error *err);

/*
 * The text below a heading, up to the next one, without the space around it.
 * Case, the level of the heading and a colon behind it do not count.
 */
struct view intent_section(struct view text, enum intent_heading heading, bool *ret_found);

#endif
