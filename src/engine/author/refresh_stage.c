/*
 * The files of a package on the new core, staged.
 */
#include <string.h>

#include "engine/author/internal.h"
#include "engine/conflict/file_merge.h"
#include "engine/package/intent.h"
#include "engine/update/core_update.h"

/* With the folders that it leaves empty; the package's own stays. */
static int remove_and_prune(struct carried *c, const struct relpath *path)
{
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath inner = relpath_copy(path);

	while (relpath_parent(&inner, &folder) && relpath_compare(&folder, &c->folder) != 0) {
		transaction_prune(c->session->tx, &folder);
		relpath_release(&inner);
		inner = folder;
		folder = RELPATH_INIT;
	}
	return transaction_remove(c->session->tx, path, c->err);
}

/* Move the package's file below `from` to modify/, possibly under a new name. */
static int move_file(struct carried *c, const struct tx_file *file, const char *from,
	const struct relpath *path, const struct relpath *new_path)
{
	CLEANUP(relpath_release) struct relpath old = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath new = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	struct transaction *tx = c->session->tx;

	if (refresh_path(c, from, path, &old, c->err) < 0 ||
		refresh_path(c, "modify", new_path, &new, c->err) < 0 ||
		transaction_read(tx, &new, &there, c->err) < 0)
		return -1;
	if (there.kind != TX_ABSENT)
		return error_set(c->err, ERROR_INVALID, "'%s' is in the way of '%s'", new.text,
			old.text);
	if (transaction_put(tx, &new, view_of_buf(&file->content), file->mode, c->err) < 0)
		return -1;
	return remove_and_prune(c, &old);
}

/* The intent file follows the file that it is about. */
static int move_intent(struct carried *c, const struct carried_file *f)
{
	CLEANUP(relpath_release) struct relpath old = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath new = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;

	if (relpath_printf(&old, c->err, "%s" INTENT_SUFFIX, f->path->text) < 0 ||
		relpath_printf(&new, c->err, "%s" INTENT_SUFFIX, f->to.text) < 0 ||
		refresh_path(c, "modify", &old, &path, c->err) < 0 ||
		transaction_read(c->session->tx, &path, &text, c->err) < 0)
		return -1;
	return text.kind == TX_FILE ? move_file(c, &text, "modify", &old, &new) : 0;
}

/* --- merging ------------------------------------------------------------------------------ */

static int merge_file(struct carried *c, struct carried_file *f)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	struct session *s = c->session;
	size_t conflicts = s->result->conflict_count, files = s->result->file_count;
	struct layer_file unused;

	if (refresh_path(c, "modify", &f->to, &path, c->err) < 0)
		return -1;
	if (file_merge(
		    &(struct file_merge){
			    .session = s,
			    .skill = CORE_UPDATE_NAME,
			    .version = c->view->version,
			    .path = &path,
			    .known_as = &f->to,
			    .ours = &f->own,
			    .ancestor = &f->ancestor,
			    .theirs = view_of_buf(&f->core.content),
			    .theirs_mode = f->core.mode,
		    },
		    &unused, c->err) < 0)
		return -1;
	/* The state does not record it, however it is resolved. */
	for (size_t i = conflicts; i < s->result->conflict_count; i++)
		s->result->conflicts[i].recorded_apart = true;
	if (s->result->conflict_count > conflicts)
		f->state = REFRESH_CONFLICT;
	else if (s->result->file_count > files &&
		 s->result->files[files].outcome == OUTCOME_RESOLVED)
		f->state = REFRESH_RESOLVED;
	return 0;
}

/* The person decides whether the skill adds the file itself from now on. */
static int ask_about_gone(struct carried *c, struct carried_file *f)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	struct session *s = c->session;

	if (refresh_path(c, "modify", f->path, &path, c->err) < 0)
		return -1;
	/* Stage the file so that abort can restore it after any edit. */
	if (transaction_put(s->tx, &path, view_of_buf(&f->own.content), f->own.mode, c->err) <
		0)
		return -1;
	session_note_file(s, &path, CORE_UPDATE_NAME, OUTCOME_DECISION);
	session_add_conflict(s, (struct conflict){
					.kind = CONFLICT_DELETE,
					.path = relpath_copy(&path),
					.skill = xstrdup(CORE_UPDATE_NAME),
					.version = xstrdup(c->view->version),
					.recorded_apart = true,
				});
	return 0;
}

static int stage_file(struct carried *c, struct carried_file *f)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (f->state == REFRESH_GONE)
		return ask_about_gone(c, f);
	if (f->state == REFRESH_GIVEN) {
		session_warn(c->session,
			"'%s' is in the core now: skill '%s' no longer adds it", f->path->text,
			c->package->manifest.skill);
		return refresh_path(c, "add", f->path, &path, c->err) < 0
			       ? -1
			       : remove_and_prune(c, &path);
	}
	if (f->state == REFRESH_TAKEN) {
		if (move_file(c, &f->own, "add", f->path, f->path) < 0)
			return -1;
		return merge_file(c, f);
	}
	if (relpath_compare(f->path, &f->to) != 0 &&
		(move_file(c, &f->own, "modify", f->path, &f->to) < 0 || move_intent(c, f) < 0))
		return -1;
	return f->state == REFRESH_MERGES ? merge_file(c, f) : 0;
}

int refresh_stage(struct carried *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (stage_file(c, &c->files[i]) < 0)
			return -1;
	return 0;
}
