#include <string.h>

#include "archive/deflate.h"
#include "engine/patch/internal.h"
#include "engine/text/base85.h"

/* git's name for an empty file. */
#define EMPTY_ID "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
/* The shortest text that git accepts as "\ No newline at end of file" in any language. */
#define NO_NEWLINE_LENGTH 12
#define MAX_DIGITS        10

/* --- lines ----------------------------------------------------------------------- */

bool patch_reader_take(struct patch_reader *r, struct view *ret_line)
{
	if (!view_next(&r->rest, '\n', ret_line))
		return false;
	r->number++;
	return true;
}

bool patch_reader_sees(const struct patch_reader *r, const char *beginning)
{
	return view_starts_with(r->rest, beginning);
}

bool patch_skip(struct view *line, const char *beginning)
{
	if (!view_starts_with(*line, beginning))
		return false;
	*line = view_slice(*line, strlen(beginning), line->len);
	return true;
}

bool patch_take_number(struct view *line, size_t *ret_number)
{
	size_t number = 0, digits = 0;

	while (digits < line->len && line->data[digits] >= '0' && line->data[digits] <= '9') {
		if (digits == MAX_DIGITS)
			return false;
		number = 10 * number + (size_t)(line->data[digits++] - '0');
	}
	*line = view_slice(*line, digits, line->len);
	*ret_number = number;
	return digits > 0;
}

int patch_fault(const struct patch_reader *r, struct error *err, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	return error_set(err, ERROR_INVALID, "%s:%zu: %s", r->name, r->number, text.data);
}

/* --- text ------------------------------------------------------------------------ */

static int change_read_label(struct patch_reader *r, const char *beginning, const char *prefix,
	const struct patch_end *end, struct error *err)
{
	struct view line = {"", 0};

	patch_reader_take(r, &line);
	if (!patch_skip(&line, beginning))
		return patch_fault(r, err, "expected a line '%s...'", beginning);
	/* A name with a space ends in a tab. */
	if (end->path.text ? !patch_name_skip(&line, prefix, relpath_view(&end->path)) ||
				     (line.len && !view_equal_str(line, "\t"))
			   : !view_equal_str(line, "/dev/null"))
		return patch_fault(
			r, err, "the name after '%s' is not that of the change", beginning);
	return 0;
}

/* Where we are in the file, and what may still come. */
struct place {
	size_t old_line; /* after the last hunk */
	size_t new_line;
	bool old_ended; /* its last line has no newline */
	bool new_ended;
};

/* A range such as `-12,3`; one line needs no count. */
static bool hunk_take_range(struct view *line, char sign, size_t *ret_start, size_t *ret_count)
{
	size_t start, count = 1;
	const char beginning[] = {sign, '\0'};

	if (!patch_skip(line, beginning) || !patch_take_number(line, &start) ||
		(patch_skip(line, ",") && !patch_take_number(line, &count)))
		return false;
	if (count && !start)
		return false;
	*ret_start = count ? start - 1 : start;
	*ret_count = count;
	return true;
}

static int hunk_read_line(struct patch_reader *r, struct place *place, struct patch_hunk *hunk,
	size_t *old_left, size_t *new_left, struct error *err)
{
	struct view line, rest, next;
	char sign;
	bool old, new;

	if (!memchr(r->rest.data, '\n', r->rest.len))
		return patch_fault(r, err, "the patch ends within a hunk");
	patch_reader_take(r, &line);
	sign = line.len ? line.data[0] : ' '; /* some leave out a space at the end */
	old = sign == ' ' || sign == '-';
	new = sign == ' ' || sign == '+';
	if (!old && !new)
		return patch_fault(r, err, "a line of a hunk begins with ' ', '-' or '+'");
	if ((old && !*old_left) || (new && !*new_left))
		return patch_fault(r, err, "the hunk has more lines than its header says");
	if ((old && place->old_ended) || (new && place->new_ended))
		return patch_fault(r, err, "this line is after the last line of the file");
	*old_left -= old;
	*new_left -= new;
	if (!line.len)
		buf_append_char(&hunk->lines, ' ');
	buf_append(&hunk->lines, line.data, line.len);
	buf_append_char(&hunk->lines, '\n');
	rest = r->rest;
	if (!patch_reader_sees(r, "\\ ") || !view_next(&rest, '\n', &next) ||
		next.len < NO_NEWLINE_LENGTH)
		return 0;
	patch_reader_take(r, &next);
	if (line.len < 2)
		return patch_fault(r, err, "a last line without a newline is not empty");
	buf_append_str(&hunk->lines, PATCH_NO_NEWLINE);
	place->old_ended |= old;
	place->new_ended |= new;
	return 0;
}

