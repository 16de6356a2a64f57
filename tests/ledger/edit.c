#include "edit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "random.h"
#include "text.h"

static void require(struct world *w, bool holds, const char *what)
{
	if (!holds)
		world_fail(w, "the test cannot change '%s': %s", what, strerror(errno));
}

static char *full_path(const struct world *w, const char *path)
{
	return xasprintf("%s/%s", w->workspace.tree, path);
}

static void make_parents(struct world *w, const char *path)
{
	CLEANUP(freep) char *full = full_path(w, path);
	char *start = full + strlen(w->workspace.tree) + 1;

	for (char *slash = strchr(start, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		require(w, mkdir(full, 0755) == 0 || errno == EEXIST, full);
		*slash = '/';
	}
}

static bool is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Write it as a new file, or over the old one: editors do both. */
static void write_file(struct world *w, const char *path, struct view content, mode_t mode)
{
	CLEANUP(freep) char *full = full_path(w, path);
	CLEANUP(closep) int fd = -1;

	make_parents(w, path);
	if ((one_in(2) || is_link(full)) && unlink(full) < 0)
		require(w, errno == ENOENT, path);
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	require(w,
		fd >= 0 && write(fd, content.data, content.len) == (ssize_t)content.len &&
			fchmod(fd, mode) == 0,
		path);
}

static char *new_token(struct world *w)
{
	return xasprintf("<user:%u>", ++w->next_token);
}

/* --- lines --------------------------------------------------------------------------- */

static void insert_lines(struct world *w, struct text *text)
{
	size_t at = below((unsigned)text->count + 1);

	for (unsigned n = 1 + below(3); n; n--) {
		CLEANUP(freep) char *token = new_token(w);

		text_insert(text, at, token);
	}
}

static void change_line(struct world *w, struct text *text)
{
	CLEANUP(freep) char *token = new_token(w);
	size_t at = below((unsigned)text->count);

	if (one_in(2)) {
		text_extend(text, at, token);
		return;
	}
	text_insert(text, at, token);
	text_delete(text, at + 1);
}

static void delete_lines(struct text *text)
{
	for (unsigned n = 1 + below(3); n && text->count; n--)
		text_delete(text, below((unsigned)text->count));
}

static void edit_text(struct world *w, const struct tree_entry *entry)
{
	CLEANUP(text_release) struct text text = TEXT_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	unsigned what;

	text_split(&text, entry_view(entry));
	what = text.count ? below(16) : 0;
	if (what < 6)
		insert_lines(w, &text);
	else if (what < 10)
		change_line(w, &text);
	else if (what < 12)
		delete_lines(&text);
	else if (what < 14)
		text_move(&text);
	else if (what == 14)
		text_toggle_last_newline(&text);
	else if (one_in(2))
		text_toggle_crlf(&text);
	text_join(&text, &content);
	world_log(w, "edit %s (%u)", entry->path, what);
	write_file(w, entry->path, view_of_buf(&content), entry->mode);
}

static void edit_binary(struct world *w, const struct tree_entry *entry)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(freep) char *token = new_token(w);

	buf_append(&content, entry->data, entry->len);
	buf_appendf(&content, "%s%c", token, one_in(2) ? '\0' : '\n');
	world_log(w, "edit binary %s", entry->path);
	write_file(w, entry->path, view_of_buf(&content), entry->mode);
}

/* --- files --------------------------------------------------------------------------- */

static void delete_file(struct world *w, const struct tree_entry *entry)
{
	CLEANUP(freep) char *full = full_path(w, entry->path);

	world_log(w, "rm %s", entry->path);
	require(w, unlink(full) == 0, entry->path);
}

static void rename_file(struct world *w, const struct tree_entry *entry)
{
	CLEANUP(freep) char *name = xasprintf("moved/%u", ++w->next_token);
	CLEANUP(freep) char *from = full_path(w, entry->path);
	CLEANUP(freep) char *to = full_path(w, name);

	world_log(w, "mv %s %s", entry->path, name);
	make_parents(w, name);
	require(w, rename(from, to) == 0, entry->path);
}

