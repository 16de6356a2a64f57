#include <string.h>

#include "engine/patch/patch_parts.h"

/* Bytes with a letter of their own, and the letters in the same order. */
static const char special[] = "\a\b\t\n\v\f\r\"\\";
static const char letters[] = "abtnvfr\"\\";

static bool is_usual(char c)
{
	unsigned char byte = (unsigned char)c;

	return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

static void append_escaped(struct buf *out, char c)
{
	const char *found = c ? strchr(special, c) : NULL;

	if (is_usual(c))
		buf_append_char(out, c);
	else if (found)
		buf_appendf(out, "\\%c", letters[found - special]);
	else
		buf_appendf(out, "\\%03o", (unsigned)(unsigned char)c);
}

void patch_name_append(struct buf *out, const char *prefix, struct view name)
{
	/* git itself writes this one as it is, and then cannot find the end of the name. */
	bool usual = !memmem(name.data, name.len, " /", 2);

	for (size_t i = 0; i < name.len; i++)
		usual &= is_usual(name.data[i]);
	if (usual) {
		buf_append_str(out, prefix);
		buf_append(out, name.data, name.len);
		return;
	}
	buf_append_char(out, '"');
	buf_append_str(out, prefix);
	for (size_t i = 0; i < name.len; i++)
		append_escaped(out, name.data[i]);
	buf_append_char(out, '"');
}

static bool read_octal(struct view *rest, char *ret_byte)
{
	unsigned value = 0;

	if (rest->len < 3 || rest->data[0] > '3')
		return false;
	for (size_t i = 0; i < 3; i++) {
		if (rest->data[i] < '0' || rest->data[i] > '7')
			return false;
		value = value << 3 | (unsigned)(rest->data[i] - '0');
	}
	*ret_byte = (char)value;
	*rest = view_slice(*rest, 3, rest->len);
	return true;
}

/* What stands behind a backslash. */
static bool read_escape(struct view *rest, char *ret_byte)
{
	const char *found;

	if (read_octal(rest, ret_byte))
		return true;
	found = rest->len && rest->data[0] ? strchr(letters, rest->data[0]) : NULL;
	if (!found)
		return false;
	*ret_byte = special[found - letters];
	*rest = view_slice(*rest, 1, rest->len);
	return true;
}

bool patch_name_unquote(struct view *rest, struct buf *out)
{
	*rest = view_slice(*rest, 1, rest->len);
	while (rest->len) {
		char c = rest->data[0];

		*rest = view_slice(*rest, 1, rest->len);
		if (c == '"')
			return true;
		if (c == '\\' && !read_escape(rest, &c))
			return false;
		buf_append_char(out, c);
	}
	return false;
}
