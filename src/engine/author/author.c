#include "engine/author/author.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "engine/author/author_parts.h"
#include "engine/core/base.h"
#include "engine/operation/customize.h"
#include "engine/package/semver.h"
#include "engine/session/origin.h"
#include "engine/state/skillset.h"
#include "util/beneath.h"
#include "util/quote.h"
#include "util/utf8.h"

#define SHOWN 20

const char *const author_part_names[] = {
	[AUTHOR_ADD] = "add",
	[AUTHOR_MODIFY] = "modify",
	[AUTHOR_RENAME] = "rename",
	[AUTHOR_DELETE] = "delete",
	[AUTHOR_DECLARE] = "declare",
};

static void author_release(struct author *a)
{
	for (size_t i = 0; a->packs && i < a->session.state.skill_count; i++)
		pack_release(&a->packs[i]);
	free(a->packs);
	free(a->core_version);
	relpath_release(&a->folder);
	selection_release(&a->selection);
	author_changes_release(&a->changes);
	author_plan_release(&a->plan);
	draft_release(&a->draft);
	recorded_release(&a->recorded);
	session_release(&a->session);
	apply_result_release(&a->told);
}

void author_result_release(struct author_result *result)
{
	for (size_t i = 0; i < result->count; i++) {
		free(result->files[i].path);
		free(result->files[i].from);
		free(result->files[i].skill);
		free(result->files[i].note);
	}
	free(result->files);
	free(result->folder);
	string_array_release(&result->depends);
	string_array_release(&result->warnings);
}

/* --- what was asked for ----------------------------------------------------------- */

static int check_request(const struct author_request *request, struct error *err)
{
	const char *wrong = manifest_wrong_in_name(view_of(request->skill));
	CLEANUP(semver_release) struct semver version = {0};
	CLEANUP(freep) char *shown = quote(view_of(request->skill));

	if (wrong) {
		error_set(err, ERROR_INVALID, "the skill's name %s %s", shown, wrong);
		return error_hint(err, "a name such as 'telegram' or 'quiet-hours'");
	}
	if (request->version && semver_parse(view_of(request->version), &version, err) < 0)
		return error_prefix(err, "'--version'");
	if (request->description && (!view_trim(view_of(request->description)).len ||
					    !utf8_all_printable(view_of(request->description))))
		return error_set(
			err, ERROR_INVALID, "a description is one line of text, and not empty");
	return 0;
}

static int find_folder(struct author *a, struct error *err)
{
	CLEANUP(selection_release) struct selection into = SELECTION_INIT;
	CLEANUP(relpath_release) struct relpath parent = RELPATH_INIT;
	const char *skill = a->request->skill;

	if (a->request->into) {
		if (selection_add(&into, a->project, a->request->into, err) < 0)
			return -1;
		if (into.count)
			return relpath_join(&into.list[0], view_of(skill), &a->folder, err);
		return relpath_parse(view_of(skill), &a->folder, err);
	}
	if (relpath_parse(view_of(AUTHOR_FOLDER), &parent, err) < 0)
		return -1;
	return relpath_join(&parent, view_of(skill), &a->folder, err);
}

/* Nobody else may have the name: neither a folder, nor a package, nor what is applied. */
static int check_free(struct author *a, struct error *err)
{
	CLEANUP(skillset_release) struct skillset known = SKILLSET_INIT;
	CLEANUP(error_release) struct error none = ERROR_INIT;
	const char *skill = a->request->skill;
	struct stat st;

	if (beneath_stat(a->project->root, &a->folder, &st, &none) == 0) {
		error_set(err, ERROR_INVALID, "'%s' is there already", a->folder.text);
		return error_hint(err, "nothing is overwritten; take another name");
	}
	if (skillset_open(a->project, &known, err) < 0)
		return -1;
	for (size_t i = 0; i < known.packages.count; i++) {
		if (strcmp(known.packages.list[i].manifest.skill, skill) != 0)
			continue;
		error_set(err, ERROR_INVALID, "there is a skill '%s' already, in '%s'", skill,
			known.packages.list[i].folder);
		return error_hint(err, "take another name");
	}
	if (state_find(&a->session.state, skill))
		return error_set(err, ERROR_INVALID,
			"a skill '%s' is applied already; take another name", skill);
	return 0;
}

static int select_paths(struct author *a, struct error *err)
{
	for (size_t i = 0; i < a->request->path_count; i++)
		if (selection_add(&a->selection, a->project, a->request->paths[i], err) < 0)
			return -1;
	return 0;
}

/* --- what there is ---------------------------------------------------------------- */

static int read_packs(struct author *a, struct error *err)
{
	const struct state *state = &a->session.state;

	a->packs = xcalloc(state->skill_count + 1, sizeof(*a->packs));
	for (size_t i = 0; i < state->skill_count; i++)
		a->packs[i] = PACK_INIT;
	for (size_t i = 0; i < state->skill_count; i++)
		if (origin_load_pack(&a->session, state->skills[i].name, &a->packs[i], err) < 0)
			return -1;
	return 0;
}

