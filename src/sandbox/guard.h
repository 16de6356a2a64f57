/*
 * Read-only files within a writable folder, where the kernel cannot keep the two apart.
 *
 * With mounts, container.json is read-only although the folder of the group is not. Landlock
 * allows a folder with all that is in it. So the content of such a file is in the record of its
 * sandbox (ownership.h), which no agent can reach. As long as the sandbox is there, that is
 * what counts for the host, whatever the file says (group/container_file.h), and when it has
 * ended, also after a crash of the host, the file gets that content again. Another one that is
 * found in its place is kept beside it, as NAME.rejected-NUMBER, and reported. If the file
 * cannot be restored, the recorded content still counts until it can.
 */
#ifndef SANDBOX_GUARD_H
#define SANDBOX_GUARD_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"

#define GUARD_MAX_FILE ((size_t)1024 * 1024)

struct guard {
	char *path;    /* relative to the installation */
	char *content; /* UTF-8 */
};

struct guards {
	struct guard *list;
	size_t count, cap;
};

/* A file of the installation, as it is now. */
int guards_add(struct guards *guards, int root, const char *path, struct error *err);

/* With this content instead of its own. */
void guards_put(struct guards *guards, const char *path, const char *content);

void guards_drop(struct guards *guards, const char *path);

/* NULL: it is not guarded. */
const struct guard *guards_find(const struct guards *guards, const char *path);

/*
 * Paths that could not be restored are added to `ret_failed`, and reported unless `reported`
 * has them. A folder that is gone needs nothing.
 */
void guards_restore(const struct guards *guards, int root, const struct guards *reported,
	struct guards *ret_failed);

/* {"PATH": "CONTENT"} */
json_t *guards_to_json(const struct guards *guards);
void guards_from_json(struct guards *guards, json_t *json);

void guards_release(struct guards *guards);

#endif
