#include "engine/look/selection.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"

/* Add the components of `text`; ".." removes one. False if there is none to remove. */
static bool add_components(struct buf *path, struct view text)
{
	struct view part;

	while (view_next(&text, '/', &part)) {
		if (!part.len || view_equal_str(part, "."))
			continue;
		if (view_equal_str(part, "..")) {
			char *slash = strrchr(path->data, '/');

			if (!slash)
				return false;
			buf_set_len(path, (size_t)(slash - path->data));
			continue;
		}
		buf_append_char(path, '/');
		buf_append(path, part.data, part.len);
	}
	return true;
}

static int refuse_path(const char *argument, const char *why, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(argument));

	return error_set(err, ERROR_INVALID, "%s %s", shown, why);
}

int selection_add(struct selection *selection, const struct project *project,
	const char *argument, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf absolute = BUF_INIT; /* without "." and ".." */
	CLEANUP(freep) char *here = getcwd(NULL, 0);
	struct view root = view_of(strcmp(project->path, "/") ? project->path : "");

	if (!here)
		return error_errno(err, "cannot determine the current folder");
	if (argument[0] != '/')
		add_components(&absolute, view_of(here));
	if (!*argument || !add_components(&absolute, view_of(argument)))
		return refuse_path(argument, "is not a path in the project", err);
	if (!selection_below(view_of_buf(&absolute), root)) {
		refuse_path(argument, "is outside the project", err);
		return error_hint(err, "the project is '%s'", project->path);
	}
	if (absolute.len <= root.len + 1) {
		selection->whole = true;
		return 0;
	}
	if (relpath_parse(view_slice(view_of_buf(&absolute), root.len + 1, absolute.len), &path,
		    err) < 0)
		return -1;
	if (relpath_protected(&path))
		return refuse_path(argument, "is not recorded", err);
	GROW(selection->list, selection->count, selection->cap);
	selection->list[selection->count++] = path;
	path = RELPATH_INIT;
	return 0;
}

bool selection_below(struct view path, struct view folder)
{
	return path.len >= folder.len && view_equal(view_slice(path, 0, folder.len), folder) &&
	       (path.len == folder.len || path.data[folder.len] == '/');
}

bool selection_has(const struct selection *selection, struct view path)
{
	if (selection->whole || !selection->count)
		return true;
	for (size_t i = 0; i < selection->count; i++)
		if (selection_below(path, relpath_view(&selection->list[i])))
			return true;
	return false;
}

void selection_release(struct selection *selection)
{
	for (size_t i = 0; i < selection->count; i++)
		relpath_release(&selection->list[i]);
	free(selection->list);
}
