#include "cli/rebuild/changed_tests.h"

#include <unistd.h>

#include "engine/package/pack.h"
#include "engine/state/state.h"

#define TEST_CHANGED "tools/test-changed"

/* This many changed files mean another version, whose author has run its tests. */
#define MAX_CHANGED 200

/* --- of applied skills ----------------------------------------------------------- */

static int run_skill_tests(struct host_rebuild *r, struct error *err)
{
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(string_array_release) struct string_array seen = {0};
	bool initialized;

	if (state_load(&r->assistant.project, &state, &initialized, err) < 0)
		return -1;
	for (size_t i = 0; i < state.skill_count; i++) {
		CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;
		const char *name = state.skills[i].name;
		CLEANUP(freep) char *what = xasprintf("the test of skill '%s'", name);

		if (pack_load_manifest(&r->assistant.project, name, &manifest, err) < 0)
			return -1;
		if (!manifest.test || string_array_has(&seen, manifest.test))
			continue;
		string_array_add(&seen, manifest.test);
		if (host_rebuild_command(r,
			    (const char *const[]){"sh", "-c", manifest.test, NULL}, what,
			    manifest.test, ERROR_TEST, err) < 0)
			return -1;
	}
	return 0;
}

/* --- of changed files ------------------------------------------------------------ */

int changed_tests_run(struct host_rebuild *rebuild, struct error *err)
{
	CLEANUP(string_array_release) struct string_array changed = {0};
	CLEANUP(buf_release) struct buf before = BUF_INIT;
	CLEANUP(freep) char *current = NULL;
	CLEANUP(freep) const char **argv = NULL;

	if (!rebuild->options.skills_tested && run_skill_tests(rebuild, err) < 0)
		return -1;
	current = builds_current(&rebuild->builds);
	if (!current || faccessat(rebuild->assistant.project.root, TEST_CHANGED, X_OK, 0) < 0)
		return 0;
	builds_tested(&rebuild->builds, current, &before);
	if (!before.len)
		return 0;
	build_source_changes(
		view_of_buf(&before), view_of_buf(&rebuild->source.list), &changed);
	if (!changed.count || changed.count > MAX_CHANGED)
		return 0;
	argv = xcalloc(changed.count + 2, sizeof(*argv));
	argv[0] = TEST_CHANGED;
	for (size_t i = 0; i < changed.count; i++)
		argv[i + 1] = changed.list[i];
	host_rebuild_say(rebuild, "testing what changed: %zu file%s", changed.count,
		changed.count == 1 ? "" : "s");
	return host_rebuild_command(
		rebuild, argv, "a test of what changed", TEST_CHANGED, ERROR_TEST, err);
}
