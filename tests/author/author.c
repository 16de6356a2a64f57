/*
 * A package that is made of changes gives these changes:
 *
 *	author --nanoclaw PROGRAM [--seed S] [--first F] [--worlds N]
 *
 * A core with none to three skills of a family (make.h) and now and then a custom patch gets a
 * random set of changes (change.h), and 'skill new --from-changes' makes a package of them.
 * Then
 *
 *  - 'skill check' finds nothing but marks for the author;
 *  - applied to the project as it was before the changes, it gives the tree: contents,
 *    permissions, names;
 *  - applied to the core with its dependencies alone it needs no decision, has every line of
 *    the author's, and none of a skill that it does not depend on; if there was neither a skill
 *    nor a patch it gives the tree;
 *  - applied to the tree with the changes in it, it takes them over: the tree stays, nothing is
 *    unrecorded afterwards; and removed again, the tree is as it was before the changes.
 *
 * In every other world '--exact' is given, and then structured files are compared by their
 * bytes, too. A set that is refused must leave everything as it was, and is followed by another
 * one; in a project without other skills and patches none is refused.
 *
 * A failure is printed with its world; `--first F --worlds 1` runs that one alone.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "change.h"
#include "random.h"
#include "worlds.h"

#define TRIES   20
#define PACKAGE ".claude/skills/made"

static unsigned refused;

struct author {
	struct world *world;
	size_t skills; /* how many of the family's order are applied */
	bool patched;
	bool exact;
	struct tree before; /* everything, without the changes */
	struct tree after;  /* with them */
	struct tree made;   /* and with the package */
};

static void author_release(struct author *a)
{
	tree_release(&a->before);
	tree_release(&a->after);
	tree_release(&a->made);
}

/* --- comparing -------------------------------------------------------------------------- */

/* The files of the project; without those that the engine lays out, if that is allowed. */
static void project_only(const struct author *a, const struct tree *from, struct tree *to)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct tree_entry *e = &from->entries[i];

		if (e->kind == TREE_DIR || !is_project_path(e->path) ||
			!strncmp(e->path, ".claude/", 8) ||
			(!a->exact && change_is_structured(e->path)))
			continue;
		tree_put(to, (struct tree_entry){.path = xstrdup(e->path),
				     .kind = e->kind,
				     .mode = e->mode,
				     .data = xmemdupz(e->data, e->len),
				     .len = e->len});
	}
}

static void expect(struct author *a, const struct tree *wanted, const char *what)
{
	struct world *w = a->world;
	CLEANUP(tree_release) struct tree now = TREE_INIT;
	CLEANUP(tree_release) struct tree left = TREE_INIT;
	CLEANUP(tree_release) struct tree right = TREE_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (failed(w))
		return;
	look(w, &now);
	project_only(a, wanted, &left);
	project_only(a, &now, &right);
	if (tree_diff(&text, &left, &right, NULL, NULL))
		fail(w, what, text.data);
}

/* --- the project ------------------------------------------------------------------------ */

static void prepare(struct author *a)
{
	struct world *w = a->world;

	family_make(&w->family);
	change_add_core(&w->family.files);
	fill(w, &w->family.files);
	must(w, "nanoclaw init");
	for (size_t i = 0; i < a->skills; i++) {
		CLEANUP(freep)
		char *line = xasprintf("nanoclaw skill apply --no-install %c",
			family_name(w->family.order[i]));

		must(w, line);
	}
	if (a->patched) {
		must(w, "nanoclaw customize start 'my own'");
		while (!w->lines && !failed(w))
			write_some(w);
		must(w, "nanoclaw customize commit");
	}
	look(w, &a->before);
}

/* --- the package ------------------------------------------------------------------------ */

/* False if it was refused. */
static bool make_package(struct author *a)
{
	struct world *w = a->world;
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree now = TREE_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const char *line = a->exact ? "nanoclaw skill new made --from-changes --exact"
				    : "nanoclaw skill new made --from-changes";

	tree_release(&a->after);
	a->after = TREE_INIT;
	tree_copy(&a->after, &a->before);
	change_some(&a->after, &w->log);
	fill(w, &a->after);
	if (run(w, line, &result) == 0) {
		look(w, &a->made);
		return true;
	}
	refused++;
	buf_append_str(&w->log, result.err.data ? result.err.data : "");
	look(w, &now);
	if (tree_diff(&text, &a->after, &now, NULL, NULL))
		fail(w, "it was refused, and something has changed", text.data);
	if (result.status != 2)
		fail(w, line, result.err.data ? result.err.data : "");
	/* Without others in it, there is nothing that a package cannot say. */
	if (!a->skills && !a->patched && !strstr(result.err.data, "nothing is changed"))
		fail(w, line, result.err.data);
	return false;
}

/* Add the package to a tree. */
static void add_package(const struct author *a, struct tree *tree)
{
	for (size_t i = 0; i < a->made.count; i++) {
		const struct tree_entry *e = &a->made.entries[i];

		if (!strncmp(e->path, PACKAGE "/", strlen(PACKAGE) + 1) && e->kind == TREE_FILE)
			tree_put(tree, (struct tree_entry){.path = xstrdup(e->path),
					       .kind = e->kind,
					       .mode = e->mode,
					       .data = xmemdupz(e->data, e->len),
					       .len = e->len});
	}
}

