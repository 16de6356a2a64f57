#include "engine/stack/project_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/base.h"
#include "engine/disk/transaction.h"
#include "util/beneath.h"
#include "util/replace.h"
#include "util/scratch.h"
#include "util/tree.h"
#include "util/walk.h"

#define NANOCLAW ".nanoclaw"

/* How a file can be put back. */
enum source {
	SOURCE_NONE, /* not at all */
	SOURCE_BASE,
	SOURCE_COPY,
	SOURCE_LINK, /* `target` is all there is to it */
};

struct watched {
	struct relpath path;
	struct stat stat;
	enum source source;
	size_t number; /* the name of its copy */
	char *target;
};

struct project_watch {
	const struct project *project;
	int base;
	struct scratch copies;
	char *apart[2];        /* folders that do not count, if they lie in the project */
	struct watched *files; /* sorted by path when all are there */
	size_t count;
	size_t cap;
};

static void copy_name(size_t number, char ret_name[static 24])
{
	snprintf(ret_name, 24, "%zu", number);
}

/* --- what is there ----------------------------------------------------------------- */

static bool is_like_base(
	const struct project_watch *watch, const struct relpath *path, const struct stat *st)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct stat base;

	return beneath_stat(watch->base, path, &base, &ignored) == 0 && S_ISREG(base.st_mode) &&
	       base.st_size == st->st_size && base.st_mtim.tv_sec == st->st_mtim.tv_sec &&
	       base.st_mtim.tv_nsec == st->st_mtim.tv_nsec;
}

/* Parts of .nanoclaw that may be larger than all the rest of the project. */
static bool is_large(const struct relpath *path)
{
	static const char *const large[] = {
		"backup/", "base/", "cores/", "history/", "kept", "objects/", "tx/"};

	if (!view_starts_with(relpath_view(path), NANOCLAW "/"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(large); i++)
		if (view_starts_with(view_of(path->text + strlen(NANOCLAW "/")), large[i]))
			return true;
	return false;
}

static int make_copy(
	struct project_watch *watch, int dirfd, struct watched *file, struct error *err)
{
	char name[24];

	file->number = watch->count;
	copy_name(file->number, name);
	return tree_copy_file(dirfd, relpath_base(&file->path), watch->copies.fd, name, err);
}

/* Where the file could be taken from again. */
static int find_source(
	struct project_watch *watch, int dirfd, struct watched *file, struct error *err)
{
	CLEANUP(buf_release) struct buf target = BUF_INIT;

	if (S_ISLNK(file->stat.st_mode)) {
		if (beneath_read_link(watch->project->root, &file->path, &target, err) < 0)
			return -1;
		file->target = buf_take(&target);
		file->source = SOURCE_LINK;
	} else if (!S_ISREG(file->stat.st_mode) || is_large(&file->path)) {
		file->source = SOURCE_NONE;
	} else if (is_like_base(watch, &file->path, &file->stat)) {
		file->source = SOURCE_BASE;
	} else {
		file->source = SOURCE_COPY;
		return make_copy(watch, dirfd, file, err);
	}
	return 0;
}

static void watched_release(struct watched *file)
{
	relpath_release(&file->path);
	free(file->target);
}

static int add(struct project_watch *watch, int dirfd, const char *path, const struct stat *st,
	struct error *err)
{
	CLEANUP(watched_release) struct watched file = {.stat = *st};

	if (relpath_parse(view_of(path), &file.path, err) < 0 ||
		find_source(watch, dirfd, &file, err) < 0)
		return -1;
	GROW(watch->files, watch->count, watch->cap);
	watch->files[watch->count++] = file;
	file = (struct watched){0};
	return 0;
}

/* The path of an open folder below the project, with a slash; NULL: it is elsewhere. */
static char *path_below(const struct project_watch *watch, int folder)
{
	CLEANUP(freep) char *root_link = xasprintf("/proc/self/fd/%d", watch->project->root);
	CLEANUP(freep) char *link = xasprintf("/proc/self/fd/%d", folder);
	char root[PATH_MAX], path[PATH_MAX];
	ssize_t root_len = readlink(root_link, root, sizeof(root));
	ssize_t len = folder < 0 ? -1 : readlink(link, path, sizeof(path));

	if (root_len < 0 || len <= root_len || strncmp(root, path, (size_t)root_len) != 0 ||
		path[root_len] != '/')
		return NULL;
	return xasprintf("%.*s/", (int)(len - root_len - 1), path + root_len + 1);
}

/* Is it in a folder that does not count? */
static bool is_apart(const struct project_watch *watch, const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(watch->apart); i++)
		if (watch->apart[i] && view_starts_with(view_of(path), watch->apart[i]))
			return true;
	return false;
}

