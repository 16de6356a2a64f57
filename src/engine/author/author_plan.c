/*
 * How each change is expressed in a package.
 *
 * An edited file becomes the same change to the core's file, or to another skill's file. Let A
 * be the file that the package is made from, R the file before the change and T the file after
 * it: the package gets P = merge(A, R, T). Applying it gives merge(R, A, P), which must be T.
 * If either merge conflicts, or the second does not give T, A is the wrong ancestor: the change
 * is inside lines that another skill or patch wrote.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "engine/author/author.h"
#include "engine/author/internal.h"
#include "engine/conflict/merge3.h"
#include "engine/disk/tx_file.h"
#include "engine/session/origin.h"
#include "engine/state/remap.h"
#include "engine/structured/structured_declare.h"
#include "engine/text/merge.h"

/* How many lines author_refuse_lines() shows. */
#define SHOWN 20

void author_plan_release(struct author_plan *plan)
{
	for (size_t i = 0; i < plan->modify_count; i++) {
		relpath_release(&plan->modifies[i].path);
		buf_release(&plan->modifies[i].content);
		tx_file_release(&plan->modifies[i].ancestor);
	}
	for (size_t i = 0; i < plan->op_count; i++) {
		relpath_release(&plan->ops[i].from);
		relpath_release(&plan->ops[i].to);
	}
	free(plan->adds);
	free(plan->modifies);
	free(plan->ops);
	yaml_doc_free(plan->doc);
	string_array_release(&plan->refused);
	*plan = (struct author_plan){0};
}

int author_refuse_lines(
	const char *what, const struct string_array *lines, const char *hint, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!lines->count)
		return 0;
	for (size_t i = 0; i < lines->count && i < SHOWN; i++)
		buf_appendf(&text, "\n    %s", lines->list[i]);
	if (lines->count > SHOWN)
		buf_appendf(&text, "\n    and %zu more", lines->count - SHOWN);
	error_set(err, ERROR_INVALID, "%s:%s", what, text.data);
	return error_hint(err, "%s", hint);
}

/* For the result; `from`, `skill` and `note` may be NULL. */
static void report_file(struct author *a, enum author_part part, const struct relpath *path,
	const struct relpath *from, const char *skill, const char *note)
{
	struct author_result *result = a->result;

	GROW(result->files, result->count, result->cap);
	result->files[result->count++] = (struct author_file){
		.part = part,
		.path = xstrdup(path->text),
		.from = from ? xstrdup(from->text) : NULL,
		.skill = skill ? xstrdup(skill) : NULL,
		.note = note ? xstrdup(note) : NULL,
	};
}

/* --- names --- */

static bool has_bad_name(struct author *a, const struct relpath *path)
{
	CLEANUP(freep) char *shown = path->text ? relpath_quote(path) : NULL;

	if (!shown)
		return false;
	if (!utf8_valid(relpath_view(path)))
		string_array_addf(&a->plan.refused,
			"%s has a name that is not UTF-8, which is not possible in a manifest",
			shown);
	else if (manifest_path_is_secret(path) || relpath_protected(path))
		string_array_addf(
			&a->plan.refused, "%s has a name that no package may have", shown);
	else
		return false;
	return true;
}

/* Is it something that no package can express? */
static bool is_beyond_packages(struct author *a, const struct author_change *change)
{
	CLEANUP(freep) char *shown = relpath_quote(author_change_name(change));

	if (has_bad_name(a, &change->from) || has_bad_name(a, &change->path))
		return true;
	if (!change->path.text ||
		(change->from.text && tx_file_equal(&change->before, &change->after)))
		return false;
	if (change->after.kind == TX_SYMLINK)
		string_array_addf(&a->plan.refused,
			"%s is a symbolic link, which no package can hold", shown);
	else if (change->before.kind == TX_SYMLINK)
		string_array_addf(&a->plan.refused,
			"%s was a symbolic link, and no package can replace one", shown);
	else
		return false;
	return true;
}

/*
 * The name by which a package calls a file of the core that is at `path` now, and the core's
 * file; .text is NULL if it is not the core's.
 */
static int name_in_core(struct author *a, const struct relpath *path, struct relpath *ret_name,
	struct tx_file *ret_file, struct error *err)
{
	CLEANUP(relpath_release) struct relpath real = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath found = RELPATH_INIT;
	struct session *s = &a->session;

