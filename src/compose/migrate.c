#include "compose/migrate.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compose/plan.h"
#include "compose/stub.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"

#define OLD_LINK   ".claude-global.md"
#define OLD_GLOBAL "groups/global"

/* Of a memory; larger ones are moved aside by the composition. */
#define MAX_MEMORY ((size_t)16 * 1024 * 1024)

static bool is_kind(int dir, const char *name, mode_t kind)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       (st.st_mode & S_IFMT) == kind;
}

static bool memory_contains(const struct buf *text, struct view part)
{
	return memmem(text->data, text->len, part.data, part.len) != NULL;
}

/* Append after a blank line. */
static void memory_append(struct buf *text, struct view more)
{
	if (text->len && text->data[text->len - 1] != '\n')
		buf_append_char(text, '\n');
	if (text->len)
		buf_append_char(text, '\n');
	buf_append(text, more.data, more.len);
}

/* --- a group ----------------------------------------------------------------- */

/* The two memories become one; a crash in between finds the text in both. */
static int join_memories(struct folder *group, const struct buf *old, struct error *err)
{
	CLEANUP(buf_release) struct buf memory = BUF_INIT;
	struct stat st;

	if (beneath_path_read(group->fd, COMPOSE_MEMORY, MAX_MEMORY, &memory, err) < 0)
		return -1;
	if (fstatat(group->fd, COMPOSE_MEMORY, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(err, "cannot access '%s'", COMPOSE_MEMORY);
	if (!memory_contains(&memory, view_of_buf(old))) {
		memory_append(&memory, view_of_buf(old));
		if (replace_file(group->fd, COMPOSE_MEMORY, view_of_buf(&memory),
			    st.st_mode & 0777, NULL, 0, err) < 0)
			return -1;
	}
	return replace_delete(group->fd, COMPOSE_ENTRY, 0, err);
}

static int move_memory(struct folder *group, const struct buf *old, struct error *err)
{
	struct stat st;

	if (fstatat(group->fd, COMPOSE_MEMORY, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_size)
		return join_memories(group, old, err);
	if (sys.rename(group->fd, COMPOSE_ENTRY, group->fd, COMPOSE_MEMORY, 0) < 0 ||
		sys.sync(group->fd) < 0)
		return error_errno(err, "cannot move '%s/" COMPOSE_ENTRY "'", group->path);
	return 0;
}

/* Leave a link or a folder in place of the memory alone. */
static bool memory_can_take(int group)
{
	struct stat st;

	return fstatat(group, COMPOSE_MEMORY, &st, AT_SYMLINK_NOFOLLOW) < 0
		       ? errno == ENOENT
		       : S_ISREG(st.st_mode);
}

static int migrate_memory(struct folder *group, struct error *err)
{
	CLEANUP(error_release) struct error large = ERROR_INIT;
	CLEANUP(buf_release) struct buf old = BUF_INIT;

	if (!is_kind(group->fd, COMPOSE_ENTRY, S_IFREG) ||
		is_kind(group->fd, COMPOSE_SHARED, S_IFLNK) || !memory_can_take(group->fd))
		return 0;
	if (beneath_path_read(group->fd, COMPOSE_ENTRY, MAX_MEMORY, &old, &large) < 0)
		return large.kind == ERROR_INVALID || large.errnum == ENOENT
			       ? 0
			       : error_move(err, &large);
	if (plan_is_entry(view_of_buf(&old)))
		return 0;
	changes_add(group->changes, CHANGE_CHANGED, "what '" COMPOSE_ENTRY "' holds is memory",
		"%s/" COMPOSE_MEMORY, group->path);
	if (!group->dry_run)
		return move_memory(group, &old, err);
	group->gone = COMPOSE_ENTRY;
	return 0;
}

int migrate_group(struct folder *group, struct error *err)
{
	if (migrate_memory(group, err) < 0)
		return -1;
	if (!is_kind(group->fd, OLD_LINK, S_IFLNK))
		return 0;
	return folder_remove(group, OLD_LINK, "it belongs to an older layout", err);
}

/* --- the global folder ------------------------------------------------------- */

static int add_to_base(int root, struct view text, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(SHARED_BASE);
	CLEANUP(buf_release) struct buf base = BUF_INIT;
	struct stat st;

	if (beneath_read(root, &path, MAX_MEMORY, &base, err) < 0 ||
		beneath_stat(root, &path, &st, err) < 0)
		return -1;
	if (memory_contains(&base, text))
		return 0;
	memory_append(&base, text);
	return beneath_path_write(
		root, SHARED_BASE, view_of_buf(&base), st.st_mode & 0777, err);
}

static int move_shared(struct folder *global, int root, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf own = BUF_INIT;

	if (!is_kind(global->fd, COMPOSE_ENTRY, S_IFREG))
		return 0;
	if (beneath_path_read(global->fd, COMPOSE_ENTRY, MAX_MEMORY, &text, err) < 0)
		return -1;
	stub_remove(view_of_buf(&text), &own);
	if (own.len) {
		changes_add(global->changes, CHANGE_CHANGED,
			"'" OLD_GLOBAL "/" COMPOSE_ENTRY "' held what all groups read",
			SHARED_BASE);
		if (!global->dry_run && add_to_base(root, view_of_buf(&own), err) < 0)
			return -1;
	}
	return folder_remove(global, COMPOSE_ENTRY, "it belongs to an older layout", err);
}

/* Empty folders in it, such as logs, hold nothing. */
static int remove_or_keep(struct folder *groups, struct folder *global, struct error *err)
{
	if (groups->dry_run)
		return 0;
	if (tree_remove_empty(global->fd, "logs", err) < 0 ||
		tree_remove_empty(groups->fd, "global", err) < 0)
		return -1;
	if (!is_kind(groups->fd, "global", S_IFDIR)) {
		changes_add(groups->changes, CHANGE_REMOVED, "it belongs to an older layout",
			OLD_GLOBAL);
		return 0;
	}
	return folder_keep(groups, "global", "it belongs to an older layout", err);
}

int migrate_global(int root, bool dry_run, struct changes *changes, struct error *err)
{
	CLEANUP(folder_release) struct folder global = FOLDER_INIT;
	CLEANUP(folder_release) struct folder groups = FOLDER_INIT;

	groups.path = xstrdup("groups");
	groups.aside_path = groups.path;
	groups.changes = changes;
	groups.dry_run = dry_run;
	if (beneath_path_open_dir_if(root, groups.path, &groups.fd, err) < 0) {
		err->kind = ERROR_FAILED; /* the default files are already written */
		return -1;
	}
	groups.aside = groups.fd;
	if (groups.fd < 0 || !is_kind(groups.fd, "global", S_IFDIR))
		return 0;
	if (folder_enter(&groups, "global", &global, err) < 0 ||
		move_shared(&global, root, err) < 0)
		return -1;
	return remove_or_keep(&groups, &global, err);
}
