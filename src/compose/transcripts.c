#include "compose/transcripts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/sys.h"
#include "fs/tree.h"

#define SUFFIX   ".jsonl"
#define ID_LEN   36
#define RECENTLY ((int64_t)60 * 60 * 1000)
/* An agent has one; it could make any number. */
#define MAX_PROJECTS 64

struct transcript {
	int dir;
	char id[ID_LEN + 1];
	int64_t changed;
	uint64_t size;
};

struct transcripts {
	struct transcript *list;
	size_t count;
	size_t cap;
	int *folders;
	size_t folder_count;
	size_t folder_cap;
	uint64_t size;
};

static void transcripts_release(struct transcripts *t)
{
	for (size_t i = 0; i < t->folder_count; i++)
		closep(&t->folders[i]);
	free(t->folders);
	free(t->list);
}

/* Read name by name: an agent can make any number of files. */
static DIR *open_list(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);

	if (!list)
		closep(&fd);
	return list;
}

/* --- finding them ------------------------------------------------------------ */

/* Such as 4f6f3d6e-3d0f-4c43-9c5e-0d2a7d5b7f10.jsonl */
static bool is_transcript(const char *name)
{
	for (int i = 0; i < ID_LEN; i++)
		if (i == 8 || i == 13 || i == 18 || i == 23 ? name[i] != '-'
							    : !isxdigit((unsigned char)name[i]))
			return false;
	return !strcmp(name + ID_LEN, SUFFIX);
}

static void transcripts_add(struct transcripts *t, int dir, const char *name)
{
	struct transcript transcript = {.dir = dir};
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
		return;
	memcpy(transcript.id, name, ID_LEN);
	transcript.size = (uint64_t)st.st_blocks * 512;
	transcript.changed = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
	t->size += transcript.size;
	GROW(t->list, t->count, t->cap);
	t->list[t->count++] = transcript;
}

static void list_project(struct transcripts *t, int project)
{
	CLEANUP(closedirp) DIR *list = open_list(project);
	const struct dirent *entry;

	while (list && (entry = readdir(list)))
		if (is_transcript(entry->d_name))
			transcripts_add(t, project, entry->d_name);
}

static void list_projects(struct transcripts *t, int projects)
{
	CLEANUP(closedirp) DIR *list = open_list(projects);
	const struct dirent *entry;

	while (list && t->folder_count < MAX_PROJECTS && (entry = readdir(list))) {
		int fd = -1;

		if (entry->d_name[0] != '.')
			fd = openat(projects, entry->d_name,
				O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			continue;
		GROW(t->folders, t->folder_count, t->folder_cap);
		t->folders[t->folder_count++] = fd;
		list_project(t, fd);
	}
}

/* --- removing them ----------------------------------------------------------- */

static int by_age(const void *a, const void *b)
{
	const struct transcript *x = a;
	const struct transcript *y = b;

	if (x->changed != y->changed)
		return x->changed < y->changed ? -1 : 1;
	return strcmp(x->id, y->id);
}

static int remove_one(const struct transcript *transcript, struct error *err)
{
	CLEANUP(freep) char *name = xasprintf("%s" SUFFIX, transcript->id);

	/* Remove the folder first: without the file, a later run would not find it. */
	if (tree_remove(transcript->dir, transcript->id, err) < 0)
		return -1;
	if (sys.unlink(transcript->dir, name, 0) < 0 && errno != ENOENT)
		return error_errno(err, "cannot remove the transcript '%s'", name);
	return 0;
}

static int transcripts_remove_old(struct transcripts *t, const char *current,
	const struct transcripts_limits *limits, int64_t now, size_t *ret_removed,
	struct error *err)
{
	if (t->count)
		qsort(t->list, t->count, sizeof(*t->list), by_age);
	for (size_t i = 0; i < t->count; i++) {
		const struct transcript *one = &t->list[i];
		bool old = one->changed < now - limits->max_age_ms;

		if ((!old && t->size <= limits->max_bytes) || one->changed > now - RECENTLY ||
			(current && !strcmp(one->id, current)))
			continue;
		if (remove_one(one, err) < 0)
			return -1;
		t->size -= one->size;
		++*ret_removed;
	}
	return 0;
}

/* Opens a folder of the group's sessions; -1 if it is missing or not a folder. */
static int open_sessions(int root, const char *folder, const char *name)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("data/sessions/%s/.claude/%s", folder, name);
	int fd = -1;

	beneath_path_open_dir(root, path, &fd, &missing);
	return fd;
}

int transcripts_trim(int root, const char *folder, const char *current,
	const struct transcripts_limits *limits, int64_t now, size_t *ret_removed,
	struct error *err)
{
	CLEANUP(transcripts_release) struct transcripts t = {0};
	CLEANUP(closep) int projects = open_sessions(root, folder, "projects");
	CLEANUP(closep) int native = open_sessions(root, folder, "native");

	*ret_removed = 0;
	if (projects >= 0)
		list_projects(&t, projects);
	if (native >= 0)
		list_project(&t, native);
	return transcripts_remove_old(&t, current, limits, now, ret_removed, err);
}
