#include "engine/drift.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/beneath.h"
#include "util/walk.h"

/* What the last skill to touch a file recorded for it. */
struct recorded {
	struct view path;
	struct view hash;
	size_t order;
};

struct search {
	const struct project *project;
	struct recorded *recorded; /* sorted by path, each path once */
	size_t recorded_count;
	size_t recorded_cap;
	struct drift_list *list;
};

static int by_path_then_order(const void *a, const void *b)
{
	const struct recorded *x = a, *y = b;
	int order = view_compare(x->path, y->path);

	if (order)
		return order;
	return (x->order > y->order) - (x->order < y->order);
}

static int by_path(const void *a, const void *b)
{
	const struct recorded *x = a, *y = b;

	return view_compare(x->path, y->path);
}

/* The hashes of all skills; of several for one path the last one counts. */
static void collect_recorded(struct search *search, const struct state *state)
{
	size_t kept = 0;

	for (size_t i = 0; i < state->skill_count; i++) {
		const struct yaml_node *hashes = yaml_get(state->skills[i].node, "file_hashes");

		if (!hashes || hashes->kind != YAML_MAPPING)
			continue;
		for (size_t j = 0; j < hashes->count; j++) {
			GROW(search->recorded, search->recorded_count, search->recorded_cap);
			search->recorded[search->recorded_count++] = (struct recorded){
				hashes->entries[j].key, hashes->entries[j].value->text, i};
		}
	}
	if (!search->recorded_count)
		return;
	qsort(search->recorded, search->recorded_count, sizeof(*search->recorded),
		by_path_then_order);
	for (size_t i = 1; i < search->recorded_count; i++) {
		if (!view_equal(search->recorded[i].path, search->recorded[kept].path))
			kept++;
		search->recorded[kept] = search->recorded[i];
	}
	search->recorded_count = kept + 1;
}

static const struct recorded *find_recorded(const struct search *search, struct view path)
{
	struct recorded key = {.path = path};

	return search->recorded_count ? bsearch(&key, search->recorded, search->recorded_count,
						sizeof(key), by_path)
				      : NULL;
}

static void add(struct drift_list *list, struct view path)
{
	GROW(list->paths, list->count, list->cap);
	list->paths[list->count++] = xmemdupz(path.data, path.len);
}

/* The hash of a regular file; `*ret_there` is false if it is not one. */
static int hash_of_path(const struct project *project, struct view text, bool *ret_there,
	struct hash *ret_hash, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int fd = -1;

	*ret_there = false;
	if (relpath_parse(text, &path, err) < 0)
		return -1;
	if (beneath_open_file(project->root, &path, &fd, NULL, &local) < 0)
		return 0;
	*ret_there = true;
	return hash_of_fd(fd, ret_hash, err);
}

static int check_recorded(struct search *search, const struct recorded *r, struct error *err)
{
	struct hash hash;
	char hex[HASH_HEX_SIZE];
	bool there;

	if (hash_of_path(search->project, r->path, &there, &hash, err) < 0)
		return -1;
	if (there)
		hash_to_hex(&hash, hex);
	if (!there || !view_equal_str(r->hash, hex))
		add(search->list, r->path);
	return 0;
}

static bool looks_the_same(const struct stat *a, const struct stat *b)
{
	return (a->st_mode & S_IFMT) == (b->st_mode & S_IFMT) && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
	       !(a->st_mode & 0100) == !(b->st_mode & 0100);
}

static int same_link(const struct walk_entry *entry, const struct project *project)
{
	char base[4096], there[4096];
	ssize_t a = readlinkat(entry->dirfd, entry->name, base, sizeof(base));
	ssize_t b = readlinkat(project->root, entry->path, there, sizeof(there));

	return a >= 0 && a == b && !memcmp(base, there, (size_t)a);
}

static int same_content(const struct walk_entry *entry, const struct search *search,
	bool *ret_same, struct error *err)
{
	CLEANUP(closep)
	int fd = openat(entry->dirfd, entry->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct view path = {entry->path, entry->path_len};
	struct hash base, now;
	bool there;

	*ret_same = false;
	if (fd < 0)
		return error_errno(err, "cannot read the base of '%s'", entry->path);
	if (hash_of_fd(fd, &base, err) < 0 ||
		hash_of_path(search->project, path, &there, &now, err) < 0)
		return -1;
	*ret_same = there && hash_equal(&base, &now);
	return 0;
}

/* One file of the base that no skill has recorded. */
static int check_base(const struct walk_entry *entry, struct search *search, struct error *err)
{
	struct stat now;
	bool same = false;

	if (fstatat(search->project->root, entry->path, &now, AT_SYMLINK_NOFOLLOW) == 0) {
		if (entry->kind == WALK_SYMLINK)
			same = same_link(entry, search->project);
		else if (looks_the_same(&entry->stat, &now))
			same = true;
		else if (S_ISREG(now.st_mode) &&
			 !(now.st_mode & 0100) == !(entry->stat.st_mode & 0100) &&
			 same_content(entry, search, &same, err) < 0)
			return -1;
	}
	if (!same)
		add(search->list, (struct view){entry->path, entry->path_len});
	return 0;
}

static enum walk_result visit(const struct walk_entry *entry, void *data, struct error *err)
{
	struct search *search = data;

	if (entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK)
		return WALK_GO_ON;
	if (find_recorded(search, (struct view){entry->path, entry->path_len}))
		return WALK_GO_ON;
	return check_base(entry, search, err) < 0 ? WALK_FAIL : WALK_GO_ON;
}

static int compare_paths(const void *a, const void *b)
{
	char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

int drift_find(const struct project *project, const struct state *state,
	struct drift_list *ret_list, struct error *err)
{
	CLEANUP(closep)
	int base = openat(project->root, ".nanoclaw/base",
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct search search = {.project = project, .list = ret_list};
	int failed = 0;

	if (base < 0)
		return error_errno(err, "cannot open the base, '.nanoclaw/base'");
	collect_recorded(&search, state);
	for (size_t i = 0; i < search.recorded_count && !failed; i++)
		failed = check_recorded(&search, &search.recorded[i], err);
	if (!failed)
		failed = walk(base, visit, &search, err);
	free(search.recorded);
	if (ret_list->count)
		qsort(ret_list->paths, ret_list->count, sizeof(*ret_list->paths),
			compare_paths);
	return failed;
}

void drift_list_release(struct drift_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->paths[i]);
	free(list->paths);
}
