#include "host/ops/group_config.h"

#include <string.h>

#include "format/json.h"
#include "group/container_file.h"
#include "host/turn/queue.h"
#include "proc/log.h"
#include "sandbox/ownership.h"

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
	if (container_look(call->registry->root, folder, &container, &text, err) < 0 ||
		json_read(view_of_buf(&text), shown, CONTAINER_MAX_FILE, &config, err) < 0)
		return -1;
	json_object_set_new(call->reply, "config", config);
	for (size_t i = 0; i < container.warning_count; i++)
		json_array_append_new(warnings, json_text(view_of(container.warnings[i])));
	return 0;
}

int op_get_group_config(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;

	if (call_group(call, &group, err) < 0)
		return -1;
	return show(call, group.folder, err);
}

/* To the log and to the agent. */
static void tell(struct call *call, const char *folder, const char *key, bool taken_out)
{
	log_note("group '%s': '%s' in its container.json is %s by %s", folder, key,
		taken_out ? "taken out" : "set",
		call->actor->kind == ACTOR_PERSON ? "a person" : call->actor->folder);
	queue_renew(call->host->queue, folder);
	queue_wake_paused(call->host->queue, folder);
}

/* All but these bounds an agent, and is for persons: the main group's agent is one, too. */
static enum right right_to_set(const char *key)
{
	size_t len = strcspn(key, ".");
	struct view name = {key, len};

	return view_equal_str(name, "skills") || view_equal_str(name, "mcpServers")
		       ? RIGHT_CONFIGURE_GROUPS
		       : RIGHT_SET_BOUNDS;
}

int group_config_may_go(const struct call *call, const struct group *group, struct error *err)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(freep) char *shown = container_shown(group->folder);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *config = NULL;
	bool bounded = group->agent;
	const char *key;
	json_t *value;

	if (call->actor->kind == ACTOR_PERSON)
		return 0;
	if (container_look(call->registry->root, group->folder, &container, &text, err) < 0 ||
		(text.len && json_read(view_of_buf(&text), shown, CONTAINER_MAX_FILE, &config,
				     err) < 0))
		return -1;
	json_object_foreach(config, key, value) {
		bounded |= right_to_set(key) == RIGHT_SET_BOUNDS;
	}
	/* Registered again, it would be without them. */
	return bounded ? rights_require(call->store, call->actor, RIGHT_SET_BOUNDS, err) : 0;
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

int op_set_group_config(struct call *call, struct error *err)
{
	CLEANUP(container_release) struct container container = CONTAINER_INIT;
	CLEANUP(group_release) struct group group = GROUP_INIT;
	const json_t *value = json_object_get(call->arguments, "value");
	const char *key = call_text(call, "key");
	int root = call->registry->root;

	if (rights_require(call->store, call->actor, right_to_set(key), err) < 0 ||
		call_group(call, &group, err) < 0)
		return -1;
	if (!call->host && sweep(root, err) < 0)
		return -1;
	if (container_set(root, group.folder, key, json_is_null(value) ? NULL : value,
		    &container, err) < 0)
		return -1;
	if (call->host)
		tell(call, group.folder, key, json_is_null(value));
	return show(call, group.folder, err);
}
