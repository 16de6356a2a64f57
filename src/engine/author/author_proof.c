/*
 * The proof: the package applied in memory, before it is written.
 *
 *  1. On top of what is recorded it gives the tree, file by file.
 *  2. On the core, with nothing but its dependencies, it can be applied without a question; and
 *     where a file is there as it was before the change, it is afterwards as it was after it.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/author/author_parts.h"
#include "engine/disk/tx_file.h"
#include "engine/operation/rehearsal.h"
#include "engine/structured/structured_declare.h"
#include "util/quote.h"
#include "util/string_array.h"

#define SHOWN 10

/* Where packages are staged that are in no folder of the project. */
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

static void differ(struct proof *p, const struct relpath *path, const char *how)
{
	CLEANUP(freep) char *shown = relpath_quote(path);
	CLEANUP(freep) char *text = xasprintf("%s %s", shown, how);

	string_array_add(&p->differences, text);
}

static int report(const struct proof *p, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!p->differences.count)
		return 0;
	for (size_t i = 0; i < p->differences.count && i < SHOWN; i++)
		buf_appendf(&text, "\n    %s", p->differences.list[i]);
	if (p->differences.count > SHOWN)
		buf_appendf(&text, "\n    and %zu more", p->differences.count - SHOWN);
	error_set(err, ERROR_INVALID, "the package would not give these changes %s:%s",
		p->where, text.data);
	return error_hint(err,
		"nothing was written; leave such files out by naming the others behind '--'");
}

/* --- comparing -------------------------------------------------------------------- */

static bool is_same(const struct author_change *change, const struct tx_file *is,
	const struct tx_file *wanted)
{
	if (!change->by_meaning || is->kind != TX_FILE || wanted->kind != TX_FILE)
		return tx_file_same(is, wanted);
	return structured_same_meaning(structured_format_of(change->path.text),
		view_of_buf(&is->content), view_of_buf(&wanted->content));
}

static int compare(struct proof *p, const struct author_change *change, struct error *err)
{
	struct transaction *tx = p->rehearsal.session.tx;
	CLEANUP(tx_file_release) struct tx_file new = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file old = TX_FILE_INIT;
	bool moved = change->from.text && change->path.text &&
		     relpath_compare(&change->from, &change->path) != 0;

	if (change->path.text) {
		if (transaction_read(tx, &change->path, &new, err) < 0)
			return -1;
		if (!is_same(change, &new, &change->after))
			differ(p, &change->path,
				new.kind == TX_ABSENT ? "would not be there"
						      : "would be another file");
	}
	if (change->path.text && !moved)
		return 0;
	if (transaction_read(tx, &change->from, &old, err) < 0)
		return -1;
	if (old.kind != TX_ABSENT)
		differ(p, &change->from, "would still be there");
	return 0;
}

/* What would change and is no part of the changes. */
static void find_strangers(struct proof *p)
{
	const struct journal *journal = transaction_journal(p->rehearsal.session.tx);
	const struct author *a = p->author;

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
			differ(p, path, "would change, too");
	}
}

/* --- packages --------------------------------------------------------------------- */

static int apply_draft(struct proof *p, const struct draft *draft, const struct relpath *folder,
	bool *ret_clean, struct error *err)
{
	struct rehearsal *r = &p->rehearsal;
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	const struct package *const packages[] = {&package};
	CLEANUP(freep) char *trouble = NULL;

	if (draft_stage(draft, r->session.tx, folder, err) < 0 ||
		package_load_staged(r->session.tx, folder, &package, err) < 0 ||
		rehearsal_apply(r, packages, 1, err) < 0)
		return -1;
	trouble = rehearsal_trouble(r);
	*ret_clean = !trouble;
	if (trouble)
		string_array_add(&p->differences, trouble);
	return 0;
}

/* An applied skill, from its pack. */
static int apply_pack(struct proof *p, size_t skill, bool *ret_clean, struct error *err)
{
	static const char *const folders[] = {
		[PACK_ADD] = "add/", [PACK_MODIFY] = "modify/", [PACK_MANIFEST] = ""};
	const struct author *a = p->author;
	const struct pack *pack = &a->packs[skill];
	CLEANUP(draft_release) struct draft draft = DRAFT_INIT;
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	CLEANUP(freep)
	char *text = xasprintf(ASIDE "/%s", a->session.state.skills[skill].name);

	for (size_t i = 0; i < pack->count; i++) {
		const struct pack_entry *entry = &pack->entries[i];
		CLEANUP(freep)
		char *name = xasprintf("%s%s", folders[entry->part], entry->path.text);

		draft_add(&draft, name, pack_content(pack, entry), entry->mode);
	}
	if (relpath_parse(view_of(text), &folder, err) < 0)
		return -1;
	return apply_draft(p, &draft, &folder, ret_clean, err);
}

/* Dependencies, and theirs: `ret_needed` has a place for each applied skill. */
static int find_needed(struct author *a, bool *ret_needed, struct error *err)
{
	const struct state *state = &a->session.state;

	for (size_t i = state->skill_count; i > 0; i--) {
		CLEANUP(manifest_release) struct manifest manifest = MANIFEST_INIT;

		ret_needed[i - 1] |=
			string_array_has(&a->plan.depends, state->skills[i - 1].name);
		if (!ret_needed[i - 1])
			continue;
		if (pack_read_manifest(&a->packs[i - 1], &manifest, err) < 0)
			return -1;
		for (size_t j = 0; j < i - 1; j++)
			ret_needed[j] |= manifest_depends_on(&manifest, state->skills[j].name);
	}
	return 0;
}

