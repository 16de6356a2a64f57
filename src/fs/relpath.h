/*
 * A relative path that has been checked.
 *
 * Paths in packages, manifests and journals come from people we do not know.
 * Such a text becomes a `struct relpath` in one place only, relpath_parse(), and
 * everything that touches files (see beneath.h) takes a `struct relpath`. So a
 * function with one in its parameters need not check it again:
 *
 *	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
 *
 *	if (relpath_parse(text, &path, err) < 0)
 *		return -1;
 *	if (relpath_protected(&path))
 *		return error_set(err, ERROR_INVALID, ...);
 *
 * A parsed path always satisfies:
 *	- it has one or more components, separated by one slash each, and no slash
 *	  at either end;
 *	- no component is empty, `.` or `..`, or longer than 255 bytes;
 *	- it has no NUL byte inside and is at most 4095 bytes long.
 *
 * Everything else is a legal name on Linux and may be in a user's tree: spaces,
 * newlines, control characters, bytes that are not UTF-8, and the backslash. The
 * backslash is an ordinary byte for every Linux file system; only
 * relpath_protected(), which has other systems in mind, sees a separator in it.
 *
 * A relpath says nothing about the file system. beneath.h handles symbolic links on the way.
 */
#ifndef FS_RELPATH_H
#define FS_RELPATH_H

#include <stdbool.h>

#include "base/error.h"
#include "base/view.h"

#define RELPATH_MAX           4095
#define RELPATH_COMPONENT_MAX 255

/* To be read by anyone, and set by relpath.c only. */
struct relpath {
	char *text;
};

#define RELPATH_INIT ((struct relpath){0})

/* Fails with ERROR_INVALID and the reason. */
int relpath_parse(struct view text, struct relpath *ret_path, struct error *err);

/* The same for a formatted text. */
int relpath_printf(struct relpath *ret_path, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* For a text that is certainly a valid path, such as a constant. */
struct relpath relpath_of(const char *text);

/* `name` (one or more components) below `dir`; below the root if `dir` is NULL. */
int relpath_join(const struct relpath *dir, struct view name, struct relpath *ret_path,
	struct error *err);

struct relpath relpath_copy(const struct relpath *path);
void relpath_release(struct relpath *path);

struct relpath_list {
	struct relpath *list;
	size_t count;
	size_t cap;
};

/* Add a path, which the list owns from then on. */
void relpath_list_add(struct relpath_list *paths, struct relpath path);
void relpath_list_release(struct relpath_list *paths);

/*
 * Whether the path leads into a folder that skills must never write: a `.git` at any depth, or
 * the top-level `.nanoclaw`. Includes every spelling that some file system treats as the same
 * name, since the tree may be on such a file system, or be copied to one later:
 *	- upper case (`.GIT`);
 *	- dots and spaces at the end (`.git. .`), which Windows drops;
 *	- a stream of NTFS (`.git::$INDEX_ALLOCATION`);
 *	- the short names of NTFS (`git~1`, `nanocl~1`);
 *	- code points that HFS+ ignores, such as U+200C;
 *	- a backslash as the separator (`a\.git\config`).
 */
bool relpath_protected(const struct relpath *path);

/*
 * Whether a component is a file of settings with secrets: `.env`, and every name that begins
 * with it in any of these spellings, except `.env.example`.
 */
bool relpath_is_env(struct view component);

struct view relpath_view(const struct relpath *path);

/* The last component: a part of `path`, ends in a NUL. */
const char *relpath_base(const struct relpath *path);

/* The part before the last component. False if that is the root. */
bool relpath_parent(const struct relpath *path, struct relpath *ret_parent);

/* How many components there are: 1 or more. */
unsigned relpath_depth(const struct relpath *path);

/* Bytewise, so the order does not depend on the locale. */
int relpath_compare(const struct relpath *a, const struct relpath *b);

/*
 * The components one after the other:
 *
 *	struct view rest = relpath_view(&path), component;
 *
 *	while (relpath_next(&rest, &component))
 *		...
 */
bool relpath_next(struct view *rest, struct view *ret_component);

/* The path for a message: in single quotes, escaped (see quote.h). */
char *relpath_quote(const struct relpath *path);

#endif
