#include "compose/global_memory.h"

#include <ctype.h>
#include <string.h>

#include "compose/shared.h"
#include "fs/beneath.h"

static int check_size(struct view text, struct error *err)
{
	if (text.len <= GLOBAL_MEMORY_MAX)
		return 0;
	error_set(err, ERROR_INVALID, "the global memory would have more than %zu bytes",
		GLOBAL_MEMORY_MAX);
	return error_hint(err, "shorten '" SHARED_GLOBAL "'");
}

int global_memory_write(int root, struct view text, struct error *err)
{
	return check_size(text, err) < 0
		       ? -1
		       : beneath_path_write(root, SHARED_GLOBAL, text, 0600, err);
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

/*
 * Quoted line by line, so that it cannot pose as another entry. "@file" imports a file;
 * "ann@example.org" does not.
 */
static void quote_entry(struct view text, struct buf *out)
{
	buf_append_str(out, "> ");
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '@' && (!i || !isalnum((unsigned char)text.data[i - 1])))
			buf_append_char(out, '\\');
		buf_append_char(out, text.data[i]);
		if (text.data[i] == '\n' || text.data[i] == '\r')
			buf_append_str(out, "> ");
	}
}

int global_memory_plan(int root, struct view text, const char *source, struct buf *ret_memory,
	bool *ret_added, struct error *err)
{
	CLEANUP(buf_release) struct buf quoted = BUF_INIT;

	text = view_trim(text);
	if (!text.len)
		return error_set(err, ERROR_INVALID, "there is nothing to remember");
	if (source) {
		quote_entry(text, &quoted);
		text = view_of_buf(&quoted);
	}
	if (beneath_path_read_if(root, SHARED_GLOBAL, GLOBAL_MEMORY_MAX, ret_memory, err) < 0)
		return -1;
	*ret_added = !stands_there(ret_memory, text);
	if (!*ret_added)
		return 0;
	if (ret_memory->len && ret_memory->data[ret_memory->len - 1] != '\n')
		buf_append_char(ret_memory, '\n');
	if (source)
		buf_appendf(ret_memory, "[%s]\n", source);
	buf_appendf(ret_memory, "%.*s\n", VIEW_ARGS(text));
	return check_size(view_of_buf(ret_memory), err);
}

int global_memory_add(int root, struct view text, bool *ret_added, struct error *err)
{
	CLEANUP(buf_release) struct buf memory = BUF_INIT;

	if (global_memory_plan(root, text, NULL, &memory, ret_added, err) < 0)
		return -1;
	return *ret_added ? global_memory_write(root, view_of_buf(&memory), err) : 0;
}
