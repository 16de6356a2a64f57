/*
 * A folder that an agent can write to, and in which some names are the host's.
 *
 * Each function brings one name to what it shall be. What is right already is not touched:
 * there is no call that changes anything. Whatever an agent has put there instead (a link, a
 * folder, a pipe, a socket) is never followed, opened or waited for:
 *
 *	a link, a pipe, a socket, a device	is removed: there is nothing in it
 *	a folder				is moved aside
 *	a file that is not the host's		is moved aside
 *
 * Aside is NAME.kept-N beside the folder or in it, so that nothing that somebody wrote is
 * lost. Every change is one rename or one unlink of a name in an open folder.
 *
 * Nothing is synced: after a power cut what is missing or broken here is not as it shall be,
 * and is made again before the next agent starts.
 *
 *	CLEANUP(folder_release) struct folder folder = FOLDER_INIT;
 *
 *	if (folder_enter(&group, ".claude-fragments", &folder, err) < 0 ||
 *		folder_link(&folder, "welcome.md", "/app/skills/welcome/instructions.md",
 *			err) < 0)
 *		return -1;
 */
#ifndef COMPOSE_FOLDER_H
#define COMPOSE_FOLDER_H

#include <stdbool.h>

#include "base/error.h"
#include "base/view.h"
#include "compose/changes.h"

#define FOLDER_KEPT ".kept-"

struct folder {
	int fd;     /* -1: it is not there, and nothing is to be made */
	char *path; /* below the root, for messages */
	int aside;  /* where what is moved aside goes; not owned */
	const char *aside_path;
	bool dry_run;
	bool cleaned;     /* of what crashes have left */
	const char *gone; /* in a dry run: a name that would not be there any more */
	struct changes *changes;
};

#define FOLDER_INIT ((struct folder){.fd = -1, .aside = -1})

void folder_release(struct folder *folder);

/* A folder in this one, which is made if it is missing. What is moved out of it goes here. */
int folder_enter(
	struct folder *parent, const char *name, struct folder *ret_folder, struct error *err);

/* The same; one with more than `max` names in it is moved aside first, as a whole. */
int folder_enter_small(struct folder *parent, const char *name, size_t max,
	struct folder *ret_folder, struct error *err);

/* A symbolic link that leads to `target`. */
int folder_link(struct folder *folder, const char *name, const char *target, struct error *err);

/*
 * A file with this content. What is there and differs is overwritten if `is_ours` says that
 * the host has written it, and else moved aside; NULL: it is always the host's.
 */
int folder_file(struct folder *folder, const char *name, struct view content,
	bool (*is_ours)(struct view text), struct error *err);

/* Remove a link or a file; other things as above. Not there is no error. */
int folder_remove(struct folder *folder, const char *name, const char *why, struct error *err);

/*
 * Ask about each name that is there; those for which `is_stale` is true are removed. A file
 * goes aside unless `is_ours`.
 */
struct folder_pruning {
	bool (*is_stale)(int dir, const char *name, const void *data);
	bool (*is_ours)(const char *name);
	const void *data;
	const char *why;
};

int folder_prune(
	struct folder *folder, const struct folder_pruning *pruning, struct error *err);

/* Move it aside, whatever it is. */
int folder_keep(struct folder *folder, const char *name, const char *why, struct error *err);

#endif
