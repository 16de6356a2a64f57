#include "engine/stack/file_ops.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/disk/tx_file.h"
#include "engine/session/origin.h"
#include "engine/session/recorded.h"
#include "engine/stack/file_ops_record.h"
#include "engine/state/layer.h"
#include "engine/state/record.h"
#include "engine/state/remap.h"

struct operating {
	struct session *session;
	const struct manifest *manifest;
	const struct pack *old; /* the files of the version that is applied */
	struct error *err;
};

/* --- refusals ------------------------------------------------------------------------- */

static int refuse_missing(const char *skill, const struct file_op *op,
	const struct relpath *real, struct error *err)
{
	CLEANUP(freep) char *shown = relpath_quote(real);

	error_set(err, ERROR_INVALID, "skill '%s' %s %s, which does not exist", skill,
		op->type == FILE_OP_RENAME ? "renames" : "deletes", shown);
	return error_hint(err,
		"restore the file first; 'nanoclaw skill show %s' shows what the skill does",
		skill);
}

static int refuse_kind(const char *skill, const struct file_op *op, const struct relpath *real,
	enum tx_kind kind, struct error *err)
{
	CLEANUP(freep) char *shown = relpath_quote(real);

	return error_set(err, ERROR_INVALID, "skill '%s' %s %s, which is %s", skill,
		op->type == FILE_OP_RENAME ? "renames" : "deletes", shown,
		kind == TX_FOLDER ? "a folder, not a file" : "no file");
}

static int refuse_taken(const char *skill, const struct file_op *op, struct error *err)
{
	CLEANUP(freep) char *from = relpath_quote(&op->from);
	CLEANUP(freep) char *to = relpath_quote(&op->to);

	error_set(err, ERROR_INVALID, "skill '%s' renames %s to %s, which already exists",
		skill, from, to);
	return error_hint(err, "move %s away first", to);
}

/*
 * Neither name may be the old name of another file: a skill that changes that name could then
 * mean either file.
 */
static int check_names(struct session *s, const char *skill, const struct file_op *op,
	const struct relpath *real, struct error *err)
{
	CLEANUP(relpath_release) struct relpath leads_to = remap_follow(&s->state, &op->to);

	if (remap_is_reused(&s->state, s->layer, real)) {
		error_set(err, ERROR_INVALID,
			"skill '%s' renames '%s', which is also the old name of another file",
			skill, real->text);
		return error_hint(err,
			"for skills that change '%s', the name would be ambiguous", real->text);
	}
	if (relpath_compare(&leads_to, &op->to) == 0 || relpath_compare(&leads_to, real) == 0)
		return 0;
	error_set(err, ERROR_INVALID,
		"skill '%s' renames '%s' to '%s', which is the old name of '%s'", skill,
		real->text, op->to.text, leads_to.text);
	return error_hint(err,
		"for skills that change '%s', the name would be ambiguous; "
		"its author should choose another name",
		op->to.text);
}

/* --- before anything is written ----------------------------------------------------------- */

/*
 * The files are as staged, or else as in the tree: apply.c may have staged their recorded form.
 * Nothing can be said about `touched` paths before the skills before have been staged.
 */
static int check_file_op(struct session *s, const char *skill, const struct file_op *op,
	const struct string_array *touched, struct error *err)
{
	CLEANUP(relpath_release) struct relpath real = origin_resolve(s, &op->from);
	CLEANUP(tx_file_release) struct tx_file source = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file target = TX_FILE_INIT;
	bool is_rename = op->type == FILE_OP_RENAME;

	if (is_rename && relpath_compare(&real, &op->to) == 0)
		return 0;
	if (string_array_has(touched, op->from.text) || string_array_has(touched, real.text))
		return 0;
	if (transaction_read(s->tx, &real, &source, err) < 0)
		return -1;
	/* A known file that is already gone need not be deleted; only the base can tell. */
	if (source.kind == TX_ABSENT && (is_rename || !s->found_state))
		return refuse_missing(skill, op, &real, err);
	if (source.kind != TX_ABSENT && !tx_file_exists(&source))
		return refuse_kind(skill, op, &real, source.kind, err);
	if (!is_rename || string_array_has(touched, op->to.text))
		return 0;
	if (transaction_read(s->tx, &op->to, &target, err) < 0)
		return -1;
	if (target.kind != TX_ABSENT)
		return refuse_taken(skill, op, err);
	return check_names(s, skill, op, &real, err);
}

