/*
 * `nanoclaw status` on a tree in which nothing changed, as a ratio to `git status` on
 * the same tree, all committed:
 *
 *	status NANOCLAW FILES
 *
 * In the current, empty folder. The two take turns, both warm.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "timing.h"

#define FILES_IN_FOLDER 12
#define RUNS            9

static void require(int holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(1);
}

static void write_file(const char *path, int number)
{
	FILE *file = fopen(path, "w");

	require(file != NULL, path);
	for (int i = 0; i < number % 97; i++)
		fprintf(file, "\tstatement(argument, %d);\n", number);
	require(fclose(file) == 0, path);
}

static void make_tree(int count)
{
	char path[256];

	for (int i = 0; i < count; i++) {
		int folder = i / FILES_IN_FOLDER;

		if (i % FILES_IN_FOLDER == 0) {
			snprintf(path, sizeof(path), "part-%d", folder / 10);
			require(folder % 10 || mkdir(path, 0777) == 0, path);
			snprintf(path, sizeof(path), "part-%d/module-%d", folder / 10, folder);
			require(mkdir(path, 0777) == 0, path);
		}
		snprintf(path, sizeof(path), "part-%d/module-%d/file-%d.c", folder / 10, folder,
			i);
		write_file(path, i);
	}
	write_file("VERSION-NOTES", 1);
	write_file(".gitignore", 0);
}

int main(int argc, char **argv)
{
	int64_t ours[RUNS], peers[RUNS];
	const char *const commit[] = {"sh", "-c",
		"git init -q . && echo .nanoclaw >> .git/info/exclude && git add -A && "
		"git -c user.name=n -c user.email=n@localhost commit -qm all && git status",
		NULL};
	const char *const peer[] = {"git", "status", NULL};

	if (argc != 3) {
		fprintf(stderr, "usage: status NANOCLAW FILES\n");
		return 2;
	}
	const char *const init[] = {argv[1], "-q", "init", "--core-version", "1.0.0", NULL};
	const char *const status[] = {argv[1], "status", NULL};

	make_tree((int)strtol(argv[2], NULL, 10));
	timing_run(commit);
	timing_run(init);
	/* The first one reads all; the base must be older than that. */
	for (int i = 0; i < 3; i++) {
		timing_run(status);
		timing_run(peer);
	}
	for (int i = 0; i < RUNS; i++) {
		ours[i] = timing_run(status);
		peers[i] = timing_run(peer);
	}
	printf("status: %6s unchanged files %*s %6.2f  of  git status\n", argv[2], 14, "",
		timing_median(ours, RUNS) / timing_median(peers, RUNS));
	return 0;
}
