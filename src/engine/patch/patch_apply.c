#include <assert.h>
#include <string.h>

#include "engine/patch/patch_parts.h"
#include "engine/text/diff.h"

void patch_file_release(struct patch_file *file)
{
	buf_release(&file->content);
}

/* --- text ------------------------------------------------------------------------ */

/* The text as it is being changed. */
struct editor {
	enum patch_direction direction;
	struct view rest; /* of the text before */
	size_t line;      /* how many lines of it are behind us */
	struct buf out;
	bool ended; /* the last line that was written has no newline */
};

static void editor_release(struct editor *editor)
{
	buf_release(&editor->out);
}

/* False if there is a line already that must be the last. */
static bool put_line(struct editor *e, struct view line)
{
	if (e->ended)
		return false;
	buf_append(&e->out, line.data, line.len);
	e->ended = line.data[line.len - 1] != '\n';
	return true;
}

/* Copy the lines before `start`. */
static bool go_to(struct editor *e, size_t start)
{
	struct view line;

	while (e->line < start) {
		if (!diff_next_line(&e->rest, &line) || !put_line(e, line))
			return false;
		e->line++;
	}
	return e->line == start;
}

static bool expect_line(struct editor *e, struct view expected)
{
	struct view line;

	e->line++;
	return diff_next_line(&e->rest, &line) && view_equal(line, expected);
}

static bool edit_line(struct editor *e, char sign, struct view content)
{
	char removed = e->direction == PATCH_FORWARD ? '-' : '+';

	if (!content.len) /* only a line without a newline can be empty: no line at all */
		return false;
	if (sign == ' ')
		return expect_line(e, content) && put_line(e, content);
	return sign == removed ? expect_line(e, content) : put_line(e, content);
}

static int apply_hunk(
	struct editor *e, const struct patch_hunk *hunk, size_t number, struct error *err)
{
	size_t start = e->direction == PATCH_FORWARD ? hunk->old_start : hunk->new_start;
	struct view rest = view_of_buf(&hunk->lines), content;
	char sign;

	if (!go_to(e, start))
		return error_set(err, ERROR_FAILED,
			"hunk %zu does not fit: it is for line %zu, and there are fewer",
			number, start + 1);
	while (patch_next_line(&rest, &sign, &content))
		if (!edit_line(e, sign, content))
			return error_set(err, ERROR_FAILED, "hunk %zu does not fit at line %zu",
				number, e->line ? e->line : 1);
	return 0;
}

static int apply_text(const struct patch_change *change, enum patch_direction direction,
	struct view before, struct buf *ret_content, struct error *err)
{
	CLEANUP(editor_release)
	struct editor e = {.direction = direction, .rest = before, .out = BUF_INIT};

	for (size_t i = 0; i < change->hunk_count; i++)
		if (apply_hunk(&e, &change->hunks[i], i + 1, err) < 0)
			return -1;
	if (e.rest.len && e.ended)
		return error_set(err, ERROR_FAILED,
			"hunk %zu does not fit: there are lines behind the last one",
			change->hunk_count);
	buf_append(&e.out, e.rest.data, e.rest.len);
	*ret_content = e.out;
	e.out = BUF_INIT;
	return 0;
}

/* --- binary ---------------------------------------------------------------------- */

static bool has_id(const struct patch_end *end, struct view content)
{
	char id[PATCH_ID_SIZE];

	if (end->kind == PATCH_ABSENT)
		return !content.len;
	patch_id_of(content, id);
	return !strcmp(id, end->id);
}

static int apply_binary(const struct patch_change *change, enum patch_direction direction,
	struct view before, struct buf *ret_content, struct error *err)
{
	bool forward = direction == PATCH_FORWARD;
	const struct patch_binary *binary = forward ? &change->forward : &change->reverse;
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	if (!has_id(forward ? &change->old : &change->new, before))
		return error_set(err, ERROR_FAILED,
			"the binary file is not the one that the patch was made for");
	if (!binary->delta)
		buf_append(&content, binary->data.data, binary->data.len);
	else if (patch_delta_apply(before, view_of_buf(&binary->data), &content, err) < 0)
		return -1;
	if (!has_id(forward ? &change->new : &change->old, view_of_buf(&content)))
		return error_set(err, ERROR_INVALID,
			"the binary content in the patch has not the id that it names");
	*ret_content = content;
	content = BUF_INIT;
	return 0;
}

/* --- a change -------------------------------------------------------------------- */

static int apply_content(const struct patch_change *change, enum patch_direction direction,
	struct view before, struct buf *ret_content, struct error *err)
{
	switch (change->body) {
	case PATCH_TEXT:
		return apply_text(change, direction, before, ret_content, err);
	case PATCH_BINARY:
		return apply_binary(change, direction, before, ret_content, err);
	case PATCH_NO_CONTENT:
		break;
	}
	*ret_content = BUF_INIT;
	buf_append(ret_content, before.data, before.len);
	return 0;
}

static int check_before(
	const struct patch_end *from, const struct patch_side *before, struct error *err)
{
	static const char *const names[] = {
		[PATCH_ABSENT] = "no file",
		[PATCH_FILE] = "a file",
		[PATCH_SYMLINK] = "a symbolic link",
		[PATCH_ANY] = "a file",
	};
	bool fits = from->kind == before->kind ||
		    (from->kind == PATCH_ANY && before->kind != PATCH_ABSENT);

	if (fits)
		return 0;
	return error_set(err, ERROR_FAILED, "there is %s where the patch expects %s",
		names[before->kind], names[from->kind]);
}

static void set_kind(const struct patch_end *from, const struct patch_end *to,
	const struct patch_side *before, struct patch_file *after)
{
	bool stays = from->executable == to->executable && before->kind == PATCH_FILE;

	after->kind = to->kind == PATCH_ANY ? before->kind : to->kind;
	after->executable = stays ? before->executable : to->executable;
	after->executable &= after->kind == PATCH_FILE;
}

static int apply_change(const struct patch_change *change, enum patch_direction direction,
	const struct patch_side *before, struct patch_file *ret_after, struct error *err)
{
	const struct patch_end *from = direction == PATCH_FORWARD ? &change->old : &change->new;
	const struct patch_end *to = direction == PATCH_FORWARD ? &change->new : &change->old;
	struct view content = from->kind == PATCH_ABSENT ? view_of("") : before->content;
	CLEANUP(patch_file_release) struct patch_file after = PATCH_FILE_INIT;

	assert(before->kind != PATCH_ANY);
	if (check_before(from, before, err) < 0 ||
		apply_content(change, direction, content, &after.content, err) < 0)
		return -1;
	if (to->kind == PATCH_ABSENT && after.content.len)
		return error_set(err, ERROR_FAILED,
			"the patch deletes the file, but there is more in it than it says");
	set_kind(from, to, before, &after);
	*ret_after = after;
	after = PATCH_FILE_INIT;
	return 0;
}

int patch_apply(const struct patch_change *change, enum patch_direction direction,
	const struct patch_side *before, struct patch_file *ret_after, struct error *err)
{
	CLEANUP(freep) char *shown = NULL;

	if (apply_change(change, direction, before, ret_after, err) == 0)
		return 0;
	shown = relpath_quote(patch_path(change));
	return error_prefix(err, "%s", shown);
}
