/*
 * Removing any skill, in any order, equals never having applied it:
 *
 *	family --nanoclaw PROGRAM [--seed S] [--first F] [--worlds N]
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
 * In every fourth world there is a rebase now and then, too, which must leave every file as
 * it is and nothing unrecorded, and can be undone. Skills that it has flattened are removed
 * with '--flattened'; since the skills of a family never conflict, the same holds for them.
 *
 * A failure is printed with its world; `--first F --worlds 1` runs that one alone.
 */
#include <string.h>

#include "base/alloc.h"
#include "random.h"
#include "worlds.h"

/* --- what has to hold ------------------------------------------------------------------- */

/* What the same skills make of a fresh core. */
static void check_equal(struct world *w)
{
	CLEANUP(tree_release) struct tree fresh = TREE_INIT;
	CLEANUP(lines_release) struct lines ignore = LINES_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	/* Unused contents may still be there. */
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

/* --- a rebase --------------------------------------------------------------------------- */

static void expect_same(
	struct world *w, const struct tree *before, const char *but, const char *why)
{
	CLEANUP(tree_release) struct tree now = TREE_INIT;
	CLEANUP(lines_release) struct lines ignore = LINES_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	lines_add(&ignore, view_of(but), 0);
	look(w, &now);
	if (!failed(w) && tree_diff(&text, before, &now, &ignore, NULL))
		fail(w, why, text.data);
}

static void rebase(struct world *w)
{
	static const char line[] = "nanoclaw --yes rebase";
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree before = TREE_INIT;

	look(w, &before);
	if (failed(w) || run(w, line, &result) != 0) {
		fail(w, line, result.err.data ? result.err.data : "");
		return;
	}
	expect_same(w, &before, ".nanoclaw", "a rebase has changed files");
	must(w, "nanoclaw verify");
	must(w, "! nanoclaw status | grep changed");
	if (strstr(result.out.data, "nothing to do") || !one_in(3))
		return;
	must(w, "nanoclaw undo");
	expect_same(w, &before, ".nanoclaw/history", "a rebase could not be undone");
}

/* --- one family ------------------------------------------------------------------------- */

static void apply_all(struct world *w, bool mine, bool flat)
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
		if (flat && one_in(4))
			rebase(w);
	}
	if (at_once)
		must(w, batch.data);
}

static void remove_one(struct world *w, bool mine, bool flat)
{
	CLEANUP(freep) char *line = NULL;
	size_t skill = pick_applied(w);
	bool left = one_in(3);

	if (mine)
		write_some(w);
	if (flat && one_in(4))
		rebase(w);
	line = xasprintf(
		"nanoclaw skill remove --no-install --with-dependents %s--on-drift %s %c",
		flat ? "--flattened " : "", left ? "continue" : "record", family_name(skill));
	must(w, line);
	w->operations++;
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

static void run_family(struct world *w, unsigned long number)
{
	bool mine = number % 2, flat = number % 4 == 3;

	family_make(&w->family);
	fill(w, &w->family.files);
	must(w, "nanoclaw init");
	apply_all(w, mine, flat);
	look(w, &w->now);
	note_applied(w);
	while (!failed(w) && any_applied(w))
		remove_one(w, mine, flat);
	if (!failed(w))
		check_core(w);
}

int main(int argc, char **argv)
{
	return worlds_main(
		argc, argv, "removals equal never having applied the skill", run_family);
}
