/*
 * Installing with npm itself, from the registry. Skipped where that cannot be had.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "engine/disk/command.h"
#include "engine/package/semver.h"

/* A command in the project; true if it ended well. */
static bool run(const struct project *project, const char *line)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	return command_run(project,
		       &(struct command_request){
			       .argv = (const char *const[]){"/bin/sh", "-c", line, NULL},
			       .what = "a preparation",
			       .shown = line,
			       .kind = ERROR_FAILED,
			       .installs = true,
			       .seconds = 300,
		       },
		       &err) == 0;
}

/* npm has its cache in the temporary folder, so that nothing of ours is in its way. */
static void prepare(const struct driver *d)
{
	CLEANUP(freep) char *cache = xasprintf("%s/cache", d->temp->path);

	setenv("npm_config_cache", cache, 1);
	setenv("npm_config_update_notifier", "false", 1);
	/* As npm has it: without addresses in the lockfile its cache is of little use. */
	setenv("npm_config_omit_lockfile_registry_resolved", "false", 1);
}

static void assert_same(const struct driver *d, const char *name, const char *content)
{
	CLEANUP(freep) char *found = driver_get(d, name);

	assert_non_null(found);
	assert_string_equal(found, content);
}

static void a_package_from_the_registry_is_installed_and_recorded(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(semver_release) struct semver version = {0};

	prepare(&d);
	driver_begin(&d);
	if (driver_change(&d, &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(d.result.install.count, 1);
	assert_int_equal(
		semver_parse(view_of(d.result.install.packages[0].version), &version, &err), 0);
	assert_int_equal(version.major, 7);
	assert_true(driver_has(&d, "package-lock.json"));
	assert_true(driver_has(&d, "node_modules/is-number/package.json"));
	assert_same(&d, "package.json", MANIFEST_AFTER);
	assert_int_equal(driver_drift(&d), 0);
}

static void a_failing_test_gives_the_modules_back_from_the_cache(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);
	CLEANUP(freep) char *lock = NULL;

	prepare(&d);
	driver_put(&d, "package.json",
		"{\n  \"name\": \"sample\",\n  \"dependencies\": {\n    \"is-odd\": "
		"\"3.0.1\"\n  }\n}\n");
	assert_true(run(&d.project, "npm install --no-audit --no-fund"));
	lock = driver_get(&d, "package-lock.json");
	driver_begin(&d);
	tempdir_put(d.temp->fd, "test-fails", "");
	/* The new manifest takes is-odd out, and so does npm. */
	assert_int_equal(driver_change(&d, &err), -1);
	assert_int_equal(err.kind, ERROR_TEST);
	assert_true(driver_warned(&d, "'node_modules' was brought back from the cache of npm"));
	assert_true(driver_has(&d, "node_modules/is-odd/package.json"));
	assert_same(&d, "package-lock.json", lock);
	assert_int_equal(driver_drift(&d), 0);
}

static void a_package_that_does_not_exist_leaves_everything_as_it_was(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(driver_release) struct driver d = driver_new(*state);

	prepare(&d);
	driver_begin(&d);
	setenv("NANOCLAW_INSTALL", "npm install is-number@99.99.99 --no-audit --no-fund", 1);
	assert_int_equal(driver_change(&d, &err), -1);
	unsetenv("NANOCLAW_INSTALL");
	assert_int_equal(err.kind, ERROR_FAILED);
	assert_non_null(strstr(err.message, "ETARGET"));
	assert_same(&d, "package.json", MANIFEST_BEFORE);
	assert_false(driver_has(&d, "package-lock.json"));
	assert_false(driver_has(&d, "node_modules"));
	assert_int_equal(driver_drift(&d), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TEMPDIR(a_package_from_the_registry_is_installed_and_recorded),
		IN_TEMPDIR(a_failing_test_gives_the_modules_back_from_the_cache),
		IN_TEMPDIR(a_package_that_does_not_exist_leaves_everything_as_it_was),
	};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project here = PROJECT_INIT;

	if (project_open_here(&here, &err) < 0)
		return 1;
	if (!run(&here, "npm view is-number@7.0.0 version --fetch-retries=1 "
			"--fetch-timeout=20000")) {
		puts("1..0 # SKIP npm is missing, or cannot reach a registry");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
