/*
 * Patterns for lines of text: extended regular expressions, plus syntax that models know from other
 * dialects: \d \w \s \D \W \S \b \t, also in brackets, (?:…), (?i) at the start, and *? and the
 * like, which find the same lines as *. Lookaround and the like are refused.
 *
 * A line is bytes; ASCII letters have upper and lower case.
 */
#ifndef AGENT_NATIVE_TOOLS_SEARCH_LINE_PATTERN_H
#define AGENT_NATIVE_TOOLS_SEARCH_LINE_PATTERN_H

#include <regex.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

struct line_pattern {
	struct view text; /* literal text to search for; if empty, there is an expression */
	regex_t expression;
	bool compiled;
};

#define LINE_PATTERN_INIT ((struct line_pattern){0})

/* `text` must outlive it. */
int line_pattern_parse(const char *text, bool literal, bool ignore_case,
	struct line_pattern *ret_pattern, struct error *err);

/* Where the first match begins. A NUL must follow the line, but not necessarily at once. */
bool line_pattern_find(const struct line_pattern *pattern, struct view line, size_t *ret_start);

void line_pattern_release(struct line_pattern *pattern);

/* Translates to the syntax of regcomp(). */
int line_pattern_translate(
	const char *text, bool *ignore_case, struct buf *ret_text, struct error *err);

#endif