static void toggle_executable(struct world *w, const struct tree_entry *entry)
{
	CLEANUP(freep) char *full = full_path(w, entry->path);

	world_log(w, "chmod %s", entry->path);
	require(w, chmod(full, entry->mode ^ 0111) == 0, entry->path);
}

static void replace_by_link(struct world *w, const struct tree_entry *entry)
{
	CLEANUP(freep) char *full = full_path(w, entry->path);

	world_log(w, "ln -s %s", entry->path);
	require(w, unlink(full) == 0 && symlink("nowhere", full) == 0, entry->path);
}

static void make_file(struct world *w, const char *path)
{
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	if (one_in(4))
		buf_append(&content, "\0", 1);
	for (unsigned n = 1 + below(6); n; n--) {
		CLEANUP(freep) char *token = new_token(w);

		buf_appendf(&content, "%s\n", token);
	}
	world_log(w, "new %s", path);
	write_file(w, path, view_of_buf(&content), one_in(5) ? 0755 : 0644);
}

/* A new file, now and then where a skill will want to add one. */
static void make_some_file(struct world *w)
{
	const struct skill *skill = &w->skills[below(SKILLS)];
	CLEANUP(freep) char *path = xasprintf("mine/%u.txt", ++w->next_token);

	if (one_in(3) && skill->files.count) {
		const char *wanted =
			skill->files.entries[below((unsigned)skill->files.count)].path;

		if (!strncmp(wanted, "add/new/", 8) && !tree_find(&w->now, wanted + 4)) {
			make_file(w, wanted + 4);
			return;
		}
	}
	make_file(w, path);
}

static void edit_entry(struct world *w, const struct tree_entry *entry)
{
	switch (below(30)) {
	case 0:
		delete_file(w, entry);
		break;
	case 1:
		rename_file(w, entry);
		break;
	case 2:
		toggle_executable(w, entry);
		break;
	case 3:
		if (one_in(3))
			replace_by_link(w, entry);
		break;
	default:
		if (is_binary(entry_view(entry)))
			edit_binary(w, entry);
		else
			edit_text(w, entry);
		break;
	}
}

/* Where the history begins, which grows, and of which nothing is picked; and its length. */
static size_t find_history(const struct tree *tree, size_t *ret_len)
{
	size_t first = 0, end;

	while (first < tree->count &&
		!path_matches(".nanoclaw/history", tree->entries[first].path))
		first++;
	for (end = first;
		end < tree->count && path_matches(".nanoclaw/history", tree->entries[end].path);
		end++)
		;
	*ret_len = end - first;
	return first;
}

static const struct tree_entry *pick_entry(const struct world *w)
{
	size_t len, history = find_history(&w->now, &len);

	for (unsigned tries = 100; tries; tries--) {
		size_t i = below((unsigned)(w->now.count - len));
		const struct tree_entry *entry = &w->now.entries[i < history ? i : i + len];

		if (is_project_path(entry->path) && entry->kind != TREE_DIR)
			return entry;
	}
	return NULL;
}

static void edit_one(struct world *w)
{
	const struct tree_entry *entry = pick_entry(w);

	if (!entry || one_in(15))
		make_some_file(w);
	else if (entry->kind == TREE_FILE)
		edit_entry(w, entry);
	else if (one_in(2)) /* a link becomes a file again */
		make_file(w, entry->path);
}

void edit_some(struct world *w)
{
	CLEANUP(tree_release) struct tree before = TREE_INIT;

	tree_copy(&before, &w->now);
	for (unsigned n = 1 + below(6); n && !world_failed(w); n--) {
		w->counts->edits++;
		edit_one(w);
		world_look(w);
	}
	world_note_edits(w, &before);
}

