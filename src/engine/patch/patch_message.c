#include "engine/patch/patch_message.h"

#include "engine/text/diff.h"

/* Could it be taken for a line of a diff, without the `>` that it begins with? */
static bool is_doubtful(struct view line)
{
	static const char *const beginnings[] = {"diff --git ", "--- ", "+++ ", "@@ -"};

	while (line.len && line.data[0] == '>')
		line = view_slice(line, 1, line.len);
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (view_starts_with(line, beginnings[i]))
			return true;
	return false;
}

void patch_message_append(struct buf *out, struct view message)
{
	struct view line;

	if (!message.len)
		return;
	while (diff_next_line(&message, &line)) {
		if (is_doubtful(line))
			buf_append_char(out, '>');
		buf_append(out, line.data, line.len);
	}
	buf_append_char(out, '\n');
}

void patch_message_undo_line(struct buf *out, struct view line)
{
	if (line.data[0] == '>' && is_doubtful(line))
		line = view_slice(line, 1, line.len);
	buf_append(out, line.data, line.len);
}

void patch_message_undo_end(struct buf *out)
{
	if (view_ends_with(view_of_buf(out), "\n\n") || view_equal_str(view_of_buf(out), "\n"))
		buf_set_len(out, out->len - 1);
}
