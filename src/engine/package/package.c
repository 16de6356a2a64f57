#include "engine/package/package.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/similar.h"
#include "base/utf8.h"
#include "engine/disk/transaction.h"
#include "fs/beneath.h"
#include "fs/file.h"

/* Where a project keeps its packages. */
static const char *const package_folders[] = {".claude/skills", "skills"};

/* --- opening ----------------------------------------------------------------- */

char *package_show_folder(const char *folder)
{
	struct view text = view_of(folder);

	while (text.len > 1 && text.data[text.len - 1] == '/')
		text.len--;
	return utf8_all_printable(text) ? xmemdupz(text.data, text.len) : quote(text);
}

/* `shown` may be NULL: then it is the folder as it was typed. */
static int package_open_at(int dirfd, const char *folder, const char *shown,
	struct package *ret_package, struct faults *faults, struct error *err)
{
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	CLEANUP(relpath_release) struct relpath name = relpath_of("manifest.yaml");
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	package.folder = package_show_folder(shown ? shown : folder);
	package.fd = openat(dirfd, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (package.fd < 0) {
		error_errno(err, "cannot open package '%s'", package.folder);
		err->kind = ERROR_INVALID;
		return error_hint(err, "name the folder that has the manifest.yaml, or a skill "
				       "that 'nanoclaw skill list' shows");
	}
	if (beneath_read(package.fd, &name, YAML_MAX_SIZE, &text, err) < 0) {
		if (err->errnum == ENOENT) {
			error_clear(err);
			error_set(err, ERROR_INVALID, "it has no manifest.yaml");
		}
		error_prefix(err, "'%s' is not a skill package", package.folder);
		err->kind = ERROR_INVALID;
		return -1;
	}
	manifest_parse(view_of_buf(&text), "manifest.yaml", &package.manifest, faults);
	package.text = buf_take(&text);
	*ret_package = package;
	package = PACKAGE_INIT;
	return 0;
}

int package_open(const char *folder, struct package *ret_package, struct faults *faults,
	struct error *err)
{
	return package_open_at(AT_FDCWD, folder, NULL, ret_package, faults, err);
}

/* The first fault as an error, with the folder before the place. */
static int package_refuse_faults(
	const struct package *package, const struct faults *faults, struct error *err)
{
	CLEANUP(freep) char *message = NULL;

	if (!faults_as_error(faults, err))
		return 0;
	message = TAKE(err->message);
	err->message = xasprintf("%s/%s", package->folder, message);
	return error_hint(
		err, "'nanoclaw skill check %s' shows all its faults", package->folder);
}

int package_load(const char *folder, struct package *ret_package, struct error *err)
{
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

	if (package_open(folder, &package, &faults, err) < 0 ||
		package_refuse_faults(&package, &faults, err) < 0)
		return -1;
	*ret_package = package;
	package = PACKAGE_INIT;
	return 0;
}

/* A file of a staged package. */
static int package_read_staged(const struct package *package, struct view name,
	struct buf *ret_content, mode_t *ret_mode, struct error *err)
{
	CLEANUP(relpath_release) struct relpath full = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

	if (relpath_join(&package->staged, name, &full, err) < 0 ||
		transaction_read(package->tx, &full, &file, err) < 0)
		return -1;
	if (file.kind != TX_FILE)
		return error_set(err, ERROR_INVALID, "package '%s': '%.*s' is not a file",
			package->folder, VIEW_ARGS(name));
	*ret_content = file.content;
	file.content = BUF_INIT;
	*ret_mode = file.mode & S_IXUSR ? 0755 : 0644;
	return 0;
}

int package_load_staged(struct transaction *tx, const struct relpath *folder,
	struct package *ret_package, struct error *err)
{
	CLEANUP(package_release) struct package package = PACKAGE_INIT;
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	mode_t mode;

