/*
 * Our rerere against `git rerere`, on random conflicts from real merges.
 *
 *	rerere COUNT SEED
 *
 * Conflicts come in batches, one repository each. For every file in conflict: the
 * id and the preimage are git's. Then all are resolved, and recorded by git in one
 * batch and by us in the next; and the same conflicts, in files that have other
 * lines at both ends now, are resolved by what was recorded, with the same bytes by
 * git and by us.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/resolution/rr_cache.h"
#include "engine/text/lines.h"
#include "engine/text/merge.h"
#include "engine/text/rerere_hunk.h"
#include "fs/file.h"
#include "fs/tree.h"
#include "proc/process.h"

#define FILES      100
#define MAX_OUTPUT ((size_t)64 * 1024 * 1024)

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

static void fail(const char *what)
{
	printf("# %s\n", what);
	printf("not ok 1 - rerere is git's\n1..1\n");
	exit(1);
}

/* --- how git makes its conflicts ------------------------------------------------ */

struct mode {
	const char *name;
	const char *merge;       /* the command that leaves conflicts */
	enum rerere_shape shape; /* in which we can have it from three contents */
	size_t marker_size;
};

static const struct mode modes[] = {
	{"recursive", "merge -s recursive", RERERE_MERGE, 0},
	{"merge-file", "merge -s recursive", RERERE_MERGE_FILE, 0},
	{"default", "merge", RERERE_SHAPES, 0},
	{"diff3", "-c merge.conflictStyle=diff3 merge", RERERE_SHAPES, 0},
	{"zdiff3", "-c merge.conflictStyle=zdiff3 merge", RERERE_SHAPES, 0},
	{"size 10", "merge", RERERE_SHAPES, 10},
};

/* --- files ---------------------------------------------------------------------- */

enum { OURS, BASE, THEIRS };

struct text {
	const char *lines[64];
	size_t count;
};

static const char *random_line(bool markers)
{
	static const char *const plain[] = {"", "}", "{", "\t", "*/", "a", "b", "c", "d", "e",
		"return 0;", "if (x) {", "} else {", "gr\xfc\xdf", "#include <a.h>", "f();"};
	static const char *const special[] = {"<<<<<<< ours", "=======", ">>>>>>> theirs",
		"||||||| base", "<<<<<<<", ">>>>>>>", "<<<<<<< a", ">>>>>>> b"};

	if (markers && one_in(6))
		return special[below(ARRAY_SIZE(special))];
	return plain[below(ARRAY_SIZE(plain))];
}

static void change(struct text *text, size_t at, bool markers)
{
	size_t added = below(3);

	if (at >= text->count || text->count + added > ARRAY_SIZE(text->lines))
		return;
	memmove(&text->lines[at + added], &text->lines[at + 1],
		(text->count - at - 1) * sizeof(text->lines[0]));
	text->count = text->count - 1 + added;
	for (size_t i = 0; i < added; i++)
		text->lines[at + i] = random_line(markers);
}

/* A conflict that is whole in both sides: git treats the inner one as nested. */
static void add_nested(struct text *text)
{
	static const char *const nested[] = {"<<<<<<< x", "p", "=======", "o", ">>>>>>> y"};

	for (size_t i = 0; i < ARRAY_SIZE(nested); i++)
		if (text->count < ARRAY_SIZE(text->lines))
			text->lines[text->count++] = nested[i];
}

static void render(const struct text *text, bool crlf, bool no_newline, struct buf *out)
{
	for (size_t i = 0; i < text->count; i++) {
		buf_append_str(out, text->lines[i]);
		if (!no_newline || i + 1 < text->count)
			buf_append_str(out, crlf ? "\r\n" : "\n");
	}
}

static void random_triple(struct buf triple[3])
{
	struct text texts[3] = {0};
	bool markers = one_in(10), crlf = one_in(4), nested = one_in(8);

	for (size_t n = 4 + below(24); n; n--)
		texts[BASE].lines[texts[BASE].count++] = random_line(false);
	texts[OURS] = texts[THEIRS] = texts[BASE];
	for (unsigned n = 1 + below(3); n; n--) {
		size_t at = below((unsigned)texts[BASE].count);

		change(&texts[OURS], at, markers);
		change(&texts[THEIRS], at, markers);
	}
	if (nested) {
		add_nested(&texts[below(2) ? OURS : THEIRS]);
		texts[OURS].lines[0] = "nested ours";
		texts[THEIRS].lines[texts[THEIRS].count - 1] = "nested theirs";
	}
	for (int i = 0; i < 3; i++)
		render(&texts[i], crlf, one_in(5), &triple[i]);
}

