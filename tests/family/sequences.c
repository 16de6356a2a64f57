/*
 * Random sequences of all that can be done with a family of skills (make.h):
 *
 *	sequences --nanoclaw PROGRAM [--seed S] [--first F] [--worlds N]
 *
 * Each world is a sequence of edits, apply, customize, remove, update, undo and replay. After
 * each of them:
 *
 *  - every line that the person wrote is in the tree, and so is every line of the versions
 *    that are applied; none of the skills that are not;
 *  - `verify` finds nothing but what the person has just edited;
 *  - `replay --into` makes the same tree again, to the byte and mode, from the record;
 *  - `undo` brings back what was there before, state and patches included, and the same
 *    command makes the same of it again.
 *
 * In every third world the person also writes where skills do, and into files that they add.
 * Conflicts are settled by keeping both sides, decisions by keeping the file; what a skill
 * leaves there then is not looked at. A file that is kept without a record is untracked, and
 * `replay --into` does not make it: from then on its result is not looked at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "random.h"
#include "worlds.h"

#define MAX_VERSIONS 6
#define MAX_STEPS    9
#define MAX_PAUSES   20

struct sequence {
	struct world *w;
	bool rough;
	bool clean;                             /* nothing is edited and not recorded */
	bool untracked;                         /* a file of a removed skill was kept */
	unsigned version[FAMILY_SIZE];          /* of the package on the disk */
	char *lines[FAMILY_SIZE][MAX_VERSIONS]; /* of the skill, by version */
	struct tree before;                     /* the last operation */
	bool can_undo;
};

/* --- versions --------------------------------------------------------------------------- */

static bool is_line_of(const char *line, size_t skill)
{
	return line[0] == family_name(skill) && !strncmp(line + 1, " put in", 7);
}

/* The lines that the package on disk adds to files. */
static void note_lines(struct sequence *q, size_t skill)
{
	CLEANUP(buf_release) struct buf lines = BUF_INIT;
	CLEANUP(freep) char *folder = xasprintf("skills/%c/", family_name(skill));

	look(q->w, &q->w->now);
	for (size_t i = 0; i < q->w->now.count; i++) {
		const struct tree_entry *entry = &q->w->now.entries[i];
		CLEANUP(freep)
		char *text = xmemdupz(entry->data ? entry->data : "", entry->len);

		if (entry->kind != TREE_FILE || strncmp(entry->path, folder, strlen(folder)))
			continue;
		for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
			if (is_line_of(line, skill))
				buf_append(&lines, line, (size_t)(end + 1 - line));
	}
	buf_append_str(&lines, "");
	q->lines[skill][q->version[skill]] = buf_take(&lines);
}

/* The version that is applied, by the state; -1 if there is none. */
static int applied_version(const struct sequence *q, size_t skill)
{
	const struct tree_entry *state = tree_find(&q->w->now, ".nanoclaw/state.yaml");
	CLEANUP(freep) char *text = state ? xmemdupz(state->data, state->len) : xstrdup("");
	CLEANUP(freep) char *name = xasprintf("\n    name: %c\n", family_name(skill));
	const char *entry = strstr(text, name);
	const char *version = entry ? strstr(entry, "\n    version: 1.") : NULL;

	return version ? (int)strtol(version + strlen("\n    version: 1."), NULL, 10) : -1;
}

/* Packages that build on a file of the skill, and are not applied yet, follow. */
static void publish_to_others(struct sequence *q, size_t skill)
{
	char name = family_name(skill);

	look(q->w, &q->w->now);
	for (size_t i = 0; i < FAMILY_SIZE; i++) {
		CLEANUP(freep)
		char *folder = xasprintf("skills/%c/modify", family_name(i));
		CLEANUP(freep)
		char *line = xasprintf(
			"test ! -d %s || find %s -type f -exec sed -i "
			"'0,/^%c \\(put in\\|added\\)/{//s/$/\\n%c put in again %u/}' {} +",
			folder, folder, name, name, q->version[skill]);

		if (i != skill && applied_version(q, i) < 0)
			must(q->w, line);
	}
}

