#include "group/container_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "format/json_edit.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "group/container_value.h"

#define EMPTY "{}\n"

static const struct container_keeper *keeper;

void container_set_keeper(const struct container_keeper *new_keeper)
{
	keeper = new_keeper;
}

char *container_shown(const char *folder)
{
	return xasprintf("groups/%s/" CONTAINER_FILE, folder);
}

/* The folder of the group. */
static int open_group(int root, const char *folder, int *ret_dir, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *name = xasprintf("groups/%s", folder);

	if (relpath_parse(view_of(name), &path, err) < 0)
		return -1;
	return beneath_open_dir(root, &path, ret_dir, err);
}

/* The path of the journal; it need not be there. */
static int journal_path(const char *folder, struct relpath *ret_path, struct error *err)
{
	CLEANUP(freep) char *name = xasprintf("data/run/container-%s.json", folder);

	return relpath_parse(view_of(name), ret_path, err);
}

/* --- writing ----------------------------------------------------------------- */

static int file_fill(int fd, struct view text, const char *shown, struct error *err)
{
	if (lseek(fd, 0, SEEK_SET) < 0 || sys_write_all(fd, text.data, text.len) < 0 ||
		sys.truncate(fd, (off_t)text.len) < 0 || sys.sync(fd) < 0)
		return error_errno(err, "cannot write '%s'", shown);
	return 0;
}

/* Write into the existing file, if it is a regular file with a single link. */
static int write_in_place(
	int dir, struct view text, const char *shown, bool *ret_done, struct error *err)
{
	CLEANUP(closep)
	int fd = openat(dir, CONTAINER_FILE, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	*ret_done = false;
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1)
		return 0;
	if (file_fill(fd, text, shown, err) < 0)
		return -1;
	*ret_done = true;
	return 0;
}

static int file_put(int dir, struct view text, const char *shown, struct error *err)
{
	bool done;

	if (write_in_place(dir, text, shown, &done, err) < 0)
		return -1;
	return done ? 0 : replace_file(dir, CONTAINER_FILE, text, 0600, NULL, 0, err);
}

/* Finish a change that a crash interrupted. */
static int journal_finish(int root, const char *folder, const char *shown, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int journal = -1;
	CLEANUP(closep) int dir = -1;

	if (journal_path(folder, &path, err) < 0)
		return -1;
	if (beneath_read(root, &path, CONTAINER_MAX_FILE, &text, &missing) < 0)
		return missing.errnum == ENOENT
			       ? 0
			       : error_set(err, missing.kind, "%s", missing.message);
	if (open_group(root, folder, &dir, err) < 0 ||
		file_put(dir, view_of_buf(&text), shown, err) < 0 ||
		beneath_open_parent(root, &path, 0, &journal, err) < 0)
		return -1;
	return replace_delete(journal, relpath_base(&path), 0, err);
}

static int write_safely(
	int root, const char *folder, struct view text, const char *shown, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int journal = -1;

	if (journal_path(folder, &path, err) < 0 ||
		beneath_open_parent(root, &path, BENEATH_CREATE | BENEATH_SYNC, &journal, err) <
			0 ||
		replace_file(journal, relpath_base(&path), text, 0600, NULL, 0, err) < 0 ||
		(keeper && keeper->change(keeper->data, shown, text.data, err) < 0))
		return -1;
	if (journal_finish(root, folder, shown, err) < 0)
		return error_hint(
			err, "the change is recorded, and will be made as soon as possible");
	return 0;
}

/* --- reading ----------------------------------------------------------------- */

static int read_text(int dir, const char *shown, struct buf *ret_text, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error problem = ERROR_INIT;
	const char *held = keeper ? keeper->held(keeper->data, shown) : NULL;

	if (held) {
		buf_append_str(ret_text, held);
		return 0;
	}
	if (relpath_parse(view_of(CONTAINER_FILE), &path, err) < 0)
		return -1;
	if (beneath_read(dir, &path, CONTAINER_MAX_FILE, ret_text, &problem) == 0)
		return 0;
	if (problem.errnum != ENOENT)
		return error_set(err, problem.kind, "%s: %s", shown, problem.message);
	buf_append_str(ret_text, EMPTY);
	return 0;
}

