/*
 * Renames that are found by content (engine/newcore/core_reader.h) against `git diff -M`:
 *
 *	renames COUNT SEED
 *
 * Random trees, of which some files are moved, copied, deleted, changed and moved. In even
 * cases files keep their content when they move, and the pairs must be those of `-M100%`. In
 * odd ones they also change by a little, or altogether, and must be those of `-M50%`; what is
 * near the limit is left out, since there every line counts. Where several files have the same
 * content there is more than one good answer, and only the number of pairs is compared.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/base_sums.h"
#include "engine/newcore/core_reader.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "proc/process.h"

#define MAX_FILES  24
#define MAX_OUTPUT ((size_t)16 * 1024 * 1024)

static uint64_t random_state;

/* splitmix64: small, good enough, the same everywhere */
static unsigned below(unsigned limit)
{
	uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ (z >> 31)) % limit);
}

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "renames: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void reader_freep(struct core_reader **reader)
{
	core_reader_free(*reader);
}

/* --- two trees ------------------------------------------------------------------- */

static char *random_path(unsigned number)
{
	static const char *const endings[] = {".c", ".h", ".txt", ""};

	return xasprintf("d%u/%s%u%s", below(4), below(2) ? "file" : "other", number,
		endings[below(ARRAY_SIZE(endings))]);
}

static void write_file(const char *side, const char *path, const char *content)
{
	CLEANUP(freep) char *name = xasprintf("%s/%s", side, path);
	char *slash = strrchr(name, '/');
	FILE *file;

	*slash = '\0';
	require(mkdir(name, 0777) == 0 || errno == EEXIST, name);
	*slash = '/';
	file = fopen(name, "w");
	require(file && fputs(content, file) >= 0 && fclose(file) == 0, name);
}

/* Lines that no other file has, but for some that all have. */
static char *random_content(void)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (unsigned i = 0, lines = 10 + below(30); i < lines; i++) {
		if (below(5))
			buf_appendf(
				&text, "line %08x %08x\n", below(1u << 30), below(1u << 30));
		else
			buf_append_str(&text, "}\n");
	}
	return buf_take(&text);
}

/* Change about one line in `every`. */
static char *changed(const char *content, unsigned every)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest = view_of(content), line;

	while (view_next(&rest, '\n', &line)) {
		if (below(every))
			buf_append(&text, line.data, line.len);
		else
			buf_appendf(
				&text, "new %08x and %08x", below(1u << 30), below(1u << 30));
		buf_append_char(&text, '\n');
	}
	return buf_take(&text);
}

/* Returns whether two files of one side have the same content. */
static bool make_trees(bool exact)
{
	unsigned count = 1 + below(MAX_FILES);
	bool twins = false;

	for (unsigned i = 0; i < count; i++) {
		CLEANUP(freep) char *path = random_path(i);
		CLEANUP(freep) char *other = random_path(100 + i);
		CLEANUP(freep) char *content = random_content();
		CLEANUP(freep) char *next = NULL;
		unsigned fate = below(8);

		write_file("old", path, content);
		next = exact || below(2) ? xstrdup(content)
					 : changed(content, below(3) ? 8 : 1);
		if (fate == 0)
			continue;
		if (fate == 1)
			write_file("new", path, next);
		else
			write_file("new", other, next);
		if (fate == 2 && exact) {
			CLEANUP(freep) char *third = random_path(200 + i);

			write_file("new", third, next);
			twins = true;
		}
	}
	return twins;
}

