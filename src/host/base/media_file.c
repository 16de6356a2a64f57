#include "host/base/media_file.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/hash.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "ledger/groups.h"

#define MAX_EXTENSION 8

struct media_file {
	int dir;
	int fd;
	char name[sizeof(REPLACE_PREFIX) + 16];
	struct hasher *hasher;
	int64_t size;
	int64_t max;
};

int media_folder_open(int root, const char *folder, int *ret_fd, struct error *err)
{
	CLEANUP(relpath_release) struct relpath inside = RELPATH_INIT;
	CLEANUP(freep) char *path = attachment_path(folder, "x");

	if (relpath_parse(view_of(path), &inside, err) < 0)
		return -1;
	return beneath_open_parent(root, &inside, BENEATH_CREATE, ret_fd, err);
}

static void media_file_free(struct media_file **file)
{
	struct media_file *f = *file;

	*file = NULL;
	hasher_freep(&f->hasher);
	closep(&f->fd);
	closep(&f->dir);
	free(f);
}

void media_file_discard(struct media_file **file)
{
	if (!*file)
		return;
	sys.unlink((*file)->dir, (*file)->name, 0);
	media_file_free(file);
}

int media_file_begin(int root, const char *folder, int64_t max, struct media_file **ret_file,
	struct error *err)
{
	CLEANUP(closep) int dir = -1;
	struct media_file *file;
	uint64_t number;

