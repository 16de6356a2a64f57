#include "engine/resolution/resolution_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/utf8.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/walk.h"

static const char *const endings[] = {
	[RESOLUTION] = ".resolution",
	[PREIMAGE] = ".preimage",
};

/* --- the content of a folder --------------------------------------------- */

struct listing {
	struct resolution_folder *folder;
	struct faults *faults;
	size_t seen;
};

/* A place in the folder, as it can be shown. */
static char *show_place(struct view path)
{
	CLEANUP(freep) char *quoted = quote(path);

	return strlen(quoted) == path.len + 2 ? xmemdupz(path.data, path.len) : TAKE(quoted);
}

static void listing_add(struct listing *l, enum resolution_part part, struct view place)
{
	struct relpath_list *paths = &l->folder->paths[part];
	struct view text = view_slice(place, 0, place.len - strlen(endings[part]));
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *shown = show_place(place);

	if (relpath_parse(text, &path, &err) < 0) {
		faults_add(l->faults, FAULT_ERROR, shown, "%s", err.message);
		return;
	}
	if (relpath_protected(&path)) {
		faults_add(l->faults, FAULT_ERROR, shown, "skills may not change this");
		return;
	}
	relpath_list_add(paths, path);
	path = RELPATH_INIT;
}

static enum walk_result listing_visit(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct listing *l = data;
	struct view place = {entry->path, entry->path_len};
	CLEANUP(freep) char *shown = NULL;

	(void)err;
	if (entry->kind == WALK_DIR_END)
		return WALK_GO_ON;
	if (l->seen++ >= RESOLUTION_MAX_FILES) {
		faults_add(l->faults, FAULT_ERROR, "", "it has more than %zu files",
			RESOLUTION_MAX_FILES);
		return WALK_STOP;
	}
	if (place.len > RELPATH_MAX) {
		faults_add(l->faults, FAULT_ERROR, "", "a path in it is too long");
		return entry->kind == WALK_DIR ? WALK_SKIP : WALK_GO_ON;
	}
	if (entry->kind == WALK_DIR)
		return WALK_GO_ON;
	shown = show_place(place);
	if (entry->kind != WALK_FILE) {
		faults_add(l->faults, FAULT_ERROR, shown, "it is %s, and must be a file",
			entry->kind == WALK_SYMLINK ? "a symbolic link" : "not a regular file");
		return WALK_GO_ON;
	}
	if ((size_t)entry->stat.st_size > RESOLUTION_MAX_FILE) {
		faults_add(l->faults, FAULT_ERROR, shown, "it is larger than %zu MiB",
			RESOLUTION_MAX_FILE / 1024 / 1024);
		return WALK_GO_ON;
	}
	l->folder->bytes += (size_t)entry->stat.st_size;
	if (view_ends_with(place, endings[RESOLUTION]))
		listing_add(l, RESOLUTION, place);
	else if (view_ends_with(place, endings[PREIMAGE]))
		listing_add(l, PREIMAGE, place);
	else if (!view_equal_str(place, RESOLUTION_META))
		faults_add(l->faults, FAULT_WARNING, shown,
			"it ends neither in .resolution nor in .preimage, and is ignored");
	return WALK_GO_ON;
}

static int compare_paths(const void *a, const void *b)
{
	return relpath_compare(a, b);
}

static void resolution_paths_sort(struct relpath_list *paths)
{
	if (paths->count)
		qsort(paths->list, paths->count, sizeof(*paths->list), compare_paths);
}

/* --- opening ------------------------------------------------------------- */

static int folder_read_meta(
	struct resolution_folder *folder, struct faults *faults, struct error *err)
{
	const struct relpath_list *there = &folder->paths[RESOLUTION];
	CLEANUP(relpath_release) struct relpath name = relpath_of(RESOLUTION_META);

