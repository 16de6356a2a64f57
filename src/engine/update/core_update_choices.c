/*
 * What somebody has chosen already.
 *
 * The new core is merged into the tree first, and a migration skill then takes some of it
 * back. Where the tree had the new default before, the two cannot be told apart after the
 * first step, and the second would take out a line of the person's. So the files of a
 * migration are also merged in the other way: what the tree was, on top of the new core with
 * the migration. If that can be done it counts; and if it is what the tree is without the
 * migration, all that the migration would keep was given up before, and it is left out.
 */
#include "engine/conflict/merge3.h"
#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/state/layer.h"
#include "engine/state/record.h"
#include "engine/state/remap.h"
#include "engine/update/internal.h"
#include "util/beneath.h"

struct choosing {
	struct session *session;
	const struct relpath *path;
	struct tx_file old;  /* of the old core */
	struct tx_file tree; /* as it was before the update */
	struct tx_file kept; /* the new core's, with the migration */
	struct error *err;
};

static void choosing_release(struct choosing *c)
{
	tx_file_release(&c->old);
	tx_file_release(&c->tree);
	tx_file_release(&c->kept);
}

/* The old base is on the disk until the end; `name` is the file's in it. */
static int read_before(struct choosing *c, const struct relpath *name)
{
	struct session *s = c->session;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	int failed;

	s->base_staged = false;
	failed = session_read_base(s, name, &c->old, c->err);
	s->base_staged = true;
	if (failed || c->old.kind != TX_FILE)
		return failed;
	/* Whoever has moved it elsewhere has made it theirs. */
	if (beneath_read(s->project->root, name, TRANSACTION_MAX_FILE, &c->tree.content,
		    &missing) == 0)
		c->tree.kind = TX_FILE;
	return 0;
}

static int find_before(struct choosing *c)
{
	CLEANUP(remap_origins_release) struct remap_origins origins = REMAP_ORIGINS_INIT;

	if (read_before(c, c->path) < 0)
		return -1;
	remap_origins(&c->session->state, c->path, &origins);
	for (size_t i = 0; i < origins.count && c->old.kind == TX_ABSENT; i++)
		if (read_before(c, &origins.list[i]) < 0)
			return -1;
	return 0;
}

/*
 * Migrations are written for the new core: their file is the core with the old default. The
 * result is absent if it cannot be told.
 */
static int choose(struct choosing *c, struct tx_file *ret_chosen)
{
	bool clean;

	if (!merge3_is_text(&c->old) || !merge3_is_text(&c->tree) || !merge3_is_text(&c->kept))
		return 0;
	return merge3(&c->old, &c->kept, &c->tree, ret_chosen, &clean, c->err);
}

/* --- a migration that is applied -------------------------------------------------- */

static int find_kept(struct choosing *c, const char *migration)
{
	CLEANUP(pack_release) struct pack pack = PACK_INIT;
	const struct pack_entry *entry;
	struct view content;

	if (origin_load_pack(c->session, migration, &pack, c->err) < 0)
		return -1;
	entry = origin_find_entry(c->session, &pack, PACK_MODIFY, c->path);
	if (!entry)
		return 0;
	content = pack_content(&pack, entry);
	buf_append(&c->kept.content, content.data, content.len);
	c->kept.kind = TX_FILE;
	return 0;
}

static int put_chosen(struct choosing *c, struct view chosen)
{
	CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;
	struct session *s = c->session;
	struct layer_file file;

	if (transaction_read(s->tx, c->path, &now, c->err) < 0)
		return -1;
	if (now.kind != TX_FILE || view_equal(view_of_buf(&now.content), chosen))
		return 0;
	if (transaction_put(s->tx, c->path, chosen, now.mode, c->err) < 0)
		return -1;
	if (session_has_drift(s, c->path))
		return 0;
	file = layer_file_of_content(chosen, now.mode);
	if (recorded_keep(s, chosen, c->err) < 0)
		return -1;
	return layers_note(&s->state, "", relpath_view(c->path), &file, c->err);
}

static int keep_choice(struct choosing *c, const char *migration)
{
	CLEANUP(tx_file_release) struct tx_file chosen = TX_FILE_INIT;

	if (find_before(c) < 0 || find_kept(c, migration) < 0 || choose(c, &chosen) < 0)
		return -1;
	return chosen.content.len ? put_chosen(c, view_of_buf(&chosen.content)) : 0;
}

/* Does more than one migration of this update change it? Then none has all of it. */
static bool is_shared(const struct session *s, const struct relpath *path)
{
	struct layer_file file;
	size_t count = 0;

	for (size_t i = 0; i < s->state.skill_count; i++) {
		const struct layer layer = {
			.kind = LAYER_SKILL, .node = s->state.skills[i].node};

		count += session_is_migration(s, s->state.skills[i].name) &&
			 layer_get(&layer, relpath_view(path), &file);
	}
	return count > 1;
}

int core_update_keep_choices(struct session *s, const char *migration, struct error *err)
{
	const struct applied_skill *skill = state_find(&s->state, migration);
	CLEANUP(string_array_release)
	struct string_array paths = record_listed(skill ? skill->node : NULL, RECORD_MODIFIED);

	/* After a pause the tree is not what it was, and somebody has seen it. */
	for (size_t i = 0; i < paths.count && !s->continued; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(choosing_release)
		struct choosing c = {s, &path, TX_FILE_INIT, TX_FILE_INIT, TX_FILE_INIT, err};

		if (relpath_parse(view_of(paths.list[i]), &path, err) < 0)
			return -1;
		if (is_shared(s, &path))
			continue;
		if (keep_choice(&c, migration) < 0)
			return -1;
	}
	return 0;
}

/* --- one that is not needed ------------------------------------------------------- */

/* Is the file, with the migration, what it is without it? */
static int changes_nothing(struct choosing *c, const struct package *package,
	const struct relpath *declared, bool *ret_nothing)
{
	CLEANUP(tx_file_release) struct tx_file chosen = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;

	*ret_nothing = false;
	if (package_read_modify(package, declared, &c->kept.content, &c->kept.mode, c->err) < 0)
		return -1;
	c->kept.kind = TX_FILE;
	if (find_before(c) < 0 || choose(c, &chosen) < 0 ||
		transaction_read(c->session->tx, c->path, &now, c->err) < 0)
		return -1;
	*ret_nothing = chosen.content.len && now.kind == TX_FILE &&
		       view_equal(view_of_buf(&now.content), view_of_buf(&chosen.content));
	return 0;
}

int core_update_is_needless(
	struct session *s, const struct package *package, bool *ret_needless, struct error *err)
{
	const struct manifest *m = &package->manifest;

	*ret_needless = !s->continued && m->modifies.count && !m->adds.count &&
			!m->file_op_count && !m->structured;
	for (size_t i = 0; i < m->modifies.count && *ret_needless; i++) {
		CLEANUP(relpath_release)
		struct relpath path = session_resolve(s, &m->modifies.list[i].path);
		CLEANUP(choosing_release)
		struct choosing c = {s, &path, TX_FILE_INIT, TX_FILE_INIT, TX_FILE_INIT, err};

		if (changes_nothing(&c, package, &m->modifies.list[i].path, ret_needless) < 0)
			return -1;
	}
	return 0;
}
