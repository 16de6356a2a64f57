#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "record.h"

/* --- disks ------------------------------------------------------------------- */

static size_t disk_add(struct disk *disk, enum tree_kind kind, mode_t mode, struct view data)
{
	GROW(disk->nodes, disk->count, disk->cap);
	disk->nodes[disk->count] = (struct disk_node){.kind = kind, .mode = mode, .data = data};
	return disk->count++;
}

static void disk_set(struct disk *disk, size_t folder, const char *name, size_t node)
{
	struct disk_node *f = &disk->nodes[folder];
	size_t i = 0;

	while (i < f->count && strcmp(f->names[i].name, name) != 0)
		i++;
	if (node == DISK_NONE) {
		if (i < f->count)
			f->names[i] = f->names[--f->count];
		return;
	}
	if (i == f->count) {
		GROW(f->names, f->count, f->cap);
		f->count++;
	}
	f->names[i] = (struct disk_name){name, node};
}

static size_t disk_get(const struct disk *disk, size_t folder, struct view name)
{
	const struct disk_node *f = &disk->nodes[folder];

	for (size_t i = 0; i < f->count; i++)
		if (view_equal_str(name, f->names[i].name))
			return f->names[i].node;
	return DISK_NONE;
}

/* `*ret_name` is the last part of the path, and the node returned that of its folder. */
static size_t disk_find_folder(const struct disk *disk, const char *path, const char **ret_name)
{
	size_t node = 0;

	for (const char *slash; node != DISK_NONE && (slash = strchr(path, '/'));
		path = slash + 1)
		if (slash != path && strncmp(path, "./", 2) != 0)
			node = disk_get(
				disk, node, (struct view){path, (size_t)(slash - path)});
	*ret_name = path;
	return node;
}

static size_t disk_find(const struct disk *disk, const char *path)
{
	const char *name;
	size_t folder = disk_find_folder(disk, path, &name);

	if (folder == DISK_NONE || !*name || !strcmp(name, "."))
		return folder;
	return disk_get(disk, folder, view_of(name));
}

void disk_from_tree(struct disk *disk, const struct tree *tree)
{
	disk_add(disk, TREE_DIR, 0755, (struct view){0});
	for (size_t i = 0; i < tree->count; i++) {
		const struct tree_entry *entry = &tree->entries[i];
		const char *name;
		size_t folder = disk_find_folder(disk, entry->path, &name);

		if (entry->kind == TREE_OTHER)
			continue;
		disk_set(disk, folder, name,
			disk_add(disk, entry->kind, entry->mode,
				(struct view){entry->data, entry->len}));
		disk->nodes[disk->count - 1].mtime = entry->mtime;
	}
}

void disk_copy(struct disk *to, const struct disk *from)
{
	*to = (struct disk){.count = from->count, .cap = from->count};
	to->nodes = xcalloc(from->count, sizeof(*to->nodes));
	for (size_t i = 0; i < from->count; i++) {
		struct disk_node *node = &to->nodes[i];

		*node = from->nodes[i];
		node->cap = node->count;
		node->names = xcalloc(node->count, sizeof(*node->names));
		for (size_t n = 0; n < node->count; n++)
			node->names[n] = from->nodes[i].names[n];
	}
}

void disk_release(struct disk *disk)
{
	for (size_t i = 0; i < disk->count; i++)
		free(disk->nodes[i].names);
	free(disk->nodes);
	*disk = DISK_INIT;
}

static int write_file(int dir, const struct disk_name *name, const struct disk_node *node)
{
	const struct timespec times[2] = {node->mtime, node->mtime};
	CLEANUP(closep)
	int fd = openat(dir, name->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, node->data.data, node->data.len) != (ssize_t)node->data.len)
		return -1;
	if (node->mtime.tv_sec && futimens(fd, times) < 0)
		return -1;
	return fchmod(fd, node->mode);
}

