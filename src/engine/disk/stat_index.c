#include "engine/disk/stat_index.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/disk/descend.h"
#include "fs/file.h"
#include "fs/sys.h"
#include "fs/walk.h"

#define INDEX_MAX_SIZE ((size_t)1024 * 1024 * 1024)

/* The clock is late on a busy machine; if it is wrong, waiting does not help. */
#define TICKS_MAX 10

bool stat_index_saving = true;

const char *stat_index_path(const struct stat_index *index, const struct index_entry *entry)
{
	return index->names + entry->path;
}

/* --- times --- */

static struct index_stat stat_of(const struct stat *st)
{
	return (struct index_stat){
		.dev = st->st_dev,
		.ino = st->st_ino,
		.size = (uint64_t)st->st_size,
		.mtime = st->st_mtim.tv_sec,
		.ctime = st->st_ctim.tv_sec,
		.mtime_nsec = (uint32_t)st->st_mtim.tv_nsec,
		.ctime_nsec = (uint32_t)st->st_ctim.tv_nsec,
		.mode = st->st_mode,
	};
}

static bool same_stat(const struct index_stat *a, const struct stat *b)
{
	struct index_stat now = stat_of(b);

	_Static_assert(sizeof(now) == 5 * sizeof(uint64_t) + 4 * sizeof(uint32_t),
		"memcmp() would compare holes");
	return !memcmp(a, &now, sizeof(now));
}

static bool is_time_older(int64_t sec, uint32_t nsec, struct timespec than)
{
	if (!nsec) /* perhaps the file system has no fractions */
		return sec < than.tv_sec - 2;
	return sec < than.tv_sec || (sec == than.tv_sec && (int64_t)nsec < than.tv_nsec);
}

static bool is_resolved(const struct index_stat *stat, struct timespec at)
{
	return is_time_older(stat->mtime, stat->mtime_nsec, at) &&
	       is_time_older(stat->ctime, stat->ctime_nsec, at);
}

struct timespec stat_index_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	return now;
}

/* --- known files --- */

bool stat_index_knows(
	const struct index_entry *entry, const struct stat *now, const struct hash *hash)
{
	if (!entry || !(entry->flags & (hash ? INDEX_AS_HASH : INDEX_AS_BASE)) ||
		(hash && !hash_equal(&entry->hash, hash)))
		return false;
	return same_stat(&entry->stat, now);
}

void stat_index_note(struct stat_index *index, struct index_entry *entry, const char *path,
	const struct stat *now, const struct hash *hash)
{
	struct index_stat stat = stat_of(now);

	/* The entry would be invalid. */
	if (!is_resolved(&stat, index->began))
		return;
	if (!entry) {
		GROW(index->extra, index->extra_count, index->extra_cap);
		index->extra[index->extra_count] = (struct index_extra){.path = path};
		entry = &index->extra[index->extra_count++].entry;
	}
	entry->stat = stat;
	entry->flags &= ~(uint32_t)(INDEX_AS_BASE | INDEX_AS_HASH);
	entry->flags |= hash ? INDEX_AS_HASH : INDEX_AS_BASE;
	entry->hash = hash ? *hash : (struct hash){0};
	index->changed = true;
}

/* --- the sweep --- */

#define SWEEP_MAX_THREADS 4
#define SWEEP_MIN_FILES   1000 /* for each thread; fewer are not worth one */

struct sweep {
	const struct stat_index *index;
	int root;
	size_t from;
	size_t to;
	bool *unchanged;
};

static void *sweep_run(void *data)
{
	const struct sweep *sweep = data;
	CLEANUP(descend_release) struct descend d = DESCEND_INIT(sweep->root);

	for (size_t i = sweep->from; i < sweep->to; i++) {
		const struct index_entry *entry = &sweep->index->entries[i];
		const char *name;
		struct stat now;
		int folder;

		sweep->unchanged[i] = (entry->flags & INDEX_AS_BASE) &&
				      descend_to(&d, stat_index_path(sweep->index, entry),
					      &folder, &name) == 0 &&
				      fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
				      same_stat(&entry->stat, &now);
	}
	return NULL;
}

bool *stat_index_sweep(const struct stat_index *index, int root)
{
	bool *unchanged = xcalloc(index->count + 1, sizeof(*unchanged));
	struct sweep sweeps[SWEEP_MAX_THREADS];
	pthread_t threads[SWEEP_MAX_THREADS];
	bool started[SWEEP_MAX_THREADS];
	size_t count = 1 + index->count / SWEEP_MIN_FILES;
	sigset_t all, before;
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) < 0)
		count = 1;
	else if (count > (size_t)CPU_COUNT(&cpus))
		count = (size_t)CPU_COUNT(&cpus);
	if (count > SWEEP_MAX_THREADS)
		count = SWEEP_MAX_THREADS;
	/* Only the main thread handles signals. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (size_t i = 0; i < count; i++) {
		sweeps[i] = (struct sweep){index, root, index->count * i / count,
			index->count * (i + 1) / count, unchanged};
		started[i] = i + 1 < count &&
			     pthread_create(&threads[i], NULL, sweep_run, &sweeps[i]) == 0;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	for (size_t i = count; i-- > 0;)
		if (!started[i])
			sweep_run(&sweeps[i]);
	for (size_t i = 0; i < count; i++)
		if (started[i])
			pthread_join(threads[i], NULL);
	return unchanged;
}

/* --- collecting the base --- */

