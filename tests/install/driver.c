#include "driver.h"

#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/commit/finish.h"
#include "engine/operation/apply.h"
#include "engine/session/drift.h"

struct driver driver_new(const struct tempdir *temp)
{
	struct driver driver = {.temp = temp, .project = PROJECT_INIT};
	CLEANUP(freep)
	char *path = xasprintf("%s/bin:%s", temp->path, getenv("PATH") ? getenv("PATH") : "");

	tempdir_mkdir(temp->fd, "bin");
	tempdir_mkdir(temp->fd, "project");
	setenv("PATH", path, 1);
	unsetenv("NANOCLAW_INSTALL");
	unsetenv("NANOCLAW_INSTALL_TIMEOUT");
	driver.project.path = xasprintf("%s/project", temp->path);
	driver.project.root = openat(temp->fd, "project", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(driver.project.root >= 0);
	driver.options.allow_commands = true;
	driver.options.test_seconds = DEFAULT_TEST_SECONDS;
	driver_put(&driver, "VERSION", "1.0.0\n");
	driver_put(&driver, "package.json", MANIFEST_BEFORE);
	return driver;
}

void driver_put(const struct driver *driver, const char *name, const char *content)
{
	tempdir_put(driver->project.root, name, content);
}

char *driver_get(const struct driver *driver, const char *name)
{
	return tempdir_get(driver->project.root, name);
}

bool driver_has(const struct driver *driver, const char *name)
{
	return tempdir_exists(driver->project.root, name);
}

void driver_script(const struct driver *driver, const char *name, const char *text)
{
	CLEANUP(freep) char *path = xasprintf("bin/%s", name);
	CLEANUP(freep) char *script = xasprintf("#!/bin/sh\nset -e\n%s", text);

	tempdir_put(driver->temp->fd, path, script);
	assert_int_equal(fchmodat(driver->temp->fd, path, 0755, 0), 0);
}

void driver_begin(struct driver *driver)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	const char *const names[] = {"hello"};
	struct operation_options options = driver->options;

	options.no_test = true;
	tempdir_mkdir(driver->project.root, "skills");
	tempdir_mkdir(driver->project.root, "skills/hello");
	tempdir_mkdir(driver->project.root, "skills/hello/add");
	driver_put(driver, "skills/hello/manifest.yaml",
		"skill: hello\nversion: 1.0.0\ncore_version: 1.0.0\nadds:\n  - hello.txt\n"
		"modifies: []\ntest: test ! -e ../test-fails\n");
	driver_put(driver, "skills/hello/add/hello.txt", "hello\n");
	if (apply_skills(&driver->project, APPLY_OPERATION, names, 1, &options, &result, &err) <
		0)
		fail_msg("%s", err.message);
}

/* What a skill with such a dependency makes of manifest and state. */
static int stage(struct session *s, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	struct yaml_node *outcomes =
		yaml_need(s->state.doc->root, "structured_outcomes", YAML_MAPPING);
	struct yaml_node *packages = yaml_need(outcomes, "npm_dependencies", YAML_MAPPING);
	struct layer_file file = layer_file_of_content(view_of(MANIFEST_AFTER), 0644);

	yaml_set_string(yaml_need(packages, "is-number", YAML_MAPPING), "range", "^7.0.0");
	s->dependencies_changed = true;
	if (relpath_parse(view_of("package.json"), &path, err) < 0 ||
		state_record_resolved(&s->state, "hello", &path, &file, err) < 0)
		return -1;
	return transaction_put(s->tx, &path, view_of(MANIFEST_AFTER), 0644, err);
}

int driver_change(struct driver *driver, struct error *err)
{
	CLEANUP(session_release) struct session s = {.base = -1};
	struct string_array skills = {
		.list = (char *[]){(char *)(uintptr_t) "hello"}, .count = 1};

	operation_result_release(&driver->result);
	driver->result = OPERATION_RESULT_INIT;
	if (session_open(&s, &driver->project, "skill apply hello", NULL, &driver->options,
		    &driver->result, err) < 0)
		return -1;
	if (session_open_base(&s, err) < 0 || stage(&s, err) < 0)
		return finish_fail(&s, err);
	return driver->options.dry_run ? finish_dry(&s, &skills, err)
				       : finish(&s, &skills, err);
}

bool driver_warned(const struct driver *driver, const char *text)
{
	for (size_t i = 0; i < driver->result.warning_count; i++)
		if (strstr(driver->result.warnings[i], text))
			return true;
	return false;
}

size_t driver_drift(const struct driver *driver)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(drift_list_release) struct drift_list drift = DRIFT_LIST_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	bool found;

	if (state_load(&driver->project, &state, &found, &err) < 0 ||
		drift_find(&driver->project, &state, &drift, &err) < 0)
		fail_msg("%s", err.message);
	return drift.count;
}

void driver_release(struct driver *driver)
{
	operation_result_release(&driver->result);
	free(driver->project.path);
	closep(&driver->project.root);
}
