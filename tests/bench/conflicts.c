/*
 * Conflicting files in one operation, as a ratio to the bare merges: a shell script
 * that only runs `git merge-file` for the same files.
 *
 *	conflicts NANOCLAW	in an empty folder
 *
 * Each file has one hunk that the user and the skill both changed. Measured are the
 * `skill apply` that pauses, the `continue` that learns what was settled, and the
 * `skill apply` that finds it all known; without git, and with an rr-cache in `.git`.
 * From 100 to 1,000 files the ratio must not grow: the cost is linear.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "timing.h"

#define LINES 60
#define RUNS  3

enum step { PAUSE, CONTINUE, KNOWN, STEPS };

static const char *const step_names[STEPS] = {"pause", "continue, learned", "all known"};

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

/* A source file, with what somebody made of the line in the middle. */
static void write_source(const char *folder, int number, const char *middle)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/d%d/f%d.c", folder, number % 100, number);

	for (int line = 0; line < LINES; line++)
		buf_appendf(&text, "\tfile_%d(line, %d)%s;\n", number, line,
			line == LINES / 2 ? middle : "");
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

static void make_skill(int count)
{
	CLEANUP(buf_release) struct buf manifest = BUF_INIT;

	buf_append_str(
		&manifest, "skill: big\nversion: 1.0.0\ncore_version: 1.0.0\nmodifies:\n");
	need(mkdir("ours/skills", 0777), "skills");
	need(mkdir("ours/skills/big", 0777), "skills/big");
	make_folders("ours/skills/big/modify");
	for (int i = 0; i < count; i++) {
		write_source("ours/skills/big/modify", i, " /* skill */");
		buf_appendf(&manifest, "  - d%d/f%d.c\n", i % 100, i);
	}
	write_file("ours/skills/big/manifest.yaml", manifest.data, manifest.len);
}

static void make_peer(int count)
{
	static const char *const folders[] = {"peer", "peer/base", "peer/skill", "peer/user"};
	static const char script[] =
		"while read f; do git merge-file -q \"$f\" \"base/$f\" \"skill/$f\"; done <list\n";
	CLEANUP(buf_release) struct buf list = BUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		make_folders(folders[i]);
	for (int i = 0; i < count; i++) {
		write_source("peer/base", i, "");
		write_source("peer/skill", i, " /* skill */");
		write_source("peer/user", i, " /* mine */");
		buf_appendf(&list, "d%d/f%d.c\n", i % 100, i);
	}
	write_file("peer/list", list.data, list.len);
	write_file("peer/script", script, strlen(script));
}

static void make_project(const char *nanoclaw, int count, bool in_git)
{
	CLEANUP(freep)
	char *init = xasprintf("cd ours && '%s' -q init --core-version 1.0.0", nanoclaw);

	make_folders("ours");
	if (in_git)
		shell("git -C ours init -q && mkdir ours/.git/rr-cache");
	for (int i = 0; i < count; i++)
		write_source("ours", i, "");
	shell(init);
	make_skill(count);
	make_peer(count);
	shell("cp -r ours/.nanoclaw nanoclaw.before");
}

static void write_all(int count, const char *middle)
{
	for (int i = 0; i < count; i++)
		write_source("ours", i, middle);
}

/* Nothing applied; what was learned stays if `known`. */
static void reset(int count, bool known)
{
	write_all(count, " /* mine */");
	if (known)
		shell("mkdir learned; cd ours/.nanoclaw; for f in rr-cache hunks; do "
		      "[ ! -d $f ] || mv $f ../../learned; done");
	else
		shell("rm -rf ours/.git/rr-cache/*");
	shell("rm -rf ours/.nanoclaw; cp -r nanoclaw.before ours/.nanoclaw; [ ! -d learned ] "
	      "|| { cp -r learned/. ours/.nanoclaw/; rm -rf learned; }; cp -r peer/user/. "
	      "peer/; sync");
}

/* It must have come to this, or the figures mean nothing. */
static void expect(const char *what, bool there)
{
	if ((access("ours/.nanoclaw/backup/pause.yaml", F_OK) == 0) == there)
		return;
	fprintf(stderr, "bench: %s: nanoclaw %s\n", what,
		there ? "did not pause" : "is paused, or failed");
	exit(1);
}

static void run_once(const char *nanoclaw, int count, int64_t times[STEPS], int64_t *ret_peer)
{
	const char *const apply[] = {nanoclaw, "-C", "ours", "-q", "skill", "apply", "big",
		"--on-drift=record", NULL};
	const char *const go_on[] = {nanoclaw, "-C", "ours", "-q", "continue", NULL};
	const char *const peer[] = {"sh", "-c", "cd peer && sh script", NULL};

	reset(count, false);
	times[PAUSE] = timing_run(apply);
	*ret_peer = timing_run(peer);
	expect(step_names[PAUSE], true);
	write_all(count, " /* mine, skill */");
	times[CONTINUE] = timing_run(go_on);
	expect(step_names[CONTINUE], false);
	reset(count, true);
	times[KNOWN] = timing_run(apply);
	expect(step_names[KNOWN], false);
}

static void measure(const char *nanoclaw, int count, bool in_git)
{
	int64_t ours[STEPS][RUNS], peers[RUNS];
	double peer_time;

	make_project(nanoclaw, count, in_git);
	for (int i = 0; i < RUNS; i++) {
		int64_t times[STEPS];

		run_once(nanoclaw, count, times, &peers[i]);
		for (int step = 0; step < STEPS; step++)
			ours[step][i] = times[step];
	}
	peer_time = timing_median(peers, RUNS);
	for (int step = 0; step < STEPS; step++) {
		char label[64];

		snprintf(label, sizeof(label), "conflicts: %d files, %s%s", count,
			step_names[step], in_git ? ", rr-cache of git" : "");
		printf("%-56s %6.2f  of  git merge-file in a script\n", label,
			timing_median(ours[step], RUNS) / peer_time);
		fflush(stdout);
	}
	shell("rm -rf ours peer nanoclaw.before");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: conflicts NANOCLAW\n");
		return 2;
	}
	for (int in_git = 0; in_git < 2; in_git++)
		for (int count = 100; count <= 1000; count *= 10)
			measure(argv[1], count, in_git);
	return 0;
}