/* --- a batch -------------------------------------------------------------------- */

struct entry {
	char name[8];
	struct buf first[3];  /* ours, base, theirs */
	struct buf second[3]; /* the same with other lines at both ends */
	struct buf conflict;  /* with markers, as git wrote them */
	struct buf resolved;
	char id[80]; /* with its variant; empty: git does not know it */
};

struct batch {
	const struct mode *mode;
	struct entry entries[FILES];
	bool by_us; /* who records */
};

static struct {
	unsigned long conflicts, by_git, by_us, replayed, refused, unusable, variants;
	unsigned long default_merge, default_same;
} counts;

static void run(const char *script, const char *merge)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;

	request.argv = (const char *const[]){"sh", "-c", script, "sh", NULL};
	setenv("MERGE", merge, 1);
	request.cwd = "repo";
	request.output = (struct process_stream){PROCESS_CAPTURE, MAX_OUTPUT};
	request.errors = (struct process_stream){PROCESS_CAPTURE, MAX_OUTPUT};
	request.timeout_ms = 120 * 1000;
	if (process_run(&request, &result, &err) < 0)
		fail(err.message);
	if (result.exit_code) {
		fprintf(stderr, "%s\n%s\n", script, result.errors.data);
		fail("a command failed");
	}
}

static void write_file(const char *name, const struct buf *content)
{
	CLEANUP(freep) char *path = xasprintf("repo/%s", name);
	FILE *file = fopen(path, "w");

	if (!file || fwrite(content->data, 1, content->len, file) != content->len ||
		fclose(file))
		fail("cannot write");
}

static void read_file(const char *name, struct buf *content)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("repo/%s", name);

	if (file_read(path, MAX_OUTPUT, content, &err) < 0)
		fail(err.message);
}

static void commit_side(struct batch *batch, bool second, int side, const char *script)
{
	for (size_t i = 0; i < FILES; i++) {
		struct entry *entry = &batch->entries[i];

		write_file(entry->name, second ? &entry->second[side] : &entry->first[side]);
	}
	run(script, "");
}

static void make_repository(struct batch *batch)
{
	if (mkdir("repo", 0777) < 0)
		fail("cannot create a folder");
	run("git init -q . && git config rerere.enabled true && git config gc.auto 0 &&"
	    " git config core.autocrlf false && git config core.fsync none",
		"");
	if (batch->mode->marker_size)
		run("echo '* conflict-marker-size=10' >.gitattributes", "");
	commit_side(batch, false, BASE, "git add -A && git commit -qm b && git tag b1");
	commit_side(batch, false, OURS, "git commit -qam o --allow-empty && git tag o1");
	run("git checkout -q b1", "");
	commit_side(batch, false, THEIRS, "git commit -qam t --allow-empty && git tag t1");
	run("git checkout -q b1", "");
	commit_side(batch, true, BASE, "git commit -qam b && git tag b2");
	commit_side(batch, true, OURS, "git commit -qam o && git tag o2");
	run("git checkout -q b2", "");
	commit_side(batch, true, THEIRS, "git commit -qam t && git tag t2");
}

/* The result of a merge, before rerere processes it. */
static void merge_side(struct batch *batch, const char *number)
{
	CLEANUP(freep)
	char *script = xasprintf("git checkout -q o%s && { git -c rerere.enabled=false $MERGE"
				 " t%s || test $? = 1; }",
		number, number);

	run(script, batch->mode->merge);
	for (size_t i = 0; i < FILES; i++) {
		struct entry *entry = &batch->entries[i];
		struct buf *sides = *number == '1' ? entry->first : entry->second;
		struct merge_input in[3] = {{view_of_buf(&sides[OURS]), "ours"},
			{view_of_buf(&sides[BASE]), "base"},
			{view_of_buf(&sides[THEIRS]), "t"}};
		CLEANUP(merge_result_release) struct merge_result result = {0};
		CLEANUP(error_release) struct error err = ERROR_INIT;

		if (batch->mode->shape == RERERE_MERGE_FILE) {
			if (merge_contents(&in[OURS], &in[BASE], &in[THEIRS],
				    &(struct merge_options){0}, &result, &err) < 0)
				fail(err.message);
			write_file(entry->name, &result.content);
		}
		read_file(entry->name, &entry->conflict);
	}
}