int file_ops_check(
	struct session *s, const struct package *packages, size_t count, struct error *err)
{
	CLEANUP(string_array_release) struct string_array touched = {0};

	for (size_t i = 0; i < count; i++) {
		const struct manifest *m = &packages[i].manifest;

		for (size_t j = 0; j < m->file_op_count; j++) {
			if (check_file_op(s, m->skill, &m->file_ops[j], &touched, err) < 0)
				return -1;
			string_array_add(&touched, m->file_ops[j].from.text);
			if (m->file_ops[j].type == FILE_OP_RENAME)
				string_array_add(&touched, m->file_ops[j].to.text);
		}
		for (size_t j = 0; j < m->adds.count; j++)
			string_array_add(&touched, m->adds.list[j].path.text);
		for (size_t j = 0; j < m->modifies.count; j++)
			string_array_add(&touched, m->modifies.list[j].path.text);
	}
	return 0;
}

/* --- rename ----------------------------------------------------------------------- */

static int rename_file(struct operating *o, const struct file_op *op)
{
	CLEANUP(relpath_release) struct relpath real = origin_resolve(o->session, &op->from);
	CLEANUP(tx_file_release) struct tx_file there = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct transaction *tx = o->session->tx;
	const char *skill = o->manifest->skill;

	if (relpath_compare(&real, &op->to) == 0) {
		session_note_file(o->session, &op->to, skill, OUTCOME_SAME);
		return 0;
	}
	if (check_names(o->session, skill, op, &real, o->err) < 0 ||
		transaction_read(tx, &op->to, &there, o->err) < 0)
		return -1;
	if (there.kind != TX_ABSENT)
		return refuse_taken(skill, op, o->err);
	/*
	 * Read and remove without a step in between, so that the removed file is the one that
	 * was read.
	 */
	if (transaction_read(tx, &real, &file, o->err) < 0)
		return -1;
	if (file.kind == TX_ABSENT)
		return refuse_missing(skill, op, &real, o->err);
	if (!tx_file_exists(&file))
		return refuse_kind(skill, op, &real, file.kind, o->err);
	if (transaction_remove(tx, &real, o->err) < 0 ||
		tx_file_stage(tx, &op->to, &file, o->err) < 0)
		return -1;
	session_note_rename(o->session, &real, &op->to, skill);
	return file_ops_record_rename(o->session, skill, &real, &op->to, &file, o->err);
}

/* --- delete ----------------------------------------------------------------------- */

static bool is_original(const struct tx_file *a, const struct tx_file *b)
{
	return a->kind != TX_ABSENT && tx_file_equal(a, b);
}

static int ask_delete(struct operating *o, const struct relpath *real, bool *ret_delete)
{
	static const char *const choices[] = {"keep it", "delete it, with these changes"};
	const struct ask *ask = &o->session->options->ask;
	CLEANUP(freep)
	char *question =
		xasprintf("Skill '%s' deletes '%s', which has changes that would be lost.",
			o->manifest->skill, real->text);
	int answer = ask->choose(ask->data, question, choices, ARRAY_SIZE(choices), 0, o->err);

	*ret_delete = answer == 1;
	return answer < 0 ? -1 : 0;
}

