/*
 * What each change becomes in a package.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/author/author_parts.h"
#include "engine/disk/tx_file.h"
#include "engine/session/origin.h"
#include "engine/state/remap.h"
#include "engine/structured/structured_declare.h"
#include "util/string_array.h"
#include "util/utf8.h"

void author_refuse(struct author *a, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	string_array_add(&a->plan.refused, text.data);
}

void author_depend_on(struct author *a, const char *skill)
{
	if (!string_array_has(&a->plan.depends, skill))
		string_array_add(&a->plan.depends, skill);
}

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
	for (size_t i = 0; i < plan->file_count; i++) {
		free(plan->files[i].path);
		free(plan->files[i].from);
		free(plan->files[i].skill);
		free(plan->files[i].note);
	}
	free(plan->adds);
	free(plan->modifies);
	free(plan->ops);
	free(plan->files);
	yaml_doc_free(plan->doc);
	string_array_release(&plan->depends);
	string_array_release(&plan->refused);
	*plan = (struct author_plan){0};
}

/* For the result; `from`, `skill` and `note` may be NULL. */
static void tell(struct author *a, enum author_part part, const struct relpath *path,
	const struct relpath *from, const char *skill, const char *note)
{
	struct author_plan *plan = &a->plan;

	GROW(plan->files, plan->file_count, plan->file_cap);
	plan->files[plan->file_count++] = (struct author_file){
		.part = part,
		.path = xstrdup(path->text),
		.from = from ? xstrdup(from->text) : NULL,
		.skill = skill ? xstrdup(skill) : NULL,
		.note = note ? xstrdup(note) : NULL,
	};
}

/* --- what no package can say ------------------------------------------------------------- */

/* A name that no manifest can have. */
static bool is_bad_name(struct author *a, const struct relpath *path)
{
	CLEANUP(freep) char *shown = NULL;

	if (!path->text)
		return false;
	shown = relpath_quote(path);
	if (!utf8_valid(relpath_view(path)))
		author_refuse(a, "%s has a name that is not UTF-8, which no manifest can hold",
			shown);
	else if (manifest_path_is_secret(path) || relpath_protected(path))
		author_refuse(a, "%s has a name that no package may have", shown);
	else
		return false;
	return true;
}

static bool is_unchanged(const struct author_change *change)
{
	return tx_file_equal(&change->before, &change->after);
}

static bool is_beyond_packages(struct author *a, const struct author_change *change)
{
	CLEANUP(freep) char *shown = relpath_quote(author_change_name(change));
	bool renamed = change->from.text && change->path.text && is_unchanged(change);

	if (is_bad_name(a, &change->from) || is_bad_name(a, &change->path))
		return true;
	if (!change->path.text || renamed)
		return false;
	if (change->after.kind == TX_SYMLINK)
		author_refuse(a, "%s is a symbolic link, which no package can hold", shown);
	else if (change->before.kind == TX_SYMLINK)
		author_refuse(
			a, "%s was a symbolic link, and no package can replace one", shown);
	else
		return false;
	return true;
}

/* --- files that come -------------------------------------------------------------- */

static int plan_add(struct author *a, const struct author_change *change, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file core = TX_FILE_INIT;
	CLEANUP(freep) char *shown = relpath_quote(&change->path);
	struct author_plan *plan = &a->plan;

	if (session_read_base(&a->session, &change->path, &core, err) < 0)
		return -1;
	if (core.kind != TX_ABSENT) {
		author_refuse(a,
			"%s is new, but the core has a file of that name, which a skill or a patch "
			"has taken away",
			shown);
		return 0;
	}
	GROW(plan->adds, plan->add_count, plan->add_cap);
	plan->adds[plan->add_count++] = change;
	tell(a, AUTHOR_ADD, &change->path, NULL, NULL, NULL);
	return 0;
}

/* --- files that go, or get another name ------------------------------------------- */

/*
 * How a package calls the file before the change, and what it is without other people's
 * changes. .text is NULL, and that is noted, if nobody else could know the file.
 */
static int find_origin(struct author *a, const struct author_change *change,
	struct relpath *ret_name, struct tx_file *ret_origin, struct error *err)
{
	const struct applied_skill *adder;

	if (author_name_in_core(a, &change->from, ret_name, ret_origin, err) < 0)
		return -1;
	if (ret_name->text)
		return 0;
	adder = remap_adder(&a->session.state, NULL, &change->from);
	if (!adder) {
		CLEANUP(freep) char *shown = relpath_quote(&change->from);

		author_refuse(a,
			"%s is neither the core's nor a skill's file: one of your patches has "
			"added it",
			shown);
		return 0;
	}
	author_depend_on(a, adder->name);
	*ret_name = relpath_copy(&change->from);
	return origin_read(&a->session, &change->from, ret_origin, err);
}

static void add_op(struct author *a, struct relpath *from, const struct relpath *to)
{
	struct author_plan *plan = &a->plan;

	GROW(plan->ops, plan->op_count, plan->op_cap);
	plan->ops[plan->op_count++] = (struct author_op){
		.from = *from,
		.to = to ? relpath_copy(to) : RELPATH_INIT,
	};
	*from = RELPATH_INIT;
}

