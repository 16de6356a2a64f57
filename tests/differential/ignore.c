/*
 * The ignore rules (engine/ignore.h) against git itself, on random trees with
 * random .gitignore files:
 *
 *	ignore COUNT SEED
 *
 * Every path is asked about, as `git check-ignore --no-index` answers. In every
 * third case some files are put into the index as well, in all its versions and
 * with both kinds of hashes, and what a walk then finds is compared with what
 * `git ls-files --cached --others --exclude-standard` lists.
 *
 * Patterns are made from the paths of the tree, with pieces replaced by wildcards,
 * so that many of them match, and from pieces that make no sense.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/quote.h"
#include "engine/core/ignore.h"
#include "fs/tree.h"
#include "fs/walk.h"
#include "proc/process.h"

#define MAX_PATHS  64
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

static bool one_in(unsigned n)
{
	return below(n) == 0;
}

static void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "ignore: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* --- the tree ------------------------------------------------------------------- */

enum kind {
	KIND_FILE,
	KIND_LINK,
	KIND_FOLDER,
};

struct path {
	char text[256];
	enum kind kind;
};

struct forest {
	struct path paths[MAX_PATHS];
	size_t count;
	int fd; /* the folder that it is in: a repository */
	const char *name;
};

static const char *random_name(void)
{
	static const char *const common[] = {"a", "b", "c", "ab", "foo", "bar", "a.c", "b.o"};
	static const char *const rare[] = {"A", "0", "abc", ".x", "a b", "a ", " a", "[a]", "]",
		"-", "\\", "a\\", "*", "**", "?", "!a", "#a", "a\rb", "\xc3\xa9", "\xff",
		"a\tb", "a\nb", "\x7f", "\v", "aaaaaaaaaaaaaaaaaaaaaaab", "~", "a.c.o"};

	return one_in(4) ? rare[below(ARRAY_SIZE(rare))] : common[below(ARRAY_SIZE(common))];
}

/* A path below a random folder of the tree, or at the top. */
static void add_path(struct forest *f)
{
	struct path *new = &f->paths[f->count];
	const struct path *above = f->count ? &f->paths[below((unsigned)f->count)] : NULL;
	const char *folder = above && above->kind == KIND_FOLDER ? above->text : "";

	snprintf(new->text, sizeof(new->text), "%s%s%s", folder, *folder ? "/" : "",
		random_name());
	new->kind = one_in(2) ? KIND_FOLDER : one_in(10) ? KIND_LINK : KIND_FILE;
	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->paths[i].text, new->text))
			return;
	if (new->kind == KIND_FOLDER)
		require(mkdirat(f->fd, new->text, 0777) == 0, new->text);
	else if (new->kind == KIND_LINK)
		require(symlinkat(one_in(2) ? "." : "nowhere", f->fd, new->text) == 0,
			new->text);
	else
		require(close(openat(f->fd, new->text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
				0666)) == 0,
			new->text);
	f->count++;
}

static enum walk_result remove_all(
	const struct walk_entry *entry, void *data, struct error *err)
{
	(void)data;
	if (!strcmp(entry->path, ".git"))
		return WALK_SKIP;
	if (tree_remove(entry->dirfd, entry->name, err) < 0)
		return WALK_FAIL;
	return entry->kind == WALK_DIR ? WALK_SKIP : WALK_GO_ON;
}

static void make_tree(struct forest *f)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	size_t wanted = 4 + below(24);

	require(walk(f->fd, remove_all, NULL, &err) == 0, "cannot clean up");
	require(unlinkat(f->fd, ".git/index", 0) == 0 || errno == ENOENT, "index");
	f->count = 0;
	for (size_t tries = 0; f->count < wanted && tries < 200; tries++)
		add_path(f);
}

/* --- patterns ------------------------------------------------------------------- */

static void random_piece(struct buf *out)
{
	static const char *const pieces[] = {"*", "*", "*", "**", "?", "/", "/**/", "**/",
		"/**", "[a-c]", "[!a]", "[^b]", "[[:alpha:]]", "[[:space:]]", "[![:digit:]]",
		"[[:punct:]a]", "[[:upper:]-]", "[[:cntrl:]]", "[[:print:]]", "[[:graph:]]",
		"[[:xdigit:]]", "[[:alnum:]]", "[[:blank:]]", "[[:lower:]]", "[]a]", "[!]a]",
		"[a-]", "[\\]a]", "[a-\\c]", "[[:foo:]]", "[[:a]", "[[:]", "[", "[a", "[a-",
		"[\\", "\\", "\\a", "\\*", "\\ ", " ", "\r", "#", "!", "***", "**a", "a**",
		"\xff", "[\xc3]", "[/]", "[!/]", "\\/", "**\\/", "]", "-", "//", "[b-a]"};

	buf_append_str(out, pieces[below(ARRAY_SIZE(pieces))]);
}

