#include "host/backup/backup.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "archive/gzip.h"
#include "base/quote.h"
#include "compose/plan.h"
#include "db/snapshot.h"
#include "fs/beneath.h"
#include "fs/private.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "fs/walk.h"
#include "host/backup/restore.h"
#include "host/base/lock.h"
#include "host/base/settings.h"
#include "time/timestamp.h"

#define SNAPSHOT   "store/snapshot.db"
#define PIECE_SIZE ((size_t)1024 * 1024)

/* The state of a backup in progress. */
struct making {
	const struct backup_request *request;
	struct backup_result *result;
	struct gzip_writer *out;
	char *piece;
	const char *top;      /* "groups" or "data", during a walk */
	struct stat existing; /* the file that will be replaced: it is not in itself */
};

void backup_result_release(struct backup_result *result)
{
	backup_manifest_release(&result->manifest);
	for (size_t i = 0; i < result->omission_count; i++)
		free(result->omissions[i].path);
	free(result->omissions);
	free(result->fault);
	*result = BACKUP_RESULT_INIT;
}

static void leave_out(struct making *making, const char *path, const char *reason, bool lost)
{
	struct backup_result *result = making->result;

	GROW(result->omissions, result->omission_count, result->omission_cap);
	result->omissions[result->omission_count++] =
		(struct backup_omission){xstrdup(path), reason, lost};
}

static int64_t time_of(const struct stat *st)
{
	int64_t time = st->st_mtim.tv_sec;

	return time < 0 ? 0 : time > TAR_TIME_MAX ? TAR_TIME_MAX : time;
}

/* --- members ----------------------------------------------------------------- */

static int write_header(
	struct gzip_writer *out, const struct tar_member *member, struct error *err)
{
	CLEANUP(buf_release) struct buf header = BUF_INIT;

	tar_header(member, &header);
	return gzip_write(out, header.data, header.len, err);
}

static int write_zeros(struct gzip_writer *out, uint64_t len, struct error *err)
{
	static const char zeros[4096];

	while (len) {
		size_t part = len < sizeof(zeros) ? (size_t)len : sizeof(zeros);

		if (gzip_write(out, zeros, part, err) < 0)
			return -1;
		len -= part;
	}
	return 0;
}

static int add_entry(struct making *making, const struct backup_entry *entry, struct error *err)
{
	struct tar_member member = backup_member(entry);

	if (making->result->manifest.count >= MANIFEST_MAX_ENTRIES)
		return error_set(err, ERROR_FAILED, "there are more than %zu files",
			MANIFEST_MAX_ENTRIES);
	if (write_header(making->out, &member, err) < 0)
		return -1;
	backup_manifest_add(&making->result->manifest, entry);
	return 0;
}