static int open_project(struct author *a, struct error *err)
{
	struct session *s = &a->session;

	a->options.dry_run = true;
	if (session_open(s, a->project, "skill new", NULL, &a->options, &a->told, err) < 0 ||
		session_open_base(s, err) < 0)
		return -1;
	a->core_version = xstrdup(s->state.core_version);
	return recorded_collect(&s->state, &a->recorded, err);
}

static int need_installation(const struct author *a, struct error *err)
{
	if (a->session.found_state || a->request->range)
		return 0;
	error_set(err, ERROR_INVALID,
		"nothing is recorded in '%s', so that your changes cannot be told from the core",
		a->project->path);
	return error_hint(err,
		"name a range of commits: '--from-changes main..HEAD'; or keep the "
		"core as it was before your changes, with 'nanoclaw init'");
}

/* --- making it -------------------------------------------------------------------- */

static int report_refused(const struct author *a, struct error *err)
{
	const struct string_array *refused = &a->plan.refused;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!refused->count)
		return 0;
	for (size_t i = 0; i < refused->count && i < SHOWN; i++)
		buf_appendf(&text, "\n    %s", refused->list[i]);
	if (refused->count > SHOWN)
		buf_appendf(&text, "\n    and %zu more", refused->count - SHOWN);
	error_set(err, ERROR_INVALID, "not all of it can be a part of a package:%s", text.data);
	return error_hint(
		err, "nothing was written; name the paths that are to be in it, behind '--'");
}

static int make_once(
	struct author *a, const struct custom_changes *changes, bool renames, struct error *err)
{
	draft_release(&a->draft);
	a->draft = DRAFT_INIT;
	if (author_take_changes(a, changes, renames, err) < 0 || author_make_plan(a, err) < 0 ||
		report_refused(a, err) < 0 || author_write_package(a, err) < 0)
		return -1;
	return author_prove(a, err);
}

static bool has_renames(const struct author *a)
{
	for (size_t i = 0; i < a->changes.count; i++) {
		const struct author_change *c = &a->changes.list[i];

		if (c->from.text && c->path.text && relpath_compare(&c->from, &c->path) != 0)
			return true;
	}
	return false;
}

/* A rename may contradict others; then it is a deletion and a new file. */
static int make_from(struct author *a, const struct custom_changes *changes, struct error *err)
{
	CLEANUP(error_release) struct error second = ERROR_INIT;

	if (make_once(a, changes, true, err) == 0)
		return 0;
	if (err->kind != ERROR_INVALID || !has_renames(a))
		return -1;
	if (make_once(a, changes, false, &second) < 0)
		return -1;
	error_clear(err);
	return 0;
}

static int refuse_nothing(const struct author *a, struct error *err)
{
	if (a->request->range)
		return error_set(err, ERROR_INVALID, "nothing of the project changed%s in '%s'",
			a->request->path_count ? " there" : "", a->request->range);
	error_set(err, ERROR_INVALID,
		"nothing is changed%s, so there is nothing to make a skill of",
		a->request->path_count ? " there" : "");
	return error_hint(err,
		"'nanoclaw skill new %s' makes an empty package; "
		"'nanoclaw status' shows what is changed",
		a->request->skill);
}

static int make_of_changes(struct author *a, struct error *err)
{
	CLEANUP(custom_changes_release) struct custom_changes changes = CUSTOM_CHANGES_INIT;

	if (need_installation(a, err) < 0 || select_paths(a, err) < 0 ||
		read_packs(a, err) < 0 ||
		(a->request->range ? author_read_range : author_read_tree)(a, &changes, err) <
			0)
		return -1;
	if (make_from(a, &changes, err) < 0)
		return -1;
	a->result->is_in_tree = !a->request->range;
	return a->changes.count ? 0 : refuse_nothing(a, err);
}

static void hand_over(struct author *a)
{
	struct author_result *result = a->result;

	result->folder = xstrdup(a->folder.text);
	result->files = a->plan.files;
	result->count = a->plan.file_count;
	result->cap = a->plan.file_cap;
	a->plan.files = NULL;
	a->plan.file_count = a->plan.file_cap = 0;
	result->depends = a->plan.depends;
	a->plan.depends = (struct string_array){0};
	for (size_t i = 0; i < a->changes.count; i++)
		result->by_meaning |= a->changes.list[i].by_meaning;
	for (size_t i = 0; i < a->told.warning_count; i++)
		string_array_add(&result->warnings, a->told.warnings[i]);
}

int author_new(const struct project *project, const struct author_request *request,
	struct author_result *ret_result, struct error *err)
{
	CLEANUP(author_release)
	struct author a = {
		.project = project,
		.request = request,
		.result = ret_result,
		.session = {.base = -1},
	};

	if (check_request(request, err) < 0 || open_project(&a, err) < 0 ||
		find_folder(&a, err) < 0 || check_free(&a, err) < 0 ||
		(request->from_changes ? make_of_changes : author_write_example)(&a, err) < 0)
		return -1;
	hand_over(&a);
	return request->dry_run ? 0 : draft_place(&a.draft, project, &a.folder, err);
}