/* A path of the tree, from some folder on, with parts replaced by wildcards. */
static void random_pattern(const struct forest *f, struct buf *out)
{
	const char *text = f->paths[below((unsigned)f->count)].text;
	const char *slash = strrchr(text, '/');
	unsigned changes = 2 + below(20);

	if (one_in(5))
		buf_append_char(out, '!');
	if (one_in(4))
		buf_append_char(out, '/');
	if (slash && one_in(2))
		text = slash + 1;
	if (one_in(12))
		text = random_name();
	for (; *text; text++) {
		if (one_in(changes))
			random_piece(out);
		if (!one_in(changes))
			buf_append_char(out, *text);
	}
	if (one_in(5))
		buf_append_char(out, '/');
	if (one_in(12))
		random_piece(out);
	if (one_in(12))
		buf_append_str(out, one_in(2) ? " " : "  ");
	if (one_in(25))
		buf_append_char(out, '\0');
}

static void write_rules(const struct forest *f, const char *folder)
{
	CLEANUP(freep) char *path = xasprintf("%s/%s", folder, ".gitignore");
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int fd = -1;

	if (one_in(10))
		buf_append_str(&text, "\xef\xbb\xbf");
	for (unsigned n = 1 + below(4); n; n--) {
		random_pattern(f, &text);
		if (n > 1 || !one_in(5))
			buf_append_str(&text, one_in(10) ? "\r\n" : "\n");
		if (one_in(10))
			buf_append_str(&text, one_in(2) ? "# comment\n" : "\n");
	}
	fd = openat(f->fd, !strcmp(folder, ".git") ? ".git/info/exclude" : path,
		O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	require(fd >= 0 && write(fd, text.data, text.len) == (ssize_t)text.len, path);
}

static void make_rules(const struct forest *f)
{
	write_rules(f, ".");
	if (one_in(4))
		write_rules(f, ".git");
	else
		unlinkat(f->fd, ".git/info/exclude", 0);
	for (size_t i = 0; i < f->count; i++)
		if (f->paths[i].kind == KIND_FOLDER && one_in(4))
			write_rules(f, f->paths[i].text);
}

/* --- git ------------------------------------------------------------------------- */

static void run_git(const char *folder, const char *const *argv, const struct buf *input,
	struct buf *ret_output)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;

	request.argv = argv;
	request.env =
		(const char *const[]){"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
			"HOME=/nowhere", "XDG_CONFIG_HOME=/nowhere", "LC_ALL=C", NULL};
	request.cwd = folder;
	if (input)
		request.input = view_of_buf(input);
	request.output = (struct process_stream){PROCESS_CAPTURE, MAX_OUTPUT};
	request.errors = (struct process_stream){PROCESS_CAPTURE, MAX_OUTPUT};
	request.timeout_ms = 60 * 1000;
	if (process_run(&request, &result, &err) < 0 ||
		result.exit_code > 1) { /* check-ignore: 1 is "none is excluded" */
		fprintf(stderr, "git: %s%s\n", err.message ? err.message : "",
			result.errors.data);
		exit(1);
	}
	buf_append(ret_output, result.output.data, result.output.len);
}

static bool is_excluded_by_git(struct view *answers, const char *path)
{
	struct view source = {0}, line, pattern = {0}, asked = {0};

	require(view_next(answers, '\0', &source) && view_next(answers, '\0', &line) &&
			view_next(answers, '\0', &pattern) && view_next(answers, '\0', &asked),
		"too few answers of check-ignore");
	require(view_equal_str(asked, path), "another path from check-ignore");
	return source.len && !view_starts_with(pattern, "!");
}

/* --- comparison ------------------------------------------------------------------ */

static void report(const char *folder, const char *path, const char *text)
{
	CLEANUP(freep) char *shown = quote(view_of(path));

	printf("# in %s, %s: %s\n", folder, shown, text);
}

static bool same_answers(struct forest *f)
{
	static const char *const git[] = {
		"git", "check-ignore", "-v", "-n", "-z", "--no-index", "--stdin", NULL};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	CLEANUP(buf_release) struct buf input = BUF_INIT;
	CLEANUP(buf_release) struct buf output = BUF_INIT;
	struct view answers;

	for (size_t i = 0; i < f->count; i++)
		buf_append(&input, f->paths[i].text, strlen(f->paths[i].text) + 1);
	run_git(f->name, git, &input, &output);
	answers = view_of_buf(&output);
	require(ignore_open(f->fd, &ignore, &err) == 0, "ignore_open");
	for (size_t i = 0; i < f->count; i++) {
		const struct path *path = &f->paths[i];
		bool theirs = is_excluded_by_git(&answers, path->text);
		bool ours, enter;

		require(ignore_excludes(ignore, path->text, path->kind == KIND_FOLDER, &ours,
				&enter, &err) == 0,
			"ignore_excludes");
		if (ours != theirs) {
			report(f->name, path->text,
				ours ? "only we exclude it" : "only git excludes it");
			return false;
		}
	}
	return true;
}

struct listing {
	struct ignore *ignore;
	struct buf names;
};

