/*
 * How much lies in some folders, looked at in pieces: an event loop cannot wait for a folder
 * with a million files.
 *
 *	disk_use_add(&disk, fd)		takes over; any number of folders
 *	disk_use_step(&disk, 1000)	looks at up to 1000 names; true when it went through
 *					all, and then `bytes` is new, and the next step begins
 *					again
 *
 * No link is followed and no other file system is entered. Whatever has a name counts for 4 KiB
 * at least, so that nobody fills the file system with empty files, and for its length, so that
 * one with holes does not fill a backup; a file with several names
 * counts once. A folder that an agent has locked is opened again. While it looks, `so_far` is a lower bound.
 */
#ifndef SANDBOX_DISK_USE_H
#define SANDBOX_DISK_USE_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define DISK_USE_MAX_DEPTH 100

struct disk_use {
	int *folders;
	size_t count, cap;
	DIR *open[DISK_USE_MAX_DEPTH]; /* the way down to where it is */
	size_t depth;
	size_t next; /* of the folders */
	uint64_t so_far;
	uint64_t bytes;
	bool too_deep;   /* there is a folder that it could not enter for that */
	bool unreadable; /* and one that belongs to somebody else, who lets nobody in */
};

#define DISK_USE_INIT ((struct disk_use){0})

void disk_use_add(struct disk_use *disk, int fd);
bool disk_use_step(struct disk_use *disk, size_t names);
/* Count from the beginning, to the end or up to this many names; updates `so_far` or `bytes`. */
void disk_use_whole(struct disk_use *disk, size_t names);

void disk_use_release(struct disk_use *disk);

/* How much one file counts for. */
uint64_t disk_use_of(const struct stat *st);

#endif
