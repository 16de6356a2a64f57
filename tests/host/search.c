/*
 * search BACKWARDS [PID...]: look for a text in everything that a process in a sandbox can
 * read; with numbers of processes, only in these, from outside.
 *
 * The text is passed backwards and never reversed, so that neither this program nor its caller
 * contains it. Prints one line,
 *
 *	files N proc N memory N of F files P processes M memories
 *
 * how often it was found in files (but for /usr, which is older than any secret of ours), in
 * environment and command lines of processes, and in their memory; and how many of these could
 * be read at all.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK    ((size_t)1 << 20)
#define MAX_PATH 4096

static const char *backwards;
static size_t length;

struct found {
	unsigned long hits;
	unsigned long looked;
};

static struct found files;
static struct found shown; /* by /proc */
static struct found memory;

/* --- one piece --------------------------------------------------------------- */

static bool stands_at(const char *text)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] != backwards[length - 1 - i])
			return false;
	return true;
}

static unsigned long count_in(const char *text, size_t len)
{
	const char *end = text + len;
	unsigned long count = 0;

	while ((size_t)(end - text) >= length &&
		(text = memchr(text, backwards[length - 1], (size_t)(end - text) - length + 1)))
		count += stands_at(text++);
	return count;
}

/* From `from` to `to`, or to the end, in pieces that overlap by less than the text. */
static unsigned long count_between(int fd, unsigned long from, unsigned long to)
{
	static char chunk[CHUNK];
	unsigned long count = 0;

	while (from < to) {
		size_t room = to - from < sizeof(chunk) ? to - from : sizeof(chunk);
		ssize_t got = pread(fd, chunk, room, (off_t)from);

		if (got < (ssize_t)length)
			break;
		count += count_in(chunk, (size_t)got);
		from += (size_t)got - (length - 1);
	}
	return count;
}

static bool look_into(const char *path, struct found *found)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return false;
	found->hits += count_between(fd, 0, ~0UL >> 1);
	found->looked++;
	close(fd);
	return true;
}

/* --- processes --------------------------------------------------------------- */

static void look_at_memory(const char *pid)
{
	char path[64];
	char line[MAX_PATH];
	FILE *maps;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	maps = fopen(path, "re");
	snprintf(path, sizeof(path), "/proc/%s/mem", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (maps && fd >= 0 && fgets(line, sizeof(line), maps)) {
		unsigned long from;
		unsigned long to;
		char mode[8];

		if (sscanf(line, "%lx-%lx %7s", &from, &to, mode) == 3 && mode[0] == 'r' &&
			!strstr(line, "[v"))
			memory.hits += count_between(fd, from, to);
	}
	memory.looked += maps && fd >= 0;
	if (maps)
		fclose(maps);
	if (fd >= 0)
		close(fd);
}

static void look_at_process(const char *pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s/cmdline", pid);
	look_into(path, &shown);
	snprintf(path, sizeof(path), "/proc/%s/environ", pid);
	look_into(path, &shown);
	look_at_memory(pid);
}

static void look_at_processes(void)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (strspn(entry->d_name, "0123456789") == strlen(entry->d_name))
			look_at_process(entry->d_name);
	if (folder)
		closedir(folder);
}

/* --- files ------------------------------------------------------------------- */

static bool is_elsewhere(const char *path)
{
	static const char *const names[] = {"/dev", "/proc", "/sys", "/usr"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(path, names[i]))
			return true;
	return false;
}

static void look_at_files(const char *top)
{
	DIR *folder = opendir(*top ? top : "/");
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		char path[MAX_PATH];
		struct stat st;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
			snprintf(path, sizeof(path), "%s/%s", top, entry->d_name) >=
				(int)sizeof(path) ||
			lstat(path, &st) || is_elsewhere(path))
			continue;
		if (S_ISDIR(st.st_mode))
			look_at_files(path);
		else if (S_ISREG(st.st_mode))
			look_into(path, &files);
	}
	if (folder)
		closedir(folder);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	backwards = argv[1];
	length = strlen(backwards);
	for (int i = 2; i < argc; i++)
		look_at_process(argv[i]);
	if (argc == 2) {
		look_at_files("");
		look_at_processes();
	}
	printf("files %lu proc %lu memory %lu of %lu files %lu processes %lu memories\n",
		files.hits, shown.hits, memory.hits, files.looked, shown.looked / 2,
		memory.looked);
	return 0;
}
