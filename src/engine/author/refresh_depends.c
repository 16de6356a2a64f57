/*
 * A package that was written on top of others: its `base_hashes` names what these make of the
 * core's file, one of them alone or all together (author_plan.c). It is brought to the same
 * combination of their present files, which this refresh may have staged.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/author/internal.h"
#include "engine/conflict/merge3.h"
#include "engine/session/core_past.h"

/* A dependency that modifies the file. */
struct beneath_file {
	const struct package *package;
	struct relpath path; /* of the file, in the project */
	struct tx_file then; /* as it is on disk */
	struct tx_file now;  /* as it will be */
};

struct beneath_files {
	struct beneath_file *list;
	size_t count, cap;
};

static void beneath_files_release(struct beneath_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		relpath_release(&files->list[i].path);
		tx_file_release(&files->list[i].then);
		tx_file_release(&files->list[i].now);
	}
	free(files->list);
}

static bool has_hash(const struct tx_file *file, const struct hash *hash)
{
	struct hash is = hash_of(view_of_buf(&file->content));

	return file->kind == TX_FILE && hash_equal(&is, hash);
}

static int collect_beneath(
	struct carried *c, struct carried_file *f, struct beneath_files *files)
{
	const struct manifest *m = &c->package->manifest;
	struct transaction *tx = c->session->tx;

	for (size_t i = 0; i < m->depends.count; i++) {
		const struct package *other =
			package_list_find(c->packages, m->depends.list[i].skill);
		const struct relpath *const names[] = {f->path, &f->in_core};
		struct beneath_file *file;

		if (!other || !manifest_modifies(&other->manifest, f->path))
			continue;
		GROW(files->list, files->count, files->cap);
		file = &files->list[files->count++];
		*file = (struct beneath_file){.package = other,
			.path = RELPATH_INIT,
			.then = {.kind = TX_FILE, .content = BUF_INIT},
			.now = TX_FILE_INIT};
		if (package_read_modify(
			    other, f->path, &file->then.content, &file->then.mode, c->err) < 0)
			return -1;
		/* The core may have renamed it, and the refresh of the dependency has followed. */
		for (size_t j = 0; j < ARRAY_SIZE(names) && file->now.kind != TX_FILE; j++) {
			relpath_release(&file->path);
			file->path = RELPATH_INIT;
			if (relpath_printf(&file->path, c->err, "%s/modify/%s", other->folder,
				    names[j]->text) < 0 ||
				transaction_read(tx, &file->path, &file->now, c->err) < 0)
				return -1;
		}
	}
	return 0;
}

/* Merge the changes of all these files into the core's file; TX_ABSENT if they conflict. */
static int compose(struct carried *c, const struct tx_file *core,
	const struct beneath_files *files, bool now, struct tx_file *ret_file)
{
	CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;

	if (!merge3_is_text(core))
		return 0;
	tx_file_copy(core, &made);
	for (size_t i = 0; i < files->count; i++) {
		CLEANUP(tx_file_release) struct tx_file merged = TX_FILE_INIT;
		const struct tx_file *theirs = now ? &files->list[i].now : &files->list[i].then;
		bool clean;

		if (!merge3_is_text(theirs))
			return 0;
		if (merge3(core, &made, theirs, &merged, &clean, c->err) < 0)
			return -1;
		if (!clean)
			return 0;
		tx_file_copy(&merged, &made);
	}
	tx_file_copy(&made, ret_file);
	ret_file->mode = core->mode;
	return 0;
}

/* A file with an open conflict: its result is not known yet. */
static const struct package *find_open(
	const struct carried *c, const struct beneath_files *files)
{
	const struct operation_result *r = c->session->result;

	for (size_t i = 0; i < files->count; i++)
		for (size_t j = 0; j < r->conflict_count; j++)
			if (!relpath_compare(&r->conflicts[j].path, &files->list[i].path))
				return files->list[i].package;
	return NULL;
}

/* Takes ownership of both files. */
static void take_sides(
	struct carried_file *f, struct tx_file *then, struct tx_file *now, char *label)
{
	bool same = view_equal(view_of_buf(&then->content), view_of_buf(&now->content));

	f->ancestor.file = *then;
	f->ancestor.label = label;
	tx_file_release(&f->core);
	f->core = *now;
	*then = *now = TX_FILE_INIT;
	f->state = same ? REFRESH_FITS : REFRESH_MERGES;
}

/* On top of one of them, in its version on the disk or an earlier one. */
static int find_alone(struct carried *c, struct carried_file *f, const struct hash *hash,
	struct beneath_files *files, bool *ret_found)
{
	for (size_t i = 0; i < files->count && !*ret_found; i++) {
		struct beneath_file *file = &files->list[i];
		CLEANUP(tx_file_release) struct tx_file past = TX_FILE_INIT;

		if (file->now.kind != TX_FILE)
			continue;
		if (has_hash(&file->now, hash)) {
			f->state = REFRESH_FITS;
			*ret_found = true;
			return 0;
		}
		*ret_found = has_hash(&file->then, hash);
		if (!*ret_found && core_past_in_git(c->session, &file->path, hash, &past,
					   ret_found, c->err) < 0)
			return -1;
		if (*ret_found)
			take_sides(f, past.kind == TX_FILE ? &past : &file->then, &file->now,
				xasprintf("%s, as the skill knew it",
					file->package->manifest.skill));
	}
	return 0;
}

static int find_together(struct carried *c, struct carried_file *f, const struct relpath *known,
	const struct hash *hash, const struct beneath_files *files, bool *ret_found)
{
	const struct manifest *m = &c->package->manifest;
	CLEANUP(tx_file_release) struct tx_file core = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file then = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;
	bool known_core;

	if (compose(c, &f->core, files, true, &now) < 0 ||
		core_past_by_version(
			c->session, known, m->core_version, &core, &known_core, c->err) < 0)
		return -1;
	if (has_hash(&now, hash)) {
		f->state = REFRESH_FITS;
		*ret_found = true;
		return 0;
	}
	if (compose(c, &core, files, false, &then) < 0)
		return -1;
	if (now.kind != TX_FILE || !has_hash(&then, hash))
		return 0;
	*ret_found = true;
	take_sides(f, &then, &now, xstrdup("what it depends on, as the skill knew it"));
	return 0;
}

int refresh_on_dependencies(struct carried *c, struct carried_file *f,
	const struct relpath *known, const struct hash *hash, bool *ret_others, bool *ret_found)
{
	CLEANUP(beneath_files_release) struct beneath_files files = {0};
	const struct package *open;

	*ret_found = *ret_others = false;
	if (collect_beneath(c, f, &files) < 0)
		return -1;
	*ret_others = files.count > 0;
	open = find_open(c, &files);
	if (files.count && find_alone(c, f, hash, &files, ret_found) < 0)
		return -1;
	if (files.count && !*ret_found &&
		find_together(c, f, known, hash, &files, ret_found) < 0)
		return -1;
	if (open && (f->state == REFRESH_MERGES || !*ret_found)) {
		*ret_found = true;
		f->state = REFRESH_WAITS;
		f->detail = xasprintf("'%s', which it builds on, must be resolved first",
			open->manifest.skill);
	}
	return 0;
}