static int add_core(const struct base_entry *entry, void *data, struct error *err)
{
	struct project_watch *watch = data;

	if (is_apart(watch, entry->path))
		return 0;
	return add(watch, entry->dirfd, entry->path, entry->stat, err);
}

static int open_nanoclaw(const struct project *project, int *ret_fd, struct error *err)
{
	*ret_fd = openat(
		project->root, NANOCLAW, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return *ret_fd < 0 ? error_errno(err, "cannot open '%s'", NANOCLAW) : 0;
}

static bool is_not_watched(const struct walk_entry *entry)
{
	return entry->kind == WALK_DIR || entry->kind == WALK_DIR_END ||
	       !strcmp(entry->path, "index") || replace_is_temporary(entry->name);
}

static enum walk_result add_own(const struct walk_entry *entry, void *data, struct error *err)
{
	CLEANUP(freep) char *path = NULL;

	if (is_not_watched(entry))
		return WALK_GO_ON;
	path = xasprintf(NANOCLAW "/%s", entry->path);
	return add(data, entry->dirfd, path, &entry->stat, err) < 0 ? WALK_FAIL : WALK_GO_ON;
}

/* What is no part of the core, and still not for others to change. */
static const char *const other_folders[] = {
	".claude/resolutions",
	".claude/skills",
	"skills",
	"updates",
};

struct in_folder {
	const char *folder;
	walk_function each;
	void *data;
};

static enum walk_result look_in_folder(
	const struct walk_entry *entry, void *data, struct error *err)
{
	const struct in_folder *in = data;
	CLEANUP(freep) char *path = xasprintf("%s/%s", in->folder, entry->path);
	struct walk_entry below = *entry;

	if (entry->kind == WALK_DIR || entry->kind == WALK_DIR_END)
		return WALK_GO_ON;
	below.path = path;
	return in->each(&below, in->data, err);
}

static int walk_other_folders(
	const struct project *project, walk_function each, void *data, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(other_folders); i++) {
		struct in_folder in = {other_folders[i], each, data};
		CLEANUP(closep)
		int fd = openat(project->root, other_folders[i],
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (fd >= 0 && walk(fd, look_in_folder, &in, err) < 0)
			return -1;
	}
	return 0;
}

static enum walk_result add_other(const struct walk_entry *entry, void *data, struct error *err)
{
	return add(data, entry->dirfd, entry->path, &entry->stat, err) < 0 ? WALK_FAIL
									   : WALK_GO_ON;
}

static int add_files_of_skill(
	struct project_watch *watch, const struct applied_skill *skill, struct error *err)
{
	const struct yaml_node *files = state_files_of(skill);

	for (size_t i = 0; files && i < files->count; i++) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
		CLEANUP(closep) int folder = -1;
		struct stat st;

		if (relpath_parse(files->entries[i].key, &path, &ignored) == 0 &&
			beneath_stat(watch->project->root, &path, &st, &ignored) == 0 &&
			!S_ISDIR(st.st_mode) &&
			beneath_open_parent(
				watch->project->root, &path, 0, &folder, &ignored) == 0 &&
			add(watch, folder, path.text, &st, err) < 0)
			return -1;
	}
	return 0;
}

static int by_path(const void *a, const void *b)
{
	const struct watched *x = a, *y = b;

	return relpath_compare(&x->path, &y->path);
}

