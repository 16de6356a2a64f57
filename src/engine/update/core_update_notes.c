/*
 * The notes of a paused update:
 *
 *	from, to	the versions
 *	source		where the new core came from, for the report
 *	guide		migration.md, for the resolver
 *	migrations	skills that preserve old behavior
 *	patches, patch_failures, new_skills	for the report
 *	rebase		true if everything is flattened at the end
 *	install		true if dependencies are installed at the end
 *	open		files with a conflict, whose layers are recorded when it is resolved;
 *			for a file with unrecorded changes also the file in the `tree`, and
 *			the file `without` these changes
 */
#include <stdlib.h>
#include <string.h>

#include "engine/conflict/merge3.h"
#include "engine/session/recorded.h"
#include "engine/update/internal.h"

static struct yaml_node *notes_root(struct session *s)
{
	if (!s->notes) {
		s->notes = yaml_doc_new("update");
		s->notes->root = yaml_new_mapping(s->notes);
	}
	return s->notes->root;
}

void core_update_note(struct core_update *u)
{
	struct yaml_node *root = notes_root(u->session);
	struct yaml_node *list = yaml_new_sequence(root->doc);

	yaml_set_string(root, "from", u->result->previous_version);
	yaml_set_string(root, "to", u->result->new_version);
	if (u->session->options->rebase)
		yaml_set(root, "rebase", yaml_new_bool(root->doc, true));
	if (u->source->guide.len)
		yaml_set(root, "guide",
			yaml_new_string_view(root->doc, view_of_buf(&u->source->guide)));
	for (size_t i = 0; i < u->result->migration_count; i++) {
		const struct update_migration *m = &u->result->migrations[i];
		struct yaml_node *entry = yaml_new_mapping(root->doc);

		yaml_set_string(entry, "skill", m->skill);
		yaml_set_string(entry, "version", m->version);
		yaml_set_string(entry, "description", m->description);
		yaml_append(list, entry);
	}
	yaml_set(root, "migrations", list);
}

void core_update_forget_migration(struct session *s, const char *skill)
{
	struct update_result *r = s->result->update;
	struct yaml_node *list = yaml_get(notes_root(s), "migrations");
	size_t kept = 0;

	for (size_t i = 0; list && i < list->count; i++)
		if (!view_equal_str(yaml_get(list->items[i], "skill")->text, skill))
			list->items[kept++] = list->items[i];
	if (list)
		list->count = kept;
	kept = 0;
	for (size_t i = 0; i < r->migration_count; i++) {
		if (strcmp(r->migrations[i].skill, skill) != 0) {
			r->migrations[kept++] = r->migrations[i];
			continue;
		}
		free(r->migrations[i].skill);
		free(r->migrations[i].version);
		free(r->migrations[i].description);
	}
	r->migration_count = kept;
}

static struct yaml_node *strings_node(struct yaml_doc *doc, const struct string_array *array)
{
	struct yaml_node *list = yaml_new_sequence(doc);

	for (size_t i = 0; i < array->count; i++)
		yaml_append(list, yaml_new_string(doc, array->list[i]));
	return list;
}

void core_update_note_install(struct session *s)
{
	s->dependencies_changed = true;
	yaml_set(notes_root(s), "install", yaml_new_bool(notes_root(s)->doc, true));
}

void core_update_note_result(struct session *s)
{
	struct yaml_node *root = notes_root(s);
	const struct update_result *r = s->result->update;

	yaml_set(root, "patches", strings_node(root->doc, &r->patches));
	yaml_set(root, "patch_failures", strings_node(root->doc, &r->patch_failures));
	yaml_set(root, "new_skills", strings_node(root->doc, &r->new_skills));
}

/* --- conflicts -------------------------------------------------------------------- */

static void note_side(struct yaml_node *entry, const char *name, const struct tx_file *file)
{
	struct layer_file is = layer_file_of(file);
	struct yaml_node *side;

	if (file->kind == TX_ABSENT)
		return;
	side = yaml_new_mapping(entry->doc);
	yaml_set_hash(side, "hash", &is.hash);
	yaml_set(side, "executable", yaml_new_bool(entry->doc, is.executable));
	yaml_set(side, "link", yaml_new_bool(entry->doc, is.kind == TX_SYMLINK));
	yaml_set(entry, name, side);
}

void core_update_note_open(
	struct session *s, const struct placed_file *placed, bool decision, bool apart)
{
	struct yaml_node *root = notes_root(s);
	struct yaml_node *entry = yaml_new_mapping(root->doc);
	CLEANUP(freep) char *path = layer_key(relpath_view(&placed->path));