/* --- conflicts ----------------------------------------------------------------------- */

enum side { BOTH, OURS, THEIRS };

static bool starts(const char *line, const char *mark)
{
	size_t len = strlen(mark);

	return !strncmp(line, mark, len) && strchr(" \r\n", line[len]);
}

/* Leave one side of each conflict, or both one after the other. */
static void choose_sides(struct text *text, struct buf *out)
{
	enum { OUTSIDE, IN_OURS, IN_BASE, IN_THEIRS } where = OUTSIDE;
	enum side side = BOTH;

	for (size_t i = 0; i < text->count; i++) {
		const char *line = text->lines[i];

		if (where == OUTSIDE && starts(line, "<<<<<<<")) {
			where = IN_OURS;
			side = one_in(3) ? OURS + below(2) : BOTH;
		} else if (where == IN_OURS && starts(line, "|||||||")) {
			where = IN_BASE;
		} else if (where != OUTSIDE && starts(line, "=======")) {
			where = IN_THEIRS;
		} else if (where == IN_THEIRS && starts(line, ">>>>>>>")) {
			where = OUTSIDE;
		} else if (where == OUTSIDE || (where == IN_OURS && side != THEIRS) ||
			   (where == IN_THEIRS && side != OURS)) {
			buf_append_str(out, line);
		}
	}
}

static void settle_beside(struct world *w, const char *path, const char *beside)
{
	CLEANUP(freep) char *from = full_path(w, beside);
	CLEANUP(freep) char *to = full_path(w, path);

	if (one_in(2))
		require(w, rename(from, to) == 0, beside);
	else
		require(w, unlink(from) == 0, beside);
}

void edit_settle(struct world *w, const char *path, const char *skill)
{
	CLEANUP(freep) char *beside = xasprintf("%s.from-%s", path, skill);
	CLEANUP(text_release) struct text text = TEXT_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(tree_release) struct tree before = TREE_INIT;
	const struct tree_entry *entry = tree_find(&w->now, path);

	world_log(w, "settle %s of %s", path, skill);
	if (tree_find(&w->now, beside)) {
		settle_beside(w, path, beside);
	} else if (!entry || entry->kind != TREE_FILE) {
		make_file(w, path);
	} else {
		text_split(&text, entry_view(entry));
		choose_sides(&text, &content);
		if (one_in(3)) {
			CLEANUP(freep) char *token = new_token(w);

			buf_appendf(&content, "%s%s\n",
				content.len && content.data[content.len - 1] != '\n' ? "\n"
										     : "",
				token);
		}
		write_file(w, path, view_of_buf(&content), entry->mode);
	}
	before = w->now;
	w->now = TREE_INIT;
	world_look(w);
	world_note_edits(w, &before);
}

void edit_decide(struct world *w, const char *path)
{
	CLEANUP(tree_release) struct tree before = TREE_INIT;
	const struct tree_entry *entry = tree_find(&w->now, path);

	if (!entry || entry->kind == TREE_DIR || one_in(2))
		return;
	delete_file(w, entry);
	before = w->now;
	w->now = TREE_INIT;
	world_look(w);
	world_note_edits(w, &before);
}

void edit_revert(struct world *w, const char *patch)
{
	CLEANUP(tree_release) struct tree before = TREE_INIT;
	const struct tree_entry *text = tree_find(&w->now, patch);

	for (size_t i = 0; i < w->base.count; i++) {
		const struct tree_entry *core = &w->base.entries[i];

		if (core->kind != TREE_FILE || one_in(3) ||
			names_is_old(&w->ledger.names, core->path) ||
			!memmem(text->data, text->len, core->path, strlen(core->path)))
			continue;
		world_log(w, "revert %s", core->path);
		write_file(w, core->path, entry_view(core), core->mode);
	}
	before = w->now;
	w->now = TREE_INIT;
	world_look(w);
	world_note_edits(w, &before);
}
