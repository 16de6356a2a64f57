/*
 * Two lines as ranges: their intersection can be parsed again, has the same versions, does not
 * depend on the order, and is unchanged when intersected again with either of them.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/structured/npm/semver_range.h"
#include "fuzz.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

static bool read_versions(
	const char *text, struct arena *arena, struct semver_versions *ret_versions)
{
	struct semver_range range = SEMVER_RANGE_INIT;

	if (!semver_range_parse(view_of(text), arena, &range)) {
		require(!range.count);
		return false;
	}
	require(range.count > 0);
	for (size_t i = 0; i < range.count; i++)
		require(range.sets[i].count > 0);
	*ret_versions = semver_versions_of(&range, arena);
	return true;
}

static bool intersect(const char *a, const char *b, struct buf *ret_text)
{
	return semver_range_intersection((const char *[]){a, b}, 2, ret_text);
}

static void check_common(const char *a, const char *b, struct arena *arena,
	const struct semver_versions *expected)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf other = BUF_INIT;
	CLEANUP(buf_release) struct buf again = BUF_INIT;
	struct semver_versions found, repeated;
	bool any = intersect(a, b, &text);

	require(any == intersect(b, a, &other) && !strcmp(text.data, other.data));
	require(!any || !semver_versions_none(expected));
	if (!any) {
		bool may_be_too_long = strlen(a) + strlen(b) > 512;

		require(may_be_too_long || semver_versions_none(expected));
		return;
	}
	require(read_versions(text.data, arena, &found));
	require(semver_versions_equal(&found, expected));
	require(intersect(text.data, a, &again));
	require(read_versions(again.data, arena, &repeated));
	require(semver_versions_equal(&repeated, expected));
}

FUZZ_TARGET(semver_range)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct view rest = {(const char *)data, len};
	struct view line_a = {0}, line_b = {0};
	CLEANUP(freep) char *a = NULL, *b = NULL;
	struct semver_versions versions_a, versions_b, common;

	view_next(&rest, '\n', &line_a);
	view_next(&rest, '\n', &line_b);
	a = xmemdupz(line_a.data ? line_a.data : "", line_a.len);
	b = xmemdupz(line_b.data ? line_b.data : "", line_b.len);
	if (!read_versions(a, &arena, &versions_a) || !read_versions(b, &arena, &versions_b))
		return 0;
	common = semver_versions_common(&versions_a, &versions_b, &arena);
	check_common(a, b, &arena, &common);
	return 0;
}
