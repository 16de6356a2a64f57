/*
 * A scenario: one text file with the initial files, the commands to run, their expected output,
 * and the expected files at the end.
 *
 *	# a change on each side is kept		the claim: the name of the test
 *	needs: git				directives, see below
 *	-- ours --				a file that exists at first
 *	ONE
 *	two
 *	== run ==
 *	$ nanoclaw merge-file ours base theirs	a line for sh, in that folder
 *	? 1					its exit code, if it is not 0
 *	> text					its standard output
 *	2> text					its standard error
 *	== after ==				the files that differ at the end
 *	-- ours --
 *	ONE
 *	TWO
 *	-- !base --				this was removed
 *
 * Header: the first line is the claim; more lines with `#` are remarks.
 *
 *	needs: PROGRAM...	skip the scenario where one is not installed; 'bwrap' and
 *				'script' have to work, too; 'sandbox' is any that
 *				the built-in agent can run in
 *	ignore: PATTERN...	paths that are not compared (see path_matches)
 *	unlisted: PATTERN...	paths that may change without being listed after
 *				the run; the crash test compares them all the same
 *	tree: FOLDER		start from a copy of this folder of the source tree;
 *				files of the scenario are added, or take the place
 *				of those in it
 *	recover: LINE		what the crash test runs after the crash; the
 *				default is `nanoclaw status`, `-` is nothing
 *	faults: MODE...		the modes of the crash test that make sense
 *	leftover: PATTERN...	paths that a crash may leave behind
 *
 * Files: `-- PATH [FLAG...] --` and its content up to the next marker.
 *
 *	-- bin/tool [755] --	with these permissions; else 644
 *	-- data [hex] --	the content in hexadecimal, white space between
 *	-- note [no-newline] --	the last newline is not content
 *	-- dos [crlf] --	every newline is CR LF
 *	-- link -> target --	a symbolic link
 *	-- folder/ --		a folder, also one that is empty; [mode] as above
 *	-- !path --		(after) not there any more, nor anything in it
 *
 * Run: empty lines and lines with `#` are remarks; a command line that ends in
 * a backslash goes on in the next line.
 *
 *	$ LINE			run it
 *	$! LINE			run it, and crash it at every point (crash.c)
 *	< TEXT			a line of its standard input; else /dev/null
 *	? CODE			expected exit code, else 0
 *	> TEXT			expected output: exactly these lines, in the
 *	2> TEXT			notation and with the wildcards of lines.h; without
 *				any such line the output must be empty
 *
 * After: the whole tree must be as before but for what stands here. Without
 * this part nothing may have changed.
 */
#ifndef HARNESS_SCENARIO_FILE_H
#define HARNESS_SCENARIO_FILE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "lines.h"
#include "tree.h"

struct scenario_command {
	char *line;
	unsigned number; /* the line in the file */
	unsigned end;    /* the last line that is command or input */
	bool crash;
	struct buf input;
	int status;
	unsigned status_number; /* 0: not said */
	struct lines out;
	struct lines err;
};

struct scenario {
	char *path;
	char *name; /* the file's, without folder and ending */
	char *claim;
	struct lines needs;
	struct lines ignore;
	struct lines unlisted; /* these, and all of `ignore` */
	struct lines faults;   /* modes of the crash test; empty: all */
	struct lines leftover;
	char *recover; /* NULL: nothing */
	struct tree before;
	struct tree after;
	unsigned after_number; /* line of `== after ==`, or 0 */
	struct scenario_command *commands;
	size_t count;
	size_t cap;
};

#define SCENARIO_INIT ((struct scenario){0})

/* Errors begin with "FILE:LINE: ". */
int scenario_read(struct scenario *scenario, const char *path, struct error *err);
int scenario_parse(
	struct scenario *scenario, const char *path, struct view text, struct error *err);

/*
 * Add the scenarios of a folder, sorted, or the one that is named. Of a folder, with
 * NANOCLAW_SHARD=K/N, every Nth beginning with the Kth.
 */
int scenario_list(struct lines *paths, const char *file_or_folder, struct error *err);

void scenario_release(struct scenario *scenario);

#endif
