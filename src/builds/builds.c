#include "builds/builds.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/file.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "proc/process_stat.h"

#define MAX_LIST ((size_t)16 * 1024 * 1024)
#define MAX_NOTE ((size_t)64 * 1024)

#define KEPT_BUILDS 3

/* --- opening ------------------------------------------------------------------- */

int builds_open(int root, const char *root_path, struct builds *ret_builds, struct error *err)
{
	struct stat st;

	*ret_builds = (struct builds){
		.root = root,
		.fd = openat(
			root, BUILDS_FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
		.lock = -1,
		.path = xasprintf("%s/" BUILDS_FOLDER, root_path),
	};
	if (ret_builds->fd < 0)
		return errno == ENOENT ? 0
				       : error_errno(err, "cannot open '%s'", ret_builds->path);
	/* The host runs programs from this folder, so only its owner may write to it. */
	if (fstat(ret_builds->fd, &st) < 0)
		return error_errno(err, "cannot access '%s'", ret_builds->path);
	if (st.st_uid == geteuid() && !(st.st_mode & 022))
		return 0;
	return error_set(err, ERROR_INVALID,
		"'%s' belongs to somebody else, or others may write it", ret_builds->path);
}

int builds_open_locked(
	int root, const char *root_path, struct builds *ret_builds, struct error *err)
{
	if (sys.mkdir(root, ".nanoclaw", 0777) < 0 && errno != EEXIST)
		return error_errno(err, "cannot make '.nanoclaw'");
	if (sys.mkdir(root, BUILDS_FOLDER, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot make '" BUILDS_FOLDER "'");
	if (builds_open(root, root_path, ret_builds, err) < 0)
		return -1;
	ret_builds->lock = sys.create(
		ret_builds->fd, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (ret_builds->lock < 0)
		return error_errno(err, "cannot open '%s/lock'", ret_builds->path);
	if (flock(ret_builds->lock, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK)
			return error_errno(err, "cannot lock '%s'", ret_builds->path);
		return error_set(err, ERROR_BUSY, "another rebuild is running in '%s'",
			ret_builds->path);
	}
	if (replace_clean(ret_builds->fd, err) < 0 ||
		tree_remove(ret_builds->fd, "new", err) < 0 ||
		tree_remove(ret_builds->fd, BUILDS_TRIAL, err) < 0)
		return -1;
	/* git must ignore the builds even if the project's .gitignore does not list .nanoclaw. */
	if (faccessat(ret_builds->fd, ".gitignore", F_OK, 0) == 0)
		return 0;
	return replace_file(ret_builds->fd, ".gitignore", view_of("*\n"), 0644, NULL, 0, err);
}

void builds_release(struct builds *builds)
{
	closep(&builds->fd);
	closep(&builds->lock);
	free(builds->path);
}

/* --- looking ------------------------------------------------------------------- */

/* The name in a link, if it leads to a build. */
static char *read_link(const struct builds *builds, const char *link)
{
	char target[NAME_MAX + 1];
	ssize_t len =
		builds->fd < 0 ? -1 : readlinkat(builds->fd, link, target, sizeof(target) - 1);

	if (len <= 0)
		return NULL;
	target[len] = '\0';
	return builds_has(builds, target) ? xstrdup(target) : NULL;
}

char *builds_current(const struct builds *builds)
{
	return read_link(builds, "current");
}

char *builds_before(const struct builds *builds)
{
	return read_link(builds, "before");
}

char *builds_way_back(const struct builds *builds)
{
	CLEANUP(freep) char *before = builds_before(builds);

	return builds_starts(builds) < 0 || !before ? builds_current(builds) : TAKE(before);
}

bool builds_has(const struct builds *builds, const char *name)
{
	CLEANUP(freep) char *program = xasprintf("%s/" BUILDS_PROGRAM, name);

	return builds->fd >= 0 && *name && name[0] != '.' && !strchr(name, '/') &&
	       faccessat(builds->fd, program, X_OK, 0) == 0;
}

char *builds_program(const struct builds *builds, const char *name)
{
	return xasprintf("%s/%s/" BUILDS_PROGRAM, builds->path, name);
}

char *builds_name_of(const struct builds *builds, const char *program)
{
	CLEANUP(freep) char *folder = realpath(builds->path, NULL);
	size_t len = folder ? strlen(folder) : 0;
	CLEANUP(freep) char *name = NULL;

	if (!folder || strncmp(program, folder, len) != 0 || program[len] != '/')
		return NULL;
	name = xstrdup(program + len + 1);
	name[strcspn(name, "/")] = '\0';
	return builds_has(builds, name) ? TAKE(name) : NULL;
}

static int read_note(const struct builds *builds, const char *name, size_t max,
	struct buf *ret_text, struct error *err)
{
	CLEANUP(closep)
	int fd = builds->fd < 0 ? -1
				: openat(builds->fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	buf_clear(ret_text);
	if (fd < 0)
		return error_errno(err, "cannot open '%s/%s'", builds->path, name);
	return file_read_fd(fd, name, max, ret_text, err);
}

bool builds_tested(const struct builds *builds, const char *name, struct buf *ret_list)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *untested = xasprintf("%s/untested", name);
	CLEANUP(freep) char *source = xasprintf("%s/source", name);

	if (read_note(builds, untested, MAX_LIST, ret_list, &ignored) == 0)
		return false;
	if (read_note(builds, source, MAX_LIST, ret_list, &ignored) < 0)
		buf_clear(ret_list);
	return true;
}

/* The link, or no link for NULL. */
static int set_link(
	const struct builds *builds, const char *link, const char *name, struct error *err)
{
	CLEANUP(error_release) struct error gone = ERROR_INIT;

	if (name)
		return replace_symlink(builds->fd, link, name, 0, err);
	if (replace_delete(builds->fd, link, 0, &gone) == 0 || gone.errnum == ENOENT)
		return 0;
	return error_move(err, &gone);
}

/* --- adding -------------------------------------------------------------------- */

/* A program and its helpers become new/, which `*ret_new` is then. */
static int copy_new(
	const struct builds *builds, const char *program, int *ret_new, struct error *err)
{
	CLEANUP(freep)
	char *folder = xmemdupz(program, (size_t)(strrchr(program, '/') - program));
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(closep) int from = -1;
	CLEANUP(closep) int new = -1;
	struct stat st;

	if (faccessat(builds->root, program, X_OK, 0) < 0)
		return error_errno(err, "there is no program '%s'", program);
	if (sys.mkdir(builds->fd, "new", 0700) < 0)
		return error_errno(err, "cannot make '%s/new'", builds->path);
	new = openat(builds->fd, "new", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (new < 0)
		return error_errno(err, "cannot open '%s/new'", builds->path);
	if (tree_copy_file(builds->root, program, new, BUILDS_PROGRAM, err) < 0)
		return -1;
	/* All programs called nanoclaw-SOMETHING. */
	from = openat(builds->root, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (from < 0 || file_names(from, ".", &names) < 0)
		return error_errno(err, "cannot open '%s'", folder);
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.list[i];

		if (strncmp(name, BUILDS_PROGRAM "-", strlen(BUILDS_PROGRAM "-")) != 0 ||
			fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
			!S_ISREG(st.st_mode) || !(st.st_mode & S_IXUSR))
			continue;
		if (tree_copy_file(from, name, new, name, err) < 0)
			return -1;
	}
	*ret_new = TAKE_FD(new);
	return 0;
}

/* B1. */
int builds_add(const struct builds *builds, const char *name, struct error *err)
{
	if (sys.sync_all(builds->fd) < 0 ||
		sys.rename(builds->fd, "new", builds->fd, name, 0) < 0 ||
		sys.sync(builds->fd) < 0)
		return error_errno(err, "cannot make '%s/%s'", builds->path, name);
	return 0;
}

int builds_keep_first(const struct builds *builds, const char *program, struct error *err)
{
	CLEANUP(freep) char *current = builds_current(builds);
	CLEANUP(freep) char *name = builds_name_of(builds, program);
	CLEANUP(closep) int new = -1;

	if (current)
		return 0;
	if (!name) {
		/* Without `current`, an existing build is unused. */
		if (tree_remove(builds->fd, "first", err) < 0 ||
			copy_new(builds, program, &new, err) < 0 ||
			builds_add(builds, "first", err) < 0)
			return -1;
		name = xstrdup("first");
	}
	if (builds_settle(builds, err) < 0 || set_link(builds, "before", name, err) < 0)
		return -1;
	return set_link(builds, "current", name, err);
}

int builds_copy(const struct builds *builds, const struct build_source *source,
	const struct buf *untested, struct error *err)
{
	const unsigned later = REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC;
	CLEANUP(closep) int new = -1;

	if (copy_new(builds, BUILDS_WORK "/" BUILDS_PROGRAM, &new, err) < 0 ||
		replace_file(
			new, "source", view_of_buf(&source->list), 0600, NULL, later, err) < 0)
		return -1;
	return untested ? replace_file(new, "untested", view_of_buf(untested), 0600, NULL,
				  later, err)
			: 0;
}

int builds_set_tested(const struct builds *builds, const char *name, struct error *err)
{
	CLEANUP(freep) char *path = xasprintf("%s/untested", name);

	if (sys.unlink(builds->fd, path, 0) < 0 && errno != ENOENT)
		return error_errno(err, "cannot remove '%s/%s'", builds->path, path);
	return 0;
}

/* --- the switch ---------------------------------------------------------------- */

int builds_switch(
	const struct builds *builds, const char *name, bool one_way, struct error *err)
{
	CLEANUP(freep) char *back = one_way ? xstrdup(name) : builds_way_back(builds);

	if (set_link(builds, "before", back, err) < 0 || builds_forget_starts(builds, err) < 0)
		return -1;
	return set_link(builds, "current", name, err);
}

int builds_switch_back(
	const struct builds *builds, const char *reason, char **ret_name, struct error *err)
{
	CLEANUP(freep) char *current = builds_current(builds);
	CLEANUP(freep) char *before = builds_before(builds);
	CLEANUP(freep) char *note = xasprintf("%s\n%s\n", current ? current : "", reason);

	if (replace_file(builds->fd, "failed", view_of(note), 0600, NULL, 0, err) < 0 ||
		set_link(builds, "current", before, err) < 0 || builds_settle(builds, err) < 0)
		return -1;
	*ret_name = TAKE(before);
	return 0;
}

int builds_starts(const struct builds *builds)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (read_note(builds, "starts", MAX_NOTE, &text, &ignored) < 0)
		return -1;
	return (int)strtol(text.data, NULL, 10);
}

/* The number, and the process that has counted last. */
static char *starts_text(int starts, pid_t pid)
{
	return xasprintf("%d %d %" PRIu64 "\n", starts, (int)pid, process_start_time(pid));
}

bool builds_has_counted(const struct builds *builds)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	int starts = builds_starts(builds);
	CLEANUP(freep) char *ours = starts_text(starts, getpid());
	CLEANUP(freep) char *parents = starts_text(starts, getppid());

	return starts > 0 && read_note(builds, "starts", MAX_NOTE, &text, &ignored) == 0 &&
	       (!strcmp(text.data, ours) || !strcmp(text.data, parents));
}

static int set_starts(const struct builds *builds, const char *text, struct error *err)
{
	return replace_file(builds->fd, "starts", view_of(text), 0600, NULL, 0, err);
}

int builds_count_start(const struct builds *builds, struct error *err)
{
	int starts = builds_starts(builds);
	CLEANUP(freep) char *text = starts_text(starts + 1, getpid());

	return starts < 0 || builds_has_counted(builds) ? 0 : set_starts(builds, text, err);
}

int builds_forget_starts(const struct builds *builds, struct error *err)
{
	return set_starts(builds, "0\n", err);
}

int builds_settle(const struct builds *builds, struct error *err)
{
	return set_link(builds, "starts", NULL, err);
}

void builds_failed(const struct builds *builds, char **ret_name, char **ret_reason)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest, name = {"", 0}, reason = {"", 0};

	*ret_name = *ret_reason = NULL;
	if (read_note(builds, "failed", MAX_NOTE, &text, &ignored) < 0)
		return;
	rest = view_of_buf(&text);
	view_next(&rest, '\n', &name);
	view_next(&rest, '\n', &reason);
	*ret_name = xmemdupz(name.data, name.len);
	*ret_reason = xmemdupz(reason.data, reason.len);
}

/* --- pruning ------------------------------------------------------------------- */

int builds_prune(const struct builds *builds, struct error *err)
{
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(freep) char *current = builds_current(builds);
	CLEANUP(freep) char *before = builds_before(builds);
	size_t kept =
		(current != NULL) + (before && (!current || strcmp(before, current) != 0));

	if (file_names_newest(builds->fd, ".", S_IFDIR, &names) < 0)
		return error_errno(err, "cannot open '%s'", builds->path);
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.list[i];

		if (name[0] == '.' || (current && !strcmp(name, current)) ||
			(before && !strcmp(name, before)) || !strcmp(name, BUILDS_TRIAL) ||
			kept++ < KEPT_BUILDS)
			continue;
		/* One rename, so that no part of it looks like a build (B1). */
		if (sys.rename(builds->fd, name, builds->fd, "new", 0) < 0)
			return error_errno(err, "cannot remove '%s/%s'", builds->path, name);
		if (tree_remove(builds->fd, "new", err) < 0)
			return -1;
	}
	return 0;
}
