/*
 * Edits the manifest of a refreshed package in place.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/author/internal.h"
#include "engine/package/intent.h"
#include "format/yaml_edit.h"

/* Which items of a list are dropped, and which are appended. */
struct list_edit {
	bool *dropped;
	struct yaml_edit_new *added;
	size_t count;
};

static struct list_edit list_edit_new(size_t items, size_t added)
{
	return (struct list_edit){xcalloc(items + 1, sizeof(bool)),
		xcalloc(added + 1, sizeof(struct yaml_edit_new)), 0};
}

static void list_edit_release(struct list_edit *list)
{
	free(list->dropped);
	free(list->added);
}

static bool becomes_modified(const struct carried_file *f)
{
	return !f->added || (f->state != REFRESH_FITS && f->state != REFRESH_GIVEN);
}

/* --- paths ------------------------------------------------------------------------ */

/* The plan lists files in the order of the manifest: added files first, then the others. */
static void edit_paths(const struct carried *c, struct yaml_edit *edit)
{
	const struct manifest *m = &c->package->manifest;
	const struct yaml_node *modifies = yaml_get(m->doc->root, "modifies");
	CLEANUP(list_edit_release) struct list_edit adds = list_edit_new(m->adds.count, 0);
	CLEANUP(list_edit_release) struct list_edit more = list_edit_new(0, c->count);

	for (size_t i = 0; i < m->adds.count; i++) {
		const struct carried_file *f = &c->files[i];

		adds.dropped[i] = f->state != REFRESH_FITS;
		if (becomes_modified(f))
			more.added[more.count++] = (struct yaml_edit_new){NULL, f->to.text};
	}
	for (size_t i = 0; i < m->modifies.count; i++)
		if (relpath_compare(c->files[m->adds.count + i].path,
			    &c->files[m->adds.count + i].to) != 0)
			yaml_edit_scalar(
				edit, modifies->items[i], c->files[m->adds.count + i].to.text);
	if (m->adds.count)
		yaml_edit_list(edit, "adds", adds.dropped, NULL, 0);
	yaml_edit_list(edit, "modifies", NULL, more.added, more.count);
}

static void edit_ops(const struct carried *c, struct yaml_edit *edit)
{
	const struct manifest *m = &c->package->manifest;
	const struct yaml_node *ops = yaml_get(m->doc->root, "file_ops");
	CLEANUP(list_edit_release) struct list_edit list = list_edit_new(m->file_op_count, 0);

	for (size_t i = 0; i < m->file_op_count; i++) {
		const struct yaml_node *item = ops->items[i];
		const struct yaml_node *name =
			yaml_get(item, m->file_ops[i].type == FILE_OP_RENAME ? "from" : "path");

		list.dropped[i] = c->ops[i].dropped;
		if (!c->ops[i].dropped &&
			relpath_compare(&c->ops[i].from, &m->file_ops[i].from) != 0)
			yaml_edit_scalar(edit, name, c->ops[i].from.text);
	}
	if (m->file_op_count)
		yaml_edit_list(edit, "file_ops", list.dropped, NULL, 0);
}

/* --- hashes ----------------------------------------------------------------------- */

static void edit_hashes(const struct carried *c, struct yaml_edit *edit)
{
	const struct yaml_node *hashes = yaml_get(edit->doc->root, "base_hashes");
	CLEANUP(list_edit_release) struct list_edit list = list_edit_new(0, c->count);
	CLEANUP(freep)
	char(*hex)[HASH_HEX_SIZE] = xcalloc(c->count + 1, sizeof(*hex));

	for (size_t i = 0; i < c->count; i++) {
		const struct carried_file *f = &c->files[i];
		const struct yaml_entry *entry =
			hashes ? yaml_find(hashes, relpath_view(f->path)) : NULL;
		struct hash hash = hash_of(view_of_buf(&f->core.content));

		if (!f->has_base || !becomes_modified(f))
			continue;
		hash_to_hex(&hash, hex[i]);
		if (entry) {
			yaml_edit_key(edit, entry, f->to.text);
			yaml_edit_scalar(edit, entry->value, hex[i]);
		} else {
			list.added[list.count++] = (struct yaml_edit_new){f->to.text, hex[i]};
		}
	}
	yaml_edit_list(edit, "base_hashes", NULL, list.added, list.count);
}

/* --- the whole -------------------------------------------------------------------- */

static int stage_text(struct session *s, const struct relpath *folder, struct view text,
	struct manifest *ret_manifest, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;

	if (relpath_join(folder, view_of("manifest.yaml"), &path, err) < 0 ||
		transaction_read(s->tx, &path, &there, err) < 0)
		return -1;
	manifest_parse(text, path.text, ret_manifest, &faults);
	if (faults_as_error(&faults, err) < 0)
		return -1;
	return transaction_put(s->tx, &path, text, there.mode, err);
}

