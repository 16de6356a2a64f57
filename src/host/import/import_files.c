#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "compose/shared.h"
#include "compose/stub.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/private.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "fs/walk.h"
#include "group/container.h"
#include "host/import/import.h"

#define MEMORY_OLD   "CLAUDE.md"
#define MEMORY       "CLAUDE.local.md"
#define MAX_GLOBAL   ((size_t)1024 * 1024)
#define MAX_SETTINGS ((size_t)64 * 1024)
#define MAX_FOLDER   ((uint64_t)2 << 30) /* as much as an agent can have here by default */

/* One folder, from there to here. */
struct copying {
	struct import_files *files;
	const char *from; /* below the old root */
	const char *to;   /* below ours */
	bool is_group;
	bool has_memory; /* CLAUDE.local.md exists beside CLAUDE.md */
	uint64_t bytes;
};

void import_files_release(struct import_files *files)
{
	string_array_release(&files->made);
	closep(&files->from);
}

/* Backwards, so that folders are empty when it is their turn; other files in them stay. */
void import_files_undo(struct import_files *files)
{
	for (size_t i = files->made.count; i > 0; i--) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(closep) int dir = -1;

		if (relpath_parse(view_of(files->made.list[i - 1]), &path, &ignored) < 0 ||
			beneath_open_parent(files->root, &path, 0, &dir, &ignored) < 0)
			continue;
		if (sys.unlink(dir, relpath_base(&path), 0) < 0)
			sys.unlink(dir, relpath_base(&path), AT_REMOVEDIR);
	}
}

/* --- one file ---------------------------------------------------------------- */

static int make_folder(struct import_files *files, const char *path, struct error *err)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	CLEANUP(closep) int folder = -1;
	CLEANUP(closep) int dir = -1;

	if (files->dry_run)
		return 0;
	if (relpath_parse(view_of(path), &parsed, err) < 0 ||
		beneath_open_parent(files->root, &parsed, 0, &dir, err) < 0)
		return -1;
	if (sys.mkdir(dir, relpath_base(&parsed), 0700) == 0) {
		string_array_add(&files->made, path);
		return 0;
	}
	if (errno != EEXIST)
		return error_errno(err, "cannot make '%s'", path);
	/* It may have temporary files of an import that was killed. */
	return beneath_open_dir(files->root, &parsed, &folder, err) < 0
		       ? -1
		       : replace_clean(folder, err);
}

/* Under a temporary name first: a kill leaves no half of a file. */
static int copy_new(
	int from, const char *from_name, int to, const char *name, struct error *err)
{
	CLEANUP(freep) char *temporary = NULL;
	uint64_t number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return error_errno(err, "cannot get random bytes");
	temporary = xasprintf(REPLACE_PREFIX "%016" PRIx64, number);
	if (tree_copy_file(from, from_name, to, temporary, err) < 0)
		return -1;
	private_entry(to, temporary);
	if (sys.rename(to, temporary, to, name, 0) < 0) {
		error_errno(err, "cannot write '%s'", name);
		sys.unlink(to, temporary, 0);
		return -1;
	}
	return 0;
}

enum here {
	HERE_NOTHING,
	HERE_EMPTY, /* such as the memory of a group that is new */
	HERE_SAME,
	HERE_OTHER,
};