/* A conflict among them that was settled here will be one for others. */
static void warn_of_settled(struct proof *p)
{
	const struct apply_result *told = &p->rehearsal.told;

	for (size_t i = 0; i < told->file_count; i++) {
		CLEANUP(freep) char *shown = quote(view_of(told->files[i].path));
		CLEANUP(freep)
		char *text = xasprintf(
			"the skills that it depends on conflict in %s, and that was settled here; "
			"others need the same resolution: 'nanoclaw resolution record'",
			shown);

		if (told->files[i].outcome == OUTCOME_RESOLVED)
			string_array_add(&p->author->result->warnings, text);
	}
}

/* `*ret_clean` is false, with a difference, if these alone cannot be applied any more. */
static int apply_dependencies(struct proof *p, bool *ret_clean, struct error *err)
{
	struct author *a = p->author;
	size_t count = a->session.state.skill_count;
	CLEANUP(freep) bool *needed = xcalloc(count + 1, sizeof(*needed));
	CLEANUP(error_release) struct error local = ERROR_INIT;

	*ret_clean = true;
	if (find_needed(a, needed, err) < 0)
		return -1;
	for (size_t i = 0; i < count && *ret_clean; i++)
		if (needed[i] && apply_pack(p, i, ret_clean, &local) < 0)
			*ret_clean = false;
	if (local.kind)
		string_array_add(&p->differences, local.message);
	warn_of_settled(p);
	return 0;
}

/* --- the two ---------------------------------------------------------------------- */

static int prove_recorded(struct author *a, struct error *err)
{
	CLEANUP(proof_release)
	struct proof p = {a, REHEARSAL_INIT, "on top of what is recorded", {0}};
	bool clean;

	if (rehearsal_open(&p.rehearsal, a->project, err) < 0)
		return -1;
	for (size_t i = 0; i < a->changes.count; i++) {
		const struct author_change *c = &a->changes.list[i];
		struct tx_file nothing = TX_FILE_INIT;
		struct transaction *tx = p.rehearsal.session.tx;

		if ((c->path.text && tx_file_stage(tx, &c->path, &nothing, err) < 0) ||
			(c->from.text && tx_file_stage(tx, &c->from, &c->before, err) < 0))
			return -1;
	}
	if (apply_draft(&p, &a->draft, &a->folder, &clean, err) < 0)
		return -1;
	for (size_t i = 0; clean && i < a->changes.count; i++)
		if (compare(&p, &a->changes.list[i], err) < 0)
			return -1;
	find_strangers(&p);
	return report(&p, err);
}

/* The core, which of a range without an installation is the commit before. */
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

/*
 * A file that was made on top of several skills must come out of these as it was then: else
 * nobody else would have what it was made from.
 */
static int check_together(struct proof *p, struct error *err)
{
	const struct author_plan *plan = &p->author->plan;

	for (size_t i = 0; i < plan->modify_count; i++) {
		const struct author_modify *modify = &plan->modifies[i];
		const struct relpath *path = &modify->change->from;
		CLEANUP(tx_file_release) struct tx_file is = TX_FILE_INIT;

		if (!modify->together)
			continue;
		if (transaction_read(p->rehearsal.session.tx, path, &is, err) < 0)
			return -1;
		if (!tx_file_same(&is, &modify->change->before))
			differ(p, path,
				"is changed within lines that several skills give together "
				"only in your project");
	}
	return report(p, err);
}

static bool has_together(const struct author *a)
{
	for (size_t i = 0; i < a->plan.modify_count; i++)
		if (a->plan.modifies[i].together)
			return true;
	return false;
}

/* Which of the changes find their file as it was before them? */
static int find_comparable(struct proof *p, bool *ret_comparable, struct error *err)
{
	const struct author_changes *changes = &p->author->changes;

	for (size_t i = 0; i < changes->count; i++) {
		const struct author_change *c = &changes->list[i];
		CLEANUP(tx_file_release) struct tx_file is = TX_FILE_INIT;

		if (transaction_read(p->rehearsal.session.tx, author_change_name(c), &is, err) <
			0)
			return -1;
		ret_comparable[i] = tx_file_same(&is, &c->before);
	}
	return 0;
}

static int prove_clean(struct author *a, struct error *err)
{
	CLEANUP(proof_release)
	struct proof p = {a, REHEARSAL_INIT, "on the core, with its dependencies alone", {0}};
	CLEANUP(freep) bool *comparable = xcalloc(a->changes.count + 1, sizeof(*comparable));
	bool clean;

	if (begin_clean(&p, err) < 0 || apply_dependencies(&p, &clean, err) < 0)
		return -1;
	if (!clean && has_together(a))
		return report(&p, err);
	if (!clean) {
		string_array_add(&a->result->warnings,
			"it could not be tried on the core alone: what it depends on cannot be "
			"applied there without questions");
		return 0;
	}
	if (check_together(&p, err) < 0 || find_comparable(&p, comparable, err) < 0 ||
		apply_draft(&p, &a->draft, &a->folder, &clean, err) < 0)
		return -1;
	for (size_t i = 0; clean && i < a->changes.count; i++)
		if (comparable[i] && compare(&p, &a->changes.list[i], err) < 0)
			return -1;
	return report(&p, err);
}

int author_prove(struct author *a, struct error *err)
{
	if (!a->request->range && prove_recorded(a, err) < 0)
		return -1;
	return prove_clean(a, err);
}
