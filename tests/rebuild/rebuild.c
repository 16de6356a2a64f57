/*
 * From whatever is left of a project, `doctor --fix` makes one that works:
 *
 *	rebuild --nanoclaw PROGRAM [--seed S] [--first F] [--rounds N]
 *
 * In each round the skills of a family (tests/family/make.h) are applied, with lines of a
 * person in between that are recorded or not, some of them in patches; every third time in
 * a git repository. Then one to three things are damaged (damage.h), and after
 * `doctor --fix --yes`:
 *
 *  - every file that the damage left in the tree is there, to the byte;
 *  - nothing in .nanoclaw is damaged, and what differs in the tree was changed by the
 *    person or by the damage; once that is recorded, `verify` exits with 0;
 *  - `status` works, a second `doctor --fix --yes` changes nothing;
 *  - skills can be removed, and applied.
 *
 * A failure is printed with its round; `--first F --rounds 1` runs that one alone.
 */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "damage.h"
#include "make.h"
#include "random.h"
#include "tap.h"
#include "workspace.h"

struct world {
	struct workspace workspace;
	struct family family;
	struct tree now;
	unsigned lines; /* that the person wrote */
	struct buf log;
	struct buf report;
};

static bool failed(const struct world *w)
{
	return w->report.len;
}

static void fail(struct world *w, const char *what, const char *why)
{
	buf_appendf(&w->report, "%s: %s\n", what, why);
}

static int run(struct world *w, const char *line, struct command_result *result)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct command_request request = {.line = line,
		.dir = w->workspace.tree,
		.env = w->workspace.env,
		.seconds = 300};

	if (command_run(&request, result, &err) < 0)
		fail(w, line, err.message);
	buf_appendf(&w->log, "$ %s  # %d\n", line, result->status);
	return result->status;
}

/* A line that has to end with one of the exit codes 0 to 9 in `codes`. */
static int must(struct world *w, const char *line, const char *codes)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	int code;

	if (failed(w))
		return 0;
	code = run(w, line, &result);
	if (code >= 0 && code <= 9 && strchr(codes, '0' + code))
		return code;
	fail(w, line, result.err.data ? result.err.data : "");
	fail(w, line, result.out.data ? result.out.data : "");
	return code;
}

static void look(struct world *w, struct tree *ret_tree)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	tree_release(ret_tree);
	*ret_tree = TREE_INIT;
	if (tree_read(ret_tree, w->workspace.tree, &err) < 0)
		fail(w, "reading", err.message);
}

/* The doctor, who may miss packages of the distribution, but nothing else. */
static void consult(struct world *w, const char *line)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	json_t *document, *findings;
	size_t i;
	json_t *finding;

	if (failed(w))
		return;
	run(w, line, &result);
	document = json_loads(result.out.data ? result.out.data : "", 0, NULL);
	findings = json_object_get(document, "findings");
	if (!json_array_size(findings))
		fail(w, line, result.err.data ? result.err.data : "");
	json_array_foreach(findings, i, finding) {
		const char *status = json_string_value(json_object_get(finding, "status"));
		const char *name = json_string_value(json_object_get(finding, "name"));

		if (strcmp(status, "problem") == 0 && strcmp(name, "packages") != 0)
			fail(w, line, result.out.data);
	}
	json_decref(document);
}

/* --- a project ------------------------------------------------------------------- */

static bool is_ours(const char *path)
{
	return !strncmp(path, ".nanoclaw", 9) || !strncmp(path, "skills", 6) ||
	       !strncmp(path, ".git/", 5) || !strcmp(path, ".git");
}

/* At the end of a text file: all that is there is whole lines. */
static void write_line(struct world *w)
{
	CLEANUP(freep) char *command = NULL;
	const struct tree_entry *entry = NULL;

	look(w, &w->now);
	for (unsigned tries = 0; !entry && tries < 100; tries++) {
		const struct tree_entry *e = &w->now.entries[below((unsigned)w->now.count)];

		if (e->kind == TREE_FILE && !is_ours(e->path) && strstr(e->path, ".txt") &&
			!strstr(e->path, "gone") && !strstr(e->path, "packages"))
			entry = e;
	}
	if (!entry)
		return;
	command = xasprintf("echo 'mine %u' >> '%s'", w->lines++, entry->path);
	must(w, command, "0");
}

static void write_patch(struct world *w)
{
	must(w, "nanoclaw --yes customize start 'a patch'", "0");
	write_line(w);
	must(w, "nanoclaw customize commit", "0");
}

static void make_project(struct world *w)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool git = one_in(3) && w->workspace.env;
	size_t count = 3 + below(FAMILY_SIZE - 2);

	if (workspace_fill(&w->workspace, &w->family.files, NULL, &err) < 0)
		fail(w, "writing", err.message);
	if (git)
		must(w, "git init -q . && git add -A && git commit -q -m core", "0");
	must(w, "nanoclaw init", "0");
	for (size_t i = 0; i < count && !failed(w); i++) {
		CLEANUP(freep)
		char *line = xasprintf("nanoclaw skill apply --no-install --on-drift %s %c",
			one_in(3) ? "continue" : "record", family_name(w->family.order[i]));

		if (one_in(2))
			write_line(w);
		/* Without what it depends on, where that has conflicted, it is refused. */
		if (must(w, line, "023") == 3)
			must(w, "nanoclaw abort", "0");
		if (one_in(3))
			write_patch(w);
		if (git && one_in(3))
			must(w, "git add -A && git commit -q -m more", "0");
	}
	if (one_in(2))
		write_line(w);
}

/* --- what has to hold ------------------------------------------------------------------- */

