#include "engine/core/ignore.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/string_array.h"
#include "engine/core/gitdir.h"
#include "engine/core/gitignore.h"
#include "engine/core/gitindex.h"
#include "fs/beneath.h"
#include "fs/file.h"

#define RULES_MAX_SIZE ((size_t)16 * 1024 * 1024)

/* Verdicts. Below a folder that is IN anything is possible; below OUT, everything is OUT. */
enum standing {
	IN,
	OUT,
	ONLY_TRACKED, /* a folder: OUT, except for the files below that git tracks */
	ONLY_CORE,    /* the same, also except for files that the base has */
};

/* The folder of the last question, and the folders above it. */
struct level {
	size_t len; /* of its path */
	enum standing standing;
	struct gitignore rules; /* of its .gitignore, if it is IN */
};

struct ignore {
	int root;
	struct gitignore own;  /* .nanoclaw-ignore */
	struct gitignore info; /* .git/info/exclude */
	struct gitdir git;
	struct gitindex index;
	bool index_read;
	const char *unknown;
	bool has_base; /* the project is initialized, and its base defines the core */
	const char *left_out[IGNORE_FOLDERS];
	struct string_array known; /* ignore_know() */
	struct buf folder;         /* the path of the deepest level */
	struct level *levels;
	size_t depth;
	size_t cap;
};

/* --- files of rules ------------------------------------------------------------- */

static int ignore_parse_rules(
	int fd, const char *path, struct gitignore *ret_rules, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (file_read_fd(fd, path, RULES_MAX_SIZE, &text, err) < 0)
		return -1;
	gitignore_parse(view_of_buf(&text), ret_rules);
	return 0;
}

static int ignore_read_rules(int root, const struct buf *folder, const char *name,
	struct gitignore *ret_rules, struct error *err)
{
	CLEANUP(freep)
	char *text = xasprintf("%s%s%s", folder->data, folder->len ? "/" : "", name);
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(error_release) struct error open_err = ERROR_INIT;
	CLEANUP(closep) int fd = -1;

	/* git could not open a path that is too long either. */
	if (relpath_parse(view_of(text), &path, &open_err) < 0)
		return 0;
	if (beneath_open_file(root, &path, &fd, NULL, &open_err) < 0) {
		/* A missing file, a link, or a folder: no rules. */
		if (open_err.kind == ERROR_INVALID || open_err.errnum == ENOENT ||
			open_err.errnum == ENOTDIR)
			return 0;
		*err = open_err;
		open_err = ERROR_INIT;
		return -1;
	}
	return ignore_parse_rules(fd, path.text, ret_rules, err);
}

/* --- rules that are always there --------------------------------------------------- */