/* A new version: one more line in each file, and one more file. */
static void publish(struct sequence *q, size_t skill)
{
	char name = family_name(skill);
	unsigned version = ++q->version[skill];
	CLEANUP(freep)
	char *line = xasprintf(
		"cd skills/%c && for d in add modify; do test ! -d $d || find $d -type f -exec "
		"sed -i '0,/^%c \\(put in\\|added\\)/{//s/$/\\n%c put in again %u/}' {} + ; done && "
		"mkdir -p add/lib/%c && echo '%c put in with %u' > add/lib/%c/v%u.txt && "
		"sed -i 's/^version: .*/version: 1.%u.0/; s#^adds: \\[\\]#adds: [lib/%c/v%u.txt]#; t; "
		"s#^adds: \\[#adds: [lib/%c/v%u.txt, #' manifest.yaml",
		name, name, name, version, name, name, version, name, version, version, name,
		version, name, version);

	must(q->w, line);
	publish_to_others(q, skill);
	note_lines(q, skill);
	q->can_undo = false;
}

/* --- what has to hold ------------------------------------------------------------------- */

static void check_skill_lines(struct sequence *q)
{
	CLEANUP(buf_release) struct buf all = BUF_INIT;

	append_project(&q->w->now, &all);
	for (size_t skill = 0; skill < FAMILY_SIZE && !q->rough; skill++) {
		int version = applied_version(q, skill);
		const char *line = version < 0 ? "" : q->lines[skill][version];

		for (const char *end; (end = strchr(line, '\n')); line = end + 1)
			if (!memmem(all.data, all.len, line, (size_t)(end + 1 - line))) {
				CLEANUP(freep)
				char *lost = xmemdupz(line, (size_t)(end - line));

				fail(q->w, "lost", lost);
			}
	}
}

static void check_verify(struct sequence *q)
{
	CLEANUP(command_result_release) struct command_result result = {0};

	if (failed(q->w))
		return;
	q->clean = run(q->w, "nanoclaw verify", &result) == 0;
	if (!q->clean && (!result.out.data || !strstr(result.out.data, "0 damaged")))
		fail(q->w, "verify", result.out.data ? result.out.data : result.err.data);
}

/* The same project, without our folder and the packages? */
static void check_same(struct sequence *q, const char *what, const struct tree *expected,
	const struct tree *got, bool with_record)
{
	CLEANUP(lines_release) struct lines ignore = LINES_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	lines_add(&ignore, view_of(with_record ? ".nanoclaw/history" : ".nanoclaw"), 0);
	lines_add(&ignore, view_of(with_record ? ".nanoclaw/objects" : "skills"), 0);
	lines_add(&ignore, view_of(with_record ? ".nanoclaw/kept*" : "skills"), 0);
	/* Learned resolutions are kept. */
	lines_add(&ignore, view_of(with_record ? ".nanoclaw/hunks" : "skills"), 0);
	lines_add(&ignore, view_of(with_record ? ".nanoclaw/rr-cache" : "skills"), 0);
	if (!failed(q->w) && tree_diff(&text, expected, got, &ignore, NULL))
		fail(q->w, what, text.data);
}

static void check_replay(struct sequence *q)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(tree_release) struct tree again = TREE_INIT;
	CLEANUP(freep) char *folder = xasprintf("%s/again", q->w->workspace.tmp);

	if (failed(q->w) || !q->clean || q->untracked)
		return;
	must(q->w, "rm -rf $TMPDIR/again && "
		   "nanoclaw replay --no-install --no-test --into $TMPDIR/again");
	if (!failed(q->w) && tree_read(&again, folder, &err) < 0)
		fail(q->w, "reading", err.message);
	check_same(q, "replayed, it is not the same", &q->w->now, &again, false);
}

static void check_all(struct sequence *q)
{
	if (failed(q->w))
		return;
	look(q->w, &q->w->now);
	note_applied(q->w);
	check_lines(q->w);
	check_skill_lines(q);
	check_verify(q);
	check_replay(q);
}

/* --- pauses ----------------------------------------------------------------------------- */