static int change_read_hunk(
	struct patch_reader *r, struct place *place, struct patch_hunk *hunk, struct error *err)
{
	size_t old_left, new_left;
	bool changes = false;
	struct view line;

	patch_reader_take(r, &line);
	if (!patch_skip(&line, "@@ ") ||
		!hunk_take_range(&line, '-', &hunk->old_start, &hunk->old_count) ||
		!patch_skip(&line, " ") ||
		!hunk_take_range(&line, '+', &hunk->new_start, &hunk->new_count) ||
		!patch_skip(&line, " @@") || (line.len && line.data[0] != ' '))
		return patch_fault(
			r, err, "a hunk begins with '@@ -LINE,COUNT +LINE,COUNT @@'");
	if (hunk->old_start < place->old_line ||
		hunk->old_start - place->old_line != hunk->new_start - place->new_line)
		return patch_fault(r, err,
			"the line numbers of the hunk do not follow from the hunks before it");
	old_left = hunk->old_count;
	new_left = hunk->new_count;
	while (old_left || new_left) {
		size_t start = hunk->lines.len;

		if (hunk_read_line(r, place, hunk, &old_left, &new_left, err) < 0)
			return -1;
		changes |= hunk->lines.data[start] != ' ';
	}
	if (!changes)
		return patch_fault(r, err, "the hunk changes nothing");
	place->old_line = hunk->old_start + hunk->old_count;
	place->new_line = hunk->new_start + hunk->new_count;
	return 0;
}

static int change_read_text(
	struct patch_reader *r, struct patch_change *change, struct error *err)
{
	struct place place = {0};
	bool created, deleted;

	change->body = PATCH_TEXT;
	if (change_read_label(r, "--- ", "a/", &change->old, err) < 0 ||
		change_read_label(r, "+++ ", "b/", &change->new, err) < 0)
		return -1;
	while (patch_reader_sees(r, "@@ "))
		if (change_read_hunk(r, &place, patch_add_hunk(change), err) < 0)
			return -1;
	if (!change->hunk_count)
		return patch_fault(r, err, "a hunk is missing: a line that begins with '@@'");
	created = change->old.kind == PATCH_ABSENT;
	deleted = change->new.kind == PATCH_ABSENT;
	if ((created || deleted) &&
		(change->hunk_count > 1 || (created ? place.old_line : place.new_line) ||
			(created ? change->hunks[0].new_start : change->hunks[0].old_start)))
		return patch_fault(r, err, "a file is created or deleted with all its lines");
	return 0;
}

/* --- binary ---------------------------------------------------------------------- */

/*
 * The content of a binary file, twice: to the new one and back to the old one. Each
 * begins with `literal SIZE` or `delta SIZE`, and ends with an empty line; between
 * are lines of base 85, compressed.
 */
static int change_read_side(
	struct patch_reader *r, struct patch_binary *binary, struct error *err)
{
	CLEANUP(buf_release) struct buf compressed = BUF_INIT;
	CLEANUP(error_release) struct error reason = ERROR_INIT;
	struct view line = {"", 0};
	size_t size;

	patch_reader_take(r, &line);
	binary->delta = patch_skip(&line, "delta ");
	if ((!binary->delta && !patch_skip(&line, "literal ")) ||
		!patch_take_number(&line, &size) || line.len)
		return patch_fault(r, err, "expected 'literal SIZE' or 'delta SIZE'");
	if (size > PATCH_MAX_SIZE - r->inflated)
		return patch_fault(r, err, "the contents are too large: more than %zu bytes",
			PATCH_MAX_SIZE);
	r->inflated += size;
	while (patch_reader_take(r, &line) && line.len)
		if (!base85_undo(line, &compressed))
			return patch_fault(r, err, "this is not a line of binary content");
	if (line.len || !compressed.len)
		return patch_fault(r, err, "the binary content has no end");
	if (deflate_undo(view_of_buf(&compressed), size, &binary->data, &reason) < 0)
		return patch_fault(r, err, "%s", reason.message);
	return 0;
}

static int change_read_binary(
	struct patch_reader *r, struct patch_change *change, struct error *err)
{
	struct view line;