/* Which ids git gave to which files. */
static void read_ids(struct batch *batch)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest, item;

	read_file(".git/MERGE_RR", &text);
	rest = view_of_buf(&text);
	for (size_t i = 0; i < FILES; i++)
		batch->entries[i].id[0] = '\0';
	while (view_next(&rest, '\0', &item)) {
		struct view id;
		size_t number;

		view_next(&item, '\t', &id);
		number = strtoul(item.data + 1, NULL, 10);
		snprintf(batch->entries[number].id, sizeof(batch->entries[number].id), "%.*s",
			VIEW_ARGS(id));
	}
}

/* The conflict from its three contents, or from its markers where git's shape is not ours. */
static bool parse(const struct batch *batch, struct entry *entry, struct buf *sides,
	struct rerere_text *ret_text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct rerere_sides three = {view_of_buf(&sides[OURS]), view_of_buf(&sides[BASE]),
		view_of_buf(&sides[THEIRS])};
	bool usable;

	if (batch->mode->shape == RERERE_SHAPES)
		return rerere_parse(view_of_buf(&entry->conflict), batch->mode->marker_size,
			       ret_text) &&
		       ret_text->count;
	if (rerere_conflict(&three, batch->mode->shape, ret_text, &usable, &err) < 0)
		fail(err.message);
	return usable;
}

/* A marker of the merge is content in git's view: we keep away from those. */
static bool shows_label(const struct entry *entry)
{
	CLEANUP(rerere_text_release) struct rerere_text text = RERERE_TEXT_INIT;

	return rerere_parse(view_of_buf(&entry->conflict), 0, &text) &&
	       (strstr(text.normalized.data, "<<<<<<< HEAD") ||
		       strstr(text.normalized.data, "<<<<<<< ours") ||
		       strstr(text.normalized.data, ">>>>>>> t"));
}

static void compare(struct batch *batch, struct entry *entry)
{
	CLEANUP(rerere_text_release) struct rerere_text text = RERERE_TEXT_INIT;
	CLEANUP(buf_release) struct buf preimage = BUF_INIT;
	CLEANUP(freep) char *path = NULL;
	bool usable = parse(batch, entry, entry->first, &text);
	const char *dot = strchr(entry->id, '.');
	struct rerere_id id;

	if (!entry->id[0]) {
		/* With markers in clean files, only three contents can tell. */
		if (usable && batch->mode->shape != RERERE_SHAPES)
			fail("git does not know a conflict that we know");
		counts.unusable++;
		return;
	}
	if (!usable) {
		if (!shows_label(entry))
			fail("we do not know a conflict that git knows");
		entry->id[0] = '\0';
		counts.unusable++;
		return;
	}
	id = rerere_id(&text, RERERE_SHA1);
	if (strncmp(id.hex, entry->id, 40) != 0)
		fail("an id differs");
	path = xasprintf(".git/rr-cache/%s/preimage%s", id.hex, dot ? dot : "");
	read_file(path, &preimage);
	if (!view_equal(view_of_buf(&preimage), view_of_buf(&text.normalized))) {
		printf("# %s\n", entry->name);
		fail("a preimage differs");
	}
	counts.conflicts++;
	counts.variants += dot != NULL;
}

/* How often a default merge has the id that three contents give us. */
static void count_default(struct entry *entry)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct rerere_sides sides = {view_of_buf(&entry->first[OURS]),
		view_of_buf(&entry->first[BASE]), view_of_buf(&entry->first[THEIRS])};
	bool same = false;

	if (!entry->id[0])
		return;
	for (int shape = 0; shape < RERERE_SHAPES; shape++) {
		CLEANUP(rerere_text_release) struct rerere_text text = RERERE_TEXT_INIT;
		bool usable;

		if (rerere_conflict(&sides, (enum rerere_shape)shape, &text, &usable, &err) < 0)
			fail(err.message);
		if (usable) {
			struct rerere_id id = rerere_id(&text, RERERE_SHA1);

			same |= !strncmp(id.hex, entry->id, 40);
		}
	}
	counts.default_merge++;
	counts.default_same += same;
}

