/*
 * Disks that a power cut may leave.
 *
 * A `disk` is a tree of folders in memory, with second names of the same file. A `run` is
 * what a command did to one, as record.h has it, in steps: a name that appears, goes or
 * moves, a new content, new permissions or times. A sync makes steps certain:
 *
 *	sync_all	all before it
 *	sync of a file	all of it but its name
 *	sync of a	the names in it, but not its own
 *	folder
 *
 * At a point of the run, the disk has all steps that are certain, and any choice of the
 * others before that point, in any order: but
 *
 * - a rename is one step;
 * - what one name stands for changes in order: a step that gives a name has the earlier
 *   steps for that name before it, and those that brought its folder there;
 * - a file whose content is not certain may have the old one, none, a part or zeros.
 *
 * All that could be left at one point could be left later, too, until a sync. So the points
 * are those before each sync, and the end.
 */
#ifndef HARNESS_DISK_H
#define HARNESS_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/view.h"
#include "tree.h"

#define DISK_NONE ((size_t)-1)

struct disk_name {
	const char *name;
	size_t node;
};

struct disk_node {
	enum tree_kind kind;
	mode_t mode;
	struct timespec mtime; /* zero: when it is written */
	struct view data;      /* of a file; of a link, where it leads */
	struct disk_name *names;
	size_t count;
	size_t cap;
};

/* Nodes are called by number; 0 is the root. Texts belong to somebody else. */
struct disk {
	struct disk_node *nodes;
	size_t count;
	size_t cap;
};

#define DISK_INIT ((struct disk){0})

void disk_from_tree(struct disk *disk, const struct tree *tree);
void disk_copy(struct disk *to, const struct disk *from);

/* Make a missing folder `root` hold it. */
int disk_write(const struct disk *disk, const char *root, struct error *err);

/* Equal for disks on which everything is equal, second names included. */
struct hash disk_hash(const struct disk *disk);
void disk_release(struct disk *disk);

/* What a name in a folder stands for from now on. */
struct step_name {
	size_t folder;
	const char *name;
	size_t node;
};

enum step_kind {
	STEP_NAMES, /* one name, or two at once */
	STEP_CONTENT,
	STEP_MODE,
	STEP_TIMES,
};

struct step {
	enum step_kind kind;
	struct step_name names[2];
	size_t name_count;
	size_t node; /* whose content, permissions or times */
	struct view data;
	mode_t mode;
	struct timespec mtime;
	size_t needs[4]; /* steps that were before it if this one was */
	size_t need_count;
	size_t certain;     /* from this point on; DISK_NONE: never */
	const char *record; /* what it is a part of, for messages */
};

struct run {
	struct disk before; /* with the nodes that are made later, which have no name yet */
	struct disk after;
	struct step *steps;
	size_t count;
	size_t cap;
	size_t *points; /* how many steps were before each; the last one is the end */
	size_t point_count;
	size_t point_cap;
	const char *record; /* that is being read */
	struct arena arena;
};

#define RUN_INIT ((struct run){0})

/* Read the records of a command that was run on this disk, which must outlive it. */
int run_read(
	struct run *run, const struct disk *before, struct view records, struct error *err);
void run_release(struct run *run);

/* Of a file whose content is not certain. */
enum torn {
	TORN_NOT,   /* the new content */
	TORN_OLD,   /* that of the last sync */
	TORN_EMPTY, /* it has no length yet */
	TORN_HALF,  /* half of it; what was behind that before, still is */
	TORN_BYTE,  /* all but the last byte */
	TORN_ZEROS, /* the length, but no content */
	TORN_COUNT,
};

/*
 * Which of the steps before a point happened, and what of their content: `kept` has a
 * value for each step, and `torn` for each node. They are not asked for what is certain.
 */
struct cut {
	size_t point;
	bool *kept;
	enum torn *torn;
};

bool step_is_open(const struct run *run, size_t step, size_t point);

/* Keep what the kept steps need; or drop what needs a step that is not kept. */
void cut_complete(const struct run *run, struct cut *cut);
void cut_prune(const struct run *run, struct cut *cut);

/* The disk that is left. New texts are put into the arena. */
void cut_disk(const struct run *run, const struct cut *cut, struct arena *arena,
	struct disk *ret_disk);

#endif
