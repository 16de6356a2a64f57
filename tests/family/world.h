/*
 * A project with a family of skills (make.h), and what a person does in it.
 *
 * The first thing that is wrong is in `report`, and ends everything.
 */
#ifndef FAMILY_WORLD_H
#define FAMILY_WORLD_H

#include "command.h"
#include "make.h"
#include "workspace.h"

#define WORLD_MAX_LINES 200

struct world {
	struct workspace workspace;
	struct family family;
	struct tree now;
	bool applied[FAMILY_SIZE];
	unsigned lines;             /* that the person wrote, … */
	char tied[WORLD_MAX_LINES]; /* … for this skill alone; or 0 */
	bool traces_stay;           /* of skills that are not applied: somebody wanted it so */
	unsigned long operations;
	struct buf log;
	struct buf report;
};

#define WORLD_INIT ((struct world){.log = BUF_INIT, .report = BUF_INIT})

void world_release(struct world *w);

bool failed(const struct world *w);
void fail(struct world *w, const char *what, const char *why);

/* Run a line, or one that has to succeed. */
int run(struct world *w, const char *line, struct command_result *result);
void must(struct world *w, const char *line);

/* The files on the disk, and the other way round. */
void look(struct world *w, struct tree *ret_tree);
void fill(struct world *w, const struct tree *tree);

/* Some lines, each before one of the core that is the person's. */
void write_some(struct world *w);

/* Which skills are applied, as the state says. */
void note_applied(struct world *w);
bool any_applied(const struct world *w);
size_t pick_applied(const struct world *w);

/* Neither our folder nor a package. */
bool is_project_path(const char *path);

/* Every file of the project, one after the other. */
void append_project(const struct tree *tree, struct buf *out);

/*
 * A line that the person wrote is still there, or in the patch of a skill that is not applied;
 * nothing else is of such skills.
 */
void check_lines(struct world *w);

#endif
