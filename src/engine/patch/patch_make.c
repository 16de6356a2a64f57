/*
 * Patches made from files before and after, and their changes in general.
 */
#include <assert.h>
#include <nettle/sha1.h>
#include <stdio.h>
#include <string.h>

#include "engine/patch/internal.h"
#include "engine/patch/rename.h"
#include "engine/text/diff.h"
#include "engine/text/merge.h"

/* Lines around a change. */
#define CONTEXT 3

/* --- life ------------------------------------------------------------------------ */

void patch_change_release(struct patch_change *change)
{
	relpath_release(&change->old.path);
	relpath_release(&change->new.path);
	for (size_t i = 0; i < change->hunk_count; i++)
		buf_release(&change->hunks[i].lines);
	free(change->hunks);
	buf_release(&change->forward.data);
	buf_release(&change->reverse.data);
}

void patch_release(struct patch *patch)
{
	for (size_t i = 0; i < patch->count; i++)
		patch_change_release(&patch->changes[i]);
	free(patch->changes);
}

void patch_take_change(struct patch *patch, struct patch_change *change)
{
	GROW(patch->changes, patch->count, patch->cap);
	patch->changes[patch->count++] = *change;
	*change = PATCH_CHANGE_INIT;
}

/* --- a change -------------------------------------------------------------------- */

bool patch_is_rename(const struct patch_change *change)
{
	const struct relpath *old = &change->old.path, *new = &change->new.path;

	if (!old->text || !new->text)
		return false;
	return relpath_compare(old, new) != 0;
}

const struct relpath *patch_path(const struct patch_change *change)
{
	return change->new.path.text ? &change->new.path : &change->old.path;
}

void patch_count_lines(
	const struct patch_change *change, size_t *ret_added, size_t *ret_removed)
{
	size_t added = 0, removed = 0;

	for (size_t i = 0; i < change->hunk_count; i++) {
		struct view rest = view_of_buf(&change->hunks[i].lines), content;
		char sign;

		while (patch_next_line(&rest, &sign, &content)) {
			added += sign == '+';
			removed += sign == '-';
		}
	}
	*ret_added = added;
	*ret_removed = removed;
}

