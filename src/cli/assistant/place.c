#include "cli/assistant/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/workplace.h"
#include "format/json.h"
#include "fs/tree.h"
#include "host/backup/restore_switch.h"
#include "host/base/lock.h"
#include "host/ops/operations.h"
#include "proc/log.h"
#include "time/timestamp.h"
#include "time/zone.h"

/* How long, and how far apart, a lock that is held for a moment is tried. */
#define LOCK_PATIENCE_MS 5000
#define LOCK_WAIT_MS     50

void place_release(struct place *place)
{
	store_free(place->store);
	client_release(&place->client);
	settings_release(&place->settings);
	closep(&place->lock);
	project_release(&place->project);
}

/* A restore that was killed is finished first, whatever the command is. */
static int recover(int root, struct error *err)
{
	CLEANUP(closep) int lock = -1;

	if (!restore_is_pending(root))
		return 0;
	if (lock_take(root, &lock, err) < 0)
		return err->kind == ERROR_BUSY ? error_prefix(err, "a restore is in progress")
					       : -1;
	return restore_recover(root, err);
}

static int find_project(struct place *ret_place, struct error *err)
{
	bool engine_running;

	umask(077); /* what it makes is for its owner alone */
	if (workplace_look(&ret_place->project, &engine_running, err) < 0)
		return -1;
	return recover(ret_place->project.root, err);
}

static int read_settings(struct place *ret_place, struct error *err)
{
	int64_t patience;

	if (settings_read(ret_place->project.root, &ret_place->settings, err) < 0 ||
		settings_number(&ret_place->settings, "NANOCLAW_PATIENCE_SECONDS", 1, 3600, 10,
			&patience, err) < 0)
		return -1;
	ret_place->client.patience_ms = (int)patience * 1000;
	return 0;
}

int place_find(struct place *ret_place, struct error *err)
{
	if (find_project(ret_place, err) < 0)
		return -1;
	return read_settings(ret_place, err);
}

int place_look(struct place *ret_place, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(error_release) struct error faulty = ERROR_INIT;

	if (find_project(ret_place, err) < 0)
		return -1;
	if (read_settings(ret_place, &faulty) < 0)
		log_warning("%s", faulty.message); /* looking needs none of them */
	if (store_open(ret_place->project.path, STORE_READ, &ret_place->store, &missing) == 0 ||
		missing.errnum == ENOENT)
		return 0;
	*err = missing;
	missing = ERROR_INIT;
	return -1;
}

struct store *place_peek(void)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct store *store = NULL;

	if (project_open(&project, &ignored) == 0)
		store_open(project.path, STORE_READ, &store, &ignored);
	return store;
}

struct registry place_registry(const struct place *place)
{
	return (struct registry){
		place->store, place->project.root, settings_assistant(&place->settings)};
}

/* 1: there it is; 0: neither a host nor the lock. */
static int try_once(struct place *place, struct error *err)
{
	CLEANUP(error_release) struct error busy = ERROR_INIT;

	if (client_connect(place->project.root, &place->client, &place->running, err) < 0)
		return -1;
	if (place->running)
		return 1;
	if (lock_take(place->project.root, &place->lock, &busy) == 0)
		return 1;
	if (busy.kind == ERROR_BUSY)
		return 0;
	*err = busy;
	busy = ERROR_INIT;
	return -1;
}

int place_take(struct place *place, struct error *err)
{
	int64_t start = timestamp_clock();
	int found;

	do {
		found = try_once(place, err);
		if (!found)
			poll(NULL, 0, LOCK_WAIT_MS);
	} while (!found && timestamp_clock() < start + LOCK_PATIENCE_MS);
	if (found < 0)
		return -1;
	if (!found)
		return error_set(err, ERROR_BUSY, "the store is in use by another process");
	return 0;
}

int place_take_alone(struct place *place, const char *what, struct error *err)
{
	if (place_take(place, err) < 0)
		return -1;
	if (!place->running)
		return 0;
	error_set(err, ERROR_BUSY, "the host is running; stop it before %s", what);
	return error_hint(err, "stop it with Ctrl-C or SIGTERM, and start it again later");
}

