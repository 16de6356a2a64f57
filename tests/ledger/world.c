#include "world.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "random.h"

/* --- its life ------------------------------------------------------------------------ */

static void make_core_file(struct tree *tree, unsigned number, const char *path, mode_t mode)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	bool crlf = !strcmp(path, "dos.txt");
	unsigned lines = 4 + below(20);

	if (!strcmp(path, "logo"))
		buf_append(&content, "\0\1\2", 3);
	for (unsigned i = 1; i <= lines; i++)
		buf_appendf(&content, "<core:%u.%u>%s\n", number, i, crlf ? "\r" : "");
	if (!strcmp(path, "open.txt"))
		buf_set_len(&content, content.len - 1);
	put_file(tree, path, view_of_buf(&content), mode);
}

static void make_core(struct tree *tree)
{
	static const char *const paths[] = {"a.txt", "src/b.txt", "src/c.txt", "doc/d.txt",
		"dos.txt", "open.txt", "logo", "old/e.txt", "old/f.txt"};

	for (unsigned i = 0; i < ARRAY_SIZE(paths); i++)
		make_core_file(tree, i, paths[i], 0644);
	make_core_file(tree, ARRAY_SIZE(paths), "run.sh", 0755);
	put_file(tree, "VERSION", view_of("1.0.0\n"), 0644);
	tree_put(tree, (struct tree_entry){.path = xstrdup("link"),
			       .kind = TREE_LINK,
			       .data = xstrdup("a.txt"),
			       .len = 5});
}

static void make_skills(struct world *w)
{
	static const char *const names[] = {"A", "B", "C", "D", "E"};

	for (size_t i = 0; i < SKILLS; i++)
		skill_init(&w->skills[i], names[i],
			i && one_in(3) ? &w->skills[below((unsigned)i)] : NULL);
}

static int link_faulty(struct world *w, const char *faulty, struct error *err)
{
	CLEANUP(freep) char *program = realpath(faulty, NULL);
	CLEANUP(freep) char *link = xasprintf("%s/bin/nanoclaw-faulty", w->workspace.root);

	if (!program || symlink(program, link) < 0)
		return error_errno(err, "cannot use '%s'", faulty);
	return 0;
}

/* Yours and theirs one after the other, and nothing of the markers. */
static int make_resolver(const struct world *w, struct error *err)
{
	static const char script[] =
		"#!/bin/sh\n"
		"find . -type f -exec sed -i -e '/^|||||||/,/^=======/d' -e '/^<<<<<<< /d' "
		"-e '/^>>>>>>> /d' {} +\n";
	CLEANUP(freep) char *path = xasprintf("%s/bin/take-both", w->workspace.root);
	CLEANUP(closep) int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);

	if (fd < 0 || write(fd, script, strlen(script)) != (ssize_t)strlen(script))
		return error_errno(err, "cannot write '%s'", path);
	return 0;
}

static int make_skills_folder(const struct world *w, struct error *err)
{
	CLEANUP(freep) char *folder = xasprintf("%s/skills", w->workspace.tree);

	return mkdir(folder, 0755) < 0 ? error_errno(err, "cannot create '%s'", folder) : 0;
}

static void track_base(struct world *w)
{
	tree_copy(&w->ledger.recorded, &w->base);
	for (size_t i = 0; i < w->base.count; i++)
		if (w->base.entries[i].kind != TREE_DIR) {
			tokens_add(&w->ledger.tracked, view_of(w->base.entries[i].path));
			tokens_add_all(&w->ledger.must, entry_view(&w->base.entries[i]));
		}
}