/* `paths[N]` is where node N was written first: its other names are links to that. */
static int write_names(
	const struct disk *disk, size_t folder, int root, const char *path, char **paths)
{
	CLEANUP(closep) int dir = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return -1;
	for (size_t i = 0; i < disk->nodes[folder].count; i++) {
		const struct disk_name *name = &disk->nodes[folder].names[i];
		const struct disk_node *node = &disk->nodes[name->node];
		int result;

		if (paths[name->node]) {
			result = linkat(root, paths[name->node], dir, name->name, 0);
		} else {
			paths[name->node] = xasprintf("%s/%s", path, name->name);
			if (node->kind == TREE_LINK)
				result = symlinkat(node->data.data, dir, name->name);
			else if (node->kind == TREE_FILE)
				result = write_file(dir, name, node);
			else
				result = mkdirat(dir, name->name, 0700);
		}
		if (result < 0 ||
			(node->kind == TREE_DIR &&
				(write_names(disk, name->node, root, paths[name->node], paths) <
						0 ||
					fchmodat(dir, name->name, node->mode, 0) < 0)))
			return -1;
	}
	return 0;
}

int disk_write(const struct disk *disk, const char *root, struct error *err)
{
	char **paths = xcalloc(disk->count, sizeof(*paths));
	CLEANUP(closep) int fd = -1;
	int result = -1;

	if (mkdir(root, 0755) == 0 || errno == EEXIST)
		fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		result = write_names(disk, 0, fd, ".", paths);
	if (result < 0)
		error_errno(err, "cannot write the disk '%s'", root);
	for (size_t i = 0; i < disk->count; i++)
		free(paths[i]);
	free(paths);
	return result;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct disk_name *)a)->name, ((const struct disk_name *)b)->name);
}

/* Nodes are numbered as they are met, so that unreachable ones do not count. */
static void hash_node(
	const struct disk *disk, size_t number, size_t *met, size_t *count, struct buf *text)
{
	struct disk_node *node = &disk->nodes[number];

	if (met[number]) {
		buf_appendf(text, "again %zu\n", met[number]);
		return;
	}
	met[number] = ++*count;
	buf_appendf(text, "%d %o %ld.%ld %zu %zu\n", node->kind, (unsigned)node->mode,
		(long)node->mtime.tv_sec, node->mtime.tv_nsec, node->data.len, node->count);
	buf_append(text, node->data.data, node->data.len);
	if (node->count)
		qsort(node->names, node->count, sizeof(*node->names), compare_names);
	for (size_t i = 0; i < node->count; i++) {
		buf_appendf(text, "%s\n", node->names[i].name);
		hash_node(disk, node->names[i].node, met, count, text);
	}
}

struct hash disk_hash(const struct disk *disk)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) size_t *met = xcalloc(disk->count, sizeof(*met));
	size_t count = 0;

	hash_node(disk, 0, met, &count, &text);
	return hash_of(view_of_buf(&text));
}

/* --- from records to steps --------------------------------------------------- */

struct record {
	enum record_kind kind;
	unsigned long number;
	char *path;
	char *other;
	struct view data;
};

static bool next_record(struct run *run, struct view *rest, struct record *ret)
{
	char kind;
	size_t path, other, data;
	struct view line;

	if (!view_next(rest, '\n', &line) || !line.len)
		return false;
	if (sscanf(line.data, "%c %lu %zu %zu %zu", &kind, &ret->number, &path, &other,
		    &data) != 5 ||
		rest->len < path + other + data)
		return false;
	ret->kind = (enum record_kind)kind;
	ret->path = arena_copy(&run->arena, rest->data, path);
	ret->other = arena_copy(&run->arena, rest->data + path, other);
	ret->data.data = arena_copy(&run->arena, rest->data + path + other, data);
	ret->data.len = data;
	*rest = view_slice(*rest, path + other + data, rest->len);
	return true;
}

static void add_need(struct step *step, size_t need)
{
	for (size_t i = 0; i < step->need_count; i++)
		if (step->needs[i] == need)
			return;
	if (need != DISK_NONE)
		step->needs[step->need_count++] = need;
}

/* The last step so far that changed this name; or that gave the folder a name. */
static size_t last_of_name(const struct run *run, const struct step_name *name)
{
	for (size_t i = run->count; i-- > 0;)
		for (size_t n = 0; n < run->steps[i].name_count; n++)
			if (run->steps[i].names[n].folder == name->folder &&
				!strcmp(run->steps[i].names[n].name, name->name))
				return i;
	return DISK_NONE;
}

static size_t last_to_node(const struct run *run, size_t node)
{
	for (size_t i = run->count; i-- > 0;)
		for (size_t n = 0; n < run->steps[i].name_count; n++)
			if (run->steps[i].names[n].node == node)
				return i;
	return DISK_NONE;
}

