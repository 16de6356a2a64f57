#include "compose/global_memory.h"

#include <errno.h>
#include <string.h>

#include "compose/shared.h"
#include "fs/beneath.h"
#include "fs/replace.h"

static int memory_too_long(struct error *err)
{
	error_set(err, ERROR_INVALID, "the global memory would have more than %zu bytes",
		GLOBAL_MEMORY_MAX);
	return error_hint(err, "shorten '" SHARED_GLOBAL "'");
}

int global_memory_write(int root, struct view text, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int folder = -1;

	if (text.len > GLOBAL_MEMORY_MAX)
		return memory_too_long(err);
	if (relpath_parse(view_of(SHARED_GLOBAL), &path, err) < 0 ||
		beneath_open_parent(root, &path, BENEATH_CREATE, &folder, err) < 0)
		return -1;
	return replace_file(folder, relpath_base(&path), text, 0600, NULL, 0, err);
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
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(buf_release) struct buf memory = BUF_INIT;

	text = view_trim(text);
	if (!text.len)
		return error_set(err, ERROR_INVALID, "there is nothing to remember");
	if (relpath_parse(view_of(SHARED_GLOBAL), &path, err) < 0)
		return -1;
	if (beneath_read(root, &path, GLOBAL_MEMORY_MAX, &memory, &missing) < 0 &&
		missing.errnum != ENOENT)
		return error_set(err, missing.kind, "%s", missing.message);
	*ret_added = !stands_there(&memory, text);
	if (!*ret_added)
		return 0;
	if (memory.len && memory.data[memory.len - 1] != '\n')
		buf_append_char(&memory, '\n');
	buf_appendf(&memory, "%.*s\n", VIEW_ARGS(text));
	return global_memory_write(root, view_of_buf(&memory), err);
}
