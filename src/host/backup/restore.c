#include "host/backup/restore.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "archive/gzip.h"
#include "base/quote.h"
#include "db/snapshot.h"
#include "fs/beneath.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "host/backup/kept.h"
#include "host/backup/restore_switch.h"
#include "ledger/groups.h"
#include "proc/log.h"

/* Made by restore_try(), and empty between trials. */
#define RESTORE_TRIAL BACKUPS_FOLDER "/trial"

#define PIECE_SIZE ((size_t)256 * 1024)

struct restoring {
	struct gzip_reader *in;
	int stage;
	char *piece;
};

/* --- the archive ------------------------------------------------------------- */

static int damage_error(const char *path, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(path));

	return error_set(err, ERROR_INVALID, "it is damaged at %s", shown);
}

/* The next bytes must be these. */
static int expect_bytes(
	struct restoring *r, const void *bytes, size_t len, const char *path, struct error *err)
{
	CLEANUP(freep) char *found = xmalloc(len);

	if (gzip_read(r->in, found, len, err) < 0)
		return -1;
	return memcmp(found, bytes, len) ? damage_error(path, err) : 0;
}

static int expect_zeros(struct restoring *r, size_t len, const char *path, struct error *err)
{
	static const char zeros[TAR_END];

	return len ? expect_bytes(r, zeros, len, path, err) : 0;
}

/* Of the manifest the size alone is not known: its header is found by trying that. */
static int read_manifest_size(struct restoring *r, size_t *ret_size, struct error *err)
{
	CLEANUP(buf_release) struct buf wanted = BUF_INIT;
	struct tar_member member = {.kind = TAR_FILE, .path = MANIFEST_NAME, .mode = 0600};
	char header[TAR_BLOCK];

	if (gzip_read(r->in, header, sizeof(header), err) < 0)
		return -1;
	for (size_t i = 124; i < 135 && header[i] >= '0' && header[i] <= '7'; i++)
		member.size = member.size * 8 + (uint64_t)(header[i] - '0');
	tar_header(&member, &wanted);
	if (wanted.len != sizeof(header) || memcmp(wanted.data, header, sizeof(header)) != 0 ||
		member.size > MANIFEST_MAX_SIZE) {
		error_set(err, ERROR_INVALID, "it is not a backup, or is damaged");
		return error_hint(err, "'nanoclaw backup FILE' makes one");
	}
	*ret_size = (size_t)member.size;
	return 0;
}

static int read_manifest(
	struct restoring *r, struct backup_manifest *ret_manifest, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t left = 0;

	if (read_manifest_size(r, &left, err) < 0)
		return -1;
	/* Piece by piece, so a wrong size costs no memory. */
	while (left) {
		size_t part = left < PIECE_SIZE ? left : PIECE_SIZE;

		if (gzip_read(r->in, r->piece, part, err) < 0)
			return -1;
		buf_append(&text, r->piece, part);
		left -= part;
	}
	if (expect_zeros(r, tar_padding(text.len), MANIFEST_NAME, err) < 0)
		return -1;
	return backup_manifest_read(view_of_buf(&text), ret_manifest, err);
}

/* --- the stage --------------------------------------------------------------- */

static int entry_error(const char *what, const struct backup_entry *entry, struct error *err)
{
	int errnum = errno;
	CLEANUP(freep) char *shown = quote(view_of(entry->path));

	errno = errnum;
	return error_errno(err, "cannot %s %s", what, shown);
}

static int set_time(int dir, const char *name, const struct backup_entry *entry)
{
	struct timespec times[2] = {{.tv_sec = entry->time}, {.tv_sec = entry->time}};

	return sys.set_times(dir, name, times);
}

static int copy_content(
	struct restoring *r, const struct backup_entry *entry, int fd, struct error *err)
{
	CLEANUP(hasher_freep) struct hasher *hasher = hasher_new();
	uint64_t left = entry->size;
	struct hash hash;

	while (left) {
		size_t part = left < PIECE_SIZE ? (size_t)left : PIECE_SIZE;

		if (gzip_read(r->in, r->piece, part, err) < 0)
			return -1;
		hasher_add(hasher, r->piece, part);
		if (sys_write_all(fd, r->piece, part) < 0)
			return entry_error("write", entry, err);
		left -= part;
	}
	hash = hasher_end(&hasher);
	return hash_equal(&hash, &entry->hash) ? 0 : damage_error(entry->path, err);
}

