/*
 * Patches (engine/patch.h) against git itself, on random change sets:
 *
 *	patch COUNT SEED
 *
 * For each set of files before and after:
 *	- `git apply` of our patch makes the files after of those before, and
 *	  `git apply -R` the other way round, outside of any repository;
 *	- our own parser and apply do the same, and what is parsed is written again as
 *	  the same text;
 *	- what `git diff --binary` writes, with renames and without, with more and less
 *	  context, is parsed and applied by ours, in both directions.
 *
 * Starting git takes longer than all else, so sets go through it in batches, each set
 * in a folder of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "engine/patch/patch.h"
#include "fs/file.h"
#include "fs/tree.h"
#include "fs/walk.h"
#include "proc/process.h"

#define BATCH      50
#define MAX_FILE   ((size_t)64 * 1024 * 1024)
#define MAX_OUTPUT ((size_t)256 * 1024 * 1024)

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
	fprintf(stderr, "patch: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void require_no_error(int result, const struct error *err)
{
	if (result == 0)
		return;
	printf("# %s\n", err->message);
	exit(1);
}

/* --- trees ---------------------------------------------------------------------- */

struct entry {
	char *path;
	enum patch_kind kind;
	bool executable;
	struct buf content;
};

struct forest {
	struct entry *list;
	size_t count;
	size_t cap;
};

static void entry_release(struct entry *entry)
{
	free(entry->path);
	buf_release(&entry->content);
}

static void forest_release(struct forest *f)
{
	for (size_t i = 0; i < f->count; i++)
		entry_release(&f->list[i]);
	free(f->list);
}

static struct entry *add_entry(struct forest *f, const char *path, enum patch_kind kind,
	bool executable, struct view content)
{
	struct entry *entry;

	GROW(f->list, f->count, f->cap);
	entry = &f->list[f->count++];
	*entry = (struct entry){xstrdup(path), kind, executable, BUF_INIT};
	buf_append(&entry->content, content.data, content.len);
	return entry;
}

static void copy_entries(struct forest *to, const struct forest *from, const char *prefix)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct entry *e = &from->list[i];
		CLEANUP(freep) char *path = xasprintf("%s%s", prefix, e->path);

		add_entry(to, path, e->kind, e->executable, view_of_buf(&e->content));
	}
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

static void sort_entries(struct forest *f)
{
	if (f->count)
		qsort(f->list, f->count, sizeof(*f->list), by_path);
}

static struct entry *find_entry(const struct forest *f, const char *path)
{
	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->list[i].path, path))
			return &f->list[i];
	return NULL;
}

static bool is_above(const char *above, const char *path)
{
	size_t len = strlen(above);

	return !strncmp(above, path, len) && path[len] == '/';
}

/* Whether there can be a file of this path beside the others. */
static bool is_free(const struct forest *f, const char *path)
{
	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->list[i].path, path) || is_above(f->list[i].path, path) ||
			is_above(path, f->list[i].path))
			return false;
	return true;
}

static bool same_entry(const struct entry *a, const struct entry *b)
{
	return !strcmp(a->path, b->path) && a->kind == b->kind &&
	       a->executable == b->executable &&
	       view_equal(view_of_buf(&a->content), view_of_buf(&b->content));
}

static void show(const char *what, const struct entry *e)
{
	CLEANUP(freep) char *path = quote(view_of(e->path));
	CLEANUP(freep) char *content = quote(view_of_buf(&e->content));

	printf("# %s: %s %s%s, %.2000s\n", what, e->kind == PATCH_SYMLINK ? "link" : "file",
		path, e->executable ? ", executable" : "", content);
}

/* Both are sorted here. */
static bool same_forest(struct forest *expected, struct forest *found, const char *what)
{
	size_t i = 0;

	sort_entries(expected);
	sort_entries(found);
	while (i < expected->count && i < found->count &&
		same_entry(&expected->list[i], &found->list[i]))
		i++;
	if (i == expected->count && i == found->count)
		return true;
	printf("# %s: the files differ\n", what);
	if (i < expected->count)
		show("expected", &expected->list[i]);
	if (i < found->count)
		show("found", &found->list[i]);
	return false;
}

/* --- random content --------------------------------------------------------------- */

