/*
 * `nanoclaw skill apply`, as a ratio to a shell script that only runs `cp` (a
 * backup) and `git merge-file` for the same files:
 *
 *	apply NANOCLAW		in an empty folder
 *
 * Every merge is a real one: the skill changed one line of each file, the user
 * another. The script gives no promise about a crash; we do. The core grows from
 * 1,000 to 10,000 files, to show that the cost follows the files touched. The first
 * operation after `init` is measured apart: each time, the project is initialized anew.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "timing.h"

#define LINES 60
#define RUNS  5

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

/* A source file, with a line changed by the user or by the skill, or by nobody. */
static void write_source(const char *folder, int number, int user_line, int skill_line)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/d%d/f%d.c", folder, number % 100, number);

	for (int line = 0; line < LINES; line++)
		buf_appendf(&text, "\tfile_%d(line, %d)%s%s;\n", number, line,
			line == user_line ? " /* mine */" : "",
			line == skill_line ? " /* skill */" : "");
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

static void make_skill(int touched)
{
	CLEANUP(buf_release) struct buf manifest = BUF_INIT;

	buf_append_str(
		&manifest, "skill: big\nversion: 1.0.0\ncore_version: 1.0.0\nmodifies:\n");
	need(mkdir("ours/skills", 0777), "skills");
	need(mkdir("ours/skills/big", 0777), "skills/big");
	make_folders("ours/skills/big/modify");
	for (int i = 0; i < touched; i++) {
		write_source("ours/skills/big/modify", i, -1, 50);
		buf_appendf(&manifest, "  - d%d/f%d.c\n", i % 100, i);
	}
	write_file("ours/skills/big/manifest.yaml", manifest.data, manifest.len);
}

/* The same for the script: the files, their base and the skill's, and a list. */
static void make_peer(int touched)
{
	static const char *const folders[] = {
		"peer", "peer/base", "peer/backup", "peer/skill", "peer/user"};
	CLEANUP(buf_release) struct buf list = BUF_INIT;
	static const char script[] =
		"while read f; do cp \"$f\" \"backup/$f\"; git merge-file -q \"$f\" \"base/$f\" "
		"\"skill/$f\"; done <list\n";

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		make_folders(folders[i]);
	for (int i = 0; i < touched; i++) {
		write_source("peer/base", i, -1, -1);
		write_source("peer/skill", i, -1, 50);
		write_source("peer/user", i, 10, -1);
		buf_appendf(&list, "d%d/f%d.c\n", i % 100, i);
	}
	write_file("peer/list", list.data, list.len);
	write_file("peer/script", script, strlen(script));
}

static void init(const char *nanoclaw)
{
	CLEANUP(freep)
	char *command = xasprintf("cd ours && '%s' -q init --core-version 1.0.0", nanoclaw);

	shell(command);
}

static void make_project(const char *nanoclaw, int core, int touched)
{
	make_folders("ours");
	for (int i = 0; i < core; i++)
		write_source("ours", i, -1, -1);
	init(nanoclaw);
	make_skill(touched);
	make_peer(touched);
	shell("cp ours/.nanoclaw/state.yaml state.before");
}

/* Back to where the user had changed the files and the skill was not applied. */
static void reset(int touched)
{
	for (int i = 0; i < touched; i++)
		write_source("ours", i, 10, -1);
	shell("rm -rf ours/.nanoclaw/applied; cp state.before ours/.nanoclaw/state.yaml; "
	      "cp -r peer/user/. peer/; sync");
}

static long peak_kilobytes(const char *nanoclaw, int touched)
{
	struct rusage usage;
	int status;
	pid_t child;

	reset(touched);
	child = fork();
	if (child == 0) {
		need(chdir("ours"), "ours");
		if (!freopen("/dev/null", "w", stdout))
			_exit(127);
		execl(nanoclaw, nanoclaw, "-q", "skill", "apply", "big", "--on-drift",
			"continue", NULL);
		_exit(127);
	}
	while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR)
		;
	if (status) {
		fprintf(stderr, "bench: nanoclaw failed\n");
		exit(1);
	}
	return usage.ru_maxrss;
}

/* As before the first operation: nothing but the core is known. */
static void init_again(const char *nanoclaw, int touched)
{
	for (int i = 0; i < touched; i++)
		write_source("ours", i, -1, -1);
	shell("rm -rf ours/.nanoclaw");
	init(nanoclaw);
}

static void measure(const char *nanoclaw, int core, int touched, bool first)
{
	const char *const ours_argv[] = {nanoclaw, "-C", "ours", "-q", "skill", "apply", "big",
		"--on-drift", "continue", NULL};
	const char *const peer_argv[] = {"sh", "-c", "cd peer && sh script", NULL};
	int64_t ours[RUNS], peers[RUNS];
	double our_time, peer_time;
	char label[64];

	make_project(nanoclaw, core, touched);
	for (int i = 0; i < RUNS; i++) {
		if (first)
			init_again(nanoclaw, touched);
		reset(touched);
		ours[i] = timing_run(ours_argv);
		peers[i] = timing_run(peer_argv);
	}
	our_time = timing_median(ours, RUNS);
	peer_time = timing_median(peers, RUNS);
	snprintf(label, sizeof(label), "apply: %d files merged, core of %d%s", touched, core,
		first ? ", first" : "");
	printf("%-44s %6.2f  of  cp and git merge-file in a script  (peak %ld MiB)\n", label,
		our_time / peer_time, peak_kilobytes(nanoclaw, touched) / 1024);
	fflush(stdout);
	shell("rm -rf ours peer state.before");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: apply NANOCLAW\n");
		return 2;
	}
	for (int core = 1000; core <= 10000; core *= 10)
		for (int touched = 10; touched <= 1000; touched *= 100)
			measure(argv[1], core, touched, false);
	measure(argv[1], 10000, 10, true);
	return 0;
}
