#include "cli/assistant/assistant.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/assistant/local_time.h"
#include "cli/output.h"
#include "cli/project.h"
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

void assistant_release(struct assistant *assistant)
{
	store_free(assistant->store);
	client_release(&assistant->client);
	settings_release(&assistant->settings);
	closep(&assistant->lock);
	project_release(&assistant->project);
}

/* Every command first finishes a restore that was killed. */
static int restore_complete(int root, struct error *err)
{
	CLEANUP(closep) int lock = -1;

	if (!restore_is_pending(root))
		return 0;
	if (lock_take(root, &lock, err) < 0)
		return err->kind == ERROR_BUSY ? error_prefix(err, "a restore is in progress")
					       : -1;
	return restore_recover(root, err);
}

int assistant_find_project(struct assistant *ret_assistant, struct error *err)
{
	bool engine_running;

	umask(077); /* its files are for their owner only */
	if (project_open_reading(&ret_assistant->project, &engine_running, err) < 0)
		return -1;
	return restore_complete(ret_assistant->project.root, err);
}

int assistant_read_settings(struct assistant *ret_assistant, struct error *err)
{
	int64_t patience;

	if (settings_read(ret_assistant->project.root, &ret_assistant->settings, err) < 0 ||
		settings_number(&ret_assistant->settings, "NANOCLAW_PATIENCE_SECONDS", 1, 3600,
			10, &patience, err) < 0)
		return -1;
	ret_assistant->client.patience_ms = (int)patience * 1000;
	local_time_use(settings_get(&ret_assistant->settings, "TZ"));
	return 0;
}

int assistant_find(struct assistant *ret_assistant, struct error *err)
{
	if (assistant_find_project(ret_assistant, err) < 0)
		return -1;
	return assistant_read_settings(ret_assistant, err);
}

int assistant_look(struct assistant *ret_assistant, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(error_release) struct error faulty = ERROR_INIT;

	if (assistant_find_project(ret_assistant, err) < 0)
		return -1;
	if (assistant_read_settings(ret_assistant, &faulty) < 0)
		log_warning("%s", faulty.message); /* looking needs none of them */
	if (store_open(ret_assistant->project.path, STORE_READ, &ret_assistant->store,
		    &missing) == 0 ||
		missing.errnum == ENOENT)
		return 0;
	return error_move(err, &missing);
}

struct store *assistant_peek(void)
{
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct store *store = NULL;

	if (project_open(&project, &ignored) == 0)
		store_open(project.path, STORE_READ, &store, &ignored);
	return store;
}

struct registry assistant_registry(const struct assistant *assistant)
{
	return (struct registry){assistant->store, assistant->project.root,
		settings_assistant(&assistant->settings)};
}

/* Returns 1 with a host or the lock, and 0 if neither is available now. */
static int host_or_lock_take(struct assistant *assistant, struct error *err)
{
	CLEANUP(error_release) struct error busy = ERROR_INIT;

	if (client_connect(
		    assistant->project.root, &assistant->client, &assistant->running, err) < 0)
		return -1;
	if (assistant->running)
		return 1;
	if (lock_take(assistant->project.root, &assistant->lock, &busy) == 0)
		return 1;
	if (busy.kind == ERROR_BUSY)
		return 0;
	return error_move(err, &busy);
}

/* Connect to the host if it runs, else take the lock. */
static int assistant_take(struct assistant *assistant, struct error *err)
{
	int64_t start = timestamp_clock();
	int found;

	do {
		found = host_or_lock_take(assistant, err);
		if (!found)
			poll(NULL, 0, LOCK_WAIT_MS);
	} while (!found && timestamp_clock() < start + LOCK_PATIENCE_MS);
	if (found < 0)
		return -1;
	if (!found)
		return error_set(err, ERROR_BUSY, "the store is in use by another process");
	return 0;
}

int assistant_take_alone(struct assistant *assistant, const char *what, struct error *err)
{
	if (assistant_take(assistant, err) < 0)
		return -1;
	if (!assistant->running)
		return 0;
	error_set(err, ERROR_BUSY, "the host is running; stop it before %s", what);
	return error_hint(err, "stop it with 'nanoclaw stop', and start it again later");
}