static void random_line(struct buf *out)
{
	static const char *const lines[] = {"", "", "{", "}", "\treturn;", "a", "b", "c", "a b",
		" x", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "diff --git a/x b/x", "-- ", "-",
		"+", "\\ No newline at end of file", "GIT binary patch", "caf\xe9", "\xff\xfe",
		"\xc3\xa9", "rename from x", "trailing ", "\f", "\x1b[0m"};

	if (one_in(3))
		buf_appendf(out, "line %u", below(1000));
	else
		buf_append_str(out, lines[below(ARRAY_SIZE(lines))]);
	buf_append_str(out, one_in(12) ? "\r\n" : "\n");
}

static void random_text(struct buf *out)
{
	unsigned lines = one_in(40) ? below(3000) : below(one_in(2) ? 6 : 40);

	for (; lines; lines--)
		random_line(out);
	if (one_in(60)) { /* a NUL where git does not look for one */
		buf_append_repeated(out, 'x', 9000);
		buf_append(out, "\0\n", 2);
	}
	if (out->len && one_in(4))
		buf_set_len(out, out->len - 1);
}

static void random_binary(struct buf *out)
{
	unsigned len = 1 + below(one_in(8) ? 60000 : 300);

	buf_append_char(out, '\0');
	if (one_in(2))
		buf_append_repeated(out, 'z', below(5000));
	for (; len; len--)
		buf_append_char(out, (char)below(256));
}

static void random_content(struct buf *out)
{
	if (one_in(8))
		return;
	if (one_in(5))
		random_binary(out);
	else
		random_text(out);
}

/* None has its own name: git cannot put a folder in the place of a link to itself. */
static void random_target(struct buf *out)
{
	static const char *const targets[] = {"x", "../a", "with space", "nowhere/at/all",
		"\xff", "with\nnewline", "ends in newline\n", "/dev/null", "caf\xc3\xa9"};

	buf_append_str(out, targets[below(ARRAY_SIZE(targets))]);
}

/* Change lines here and there. */
static void edit_text(struct buf *text)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view rest = view_of_buf(text), line;
	unsigned rarity = 2 + below(30);
	bool newline = text->len && text->data[text->len - 1] == '\n';

	while (view_next(&rest, '\n', &line)) {
		if (one_in(rarity))
			random_line(&out);
		if (one_in(rarity))
			continue;
		buf_append(&out, line.data, line.len);
		if (rest.len || newline)
			buf_append_char(&out, '\n');
	}
	if (one_in(rarity))
		random_line(&out);
	if (out.len && one_in(10))
		buf_set_len(&out, out.len - 1);
	buf_clear(text);
	buf_append(text, out.data, out.len);
}

static void edit_binary(struct buf *content)
{
	for (unsigned n = 1 + below(4); n; n--)
		content->data[below((unsigned)content->len)] = (char)below(256);
	if (one_in(3))
		buf_append_str(content, "more");
}

static void to_crlf(struct buf *text)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	for (size_t i = 0; i < text->len; i++) {
		if (text->data[i] == '\n')
			buf_append_char(&out, '\r');
		buf_append_char(&out, text->data[i]);
	}
	buf_clear(text);
	buf_append(text, out.data, out.len);
}

static void edit_entry(struct entry *e)
{
	if (e->kind == PATCH_SYMLINK) {
		buf_clear(&e->content);
		random_target(&e->content);
	} else if (one_in(12) || !e->content.len) {
		buf_clear(&e->content);
		random_content(&e->content);
	} else if (memchr(e->content.data, 0, e->content.len)) {
		edit_binary(&e->content);
	} else if (one_in(10)) {
		to_crlf(&e->content);
	} else {
		edit_text(&e->content);
	}
}

/* --- random change sets ----------------------------------------------------------- */

static void random_path(struct buf *out)
{
	static const char *const common[] = {"a", "b", "c", "src", "lib", "x.c", "y.h"};
	static const char *const rare[] = {"a b", "x b", " lead", "trail ", "\"", "q\"q",
		"tab\tx", "new\nline", "\xc3\xa9", "\xff\xfe", "-dash", "--- a", "+++ b",
		"back\\slash", "\x01", "\x7f", "dev", "null", "'", "$x", "*", "{a,b}", ".x",
		"=> y", "b b", "\r", "a\tb c", "\\", "rename from", "~", "a\\tb", "\\303", "#",
		"@@ -1 +1 @@"};
	unsigned depth = 1 + below(3);

	for (unsigned i = 0; i < depth; i++) {
		if (i)
			buf_append_char(out, '/');
		buf_append_str(out, one_in(3) ? rare[below(ARRAY_SIZE(rare))]
					      : common[below(ARRAY_SIZE(common))]);
	}
}