static enum walk_result list_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct listing *listing = data;
	bool excluded, enter;

	if (entry->kind == WALK_DIR_END)
		return WALK_GO_ON;
	if (ignore_excludes(listing->ignore, entry->path, entry->kind == WALK_DIR, &excluded,
		    &enter, err) < 0)
		return WALK_FAIL;
	if (entry->kind == WALK_DIR)
		return enter ? WALK_GO_ON : WALK_SKIP;
	if (!excluded)
		buf_append(&listing->names, entry->path, entry->path_len + 1);
	return WALK_GO_ON;
}

static int by_bytes(const void *a, const void *b)
{
	return view_compare(*(const struct view *)a, *(const struct view *)b);
}

/* Sorted, one to a line. */
static char *sorted(const struct buf *names)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view list[2 * MAX_PATHS], rest = view_of_buf(names);
	size_t count = 0;

	while (count < ARRAY_SIZE(list) && view_next(&rest, '\0', &list[count]))
		count++;
	qsort(list, count, sizeof(list[0]), by_bytes);
	for (size_t i = 0; i < count; i++) {
		quote_append(&out, list[i]);
		buf_append_char(&out, '\n');
	}
	return buf_take(&out);
}

static void track_some(struct forest *f)
{
	static const char *const versions[] = {"2", "3", "4"};
	const char *add[] = {"git", "update-index", "--index-version",
		versions[below(ARRAY_SIZE(versions))], "--add", "-z", "--stdin", NULL};
	static const char *const intend[] = {"git", "add", "-f", "-N", "--pathspec-from-file=-",
		"--pathspec-file-nul", NULL};
	CLEANUP(buf_release) struct buf tracked = BUF_INIT;
	CLEANUP(buf_release) struct buf intended = BUF_INIT;
	CLEANUP(buf_release) struct buf output = BUF_INIT;

	for (size_t i = 0; i < f->count; i++) {
		if (f->paths[i].kind == KIND_FOLDER || !one_in(3))
			continue;
		if (one_in(8)) {
			buf_append_str(&intended, ":(literal)");
			buf_append(&intended, f->paths[i].text, strlen(f->paths[i].text) + 1);
		} else {
			buf_append(&tracked, f->paths[i].text, strlen(f->paths[i].text) + 1);
		}
	}
	run_git(f->name, add, &tracked, &output);
	if (intended.len)
		run_git(f->name, intend, &intended, &output);
}

static bool same_listing(struct forest *f)
{
	static const char *const git[] = {
		"git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", NULL};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf output = BUF_INIT;
	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
	CLEANUP(freep) char *theirs = NULL;
	CLEANUP(freep) char *ours = NULL;
	struct listing listing = {.names = BUF_INIT};

	track_some(f);
	run_git(f->name, git, NULL, &output);
	require(ignore_open(f->fd, &ignore, &err) == 0, "ignore_open");
	listing.ignore = ignore;
	require(walk(f->fd, list_entry, &listing, &err) == 0, "walk");
	theirs = sorted(&output);
	ours = sorted(&listing.names);
	buf_release(&listing.names);
	if (!strcmp(theirs, ours) && !ignore_unknown(ignore))
		return true;
	printf("# in %s\n# git lists\n%s# we list\n%s", f->name, theirs, ours);
	return false;
}

static int make_repository(const char *name, const char *format)
{
	const char *init[] = {"git", "init", "-q", format, name, NULL};
	CLEANUP(buf_release) struct buf output = BUF_INIT;

	run_git(".", init, NULL, &output);
	return open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int main(int argc, char **argv)
{
	unsigned long count = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned long seed = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	const char *temporary = getenv("TMPDIR");
	CLEANUP(freep)
	char *folder = xasprintf(
		"%s/nanoclaw-ignore-XXXXXX", temporary && *temporary ? temporary : "/tmp");
	static struct forest forests[2] = {{.name = "sha1"}, {.name = "sha256"}};
	bool same = true;

	if (!count) {
		fprintf(stderr, "usage: ignore COUNT SEED\n");
		return 2;
	}
	require(mkdtemp(folder) && chdir(folder) == 0, folder);
	forests[0].fd = make_repository("sha1", "--object-format=sha1");
	forests[1].fd = make_repository("sha256", "--object-format=sha256");
	for (unsigned long i = 0; i < count && same; i++) {
		struct forest *f = &forests[i % 2];

		/* Every case has a seed of its own, so that it can be had again. */
		random_state = seed * UINT64_C(1000003) + i;
		make_tree(f);
		make_rules(f);
		same = same_answers(f) && (i % 3 || same_listing(f));
		if (!same)
			printf("# this was case %lu\n", i);
	}
	printf("%sok 1 - what git ignores is ignored, on %lu random trees (seed %lu)\n1..1\n",
		same ? "" : "not ", count, seed);
	if (!same)
		printf("# the files are in %s\n", folder);
	else if (chdir("/") < 0 || tree_remove(AT_FDCWD, folder, &err) < 0)
		fprintf(stderr, "%s stays: %s\n", folder, err.message);
	return same ? 0 : 1;
}
