#include "engine/resolution/resolution_import.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "engine/disk/transaction.h"
#include "engine/state/state.h"
#include "fs/beneath.h"

struct importing {
	const struct project *project;
	struct transaction *tx;
	struct relpath store;
	bool replace;
	size_t bytes;
	struct import_result *result;
};

static void importing_release(struct importing *i)
{
	transaction_free(i->tx);
	relpath_release(&i->store);
}

/* --- existing folders ---------------------------------------------------- */

/* Read the existing folder of that name; `*ret_found` is false if there is none. */
static int import_open_existing(struct importing *im, const char *key,
	struct resolution_folder *ret_folder, bool *ret_found, struct error *err)
{
	CLEANUP(faults_release) struct faults ignored = FAULTS_INIT;
	CLEANUP(closep) int store = -1;

	*ret_found = beneath_open_dir(im->project->root, &im->store, &store, err) == 0 &&
		     resolution_folder_open(store, key, ret_folder, &ignored, err) == 0;
	if (*ret_found)
		return 0;
	if (err->errnum != ENOENT)
		return -1;
	error_clear(err);
	return 0;
}

static bool is_same_folder(const struct resolution_folder *a, const struct resolution_folder *b)
{
	if (!view_equal(view_of_buf(&a->text), view_of_buf(&b->text)))
		return false;
	for (enum resolution_part part = RESOLUTION; part <= PREIMAGE; part++) {
		const struct relpath_list *paths = &a->paths[part];

		if (paths->count != b->paths[part].count)
			return false;
		for (size_t i = 0; i < paths->count; i++) {
			CLEANUP(error_release) struct error err = ERROR_INIT;
			CLEANUP(buf_release) struct buf x = BUF_INIT;
			CLEANUP(buf_release) struct buf y = BUF_INIT;

			if (resolution_folder_read(a, &paths->list[i], part, &x, &err) < 0 ||
				resolution_folder_read(b, &paths->list[i], part, &y, &err) <
					0 ||
				!view_equal(view_of_buf(&x), view_of_buf(&y)))
				return false;
		}
	}
	return true;
}

/* --- staging ------------------------------------------------------------- */

static int import_place(struct importing *im, const char *key, const struct relpath *path,
	enum resolution_part part, struct relpath *ret_place, struct error *err)
{
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath name = RELPATH_INIT;

	if (relpath_join(&im->store, view_of(key), &folder, err) < 0 ||
		resolution_part_path(path, part, &name, err) < 0)
		return -1;
	return relpath_join(&folder, relpath_view(&name), ret_place, err);
}

static int import_put_part(struct importing *im, const char *key,
	const struct resolution_folder *from, const struct relpath *path,
	enum resolution_part part, struct error *err)
{
	const struct resolution_file *file = resolution_meta_find(&from->meta, path);
	CLEANUP(relpath_release) struct relpath place = RELPATH_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash hash;

	if (!file)
		return 0; /* a preimage without a resolution */
	if (resolution_folder_read(from, path, part, &content, err) < 0 ||
		import_place(im, key, path, part, &place, err) < 0)
		return -1;
	hash = hash_of(view_of_buf(&content));
	if (part == RESOLUTION && !hash_equal(&hash, &file->output))
		return error_set(
			err, ERROR_INVALID, "'%s' was changed in the meantime", path->text);
	return transaction_put(im->tx, &place, view_of_buf(&content), 0644, err);
}

/* Delete files that the new one does not have. */
static int import_remove_others(struct importing *im, const char *key,
	const struct resolution_folder *old, const struct resolution_folder *by,
	struct error *err)
{
	for (enum resolution_part part = RESOLUTION; part <= PREIMAGE; part++)
		for (size_t i = 0; i < old->paths[part].count; i++) {
			const struct relpath *path = &old->paths[part].list[i];
			CLEANUP(relpath_release) struct relpath place = RELPATH_INIT;

			if (resolution_folder_has(by, part, path))
				continue;
			if (import_place(im, key, path, part, &place, err) < 0 ||
				transaction_remove(im->tx, &place, err) < 0)
				return -1;
		}
	return 0;
}

/* Plan the import of one of them; nothing is touched. */
static int import_plan(
	struct importing *im, const struct resolution_folder *from, struct error *err)
{
	CLEANUP(resolution_folder_release)
	struct resolution_folder here = RESOLUTION_FOLDER_INIT;
	CLEANUP(freep) char *key = resolution_key(&from->meta.skills);
	enum import_outcome outcome = IMPORT_NEW;
	bool found;

	im->bytes += from->bytes;
	if (im->bytes > RESOLUTION_MAX_IMPORT)
		return error_set(err, ERROR_INVALID,
			"these resolutions have more than %zu MiB in all",
			RESOLUTION_MAX_IMPORT / 1024 / 1024);
	for (size_t i = 0; i < im->result->count; i++)
		if (!strcmp(im->result->list[i].key, key))
			return error_set(err, ERROR_INVALID,
				"two of these folders are for the same skills, '%s'", key);
	if (import_open_existing(im, key, &here, &found, err) < 0)
		return -1;
	if (found)
		outcome = is_same_folder(&here, from) ? IMPORT_SAME : IMPORT_REPLACED;
	if (outcome == IMPORT_REPLACED && !im->replace) {
		error_set(err, ERROR_INVALID, "'%s/%s' already exists with different content",
			im->store.text, key);
		return error_hint(err, "'--replace' replaces it with the new one");
	}
	GROW(im->result->list, im->result->count, im->result->cap);
	im->result->list[im->result->count++] = (struct imported){
		.key = TAKE(key),
		.outcome = outcome,
		.files = from->meta.count,
	};
	return 0;
}

