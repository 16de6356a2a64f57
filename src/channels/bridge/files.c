#include "channels/bridge/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/sys.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define FOLDER  ATTACHMENT_FOLDER "/.incoming"
#define PIECE   (256 * 1024)
#define WEEK_MS ((int64_t)7 * 24 * 60 * 60 * 1000)

struct bridge_fetch {
	struct bridge_fetch *next;
	struct bridge_files *files;
	struct channel *channel;
	int64_t id;
	int fd;
	char *name;
	uv_timer_t timer;
};

struct bridge_files {
	uv_loop_t *loop;
	int dir; /* -1: it could not be made */
	char *path;
	struct bridge_fetch *fetches;
};

/* The bridge forgot to name them, or the host was killed before it deleted them. */
static void remove_old(int dir)
{
	CLEANUP(closedirp) DIR *listing = fdopendir(fcntl(dir, F_DUPFD_CLOEXEC, 3));
	const struct dirent *entry;
	struct stat st;

	while (listing && (entry = readdir(listing)))
		if (fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
			!S_ISDIR(st.st_mode) &&
			(int64_t)st.st_mtime * 1000 < timestamp_clock() - WEEK_MS)
			sys.unlink(dir, entry->d_name, 0);
}

struct bridge_files *bridge_files_open(const struct channel_setup *setup, const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(freep) char *inside = xasprintf(FOLDER "/%s/x", name);
	struct bridge_files *files = xcalloc(1, sizeof(*files));

	files->loop = setup->loop;
	files->dir = -1;
	files->path = xasprintf("%s/" FOLDER "/%s", setup->root_path, name);
	if (relpath_parse(view_of(inside), &path, &err) < 0 ||
		beneath_open_parent(setup->root, &path, BENEATH_CREATE, &files->dir, &err) < 0)
		log_warning("bridge '%s' cannot hand over files: %s", name, err.message);
	else
		remove_old(files->dir);
	return files;
}

const char *bridge_files_path(const struct bridge_files *files)
{
	return files->path;
}

static void fetch_closed(uv_handle_t *handle)
{
	struct bridge_fetch *fetch = handle->data;

	closep(&fetch->fd);
	free(fetch->name);
	free(fetch);
}

static void fetch_drop(struct bridge_fetch *fetch)
{
	struct bridge_fetch **at = &fetch->files->fetches;

	while (*at != fetch)
		at = &(*at)->next;
	*at = fetch->next;
	uv_close((uv_handle_t *)&fetch->timer, fetch_closed);
}

void bridge_files_close(struct bridge_files *files)
{
	while (files->fetches)
		fetch_drop(files->fetches);
	closep(&files->dir);
	free(files->path);
	free(files);
}

static void fetch_piece(uv_timer_t *timer)
{
	struct bridge_fetch *fetch = timer->data;
	const struct channel_events *events = fetch->channel->events;
	CLEANUP(freep) char *piece = xmalloc(PIECE);
	ssize_t n = read(fetch->fd, piece, PIECE);

	if (n < 0 && errno == EINTR)
		return;
	if (n > 0 && events->fetched(
			     fetch->channel, fetch->id, (struct view){piece, (size_t)n}) == 0)
		return;
	if (n < 0)
		events->fetch_ended(fetch->channel, fetch->id, RECEIPT_FAILED,
			"its file cannot be read", 0);
	else if (!n &&
		 events->fetch_ended(fetch->channel, fetch->id, RECEIPT_SENT, NULL, 0) == 0)
		sys.unlink(fetch->files->dir, fetch->name, 0);
	fetch_drop(fetch);
}

void bridge_files_fetch(
	struct bridge_files *files, struct channel *channel, const struct channel_file *file)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int fd = -1;
	struct bridge_fetch *fetch;
	struct stat st;

	if (relpath_parse(view_of(file->source), &path, &err) < 0 ||
		beneath_open_file(files->dir, &path, &fd, &st, &err) < 0) {
		channel->events->fetch_ended(channel, file->id, RECEIPT_REFUSED,
			err.errnum == ENOENT ? "the bridge did not leave its file"
					     : err.message,
			0);
		return;
	}
	if (st.st_size > file->max) {
		if (channel->events->fetch_ended(
			    channel, file->id, RECEIPT_REFUSED, "it is too large", 0) == 0)
			sys.unlink(files->dir, file->source, 0);
		return;
	}
	fetch = xcalloc(1, sizeof(*fetch));
	fetch->files = files;
	fetch->channel = channel;
	fetch->id = file->id;
	fetch->fd = TAKE_FD(fd);
	fetch->name = xstrdup(file->source);
	fetch->next = files->fetches;
	files->fetches = fetch;
	uv_timer_init(files->loop, &fetch->timer);
	fetch->timer.data = fetch;
	uv_timer_start(&fetch->timer, fetch_piece, 0, 1);
}

void bridge_files_remove(struct bridge_files *files, struct string_array *names)
{
	for (size_t i = 0; i < names->count; i++)
		sys.unlink(files->dir, names->list[i], 0);
	string_array_release(names);
	*names = (struct string_array){0};
}
