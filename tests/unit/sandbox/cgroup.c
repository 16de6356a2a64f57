#include "test.h"

#include <string.h>
#include <unistd.h>

#include "sandbox/limits/cgroup.h"
#include "sandbox/sandbox.h"
#include "tempdir.h"

static const struct sandbox_limits limits = {100, 20, 150, 0, 0};

static void got(struct tempdir *temp, const char *name, const char *content)
{
	CLEANUP(freep) char *text = tempdir_get(temp->fd, name);

	assert_non_null(text);
	assert_string_equal(text, content);
}

/* The files that the kernel would make. */
static void make(struct tempdir *temp, const char *folder, const char *const *files)
{
	tempdir_mkdir(temp->fd, folder);
	for (; *files; files++) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", folder, *files);

		tempdir_put(temp->fd, path, "");
	}
}

static void each_hierarchy_of_version_1_is_found(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(cgroup_place_release) struct cgroup_place place = {0};

	tempdir_mkdir(temp->fd, "memory");
	tempdir_mkdir(temp->fd, "memory/own");
	tempdir_mkdir(temp->fd, "cpu");
	cgroup_find_in(temp->path,
		view_of("5:memory:/own\n4:pids:/not-there\n3:cpu,cpuacct:/\n0::/\n"), &place);
	assert_false(place.unified);
	assert_non_null(strstr(place.folders[CGROUP_MEMORY], "/memory/own"));
	assert_non_null(strstr(place.folders[CGROUP_CPU], "/cpu"));
	assert_null(place.folders[CGROUP_PIDS]);
}

static void controllers_of_version_2_are_enabled_and_the_host_moves_down(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(cgroup_place_release) struct cgroup_place place = {0};

	make(temp, "own", (const char *const[]){"cgroup.subtree_control", NULL});
	tempdir_put(temp->fd, "own/cgroup.controllers", "cpu memory\n");
	make(temp, "own/host", (const char *const[]){"cgroup.procs", NULL});
	cgroup_find_in(temp->path, view_of("0::/own\n"), &place);
	assert_true(place.unified);
	got(temp, "own/host/cgroup.procs", "0");
	assert_non_null(place.folders[CGROUP_MEMORY]);
	assert_non_null(place.folders[CGROUP_CPU]);
	assert_null(place.folders[CGROUP_PIDS]);
}

static void nothing_is_found_where_nothing_may_be_written(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(cgroup_place_release) struct cgroup_place place = {0};

	cgroup_find_in(temp->path, view_of("4:memory:/x\n0::/y\n"), &place);
	for (int i = 0; i < CGROUP_CONTROLLERS; i++)
		assert_null(place.folders[i]);
}

/* The kernel makes the files; here they are not there, so that no limit can be set. */
static void a_limit_that_cannot_be_set_is_not_counted_on(void **state)
{
	struct tempdir *temp = *state;
	struct cgroup_place place = {.folders = {[CGROUP_MEMORY] = temp->path}};
	CLEANUP(cgroup_release) struct cgroup cgroup = {0};

	cgroup_make(&place, "nanoclaw-a-b", &limits, &cgroup);
	assert_int_equal(cgroup.count, 1);
	assert_false(cgroup.limits_memory);
	assert_true(cgroup_remove(&cgroup));
	assert_false(tempdir_exists(temp->fd, "nanoclaw-a-b"));
}

static void find_one(const char *folder, const char *name, void *data)
{
	(void)folder;
	assert_string_equal(name, "nanoclaw-a-1");
	++*(int *)data;
}

static void only_those_of_one_installation_are_listed(void **state)
{
	struct tempdir *temp = *state;
	struct cgroup_place place = {.folders = {[CGROUP_PIDS] = temp->path}};
	int count = 0;

	tempdir_mkdir(temp->fd, "nanoclaw-a-1");
	tempdir_mkdir(temp->fd, "nanoclaw-b-1");
	tempdir_mkdir(temp->fd, "other");
	cgroup_each(&place, "nanoclaw-a-", find_one, &count);
	assert_int_equal(count, 1);
}

TESTS(IN_TEMPDIR(each_hierarchy_of_version_1_is_found),
	IN_TEMPDIR(controllers_of_version_2_are_enabled_and_the_host_moves_down),
	IN_TEMPDIR(nothing_is_found_where_nothing_may_be_written),
	IN_TEMPDIR(a_limit_that_cannot_be_set_is_not_counted_on),
	IN_TEMPDIR(only_those_of_one_installation_are_listed))