/* Nothing that was in the tree is gone or different; something may have come back. */
static void check_tree(struct world *w, const struct tree *damaged)
{
	for (size_t i = 0; i < damaged->count; i++) {
		const struct tree_entry *was = &damaged->entries[i];
		const struct tree_entry *is = tree_find(&w->now, was->path);

		if (is_ours(was->path) || was->kind == TREE_DIR)
			continue;
		if (!is || is->kind != was->kind || is->len != was->len ||
			is->mode != was->mode || memcmp(is->data, was->data, was->len))
			fail(w, "the tree is not as it was", was->path);
	}
}

static void check_verify(struct world *w)
{
	CLEANUP(command_result_release) struct command_result result = {0};

	if (run(w, "nanoclaw --json verify", &result) > 1)
		fail(w, "verify", result.err.data ? result.err.data : "");
	if (result.out.data && strstr(result.out.data, "\"damage\": true"))
		fail(w, "damaged", result.out.data);
	/* The person's changes are recorded, and then nothing differs. */
	must(w, "nanoclaw --yes customize start rest && nanoclaw customize abort", "0");
	must(w, "nanoclaw verify", "0");
}

static void check_again(struct world *w)
{
	CLEANUP(tree_release) struct tree again = TREE_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	consult(w, "nanoclaw --json --yes doctor --fix");
	look(w, &again);
	if (!failed(w) && tree_diff(&text, &w->now, &again, NULL, NULL))
		fail(w, "a second doctor --fix changes", text.data);
}

/* Skills go and come. A conflict is an answer, too; an abort leads back. */
static void check_work(struct world *w)
{
	static const char *const verbs[] = {"remove", "apply"};

	for (size_t i = 0; i < 4 && !failed(w); i++) {
		CLEANUP(freep)
		char *line = xasprintf("nanoclaw --yes skill %s --no-test --no-install %c",
			verbs[i % 2], family_name(below(FAMILY_SIZE)));

		look(w, &w->now);
		if (must(w, line, "023") == 3) {
			CLEANUP(tree_release) struct tree before = w->now;
			CLEANUP(buf_release) struct buf text = BUF_INIT;

			w->now = TREE_INIT;
			must(w, "nanoclaw abort", "0");
			look(w, &w->now);
			if (!failed(w) && tree_diff(&text, &before, &w->now, NULL, NULL))
				fail(w, "after an abort", text.data);
		}
		must(w, "nanoclaw status", "0");
	}
	consult(w, "nanoclaw --json doctor");
}

/* --- one round ---------------------------------------------------------------------------- */

static void damage_some(struct world *w)
{
	for (unsigned n = 1 + below(3); n && !failed(w); n--) {
		CLEANUP(command_result_release) struct command_result unread = {0};
		CLEANUP(freep) char *command = NULL;

		look(w, &w->now);
		command = damage_choose(&w->now);
		run(w, command, &unread); /* what is gone already cannot be hurt */
	}
}

static void run_round(struct world *w)
{
	CLEANUP(tree_release) struct tree damaged = TREE_INIT;

	make_project(w);
	if (failed(w))
		return;
	damage_some(w);
	look(w, &damaged);
	must(w, "nanoclaw doctor", "01");
	consult(w, "nanoclaw --json --yes doctor --fix");
	look(w, &w->now);
	if (failed(w))
		return;
	check_tree(w, &damaged);
	must(w, "nanoclaw status", "0");
	check_again(w);
	check_verify(w);
	look(w, &w->now);
	check_tree(w, &damaged);
	check_work(w);
}

struct settings {
	const char *nanoclaw;
	unsigned long seed;
	unsigned long first;
	unsigned long rounds;
};

static bool try_round(const struct settings *s, unsigned long number)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct world w = {.now = TREE_INIT, .log = BUF_INIT, .report = BUF_INIT};
	bool fine;

	random_seed(s->seed * 1000003 + number);
	family_make(&w.family);
	if (workspace_init(&w.workspace, s->nanoclaw, &err) < 0)
		fail(&w, "workspace", err.message);
	else
		run_round(&w);
	fine = !failed(&w);
	if (!fine) {
		printf("# seed %lu, round %lu\n", s->seed, number);
		tap_note(w.log.data);
		tap_note(w.report.data);
	}
	workspace_release(&w.workspace);
	family_release(&w.family);
	tree_release(&w.now);
	buf_release(&w.log);
	buf_release(&w.report);
	return fine;
}

static int run_all(const struct settings *s)
{
	struct tap tap = {0};
	unsigned long wrong = 0;
	CLEANUP(freep) char *name = NULL;

	for (unsigned long i = 0; i < s->rounds && wrong < 3; i++)
		wrong += !try_round(s, s->first + i);
	name = xasprintf("%lu damaged projects work again, and no line is lost (seed %lu)",
		s->rounds, s->seed);
	tap_result(&tap, !wrong, name);
	return tap_end(&tap);
}

static int usage(void)
{
	fputs("usage: rebuild --nanoclaw PROGRAM [--seed S] [--first F] [--rounds N]\n",
		stderr);
	return 2;
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{"nanoclaw", required_argument, NULL, 'n'},
		{"seed", required_argument, NULL, 's'},
		{"first", required_argument, NULL, 'f'},
		{"rounds", required_argument, NULL, 'c'},
		{0},
	};
	struct settings s = {.seed = 1, .rounds = 10};
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
			s.rounds = strtoul(optarg, NULL, 10);
			break;
		default:
			return usage();
		}
	}
	if (!s.nanoclaw || optind != argc)
		return usage();
	setvbuf(stdout, NULL, _IOLBF, 0);
	command_setup();
	return run_all(&s);
}