/* As much as there is, up to `len`. */
static ssize_t read_piece(int fd, char *piece, size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = read(fd, piece + got, len - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

/*
 * The content of a file whose beginning is in the piece already. The header already states its
 * size: a file that grows is cut there, and one that shrinks is padded with zeros.
 */
static int add_content(struct making *making, int fd, size_t have, struct backup_entry *entry,
	struct error *err)
{
	CLEANUP(hasher_freep) struct hasher *hasher = hasher_new();
	uint64_t left = entry->size;

	for (;;) {
		ssize_t n;

		hasher_add(hasher, making->piece, have);
		if (gzip_write(making->out, making->piece, have, err) < 0)
			return -1;
		left -= have;
		if (!left)
			break;
		have = left < PIECE_SIZE ? (size_t)left : PIECE_SIZE;
		n = read_piece(fd, making->piece, have);
		if (n < 0)
			return error_errno(err, "cannot read '%s'", entry->path);
		memset(making->piece + n, 0, have - (size_t)n);
	}
	making->result->manifest.entries[making->result->manifest.count - 1].hash =
		hasher_end(&hasher);
	return write_zeros(making->out, tar_padding(entry->size), err);
}

/* Small files are read before their size is written, so they are consistent. */
static int add_file(struct making *making, const char *path, int fd, struct error *err)
{
	struct backup_entry entry = {.kind = TAR_FILE, .path = (char *)(uintptr_t)path};
	ssize_t have = read_piece(fd, making->piece, PIECE_SIZE);
	struct stat st;

	if (have < 0 || fstat(fd, &st) < 0)
		return error_errno(err, "cannot read '%s'", path);
	entry.mode = st.st_mode & 0777;
	entry.time = time_of(&st);
	entry.size = (uint64_t)have;
	if ((size_t)have == PIECE_SIZE && st.st_size > have)
		entry.size = (uint64_t)st.st_size;
	if (add_entry(making, &entry, err) < 0)
		return -1;
	return add_content(making, fd, (size_t)have, &entry, err);
}

/* --- folders ----------------------------------------------------------------- */

static int add_walked_file(struct making *making, const struct walk_entry *walked,
	const char *path, struct error *err)
{
	CLEANUP(closep)
	int fd = openat(walked->dirfd, walked->name,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0) {
		leave_out(making, path, error_text(errno), true);
		return 0;
	}
	if (!S_ISREG(st.st_mode)) {
		leave_out(making, path, "it has just become something else", true);
		return 0;
	}
	return add_file(making, path, fd, err);
}

static int add_walked_link(struct making *making, const struct walk_entry *walked,
	const char *path, struct error *err)
{
	char target[RELPATH_MAX + 2];
	ssize_t len = readlinkat(walked->dirfd, walked->name, target, sizeof(target) - 1);
	struct backup_entry entry = {.kind = TAR_LINK,
		.path = (char *)(uintptr_t)path,
		.target = target,
		.mode = 0777,
		.time = time_of(&walked->stat)};

	if (len < 0)
		return 0; /* it has vanished */
	target[len] = '\0';
	if (backup_link_stays(path, target))
		return add_entry(making, &entry, err);
	/* The host's own links into the sandbox: each start of an agent makes them again. */
	if (strcmp(target, SEEN_BASE) != 0 &&
		!view_starts_with(view_of(target), SEEN_SKILLS "/"))
		leave_out(making, path, "a link that leads out", false);
	return 0;
}

static int add_folder(
	struct making *making, const char *path, const struct stat *st, struct error *err)
{
	struct backup_entry entry = {.kind = TAR_FOLDER,
		.path = (char *)(uintptr_t)path,
		.mode = st->st_mode & 0777,
		.time = time_of(st)};

	return add_entry(making, &entry, err);
}

/* Logs, and what belongs to a host that runs. */
static bool is_transient(const struct making *making, const struct walk_entry *walked)
{
	const char *slash = strchr(walked->path, '/');

	if (replace_is_temporary(walked->name))
		return true;
	if (!strcmp(making->top, BACKUP_DATA))
		return !slash &&
		       (!strcmp(walked->name, "run") || !strcmp(walked->name, "logs"));
	return slash && !strcmp(slash, "/logs");
}

static bool can_enter(const struct walk_entry *walked)
{
	CLEANUP(closep)
	int fd = openat(
		walked->dirfd, walked->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd >= 0 || errno != EACCES;
}

static enum walk_result add_walked(
	const struct walk_entry *walked, void *data, struct error *err)
{
	struct making *making = data;
	CLEANUP(freep) char *path = xasprintf("%s/%s", making->top, walked->path);
	int result = 0;

	if (walked->kind == WALK_DIR_END)
		return WALK_GO_ON;
	if (is_transient(making, walked))
		return walked->kind == WALK_DIR ? WALK_SKIP : WALK_GO_ON;
	/* An agent may have changed the permissions of the owner's files. */
	if ((walked->kind == WALK_FILE || walked->kind == WALK_DIR) &&
		private_is_locked(&walked->stat))
		private_entry(walked->dirfd, walked->name);
	if (walked->kind == WALK_DIR && !can_enter(walked)) {
		leave_out(making, path, error_text(errno), true);
		return WALK_SKIP;
	}
	if (strlen(path) > RELPATH_MAX) {
		leave_out(making, path, "its path is too long", true);
		return walked->kind == WALK_DIR ? WALK_SKIP : WALK_GO_ON;
	}
	if (walked->stat.st_ino == making->existing.st_ino &&
		walked->stat.st_dev == making->existing.st_dev)
		leave_out(making, path, "it is the backup itself", false);
	else if (walked->kind == WALK_FILE)
		result = add_walked_file(making, walked, path, err);
	else if (walked->kind == WALK_DIR)
		result = add_folder(making, path, &walked->stat, err);
	else if (walked->kind == WALK_SYMLINK)
		result = add_walked_link(making, walked, path, err);
	else
		leave_out(making, path, "a socket, a pipe or a device", false);
	return result < 0 ? WALK_FAIL : WALK_GO_ON;
}

static int add_tree(struct making *making, const char *top, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(closep) int dir = -1;
	struct stat st;

	if (relpath_parse(view_of(top), &path, err) < 0)
		return -1;
	if (beneath_open_dir(making->request->root, &path, &dir, &missing) < 0)
		return missing.errnum == ENOENT
			       ? 0
			       : error_set(err, ERROR_FAILED, "%s", missing.message);
	if (fstat(dir, &st) < 0)
		return error_errno(err, "cannot access '%s'", top);
	making->top = top;
	if (add_folder(making, top, &st, err) < 0)
		return -1;
	return walk(dir, add_walked, making, err);
}

/* --- the store and the settings ---------------------------------------------- */

static void remove_snapshot(const struct making *making)
{
	sys.unlink(making->request->root, SNAPSHOT, 0);
	sys.unlink(making->request->root, SNAPSHOT "-journal", 0);
	sys.unlink(making->request->root, SNAPSHOT "-shm", 0);
	sys.unlink(making->request->root, SNAPSHOT "-wal", 0);
}

static int add_store(struct making *making, struct error *err)
{
	const char *root = making->request->root_path;
	CLEANUP(freep) char *path = xasprintf("%s/%s", root, SNAPSHOT);
	CLEANUP(error_release) struct error fault = ERROR_INIT;
	CLEANUP(closep) int fd = -1;
	int version;

	remove_snapshot(making); /* one that a kill has left */
	if (store_snapshot(root, path, &making->result->manifest.schema, err) < 0)
		return -1;
	/* It is written anyway: a faulty backup is better than none. */
	if (store_snapshot_check(path, &version, &fault) < 0 ||
		store_snapshot_check_schema(path, &fault) < 0 ||
		store_snapshot_check_paths(path, &fault) < 0)
		making->result->fault = xstrdup(fault.message);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	remove_snapshot(making);
	if (fd < 0)
		return error_errno(err, "cannot open '%s'", path);
	return add_file(making, BACKUP_STORE, fd, err);
}

static int add_secrets(struct making *making, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(closep) int fd = -1;

	if (relpath_parse(view_of(BACKUP_ENV), &path, err) < 0)
		return -1;
	if (beneath_open_file(making->request->root, &path, &fd, NULL, &missing) < 0)
		return missing.errnum == ENOENT
			       ? 0
			       : error_set(err, ERROR_FAILED, "%s", missing.message);
	return add_file(making, BACKUP_ENV, fd, err);
}

/* The names of all settings; without secrets, a '.env' of those that are none. */
static int add_settings(struct making *making, struct error *err)
{
	CLEANUP(settings_release) struct settings settings = SETTINGS_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct string_array *names = &making->result->manifest.settings;
	struct backup_entry entry = {.kind = TAR_FILE,
		.path = (char *)(uintptr_t)BACKUP_ENV,
		.mode = 0600,
		.time = timestamp_clock() / 1000};

	if (settings_read(making->request->root, &settings, err) < 0)
		return -1;
	for (size_t i = 0; i < settings.count; i++)
		string_array_add_new(names, settings.list[i].name);
	if (making->request->with_secrets)
		return add_secrets(making, err);
	for (size_t i = 0; i < names->count; i++) {
		const struct setting *setting = settings_find(&settings, names->list[i]);

		if (!settings_is_plain(&settings, setting) ||
			!settings_write(&text, setting->name, setting->value))
			making->result->withheld++;
	}
	if (!text.len)
		return 0;
	/* Each line has grown by two quotes at most. */
	static_assert(PIECE_SIZE >= 2 * SETTINGS_MAX, "the settings fit into the piece");
	entry.size = text.len;
	memcpy(making->piece, text.data, text.len);
	return add_entry(making, &entry, err) < 0
		       ? -1
		       : add_content(making, -1, text.len, &entry, err);
}

/* --- the archive ------------------------------------------------------------- */

static int write_manifest(const struct backup_manifest *manifest, int fd, struct error *err)
{
	CLEANUP(gzip_writer_freep) struct gzip_writer *out = gzip_writer_new(fd);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct tar_member member = {.kind = TAR_FILE, .path = MANIFEST_NAME, .mode = 0600};

	backup_manifest_write(manifest, &text);
	if (text.len > MANIFEST_MAX_SIZE)
		return error_set(err, ERROR_FAILED, "the list of the backup is too long");
	member.size = text.len;
	if (write_header(out, &member, err) < 0 ||
		gzip_write(out, text.data, text.len, err) < 0 ||
		write_zeros(out, tar_padding(text.len), err) < 0)
		return -1;
	return gzip_write_end(out, err);
}

static int create_temporary(int dir, const char *fixed, char **ret_name, struct error *err)
{
	uint64_t number;
	int fd;

	if (fixed)
		sys.unlink(dir, fixed, 0); /* of one that was killed */
	else if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return error_errno(err, "cannot get random bytes");
	*ret_name = fixed ? xstrdup(fixed) : xasprintf(REPLACE_PREFIX "%016" PRIx64, number);
	fd = sys.create(dir, *ret_name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
	return fd < 0 ? error_errno(err, "cannot create a file for the backup") : fd;
}

/* The members, in a file that has lost its name: a kill leaves nothing of it. */
static int write_members(struct making *making, int dir, int *ret_fd, struct error *err)
{
	CLEANUP(gzip_writer_freep) struct gzip_writer *out = NULL;
	CLEANUP(freep) char *name = NULL;
	CLEANUP(closep)
	int fd = create_temporary(dir, making->request->temporary, &name, err);

	if (fd < 0)
		return -1;
	if (sys.unlink(dir, name, 0) < 0)
		return error_errno(err, "cannot remove '%s'", name);
	out = gzip_writer_new(fd);
	making->out = out;
	if (add_store(making, err) < 0 || add_settings(making, err) < 0 ||
		add_tree(making, BACKUP_GROUPS, err) < 0 ||
		add_tree(making, BACKUP_DATA, err) < 0 || write_zeros(out, TAR_END, err) < 0 ||
		gzip_write_end(out, err) < 0)
		return -1;
	if (lseek(fd, 0, SEEK_SET) < 0)
		return error_errno(err, "cannot read the backup again");
	*ret_fd = TAKE_FD(fd);
	return 0;
}

static int place_archive(const struct making *making, int dir, const char *temporary,
	const char *name, struct error *err)
{
	unsigned flags = making->request->replace ? 0 : RENAME_NOREPLACE;
	int result = sys.rename(dir, temporary, dir, name, flags);

	/* Where that is not known, a link does the same. */
	if (result < 0 && errno == EINVAL && flags) {
		result = sys.link(dir, temporary, dir, name);
		if (result == 0)
			sys.unlink(dir, temporary, 0);
	}
	if (result < 0)
		return error_errno(err, "cannot write '%s'", making->request->file);
	if (sys.sync(dir) < 0)
		return error_errno(
			err, "cannot sync the folder of '%s'", making->request->file);
	return 0;
}

static int prove_archive(const struct making *making, const char *temporary, struct error *err)
{
	const struct backup_request *request = making->request;
	const char *slash = strrchr(request->file, '/');
	CLEANUP(freep)
	char *path = xasprintf("%.*s%s", slash ? (int)(slash - request->file) + 1 : 0,
		request->file, temporary);
	struct restore_request trial = {
		.root = request->root, .root_path = request->root_path, .file = path};

	return restore_try(&trial, err) < 0
		       ? error_prefix(err, "it could not be restored on trial")
		       : 0;
}

static int write_archive(struct making *making, int dir, const char *name, struct error *err)
{
	CLEANUP(freep) char *temporary = NULL;
	CLEANUP(closep) int members = -1;
	CLEANUP(closep) int fd = -1;
	struct stat st;
	int result;

	if (write_members(making, dir, &members, err) < 0)
		return -1;
	fd = create_temporary(dir, making->request->temporary, &temporary, err);
	if (fd < 0)
		return -1;
	result = write_manifest(&making->result->manifest, fd, err);
	if (result == 0 &&
		(tree_copy_content(members, fd) < 0 || sys.sync(fd) < 0 || fstat(fd, &st) < 0))
		result = error_errno(err, "cannot write the backup");
	if (result == 0) {
		making->result->size = (uint64_t)st.st_size;
		making->result->time = st.st_mtim.tv_sec;
		if (making->request->prove)
			result = prove_archive(making, temporary, err);
	}
	if (result == 0)
		result = place_archive(making, dir, temporary, name, err);
	if (result < 0)
		sys.unlink(dir, temporary, 0);
	return result;
}

static int open_folder(const char *file, int *ret_dir, const char **ret_name, struct error *err)
{
	const char *slash = strrchr(file, '/');
	CLEANUP(freep)
	char *folder = slash ? xmemdupz(file, (size_t)(slash - file) + 1) : xstrdup(".");
	CLEANUP(freep) char *shown = quote(view_of(file));

	*ret_name = slash ? slash + 1 : file;
	if (!**ret_name || !strcmp(*ret_name, ".") || !strcmp(*ret_name, ".."))
		return error_set(err, ERROR_INVALID, "%s is not the name of a file", shown);
	*ret_dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *ret_dir < 0 ? error_errno(err, "cannot open the folder of %s", shown) : 0;
}

/* Asked before all the work; the rename asks again. */
static int check_existing(struct making *making, int dir, const char *name, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(making->request->file));

	if (fstatat(dir, name, &making->existing, AT_SYMLINK_NOFOLLOW) < 0) {
		making->existing = (struct stat){0};
		return 0;
	}
	if (!S_ISREG(making->existing.st_mode))
		return error_set(err, ERROR_INVALID, "%s is not a regular file", shown);
	if (!making->request->replace) {
		error_set(err, ERROR_INVALID, "%s already exists", shown);
		err->errnum = EEXIST;
		return -1;
	}
	return 0;
}

int backup_make(const struct backup_request *request, struct backup_result *ret_result,
	struct error *err)
{
	CLEANUP(backup_result_release) struct backup_result result = BACKUP_RESULT_INIT;
	struct making making = {.request = request, .result = &result};
	CLEANUP(freep) char *piece = NULL;
	CLEANUP(closep) int dir = -1;
	CLEANUP(closep) int lock = -1;
	char time[TIMESTAMP_SIZE];
	const char *name;

	if (open_folder(request->file, &dir, &name, err) < 0 ||
		check_existing(&making, dir, name, err) < 0)
		return -1;
	if (faccessat(request->root, BACKUP_STORE, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return error_set(err, ERROR_INVALID, "there is no assistant here yet: no '%s'",
			BACKUP_STORE);
	if (lock_take_backup(request->root, &lock, err) < 0)
		return -1;
	piece = xmalloc(PIECE_SIZE);
	making.piece = piece;
	timestamp_format(timestamp_now(), time);
	result.manifest.version = xstrdup(NANOCLAW_VERSION);
	result.manifest.created = xstrdup(time);
	if (write_archive(&making, dir, name, err) < 0)
		return -1;
	*ret_result = result;
	result = BACKUP_RESULT_INIT;
	return 0;
}
