#include "host/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#include "compose/compose.h"
#include "compose/defaults.h"
#include "compose/migrate.h"
#include "compose/transcripts.h"
#include "host/memory/memory_watch.h"
#include "ledger/groups.h"
#include "proc/log.h"
#include "time/timestamp.h"

/* The instructions that a group's agents were started with. */
struct known {
	char *folder;
	struct hash inputs;
};

struct memory {
	struct installation *inst;
	struct memory_handlers handlers;
	struct memory_watch *watch;
	struct transcripts_limits limits;
	struct known *known;
	size_t known_count;
	size_t known_cap;
};

/* --- composing --------------------------------------------------------------- */

/* A file that was moved aside may be somebody's text, so the log names its new place. */
static void log_composition(const char *folder, const struct composition *composition)
{
	const struct changes *changes = &composition->changes;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->list[i];

		if (change->kind == CHANGE_KEPT)
			log_warning("'%s' is moved aside: %s", change->path, change->why);
		else
			log_debug("%s '%s': %s", change_kind_names[change->kind], change->path,
				change->why);
	}
	for (size_t i = 0; i < composition->warnings.count; i++)
		log_debug("group '%s': %s", folder, composition->warnings.list[i]);
}

static int compose_files(struct memory *memory, const char *folder, const struct shared *shared,
	struct hash *ret_inputs, struct error *err)
{
	CLEANUP(composition_release) struct composition composition = COMPOSITION_INIT;
	CLEANUP(closep) int group = -1;

	if (registry_open_folder(memory->inst->root, folder, &group, err) < 0 ||
		compose_group(memory->inst->root, folder, shared, 0, &composition, err) < 0)
		return -1;
	log_composition(folder, &composition);
	*ret_inputs = composition.inputs;
	return 0;
}

/* Answer even if an old transcript cannot be removed. */
static void trim_transcripts(struct memory *memory, const char *folder)
{
	CLEANUP(agent_session_release) struct agent_session session = {0};
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	size_t removed = 0;

	if (store_session_get(memory->inst->store, folder, &session, &wrong) < 0 ||
		transcripts_trim(memory->inst->root, folder, session.id, &memory->limits,
			timestamp_now(), &removed, &wrong) < 0)
		log_warning("group '%s': %s", folder, wrong.message);
	if (removed)
		log_note("group '%s': %zu old transcript%s removed", folder, removed,
			removed == 1 ? " is" : "s are");
}

/* --- what agents were started with ------------------------------------------- */

static void renew_if_changed(
	struct memory *memory, struct known *known, const struct hash *inputs)
{
	if (hash_equal(&known->inputs, inputs))
		return;
	log_note("group '%s': the instructions of its agent have changed", known->folder);
	known->inputs = *inputs;
	memory->handlers.renew(memory->handlers.queue, known->folder);
}

int memory_compose(struct memory *memory, const char *folder, struct error *err)
{
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;
	struct known *known = NULL;
	struct hash inputs;

	/* First: what changes from here on is seen. */
	memory_watch_add(memory->watch, folder);
	if (shared_read(memory->inst->root, &shared, err) < 0 ||
		compose_files(memory, folder, &shared, &inputs, err) < 0)
		return -1;
	for (size_t i = 0; i < memory->known_count && !known; i++)
		if (!strcmp(memory->known[i].folder, folder))
			known = &memory->known[i];
	if (known) {
		/* An isolated task may run beside it. */
		renew_if_changed(memory, known, &inputs);
	} else {
		GROW(memory->known, memory->known_count, memory->known_cap);
		memory->known[memory->known_count++] =
			(struct known){.folder = xstrdup(folder), .inputs = inputs};
	}
	trim_transcripts(memory, folder);
	return 0;
}