static void change_node(struct disk_node *node, const struct step *step)
{
	if (step->kind == STEP_MODE) {
		node->mode = step->mode;
		return;
	}
	/* New content has new times. */
	node->mtime = step->mtime;
	if (step->kind == STEP_CONTENT)
		node->data = step->data;
}

static void add_step(struct run *run, struct step step)
{
	step.certain = DISK_NONE;
	step.record = run->record;
	for (size_t n = 0; n < step.name_count; n++) {
		add_need(&step, last_of_name(run, &step.names[n]));
		add_need(&step, last_to_node(run, step.names[n].folder));
	}
	GROW(run->steps, run->count, run->cap);
	run->steps[run->count++] = step;
	for (size_t n = 0; n < step.name_count; n++)
		disk_set(&run->after, step.names[n].folder, step.names[n].name,
			step.names[n].node);
	if (step.kind != STEP_NAMES)
		change_node(&run->after.nodes[step.node], &step);
}

static int name_step(struct run *run, const char *path, size_t node)
{
	struct step step = {.kind = STEP_NAMES, .name_count = 1};

	step.names[0].folder = disk_find_folder(&run->after, path, &step.names[0].name);
	step.names[0].node = node;
	if (step.names[0].folder == DISK_NONE)
		return -1;
	add_step(run, step);
	return 0;
}

/* A new file, folder or link, with its name. */
static int make_step(
	struct run *run, const char *path, enum tree_kind kind, mode_t mode, struct view data)
{
	disk_add(&run->before, kind, mode, data);
	return name_step(run, path, disk_add(&run->after, kind, mode, data));
}

static int rename_step(struct run *run, const struct record *record)
{
	struct step step = {.kind = STEP_NAMES, .name_count = 2};
	struct step_name *from = &step.names[0], *to = &step.names[1];
	size_t moved = disk_find(&run->after, record->path);
	size_t there = disk_find(&run->after, record->other);

	from->folder = disk_find_folder(&run->after, record->path, &from->name);
	to->folder = disk_find_folder(&run->after, record->other, &to->name);
	if (moved == DISK_NONE || to->folder == DISK_NONE)
		return -1;
	/* Two names of one file: rename() does nothing. */
	if (moved == there)
		return 0;
	from->node = record->number ? there : DISK_NONE;
	to->node = moved;
	add_step(run, step);
	return 0;
}

static void content_step(struct run *run, size_t node, struct view data)
{
	add_step(run, (struct step){.kind = STEP_CONTENT, .node = node, .data = data});
}

static void mode_step(struct run *run, size_t node, mode_t mode)
{
	add_step(run, (struct step){.kind = STEP_MODE, .node = node, .mode = mode});
}

static void times_step(struct run *run, size_t node, struct view mtime)
{
	struct step step = {.kind = STEP_TIMES, .node = node};

	memcpy(&step.mtime, mtime.data, sizeof(step.mtime));
	add_step(run, step);
}

/* The first `begin` bytes of the content, zeros up to there if it is shorter, and data. */
static void write_step(struct run *run, size_t node, size_t begin, struct view data)
{
	struct view old = run->after.nodes[node].data;
	size_t end = begin + data.len;
	size_t len = end > old.len ? end : old.len;
	char *text = arena_alloc(&run->arena, len + 1);

	if (old.len)
		memcpy(text, old.data, old.len);
	memcpy(text + begin, data.data, data.len);
	content_step(run, node, (struct view){text, len});
}

static void length_step(struct run *run, size_t node, size_t len)
{
	struct view old = run->after.nodes[node].data;
	char *text = arena_alloc(&run->arena, len + 1);

	if (old.len && len)
		memcpy(text, old.data, old.len < len ? old.len : len);
	content_step(run, node, (struct view){text, len});
}

static void add_point(struct run *run)
{
	GROW(run->points, run->point_count, run->point_cap);
	run->points[run->point_count++] = run->count;
}

