/*
 * What a sandbox costs: a program from the request to its end, in a sandbox, as a ratio to the
 * same program without one.
 *
 *	bench-sandbox FOLDER [ROOTFS]
 *
 * bwrap, and with a root for it podman. What sandboxes cost while they run is not measured:
 * the processor executes the same instructions.
 */
#include <fcntl.h>
#include <poll.h>
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

static void compare(int root, enum sandbox_kind kind, const char *rootfs, size_t runs)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct sandbox_spec spec = SANDBOX_SPEC_INIT;
	struct ownership *owner;
	int64_t inside[BWRAP_RUNS];
	int64_t bare[BWRAP_RUNS];

	if (sandbox_probe(kind, NULL, rootfs, &err) < 0) {
		printf("sandbox: %s is not measured: %s\n", sandbox_kind_name(kind),
			err.message);
		return;
	}
	if (ownership_open(root, &owner, &err) < 0)
		exit(1);
	spec.kind = kind;
	spec.rootfs = rootfs;
	spec.argv = program;
	spec.workdir = "/tmp";
	for (size_t i = 0; i < runs; i++) {
		inside[i] = run_inside(owner, &spec);
		bare[i] = timing_run(program);
	}
	printf("sandbox: %-35s %6.2f  of  that program without one  (%.1f ms)\n",
		sandbox_kind_name(kind),
		timing_median(inside, runs) / timing_median(bare, runs),
		timing_median(inside, runs) / 1e6);
	while (ownership_sweep(owner))
		poll(NULL, 0, 10);
	ownership_free(owner);
}

int main(int argc, char **argv)
{
	int root = argc > 1 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (root < 0)
		return 2;
	compare(root, SANDBOX_BWRAP, NULL, BWRAP_RUNS);
	compare(root, SANDBOX_LANDLOCK, NULL, BWRAP_RUNS);
	compare(root, SANDBOX_PODMAN, argc > 2 ? argv[2] : NULL, PODMAN_RUNS);
	close(root);
	return 0;
}
