/*
 * The proof: the package applied in memory, before it is written.
 *
 *  1. On top of the recorded state it gives the tree, file by file.
 *  2. On the core, with nothing but its dependencies, it applies without a question, and turns
 *     each file as it was before the change into the file after it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/string_array.h"
#include "engine/author/author.h"
#include "engine/author/internal.h"
#include "engine/disk/tx_file.h"
#include "engine/operation/rehearsal.h"
#include "engine/structured/structured_declare.h"

/* Where packages of applied skills are staged. */
#define ASIDE ".nanoclaw/rehearsal"

struct proof {
	struct author *author;
	struct rehearsal rehearsal;
	const char *where; /* "on top of what is recorded" */
	struct string_array differences;
};

static void proof_release(struct proof *p)
{
	rehearsal_release(&p->rehearsal);
	string_array_release(&p->differences);
}

static void add_difference(struct proof *p, const struct relpath *path, const char *how)
{
	CLEANUP(freep) char *shown = relpath_quote(path);

	string_array_addf(&p->differences, "%s %s", shown, how);
}

static int refuse_differences(const struct proof *p, struct error *err)
{
	CLEANUP(freep)
	char *what = xasprintf("the package would not reproduce these changes %s", p->where);

	return author_refuse_lines(what, &p->differences,
		"nothing was written; leave these files out by naming the others after '--'",
		err);
}

static bool is_reproduced(const struct author_change *change, const struct tx_file *is,
	const struct tx_file *wanted)
{
	if (!change->by_meaning || is->kind != TX_FILE || wanted->kind != TX_FILE)
		return tx_file_same(is, wanted);
	return structured_same_meaning(structured_format_of(change->path.text),
		view_of_buf(&is->content), view_of_buf(&wanted->content));
}

static int compare_change(
	struct proof *p, const struct author_change *change, struct error *err)
{
	struct transaction *tx = p->rehearsal.session.tx;
	CLEANUP(tx_file_release) struct tx_file new = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file old = TX_FILE_INIT;

	if (change->path.text) {
		if (transaction_read(tx, &change->path, &new, err) < 0)
			return -1;
		if (!is_reproduced(change, &new, &change->after))
			add_difference(p, &change->path,
				new.kind == TX_ABSENT ? "would be missing"
						      : "would be a different file");
	}
	if (change->path.text && !author_change_is_rename(change))
		return 0;
	if (transaction_read(tx, &change->from, &old, err) < 0)
		return -1;
	if (old.kind != TX_ABSENT)
		add_difference(p, &change->from, "would still exist");
	return 0;
}

/* --- packages --- */

/* A package that is staged in `folder`. */
static int apply_staged(
	struct proof *p, const struct relpath *folder, bool *ret_clean, struct error *err)
{
	struct rehearsal *r = &p->rehearsal;
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	const struct package *const packages[] = {&package};
	CLEANUP(freep) char *trouble = NULL;

	if (package_load_staged(r->session.tx, folder, &package, err) < 0 ||
		rehearsal_apply(r, packages, 1, err) < 0)
		return -1;
	trouble = rehearsal_trouble(r);
	*ret_clean = !trouble;
	if (trouble)
		string_array_add(&p->differences, trouble);
	return 0;
}

static int apply_draft(struct proof *p, bool *ret_clean, struct error *err)
{
	const struct author *a = p->author;

	if (draft_stage(&a->draft, p->rehearsal.session.tx, &a->folder, err) < 0)
		return -1;
	return apply_staged(p, &a->folder, ret_clean, err);
}

/* Dependencies, and theirs: `ret_needed` has a place for each applied skill. */
static int find_needed(struct author *a, bool *ret_needed, struct error *err)
{
	const struct state *state = &a->session.state;

	for (size_t i = state->skill_count; i > 0; i--) {
		CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;

		ret_needed[i - 1] |=
			string_array_has(&a->result->depends, state->skills[i - 1].name);
		if (!ret_needed[i - 1])
			continue;
		if (pack_read_manifest(&a->packs[i - 1], &manifest, err) < 0)
			return -1;
		for (size_t j = 0; j < i - 1; j++)
			ret_needed[j] |= manifest_depends_on(&manifest, state->skills[j].name);
	}
	return 0;
}

/* `*ret_clean` is false, with a difference, if they cannot be applied alone. */
static int apply_dependencies(struct proof *p, bool *ret_clean, struct error *err)
{
	struct author *a = p->author;
	const struct operation_result *told = &p->rehearsal.told;
	size_t count = a->session.state.skill_count;
	CLEANUP(freep) bool *needed = xcalloc(count + 1, sizeof(*needed));
	CLEANUP(error_release) struct error local = ERROR_INIT;

	*ret_clean = true;
	if (find_needed(a, needed, err) < 0)
		return -1;
	for (size_t i = 0; i < count && *ret_clean; i++) {
		CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;

		if (needed[i] && (relpath_printf(&folder, &local, ASIDE "/%s",
					  a->session.state.skills[i].name) < 0 ||
					 pack_stage(&a->packs[i], p->rehearsal.session.tx,
						 &folder, &local) < 0 ||
					 apply_staged(p, &folder, ret_clean, &local) < 0))
			*ret_clean = false;
	}
	if (local.kind)
		string_array_add(&p->differences, local.message);
	/* Others have the same conflict, but not its resolution. */
	for (size_t i = 0; i < told->file_count; i++) {
		CLEANUP(freep) char *shown = quote(view_of(told->files[i].path));

		if (told->files[i].outcome == OUTCOME_RESOLVED)
			string_array_addf(&a->result->warnings,
				"the skills that it depends on conflict in %s, and that was "
				"resolved here; others need the same resolution: 'nanoclaw "
				"resolution record'",
				shown);
	}
	return 0;
}