static bool manifest_has(const struct author *a, const char *text)
{
	const struct tree_entry *manifest = tree_find(&a->made, PACKAGE "/manifest.yaml");

	return manifest && memmem(manifest->data, manifest->len, text, strlen(text));
}

/* --- what has to hold ------------------------------------------------------------------- */

static void check_before(struct author *a)
{
	struct world *w = a->world;
	CLEANUP(tree_release) struct tree start = TREE_INIT;

	tree_copy(&start, &a->before);
	add_package(a, &start);
	fill(w, &start);
	must(w, "nanoclaw skill apply --no-install made");
	expect(a, &a->after, "applied to what was there before, it does not give the tree");
	must(w, "nanoclaw verify");
}

static bool needs(const struct author *a, size_t skill)
{
	CLEANUP(freep) char *name = xasprintf("\n  - %c\n", family_name(skill));
	const struct tree_entry *manifest = tree_find(&a->made, PACKAGE "/manifest.yaml");
	CLEANUP(freep)
	char *text = manifest ? xmemdupz(manifest->data, manifest->len) : xstrdup("");

	return strstr(text, name);
}

/* The skills that it depends on, and those on which they do, in their order. */
static char *apply_line(const struct author *a)
{
	const struct family *family = &a->world->family;
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	bool needed[FAMILY_SIZE] = {0};

	buf_append_str(&line, "nanoclaw skill apply --no-install");
	for (size_t i = a->skills; i > 0; i--) {
		size_t skill = family->order[i - 1];

		needed[skill] |= needs(a, skill);
		if (needed[skill] && family->depends[skill] >= 0)
			needed[family->depends[skill]] = true;
	}
	for (size_t i = 0; i < a->skills; i++)
		if (needed[family->order[i]])
			buf_appendf(&line, " %c", family_name(family->order[i]));
	buf_append_str(&line, " made");
	return buf_take(&line);
}

/* Is "author N" there, and not only as the beginning of another one? */
static bool has_token(const struct buf *text, const char *token, size_t len)
{
	const char *end = text->data + text->len;

	for (const char *p = text->data; (p = memmem(p, (size_t)(end - p), token, len)); p++)
		if (p + len == end || p[len] < '0' || p[len] > '9')
			return true;
	return false;
}

static void check_own_lines(struct author *a)
{
	static const char mark[] = "author ";
	CLEANUP(buf_release) struct buf wanted = BUF_INIT;
	CLEANUP(buf_release) struct buf all = BUF_INIT;
	const char *p;

	append_project(&a->after, &wanted);
	append_project(&a->world->now, &all);
	p = wanted.data;
	while ((p = memmem(p, (size_t)(wanted.data + wanted.len - p), mark, strlen(mark)))) {
		size_t len = strlen(mark) + strspn(p + strlen(mark), "0123456789");
		CLEANUP(freep) char *token = xmemdupz(p, len);

		if (!has_token(&all, p, len))
			fail(a->world, "lost on the clean core", token);
		p += len;
	}
}

static void check_clean(struct author *a)
{
	struct world *w = a->world;
	CLEANUP(tree_release) struct tree start = TREE_INIT;
	CLEANUP(freep) char *line = apply_line(a);

	tree_copy(&start, &w->family.files);
	add_package(a, &start);
	fill(w, &start);
	must(w, line);
	if (failed(w))
		return;
	look(w, &w->now);
	note_applied(w);
	w->lines = 0;
	check_lines(w);
	check_own_lines(a);
	if (!a->skills && !a->patched)
		expect(a, &a->after, "applied to the core, it does not give the tree");
}

static void check_taken_over(struct author *a)
{
	struct world *w = a->world;

	fill(w, &a->made);
	must(w, "nanoclaw skill apply --no-install made");
	expect(a, &a->after, "applied where the changes are, it has changed the tree");
	must(w, "! nanoclaw status | grep changed");
	must(w, "nanoclaw verify");
	/* A package of nothing but new files: those that were there stay there. */
	if (!manifest_has(a, "\nmodifies:") && !manifest_has(a, "\nfile_ops:"))
		return;
	must(w, "nanoclaw skill remove --no-install made");
	expect(a, &a->before, "removed again, it does not leave what was there before");
}

static void run_author(struct world *w, unsigned long number)
{
	CLEANUP(author_release)
	struct author a = {
		.world = w,
		.skills = number % 4,
		.patched = number % 3 == 2,
		.exact = number % 2,
	};
	bool done = false;

	prepare(&a);
	for (unsigned i = 0; i < TRIES && !done && !failed(w); i++)
		done = make_package(&a);
	if (!done || failed(w)) {
		fail(w, "no package", "all sets of changes were refused");
		return;
	}
	w->operations++;
	must(w, "nanoclaw skill check " PACKAGE);
	must(w, "! nanoclaw skill check " PACKAGE
		" | grep -v \"placeholder '<!-- author:\\|checked\"");
	check_before(&a);
	check_clean(&a);
	check_taken_over(&a);
}

int main(int argc, char **argv)
{
	int code = worlds_main(
		argc, argv, "packages give the changes that they were made of", run_author);

	printf("# %u sets of changes were refused\n", refused);
	return code;
}
