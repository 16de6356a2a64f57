#include "sandbox/ownership.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bound.h"
#include "base/hash.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "proc/log.h"
#include "proc/process.h"
#include "sandbox/internal.h"
#include "sandbox/processes.h"

#define INSTALLATION_LEN 16
#define MAX_REMOVERS     8
#define RECORD_END       ".json"
#define CGROUP_PREFIX    "nanoclaw-"
#define GROUP_TRIES      200 /* of a millisecond */

/* podman or docker at work, to remove one container. */
struct remover {
	pid_t pid;
	char *container;
};

struct ownership {
	int root;
	int folder; /* of the records */
	char *installation;
	struct cgroup_place cgroups;
	struct sandbox *first;
	struct guards unrestored; /* of ended sandboxes; still in force */
	struct remover removers[MAX_REMOVERS];
};

/* --- who we are -------------------------------------------------------------- */

static char *installation_id(int root, struct error *err)
{
	CLEANUP(freep) char *text = NULL;
	char hex[HASH_HEX_SIZE];
	struct hash hash;
	struct statx st;

	if (statx(root, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &st) < 0) {
		error_errno(err, "cannot access the folder of the project");
		return NULL;
	}
	if (!(st.stx_mask & STATX_BTIME))
		st.stx_btime = (struct statx_timestamp){0};
	text = xasprintf("nanoclaw installation %u:%u %llu %lld.%09u", st.stx_dev_major,
		st.stx_dev_minor, (unsigned long long)st.stx_ino,
		(long long)st.stx_btime.tv_sec, st.stx_btime.tv_nsec);
	hash = hash_of(view_of(text));
	hash_to_hex(&hash, hex);
	return xmemdupz(hex, INSTALLATION_LEN);
}

static int open_records(int root, int *ret_folder, struct error *err)
{
	CLEANUP(relpath_release) struct relpath inside = RELPATH_INIT;
	CLEANUP(closep) int folder = -1;

	/* A name that is never there, for the sake of the folders above it. */
	if (relpath_parse(view_of(OWNERSHIP_FOLDER "/x"), &inside, err) < 0 ||
		beneath_open_parent(
			root, &inside, BENEATH_CREATE | BENEATH_SYNC, &folder, err) < 0)
		return -1;
	*ret_folder = TAKE_FD(folder);
	return 0;
}

/* Takes over `id`, which may be NULL after an error. */
static int ownership_new(int root, char *id, struct ownership **ret_owner, struct error *err)
{
	struct ownership *owner = xcalloc(1, sizeof(*owner));

	owner->installation = id;
	owner->root = fcntl(root, F_DUPFD_CLOEXEC, 0);
	owner->folder = -1;
	if (!id || open_records(root, &owner->folder, err) < 0) {
		ownership_free(owner);
		return error_prefix(err, "the records of sandboxes");
	}
	cgroup_find(&owner->cgroups);
	*ret_owner = owner;
	return 0;
}

int ownership_open(int root, struct ownership **ret_owner, struct error *err)
{
	return ownership_new(root, installation_id(root, err), ret_owner, err);
}

int ownership_open_probe(int root, struct ownership **ret_owner, struct error *err)
{
	return ownership_new(root, processes_probe_id(), ret_owner, err);
}

void ownership_free(struct ownership *owner)
{
	if (!owner)
		return;
	for (size_t i = 0; i < MAX_REMOVERS; i++) {
		if (owner->removers[i].pid)
			waitpid(owner->removers[i].pid, NULL, 0);
		free(owner->removers[i].container);
	}
	cgroup_place_release(&owner->cgroups);
	guards_release(&owner->unrestored);
	closep(&owner->folder);
	closep(&owner->root);
	free(owner->installation);
	free(owner);
}

const char *ownership_installation(const struct ownership *owner)
{
	return owner->installation;
}

int ownership_root(const struct ownership *owner)
{
	return owner->root;
}

struct cgroup_place *ownership_cgroups(struct ownership *owner)
{
	return &owner->cgroups;
}

/* --- running sandboxes ------------------------------------------------------- */

void ownership_add(struct sandbox *sandbox)
{
	sandbox->next = sandbox->owner->first;
	sandbox->owner->first = sandbox;
}

