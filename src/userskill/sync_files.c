#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "db/query.h"
#include "userskill/sync_files.h"
#include "userskill/text/parse.h"

/*
 * A file that is changed twice within one tick of the kernel's clock has the same times both
 * times. So these are relied on only if they were older than that when it was read; on file
 * systems that count in seconds, older than these.
 */
#define TICK_NS   INT64_C(20000000)
#define COARSE_NS INT64_C(2000000000)

#define SECOND_NS INT64_C(1000000000)

/* --- rows ------------------------------------------------------------------ */

static const struct row_column skill_file_columns[] = {
	ROW_COLUMN(struct skill_file_row, path),
	ROW_COLUMN(struct skill_file_row, skill),
	ROW_COLUMN(struct skill_file_row, hash),
	ROW_COLUMN(struct skill_file_row, device),
	ROW_COLUMN(struct skill_file_row, inode),
	ROW_COLUMN(struct skill_file_row, size),
	ROW_COLUMN(struct skill_file_row, mtime),
	ROW_COLUMN(struct skill_file_row, ctime),
	{0},
};

static const struct row_type skill_file_type = {
	sizeof(struct skill_file_row), skill_file_columns};

int skill_file_put(struct store *store, const struct skill_file_row *row, struct error *err)
{
	return query_run(store, err,
		"INSERT OR REPLACE INTO skill_files (path, skill, content_hash, device, inode,"
		" size, mtime, ctime) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		"sssiiiii", row->path, row->skill, row->hash, row->device, row->inode,
		row->size, row->mtime, row->ctime);
}

int skill_file_remove(struct store *store, const char *path, struct error *err)
{
	return query_run(store, err, "DELETE FROM skill_files WHERE path = ?", "s", path);
}

/* --- unchanged files ------------------------------------------------------- */

static int64_t nanoseconds(const struct timespec *time)
{
	return time->tv_sec * SECOND_NS + time->tv_nsec;
}

struct skill_file_row sync_facts(
	const struct stat *st, const char *path, const char *id, const char *hash, int64_t now)
{
	int64_t ctime = nanoseconds(&st->st_ctim);
	int64_t slack = st->st_ctim.tv_nsec ? TICK_NS : COARSE_NS;

	return (struct skill_file_row){
		.path = (char *)(uintptr_t)path,
		.skill = (char *)(uintptr_t)id,
		.hash = (char *)(uintptr_t)hash,
		.device = (int64_t)st->st_dev,
		.inode = (int64_t)st->st_ino,
		.size = st->st_size,
		.mtime = nanoseconds(&st->st_mtim),
		.ctime = ctime + slack < now * 1000000 ? ctime : 0,
	};
}

static bool is_untouched(const struct skill_file_row *known, const struct stat *st)
{
	return known->ctime && known->ctime == nanoseconds(&st->st_ctim) &&
	       known->mtime == nanoseconds(&st->st_mtim) && known->size == st->st_size &&
	       known->inode == (int64_t)st->st_ino && known->device == (int64_t)st->st_dev;
}

static int compare_path(const void *key, const void *row)
{
	return strcmp(key, ((const struct skill_file_row *)row)->path);
}

/* --- reading ----------------------------------------------------------------- */

/* Finds the ID and the hash of a file whose content may have changed; no ID if it has errors. */
static void read_file(
	const struct sync_files *files, struct sync_file *file, struct sync_report *report)
{
	CLEANUP(user_skill_release) struct user_skill skill = USER_SKILL_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep)
	char *shown = xasprintf("%s/%s", files->library.shown, file->file->path);

	report->read++;
	if (library_read(&files->library, file->file->path, &text, &err) < 0) {
		sync_problem(report, true, "%s: %s", shown, err.message);
		return;
	}
	hash_hex_of(view_of_buf(&text), file->hash);
	if (file->known && !strcmp(file->known->hash, file->hash)) {
		file->id = xstrdup(file->known->skill);
	} else if (user_skill_load(view_of_buf(&text), shown, &skill, &err) == 0) {
		file->id = xstrdup(skill.id);
	} else {
		sync_problem(report, true, "%s", err.message);
		sync_hint(report, "'nanoclaw user-skill check %s' shows all its faults", shown);
	}
}

