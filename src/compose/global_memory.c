#include "compose/global_memory.h"

#include <ctype.h>
#include <string.h>

#include "compose/shared.h"
#include "fs/beneath.h"

int global_memory_write(int root, struct view text, struct error *err)
{
	if (text.len <= GLOBAL_MEMORY_MAX)
		return beneath_path_write(root, SHARED_GLOBAL, text, 0600, err);
	error_set(err, ERROR_INVALID, "the global memory would have more than %zu bytes",
		GLOBAL_MEMORY_MAX);
	return error_hint(err, "shorten '" SHARED_GLOBAL "'");
}

/* As whole lines. */
static bool stands_there(const struct buf *memory, struct view text)
{
	const char *end = memory->data + memory->len;
	const char *at = memory->data;

	while ((at = memmem(at, (size_t)(end - at), text.data, text.len))) {
		if ((at == memory->data || at[-1] == '\n') &&
			(at + text.len == end || at[text.len] == '\n'))
			return true;
		at++;
	}
	return false;
}

int global_memory_add(int root, struct view text, bool *ret_added, struct error *err)
{
	return global_memory_add_from(root, text, NULL, ret_added, err);
}

/* "@file" imports a file; "ann@example.org" does not. */
static void escape_imports(struct view text, struct buf *out)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '@' && (!i || !isalnum((unsigned char)text.data[i - 1])))
			buf_append_char(out, '\\');
		buf_append_char(out, text.data[i]);
	}
}

int global_memory_add_from(
	int root, struct view text, const char *source, bool *ret_added, struct error *err)
{
	CLEANUP(buf_release) struct buf memory = BUF_INIT;
	CLEANUP(buf_release) struct buf escaped = BUF_INIT;

	text = view_trim(text);
	if (!text.len)
		return error_set(err, ERROR_INVALID, "there is nothing to remember");
	if (source) {
		escape_imports(text, &escaped);
		text = view_of_buf(&escaped);
	}
	if (beneath_path_read_if(root, SHARED_GLOBAL, GLOBAL_MEMORY_MAX, &memory, err) < 0)
		return -1;
	*ret_added = !stands_there(&memory, text);
	if (!*ret_added)
		return 0;
	if (memory.len && memory.data[memory.len - 1] != '\n')
		buf_append_char(&memory, '\n');
	if (source)
		buf_appendf(&memory, "[%s]\n", source);
	buf_appendf(&memory, "%.*s\n", VIEW_ARGS(text));
	return global_memory_write(root, view_of_buf(&memory), err);
}
