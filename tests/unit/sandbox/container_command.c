/* podman and docker do not run here: the tests check their command lines. */
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proc/process.h"
#include "sandbox/internal.h"
#include "sandbox/ownership.h"
#include "tempdir.h"

/* What an engine says, whatever it is asked. */
static const char *engine_output = "";

/* An engine that is found in PATH. */
static void put_engine(struct tempdir *temp, const char *name)
{
	CLEANUP(freep) char *path = xasprintf("bin/%s", name);
	CLEANUP(freep) char *text = xasprintf("#!/bin/sh\necho %s\n", engine_output);

	tempdir_put(temp->fd, path, text);
	assert_int_equal(fchmodat(temp->fd, path, 0755, 0), 0);
}

static struct sandbox *prepare(struct tempdir *temp, const struct sandbox_kind *kind,
	struct ownership **ret_owner, const char *const *env)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/bin", temp->path);
	struct sandbox *sandbox = NULL;

	if (faccessat(temp->fd, "bin", F_OK, 0) < 0) {
		tempdir_mkdir(temp->fd, "bin");
		tempdir_mkdir(temp->fd, "own");
	}
	put_engine(temp, "podman");
	put_engine(temp, "docker");
	setenv("PATH", path, 1);
	assert_int_equal(ownership_open(temp->fd, ret_owner, &err), 0);
	sandbox_add_mount(&spec, openat(temp->fd, "own", O_PATH | O_CLOEXEC), SANDBOX_WORKDIR,
		SANDBOX_WRITABLE);
	sandbox_add_mount(&spec, openat(temp->fd, "bin", O_PATH | O_CLOEXEC), "/app/skills", 0);
	spec.kind = kind;
	spec.group = "family";
	spec.argv = (const char *const[]){"agent", "--flag", NULL};
	spec.env = env;
	spec.limits = (struct sandbox_limits){.memory_megabytes = 100, .processes = 20};
	if (sandbox_prepare(*ret_owner, &spec, &sandbox, &err) < 0)
		print_message("# %s\n", err.message);
	return sandbox;
}

static bool has(const struct sandbox *sandbox, const char *word)
{
	const char *const *argv = sandbox_command(sandbox)->argv;

	for (; *argv; argv++)
		if (!strcmp(*argv, word))
			return true;
	print_message("# there is no '%s'\n", word);
	return false;
}

static void promises_are_the_same(void **state, const struct sandbox_kind *kind)
{
	static const char *const words[] = {"--rm", "--read-only", "--cap-drop=all",
		"--security-opt=no-new-privileges", "--network=none", "--pids-limit=20",
		"--memory=100m", "--memory-swap=100m", "--cpus=2.00", "--pull=never",
		"--label=nanoclaw.group=family", "--workdir=/workspace/agent",
		"nanoclaw-agent:latest", "agent", "--flag"};
	struct tempdir *temp = *state;
	struct ownership *owner;
	struct sandbox *sandbox =
		prepare(temp, kind, &owner, (const char *const[]){"SECRET=geheim", NULL});
	CLEANUP(freep)
	char *own = xasprintf(
		"--mount=type=bind,source=%s/own,target=/workspace/agent", temp->path);
	CLEANUP(freep)
	char *shared = xasprintf(
		"--mount=type=bind,source=%s/bin,target=/app/skills,readonly", temp->path);
	CLEANUP(freep) char *label = xasprintf("--label=nanoclaw.run=%s", sandbox_run(sandbox));
	CLEANUP(freep)
	char *record = xasprintf("--mount=type=bind,source=%s/data/run/sandboxes/%s.json,"
				 "target=" SANDBOX_INSIDE ".run,readonly",
		temp->path, sandbox_run(sandbox));

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		assert_true(has(sandbox, words[i]));
	assert_true(has(sandbox, own));
	assert_true(has(sandbox, shared));
	assert_true(has(sandbox, label));
	assert_true(has(sandbox, record));
	for (const char *const *word = sandbox_command(sandbox)->argv; *word; word++)
		assert_null(strstr(*word, "geheim"));
	sandbox_ended(sandbox);
	ownership_free(owner);
}

static void podman_is_asked_for_the_same_walls(void **state)
{
	promises_are_the_same(state, sandbox_kind_of("podman"));
}

