#include "userskill/check.h"

#include <errno.h>
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
		free(all->list[i].id);
		skill_items_release(&all->list[i].commands);
		skill_faults_release(&all->list[i].faults);
	}
	free(all->list);
	*all = (struct checked_skills){0};
}

/* --- one file ---------------------------------------------------------------- */

/* Its last three parts, if it has as many. */
static const char *place_of(const char *path)
{
	const char *p = path + strlen(path);
	int slashes = 0;

	while (p > path && slashes < 3)
		slashes += *--p == '/';
	if (slashes < 2)
		return NULL;
	return *p == '/' ? p + 1 : p;
}

static int file_fix(int dirfd, const char *path, struct view text,
	const struct user_skill *skill, bool *ret_fixed, struct error *err)
{
	const char *slash = strrchr(path, '/');
	CLEANUP(freep)
	char *folder = slash ? xmemdupz(path, (size_t)(slash - path) + 1) : xstrdup(".");
	CLEANUP(buf_release) struct buf usual = BUF_INIT;
	CLEANUP(closep) int dir = -1;
	struct stat st;

	user_skill_print(skill, &usual);
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
	*ret_fixed = true;
	return 0;
}

static void read_out(const struct user_skill *skill, struct checked_skill *checked)
{
	checked->id = skill->id ? xstrdup(skill->id) : NULL;
	checked->id_line = 1;
	for (size_t i = 0; i < skill->field_count; i++)
		if (skill->id && skill->fields[i].value == skill->id)
			checked->id_line = skill->fields[i].line;
	for (size_t i = 0; i < skill->command_count; i++) {
		struct skill_items *items = &checked->commands;

		GROW(items->list, items->count, items->cap);
		items->list[items->count++] = (struct skill_item){
			xstrdup(skill->commands[i].name), skill->commands[i].line};
	}
}

static int check_text(int dirfd, const char *path, struct view text,
	struct checked_skill *checked, bool to_fix, struct error *err)
{
	CLEANUP(user_skill_release) struct user_skill skill = USER_SKILL_INIT;
	const char *place = place_of(path);

	user_skill_parse(text, path, &skill, &checked->faults);
	if (to_fix && !checked->faults.errors) {
		if (file_fix(dirfd, path, text, &skill, &checked->fixed, err) < 0)
			return -1;
		if (checked->fixed) {
			CLEANUP(buf_release) struct buf usual = BUF_INIT;

			user_skill_print(&skill, &usual);
			skill_faults_release(&checked->faults);
			user_skill_release(&skill);
			user_skill_parse(view_of_buf(&usual), path, &skill, &checked->faults);
		}
	}
	if (place)
		library_check_place(place, &skill, &checked->faults);
	read_out(&skill, checked);
	return 0;
}

/* The same file under another name. */
static bool is_checked(const struct checked_skills *all, const struct stat *st)
{
	for (size_t i = 0; i < all->count; i++)
		if (!all->list[i].misplaced && all->list[i].device == st->st_dev &&
			all->list[i].inode == st->st_ino)
			return true;
	return false;
}

/* An unreadable file is a fault of its own and does not stop the check of the others. */
static int read_and_check(int dirfd, int fd, const char *path, struct checked_skill *checked,
	bool to_fix, struct error *err)
{
	CLEANUP(error_release) struct error why = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (file_read_fd(fd, path, USER_SKILL_MAX, &text, &why) < 0) {
		skill_faults_add(&checked->faults, 1, SKILL_ERROR, "%s", why.message);
		return 0;
	}
	return check_text(dirfd, path, view_of_buf(&text), checked, to_fix, err);
}

static int check_file(
	int dirfd, const char *path, struct checked_skills *all, struct error *err)
{
	CLEANUP(closep) int fd = openat(dirfd, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	CLEANUP(freep) char *shown = quote(view_of(path));
	struct checked_skill checked = {0};
	struct stat st;
	int result;

	if (fd < 0 || fstat(fd, &st) < 0) {
		error_errno(err, "cannot open %s", shown);
		err->kind = ERROR_INVALID;
		return -1;
	}
	if (is_checked(all, &st))
		return 0;
	checked.path = xstrdup(path);
	checked.device = st.st_dev;
	checked.inode = st.st_ino;
	result = read_and_check(dirfd, fd, path, &checked, all->fix, err);
	GROW(all->list, all->count, all->cap);
	all->list[all->count++] = checked;
	return result;
}

/* --- folders ----------------------------------------------------------------- */

static char *path_join(const char *folder, const char *name)
{
	size_t len = strlen(folder);

	while (len > 1 && folder[len - 1] == '/')
		len--;
	return xasprintf("%.*s/%s", (int)len, folder, name);
}

static void add_misplaced(
	struct checked_skills *all, const struct library *library, const char *path)
{
	for (size_t i = 0; i < library->misplaced_count; i++) {
		const struct library_misplaced *file = &library->misplaced[i];
		struct checked_skill misplaced = {
			.path = path_join(path, file->path), .misplaced = true};

		skill_faults_add(
			&misplaced.faults, 1, SKILL_WARNING, "left aside: %s", file->why);
		GROW(all->list, all->count, all->cap);
		all->list[all->count++] = misplaced;
	}
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
	if (library.count && depth == LIBRARY_DEPTH)
		add_misplaced(all, &library, path);
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

	if (fstatat(dirfd, path, &st, 0) < 0) {
		error_errno(err, "cannot open %s", shown);
		err->kind = ERROR_INVALID;
		return -1;
	}
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

/* Who has the same word as the one before it. */
static void tell_doubles(struct owner *owners, size_t count, enum skill_severity severity,
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
		struct checked_skill *checked = &all->list[i];

		if (checked->id)
			ids[id_count++] =
				(struct owner){checked->id, checked, checked->id_line};
		for (size_t c = 0; c < checked->commands.count; c++) {
			GROW(commands, command_count, cap);
			commands[command_count++] =
				(struct owner){checked->commands.list[c].text, checked,
					checked->commands.list[c].line};
		}
	}
	tell_doubles(ids, id_count, SKILL_ERROR, "ID", "");
	tell_doubles(commands, command_count, SKILL_WARNING, "command", "/");
	for (size_t i = 0; i < all->count; i++) {
		all->files += !all->list[i].misplaced;
		all->errors += all->list[i].faults.errors;
		all->warnings += all->list[i].faults.warnings;
	}
}
