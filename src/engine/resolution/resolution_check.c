#include "engine/resolution/resolution_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "engine/package/package.h"
#include "engine/resolution/internal.h"
#include "fs/beneath.h"

/* --- one folder ---------------------------------------------------------- */

/* The place of a file in the folder, as it can be shown. */
static char *checked_place(const struct relpath *path, const char *ending)
{
	CLEANUP(freep) char *text = xasprintf("%s%s", path->text, ending);
	CLEANUP(freep) char *quoted = quote(view_of(text));

	return strlen(quoted) == strlen(text) + 2 ? TAKE(text) : TAKE(quoted);
}

static void checked_check_file(const struct resolution_context *context,
	struct resolution_checked *checked, const struct resolution_file *file)
{
	CLEANUP(freep) char *place = checked_place(&file->path, ".resolution");
	CLEANUP(freep) char *shown = relpath_quote(&file->path);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash hash;

	if (!resolution_folder_has(&checked->folder, RESOLUTION, &file->path)) {
		faults_add_at(&checked->faults, FAULT_ERROR, checked->folder.meta.doc, file->at,
			"the resolution of %s is missing", shown);
		return;
	}
	if (resolution_folder_read(&checked->folder, &file->path, RESOLUTION, &content, &err) <
		0) {
		faults_add(&checked->faults, FAULT_ERROR, place, "%s", err.message);
		return;
	}
	hash = hash_of(view_of_buf(&content));
	if (!hash_equal(&hash, &file->output))
		faults_add(&checked->faults, FAULT_ERROR, place,
			"it does not match the recorded hash 'output'");
	resolution_check_inputs(context, checked, file, view_of_buf(&content));
}

/* Files that meta.yaml does not mention. */
static void checked_check_unlisted(struct resolution_checked *checked)
{
	const struct resolution_folder *folder = &checked->folder;

	for (size_t i = 0; i < folder->paths[RESOLUTION].count; i++) {
		const struct relpath *path = &folder->paths[RESOLUTION].list[i];
		CLEANUP(freep) char *place = checked_place(path, ".resolution");

		if (!resolution_meta_find(&folder->meta, path))
			faults_add(&checked->faults, FAULT_ERROR, place,
				"meta.yaml has no hashes for it");
	}
	for (size_t i = 0; i < folder->paths[PREIMAGE].count; i++) {
		const struct relpath *path = &folder->paths[PREIMAGE].list[i];
		CLEANUP(freep) char *place = checked_place(path, ".preimage");

		if (!resolution_folder_has(folder, RESOLUTION, path))
			faults_add(&checked->faults, FAULT_WARNING, place,
				"there is no resolution for it");
	}
}

static void checked_check(
	const struct resolution_context *context, struct resolution_checked *checked)
{
	const struct resolution_meta *meta = &checked->folder.meta;
	bool readable = !checked->faults.errors;
	CLEANUP(freep) char *key = resolution_key(&meta->skills);

	if (!meta->doc || meta->doc->root->kind != YAML_MAPPING)
		return;
	if (meta->skills.count &&
		!resolution_key_names(view_of(checked->folder.name), &meta->skills))
		faults_add(&checked->faults, context->foreign ? FAULT_NOTE : FAULT_ERROR, "",
			"the folder's name is not that of its skills; it should be '%s'", key);
	if (resolution_meta_failed(meta))
		faults_add_at(&checked->faults, FAULT_WARNING, meta->doc,
			yaml_get(meta->doc->root, "test_passed")->at,
			"its tests have failed, so it is not used");
	/* With hashes that could not be read, everything else would follow. */
	if (!readable)
		return;
	checked_check_unlisted(checked);
	resolution_check_skills(context, checked);
	for (size_t i = 0; i < meta->count; i++)
		checked_check_file(context, checked, &meta->files[i]);
}

/* --- which folders ------------------------------------------------------- */

static void checks_add(const struct resolution_context *context, int store, const char *entry,
	const char *path, struct resolution_checks *checks)
{
	struct resolution_checked *checked;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	GROW(checks->list, checks->count, checks->cap);
	checked = &checks->list[checks->count++];
	*checked = (struct resolution_checked){
		.shown = package_show_folder(path),
		.entry = xstrdup(entry),
		.folder = RESOLUTION_FOLDER_INIT,
	};
	if (resolution_folder_open(store, entry, &checked->folder, &checked->faults, &err) <
		0) {
		faults_add_error(&checked->faults, &err);
		return;
	}
	/* The last part of where the folder really is, as it was typed as `.` or so. */
	if (!strcmp(entry, ".")) {
		CLEANUP(freep) char *real = realpath(path, NULL);
		const char *slash = real ? strrchr(real, '/') : NULL;

		free(checked->folder.name);
		checked->folder.name = xstrdup(slash ? slash + 1 : path);
	}
	checked_check(context, checked);
	closep(&checked->folder.fd);
	checked->folder.fd = -1;
}

static int checks_add_store(const struct resolution_context *context, int store,
	const char *shown, struct resolution_checks *checks, struct error *err)
{
	CLEANUP(string_array_release) struct string_array names = {0};

	if (resolution_names_read(store, true, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(freep) char *path = xasprintf("%s/%s", shown, names.list[i]);

		checks_add(context, store, names.list[i], path, checks);
	}
	return 0;
}

static int checks_add_own(const struct resolution_context *context, const char *folder,
	struct resolution_checks *checks, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int store = -1;

	if (relpath_parse(view_of(folder), &path, err) < 0)
		return -1;
	if (beneath_open_dir(context->project->root, &path, &store, err) < 0) {
		if (err->errnum != ENOENT)
			return -1;
		error_clear(err);
		return 0;
	}
	return checks_add_store(context, store, folder, checks, err);
}

int resolution_check(const struct project *project, const char *folder, bool foreign,
	struct resolution_checks *ret_checks, struct error *err)
{
	CLEANUP(resolution_context_release)
	struct resolution_context context = {.core = -1, .objects = -1};
	CLEANUP(resolution_checks_release)
	struct resolution_checks checks = RESOLUTION_CHECKS_INIT;
	CLEANUP(freep) char *shown = folder ? package_show_folder(folder) : NULL;

	if (resolution_context_open(project, foreign, &context, err) < 0)
		return -1;
	if (!folder) {
		if (checks_add_own(&context, RESOLUTIONS_OWN, &checks, err) < 0 ||
			checks_add_own(&context, RESOLUTIONS_SHIPPED, &checks, err) < 0)
			return -1;
	} else {
		checks.store = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (checks.store < 0) {
			error_errno(err, "cannot open '%s'", shown);
			err->kind = ERROR_INVALID;
			return -1;
		}
		if (faccessat(checks.store, RESOLUTION_META, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
			checks_add(&context, checks.store, ".", folder, &checks);
		else if (checks_add_store(&context, checks.store, shown, &checks, err) < 0)
			return -1;
	}
	*ret_checks = checks;
	checks = RESOLUTION_CHECKS_INIT;
	return 0;
}

void resolution_checks_release(struct resolution_checks *checks)
{
	for (size_t i = 0; i < checks->count; i++) {
		free(checks->list[i].shown);
		free(checks->list[i].entry);
		resolution_folder_release(&checks->list[i].folder);
		faults_release(&checks->list[i].faults);
	}
	free(checks->list);
	closep(&checks->store);
}