	if (origin_read_base(s, path, ret_file, &found, err) < 0)
		return -1;
	if (!found.text)
		return 0;
	/* The core may have another file of that name, which a skill has renamed. */
	real = remap_resolve(&s->state, NULL, &found);
	if (relpath_compare(&real, path) != 0) {
		tx_file_release(ret_file);
		*ret_file = TX_FILE_INIT;
		return 0;
	}
	*ret_name = found;
	found = RELPATH_INIT;
	return 0;
}

/* --- new files --- */

static int plan_add(struct author *a, const struct author_change *change, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file core = TX_FILE_INIT;
	CLEANUP(freep) char *shown = relpath_quote(&change->path);
	struct author_plan *plan = &a->plan;

	if (session_read_base(&a->session, &change->path, &core, err) < 0)
		return -1;
	if (core.kind != TX_ABSENT) {
		string_array_addf(&plan->refused,
			"%s is new, but the core has a file of that name, which a skill or a patch removed",
			shown);
		return 0;
	}
	GROW(plan->adds, plan->add_count, plan->add_cap);
	plan->adds[plan->add_count++] = change;
	report_file(a, AUTHOR_ADD, &change->path, NULL, NULL, NULL);
	return 0;
}

/* --- edited files --- */

/* An edited file, and the version of it that the package gets. */
struct edit {
	const struct author_change *change;
	struct tx_file before, after; /* without declared entries (structured.h); borrowed */
	struct author_modify modify;
	struct string_array skills; /* the file is made on top of theirs */
	bool done;
};

/* A file as a value with this content alone; the content is borrowed. */
static struct tx_file plain_file(struct view content)
{
	return (struct tx_file){.kind = TX_FILE,
		.mode = 0644,
		.content = {.data = (char *)(uintptr_t)content.data, .len = content.len}};
}

/* Make it from this ancestor, which `modify` owns if that works. */
static int edit_try(struct edit *e, struct tx_file *ancestor, struct error *err)
{
	const struct tx_file from = plain_file(view_of_buf(&ancestor->content));
	CLEANUP(tx_file_release) struct tx_file made = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file applied = TX_FILE_INIT;
	bool was = e->change->before.mode & 0100, is = e->change->after.mode & 0100;

	if (merge3(&e->before, &from, &e->after, &made, &e->done, err) < 0 ||
		(e->done && merge3(&from, &e->before, &made, &applied, &e->done, err) < 0))
		return -1;
	e->done = e->done && tx_file_equal(&applied, &e->after);
	if (!e->done)
		return 0;
	e->modify.change = e->change;
	e->modify.mode = (was != is ? is : ancestor->mode & 0100) ? 0755 : 0644;
	e->modify.content = made.content;
	e->modify.ancestor = *ancestor;
	made = *ancestor = TX_FILE_INIT;
	return 0;
}

/* On top of one skill's file: the last skill first, whose file has the most in it. */
static int edit_on_skill(struct author *a, struct edit *e, struct error *err)
{
	for (size_t i = a->session.state.skill_count; i > 0 && !e->done; i--) {
		const struct pack *pack = &a->packs[i - 1];
		const struct pack_entry *entry =
			origin_find_any(&a->session, pack, &e->change->from);
		CLEANUP(tx_file_release) struct tx_file theirs = TX_FILE_INIT;

		if (!entry)
			continue;
		pack_read_file(pack, entry, &theirs);
		if (edit_try(e, &theirs, err) < 0)
			return -1;
		if (e->done)
			string_array_add(&e->skills, a->session.state.skills[i - 1].name);
	}
	return 0;
}

/*
 * On top of all skills that have changed it: what their files give together is kept when they
 * are applied (recorded_keep()), and so its hash can name it. A person's patch is not kept so.
 */
static int edit_on_skills_together(struct author *a, struct edit *e, struct error *err)
{
	const struct layers *layers = &a->recorded.layers;
	CLEANUP(tx_file_release) struct tx_file ancestor = TX_FILE_INIT;
	struct layer_file file;

	for (size_t i = 0; i < layers->count; i++) {
		const struct layer *layer = &layers->list[i];

		if (!layer_get(layer, relpath_view(&e->change->from), &file))
			continue;
		if (layer->kind != LAYER_SKILL)
			return 0;
		string_array_add(&e->skills, layer->name);
	}
	if (e->skills.count < 2 || !merge3_is_text(&e->before) || !merge3_is_text(&e->after))
		return 0;
	tx_file_copy(&e->before, &ancestor);
	ancestor.mode = e->change->before.mode;
	e->modify.together = true;
	return edit_try(e, &ancestor, err);
}