int project_watch_take(const struct project_watch_request *request,
	struct project_watch **ret_watch, struct error *err)
{
	CLEANUP(project_watch_freep) struct project_watch *watch = xcalloc(1, sizeof(*watch));
	CLEANUP(closep) int nanoclaw = -1;

	*watch = (struct project_watch){
		.project = request->project,
		.base = request->base,
		.copies.fd = -1,
	};
	if (scratch_make("nanoclaw-watch-", &watch->copies, err) < 0)
		return -1;
	watch->apart[0] = path_below(watch, watch->copies.fd);
	watch->apart[1] = path_below(watch, request->apart);
	if (open_nanoclaw(request->project, &nanoclaw, err) < 0 ||
		base_for_each(request->project->root, add_core, watch, err) < 0 ||
		walk_other_folders(request->project, add_other, watch, err) < 0 ||
		walk(nanoclaw, add_own, watch, err) < 0)
		return -1;
	for (size_t i = 0; i < request->state->skill_count; i++)
		if (add_files_of_skill(watch, &request->state->skills[i], err) < 0)
			return -1;
	qsort(watch->files, watch->count, sizeof(*watch->files), by_path);
	*ret_watch = TAKE(watch);
	return 0;
}

/* --- putting back -------------------------------------------------------------------- */

static bool is_untouched(const struct project_watch *watch, const struct watched *file)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct stat now;

	if (beneath_stat(watch->project->root, &file->path, &now, &ignored) < 0)
		return false;
	return now.st_dev == file->stat.st_dev && now.st_ino == file->stat.st_ino &&
	       now.st_mode == file->stat.st_mode && now.st_size == file->stat.st_size &&
	       now.st_mtim.tv_sec == file->stat.st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == file->stat.st_mtim.tv_nsec &&
	       now.st_ctim.tv_sec == file->stat.st_ctim.tv_sec &&
	       now.st_ctim.tv_nsec == file->stat.st_ctim.tv_nsec;
}

static int read_source(const struct project_watch *watch, const struct watched *file,
	struct buf *ret_content, struct error *err)
{
	CLEANUP(relpath_release) struct relpath copy = RELPATH_INIT;
	char name[24];

	if (file->source == SOURCE_BASE)
		return beneath_read(
			watch->base, &file->path, TRANSACTION_MAX_FILE, ret_content, err);
	copy_name(file->number, name);
	if (relpath_parse(view_of(name), &copy, err) < 0)
		return -1;
	return beneath_read(watch->copies.fd, &copy, TRANSACTION_MAX_FILE, ret_content, err);
}

/* Something that is no folder stands where a folder of the path has to be. */
static int make_way(const struct project_watch *watch, const struct relpath *path,
	struct kept_list *kept, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath parent = RELPATH_INIT;
	struct stat st;

	if (!relpath_parent(path, &parent))
		return 0;
	if (make_way(watch, &parent, kept, err) < 0)
		return -1;
	if (beneath_stat(watch->project->root, &parent, &st, &ignored) < 0 ||
		S_ISDIR(st.st_mode))
		return 0;
	return kept_aside(watch->project, &parent, kept, err);
}

static int put_back(struct project_watch *watch, const struct watched *file,
	struct kept_list *kept, struct error *err)
{
	const struct timespec times[2] = {file->stat.st_atim, file->stat.st_mtim};
	const char *name = relpath_base(&file->path);
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(closep) int folder = -1;

	if (file->source == SOURCE_NONE)
		return error_set(err, ERROR_FAILED,
			"'%s' was changed, and there is no copy of it to put back",
			file->path.text);
	if ((file->source != SOURCE_LINK && read_source(watch, file, &content, err) < 0) ||
		make_way(watch, &file->path, kept, err) < 0 ||
		kept_aside(watch->project, &file->path, kept, err) < 0 ||
		beneath_open_parent(
			watch->project->root, &file->path, BENEATH_CREATE, &folder, err) < 0)
		return -1;
	if (file->source == SOURCE_LINK)
		return replace_symlink(folder, name, file->target, REPLACE_NEW, err);
	return replace_file(folder, name, view_of_buf(&content), file->stat.st_mode & 07777,
		times, REPLACE_NEW, err);
}