static bool is_alive(const struct ownership *owner, const char *run)
{
	for (const struct sandbox *sandbox = owner->first; sandbox; sandbox = sandbox->next)
		if (!strcmp(sandbox->run, run))
			return true;
	return false;
}

/* --- records ----------------------------------------------------------------- */

/* Somebody may remove the folder. */
static int records_again(struct ownership *owner, struct error *err)
{
	struct stat st;
	int folder;

	if (fstat(owner->folder, &st) == 0 && st.st_nlink)
		return 0;
	if (open_records(owner->root, &folder, err) < 0)
		return -1;
	closep(&owner->folder);
	owner->folder = folder;
	for (struct sandbox *sandbox = owner->first; sandbox; sandbox = sandbox->next)
		if (ownership_record(sandbox, true, err) < 0)
			return -1;
	return 0;
}

static int write_record(struct ownership *owner, const char *name, json_t *record, bool durable,
	struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	json_write_ours(record, true, &text);
	if (records_again(owner, err) < 0 ||
		replace_file(owner->folder, name, view_of_buf(&text), 0600, NULL,
			durable ? 0 : REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC, err) < 0)
		return error_prefix(err, "the record of a sandbox");
	return 0;
}

int ownership_record(struct sandbox *sandbox, bool durable, struct error *err)
{
	CLEANUP(json_decrefp) json_t *cgroups = json_array();
	CLEANUP(json_decrefp) json_t *record = NULL;
	CLEANUP(freep) char *name = xasprintf("%s" RECORD_END, sandbox->run);

	for (size_t i = 0; i < sandbox->cgroup.count; i++)
		json_array_append_new(cgroups, json_string(sandbox->cgroup.folders[i]));
	record = json_pack("{s:O, s:s, s:s, s:s, s:s}", "cgroups", cgroups, "group",
		sandbox->group, "installation", sandbox->owner->installation, "kind",
		sandbox->kind->name, "run", sandbox->run);
	if (!record)
		return error_set(err, ERROR_INVALID, "the name of the group is not UTF-8");
	if (sandbox->guards.count)
		json_put(record, "guarded:o", guards_to_json(&sandbox->guards));
	if (sandbox->container)
		json_put(record, "container:s", sandbox->container);
	if (sandbox->pid) {
		json_put(record, "pid:i start:I", sandbox->pid, sandbox->start);
	}
	return write_record(sandbox->owner, name, record, durable, err);
}

char *ownership_record_path(const struct sandbox *sandbox, struct error *err)
{
	CLEANUP(freep) char *folder = sandbox_path_of(sandbox->owner->folder, err);

	return folder ? xasprintf("%s/%s" RECORD_END, folder, sandbox->run) : NULL;
}

static void remove_record(struct ownership *owner, const char *name)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	replace_delete(owner->folder, name, REPLACE_NO_DIR_SYNC, &ignored);
}

/* --- containers -------------------------------------------------------------- */

static struct remover *remover_of(struct ownership *owner, const char *container)
{
	for (size_t i = 0; i < MAX_REMOVERS; i++)
		if (owner->removers[i].pid && !strcmp(owner->removers[i].container, container))
			return &owner->removers[i];
	return NULL;
}

static void reap_removers(struct ownership *owner)
{
	for (size_t i = 0; i < MAX_REMOVERS; i++) {
		struct remover *remover = &owner->removers[i];

		if (!remover->pid || waitpid(remover->pid, NULL, WNOHANG) == 0)
			continue;
		free(remover->container);
		*remover = (struct remover){0};
	}
}

/* NULL if it is not installed. To be freed. */
static char *engine_find(const char *engine)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	return view_starts_with(view_of(engine), "nanoclaw-")
		       ? process_find_own(engine, &ignored)
		       : process_find(engine);
}

void ownership_remove_container(
	struct ownership *owner, const char *engine, const char *container)
{
	extern char **environ;
	CLEANUP(freep) char *program = engine_find(engine);
	CLEANUP(closep) int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	const char *const argv[] = {engine, "rm", "--force", container, NULL};

	reap_removers(owner);
	for (size_t i = 0; program && i < MAX_REMOVERS; i++) {
		struct remover *remover = &owner->removers[i];
		pid_t pid;

		if (remover->pid || remover_of(owner, container))
			continue;
		pid = bound_start(&(struct bound_request){
			.path = program,
			.argv = argv,
			.env = (const char *const *)environ,
			.in = nowhere,
			.out = nowhere,
			.errors = nowhere,
			.cwd = owner->root,
		});
		if (pid > 0)
			*remover = (struct remover){pid, xstrdup(container)};
		return;
	}
}