static void refuse_edit(struct author *a, const struct author_change *change)
{
	const struct layers *layers = &a->recorded.layers;
	CLEANUP(freep) char *shown = relpath_quote(&change->from);
	CLEANUP(buf_release) struct buf whose = BUF_INIT;
	struct layer_file file;

	for (size_t i = 0; i < layers->count; i++)
		if (layer_get(&layers->list[i], relpath_view(&change->from), &file))
			buf_appendf(&whose, "%s%s '%s'", whose.len ? ", " : "",
				layers->list[i].kind == LAYER_SKILL ? "skill" : "custom patch",
				layers->list[i].name);
	if (merge_is_binary(view_of_buf(&change->before.content)))
		string_array_addf(&a->plan.refused,
			"%s is a binary file, and not the core's: the change cannot be told apart from "
			"%s",
			shown, whose.len ? whose.data : "what was there before");
	else if (whose.len)
		string_array_addf(&a->plan.refused,
			"the change to %s is within lines that are not the core's and do not come from one skill alone: %s",
			shown, whose.data);
	else
		string_array_addf(&a->plan.refused,
			"the change to %s does not fit the core's file", shown);
}

static int plan_edit(struct author *a, const struct author_change *change, struct view before,
	struct view after, const char *note, struct error *err)
{
	struct edit e = {
		.change = change,
		.before = plain_file(before),
		.after = plain_file(after),
		.modify = {.content = BUF_INIT, .ancestor = TX_FILE_INIT},
	};
	struct author_plan *plan = &a->plan;
	CLEANUP(tx_file_release) struct tx_file core = TX_FILE_INIT;
	CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;
	CLEANUP(buf_release) struct buf on_top_of = BUF_INIT;
	int failed = name_in_core(a, &change->from, &name, &core, err) < 0 ||
		     (core.kind == TX_FILE && edit_try(&e, &core, err) < 0) ||
		     (!e.done && edit_on_skill(a, &e, err) < 0) ||
		     (!e.done && edit_on_skills_together(a, &e, err) < 0);

	if (!failed && !e.done)
		refuse_edit(a, change);
	if (!failed && e.done) {
		/* Other skills also use the core's name, unless the package renames the file. */
		e.modify.path = relpath_copy(
			name.text && !author_change_is_rename(change) ? &name : &change->path);
		for (size_t i = 0; i < e.skills.count; i++) {
			string_array_add_new(&a->result->depends, e.skills.list[i]);
			buf_appendf(&on_top_of, "%s%s", i ? ", " : "", e.skills.list[i]);
		}
		GROW(plan->modifies, plan->modify_count, plan->modify_cap);
		plan->modifies[plan->modify_count++] = e.modify;
		report_file(a, AUTHOR_MODIFY, &change->path, NULL,
			e.skills.count ? on_top_of.data : NULL, note);
	}
	string_array_release(&e.skills);
	return failed ? -1 : 0;
}

/* --- deleted and renamed files --- */

/*
 * A file that is gone, or, if the change has a `path`, that was renamed. `name` is what a package
 * calls it, `origin` the file without anyone else's changes.
 */