static void add_random(struct forest *f)
{
	CLEANUP(buf_release) struct buf path = BUF_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	bool symlink = one_in(7);

	random_path(&path);
	if (!is_free(f, path.data))
		return;
	if (symlink)
		random_target(&content);
	else
		random_content(&content);
	add_entry(f, path.data, symlink ? PATCH_SYMLINK : PATCH_FILE, !symlink && one_in(4),
		view_of_buf(&content));
}

static void remove_entry(struct forest *f, size_t i)
{
	entry_release(&f->list[i]);
	f->list[i] = f->list[--f->count];
}

static void rename_entry(struct forest *f, size_t i)
{
	CLEANUP(buf_release) struct buf path = BUF_INIT;
	struct entry entry = f->list[i];

	f->list[i] = f->list[--f->count];
	if (one_in(4)) /* the file becomes a folder, or a folder the file */
		buf_appendf(&path, "%s/%s", entry.path, "below");
	else
		random_path(&path);
	if (is_free(f, path.data)) {
		free(entry.path);
		entry.path = buf_take(&path);
	}
	f->list[f->count++] = entry;
}

static void change_kind(struct entry *e)
{
	bool symlink = e->kind == PATCH_FILE;

	e->kind = symlink ? PATCH_SYMLINK : PATCH_FILE;
	e->executable = false;
	buf_clear(&e->content);
	if (symlink)
		random_target(&e->content);
	else
		random_content(&e->content);
}

static void change_one(struct forest *f)
{
	size_t i = f->count ? below((unsigned)f->count) : 0;

	if (!f->count || one_in(5)) {
		add_random(f);
		return;
	}
	switch (below(8)) {
	case 0:
		remove_entry(f, i);
		break;
	case 1:
		rename_entry(f, i);
		break;
	case 2:
		edit_entry(&f->list[i]);
		rename_entry(f, i);
		break;
	case 3:
		f->list[i].executable ^= f->list[i].kind == PATCH_FILE;
		break;
	case 4:
		if (one_in(3))
			change_kind(&f->list[i]);
		break;
	default:
		edit_entry(&f->list[i]);
		break;
	}
}

static void random_set(struct forest *before, struct forest *after)
{
	for (unsigned n = below(10); n; n--)
		add_random(before);
	copy_entries(after, before, "");
	for (unsigned n = 1 + below(8); n; n--)
		change_one(after);
}

/* --- our patch -------------------------------------------------------------------- */

static struct patch_side side_of(const struct entry *e)
{
	if (!e)
		return PATCH_SIDE_ABSENT;
	return (struct patch_side){e->kind, e->executable, view_of_buf(&e->content)};
}

static void add_change(
	struct patch *patch, const char *path, const struct entry *old, const struct entry *new)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath checked = RELPATH_INIT;
	struct patch_side before = side_of(old), after = side_of(new);

	require_no_error(relpath_parse(view_of(path), &checked, &err), &err);
	require_no_error(
		patch_add_change(patch, &checked, &before, &checked, &after, &err), &err);
}

/* Returns whether there is any change. */
static bool make_patch(
	const struct forest *before, const struct forest *after, struct buf *ret_text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	for (size_t i = 0; i < before->count; i++)
		add_change(&patch, before->list[i].path, &before->list[i],
			find_entry(after, before->list[i].path));
	for (size_t i = 0; i < after->count; i++)
		if (!find_entry(before, after->list[i].path))
			add_change(&patch, after->list[i].path, NULL, &after->list[i]);
	if (!one_in(4))
		require_no_error(patch_find_renames(&patch, &err), &err);
	require_no_error(patch_write(&patch, ret_text, &err), &err);
	return patch.count;
}

/* --- our parser and apply ---------------------------------------------------------- */

static const struct patch_end *end_of(
	const struct patch_change *change, enum patch_direction direction, bool before)
{
	return before == (direction == PATCH_FORWARD) ? &change->old : &change->new;
}