	package.folder = package_show_folder(folder->text);
	package.tx = tx;
	package.staged = relpath_copy(folder);
	if (package_read_staged(&package, view_of("manifest.yaml"), &text, &mode, err) < 0)
		return -1;
	manifest_parse(view_of_buf(&text), "manifest.yaml", &package.manifest, &faults);
	package.text = buf_take(&text);
	if (package_refuse_faults(&package, &faults, err) < 0)
		return -1;
	*ret_package = package;
	package = PACKAGE_INIT;
	return 0;
}

void package_release(struct package *package)
{
	relpath_release(&package->staged);
	free(package->folder);
	closep(&package->fd);
	manifest_release(&package->manifest);
	free(package->text);
}

/* --- looking through a project ----------------------------------------------- */

/* A package that was found, and the faults of its manifest. */
struct candidate {
	struct package package;
	struct faults faults;
	char *name; /* of the folder */
};

struct candidates {
	struct candidate *list;
	size_t count;
	size_t cap;
};

static void candidate_release(struct candidate *candidate)
{
	package_release(&candidate->package);
	faults_release(&candidate->faults);
	free(candidate->name);
}

static void candidates_release(struct candidates *candidates)
{
	for (size_t i = 0; i < candidates->count; i++)
		candidate_release(&candidates->list[i]);
	free(candidates->list);
}

/* One of the two folders may be a link to the other. */
static bool candidates_have(const struct candidates *candidates, const struct package *package)
{
	struct stat a, b;

	if (fstat(package->fd, &a) < 0)
		return false;
	for (size_t i = 0; i < candidates->count; i++)
		if (!fstat(candidates->list[i].package.fd, &b) && a.st_dev == b.st_dev &&
			a.st_ino == b.st_ino)
			return true;
	return false;
}

/* Any folder that contains a manifest.yaml; other folders are not packages. */
static int candidates_add(struct candidates *candidates, int dirfd, const char *folder,
	const char *name, struct error *err)
{
	CLEANUP(freep) char *manifest = xasprintf("%s/manifest.yaml", name);
	CLEANUP(freep) char *shown = xasprintf("%s/%s", folder, name);
	CLEANUP(candidate_release) struct candidate found = {.package = PACKAGE_INIT};
	CLEANUP(error_release) struct error unreadable = ERROR_INIT;
	struct stat st;

	if (fstatat(dirfd, manifest, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == EIO ? error_errno(err, "cannot access '%s'", manifest) : 0;
	if (package_open_at(dirfd, name, shown, &found.package, &found.faults, &unreadable) <
		0) {
		if (unreadable.errnum == EMFILE || unreadable.errnum == ENFILE ||
			unreadable.errnum == EIO)
			return error_set(err, ERROR_FAILED, "%s", unreadable.message);
		faults_add_error(&found.faults, &unreadable);
		free(found.package.folder);
		found.package.folder = package_show_folder(shown);
	}
	if (found.package.fd >= 0 && candidates_have(candidates, &found.package))
		return 0;
	found.name = xstrdup(name);
	GROW(candidates->list, candidates->count, candidates->cap);
	candidates->list[candidates->count++] = found;
	found = (struct candidate){.package = PACKAGE_INIT};
	return 0;
}

static int candidates_scan(
	int root, const char *folder, struct candidates *candidates, struct error *err)
{
	CLEANUP(closep) int fd = openat(root, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(closedirp) DIR *dir = NULL;
	const struct dirent *entry;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir)
		return error_errno(err, "cannot open '%s'", folder);
	fd = -1; /* it belongs to `dir` now */
	while (errno = 0, (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (candidates_add(candidates, dirfd(dir), folder, entry->d_name, err) < 0)
			return -1;
	}
	return errno ? error_errno(err, "cannot read '%s'", folder) : 0;
}

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	const char *skill_x = x->package.manifest.skill, *skill_y = y->package.manifest.skill;
	int order = strcmp(skill_x ? skill_x : "", skill_y ? skill_y : "");

	return order ? order : strcmp(x->package.folder, y->package.folder);
}

static int candidates_read(int root, struct candidates *ret_candidates, struct error *err)
{
	CLEANUP(candidates_release) struct candidates found = {0};

	for (size_t i = 0; i < ARRAY_SIZE(package_folders); i++)
		if (candidates_scan(root, package_folders[i], &found, err) < 0)
			return -1;
	if (found.count)
		qsort(found.list, found.count, sizeof(*found.list), compare_candidates);
	*ret_candidates = found;
	found = (struct candidates){0};
	return 0;
}

int package_list_read(int root, struct package_list *ret_list, struct error *err)
{
	CLEANUP(candidates_release) struct candidates found = {0};
	struct package_list list = {0};

	if (candidates_read(root, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < found.count; i++) {
		struct candidate *candidate = &found.list[i];

		if (candidate->faults.errors) {
			string_array_add(&list.broken, candidate->package.folder);
			continue;
		}
		GROW(list.list, list.count, list.cap);
		list.list[list.count++] = candidate->package;
		candidate->package = PACKAGE_INIT;
	}
	*ret_list = list;
	return 0;
}

const struct package *package_list_find(const struct package_list *list, const char *skill)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->list[i].manifest.skill, skill))
			return &list->list[i];
	return NULL;
}

void package_list_release(struct package_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		package_release(&list->list[i]);
	free(list->list);
	string_array_release(&list->broken);
}

/* --- finding by name or folder ----------------------------------------------- */

static bool is_package_path(const char *typed)
{
	CLEANUP(freep) char *manifest = xasprintf("%s/manifest.yaml", typed);
	struct stat st;

	return strchr(typed, '/') || !strcmp(typed, ".") || !strcmp(typed, "..") ||
	       !lstat(manifest, &st);
}

/*
 * The package whose manifest, or folder, has the name. `*ret_found` is NULL if there is none;
 * two are an error.
 */
static int candidates_find_named(const struct candidates *candidates, const char *typed,
	bool by_folder, struct candidate **ret_found, struct error *err)
{
	struct candidate *found = NULL;

	for (size_t i = 0; i < candidates->count; i++) {
		struct candidate *candidate = &candidates->list[i];
		const char *name =
			by_folder ? candidate->name : candidate->package.manifest.skill;

		if (!name || strcmp(name, typed) != 0)
			continue;
		if (found) {
			error_set(err, ERROR_INVALID,
				"two packages are named '%s': '%s' and '%s'", typed,
				found->package.folder, candidate->package.folder);
			return error_hint(err, "give the path of the one you mean");
		}
		found = candidate;
	}
	*ret_found = found;
	return 0;
}

static int candidates_refuse(
	const struct candidates *candidates, const char *typed, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(typed));
	struct similar best = similar_to(typed);