int world_init(struct world *w, const char *nanoclaw, const char *faulty, struct counts *counts)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree before = TREE_INIT;

	*w = (struct world){.counts = counts, .log = BUF_INIT, .report = BUF_INIT};
	make_core(&w->base);
	make_skills(w);
	track_base(w);
	if (workspace_init(&w->workspace, nanoclaw, &err) < 0 ||
		link_faulty(w, faulty, &err) < 0 || make_resolver(w, &err) < 0 ||
		workspace_fill(&w->workspace, &w->base, NULL, &err) < 0 ||
		make_skills_folder(w, &err) < 0) {
		world_fail(w, "%s", err.message);
		return -1;
	}
	world_look(w);
	world_run(w, "nanoclaw init", &before, &result);
	if (result.status)
		world_fail(w, "init: exit code %d: %s", result.status, result.err.data);
	return world_failed(w) ? -1 : 0;
}

void ledger_release(struct ledger *ledger)
{
	tokens_release(&ledger->must);
	tokens_release(&ledger->aside);
	tree_release(&ledger->recorded);
	tokens_release(&ledger->tracked);
	tokens_release(&ledger->unknown);
	names_release(&ledger->names);
	*ledger = (struct ledger){0};
}

void ledger_copy(struct ledger *to, const struct ledger *from)
{
	ledger_release(to);
	tokens_copy(&to->must, &from->must);
	tokens_copy(&to->aside, &from->aside);
	tree_copy(&to->recorded, &from->recorded);
	tokens_copy(&to->tracked, &from->tracked);
	tokens_copy(&to->unknown, &from->unknown);
	names_copy(&to->names, &from->names);
}

void world_release(struct world *w)
{
	workspace_release(&w->workspace);
	tree_release(&w->base);
	tree_release(&w->now);
	ledger_release(&w->ledger);
	for (size_t i = 0; i < SKILLS; i++)
		skill_release(&w->skills[i]);
	tokens_release(&w->dropped);
	buf_release(&w->log);
	buf_release(&w->report);
}

void world_log(struct world *w, const char *format, ...)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&line, format, args);
	va_end(args);
	buf_appendf(&w->log, "%s\n", line.data);
	if (w->verbose)
		printf("# %s\n", line.data);
}

void world_fail(struct world *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_appendv(&w->report, format, args);
	va_end(args);
	buf_append_char(&w->report, '\n');
}

bool world_failed(const struct world *w)
{
	return w->report.len;
}

/* --- looking ------------------------------------------------------------------------- */

bool is_project_path(const char *path)
{
	return !path_matches(".nanoclaw", path) && !path_matches("skills", path);
}

bool same_entry(const struct tree_entry *a, const struct tree_entry *b)
{
	if (!a || !b || a->kind == TREE_DIR || b->kind == TREE_DIR)
		return (!a || a->kind == TREE_DIR) && (!b || b->kind == TREE_DIR);
	return a->kind == b->kind && a->len == b->len &&
	       (a->kind != TREE_FILE || (a->mode & 0100) == (b->mode & 0100)) &&
	       !memcmp(a->data, b->data, a->len);
}

void tree_put_copy(struct tree *to, const struct tree_entry *entry)
{
	struct tree_entry copy = *entry;

	copy.path = xstrdup(entry->path);
	copy.data = entry->data ? xmemdupz(entry->data, entry->len) : NULL;
	tree_put(to, copy);
}

static void read_now(struct world *w, struct tree *tree)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	tree_release(tree);
	*tree = TREE_INIT;
	if (tree_read(tree, w->workspace.tree, &err) < 0)
		world_fail(w, "%s", err.message);
}

void world_look(struct world *w)
{
	read_now(w, &w->now);
}

void world_restore(struct world *w)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (workspace_fill(&w->workspace, &w->now, NULL, &err) < 0)
		world_fail(w, "%s", err.message);
}

/* Files that any command may write. */
static void add_ignored(struct lines *ignore)
{
	lines_add(ignore, view_of(".nanoclaw/index"), 0);
}

static size_t differences(
	struct world *w, struct buf *out, const struct tree *expected, const struct tree *got)
{
	CLEANUP(lines_release) struct lines ignore = LINES_INIT;