static bool container_exists(
	const struct ownership *owner, const char *engine, const char *container)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *program = engine_find(engine);
	CLEANUP(process_result_release) struct process_result result = PROCESS_RESULT_INIT;
	struct process_request request = PROCESS_REQUEST_INIT;

	if (!program)
		return false;
	request.argv = (const char *const[]){program, "inspect", "--type", "container",
		"--format", "{{.Id}}", container, NULL};
	request.cwd_fd = owner->root;
	request.output = request.errors = (struct process_stream){PROCESS_DISCARD};
	request.timeout_ms = 30000;
	return process_run(&request, &result, &ignored) == 0 && result.exit_code == 0;
}

/* --- leftovers --------------------------------------------------------------- */

static bool is_left(const char *run, void *data)
{
	return !is_alive(data, run);
}

/* Removes only cgroups with our name: the record could name any. */
static bool remove_cgroups(const struct ownership *owner, const json_t *record, const char *run)
{
	CLEANUP(freep) char *end = xasprintf("/nanoclaw-%s-%s", owner->installation, run);
	const json_t *cgroups = json_object_get(record, "cgroups");
	bool all = true;

	for (size_t i = 0; i < json_array_size(cgroups); i++) {
		const char *folder = json_string_value(json_array_get(cgroups, i));

		if (folder && view_ends_with(view_of(folder), end) &&
			view_starts_with(view_of(folder), "/sys/fs/cgroup/") &&
			!strstr(folder, "/../"))
			all &= cgroup_remove_folder(folder);
	}
	return all;
}

static bool remove_container(struct ownership *owner, const json_t *record, const char *run)
{
	CLEANUP(freep) char *ours = xasprintf("nanoclaw-%s-%s", owner->installation, run);
	const char *container = json_string_value(json_object_get(record, "container"));
	const char *kind = json_string_value(json_object_get(record, "kind"));
	const struct sandbox_kind *known;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (!container || strcmp(container, ours) != 0 || !kind ||
		sandbox_kind_find(kind, &known, &ignored) < 0 || !known->engine)
		return true;
	if (remover_of(owner, container))
		return false;
	if (!container_exists(owner, known->engine, container))
		return true;
	ownership_remove_container(owner, known->engine, container);
	return false;
}

/* A write that was under way when its process was killed may come to an end first. */
static void wait_for_group(pid_t group)
{
	for (int i = 0; group > 1 && i < GROUP_TRIES && kill(-group, 0) == 0; i++)
		poll(NULL, 0, 1);
}

/* False if something could not be restored: then it still counts. */
static bool restore_guarded(struct ownership *owner, const json_t *record)
{
	CLEANUP(guards_release) struct guards guards = {0};
	CLEANUP(guards_release) struct guards failed = {0};

	guards_from_json(&guards, json_object_get(record, "guarded"));
	if (guards.count)
		wait_for_group((pid_t)json_integer_value(json_object_get(record, "pid")));
	guards_restore(&guards, owner->root, &owner->unrestored, &failed);
	for (size_t i = 0; i < guards.count; i++) {
		const char *path = guards.list[i].path;

		if (guards_find(&failed, path))
			guards_put(&owner->unrestored, path, guards.list[i].content);
		else
			guards_drop(&owner->unrestored, path);
	}
	return !failed.count;
}

const char *ownership_guarded(const struct ownership *owner, const char *path)
{
	for (struct sandbox *sandbox = owner->first; sandbox; sandbox = sandbox->next) {
		const struct guard *guard = guards_find(&sandbox->guards, path);

		if (guard)
			return guard->content;
	}
	if (guards_find(&owner->unrestored, path))
		return guards_find(&owner->unrestored, path)->content;
	return NULL;
}

