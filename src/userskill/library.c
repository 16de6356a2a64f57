#include "userskill/library.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "fs/beneath.h"
#include "fs/walk.h"

#define MANIFEST "manifest.yaml"

/* The depth down to which misplaced files are reported. */
#define DEEPEST 6

#define MAX_MISPLACED 100

void library_release(struct library *library)
{
	closep(&library->fd);
	free(library->shown);
	for (size_t i = 0; i < library->count; i++)
		free(library->files[i].path);
	free(library->files);
	for (size_t i = 0; i < library->misplaced_count; i++)
		free(library->misplaced[i].path);
	free(library->misplaced);
	*library = LIBRARY_INIT;
}

/* --- opening ----------------------------------------------------------------- */

/* Where it really is, links and all. */
static bool is_for_claude(int fd)
{
	CLEANUP(freep) char *name = xasprintf("/proc/self/fd/%d", fd);
	char path[PATH_MAX];
	ssize_t len = readlink(name, path, sizeof(path) - 2);

	if (len < 0)
		return false;
	path[len] = '/';
	path[len + 1] = '\0';
	return strstr(path, "/.claude/skills/") != NULL;
}

int library_open(int root, const char *path, struct library *ret_library, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(path ? path : LIBRARY_FOLDER));
	CLEANUP(closep)
	int fd = openat(root, path ? path : LIBRARY_FOLDER, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && (path || errno != ENOENT)) {
		error_errno(err, "cannot open the library of user skills %s", shown);
		err->kind = ERROR_INVALID;
		return error_hint(err, "it is the setting " LIBRARY_SETTING);
	}
	if (fd >= 0 && is_for_claude(fd)) {
		error_set(err, ERROR_INVALID,
			"%s is not a library of user skills: "
			"'.claude/skills' is for Claude Code",
			shown);
		return error_hint(err, "put user skills into '" LIBRARY_FOLDER
				       "/<category>/<id>/" USER_SKILL_FILE "'");
	}
	*ret_library = (struct library){.fd = TAKE_FD(fd),
		.depth = LIBRARY_DEPTH,
		.shown = xstrdup(path ? path : LIBRARY_FOLDER)};
	return 0;
}

/* --- scanning ---------------------------------------------------------------- */

static size_t depth_of(const struct walk_entry *entry)
{
	size_t depth = 1;

	for (size_t i = 0; i < entry->path_len; i++)
		depth += entry->path[i] == '/';
	return depth;
}

static bool has_manifest(int dirfd, const char *name)
{
	CLEANUP(freep) char *path = xasprintf("%s/" MANIFEST, name);
	struct stat st;

	return !fstatat(dirfd, path, &st, AT_SYMLINK_NOFOLLOW);
}

static void add_misplaced(struct library *library, const char *path, const char *why)
{
	if (library->misplaced_count == MAX_MISPLACED)
		return;
	GROW(library->misplaced, library->misplaced_count, library->misplaced_cap);
	library->misplaced[library->misplaced_count++] =
		(struct library_misplaced){xstrdup(path), why};
}

static enum walk_result scan_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct library *library = data;

	(void)err;
	if (entry->kind == WALK_DIR)
		return entry->name[0] == '.' || depth_of(entry) >= DEEPEST ||
				       has_manifest(entry->dirfd, entry->name)
			       ? WALK_SKIP
			       : WALK_GO_ON;
	if (entry->kind == WALK_DIR_END || strcmp(entry->name, USER_SKILL_FILE) != 0)
		return WALK_GO_ON;
	if (depth_of(entry) != library->depth) {
		add_misplaced(
			library, entry->path, "it is not at <category>/<id>/" USER_SKILL_FILE);
	} else if (entry->kind != WALK_FILE) {
		add_misplaced(library, entry->path, "it is not a regular file");
	} else {
		GROW(library->files, library->count, library->cap);
		library->files[library->count++] =
			(struct library_file){xstrdup(entry->path), entry->stat};
	}
	return WALK_GO_ON;
}

static int compare_files(const void *a, const void *b)
{
	const struct library_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

int library_scan(struct library *library, struct error *err)
{
	struct stat st;

	if (library->fd < 0)
		return 0;
	if (!fstatat(library->fd, MANIFEST, &st, AT_SYMLINK_NOFOLLOW)) {
		add_misplaced(
			library, MANIFEST, "it turns the whole library into a platform skill");
		return 0;
	}
	if (walk(library->fd, scan_entry, library, err) < 0)
		return error_prefix(err, "the library of user skills '%s'", library->shown);
	if (library->count)
		qsort(library->files, library->count, sizeof(*library->files), compare_files);
	return 0;
}

int library_read(const struct library *library, const char *path, struct buf *ret_text,
	struct error *err)
{
	return beneath_path_read(library->fd, path, USER_SKILL_MAX, ret_text, err);
}

/* --- where it is ------------------------------------------------------------- */

/* '-' and '_' are the same here, and "skill_plan_001" may be in a folder "plan". */
static bool is_same_name(struct view folder, const char *id)
{
	CLEANUP(freep) char *name = xmemdupz(folder.data, folder.len);
	CLEANUP(freep) char *other = xstrdup(id);
	const char *core = other;
	size_t len = strlen(name);

	for (char *p = name; *p; p++)
		*p = *p == '-' ? '_' : *p;
	for (char *p = other; *p; p++)
		*p = *p == '-' ? '_' : *p;
	if (!strcmp(name, other))
		return true;
	if (!strncmp(core, "skill_", strlen("skill_")))
		core += strlen("skill_");
	return !strncmp(name, core, len) &&
	       strspn(core + len, "_0123456789") == strlen(core + len);
}

void library_check_place(
	const char *path, const struct user_skill *skill, struct skill_faults *faults)
{
	struct view rest = view_of(path);
	struct view category, folder;
	const struct skill_field *field;

	if (!view_next(&rest, '/', &category) || !view_next(&rest, '/', &folder))
		return;
	field = user_skill_field(skill, skill->category);
	if (field && !view_equal_str(category, skill->category))
		skill_faults_add(faults, field->line, SKILL_WARNING,
			"the category is '%s', and the folder '%.*s'", skill->category,
			VIEW_ARGS(category));
	field = skill->id ? user_skill_field(skill, skill->id) : NULL;
	if (field && skill_id_valid(skill->id) && !is_same_name(folder, skill->id))
		skill_faults_add(faults, field->line, SKILL_WARNING,
			"the ID is '%s', and the folder '%.*s'", skill->id, VIEW_ARGS(folder));
	skill_faults_sort(faults);
}
