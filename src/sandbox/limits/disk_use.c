#include "sandbox/limits/disk_use.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fs/private.h"

#define BLOCK 512  /* the unit of st_blocks */
#define LEAST 4096 /* even an empty file takes up space */

void disk_use_add(struct disk_use *disk, int fd)
{
	GROW(disk->folders, disk->count, disk->cap);
	disk->folders[disk->count++] = fd;
}

static void folder_enter(struct disk_use *disk, int dirfd, const char *name)
{
	int fd;
	DIR *folder;

	if (disk->depth == DISK_USE_MAX_DEPTH) {
		disk->too_deep = true;
		return;
	}
	fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	/* In a folder that is locked "." cannot be looked up. */
	if (fd < 0 && errno == EACCES &&
		(strcmp(name, ".") ? private_entry(dirfd, name) : private_fd(dirfd)) == 0)
		fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	disk->unreadable |= fd < 0 && errno == EACCES;
	folder = fd < 0 ? NULL : fdopendir(fd);
	if (folder)
		disk->open[disk->depth++] = folder;
	else
		closep(&fd);
}

static void folder_leave(struct disk_use *disk)
{
	closedir(disk->open[--disk->depth]);
}

/* Of a file with several names, each counts for its share: together they are the file. */
uint64_t disk_use_of(const struct stat *st)
{
	uint64_t bytes = (uint64_t)st->st_blocks * BLOCK;

	if (S_ISREG(st->st_mode) && (uint64_t)st->st_size > bytes)
		bytes = (uint64_t)st->st_size;
	if (bytes < LEAST)
		bytes = LEAST;
	return S_ISDIR(st->st_mode) || st->st_nlink < 2 ? bytes : bytes / st->st_nlink;
}

static void entry_count(struct disk_use *disk, int dirfd, const char *name)
{
	struct stat here;
	struct stat st;

	if (!strcmp(name, ".") || !strcmp(name, "..") ||
		fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	disk->so_far += disk_use_of(&st);
	if (S_ISDIR(st.st_mode) && !fstat(dirfd, &here) && here.st_dev == st.st_dev)
		folder_enter(disk, dirfd, name);
}

static void start_again(struct disk_use *disk)
{
	disk->bytes = disk->so_far;
	disk->so_far = 0;
	disk->next = 0;
}

bool disk_use_step(struct disk_use *disk, size_t names)
{
	while (names--) {
		struct dirent *entry;

		if (!disk->depth) {
			if (disk->next == disk->count) {
				start_again(disk);
				return true;
			}
			folder_enter(disk, disk->folders[disk->next++], ".");
			continue;
		}
		entry = readdir(disk->open[disk->depth - 1]);
		if (entry)
			entry_count(disk, dirfd(disk->open[disk->depth - 1]), entry->d_name);
		else
			folder_leave(disk);
	}
	return false;
}

void disk_use_whole(struct disk_use *disk, size_t names)
{
	while (disk->depth)
		folder_leave(disk);
	disk->so_far = 0;
	disk->next = 0;
	disk_use_step(disk, names);
}

void disk_use_release(struct disk_use *disk)
{
	while (disk->depth)
		folder_leave(disk);
	for (size_t i = 0; i < disk->count; i++)
		close(disk->folders[i]);
	free(disk->folders);
	*disk = DISK_USE_INIT;
}
