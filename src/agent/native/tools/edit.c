/*
 * Replaces text in a file: an exact match, which must be the only one unless all are to be
 * replaced.
 */

#include "agent/native/tools/builtin.h"
#include "agent/native/tools/change_file.h"
#include "agent/native/tools/edit_text.h"
#include "agent/native/tools/regular_file.h"
#include "agent/native/tools/tool_input.h"
#include "base/quote.h"
#include "fs/file.h"

#define EDIT_MAX ((size_t)16 * 1024 * 1024)

int tool_edit(const struct tool_place *place, const json_t *input, struct tool_result *result,
	struct error *err)
{
	CLEANUP(freep) char *path = NULL;
	CLEANUP(buf_release) struct buf before = BUF_INIT;
	CLEANUP(buf_release) struct buf after = BUF_INIT;
	CLEANUP(closep) int fd = -1;
	struct edit_request edit = {0};
	struct stat st;
	bool created;

	if (input_path(input, place->folder, &path, err) < 0 ||
		input_text(input, "old_string", &edit.old, err) < 0 ||
		input_text(input, "new_string", &edit.new, err) < 0 ||
		input_flag(input, "replace_all", &edit.all, err) < 0 ||
		regular_file_open(path, false, &fd, &st, err) < 0 ||
		file_read_fd(fd, path, EDIT_MAX, &before, err) < 0 ||
		edit_text(view_of_buf(&before), &edit, &after, &result->text, err) < 0 ||
		change_file(path, view_of_buf(&after), &created, err) < 0)
		return -1;
	buf_append_str(&result->text, " in ");
	quote_append(&result->text, view_of(path));
	return 0;
}