/* Does the edited manifest say what the plan intended? */
static bool is_as_meant(
	const struct carried *c, const struct manifest *now, const char *version)
{
	const struct manifest *m = &c->package->manifest;
	size_t adds = 0, modifies = 0, ops = 0;

	for (size_t i = 0; i < c->count; i++) {
		const struct carried_file *f = &c->files[i];
		const struct hash *hash = manifest_base_hash(now, &f->to);
		struct hash is = hash_of(view_of_buf(&f->core.content));

		if (f->added && f->state == REFRESH_FITS) {
			adds++;
			if (!manifest_adds(now, f->path))
				return false;
		} else if (becomes_modified(f)) {
			modifies++;
			if (!manifest_modifies(now, &f->to) ||
				(f->has_base && (!hash || !hash_equal(hash, &is))))
				return false;
		}
	}
	for (size_t i = 0; i < m->file_op_count; i++) {
		if (c->ops[i].dropped)
			continue;
		if (ops >= now->file_op_count ||
			relpath_compare(&now->file_ops[ops].from, &c->ops[i].from) != 0)
			return false;
		ops++;
	}
	return now->adds.count == adds && now->modifies.count == modifies &&
	       now->file_op_count == ops && !strcmp(now->core_version, c->view->version) &&
	       !strcmp(now->version, version ? version : m->version);
}

static int refuse_style(const char *folder, struct error *err)
{
	CLEANUP(freep) char *why = xstrdup(err->message ? err->message : "");

	error_clear(err);
	error_set(err, ERROR_INVALID, "'%s/manifest.yaml' cannot be edited in place%s%s",
		folder, *why ? ": " : "", why);
	return error_hint(err, "write its lists with one item on a line, and try again");
}

int refresh_stage_manifest(struct carried *c, const char *version)
{
	const struct manifest *m = &c->package->manifest;
	CLEANUP(yaml_edit_release)
	struct yaml_edit edit = YAML_EDIT_INIT(view_of(c->package->text), m->doc);
	CLEANUP(manifest_release) struct manifest now = MANIFEST_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	yaml_edit_field(&edit, "core_version", c->view->version);
	if (version)
		yaml_edit_field(&edit, "version", version);
	edit_paths(c, &edit);
	edit_ops(c, &edit);
	edit_hashes(c, &edit);
	if (yaml_edit_finish(&edit, &text, c->err) < 0 ||
		stage_text(c->session, &c->folder, view_of_buf(&text), &now, c->err) < 0 ||
		!is_as_meant(c, &now, version))
		return refuse_style(c->folder.text, c->err);
	return 0;
}

/* --- after a decision ------------------------------------------------------------- */

static int drop_modified(struct session *s, const struct relpath *folder,
	const struct relpath *path, bool added, struct error *err)
{
	CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;
	CLEANUP(manifest_release) struct manifest now = MANIFEST_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(yaml_edit_release) struct yaml_edit edit = {0};
	CLEANUP(list_edit_release) struct list_edit modifies = {0};
	CLEANUP(list_edit_release) struct list_edit hashes = {0};
	const struct yaml_node *known;
	size_t at = 0;

	if (relpath_join(folder, view_of("manifest.yaml"), &name, err) < 0 ||
		transaction_read(s->tx, &name, &file, err) < 0)
		return -1;
	manifest_parse(view_of_buf(&file.content), name.text, &m, &faults);
	if (faults_as_error(&faults, err) < 0)
		return -1;
	while (at < m.modifies.count && relpath_compare(&m.modifies.list[at].path, path) != 0)
		at++;
	if (at == m.modifies.count)
		return 0; /* a person has edited it already */
	edit = YAML_EDIT_INIT(view_of_buf(&file.content), m.doc);
	modifies = list_edit_new(m.modifies.count, 0);
	modifies.dropped[at] = true;
	yaml_edit_list(&edit, "modifies", modifies.dropped, NULL, 0);
	known = yaml_get(m.doc->root, "base_hashes");
	hashes = list_edit_new(known ? known->count : 0, 0);
	for (size_t i = 0; known && known->kind == YAML_MAPPING && i < known->count; i++)
		hashes.dropped[i] = view_equal(known->entries[i].key, relpath_view(path));
	if (known)
		yaml_edit_list(&edit, "base_hashes", hashes.dropped, NULL, 0);
	if (added)
		yaml_edit_list(
			&edit, "adds", NULL, &(struct yaml_edit_new){NULL, path->text}, 1);
	if (yaml_edit_finish(&edit, &text, err) < 0 ||
		stage_text(s, folder, view_of_buf(&text), &now, err) < 0 ||
		manifest_modifies(&now, path) || manifest_adds(&now, path) != added)
		return refuse_style(folder->text, err);
	return 0;
}

int refresh_resolve_gone(struct session *s, const struct relpath *folder,
	const struct relpath *path, struct error *err)
{
	CLEANUP(relpath_release) struct relpath from = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath to = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath intent = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file about = TX_FILE_INIT;

	if (relpath_printf(&from, err, "%s/modify/%s", folder->text, path->text) < 0 ||
		relpath_printf(&to, err, "%s/add/%s", folder->text, path->text) < 0 ||
		relpath_printf(&intent, err, "%s" INTENT_SUFFIX, from.text) < 0 ||
		transaction_read(s->tx, &from, &file, err) < 0 ||
		transaction_read(s->tx, &intent, &about, err) < 0)
		return -1;
	/* An intent describes a change of a file, and there is no change now. */
	if (about.kind == TX_FILE && transaction_remove(s->tx, &intent, err) < 0)
		return -1;
	if (file.kind == TX_FILE &&
		(transaction_put(s->tx, &to, view_of_buf(&file.content), file.mode, err) < 0 ||
			transaction_remove(s->tx, &from, err) < 0))
		return -1;
	return drop_modified(s, folder, path, file.kind == TX_FILE, err);
}
