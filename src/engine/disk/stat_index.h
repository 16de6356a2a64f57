/*
 * .nanoclaw/index: files that were found unchanged, with their lstat() results. If lstat() gives
 * the same result again, the file need not be read.
 *
 *	CLEANUP(stat_index_release) struct stat_index index = STAT_INDEX_INIT;
 *
 *	if (stat_index_open(&index, project, base, err) < 0)
 *		return -1;
 *	for each entry, and each path that is only in the state
 *		stat_index_knows() ? as recorded : read it, then stat_index_note()
 *	stat_index_save(&index, project);
 *
 * The index is a cache. If it is damaged, or from another version or machine, it is ignored
 * and written again; it can be deleted at any time.
 *
 * It has an entry for every file and link of the base, sorted by path, so the base need not be
 * walked. It also has the lstat() result of every folder of the base: adding, removing or
 * replacing a file there changes its folder, and then the whole index is invalid.
 *
 * An entry names what the file was compared with: the hash that a layer has recorded, or the
 * copy in the base. If the state has another hash now, the entry is not used.
 *
 * Times have a granularity: a file that changes right after it was read may look the same.
 * But a file that changes after the search began has a time that is not earlier than that.
 * So an entry is valid only if its times are earlier than the beginning of the search that
 * wrote it. A file server may have another clock, so they must also be earlier than the time
 * of the index file itself. If a file system has no fractions of seconds, two seconds are
 * subtracted.
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
	INDEX_SYMLINK = 1 << 1, /* a link in the base */
	INDEX_AS_BASE = 1 << 2, /* like the copy in the base, including its mode */
	INDEX_AS_HASH = 1 << 3, /* has the content with `hash` */
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
	uint32_t path; /* offset in `names`; ends in a NUL */
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
	struct timespec time;      /* files that are not older than this are unknown */
	struct timespec began;     /* this search */
	struct index_extra *extra; /* found by this search, without an entry; sorted */
	size_t extra_count;
	size_t extra_cap;
	bool changed;       /* worth saving */
	struct buf storage; /* of an index that was read */
	size_t entry_cap;   /* of one that was collected */
	size_t folder_cap;
	struct buf name_storage;
};

#define STAT_INDEX_INIT                                                                        \
	((struct stat_index){.names = "", .storage = BUF_INIT, .name_storage = BUF_INIT})

/* Read the index; if it is invalid, collect the files of the open folder `base`. */
int stat_index_open(struct stat_index *ret_index, const struct project *project, int base,
	struct error *err);

/* Was it read, and not collected? Then the base has the same files as when it was written. */
bool stat_index_was_read(const struct stat_index *index);

/* Collect the files of the base; nothing is known about them. */
int stat_index_collect(struct stat_index *ret_index, int base, struct error *err);

/*
 * The index of a base while it is copied from the tree, as copying reads every file anyway.
 * A file is added with the stat of its original. It counts as known if its times are earlier
 * than stat_index_clock() was before it was read. Folders come before the files in them.
 */
void stat_index_begin_copy(struct stat_index *index);
void stat_index_add_folder(struct stat_index *index, const char *path);
void stat_index_add_copied(struct stat_index *index, const char *path,
	const struct stat *original, struct timespec before_reading);

/* Write it when the copy is in place. This waits until the times of its folders are valid. */
void stat_index_save_copied(struct stat_index *index, const struct project *project);

/* The clock by which the kernel dates files. */
struct timespec stat_index_clock(void);

const char *stat_index_path(const struct stat_index *index, const struct index_entry *entry);

/*
 * Is a file with this stat known to be like the copy in the base (`hash` is NULL), or to
 * have this content? The entry may be NULL.
 */
bool stat_index_knows(
	const struct index_entry *entry, const struct stat *now, const struct hash *hash);

/*
 * Which files of the tree still match the copy in the base, according to lstat(): a value for
 * each entry, to be freed. A small operation spends most of its time on these lstat() calls, so
 * several threads share the work.
 */
bool *stat_index_sweep(const struct stat_index *index, int root);

/*
 * Record that the file was found to be like the base, or to have this content. `now` is its
 * stat after it was read. Paths without an entry must come sorted.
 */
void stat_index_note(struct stat_index *index, struct index_entry *entry, const char *path,
	const struct stat *now, const struct hash *hash);

/*
 * Write the index if it changed and no other process works in the project. Errors are
 * ignored.
 */
void stat_index_save(struct stat_index *index, const struct project *project);

/*
 * Whether an index may be written. False only in a preview that writes nothing
 * (core_update.h), and in the program that the crash test kills (tests/harness/no_index.c):
 * that one counts the calls that change the file system, and whether an index is worth
 * saving depends on the clock.
 */
extern bool stat_index_saving;

/* Parse the text of an index, which it owns from then on. False if it is incomplete. */
bool stat_index_parse(struct stat_index *ret_index, struct buf *text);
void stat_index_render(const struct stat_index *index, struct buf *out);

void stat_index_release(struct stat_index *index);

#endif
