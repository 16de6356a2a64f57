/*
 * What it costs to compose groups at the start of a host.
 *
 *	bench-compose GROUPS SKILLS	in an empty folder
 *
 * Every group has all skills, each with instructions, a server and a memory. The peer of a
 * group that has not changed is a program that only reads what was composed for it: each
 * link and each file.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compose/compose.h"
#include "fs/sys.h"
#include "timing.h"

#define ROUNDS 9

static void __attribute__((noreturn)) give_up(const char *what)
{
	fprintf(stderr, "bench-compose: %s\n", what);
	exit(1);
}

static void make(int root, const char *path)
{
	if (mkdirat(root, path, 0755) < 0)
		give_up(path);
}

static void put(int root, const char *path, const char *text)
{
	CLEANUP(closep)
	int fd = openat(root, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || sys_write_all(fd, text, strlen(text)) < 0)
		give_up(path);
}

static void put_project(int root, int groups, int skills)
{
	static const char *const folders[] = {
		"container", "container/skills", "data", "groups"};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		make(root, folders[i]);
	put(root, "container/CLAUDE.md", "the base\n");
	put(root, "data/global.md", "the global memory\n");
	for (int i = 0; i < skills; i++) {
		CLEANUP(freep) char *folder = xasprintf("container/skills/skill-%d", i);
		CLEANUP(freep) char *file = xasprintf("%s/instructions.md", folder);

		make(root, folder);
		put(root, file, "what is always before an agent\n");
	}
	for (int i = 0; i < groups; i++) {
		CLEANUP(freep) char *folder = xasprintf("groups/g%d", i);
		CLEANUP(freep) char *file = xasprintf("%s/container.json", folder);

		make(root, folder);
		put(root, file,
			"{\"mcpServers\": {\"db\": {\"command\": \"db\", \"instructions\": "
			"\"read only\"}}}");
	}
}

/* Returns how much was changed. */
static size_t compose_all(int root, int groups)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;
	size_t changed = 0;

	if (shared_read(root, &shared, &err) < 0)
		give_up(err.message);
	for (int i = 0; i < groups; i++) {
		CLEANUP(composition_release) struct composition composition = COMPOSITION_INIT;
		CLEANUP(freep) char *folder = xasprintf("g%d", i);

		if (compose_group(root, folder, &shared, 0, &composition, &err) < 0)
			give_up(err.message);
		changed += composition.changes.count;
	}
	return changed;
}

/* --- the peer ---------------------------------------------------------------- */

static size_t read_one(int dir, const char *name)
{
	char text[4096];
	ssize_t len = readlinkat(dir, name, text, sizeof(text));
	CLEANUP(closep) int fd = -1;

	if (len >= 0)
		return (size_t)len;
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	len = fd < 0 ? 0 : read(fd, text, sizeof(text));
	return len < 0 ? 0 : (size_t)len;
}

static size_t read_folder(int root, const char *path)
{
	int fd = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	size_t size = 0;

	if (!dir)
		give_up(path);
	while ((entry = readdir(dir)))
		if (entry->d_type != DT_DIR)
			size += read_one(dirfd(dir), entry->d_name);
	closedir(dir);
	return size;
}

static size_t read_all(int root, int groups)
{
	static const struct {
		const char *before;
		const char *behind;
	} folders[] = {
		{"groups", ""},
		{"groups", "/.claude-fragments"},
		{"data/sessions", "/.claude"},
		{"data/sessions", "/.claude/skills"},
	};
	size_t size = 0;

	for (int i = 0; i < groups; i++)
		for (size_t f = 0; f < ARRAY_SIZE(folders); f++) {
			char path[128];

			snprintf(path, sizeof(path), "%s/g%d%s", folders[f].before, i,
				folders[f].behind);
			size += read_folder(root, path);
		}
	return size;
}

int main(int argc, char **argv)
{
	CLEANUP(closep) int root = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int64_t first, composing[ROUNDS], reading[ROUNDS];
	int groups = argc == 3 ? (int)strtol(argv[1], NULL, 10) : 0;
	int skills = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0;
	double composed, read;

	if (groups <= 0)
		give_up("GROUPS SKILLS");
	put_project(root, groups, skills);
	first = timing_now();
	compose_all(root, groups);
	first = timing_now() - first;
	for (int i = 0; i < ROUNDS; i++) {
		int64_t start = timing_now();

		if (compose_all(root, groups))
			give_up("something has changed");
		composing[i] = timing_now() - start;
		start = timing_now();
		if (!read_all(root, groups))
			give_up("nothing was read");
		reading[i] = timing_now() - start;
	}
	composed = timing_median(composing, ROUNDS);
	read = timing_median(reading, ROUNDS);
	printf("compose: %d groups, %d skills, nothing changed: %.2f of reading the files "
	       "(%.0f us a group; the first time %.0f us)\n",
		groups, skills, composed / read, composed / groups / 1000,
		(double)first / groups / 1000);
	return 0;
}