/* `node`: DISK_NONE is everything. */
static void sync_steps(struct run *run, size_t node)
{
	add_point(run);
	for (size_t i = 0; i < run->count; i++) {
		struct step *step = &run->steps[i];
		bool covered =
			node == DISK_NONE || (step->kind != STEP_NAMES && step->node == node);

		for (size_t n = 0; n < step->name_count; n++)
			covered |= step->names[n].folder == node;
		if (covered && step->certain == DISK_NONE)
			step->certain = run->point_count;
	}
}

/* --- what other programs did ------------------------------------------------- */

static size_t count_names_of(const struct disk *disk, size_t node)
{
	size_t count = 0;

	for (size_t i = 0; i < disk->count; i++)
		for (size_t n = 0; n < disk->nodes[i].count; n++)
			count += disk->nodes[i].names[n].node == node;
	return count;
}

static int there_step(struct run *run, const struct record *record)
{
	enum tree_kind kind = S_ISDIR(record->number)   ? TREE_DIR
			      : S_ISLNK(record->number) ? TREE_LINK
							: TREE_FILE;
	mode_t mode = kind == TREE_LINK ? 0 : record->number & 07777;
	size_t node = disk_find(&run->after, record->path);
	const struct disk_node *known = node == DISK_NONE ? NULL : &run->after.nodes[node];
	bool same = known && known->kind == kind && view_equal(known->data, record->data);

	if (same && known->mode != mode)
		mode_step(run, node, mode);
	if (same)
		return 0;
	/* Written in place, unless another name of it would show that, too. */
	if (known && known->kind == kind && kind == TREE_FILE && known->mode == mode &&
		count_names_of(&run->after, node) == 1) {
		content_step(run, node, record->data);
		return 0;
	}
	if (make_step(run, record->path, kind, mode,
		    kind == TREE_FILE ? (struct view){0} : record->data) < 0)
		return -1;
	if (kind == TREE_FILE)
		content_step(run, run->after.count - 1, record->data);
	return 0;
}

/* Names that were not among the records since `begin` are gone. */
static void gone_steps(struct run *run, size_t folder, const char *path, struct view listing)
{
	for (size_t i = run->after.nodes[folder].count; i-- > 0;) {
		struct disk_name name = run->after.nodes[folder].names[i];
		CLEANUP(freep) char *below = xasprintf("%s%s/", path, name.name);
		CLEANUP(freep) char *line = xasprintf("\n%s\n", below);

		if (!memmem(listing.data, listing.len, line, strlen(line)))
			add_step(run, (struct step){.kind = STEP_NAMES,
					      .name_count = 1,
					      .names = {{folder, name.name, DISK_NONE}}});
		else if (run->after.nodes[name.node].kind == TREE_DIR)
			gone_steps(run, name.node, below, listing);
	}
}

/* --- the run ----------------------------------------------------------------- */

static int read_record(struct run *run, const struct record *record, struct buf *listing)
{
	const struct view none = {"", 0};
	size_t node = disk_find(&run->after, record->path);

	switch (record->kind) {
	case RECORD_CREATE:
		return node != DISK_NONE ? 0
					 : make_step(run, record->path, TREE_FILE,
						   (mode_t)record->number, none);
	case RECORD_SYMLINK:
		return make_step(run, record->path, TREE_LINK, 0, record->data);
	case RECORD_MKDIR:
		return make_step(run, record->path, TREE_DIR, (mode_t)record->number, none);
	case RECORD_THERE:
		buf_appendf(listing, "%s/\n", record->path);
		return there_step(run, record);
	case RECORD_THERE_END:
		gone_steps(run, 0, "", view_of_buf(listing));
		buf_clear(listing);
		buf_append_char(listing, '\n');
		return 0;
	case RECORD_SYNC_ALL:
		sync_steps(run, DISK_NONE);
		return 0;
	default:
		break;
	}
	if (node == DISK_NONE)
		return -1;
	switch (record->kind) {
	case RECORD_CONTENT:
		write_step(run, node, record->number, record->data);
		return 0;
	case RECORD_LENGTH:
		length_step(run, node, record->number);
		return 0;
	case RECORD_MODE:
		mode_step(run, node, (mode_t)record->number);
		return 0;
	case RECORD_TIMES:
		times_step(run, node, record->data);
		return 0;
	case RECORD_LINK:
		return name_step(run, record->other, node);
	case RECORD_UNLINK:
		return name_step(run, record->path, DISK_NONE);
	case RECORD_RENAME:
		return rename_step(run, record);
	case RECORD_SYNC:
		sync_steps(run, node);
		return 0;
	default:
		return -1;
	}
}