static int plan_op(struct author *a, const struct author_change *change, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file origin = TX_FILE_INIT;
	CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;
	CLEANUP(freep) char *shown = relpath_quote(&change->from);
	struct author_plan *plan = &a->plan;
	bool renamed = change->path.text;

	if (name_in_core(a, &change->from, &name, &origin, err) < 0)
		return -1;
	if (!name.text) {
		const struct applied_skill *adder =
			remap_adder(&a->session.state, NULL, &change->from);

		if (!adder) {
			string_array_addf(&plan->refused,
				"%s is neither the core's nor a skill's file: one of your "
				"patches has added it",
				shown);
			return 0;
		}
		string_array_add_new(&a->result->depends, adder->name);
		name = relpath_copy(&change->from);
		if (origin_read(&a->session, &change->from, &origin, err) < 0)
			return -1;
	}
	if (!renamed && !tx_file_equal(&origin, &change->before)) {
		string_array_addf(&plan->refused,
			"%s is gone, but other skills or patches had changed it: people who apply "
			"the package would be asked about their lines",
			shown);
		return 0;
	}
	report_file(a, renamed ? AUTHOR_RENAME : AUTHOR_DELETE,
		renamed ? &change->path : &change->from, renamed ? &change->from : NULL, NULL,
		NULL);
	GROW(plan->ops, plan->op_count, plan->op_cap);
	plan->ops[plan->op_count++] = (struct author_op){
		.from = name,
		.to = renamed ? relpath_copy(&change->path) : RELPATH_INIT,
	};
	name = RELPATH_INIT;
	if (!renamed || tx_file_equal(&change->before, &change->after))
		return 0;
	return plan_edit(a, change, view_of_buf(&change->before.content),
		view_of_buf(&change->after.content), NULL, err);
}

/* --- structured files --- */

static int plan_structured(struct author *a, struct author_change *change,
	const struct structured_format *format, struct error *err)
{
	CLEANUP(structured_declared_release)
	struct structured_declared found = STRUCTURED_DECLARED_INIT;
	const struct structured_edit edit = {
		.format = format,
		.path = &change->path,
		.before = &change->before,
		.after = &change->after,
		.skill = a->request->skill,
		.exact = a->request->exact,
	};
	struct author_plan *plan = &a->plan;
	struct view before, after;

	if (structured_declare(&a->session, &edit, plan->doc, &found, err) < 0)
		return -1;
	if (found.declared) {
		CLEANUP(freep)
		char *note = xasprintf("as '%s'%s", format->member,
			found.by_meaning ? "; the engine formats it in its own way" : "");

		change->by_meaning = found.by_meaning;
		if (!plan->structured)
			plan->structured = yaml_new_mapping(plan->doc);
		yaml_set(plan->structured, format->member, found.declared);
		report_file(a, AUTHOR_DECLARE, &change->path, NULL, NULL, note);
	}
	if (change->before.kind == TX_ABSENT)
		return found.declared ? 0 : plan_add(a, change, err);
	before = view_of_buf(&found.before);
	after = view_of_buf(&found.after);
	if (view_equal(before, after) && !((change->before.mode ^ change->after.mode) & 0100))
		return 0;
	return plan_edit(a, change, before, after,
		"as text, outside of the declared entries: other skills can conflict with it",
		err);
}

/* --- all of them --- */

static int plan_change(struct author *a, struct author_change *change, struct error *err)
{
	const struct structured_format *format = NULL;

	if (is_beyond_packages(a, change))
		return 0;
	if (change->after.kind == TX_FILE && change->before.kind != TX_SYMLINK &&
		!author_change_is_rename(change))
		format = structured_format_of(change->path.text);
	if (format)
		return plan_structured(a, change, format, err);
	if (!change->from.text)
		return plan_add(a, change, err);
	if (!change->path.text || author_change_is_rename(change))
		return plan_op(a, change, err);
	return plan_edit(a, change, view_of_buf(&change->before.content),
		view_of_buf(&change->after.content), NULL, err);
}

static int compare_files(const void *a, const void *b)
{
	const struct author_file *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ? order : (int)x->part - (int)y->part;
}

int author_make_plan(struct author *a, struct error *err)
{
	const struct state *state = &a->session.state;
	struct author_result *result = a->result;
	struct author_result fresh = {.warnings = result->warnings};
	struct string_array depends;

	/* It may be the second attempt. */
	result->warnings = (struct string_array){0};
	author_result_release(result);
	*result = fresh;
	author_plan_release(&a->plan);
	a->plan.doc = yaml_doc_new("manifest.yaml");
	for (size_t i = 0; i < a->changes.count; i++)
		if (plan_change(a, &a->changes.list[i], err) < 0)
			return -1;
	/* Dependencies in the order in which they are applied here. */
	depends = result->depends;
	result->depends = (struct string_array){0};
	for (size_t i = 0; i < state->skill_count; i++)
		if (string_array_has(&depends, state->skills[i].name))
			string_array_add(&result->depends, state->skills[i].name);
	string_array_release(&depends);
	if (result->count)
		qsort(result->files, result->count, sizeof(*result->files), compare_files);
	return 0;
}
