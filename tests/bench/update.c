/*
 * `nanoclaw update` over a core of 10,000 files of which 1,000 have changed, as a ratio to
 * the least that it takes: hash the new core once, merge those 1,000, and write each result
 * to the tree and each new file to the base.
 *
 *	update NANOCLAW		in an empty folder
 *
 * Every merge is a real one: the core changed one line of each file, the user another. The
 * peer gives no promise about a crash, and keeps nothing to undo it; we do.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "engine/text/merge.h"
#include "fs/file.h"
#include "timing.h"

#define LINES   60
#define RUNS    3
#define CORE    10000
#define CHANGED 1000

static void need(int result, const char *what)
{
	if (result < 0) {
		perror(what);
		exit(1);
	}
}

static void write_file(const char *path, const char *text, size_t len)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(text, 1, len, file) != len || fclose(file)) {
		perror(path);
		exit(1);
	}
}

static char *path_of(const char *folder, int number)
{
	return xasprintf("%s/d%d/f%d.c", folder, number % 100, number);
}

/* A source file, with a line changed by the user or by the core, or by nobody. */
static void write_source(const char *folder, int number, int user_line, int core_line)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *path = path_of(folder, number);

	for (int line = 0; line < LINES; line++)
		buf_appendf(&text, "\tfile_%d(line, %d)%s%s;\n", number, line,
			line == user_line ? " /* mine */" : "",
			line == core_line ? " /* core */" : "");
	write_file(path, text.data, text.len);
}

static void make_folders(const char *top)
{
	need(mkdir(top, 0777), top);
	for (int i = 0; i < 100; i++) {
		CLEANUP(freep) char *path = xasprintf("%s/d%d", top, i);

		need(mkdir(path, 0777), path);
	}
}

static void shell(const char *command)
{
	const char *const argv[] = {"sh", "-c", command, NULL};

	timing_run(argv);
}

static void make_project(const char *nanoclaw)
{
	CLEANUP(freep)
	char *init = xasprintf("cd ours && '%s' -q init --core-version 1.0.0", nanoclaw);

	make_folders("ours");
	make_folders("new");
	make_folders("written");
	for (int i = 0; i < CORE; i++) {
		write_source("ours", i, -1, -1);
		write_source("new", i, -1, i < CHANGED ? 50 : -1);
	}
	shell(init);
	for (int i = 0; i < CHANGED; i++)
		write_source("ours", i, 10, -1);
}

static void read_file(const char *path, struct buf *out)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

	need(fd, path);
	need(file_read_fd(fd, path, (size_t)1 << 20, out, &err), path);
}

/* So that no hash is left out. */
static volatile struct hash last_hash;

static void hash_core(void)
{
	for (int i = 0; i < CORE; i++) {
		CLEANUP(freep) char *path = path_of("new", i);
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		read_file(path, &text);
		last_hash = hash_of(view_of_buf(&text));
	}
}

static void merge_one(int number)
{
	CLEANUP(freep) char *ours_path = path_of("before/ours", number);
	CLEANUP(freep) char *base_path = path_of("before/ours/.nanoclaw/base", number);
	CLEANUP(freep) char *new_path = path_of("new", number);
	CLEANUP(freep) char *tree_path = path_of("written", number);
	CLEANUP(freep) char *copy_path = xasprintf("%s.base", tree_path);
	CLEANUP(buf_release) struct buf ours = BUF_INIT;
	CLEANUP(buf_release) struct buf base = BUF_INIT;
	CLEANUP(buf_release) struct buf new = BUF_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(merge_result_release) struct merge_result merged = {.content = BUF_INIT};
	struct merge_options options = {.style = MERGE_STYLE_MERGE};

	read_file(ours_path, &ours);
	read_file(base_path, &base);
	read_file(new_path, &new);
	need(merge_contents(&(struct merge_input){view_of_buf(&ours), ""},
		     &(struct merge_input){view_of_buf(&base), ""},
		     &(struct merge_input){view_of_buf(&new), ""}, &options, &merged, &err),
		"merge");
	write_file(tree_path, merged.content.data, merged.content.len);
	write_file(copy_path, new.data, new.len);
}

static int64_t run_peer(void)
{
	int64_t begin = timing_now();

	hash_core();
	for (int i = 0; i < CHANGED; i++)
		merge_one(i);
	sync();
	return timing_now() - begin;
}

int main(int argc, char **argv)
{
	int64_t ours[RUNS], peers[RUNS];

	if (argc != 2) {
		fprintf(stderr, "usage: update NANOCLAW\n");
		return 2;
	}
	make_project(argv[1]);
	need(mkdir("before", 0777), "before");
	shell("cp -a ours before/");
	for (int i = 0; i < RUNS; i++) {
		const char *const update[] = {argv[1], "-C", "ours", "-q", "--yes", "update",
			"../new", "--to", "2.0.0", "--on-drift", "continue", NULL};

		shell("rm -rf ours; cp -a before/ours ours; sync");
		ours[i] = timing_run(update);
		shell("sync");
		peers[i] = run_peer();
	}
	printf("%-44s %6.2f  of  hashing the core, merging and writing these\n",
		"update: 1000 of 10000 files changed",
		timing_median(ours, RUNS) / timing_median(peers, RUNS));
	return 0;
}