static bool is_missing(const struct place *place, const char *path)
{
	return faccessat(place->project.root, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
	       errno == ENOENT;
}

/* The folder of the store is missing, or has nothing but locks of earlier commands. */
static bool is_unused(const struct place *place)
{
	int fd = openat(place->project.root, STORE_FOLDER,
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	bool unused = folder || (fd < 0 && errno == ENOENT);

	while (folder && (entry = readdir(folder)))
		unused &= !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
			  !strcmp(entry->d_name, "lock") ||
			  !strcmp(entry->d_name, "backup-lock");
	if (folder)
		closedir(folder);
	else
		closep(&fd);
	return unused;
}

int place_change(struct place *ret_place, struct error *err)
{
	struct registry registry;
	bool was_unused;

	if (place_find(ret_place, err) < 0)
		return -1;
	was_unused = is_unused(ret_place);
	if (place_take(ret_place, err) < 0)
		return -1;
	if (ret_place->running)
		return 0;
	/* Taking the lock makes the folder; somebody else may have made a store meanwhile. */
	ret_place->made_store =
		was_unused && is_missing(ret_place, STORE_FOLDER "/" STORE_FILE);
	ret_place->made_groups = is_missing(ret_place, "groups");
	if (store_open(ret_place->project.path, STORE_WRITE, &ret_place->store, err) < 0)
		return -1;
	registry = place_registry(ret_place);
	return registry_ensure_main(&registry, err);
}

int place_group(
	const struct place *place, const char *word, struct group *ret_group, struct error *err)
{
	struct registry registry = place_registry(place);

	if (!word)
		return 0;
	if (store_group_find(place->store, word, ret_group, err) < 0)
		return -1;
	return ret_group->folder ? 0 : registry_unknown(&registry, word, err);
}

/* --- operations -------------------------------------------------------------- */

static int call_here(
	const struct place *place, const json_t *request, json_t **ret_reply, struct error *err)
{
	struct registry registry = place_registry(place);

	return client_take_reply(operations_call_alone(&registry, &place->settings,
					 &(struct actor){.kind = ACTOR_PERSON}, request),
		ret_reply, err);
}

/* The zone is that of the person who types, and not that of the host. */
static void add_zone(const struct place *place, json_t *request)
{
	CLEANUP(freep) char *zone = NULL;

	if (json_object_get(request, "tz") || !json_object_get(request, "schedule_type"))
		return;
	zone = zone_default_name(settings_get(&place->settings, "TZ"));
	json_object_set_new(request, "tz", json_text(view_of(zone)));
}

/* A command that fails leaves no store behind that was not there before. */
static void take_back(struct place *place)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	store_free(place->store);
	place->store = NULL;
	if (place->made_store)
		tree_remove(place->project.root, STORE_FOLDER, &ignored);
	if (place->made_store && place->made_groups)
		tree_remove(place->project.root, "groups", &ignored);
}

int host_call(json_t *request, json_t **ret_reply, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;
	CLEANUP(json_decrefp) json_t *wish = request;
	int failed = place_change(&place, err) < 0;

	if (!failed)
		add_zone(&place, wish);
	if (!failed && place.running)
		return client_request(&place.client, TAKE(wish), ret_reply, err);
	if (!failed)
		failed = call_here(&place, wish, ret_reply, err) < 0;
	if (failed)
		take_back(&place);
	return failed ? -1 : 0;
}

int host_look(json_t *request, json_t **ret_reply, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;
	CLEANUP(json_decrefp) json_t *wish = request;

	if (place_look(&place, err) < 0)
		return -1;
	if (place.store)
		return call_here(&place, wish, ret_reply, err);
	error_set(err, ERROR_INVALID, "there are no groups yet");
	err->errnum = ENOENT;
	return error_hint(err, "'nanoclaw run' creates the main group");
}
