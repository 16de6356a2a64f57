/*
 * Any bytes as a patch. What is parsed can be written, and that parsed and written as
 * the same; and it applies to the text that its own hunks describe, and back.
 */
#include <assert.h>
#include <string.h>

#include "engine/patch/internal.h"
#include "engine/patch/patch.h"
#include "fuzz.h"

/* A hunk may name a line that no text can have here. */
#define MAX_LINES 100000

static bool parse(struct view text, struct patch *ret_patch)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (patch_parse(text, "fuzz", ret_patch, &err) == 0)
		return true;
	assert(err.kind == ERROR_INVALID && !strncmp(err.message, "fuzz:", 5));
	return false;
}

static void write_patch(const struct patch *patch, struct buf *out)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (patch_write(patch, out, &err) < 0)
		assert(!"a parsed patch can be written");
}

/* The text before, as far as the hunks tell; empty lines where they do not. */
static bool text_before(const struct patch_change *change, struct buf *out)
{
	size_t lines = 0;

	for (size_t i = 0; i < change->hunk_count; i++) {
		const struct patch_hunk *hunk = &change->hunks[i];
		struct view rest = view_of_buf(&hunk->lines), content;
		char sign;

		if (hunk->old_start > MAX_LINES)
			return false;
		buf_append_repeated(out, '\n', hunk->old_start - lines);
		while (patch_next_line(&rest, &sign, &content))
			if (sign != '+')
				buf_append(out, content.data, content.len);
		lines = hunk->old_start + hunk->old_count;
	}
	return true;
}

static void apply_text(const struct patch_change *change)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(patch_file_release) struct patch_file after = PATCH_FILE_INIT;
	CLEANUP(patch_file_release) struct patch_file again = PATCH_FILE_INIT;
	struct patch_side before, back;

	if (!text_before(change, &text))
		return;
	before = (struct patch_side){
		change->old.kind, change->old.executable, view_of_buf(&text)};
	if (before.kind == PATCH_ANY)
		before.kind = PATCH_FILE;
	if (patch_apply(change, PATCH_FORWARD, &before, &after, &err) < 0)
		assert(!"hunks apply to the text that they are for");
	back = (struct patch_side){after.kind, after.executable, view_of_buf(&after.content)};
	if (patch_apply(change, PATCH_REVERSE, &back, &again, &err) < 0)
		assert(!"what was applied can be taken back");
	assert(view_equal(view_of_buf(&again.content), view_of_buf(&text)));
	assert(again.kind == before.kind && again.executable == before.executable);
}

static void apply_binary(const struct patch_change *change, enum patch_direction direction)
{
	const struct patch_end *from = direction == PATCH_FORWARD ? &change->old : &change->new;
	const struct buf *content =
		direction == PATCH_FORWARD ? &change->reverse.data : &change->forward.data;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(patch_file_release) struct patch_file after = PATCH_FILE_INIT;
	struct patch_side before = {from->kind, from->executable, view_of_buf(content)};

	/* Whether it fits depends on hashes, so it seldom will. */
	if (patch_apply(change, direction, &before, &after, &err) < 0)
		assert(err.message);
}

FUZZ_TARGET(patch_parse)
{
	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
	CLEANUP(patch_release) struct patch again = PATCH_INIT;
	CLEANUP(buf_release) struct buf first = BUF_INIT;
	CLEANUP(buf_release) struct buf second = BUF_INIT;

	if (!parse((struct view){(const char *)data, len}, &patch))
		return 0;
	for (size_t i = 0; i < patch.count; i++) {
		if (patch.changes[i].body == PATCH_BINARY) {
			apply_binary(&patch.changes[i], PATCH_FORWARD);
			apply_binary(&patch.changes[i], PATCH_REVERSE);
		} else {
			apply_text(&patch.changes[i]);
		}
	}
	write_patch(&patch, &first);
	if (!parse(view_of_buf(&first), &again))
		assert(!"what was written can be parsed");
	write_patch(&again, &second);
	assert(view_equal(view_of_buf(&first), view_of_buf(&second)));
	return 0;
}