int container_look(int root, const char *folder, struct container *ret_container,
	struct buf *ret_text, struct error *err)
{
	CLEANUP(freep) char *shown = container_shown(folder);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int dir = -1;

	if (open_group(root, folder, &dir, err) < 0 || read_text(dir, shown, &text, err) < 0 ||
		container_parse(view_of_buf(&text), shown, ret_container, err) < 0)
		return -1;
	if (ret_text)
		buf_append(ret_text, text.data, text.len);
	return 0;
}

int container_create(int root, const char *folder, struct error *err)
{
	CLEANUP(error_release) struct error exists = ERROR_INIT;
	CLEANUP(closep) int dir = -1;

	if (open_group(root, folder, &dir, err) < 0)
		return -1;
	if (faccessat(dir, CONTAINER_FILE, F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
		replace_file(dir, CONTAINER_FILE, view_of(EMPTY), 0600, NULL, REPLACE_NEW,
			&exists) < 0 &&
		exists.errnum != EEXIST)
		return error_set(err, ERROR_FAILED, "%s", exists.message);
	return 0;
}

int container_load(
	int root, const char *folder, struct container *ret_container, struct error *err)
{
	CLEANUP(freep) char *shown = container_shown(folder);

	if (journal_finish(root, folder, shown, err) < 0 ||
		container_create(root, folder, err) < 0)
		return -1;
	return container_look(root, folder, ret_container, NULL, err);
}

/* --- changing ---------------------------------------------------------------- */

/* "limits.seconds" is two keys; everything after the first dot is one. */
static int split_key(
	const char *key, char **ret_first, const char **ret_rest, struct error *err)
{
	size_t len = strcspn(key, ".");
	CLEANUP(freep) char *first = xmemdupz(key, len);
	CLEANUP(freep) char *shown = quote(view_of(key));
	CLEANUP(freep) char *like = NULL;

	if (container_has_setting(first, key[len])) {
		*ret_rest = key[len] ? key + len + 1 : NULL;
		*ret_first = TAKE(first);
		return 0;
	}
	error_set(err, ERROR_INVALID, "a group has no setting %s", shown);
	like = container_setting_like(key);
	if (like)
		return error_hint(err, "did you mean '%s'?", like);
	return error_hint(err,
		"the settings are agent, budget.NAME, limits.NAME, mcpServers.NAME, model.NAME, mounts, network.hosts, sandbox and skills");
}

/* A setting that is typed must have an effect; what the file has already may stay. */
static int refuse_unknown(
	const struct container *before, const struct container *after, struct error *err)
{
	for (size_t i = 0; i < after->warnings.count; i++) {
		const char *what = strchr(after->warnings.list[i], '\'');
		bool is_new = true;

		for (size_t k = 0; what && k < before->warnings.count; k++)
			is_new = is_new && !strstr(before->warnings.list[k], what);
		if (what && is_new)
			return error_set(err, ERROR_INVALID, "%s", what);
	}
	return 0;
}

int container_set(int root, const char *folder, const char *key, const json_t *value,
	struct container *ret_container, struct error *err)
{
	CLEANUP(container_release) struct container before = CONTAINER_INIT;
	CLEANUP(container_release) struct container after = CONTAINER_INIT;
	CLEANUP(freep) char *shown = container_shown(folder);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf changed = BUF_INIT;
	CLEANUP(freep) char *first = NULL;
	const char *rest = NULL;

	if (split_key(key, &first, &rest, err) < 0 ||
		container_load(root, folder, &before, err) < 0 ||
		container_look(root, folder, &after, &text, err) < 0)
		return -1;
	container_release(&after);
	json_edit(
		view_of_buf(&text), (const char *const[]){first, rest, NULL}, value, &changed);
	if (container_parse(view_of_buf(&changed), shown, &after, err) < 0 ||
		refuse_unknown(&before, &after, err) < 0)
		return -1;
	if (!view_equal(view_of_buf(&text), view_of_buf(&changed)) &&
		write_safely(root, folder, view_of_buf(&changed), shown, err) < 0)
		return -1;
	*ret_container = after;
	after = CONTAINER_INIT;
	return 0;
}
