#include "engine/text/diff.h"

#include <string.h>

#include "engine/text/xdiff.h"

bool diff_next_line(struct view *rest, struct view *ret_line)
{
	const char *newline;
	size_t len;

	if (!rest->len)
		return false;
	newline = memchr(rest->data, '\n', rest->len);
	len = newline ? (size_t)(newline - rest->data) + 1 : rest->len;
	*ret_line = view_slice(*rest, 0, len);
	*rest = view_slice(*rest, len, rest->len);
	return true;
}

void diff_changes_release(struct diff_changes *changes)
{
	free(changes->list);
}

static int diff_add(long old_start, long old_count, long new_start, long new_count, void *data)
{
	struct diff_changes *changes = data;

	GROW(changes->list, changes->count, changes->cap);
	changes->list[changes->count++] = (struct diff_change){
		(size_t)old_start, (size_t)old_count, (size_t)new_start, (size_t)new_count};
	return 0;
}

int diff_lines(
	struct view old, struct view new, struct diff_changes *ret_changes, struct error *err)
{
	CLEANUP(diff_changes_release) struct diff_changes changes = DIFF_CHANGES_INIT;
	mmfile_t sides[] = {xdiff_text(old), xdiff_text(new)};

	if (old.len > DIFF_MAX_SIZE || new.len > DIFF_MAX_SIZE)
		return error_set(err, ERROR_INVALID,
			"a text of more than %zu bytes cannot be compared", DIFF_MAX_SIZE);
	if (!view_equal(old, new) && xdiff_prepare(0, err) < 0)
		return -1;
	if (!view_equal(old, new) &&
		xdl_diff(&sides[0], &sides[1], &(xpparam_t){.flags = XDF_INDENT_HEURISTIC},
			&(xdemitconf_t){.hunk_func = diff_add},
			&(xdemitcb_t){.priv = &changes}) < 0)
		return error_set(err, ERROR_FAILED, "cannot compare: out of memory");
	*ret_changes = changes;
	changes = DIFF_CHANGES_INIT;
	return 0;
}