static int plan_delete(struct author *a, const struct author_change *change, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file origin = TX_FILE_INIT;
	CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;

	if (find_origin(a, change, &name, &origin, err) < 0)
		return -1;
	if (!name.text)
		return 0;
	if (!tx_file_equal(&origin, &change->before)) {
		CLEANUP(freep) char *shown = relpath_quote(&change->from);

		author_refuse(a,
			"%s is gone, but other skills or patches had changed it: whoever applies the "
			"package would be asked about their lines",
			shown);
		return 0;
	}
	tell(a, AUTHOR_DELETE, &change->from, NULL, NULL, NULL);
	add_op(a, &name, NULL);
	return 0;
}

/* --- edited files ----------------------------------------------------------------- */

static int plan_text(struct author *a, const struct author_change *change, struct view before,
	struct view after, const char *note, struct error *err)
{
	struct author_modify modify = {.content = BUF_INIT, .ancestor = TX_FILE_INIT};
	struct author_plan *plan = &a->plan;
	CLEANUP(string_array_release) struct string_array skills = {0};
	CLEANUP(buf_release) struct buf on_top_of = BUF_INIT;
	bool done;

	if (author_carry(a, change, before, after, &modify, &skills, &done, err) < 0)
		return -1;
	if (!done)
		return 0;
	for (size_t i = 0; i < skills.count; i++) {
		author_depend_on(a, skills.list[i]);
		buf_appendf(&on_top_of, "%s%s", i ? ", " : "", skills.list[i]);
	}
	GROW(plan->modifies, plan->modify_count, plan->modify_cap);
	plan->modifies[plan->modify_count++] = modify;
	tell(a, AUTHOR_MODIFY, &change->path, NULL, skills.count ? on_top_of.data : NULL, note);
	return 0;
}

static int plan_edit(struct author *a, const struct author_change *change, struct error *err)
{
	return plan_text(a, change, view_of_buf(&change->before.content),
		view_of_buf(&change->after.content), NULL, err);
}

static int plan_rename(struct author *a, const struct author_change *change, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file origin = TX_FILE_INIT;
	CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;

	if (find_origin(a, change, &name, &origin, err) < 0)
		return -1;
	if (!name.text)
		return 0;
	tell(a, AUTHOR_RENAME, &change->path, &change->from, NULL, NULL);
	add_op(a, &name, &change->path);
	return is_unchanged(change) ? 0 : plan_edit(a, change, err);
}

/* --- structured files ------------------------------------------------------------- */

static void declare(struct author *a, const struct structured_format *format,
	struct author_change *change, const struct structured_declared *found)
{
	struct author_plan *plan = &a->plan;
	CLEANUP(freep)
	char *note = found->by_meaning ? xasprintf("as '%s'; the engine lays it out in its own "
						   "way",
						 format->member)
				       : xasprintf("as '%s'", format->member);

	change->by_meaning = found->by_meaning;
	if (!plan->structured)
		plan->structured = yaml_new_mapping(plan->doc);
	yaml_set(plan->structured, format->member, found->declared);
	tell(a, AUTHOR_DECLARE, &change->path, NULL, NULL, note);
}

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
	struct view before, after;
	bool mode_changed;

	if (structured_declare(&a->session, &edit, a->plan.doc, &found, err) < 0)
		return -1;
	if (found.declared)
		declare(a, format, change, &found);
	before = view_of_buf(&found.before);
	after = view_of_buf(&found.after);
	if (change->before.kind == TX_ABSENT)
		return found.declared ? 0 : plan_add(a, change, err);
	mode_changed = (change->before.mode ^ change->after.mode) & 0100;
	if (view_equal(before, after) && !mode_changed)
		return 0;
	return plan_text(a, change, before, after,
		"as text, into what is not declared: other skills can conflict with it", err);
}

/* --- all of them ------------------------------------------------------------------ */

/* Only where both sides are files of that name can it be an edit of a structured file. */
static const struct structured_format *format_of(const struct author_change *change)
{
	if (change->after.kind != TX_FILE || change->before.kind == TX_SYMLINK ||
		(change->from.text && relpath_compare(&change->from, &change->path) != 0))
		return NULL;
	return structured_format_of(change->path.text);
}

static int plan_change(struct author *a, struct author_change *change, struct error *err)
{
	const struct structured_format *format = format_of(change);

	if (is_beyond_packages(a, change))
		return 0;
	if (format)
		return plan_structured(a, change, format, err);
	if (!change->from.text)
		return plan_add(a, change, err);
	if (!change->path.text)
		return plan_delete(a, change, err);
	if (relpath_compare(&change->from, &change->path) != 0)
		return plan_rename(a, change, err);
	return plan_edit(a, change, err);
}

static int by_path(const void *a, const void *b)
{
	const struct author_file *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ? order : (int)x->part - (int)y->part;
}

/* Dependencies in the order in which they are applied here. */
static void sort_depends(struct author *a)
{
	const struct state *state = &a->session.state;
	struct string_array sorted = {0};

	for (size_t i = 0; i < state->skill_count; i++)
		if (string_array_has(&a->plan.depends, state->skills[i].name))
			string_array_add(&sorted, state->skills[i].name);
	string_array_release(&a->plan.depends);
	a->plan.depends = sorted;
}

int author_make_plan(struct author *a, struct error *err)
{
	author_plan_release(&a->plan);
	a->plan.doc = yaml_doc_new("manifest.yaml");
	for (size_t i = 0; i < a->changes.count; i++)
		if (plan_change(a, &a->changes.list[i], err) < 0)
			return -1;
	sort_depends(a);
	if (a->plan.file_count)
		qsort(a->plan.files, a->plan.file_count, sizeof(*a->plan.files), by_path);
	return 0;
}