static int delete_file(struct operating *o, const struct file_op *op)
{
	CLEANUP(relpath_release) struct relpath real = origin_resolve(o->session, &op->from);
	const struct pack_entry *entry = origin_find_any(o->session, o->old, &real);
	CLEANUP(tx_file_release) struct tx_file core = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file own = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	bool remove;

	if (entry)
		pack_read_file(o->old, entry, &own);
	/* Read the file last, so that the removed file is the one that was read. */
	if (origin_read(o->session, &real, &core, o->err) < 0 ||
		transaction_read(o->session->tx, &real, &file, o->err) < 0)
		return -1;
	if (file.kind == TX_ABSENT) {
		CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;

		/* The file is already gone. That is fine if it ever existed. */
		if (recorded_collect(&o->session->state, &recorded, o->err) < 0)
			return -1;
		if (core.kind == TX_ABSENT && !recorded_find(&recorded, relpath_view(&real)))
			return refuse_missing(o->manifest->skill, op, &real, o->err);
		session_note_file(o->session, &real, o->manifest->skill, OUTCOME_SAME);
		return file_ops_record_delete(o->session, o->manifest->skill, &real, o->err);
	}
	if (!tx_file_exists(&file))
		return refuse_kind(o->manifest->skill, op, &real, file.kind, o->err);
	/* As the core, or the applied version of the same skill, has it: no question is needed. */
	remove = is_original(&core, &file) || is_original(&own, &file);
	if (!remove && !o->session->options->ask.in_person) {
		/* Without a terminal the file stays; staging it lets abort restore it. */
		if (tx_file_stage(o->session->tx, &real, &file, o->err) < 0)
			return -1;
		session_add_conflict(o->session, (struct conflict){
							 .kind = CONFLICT_DELETE,
							 .path = relpath_copy(&real),
							 .skill = xstrdup(o->manifest->skill),
						 });
		session_note_file(o->session, &real, o->manifest->skill, OUTCOME_DECISION);
		return 0;
	}
	if (!remove && ask_delete(o, &real, &remove) < 0)
		return -1;
	if (remove) {
		if (transaction_remove(o->session->tx, &real, o->err) < 0)
			return -1;
		session_note_file(o->session, &real, o->manifest->skill, OUTCOME_DELETED);
		return file_ops_record_delete(o->session, o->manifest->skill, &real, o->err);
	}
	session_note_file(o->session, &real, o->manifest->skill, OUTCOME_KEPT);
	return 0;
}

/* --- all of them ------------------------------------------------------------------ */

/* Was it the rename that `done` is, or did the file have the name when that was done? */
static bool is_rename_done(
	struct session *s, const struct file_op *op, const struct file_op *done)
{
	CLEANUP(relpath_release) struct relpath from = origin_resolve(s, &op->from);
	CLEANUP(relpath_release) struct relpath to = origin_resolve(s, &op->to);

	return relpath_compare(&done->to, &op->to) == 0 ||
	       (relpath_compare(&done->from, &op->to) == 0 && relpath_compare(&from, &to) == 0);
}

/*
 * Has the applied version already done this? Then it is not done again: later changes to the
 * file are the person's decision.
 */
static bool is_op_done(
	struct session *s, const struct manifest *manifest, const struct file_op *op)
{
	const struct applied_skill *applied = state_find(&s->state, manifest->skill);
	CLEANUP(relpath_release) struct relpath real = origin_resolve(s, &op->from);
	CLEANUP(record_ops_release)
	struct record_ops ops = record_ops(applied ? applied->node : NULL);

	for (size_t i = 0; i < ops.count; i++)
		if (ops.list[i].type == op->type &&
			(op->type == FILE_OP_RENAME
					? is_rename_done(s, op, &ops.list[i])
					: relpath_compare(&ops.list[i].from, &op->from) == 0 ||
						  relpath_compare(&ops.list[i].from, &real) ==
							  0))
			return true;
	return false;
}

int file_ops_stage(struct session *s, const struct manifest *manifest, const struct pack *old,
	struct error *err)
{
	struct operating o = {s, manifest, old, err};

	file_ops_record_again(s, manifest);
	for (size_t i = 0; i < manifest->file_op_count; i++) {
		const struct file_op *op = &manifest->file_ops[i];

		if (is_op_done(s, manifest, op)) {
			session_note_file(s, op->type == FILE_OP_RENAME ? &op->to : &op->from,
				manifest->skill, OUTCOME_SAME);
			continue;
		}
		if ((op->type == FILE_OP_RENAME ? rename_file(&o, op) : delete_file(&o, op)) <
			0)
			return -1;
	}
	return 0;
}

int file_ops_resolve(struct session *s, const struct conflict *conflict, bool *ret_resolved,
	struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

	*ret_resolved = false;
	if (transaction_read(s->tx, &conflict->path, &file, err) < 0)
		return -1;
	if (file.kind != TX_ABSENT && !tx_file_exists(&file)) {
		session_warn(s, "'%s' is not a file now; delete it, or restore the file",
			conflict->path.text);
		return 0;
	}
	*ret_resolved = true;
	session_note_file(s, &conflict->path, conflict->skill,
		file.kind == TX_ABSENT ? OUTCOME_DELETED : OUTCOME_KEPT);
	if (file.kind != TX_ABSENT || conflict->recorded_apart)
		return 0;
	return file_ops_record_resolved(&s->state, conflict->skill, &conflict->path, err);
}