static uint32_t index_add_name(struct stat_index *index, const char *path, size_t len)
{
	uint32_t start = (uint32_t)index->name_storage.len;

	buf_append(&index->name_storage, path, len);
	buf_append_char(&index->name_storage, '\0');
	return start;
}

static struct index_entry *index_add_folder(
	struct stat_index *index, const char *path, size_t len)
{
	GROW(index->folders, index->folder_count, index->folder_cap);
	index->folders[index->folder_count] =
		(struct index_entry){.path = index_add_name(index, path, len)};
	return &index->folders[index->folder_count++];
}

static void index_note_folder(
	struct stat_index *index, struct index_entry *folder, const struct stat *st)
{
	folder->stat = stat_of(st);
	/* A folder that may still change within this tick proves nothing. */
	index->changed = index->changed && is_resolved(&folder->stat, index->began);
}

static struct index_entry *index_add_entry(
	struct stat_index *index, const char *path, size_t len, bool is_symlink)
{
	GROW(index->entries, index->count, index->entry_cap);
	index->entries[index->count] = (struct index_entry){
		.path = index_add_name(index, path, len),
		.flags = INDEX_IN_BASE | (is_symlink ? INDEX_SYMLINK : 0),
	};
	return &index->entries[index->count++];
}

static bool index_has_room(const struct stat_index *index, size_t len)
{
	return index->name_storage.len <= UINT32_MAX - len - 1;
}

static enum walk_result index_collect_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct stat_index *index = data;

	if (!index_has_room(index, entry->path_len)) {
		error_set(err, ERROR_FAILED, "the base has too many files");
		return WALK_FAIL;
	}
	if (entry->kind == WALK_DIR) {
		index_note_folder(index, index_add_folder(index, entry->path, entry->path_len),
			&entry->stat);
		return WALK_GO_ON;
	}
	if (entry->kind == WALK_FILE || entry->kind == WALK_SYMLINK)
		index_add_entry(
			index, entry->path, entry->path_len, entry->kind == WALK_SYMLINK);
	return WALK_GO_ON;
}

static int compare_index_paths(const void *a, const void *b, void *data)
{
	const struct stat_index *index = data;

	return strcmp(stat_index_path(index, a), stat_index_path(index, b));
}

/* After the last entry. */
static void index_sort(struct stat_index *index)
{
	index->names = index->name_storage.data;
	if (index->count)
		qsort_r(index->entries, index->count, sizeof(*index->entries),
			compare_index_paths, index);
}

int stat_index_collect(struct stat_index *ret_index, int base, struct error *err)
{
	struct stat_index *index = ret_index;
	struct stat st;

	index->began = stat_index_clock();
	index->changed = true;
	if (fstat(base, &st) < 0)
		return error_errno(err, "cannot access the base, '.nanoclaw/base'");
	index_note_folder(index, index_add_folder(index, "", 0), &st);
	if (walk(base, index_collect_entry, index, err) < 0)
		return -1;
	index_sort(index);
	return 0;
}

/* --- copying a core --- */

void stat_index_begin_copy(struct stat_index *index)
{
	index->changed = true;
	index_add_folder(index, "", 0);
}

void stat_index_add_folder(struct stat_index *index, const char *path)
{
	size_t len = strlen(path);

	if (index_has_room(index, len))
		index_add_folder(index, path, len);
	else
		index->changed = false;
}

void stat_index_add_copied(struct stat_index *index, const char *path,
	const struct stat *original, struct timespec before_reading)
{
	struct index_stat stat = stat_of(original);
	size_t len = strlen(path);
	struct index_entry *entry;

	if (!index_has_room(index, len)) {
		index->changed = false;
		return;
	}
	entry = index_add_entry(index, path, len, S_ISLNK(original->st_mode));
	if (is_resolved(&stat, before_reading)) {
		entry->stat = stat;
		entry->flags |= INDEX_AS_BASE;
	}
}

/* A folder of the base; the first is the base itself. Returns -1 with errno. */
static int stat_folder(
	struct descend *d, const struct stat_index *index, size_t number, struct stat *ret_stat)
{
	const char *path = stat_index_path(index, &index->folders[number]), *name;
	int folder;

