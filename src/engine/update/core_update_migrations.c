/*
 * Migration skills preserve behavior that the core gave up.
 *
 * Skills and patches were made for a core that still had it, so migrations lie below all of
 * them: the tree is merged with the new core *as the migrations change it*, and their entries
 * are inserted at the bottom of the stack.
 *
 *	core 0.5   tel   001-mine		tree
 *	core 0.6   keep-apple   tel   001-mine	tree, merged with core 0.6 and keep-apple
 *
 * A migration that renames or deletes files, builds on other skills, or contradicts another
 * migration cannot lie there. It is applied on top, like any skill.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/conflict/merge3.h"
#include "engine/package/pack.h"
#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/stack/skill_files.h"
#include "engine/state/layer_list.h"
#include "engine/structured/structured_state.h"
#include "engine/text/lines.h"
#include "engine/update/internal.h"

/* One migration on its way to the bottom. */
struct lowering {
	struct core_update *update;
	struct session *session;
	const struct package *package;
	struct lower_file *files; /* their content after the migration */
	size_t file_count, file_cap;
	struct pack pack;
	struct yaml_node *record;
	bool fits;
	bool needless; /* the tree comes out the same without it */
	struct error *err;
};

static void lower_files_release(struct lower_file *files, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		relpath_release(&files[i].path);
		tx_file_release(&files[i].file);
	}
	free(files);
}

void core_update_release_lower(struct core_update *u)
{
	batch_release(&u->migrations);
	free(u->records);
	lower_files_release(u->lower, u->lower_count);
}

static int by_path(const void *a, const void *b)
{
	const struct lower_file *x = a, *y = b;

	return relpath_compare(&x->path, &y->path);
}

struct tx_file *core_update_find_lower(const struct core_update *u, const struct relpath *path)
{
	struct lower_file key = {.path = *path}, *found = NULL;

	if (u->lower_count)
		found = bsearch(&key, u->lower, u->lower_count, sizeof(*u->lower), by_path);
	return found ? &found->file : NULL;
}

/* --- does it fit at the bottom? ---------------------------------------------------------------------- */

static bool is_structured(const struct lowering *l, const struct relpath *path)
{
	return yaml_get(structured_files(&l->session->state), path->text);
}

static bool fits_below(const struct lowering *l)
{
	const struct manifest *m = &l->package->manifest;

	if (m->file_op_count)
		return false;
	for (size_t i = 0; i < m->depends.count; i++)
		if (!batch_has(&l->update->migrations, m->depends.list[i].skill))
			return false;
	for (size_t i = 0; i < m->modifies.count; i++) {
		const struct relpath *path = &m->modifies.list[i].path;

		if ((!core_source_find(l->update->source, path) &&
			    !core_update_find_lower(l->update, path)) ||
			is_structured(l, path))
			return false;
	}
	return true;
}

/* An added file must be one of the old core, or belong to nothing else. */
static int check_added(struct lowering *l, const struct relpath *path)
{
	CLEANUP(tx_file_release) struct tx_file old = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;

	if (session_read_base(l->session, path, &old, l->err) < 0 ||
		transaction_read(l->session->tx, path, &tree, l->err) < 0)
		return -1;
	l->fits = !core_source_find(l->update->source, path) &&
		  !core_update_find_lower(l->update, path) && !is_structured(l, path) &&
		  !state_adder_of(&l->session->state, path) &&
		  (old.kind == TX_FILE || tree.kind == TX_ABSENT);
	return 0;
}

/* --- the migration on the new core -------------------------------------------------------- */

/* Are all lines of the migration gone, because each of them was changed later? */
static bool is_hidden(
	const struct tx_file *without, const struct tx_file *with, const struct tx_file *made)
{
	struct view text = view_of_buf(&with->content);
	size_t count = lines_missing(text, view_of_buf(&without->content), NULL, 0);
	CLEANUP(freep) struct view *lines = xcalloc(count + 1, sizeof(*lines));
	bool hidden = count > 0;

	lines_missing(text, view_of_buf(&without->content), lines, count);
	for (size_t i = 0; i < count; i++)
		hidden &= lines_missing(lines[i], view_of_buf(&made->content), NULL, 0) > 0;
	return hidden;
}

/*
 * Is the merged tree the same without the migration, or has it no line of it? A person or a
 * skill may have chosen the new default, or another one, long before the core did.
 */
static int compare_outcomes(struct lowering *l, const struct relpath *path,
	const struct tx_file *without, const struct tx_file *with)
{
	const struct core_file *file = core_source_find(l->update->source, path);
	CLEANUP(relpath_release) struct relpath real = origin_resolve(l->session, path);
	CLEANUP(tx_file_release) struct tx_file old = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file tree = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file one = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file other = TX_FILE_INIT;
	bool clean[2];

	l->needless = false;
	if (!file || !file->from.text)
		return 0;
	if (session_read_base(l->session, &file->from, &old, l->err) < 0 ||
		transaction_read(l->session->tx, &real, &tree, l->err) < 0)
		return -1;
	if (merge3(&old, &tree, without, &one, &clean[0], l->err) < 0 ||
		merge3(&old, &tree, with, &other, &clean[1], l->err) < 0)
		return -1;
	l->needless = clean[1] && ((clean[0] && tx_file_same(&one, &other)) ||
					  is_hidden(without, with, &other));
	return 0;
}

