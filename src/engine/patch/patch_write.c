#include <string.h>

#include "archive/deflate.h"
#include "engine/patch/internal.h"
#include "engine/text/base85.h"

/* --- names ----------------------------------------------------------------------- */

/* Bytes with a letter of their own, and the letters in the same order. */
static const char special[] = "\a\b\t\n\v\f\r\"\\";
static const char letters[] = "abtnvfr\"\\";

static bool is_plain_byte(char c)
{
	unsigned char byte = (unsigned char)c;

	return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

void patch_name_append(struct buf *out, const char *prefix, struct view name)
{
	/* git itself does not quote this name, and then cannot find its end. */
	bool usual = !memmem(name.data, name.len, " /", 2);

	for (size_t i = 0; i < name.len; i++)
		usual &= is_plain_byte(name.data[i]);
	if (usual) {
		buf_append_str(out, prefix);
		buf_append(out, name.data, name.len);
		return;
	}
	buf_append_char(out, '"');
	buf_append_str(out, prefix);
	for (size_t i = 0; i < name.len; i++) {
		char c = name.data[i];
		const char *found = c ? strchr(special, c) : NULL;

		if (is_plain_byte(c))
			buf_append_char(out, c);
		else if (found)
			buf_appendf(out, "\\%c", letters[found - special]);
		else
			buf_appendf(out, "\\%03o", (unsigned)(unsigned char)c);
	}
	buf_append_char(out, '"');
}

/* The part after a backslash: three octal digits or a letter. */
static bool patch_name_unescape(struct view *rest, char *ret_byte)
{
	const char *found = rest->len && rest->data[0] ? strchr(letters, rest->data[0]) : NULL;
	size_t len = 1;

	if (found) {
		*ret_byte = special[found - letters];
	} else {
		unsigned value = 0;

		for (len = 0; len < 3; len++) {
			if (len == rest->len || rest->data[len] < '0' || rest->data[len] > '7')
				return false;
			value = value << 3 | (unsigned)(rest->data[len] - '0');
		}
		if (value > 0377)
			return false;
		*ret_byte = (char)value;
	}
	*rest = view_slice(*rest, len, rest->len);
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
		if (c == '\\' && !patch_name_unescape(rest, &c))
			return false;
		buf_append_char(out, c);
	}
	return false;
}

bool patch_name_skip(struct view *rest, const char *prefix, struct view name)
{
	CLEANUP(buf_release) struct buf expected = BUF_INIT;
	CLEANUP(buf_release) struct buf found = BUF_INIT;

	buf_append_str(&expected, prefix);
	buf_append(&expected, name.data, name.len);
	if (view_starts_with(*rest, "\""))
		return patch_name_unquote(rest, &found) &&
		       view_equal(view_of_buf(&found), view_of_buf(&expected));
	if (rest->len < expected.len || memcmp(rest->data, expected.data, expected.len) != 0)
		return false;
	*rest = view_slice(*rest, expected.len, rest->len);
	return true;
}

/* --- header ---------------------------------------------------------------------- */

static const char *patch_mode(const struct patch_end *end)
{
	if (end->kind == PATCH_SYMLINK)
		return "120000";
	return end->executable ? "100755" : "100644";
}

static void change_write_header(struct buf *out, const struct patch_change *change)
{
	const struct patch_end *old = &change->old, *new = &change->new;
	bool both = old->kind != PATCH_ABSENT && new->kind != PATCH_ABSENT;
	bool same_mode = both && old->executable == new->executable;
	struct view path = relpath_view(patch_path(change));
	struct view old_path = old->path.text ? relpath_view(&old->path) : path;

	buf_append_str(out, "diff --git ");
	patch_name_append(out, "a/", old_path);
	buf_append_char(out, ' ');
	patch_name_append(out, "b/", path);
	if (old->kind == PATCH_ABSENT)
		buf_appendf(out, "\nnew file mode %s", patch_mode(new));
	else if (new->kind == PATCH_ABSENT)
		buf_appendf(out, "\ndeleted file mode %s", patch_mode(old));
	else if (!same_mode)
		buf_appendf(
			out, "\nold mode %s\nnew mode %s", patch_mode(old), patch_mode(new));
	if (patch_is_rename(change)) {
		buf_appendf(out, "\nsimilarity index %u%%\nrename from ", change->similarity);
		patch_name_append(out, "", old_path);
		buf_append_str(out, "\nrename to ");
		patch_name_append(out, "", path);
	}
	if (old->id[0] && (!both || change->body != PATCH_NO_CONTENT)) {
		buf_appendf(out, "\nindex %s..%s", old->id, new->id);
		if (same_mode) /* else an earlier line has it */
			buf_appendf(out, " %s", patch_mode(new));
	}
	buf_append_char(out, '\n');
}

