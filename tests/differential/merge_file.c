/*
 * `nanoclaw merge-file` against `git merge-file` on random triples of files:
 * the same exit code, the same output, the same file afterwards.
 *
 *	merge_file NANOCLAW COUNT SEED
 *
 * The triples are made to be difficult: few different lines, so that diffs are
 * ambiguous; lines without letters, which git treats in its own way; changes
 * that both sides made; all line endings; lines that look like markers; binary
 * files; options in all their spellings, and wrong ones.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "fs/file.h"
#include "fs/tree.h"
#include "proc/process.h"

#define MAX_LINES  400
#define MAX_OUTPUT ((size_t)64 * 1024 * 1024)
#define MAX_WORDS  24

static uint64_t random_state;

/* splitmix64: small, good enough, the same everywhere */
static unsigned below(unsigned limit)
{
	uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ (z >> 31)) % limit);
}

static bool one_in(unsigned n)
{
	return below(n) == 0;
}

/* --- files ---------------------------------------------------------------- */

struct text {
	const char *lines[MAX_LINES];
	size_t count;
};

static const char *random_line(void)
{
	static const char *const lines[] = {
		"",
		"}",
		"{",
		"  }",
		"\t",
		"--",
		"*/",
		"a",
		"b",
		"c",
		"d",
		"e",
		"f",
		"g",
		"h",
		"a ",
		" a",
		"return 0;",
		"if (x) {",
		"} else {",
		"int main(void)",
		"gr\xfc\xdf",
		"\xe2\x82\xac",
		"<<<<<<< ours",
		"=======",
		">>>>>>> theirs",
		"||||||| base",
		"one longer line with several words in it",
	};

	return lines[below(ARRAY_SIZE(lines))];
}

/* With `bare`, mostly lines without letters and digits. */
static void random_text(struct text *t, bool bare)
{
	static const char *const bare_lines[] = {"", "}", "{", "  }", "\t", "--", "*/"};
	size_t count = one_in(20) ? 0 : one_in(10) ? 100 + below(200) : 1 + below(30);

	t->count = 0;
	while (t->count < count)
		t->lines[t->count++] = bare && !one_in(12)
					       ? bare_lines[below(ARRAY_SIZE(bare_lines))]
					       : random_line();
}

/* Replace `removed` lines at `at` by `added` random ones. */
static void replace_lines(struct text *t, size_t at, size_t removed, size_t added)
{
	if (t->count - removed + added > MAX_LINES)
		return;
	memmove(&t->lines[at + added], &t->lines[at + removed],
		(t->count - at - removed) * sizeof(t->lines[0]));
	t->count = t->count - removed + added;
	for (size_t i = 0; i < added; i++)
		t->lines[at + i] = random_line();
}

static void random_edit(struct text *t)
{
	unsigned edits = below(5);

	while (edits--) {
		size_t at = below((unsigned)t->count + 1);
		size_t left = t->count - at;
		size_t removed = left ? below(left < 4 ? (unsigned)left + 1 : 4) : 0;

		replace_lines(t, at, removed, below(4));
	}
}

/* Change a few lines in both, mostly to different ones. */
static void random_conflicts(struct text *a, struct text *b)
{
	size_t count = a->count < b->count ? a->count : b->count;

	for (unsigned n = count ? below(6) : 0; n; n--) {
		size_t at = below((unsigned)count);

		a->lines[at] = random_line();
		b->lines[at] = random_line();
	}
}

/* How the lines of a file end. */
struct ending {
	unsigned crlf_percent;
	bool no_last_newline;
};

static void render(const struct text *t, struct ending ending, struct buf *out)
{
	for (size_t i = 0; i < t->count; i++) {
		buf_append_str(out, t->lines[i]);
		if (ending.no_last_newline && i + 1 == t->count)
			break;
		buf_append_str(out, below(100) < ending.crlf_percent ? "\r\n" : "\n");
	}
	/* A NUL makes a file binary if it is within the first 8000 bytes. */
	if (one_in(60)) {
		if (one_in(2))
			buf_append_repeated(out, 'x', 7990 + below(20));
		buf_append(out, "\0end\n", 5);
	}
}

