/*
 * Ask a program to resolve conflicts: a command of the person's choice, or Claude Code.
 *
 *	struct resolver_request request = {.project = s->project, ...};
 *	CLEANUP(resolver_result_release) struct resolver_result result = RESOLVER_RESULT_INIT;
 *
 *	if (resolver_run(&request, &result, err) < 0)
 *		return -1;
 *	if (result.refused)
 *		… it stays a conflict; say why, and show result.output …
 *	else
 *		… result.edits[i] is the content for request.files[i] …
 *
 * The command runs in its own folder, with copies of the files in conflict, and gets one JSON
 * document with all details on standard input (docs/resolver.md). It edits the copies. The
 * result is checked:
 *
 *	- it ended by itself, in time, with exit code 0;
 *	- every copy is still a file, and not too large;
 *	- no conflict markers are left, beyond lines that were content before;
 *	- a file with a conflict is not as it was given (of a request without any, one
 *	  file at least is not);
 *	- no piece of code is lost that an intent file wants to be kept (intent.h);
 *	- nothing else was made or changed: not in its folder, and not in the project
 *	  (guard.h), where it is put back.
 *
 * A failed check is a result, not an error: `refused` says why, and no edit is used. A request
 * succeeds or fails as a whole, because the files belong together: an edit of one file may need
 * the edit of another.
 *
 * It is an error if the cause is not the command (no space for the copies, a signal to us), or
 * if a change to .nanoclaw cannot be undone.
 */
#ifndef ENGINE_CONFLICT_RESOLVER_H
#define ENGINE_CONFLICT_RESOLVER_H

#include <stdbool.h>
#include <sys/types.h>

#include "engine/disk/project.h"
#include "engine/disk/rollback.h"
#include "engine/package/package.h"
#include "engine/state/state.h"

/* The command that means Claude Code. */
#define RESOLVER_CLAUDE "claude"

#define RESOLVER_DEFAULT_SECONDS 600

/* A copy may grow to this, or to twice its size. */
#define RESOLVER_MAX_FILE ((size_t)64 * 1024 * 1024)

/* What all files and texts of a request may have together. */
#define RESOLVER_MAX_REQUEST ((size_t)256 * 1024 * 1024)

struct resolver_file {
	const struct relpath *path;
	struct view base; /* each of these three: `data` is NULL if there is no such file */
	struct view current;
	struct view skill;
	struct view merged; /* in the copy: with markers, or the current file if impossible */
	mode_t mode;
	size_t markers; /* lines of `merged` that look like markers and are content */
	bool clean;     /* there is no conflict; it may be changed and need not be */
	const char *skill_name;
	const char *skill_version;
};

/* --- facts about the skills ---------------------------------------------------------- */

struct resolver_intent {
	struct relpath path; /* of the file that it is about */
	struct buf text;
};

struct resolver_skill {
	char *name;
	char *version;
	struct buf skill_md;
	bool has_skill_md;
	struct resolver_intent *intents;
	size_t intent_count, intent_cap;
};

struct resolver_skills {
	struct resolver_skill *list;
	size_t count, cap;
};

#define RESOLVER_SKILLS_INIT ((struct resolver_skills){0})

/*
 * Read SKILL.md and the intent files of all skills related to these files: skills that the
 * files name, applied skills that have such a file, and packages that contain one. For a skill
 * whose package is gone only name and version are known.
 */
int resolver_skills_collect(struct resolver_skills *skills, const struct project *project,
	const struct state *state, const struct resolver_file *files, size_t count,
	struct error *err);

void resolver_skills_release(struct resolver_skills *skills);

/* --- asking ------------------------------------------------------------------------------ */

struct resolver_request {
	const struct project *project;
	const struct state *state;
	int base; /* the open base folder */
	const char *operation;
	const struct resolver_file *files;
	size_t file_count;
	const struct resolver_skills *skills;
	struct view state_text;  /* of state.yaml; `data` may be NULL in these three */
	struct view migration;   /* in updates: migration.md */
	struct view test_output; /* after tests that failed */
	const char *command;     /* for sh, or RESOLVER_CLAUDE */
	unsigned seconds;        /* the time limit */
	bool live;               /* the command writes to the terminal */
};

struct resolver_result {
	struct buf *edits; /* in the order of the request's files */
	size_t edit_count;
	char *refused;         /* why nothing is taken: "it …", one line; or NULL */
	struct buf output;     /* the last lines that the command wrote, if not live */
	struct kept_list kept; /* files restored in the project */
};

#define RESOLVER_RESULT_INIT                                                                   \
	((struct resolver_result){.output = BUF_INIT, .kept = KEPT_LIST_INIT})

/* `*ret_result` must be empty. */
int resolver_run(const struct resolver_request *request, struct resolver_result *ret_result,
	struct error *err);

void resolver_result_release(struct resolver_result *result);

#endif
