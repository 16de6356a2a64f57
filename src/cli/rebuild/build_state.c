#include "cli/rebuild/build_state.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "builds/builds.h"
#include "format/json.h"

/* A program in a build folder of this tree is up to date if no source file is newer. */
static bool build_is_as_new(const struct project *project, const char *program)
{
	CLEANUP(freep) char *prefix = xasprintf("%s/build", project->path);
	struct stat st;

	return !strncmp(program, prefix, strlen(prefix)) && stat(program, &st) == 0 &&
	       !build_source_has_newer(project->root, st.st_mtim);
}

static bool build_is_up_to_date(const struct project *project, const char *source,
	const char *program, const char *build)
{
	if (build)
		return !strcmp(build, source);
	return program && build_is_as_new(project, program);
}

json_t *build_state(const struct project *project, const json_t *host)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(builds_release) struct builds builds = BUILDS_INIT;
	CLEANUP(build_source_release) struct build_source source = BUILD_SOURCE_INIT;
	const char *program = json_string_value(json_object_get(host, "program"));
	CLEANUP(freep) char *running = NULL;
	CLEANUP(freep) char *current = NULL;
	CLEANUP(freep) char *failed = NULL;
	CLEANUP(freep) char *reason = NULL;

	if (!build_source_is_own(project->root) ||
		builds_open(project->root, project->path, &builds, &ignored) < 0)
		return json_null();
	current = builds_current(&builds);
	running = program ? builds_name_of(&builds, program) : NULL;
	if ((!current && !program) || build_source_read(project->root, &source, &ignored) < 0)
		return json_null();
	builds_failed(&builds, &failed, &reason);
	return json_build("source:s current:s running:s upToDate:b takenBack:o", source.name,
		current, running,
		build_is_up_to_date(project, source.name, program, program ? running : current),
		failed && !strcmp(failed, source.name) ? json_text(view_of(reason))
						       : json_null());
}

void build_state_print(const json_t *state)
{
	const char *reason = json_string_value(json_object_get(state, "takenBack"));

	if (!json_is_object(state) || json_is_true(json_object_get(state, "upToDate")))
		return;
	if (reason)
		printf("the build of this source was rolled back: %s\n", reason);
	printf("the assistant's program is not built from this source; 'nanoclaw rebuild' "
	       "changes that\n");
}
