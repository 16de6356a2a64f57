/*
 * Three parts, separated by 0xff: a text, what is replaced, and by what. Replacing all and putting
 * it back is the text again, where the new text was not there before; one match is refused if there
 * are more.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "agent/native/tools/edit_text.h"

static int edit(struct view text, struct view old, struct view new, bool all, struct buf *out)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf note = BUF_INIT;
	struct edit_request request = {old, new, all};
	int result = edit_text(text, &request, out, &note, &err);

	assert((result < 0) == (err.message != NULL));
	assert(result == 0 || !out->len);
	return result;
}

FUZZ_TARGET(native_edit)
{
	CLEANUP(buf_release) struct buf after = BUF_INIT;
	CLEANUP(buf_release) struct buf back = BUF_INIT;
	CLEANUP(buf_release) struct buf once = BUF_INIT;
	struct view new = {(const char *)data, len};
	struct view text = view_of("");
	struct view old = view_of("");

	view_next(&new, '\xff', &text);
	view_next(&new, '\xff', &old);
	if (!new.data)
		new = view_of("");
	if (edit(text, old, new, true, &after) < 0)
		return 0;
	assert(memmem(text.data, text.len, old.data, old.len));
	if (edit(text, old, new, false, &once) == 0)
		assert(view_equal(view_of_buf(&once), view_of_buf(&after)));
	/* Where the signs of the new text are nowhere else, they can be found again. */
	for (size_t i = 0; i < new.len; i++)
		if (memchr(text.data, new.data[i], text.len) ||
			memchr(new.data, new.data[i], i))
			return 0;
	if (!new.len)
		return 0;
	assert(edit(view_of_buf(&after), new, old, true, &back) == 0);
	assert(view_equal(view_of_buf(&back), text));
	return 0;
}
