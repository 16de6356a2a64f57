#include <string.h>

#include "engine/patch/patch_parts.h"
#include "engine/patch/patch_reader.h"

/* The least that git takes for "\ No newline at end of file" in any language. */
#define NO_NEWLINE_LENGTH 12

/* --- names ----------------------------------------------------------------------- */

static bool is_label(struct view line, const char *prefix, const struct patch_end *end)
{
	CLEANUP(buf_release) struct buf expected = BUF_INIT;
	CLEANUP(buf_release) struct buf found = BUF_INIT;

	if (!end->path.text)
		return view_equal_str(line, "/dev/null");
	if (view_ends_with(line, "\t"))
		line.len--;
	buf_appendf(&expected, "%s%s", prefix, end->path.text);
	if (view_starts_with(line, "\"") && (!patch_name_unquote(&line, &found) || line.len))
		return false;
	return view_equal(found.len ? view_of_buf(&found) : line, view_of_buf(&expected));
}

static int read_label(struct patch_reader *r, const char *beginning, const char *prefix,
	const struct patch_end *end, struct error *err)
{
	struct view line = {"", 0};

	patch_reader_take(r, &line);
	if (!patch_skip(&line, beginning))
		return patch_fault(r, err, "here a line '%s...' is expected", beginning);
	if (!is_label(line, prefix, end))
		return patch_fault(
			r, err, "the name behind '%s' is not that of the change", beginning);
	return 0;
}

/* --- hunks ----------------------------------------------------------------------- */

/* Where we are in the file, and what may still come. */
struct place {
	size_t old_line; /* behind the last hunk */
	size_t new_line;
	bool old_ended; /* its last line has no newline */
	bool new_ended;
};

/* A range such as `-12,3`; one line needs no count. */
static bool take_range(struct view *line, char sign, size_t *ret_start, size_t *ret_count)
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

static int read_ranges(struct patch_reader *r, const struct place *place,
	struct patch_hunk *hunk, struct error *err)
{
	struct view line;

	patch_reader_take(r, &line);
	if (!patch_skip(&line, "@@ ") ||
		!take_range(&line, '-', &hunk->old_start, &hunk->old_count) ||
		!patch_skip(&line, " ") ||
		!take_range(&line, '+', &hunk->new_start, &hunk->new_count) ||
		!patch_skip(&line, " @@") || (line.len && line.data[0] != ' '))
		return patch_fault(
			r, err, "a hunk begins with '@@ -LINE,COUNT +LINE,COUNT @@'");
	if (hunk->old_start < place->old_line ||
		hunk->old_start - place->old_line != hunk->new_start - place->new_line)
		return patch_fault(r, err,
			"the lines of the hunk do not follow from those of "
			"the hunks before");
	return 0;
}

/* Whether a line is the last of its side, as the next line of the patch tells. */
static bool take_no_newline(struct patch_reader *r)
{
	struct view line;

	if (!patch_reader_sees(r, "\\ ") || !patch_reader_peek(r, &line) ||
		line.len < NO_NEWLINE_LENGTH)
		return false;
	return patch_reader_take(r, &line);
}

static int take_line(struct patch_reader *r, struct place *place, struct patch_hunk *hunk,
	size_t *old_left, size_t *new_left, struct error *err)
{
	struct view line;
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
		return patch_fault(r, err, "the hunk has more lines than its beginning says");
	if ((old && place->old_ended) || (new && place->new_ended))
		return patch_fault(r, err, "this line is behind the last line of the file");
	*old_left -= old;
	*new_left -= new;
	if (!line.len)
		buf_append_char(&hunk->lines, ' ');
	buf_append(&hunk->lines, line.data, line.len);
	buf_append_char(&hunk->lines, '\n');
	if (!take_no_newline(r))
		return 0;
	if (line.len < 2)
		return patch_fault(r, err, "a last line without a newline is not empty");
	buf_append_str(&hunk->lines, PATCH_NO_NEWLINE);
	place->old_ended |= old;
	place->new_ended |= new;
	return 0;
}

static bool changes_something(const struct patch_hunk *hunk)
{
	struct view rest = view_of_buf(&hunk->lines), content;
	char sign;

	while (patch_next_line(&rest, &sign, &content))
		if (sign != ' ')
			return true;
	return false;
}

static int read_hunk(
	struct patch_reader *r, struct place *place, struct patch_hunk *hunk, struct error *err)
{
	size_t old_left, new_left;

	if (read_ranges(r, place, hunk, err) < 0)
		return -1;
	old_left = hunk->old_count;
	new_left = hunk->new_count;
	while (old_left || new_left)
		if (take_line(r, place, hunk, &old_left, &new_left, err) < 0)
			return -1;
	if (!changes_something(hunk))
		return patch_fault(r, err, "the hunk changes nothing");
	place->old_line = hunk->old_start + hunk->old_count;
	place->new_line = hunk->new_start + hunk->new_count;
	return 0;
}

/* A file that comes or goes does so with all its lines. */
static bool is_whole(const struct patch_change *change, const struct place *place)
{
	if (change->old.kind == PATCH_ABSENT)
		return change->hunk_count == 1 && !place->old_line &&
		       !change->hunks[0].new_start;
	if (change->new.kind == PATCH_ABSENT)
		return change->hunk_count == 1 && !place->new_line &&
		       !change->hunks[0].old_start;
	return true;
}

int patch_parse_text(struct patch_reader *r, struct patch_change *change, struct error *err)
{
	struct place place = {0};

	change->body = PATCH_TEXT;
	if (read_label(r, "--- ", "a/", &change->old, err) < 0 ||
		read_label(r, "+++ ", "b/", &change->new, err) < 0)
		return -1;
	while (patch_reader_sees(r, "@@ "))
		if (read_hunk(r, &place, patch_add_hunk(change), err) < 0)
			return -1;
	if (!change->hunk_count)
		return patch_fault(r, err, "a hunk is missing: a line that begins with '@@'");
	if (!is_whole(change, &place))
		return patch_fault(r, err, "a file is created or deleted with all its lines");
	return 0;
}