static void write_file(const char *folder, const char *name, const struct buf *content)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", folder, name);
	FILE *file = fopen(path, "w");

	if (!file || fwrite(content->data, 1, content->len, file) != content->len ||
		fclose(file)) {
		perror(path);
		exit(1);
	}
}

static const char *const names[] = {"ours", "base", "theirs"};

static void write_triple(const char *first, const char *second)
{
	struct text texts[3];
	unsigned crlf = (const unsigned[]){0, 0, 0, 100, 50}[below(5)];

	random_text(&texts[1], one_in(2));
	texts[0] = texts[2] = texts[1];
	random_conflicts(&texts[0], &texts[2]);
	if (!one_in(3))
		random_edit(&texts[0]);
	if (one_in(5))
		texts[2] = texts[0];
	if (!one_in(3))
		random_edit(&texts[2]);
	for (int i = 0; i < 3; i++) {
		CLEANUP(buf_release) struct buf content = BUF_INIT;
		struct ending ending = {one_in(10) ? 100 - crlf : crlf, one_in(6)};

		render(&texts[i], ending, &content);
		write_file(first, names[i], &content);
		write_file(second, names[i], &content);
	}
}

/* --- options -------------------------------------------------------------- */

struct command_line {
	const char *words[MAX_WORDS];
	size_t count;
};

static void add(struct command_line *line, const char *word)
{
	line->words[line->count++] = word;
}

static void random_options(struct command_line *line)
{
	static const char *const common[] = {
		"--diff3",
		"--zdiff3",
		"--ours",
		"--theirs",
		"--union",
		"--marker-size=3",
		"--marker-size=20",
		"-q",
		"--diff3",
		"--zdiff3",
	};
	static const char *const rare[] = {
		"--no-diff3",
		"--no-zdiff3",
		"--no-ours",
		"--no-marker-size",
		"--marker-size=0",
		"--marker-size=-4",
		"--marker-size=1",
		"--marker-size= 9",
		"--marker-size=+9",
		"--z",
		"--our",
		"--th",
		"--un",
		"--mark=11",
		"--stdout",
		"--no-stdout",
		"--quiet",
		"-pq",
		"-qp",
		"-Lx",
		"--no-quiet",
		"--no-union",
		"--qui",
		"--end-of-options",
#ifndef XDIFF_SHARED
		"--marker-size=65536",
#endif
		"--marker-size=4294967299",
		"--marker-size=-4294967290",
	};
	static const char *const wrong[] = {
		"--nonsense",
		"--marker-size=x",
		"--marker-size=",
		"--marker-size=7x",
		"-Z",
		"--diff3=x",
		"--no-nonsense",
		"--js",
		"--no-c",
		"--ours=1",
	};
	unsigned labels = one_in(30) ? 4 : one_in(3) ? below(4) : 0;

	while (labels--) {
		add(line, "-L");
		add(line, one_in(8) ? "" : one_in(2) ? "the label" : "\xc3\xa9");
	}
	for (unsigned n = below(3); n; n--)
		add(line, common[below(ARRAY_SIZE(common))]);
	if (one_in(4))
		add(line, rare[below(ARRAY_SIZE(rare))]);
	if (one_in(50))
		add(line, wrong[below(ARRAY_SIZE(wrong))]);
}

static void random_command_line(struct command_line *line)
{
	bool to_stdout = !one_in(3), in_front = one_in(2);

	if (to_stdout && in_front)
		add(line, "-p");
	random_options(line);
	if (one_in(20))
		add(line, "--");
	add(line, one_in(80) ? "missing" : "ours");
	if (!one_in(100))
		add(line, one_in(100) ? "missing" : "base");
	add(line, one_in(100) ? "missing" : "theirs");
	if (one_in(100))
		add(line, "extra");
	/* An option may follow; after "--" it is a file too many. */
	if (to_stdout && !in_front)
		add(line, "--stdout");
}

/* --- comparison ----------------------------------------------------------- */

