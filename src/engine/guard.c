#include "engine/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/beneath.h"
#include "util/sys.h"
#include "util/tree.h"
#include "util/walk.h"

#define COPIES ".nanoclaw/tx/guard"

struct guarded {
	struct relpath path;
	struct stat stat;
	bool copied; /* to COPIES, under its number; else it is as in the base */
};

struct guard {
	const struct project *project;
	const struct journal *journal;
	int base;
	int copies; /* -1 until there is one */
	struct guarded *files;
	size_t count;
	size_t cap;
};

static void copy_name(size_t number, char ret_name[static 24])
{
	snprintf(ret_name, 24, "%zu", number);
}

static int open_copies(struct guard *guard, struct error *err)
{
	if (guard->copies >= 0)
		return 0;
	if (sys.mkdir(guard->project->root, COPIES, 0777) < 0)
		return error_errno(err, "cannot make the folder '%s'", COPIES);
	guard->copies =
		openat(guard->project->root, COPIES, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return guard->copies < 0 ? error_errno(err, "cannot open '%s'", COPIES) : 0;
}

static bool same_times_and_size(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static int copy_file(int fromfd, const char *from, int tofd, const char *to,
	const struct stat *st, struct error *err)
{
	const struct timespec times[2] = {st->st_atim, st->st_mtim};

	if (tree_copy_file(fromfd, from, tofd, to, err) < 0)
		return -1;
	if (sys.set_times(tofd, to, times) < 0)
		return error_errno(err, "cannot set the times of '%s'", to);
	return 0;
}

/* Remember a file, and copy it unless `in_base` says that the base has it. */
static int add_file(
	struct guard *guard, struct view text, const struct stat *in_base, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int folder = -1;
	char name[24];
	struct guarded file = {0};

	if (relpath_parse(text, &path, err) < 0)
		return -1;
	if (journal_find(guard->journal, &path) ||
		beneath_stat(guard->project->root, &path, &file.stat, &local) < 0 ||
		!S_ISREG(file.stat.st_mode))
		return 0;
	if (!in_base || !same_times_and_size(&file.stat, in_base)) {
		copy_name(guard->count, name);
		if (open_copies(guard, err) < 0 ||
			beneath_open_parent(guard->project->root, &path, 0, &folder, err) < 0 ||
			copy_file(folder, relpath_base(&path), guard->copies, name, &file.stat,
				err) < 0)
			return -1;
		file.copied = true;
	}
	file.path = path;
	path = RELPATH_INIT;
	GROW(guard->files, guard->count, guard->cap);
	guard->files[guard->count++] = file;
	return 0;
}

static enum walk_result visit(const struct walk_entry *entry, void *data, struct error *err)
{
	struct view path = {entry->path, entry->path_len};

	if (entry->kind != WALK_FILE)
		return WALK_GO_ON;
	return add_file(data, path, &entry->stat, err) < 0 ? WALK_FAIL : WALK_GO_ON;
}

static int add_files_of_skills(
	struct guard *guard, const struct state *state, struct error *err)
{
	for (size_t i = 0; i < state->skill_count; i++) {
		const struct yaml_node *added = yaml_get(state->skills[i].node, "files_added");

		for (size_t j = 0; added && added->kind == YAML_SEQUENCE && j < added->count;
			j++)
			if (add_file(guard, added->items[j]->text, NULL, err) < 0)
				return -1;
	}
	return 0;
}

int guard_take(const struct project *project, const struct state *state,
	const struct transaction *tx, struct guard **ret_guard, struct error *err)
{
	CLEANUP(guard_freep) struct guard *guard = xcalloc(1, sizeof(*guard));

	*guard = (struct guard){.project = project,
		.journal = transaction_journal(tx),
		.base = -1,
		.copies = -1};
	guard->base = openat(project->root, ".nanoclaw/base",
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (guard->base < 0)
		return error_errno(err, "cannot open the base");
	if (walk(guard->base, visit, guard, err) < 0 ||
		add_files_of_skills(guard, state, err) < 0)
		return -1;
	*ret_guard = TAKE(guard);
	return 0;
}

static bool is_untouched(const struct guard *guard, const struct guarded *file)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	struct stat now;

	return beneath_stat(guard->project->root, &file->path, &now, &local) == 0 &&
	       now.st_ino == file->stat.st_ino && now.st_mode == file->stat.st_mode &&
	       same_times_and_size(&now, &file->stat) &&
	       now.st_ctim.tv_sec == file->stat.st_ctim.tv_sec &&
	       now.st_ctim.tv_nsec == file->stat.st_ctim.tv_nsec;
}

static int put_back(
	struct guard *guard, size_t number, struct kept_list *kept, struct error *err)
{
	const struct guarded *file = &guard->files[number];
	const char *base = relpath_base(&file->path);
	CLEANUP(closep) int folder = -1;
	char name[24];

	copy_name(number, name);
	if (!file->copied) {
		CLEANUP(closep) int from = -1;

		if (open_copies(guard, err) < 0 ||
			beneath_open_parent(guard->base, &file->path, 0, &from, err) < 0 ||
			copy_file(from, base, guard->copies, name, &file->stat, err) < 0)
			return -1;
	}
	if (kept_aside(guard->project, &file->path, kept, err) < 0 ||
		beneath_open_parent(
			guard->project->root, &file->path, BENEATH_CREATE, &folder, err) < 0)
		return -1;
	if (sys.rename(guard->copies, name, folder, base, 0) < 0)
		return error_errno(err, "cannot put back '%s'", file->path.text);
	return 0;
}

int guard_restore(struct guard *guard, struct kept_list *kept, struct error *err)
{
	for (size_t i = 0; i < guard->count; i++)
		if (!is_untouched(guard, &guard->files[i]) && put_back(guard, i, kept, err) < 0)
			return -1;
	return 0;
}

void guard_free(struct guard *guard)
{
	if (!guard)
		return;
	for (size_t i = 0; i < guard->count; i++)
		relpath_release(&guard->files[i].path);
	free(guard->files);
	closep(&guard->base);
	closep(&guard->copies);
	free(guard);
}

void guard_freep(struct guard **guard)
{
	guard_free(*guard);
}