/* --- content --------------------------------------------------------------------- */

/* A name with a space ends in a tab, so that its end can be seen. */
static void change_write_label(
	struct buf *out, const char *sign, const char *prefix, const struct patch_end *end)
{
	buf_append_str(out, sign);
	if (!end->path.text) {
		buf_append_str(out, " /dev/null\n");
		return;
	}
	buf_append_char(out, ' ');
	patch_name_append(out, prefix, relpath_view(&end->path));
	if (strchr(end->path.text, ' '))
		buf_append_char(out, '\t');
	buf_append_char(out, '\n');
}

/* Lines count from 1 here; an empty range names the line before it. */
static void hunk_write_range(struct buf *out, char sign, size_t start, size_t count)
{
	buf_appendf(out, "%c%zu", sign, count ? start + 1 : start);
	if (count != 1)
		buf_appendf(out, ",%zu", count);
}

static void change_write_text(struct buf *out, const struct patch_change *change)
{
	change_write_label(out, "---", "a/", &change->old);
	change_write_label(out, "+++", "b/", &change->new);
	for (size_t i = 0; i < change->hunk_count; i++) {
		const struct patch_hunk *hunk = &change->hunks[i];

		buf_append_str(out, "@@ ");
		hunk_write_range(out, '-', hunk->old_start, hunk->old_count);
		buf_append_char(out, ' ');
		hunk_write_range(out, '+', hunk->new_start, hunk->new_count);
		buf_append_str(out, " @@\n");
		buf_append(out, hunk->lines.data, hunk->lines.len);
	}
}

static void change_write_binary(struct buf *out, const struct patch_binary *binary)
{
	CLEANUP(buf_release) struct buf compressed = BUF_INIT;

	buf_appendf(out, "%s %zu\n", binary->delta ? "delta" : "literal", binary->data.len);
	deflate_append(&compressed, view_of_buf(&binary->data));
	base85_append(out, view_of_buf(&compressed));
	buf_append_char(out, '\n');
}

/* --- all of it ------------------------------------------------------------------- */

/* By path; of one path the deletion comes first. */
static int compare_changes(const void *a, const void *b)
{
	const struct patch_change *x = *(const struct patch_change *const *)a;
	const struct patch_change *y = *(const struct patch_change *const *)b;
	int order = relpath_compare(patch_path(x), patch_path(y));

	if (order)
		return order;
	return (x->new.kind != PATCH_ABSENT) - (y->new.kind != PATCH_ABSENT);
}

int patch_write(const struct patch *patch, struct buf *out, struct error *err)
{
	CLEANUP(freep)
	const struct patch_change **list = xcalloc(patch->count + 1, sizeof(*list));
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t binary = 0;

	for (size_t i = 0; i < patch->count; i++)
		list[i] = &patch->changes[i];
	qsort(list, patch->count, sizeof(*list), compare_changes);
	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_change *change = list[i];

		change_write_header(&text, change);
		if (change->body == PATCH_TEXT) {
			change_write_text(&text, change);
		} else if (change->body == PATCH_BINARY) {
			buf_append_str(&text, "GIT binary patch\n");
			change_write_binary(&text, &change->forward);
			change_write_binary(&text, &change->reverse);
		}
		binary += change->forward.data.len + change->reverse.data.len;
		if (text.len > PATCH_MAX_SIZE || binary > PATCH_MAX_SIZE)
			return error_set(err, ERROR_INVALID,
				"the changes are too large for a patch: more than %zu bytes",
				PATCH_MAX_SIZE);
	}
	buf_append(out, text.data, text.len);
	return 0;
}