void ownership_share_guards(struct sandbox *sandbox)
{
	CLEANUP(freep) char *folder = xasprintf("groups/%s/", sandbox->group);
	const struct guards *left = &sandbox->owner->unrestored;

	for (size_t i = 0; i < left->count; i++)
		if (view_starts_with(view_of(left->list[i].path), folder))
			guards_put(&sandbox->guards, left->list[i].path, left->list[i].content);
	for (struct sandbox *other = sandbox->owner->first; other; other = other->next)
		for (size_t i = 0; i < other->guards.count; i++)
			if (!strcmp(other->group, sandbox->group))
				guards_put(&sandbox->guards, other->guards.list[i].path,
					other->guards.list[i].content);
}

int ownership_change_guarded(
	struct ownership *owner, const char *path, const char *content, struct error *err)
{
	if (guards_find(&owner->unrestored, path))
		return error_set(err, ERROR_FAILED,
			"'%s' cannot be changed now: an agent has put something in its place that "
			"cannot be moved away",
			path);
	for (struct sandbox *sandbox = owner->first; sandbox; sandbox = sandbox->next) {
		if (!guards_find(&sandbox->guards, path))
			continue;
		guards_put(&sandbox->guards, path, content);
		if (ownership_record(sandbox, true, err) < 0)
			return -1;
	}
	return 0;
}

/* One that cannot be read names nothing that could be removed; the labels do. */
static size_t settle_record(struct ownership *owner, const char *name)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *record = NULL;
	struct view run = view_of(name);
	CLEANUP(freep) char *run_text = NULL;

	run.len -= strlen(RECORD_END);
	run_text = xmemdupz(run.data, run.len);
	if (is_alive(owner, run_text))
		return 0;
	if (relpath_parse(view_of(name), &path, &ignored) == 0 &&
		beneath_read(owner->folder, &path, SANDBOX_MAX_RECORD, &text, &ignored) == 0)
		json_read(view_of_buf(&text), name, SANDBOX_MAX_RECORD, &record, &ignored);
	if (record && !restore_guarded(owner, record))
		return 1;
	if (record && (!remove_cgroups(owner, record, run_text) ||
			      !remove_container(owner, record, run_text))) {
		/* From now on a person may change the guarded files. */
		if (json_object_del(record, "guarded") == 0)
			write_record(owner, name, record, true, &ignored);
		return 1;
	}
	remove_record(owner, name);
	return 1;
}

static size_t settle_records(struct ownership *owner)
{
	int fd = openat(owner->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	size_t count = 0;

	while (folder && (entry = readdir(folder)))
		if (view_ends_with(view_of(entry->d_name), RECORD_END))
			count += settle_record(owner, entry->d_name);
	if (folder)
		closedir(folder);
	return count;
}

struct cgroup_sweep {
	struct ownership *owner;
	size_t count;
};

/* A cgroup "nanoclaw-INSTALLATION-RUN": ours, or of a probe that is left. */
static void settle_cgroup(const char *folder, const char *name, void *data)
{
	struct cgroup_sweep *sweep = data;
	const char *id = sweep->owner->installation;
	const char *rest = name + strlen(CGROUP_PREFIX);
	CLEANUP(freep) char *path = xasprintf("%s/%s", folder, name);
	bool ours = !strncmp(rest, id, strlen(id)) && rest[strlen(id)] == '-';

	if (ours ? is_alive(sweep->owner, rest + strlen(id) + 1)
		 : !processes_probe_is_left(rest))
		return;
	cgroup_remove_folder(path);
	sweep->count += ours; /* nobody waits for the remains of other processes */
}

size_t ownership_sweep(struct ownership *owner)
{
	struct cgroup_sweep sweep = {owner, 0};
	size_t killed = processes_kill_if(owner->installation, is_left, owner) +
			processes_kill_probes();
	size_t settled;

	reap_removers(owner);
	settled = settle_records(owner);
	cgroup_each(&owner->cgroups, CGROUP_PREFIX, settle_cgroup, &sweep);
	if (killed + settled + sweep.count)
		log_debug("leftover sandboxes: %zu processes, %zu records, %zu cgroups", killed,
			settled, sweep.count);
	return killed + settled + sweep.count;
}

void ownership_drop(struct sandbox *sandbox)
{
	CLEANUP(freep) char *name = xasprintf("%s" RECORD_END, sandbox->run);

	for (struct sandbox **at = &sandbox->owner->first; *at; at = &(*at)->next)
		if (*at == sandbox) {
			*at = sandbox->next;
			break;
		}
	settle_record(sandbox->owner, name);
}
