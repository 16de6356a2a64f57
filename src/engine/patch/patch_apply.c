#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "engine/patch/internal.h"
#include "engine/text/diff.h"

void patch_file_release(struct patch_file *file)
{
	buf_release(&file->content);
}

/* --- text ------------------------------------------------------------------------ */

/* The text being edited. */
struct editor {
	enum patch_direction direction;
	struct view rest; /* of the text before */
	size_t line;      /* number of lines already processed */
	struct buf *out;
	bool ended; /* the last line that was written has no newline */
};

/* False if there is a line already that must be the last. */
static bool editor_put(struct editor *e, struct view line)
{
	if (e->ended)
		return false;
	buf_append(e->out, line.data, line.len);
	e->ended = line.data[line.len - 1] != '\n';
	return true;
}

static bool editor_expect(struct editor *e, struct view expected)
{
	struct view line;

	e->line++;
	return diff_next_line(&e->rest, &line) && view_equal(line, expected);
}

static int editor_apply_hunk(
	struct editor *e, const struct patch_hunk *hunk, size_t number, struct error *err)
{
	size_t start = e->direction == PATCH_FORWARD ? hunk->old_start : hunk->new_start;
	char removed = e->direction == PATCH_FORWARD ? '-' : '+';
	struct view rest = view_of_buf(&hunk->lines), content, line;
	char sign;

	for (; e->line < start; e->line++) /* lines between hunks stay */
		if (!diff_next_line(&e->rest, &line) || !editor_put(e, line))
			break;
	if (e->line != start)
		return error_set(err, ERROR_FAILED,
			"hunk %zu does not fit: it is for line %zu, and there are fewer",
			number, start + 1);
	while (patch_next_line(&rest, &sign, &content)) {
		/* Only a missing line can be empty: any other has a newline. */
		if (!content.len ||
			((sign == ' ' || sign == removed) && !editor_expect(e, content)) ||
			(sign != removed && !editor_put(e, content)))
			return error_set(err, ERROR_FAILED, "hunk %zu does not fit at line %zu",
				number, e->line ? e->line : 1);
	}
	return 0;
}

static int change_apply_text(const struct patch_change *change, enum patch_direction direction,
	struct view before, struct buf *ret_content, struct error *err)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct editor e = {.direction = direction, .rest = before, .out = &out};

	for (size_t i = 0; i < change->hunk_count; i++)
		if (editor_apply_hunk(&e, &change->hunks[i], i + 1, err) < 0)
			return -1;
	if (e.rest.len && e.ended)
		return error_set(err, ERROR_FAILED,
			"hunk %zu does not fit: there are lines after the last one",
			change->hunk_count);
	buf_append(&out, e.rest.data, e.rest.len);
	*ret_content = out;
	out = BUF_INIT;
	return 0;
}

/* --- git's delta ----------------------------------------------------------------- */

/*
 * git's delta format, as in its packs: the sizes of the base and of the result, then commands.
 * A byte with the highest bit set copies a piece of the base; the other bits say which bytes of
 * the offset (4) and of the length (3) follow. Any other byte but 0 is the number of literal
 * bytes that follow.
 */
#define COPY           0x80
#define OFFSET_BYTES   4
#define LENGTH_BYTES   3
#define DEFAULT_LENGTH 0x10000

static bool delta_take_byte(struct view *rest, unsigned char *ret_byte)
{
	if (!rest->len)
		return false;
	*ret_byte = (unsigned char)rest->data[0];
	*rest = view_slice(*rest, 1, rest->len);
	return true;
}

/* Base 128, the lowest part first. */
static bool delta_take_size(struct view *rest, size_t *ret_size)
{
	size_t size = 0;
	unsigned char byte;

	for (unsigned shift = 0; shift <= 28; shift += 7) {
		if (!delta_take_byte(rest, &byte))
			return false;
		size |= (size_t)(byte & 127) << shift;
		if (!(byte & 128)) {
			*ret_size = size;
			return size <= PATCH_MAX_SIZE;
		}
	}
	return false;
}

/* A number of `count` bytes; the delta contains only the bytes in `present`. */
static bool delta_take_number(
	struct view *rest, unsigned present, unsigned count, size_t *ret_number)
{
	size_t number = 0;
	unsigned char byte;

	for (unsigned i = 0; i < count; i++) {
		if (!(present & 1U << i))
			continue;
		if (!delta_take_byte(rest, &byte))
			return false;
		number |= (size_t)byte << (8 * i);
	}
	*ret_number = number;
	return true;
}

/* Carry out one command, for which there is room for `left` more bytes. */
static bool delta_run(struct view base, unsigned char command, struct view *rest, size_t left,
	struct buf *out)
{
	size_t offset, len = command;