static bool path_is_missing(const struct assistant *assistant, const char *path)
{
	return faccessat(assistant->project.root, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
	       errno == ENOENT;
}

/* The folder of the store is missing, or contains only the locks of earlier commands. */
static bool store_is_unused(const struct assistant *assistant)
{
	int fd = openat(assistant->project.root, STORE_FOLDER,
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

/*
 * To change something: with the host if it runs, else with the store, locked, and with the main
 * group in it.
 */
static int assistant_change(struct assistant *ret_assistant, struct error *err)
{
	struct registry registry;
	bool was_unused;

	if (assistant_find(ret_assistant, err) < 0)
		return -1;
	was_unused = store_is_unused(ret_assistant);
	if (assistant_take(ret_assistant, err) < 0)
		return -1;
	if (ret_assistant->running)
		return 0;
	/*
	 * Taking the lock creates the folder; another process may have created a store
	 * meanwhile.
	 */
	ret_assistant->made_store =
		was_unused && path_is_missing(ret_assistant, STORE_FOLDER "/" STORE_FILE);
	ret_assistant->made_data = path_is_missing(ret_assistant, "data");
	ret_assistant->made_groups = path_is_missing(ret_assistant, "groups");
	if (store_open(ret_assistant->project.path, STORE_WRITE, &ret_assistant->store, err) <
		0)
		return -1;
	registry = assistant_registry(ret_assistant);
	return registry_ensure_main(&registry, err);
}

static int refuse_without_store(struct error *err)
{
	error_set(err, ERROR_INVALID, "there are no groups yet");
	err->errnum = ENOENT;
	return error_hint(err, "'nanoclaw start' creates the main group");
}

int assistant_group(const struct assistant *assistant, const char *word,
	struct group *ret_group, struct error *err)
{
	struct registry registry = assistant_registry(assistant);

	if (!word)
		return 0;
	if (!assistant->store)
		return refuse_without_store(err);
	if (store_group_find(assistant->store, word, ret_group, err) < 0)
		return -1;
	return ret_group->folder ? 0 : registry_unknown(&registry, word, err);
}

/* --- operations -------------------------------------------------------------- */

static int call_here(const struct assistant *assistant, const json_t *request,
	json_t **ret_reply, struct error *err)
{
	struct registry registry = assistant_registry(assistant);

	return client_take_reply(operations_call_alone(&registry, &assistant->settings,
					 &(struct actor){.kind = ACTOR_PERSON}, request),
		ret_reply, err);
}

/* A command that fails does not leave a new store behind. */
static void store_take_back(struct assistant *assistant)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	store_free(assistant->store);
	assistant->store = NULL;
	if (assistant->made_store && assistant->made_data)
		tree_remove(assistant->project.root, "data", &ignored);
	if (assistant->made_store && assistant->made_groups)
		tree_remove(assistant->project.root, "groups", &ignored);
	if (assistant->made_store)
		lock_remove_store(assistant->project.root);
}

/* The value of the option for an operation's argument, or NULL. */
static json_t *option_value(const struct arguments *args, const struct option *option,
	const struct argument *argument)
{
	const char *text = arguments_value(args, option->name);
	json_t *texts;

	if (argument->type == ARGUMENT_FLAG)
		return arguments_flag(args, option->name) ? json_true() : NULL;
	if (!text || argument->type != ARGUMENT_TEXTS)
		return text ? json_text(view_of(text)) : NULL;
	texts = json_array();
	for (size_t i = 0; i < args->option_count; i++)
		if (args->options[i].option == option && args->options[i].value)
			json_add_text(texts, args->options[i].value);
	return texts;
}

json_t *host_request(const struct arguments *args, const char *operation, ...)
{
	json_t *request = json_build("op:s", operation);
	const struct argument *argument;
	const char *name;
	va_list names;

	va_start(names, operation);
	for (size_t i = 0; i < args->count && (name = va_arg(names, const char *)); i++)
		json_object_set_new(request, name, json_text(view_of(args->words[i])));
	va_end(names);
	for (const struct option *o = args->own; o && (o->letter || o->name); o++) {
		argument =
			operation_argument(operation_find(operation), o->of ? o->of : o->name);
		if (argument)
			json_object_set_new(
				request, argument->name, option_value(args, o, argument));
	}
	return request;
}

int host_call(json_t *request, json_t **ret_reply, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(json_decrefp) json_t *wish = request;
	int failed = assistant_change(&assistant, err) < 0;

	/* The time zone is the caller's, not the host's. */
	if (!failed && !json_object_get(wish, "tz") && json_object_get(wish, "schedule_type")) {
		CLEANUP(freep)
		char *zone = zone_default_name(settings_get(&assistant.settings, "TZ"));

		json_put(wish, "tz:s", zone);
	}
	if (!failed && assistant.running)
		return client_request(&assistant.client, TAKE(wish), ret_reply, err);
	if (!failed)
		failed = call_here(&assistant, wish, ret_reply, err) < 0;
	if (failed)
		store_take_back(&assistant);
	return failed ? -1 : 0;
}

int host_look(json_t *request, json_t **ret_reply, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(json_decrefp) json_t *wish = request;

	if (assistant_look(&assistant, err) < 0)
		return -1;
	if (assistant.store)
		return call_here(&assistant, wish, ret_reply, err);
	return refuse_without_store(err);
}

json_t *reply_json(json_t *reply)
{
	json_object_del(reply, "id");
	json_object_del(reply, "ok");
	json_object_del(reply, "type");
	json_put(reply, "success:b", true);
	return json_incref(reply);
}

int host_command(const struct cli *cli, json_t *request, void (*print)(const json_t *reply),
	struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;

	if (host_call(request, &reply, err) < 0)
		return -1;
	if (cli->json)
		output_json(reply_json(reply));
	else
		print(reply);
	return EXIT_DONE;
}
