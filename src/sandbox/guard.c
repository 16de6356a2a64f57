#include "sandbox/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "proc/log.h"

static struct guard *guard_of(const struct guards *guards, const char *path)
{
	for (size_t i = 0; i < guards->count; i++)
		if (!strcmp(guards->list[i].path, path))
			return &guards->list[i];
	return NULL;
}

const struct guard *guards_find(const struct guards *guards, const char *path)
{
	return guard_of(guards, path);
}

void guards_put(struct guards *guards, const char *path, const char *content)
{
	struct guard *guard = guard_of(guards, path);

	if (guard) {
		free(guard->content);
		guard->content = xstrdup(content);
		return;
	}
	GROW(guards->list, guards->count, guards->cap);
	guards->list[guards->count++] = (struct guard){xstrdup(path), xstrdup(content)};
}

void guards_drop(struct guards *guards, const char *path)
{
	struct guard *guard = guard_of(guards, path);

	if (!guard)
		return;
	free(guard->path);
	free(guard->content);
	*guard = guards->list[--guards->count];
}

int guards_add(struct guards *guards, int root, const char *path, struct error *err)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (relpath_parse(view_of(path), &parsed, err) < 0 ||
		beneath_read(root, &parsed, GUARD_MAX_FILE, &text, err) < 0)
		return -1;
	guards_put(guards, path, text.data);
	return 0;
}

/* By a second name it could be written later, in a sandbox with mounts, too. */
static bool guard_holds(const struct guard *guard, int root, const struct relpath *path)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct stat st;

	return beneath_stat(root, path, &st, &ignored) == 0 && st.st_nlink == 1 &&
	       beneath_read(root, path, GUARD_MAX_FILE, &text, &ignored) == 0 &&
	       view_equal_str(view_of_buf(&text), guard->content);
}

/* A name that no agent can have foreseen: what stood there would be in the way. */
static char *guard_aside(const char *name)
{
	uint64_t number = 0;

	(void)!getrandom(&number, sizeof(number), 0);
	return xasprintf("%s.rejected-%016" PRIx64, name, number);
}

static int guard_restore(const struct guard *guard, int root, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *aside = NULL;
	CLEANUP(closep) int folder = -1;
	bool kept;

	if (relpath_parse(view_of(guard->path), &path, err) < 0)
		return -1;
	if (guard_holds(guard, root, &path))
		return 0;
	if (beneath_open_parent(root, &path, 0, &folder, err) < 0)
		return err->errnum == ENOENT ? 0 : -1;
	aside = guard_aside(relpath_base(&path));
	kept = sys.rename(folder, relpath_base(&path), folder, aside, 0) == 0;
	if (!kept && errno != ENOENT)
		return error_errno(err, "cannot move the changed file aside");
	if (replace_file(folder, relpath_base(&path), view_of(guard->content), 0600, NULL, 0,
		    err) < 0)
		return -1;
	log_warning(
		"'%s' changed while an agent that can reach it was running, and was restored%s%s%s",
		guard->path, kept ? ", and the change is in '" : "", kept ? aside : "",
		kept ? "'" : "");
	return 0;
}

void guards_restore(const struct guards *guards, int root, const struct guards *reported,
	struct guards *ret_failed)
{
	for (size_t i = 0; i < guards->count; i++) {
		const struct guard *guard = &guards->list[i];
		CLEANUP(error_release) struct error err = ERROR_INIT;

		if (guard_restore(guard, root, &err) == 0)
			continue;
		guards_put(ret_failed, guard->path, guard->content);
		if (!guards_find(reported, guard->path))
			log_error("'%s' cannot be restored yet: %s", guard->path, err.message);
	}
}

json_t *guards_to_json(const struct guards *guards)
{
	json_t *json = json_object();

	for (size_t i = 0; i < guards->count; i++)
		json_object_set_new(
			json, guards->list[i].path, json_string(guards->list[i].content));
	return json;
}

void guards_from_json(struct guards *guards, json_t *json)
{
	const char *path;
	json_t *content;

	json_object_foreach(json, path, content) {
		if (json_is_string(content))
			guards_put(guards, path, json_string_value(content));
	}
}

void guards_release(struct guards *guards)
{
	for (size_t i = 0; i < guards->count; i++) {
		free(guards->list[i].path);
		free(guards->list[i].content);
	}
	free(guards->list);
	*guards = (struct guards){0};
}