	if (beneath_read(folder->fd, &name, RESOLUTION_META_MAX, &folder->text, err) < 0) {
		if (err->errnum && !beneath_is_absent(err))
			return -1;
		if (err->errnum == ENOENT)
			faults_add(faults, FAULT_ERROR, "", "it has no " RESOLUTION_META);
		else
			faults_add_error(faults, err);
		error_clear(err);
		return 0;
	}
	resolution_meta_parse(view_of_buf(&folder->text), RESOLUTION_META,
		there->count == 1 ? &there->list[0] : NULL, &folder->meta, faults);
	return 0;
}

int resolution_folder_open(int store, const char *name, struct resolution_folder *ret_folder,
	struct faults *faults, struct error *err)
{
	CLEANUP(resolution_folder_release)
	struct resolution_folder folder = RESOLUTION_FOLDER_INIT;
	struct listing listing = {&folder, faults, 0};
	CLEANUP(freep) char *shown = quote(view_of(name));

	folder.name = xstrdup(name);
	folder.fd = openat(store, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder.fd < 0 && (errno == ELOOP || errno == ENOTDIR))
		return error_set(err, ERROR_INVALID,
			"%s is a symbolic link, and must be a folder", shown);
	if (folder.fd < 0)
		return error_errno(err, "cannot open %s", shown);
	if (walk(folder.fd, listing_visit, &listing, err) < 0)
		return error_prefix(err, "%s", shown);
	resolution_paths_sort(&folder.paths[RESOLUTION]);
	resolution_paths_sort(&folder.paths[PREIMAGE]);
	if (folder_read_meta(&folder, faults, err) < 0)
		return error_prefix(err, "%s", shown);
	*ret_folder = folder;
	folder = RESOLUTION_FOLDER_INIT;
	return 0;
}

bool resolution_folder_has(const struct resolution_folder *folder, enum resolution_part part,
	const struct relpath *path)
{
	const struct relpath_list *paths = &folder->paths[part];

	return paths->count &&
	       bsearch(path, paths->list, paths->count, sizeof(*paths->list), compare_paths);
}

int resolution_part_path(const struct relpath *path, enum resolution_part part,
	struct relpath *ret_path, struct error *err)
{
	CLEANUP(freep) char *text = xasprintf("%s%s", path->text, endings[part]);

	return relpath_parse(view_of(text), ret_path, err);
}

int resolution_folder_read(const struct resolution_folder *folder, const struct relpath *path,
	enum resolution_part part, struct buf *ret_content, struct error *err)
{
	CLEANUP(relpath_release) struct relpath place = RELPATH_INIT;

	if (resolution_part_path(path, part, &place, err) < 0)
		return -1;
	return beneath_read(folder->fd, &place, RESOLUTION_MAX_FILE, ret_content, err);
}

void resolution_folder_release(struct resolution_folder *folder)
{
	free(folder->name);
	closep(&folder->fd);
	resolution_meta_release(&folder->meta);
	buf_release(&folder->text);
	relpath_list_release(&folder->paths[RESOLUTION]);
	relpath_list_release(&folder->paths[PREIMAGE]);
}

/* --- a store ------------------------------------------------------------- */

int resolution_names_read(
	int store, bool links, struct string_array *ret_names, struct error *err)
{
	CLEANUP(closedirp) DIR *dir = NULL;
	const struct dirent *entry;
	int fd = openat(store, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		error_errno(err, "cannot read the resolutions");
		closep(&fd);
		return -1;
	}
	while ((errno = 0, entry = readdir(dir))) {
		struct stat st;

		if (entry->d_name[0] == '.')
			continue;
		if (fstatat(store, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return error_errno(err, "cannot access '%s'", entry->d_name);
		if (!S_ISDIR(st.st_mode) && !(links && S_ISLNK(st.st_mode)))
			continue;
		if (ret_names->count == RESOLUTIONS_MAX_FOLDERS)
			return error_set(err, ERROR_INVALID,
				"there are more than %zu folders of resolutions",
				RESOLUTIONS_MAX_FOLDERS);
		string_array_add(ret_names, entry->d_name);
	}
	if (errno)
		return error_errno(err, "cannot read the resolutions");
	string_array_sort_once(ret_names);
	return 0;
}
