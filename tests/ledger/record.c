#include "record.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>

static bool is_unknown(const struct world *w, const char *path)
{
	return tokens_have(&w->ledger.unknown, view_of(path));
}

void record_drift(const struct world *w, const struct tree *tree, struct tokens *ret_paths)
{
	const struct tokens *tracked = &w->ledger.tracked;

	for (size_t i = 0; i < tracked->count; i++)
		if (!is_unknown(w, tracked->list[i]) &&
			!same_entry(tree_find(&w->ledger.recorded, tracked->list[i]),
				tree_find(tree, tracked->list[i])))
			tokens_add(ret_paths, view_of(tracked->list[i]));
}

void record_path(struct world *w, const char *path, const struct tree *tree)
{
	const struct tree_entry *entry = tree_find(tree, path);

	tokens_add(&w->ledger.tracked, view_of(path));
	tokens_remove(&w->ledger.unknown, path);
	if (entry && entry->kind != TREE_DIR)
		tree_put_copy(&w->ledger.recorded, entry);
	else
		tree_remove(&w->ledger.recorded, path);
}

void record_unknown(struct world *w, const char *path)
{
	tokens_add(&w->ledger.unknown, view_of(path));
}

void record_rename(struct world *w, const char *from, const char *to)
{
	const struct tree_entry *entry = tree_find(&w->ledger.recorded, from);

	if (is_unknown(w, from)) {
		record_unknown(w, to);
	} else if (entry) {
		struct tree_entry copy = *entry;

		copy.path = xstrdup(to);
		copy.data = entry->data ? xmemdupz(entry->data, entry->len) : NULL;
		tree_put(&w->ledger.recorded, copy);
	}
	tokens_add(&w->ledger.tracked, view_of(from));
	tokens_add(&w->ledger.tracked, view_of(to));
	tokens_remove(&w->ledger.unknown, from);
	tree_remove(&w->ledger.recorded, from);
	names_note(&w->ledger.names, from, to);
}

/* --- patches ------------------------------------------------------------------------- */

/* Apply the patch to what is recorded, except for some paths; false if git refuses. */
static bool apply_by_git(struct world *w, const char *patch, const struct tokens *except,
	struct tree *ret_result)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(command_result_release) struct command_result result = {0};
	CLEANUP(freep) char *folder = xasprintf("%s/fresh", w->workspace.root);
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	struct command_request request = {.dir = folder, .env = w->workspace.env};

	/* Below other skills, where a patch that is tied to one lies, their lines are missing. */
	buf_appendf(&line, "GIT_CEILING_DIRECTORIES=.. git apply%s",
		isdigit(basename(patch)[0]) ? "" : " -C1");
	for (size_t i = 0; i < except->count; i++)
		buf_appendf(&line, " --exclude='%s'", except->list[i]);
	buf_appendf(&line, " --whitespace=nowarn '%s/%s'", w->workspace.tree, patch);
	request.line = line.data;
	if (tree_delete(folder, &err) < 0 ||
		tree_write(&w->ledger.recorded, folder, &err) < 0 ||
		command_run(&request, &result, &err) < 0 ||
		tree_read(ret_result, folder, &err) < 0) {
		world_fail(w, "%s", err.message);
		return false;
	}
	if (result.status)
		world_fail(w, "git does not apply '%s': %s", patch, result.err.data);
	return !result.status;
}

static bool patch_knows_all(const struct world *w, const struct tree_entry *patch)
{
	const struct tokens *unknown = &w->ledger.unknown;

	for (size_t i = 0; i < unknown->count; i++)
		if (memmem(patch->data, patch->len, unknown->list[i], strlen(unknown->list[i])))
			return false;
	return true;
}

/* The file as the patch is meant to leave it. */
static const struct tree_entry *meant_entry(const struct world *w, const char *path,
	const struct tree *meant, const struct tree *left)
{
	const struct tree_entry *entry = tree_find(meant, path);

	if (left && same_entry(tree_find(left, path), entry))
		return tree_find(&w->ledger.recorded, path);
	return entry;
}

