#include "engine/patch/patch_message.h"
#include "engine/patch/patch_parts.h"
#include "engine/text/base85.h"
#include "util/deflate.h"

/* --- header ---------------------------------------------------------------------- */

static const char *mode_of(const struct patch_end *end)
{
	if (end->kind == PATCH_SYMLINK)
		return "120000";
	return end->executable ? "100755" : "100644";
}

static void write_name_line(
	struct buf *out, const char *word, const char *prefix, const struct relpath *path)
{
	buf_append_str(out, word);
	patch_name_append(out, prefix, relpath_view(path));
	buf_append_char(out, '\n');
}

static void write_modes(struct buf *out, const struct patch_change *change)
{
	if (change->old.kind == PATCH_ABSENT)
		buf_appendf(out, "new file mode %s\n", mode_of(&change->new));
	else if (change->new.kind == PATCH_ABSENT)
		buf_appendf(out, "deleted file mode %s\n", mode_of(&change->old));
	else if (change->old.executable != change->new.executable)
		buf_appendf(out, "old mode %s\nnew mode %s\n", mode_of(&change->old),
			mode_of(&change->new));
}

/* Where the mode is in no other line, it stands behind the ids. */
static void write_index(struct buf *out, const struct patch_change *change)
{
	bool both = change->old.kind != PATCH_ABSENT && change->new.kind != PATCH_ABSENT;

	if (!change->old.id[0] || (both && change->body == PATCH_NO_CONTENT))
		return;
	buf_appendf(out, "index %s..%s", change->old.id, change->new.id);
	if (both && change->old.executable == change->new.executable)
		buf_appendf(out, " %s", mode_of(&change->new));
	buf_append_char(out, '\n');
}

static void write_header(struct buf *out, const struct patch_change *change)
{
	const struct relpath *path = patch_path(change);
	const struct relpath *old = change->old.path.text ? &change->old.path : path;

	buf_append_str(out, "diff --git ");
	patch_name_append(out, "a/", relpath_view(old));
	buf_append_char(out, ' ');
	patch_name_append(out, "b/", relpath_view(path));
	buf_append_char(out, '\n');
	write_modes(out, change);
	if (patch_is_rename(change)) {
		buf_appendf(out, "similarity index %u%%\n", change->similarity);
		write_name_line(out, "rename from ", "", &change->old.path);
		write_name_line(out, "rename to ", "", &change->new.path);
	}
	write_index(out, change);
}

/* --- content --------------------------------------------------------------------- */

/* A name with a space ends in a tab, so that its end can be seen. */
static void write_label(
	struct buf *out, const char *sign, const char *prefix, const struct patch_end *end)
{
	buf_append_str(out, sign);
	if (!end->path.text) {
		buf_append_str(out, " /dev/null\n");
		return;
	}
	buf_append_char(out, ' ');
	patch_name_append(out, prefix, relpath_view(&end->path));
	for (const char *c = end->path.text; *c; c++) {
		if (*c == ' ') {
			buf_append_char(out, '\t');
			break;
		}
	}
	buf_append_char(out, '\n');
}

/* Lines count from 1 here; where there are none, the line before is named. */
static void write_range(struct buf *out, char sign, size_t start, size_t count)
{
	buf_appendf(out, "%c%zu", sign, count ? start + 1 : start);
	if (count != 1)
		buf_appendf(out, ",%zu", count);
}

static void write_text(struct buf *out, const struct patch_change *change)
{
	write_label(out, "---", "a/", &change->old);
	write_label(out, "+++", "b/", &change->new);
	for (size_t i = 0; i < change->hunk_count; i++) {
		const struct patch_hunk *hunk = &change->hunks[i];

		buf_append_str(out, "@@ ");
		write_range(out, '-', hunk->old_start, hunk->old_count);
		buf_append_char(out, ' ');
		write_range(out, '+', hunk->new_start, hunk->new_count);
		buf_append_str(out, " @@\n");
		buf_append(out, hunk->lines.data, hunk->lines.len);
	}
}

static void write_binary(struct buf *out, const struct patch_binary *binary)
{
	CLEANUP(buf_release) struct buf compressed = BUF_INIT;

	buf_appendf(out, "%s %zu\n", binary->delta ? "delta" : "literal", binary->data.len);
	deflate_append(&compressed, view_of_buf(&binary->data));
	base85_append(out, view_of_buf(&compressed));
	buf_append_char(out, '\n');
}

static void write_change(struct buf *out, const struct patch_change *change)
{
	write_header(out, change);
	if (change->body == PATCH_TEXT) {
		write_text(out, change);
	} else if (change->body == PATCH_BINARY) {
		buf_append_str(out, "GIT binary patch\n");
		write_binary(out, &change->forward);
		write_binary(out, &change->reverse);
	}
}

/* --- all of it ------------------------------------------------------------------- */

/* By path; of one path the deletion comes first. */
static int in_order(const void *a, const void *b)
{
	const struct patch_change *x = *(const struct patch_change *const *)a;
	const struct patch_change *y = *(const struct patch_change *const *)b;
	int order = relpath_compare(patch_path(x), patch_path(y));

	if (order)
		return order;
	return (x->new.kind != PATCH_ABSENT) - (y->new.kind != PATCH_ABSENT);
}

static const struct patch_change **sorted(const struct patch *patch)
{
	const struct patch_change **list = xcalloc(patch->count + 1, sizeof(*list));

	for (size_t i = 0; i < patch->count; i++)
		list[i] = &patch->changes[i];
	qsort(list, patch->count, sizeof(*list), in_order);
	return list;
}

int patch_write(const struct patch *patch, struct buf *out, struct error *err)
{
	CLEANUP(freep) const struct patch_change **list = sorted(patch);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t binary = 0;

	patch_message_append(&text, view_of_buf(&patch->message));
	for (size_t i = 0; i < patch->count; i++) {
		binary += list[i]->forward.data.len + list[i]->reverse.data.len;
		write_change(&text, list[i]);
		if (text.len > PATCH_MAX_SIZE || binary > PATCH_MAX_SIZE)
			return error_set(err, ERROR_INVALID,
				"the changes are too large for a patch: more than %zu bytes",
				PATCH_MAX_SIZE);
	}
	buf_append(out, text.data, text.len);
	return 0;
}