static int lower_file(struct lowering *l, const struct relpath *path, bool added)
{
	CLEANUP(tx_file_release) struct tx_file core = TX_FILE_INIT;
	CLEANUP(tx_file_release)
	struct tx_file want = {.kind = TX_FILE, .content = BUF_INIT};
	const struct core_file *file = core_source_find(l->update->source, path);
	const struct tx_file *below = core_update_find_lower(l->update, path);
	struct tx_file *made;
	struct hash base;

	GROW(l->files, l->file_count, l->file_cap);
	l->files[l->file_count] = (struct lower_file){relpath_copy(path), TX_FILE_INIT};
	made = &l->files[l->file_count++].file;
	if ((added ? package_read_add : package_read_modify)(
		    l->package, path, &want.content, &want.mode, l->err) < 0 ||
		(file && core_source_read(l->update->source, file, &core, l->err) < 0))
		return -1;
	if (!below)
		below = &core;
	if (merge3(&core, below, &want, made, &l->fits, l->err) < 0)
		return -1;
	if (!l->fits)
		return 0;
	base = hash_of(view_of_buf(&core.content));
	pack_add(&l->pack, added ? PACK_ADD : PACK_MODIFY, path, want.mode,
		view_of_buf(&want.content));
	state_record_file(&l->session->state, l->record,
		&(struct file_record){
			.added = added,
			.path = path,
			.base = core.kind == TX_FILE ? &base : NULL,
			.skill = hash_of(view_of_buf(&want.content)),
			.merged = layer_file_of(made),
		});
	if (recorded_keep(l->session, view_of_buf(&made->content), l->err) < 0)
		return -1;
	return l->needless ? compare_outcomes(l, path, below, made) : 0;
}

static int lower_files(struct lowering *l)
{
	const struct manifest *m = &l->package->manifest;

	l->fits = fits_below(l);
	l->needless = m->modifies.count && !m->adds.count && !m->structured;
	for (size_t i = 0; i < m->adds.count && l->fits; i++)
		if (check_added(l, &m->adds.list[i].path) < 0 ||
			(l->fits && lower_file(l, &m->adds.list[i].path, true) < 0))
			return -1;
	for (size_t i = 0; i < m->modifies.count && l->fits; i++)
		if (lower_file(l, &m->modifies.list[i].path, false) < 0)
			return -1;
	return 0;
}

/* --- all migrations -------------------------------------------------------------------------- */

/* Also for a skipped migration, so that the choice that hides it meets no conflict. */
static void take_files(struct lowering *l)
{
	struct core_update *u = l->update;

	for (size_t i = 0; i < l->file_count; i++) {
		struct tx_file *there = core_update_find_lower(u, &l->files[i].path);

		if (there) {
			tx_file_copy(&l->files[i].file, there);
			continue;
		}
		GROW(u->lower, u->lower_count, u->lower_cap);
		u->lower[u->lower_count++] = l->files[i];
		l->files[i] = (struct lower_file){RELPATH_INIT, TX_FILE_INIT};
		qsort(u->lower, u->lower_count, sizeof(*u->lower), by_path);
	}
}

/* `*ret_taken`: it is not applied on top. */
static int lower_one(struct core_update *u, struct package *package, bool *ret_taken)
{
	struct session *s = u->session;
	struct lowering l = {
		.update = u,
		.session = s,
		.package = package,
		.pack = PACK_INIT,
		.record = yaml_new_mapping(s->state.doc),
		.err = u->err,
	};
	int failed = lower_files(&l);

	*ret_taken = !failed && l.fits;
	if (*ret_taken)
		take_files(&l);
	if (*ret_taken && l.needless) {
		session_warn(s,
			"the migration skill '%s' is left out: you had already changed what it "
			"would keep",
			package->manifest.skill);
		core_update_forget_migration(s, package->manifest.skill);
	} else if (*ret_taken) {
		failed = skill_files_keep_pack(s, package, &l.pack, u->err);
		GROW(u->records, u->record_count, u->record_cap);
		u->records[u->record_count++] = l.record;
		batch_add(&u->migrations, package);
	}
	pack_release(&l.pack);
	lower_files_release(l.files, l.file_count);
	return failed;
}

int core_update_lower_migrations(struct core_update *u)
{
	struct batch *batch = &u->batch;
	size_t kept = 0;
	int failed = 0;

	for (size_t i = 0; i < batch->count; i++) {
		struct package *package = &batch->packages[i];
		bool taken = false;

		if (!failed && session_is_migration(u->session, package->manifest.skill))
			failed = lower_one(u, package, &taken);
		if (taken)
			package_release(package);
		else
			batch->packages[kept++] = *package;
	}
	batch->count = kept;
	return failed;
}

int core_update_insert_migrations(struct core_update *u, struct string_array *skills)
{
	struct state *state = &u->session->state;

	if (batch_check(u->session, &u->migrations, u->err) < 0)
		return -1;
	for (size_t i = 0; i < u->record_count; i++) {
		const struct manifest *m = &u->migrations.packages[i].manifest;

		state_record(state, m, u->records[i]);
		layers_move_patches(state, i ? state->skills[i - 1].name : NULL, m->skill);
		layers_move_skill(state, state->skill_count - 1, i);
		batch_mark_reached(u->session, m->skill);
		string_array_add(skills, m->skill);
	}
	return 0;
}
