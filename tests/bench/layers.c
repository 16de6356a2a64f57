/*
 * `nanoclaw skill remove` and `nanoclaw rebase` on a project with twenty skills, as ratios
 * to a shell script that only runs `cp` (a backup) and `git merge-file` for the files that
 * are made again, once for each skill that has to be merged into them:
 *
 *	layers NANOCLAW		in an empty folder
 *
 * Each skill changes one line in each of its files, and every file belongs to two skills.
 * The person has changed a line in each, too, half of them without having it recorded. The
 * core of the rebase grows from 1,000 to 10,000 files, to show that the cost follows the
 * files that skills touch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "timing.h"

#define LINES  100
#define SKILLS 20
#define FILES  20 /* of a skill */
#define RUNS   5

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

/* A source file, with a line that was changed, or none (-1). */
static void write_source(const char *folder, int number, int changed, const char *by)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/d%d/f%d.c", folder, number % 100, number);

	for (int line = 0; line < LINES; line++)
		buf_appendf(&text, "\tfile_%d(line, %d)%s;\n", number, line,
			line == changed ? by : "");
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

/* Every file belongs to the skill of its number and to the one before. */
static int file_of(int skill, int i)
{
	return (skill * FILES / 2 + i) % (SKILLS * FILES / 2);
}

static void make_skill(int skill)
{
	CLEANUP(buf_release) struct buf manifest = BUF_INIT;
	CLEANUP(freep) char *folder = xasprintf("ours/skills/s%02d", skill);
	CLEANUP(freep) char *modify = xasprintf("%s/modify", folder);
	CLEANUP(freep) char *path = xasprintf("%s/manifest.yaml", folder);
	CLEANUP(freep) char *peer = xasprintf("peer/s%02d", skill);

	buf_appendf(&manifest, "skill: s%02d\nversion: 1.0.0\ncore_version: 1.0.0\nmodifies:\n",
		skill);
	need(mkdir(folder, 0777), folder);
	make_folders(modify);
	make_folders(peer);
	for (int i = 0; i < FILES; i++) {
		int number = file_of(skill, i);

		write_source(modify, number, skill * 4, " /* skill */");
		write_source(peer, number, skill * 4, " /* skill */");
		buf_appendf(&manifest, "  - d%d/f%d.c\n", number % 100, number);
	}
	write_file(path, manifest.data, manifest.len);
}

/* A line of the script: a file, and the skill that is merged into it. */
static void add_merge(struct buf *list, int skill, int i)
{
	int number = file_of(skill, i);

	buf_appendf(list, "d%d/f%d.c s%02d\n", number % 100, number, skill);
}

static void make_peer(void)
{
	CLEANUP(buf_release) struct buf one = BUF_INIT;
	CLEANUP(buf_release) struct buf all = BUF_INIT;
	static const char script[] =
		"while read f s; do cp \"$f\" \"backup/$f\"; git merge-file -q \"$f\" "
		"\"base/$f\" \"$s/$f\"; done <$1\n";

	make_folders("peer/base");
	make_folders("peer/backup");
	make_folders("peer/user");
	for (int i = 0; i < SKILLS * FILES / 2; i++) {
		write_source("peer/base", i, -1, "");
		write_source("peer/user", i, LINES - 1, " /* mine */");
	}
	/* The neighbours of the skill in the middle share its files. */
	for (int i = 0; i < FILES / 2; i++) {
		add_merge(&one, SKILLS / 2 - 1, FILES / 2 + i);
		add_merge(&one, SKILLS / 2 + 1, i);
	}
	for (int skill = 0; skill < SKILLS; skill++)
		for (int i = 0; i < FILES; i++)
			add_merge(&all, skill, i);
	write_file("peer/one", one.data, one.len);
	write_file("peer/all", all.data, all.len);
	write_file("peer/script", script, strlen(script));
}

static void make_project(const char *nanoclaw, int core)
{
	CLEANUP(freep)
	char *init = xasprintf("cd ours && '%s' -q init --core-version 1.0.0", nanoclaw);
	CLEANUP(freep)
	char *apply = xasprintf("cd ours && '%s' -q skill apply skills/*", nanoclaw);
	CLEANUP(freep)
	char *start = xasprintf("cd ours && '%s' -q customize start mine", nanoclaw);
	CLEANUP(freep)
	char *commit = xasprintf("cd ours && '%s' -q customize commit", nanoclaw);

	make_folders("ours");
	make_folders("peer");
	for (int i = 0; i < core; i++)
		write_source("ours", i, -1, "");
	shell(init);
	need(mkdir("ours/skills", 0777), "skills");
	for (int skill = 0; skill < SKILLS; skill++)
		make_skill(skill);
	make_peer();
	shell(apply);
	shell(start);
	shell("cd ours && for i in $(seq 0 2 198); do echo mine >>d$((i % 100))/f$i.c; done");
	shell(commit);
}

/* What was timed must have worked. */
static void expect(const char *condition)
{
	CLEANUP(freep) char *command = xasprintf("%s || touch failed", condition);

	shell(command);
	if (access("failed", F_OK) == 0) {
		fprintf(stderr, "bench: not so: %s\n", condition);
		exit(1);
	}
}

static void measure(const char *label, const char *const *ours_argv,
	const char *const *undo_argv, const char *list, const char *done)
{
	CLEANUP(freep) char *script = xasprintf("cd peer && sh script %s", list);
	const char *const peer_argv[] = {"sh", "-c", script, NULL};
	int64_t ours[RUNS], peers[RUNS];

	for (int i = 0; i < RUNS; i++) {
		shell("cp -r peer/user/. peer/; sync");
		ours[i] = timing_run(ours_argv);
		peers[i] = timing_run(peer_argv);
		expect(done);
		timing_run(undo_argv);
	}
	printf("%-44s %6.2f  of  cp and git merge-file in a script\n", label,
		timing_median(ours, RUNS) / timing_median(peers, RUNS));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *const remove_argv[] = {
		argv[1], "-C", "ours", "-q", "--yes", "skill", "remove", "s10", NULL};
	const char *const rebase_argv[] = {
		argv[1], "-C", "ours", "-q", "--yes", "rebase", NULL};
	const char *const undo_argv[] = {argv[1], "-C", "ours", "-q", "--yes", "undo", NULL};

	if (argc != 2) {
		fprintf(stderr, "usage: layers NANOCLAW\n");
		return 2;
	}
	make_project(argv[1], 2000);
	measure("remove: one of 20 skills, core of 2000", remove_argv, undo_argv, "one",
		"{ ! grep -q 'name: s10' ours/.nanoclaw/state.yaml && grep -q 'name: s19' "
		"ours/.nanoclaw/state.yaml; }");
	shell("rm -rf ours peer");
	for (int core = 1000; core <= 10000; core *= 10) {
		char label[64];

		make_project(argv[1], core);
		shell("cd ours && for i in $(seq 1 2 199); do echo mine >>d$((i % 100))/f$i.c; "
		      "done");
		snprintf(label, sizeof(label), "rebase: 20 skills, core of %d", core);
		measure(label, rebase_argv, undo_argv, "all",
			"grep -q '^rebased_at' ours/.nanoclaw/state.yaml");
		shell("rm -rf ours peer");
	}
	return 0;
}
