#include <string.h>

#include "engine/patch/patch_message.h"
#include "engine/patch/patch_parts.h"
#include "engine/patch/patch_reader.h"
#include "engine/text/diff.h"

/* What git calls an empty file. */
#define EMPTY_ID "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

/* --- message --------------------------------------------------------------------- */

/*
 * git would see the beginning of a change in these, and we would not; so they must
 * not stand in a message.
 */
static bool is_foreign_diff(const struct patch_reader *r, struct view line)
{
	struct view at;

	if (!view_starts_with(line, "@@ -"))
		return view_starts_with(line, "--- ") && patch_reader_sees(r, "+++ ");
	at = view_slice(line, strlen("@@ -"), line.len);
	return at.len && at.data[0] >= '0' && at.data[0] <= '9';
}

static int read_message(struct patch_reader *r, struct patch *patch, struct error *err)
{
	struct view line;

	while (r->rest.len && !patch_reader_sees(r, "diff --git ")) {
		diff_next_line(&r->rest, &line);
		r->number++;
		if (is_foreign_diff(r, line))
			return patch_fault(r, err,
				"a change without 'diff --git' before it; make "
				"the patch with 'git diff --binary'");
		patch_message_undo_line(&patch->message, line);
	}
	patch_message_undo_end(&patch->message);
	return 0;
}

/* --- changes --------------------------------------------------------------------- */

/* May a change be without any content? That of an empty file and of a mode or name is. */
static bool may_be_bare(const struct patch_change *change)
{
	const struct patch_end *end =
		change->old.kind == PATCH_ABSENT ? &change->new : &change->old;

	if (change->old.kind != PATCH_ABSENT && change->new.kind != PATCH_ABSENT)
		return !change->old.id[0];
	return end->kind == PATCH_FILE && !strncmp(end->id, EMPTY_ID, strlen(end->id));
}

static int read_change(struct patch_reader *r, struct patch *patch, struct error *err)
{
	CLEANUP(patch_change_release) struct patch_change change = PATCH_CHANGE_INIT;

	if (patch->count == PATCH_MAX_FILES) {
		r->number++;
		return patch_fault(
			r, err, "a patch changes at most %zu files", PATCH_MAX_FILES);
	}
	if (patch_parse_header(r, &change, err) < 0)
		return -1;
	if (patch_reader_sees(r, "Binary files ")) {
		r->number++;
		return patch_fault(r, err,
			"the content of the binary file is missing; make the "
			"patch with 'git diff --binary'");
	}
	if (patch_reader_sees(r, "GIT binary patch") && !change.old.id[0])
		return patch_fault(r, err, "before a content an 'index' line is expected");
	if (patch_reader_sees(r, "--- ") ? patch_parse_text(r, &change, err) < 0
					 : patch_reader_sees(r, "GIT binary patch") &&
						   patch_parse_binary(r, &change, err) < 0)
		return -1;
	if (change.body == PATCH_NO_CONTENT && !may_be_bare(&change))
		return patch_fault(r, err, "the content is missing");
	patch_take_change(patch, &change);
	return 0;
}

/* What `git format-patch` writes behind the last change: `-- ` and its version. */
static bool is_signature(const struct patch_reader *r)
{
	struct view line;

	return patch_reader_peek(r, &line) && view_equal_str(line, "-- ") &&
	       !memmem(r->rest.data, r->rest.len, "\ndiff --git ", strlen("\ndiff --git "));
}

static int read_changes(struct patch_reader *r, struct patch *patch, struct error *err)
{
	while (r->rest.len && !is_signature(r)) {
		if (!patch_reader_sees(r, "diff --git ")) {
			r->number++;
			return patch_fault(r, err, "this line belongs to no change");
		}
		if (read_change(r, patch, err) < 0)
			return -1;
	}
	if (!patch->count)
		return patch_fault(r, err, "there is no change in the patch");
	return 0;
}

/* --- paths ----------------------------------------------------------------------- */

struct use {
	const struct relpath *path;
	size_t line;
};

static int by_path(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = relpath_compare(x->path, y->path);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* A path is changed or deleted once, and once created. */
static int check_uses(struct patch_reader *r, struct use *list, size_t count, struct error *err)
{
	qsort(list, count, sizeof(*list), by_path);
	for (size_t i = 1; i < count; i++) {
		CLEANUP(freep) char *shown = NULL;

		if (relpath_compare(list[i - 1].path, list[i].path) != 0)
			continue;
		shown = relpath_quote(list[i].path);
		r->number = list[i].line;
		return patch_fault(r, err, "path %s is changed twice (first on line %zu)",
			shown, list[i - 1].line);
	}
	return 0;
}

static int check_paths(struct patch_reader *r, const struct patch *patch, struct error *err)
{
	CLEANUP(freep) struct use *old = xcalloc(patch->count, sizeof(*old));
	CLEANUP(freep) struct use *new = xcalloc(patch->count, sizeof(*new));
	size_t olds = 0, news = 0;

	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_change *change = &patch->changes[i];

		if (change->old.path.text)
			old[olds++] = (struct use){&change->old.path, change->line};
		if (change->new.path.text)
			new[news++] = (struct use){&change->new.path, change->line};
	}
	if (check_uses(r, old, olds, err) < 0)
		return -1;
	return check_uses(r, new, news, err);
}

int patch_parse(struct view text, const char *name, struct patch *ret_patch, struct error *err)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	struct patch_reader r = {.name = name, .rest = text};

	if (text.len > PATCH_MAX_SIZE)
		return error_set(err, ERROR_INVALID,
			"%s: a patch has at most %zu bytes, not %zu", name, PATCH_MAX_SIZE,
			text.len);
	if (read_message(&r, &patch, err) < 0 || read_changes(&r, &patch, err) < 0 ||
		check_paths(&r, &patch, err) < 0)
		return -1;
	*ret_patch = patch;
	patch = PATCH_INIT;
	return 0;
}
