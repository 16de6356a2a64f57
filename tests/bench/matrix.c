/*
 * `nanoclaw matrix run` with two workers, as a ratio to one: 12 skills that do not overlap, on
 * a core of 200 files, each with a test that computes for a while. On two CPUs that have
 * nothing else to do 0.50 would be all there is to gain.
 *
 *	matrix NANOCLAW		in an empty folder
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "timing.h"

#define RUNS   3
#define SKILLS 12
#define CORE   200

static void need(int result, const char *what)
{
	if (result < 0) {
		perror(what);
		exit(1);
	}
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (!file || fputs(text, file) < 0 || fclose(file)) {
		perror(path);
		exit(1);
	}
}

static void make_skill(int number)
{
	CLEANUP(freep) char *folder = xasprintf("project/skills/s%d", number);
	CLEANUP(freep) char *adds = xasprintf("%s/add", folder);
	CLEANUP(freep) char *manifest = xasprintf("%s/manifest.yaml", folder);
	CLEANUP(freep) char *file = xasprintf("%s/f%d", adds, number);
	CLEANUP(freep)
	char *text = xasprintf("skill: s%d\nversion: 1.0.0\ncore_version: 1.0.0\nadds: [f%d]\n"
			       "test: head -c 100000000 /dev/zero | sha256sum >/dev/null\n",
		number, number);

	need(mkdir(folder, 0777), folder);
	need(mkdir(adds, 0777), adds);
	write_file(manifest, text);
	write_file(file, "new\n");
}

static void make_project(void)
{
	need(mkdir("project", 0777), "project");
	need(mkdir("project/skills", 0777), "skills");
	write_file("project/VERSION", "1.0.0\n");
	for (int i = 0; i < CORE; i++) {
		CLEANUP(freep) char *path = xasprintf("project/c%d", i);

		write_file(path, "some line\nanother line\n");
	}
	for (int i = 0; i < SKILLS; i++)
		make_skill(i);
}

int main(int argc, char **argv)
{
	int64_t one[RUNS], two[RUNS];
	double ratio;

	if (argc != 2) {
		fprintf(stderr, "usage: matrix NANOCLAW\n");
		return 2;
	}
	make_project();
	for (int i = 0; i < RUNS; i++) {
		const char *const with_one[] = {argv[1], "-C", "project", "-q", "matrix", "run",
			"--fresh", "-j", "1", NULL};
		const char *const with_two[] = {argv[1], "-C", "project", "-q", "matrix", "run",
			"--fresh", "-j", "2", NULL};

		one[i] = timing_run(with_one);
		two[i] = timing_run(with_two);
	}
	ratio = timing_median(two, RUNS) / timing_median(one, RUNS);
	printf("%-44s %6.2f  of  -j 1 (%.2f times as fast)\n", "matrix run -j 2: 12 entries",
		ratio, 1 / ratio);
	return 0;
}
