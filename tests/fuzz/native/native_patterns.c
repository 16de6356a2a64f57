/*
 * A pattern in the first line, a text in the rest: a path pattern without special characters
 * matches itself, and "**" matches any text; a line pattern is translated to one that regcomp()
 * accepts or rejects.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "agent/native/tools/search/line_pattern.h"
#include "agent/native/tools/search/path_pattern.h"

static bool matches(const char *text, struct view path)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(path_pattern_freep) struct path_pattern *pattern = NULL;

	return path_pattern_parse(text, &pattern, &err) == 0 &&
	       path_pattern_matches(pattern, path);
}

static void check_path(const char *pattern, struct view path)
{
	matches(pattern, path);
	assert(matches("**", path));
	if (!strpbrk(pattern, "*?[]{}\\") && *pattern && strlen(pattern) <= 1024 &&
		strncmp(pattern, "./", 2) != 0)
		assert(matches(pattern, view_of(pattern)));
}

/* Those that repeat are left to the process that they run in. */
static void check_line(const char *pattern, struct view line)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(line_pattern_release) struct line_pattern parsed = LINE_PATTERN_INIT;
	size_t start = 0;

	if (strpbrk(pattern, "{*+\\") || strlen(pattern) > 60)
		return;
	if (line_pattern_parse(pattern, false, false, &parsed, &err) == 0 &&
		line_pattern_find(&parsed, line, &start))
		assert(start <= line.len);
}

FUZZ_TARGET(native_patterns)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view rest = {(const char *)data, len};
	CLEANUP(freep) char *pattern = NULL;
	CLEANUP(freep) char *text = NULL;
	bool ignore_case = false;
	struct view first;

	if (len > 4000 || !view_next(&rest, '\n', &first))
		return 0;
	pattern = xmemdupz(first.data, first.len);
	text = xmemdupz(rest.data, rest.len);
	rest.data = text;
	check_path(pattern, rest);
	line_pattern_translate(pattern, &ignore_case, &out, &err);
	check_line(pattern, rest);
	return 0;
}