	if (media_folder_open(root, folder, &dir, err) < 0)
		return -1;
	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return error_errno(err, "cannot choose a name for a file");
	file = xcalloc(1, sizeof(*file));
	snprintf(file->name, sizeof(file->name), REPLACE_PREFIX "%016" PRIx64, number);
	file->fd = sys.create(dir, file->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	if (file->fd < 0) {
		free(file);
		return error_errno(
			err, "cannot create a file in '" ATTACHMENT_FOLDER "/%s'", folder);
	}
	file->dir = TAKE_FD(dir);
	file->hasher = hasher_new();
	file->max = max;
	*ret_file = file;
	return 0;
}

int media_file_add(struct media_file *file, struct view bytes, struct error *err)
{
	file->size += (int64_t)bytes.len;
	if (file->size > file->max)
		return error_set(err, ERROR_INVALID, "it has more than %" PRId64 " KiB",
			file->max / 1024);
	hasher_add(file->hasher, bytes.data, bytes.len);
	while (bytes.len) {
		ssize_t n = sys.write(file->fd, bytes.data, bytes.len);

		if (n < 0 && errno != EINTR)
			return error_errno(err, "cannot store a file");
		bytes = view_slice(bytes, n > 0 ? (size_t)n : 0, bytes.len);
	}
	return 0;
}

int64_t media_file_size(const struct media_file *file)
{
	return file->size;
}

/* --- names -------------------------------------------------------------------- */

/* Of the name that its sender gave; "" if that has no plain one. */
static void extension_of_name(const char *name, char ret[MAX_EXTENSION + 1])
{
	const char *dot = name ? strrchr(name, '.') : NULL;
	size_t len = dot ? strlen(dot + 1) : 0;

	ret[0] = '\0';
	if (!len || len > MAX_EXTENSION)
		return;
	for (size_t i = 0; i < len; i++)
		if (!isascii((unsigned char)dot[i + 1]) || !isalnum((unsigned char)dot[i + 1]))
			return;
	for (size_t i = 0; i <= len; i++)
		ret[i] = (char)tolower((unsigned char)dot[i + 1]);
}

static const char *extension_of_type(const char *type)
{
	static const struct {
		const char *type;
		const char *extension;
	} known[] = {
		{"application/json", "json"},
		{"application/pdf", "pdf"},
		{"application/zip", "zip"},
		{"audio/mp4", "m4a"},
		{"audio/mpeg", "mp3"},
		{"audio/ogg", "ogg"},
		{"image/gif", "gif"},
		{"image/jpeg", "jpg"},
		{"image/png", "png"},
		{"image/webp", "webp"},
		{"text/csv", "csv"},
		{"text/html", "html"},
		{"text/plain", "txt"},
		{"video/mp4", "mp4"},
	};

	for (size_t i = 0; type && i < ARRAY_SIZE(known); i++)
		if (!strncasecmp(type, known[i].type, strlen(known[i].type)))
			return known[i].extension;
	return "";
}

/* Programs that read a file often go by its extension. */
static char *media_name(const struct hash *hash, const char *name, const char *type)
{
	char hex[HASH_HEX_SIZE];
	char extension[MAX_EXTENSION + 1];
	const char *chosen = extension;

	hash_to_hex(hash, hex);
	extension_of_name(name, extension);
	if (!*chosen)
		chosen = extension_of_type(type);
	return xasprintf("%s%s%s", hex, *chosen ? "." : "", chosen);
}

/* The folder of the group and those above it, which may be new: agents start without this. */
static int media_sync_folders(int dir)
{
	CLEANUP(closep) int above = openat(dir, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(closep) int data = openat(dir, "../..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return above < 0 || data < 0 || sys.sync(dir) < 0 || sys.sync(above) < 0 ||
			       sys.sync(data) < 0
		       ? -1
		       : 0;
}

int media_file_finish(struct media_file **file, const char *name, const char *type,
	struct media_stored *ret_stored, struct error *err)
{
	struct media_file *f = *file;
	struct hash hash = hasher_end(&f->hasher);
	CLEANUP(freep) char *stored = media_name(&hash, name, type);

	if (sys.sync(f->fd) < 0 || sys.rename(f->dir, f->name, f->dir, stored, 0) < 0 ||
		media_sync_folders(f->dir) < 0) {
		error_errno(err, "cannot store a file");
		media_file_discard(file);
		return -1;
	}
	*ret_stored = (struct media_stored){TAKE(stored), f->size};
	media_file_free(file);
	return 0;
}

int media_file_store(int root, const char *folder, struct view content, const char *name,
	const char *type, struct media_stored *ret_stored, struct error *err)
{
	struct media_file *file;

	if (media_file_begin(root, folder, INT64_MAX, &file, err) < 0)
		return -1;
	if (media_file_add(file, content, err) < 0) {
		media_file_discard(&file);
		return -1;
	}
	return media_file_finish(&file, name, type, ret_stored, err);
}

/* --- removing ----------------------------------------------------------------- */

int media_file_remove(int root, const char *folder, const char *name, struct error *err)
{
	CLEANUP(relpath_release) struct relpath inside = RELPATH_INIT;
	CLEANUP(freep) char *path = attachment_path(folder, name);
	CLEANUP(closep) int dir = -1;

	if (relpath_parse(view_of(path), &inside, err) < 0 ||
		beneath_open_parent(root, &inside, BENEATH_CREATE, &dir, err) < 0)
		return -1;
	if (sys.unlink(dir, relpath_base(&inside), 0) < 0 && errno != ENOENT)
		return error_errno(
			err, "cannot delete '" ATTACHMENT_FOLDER "/%s/%s'", folder, name);
	return 0;
}

static int sweep_folder(int root, struct store *store, const char *folder, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *text = xasprintf(ATTACHMENT_FOLDER "/%s", folder);
	CLEANUP(closep) int fd = -1;
	CLEANUP(closedirp) DIR *dir = NULL;
	const struct dirent *entry;

	if (relpath_parse(view_of(text), &path, err) < 0)
		return -1;
	if (beneath_open_dir(root, &path, &fd, err) < 0) {
		if (!beneath_is_absent(err))
			return -1;
		error_clear(err);
		return 0;
	}
	dir = fdopendir(fd);
	if (!dir)
		return error_errno(err, "cannot read '" ATTACHMENT_FOLDER "/%s'", folder);
	fd = -1;
	while ((entry = readdir(dir))) {
		bool known = false;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (attachment_is_known(store, folder, entry->d_name, &known, err) < 0)
			return -1;
		if (!known)
			sys.unlink(dirfd(dir), entry->d_name, 0);
	}
	return 0;
}

int media_file_sweep(int root, struct store *store, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};

	if (store_group_list(store, &groups, err) < 0)
		return -1;
	for (size_t i = 0; i < groups.count; i++)
		if (sweep_folder(root, store, groups.list[i].folder, err) < 0)
			return -1;
	return 0;
}
