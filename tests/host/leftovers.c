#include "leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fs/file.h"
#include "sandbox/ownership.h"

#define MAX_TEXT ((size_t)16 * 1024 * 1024)

char *leftovers_installation(struct driver *d)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int root = open(d->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct ownership *owner;
	char *id;

	if (root < 0 || ownership_open(root, &owner, &err) < 0)
		driver_fail(d, "%s", err.message);
	id = xstrdup(ownership_installation(owner));
	ownership_free(owner);
	return id;
}

static bool file_has(const char *path, const char *word)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	return file_read(path, MAX_TEXT, &text, &err) == 0 &&
	       memmem(text.data, text.len, word, strlen(word));
}

unsigned leftovers_processes(const char *installation, pid_t *ret_pids, unsigned max)
{
	CLEANUP(freep) char *word = xasprintf("nanoclaw.installation=%s", installation);
	DIR *all = opendir("/proc");
	struct dirent *entry;
	unsigned count = 0;

	while (all && (entry = readdir(all))) {
		CLEANUP(freep) char *path = xasprintf("/proc/%s/cmdline", entry->d_name);
		long pid = strtol(entry->d_name, NULL, 10);

		if (pid <= 0 || !file_has(path, word))
			continue;
		if (count < max)
			ret_pids[count] = (pid_t)pid;
		count++;
	}
	if (all)
		closedir(all);
	return count;
}

/* Names in a folder that end so; all if `ending` is empty. */
static unsigned count_names(const char *folder, const char *ending)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	unsigned count = 0;

	while (dir && (entry = readdir(dir)))
		count += entry->d_name[0] != '.' &&
			 view_ends_with(view_of(entry->d_name), ending);
	if (dir)
		closedir(dir);
	return count;
}

/* Folders whose names have the word, at any depth. */
static unsigned count_folders(const char *folder, const char *word)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	unsigned count = 0;

	while (dir && (entry = readdir(dir))) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", folder, entry->d_name);

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		count += strstr(entry->d_name, word) != NULL;
		count += count_folders(path, word);
	}
	if (dir)
		closedir(dir);
	return count;
}

bool leftovers_none(struct driver *d, const char *installation)
{
	CLEANUP(freep) char *records = xasprintf("%s/" OWNERSHIP_FOLDER, d->root);
	CLEANUP(freep) char *run = xasprintf("%s/data/run", d->root);
	unsigned processes = leftovers_processes(installation, NULL, 0);
	unsigned files = count_names(records, "");
	unsigned sockets = count_names(run, ".sock");
	unsigned cgroups = count_folders("/sys/fs/cgroup", installation);
	bool mounted = file_has("/proc/self/mountinfo", d->root);

	if (!processes && !files && !sockets && !cgroups && !mounted)
		return true;
	printf("# left: %u processes, %u records, %u sockets, %u cgroups%s\n", processes, files,
		sockets, cgroups, mounted ? ", mounts" : "");
	return false;
}