/* One of the sides, both or none for each hunk; sometimes another line is changed, too. */
static void resolve(const struct batch *batch, struct entry *entry)
{
	CLEANUP(rerere_text_release) struct rerere_text text = RERERE_TEXT_INIT;
	CLEANUP(freep) struct view *resolutions = NULL;
	struct view conflict = view_of_buf(&entry->conflict);
	size_t left;

	if (!rerere_parse(conflict, batch->mode->marker_size, &text))
		return;
	resolutions = xcalloc(text.count + 1, sizeof(*resolutions));
	for (size_t i = 0; i < text.count; i++) {
		const struct rerere_hunk *hunk = &text.hunks[i];

		resolutions[i] = one_in(3)   ? view_of_buf(&hunk->one)
				 : one_in(2) ? view_of_buf(&hunk->two)
				 : one_in(2) ? view_of("both of them\nin one\n")
					     : view_of("");
	}
	rerere_hunk_resolve(&text, conflict, resolutions, &entry->resolved, &left);
	if (one_in(5))
		buf_append_str(&entry->resolved, "edited\n");
}

static void record(struct batch *batch)
{
	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int root = open("repo", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (!batch->by_us) {
		for (size_t i = 0; i < FILES; i++)
			if (batch->entries[i].id[0])
				write_file(batch->entries[i].name, &batch->entries[i].resolved);
		run("git rerere && git reset -q --hard", "");
		return;
	}
	/* Without rr-cache: to make it is our part. */
	run("git reset -q --hard && rm -rf .git/rr-cache", "");
	rr_cache_open(root, &cache);
	for (size_t i = 0; i < FILES; i++) {
		struct entry *entry = &batch->entries[i];
		CLEANUP(rerere_text_release) struct rerere_text text = RERERE_TEXT_INIT;
		CLEANUP(rr_writes_release) struct rr_writes writes = RR_WRITES_INIT;

		if (!entry->id[0] || !parse(batch, entry, entry->first, &text))
			continue;
		if (rr_cache_record(
			    &cache, &text, view_of_buf(&entry->resolved), &writes, &err) < 0 ||
			rr_cache_write(&cache, &writes, &err) < 0)
			fail(err.message);
	}
}

/* Our result for each file, before git changes the store. */
static void replay(struct batch *batch)
{
	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int root = open("repo", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	merge_side(batch, "2");
	rr_cache_open(root, &cache);
	if (!cache.in_git)
		fail("git's rr-cache is not used");
	for (size_t i = 0; i < FILES; i++) {
		struct entry *entry = &batch->entries[i];
		CLEANUP(rerere_text_release) struct rerere_text text = RERERE_TEXT_INIT;
		bool found = false;

		if (!entry->id[0] || !parse(batch, entry, entry->second, &text))
			continue;
		if (rr_cache_replay(&cache, &text, &entry->resolved, &found, &err) < 0)
			fail(err.message);
		if (!found)
			buf_clear(&entry->resolved);
		snprintf(entry->id, sizeof(entry->id), "%s", found ? "found" : "asked");
	}
	run("git rerere", "");
}

static void compare_replayed(struct batch *batch)
{
	for (size_t i = 0; i < FILES; i++) {
		struct entry *entry = &batch->entries[i];
		CLEANUP(buf_release) struct buf result = BUF_INIT;
		bool resolved;

		if (strcmp(entry->id, "found") != 0 && strcmp(entry->id, "asked") != 0)
			continue;
		read_file(entry->name, &result);
		resolved = !view_equal(view_of_buf(&result), view_of_buf(&entry->conflict));
		if (!strcmp(entry->id, "asked")) {
			if (resolved && !lines_count_markers(view_of_buf(&result)))
				fail("git replays a resolution, and we do not");
			counts.refused++;
			continue;
		}
		if (!resolved)
			fail("we replay a resolution, and git does not");
		if (!view_equal(view_of_buf(&result), view_of_buf(&entry->resolved)))
			fail("a replayed content differs");
		counts.replayed++;
		counts.by_us += batch->by_us;
		counts.by_git += !batch->by_us;
	}
}

static void make_entries(struct batch *batch)
{
	for (size_t i = 0; i < FILES; i++) {
		struct entry *entry = &batch->entries[i];

		snprintf(entry->name, sizeof(entry->name), "f%03u", (unsigned)i % 1000);
		entry->conflict = entry->resolved = BUF_INIT;
		for (int s = 0; s < 3; s++)
			entry->first[s] = entry->second[s] = BUF_INIT;
		random_triple(entry->first);
		for (int s = 0; s < 3; s++) {
			const struct buf *first = &entry->first[s];

			buf_append_str(&entry->second[s], "another\nbeginning\n");
			buf_append(&entry->second[s], first->data, first->len);
			if (first->len && first->data[first->len - 1] == '\n')
				buf_append_str(&entry->second[s], "and\nanother end\n");
		}
	}
}

static void release_entries(struct batch *batch)
{
	for (size_t i = 0; i < FILES; i++) {
		struct entry *entry = &batch->entries[i];

		for (int s = 0; s < 3; s++) {
			buf_release(&entry->first[s]);
			buf_release(&entry->second[s]);
		}
		buf_release(&entry->conflict);
		buf_release(&entry->resolved);
	}
}

static void do_batch(struct batch *batch)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	make_entries(batch);
	make_repository(batch);
	merge_side(batch, "1");
	run("git rerere", "");
	read_ids(batch);
	for (size_t i = 0; i < FILES; i++) {
		compare(batch, &batch->entries[i]);
		if (!strcmp(batch->mode->name, "default"))
			count_default(&batch->entries[i]);
		resolve(batch, &batch->entries[i]);
	}
	record(batch);
	replay(batch);
	compare_replayed(batch);
	release_entries(batch);
	if (tree_remove(AT_FDCWD, "repo", &err) < 0)
		fail(err.message);
}

static void set_environment(const char *folder)
{
	static const char *const names[] = {"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL",
		"GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		setenv(names[i], "a@example.org", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("HOME", folder, 1);
	unsetenv("XDG_CONFIG_HOME");
}

int main(int argc, char **argv)
{
	static struct batch batch;
	const char *temporary = getenv("TMPDIR");
	CLEANUP(freep)
	char *folder = xasprintf("%s/nanoclaw-differential-XXXXXX",
		temporary && *temporary ? temporary : "/tmp");
	CLEANUP(error_release) struct error err = ERROR_INIT;
	unsigned long count, seed;

	if (argc != 3) {
		fprintf(stderr, "usage: rerere COUNT SEED\n");
		return 2;
	}
	count = strtoul(argv[1], NULL, 10);
	seed = strtoul(argv[2], NULL, 10);
	if (!mkdtemp(folder) || chdir(folder) < 0) {
		perror(folder);
		return 1;
	}
	set_environment(folder);
	for (unsigned n = 0; counts.conflicts < count; n++) {
		/* Every batch has a seed of its own, so that it can be had again. */
		random_state = seed * UINT64_C(1000003) + n;
		batch.mode = &modes[n % ARRAY_SIZE(modes)];
		batch.by_us = (n + n / ARRAY_SIZE(modes)) % 2;
		printf("# batch %u: %s, recorded by %s, in %s\n", n, batch.mode->name,
			batch.by_us ? "us" : "git", folder);
		fflush(stdout);
		do_batch(&batch);
	}
	printf("# %lu replayed, %lu recorded by git and %lu by us; %lu not, by both\n",
		counts.replayed, counts.by_git, counts.by_us, counts.refused);
	printf("# %lu were variants; %lu files were clean or not usable\n", counts.variants,
		counts.unusable);
	printf("# of %lu conflicts of a default merge, %lu have an id that we give\n",
		counts.default_merge, counts.default_same);
	printf("ok 1 - ids, preimages and replay are git's in %lu conflicts (seed %lu)\n1..1\n",
		counts.conflicts, seed);
	if (chdir("/") < 0 || tree_remove(AT_FDCWD, folder, &err) < 0)
		fprintf(stderr, "%s stays: %s\n", folder, err.message);
	return 0;
}