	if (!number)
		return fstat(d->root, ret_stat);
	if (descend_to(d, path, &folder, &name) < 0)
		return -1;
	return fstatat(folder, name, ret_stat, AT_SYMLINK_NOFOLLOW);
}

/* Note the folders of the copy. `changed` is true if all their times are valid. */
static int index_note_folders(struct stat_index *index, int base)
{
	CLEANUP(descend_release) struct descend d = DESCEND_INIT(base);
	struct stat st;

	index->began = stat_index_clock();
	index->changed = true;
	for (size_t i = 0; i < index->folder_count; i++) {
		if (stat_folder(&d, index, i, &st) < 0)
			return -1;
		index_note_folder(index, &index->folders[i], &st);
	}
	return 0;
}

void stat_index_save_copied(struct stat_index *index, const struct project *project)
{
	CLEANUP(closep)
	int base = disk_open_folder(project->root, ".nanoclaw/base");
	struct timespec tick;

	if (base < 0 || !index->changed || !stat_index_saving ||
		clock_getres(CLOCK_REALTIME_COARSE, &tick) < 0)
		return;
	index_sort(index);
	/* A folder that was moved in this tick is valid when the tick is over. */
	for (int i = 0; i < TICKS_MAX; i++) {
		if (index_note_folders(index, base) < 0)
			return;
		if (index->changed)
			break;
		nanosleep(&tick, NULL);
	}
	stat_index_save(index, project);
}

/* --- reading --- */

/* Are the folders of the base unchanged? */
static bool index_has_base(const struct stat_index *index, int base)
{
	CLEANUP(descend_release) struct descend d = DESCEND_INIT(base);
	struct stat st;

	for (size_t i = 0; i < index->folder_count; i++)
		if (stat_folder(&d, index, i, &st) < 0 ||
			!same_stat(&index->folders[i].stat, &st) ||
			!is_resolved(&index->folders[i].stat, index->time))
			return false;
	return true;
}

static bool index_load(struct stat_index *index, const struct project *project)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int nanoclaw = -1;
	CLEANUP(closep) int fd = -1;
	struct stat st;

	if (project_open_nanoclaw(project, &nanoclaw, &ignored) == 0)
		fd = openat(nanoclaw, PROJECT_INDEX,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	if (file_read_fd(fd, PROJECT_INDEX, INDEX_MAX_SIZE, &text, &ignored) < 0 ||
		!stat_index_parse(index, &text))
		return false;
	if (st.st_mtim.tv_sec < index->time.tv_sec ||
		(st.st_mtim.tv_sec == index->time.tv_sec &&
			st.st_mtim.tv_nsec < index->time.tv_nsec))
		index->time = st.st_mtim;
	/* Now: by the time of a later index they would seem valid. */
	for (size_t i = 0; i < index->count; i++)
		if (!is_resolved(&index->entries[i].stat, index->time))
			index->entries[i].flags &= ~(uint32_t)(INDEX_AS_BASE | INDEX_AS_HASH);
	return true;
}

int stat_index_open(struct stat_index *ret_index, const struct project *project, int base,
	struct error *err)
{
	struct timespec began = stat_index_clock();

	if (index_load(ret_index, project) && index_has_base(ret_index, base)) {
		ret_index->began = began;
		return 0;
	}
	stat_index_release(ret_index);
	*ret_index = STAT_INDEX_INIT;
	return stat_index_collect(ret_index, base, err);
}

bool stat_index_was_read(const struct stat_index *index)
{
	return index->storage.cap > 0;
}

/* --- writing --- */

void stat_index_save(struct stat_index *index, const struct project *project)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int lock = -1;
	CLEANUP(closep) int nanoclaw = -1;
	CLEANUP(closep) int fd = -1;

	if (!index->changed || !stat_index_saving)
		return;
	stat_index_render(index, &text);
	if (!project->locked) {
		lock = project_try_lock(project);
		if (lock < 0)
			return;
	}
	if (project_open_nanoclaw(project, &nanoclaw, &ignored) < 0)
		return;
	/*
	 * Without a sync: after a power cut the checksum does not match. The temporary name
	 * is always the same, so no old ones pile up; we have the lock.
	 */
	sys.unlink(nanoclaw, PROJECT_INDEX_NEW, 0);
	fd = sys.create(
		nanoclaw, PROJECT_INDEX_NEW, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0644);
	if (fd < 0)
		return;
	if (sys_write_all(fd, text.data, text.len) < 0 ||
		sys.rename(nanoclaw, PROJECT_INDEX_NEW, nanoclaw, PROJECT_INDEX, 0) < 0)
		sys.unlink(nanoclaw, PROJECT_INDEX_NEW, 0);
	else
		index->changed = false;
}

void stat_index_release(struct stat_index *index)
{
	if (!stat_index_was_read(index)) {
		free(index->entries);
		free(index->folders);
	}
	free(index->extra);
	buf_release(&index->storage);
	buf_release(&index->name_storage);
}
