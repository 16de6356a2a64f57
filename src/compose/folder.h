/*
 * A folder that an agent can write to, in which some names belong to the host.
 *
 * Each function puts one name into the right state, and makes no change if it already is. If
 * an agent has put something else there (a link, a folder, a pipe, a socket), it is never
 * followed, opened or waited for:
 *
 *	a link, a pipe, a socket, a device	is removed: there is nothing in it
 *	a folder				is moved aside
 *	a file that is not the host's		is moved aside
 *
 * "Aside" is NAME.kept-N in the folder or next to it, so nothing that somebody wrote is
 * lost. Every change is one rename or one unlink of a name in an open folder.
 *
 * Nothing is synced: files that a power cut loses or damages are written again before the
 * next agent starts.
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
	int fd;     /* -1: the folder does not exist and must not be created */
	char *path; /* below the root, for messages */
	int aside;  /* the folder for things that are moved aside; not owned */
	const char *aside_path;
	bool dry_run;
	bool cleaned;     /* leftovers of crashes are removed */
	const char *gone; /* in a dry run: a name that would no longer exist */
	struct changes *changes;
};

#define FOLDER_INIT ((struct folder){.fd = -1, .aside = -1})

void folder_release(struct folder *folder);

/* A folder in this one, created if missing. Entries moved out of it go here. */
int folder_enter(
	struct folder *parent, const char *name, struct folder *ret_folder, struct error *err);

/* The same; one with more than `max` names in it is moved aside first, as a whole. */
int folder_enter_small(struct folder *parent, const char *name, size_t max,
	struct folder *ret_folder, struct error *err);

/* A symbolic link that leads to `target`. */
int folder_link(struct folder *folder, const char *name, const char *target, struct error *err);

/*
 * Write a file with this content. A file that differs is overwritten if `is_ours` says that the
 * host wrote it, else moved aside. With a NULL `is_ours` it is always the host's.
 */
int folder_file(struct folder *folder, const char *name, struct view content,
	bool (*is_ours)(struct view text), struct error *err);

/* Remove a link or a file; other things as above. It need not exist. */
int folder_remove(struct folder *folder, const char *name, const char *why, struct error *err);

/*
 * Remove each name for which `is_stale` returns true. A file is moved aside unless `is_ours`
 * returns true; with a NULL `is_ours` every file is.
 */
struct folder_pruning {
	bool (*is_stale)(int dir, const char *name, const void *data);
	bool (*is_ours)(const char *name);
	const void *data;
	const char *why;
};

int folder_prune(
	struct folder *folder, const struct folder_pruning *pruning, struct error *err);

/* Move the entry aside, whatever its type. */
int folder_keep(struct folder *folder, const char *name, const char *why, struct error *err);

#endif
