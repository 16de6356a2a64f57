/*
 * Removing any skill, in any order, equals never having applied it:
 *
 *	family --nanoclaw PROGRAM [--seed S] [--first F] [--families N]
 *
 * Eight skills (make.h) are applied in a random order, in one command or one by one, and
 * removed one by one in another. After each removal:
 *
 *  - in every other family the files, their permissions and the state are those of a
 *    fresh core with the skills that are left, to the byte;
 *  - in the others a person writes lines in between, which are recorded or not: every
 *    one of these is still there, none of the removed skills is, and nothing is damaged.
 *    When no skill is left, the files without these lines are the core.
 *
 * A failure is printed with its family; `--first F --families 1` runs that one alone.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make.h"
#include "random.h"
#include "tap.h"
#include "util/alloc.h"
#include "workspace.h"

struct world {
	struct workspace workspace;
	struct family family;
	struct tree now;
	bool applied[FAMILY_SIZE];
	unsigned lines; /* that the person wrote */
	unsigned long removals;
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

/* A line that has to succeed. */
static void must(struct world *w, const char *line)
{
	CLEANUP(command_result_release) struct command_result result = {0};

	if (failed(w) || run(w, line, &result) == 0)
		return;
	fail(w, line, result.err.data ? result.err.data : "");
	fail(w, line, result.out.data ? result.out.data : "");
}

static void look(struct world *w, struct tree *ret_tree)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	tree_release(ret_tree);
	*ret_tree = TREE_INIT;
	if (tree_read(ret_tree, w->workspace.tree, &err) < 0)
		fail(w, "reading", err.message);
}

static void fill(struct world *w, const struct tree *tree)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (workspace_fill(&w->workspace, tree, NULL, &err) < 0)
		fail(w, "writing", err.message);
}

/* --- what the person does -------------------------------------------------------------- */

/* The file with this line of the core, under whatever name. */
static const struct tree_entry *find_line(const struct tree *tree, const char *line)
{
	for (size_t i = 0; i < tree->count; i++) {
		const struct tree_entry *entry = &tree->entries[i];

		if (entry->kind == TREE_FILE && strncmp(entry->path, ".nanoclaw/", 10) &&
			strncmp(entry->path, "skills/", 7) &&
			memmem(entry->data, entry->len, line, strlen(line)))
			return entry;
	}
	return NULL;
}

static void write_line(struct world *w)
{
	CLEANUP(freep)
	char *line =
		xasprintf("core %u line %u\n", below(CORE_FILES), below(FAMILY_SIZE) * 7 + 5);
	const struct tree_entry *entry = find_line(&w->now, line);
	CLEANUP(freep)
	char *command = entry ? xasprintf("sed -i 's/^%.*s$/mine %u\\n&/' %s",
					(int)strlen(line) - 1, line, w->lines, entry->path)
			      : NULL;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!entry)
		return;
	/* Not next to another one, which may go with a patch. */
	buf_append(&text, entry->data, entry->len);
	if (strstr(text.data, "mine")) {
		const char *at = strstr(text.data, line);

		while (at > text.data && at[-1] != '\n')
			at--;
		for (unsigned back = 0; at > text.data && back < 2; back++)
			for (at--; at > text.data && at[-1] != '\n';)
				at--;
		if (!strncmp(at, "mine", 4) || !strncmp(strchr(at, '\n') + 1, "mine", 4))
			return;
	}
	must(w, command);
	w->lines++;
}

static void write_some(struct world *w)
{
	for (unsigned n = below(3); n && !failed(w); n--) {
		look(w, &w->now);
		write_line(w);
	}
}

/* --- what has to hold ------------------------------------------------------------------- */

static bool is_ours(const char *path)
{
	return !strncmp(path, ".nanoclaw", 9) || !strncmp(path, "skills", 6);
}

static void check_lines(struct world *w)
{
	CLEANUP(buf_release) struct buf all = BUF_INIT;

	for (size_t i = 0; i < w->now.count; i++)
		if (w->now.entries[i].kind == TREE_FILE && !is_ours(w->now.entries[i].path))
			buf_append(&all, w->now.entries[i].data, w->now.entries[i].len);
	buf_append_char(&all, '\n');
	for (unsigned i = 0; i < w->lines; i++) {
		CLEANUP(freep) char *line = xasprintf("\nmine %u\n", i);

		if (!strstr(all.data, line))
			fail(w, "lost", line + 1);
	}
	for (size_t i = 0; i < FAMILY_SIZE; i++) {
		CLEANUP(freep) char *put = xasprintf("\n%c put in", family_name(i));
		CLEANUP(freep) char *added = xasprintf("\n%c added", family_name(i));
		CLEANUP(freep) char *package = xasprintf("pkg-%c", family_name(i));
		CLEANUP(freep) char *token = xasprintf("OF_%c", family_name(i) - 'a' + 'A');
		CLEANUP(freep) char *service = xasprintf("of-%c", family_name(i));
		const char *const traces[] = {put, added, package, token, service};

		for (size_t j = 0; !w->applied[i] && j < ARRAY_SIZE(traces); j++)
			if (strstr(all.data, traces[j]))
				fail(w, "still there", traces[j]);
	}
}

static void note_applied(struct world *w)
{
	const struct tree_entry *state = tree_find(&w->now, ".nanoclaw/state.yaml");
	CLEANUP(freep) char *text = state ? xmemdupz(state->data, state->len) : xstrdup("");

	for (size_t i = 0; i < FAMILY_SIZE; i++) {
		CLEANUP(freep) char *name = xasprintf("\n    name: %c\n", family_name(i));

		w->applied[i] = strstr(text, name) != NULL;
	}
}