	(void)w;
	add_ignored(&ignore);
	return tree_diff(out, expected, got, &ignore, NULL);
}

void world_expect_same(struct world *w, const struct tree *before, const char *what)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (differences(w, &text, before, &w->now))
		world_fail(w, "%s changed something:\n%s", what, text.data);
}

/* --- running ------------------------------------------------------------------------- */

static void run(struct world *w, const char *line, const char *const *extra,
	struct command_result *result)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct command_request request = {
		.line = line,
		.dir = w->workspace.tree,
		.env = w->workspace.env,
		.extra = extra,
		.seconds = 120,
	};

	if (command_run(&request, result, &err) < 0)
		world_fail(w, "%s", err.message);
	else if (result->timed_out)
		world_fail(w, "'%s' does not end", line);
	else if (strstr(result->err.data, "Sanitizer") ||
		 strstr(result->err.data, "runtime error:"))
		world_fail(w, "%s", result->err.data);
}

static unsigned long read_calls(struct world *w)
{
	CLEANUP(freep) char *path = xasprintf("%s/calls", w->workspace.root);
	FILE *file = fopen(path, "re");
	unsigned long calls = 0;

	if (file) {
		if (fscanf(file, "%lu", &calls) != 1)
			calls = 0;
		fclose(file);
		unlink(path);
	}
	return calls;
}

static void run_faulty(
	struct world *w, const char *line, const char *fault, struct command_result *result)
{
	CLEANUP(freep)
	char *faulty = xasprintf("nanoclaw-faulty %s", line + strlen("nanoclaw "));
	CLEANUP(freep) char *variable = xasprintf("NANOCLAW_FAULT=%s", fault);
	CLEANUP(freep)
	char *count = xasprintf("NANOCLAW_FAULT_COUNT=%s/calls", w->workspace.root);
	const char *const extra[] = {variable, count, NULL};

	run(w, faulty, extra, result);
}

/* Killed, or failing, at that call: before or after, and nothing in between. */
static void crash_at(
	struct world *w, const char *line, const char *fault, const struct tree *done)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(command_result_release) struct command_result status = {0};
	CLEANUP(tree_release) struct tree got = TREE_INIT;
	CLEANUP(buf_release) struct buf from_old = BUF_INIT;
	CLEANUP(buf_release) struct buf from_new = BUF_INIT;

	run_faulty(w, line, fault, &result);
	if (world_failed(w))
		return;
	run(w, "nanoclaw status", NULL, &status);
	read_now(w, &got);
	w->counts->crashes++;
	if (status.status)
		world_fail(w, "NANOCLAW_FAULT=\"%s\" %s\nthen status: exit code %d: %s", fault,
			line, status.status, status.err.data);
	if (differences(w, &from_old, &w->now, &got) && differences(w, &from_new, done, &got))
		world_fail(w,
			"NANOCLAW_FAULT=\"%s\" %s\nthe files are neither old nor new\n"
			"compared with old:\n%scompared with new:\n%s",
			fault, line, from_old.data, from_new.data);
}

/* Run the command and restore the files; crash it somewhere and restore them again. */
static void rehearse(struct world *w, const char *line)
{
	static const char *const modes[] = {"kill", "kill", "torn", "eio", "enospc"};
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree done = TREE_INIT;
	unsigned long calls;

	run_faulty(w, line, "count 0", &result);
	read_now(w, &done);
	calls = read_calls(w);
	world_restore(w);
	if (world_failed(w) || !calls)
		return;
	for (unsigned n = 1 + below(2); n && !world_failed(w); n--) {
		CLEANUP(freep)
		char *fault = xasprintf(
			"%s %u", modes[below(ARRAY_SIZE(modes))], 1 + below((unsigned)calls));

		crash_at(w, line, fault, &done);
		if (!world_failed(w))
			world_restore(w);
	}
}

