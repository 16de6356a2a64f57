/*
 * What a sandbox costs: a program from the request to its end, in a sandbox, as a ratio to the
 * same program without one.
 *
 *	bench-sandbox FOLDER AGENT [IMAGE]
 *
 * bwrap and landlock, and with an image for it podman; and the start of AGENT, the built-in one,
 * up to its first line, by the launcher and without it. What sandboxes cost while they run is
 * not measured: the processor executes the same instructions.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sandbox/trial.h"
#include "timing.h"

#define BWRAP_RUNS  60
#define PODMAN_RUNS 10
#define PATIENCE_MS 60000

static const char *const program[] = {"/bin/true", NULL};

static int64_t run_inside(struct ownership *owner, struct sandbox_spec *spec)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(trial_release) struct trial trial = TRIAL_INIT;
	int64_t start = timing_now();

	if (trial_run(owner, spec, PATIENCE_MS, &trial, &err) < 0 || trial.exit_code) {
		fprintf(stderr, "bench: %s\n", err.message ? err.message : trial.errors.data);
		exit(1);
	}
	return timing_now() - start;
}

static void compare(int root, const struct sandbox_kind *kind, const char *image, size_t runs)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	struct ownership *owner;
	int64_t inside[BWRAP_RUNS];
	int64_t bare[BWRAP_RUNS];

	if (sandbox_probe(kind, image, NULL, &err) < 0) {
		printf("sandbox: %s is not measured: %s\n", kind->name, err.message);
		return;
	}
	if (ownership_open(root, &owner, &err) < 0)
		exit(1);
	spec.kind = kind;
	spec.image = image;
	spec.argv = program;
	spec.workdir = "/tmp";
	for (size_t i = 0; i < runs; i++) {
		inside[i] = run_inside(owner, &spec);
		bare[i] = timing_run(program);
	}
	printf("sandbox: %-35s %6.2f  of  that program without one  (%.1f ms)\n", kind->name,
		timing_median(inside, runs) / timing_median(bare, runs),
		timing_median(inside, runs) / 1e6);
	while (ownership_sweep(owner))
		poll(NULL, 0, 10);
	ownership_free(owner);
}

/* From the request to the first line, and then its end. */
static int64_t start_agent(const struct child_request *request)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int64_t start = timing_now();
	struct pollfd line;
	struct child child;
	int64_t took;

	if (child_start(request, &child, &err) < 0) {
		fprintf(stderr, "bench: %s\n", err.message);
		exit(1);
	}
	line = (struct pollfd){child.out, POLLIN, 0};
	poll(&line, 1, PATIENCE_MS);
	took = timing_now() - start;
	child_signal(&child, SIGKILL);
	child_reap(&child);
	child_release(&child);
	return took;
}

static void compare_starts(int root, const char *agent)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *const bare_argv[] = {agent, NULL};
	const char *const inside_argv[] = {"/opt/agent/0/agent", NULL};
	const char *const env[] = {NULL};
	struct ownership *owner;
	int64_t inside[BWRAP_RUNS];
	int64_t bare[BWRAP_RUNS];

	if (ownership_open(root, &owner, &err) < 0)
		exit(1);
	for (size_t i = 0; i < BWRAP_RUNS; i++) {
		CLEANUP(sandbox_spec_release) struct sandbox_spec spec = SANDBOX_SPEC_INIT;
		struct sandbox *sandbox;

		spec.kind = sandbox_kind_of("landlock");
		spec.argv = inside_argv;
		sandbox_add_mount(&spec, open(agent, O_PATH | O_CLOEXEC), inside_argv[0], 0);
		sandbox_add_mount(&spec, fcntl(root, F_DUPFD_CLOEXEC, 0), SANDBOX_WORKDIR,
			SANDBOX_WRITABLE);
		if (sandbox_prepare(owner, &spec, &sandbox, &err) < 0)
			exit(1);
		inside[i] = start_agent(sandbox_command(sandbox));
		sandbox_ended(sandbox);
		bare[i] = start_agent(&(struct child_request){bare_argv, env, root, NULL, 0});
	}
	printf("sandbox: %-35s %6.2f  of  its bare start  (%.1f ms)\n",
		"start of the agent, landlock",
		timing_median(inside, BWRAP_RUNS) / timing_median(bare, BWRAP_RUNS),
		timing_median(inside, BWRAP_RUNS) / 1e6);
	ownership_free(owner);
}

int main(int argc, char **argv)
{
	int root = argc > 2 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (root < 0)
		return 2;
	compare(root, sandbox_kind_of("bwrap"), NULL, BWRAP_RUNS);
	compare(root, sandbox_kind_of("landlock"), NULL, BWRAP_RUNS);
	compare_starts(root, argv[2]);
	compare(root, sandbox_kind_of("podman"), argc > 3 ? argv[3] : NULL, PODMAN_RUNS);
	close(root);
	return 0;
}
