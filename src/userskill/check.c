#include "userskill/check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "userskill/text/parse.h"
#include "userskill/text/print.h"

#define MANIFEST "manifest.yaml"

void checked_skills_release(struct checked_skills *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->list[i].path);
		user_skill_release(&all->list[i].skill);
		skill_faults_release(&all->list[i].faults);
	}
	free(all->list);
	*all = (struct checked_skills){0};
}

/* --- one file ---------------------------------------------------------------- */

/* The <category>/<id>/SKILL.md of a path, or NULL if the path is shorter. */
static const char *last_three_parts(const char *path)
{
	const char *p = path + strlen(path);
	int slashes = 0;

	while (p > path && slashes < 3)
		slashes += *--p == '/';
	if (slashes < 2)
		return NULL;
	return *p == '/' ? p + 1 : p;
}

/* Writes the skill in the usual form, and reads it again, unless the file has that form. */
static int file_fix(
	int dirfd, struct view text, struct checked_skill *checked, struct error *err)
{
	const char *path = checked->path;
	const char *slash = strrchr(path, '/');
	CLEANUP(freep)
	char *folder = slash ? xmemdupz(path, (size_t)(slash - path) + 1) : xstrdup(".");
	CLEANUP(buf_release) struct buf usual = BUF_INIT;
	CLEANUP(closep) int dir = -1;
	struct stat st;

	user_skill_print(&checked->skill, &usual);
	if (view_equal(view_of_buf(&usual), text))
		return 0;
	dir = openat(dirfd, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0 || fstatat(dirfd, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(err, "cannot write '%s'", path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, ERROR_INVALID, "'%s' is not a regular file", path);
	if (replace_file(dir, slash ? slash + 1 : path, view_of_buf(&usual), st.st_mode & 07777,
		    NULL, 0, err) < 0)
		return -1;
	checked->fixed = true;
	skill_faults_release(&checked->faults);
	user_skill_release(&checked->skill);
	user_skill_parse(view_of_buf(&usual), path, &checked->skill, &checked->faults);
	return 0;
}

/* An unreadable file is a fault of its own and does not stop the check of the others. */
static int read_and_check(
	int dirfd, int fd, struct checked_skill *checked, bool to_fix, struct error *err)
{
	CLEANUP(error_release) struct error why = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const char *place = last_three_parts(checked->path);

	if (file_read_fd(fd, checked->path, USER_SKILL_MAX, &text, &why) < 0) {
		skill_faults_add(&checked->faults, 1, SKILL_ERROR, "%s", why.message);
		return 0;
	}
	user_skill_parse(view_of_buf(&text), checked->path, &checked->skill, &checked->faults);
	if (to_fix && !checked->faults.errors &&
		file_fix(dirfd, view_of_buf(&text), checked, err) < 0)
		return -1;
	if (place)
		library_check_place(place, &checked->skill, &checked->faults);
	return 0;
}

static int check_file(
	int dirfd, const char *path, struct checked_skills *all, struct error *err)
{
	CLEANUP(closep) int fd = openat(dirfd, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct checked_skill *checked;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return quote_errno_typed(err, "open", path);
	for (size_t i = 0; i < all->count; i++)
		if (!all->list[i].misplaced && all->list[i].device == st.st_dev &&
			all->list[i].inode == st.st_ino)
			return 0; /* under another name */
	GROW(all->list, all->count, all->cap);
	checked = &all->list[all->count++];
	*checked = (struct checked_skill){
		.path = xstrdup(path), .device = st.st_dev, .inode = st.st_ino};
	return read_and_check(dirfd, fd, checked, all->fix, err);
}

/* --- folders ----------------------------------------------------------------- */

static char *path_join(const char *folder, const char *name)
{
	size_t len = strlen(folder);

	while (len > 1 && folder[len - 1] == '/')
		len--;
	return xasprintf("%.*s/%s", (int)len, folder, name);
}

/* Check the files at this depth below the folder; without any, report nothing. */
static int check_at_depth(int dirfd, const char *path, size_t depth, struct checked_skills *all,
	size_t *ret_files, struct error *err)
{
	CLEANUP(library_release) struct library library = LIBRARY_INIT;

	if (library_open(dirfd, path, &library, err) < 0)
		return -1;
	library.depth = depth;
	if (library_scan(&library, err) < 0)
		return -1;
	for (size_t i = 0; i < library.count; i++) {
		CLEANUP(freep) char *file = path_join(path, library.files[i].path);

		if (check_file(dirfd, file, all, err) < 0)
			return -1;
	}
	for (size_t i = 0;
		library.count && depth == LIBRARY_DEPTH && i < library.misplaced_count; i++) {
		struct checked_skill misplaced = {
			.path = path_join(path, library.misplaced[i].path), .misplaced = true};

		skill_faults_add(&misplaced.faults, 1, SKILL_WARNING, "left aside: %s",
			library.misplaced[i].why);
		GROW(all->list, all->count, all->cap);
		all->list[all->count++] = misplaced;
	}
	*ret_files = library.count;
	return 0;
}

static int refuse_platform(int dirfd, const char *path, struct error *err)
{
	CLEANUP(freep) char *manifest = path_join(path, MANIFEST);

	if (faccessat(dirfd, manifest, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	error_set(err, ERROR_INVALID, "'%s' has a " MANIFEST ", and is a platform skill", path);
	return error_hint(err, "'nanoclaw skill check %s' checks it", path);
}

int skill_check_path(int dirfd, const char *path, struct checked_skills *all, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(path));
	size_t files = 0;
	struct stat st;

	if (fstatat(dirfd, path, &st, 0) < 0)
		return quote_errno_typed(err, "open", path);
	if (!S_ISDIR(st.st_mode))
		return check_file(dirfd, path, all, err);
	if (refuse_platform(dirfd, path, err) < 0)
		return -1;
	for (size_t depth = LIBRARY_DEPTH; depth && !files; depth--)
		if (check_at_depth(dirfd, path, depth, all, &files, err) < 0)
			return -1;
	if (files)
		return 0;
	error_set(err, ERROR_INVALID, "there is no user skill in %s", shown);
	return error_hint(err, "they are <category>/<id>/" USER_SKILL_FILE " in a library");
}

/* --- all together ------------------------------------------------------------ */

struct owner {
	const char *word;
	struct checked_skill *checked;
	size_t line;
};

static int compare_owners(const void *a, const void *b)
{
	const struct owner *x = a, *y = b;
	int order = strcmp(x->word, y->word);

	return order ? order : strcmp(x->checked->path, y->checked->path);
}

/* Report every skill whose word another skill also has. */
static void report_doubles(struct owner *owners, size_t count, enum skill_severity severity,
	const char *what, const char *mark)
{
	if (count)
		qsort(owners, count, sizeof(*owners), compare_owners);
	for (size_t i = 1; i < count; i++) {
		if (strcmp(owners[i].word, owners[i - 1].word) != 0)
			continue;
		skill_faults_add(&owners[i].checked->faults, owners[i].line, severity,
			"the %s '%s%s' is also that of '%s'", what, mark, owners[i].word,
			owners[i - 1].checked->path);
		skill_faults_sort(&owners[i].checked->faults);
	}
}

void skill_check_together(struct checked_skills *all)
{
	CLEANUP(freep) struct owner *ids = xcalloc(all->count + 1, sizeof(*ids));
	CLEANUP(freep) struct owner *commands = NULL;
	size_t id_count = 0;
	size_t command_count = 0;
	size_t cap = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct user_skill *skill = &all->list[i].skill;
		const struct skill_field *id = user_skill_field(skill, skill->id);

		if (skill->id)
			ids[id_count++] =
				(struct owner){skill->id, &all->list[i], id ? id->line : 1};
		for (size_t c = 0; c < skill->command_count; c++) {
			GROW(commands, command_count, cap);
			commands[command_count++] = (struct owner){skill->commands[c].name,
				&all->list[i], skill->commands[c].line};
		}
	}
	report_doubles(ids, id_count, SKILL_ERROR, "ID", "");
	report_doubles(commands, command_count, SKILL_WARNING, "command", "/");
	for (size_t i = 0; i < all->count; i++) {
		all->files += !all->list[i].misplaced;
		all->errors += all->list[i].faults.errors;
		all->warnings += all->list[i].faults.warnings;
	}
}