/* Folders get their modes and times in the end, when nothing is written to them. */
static int extract_entry(
	struct restoring *r, const struct backup_entry *entry, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf header = BUF_INIT;
	CLEANUP(closep) int dir = -1;
	CLEANUP(closep) int fd = -1;
	struct tar_member member = backup_member(entry);
	const char *name;
	mode_t mode;

	tar_header(&member, &header);
	if (expect_bytes(r, header.data, header.len, entry->path, err) < 0 ||
		relpath_parse(view_of(entry->path), &path, err) < 0 ||
		beneath_open_parent(r->stage, &path, 0, &dir, err) < 0)
		return -1;
	name = relpath_base(&path);
	if (entry->kind == TAR_FOLDER)
		return sys.mkdir(dir, name, 0700) < 0 ? entry_error("make", entry, err) : 0;
	if (entry->kind == TAR_LINK)
		return sys.symlink(entry->target, dir, name) < 0 ||
				       set_time(dir, name, entry) < 0
			       ? entry_error("make", entry, err)
			       : 0;
	mode = strcmp(entry->path, BACKUP_ENV) ? 0600 | (entry->mode & 0100) : 0600;
	fd = sys.create(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	if (fd < 0)
		return entry_error("create", entry, err);
	if (copy_content(r, entry, fd, err) < 0)
		return -1;
	if (sys.chmod(fd, mode) < 0 || set_time(dir, name, entry) < 0)
		return entry_error("write", entry, err);
	return expect_zeros(r, tar_padding(entry->size), entry->path, err);
}

static int finish_folder(
	struct restoring *r, const struct backup_entry *entry, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int parent = -1;
	CLEANUP(closep) int dir = -1;

	if (relpath_parse(view_of(entry->path), &path, err) < 0 ||
		beneath_open_parent(r->stage, &path, 0, &parent, err) < 0 ||
		beneath_open_dir(r->stage, &path, &dir, err) < 0)
		return -1;
	if (sys.chmod(dir, 0700) < 0 || set_time(parent, relpath_base(&path), entry) < 0)
		return entry_error("write", entry, err);
	return 0;
}

static int extract_all(
	struct restoring *r, const struct backup_manifest *manifest, struct error *err)
{
	uint64_t bytes = backup_manifest_bytes(manifest);
	struct statvfs fs;

	if (fstatvfs(r->stage, &fs) < 0)
		return error_errno(err, "cannot access the disk");
	if ((uint64_t)fs.f_bavail * fs.f_frsize < bytes)
		return error_set(err, ERROR_FAILED,
			"not enough free disk space: it needs %" PRIu64 " MiB",
			bytes / (1024 * 1024));
	if (sys.mkdir(r->stage, "store", 0700) < 0)
		return error_errno(err, "cannot make the folder 'store' for it");
	for (size_t i = 0; i < manifest->count; i++)
		if (extract_entry(r, &manifest->entries[i], err) < 0)
			return -1;
	if (expect_zeros(r, TAR_END, "its end", err) < 0 || gzip_read_end(r->in, err) < 0)
		return -1;
	for (size_t i = manifest->count; i > 0; i--)
		if (manifest->entries[i - 1].kind == TAR_FOLDER &&
			finish_folder(r, &manifest->entries[i - 1], err) < 0)
			return -1;
	return 0;
}

static int read_archive(
	const char *file, int stage, struct backup_manifest *ret_manifest, struct error *err)
{
	CLEANUP(gzip_reader_freep) struct gzip_reader *in = NULL;
	CLEANUP(freep) char *shown = quote(view_of(file));
	CLEANUP(freep) char *piece = xmalloc(PIECE_SIZE);
	CLEANUP(closep) int fd = open(file, O_RDONLY | O_NOCTTY | O_CLOEXEC);
	struct restoring r = {.stage = stage, .piece = piece};
	struct stat st;

	if (fd < 0) {
		error_errno(err, "cannot open %s", shown);
		if (err->errnum == ENOENT || err->errnum == ENOTDIR)
			err->kind = ERROR_INVALID;
		return -1;
	}
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		return error_set(err, ERROR_INVALID, "%s is a folder, not a backup", shown);
	in = gzip_reader_new(fd);
	r.in = in;
	if (read_manifest(&r, ret_manifest, err) < 0 || extract_all(&r, ret_manifest, err) < 0)
		return error_prefix(err, "%s", shown);
	return 0;
}

/* --- all of it --------------------------------------------------------------- */

/* An empty folder, in place of what a kill has left there. */
static int make_stage(int root, const char *stage, int *ret_fd, struct error *err)
{
	if (tree_remove(root, stage, err) < 0)
		return -1;
	if (sys.mkdir(root, stage, 0700) < 0)
		return error_errno(err, "cannot make '%s'", stage);
	return beneath_path_open_dir(root, stage, ret_fd, err);
}

static int check_names(struct store *store, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};

	if (store_group_list(store, &groups, err) < 0)
		return -1;
	for (size_t i = 0; i < groups.count; i++)
		if (group_check_jid(groups.list[i].jid, err) < 0)
			return -1;
	return 0;
}