int run_read(struct run *run, const struct disk *before, struct view records, struct error *err)
{
	CLEANUP(buf_release) struct buf listing = BUF_INIT;
	struct record record;

	disk_copy(&run->before, before);
	disk_copy(&run->after, before);
	buf_append_char(&listing, '\n');
	while (next_record(run, &records, &record)) {
		CLEANUP(freep)
		char *text =
			xasprintf("%c %s %s", (char)record.kind, record.path, record.other);

		run->record = arena_copy(&run->arena, text, strlen(text));
		if (read_record(run, &record, &listing) < 0)
			return error_set(err, ERROR_FAILED,
				"the record '%s' is of a file that is not there", text);
	}
	add_point(run);
	return records.len ? error_set(err, ERROR_FAILED, "the records cannot be read") : 0;
}

void run_release(struct run *run)
{
	disk_release(&run->before);
	disk_release(&run->after);
	free(run->steps);
	free(run->points);
	arena_release(&run->arena);
	*run = RUN_INIT;
}

/* --- what is left ------------------------------------------------------------ */

bool step_is_open(const struct run *run, size_t step, size_t point)
{
	return step < run->points[point] && run->steps[step].certain > point;
}

static bool happened(const struct run *run, const struct cut *cut, size_t step)
{
	return step < run->points[cut->point] &&
	       (run->steps[step].certain <= cut->point || cut->kept[step]);
}

void cut_complete(const struct run *run, struct cut *cut)
{
	for (size_t i = run->points[cut->point]; i-- > 0;)
		for (size_t n = 0; happened(run, cut, i) && n < run->steps[i].need_count; n++)
			cut->kept[run->steps[i].needs[n]] = true;
}

void cut_prune(const struct run *run, struct cut *cut)
{
	for (size_t i = 0; i < run->points[cut->point]; i++)
		for (size_t n = 0; n < run->steps[i].need_count; n++)
			if (!happened(run, cut, run->steps[i].needs[n]))
				cut->kept[i] = false;
	/* The requirements of certain steps still hold. */
	cut_complete(run, cut);
}

static struct view tear(struct view old, struct view new, enum torn torn, struct arena *arena)
{
	size_t len = new.len;
	size_t half = len / 2;
	char *text;

	switch (torn) {
	case TORN_OLD:
		return old;
	case TORN_EMPTY:
		return (struct view){"", 0};
	case TORN_BYTE:
		return (struct view){new.data, len ? len - 1 : 0};
	case TORN_HALF:
		if (old.len <= half)
			return (struct view){new.data, half};
		text = arena_copy(arena, old.data, old.len);
		memcpy(text, new.data, half);
		return (struct view){text, old.len};
	case TORN_ZEROS:
		return (struct view){arena_alloc(arena, len + 1), len};
	default:
		return new;
	}
}

void cut_disk(const struct run *run, const struct cut *cut, struct arena *arena,
	struct disk *ret_disk)
{
	CLEANUP(freep) struct view *old = xcalloc(run->before.count, sizeof(*old));
	CLEANUP(freep) bool *open = xcalloc(run->before.count, sizeof(*open));

	disk_copy(ret_disk, &run->before);
	for (size_t i = 0; i < ret_disk->count; i++)
		old[i] = ret_disk->nodes[i].data;
	for (size_t i = 0; i < run->points[cut->point]; i++) {
		const struct step *step = &run->steps[i];

		if (step->kind == STEP_CONTENT) {
			change_node(&ret_disk->nodes[step->node], step);
			open[step->node] = step_is_open(run, i, cut->point);
			if (!open[step->node])
				old[step->node] = step->data;
		} else if (!happened(run, cut, i)) {
			continue;
		} else if (step->kind != STEP_NAMES) {
			change_node(&ret_disk->nodes[step->node], step);
		}
		for (size_t n = 0; n < step->name_count; n++)
			disk_set(ret_disk, step->names[n].folder, step->names[n].name,
				step->names[n].node);
	}
	for (size_t i = 0; i < ret_disk->count; i++)
		if (open[i])
			ret_disk->nodes[i].data =
				tear(old[i], ret_disk->nodes[i].data, cut->torn[i], arena);
}