/* What the same skills make of a fresh core. */
static void check_equal(struct world *w)
{
	CLEANUP(tree_release) struct tree fresh = TREE_INIT;
	CLEANUP(lines_release) struct lines ignore = LINES_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	/* Contents that nothing needs any more are still kept. */
	lines_add(&ignore, view_of(".nanoclaw/history"), 0);
	lines_add(&ignore, view_of(".nanoclaw/objects"), 0);
	fill(w, &w->family.files);
	must(w, "nanoclaw init");
	for (size_t i = 0; i < FAMILY_SIZE; i++) {
		size_t skill = w->family.order[i];
		CLEANUP(freep)
		char *line =
			xasprintf("nanoclaw skill apply --no-install %c", family_name(skill));

		if (w->applied[skill])
			must(w, line);
	}
	look(w, &fresh);
	if (!failed(w) && tree_diff(&text, &fresh, &w->now, &ignore, NULL))
		fail(w, "not as if it had never been applied", text.data);
	fill(w, &w->now);
}

/* --- one family ------------------------------------------------------------------------- */

static void apply_all(struct world *w, bool mine)
{
	CLEANUP(buf_release) struct buf batch = BUF_INIT;
	bool at_once = !mine && one_in(2);

	buf_append_str(&batch, "nanoclaw skill apply --no-install");
	for (size_t i = 0; i < FAMILY_SIZE && !failed(w); i++) {
		CLEANUP(freep)
		char *line = xasprintf("nanoclaw skill apply --no-install --on-drift %s %c",
			one_in(3) ? "continue" : "record", family_name(w->family.order[i]));

		buf_appendf(&batch, " %c", family_name(w->family.order[i]));
		if (mine)
			write_some(w);
		if (!at_once)
			must(w, line);
	}
	if (at_once)
		must(w, batch.data);
}

static size_t pick_applied(const struct world *w)
{
	size_t skill;

	do {
		skill = below(FAMILY_SIZE);
	} while (!w->applied[skill]);
	return skill;
}

static bool any_applied(const struct world *w)
{
	for (size_t i = 0; i < FAMILY_SIZE; i++)
		if (w->applied[i])
			return true;
	return false;
}

static void remove_one(struct world *w, bool mine)
{
	CLEANUP(freep) char *line = NULL;
	size_t skill = pick_applied(w);
	bool left = one_in(3);

	if (mine)
		write_some(w);
	line = xasprintf(
		"nanoclaw skill remove --no-install --with-dependents --on-drift %s %c",
		left ? "continue" : "record", family_name(skill));
	must(w, line);
	w->removals++;
	look(w, &w->now);
	note_applied(w);
	if (w->applied[skill])
		fail(w, line, "it is still applied");
	check_lines(w);
	must(w, left ? "nanoclaw verify | grep -q '0 damaged\\|all as recorded'"
		     : "nanoclaw verify");
	if (!mine && !failed(w))
		check_equal(w);
}

static void check_core(struct world *w)
{
	CLEANUP(tree_release) struct tree core = TREE_INIT;
	CLEANUP(lines_release) struct lines ignore = LINES_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	lines_add(&ignore, view_of(".nanoclaw"), 0);
	must(w, "find src VERSION package.json .env.example -type f -exec sed -i '/^mine /d' {} +");
	look(w, &core);
	if (!failed(w) && tree_diff(&text, &w->family.files, &core, &ignore, NULL))
		fail(w, "without any skill it is not the core", text.data);
}

static void run_family(struct world *w, bool mine)
{
	family_make(&w->family);
	fill(w, &w->family.files);
	must(w, "nanoclaw init");
	apply_all(w, mine);
	look(w, &w->now);
	note_applied(w);
	while (!failed(w) && any_applied(w))
		remove_one(w, mine);
	if (!failed(w))
		check_core(w);
}

/* --- all of them -------------------------------------------------------------------------- */

struct settings {
	const char *nanoclaw;
	unsigned long seed;
	unsigned long first;
	unsigned long families;
};

static bool try_family(const struct settings *s, unsigned long number, unsigned long *removals)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct world w = {.log = BUF_INIT, .report = BUF_INIT};
	bool fine;

	random_seed(s->seed * UINT64_C(1000003) + number);
	if (workspace_init(&w.workspace, s->nanoclaw, &err) < 0)
		fail(&w, "workspace", err.message);
	else
		run_family(&w, number % 2);
	fine = !failed(&w);
	if (!fine) {
		printf("# seed %lu, family %lu\n", s->seed, number);
		tap_note(w.log.data);
		tap_note(w.report.data);
	}
	*removals += w.removals;
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
	unsigned long removals = 0, wrong = 0;
	CLEANUP(freep) char *name = NULL;

	for (unsigned long i = 0; i < s->families && wrong < 3; i++)
		wrong += !try_family(s, s->first + i, &removals);
	name = xasprintf(
		"%lu removals equal never having applied the skill (seed %lu, %lu families)",
		removals, s->seed, s->families);
	tap_result(&tap, !wrong && removals, name);
	return tap_end(&tap);
}

static int usage(void)
{
	fputs("usage: family --nanoclaw PROGRAM [--seed S] [--first F] [--families N]\n",
		stderr);
	return 2;
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{"nanoclaw", required_argument, NULL, 'n'},
		{"seed", required_argument, NULL, 's'},
		{"first", required_argument, NULL, 'f'},
		{"families", required_argument, NULL, 'c'},
		{0},
	};
	struct settings s = {.seed = 1, .families = 10};
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
			s.families = strtoul(optarg, NULL, 10);
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
