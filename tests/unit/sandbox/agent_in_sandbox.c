/* What an agent can do in a sandbox, and what it leaves behind. */
#include "test.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bwrap.h"
#include "fs/beneath.h"
#include "sandbox/internal.h"
#include "sandbox/ownership.h"
#include "sandbox/trial.h"
#include "tempdir.h"

#define PATIENCE_MS 120000

static struct ownership *open_owner(struct tempdir *temp)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct ownership *owner;

	if (!tempdir_exists(temp->fd, "own"))
		tempdir_mkdir(temp->fd, "own");
	if (ownership_open(temp->fd, &owner, &err) < 0)
		fail_msg("%s", err.message);
	return owner;
}

static struct sandbox_spec spec_for(struct tempdir *temp, const char *const *argv)
{
	static const char *const env[] = {"ASAN_OPTIONS=detect_leaks=0", NULL};
	struct sandbox_spec spec = SANDBOX_SPEC_INIT;

	sandbox_add_mount(&spec, openat(temp->fd, "own", O_PATH | O_CLOEXEC), SANDBOX_WORKDIR,
		SANDBOX_WRITABLE);
	spec.argv = argv;
	spec.env = env;
	spec.group = "own";
	return spec;
}

static struct trial run(struct tempdir *temp, struct sandbox_spec *spec)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct ownership *owner = open_owner(temp);
	struct trial trial = TRIAL_INIT;

	if (trial_run(owner, spec, PATIENCE_MS, &trial, &err) < 0)
		fail_msg("%s", err.message);
	while (ownership_sweep(owner))
		poll(NULL, 0, 10);
	ownership_free(owner);
	sandbox_spec_release(spec);
	return trial;
}

static void the_agent_has_its_arguments_streams_and_exit_code(void **state)
{
	struct tempdir *temp = *state;
	struct sandbox_spec spec;

	tempdir_mkdir(temp->fd, "own");
	spec = spec_for(
		temp, (const char *const[]){"sh", "-c",
			      "echo \"$1 in $PWD\"; echo oh >&2; echo kept >file; exit 7", "sh",
			      "a b", NULL});
	CLEANUP(trial_release) struct trial trial = run(temp, &spec);
	CLEANUP(freep) char *kept = tempdir_get(temp->fd, "own/file");

	assert_string_equal(trial.output.data, "a b in /workspace/agent\n");
	assert_string_equal(trial.errors.data, "oh\n");
	assert_int_equal(trial.exit_code, 7);
	assert_string_equal(kept, "kept\n");
}

static void a_program_that_is_not_there_is_said(void **state)
{
	struct tempdir *temp = *state;
	struct sandbox_spec spec;

	tempdir_mkdir(temp->fd, "own");
	spec = spec_for(temp, (const char *const[]){"./missing", NULL});
	CLEANUP(trial_release) struct trial trial = run(temp, &spec);

	assert_int_equal(trial.exit_code, 125);
	assert_string_equal(trial.errors.data,
		"nanoclaw-sandbox: cannot run './missing' in the "
		"sandbox: no such file or directory\n");
}

/* The path leads elsewhere after the file was opened: as if somebody had been quick. */
static void a_mount_that_was_replaced_is_not_given_to_the_agent(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	struct ownership *owner;
	struct sandbox *sandbox;
	struct child child;
	char errors[500] = "";

	owner = open_owner(temp);
	tempdir_mkdir(temp->fd, "shared");
	tempdir_mkdir(temp->fd, "secret");
	tempdir_put(temp->fd, "secret/key", "key");
	spec = spec_for(temp, (const char *const[]){"cat", "/workspace/extra/key", NULL});
	sandbox_add_mount(
		&spec, openat(temp->fd, "shared", O_PATH | O_CLOEXEC), "/workspace/extra", 0);
	assert_int_equal(sandbox_prepare(owner, &spec, &sandbox, &err), 0);
	renameat(temp->fd, "shared", temp->fd, "moved");
	tempdir_symlink("secret", temp->fd, "shared");
	assert_int_equal(child_start(sandbox_command(sandbox), &child, &err), 0);
	sandbox_started(sandbox, child.pid);
	assert_int_equal(poll(&(struct pollfd){child.pidfd, POLLIN, 0}, 1, PATIENCE_MS), 1);
	assert_true(read(child.errors, errors, sizeof(errors) - 1) > 0);
	assert_non_null(strstr(errors, "was replaced while the sandbox started"));
	assert_int_equal(child_reap(&child), 125);
	child_release(&child);
	sandbox_ended(sandbox);
	while (ownership_sweep(owner))
		poll(NULL, 0, 10);
	ownership_free(owner);
}

