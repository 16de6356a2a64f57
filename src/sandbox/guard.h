/*
 * Keeps files read-only within a writable folder where the kernel cannot do it.
 *
 * With mounts, container.json can be read-only in a writable folder. Landlock grants a folder
 * only with everything in it. So the record of the sandbox (ownership.h), which no agent can
 * reach, holds the content of such a file. While the sandbox exists, the host uses the recorded
 * content and ignores the file (group/container_file.h). After it has ended, even if the host
 * crashed, that content is restored. A file that differs is kept beside it as
 * NAME.rejected-NUMBER, and reported. If the file cannot be restored, the host keeps using the
 * recorded content until it can.
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

/* Guard a file of the installation with its current content. */
int guards_add(struct guards *guards, int root, const char *path, struct error *err);

/* Guard a file with this content instead of its own. */
void guards_put(struct guards *guards, const char *path, const char *content);

void guards_drop(struct guards *guards, const char *path);

/* NULL: it is not guarded. */
const struct guard *guards_find(const struct guards *guards, const char *path);

/*
 * Paths that could not be restored are added to `ret_failed`, and reported unless `reported`
 * contains them. A folder that no longer exists is skipped.
 */
void guards_restore(const struct guards *guards, int root, const struct guards *reported,
	struct guards *ret_failed);

/* {"PATH": "CONTENT"} */
json_t *guards_to_json(const struct guards *guards);
void guards_from_json(struct guards *guards, json_t *json);

void guards_release(struct guards *guards);

#endif
