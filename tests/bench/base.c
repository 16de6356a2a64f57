/*
 * Copying the core as `init` does, as a ratio to `cp -a` of the same tree:
 *
 *	base FOLDER
 *
 * One line for a tree of 1,000 files and one for 10,000, with a .gitignore in it.
 * The two take turns, each into a new folder, and the medians are compared.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "engine/core/base.h"
#include "fs/tree.h"
#include "timing.h"

#define FILES_IN_FOLDER 12
#define MAX_RUNS        9

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(1);
}

static void write_file(const char *path, const char *content, size_t len)
{
	FILE *file = fopen(path, "w");

	require(file && fwrite(content, 1, len, file) == len && !fclose(file), path);
}

/* Sizes as in source trees: most of some kilobytes, a few much larger. */
static void make_tree(const char *root, int count)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	static const char rules[] = "*.o\n*.log\n/out/\n!important.log\n";
	char path[256];

	while (text.len < (size_t)256 * 1024)
		buf_append_str(&text, "\tstatement(argument, another_argument);\n");
	require(mkdir(root, 0777) == 0, root);
	snprintf(path, sizeof(path), "%s/.gitignore", root);
	write_file(path, rules, strlen(rules));
	for (int i = 0; i < count; i++) {
		int folder = i / FILES_IN_FOLDER;
		size_t len = (size_t)(i % 97) * 150 + (i % 200 == 0 ? 200 * 1024 : 0);

		if (i % (10 * FILES_IN_FOLDER) == 0) {
			snprintf(path, sizeof(path), "%s/part-%d", root, folder / 10);
			require(mkdir(path, 0777) == 0, path);
		}
		if (i % FILES_IN_FOLDER == 0) {
			snprintf(path, sizeof(path), "%s/part-%d/module-%d", root, folder / 10,
				folder);
			require(mkdir(path, 0777) == 0, path);
		}
		snprintf(path, sizeof(path), "%s/part-%d/module-%d/file-%d.c", root,
			folder / 10, folder, i);
		write_file(path, text.data, len);
	}
}

static void remove_copy(const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	require(tree_remove(AT_FDCWD, name, &err) == 0, name);
}

static int64_t time_ours(const char *root)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int from = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct base_copy_result result;
	int64_t start = timing_now();
	int to;

	require(mkdir("ours", 0777) == 0, "ours");
	to = open("ours", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (base_copy(from, to, NULL, &result, &err) < 0) {
		fprintf(stderr, "base: %s\n", err.message);
		exit(1);
	}
	close(to);
	start = timing_now() - start;
	remove_copy("ours");
	return start;
}

static int64_t time_peer(const char *root)
{
	const char *const argv[] = {"cp", "-a", root, "peer", NULL};
	int64_t time = timing_run(argv);

	remove_copy("peer");
	return time;
}

static void measure(const char *label, int count, size_t runs)
{
	int64_t ours[MAX_RUNS], peers[MAX_RUNS];

	make_tree("core", count);
	time_ours("core");
	time_peer("core");
	for (size_t i = 0; i < runs; i++) {
		ours[i] = time_ours("core");
		peers[i] = time_peer("core");
	}
	remove_copy("core");
	printf("%-44s %6.2f  of  cp -a\n", label,
		timing_median(ours, runs) / timing_median(peers, runs));
}

int main(int argc, char **argv)
{
	if (argc != 2 || chdir(argv[1]) < 0) {
		fprintf(stderr, "usage: base FOLDER\n");
		return 2;
	}
	measure("init: copy a core of 1,000 files", 1000, MAX_RUNS);
	measure("init: copy a core of 10,000 files", 10000, 3);
	return 0;
}
