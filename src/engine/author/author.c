#include "engine/author/author.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"
#include "base/utf8.h"
#include "engine/author/internal.h"
#include "engine/package/semver.h"
#include "engine/session/origin.h"
#include "fs/beneath.h"

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
	operation_result_release(&a->unused);
}

/* The folder of the package. Folder and name must be free. */
static int choose_folder(struct author *a, struct error *err)
{
	CLEANUP(selection_release) struct selection into = SELECTION_INIT;
	CLEANUP(skillset_release) struct skillset known = SKILLSET_INIT;
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath usual = relpath_of(AUTHOR_FOLDER);
	const char *skill = a->request->skill;
	const struct package *other;
	struct stat st;
	size_t parent;

	if (a->request->into && selection_add(&into, a->project, a->request->into, err) < 0)
		return -1;
	/* If the root itself is named, `into` is empty. */
	if (relpath_join(into.count         ? &into.list[0]
			 : a->request->into ? NULL
					    : &usual,
		    view_of(skill), &a->folder, err) < 0)
		return -1;
	if (beneath_stat(a->project->root, &a->folder, &st, &none) == 0) {
		error_set(err, ERROR_INVALID, "'%s' already exists", a->folder.text);
		return error_hint(err, "nothing is overwritten; choose another name");
	}
	if (skillset_open(a->project, &known, err) < 0)
		return -1;
	other = package_list_find(&known.packages, skill);
	if (other) {
		error_set(err, ERROR_INVALID, "a skill '%s' already exists in '%s'", skill,
			other->folder);
		return error_hint(err, "choose another name");
	}
	for (size_t i = 0; i < known.packages.count; i++) {
		const char *name = known.packages.list[i].manifest.skill;

		if (!strcasecmp(name, skill))
			return error_set(err, ERROR_INVALID,
				"a skill '%s' already exists, and differs only in case; choose "
				"another name",
				name);
	}
	if (state_find(&a->session.state, skill))
		return error_set(err, ERROR_INVALID,
			"a skill '%s' is already applied; choose another name", skill);
	/* By its name, where packages are looked for. */
	parent = strlen(a->folder.text) - strlen(skill);
	a->apply_as = !strncmp(a->folder.text, "skills/", parent) ||
				      !strncmp(a->folder.text, AUTHOR_FOLDER "/", parent)
			      ? skill
			      : a->folder.text;
	return 0;
}

/* --- from changes --- */

static int make_once(
	struct author *a, const struct custom_changes *changes, bool renames, struct error *err)
{
	draft_release(&a->draft);
	a->draft = DRAFT_INIT;
	if (author_select_changes(a, changes, renames, err) < 0 ||
		author_make_plan(a, err) < 0 ||
		author_refuse_lines("some changes cannot be part of a package",
			&a->plan.refused,
			"nothing was written; name the paths to include after '--'", err) < 0 ||
		author_write_package(a, err) < 0)
		return -1;
	return author_prove(a, err);
}

/* A rename can contradict other changes; then it becomes a deletion and a new file. */
static int make_package(
	struct author *a, const struct custom_changes *changes, struct error *err)
{
	CLEANUP(error_release) struct error second = ERROR_INIT;
	bool renames = false;

	if (make_once(a, changes, true, err) == 0)
		return 0;
	for (size_t i = 0; i < a->changes.count; i++)
		renames |= author_change_is_rename(&a->changes.list[i]);
	if (err->kind != ERROR_INVALID || !renames || make_once(a, changes, false, &second) < 0)
		return -1;
	error_clear(err);
	return 0;
}

static int make_of_changes(struct author *a, struct error *err)
{
	const struct author_request *request = a->request;
	const struct state *state = &a->session.state;
	const char *where = request->path_count ? " there" : "";
	CLEANUP(custom_changes_release) struct custom_changes changes = CUSTOM_CHANGES_INIT;
	bool by_head = !a->session.found_state && !request->range;

	if (by_head && author_read_head(a, &changes, &by_head, err) < 0)
		return -1;
	if (!a->session.found_state && !request->range && !by_head) {
		error_set(err, ERROR_INVALID,
			"nothing is recorded in '%s', so your changes cannot be distinguished from the core",
			a->project->path);
		return error_hint(err,
			"name a range of commits: '--from-changes main..HEAD'; or undo your "
			"changes, run 'nanoclaw init' to save the core, and make them again");
	}
	for (size_t i = 0; i < request->path_count; i++)
		if (selection_add(&a->selection, a->project, request->paths[i], err) < 0)
			return -1;
	a->packs = xcalloc(state->skill_count + 1, sizeof(*a->packs));
	for (size_t i = 0; i < state->skill_count; i++)
		a->packs[i] = PACK_INIT;
	for (size_t i = 0; i < state->skill_count; i++)
		if (origin_load_pack(&a->session, state->skills[i].name, &a->packs[i], err) < 0)
			return -1;
	if (!by_head &&
		(request->range ? author_read_range : author_read_tree)(a, &changes, err) < 0)
		return -1;
	if (make_package(a, &changes, err) < 0)
		return -1;
	a->result->by_head = by_head;
	a->result->is_in_tree = !request->range && a->session.found_state;
	if (a->changes.count)
		return 0;
	if (request->range)
		return error_set(err, ERROR_INVALID, "nothing of the project changed%s in '%s'",
			where, request->range);
	error_set(err, ERROR_INVALID,
		"nothing is changed%s, so there is nothing to make a skill from", where);
	return error_hint(err,
		"'nanoclaw skill new %s' makes an empty package; "
		"'nanoclaw status' shows what is changed",
		request->skill);
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
		return error_set(err, ERROR_INVALID, "a description must be one line of text");
	a.options.dry_run = true;
	if (session_open(&a.session, project, "skill new", NULL, &a.options, &a.unused, err) <
			0 ||
		session_open_base(&a.session, err) < 0 ||
		recorded_collect(&a.session.state, &a.recorded, err) < 0)
		return -1;
	a.core_version = xstrdup(a.session.state.core_version);
	if (choose_folder(&a, err) < 0 ||
		(request->from_changes ? make_of_changes : author_write_example)(&a, err) < 0)
		return -1;
	ret_result->folder = xstrdup(a.folder.text);
	ret_result->apply_as = xstrdup(a.apply_as);
	for (size_t i = 0; i < a.changes.count; i++)
		ret_result->by_meaning |= a.changes.list[i].by_meaning;
	for (size_t i = 0; i < a.unused.warning_count; i++)
		string_array_add(&ret_result->warnings, a.unused.warnings[i]);
	return request->dry_run ? 0 : draft_place(&a.draft, project, &a.folder, err);
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
	free(result->apply_as);
	string_array_release(&result->depends);
	string_array_release(&result->warnings);
}