void patch_id_of(struct view content, char ret_id[static PATCH_ID_SIZE])
{
	uint8_t digest[SHA1_DIGEST_SIZE];
	struct sha1_ctx context;
	char header[32];
	int len = snprintf(header, sizeof(header), "blob %zu", content.len);

	sha1_init(&context);
	sha1_update(&context, (size_t)len + 1, (const uint8_t *)header);
	sha1_update(&context, content.len, (const uint8_t *)content.data);
	sha1_digest(&context, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(ret_id + 2 * i, 3, "%02x", digest[i]);
}

/* --- hunks ----------------------------------------------------------------------- */

struct patch_hunk *patch_add_hunk(struct patch_change *change)
{
	struct patch_hunk *hunk;

	/* Grown in powers of two, since the capacity is not kept. */
	if (!(change->hunk_count & (change->hunk_count - 1)))
		change->hunks = xreallocarray(change->hunks,
			change->hunk_count ? 2 * change->hunk_count : 1, sizeof(*hunk));
	hunk = &change->hunks[change->hunk_count++];
	*hunk = (struct patch_hunk){.lines = BUF_INIT};
	return hunk;
}

bool patch_next_line(struct view *rest, char *ret_sign, struct view *ret_content)
{
	struct view line;

	if (!diff_next_line(rest, &line))
		return false;
	*ret_sign = line.data[0];
	*ret_content = view_slice(line, 1, line.len);
	if (rest->len && rest->data[0] == '\\') {
		ret_content->len--;
		diff_next_line(rest, &line);
	}
	return true;
}

/* A text whose lines are taken from the top; `line` is the number of the next one. */
struct cursor {
	struct view rest;
	size_t line;
};

/* Append the lines up to `end` with a sign before them, or pass over them without one. */
static void hunk_take_lines(struct cursor *cursor, size_t end, char sign, struct buf *out)
{
	struct view line;

	while (cursor->line < end && diff_next_line(&cursor->rest, &line)) {
		cursor->line++;
		if (!sign)
			continue;
		buf_append_char(out, sign);
		buf_append(out, line.data, line.len);
		if (line.data[line.len - 1] != '\n')
			buf_append_str(out, "\n" PATCH_NO_NEWLINE);
	}
}

static int change_make_hunks(
	struct view old, struct view new, struct patch_change *change, struct error *err)
{
	CLEANUP(diff_changes_release) struct diff_changes changes = DIFF_CHANGES_INIT;
	struct cursor from = {.rest = old}, to = {.rest = new};
	const struct diff_change *c, *end;

	if (diff_lines(old, new, &changes, err) < 0)
		return -1;
	end = changes.list + changes.count;
	for (c = changes.list; c < end; c++) {
		struct patch_hunk *hunk = patch_add_hunk(change);
		size_t before = c->old_start < CONTEXT ? c->old_start : CONTEXT;

		hunk->old_start = c->old_start - before;
		hunk->new_start = c->new_start - before;
		hunk_take_lines(&from, hunk->old_start, '\0', NULL);
		/* Changes whose contexts meet are in one hunk. */
		for (;; c++) {
			hunk_take_lines(&from, c->old_start, ' ', &hunk->lines);
			hunk_take_lines(&from, c->old_start + c->old_count, '-', &hunk->lines);
			hunk_take_lines(&to, c->new_start, '\0', NULL);
			hunk_take_lines(&to, c->new_start + c->new_count, '+', &hunk->lines);
			if (c + 1 == end ||
				c[1].old_start - (c->old_start + c->old_count) > 2 * CONTEXT)
				break;
		}
		hunk_take_lines(&from, from.line + CONTEXT, ' ', &hunk->lines);
		hunk->old_count = from.line - hunk->old_start;
		hunk->new_count = c->new_start + c->new_count - hunk->new_start +
				  (from.line - c->old_start - c->old_count);
	}
	return 0;
}

/* --- making changes -------------------------------------------------------------- */

static void patch_end_set(
	struct patch_end *end, const struct relpath *path, const struct patch_side *side)
{
	end->kind = side->kind;
	end->executable = side->kind == PATCH_FILE && side->executable;
	if (side->kind == PATCH_ABSENT) {
		memcpy(end->id, PATCH_NULL_ID, sizeof(end->id));
		return;
	}
	end->path = relpath_copy(path);
	patch_id_of(side->content, end->id);
}

/* Between sides of one kind, or with one that is absent. */
static int patch_add_one(struct patch *patch, const struct relpath *old_path,
	const struct patch_side *old, const struct relpath *new_path,
	const struct patch_side *new, struct error *err)
{
	CLEANUP(patch_change_release) struct patch_change change = PATCH_CHANGE_INIT;
	struct patch_end *from = &change.old, *to = &change.new;
	bool same = view_equal(old->content, new->content);

	patch_end_set(from, old_path, old);
	patch_end_set(to, new_path, new);
	if (!same && (merge_is_binary(old->content) || merge_is_binary(new->content))) {
		change.body = PATCH_BINARY;
		buf_append(&change.forward.data, new->content.data, new->content.len);
		buf_append(&change.reverse.data, old->content.data, old->content.len);
	} else if (!same) {
		change.body = PATCH_TEXT;
		if (change_make_hunks(old->content, new->content, &change, err) < 0) {
			CLEANUP(freep) char *shown = relpath_quote(patch_path(&change));

			return error_prefix(err, "%s", shown);
		}
	}
	if (patch_is_rename(&change))
		change.similarity = rename_similarity(old->content, new->content);
	else if (same && old->kind == new->kind && from->executable == to->executable)
		return 0;
	patch_take_change(patch, &change);
	return 0;
}

static int patch_side_check(const struct patch_side *side, const struct relpath *path,
	size_t count, struct error *err)
{
	CLEANUP(freep) char *shown = NULL;

	if (side->kind == PATCH_ABSENT)
		return 0;
	assert(side->kind == PATCH_FILE || side->kind == PATCH_SYMLINK);
	shown = relpath_quote(path);
	if (side->content.len > PATCH_MAX_SIZE)
		return error_set(err, ERROR_INVALID,
			"%s has %zu bytes; files in a patch have at most %zu", shown,
			side->content.len, PATCH_MAX_SIZE);
	if (count >= PATCH_MAX_FILES)
		return error_set(err, ERROR_INVALID, "%s: a patch changes at most %zu files",
			shown, PATCH_MAX_FILES);
	return 0;
}

int patch_add_change(struct patch *patch, const struct relpath *old_path,
	const struct patch_side *old, const struct relpath *new_path,
	const struct patch_side *new, struct error *err)
{
	const struct patch_side absent = PATCH_SIDE_ABSENT;
	bool deleted = old->kind != PATCH_ABSENT && new->kind != old->kind;
	bool created = new->kind != PATCH_ABSENT &&new->kind != old->kind;

	if (patch_side_check(old, old_path, patch->count, err) < 0 ||
		patch_side_check(new, new_path, patch->count, err) < 0)
		return -1;
	if (deleted && patch_add_one(patch, old_path, old, NULL, &absent, err) < 0)
		return -1;
	if (created && patch_add_one(patch, NULL, &absent, new_path, new, err) < 0)
		return -1;
	if (deleted || created || old->kind == PATCH_ABSENT)
		return 0;
	return patch_add_one(patch, old_path, old, new_path, new, err);
}

/* --- renames --------------------------------------------------------------------- */

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The paths of all changes, sorted; a path in two changes is listed twice. */
struct paths {
	const char **list;
	size_t count;
};

/* How many paths begin with `beginning`: 0, 1 or more. */
static size_t paths_find(const struct paths *paths, const char *beginning, bool whole)
{
	size_t low = 0, high = paths->count, end, len = strlen(beginning) + whole;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(paths->list[middle], beginning) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < paths->count && end < low + 2; end++)
		if (strncmp(paths->list[end], beginning, len) != 0)
			break;
	return end - low;
}