/* --- the two --- */

static int prove_recorded(struct author *a, struct error *err)
{
	CLEANUP(proof_release)
	struct proof p = {a, REHEARSAL_INIT, "on top of what is recorded", {0}};
	const struct journal *journal;
	struct transaction *tx;
	bool clean;

	if (rehearsal_open(&p.rehearsal, a->project, err) < 0)
		return -1;
	tx = p.rehearsal.session.tx;
	for (size_t i = 0; i < a->changes.count; i++) {
		const struct author_change *c = &a->changes.list[i];
		struct tx_file nothing = TX_FILE_INIT;

		if ((c->path.text && tx_file_stage(tx, &c->path, &nothing, err) < 0) ||
			(c->from.text && tx_file_stage(tx, &c->from, &c->before, err) < 0))
			return -1;
	}
	if (apply_draft(&p, &clean, err) < 0)
		return -1;
	for (size_t i = 0; clean && i < a->changes.count; i++)
		if (compare_change(&p, &a->changes.list[i], err) < 0)
			return -1;
	/* Only the changes may differ. */
	journal = transaction_journal(tx);
	for (size_t i = 0; i < journal->change_count; i++) {
		const struct relpath *path = &journal->changes[i].path;
		bool known = view_starts_with(relpath_view(path), ".nanoclaw/") ||
			     selection_below(relpath_view(path), relpath_view(&a->folder));

		for (size_t j = 0; j < a->changes.count && !known; j++) {
			const struct author_change *c = &a->changes.list[j];

			known = (c->from.text && !relpath_compare(&c->from, path)) ||
				(c->path.text && !relpath_compare(&c->path, path));
		}
		if (!known)
			add_difference(&p, path, "would change, too");
	}
	return refuse_differences(&p, err);
}

/* Begin with the core; without an installation that is the commit before the range. */
static int begin_clean(struct proof *p, struct error *err)
{
	struct author *a = p->author;
	struct rehearsal *r = &p->rehearsal;

	if (rehearsal_open(r, a->project, err) < 0 ||
		rehearsal_begin_clean(r, &a->recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < a->changes.count; i++) {
		const struct author_change *c = &a->changes.list[i];
		const struct relpath *const names[] = {&c->from, &c->path};

		for (size_t j = 0; j < ARRAY_SIZE(names); j++) {
			CLEANUP(relpath_release) struct relpath base = RELPATH_INIT;
			CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

			if (!names[j]->text)
				continue;
			if (session_base_path(names[j], &base, err) < 0 ||
				session_read_base(&a->session, names[j], &file, err) < 0 ||
				(a->session.base_staged &&
					tx_file_stage(r->session.tx, &base, &file, err) < 0) ||
				tx_file_stage(r->session.tx, names[j], &file, err) < 0)
				return -1;
		}
	}
	r->session.base_staged = a->session.base_staged;
	return 0;
}

static int prove_clean(struct author *a, struct error *err)
{
	CLEANUP(proof_release)
	struct proof p = {a, REHEARSAL_INIT, "on the core, with its dependencies alone", {0}};
	CLEANUP(freep) bool *comparable = xcalloc(a->changes.count + 1, sizeof(*comparable));
	bool clean, together = false;

	if (begin_clean(&p, err) < 0 || apply_dependencies(&p, &clean, err) < 0)
		return -1;
	for (size_t i = 0; i < a->plan.modify_count; i++)
		together |= a->plan.modifies[i].together;
	if (!clean && together)
		return refuse_differences(&p, err);
	if (!clean) {
		string_array_add(&a->result->warnings,
			"it could not be tried on the core alone: the skills that it depends on "
			"cannot be applied there without questions");
		return 0;
	}
	/*
	 * If a file was made on top of several skills, these must produce its ancestor on the core
	 * alone; otherwise no other project has that ancestor.
	 */
	for (size_t i = 0; i < a->plan.modify_count; i++) {
		const struct author_change *c = a->plan.modifies[i].change;
		CLEANUP(tx_file_release) struct tx_file is = TX_FILE_INIT;

		if (!a->plan.modifies[i].together)
			continue;
		if (transaction_read(p.rehearsal.session.tx, &c->from, &is, err) < 0)
			return -1;
		if (!tx_file_same(&is, &c->before))
			add_difference(&p, &c->from,
				"is changed within lines that several skills give together "
				"only in your project");
	}
	if (refuse_differences(&p, err) < 0)
		return -1;
	/* Which changes find their file as it was before them? */
	for (size_t i = 0; i < a->changes.count; i++) {
		const struct author_change *c = &a->changes.list[i];
		CLEANUP(tx_file_release) struct tx_file is = TX_FILE_INIT;

		if (transaction_read(p.rehearsal.session.tx, author_change_name(c), &is, err) <
			0)
			return -1;
		comparable[i] = tx_file_same(&is, &c->before);
	}
	if (apply_draft(&p, &clean, err) < 0)
		return -1;
	for (size_t i = 0; clean && i < a->changes.count; i++)
		if (comparable[i] && compare_change(&p, &a->changes.list[i], err) < 0)
			return -1;
	return refuse_differences(&p, err);
}

int author_prove(struct author *a, struct error *err)
{
	if (!a->request->range && a->session.found_state && prove_recorded(a, err) < 0)
		return -1;
	return prove_clean(a, err);
}
