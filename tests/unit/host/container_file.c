/* container.json on the disk: made, changed in place, and whole after every crash. */
#include "test.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault.h"
#include "format/json.h"
#include "group/container_cache.h"
#include "group/container_file.h"
#include "tempdir.h"

#define FILE_NAME "groups/g/container.json"
#define JOURNAL   "data/run/container-g.json"
#define OLD       "{\"x\": \"mine\", \"agent\": \"one\"}\n"
#define NEW       "{\"x\": \"mine\", \"agent\": \"another one\"}\n"

static void make_group(struct tempdir *temp, const char *text)
{
	tempdir_mkdir(temp->fd, "groups");
	tempdir_mkdir(temp->fd, "groups/g");
	if (text)
		tempdir_put(temp->fd, FILE_NAME, text);
}

static ino_t inode_of(struct tempdir *temp)
{
	struct stat st;

	assert_int_equal(fstatat(temp->fd, FILE_NAME, &st, AT_SYMLINK_NOFOLLOW), 0);
	return st.st_ino;
}

static int set_agent(struct tempdir *temp, const char *agent, struct error *err)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(json_decrefp) json_t *value = json_string(agent);

	return container_set(temp->fd, "g", "agent", value, &container, err);
}

static void contains(struct tempdir *temp, const char *text)
{
	CLEANUP(freep) char *got = tempdir_get(temp->fd, FILE_NAME);

	assert_string_equal(got, text);
}

static void an_agent_never_starts_without_a_file(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(container_release) struct container container = CONTAINER_INIT;

	make_group(temp, NULL);
	assert_int_equal(container_load(temp->fd, "g", &container, &err), 0);
	contains(temp, "{}\n");
}

/* A mount of it in a sandbox stays what it is. */
static void a_change_keeps_the_file_the_same_one(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	ino_t before;

	make_group(temp, OLD);
	before = inode_of(temp);
	assert_int_equal(set_agent(temp, "another one", &err), 0);
	contains(temp, NEW);
	assert_int_equal(inode_of(temp), before);
	assert_int_equal(set_agent(temp, "one", &err), 0);
	contains(temp, OLD);
	assert_int_equal(inode_of(temp), before);
}

static void a_file_with_another_name_elsewhere_is_left_alone(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *other = NULL;

	make_group(temp, OLD);
	assert_int_equal(linkat(temp->fd, FILE_NAME, temp->fd, "other", 0), 0);
	assert_int_equal(set_agent(temp, "another one", &err), 0);
	contains(temp, NEW);
	other = tempdir_get(temp->fd, "other");
	assert_string_equal(other, OLD);
}

static void a_link_is_not_written_through(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *other = NULL;

	make_group(temp, NULL);
	tempdir_put(temp->fd, "other", OLD);
	tempdir_symlink("../../other", temp->fd, FILE_NAME);
	assert_int_equal(set_agent(temp, "another one", &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	other = tempdir_get(temp->fd, "other");
	assert_string_equal(other, OLD);
}

static void a_fault_changes_nothing(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	make_group(temp, OLD);
	assert_int_equal(set_agent(temp, "", &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	contains(temp, OLD);
	assert_false(tempdir_exists(temp->fd, JOURNAL));
}

/* --- crashes ----------------------------------------------------------------- */

/* Change it in a process that dies at call `at`; true if it was still alive then. */
static bool dies(struct tempdir *temp, enum fault_mode mode, unsigned long at)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		fault_arm(mode, at);
		_exit(set_agent(temp, "another one", &err) < 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status);
}

static void survives(struct tempdir *temp, enum fault_mode mode)
{
	bool killed = true;

	for (unsigned long at = 1; killed; at++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(container_release) struct container container = CONTAINER_INIT;
		CLEANUP(freep) char *text = NULL;

		tempdir_put(temp->fd, FILE_NAME, OLD);
		killed = dies(temp, mode, at);
		assert_int_equal(container_load(temp->fd, "g", &container, &err), 0);
		text = tempdir_get(temp->fd, FILE_NAME);
		assert_true(!strcmp(text, NEW) || (killed && !strcmp(text, OLD)));
		assert_false(tempdir_exists(temp->fd, JOURNAL));
	}
}

static void a_crash_at_any_call_leaves_the_old_or_the_new_one(void **state)
{
	struct tempdir *temp = *state;

	make_group(temp, OLD);
	survives(temp, FAULT_KILL);
	survives(temp, FAULT_TORN);
}

/* --- a file that an agent could write ------------------------------------------ */

struct kept {
	const char *text;
	char changed[100];
};

static const char *held(void *data, const char *path)
{
	struct kept *kept = data;

	return strcmp(path, FILE_NAME) ? NULL : kept->text;
}

static int change(void *data, const char *path, const char *text, struct error *err)
{
	struct kept *kept = data;

	(void)err;
	assert_string_equal(path, FILE_NAME);
	snprintf(kept->changed, sizeof(kept->changed), "%s", text);
	return 0;
}

static void what_is_kept_elsewhere_counts_and_not_the_file(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(container_release) struct container loaded = CONTAINER_INIT;
	struct kept kept = {.text = OLD};
	struct container_keeper keeper = {held, change, &kept};

	make_group(temp, "{\"agent\": \"evil\"}\n");
	container_set_keeper(&keeper);
	assert_int_equal(container_load(temp->fd, "g", &loaded, &err), 0);
	assert_string_equal(loaded.agent, "one");
	assert_int_equal(set_agent(temp, "another one", &err), 0);
	container_set_keeper(NULL);
	assert_string_equal(kept.changed, NEW);
	contains(temp, NEW);
}

static void what_is_remembered_is_read_again_after_a_change(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(container_cache_release) struct container_cache cache = {0};
	const struct container *container;
	const struct container *again;

	make_group(temp, OLD);
	assert_int_equal(container_cache_look(&cache, temp->fd, "g", &container, &err), 0);
	assert_string_equal(container->agent, "one");
	assert_int_equal(container_cache_look(&cache, temp->fd, "g", &again, &err), 0);
	assert_ptr_equal(again, container);
	assert_int_equal(set_agent(temp, "another one", &err), 0);
	assert_int_equal(container_cache_look(&cache, temp->fd, "g", &container, &err), 0);
	assert_string_equal(container->agent, "another one");
	tempdir_put(temp->fd, FILE_NAME, "{\"agent\": 5}\n");
	assert_int_equal(container_cache_look(&cache, temp->fd, "g", &container, &err), -1);
}

TESTS(IN_TEMPDIR(what_is_remembered_is_read_again_after_a_change),
	IN_TEMPDIR(what_is_kept_elsewhere_counts_and_not_the_file),
	IN_TEMPDIR(an_agent_never_starts_without_a_file),
	IN_TEMPDIR(a_change_keeps_the_file_the_same_one),
	IN_TEMPDIR(a_file_with_another_name_elsewhere_is_left_alone),
	IN_TEMPDIR(a_link_is_not_written_through), IN_TEMPDIR(a_fault_changes_nothing),
	IN_TEMPDIR(a_crash_at_any_call_leaves_the_old_or_the_new_one))
