/*
 * .nanoclaw/index: which files were found to be as recorded, and what lstat() said
 * about them then. A file about which it says the same again need not be read again.
 *
 *	CLEANUP(stat_index_release) struct stat_index index = STAT_INDEX_INIT;
 *
 *	if (stat_index_open(&index, project, base, err) < 0)
 *		return -1;
 *	for each entry, and each path that is only in the state
 *		stat_index_knows() ? as recorded : read it, then stat_index_note()
 *	stat_index_save(&index, project);
 *
 * It is a cache and never the truth. What is damaged, or of another version or
 * machine, is ignored without a word and written anew; it can be deleted at any time.
 *
 * There is an entry for every file and link of the base, in the order of their paths,
 * so that the base need not be walked. The index therefore also holds what lstat()
 * said about every folder of the base: a file that comes, goes or is replaced there
 * changes its folder, and then nothing in the index counts.
 *
 * Each entry says what was compared: the hash that a layer has recorded, or the copy
 * in the base. Another hash in the state makes no match.
 *
 * Times have a granularity: a file that is changed right after it was read may look
 * as before. Whatever is changed after the search began has a time that is not
 * earlier than that. So only those entries count whose times are earlier than when
 * the search began that wrote them, and, since the clock of a file server may be
 * another one, earlier than the time of the index file itself. Where a file system
 * has no fractions of seconds, two seconds are taken off.
 */
#ifndef ENGINE_DISK_STAT_INDEX_H
#define ENGINE_DISK_STAT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/view.h"
#include "engine/disk/project.h"

enum index_flags {
	INDEX_IN_BASE = 1 << 0,
	INDEX_SYMLINK = 1 << 1, /* the base has a link there */
	INDEX_AS_BASE = 1 << 2, /* was found to be like the copy in the base, mode included */
	INDEX_AS_HASH = 1 << 3, /* was found to have the content with `hash` */
};

struct index_stat {
	uint64_t dev;
	uint64_t ino;
	uint64_t size;
	int64_t mtime;
	int64_t ctime;
	uint32_t mtime_nsec;
	uint32_t ctime_nsec;
	uint32_t mode;
	uint32_t unused;
};

struct index_entry {
	uint32_t path; /* where it begins in `names`; ends in a NUL */
	uint32_t flags;
	struct index_stat stat;
	struct hash hash;
};

struct index_extra {
	const char *path; /* the caller's */
	struct index_entry entry;
};

struct stat_index {
	struct index_entry *entries; /* sorted by path */
	size_t count;
	struct index_entry *folders; /* of the base */
	size_t folder_count;
	const char *names;
	struct timespec time;      /* what is not older than this does not count */
	struct timespec began;     /* this search */
	struct index_extra *extra; /* found in this search, without an entry; sorted */
	size_t extra_count;
	size_t extra_cap;
	bool changed;       /* worth saving */
	struct buf storage; /* what was read */
	size_t entry_cap;   /* or collected */
	size_t folder_cap;
	struct buf name_storage;
};

#define STAT_INDEX_INIT                                                                        \
	((struct stat_index){.names = "", .storage = BUF_INIT, .name_storage = BUF_INIT})

/* Read it; if it does not count, begin with what is in the open folder `base`. */
int stat_index_open(struct stat_index *ret_index, const struct project *project, int base,
	struct error *err);

/* Was it read, and counts? Then the base has the same files as when it was written. */
bool stat_index_was_read(const struct stat_index *index);

/* The same without reading it: nothing is known. */
int stat_index_collect(struct stat_index *ret_index, int base, struct error *err);

/*
 * The index of a base while it is copied from the tree: the copying has read every file.
 * Files come as they are copied, with what was said about the original. That it changed
 * later shows if its times are earlier than stat_index_clock() was before it was read;
 * other files will be read again. Folders come before what is in them.
 */
void stat_index_begin_copy(struct stat_index *index);
void stat_index_add_folder(struct stat_index *index, const char *path);
void stat_index_add_copied(struct stat_index *index, const char *path,
	const struct stat *original, struct timespec before_reading);

/* Write it, when the copy is in its place. Waits until the times of its folders count. */
void stat_index_save_copied(struct stat_index *index, const struct project *project);

/* The clock by which the kernel dates files. */
struct timespec stat_index_clock(void);

const char *stat_index_path(const struct stat_index *index, const struct index_entry *entry);

/*
 * Is it known that the file, about which lstat() says this now, is like the copy in
 * the base (`hash` is NULL), or has this content? The entry may be NULL.
 */
bool stat_index_knows(
	const struct index_entry *entry, const struct stat *now, const struct hash *hash);

/*
 * Which files of the tree are still like the copy in the base, as far as lstat() tells: a
 * value for each entry, to be freed. lstat() for every file of the core is most of the time
 * that a small operation takes, so several threads share the work.
 */
bool *stat_index_sweep(const struct stat_index *index, int root);

/*
 * This was found to be so. `now` is what was true after the file was read. Paths
 * without an entry must come in their order.
 */
void stat_index_note(struct stat_index *index, struct index_entry *entry, const char *path,
	const struct stat *now, const struct hash *hash);

/*
 * Write it, if something was learned and no other process works in the project. Errors
 * are ignored.
 */
void stat_index_save(struct stat_index *index, const struct project *project);

/*
 * Whether an index is ever written. False only in a preview that writes nothing at all
 * (core_update.h), and in the program that the crash test kills
 * (tests/harness/no_index.c): that counts the calls that change the file system, and
 * whether an index is worth saving depends on the clock.
 */
extern bool stat_index_saving;

/* Before the folder .nanoclaw is removed. */
void stat_index_remove(int nanoclaw);

/* Parse the text of an index, and take it over. False if it is incomplete. */
bool stat_index_parse(struct stat_index *ret_index, struct buf *text);
void stat_index_render(const struct stat_index *index, struct buf *out);

void stat_index_release(struct stat_index *index);

#endif
