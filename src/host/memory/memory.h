/*
 * The instructions that agents start with, and which agents must restart when they change.
 *
 * At the start of the host: the base and the skills are put into a project that has none,
 * the older layout is left behind, and every group is composed (compose/compose.h). Then:
 *
 *	memory_compose(memory, folder, err)	before each start of an agent
 *
 *	change					agents that end when their turn is done
 *	container/CLAUDE.md			all
 *	data/global.md				all
 *	container/skills/NAME/instructions.md	those of groups that have the skill
 *	groups/FOLDER/container.json		those of the group
 *	groups/FOLDER/CLAUDE.local.md		none: they read it themselves
 *
 * Each composition has a hash of its inputs. When inotify reports a possible change, the hash is
 * computed again for the groups whose agents were started; where it differs, those agents are
 * replaced. So it does not matter how a file was changed, or whether events were lost.
 */
#ifndef HOST_MEMORY_MEMORY_H
#define HOST_MEMORY_MEMORY_H

#include "host/base/installation.h"

struct memory;
struct queue;

/* Functions of the queue that it calls. */
struct memory_handlers {
	struct queue *queue;
	/* The instructions that a group's agents were started with have changed. */
	void (*renew)(struct queue *queue, const char *folder);
	/* A file that is watched may have changed, in any group (NULL). */
	void (*changed)(struct queue *queue, const char *folder);
};

/* Everything that is done at the start. A group that cannot be composed is logged. */
int memory_new(struct installation *inst, const struct memory_handlers *handlers,
	struct memory **ret_memory, struct error *err);

/* No more changes are looked for; memory_free() when the loop has ended. */
void memory_close(struct memory *memory);
void memory_free(struct memory *memory);

/* ERROR_INVALID: its container.json is wrong, and no agent of it can start. */
int memory_compose(struct memory *memory, const char *folder, struct error *err);

/* Watch the files of a group without composing them: its budget is among them. */
void memory_attend(struct memory *memory, const char *folder);

/* Look now; the watch calls it. */
void memory_check(struct memory *memory);

#endif
