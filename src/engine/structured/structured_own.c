/*
 * Which file it is, and what of its content is its own.
 */
#include <string.h>

#include "engine/session/recorded.h"
#include "engine/structured/internal.h"

void structured_work_release(struct structured_work *w)
{
	contributions_release(&w->contributions);
	relpath_release(&w->path);
	tx_file_release(&w->file);
}

void structured_own_release(struct structured_own *own)
{
	buf_release(&own->text);
}

/* --- the file ---------------------------------------------------------- */

static int structured_file_exists(
	struct structured_work *w, const char *name, bool *ret_found, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

	if (relpath_parse(view_of(name), &path, err) < 0 ||
		transaction_read(w->session->tx, &path, &file, err) < 0)
		return -1;
	*ret_found = file.kind != TX_ABSENT;
	return 0;
}

int structured_read(struct structured_work *w, struct error *err)
{
	const char *const *names = w->format->names;
	const char *chosen = w->format->made_as ? w->format->made_as : names[0];
	bool found = false;

	/* The previous name, the first name that exists, or else the default. */
	w->entry = structured_entry(&w->session->state, w->format, &chosen);
	if (w->entry && structured_file_exists(w, chosen, &found, err) < 0)
		return -1;
	for (size_t i = 0; names[i] && !found; i++) {
		if (structured_file_exists(w, names[i], &found, err) < 0)
			return -1;
		if (found)
			chosen = names[i];
	}
	if (relpath_parse(view_of(chosen), &w->path, err) < 0 ||
		transaction_read(w->session->tx, &w->path, &w->file, err) < 0)
		return -1;
	if (w->file.kind != TX_FILE && w->file.kind != TX_ABSENT) {
		error_set(err, ERROR_INVALID,
			"'%s' is not a file, and skills have entries for it", w->path.text);
		return error_hint(err, "put a file in its place, or move it away");
	}
	if (w->file.content.len <= STRUCTURED_MAX_FILE)
		return 0;
	return error_set(err, ERROR_INVALID, "'%s' has more than %zu MiB", w->path.text,
		STRUCTURED_MAX_FILE / 1024 / 1024);
}

/* --- its own content ------------------------------------------------------------------ */

/* Combine the entries that a person did not want before and those they do not want now. */
static struct yaml_node *merge_unwanted(
	struct yaml_doc *doc, const struct yaml_node *before, struct yaml_node *now)
{
	struct yaml_node *all;

	if (!before || (now && before->kind != now->kind))
		return now;
	all = yaml_copy(doc, before);
	for (size_t i = 0; now && i < now->count; i++) {
		bool known = false;

		if (now->kind == YAML_MAPPING) {
			yaml_set_view(all, now->entries[i].key, now->entries[i].value);
			continue;
		}
		for (size_t j = 0; j < before->count; j++)
			known |= yaml_equal(before->items[j], now->items[i]);
		if (!known)
			yaml_append(all, now->items[i]);
	}
	return all;
}

/* Use the kept content if the file was not changed since, and the content is not lost. */
static int read_kept_own(const struct structured_work *w, const struct tx_file *file,
	struct structured_own *ret_own, bool *ret_kept, struct error *err)
{
	struct hash now = hash_of(view_of_buf(&file->content)), written, own;

	*ret_kept = !structured_is_unfolded(w->entry) &&
		    structured_get_hash(w->entry, "written", &written) &&
		    hash_equal(&now, &written);
	if (!*ret_kept)
		return 0;
	ret_own->unwanted = yaml_get(w->entry, "unwanted");
	ret_own->exists = structured_get_hash(w->entry, "own", &own);
	if (!ret_own->exists)
		return 0;
	return recorded_try_find(w->session, &w->path, &own, &ret_own->text, ret_kept, err);
}

/* The contributions of skills that were applied before this operation. */
static void collect_earlier(const struct structured_work *w, struct contributions *ret_earlier)
{
	size_t kept = 0;

	contributions_collect(
		&w->session->state, w->session->state.skill_count, w->format, ret_earlier);
	for (size_t i = 0; i < ret_earlier->count; i++) {
		bool in_operation = false;

		for (size_t j = 0; j < w->skills->count; j++)
			in_operation |= !strcmp(w->skills->list[j], ret_earlier->list[i].skill);
		if (!in_operation)
			ret_earlier->list[kept++] = ret_earlier->list[i];
	}
	ret_earlier->count = kept;
}

int structured_find_own(const struct structured_work *w, const struct tx_file *file,
	struct structured_own *ret_own, struct error *err)
{
	CLEANUP(contributions_release) struct contributions earlier = {0};
	struct yaml_doc *doc = w->session->state.doc;
	const struct yaml_node *record = w->entry ? yaml_get(w->entry, "record") : NULL;
	bool kept = false;

	ret_own->exists = file->kind == TX_FILE;
	if (w->entry && read_kept_own(w, file, ret_own, &kept, err) < 0)
		return -1;
	if (kept)
		return 0;
	buf_clear(&ret_own->text);
	ret_own->exists = file->kind == TX_FILE;
	collect_earlier(w, &earlier);
	if (structured_is_unfolded(w->entry) || (!w->entry && !earlier.count)) {
		ret_own->unwanted = yaml_get(w->entry, "unwanted");
		buf_append(&ret_own->text, file->content.data, file->content.len);
		return 0;
	}
	if (w->format->strip(w->path.text, view_of_buf(&file->content), record, earlier.list,
		    earlier.count, doc, &ret_own->text, &ret_own->unwanted, err) < 0)
		return -1;
	if (w->entry) {
		struct hash own;

		ret_own->unwanted =
			merge_unwanted(doc, yaml_get(w->entry, "unwanted"), ret_own->unwanted);
		/* A file that only skills have written does not exist on its own. */
		ret_own->exists &=
			ret_own->text.len || structured_get_hash(w->entry, "own", &own);
	}
	return 0;
}
