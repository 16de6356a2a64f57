/*
 * The packages and shipped resolutions of the new core.
 *
 * A package that the project does not have is added. An older version is replaced with all its
 * files; files that the person may have edited are kept in .nanoclaw/kept. A different package
 * of the same or a newer version stays: it is unknown whether the person has edited it. So does
 * a package of another skill. Packages that only the project has are not touched.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/package/manifest.h"
#include "engine/package/pack.h"
#include "engine/package/semver.h"
#include "engine/update/internal.h"

/* The files of one package: [first, end) of the source's. */
struct group {
	struct core_update *update;
	struct relpath folder;
	size_t first;
	size_t end;
	struct manifest now; /* of the new core */
	struct manifest there;
	bool is_there;
};

static void group_release(struct group *group)
{
	relpath_release(&group->folder);
	manifest_release(&group->now);
	manifest_release(&group->there);
}

static int stage_package_file(struct core_update *u, const struct core_file *file)
{
	CLEANUP(tx_file_release) struct tx_file new = TX_FILE_INIT;

	if (file->file.kind != TX_ABSENT && core_source_read(u->source, file, &new, u->err) < 0)
		return -1;
	return tx_file_stage(u->session->tx, &file->path, &new, u->err);
}

/* --- versions ----------------------------------------------------------------------------- */

static int read_manifests(struct group *g)
{
	struct core_update *u = g->update;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;
	CLEANUP(faults_release) struct faults ignored = FAULTS_INIT;

	if (relpath_join(&g->folder, view_of("manifest.yaml"), &path, u->err) < 0 ||
		transaction_read(u->session->tx, &path, &text, u->err) < 0)
		return -1;
	if (text.kind == TX_FILE)
		manifest_parse(view_of_buf(&text.content), path.text, &g->there, &ignored);
	g->is_there = text.kind == TX_FILE;
	for (size_t i = g->first; i < g->end; i++) {
		CLEANUP(tx_file_release) struct tx_file new = TX_FILE_INIT;
		CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

		if (relpath_compare(&u->source->packages.list[i].path, &path) != 0)
			continue;
		if (core_source_read(u->source, &u->source->packages.list[i], &new, u->err) < 0)
			return -1;
		manifest_parse(view_of_buf(&new.content), path.text, &g->now, &faults);
		if (faults_as_error(&faults, u->err) < 0)
			return error_prefix(u->err, "the new core's '%s'", g->folder.text);
	}
	return 0;
}

/* --- replaced files -------------------------------------------------------- */

/* Save a content that is about to be replaced under a free name below .nanoclaw/kept. */
static int keep_aside(struct core_update *u, const struct tx_file *file, const char *name)
{
	for (unsigned n = 1;; n++) {
		CLEANUP(relpath_release) struct relpath to = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
		struct view content = view_of_buf(&file->content);

		if ((n == 1 ? relpath_printf(&to, u->err, ".nanoclaw/kept/%s", name)
			    : relpath_printf(&to, u->err, ".nanoclaw/kept/%s.%u", name, n)) <
				0 ||
			transaction_read(u->session->tx, &to, &there, u->err) < 0)
			return -1;
		if (there.kind == TX_FILE && view_equal(view_of_buf(&there.content), content))
			return 0;
		if (there.kind == TX_ABSENT)
			return transaction_put(
				u->session->tx, &to, content, file->mode, u->err);
	}
}

/* The file that the skill was applied with, or NULL if it is not known. */
static const struct pack_entry *find_applied(const struct pack *pack, const char *name)
{
	static const struct {
		const char *prefix;
		enum pack_part part;
	} parts[] = {{"add/", PACK_ADD}, {"modify/", PACK_MODIFY}, {"", PACK_MANIFEST}};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

		if (!view_starts_with(view_of(name), parts[i].prefix))
			continue;
		path = relpath_of(name + strlen(parts[i].prefix));
		return pack_find(pack, parts[i].part, &path);
	}
	return NULL;
}

/* Keep a replaced file of a package, unless it is certainly unedited. */
static int keep_replaced(struct group *g, const struct core_file *replaced,
	const struct pack *applied, const char *to, bool *ret_edited)
{
	struct core_update *u = g->update;
	const char *name = replaced->path.text + strlen(g->folder.text) + 1;
	CLEANUP(freep) char *kept = xasprintf("%s/%s", to, name);
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;
	const struct pack_entry *entry = find_applied(applied, name);

	/* The base has it if it was a part of the core, and not of a package, until now. */
	if (transaction_read(u->session->tx, &replaced->path, &file, u->err) < 0 ||
		session_read_base(u->session, &replaced->path, &base, u->err) < 0)
		return -1;
	if (file.kind != TX_FILE ||
		(base.kind == TX_FILE &&
			view_equal(view_of_buf(&file.content), view_of_buf(&base.content))) ||
		(entry && view_equal(view_of_buf(&file.content), pack_content(applied, entry))))
		return 0;
	*ret_edited |= entry || !g->is_there;
	return keep_aside(u, &file, kept);
}

