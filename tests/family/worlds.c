#include "worlds.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "random.h"
#include "tap.h"

struct settings {
	const char *nanoclaw;
	unsigned long seed;
	unsigned long first;
	unsigned long worlds;
	bool keep;
	void (*one)(struct world *w, unsigned long number);
};

static bool try_world(const struct settings *s, unsigned long number, unsigned long *operations)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(world_release) struct world w = WORLD_INIT;

	random_seed(s->seed * UINT64_C(1000003) + number);
	if (workspace_init(&w.workspace, s->nanoclaw, &err) < 0)
		fail(&w, "workspace", err.message);
	else
		s->one(&w, number);
	if (failed(&w)) {
		printf("# seed %lu, world %lu\n", s->seed, number);
		tap_note(w.log.data ? w.log.data : "");
		tap_note(w.report.data);
	}
	w.workspace.keep = s->keep && failed(&w);
	*operations += w.operations;
	return !failed(&w);
}

static int run_all(const struct settings *s, const char *claim)
{
	struct tap tap = {0};
	unsigned long operations = 0, wrong = 0;
	CLEANUP(freep) char *name = NULL;

	for (unsigned long i = 0; i < s->worlds && wrong < 3; i++)
		wrong += !try_world(s, s->first + i, &operations);
	name = xasprintf(
		"%lu %s (seed %lu, %lu worlds)", operations, claim, s->seed, s->worlds);
	tap_result(&tap, !wrong && operations, name);
	return tap_end(&tap);
}

static int usage(const char *program)
{
	fprintf(stderr,
		"usage: %s --nanoclaw PROGRAM [--seed S] [--first F] [--worlds N] [--keep]\n",
		program);
	return 2;
}

int worlds_main(int argc, char **argv, const char *claim,
	void (*one)(struct world *w, unsigned long number))
{
	static const struct option known[] = {
		{"nanoclaw", required_argument, NULL, 'n'},
		{"seed", required_argument, NULL, 's'},
		{"first", required_argument, NULL, 'f'},
		{"worlds", required_argument, NULL, 'c'},
		{"keep", no_argument, NULL, 'k'},
		{0},
	};
	struct settings s = {.seed = 1, .worlds = 10, .one = one};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'n':
			s.nanoclaw = optarg;
			break;
		case 's':
			s.seed = strtoul(optarg, NULL, 10);
			break;
		case 'f':
			s.first = strtoul(optarg, NULL, 10);
			break;
		case 'c':
			s.worlds = strtoul(optarg, NULL, 10);
			break;
		case 'k':
			s.keep = true;
			break;
		default:
			return usage(argv[0]);
		}
	}
	if (!s.nanoclaw || optind != argc)
		return usage(argv[0]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	command_setup();
	return run_all(&s, claim);
}
