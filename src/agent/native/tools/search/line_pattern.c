#include "agent/native/tools/search/line_pattern.h"

#include <string.h>

#define LINE_PATTERN_MAX 4096

/* musl searches up to the NUL, so it gets a copy of the line. */
#ifndef REG_STARTEND
#define REG_STARTEND 0
#endif

/* --- from other dialects ----------------------------------------------------- */

/* The meaning of a letter after a backslash inside brackets, or NULL. */
static const char *escape_in_class(char letter)
{
	switch (letter) {
	case 'd':
		return "0-9";
	case 'w':
		return "[:alnum:]_";
	case 's':
		return "[:space:]";
	case 't':
		return "\t";
	case 'n':
		return "\n";
	case 'r':
		return "\r";
	case 'f':
		return "\f";
	default:
		return NULL;
	}
}

/*
 * Translates a bracket expression. POSIX has no backslash there: a literal bracket has to be
 * the first character, and '^' and '-' must not be where they are special.
 */
static int translate_class(const char **at, struct buf *out, struct error *err)
{
	CLEANUP(buf_release) struct buf items = BUF_INIT;
	const char *c = *at + 1;
	bool not = *c == '^';
	bool bracket = false;
	bool minus = false;
	bool caret = false;
	const char *start;

	c += not ;
	start = c;
	for (; *c && (*c != ']' || c == start); c++) {
		const char *range = c[0] == '\\' ? escape_in_class(c[1]) : NULL;

		if (range) {
			buf_append_str(&items, range);
			c++;
		} else if (c[0] == '\\' && strchr("DWSbB", c[1]) && c[1]) {
			return error_set(err, ERROR_INVALID,
				"'\\%c' is not supported in brackets: list the characters that it matches",
				c[1]);
		} else if (c[0] == '[' && c[1] && strchr(":.=", c[1]) && strchr(c + 2, c[1])) {
			const char *end = strchr(c, ']');

			if (!end)
				break;
			buf_append(&items, c, (size_t)(end - c) + 1);
			c = end;
		} else {
			if (c[0] == '\\' && c[1])
				c++;
			bracket |= *c == ']';
			caret |= *c == '^';
			/* Between two others it means a range. */
			if (*c == '-' && (c[-1] == '\\' || c == start || c[1] == ']'))
				minus = true;
			else if (*c != ']' && *c != '^')
				buf_append_char(&items, *c);
		}
	}
	if (!*c)
		return error_set(err, ERROR_INVALID, "a '[' of the pattern has no ']'");
	*at = c + 1;
	/* "[^]" would never end. */
	if (caret && !bracket && !items.len && !minus && !not ) {
		buf_append_str(out, "\\^");
		return 0;
	}
	buf_appendf(out, "[%s%s%s%s%s]", not ? "^" : "", bracket ? "]" : "", items.data,
		caret ? "^" : "", minus ? "-" : "");
	return 0;
}

static int translate_escape(const char **at, struct buf *out, struct error *err)
{
	char letter = (*at)[1];

	if (!letter)
		return error_set(err, ERROR_INVALID, "the pattern ends in a backslash");
	*at += 2;
	if (letter == 'd')
		buf_append_str(out, "[0-9]");
	else if (letter == 'D')
		buf_append_str(out, "[^0-9]");
	else if (strchr("tnrf", letter))
		buf_append_str(out, escape_in_class(letter));
	else if (strchr("AzZ", letter))
		buf_append_char(out, letter == 'A' ? '^' : '$');
	else if (strchr("pPxuKGRhQE", letter))
		return error_set(err, ERROR_INVALID,
			"the pattern has '\\%c', which is not known", letter);
	else
		buf_appendf(out, "\\%c", letter);
	return 0;
}

static int translate_group(const char **at, struct buf *out, struct error *err)
{
	if (!strncmp(*at, "(?:", 3)) {
		buf_append_char(out, '(');
		*at += 3;
		return 0;
	}
	if (!strncmp(*at, "(?", 2))
		return error_set(err, ERROR_INVALID,
			"the pattern has '(?', which is known only as '(?:' and, at the start, "
			"'(?i)'");
	buf_append_char(out, *(*at)++);
	return 0;
}

int line_pattern_translate(
	const char *text, bool *ignore_case, struct buf *ret_text, struct error *err)
{
	const char *at = text;

	if (!strncmp(at, "(?i)", 4)) {
		*ignore_case = true;
		at += 4;
	}
	while (*at) {
		if (*at == '\\') {
			if (translate_escape(&at, ret_text, err) < 0)
				return -1;
		} else if (*at == '[') {
			if (translate_class(&at, ret_text, err) < 0)
				return -1;
		} else if (*at == '(') {
			if (translate_group(&at, ret_text, err) < 0)
				return -1;
		} else {
			buf_append_char(ret_text, *at);
			/* A lazy or possessive one matches the same lines. */
			if (strchr("*+?}", *at) && at > text && (at[1] == '?' || at[1] == '+'))
				at++;
			at++;
		}
	}
	return 0;
}

/* --- searching --------------------------------------------------------------- */

int line_pattern_parse(const char *text, bool literal, bool ignore_case,
	struct line_pattern *ret_pattern, struct error *err)
{
	CLEANUP(buf_release) struct buf expression = BUF_INIT;
	char why[200];
	int failed;

	if (!*text)
		return error_set(err, ERROR_INVALID, "the pattern is empty");
	if (strlen(text) > LINE_PATTERN_MAX)
		return error_set(err, ERROR_INVALID, "the pattern is longer than %d bytes",
			LINE_PATTERN_MAX);
	*ret_pattern = LINE_PATTERN_INIT;
	if ((literal || !strpbrk(text, "\\^$.[]|()*+?{}")) && !ignore_case) {
		ret_pattern->text = view_of(text);
		return 0;
	}
	for (const char *c = text; literal && *c; c++)
		buf_appendf(&expression, strchr("\\^$.[]|()*+?{}", *c) ? "\\%c" : "%c", *c);
	if (!literal && line_pattern_translate(text, &ignore_case, &expression, err) < 0)
		return -1;
	failed = regcomp(&ret_pattern->expression, expression.data,
		REG_EXTENDED | (ignore_case ? REG_ICASE : 0));
	if (failed) {
		regerror(failed, &ret_pattern->expression, why, sizeof(why));
		return error_set(err, ERROR_INVALID,
			"the pattern is not a regular expression: %s; 'literal' searches for the exact text",
			why);
	}
	ret_pattern->compiled = true;
	return 0;
}

bool line_pattern_find(const struct line_pattern *pattern, struct view line, size_t *ret_start)
{
	CLEANUP(freep) char *copy = REG_STARTEND != 0 ? NULL : xmemdupz(line.data, line.len);
	regmatch_t match = {0, (regoff_t)line.len};

	if (pattern->text.len) {
		const char *at =
			memmem(line.data, line.len, pattern->text.data, pattern->text.len);

		if (at)
			*ret_start = (size_t)(at - line.data);
		return at;
	}
	if (regexec(&pattern->expression, copy ? copy : line.data, 1, &match, REG_STARTEND))
		return false;
	*ret_start = (size_t)match.rm_so;
	return true;
}

void line_pattern_release(struct line_pattern *pattern)
{
	if (pattern->compiled)
		regfree(&pattern->expression);
	*pattern = LINE_PATTERN_INIT;
}