/*
 * For an applied package, most of its original files are known. For any other package it is
 * unknown whether a file was edited: it is kept, without a warning.
 */
static int keep_edits(struct group *g)
{
	struct core_update *u = g->update;
	const struct applied_skill *applied =
		g->there.skill ? state_find(&u->session->state, g->there.skill) : NULL;
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	CLEANUP(freep)
	char *to = g->is_there ? xasprintf("%s-%s", g->there.skill, g->there.version)
			       : xstrdup(g->folder.text);
	bool edited = false;

	if (applied && !strcmp(applied->version, g->there.version) &&
		pack_load(u->session->project, applied->name, &pack, u->err) < 0)
		return -1;
	for (size_t i = g->first; i < g->end; i++)
		if (u->source->packages.list[i].change == CORE_CHANGED &&
			keep_replaced(g, &u->source->packages.list[i], &pack, to, &edited) < 0)
			return -1;
	if (edited && g->is_there)
		session_warn(u->session,
			"the package '%s' was changed since it was applied; these files of it are "
			"in '.nanoclaw/kept/%s'",
			g->folder.text, to);
	else if (edited)
		session_warn(u->session,
			"the new core has a package '%s', where you had files; they are "
			"in '.nanoclaw/kept/%s'",
			g->folder.text, to);
	return 0;
}

/* --- one package ------------------------------------------------------------------ */

static int stage_package(struct group *g)
{
	struct core_update *u = g->update;

	for (size_t i = g->first; i < g->end; i++)
		if (u->source->packages.list[i].change != CORE_SAME &&
			stage_package_file(u, &u->source->packages.list[i]) < 0)
			return -1;
	string_array_add(&u->staged, g->folder.text);
	return 0;
}

static int stage_group(struct group *g)
{
	struct core_update *u = g->update;
	bool changed = false;

	for (size_t i = g->first; i < g->end; i++)
		changed |= u->source->packages.list[i].change != CORE_SAME;
	if (!changed)
		return 0;
	if (read_manifests(g) < 0)
		return -1;
	if (!g->now.skill)
		return 0; /* instructions for Claude Code, and no package */
	if (!g->is_there) {
		string_array_add(&u->result->new_skills, g->now.skill);
		return keep_edits(g) < 0 ? -1 : stage_package(g);
	}
	/* The person's own skill is in a folder that the new core uses for another one. */
	if (g->there.skill && strcmp(g->there.skill, g->now.skill) != 0) {
		string_array_add(&u->result->kept_packages, g->folder.text);
		session_warn(u->session,
			"the package '%s' is the skill '%s' here, and '%s' in the new core: it "
			"stays as it is; if you want the new core's, give the folder another name "
			"and update again",
			g->folder.text, g->there.skill, g->now.skill);
		return 0;
	}
	if (!g->there.version || !g->there.skill ||
		semver_compare_text(g->now.version, g->there.version) <= 0) {
		string_array_add(&u->result->kept_packages, g->folder.text);
		session_warn(u->session,
			"the package '%s' is not the new core's, and not older: it stays as it is",
			g->folder.text);
		return 0;
	}
	string_array_add(&u->result->new_packages, g->now.skill);
	return keep_edits(g) < 0 ? -1 : stage_package(g);
}

int core_update_stage_packages(struct core_update *u)
{
	const struct core_tree *packages = &u->source->packages;
	struct transaction *tx = u->session->tx;

	for (size_t i = 0, end; i < packages->count; i = end) {
		const struct core_file *file = &packages->list[i];
		struct view path = relpath_view(&file->path);
		size_t len = core_skills_folder_len(path);
		CLEANUP(freep) char *folder = xasprintf("%.*s/", (int)len, path.data);
		CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
		CLEANUP(group_release)
		struct group g = {
			.update = u, .first = i, .now = MANIFEST_INIT, .there = MANIFEST_INIT};

		end = i + 1;
		/* Shipped resolutions are in no package. */
		if (!len && file->change != CORE_SAME &&
			(transaction_read(tx, &file->path, &there, u->err) < 0 ||
				(there.kind == TX_FILE &&
					keep_aside(u, &there, file->path.text) < 0) ||
				stage_package_file(u, file) < 0))
			return -1;
		if (!len)
			continue;
		while (end < packages->count &&
			view_starts_with(relpath_view(&packages->list[end].path), folder))
			end++;
		g.end = end;
		if (relpath_parse((struct view){path.data, len}, &g.folder, u->err) < 0 ||
			stage_group(&g) < 0)
			return -1;
	}
	return 0;
}
