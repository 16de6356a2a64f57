#include "engine/core/objects.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "util/beneath.h"
#include "util/file.h"
#include "util/quote.h"
#include "util/replace.h"
#include "util/sys.h"
#include "util/walk.h"

#define OBJECTS "objects"

/* objects/ab/cdef… */
static struct relpath path_of(const struct hash *hash)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct relpath path = RELPATH_INIT;
	char hex[HASH_HEX_SIZE], text[sizeof(OBJECTS) + HASH_HEX_SIZE + 2];

	hash_to_hex(hash, hex);
	snprintf(text, sizeof(text), OBJECTS "/%.2s/%s", hex, hex + 2);
	relpath_parse(view_of(text), &path, &err);
	return path;
}

bool objects_has(int nanoclaw, const struct hash *hash)
{
	CLEANUP(relpath_release) struct relpath path = path_of(hash);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct stat st;

	return beneath_stat(nanoclaw, &path, &st, &err) == 0 && S_ISREG(st.st_mode);
}

int objects_read(int nanoclaw, const struct hash *hash, size_t max, struct buf *ret_content,
	struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = path_of(hash);
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash found;

	if (beneath_read(nanoclaw, &path, max, &content, err) < 0)
		return -1;
	found = hash_of(view_of_buf(&content));
	if (!hash_equal(&found, hash)) {
		error_set(err, ERROR_FAILED,
			"the object '.nanoclaw/%s' is damaged: its content has another hash",
			path.text);
		err->errnum = EBADMSG;
		return -1;
	}
	buf_release(ret_content);
	*ret_content = content;
	content = BUF_INIT;
	return 0;
}

/* --- writing ------------------------------------------------------------------ */

/* Whether the object is there and has this content. */
static bool is_whole(int folder, const char *name, struct view content)
{
	CLEANUP(closep)
	int fd =
		openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf found = BUF_INIT;
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       (size_t)st.st_size == content.len &&
	       file_read_fd(fd, name, content.len, &found, &err) == 0 &&
	       view_equal(view_of_buf(&found), content);
}

int objects_write(int nanoclaw, struct view content, struct hash *ret_hash, struct error *err)
{
	const unsigned flags = REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC;
	struct hash hash = hash_of(content);
	CLEANUP(relpath_release) struct relpath path = path_of(&hash);
	CLEANUP(closep) int folder = -1;

	if (beneath_open_parent(nanoclaw, &path, BENEATH_CREATE, &folder, err) < 0)
		return -1;
	if (!is_whole(folder, relpath_base(&path), content) &&
		replace_file(folder, relpath_base(&path), content, 0444, NULL, flags, err) < 0)
		return error_prefix(err, "cannot keep an object in '.nanoclaw/" OBJECTS "'");
	if (ret_hash)
		*ret_hash = hash;
	return 0;
}

/* --- syncing ------------------------------------------------------------------ */

static int sync_file(int nanoclaw, const struct hash *hash, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = path_of(hash);
	CLEANUP(closep) int fd = -1;

	if (beneath_open_file(nanoclaw, &path, &fd, NULL, err) < 0)
		return -1;
	if (sys.sync(fd) < 0)
		return error_errno(err, "cannot sync '.nanoclaw/%s'", path.text);
	return 0;
}

/* `name` is in .nanoclaw/. */
static int sync_folder(int nanoclaw, const char *name, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int fd = -1;

	if (relpath_parse(view_of(name), &path, err) < 0 ||
		beneath_open_dir(nanoclaw, &path, &fd, err) < 0)
		return -1;
	if (sys.sync(fd) < 0)
		return error_errno(err, "cannot sync '.nanoclaw/%s'", name);
	return 0;
}

int objects_sync(int nanoclaw, const struct hash *hashes, size_t count, struct error *err)
{
	bool used[256] = {false};

	if (!count)
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (sync_file(nanoclaw, &hashes[i], err) < 0)
			return -1;
		used[hashes[i].bytes[0]] = true;
	}
	for (unsigned i = 0; i < ARRAY_SIZE(used); i++) {
		char name[sizeof(OBJECTS) + 3];

		snprintf(name, sizeof(name), OBJECTS "/%02x", i & 255);
		if (used[i] && sync_folder(nanoclaw, name, err) < 0)
			return -1;
	}
	if (sync_folder(nanoclaw, OBJECTS, err) < 0)
		return -1;
	if (sys.sync(nanoclaw) < 0)
		return error_errno(err, "cannot sync '.nanoclaw'");
	return 0;
}

/* --- leftovers ---------------------------------------------------------------- */

static enum walk_result clean_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	(void)data;
	if (entry->kind != WALK_FILE || !replace_is_temporary(entry->name))
		return WALK_GO_ON;
	if (sys.unlink(entry->dirfd, entry->name, 0) < 0 && errno != ENOENT) {
		error_errno(err, "cannot remove '.nanoclaw/" OBJECTS "/%s'", entry->path);
		return WALK_FAIL;
	}
	return WALK_GO_ON;
}

int objects_clean(int nanoclaw, struct error *err)
{
	CLEANUP(closep)
	int fd = openat(nanoclaw, OBJECTS, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT
			       ? 0
			       : error_errno(err, "cannot open '.nanoclaw/" OBJECTS "'");
	return walk(fd, clean_entry, NULL, err);
}