static void docker_is_asked_for_the_same_walls(void **state)
{
	promises_are_the_same(state, sandbox_kind_of("docker"));
}

static void a_variable_that_cannot_be_handed_on_is_refused(void **state)
{
	struct tempdir *temp = *state;
	struct ownership *owner;

	assert_null(prepare(temp, sandbox_kind_of("podman"), &owner,
		(const char *const[]){"A=b\nC=d", NULL}));
	ownership_free(owner);
}

static void an_engine_of_another_machine_is_refused(void **state)
{
	struct tempdir *temp = *state;
	struct ownership *owner;
	struct sandbox *sandbox;

	setenv("DOCKER_HOST", "tcp://192.0.2.1:2375", 1);
	assert_null(prepare(temp, sandbox_kind_of("docker"), &owner, NULL));
	ownership_free(owner);
	setenv("DOCKER_HOST", "unix:///run/docker.sock", 1);
	sandbox = prepare(temp, sandbox_kind_of("docker"), &owner, NULL);
	assert_non_null(sandbox);
	sandbox_ended(sandbox);
	ownership_free(owner);
	unsetenv("DOCKER_HOST");
	setenv("CONTAINER_HOST", "ssh://user@example.org/run/podman.sock", 1);
	assert_null(prepare(temp, sandbox_kind_of("podman"), &owner, NULL));
	ownership_free(owner);
	unsetenv("CONTAINER_HOST");
}

static void a_context_of_another_machine_is_refused(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *config = xasprintf("%s/config", temp->path);
	struct ownership *owner;
	struct sandbox *sandbox;

	tempdir_mkdir(temp->fd, "config");
	tempdir_put(temp->fd, "config/config.json", "{\"currentContext\": \"other\"}");
	setenv("DOCKER_CONFIG", config, 1);
	engine_output = "ssh://other";
	assert_null(prepare(temp, sandbox_kind_of("docker"), &owner, NULL));
	ownership_free(owner);
	unsetenv("DOCKER_CONFIG");
	setenv("DOCKER_CONTEXT", "other", 1);
	assert_null(prepare(temp, sandbox_kind_of("docker"), &owner, NULL));
	ownership_free(owner);
	engine_output = "unix:///run/docker.sock";
	sandbox = prepare(temp, sandbox_kind_of("docker"), &owner, NULL);
	assert_non_null(sandbox);
	sandbox_ended(sandbox);
	ownership_free(owner);
	engine_output = "";
	unsetenv("DOCKER_CONTEXT");
}

static int run_inside(struct tempdir *temp, const char *run)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(freep) char *launcher = process_find_own(SANDBOX_PROGRAM, &err);
	CLEANUP(freep) char *record = xasprintf("record=%s/record", temp->path);
	struct process_request request = PROCESS_REQUEST_INIT;

	request.argv =
		(const char *const[]){launcher, "inside", run, record, "--", "/bin/true", NULL};
	request.errors = (struct process_stream){PROCESS_CAPTURE, 4096};
	assert_int_equal(process_run(&request, &result, &err), 0);
	return result.exit_code;
}

static void a_record_of_another_run_ends_the_sandbox(void **state)
{
	struct tempdir *temp = *state;

	tempdir_put(temp->fd, "record", "{\"run\": \"0123456789abcdef\"}\n");
	assert_int_equal(run_inside(temp, "nanoclaw.run=0123456789abcdef"), 0);
	assert_int_equal(run_inside(temp, "nanoclaw.run=fedcba9876543210"), 125);
	assert_int_equal(unlinkat(temp->fd, "record", 0), 0);
	assert_int_equal(run_inside(temp, "nanoclaw.run=0123456789abcdef"), 125);
}

TESTS(IN_TEMPDIR(podman_is_asked_for_the_same_walls),
	IN_TEMPDIR(docker_is_asked_for_the_same_walls),
	IN_TEMPDIR(an_engine_of_another_machine_is_refused),
	IN_TEMPDIR(a_context_of_another_machine_is_refused),
	IN_TEMPDIR(a_record_of_another_run_ends_the_sandbox),
	IN_TEMPDIR(a_variable_that_cannot_be_handed_on_is_refused))
