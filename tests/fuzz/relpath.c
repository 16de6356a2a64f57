/*
 * Any bytes as a path: what relpath_parse() accepts keeps the promises of
 * relpath.h, and its parts put together again are the same path.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fs/relpath.h"
#include "fuzz.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_components(const struct relpath *path)
{
	CLEANUP(buf_release) struct buf again = BUF_INIT;
	struct view rest = relpath_view(path);
	struct view component;
	unsigned count = 0;

	while (relpath_next(&rest, &component)) {
		require(component.len > 0 && component.len <= RELPATH_COMPONENT_MAX);
		require(!view_equal_str(component, ".") && !view_equal_str(component, ".."));
		require(!memchr(component.data, '/', component.len));
		/* Protected names that need no folding. */
		if (view_equal_str(component, ".git") ||
			(!count && view_equal_str(component, ".nanoclaw")))
			require(relpath_protected(path));
		if (count++)
			buf_append_char(&again, '/');
		buf_append(&again, component.data, component.len);
	}
	require(count == relpath_depth(path));
	require(!strcmp(again.data, path->text));
}

static void check_parent(const struct relpath *path)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath parent = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath joined = RELPATH_INIT;
	bool below = relpath_parent(path, &parent);

	require(below == (relpath_depth(path) > 1));
	require(!relpath_join(
		below ? &parent : NULL, view_of(relpath_base(path)), &joined, &err));
	require(!relpath_compare(path, &joined));
	if (below && relpath_protected(&parent))
		require(relpath_protected(path));
}

static void check_quoted(const struct relpath *path)
{
	CLEANUP(freep) char *shown = relpath_quote(path);

	for (const char *p = shown; *p; p++)
		require((unsigned char)*p >= 0x20 && *p != 0x7f);
}

FUZZ_TARGET(relpath)
{
	struct view text = {(const char *)data, len};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (relpath_parse(text, &path, &err) < 0) {
		require(err.kind == ERROR_INVALID && err.message && !path.text);
		return 0;
	}
	require(len > 0 && len <= RELPATH_MAX && strlen(path.text) == len);
	require(!memcmp(path.text, data, len));
	check_components(&path);
	check_parent(&path);
	check_quoted(&path);
	return 0;
}