static bool apply_one(const struct patch_change *change, enum patch_direction direction,
	const struct forest *from, struct forest *made)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(patch_file_release) struct patch_file file = PATCH_FILE_INIT;
	const char *old_path = end_of(change, direction, true)->path.text;
	const char *new_path = end_of(change, direction, false)->path.text;
	struct patch_side before = side_of(old_path ? find_entry(from, old_path) : NULL);

	if (patch_apply(change, direction, &before, &file, &err) < 0) {
		printf("# %s\n", err.message);
		return false;
	}
	if (new_path)
		add_entry(
			made, new_path, file.kind, file.executable, view_of_buf(&file.content));
	return true;
}

/* Apply all changes to a copy of `from` and compare it with `to`. */
static bool applies(const struct patch *patch, enum patch_direction direction,
	const struct forest *from, struct forest *to, const char *what)
{
	CLEANUP(forest_release) struct forest result = {0};
	CLEANUP(forest_release) struct forest made = {0};

	for (size_t i = 0; i < patch->count; i++)
		if (!apply_one(&patch->changes[i], direction, from, &made))
			return false;
	copy_entries(&result, from, "");
	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_end *end = end_of(&patch->changes[i], direction, true);
		struct entry *gone =
			end->path.text ? find_entry(&result, end->path.text) : NULL;

		if (gone)
			remove_entry(&result, (size_t)(gone - result.list));
	}
	copy_entries(&result, &made, "");
	return same_forest(to, &result, what);
}

static bool parses(struct view text, struct patch *ret_patch)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (patch_parse(text, "test.patch", ret_patch, &err) == 0)
		return true;
	printf("# %s\n", err.message);
	return false;
}

static bool applies_both_ways(
	struct view text, struct forest *before, struct forest *after, const char *what)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;

	return parses(text, &patch) && applies(&patch, PATCH_FORWARD, before, after, what) &&
	       applies(&patch, PATCH_REVERSE, after, before, what);
}

static bool is_written_again(struct view text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(buf_release) struct buf again = BUF_INIT;

	if (!parses(text, &patch))
		return false;
	require_no_error(patch_write(&patch, &again, &err), &err);
	if (view_equal(text, view_of_buf(&again)))
		return true;
	printf("# a parsed patch is written differently\n");
	return false;
}

/* --- files ------------------------------------------------------------------------ */

static void make_folders(int dirfd, const char *path)
{
	CLEANUP(freep) char *above = xstrdup(path);

	for (char *slash = strchr(above, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		require(mkdirat(dirfd, above, 0777) == 0 || errno == EEXIST, above);
		*slash = '/';
	}
}

static void write_forest(int dirfd, const struct forest *f)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct entry *e = &f->list[i];
		CLEANUP(closep) int fd = -1;

		make_folders(dirfd, e->path);
		if (e->kind == PATCH_SYMLINK) {
			require(symlinkat(e->content.data, dirfd, e->path) == 0, e->path);
			continue;
		}
		fd = openat(dirfd, e->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			e->executable ? 0777 : 0666);
		require(fd >= 0 && write(fd, e->content.data, e->content.len) ==
					   (ssize_t)e->content.len,
			e->path);
	}
}

static enum walk_result read_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(closep) int fd = -1;
	char target[4096];

	if (entry->kind == WALK_SYMLINK) {
		ssize_t len = readlinkat(entry->dirfd, entry->name, target, sizeof(target));

		require(len >= 0, entry->path);
		buf_append(&content, target, (size_t)len);
		add_entry(data, entry->path, PATCH_SYMLINK, false, view_of_buf(&content));
	} else if (entry->kind == WALK_FILE) {
		fd = openat(entry->dirfd, entry->name, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || file_read_fd(fd, entry->path, MAX_FILE, &content, err) < 0)
			return WALK_FAIL;
		add_entry(data, entry->path, PATCH_FILE, entry->stat.st_mode & S_IXUSR,
			view_of_buf(&content));
	}
	return WALK_GO_ON;
}