static void note_changed(char **changed, const struct relpath *path)
{
	if (!*changed)
		*changed = xstrdup(path->text);
}

/* What the second look finds that the first did not. */
struct new_files {
	struct project_watch *watch;
	struct relpath *list;
	size_t count;
	size_t cap;
};

static void new_files_release(struct new_files *found)
{
	for (size_t i = 0; i < found->count; i++)
		relpath_release(&found->list[i]);
	free(found->list);
}

static int note_if_new(struct new_files *found, const char *path, struct error *err)
{
	CLEANUP(watched_release) struct watched key = {0};

	if (relpath_parse(view_of(path), &key.path, err) < 0)
		return -1;
	if (found->watch->count &&
		bsearch(&key, found->watch->files, found->watch->count, sizeof(key), by_path))
		return 0;
	GROW(found->list, found->count, found->cap);
	found->list[found->count++] = key.path;
	key.path = RELPATH_INIT;
	return 0;
}

static int look_at_core(const struct base_entry *entry, void *data, struct error *err)
{
	struct new_files *found = data;

	return is_apart(found->watch, entry->path) ? 0 : note_if_new(found, entry->path, err);
}

/* What is kept aside is new, and ours. */
static enum walk_result look_at_own(
	const struct walk_entry *entry, void *data, struct error *err)
{
	CLEANUP(freep) char *path = NULL;

	if (view_starts_with(view_of(entry->path), "kept"))
		return entry->kind == WALK_DIR ? WALK_SKIP : WALK_GO_ON;
	if (is_not_watched(entry))
		return WALK_GO_ON;
	path = xasprintf(NANOCLAW "/%s", entry->path);
	return note_if_new(data, path, err) < 0 ? WALK_FAIL : WALK_GO_ON;
}

static enum walk_result look_at_other(
	const struct walk_entry *entry, void *data, struct error *err)
{
	return note_if_new(data, entry->path, err) < 0 ? WALK_FAIL : WALK_GO_ON;
}

static int take_away_new(
	struct project_watch *watch, char **changed, struct kept_list *kept, struct error *err)
{
	CLEANUP(new_files_release) struct new_files found = {.watch = watch};
	CLEANUP(closep) int nanoclaw = -1;

	if (open_nanoclaw(watch->project, &nanoclaw, err) < 0 ||
		base_for_each(watch->project->root, look_at_core, &found, err) < 0 ||
		walk_other_folders(watch->project, look_at_other, &found, err) < 0 ||
		walk(nanoclaw, look_at_own, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < found.count; i++) {
		note_changed(changed, &found.list[i]);
		if (kept_aside(watch->project, &found.list[i], kept, err) < 0)
			return -1;
	}
	return 0;
}

int project_watch_restore(struct project_watch *watch, char **ret_changed,
	struct kept_list *kept, struct error *err)
{
	CLEANUP(freep) char *changed = NULL;
	int result = 0;

	/* One that cannot be put back does not keep the others from it. */
	for (size_t i = 0; i < watch->count; i++) {
		const struct watched *file = &watch->files[i];

		/* The same path may have been found twice. */
		if ((i && !by_path(file - 1, file)) || is_untouched(watch, file))
			continue;
		note_changed(&changed, &file->path);
		if (put_back(watch, file, kept, err) < 0)
			result = -1;
	}
	/* Only now: with another .gitignore, files would seem new that are not. */
	if (take_away_new(watch, &changed, kept, err) < 0)
		result = -1;
	if (result == 0)
		*ret_changed = TAKE(changed);
	return result;
}

void project_watch_free(struct project_watch *watch)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (!watch)
		return;
	for (size_t i = 0; i < watch->count; i++)
		watched_release(&watch->files[i]);
	free(watch->files);
	free(watch->apart[0]);
	free(watch->apart[1]);
	if (watch->copies.fd >= 0)
		scratch_remove(&watch->copies, &ignored);
	free(watch);
}

void project_watch_freep(struct project_watch **watch)
{
	project_watch_free(*watch);
}
