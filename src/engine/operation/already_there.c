#include "engine/operation/already_there.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/string_array.h"
#include "engine/disk/tx_file.h"
#include "engine/operation/rehearsal.h"
#include "engine/stack/custom.h"
#include "engine/structured/structured_declare.h"
#include "engine/structured/structured_state.h"

struct taking {
	struct session *session;
	const struct batch *batch;
	struct recorded recorded;
	struct string_array paths; /* of all files of the skills, where they are now */
};

static void taking_release(struct taking *t)
{
	recorded_release(&t->recorded);
	string_array_release(&t->paths);
}

/* --- the files of the skills ------------------------------------------------------ */

static void add_path(struct taking *t, const char *path)
{
	if (!string_array_has(&t->paths, path))
		string_array_add(&t->paths, path);
}

static void add_resolved(struct taking *t, const struct relpath *path)
{
	CLEANUP(relpath_release) struct relpath real = session_resolve(t->session, path);

	add_path(t, real.text);
}

static void add_package(struct taking *t, const struct manifest *m)
{
	for (size_t i = 0; i < m->adds.count; i++)
		add_path(t, m->adds.list[i].path.text);
	for (size_t i = 0; i < m->modifies.count; i++)
		add_resolved(t, &m->modifies.list[i].path);
	for (size_t i = 0; i < m->file_op_count; i++) {
		add_resolved(t, &m->file_ops[i].from);
		if (m->file_ops[i].type == FILE_OP_RENAME)
			add_path(t, m->file_ops[i].to.text);
	}
	for (size_t i = 0; structured_formats[i]; i++) {
		const struct structured_format *format = structured_formats[i];

		if (!m->structured || !yaml_get(m->structured, format->member))
			continue;
		for (size_t j = 0; format->names[j]; j++)
			if (faccessat(t->session->project->root, format->names[j], F_OK,
				    AT_SYMLINK_NOFOLLOW) == 0)
				add_path(t, format->names[j]);
	}
}

static bool has_drift(const struct taking *t)
{
	for (size_t i = 0; i < t->session->drift.count; i++)
		if (string_array_has(&t->paths, t->session->drift.list[i].path))
			return true;
	return false;
}

/* --- would they be as they are? --------------------------------------------------- */

/* All of them as they are recorded; false if that is not known of one. */
static bool stage_recorded(struct taking *t, struct transaction *tx)
{
	for (size_t i = 0; i < t->paths.count; i++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;
		CLEANUP(error_release) struct error err = ERROR_INIT;

		if (relpath_parse(view_of(t->paths.list[i]), &path, &err) < 0 ||
			recorded_read(t->session, &t->recorded, &path, &file, &err) < 0 ||
			transaction_read(tx, &path, &now, &err) < 0)
			return false;
		if (!tx_file_same(&file, &now) &&
			tx_file_stage_over(tx, &path, &file, &now, &err) < 0)
			return false;
	}
	return true;
}

static bool is_as_in_tree(struct taking *t, struct rehearsal *r, const char *text)
{
	const struct structured_format *format = structured_format_of(text);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file is = TX_FILE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (relpath_parse(view_of(text), &path, &err) < 0 ||
		transaction_read(r->session.tx, &path, &made, &err) < 0 ||
		custom_read_tree(t->session, &path, &is, &err) < 0)
		return false;
	if (tx_file_same(&made, &is))
		return true;
	return format && made.kind == TX_FILE && is.kind == TX_FILE &&
	       !((made.mode ^ is.mode) & 0100) &&
	       structured_same_meaning(
		       format, view_of_buf(&made.content), view_of_buf(&is.content));
}

static int rehearse(struct taking *t, bool *ret_there, struct error *err)
{
	CLEANUP(rehearsal_release) struct rehearsal r = REHEARSAL_INIT;
	CLEANUP(error_release) struct error refused = ERROR_INIT;
	CLEANUP(freep)
	const struct package **packages = xcalloc(t->batch->count, sizeof(struct package *));

	*ret_there = false;
	for (size_t i = 0; i < t->batch->count; i++)
		packages[i] = &t->batch->packages[i];
	if (rehearsal_open(&r, t->session->project, err) < 0)
		return -1;
	r.options.allow_conflicts = t->session->options->allow_conflicts;
	r.options.ancestor_is_base = t->session->options->ancestor_is_base;
	if (!stage_recorded(t, r.session.tx) ||
		rehearsal_apply(&r, packages, t->batch->count, &refused) < 0 ||
		r.told.conflict_count)
		return 0;
	for (size_t i = 0; i < t->paths.count; i++)
		if (!is_as_in_tree(t, &r, t->paths.list[i]))
			return 0;
	*ret_there = true;
	return 0;
}

/* --- taking over ------------------------------------------------------------------ */

static void forget_drift(struct taking *t)
{
	struct drift_list *drift = &t->session->drift;
	size_t kept = 0;

	for (size_t i = 0; i < drift->count; i++) {
		if (string_array_has(&t->paths, drift->list[i].path))
			free(drift->list[i].path);
		else
			drift->list[kept++] = drift->list[i];
	}
	drift->count = kept;
}

int already_there(struct session *s, const struct batch *batch, struct error *err)
{
	CLEANUP(taking_release) struct taking t = {.session = s, .batch = batch};
	bool there;

	if (!s->found_state || !s->drift.count)
		return 0;
	for (size_t i = 0; i < batch->count; i++)
		add_package(&t, &batch->packages[i].manifest);
	if (!has_drift(&t))
		return 0;
	if (recorded_collect(&s->state, &t.recorded, err) < 0 || rehearse(&t, &there, err) < 0)
		return -1;
	if (!there)
		return 0;
	if (!stage_recorded(&t, s->tx))
		return error_set(err, ERROR_FAILED,
			"what is recorded of the files that you have changed cannot be read");
	forget_drift(&t);
	return 0;
}