/* The number of the newest operation that can be undone, or 0. */
static unsigned long newest_entry(const struct tree *tree)
{
	static const char history[] = ".nanoclaw/history/";
	unsigned long newest = 0;

	for (size_t i = 0; i < tree->count; i++) {
		const char *path = tree->entries[i].path;
		unsigned long number = view_starts_with(view_of(path), history)
					       ? strtoul(path + strlen(history), NULL, 10)
					       : 0;

		if (number > newest)
			newest = number;
	}
	return newest;
}

/* Everything is as it was before, but for the history itself and for what was learned. */
static void expect_undone(struct world *w, const struct tree *before, const struct tree *got)
{
	CLEANUP(lines_release) struct lines ignore = LINES_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	add_ignored(&ignore);
	lines_add(&ignore, view_of(".nanoclaw/history"), 0);
	lines_add(&ignore, view_of(".nanoclaw/hunks"), 0);
	lines_add(&ignore, view_of(".nanoclaw/rr-cache"), 0);
	if (tree_diff(&text, before, got, &ignore, NULL))
		world_fail(w, "after 'undo' the files are not as before:\n%s", text.data);
}

/*
 * Undo what was just done, maybe with a crash, and do as if that had never been. What was
 * continued leads back to before its pause, where we have no files to compare with.
 */
static void rehearse_undo(struct world *w, const struct tree *before)
{
	static const char line[] = "nanoclaw undo --no-test";
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(tree_release) struct tree undone = TREE_INIT;
	unsigned long calls;

	if (newest_entry(&w->now) <= newest_entry(before) ||
		tree_find(before, ".nanoclaw/backup"))
		return;
	run_faulty(w, line, "count 0", &result);
	calls = read_calls(w);
	read_now(w, &undone);
	if (result.status)
		world_fail(w, "'undo': exit code %d: %s", result.status, result.err.data);
	w->counts->undone++;
	expect_undone(w, before, &undone);
	if (world_failed(w))
		return;
	world_restore(w);
	/* Without a random number, so that a seed means the same world as without this. */
	if (calls && w->counts->undone % 3 == 0) {
		CLEANUP(freep)
		char *fault = xasprintf("kill %lu", 1 + w->counts->undone * 7 % calls);

		crash_at(w, line, fault, &undone);
	}
	if (!world_failed(w))
		world_restore(w);
}

void world_run(
	struct world *w, const char *line, struct tree *before, struct command_result *result)
{
	w->counts->operations++;
	if (one_in(8))
		rehearse(w, line);
	if (world_failed(w)) {
		world_log(w, "$ %s", line);
		return;
	}
	run(w, line, NULL, result);
	world_log(w, "$ %s  # %d", line, result->status);
	if (w->verbose && result->err.len)
		printf("#   %s\n", result->err.data);
	*before = w->now;
	w->now = TREE_INIT;
	world_look(w);
	if (!world_failed(w) && !result->status && w->counts->operations % 2)
		rehearse_undo(w, before);
}

void world_query(struct world *w, const char *line, struct command_result *result)
{
	CLEANUP(tree_release) struct tree before = TREE_INIT;

	run(w, line, NULL, result);
	if (world_failed(w))
		return;
	before = w->now;
	w->now = TREE_INIT;
	world_look(w);
	world_expect_same(w, &before, line);
}

/* --- the ledger ---------------------------------------------------------------------- */

static void tokens_of_tree(struct tokens *set, const struct tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		if (is_project_path(tree->entries[i].path))
			tokens_add_all(set, entry_view(&tree->entries[i]));
}

void world_must_be_now(struct world *w)
{
	tokens_release(&w->ledger.must);
	tokens_of_tree(&w->ledger.must, &w->now);
}

