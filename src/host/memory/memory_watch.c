#include "host/memory/memory_watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/string_array.h"
#include "compose/shared.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "group/container.h"
#include "proc/log.h"

#define EVENTS                                                                                 \
	(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR |   \
		IN_EXCL_UNLINK)

/*
 * Reads at once; the rest waits for the next round of the loop. An agent that makes files
 * faster than we read of them must not keep us from everybody else.
 */
#define MAX_READS 16

/* Which names in a watched folder matter. */
enum kind {
	WATCH_ROOT,
	WATCH_CONTAINER,
	WATCH_SKILLS,
	WATCH_SKILL,
	WATCH_DATA,
	WATCH_GROUPS,
	WATCH_GROUP,
};

static const char *const names[][4] = {
	[WATCH_ROOT] = {"container", "data", "groups"},
	[WATCH_CONTAINER] = {"CLAUDE.md", "skills"},
	[WATCH_SKILLS] = {NULL}, /* any */
	[WATCH_SKILL] = {SHARED_INSTRUCTIONS},
	[WATCH_DATA] = {"global.md"},
	[WATCH_GROUPS] = {NULL},
	[WATCH_GROUP] = {CONTAINER_FILE},
};

struct watched {
	int number;
	enum kind kind;
};

struct memory_watch {
	uv_poll_t poll;
	int inotify;
	int root;
	void (*changed)(void *data);
	void *data;
	bool complained;
	struct watched *list;
	size_t count;
	size_t cap;
	struct string_array folders; /* of groups */
};

/* --- the folders ------------------------------------------------------------- */

static void watch_fd(struct memory_watch *watch, int fd, const char *path, enum kind kind)
{
	char link[64];
	int number;

	/* Use its descriptor, so that no link can be put in its place meanwhile. */
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	number = inotify_add_watch(watch->inotify, link, EVENTS);
	if (number < 0) {
		if (!watch->complained)
			log_warning(
				"cannot watch '%s': %s; agents notice changes only at their next start",
				path, error_text(errno == ENOSPC ? EMFILE : errno));
		watch->complained = true;
		return;
	}
	for (size_t i = 0; i < watch->count; i++)
		if (watch->list[i].number == number) {
			watch->list[i].kind = kind;
			return;
		}
	GROW(watch->list, watch->count, watch->cap);
	watch->list[watch->count++] = (struct watched){number, kind};
}

/* A missing file is watched once its parent reports it. */
static void watch_path(struct memory_watch *watch, const char *text, enum kind kind)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int fd = -1;

	if (relpath_parse(view_of(text), &path, &ignored) == 0 &&
		beneath_open_dir(watch->root, &path, &fd, &ignored) == 0)
		watch_fd(watch, fd, text, kind);
}

static void watch_skills(struct memory_watch *watch)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closedirp) DIR *dir = NULL;
	CLEANUP(closep) int fd = -1;
	struct dirent *entry;

	watch_path(watch, SHARED_SKILLS, WATCH_SKILLS);
	if (relpath_parse(view_of(SHARED_SKILLS), &path, &ignored) < 0 ||
		beneath_open_dir(watch->root, &path, &fd, &ignored) < 0)
		return;
	dir = fdopendir(fd);
	if (!dir)
		return;
	fd = -1;
	while ((entry = readdir(dir))) {
		CLEANUP(freep) char *skill = xasprintf(SHARED_SKILLS "/%s", entry->d_name);

		if (container_name_is_valid(view_of(entry->d_name)))
			watch_path(watch, skill, WATCH_SKILL);
	}
}

static void watch_group(struct memory_watch *watch, const char *folder)
{
	CLEANUP(freep) char *path = xasprintf("groups/%s", folder);

	watch_path(watch, path, WATCH_GROUP);
}

void memory_watch_renew(struct memory_watch *watch)
{
	watch_fd(watch, watch->root, ".", WATCH_ROOT);
	watch_path(watch, "container", WATCH_CONTAINER);
	watch_path(watch, "data", WATCH_DATA);
	watch_path(watch, "groups", WATCH_GROUPS);
	watch_skills(watch);
	for (size_t i = 0; i < watch->folders.count; i++)
		watch_group(watch, watch->folders.list[i]);
}

void memory_watch_add(struct memory_watch *watch, const char *folder)
{
	watch_group(watch, folder);
	string_array_add_new(&watch->folders, folder);
}

/* --- events ------------------------------------------------------------------ */

static bool event_matters(struct memory_watch *watch, const struct inotify_event *event)
{
	size_t at = 0;
	const char *const *wanted;

	if (event->mask & IN_Q_OVERFLOW)
		return true; /* anything may have happened */
	while (at < watch->count && watch->list[at].number != event->wd)
		at++;
	if (event->mask & IN_IGNORED) {
		if (at < watch->count)
			watch->list[at] = watch->list[--watch->count];
		return true;
	}
	if (at == watch->count)
		return false;
	wanted = names[watch->list[at].kind];
	for (size_t i = 0; wanted[i]; i++)
		if (!strcmp(wanted[i], event->len ? event->name : ""))
			return true;
	return !wanted[0];
}

static void events_came(uv_poll_t *poll, int status, int events)
{
	struct memory_watch *watch = poll->data;
	char buffer[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
	bool changed = false;
	ssize_t len;

	(void)status;
	(void)events;
	for (int i = 0;
		i < MAX_READS && (len = read(watch->inotify, buffer, sizeof(buffer))) > 0; i++)
		for (char *at = buffer; at < buffer + len;) {
			const struct inotify_event *event = (const void *)at;

			changed = event_matters(watch, event) || changed;
			at += sizeof(*event) + event->len;
		}
	if (changed)
		watch->changed(watch->data);
}

/* --- life -------------------------------------------------------------------- */

static void free_watch(struct memory_watch *watch)
{
	closep(&watch->inotify);
	string_array_release(&watch->folders);
	free(watch->list);
	free(watch);
}

int memory_watch_new(uv_loop_t *loop, int root, void (*changed)(void *data), void *data,
	struct memory_watch **ret_watch, struct error *err)
{
	struct memory_watch *watch = xcalloc(1, sizeof(*watch));

	watch->root = root;
	watch->changed = changed;
	watch->data = data;
	watch->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (watch->inotify < 0 || uv_poll_init(loop, &watch->poll, watch->inotify) < 0) {
		error_errno(err, "cannot watch files");
		free_watch(watch);
		return -1;
	}
	watch->poll.data = watch;
	uv_poll_start(&watch->poll, UV_READABLE, events_came);
	memory_watch_renew(watch);
	*ret_watch = watch;
	return 0;
}

static void poll_closed(uv_handle_t *handle)
{
	free_watch(handle->data);
}

void memory_watch_close(struct memory_watch *watch)
{
	if (watch)
		uv_close((uv_handle_t *)&watch->poll, poll_closed);
}