static void check_result(struct world *w, const char *patch, const struct tree *result,
	const struct tree *meant, const struct tree *left)
{
	const struct tree *both[] = {result, &w->ledger.recorded};

	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < both[i]->count; j++) {
			const char *path = both[i]->entries[j].path;

			/*
			 * Deleted, but a skill restored it: not in the patch.
			 */
			if (!tree_find(meant, path) && tree_find(&w->now, path))
				continue;
			if (!is_unknown(w, path) && !same_entry(tree_find(result, path),
							    meant_entry(w, path, meant, left)))
				world_fail(w, "'git apply %s' makes another '%s'", patch, path);
		}
}

static void note_result(struct world *w, const struct tree *result)
{
	CLEANUP(tree_release) struct tree old = TREE_INIT;
	const struct tree *both[] = {result, &old};

	tree_copy(&old, &w->ledger.recorded);
	for (size_t i = 0; i < 2; i++)
		for (size_t j = 0; j < both[i]->count; j++) {
			const char *path = both[i]->entries[j].path;

			if (both[i]->entries[j].kind != TREE_DIR &&
				!same_entry(tree_find(result, path), tree_find(&old, path)))
				record_path(w, path, result);
		}
}

static void note_unknown(struct world *w, const struct tree_entry *patch, const char *path)
{
	if (memmem(patch->data, patch->len, path, strlen(path)))
		record_unknown(w, path);
}

/*
 * Without git, every path named in the patch counts. `meant` has the files that the patch was
 * made from; the same command may have renamed them since.
 */
static void note_unknown_patch(
	struct world *w, const struct tree_entry *patch, const struct tree *meant)
{
	for (size_t i = 0; i < meant->count; i++)
		if (is_project_path(meant->entries[i].path) &&
			meant->entries[i].kind != TREE_DIR)
			note_unknown(w, patch, meant->entries[i].path);
	for (size_t i = 0; i < w->ledger.tracked.count; i++)
		note_unknown(w, patch, w->ledger.tracked.list[i]);
}

/* The rest of the line that begins with this, within the patch; NULL if there is none. */
static char *next_line(const char **at, const char *start)
{
	const char *line = strstr(*at, start);

	if (!line)
		return NULL;
	*at = line + strlen(start);
	return xmemdupz(*at, strcspn(*at, "\n"));
}

/* A person's rename that is recorded: skills follow it, if the names say which is meant. */
static void note_renames(struct world *w, const struct tree_entry *patch)
{
	struct names *names = &w->ledger.names;
	const char *at = patch->data;

	for (;;) {
		CLEANUP(freep) char *from = next_line(&at, "\nrename from ");
		CLEANUP(freep) char *to = from ? next_line(&at, "\nrename to ") : NULL;

		if (!to)
			return;
		if (!names_is_old(names, from) &&
			(!names_is_old(names, to) || names_same(names, from, to)))
			names_note(names, from, to);
	}
}

static bool names_any(const struct names *names, const struct tokens *paths, const char *path)
{
	for (size_t i = 0; i < paths->count; i++)
		if (names_same(names, paths->list[i], path))
			return true;
	return false;
}

/* Take git's word for none of these: they are as they are meant to be. */
static void trust_updated(struct world *w, const struct tree_entry *patch,
	const struct tree *meant, const struct tokens *updated, struct tokens *ret_paths)
{
	const struct tree *both[] = {meant, &w->ledger.recorded};

	for (size_t i = 0; updated && i < 2; i++)
		for (size_t j = 0; j < both[i]->count; j++) {
			const char *path = both[i]->entries[j].path;

			if (both[i]->entries[j].kind != TREE_DIR && is_project_path(path) &&
				!is_unknown(w, path) &&
				names_any(&w->ledger.names, updated, path) &&
				(tokens_have(&w->ledger.tracked, view_of(path)) ||
					memmem(patch->data, patch->len, path, strlen(path))))
				tokens_add(ret_paths, view_of(path));
		}
	for (size_t i = 0; i < ret_paths->count; i++)
		record_path(w, ret_paths->list[i], meant);
	/* A new version renamed it below the patch, which has the new name then. */
	for (size_t i = 0; updated && i < w->now.count; i++) {
		const char *path = w->now.entries[i].path;

		if (w->now.entries[i].kind == TREE_DIR || !is_project_path(path) ||
			tree_find(meant, path) ||
			!memmem(patch->data, patch->len, path, strlen(path)))
			continue;
		record_unknown(w, path);
		tokens_add(ret_paths, view_of(path));
	}
}

