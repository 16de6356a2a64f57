#include "engine/patch/patch.h"

#include <assert.h>
#include <nettle/sha1.h>
#include <stdio.h>
#include <string.h>

#include "engine/patch/patch_parts.h"
#include "engine/patch/patch_similarity.h"
#include "engine/text/merge.h"

/* --- life ------------------------------------------------------------------------ */

void patch_change_release(struct patch_change *change)
{
	relpath_release(&change->old.path);
	relpath_release(&change->new.path);
	for (size_t i = 0; i < change->hunk_count; i++)
		buf_release(&change->hunks[i].lines);
	free(change->hunks);
	buf_release(&change->forward.data);
	buf_release(&change->reverse.data);
}

void patch_release(struct patch *patch)
{
	buf_release(&patch->message);
	for (size_t i = 0; i < patch->count; i++)
		patch_change_release(&patch->changes[i]);
	free(patch->changes);
}

void patch_take_change(struct patch *patch, struct patch_change *change)
{
	GROW(patch->changes, patch->count, patch->cap);
	patch->changes[patch->count++] = *change;
	*change = PATCH_CHANGE_INIT;
}

void patch_set_message(struct patch *patch, struct view message)
{
	buf_clear(&patch->message);
	buf_append(&patch->message, message.data, message.len);
	if (message.len && message.data[message.len - 1] != '\n')
		buf_append_char(&patch->message, '\n');
}

/* --- a change -------------------------------------------------------------------- */

bool patch_is_rename(const struct patch_change *change)
{
	return change->old.path.text && change->new.path.text &&relpath_compare(
						&change->old.path, &change->new.path) != 0;
}

const struct relpath *patch_path(const struct patch_change *change)
{
	return change->new.path.text ? &change->new.path : &change->old.path;
}

void patch_count_lines(
	const struct patch_change *change, size_t *ret_added, size_t *ret_removed)
{
	size_t added = 0, removed = 0;

	for (size_t i = 0; i < change->hunk_count; i++) {
		struct view rest = view_of_buf(&change->hunks[i].lines), content;
		char sign;

		while (patch_next_line(&rest, &sign, &content)) {
			added += sign == '+';
			removed += sign == '-';
		}
	}
	*ret_added = added;
	*ret_removed = removed;
}

void patch_id_of(struct view content, char ret_id[static PATCH_ID_SIZE])
{
	uint8_t digest[SHA1_DIGEST_SIZE];
	struct sha1_ctx context;
	char header[32];
	int len = snprintf(header, sizeof(header), "blob %zu", content.len);

	sha1_init(&context);
	sha1_update(&context, (size_t)len + 1, (const uint8_t *)header);
	sha1_update(&context, content.len, (const uint8_t *)content.data);
	sha1_digest(&context, sizeof(digest), digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(ret_id + 2 * i, 3, "%02x", digest[i]);
}

/* --- making changes -------------------------------------------------------------- */

static void set_end(
	struct patch_end *end, const struct relpath *path, const struct patch_side *side)
{
	end->kind = side->kind;
	end->executable = side->kind == PATCH_FILE && side->executable;
	if (side->kind == PATCH_ABSENT) {
		memcpy(end->id, PATCH_NULL_ID, sizeof(end->id));
		return;
	}
	end->path = relpath_copy(path);
	patch_id_of(side->content, end->id);
}

static int set_body(struct patch_change *change, const struct patch_side *old,
	const struct patch_side *new, struct error *err)
{
	if (view_equal(old->content, new->content))
		return 0;
	if (!merge_is_binary(old->content) && !merge_is_binary(new->content)) {
		change->body = PATCH_TEXT;
		return patch_make_hunks(old->content, new->content, change, err);
	}
	change->body = PATCH_BINARY;
	buf_append(&change->forward.data, new->content.data, new->content.len);
	buf_append(&change->reverse.data, old->content.data, old->content.len);
	return 0;
}

/* Between sides of one kind, or with one that is absent. */
static int add_one(struct patch *patch, const struct relpath *old_path,
	const struct patch_side *old, const struct relpath *new_path,
	const struct patch_side *new, struct error *err)
{
	CLEANUP(patch_change_release) struct patch_change change = PATCH_CHANGE_INIT;

	set_end(&change.old, old_path, old);
	set_end(&change.new, new_path, new);
	if (set_body(&change, old, new, err) < 0) {
		CLEANUP(freep) char *shown = relpath_quote(patch_path(&change));

		return error_prefix(err, "%s", shown);
	}
	if (patch_is_rename(&change))
		change.similarity = patch_similarity(old->content, new->content) / 100;
	else if (change.body == PATCH_NO_CONTENT &&
		 change.old.kind == change.new.kind &&change.old.executable ==
			 change.new.executable)
		return 0;
	patch_take_change(patch, &change);
	return 0;
}

static int check_size(const struct patch_side *side, const struct relpath *path, size_t count,
	struct error *err)
{
	CLEANUP(freep) char *shown = NULL;

	if (side->kind == PATCH_ABSENT)
		return 0;
	assert(side->kind == PATCH_FILE || side->kind == PATCH_SYMLINK);
	shown = relpath_quote(path);
	if (side->content.len > PATCH_MAX_SIZE)
		return error_set(err, ERROR_INVALID,
			"%s has %zu bytes; files in a patch have at most %zu", shown,
			side->content.len, PATCH_MAX_SIZE);
	if (count >= PATCH_MAX_FILES)
		return error_set(err, ERROR_INVALID, "%s: a patch changes at most %zu files",
			shown, PATCH_MAX_FILES);
	return 0;
}

int patch_add_change(struct patch *patch, const struct relpath *old_path,
	const struct patch_side *old, const struct relpath *new_path,
	const struct patch_side *new, struct error *err)
{
	static const struct patch_side absent = {PATCH_ABSENT, false, {"", 0}};

	if (check_size(old, old_path, patch->count, err) < 0 ||
		check_size(new, new_path, patch->count, err) < 0)
		return -1;
	if (old->kind == PATCH_ABSENT && new->kind == PATCH_ABSENT)
		return 0;
	if (old->kind == PATCH_ABSENT)
		return add_one(patch, NULL, &absent, new_path, new, err);
	if (new->kind == PATCH_ABSENT)
		return add_one(patch, old_path, old, NULL, &absent, err);
	if (old->kind == new->kind)
		return add_one(patch, old_path, old, new_path, new, err);
	if (add_one(patch, old_path, old, NULL, &absent, err) < 0)
		return -1;
	return add_one(patch, NULL, &absent, new_path, new, err);
}