	for (size_t i = 0; i < candidates->count; i++) {
		if (candidates->list[i].package.manifest.skill)
			similar_consider(&best, candidates->list[i].package.manifest.skill);
		similar_consider(&best, candidates->list[i].name);
	}
	error_set(err, ERROR_INVALID, "there is no skill %s", shown);
	if (best.found && utf8_all_printable(view_of(best.found)))
		return error_hint(err, "did you mean '%s'?", best.found);
	return error_hint(err, "'nanoclaw skill list' shows the skills of this project");
}

/* By the name in the manifest first, then by the folder's name. */
static int candidates_find(const struct candidates *all, const char *typed,
	struct candidate **ret_found, struct error *err)
{
	if (candidates_find_named(all, typed, false, ret_found, err) < 0)
		return -1;
	return *ret_found ? 0 : candidates_find_named(all, typed, true, ret_found, err);
}

int package_find(int root, const char *typed, struct package *ret_package, struct error *err)
{
	CLEANUP(candidates_release) struct candidates all = {0};
	struct candidate *found = NULL;

	if (is_package_path(typed))
		return package_load(typed, ret_package, err);
	if (candidates_read(root, &all, err) < 0 ||
		candidates_find(&all, typed, &found, err) < 0)
		return -1;
	if (!found)
		return candidates_refuse(&all, typed, err);
	if (package_refuse_faults(&found->package, &found->faults, err) < 0)
		return -1;
	*ret_package = found->package;
	found->package = PACKAGE_INIT;
	return 0;
}

int package_find_folder(int root, const char *typed, char **ret_folder, struct error *err)
{
	CLEANUP(candidates_release) struct candidates all = {0};
	struct candidate *found = NULL;

	if (!is_package_path(typed) && (candidates_read(root, &all, err) < 0 ||
					       candidates_find(&all, typed, &found, err) < 0))
		return -1;
	*ret_folder = found ? package_path(&found->package) : xstrdup(typed);
	return 0;
}

char *package_path(const struct package *package)
{
	CLEANUP(freep) char *link = xasprintf("/proc/self/fd/%d", package->fd);
	char *path = package->tx ? NULL : realpath(link, NULL);

	return path ? path : xstrdup(package->folder);
}

/* --- files ------------------------------------------------------------------- */

static int package_read_file(const struct package *package, const char *folder,
	const struct relpath *path, struct buf *ret_content, mode_t *ret_mode,
	struct error *err)
{
	CLEANUP(relpath_release) struct relpath top = relpath_of(folder);
	CLEANUP(relpath_release) struct relpath full = RELPATH_INIT;
	CLEANUP(closep) int fd = -1;
	struct stat st;

	if (relpath_join(&top, relpath_view(path), &full, err) < 0)
		return -1;
	if (package->tx)
		return package_read_staged(
			package, relpath_view(&full), ret_content, ret_mode, err);
	if (beneath_open_file(package->fd, &full, &fd, &st, err) < 0) {
		/* A missing file, or something that is not a file, is the package's fault. */
		if (err->errnum == ENOENT || err->errnum == ENOTDIR)
			err->kind = ERROR_INVALID;
		return error_prefix(err, "package '%s'", package->folder);
	}
	if (file_read_fd(fd, full.text, PACKAGE_MAX_FILE, ret_content, err) < 0)
		return error_prefix(err, "package '%s'", package->folder);
	*ret_mode = st.st_mode & S_IXUSR ? 0755 : 0644;
	return 0;
}

int package_read_add(const struct package *package, const struct relpath *path,
	struct buf *ret_content, mode_t *ret_mode, struct error *err)
{
	return package_read_file(package, "add", path, ret_content, ret_mode, err);
}

int package_read_modify(const struct package *package, const struct relpath *path,
	struct buf *ret_content, mode_t *ret_mode, struct error *err)
{
	return package_read_file(package, "modify", path, ret_content, ret_mode, err);
}