static void run(const char *program, const char *folder, const struct command_line *line,
	struct process_result *ret_result)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	const char *argv[MAX_WORDS + 3] = {program, "merge-file"};

	for (size_t i = 0; i < line->count; i++)
		argv[i + 2] = line->words[i];
	request.argv = argv;
	request.env = (const char *const[]){
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", NULL};
	request.cwd = folder;
	request.output = (struct process_stream){PROCESS_CAPTURE, MAX_OUTPUT};
	request.errors = (struct process_stream){PROCESS_CAPTURE, MAX_OUTPUT};
	request.timeout_ms = 60 * 1000;
	if (process_run(&request, ret_result, &err) < 0) {
		fprintf(stderr, "%s\n", err.message);
		exit(1);
	}
}

static bool same_content(const char *first, const char *second, const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf a = BUF_INIT;
	CLEANUP(buf_release) struct buf b = BUF_INIT;
	CLEANUP(freep) char *path_a = xasprintf("%s/%s", first, name);
	CLEANUP(freep) char *path_b = xasprintf("%s/%s", second, name);

	if (file_read(path_a, MAX_OUTPUT, &a, &err) < 0 ||
		file_read(path_b, MAX_OUTPUT, &b, &err) < 0)
		return false;
	return view_equal(view_of_buf(&a), view_of_buf(&b));
}

/* What differs, or NULL. */
static const char *compare(const char *nanoclaw, const struct command_line *line)
{
	CLEANUP(process_result_release) struct process_result peer = PROCESS_RESULT_INIT;
	CLEANUP(process_result_release) struct process_result ours = PROCESS_RESULT_INIT;

	run("git", "git", line, &peer);
	run(nanoclaw, "nanoclaw", line, &ours);
	if (peer.exit_code != ours.exit_code)
		return "the exit code differs";
	if (!view_equal(view_of_buf(&peer.output), view_of_buf(&ours.output)))
		return "the output differs";
	for (int i = 0; i < 3; i++)
		if (!same_content("git", "nanoclaw", names[i]))
			return "a file differs";
	return NULL;
}

static void report(unsigned long number, const char *what, const struct command_line *line)
{
	printf("# triple %lu: %s, for: merge-file", number, what);
	for (size_t i = 0; i < line->count; i++)
		printf(" '%s'", line->words[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	const char *temporary = getenv("TMPDIR");
	CLEANUP(freep)
	char *folder = xasprintf("%s/nanoclaw-differential-XXXXXX",
		temporary && *temporary ? temporary : "/tmp");
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *nanoclaw = argc == 4 ? realpath(argv[1], NULL) : NULL;
	unsigned long count, seed, compared = 0, differences = 0;

	if (!nanoclaw) {
		fprintf(stderr, "usage: merge_file NANOCLAW COUNT SEED\n");
		return 2;
	}
	count = strtoul(argv[2], NULL, 10);
	seed = strtoul(argv[3], NULL, 10);
	/* Git must not find a repository above this folder. */
	setenv("GIT_CEILING_DIRECTORIES", temporary && *temporary ? temporary : "/tmp", 1);
	if (!mkdtemp(folder) || chdir(folder) < 0 || mkdir("git", 0777) < 0 ||
		mkdir("nanoclaw", 0777) < 0) {
		perror(folder);
		return 1;
	}
	for (; compared < count && !differences; compared++) {
		struct command_line line = {0};
		const char *difference;

		/* Every triple has a seed of its own, so that it can be had again. */
		random_state = seed * UINT64_C(1000003) + compared;
		write_triple("git", "nanoclaw");
		random_command_line(&line);
		difference = compare(nanoclaw, &line);
		if (difference) {
			report(compared, difference, &line);
			differences++;
		}
	}
	printf("%sok 1 - merge-file is git's on %lu random triples (seed %lu)\n1..1\n",
		differences ? "not " : "", compared, seed);
	if (differences)
		printf("# the files are in %s\n", folder);
	else if (chdir("/") < 0 || tree_remove(AT_FDCWD, folder, &err) < 0)
		fprintf(stderr, "%s stays: %s\n", folder, err.message);
	return differences ? 1 : 0;
}