void memory_check(struct memory *memory)
{
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;
	CLEANUP(error_release) struct error wrong = ERROR_INIT;

	memory_watch_renew(memory->watch);
	if (shared_read(memory->inst->root, &shared, &wrong) < 0) {
		log_warning("%s", wrong.message);
		return;
	}
	for (size_t i = 0; i < memory->known_count; i++) {
		CLEANUP(error_release) struct error faulty = ERROR_INIT;
		struct known *known = &memory->known[i];
		struct hash inputs;

		/* Half a file, maybe: then there is another event when it is whole. */
		if (compose_inputs(
			    memory->inst->root, known->folder, &shared, &inputs, &faulty) < 0)
			log_debug("group '%s': %s", known->folder, faulty.message);
		else
			renew_if_changed(memory, known, &inputs);
	}
}

void memory_attend(struct memory *memory, const char *folder)
{
	memory_watch_add(memory->watch, folder);
}

static void files_changed(void *data)
{
	struct memory *memory = data;

	memory_check(memory);
	memory->handlers.wake_paused(memory->handlers.queue, NULL);
}

/* --- the start --------------------------------------------------------------- */

static int compose_all(struct memory *memory, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};
	CLEANUP(shared_release) struct shared shared = SHARED_INIT;
	CLEANUP(changes_release) struct changes changes = {0};
	CLEANUP(error_release) struct error problem = ERROR_INIT;

	if (defaults_put(memory->inst->root, false, &changes, &problem) < 0 ||
		migrate_global(memory->inst->root, false, &changes, &problem) < 0)
		log_warning("%s", problem.message);
	/* Log a moved file of somebody's, but not a new one. */
	for (size_t i = 0; i < changes.count; i++)
		if (changes.list[i].kind != CHANGE_MADE)
			log_note("%s '%s': %s", change_kind_names[changes.list[i].kind],
				changes.list[i].path, changes.list[i].why);

	if (store_group_list(memory->inst->store, &groups, err) < 0 ||
		shared_read(memory->inst->root, &shared, err) < 0)
		return -1;
	for (size_t i = 0; i < shared.warnings.count; i++)
		log_warning("%s", shared.warnings.list[i]);
	for (size_t i = 0; i < groups.count; i++) {
		CLEANUP(error_release) struct error wrong = ERROR_INIT;
		struct hash inputs;

		if (compose_files(memory, groups.list[i].folder, &shared, &inputs, &wrong) < 0)
			log_warning("group '%s': %s", groups.list[i].folder, wrong.message);
	}
	return 0;
}

int memory_new(struct installation *inst, const struct memory_handlers *handlers,
	struct memory **ret_memory, struct error *err)
{
	struct memory *memory;
	int64_t days;
	int64_t megabytes;

	if (settings_number(&inst->settings, "NANOCLAW_TRANSCRIPT_DAYS", 1, 36500, 90, &days,
		    err) < 0 ||
		settings_number(&inst->settings, "NANOCLAW_TRANSCRIPT_MEGABYTES", 1, 1000000,
			500, &megabytes, err) < 0)
		return -1;
	memory = xcalloc(1, sizeof(*memory));
	*memory = (struct memory){
		.inst = inst,
		.handlers = *handlers,
		.limits.max_age_ms = days * 24 * 60 * 60 * 1000,
		.limits.max_bytes = (uint64_t)megabytes * 1024 * 1024,
	};
	if (compose_all(memory, err) < 0 ||
		memory_watch_new(&inst->loop, inst->root, files_changed, memory, &memory->watch,
			err) < 0) {
		memory_free(memory);
		return -1;
	}
	*ret_memory = memory;
	return 0;
}

void memory_close(struct memory *memory)
{
	if (!memory)
		return;
	memory_watch_close(memory->watch);
	memory->watch = NULL;
}

void memory_free(struct memory *memory)
{
	if (!memory)
		return;
	for (size_t i = 0; i < memory->known_count; i++)
		free(memory->known[i].folder);
	free(memory->known);
	free(memory);
}