	yaml_set_string(entry, "path", path);
	yaml_set(entry, "decision", yaml_new_bool(root->doc, decision));
	if (placed->in_base.text) {
		CLEANUP(freep) char *in_base = layer_key(relpath_view(&placed->in_base));

		yaml_set_string(entry, "in_base", in_base);
	}
	note_side(entry, "old", &placed->old);
	if (apart && placed->file.kind == TX_FILE) {
		yaml_set_hash(entry, "recorded", &placed->file.hash);
		yaml_set(
			entry, "executable", yaml_new_bool(root->doc, placed->file.executable));
	}
	yaml_append(yaml_need(root, "open", YAML_SEQUENCE), entry);
}

void core_update_note_changes(
	struct session *s, const struct tx_file *tree, const struct tx_file *without)
{
	struct yaml_node *open = yaml_need(notes_root(s), "open", YAML_SEQUENCE);

	note_side(open->items[open->count - 1], "tree", tree);
	note_side(open->items[open->count - 1], "without", without);
}

static int read_side(struct session *s, const struct yaml_node *side, struct tx_file *ret_file,
	struct error *err)
{
	const struct yaml_node *hex = side ? yaml_get(side, "hash") : NULL;
	struct hash hash;

	if (!hex)
		return 0;
	ret_file->kind = yaml_get_bool(side, "link") ? TX_SYMLINK : TX_FILE;
	ret_file->mode = yaml_get_bool(side, "executable") ? 0755 : 0644;
	if (hash_from_hex(hex->text, &hash, err) < 0)
		return -1;
	return recorded_fetch(s, &hash, &ret_file->content, err);
}

/*
 * The resolved file without the changes that were unrecorded before, if these can be separated.
 */
static int take_changes_out(struct session *s, const struct yaml_node *entry,
	const struct tx_file *resolved, struct layer_file *file, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file without = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file merged = TX_FILE_INIT;
	bool clean;

	if (read_side(s, yaml_get(entry, "tree"), &tree, err) < 0 ||
		read_side(s, yaml_get(entry, "without"), &without, err) < 0)
		return -1;
	if (!merge3_is_text(&tree) || !merge3_is_text(&without) || !merge3_is_text(resolved))
		return 0;
	if (merge3(&tree, resolved, &without, &merged, &clean, err) < 0)
		return -1;
	if (!clean)
		return 0;
	*file = layer_file_of_content(view_of_buf(&merged.content), resolved->mode);
	return recorded_keep(s, view_of_buf(&merged.content), err);
}

/* The file to record: the one in the tree, unless it was recorded apart. */
static int find_recorded(struct session *s, const struct yaml_node *entry,
	struct placed_file *placed, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	const struct yaml_node *hex = yaml_get(entry, "recorded");

	placed->recorded = true;
	if (transaction_read(s->tx, &placed->path, &tree, err) < 0)
		return -1;
	placed->file = layer_file_of(&tree);
	if (tree.kind == TX_ABSENT)
		return core_update_drop(&s->state, &placed->path, err);
	if (hex) {
		placed->file = (struct layer_file){.kind = TX_FILE,
			.mode_known = true,
			.executable = yaml_get_bool(entry, "executable")};
		return hash_from_hex(hex->text, &placed->file.hash, err);
	}
	if (recorded_keep(s, view_of_buf(&tree.content), err) < 0)
		return -1;
	return take_changes_out(s, entry, &tree, &placed->file, err);
}

int core_update_read_open(struct session *s, struct placed_file **ret_placed, size_t *ret_count,
	struct error *err)
{
	const struct yaml_node *open = yaml_get_kind(s->notes->root, "open", YAML_SEQUENCE);
	struct placed_file *list = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < open->count; i++) {
		const struct yaml_node *entry = open->items[i];
		const char *path = yaml_get_text(entry, "path");
		const char *in_base = yaml_get_text(entry, "in_base");
		CLEANUP(freep) char *text = layer_path(view_of(path ? path : ""));
		CLEANUP(freep) char *base = in_base ? layer_path(view_of(in_base)) : NULL;
		struct placed_file *placed;

		GROW(list, count, cap);
		placed = &list[count++];
		*placed = (struct placed_file){.old = TX_FILE_INIT, .new = TX_FILE_INIT};
		if (relpath_parse(view_of(text), &placed->path, err) < 0 ||
			(base && relpath_parse(view_of(base), &placed->in_base, err) < 0) ||
			read_side(s, yaml_get(entry, "old"), &placed->old, err) < 0 ||
			find_recorded(s, entry, placed, err) < 0) {
			placed_files_release(list, count);
			return -1;
		}
		/* A deleted file has no layers. */
		if (placed->file.kind == TX_ABSENT)
			placed_file_release(&list[--count]);
	}
	yaml_remove(s->notes->root, "open");
	*ret_placed = list;
	*ret_count = count;
	return 0;
}

void placed_file_release(struct placed_file *placed)
{
	relpath_release(&placed->path);
	relpath_release(&placed->in_base);
	tx_file_release(&placed->old);
	tx_file_release(&placed->new);
}

void placed_files_release(struct placed_file *placed, size_t count)
{
	for (size_t i = 0; i < count; i++)
		placed_file_release(&placed[i]);
	free(placed);
}
