#include "sandbox/guard.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "util/beneath.h"
#include "util/log.h"
#include "util/replace.h"
#include "util/sys.h"

static void guards_put(struct guards *guards, const char *path, const char *content)
{
	GROW(guards->list, guards->count, guards->cap);
	guards->list[guards->count++] = (struct guard){xstrdup(path), xstrdup(content)};
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

void guards_renew(struct guards *guards, int root)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct guards fresh = {0};

	for (size_t i = 0; i < guards->count; i++)
		if (guards_add(&fresh, root, guards->list[i].path, &ignored) < 0)
			guards_put(&fresh, guards->list[i].path, guards->list[i].content);
	guards_release(guards);
	*guards = fresh;
}

static bool guard_holds(const struct guard *guard, int root, const struct relpath *path)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	return beneath_read(root, path, GUARD_MAX_FILE, &text, &ignored) == 0 &&
	       view_equal_str(view_of_buf(&text), guard->content);
}

static int guard_restore(
	const struct guard *guard, int root, const char *run, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *aside = NULL;
	CLEANUP(closep) int folder = -1;

	if (relpath_parse(view_of(guard->path), &path, err) < 0)
		return -1;
	if (guard_holds(guard, root, &path))
		return 0;
	if (beneath_open_parent(root, &path, 0, &folder, err) < 0)
		return -1;
	aside = xasprintf("%s.rejected-%s", relpath_base(&path), run);
	sys.rename(folder, relpath_base(&path), folder, aside, 0);
	if (replace_file(folder, relpath_base(&path), view_of(guard->content), 0600, NULL, 0,
		    err) < 0)
		return -1;
	log_warning("'%s' was changed while an agent ran that could have done it: it is as it "
		    "was before, and the change is in '%s'",
		guard->path, aside);
	return 0;
}

void guards_restore(const struct guards *guards, int root, const char *run)
{
	for (size_t i = 0; i < guards->count; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		if (guard_restore(&guards->list[i], root, run, &err) < 0)
			log_error("'%s' cannot be restored: %s", guards->list[i].path,
				err.message);
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

	json_object_foreach(json, path, content)
	{
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