	if (!(command & COPY)) {
		if (!len || len > rest->len || len > left)
			return false;
		buf_append(out, rest->data, len);
		*rest = view_slice(*rest, len, rest->len);
		return true;
	}
	if (!delta_take_number(rest, command, OFFSET_BYTES, &offset) ||
		!delta_take_number(
			rest, (unsigned)(command & ~COPY) >> OFFSET_BYTES, LENGTH_BYTES, &len))
		return false;
	if (!len)
		len = DEFAULT_LENGTH;
	if (offset > base.len || len > base.len - offset || len > left)
		return false;
	buf_append(out, base.data + offset, len);
	return true;
}

int patch_delta_apply(
	struct view base, struct view delta, struct buf *ret_content, struct error *err)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	size_t base_size, size;
	unsigned char command;

	if (!delta_take_size(&delta, &base_size) || !delta_take_size(&delta, &size))
		return error_set(err, ERROR_INVALID, "the delta is damaged");
	if (base_size != base.len)
		return error_set(err, ERROR_INVALID, "the delta is for %zu bytes, not for %zu",
			base_size, base.len);
	while (delta_take_byte(&delta, &command))
		if (!delta_run(base, command, &delta, size - out.len, &out))
			return error_set(err, ERROR_INVALID, "the delta is damaged");
	if (out.len != size)
		return error_set(err, ERROR_INVALID, "the delta is damaged");
	*ret_content = out;
	out = BUF_INIT;
	return 0;
}

/* --- binary ---------------------------------------------------------------------- */

static bool patch_end_is(const struct patch_end *end, struct view content)
{
	char id[PATCH_ID_SIZE];

	if (end->kind == PATCH_ABSENT)
		return !content.len;
	patch_id_of(content, id);
	return !strcmp(id, end->id);
}

static int change_apply_binary(const struct patch_change *change,
	enum patch_direction direction, struct view before, struct buf *ret_content,
	struct error *err)
{
	bool forward = direction == PATCH_FORWARD;
	const struct patch_binary *binary = forward ? &change->forward : &change->reverse;
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	if (!patch_end_is(forward ? &change->old : &change->new, before))
		return error_set(err, ERROR_FAILED,
			"the binary file differs from the one that the patch was made for");
	if (!binary->delta)
		buf_append(&content, binary->data.data, binary->data.len);
	else if (patch_delta_apply(before, view_of_buf(&binary->data), &content, err) < 0)
		return -1;
	if (!patch_end_is(forward ? &change->new : &change->old, view_of_buf(&content)))
		return error_set(err, ERROR_INVALID,
			"the binary content in the patch does not match its id");
	*ret_content = content;
	content = BUF_INIT;
	return 0;
}

/* --- a change -------------------------------------------------------------------- */

static int change_apply(const struct patch_change *change, enum patch_direction direction,
	const struct patch_side *before, struct patch_file *ret_after, struct error *err)
{
	static const char *const names[] = {
		[PATCH_ABSENT] = "no file",
		[PATCH_FILE] = "a file",
		[PATCH_SYMLINK] = "a symbolic link",
		[PATCH_ANY] = "a file",
	};
	const struct patch_end *from = direction == PATCH_FORWARD ? &change->old : &change->new;
	const struct patch_end *to = direction == PATCH_FORWARD ? &change->new : &change->old;
	struct view content = from->kind == PATCH_ABSENT ? view_of("") : before->content;
	CLEANUP(patch_file_release) struct patch_file after = PATCH_FILE_INIT;

	assert(before->kind != PATCH_ANY);
	if (from->kind != before->kind &&
		(from->kind != PATCH_ANY || before->kind == PATCH_ABSENT))
		return error_set(err, ERROR_FAILED, "there is %s where the patch expects %s",
			names[before->kind], names[from->kind]);
	if (change->body == PATCH_NO_CONTENT)
		buf_append(&after.content, content.data, content.len);
	else if ((change->body == PATCH_TEXT ? change_apply_text : change_apply_binary)(
			 change, direction, content, &after.content, err) < 0)
		return -1;
	if (to->kind == PATCH_ABSENT && after.content.len)
		return error_set(err, ERROR_FAILED,
			"the patch deletes the file, but the file has more in it");
	after.kind = to->kind == PATCH_ANY ? before->kind : to->kind;
	if (after.kind == PATCH_FILE)
		after.executable =
			before->kind == PATCH_FILE && from->executable == to->executable
				? before->executable
				: to->executable;
	*ret_after = after;
	after = PATCH_FILE_INIT;
	return 0;
}

int patch_apply(const struct patch_change *change, enum patch_direction direction,
	const struct patch_side *before, struct patch_file *ret_after, struct error *err)
{
	CLEANUP(freep) char *shown = NULL;

	if (change_apply(change, direction, before, ret_after, err) == 0)
		return 0;
	shown = relpath_quote(patch_path(change));
	return error_prefix(err, "%s", shown);
}