void world_note_edits(struct world *w, const struct tree *before)
{
	CLEANUP(tokens_release) struct tokens old = TOKENS_INIT;
	CLEANUP(tokens_release) struct tokens new = TOKENS_INIT;

	tokens_of_tree(&old, before);
	tokens_of_tree(&new, &w->now);
	for (size_t i = 0; i < old.count; i++)
		if (!tokens_have(&new, view_of(old.list[i])))
			tokens_remove(&w->ledger.must, old.list[i]);
	for (size_t i = 0; i < new.count; i++)
		if (!tokens_have(&old, view_of(new.list[i])))
			tokens_add(&w->ledger.must, view_of(new.list[i]));
}

/* Where else a token is, for the report. */
static const char *find_elsewhere(const struct world *w, const char *token)
{
	for (size_t i = 0; i < w->now.count; i++) {
		struct view content = entry_view(&w->now.entries[i]);

		if (path_matches(".nanoclaw", w->now.entries[i].path) && content.len &&
			memmem(content.data, content.len, token, strlen(token)))
			return w->now.entries[i].path;
	}
	return "nowhere";
}

static void check_aside(struct world *w, const struct tokens *there)
{
	CLEANUP(tokens_release) struct tokens kept = TOKENS_INIT;

	for (size_t i = 0; i < w->now.count; i++)
		if (path_matches(".nanoclaw/kept*", w->now.entries[i].path))
			tokens_add_all(&kept, entry_view(&w->now.entries[i]));
	for (size_t i = 0; i < w->ledger.aside.count; i++) {
		struct view token = view_of(w->ledger.aside.list[i]);

		w->counts->lines++;
		if (!tokens_have(&kept, token) && !tokens_have(there, token))
			world_fail(w, "%s was kept aside, and is gone", token.data);
	}
}

static void check_must(struct world *w)
{
	CLEANUP(tokens_release) struct tokens there = TOKENS_INIT;

	tokens_of_tree(&there, &w->now);
	for (size_t i = 0; i < w->ledger.must.count; i++) {
		const char *token = w->ledger.must.list[i];

		w->counts->lines++;
		if (!tokens_have(&there, view_of(token)))
			world_fail(w, "lost: %s (now in: %s)", token, find_elsewhere(w, token));
	}
	check_aside(w, &there);
}

/* Is all of it in one file that was not there before? Then the file has another name. */
static bool is_renamed(
	const struct world *w, const struct tree *before, const struct tokens *gone)
{
	for (size_t i = 0; i < w->now.count; i++) {
		const struct tree_entry *new = &w->now.entries[i];
		CLEANUP(tokens_release) struct tokens there = TOKENS_INIT;
		size_t found = 0;

		if (!is_project_path(new->path) || tree_find(before, new->path))
			continue;
		tokens_add_all(&there, entry_view(new));
		for (size_t j = 0; j < gone->count; j++)
			found += tokens_have(&there, view_of(gone->list[j]));
		if (found == gone->count)
			return true;
	}
	return false;
}

/* In each file, only what was taken away on purpose may be missing. */
static void check_paths(
	struct world *w, const struct tree *before, const struct tokens *removed)
{
	for (size_t i = 0; i < before->count; i++) {
		const struct tree_entry *old = &before->entries[i];
		CLEANUP(tokens_release) struct tokens gone = TOKENS_INIT;

		if (!is_project_path(old->path))
			continue;
		tokens_add_difference(
			&gone, entry_view(old), entry_view(tree_find(&w->now, old->path)));
		if (!tree_find(&w->now, old->path) && is_renamed(w, before, &gone))
			continue;
		for (size_t j = 0; j < gone.count; j++)
			if (!tokens_have(removed, view_of(gone.list[j])))
				world_fail(w, "lost in '%s': %s", old->path, gone.list[j]);
	}
}

void world_settle_ledger(struct world *w, const struct tree *before,
	const struct tokens *introduced, const struct tokens *removed)
{
	for (size_t i = 0; i < removed->count; i++)
		tokens_remove(&w->ledger.must, removed->list[i]);
	for (size_t i = 0; i < introduced->count; i++)
		tokens_add(&w->ledger.must, view_of(introduced->list[i]));
	check_must(w);
	check_paths(w, before, removed);
}