static int import_stage(struct importing *im, const struct imported *planned,
	const struct resolution_folder *from, struct error *err)
{
	CLEANUP(resolution_folder_release)
	struct resolution_folder here = RESOLUTION_FOLDER_INIT;
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath meta = RELPATH_INIT;
	bool found;

	if (planned->outcome == IMPORT_SAME)
		return 0;
	if (import_open_existing(im, planned->key, &here, &found, err) < 0 ||
		(found && import_remove_others(im, planned->key, &here, from, err) < 0))
		return -1;
	for (enum resolution_part part = RESOLUTION; part <= PREIMAGE; part++)
		for (size_t i = 0; i < from->paths[part].count; i++)
			if (import_put_part(im, planned->key, from, &from->paths[part].list[i],
				    part, err) < 0)
				return -1;
	if (relpath_join(&im->store, view_of(planned->key), &folder, err) < 0 ||
		relpath_join(&folder, view_of(RESOLUTION_META), &meta, err) < 0)
		return -1;
	return transaction_put(im->tx, &meta, view_of_buf(&from->text), 0644, err);
}

/* For each checked one: open it again, and plan or stage it. */
static int import_each(struct importing *im, bool staging, struct error *err)
{
	struct import_result *result = im->result;

	for (size_t i = 0; i < result->checks.count; i++) {
		const struct resolution_checked *checked = &result->checks.list[i];
		struct resolution_folder from = checked->folder;
		CLEANUP(closep)
		int fd = openat(result->checks.store, checked->entry,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (fd < 0)
			return error_errno(err, "cannot open '%s'", checked->shown);
		from.fd = fd;
		if ((staging ? import_stage(im, &result->list[i], &from, err)
			     : import_plan(im, &from, err)) < 0)
			return -1;
	}
	return 0;
}

/* --- the whole ----------------------------------------------------------- */

/* Does the first error start with its place in the folder? */
static bool starts_with_place(const struct faults *faults)
{
	for (size_t i = 0; i < faults->count; i++)
		if (faults->list[i].severity == FAULT_ERROR)
			return *faults->list[i].where;
	return false;
}

static int import_refuse_faults(
	const struct resolution_checks *checks, const char *folder, struct error *err)
{
	for (size_t i = 0; i < checks->count; i++) {
		const char *shown = checks->list[i].shown;
		CLEANUP(freep) char *message = NULL;

		if (!faults_as_error(&checks->list[i].faults, err))
			continue;
		message = TAKE(err->message);
		err->message = xasprintf("%s%s%s", shown,
			starts_with_place(&checks->list[i].faults) ? "/" : ": ", message);
		return error_hint(err,
			"nothing was imported; 'nanoclaw resolution check %s' shows all faults",
			folder);
	}
	if (checks->count)
		return 0;
	error_set(err, ERROR_INVALID, "'%s' holds no resolutions", folder);
	return error_hint(err, "a resolution is a folder with a " RESOLUTION_META);
}

/* Where they come from, if there is a state to note it in. */
static int import_note_sources(struct importing *im, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(STATE_PATH);
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool found;

	if (state_load(im->project, &state, &found, err) < 0)
		return -1;
	if (!found)
		return 0;
	for (size_t i = 0; i < im->result->count; i++) {
		const struct resolution_checked *checked = &im->result->checks.list[i];
		struct hash content = hash_of(view_of_buf(&checked->folder.text));

		if (im->result->list[i].outcome != IMPORT_SAME)
			state_set_resolution_source(
				&state, im->result->list[i].key, checked->shown, &content);
	}
	if (state_write(&state, &text, err) < 0)
		return -1;
	return transaction_put(im->tx, &path, view_of_buf(&text), 0644, err);
}

int resolution_import(const struct project *project, const char *folder,
	const struct relpath *into, bool replace, struct import_result *ret_result,
	struct error *err)
{
	CLEANUP(importing_release)
	struct importing im = {.project = project, .replace = replace, .result = ret_result};

	if (resolution_check(project, folder, true, &ret_result->checks, err) < 0 ||
		import_refuse_faults(&ret_result->checks, folder, err) < 0 ||
		relpath_parse(view_of(into ? into->text : RESOLUTIONS_OWN), &im.store, err) < 0)
		return -1;
	im.tx = transaction_new(project, "resolution import");
	if (import_each(&im, false, err) == 0 && import_each(&im, true, err) == 0) {
		if (!transaction_journal(im.tx)->change_count)
			return 0;
		if (import_note_sources(&im, err) == 0 && transaction_apply(im.tx, err) == 0 &&
			transaction_commit(im.tx, TRANSACTION_DONE, view_of(""), err) == 0)
			return 0;
	}
	return err->hint ? -1 : error_hint(err, "nothing was taken");
}

void import_result_release(struct import_result *result)
{
	for (size_t i = 0; i < result->count; i++)
		free(result->list[i].key);
	free(result->list);
	resolution_checks_release(&result->checks);
}