	patch_reader_take(r, &line);
	if (!view_equal_str(line, "GIT binary patch"))
		return patch_fault(r, err, "expected 'GIT binary patch'");
	if (strlen(change->old.id) != PATCH_ID_SIZE - 1 ||
		strlen(change->new.id) != PATCH_ID_SIZE - 1)
		return patch_fault(
			r, err, "a binary file needs an 'index' line with whole ids");
	change->body = PATCH_BINARY;
	if (change_read_side(r, &change->forward, err) < 0)
		return -1;
	return change_read_side(r, &change->reverse, err);
}

/* --- changes --------------------------------------------------------------------- */

/* May a change have no content? Yes, for an empty file and for a change of mode or name. */
static bool change_may_be_bare(const struct patch_change *change)
{
	const struct patch_end *end =
		change->old.kind == PATCH_ABSENT ? &change->new : &change->old;

	if (change->old.kind != PATCH_ABSENT && change->new.kind != PATCH_ABSENT)
		return !change->old.id[0];
	return end->kind == PATCH_FILE && !strncmp(end->id, EMPTY_ID, strlen(end->id));
}

static int patch_read_change(struct patch_reader *r, struct patch *patch, struct error *err)
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
		return patch_fault(r, err, "expected an 'index' line before the content");
	if (patch_reader_sees(r, "--- ") ? change_read_text(r, &change, err) < 0
					 : patch_reader_sees(r, "GIT binary patch") &&
						   change_read_binary(r, &change, err) < 0)
		return -1;
	if (change.body == PATCH_NO_CONTENT && !change_may_be_bare(&change))
		return patch_fault(r, err, "the content is missing");
	patch_take_change(patch, &change);
	return 0;
}

/* The end of the output of `git format-patch`, after the last change: `-- ` and its version. */
static bool patch_at_signature(const struct patch_reader *r)
{
	struct view rest = r->rest, line;

	return view_next(&rest, '\n', &line) && view_equal_str(line, "-- ") &&
	       !memmem(r->rest.data, r->rest.len, "\ndiff --git ", strlen("\ndiff --git "));
}

/* --- paths ----------------------------------------------------------------------- */

struct use {
	const struct relpath *path;
	size_t line;
};

static int compare_uses(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = relpath_compare(x->path, y->path);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* A path is changed or deleted once, and once created. */
static int uses_check(struct patch_reader *r, struct use *list, size_t count, struct error *err)
{
	qsort(list, count, sizeof(*list), compare_uses);
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

static int patch_check_paths(
	struct patch_reader *r, const struct patch *patch, struct error *err)
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
	if (uses_check(r, old, olds, err) < 0)
		return -1;
	return uses_check(r, new, news, err);
}

/*
 * git would parse these lines as the beginning of a change, and we would not; so a message must
 * not contain them.
 */
static bool patch_is_foreign(const struct patch_reader *r, struct view line)
{
	struct view at;

	if (!view_starts_with(line, "@@ -"))
		return view_starts_with(line, "--- ") && patch_reader_sees(r, "+++ ");
	at = view_slice(line, strlen("@@ -"), line.len);
	return at.len && at.data[0] >= '0' && at.data[0] <= '9';
}

int patch_parse(struct view text, const char *name, struct patch *ret_patch, struct error *err)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	struct patch_reader r = {.name = name, .rest = text};
	struct view line;

	if (text.len > PATCH_MAX_SIZE)
		return error_set(err, ERROR_INVALID,
			"%s: a patch has at most %zu bytes, not %zu", name, PATCH_MAX_SIZE,
			text.len);
	/* The text before the first change is for people. */
	while (r.rest.len && !patch_reader_sees(&r, "diff --git ")) {
		patch_reader_take(&r, &line);
		if (patch_is_foreign(&r, line))
			return patch_fault(&r, err,
				"a change without 'diff --git' before it; make "
				"the patch with 'git diff --binary'");
	}
	while (r.rest.len && !patch_at_signature(&r)) {
		if (!patch_reader_sees(&r, "diff --git ")) {
			r.number++;
			return patch_fault(&r, err, "this line belongs to no change");
		}
		if (patch_read_change(&r, &patch, err) < 0)
			return -1;
	}
	if (!patch.count)
		return patch_fault(&r, err, "there is no change in the patch");
	if (patch_check_paths(&r, &patch, err) < 0)
		return -1;
	*ret_patch = patch;
	patch = PATCH_INIT;
	return 0;
}