static bool go_on(struct sequence *q)
{
	CLEANUP(command_result_release) struct command_result result = {0};

	run(q->w,
		"grep -rlZ '^<<<<<<< ' . --exclude-dir=.nanoclaw --exclude-dir=skills | "
		"xargs -0r sed -i -e '/^||||||| /,/^=======$/{/^=======$/!d}' "
		"-e '/^<<<<<<< /d; /^=======$/d; /^>>>>>>> /d'",
		&result);
	command_result_release(&result);
	result = (struct command_result){0};
	switch (run(q->w, "nanoclaw continue --no-install", &result)) {
	case 0:
		return false;
	case 3:
		return true;
	default:
		fail(q->w, "continue", result.err.data ? result.err.data : "");
		return false;
	}
}

static void settle(struct sequence *q)
{
	unsigned pauses = 0;

	while (!failed(q->w) && go_on(q))
		if (++pauses > MAX_PAUSES)
			fail(q->w, "settling", "it pauses again and again");
}

/* --- operations ------------------------------------------------------------------------- */

/* Take it back and do it again: the same before, and the same afterwards. */
static void back_and_forth(struct sequence *q, const char *line, bool paused)
{
	CLEANUP(tree_release) struct tree after = TREE_INIT;
	CLEANUP(tree_release) struct tree back = TREE_INIT;

	look(q->w, &after);
	must(q->w, "nanoclaw undo --no-install --no-test");
	look(q->w, &back);
	check_same(q, "undone, it is not as before", &q->before, &back, true);
	if (failed(q->w))
		return;
	if (paused) {
		fill(q->w, &after);
		return;
	}
	must(q->w, line);
	look(q->w, &q->w->now);
	check_same(q, "done again, it is not the same", &after, &q->w->now, true);
}

/* Did a removal leave the decision about a file to the person, and its changes unrecorded? */
static bool leaves_untracked(const char *line, const struct command_result *result)
{
	return strstr(line, "skill remove") && strstr(line, "--on-drift continue") &&
	       result->out.data && strstr(result->out.data, "  DECISION  ");
}

/* A command that changes something, or says that there is nothing to do. */
static void operate(struct sequence *q, const char *line)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	int status;

	if (failed(q->w))
		return;
	look(q->w, &q->before);
	q->w->operations++;
	status = run(q->w, line, &result);
	q->untracked |= leaves_untracked(line, &result);
	if (status == 3 && q->rough)
		settle(q);
	else if (status != 0)
		fail(q->w, line, result.err.data ? result.err.data : "");
	look(q->w, &q->w->now);
	q->can_undo = !failed(q->w) && tree_diff(NULL, &q->before, &q->w->now, NULL, NULL);
	if (q->can_undo && one_in(2))
		back_and_forth(q, line, status == 3);
	check_all(q);
}

static const char *drift(void)
{
	return one_in(4) ? "continue" : "record";
}

static void apply(struct sequence *q)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	size_t skill = below(FAMILY_SIZE), count = 0;
	bool there[FAMILY_SIZE];

	memcpy(there, q->w->applied, sizeof(there));
	buf_appendf(&line, "nanoclaw skill apply --no-install --on-drift %s", drift());
	for (size_t i = 0; i < FAMILY_SIZE; i++) {
		size_t next = q->w->family.order[i];
		int depends = q->w->family.depends[next];
		bool wanted =
			next == skill || one_in(5) || q->w->family.depends[skill] == (int)next;

		if (!wanted || there[next] || (depends >= 0 && !there[depends]))
			continue;
		buf_appendf(&line, " %c", family_name(next));
		there[next] = true;
		count++;
	}
	if (count)
		operate(q, line.data);
}

static void take_out(struct sequence *q)
{
	CLEANUP(freep)
	char *line = xasprintf(
		"nanoclaw skill remove --yes --no-install --with-dependents --on-drift %s %c",
		drift(), any_applied(q->w) ? family_name(pick_applied(q->w)) : ' ');

	if (any_applied(q->w))
		operate(q, line);
}

static void update(struct sequence *q)
{
	size_t skill = any_applied(q->w) ? pick_applied(q->w) : below(FAMILY_SIZE);
	CLEANUP(freep)
	char *line = xasprintf("nanoclaw skill update --no-install --on-drift %s %c", drift(),
		family_name(skill));

	if (q->version[skill] + 1 == MAX_VERSIONS)
		return;
	publish(q, skill);
	if (q->w->applied[skill])
		operate(q, line);
}