/* Always out; .nanoclaw-ignore cannot change that. */
static bool is_never_core(const char *path, const char *name)
{
	static const char *const names[] = {
		".env",
		".git",
		".nanoclaw",
	};
	static const char *const paths[] = {
		".claude/resolutions",
		".claude/skills/matrix.yaml",
		"updates",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (!strcmp(path, paths[i]))
			return true;
	return false;
}

/* Folders of the root with a person's data or build results, unless they are the core's. */
static const char *const persons_folders[IGNORE_FOLDERS] = {
	"build",
	"data",
	"dist",
	"groups",
	"logs",
	"store",
};

/* `name` is a part of `path`. */
static bool may_be_persons(const char *path, struct view name)
{
	if (name.data == path)
		for (size_t i = 0; i < IGNORE_FOLDERS; i++)
			if (view_equal_str(name, persons_folders[i]))
				return true;
	return view_starts_with(name, ".env") && !view_equal_str(name, ".env.example");
}

/* A folder directly in .claude/skills or skills that holds a manifest.yaml. */
static bool is_package(int root, const char *path, const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath manifest = RELPATH_INIT;
	CLEANUP(freep) char *text = NULL;
	struct view parent = {path, (size_t)(name - path)};
	struct stat st;

	if (!view_equal_str(parent, "skills/") && !view_equal_str(parent, ".claude/skills/"))
		return false;
	text = xasprintf("%s/manifest.yaml", path);
	return relpath_parse(view_of(text), &manifest, &err) == 0 &&
	       beneath_stat(root, &manifest, &st, &err) == 0 && S_ISREG(st.st_mode);
}

/* --- git's rules ------------------------------------------------------------------ */

/* The deepest .gitignore that has a rule for the path decides. */
static enum gitignore_match ignore_match_git(
	const struct ignore *ignore, const char *path, bool is_folder)
{
	for (size_t i = ignore->depth; i-- > 0;) {
		const struct level *level = &ignore->levels[i];
		const char *below = path + level->len + (level->len ? 1 : 0);
		enum gitignore_match match = gitignore_match(&level->rules, below, is_folder);

		if (match != GITIGNORE_NONE)
			return match;
	}
	return gitignore_match(&ignore->info, path, is_folder);
}

static void ignore_read_index(struct ignore *ignore)
{
	if (ignore->index_read)
		return;
	ignore->index_read = true;
	if (ignore->git.fd >= 0)
		gitindex_read(ignore->git.fd, &ignore->index);
	ignore->unknown = ignore->git.unknown ? ignore->git.unknown : ignore->index.unknown;
}

/* --- a person's data ------------------------------------------------------------- */

/* Has the core files there? Before there is a base, tracked files are core. */
static bool ignore_is_cores(struct ignore *ignore, const char *path)
{
	CLEANUP(freep) char *text = xasprintf(".nanoclaw/base/%s", path);
	CLEANUP(relpath_release) struct relpath in_base = RELPATH_INIT;
	CLEANUP(error_release) struct error absent = ERROR_INIT;
	struct stat st;

	if (string_array_has(&ignore->known, path))
		return true;
	if (ignore->has_base)
		return relpath_parse(view_of(text), &in_base, &absent) == 0 &&
		       beneath_stat(ignore->root, &in_base, &st, &absent) == 0;
	ignore_read_index(ignore);
	return gitindex_tracks(&ignore->index, path) ||
	       gitindex_tracks_below(&ignore->index, path);
}

/*
 * Is this another spelling of one of the person's folders? A file system that ignores case
 * treats the two as the same folder, unless both names exist and lead to different folders.
 */
static bool is_spelling_of_persons(const struct ignore *ignore, struct view name)
{
	CLEANUP(freep) char *text = xmemdupz(name.data, name.len);
	struct stat st, other;

	for (size_t i = 0; i < IGNORE_FOLDERS; i++) {
		if (strcasecmp(text, persons_folders[i]) || !strcmp(text, persons_folders[i]))
			continue;
		return fstatat(ignore->root, persons_folders[i], &other, AT_SYMLINK_NOFOLLOW) ==
			       0 &&
		       (fstatat(ignore->root, text, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
			       (st.st_dev == other.st_dev && st.st_ino == other.st_ino));
	}
	return false;
}

/* --- all rules together ------------------------------------------------------------- */

/* The folder of `path` is the deepest level. */
static enum standing ignore_decide(struct ignore *ignore, const char *path, bool is_folder)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	enum standing above = ignore->levels[ignore->depth - 1].standing;
	enum gitignore_match own;

	if (above == OUT || is_never_core(path, name))
		return OUT;
	if (is_folder && is_package(ignore->root, path, name))
		return OUT;
	own = gitignore_match(&ignore->own, path, is_folder);
	if (own == GITIGNORE_EXCLUDE)
		return OUT;
	if (own == GITIGNORE_INCLUDE && above == IN)
		return IN;
	if (!strcmp(name, "node_modules"))
		return OUT;
	if (above == ONLY_CORE && ignore_is_cores(ignore, path))
		return is_folder ? ONLY_CORE : IN;
	if (may_be_persons(path, view_of(name))) {
		if (!ignore_is_cores(ignore, path)) {
			bool ignored =
				ignore_match_git(ignore, path, is_folder) == GITIGNORE_EXCLUDE;

			for (size_t i = 0; i < IGNORE_FOLDERS && !ignored; i++)
				if (!strcmp(persons_folders[i], path))
					ignore->left_out[i] = persons_folders[i];
			return OUT;
		}
		/* Without git, the core's files cannot be distinguished from others. */
		if (is_folder && (ignore->has_base || ignore->git.fd >= 0))
			return ONLY_CORE;
	}
	if (above == IN && ignore_match_git(ignore, path, is_folder) != GITIGNORE_EXCLUDE)
		return IN;
	/* Git's rules exclude the path, unless it is tracked. */
	ignore_read_index(ignore);
	if (is_folder)
		return gitindex_tracks_below(&ignore->index, path) ? ONLY_TRACKED : OUT;
	return gitindex_tracks(&ignore->index, path) ? IN : OUT;
}

bool ignore_excludes_tracked(const struct gitignore *own, const char *path)
{
	CLEANUP(freep) char *part = xstrdup(path);
	const char *name = part;
	char *end = part;

	while (end) {
		enum gitignore_match match;

		end = strchr(name, '/');
		if (end)
			*end = '\0';
		match = gitignore_match(own, part, end != NULL);
		if (is_never_core(part, name) || match == GITIGNORE_EXCLUDE ||
			(match == GITIGNORE_NONE && !strcmp(name, "node_modules")))
			return true;
		if (end) {
			*end = '/';
			name = end + 1;
		}
	}
	return false;
}

/* Enter the folder that `ignore->folder` names. */
static int level_push(struct ignore *ignore, enum standing standing, struct error *err)
{
	struct level level = {.len = ignore->folder.len, .standing = standing};

	if (standing == IN && ignore_read_rules(ignore->root, &ignore->folder, ".gitignore",
				      &level.rules, err) < 0)
		return -1;
	GROW(ignore->levels, ignore->depth, ignore->cap);
	ignore->levels[ignore->depth++] = level;
	return 0;
}

static void level_pop(struct ignore *ignore)
{
	gitignore_release(&ignore->levels[--ignore->depth].rules);
}

/* Make the folder of `path` the deepest level. */
static int ignore_enter(struct ignore *ignore, const char *path, struct error *err)
{
	const char *slash;
	size_t len;

	while ((len = ignore->levels[ignore->depth - 1].len) &&
		(strncmp(path, ignore->folder.data, len) != 0 || path[len] != '/'))
		level_pop(ignore);
	buf_set_len(&ignore->folder, len);
	while ((slash = strchr(path + len + (len ? 1 : 0), '/')) != NULL) {
		buf_append(&ignore->folder, path + len, (size_t)(slash - path) - len);
		len = ignore->folder.len;
		if (level_push(ignore, ignore_decide(ignore, ignore->folder.data, true), err) <
			0) {
			buf_set_len(&ignore->folder, ignore->levels[ignore->depth - 1].len);
			return -1;
		}
	}
	return 0;
}

int ignore_excludes(struct ignore *ignore, const char *path, bool is_folder, bool *ret_excluded,
	bool *ret_enter, struct error *err)
{
	enum standing standing;

	assert(*path && *path != '/');
	if (ignore_enter(ignore, path, err) < 0)
		return -1;
	standing = ignore_decide(ignore, path, is_folder);
	*ret_excluded = standing != IN;
	*ret_enter = is_folder && standing != OUT;
	return 0;
}

int ignore_excludes_file(struct ignore *ignore, const struct relpath *path, bool *ret_excluded,
	struct error *err)
{
	bool enter;

	return ignore_excludes(ignore, path->text, false, ret_excluded, &enter, err);
}

bool ignore_is_persons(struct ignore *ignore, const struct relpath *path)
{
	struct view rest = relpath_view(path), name;

	while (relpath_next(&rest, &name)) {
		CLEANUP(freep)
		char *part = xmemdupz(path->text, (size_t)(name.data + name.len - path->text));
		bool suspect =
			may_be_persons(path->text, name) || relpath_is_env(name) ||
			(name.data == path->text && is_spelling_of_persons(ignore, name));

		if (suspect && !ignore_is_cores(ignore, part) &&
			gitignore_match(&ignore->own, part, rest.len > 0) != GITIGNORE_INCLUDE)
			return true;
	}
	return false;
}

void ignore_know(struct ignore *ignore, const struct relpath *path)
{
	struct view rest = relpath_view(path), name;

	while (relpath_next(&rest, &name)) {
		CLEANUP(freep) char *part = NULL;

		if (!may_be_persons(path->text, name))
			continue;
		part = xmemdupz(path->text, (size_t)(name.data + name.len - path->text));
		string_array_add_new(&ignore->known, part);
	}
}

const char *const *ignore_left_out(const struct ignore *ignore)
{
	return ignore->left_out;
}

const char *ignore_unknown(const struct ignore *ignore)
{
	return ignore->unknown;
}

int ignore_open(int root, struct ignore **ret_ignore, struct error *err)
{
	CLEANUP(ignore_freep) struct ignore *ignore = xcalloc(1, sizeof(*ignore));
	CLEANUP(closep) int exclude = -1;
	struct stat base;

	ignore->root = root;
	ignore->folder = BUF_INIT;
	ignore->index = GITINDEX_INIT;
	gitdir_open(root, &ignore->git);
	ignore->has_base = fstatat(root, ".nanoclaw/base", &base, AT_SYMLINK_NOFOLLOW) == 0;
	if (ignore_read_rules(root, &ignore->folder, ".nanoclaw-ignore", &ignore->own, err) < 0)
		return -1;
	if (ignore->git.common >= 0)
		exclude = openat(ignore->git.common, "info/exclude",
			O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (exclude < 0 && ignore->git.common >= 0 && errno != ENOENT && errno != ENOTDIR)
		return error_errno(err, "cannot open '.git/info/exclude'");
	if (exclude >= 0 &&
		ignore_parse_rules(exclude, ".git/info/exclude", &ignore->info, err) < 0)
		return -1;
	if (level_push(ignore, IN, err) < 0)
		return -1;
	*ret_ignore = TAKE(ignore);
	return 0;
}

void ignore_free(struct ignore *ignore)
{
	if (!ignore)
		return;
	while (ignore->depth)
		level_pop(ignore);
	free(ignore->levels);
	string_array_release(&ignore->known);
	buf_release(&ignore->folder);
	gitindex_release(&ignore->index);
	gitdir_release(&ignore->git);
	gitignore_release(&ignore->info);
	gitignore_release(&ignore->own);
	free(ignore);
}

void ignore_freep(struct ignore **ignore)
{
	ignore_free(*ignore);
}
