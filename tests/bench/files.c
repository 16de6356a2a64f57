/*
 * Operations on many files at once, 500 and 2,000, to show that the cost grows with their number
 * and no faster:
 *
 *	files NANOCLAW		in an empty folder
 *
 * `nanoclaw skill update` of a skill that adds them, and the undo of it, as ratios to `nanoclaw
 * skill apply` of the same skill; and a `nanoclaw status` that recovers from a kill inside a test,
 * with as many edited files, as a ratio to the next one, which has nothing to recover.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "timing.h"

#define RUNS 5

/* What was timed must have worked. */
static int64_t shell(const char *command)
{
	CLEANUP(freep) char *line = xasprintf("(%s) || touch failed", command);
	const char *const argv[] = {"sh", "-c", line, NULL};
	int64_t time = timing_run(argv);

	if (access("failed", F_OK) == 0) {
		fprintf(stderr, "bench: it failed: %s\n", command);
		exit(1);
	}
	return time;
}

static int64_t nanoclaw(const char *program, const char *arguments)
{
	CLEANUP(freep) char *command = xasprintf("'%s' -C ours -q %s", program, arguments);

	return shell(command);
}

static void show(const char *label, int files, int64_t *ours, int64_t *peers, const char *peer)
{
	CLEANUP(freep) char *row = xasprintf("%s: %d files", label, files);

	printf("%-44s %6.2f  of  %s\n", row,
		timing_median(ours, RUNS) / timing_median(peers, RUNS), peer);
	fflush(stdout);
}

static void measure_update(const char *program, int files)
{
	int64_t apply[RUNS], update[RUNS], undo[RUNS], again[RUNS];
	CLEANUP(freep)
	char *make = xasprintf(
		"mkdir -p ours v1/add v2/add; echo 1.0.0 >ours/VERSION; for v in 1 2; do printf "
		"'skill: x\\nversion: %%s.0.0\\ncore_version: 1.0.0\\nadds:\\n' $v "
		">v$v/manifest.yaml; for i in $(seq %d); do echo \"  - f$i\" "
		">>v$v/manifest.yaml; echo \"$i $v\" >v$v/add/f$i; done; done",
		files);

	shell(make);
	nanoclaw(program, "init");
	for (int i = 0; i < RUNS; i++) {
		apply[i] = again[i] = nanoclaw(program, "skill apply ../v1");
		update[i] = nanoclaw(program, "skill update ../v2");
		undo[i] = nanoclaw(program, "undo");
		nanoclaw(program, "undo");
	}
	show("skill update, all added", files, update, apply, "its apply");
	show("undo of that", files, undo, again, "its apply");
	shell("rm -rf ours v1 v2");
}

/* The test tells by a pipe that it runs. */
static void measure_recovery(const char *program, int files)
{
	int64_t recovery[RUNS], status[RUNS];
	CLEANUP(freep)
	char *make =
		xasprintf("mkdir -p ours v1/add; for i in $(seq %d); do echo $i >ours/f$i; "
			  "done; echo n >v1/add/n; echo 1.0.0 >ours/VERSION; printf "
			  "'skill: x\\nversion: 1.0.0\\ncore_version: 1.0.0\\nadds: "
			  "[n]\\ntest: \"echo >begun; exec sleep 1000\"\\n' "
			  ">v1/manifest.yaml",
			files);
	CLEANUP(freep)
	char *kill = xasprintf(
		"cd ours; exec 2>/dev/null; mkfifo begun; '%s' -q --yes skill apply --on-drift "
		"continue ../v1 & read -r line <begun; kill -KILL $!; wait $!; "
		"rm begun",
		program);

	shell(make);
	nanoclaw(program, "init");
	shell("for f in ours/f*; do echo mine >>$f; done");
	for (int i = 0; i < RUNS; i++) {
		shell(kill);
		recovery[i] = nanoclaw(program, "status");
		status[i] = nanoclaw(program, "status");
	}
	show("recovery, killed in a test, edited", files, recovery, status, "status");
	shell("rm -rf ours v1");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: files NANOCLAW\n");
		return 2;
	}
	for (int files = 500; files <= 2000; files *= 4) {
		measure_update(argv[1], files);
		measure_recovery(argv[1], files);
	}
	return 0;
}