static bool files_are(int dirfd, struct forest *expected, bool with_kinds, const char *what)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(forest_release) struct forest found = {0};

	require_no_error(walk(dirfd, read_entry, &found, &err), &err);
	sort_entries(expected);
	sort_entries(&found);
	for (size_t i = 0; !with_kinds && i < found.count && i < expected->count; i++) {
		found.list[i].kind = expected->list[i].kind;
		found.list[i].executable = expected->list[i].executable;
	}
	return same_forest(expected, &found, what);
}

/* --- git -------------------------------------------------------------------------- */

static bool run_git(
	const char *folder, const char *const *argv, struct view input, struct buf *ret_output)
{
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;

	request.argv = argv;
	request.env =
		(const char *const[]){"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
			"HOME=/nowhere", "XDG_CONFIG_HOME=/nowhere", "LC_ALL=C", NULL};
	request.cwd = folder;
	request.input = input;
	request.output = (struct process_stream){PROCESS_CAPTURE, MAX_OUTPUT};
	request.errors = (struct process_stream){PROCESS_CAPTURE, MAX_OUTPUT};
	request.timeout_ms = 120 * 1000;
	if (process_run(&request, &result, &err) < 0 || result.exit_code) {
		printf("# git %s: %s%s\n", argv[1], err.message ? err.message : "",
			result.errors.data);
		return false;
	}
	buf_append(ret_output, result.output.data, result.output.len);
	return true;
}

static const char *const apply_reverse[] = {
	"git", "apply", "--whitespace=nowarn", "-R", "-", NULL};

/* git 2.47 does not: it brings a deleted file or link back as a plain file. */
static bool git_restores_kinds(int dirfd, const char *folder)
{
	static const char text[] = "diff --git a/probe b/probe\n"
				   "deleted file mode 100755\n"
				   "index e69de29..0000000\n";
	CLEANUP(buf_release) struct buf output = BUF_INIT;
	bool restored = run_git(folder, apply_reverse, view_of(text), &output) &&
			faccessat(dirfd, "probe", X_OK, 0) == 0;

	require(unlinkat(dirfd, "probe", 0) == 0, "probe");
	return restored;
}

static bool git_applies(
	struct view text, struct forest *before, struct forest *after, const char *folder)
{
	static const char *const forward[] = {"git", "apply", "--whitespace=nowarn", "-", NULL};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf output = BUF_INIT;
	CLEANUP(closep) int fd = -1;
	bool with_kinds;

	require_no_error(tree_remove(AT_FDCWD, folder, &err), &err);
	require(mkdir(folder, 0777) == 0, folder);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	with_kinds = git_restores_kinds(fd, folder);
	write_forest(fd, before);
	return run_git(folder, forward, text, &output) &&
	       files_are(fd, after, true, "git apply") &&
	       run_git(folder, apply_reverse, text, &output) &&
	       files_are(fd, before, with_kinds, "git apply -R");
}

static void append_commit(struct buf *out, const struct forest *f, const char *branch)
{
	buf_appendf(out,
		"commit refs/heads/%s\ncommitter a <a@example.org> 0 +0000\ndata 0\ndeleteall\n",
		branch);
	for (size_t i = 0; i < f->count; i++) {
		const struct entry *e = &f->list[i];

		buf_appendf(out, "M %s inline \"",
			e->kind == PATCH_SYMLINK ? "120000"
			: e->executable          ? "100755"
						 : "100644");
		for (const char *c = e->path; *c; c++)
			buf_appendf(out, "\\%03o", (unsigned)(unsigned char)*c);
		buf_appendf(out, "\"\ndata %zu\n", e->content.len);
		buf_append(out, e->content.data, e->content.len);
		buf_append_char(out, '\n');
	}
}

/* Git's patch for the same change, in one of its formats. */
static bool git_diff(
	const struct forest *before, const struct forest *after, struct buf *ret_text)
{
	static const char *const import[] = {"git", "fast-import", "--quiet", "--force", NULL};
	static const char *const ways[] = {"-M", "-M", "--no-renames", "-M20%", "--full-index",
		"-U0", "-U1", "-U20", "--patience", "--no-indent-heuristic"};
	const char *diff[] = {"git", "-c",
		one_in(3) ? "core.quotePath=false" : "core.quotePath=true", "diff", "--binary",
		ways[below(ARRAY_SIZE(ways))], "before", "after", "--", NULL};
	CLEANUP(buf_release) struct buf input = BUF_INIT;
	CLEANUP(buf_release) struct buf output = BUF_INIT;

	append_commit(&input, before, "before");
	append_commit(&input, after, "after");
	return run_git("repository", import, view_of_buf(&input), &output) &&
	       run_git("repository", diff, view_of(""), ret_text);
}

