/* Write a whole file. */
#include "agent/native/tools/builtin.h"
#include "agent/native/tools/change_file.h"
#include "agent/native/tools/tool_input.h"
#include "base/quote.h"

int tool_write(const struct tool_place *place, const json_t *input, struct tool_result *result,
	struct error *err)
{
	CLEANUP(freep) char *path = NULL;
	struct view content;
	bool created;

	if (input_path(input, place->folder, &path, err) < 0 ||
		input_text(input, "content", &content, err) < 0 ||
		change_file(path, content, &created, err) < 0)
		return -1;
	buf_append_str(&result->text, created ? "created " : "replaced ");
	quote_append(&result->text, view_of(path));
	buf_appendf(&result->text, ", %zu bytes", content.len);
	return 0;
}