static enum here compare_file(int from, const char *from_name, int to, const char *name)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(closep)
	int there = openat(from, from_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	CLEANUP(closep)
	int here = openat(to, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct hash left, right;
	struct stat st;

	if (fstatat(to, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return HERE_NOTHING;
	if (there >= 0 && here >= 0 && hash_of_fd(there, &left, &ignored) == 0 &&
		hash_of_fd(here, &right, &ignored) == 0 && hash_equal(&left, &right))
		return HERE_SAME;
	return S_ISREG(st.st_mode) && !st.st_size ? HERE_EMPTY : HERE_OTHER;
}

static int copy_file(struct import_files *files, int from, const char *from_name,
	const char *shown, const char *to, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(closep) int dir = -1;
	enum here here;

	if (relpath_parse(view_of(to), &path, err) < 0)
		return -1;
	/* A dry run has not made the folder. */
	if (beneath_open_parent(files->root, &path, 0, &dir, files->dry_run ? &missing : err) <
			0 &&
		!files->dry_run)
		return -1;
	here = dir < 0 ? HERE_NOTHING : compare_file(from, from_name, dir, relpath_base(&path));
	if (here == HERE_SAME)
		return 0;
	if (here == HERE_OTHER) {
		v1_leave_out(files->report, "a different one exists here", "'%s'", shown);
		return 0;
	}
	files->report->files++;
	if (files->dry_run)
		return 0;
	if (copy_new(from, from_name, dir, relpath_base(&path), err) < 0)
		return -1;
	if (here == HERE_NOTHING)
		string_array_add(&files->made, to);
	return 0;
}

/* --- folders ----------------------------------------------------------------- */

/* The names of its settings, such as " (limits, network)"; "" if there are none to read. */
static char *settings_in(const struct walk_entry *entry)
{
	CLEANUP(closep)
	int fd = openat(
		entry->dirfd, entry->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *settings = NULL;
	CLEANUP(buf_release) struct buf names = BUF_INIT;
	CLEANUP(freep) char *text = xmalloc(MAX_SETTINGS);
	ssize_t len = fd < 0 ? -1 : read(fd, text, MAX_SETTINGS);
	const char *name;
	json_t *value;

	if (len <= 0 || json_read((struct view){text, (size_t)len}, CONTAINER_FILE,
				MAX_SETTINGS, &settings, &ignored) < 0)
		return xstrdup("");
	json_object_foreach(settings, name, value) {
		CLEANUP(freep) char *shown = utf8_excerpt(view_of(name));

		buf_appendf(&names, "%s%s", names.len ? ", " : " (", shown);
	}
	if (names.len)
		buf_append_char(&names, ')');
	return buf_take(&names);
}

/* NULL: it is taken. */
static const char *reason_against(const struct copying *c, const struct walk_entry *entry)
{
	if (entry->kind == WALK_SYMLINK)
		return "a symbolic link";
	if (entry->kind == WALK_OTHER)
		return "a socket, a pipe or a device";
	/* The agent of the old group could write it. */
	if (c->is_group && !strcmp(entry->path, CONTAINER_FILE))
		return "what bounds an agent is set here, with 'nanoclaw group config'";
	if (c->is_group && !strcmp(entry->path, "logs"))
		return "logs are not imported";
	if (c->is_group && c->has_memory && !strcmp(entry->path, MEMORY_OLD))
		return "the group has a '" MEMORY "', too";
	if (!c->is_group && !strcmp(entry->path, "agent-runner-src"))
		return "the program of the old container";
	if (!c->is_group && !strcmp(entry->path, ".claude/skills"))
		return "skills are installed there again";
	/* A file may be nothing but a hole. */
	if (entry->kind == WALK_FILE && (uint64_t)entry->stat.st_size > MAX_FOLDER - c->bytes)
		return "the folder would have more than 2048 MB";
	return NULL;
}

static enum walk_result copy_walked(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct copying *c = data;
	bool is_memory = c->is_group && !strcmp(entry->path, MEMORY_OLD);
	CLEANUP(freep) char *shown = xasprintf("%s/%s", c->from, entry->path);
	CLEANUP(freep)
	char *to = xasprintf("%s/%s", c->to, is_memory ? MEMORY : entry->path);
	const char *reason;
	int result;

	if (entry->kind == WALK_DIR_END)
		return WALK_GO_ON;
	reason = reason_against(c, entry);
	if (reason) {
		CLEANUP(freep)
		char *settings = entry->kind == WALK_FILE && c->is_group &&
						 !strcmp(entry->path, CONTAINER_FILE)
					 ? settings_in(entry)
					 : xstrdup("");

		v1_leave_out(c->files->report, reason, "'%s'%s", shown, settings);
		return entry->kind == WALK_DIR ? WALK_SKIP : WALK_GO_ON;
	}
	c->bytes += entry->kind == WALK_FILE ? (uint64_t)entry->stat.st_size : 0;
	result = entry->kind == WALK_DIR
			 ? make_folder(c->files, to, err)
			 : copy_file(c->files, entry->dirfd, entry->name, shown, to, err);
	return result < 0 ? WALK_FAIL : WALK_GO_ON;
}

static int open_from(
	const struct import_files *files, const char *path, int *ret_dir, struct error *err)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	CLEANUP(error_release) struct error missing = ERROR_INIT;

	*ret_dir = -1;
	if (relpath_parse(view_of(path), &parsed, err) < 0)
		return -1;
	if (beneath_open_dir(files->from, &parsed, ret_dir, &missing) == 0 ||
		missing.errnum == ENOENT)
		return 0;
	v1_leave_out(files->report, missing.message, "'%s'", path);
	return 0;
}

static int copy_folder(struct copying *c, struct error *err)
{
	CLEANUP(closep) int dir = -1;
	struct stat st;

	if (open_from(c->files, c->from, &dir, err) < 0)
		return -1;
	if (dir < 0)
		return 0;
	if (fstat(dir, &st) < 0)
		return error_errno(err, "cannot access '%s'", c->from);
	c->has_memory = fstatat(dir, MEMORY, &st, AT_SYMLINK_NOFOLLOW) == 0;
	if (make_folder(c->files, c->to, err) < 0)
		return -1;
	return walk(dir, copy_walked, c, err);
}

/* Nothing, the same text, or something else? */
static int compare_global(struct import_files *files, const struct relpath *path,
	struct view text, enum here *ret_here, struct error *err)
{
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	CLEANUP(buf_release) struct buf found = BUF_INIT;

	*ret_here = HERE_OTHER;
	if (beneath_read(files->root, path, MAX_GLOBAL, &found, &wrong) == 0)
		*ret_here = view_equal(view_of_buf(&found), text) ? HERE_SAME
			    : found.len                           ? HERE_OTHER
								  : HERE_EMPTY;
	else if (wrong.errnum == ENOENT)
		*ret_here = HERE_NOTHING;
	else if (wrong.kind != ERROR_INVALID)
		return error_set(err, wrong.kind, "%s", wrong.message);
	return 0;
}

static int put_global(struct import_files *files, struct view text, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int dir = -1;
	enum here here;

	if (relpath_parse(view_of(SHARED_GLOBAL), &path, err) < 0 ||
		compare_global(files, &path, text, &here, err) < 0)
		return -1;
	if (here == HERE_SAME)
		return 0;
	if (here == HERE_OTHER) {
		v1_leave_out(files->report, "a different one exists here",
			"'groups/global/" MEMORY_OLD "'");
		return 0;
	}
	files->report->files++;
	if (files->dry_run)
		return 0;
	if (beneath_open_parent(files->root, &path, 0, &dir, err) < 0 ||
		replace_file(dir, relpath_base(&path), text, 0600, NULL, 0, err) < 0)
		return -1;
	if (here == HERE_NOTHING)
		string_array_add(&files->made, SHARED_GLOBAL);
	return 0;
}

/* Files shipped with the old program are left out: they describe tools that no longer exist. */
static int take_global(struct import_files *files, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf own = BUF_INIT;

	if (relpath_parse(view_of("groups/global/" MEMORY_OLD), &path, err) < 0)
		return -1;
	if (beneath_read(files->from, &path, MAX_GLOBAL, &text, &wrong) < 0) {
		if (wrong.errnum != ENOENT)
			v1_leave_out(
				files->report, wrong.message, "'groups/global/" MEMORY_OLD "'");
		return 0;
	}
	stub_remove(view_of_buf(&text), &own);
	if (own.len)
		return put_global(files, view_of_buf(&own), err);
	if (view_trim(view_of_buf(&text)).len)
		v1_leave_out(files->report, "unchanged since it was delivered",
			"'groups/global/" MEMORY_OLD "'");
	return 0;
}

/* --- what is left out -------------------------------------------------------- */

struct reporting {
	struct import_files *files;
	const struct v1_group_list *groups;
};

static enum walk_result report_folder(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct reporting *t = data;
	bool imported = !strcmp(entry->name, "global");

	(void)err;
	for (size_t i = 0; i < t->groups->count; i++)
		imported |= !strcmp(t->groups->list[i].from, entry->name);
	if (entry->kind == WALK_DIR && !imported)
		v1_leave_out(t->files->report, "no imported group has this folder",
			"'groups/%s'", entry->name);
	return entry->kind == WALK_DIR ? WALK_SKIP : WALK_GO_ON;
}

static int report_rest(
	struct import_files *files, const struct v1_group_list *groups, struct error *err)
{
	static const struct {
		const char *path;
		const char *reason;
	} known[] = {
		{"data/env", "settings for the old container"},
		{"data/ipc", "requests to the old host"},
		{"data/registered_groups.json",
			"from before the database; start the old NanoClaw once, which imports it"},
		{"store/auth", "the login of a channel: log in again with its bridge here"},
	};
	struct reporting reporting = {files, groups};
	CLEANUP(closep) int dir = -1;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (faccessat(files->from, known[i].path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
			v1_leave_out(files->report, known[i].reason, "'%s'", known[i].path);
	if (open_from(files, "groups", &dir, err) < 0)
		return -1;
	return dir < 0 ? 0 : walk(dir, report_folder, &reporting, err);
}

int import_files_take(
	struct import_files *files, const struct v1_group_list *groups, struct error *err)
{
	if (make_folder(files, "groups", err) < 0 || make_folder(files, "data", err) < 0 ||
		make_folder(files, "data/sessions", err) < 0)
		return -1;
	for (size_t i = 0; i < groups->count; i++) {
		const char *from = groups->list[i].from;
		const char *to = groups->list[i].group.folder;
		CLEANUP(freep) char *from_group = xasprintf("groups/%s", from);
		CLEANUP(freep) char *to_group = xasprintf("groups/%s", to);
		CLEANUP(freep) char *from_data = xasprintf("data/sessions/%s", from);
		CLEANUP(freep) char *to_data = xasprintf("data/sessions/%s", to);
		struct copying group = {files, from_group, to_group, true};
		struct copying data = {files, from_data, to_data, false};

		if (copy_folder(&group, err) < 0 || copy_folder(&data, err) < 0)
			return -1;
	}
	if (take_global(files, err) < 0)
		return -1;
	if (!files->dry_run && sys.sync_all(files->root) < 0)
		return error_errno(err, "cannot sync the files");
	return report_rest(files, groups, err);
}
