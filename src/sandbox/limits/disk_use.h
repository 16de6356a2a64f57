/*
 * The disk usage of some folders, measured in steps, because an event loop cannot wait for a
 * folder with a million files.
 *
 *	disk_use_add(&disk, fd)		takes over; any number of folders
 *	disk_use_step(&disk, 1000)	looks at up to 1000 names. When all were counted, it returns
 *					true with the new sum in `bytes`, and the next step
 *					starts over
 *
 * It follows no links and enters no other file system. Every entry counts for at least 4 KiB, so
 * that empty files cannot fill the file system, and for its length, so that a file with holes
 * cannot fill a backup; a file with several names counts once. If an agent has taken the
 * permissions of a folder away, they are restored. During the walk, `so_far` is a lower bound.
 */
#ifndef SANDBOX_LIMITS_DISK_USE_H
#define SANDBOX_LIMITS_DISK_USE_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define DISK_USE_MAX_DEPTH 100

struct disk_use {
	int *folders;
	size_t count, cap;
	DIR *open[DISK_USE_MAX_DEPTH]; /* from the top to the current folder */
	size_t depth;
	size_t next; /* of the folders */
	uint64_t so_far;
	uint64_t bytes;
	bool too_deep;   /* a folder was too deep to enter */
	bool unreadable; /* a folder of another user could not be read */
};

#define DISK_USE_INIT ((struct disk_use){0})

void disk_use_add(struct disk_use *disk, int fd);
bool disk_use_step(struct disk_use *disk, size_t names);
/* Count from the beginning, to the end or up to this many names; updates `so_far` or `bytes`. */
void disk_use_whole(struct disk_use *disk, size_t names);

void disk_use_release(struct disk_use *disk);

/* The size that a file counts for. */
uint64_t disk_use_of(const struct stat *st);

#endif
