#include "../test.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "host/agent/group_log.h"
#include "tempdir.h"

static void make_group(struct tempdir *temp)
{
	tempdir_mkdir(temp->fd, "groups");
	tempdir_mkdir(temp->fd, "groups/a");
	tempdir_mkdir(temp->fd, "groups/a/logs");
}

static void every_line_is_kept_with_its_time(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *text = NULL;

	make_group(temp);
	group_log(temp->fd, "a", view_of("one\n\ntwo\n"));
	group_log(temp->fd, "a", view_of("three"));
	text = tempdir_get(temp->fd, "groups/a/logs/agent.log");
	assert_non_null(strstr(text, "Z  one\n"));
	assert_non_null(strstr(text, "Z  two\n"));
	assert_non_null(strstr(text, "Z  three\n"));
}

static void nothing_to_say_makes_no_file(void **state)
{
	struct tempdir *temp = *state;

	make_group(temp);
	group_log(temp->fd, "a", view_of(" \n"));
	assert_false(tempdir_exists(temp->fd, "groups/a/logs/agent.log"));
}

static void a_full_log_is_put_aside(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *path = xasprintf("%s/groups/a/logs/agent.log", temp->path);
	CLEANUP(freep) char *text = NULL;

	make_group(temp);
	tempdir_put(temp->fd, "groups/a/logs/agent.log", "old\n");
	assert_int_equal(truncate(path, GROUP_LOG_MAX), 0);
	group_log(temp->fd, "a", view_of("new"));
	text = tempdir_get(temp->fd, "groups/a/logs/agent.log");
	assert_true(strlen(text) < 100);
	assert_true(tempdir_exists(temp->fd, "groups/a/logs/agent.log.1"));
}

static void a_link_is_not_followed(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *text = NULL;

	make_group(temp);
	tempdir_put(temp->fd, "victim", "mine\n");
	tempdir_symlink("../../../victim", temp->fd, "groups/a/logs/agent.log");
	group_log(temp->fd, "a", view_of("evil"));
	text = tempdir_get(temp->fd, "victim");
	assert_string_equal(text, "mine\n");
}

static void a_file_with_another_name_is_left_alone(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *text = NULL;

	make_group(temp);
	tempdir_put(temp->fd, "victim", "mine\n");
	assert_int_equal(linkat(temp->fd, "victim", temp->fd, "groups/a/logs/agent.log", 0), 0);
	group_log(temp->fd, "a", view_of("evil"));
	text = tempdir_get(temp->fd, "victim");
	assert_string_equal(text, "mine\n");
}

static void a_fifo_does_not_hold_us_up(void **state)
{
	struct tempdir *temp = *state;

	make_group(temp);
	tempdir_fifo(temp->fd, "groups/a/logs/agent.log");
	group_log(temp->fd, "a", view_of("text"));
	assert_true(tempdir_exists(temp->fd, "groups/a/logs/agent.log"));
}

static void a_folder_that_is_a_link_is_left_alone(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, "groups");
	tempdir_mkdir(temp->fd, "groups/a");
	tempdir_mkdir(temp->fd, "elsewhere");
	tempdir_symlink("../../elsewhere", temp->fd, "groups/a/logs");
	group_log(temp->fd, "a", view_of("evil"));
	assert_false(tempdir_exists(temp->fd, "elsewhere/agent.log"));
}

TESTS(IN_TEMPDIR(every_line_is_kept_with_its_time), IN_TEMPDIR(nothing_to_say_makes_no_file),
	IN_TEMPDIR(a_full_log_is_put_aside), IN_TEMPDIR(a_link_is_not_followed),
	IN_TEMPDIR(a_file_with_another_name_is_left_alone),
	IN_TEMPDIR(a_fifo_does_not_hold_us_up),
	IN_TEMPDIR(a_folder_that_is_a_link_is_left_alone))