/* For the person who investigates a failure. */
static void keep(const char *name, const struct buf *text)
{
	CLEANUP(closep) int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	require(fd >= 0 && write(fd, text->data, text->len) == (ssize_t)text->len, name);
}

/* --- batches ---------------------------------------------------------------------- */

struct batch {
	struct forest before;
	struct forest after;
	struct buf text; /* all our patches, one after the other */
	bool changed;
};

#define BATCH_INIT ((struct batch){.text = BUF_INIT})

static void batch_release(struct batch *batch)
{
	forest_release(&batch->before);
	forest_release(&batch->after);
	buf_release(&batch->text);
}

static bool add_set(struct batch *batch, unsigned number)
{
	CLEANUP(forest_release) struct forest plain_before = {0};
	CLEANUP(forest_release) struct forest plain_after = {0};
	CLEANUP(forest_release) struct forest before = {0};
	CLEANUP(forest_release) struct forest after = {0};
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *prefix = xasprintf("%u/", number);

	random_set(&plain_before, &plain_after);
	copy_entries(&before, &plain_before, prefix);
	copy_entries(&after, &plain_after, prefix);
	copy_entries(&batch->before, &before, "");
	copy_entries(&batch->after, &after, "");
	if (!make_patch(&before, &after, &text))
		return true;
	batch->changed = true;
	buf_append(&batch->text, text.data, text.len);
	return applies_both_ways(view_of_buf(&text), &before, &after, "our patch") &&
	       is_written_again(view_of_buf(&text));
}

static bool check_batch(struct batch *batch)
{
	CLEANUP(buf_release) struct buf theirs = BUF_INIT;

	if (!batch->changed)
		return true;
	keep("ours.patch", &batch->text);
	if (!git_applies(view_of_buf(&batch->text), &batch->before, &batch->after, "files") ||
		!git_diff(&batch->before, &batch->after, &theirs))
		return false;
	keep("git.patch", &theirs);
	return applies_both_ways(
		view_of_buf(&theirs), &batch->before, &batch->after, "git's patch");
}

static bool run_batch(unsigned long seed, unsigned long first, unsigned long count)
{
	CLEANUP(batch_release) struct batch batch = BATCH_INIT;

	for (unsigned long i = 0; i < count; i++) {
		/* Every set has a seed of its own, so that it can be had again. */
		random_state = seed * UINT64_C(1000003) + first + i;
		if (!add_set(&batch, (unsigned)i)) {
			printf("# this was set %lu\n", first + i);
			return false;
		}
	}
	return check_batch(&batch);
}

int main(int argc, char **argv)
{
	const char *temporary = getenv("TMPDIR");
	static const char *const init[] = {"git", "init", "-q", "repository", NULL};
	CLEANUP(freep)
	char *folder = xasprintf(
		"%s/nanoclaw-patch-XXXXXX", temporary && *temporary ? temporary : "/tmp");
	unsigned long count = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned long seed = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf output = BUF_INIT;
	bool same = true;

	if (!count) {
		fprintf(stderr, "usage: patch COUNT SEED\n");
		return 2;
	}
	require(mkdtemp(folder) && chdir(folder) == 0, folder);
	/* Git must not find a repository above this folder. */
	setenv("GIT_CEILING_DIRECTORIES", folder, 1);
	unsetenv("GIT_DIR");
	same = run_git(".", init, view_of(""), &output);
	for (unsigned long i = 0; i < count && same; i += BATCH) {
		same = run_batch(seed, i, count - i < BATCH ? count - i : BATCH);
		if (!same)
			printf("# this was in the batch from %lu on\n", i);
	}
	printf("%sok 1 - patches are git's, on %lu random change sets (seed %lu)\n1..1\n",
		same ? "" : "not ", count, seed);
	if (!same)
		printf("# the files are in %s\n", folder);
	else if (chdir("/") < 0 || tree_remove(AT_FDCWD, folder, &err) < 0)
		fprintf(stderr, "%s stays: %s\n", folder, err.message);
	return same ? 0 : 1;
}
