#include "host/group_config.h"

#include <string.h>

#include "group/container_file.h"
#include "host/queue.h"
#include "host/request_text.h"
#include "sandbox/ownership.h"
#include "util/json.h"
#include "util/log.h"

struct call {
	const struct config_desk *desk;
	const struct actor *actor;
	const json_t *request;
	json_t *reply;
};

static int find_group(struct call *call, struct group *ret_group, struct error *err)
{
	const struct registry *registry = call->desk->registry;
	const char *word;

	if (request_text(
		    call->request, "group", call->actor->kind == ACTOR_PERSON, &word, err) < 0)
		return -1;
	if (!word)
		word = call->actor->folder;
	if (store_group_find(registry->store, word, ret_group, err) < 0)
		return -1;
	return ret_group->folder ? 0 : registry_unknown(registry, word, err);
}

/* The file as it stands there, unknown keys included, and what is odd about it. */
static int show(struct call *call, const char *folder, struct error *err)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(freep) char *shown = container_shown(folder);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *warnings = json_array();
	json_t *config = NULL;

	json_object_set_new(call->reply, "folder", json_string(folder));
	json_object_set_new(call->reply, "warnings", warnings);
	if (container_look(call->desk->registry->root, folder, &container, &text, err) < 0 ||
		json_read(view_of_buf(&text), shown, CONTAINER_MAX_FILE, &config, err) < 0)
		return -1;
	json_object_set_new(call->reply, "config", config);
	for (size_t i = 0; i < container.warning_count; i++)
		json_array_append_new(warnings, json_text(view_of(container.warnings[i])));
	return 0;
}

static int get(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;

	if (rights_require(call->desk->registry->store, call->actor, RIGHT_CONFIGURE_GROUPS,
		    err) < 0 ||
		find_group(call, &group, err) < 0)
		return -1;
	return show(call, group.folder, err);
}

/* To the log and to the agent. */
static void tell(struct call *call, const char *folder, const char *key, bool taken_out)
{
	log_note("group '%s': '%s' in its container.json is %s by %s", folder, key,
		taken_out ? "taken out" : "set",
		call->actor->kind == ACTOR_PERSON ? "a person" : call->actor->folder);
	queue_renew(call->desk->queue, folder);
	queue_wake_paused(call->desk->queue, folder);
}

/* What bounds an agent is for persons: the main group's agent is one, too. */
static enum right right_to_set(const char *key)
{
	static const char *const bounds[] = {
		"budget",
		"network",
		"sandbox",
	};
	size_t len = strcspn(key, ".");

	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++)
		if (strlen(bounds[i]) == len && !strncmp(key, bounds[i], len))
			return RIGHT_SET_BOUNDS;
	return RIGHT_CONFIGURE_GROUPS;
}

/* A host that was killed may have left a file as its agent wrote it (guard.h). */
static int sweep(int root, struct error *err)
{
	struct ownership *owner;

	if (ownership_open(root, &owner, err) < 0)
		return -1;
	ownership_sweep(owner);
	ownership_free(owner);
	return 0;
}

static int set(struct call *call, struct error *err)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	const struct registry *registry = call->desk->registry;
	const json_t *value = json_object_get(call->request, "value");
	const char *key;

	if (request_text(call->request, "key", true, &key, err) < 0 ||
		rights_require(registry->store, call->actor, right_to_set(key), err) < 0 ||
		find_group(call, &group, err) < 0)
		return -1;
	if (!value)
		return error_set(err, ERROR_INVALID, "'value' is missing");
	if (!call->desk->queue && sweep(registry->root, err) < 0)
		return -1;
	if (container_set(registry->root, group.folder, key, json_is_null(value) ? NULL : value,
		    &container, err) < 0)
		return -1;
	if (call->desk->queue)
		tell(call, group.folder, key, json_is_null(value));
	return show(call, group.folder, err);
}

static const struct {
	const char *name;
	int (*run)(struct call *call, struct error *err);
} operations[] = {
	{"get_group_config", get},
	{"set_group_config", set},
};

bool group_config_knows(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (!strcmp(operations[i].name, name))
			return true;
	return false;
}

int group_config_run(const struct config_desk *desk, const struct actor *actor,
	const json_t *request, json_t *reply, struct error *err)
{
	const char *name = json_string_value(json_object_get(request, "op"));
	struct call call = {desk, actor, request, reply};

	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (!strcmp(operations[i].name, name))
			return operations[i].run(&call, err);
	return error_set(err, ERROR_INVALID, "this operation is not known");
}