static void examine_file(
	const struct sync_files *files, struct sync_file *file, struct sync_report *report)
{
	const struct skill_file_rows *known = &files->known;

	if (known->count)
		file->known = bsearch(file->file->path, known->list, known->count,
			sizeof(*known->list), compare_path);
	if (file->known && is_untouched(file->known, &file->file->stat)) {
		file->id = xstrdup(file->known->skill);
		memcpy(file->hash, file->known->hash, sizeof(file->hash));
		return;
	}
	file->touched = true;
	read_file(files, file, report);
}

/* --- the same ID twice ------------------------------------------------------- */

static int compare_ids(const void *a, const void *b)
{
	const struct sync_file *const *x = a, *const *y = b;
	int order = strcmp((*x)->id, (*y)->id);

	return order ? order : strcmp((*x)->file->path, (*y)->file->path);
}

static void find_doubles(struct sync_files *files, struct sync_report *report)
{
	CLEANUP(freep)
	struct sync_file **sorted = xcalloc(files->count + 1, sizeof(struct sync_file *));
	size_t count = 0;

	for (size_t i = 0; i < files->count; i++)
		if (files->list[i].id)
			sorted[count++] = &files->list[i];
	if (count)
		qsort(sorted, count, sizeof(struct sync_file *), compare_ids);
	for (size_t i = 0; i < count;) {
		size_t end = i + 1;

		for (; end < count && !strcmp(sorted[i]->id, sorted[end]->id); end++) {
			sync_problem(report, true, "%s/%s: the ID '%s' is also that of '%s/%s'",
				files->library.shown, sorted[end]->file->path, sorted[end]->id,
				files->library.shown, sorted[i]->file->path);
			sync_hint(report,
				"give one of them a different ID; both are skipped until then");
		}
		for (size_t j = i; end - i > 1 && j < end; j++) {
			sorted[j]->touched = true;
			free(TAKE(sorted[j]->id));
		}
		i = end;
	}
}

/* --- all --------------------------------------------------------------------- */

int sync_files_read(struct store *store, int root, const char *setting,
	struct sync_files *ret_files, struct sync_report *report, struct error *err)
{
	CLEANUP(sync_files_release) struct sync_files files = SYNC_FILES_INIT;

	if (library_open(root, setting, &files.library, err) < 0 ||
		library_scan(&files.library, err) < 0 ||
		query_rows(store, &skill_file_type, &files.known, err,
			"SELECT path, skill, content_hash, device, inode, size, mtime, ctime"
			" FROM skill_files ORDER BY path",
			"") < 0)
		return -1;
	for (size_t i = 0; i < files.library.misplaced_count; i++)
		sync_problem(report, false, "%s/%s is skipped: %s", files.library.shown,
			files.library.misplaced[i].path, files.library.misplaced[i].why);
	files.count = files.library.count;
	files.list = xcalloc(files.count + 1, sizeof(*files.list));
	for (size_t i = 0; i < files.count; i++) {
		files.list[i].file = &files.library.files[i];
		examine_file(&files, &files.list[i], report);
	}
	find_doubles(&files, report);
	*ret_files = files;
	files = SYNC_FILES_INIT;
	return 0;
}

void sync_files_release(struct sync_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->list[i].id);
	free(files->list);
	rows_release(&skill_file_type, &files->known);
	library_release(&files->library);
	*files = SYNC_FILES_INIT;
}

/* --- problems ---------------------------------------------------------------- */

void sync_problem(struct sync_report *report, bool error, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	report->errors += error;
	GROW(report->problems, report->problem_count, report->problem_cap);
	report->problems[report->problem_count++] =
		(struct sync_problem){error, buf_take(&text), NULL};
}

void sync_hint(struct sync_report *report, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	report->problems[report->problem_count - 1].hint = buf_take(&text);
}