static void check_patch(struct world *w, const struct tree_entry *patch,
	const struct tree *meant, const struct tree *left, const struct tokens *updated)
{
	CLEANUP(tree_release) struct tree result = TREE_INIT;
	CLEANUP(tokens_release) struct tokens trusted = TOKENS_INIT;

	w->counts->patches++;
	note_renames(w, patch);
	if (!patch_knows_all(w, patch)) {
		note_unknown_patch(w, patch, meant);
		return;
	}
	trust_updated(w, patch, meant, updated, &trusted);
	if (!apply_by_git(w, patch->path, &trusted, &result))
		return;
	w->counts->git_applied++;
	check_result(w, patch->path, &result, meant, left);
	note_result(w, &result);
}

void record_patches(struct world *w, const struct tree *before, const struct tree *meant,
	const struct tree *left, const struct tokens *updated)
{
	for (size_t i = 0; i < w->now.count; i++) {
		const struct tree_entry *entry = &w->now.entries[i];

		if (path_matches(".nanoclaw/custom/*.patch", entry->path) &&
			!tree_find(before, entry->path))
			check_patch(w, entry, meant, left, updated);
	}
}

/* --- status -------------------------------------------------------------------------- */

/*
 * Unpredictable content becomes known when status reports the file as unchanged. No report is
 * enough only for files of the core: other files may no longer be recorded.
 */
static void adopt(struct world *w, const struct tokens *told)
{
	CLEANUP(tokens_release) struct tokens unknown = TOKENS_INIT;

	tokens_copy(&unknown, &w->ledger.unknown);
	for (size_t i = 0; i < unknown.count; i++)
		if (!tokens_have(told, view_of(unknown.list[i])) &&
			find_core(&w->base, &w->ledger.names, unknown.list[i]))
			record_path(w, unknown.list[i], &w->now);
}

static void compare_drift(struct world *w, const json_t *drift)
{
	CLEANUP(tokens_release) struct tokens expected = TOKENS_INIT;
	CLEANUP(tokens_release) struct tokens told = TOKENS_INIT;
	const json_t *item;
	size_t i;

	record_drift(w, &w->now, &expected);
	json_array_foreach(drift, i, item)
		tokens_add(&told, view_of(json_string_value(item)));
	w->counts->drift += told.count;
	for (i = 0; i < told.count; i++)
		if (!tokens_have(&expected, view_of(told.list[i])) &&
			!is_unknown(w, told.list[i]))
			world_fail(w, "status calls '%s' changed, and it is as recorded",
				told.list[i]);
	for (i = 0; i < expected.count; i++)
		if (!tokens_have(&told, view_of(expected.list[i])))
			world_fail(w, "status does not name '%s', which is not as recorded",
				expected.list[i]);
	adopt(w, &told);
}

void record_check_status(struct world *w)
{
	CLEANUP(command_result_release) struct command_result result = {0};
	json_t *status;

	world_query(w, "nanoclaw --json status", &result);
	if (world_failed(w))
		return;
	status = json_loads(result.out.data, 0, NULL);
	if (result.status || !status)
		world_fail(w, "status: exit code %d: %s", result.status, result.err.data);
	else
		compare_drift(w, json_object_get(status, "drift"));
	json_decref(status);
}