/* The file that a deletion removes or a creation adds. */
static const struct patch_end *whole_file(const struct patch_change *change)
{
	if (change->new.kind == PATCH_ABSENT)
		return &change->old;
	return change->old.kind == PATCH_ABSENT ? &change->new : NULL;
}

/*
 * Can a deletion or creation be half of a rename? Not if a file becomes a link or the other way
 * round, which deletes and creates at one path. A pure rename does not say that the file is a
 * link; git must know that if a folder replaces the link.
 */
static bool may_be_renamed(const struct patch_change *change, const struct paths *paths)
{
	const struct patch_end *end = whole_file(change);
	CLEANUP(freep) char *folder = NULL;

	if (!end || change->body == PATCH_NO_CONTENT ||
		paths_find(paths, end->path.text, true) > 1)
		return false;
	if (end->kind != PATCH_SYMLINK)
		return true;
	folder = xasprintf("%s/", end->path.text);
	return !paths_find(paths, folder, false);
}

static int change_content(
	const struct patch_change *change, struct patch_file *ret_file, struct error *err)
{
	return patch_apply(change,
		change->new.kind == PATCH_ABSENT ? PATCH_REVERSE : PATCH_FORWARD,
		&PATCH_SIDE_ABSENT, ret_file, err);
}

static int rename_read_content(
	const struct rename_file *file, void *context, struct buf *out, struct error *err)
{
	CLEANUP(patch_file_release) struct patch_file content = PATCH_FILE_INIT;

	(void)context;
	if (change_content(file->owner, &content, err) < 0)
		return -1;
	buf_append(out, content.content.data, content.content.len);
	return 0;
}

/* Put the rename in the place of the creation. */
static int change_join(
	const struct patch_change *deletion, struct patch_change *creation, struct error *err)
{
	CLEANUP(patch_file_release) struct patch_file before = PATCH_FILE_INIT;
	CLEANUP(patch_file_release) struct patch_file after = PATCH_FILE_INIT;
	CLEANUP(patch_release) struct patch joined = PATCH_INIT;
	struct patch_side old, new;
	struct patch_change change;

	if (change_content(deletion, &before, err) < 0 ||
		change_content(creation, &after, err) < 0)
		return -1;
	old = (struct patch_side){before.kind, before.executable, view_of_buf(&before.content)};
	new = (struct patch_side){after.kind, after.executable, view_of_buf(&after.content)};
	if (patch_add_one(&joined, &deletion->old.path, &old, &creation->new.path, &new, err) <
		0)
		return -1;
	change = *creation;
	*creation = joined.changes[0];
	joined.changes[0] = change;
	return 0;
}

int patch_find_renames(struct patch *patch, struct error *err)
{
	CLEANUP(freep) bool *joined = xcalloc(patch->count + 1, sizeof(*joined));
	CLEANUP(rename_files_release) struct rename_files old = {0};
	CLEANUP(rename_files_release) struct rename_files new = {0};
	CLEANUP(freep)
	const char **list = xcalloc(2 * patch->count + 1, sizeof(*list));
	struct paths paths = {.list = list};
	size_t kept = 0;

	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_change *change = &patch->changes[i];

		list[paths.count++] = patch_path(change)->text;
		if (patch_is_rename(change))
			list[paths.count++] = change->old.path.text;
	}
	qsort(list, paths.count, sizeof(*list), compare_paths);
	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_change *change = &patch->changes[i];
		const struct patch_end *end = whole_file(change);

		if (may_be_renamed(change, &paths))
			rename_files_add(end == &change->old ? &old : &new,
				(struct rename_file){
					.path = &end->path,
					.id = view_of(end->id),
					.link = end->kind == PATCH_SYMLINK,
					.size = change->hunk_count
							? change->hunks[0].lines.len
							: change->forward.data.len +
								  change->reverse.data.len,
					.owner = change,
				});
	}
	if (renames_find(&old, &new, rename_read_content, NULL, err) < 0)
		return -1;
	for (size_t i = 0; i < new.count; i++) {
		const struct patch_change *creation = new.list[i].owner, *deletion;

		if (!new.list[i].from)
			continue;
		deletion = new.list[i].from->owner;
		joined[deletion - patch->changes] = true;
		if (change_join(deletion, &patch->changes[creation - patch->changes], err) < 0)
			return -1;
	}
	for (size_t i = 0; i < patch->count; i++) {
		if (joined[i])
			patch_change_release(&patch->changes[i]);
		else
			patch->changes[kept++] = patch->changes[i];
	}
	patch->count = kept;
	return 0;
}