/* --- two answers ----------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

struct answer {
	char *list[2 * MAX_FILES];
	size_t count;
};

static void answer_release(struct answer *answer)
{
	for (size_t i = 0; i < answer->count; i++)
		free(answer->list[i]);
}

static void add(struct answer *answer, const char *from, const char *to)
{
	require(answer->count < ARRAY_SIZE(answer->list), "too many pairs");
	answer->list[answer->count++] = xasprintf("%s -> %s", from, to);
}

static void ask_git(bool exact, struct answer *answer)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;
	struct view rest, status, from, to;

	request.argv = (const char *const[]){"git", "diff", "--no-index", "--name-status", "-z",
		exact ? "-M100%" : "-M50%", "-l0", "old", "new", NULL};
	request.env = (const char *const[]){
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", NULL};
	request.output = (struct process_stream){PROCESS_CAPTURE, MAX_OUTPUT};
	require(process_run(&request, &result, &err) == 0 && result.exit_code <= 1, "git diff");
	rest = view_of_buf(&result.output);
	while (view_next(&rest, '\0', &status)) {
		require(view_next(&rest, '\0', &from), "a name");
		if (*status.data != 'R')
			continue;
		require(view_next(&rest, '\0', &to), "a second name");
		add(answer, from.data + strlen("old/"), to.data + strlen("new/"));
	}
}

static void read_side(const char *side, struct core_reader *reader, struct core_tree *tree)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	int fd = open(side, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	size_t folder = core_reader_add_folder(reader, fd);

	require(fd >= 0 && base_sums_collect(fd, &sums, &err) == 0, side);
	for (size_t i = 0; i < sums.count; i++) {
		struct relpath path = {xstrdup(sums.list[i].path)};
		size_t place = core_reader_add(reader, folder, &path);

		core_tree_add(tree, &path, &sums.list[i].file, place);
	}
	core_tree_sort(tree);
}

static void ask_us(struct answer *answer)
{
	CLEANUP(reader_freep) struct core_reader *reader = core_reader_new(AT_FDCWD);
	CLEANUP(core_tree_release) struct core_tree before = CORE_TREE_INIT;
	CLEANUP(core_tree_release) struct core_tree after = CORE_TREE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	read_side("old", reader, &before);
	read_side("new", reader, &after);
	for (size_t i = 0; i < after.count; i++)
		if (core_tree_find(&before, &after.list[i].path))
			after.list[i].from = relpath_copy(&after.list[i].path);
	require(core_renames_find(&before, &after, reader, &err) == 0, "core_renames_find");
	for (size_t i = 0; i < after.count; i++)
		if (after.list[i].found)
			add(answer, after.list[i].from.text, after.list[i].path.text);
}

static size_t pairs; /* of all cases */

static bool compare(bool exact, bool twins)
{
	CLEANUP(answer_release) struct answer git = {0};
	CLEANUP(answer_release) struct answer ours = {0};
	bool same;

	ask_git(exact, &git);
	ask_us(&ours);
	qsort(git.list, git.count, sizeof(*git.list), by_text);
	qsort(ours.list, ours.count, sizeof(*ours.list), by_text);
	pairs += git.count;
	same = git.count == ours.count;
	for (size_t i = 0; i < git.count && same && !twins; i++)
		same = !strcmp(git.list[i], ours.list[i]);
	for (size_t i = 0; i < git.count && !same; i++)
		printf("# git: %s\n", git.list[i]);
	for (size_t i = 0; i < ours.count && !same; i++)
		printf("# we: %s\n", ours.list[i]);
	return same;
}

static bool run_case(unsigned long seed, unsigned long number)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool exact = number % 2 == 0, twins, same;

	random_state = seed * 1000003 + number;
	require(mkdir("old", 0777) == 0 && mkdir("new", 0777) == 0, "mkdir");
	twins = make_trees(exact);
	same = compare(exact, twins);
	if (!same) {
		printf("# case %lu\n", number);
		return false;
	}
	require(tree_remove(AT_FDCWD, "old", &err) == 0 &&
			tree_remove(AT_FDCWD, "new", &err) == 0,
		"remove");
	return true;
}

int main(int argc, char **argv)
{
	const char *temporary = getenv("TMPDIR");
	CLEANUP(freep)
	char *folder = xasprintf(
		"%s/nanoclaw-renames-XXXXXX", temporary && *temporary ? temporary : "/tmp");
	unsigned long count = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned long seed = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool same = true;

	if (!count) {
		fprintf(stderr, "usage: renames COUNT SEED\n");
		return 2;
	}
	require(mkdtemp(folder) && chdir(folder) == 0, folder);
	setenv("GIT_CEILING_DIRECTORIES", folder, 1);
	unsetenv("GIT_DIR");
	for (unsigned long i = 0; i < count && same; i++)
		same = run_case(seed, i);
	/* Trees in which nothing is renamed would say nothing. */
	same = same && pairs >= count;
	printf("%sok 1 - %zu renames are git's, on %lu random trees (seed %lu)\n1..1\n",
		same ? "" : "not ", pairs, count, seed);
	if (!same)
		printf("# the files are in %s\n", folder);
	else if (chdir("/") < 0 || tree_remove(AT_FDCWD, folder, &err) < 0)
		fprintf(stderr, "%s stays: %s\n", folder, err.message);
	return same ? 0 : 1;
}
