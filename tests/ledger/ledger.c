/*
 * No line is ever lost:
 *
 *	ledger --nanoclaw PROGRAM --faulty PROGRAM [--seed S] [--first W] [--worlds N]
 *		[--steps N] [--keep] [--verbose]
 *
 * Every line of every file is unique and names its owner: the core, a skill or the user
 * (token.h). Each world is a separate project, in which random edits (edit.h) and random
 * operations (operation.h) follow each other. After each step, every line that was added and
 * not legitimately removed must still exist: in its file, between conflict markers or in a file
 * beside it. After an abort, text written during the pause must be in .nanoclaw/kept. An
 * operation that is refused, fails its test or is a dry run changes nothing; an operation that
 * is killed at any call is either done or not begun; drift is exactly the difference from the
 * record; and `git apply` of every patch gives the files that the patch was made from.
 *
 * A failure is printed with the world and its last commands. `--first W --worlds 1`
 * runs that world alone.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "author.h"
#include "edit.h"
#include "operation.h"
#include "random.h"
#include "record.h"
#include "tap.h"
#include "world.h"

#define SHOWN_LOG 3000

struct settings {
	const char *nanoclaw;
	const char *faulty;
	unsigned long seed;
	unsigned long first;
	unsigned long worlds;
	unsigned long steps;
	bool keep;
	bool verbose;
};

static void step(struct world *w)
{
	unsigned what = below(10);

	if (what < 4)
		edit_some(w);
	else if (what < 8)
		operation_apply(w);
	else if (one_in(3))
		operation_reapply(w);
	else
		operation_customize(w);
	if (!world_failed(w))
		record_check_status(w);
	if (!world_failed(w) && one_in(2))
		author_check(w);
}

static void tell_failure(
	const struct settings *s, const struct world *w, unsigned long number, unsigned long at)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t skip = w->log.len > SHOWN_LOG ? w->log.len - SHOWN_LOG : 0;

	buf_appendf(&text, "seed %lu, world %lu, step %lu\n%s\n%s", s->seed, number, at,
		w->log.data + skip, w->report.data);
	tap_note(text.data);
}

static bool run_world(const struct settings *s, unsigned long number, struct counts *counts)
{
	CLEANUP(world_release) struct world w = {0};
	unsigned long at = 0;
	bool fine;

	random_seed(s->seed * UINT64_C(1000003) + number);
	if (world_init(&w, s->nanoclaw, s->faulty, counts) == 0) {
		w.verbose = s->verbose;
		while (at < s->steps && !world_failed(&w)) {
			at++;
			if (s->verbose)
				printf("# world %lu, step %lu\n", number, at);
			step(&w);
		}
	}
	fine = !world_failed(&w);
	w.workspace.keep = s->keep && !fine;
	if (!fine)
		tell_failure(s, &w, number, at);
	return fine;
}

static void tell_counts(const struct counts *c)
{
	printf("# %lu operations, %lu edits, %lu lines checked\n"
	       "# %lu pauses with %lu conflicts, %lu aborts, %lu refused, %lu only tried, "
	       "%lu failed tests\n"
	       "# %lu patches recorded, %lu of them applied by git; %lu files of drift told, "
	       "%lu lines with their authors\n"
	       "# %lu renames and %lu deletions by skills, %lu decisions; %lu conflicts settled "
	       "by themselves, %lu patches applied again\n"
	       "# %lu operations undone; %lu crashes recovered\n",
		c->operations, c->edits, c->lines, c->pauses, c->conflicts, c->aborts,
		c->refusals, c->dry_runs, c->failed_tests, c->patches, c->git_applied, c->drift,
		c->authors, c->renames, c->deletions, c->decisions, c->resolved, c->reapplied,
		c->undone, c->crashes);
}

static int run_all(const struct settings *s)
{
	struct counts counts = {0};
	struct tap tap = {0};
	CLEANUP(freep) char *name = NULL;
	unsigned long failed = 0;

	for (unsigned long i = 0; i < s->worlds && failed < 3; i++)
		failed += !run_world(s, s->first + i, &counts);
	tell_counts(&counts);
	name = xasprintf(
		"no line is lost in %lu operations (seed %lu, %lu worlds of %lu steps)",
		counts.operations, s->seed, s->worlds, s->steps);
	tap_result(&tap, !failed && counts.operations, name);
	return tap_end(&tap);
}

static int usage(void)
{
	fputs("usage: ledger --nanoclaw PROGRAM --faulty PROGRAM [--seed S] [--first W] "
	      "[--worlds N] [--steps N] [--keep] [--verbose]\n",
		stderr);
	return 2;
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{"nanoclaw", required_argument, NULL, 'n'},
		{"faulty", required_argument, NULL, 'f'},
		{"seed", required_argument, NULL, 's'},
		{"first", required_argument, NULL, 'w'},
		{"worlds", required_argument, NULL, 'c'},
		{"steps", required_argument, NULL, 't'},
		{"keep", no_argument, NULL, 'k'},
		{"verbose", no_argument, NULL, 'v'},
		{0},
	};
	struct settings s = {.seed = 1, .worlds = 10, .steps = 30};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 'n':
			s.nanoclaw = optarg;
			break;
		case 'f':
			s.faulty = optarg;
			break;
		case 's':
			s.seed = strtoul(optarg, NULL, 10);
			break;
		case 'w':
			s.first = strtoul(optarg, NULL, 10);
			break;
		case 'c':
			s.worlds = strtoul(optarg, NULL, 10);
			break;
		case 't':
			s.steps = strtoul(optarg, NULL, 10);
			break;
		case 'k':
			s.keep = true;
			break;
		case 'v':
			s.verbose = true;
			break;
		default:
			return usage();
		}
	}
	if (!s.nanoclaw || !s.faulty || optind != argc)
		return usage();
	setvbuf(stdout, NULL, _IOLBF, 0); /* also what was said before a timeout is seen */
	command_setup();
	return run_all(&s);
}
