/*
 * A project under test, and what the test knows about it.
 *
 * `now` is all that is on the disk. `must` are the tokens that the files of the project must
 * contain: a person or a skill adds a token, and only a person, or a skill whose own file lacks
 * it, removes it. `aside` are tokens that an abort had to save in .nanoclaw/kept. `recorded` is
 * the expected content of each of the `tracked` paths; any difference is drift. If the recorded
 * content cannot be predicted, the path is `unknown` until status reports it as unchanged.
 * `names` says where renamed files are. `dropped` are tokens that a person has ever left out
 * when resolving a conflict; they may be missing when the same conflict comes up again.
 *
 * The first failure is stored in `report` and ends the test.
 */
#ifndef LEDGER_WORLD_H
#define LEDGER_WORLD_H

#include "command.h"
#include "skill.h"
#include "token.h"
#include "tree.h"
#include "workspace.h"

#define SKILLS 5

struct counts {
	unsigned long operations;
	unsigned long edits;
	unsigned long lines;
	unsigned long conflicts;
	unsigned long pauses;
	unsigned long aborts;
	unsigned long crashes;
	unsigned long undone;
	unsigned long refusals;
	unsigned long dry_runs;
	unsigned long failed_tests;
	unsigned long patches;
	unsigned long git_applied;
	unsigned long drift;
	unsigned long authors;
	unsigned long renames;
	unsigned long deletions;
	unsigned long decisions;
	unsigned long resolved;
	unsigned long reapplied;
};

struct ledger {
	struct tokens must;
	struct tokens aside;
	struct tree recorded;
	struct tokens tracked;
	struct tokens unknown;
	struct names names;
};

struct world {
	struct workspace workspace;
	struct tree base;
	struct tree now;
	struct ledger ledger;
	struct skill skills[SKILLS];
	struct counts *counts;
	struct buf log;
	struct buf report;
	struct tokens dropped;
	unsigned next_token;
	bool verbose;
};

int world_init(
	struct world *w, const char *nanoclaw, const char *faulty, struct counts *counts);
void world_release(struct world *w);

/* Log a step; report a failure. */
void world_log(struct world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void world_fail(struct world *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool world_failed(const struct world *w);

/* Read the disk again. */
void world_look(struct world *w);

/* Make the disk as `now` again. */
void world_restore(struct world *w);

/*
 * Run a line that begins with "nanoclaw ", maybe after a rehearsal in which it was
 * killed somewhere. `before` gets the files as they were.
 */
void world_run(
	struct world *w, const char *line, struct tree *before, struct command_result *result);

/* Run a line that must not change anything. */
void world_query(struct world *w, const char *line, struct command_result *result);

/* Nothing may be different. */
void world_expect_same(struct world *w, const struct tree *before, const char *what);

/* A person did something: what went is not missed, and what came must stay. */
void world_note_edits(struct world *w, const struct tree *before);

/*
 * nanoclaw did something, which brought and took these tokens: is everything there
 * that has to be?
 */
void world_settle_ledger(struct world *w, const struct tree *before,
	const struct tokens *introduced, const struct tokens *removed);

/* Start over from the current files. */
void world_must_be_now(struct world *w);

bool is_project_path(const char *path);

/* The same kind, content and execute bit; folders count as nothing. */
bool same_entry(const struct tree_entry *a, const struct tree_entry *b);

void tree_put_copy(struct tree *to, const struct tree_entry *entry);

void ledger_copy(struct ledger *to, const struct ledger *from);
void ledger_release(struct ledger *ledger);

#endif
