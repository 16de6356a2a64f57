/*
 * A merge in process, as a ratio to starting `git merge-file` for the same
 * three files:
 *
 *	merge FOLDER	with the files ours, base and theirs in it
 *
 * Prints two lines: a merge that combines two changes, and one with conflicts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "engine/text/merge.h"
#include "timing.h"

#define RUNS 300

static void make_file(struct buf *out, const char *path, int changed_line, const char *by)
{
	FILE *file = fopen(path, "w");

	if (!file) {
		perror(path);
		exit(1);
	}
	for (int line = 0; line < 400; line++) {
		if (line == changed_line)
			buf_appendf(out, "\tchanged(by, \"%s\");\n", by);
		else
			buf_appendf(out, "\tstatement_%d(argument, %d);\n", line % 37, line);
	}
	fwrite(out->data, 1, out->len, file);
	fclose(file);
}

static int64_t time_ours(const struct buf contents[3])
{
	CLEANUP(merge_result_release) struct merge_result result = {0};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct merge_options options = {0};
	struct merge_input sides[3];
	int64_t start;

	for (int i = 0; i < 3; i++)
		sides[i] = (struct merge_input){view_of_buf(&contents[i]), "side"};
	start = timing_now();
	if (merge_contents(&sides[0], &sides[1], &sides[2], &options, &result, &err) < 0) {
		fprintf(stderr, "merge: %s\n", err.message);
		exit(1);
	}
	return timing_now() - start;
}

static void measure(const char *label, int our_line, int their_line)
{
	static const char *const git[] = {
		"git", "merge-file", "-p", "ours", "base", "theirs", NULL};
	static int64_t ours[RUNS], peers[RUNS];
	struct buf contents[3] = {BUF_INIT, BUF_INIT, BUF_INIT};

	make_file(&contents[0], "ours", our_line, "us");
	make_file(&contents[1], "base", -1, "");
	make_file(&contents[2], "theirs", their_line, "them");
	time_ours(contents); /* loads the library */
	for (int i = 0; i < RUNS; i++) {
		ours[i] = time_ours(contents);
		peers[i] = timing_run(git);
	}
	printf("%-44s %6.2f  of  git merge-file, started\n", label,
		timing_median(ours, RUNS) / timing_median(peers, RUNS));
	for (int i = 0; i < 3; i++)
		buf_release(&contents[i]);
}

int main(int argc, char **argv)
{
	if (argc != 2 || chdir(argv[1]) < 0) {
		fprintf(stderr, "usage: merge FOLDER\n");
		return 2;
	}
	measure("merge in process, two changes combined", 100, 300);
	measure("merge in process, one conflict", 200, 200);
	return 0;
}