/* What the host reads of a group's folder, it reads with beneath.h. */
/* bwrap's process: with its memory, which the agent can write, it would get what it may use. */
static void the_first_process_inside_has_the_limits_of_the_agent(void **state)
{
	struct tempdir *temp = *state;
	struct sandbox_spec spec;

	tempdir_mkdir(temp->fd, "own");
	spec = spec_for(temp,
		(const char *const[]){"sh", "-c",
			"cmp /proc/1/cgroup /proc/self/cgroup && cmp /proc/1/limits /proc/self/limits",
			NULL});
	CLEANUP(trial_release) struct trial trial = run(temp, &spec);

	assert_string_equal(trial.output.data, "");
	assert_int_equal(trial.exit_code, 0);
}

static void refused(struct tempdir *temp, const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int own = openat(temp->fd, "own", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_int_equal(relpath_parse(view_of(name), &path, &err), 0);
	assert_int_equal(beneath_read(own, &path, 1000, &text, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
}

static void what_an_agent_leaves_as_a_link_or_a_pipe_is_not_read(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(closep) int naive = -1;
	struct sandbox_spec spec;

	tempdir_mkdir(temp->fd, "own");
	tempdir_put(temp->fd, "secret", "for the host");
	spec = spec_for(temp,
		(const char *const[]){"sh", "-c",
			"ln -s ../secret CLAUDE.md; ln -s .. up; mkfifo pipe; ln -s / container.json",
			NULL});
	CLEANUP(trial_release) struct trial trial = run(temp, &spec);

	assert_int_equal(trial.exit_code, 0);
	/* A reader that follows links would find the secret. */
	naive = openat(temp->fd, "own/CLAUDE.md", O_RDONLY | O_CLOEXEC);
	assert_true(naive >= 0);
	refused(temp, "CLAUDE.md");
	refused(temp, "up/secret");
	refused(temp, "pipe");
	refused(temp, "container.json");
}

static void a_running_sandbox_has_a_record_until_it_ends(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	CLEANUP(freep) char *name = NULL;
	CLEANUP(freep) char *record = NULL;
	struct ownership *owner;
	struct sandbox *sandbox;

	owner = open_owner(temp);
	spec = spec_for(temp, (const char *const[]){"true", NULL});
	assert_int_equal(sandbox_prepare(owner, &spec, &sandbox, &err), 0);
	sandbox_started(sandbox, getpid());
	name = xasprintf(OWNERSHIP_FOLDER "/%s.json", sandbox_run(sandbox));
	record = tempdir_get(temp->fd, name);
	assert_non_null(strstr(record, sandbox_run(sandbox)));
	assert_non_null(strstr(record, ownership_installation(owner)));
	/* A sweep leaves alone what is ours. */
	assert_int_equal(ownership_sweep(owner), 0);
	assert_true(tempdir_exists(temp->fd, name));
	sandbox_ended(sandbox);
	while (ownership_sweep(owner))
		poll(NULL, 0, 10);
	assert_false(tempdir_exists(temp->fd, name));
	ownership_free(owner);
}

TESTS_AFTER(bwrap_or_skip(), IN_TEMPDIR(the_agent_has_its_arguments_streams_and_exit_code),
	IN_TEMPDIR(a_program_that_is_not_there_is_said),
	IN_TEMPDIR(a_mount_that_was_replaced_is_not_given_to_the_agent),
	IN_TEMPDIR(the_first_process_inside_has_the_limits_of_the_agent),
	IN_TEMPDIR(what_an_agent_leaves_as_a_link_or_a_pipe_is_not_read),
	IN_TEMPDIR(a_running_sandbox_has_a_record_until_it_ends))
