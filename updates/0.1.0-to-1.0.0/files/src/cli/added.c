#include "cli/added.h"

#include <string.h>

#include "base/buf.h"
#include "engine/disk/project.h"
#include "engine/package/package.h"
#include "engine/state/state.h"

static bool adds_command(const struct package *package, const char *command)
{
	CLEANUP(freep) char *registered = xasprintf(".name = \"%s\"", command);

	for (size_t i = 0; i < package->manifest.adds.count; i++) {
		const struct relpath *path = &package->manifest.adds.list[i].path;
		CLEANUP(error_release) struct error unreadable = ERROR_INIT;
		CLEANUP(buf_release) struct buf source = BUF_INIT;
		mode_t mode;

		if (view_starts_with(view_of(path->text), "src/cli/") &&
			view_ends_with(view_of(path->text), ".c") &&
			package_read_add(package, path, &source, &mode, &unreadable) == 0 &&
			strstr(source.data, registered))
			return true;
	}
	return false;
}

char *added_by_skill(const char *command)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(package_list_release) struct package_list packages = {0};
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	bool found;

	if (project_open(&project, &ignored) < 0 ||
		package_list_read(project.root, &packages, &ignored) < 0)
		return NULL;
	for (size_t i = 0; i < packages.count; i++) {
		const char *skill = packages.list[i].manifest.skill;

		if (!adds_command(&packages.list[i], command))
			continue;
		if (state_load(&project, &state, &found, &ignored) == 0 &&
			state_find(&state, skill))
			return xasprintf("the skill '%s' adds it, and is applied: "
					 "'nanoclaw rebuild' builds it",
				skill);
		return xasprintf("the skill '%s' adds it: 'nanoclaw skill apply %s --rebuild'",
			skill, skill);
	}
	return NULL;
}