static void customize(struct sequence *q)
{
	bool tied = any_applied(q->w) && one_in(2);
	char skill = tied ? family_name(pick_applied(q->w)) : 0;
	CLEANUP(freep)
	char *start = tied ? xasprintf("nanoclaw customize start --skill %c 'its own'", skill)
			   : xasprintf("nanoclaw customize start 'alone'");
	unsigned first = q->w->lines;

	if (!q->clean)
		return;
	must(q->w, start);
	write_some(q->w);
	/* A commit of nothing is no operation that could be undone. */
	if (one_in(5) || q->w->lines == first) {
		must(q->w, one_in(2) || q->w->lines > first ? "nanoclaw customize abort"
							    : "nanoclaw customize commit");
		check_all(q);
	} else {
		memset(q->w->tied + first, skill, q->w->lines - first);
		operate(q, "nanoclaw customize commit");
	}
	q->can_undo = false;
}

static void take_back(struct sequence *q)
{
	if (!q->can_undo)
		return;
	must(q->w, "nanoclaw undo --no-install --no-test");
	look(q->w, &q->w->now);
	check_same(q, "undone, it is not as before", &q->before, &q->w->now, true);
	q->can_undo = false;
	check_all(q);
}

/* In place: what is recorded is there already. */
static void replay(struct sequence *q)
{
	CLEANUP(tree_release) struct tree before = TREE_INIT;

	if (!q->clean)
		return;
	look(q->w, &before);
	must(q->w, "nanoclaw replay --no-install --no-test");
	look(q->w, &q->w->now);
	check_same(q, "replayed in place, it is not the same", &before, &q->w->now, true);
}

/* --- the person ------------------------------------------------------------------------- */

/* Before the very line that a skill changes, or in a file that it adds. */
static void write_anywhere(struct sequence *q)
{
	size_t skill = below(FAMILY_SIZE);
	CLEANUP(freep)
	char *pattern =
		one_in(2)
			? xasprintf("^%c added . line %zu$", family_name(skill), skill * 7 + 3)
			: xasprintf("^core %u line %zu$", below(CORE_FILES), skill * 7 + 1);
	CLEANUP(freep)
	char *line =
		xasprintf("f=$(grep -rl '%s' . --exclude-dir=.nanoclaw --exclude-dir=skills | "
			  "LC_ALL=C sort | sed -n 1p); test -n \"$f\" && "
			  "sed -i '0,/%s/{//s/^/mine %u\\n/}' \"$f\"",
			pattern, pattern, q->w->lines);
	CLEANUP(command_result_release) struct command_result result = {0};

	if (run(q->w, line, &result) == 0)
		q->w->lines++;
}

static void edit(struct sequence *q)
{
	unsigned lines = q->w->lines;

	write_some(q->w);
	if (q->rough)
		write_anywhere(q);
	q->can_undo &= q->w->lines == lines;
	check_all(q);
}

/* --- one world -------------------------------------------------------------------------- */

static void step(struct sequence *q)
{
	static void (*const steps[])(struct sequence * q) = {apply, apply, apply, edit, edit,
		take_out, update, customize, take_back, replay};

	steps[below(sizeof(steps) / sizeof(*steps))](q);
}

static void run_sequence(struct world *w, unsigned long number)
{
	struct sequence q = {.w = w, .rough = number % 3 == 2, .clean = true};

	w->traces_stay = q.rough;
	family_make(&w->family);
	fill(w, &w->family.files);
	must(w, "nanoclaw init");
	for (size_t skill = 0; skill < FAMILY_SIZE; skill++)
		note_lines(&q, skill);
	for (unsigned steps = 2 + below(MAX_STEPS - 1); steps && !failed(w); steps--)
		step(&q);
	for (size_t skill = 0; skill < FAMILY_SIZE; skill++)
		for (size_t i = 0; i < MAX_VERSIONS; i++)
			free(q.lines[skill][i]);
	tree_release(&q.before);
}

int main(int argc, char **argv)
{
	return worlds_main(argc, argv,
		"operations lost nothing, and were undone and replayed to the byte",
		run_sequence);
}