/* Check the store as it is, and again after the migrations that it has not seen. */
static int check_store(const char *root_path, const char *name, struct error *err)
{
	CLEANUP(store_freep) struct store *store = NULL;
	CLEANUP(freep) char *stage = xasprintf("%s/%s", root_path, name);
	CLEANUP(freep) char *path = xasprintf("%s/%s", stage, BACKUP_STORE);
	CLEANUP(freep) char *copy = NULL;
	int version;

	if (store_snapshot_check(path, &version, err) < 0)
		return error_prefix(err, "the backup");
	if (store_open(stage, STORE_WRITE, &store, err) < 0 ||
		store_snapshot_check_schema(path, err) < 0 ||
		store_snapshot_check_paths(path, err) < 0 || check_names(store, err) < 0)
		return error_prefix(err, "the backup");
	copy = xasprintf("%s.before-%d", path, version + 1);
	/* The archive is the copy to go back to. */
	if (sys.unlink(AT_FDCWD, copy, 0) < 0 && errno != ENOENT)
		return error_errno(err, "cannot remove '%s'", copy);
	return 0;
}

static int sync_stage(int stage, struct error *err)
{
	return sys.sync_all(stage) < 0 ? error_errno(err, "cannot sync '%s'", RESTORE_STAGE)
				       : 0;
}

int restore_file(const struct restore_request *request, struct backup_manifest *ret_manifest,
	struct error *err)
{
	CLEANUP(backup_manifest_release) struct backup_manifest manifest = BACKUP_MANIFEST_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(closep) int stage = -1;

	if (sys.mkdir(request->root, RESTORE_FOLDER, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot make '%s'", RESTORE_FOLDER);
	if (make_stage(request->root, RESTORE_STAGE, &stage, err) < 0 ||
		read_archive(request->file, stage, &manifest, err) < 0 ||
		check_store(request->root_path, RESTORE_STAGE, err) < 0 ||
		sync_stage(stage, err) < 0 || restore_switch(request->root, err) < 0) {
		if (!restore_is_pending(request->root)) {
			tree_remove(request->root, RESTORE_STAGE, &ignored);
			sys.unlink(request->root, RESTORE_FOLDER, AT_REMOVEDIR);
		}
		return -1;
	}
	*ret_manifest = manifest;
	manifest = BACKUP_MANIFEST_INIT;
	return 0;
}

int restore_try(const struct restore_request *request, struct error *err)
{
	CLEANUP(backup_manifest_release) struct backup_manifest manifest = BACKUP_MANIFEST_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(closep) int stage = -1;
	int result;

	result = kept_make_folder(request->root, err) < 0 ||
				 make_stage(request->root, RESTORE_TRIAL, &stage, err) < 0 ||
				 read_archive(request->file, stage, &manifest, err) < 0 ||
				 check_store(request->root_path, RESTORE_TRIAL, err) < 0
			 ? -1
			 : 0;
	if (tree_remove(request->root, RESTORE_TRIAL, &ignored) < 0)
		log_warning("%s", ignored.message);
	return result;
}
