#include "cli/conflict/resolution_into.h"

#include <string.h>

#include "engine/resolution/resolution_folder.h"

int resolution_into(const struct project *project, const char *name, const char *typed,
	const char *usual, struct relpath *ret_folder, struct error *err)
{
	struct view text = view_of(typed ? typed : usual);
	size_t root = strlen(project->path);

	if (view_starts_with(text, project->path) && text.len > root && text.data[root] == '/')
		text = view_slice(text, root + 1, text.len);
	while (view_starts_with(text, "./"))
		text = view_slice(text, 2, text.len);
	while (text.len > 1 && text.data[text.len - 1] == '/')
		text.len--;
	if (relpath_parse(text, ret_folder, err) < 0) {
		error_prefix(err, "'%s'", name);
		return error_hint(err, "name a folder relative to the project's root");
	}
	if (relpath_protected(ret_folder) && strcmp(ret_folder->text, RESOLUTIONS_OWN) != 0) {
		error_set(err, ERROR_INVALID, "'%s': '%s' cannot hold resolutions", name,
			ret_folder->text);
		return error_hint(err, "'" RESOLUTIONS_SHIPPED "' is shipped with the project");
	}
	return 0;
}
