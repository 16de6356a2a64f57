/*
 * The instructions that agents start with, and which agents must restart when they change.
 *
 * When the host starts, it adds the base and the skills to a project without them, migrates an
 * older layout, and composes every group (compose/compose.h). Then:
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
	/* A watched file has changed, perhaps with a budget: paused groups (NULL: all) check it. */
	void (*wake_paused)(struct queue *queue, const char *folder);
};

/* Does all of this. A group that cannot be composed is logged. */
int memory_new(struct installation *inst, const struct memory_handlers *handlers,
	struct memory **ret_memory, struct error *err);

/* Stop watching for changes; call memory_free() when the loop has ended. */
void memory_close(struct memory *memory);
void memory_free(struct memory *memory);

/* ERROR_INVALID: its container.json is wrong, and no agent of it can start. */
int memory_compose(struct memory *memory, const char *folder, struct error *err);

/* Watch the files of a group without composing them: its budget is among them. */
void memory_attend(struct memory *memory, const char *folder);

/* Check for changes now; the watch calls this. */
void memory_check(struct memory *memory);

#endif
