#include "host/ops/operation_table.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "channels/local/local.h"
#include "compose/compose.h"
#include "compose/global_memory.h"
#include "compose/shared.h"
#include "format/json.h"
#include "host/backup/backups.h"
#include "host/backup/kept.h"
#include "host/base/auditing.h"
#include "host/chat/delivery.h"
#include "host/memory/composed_report.h"
#include "host/ops/tools.h"
#include "host/turn/queue.h"
#include "host/turn/worker.h"
#include "ledger/trace.h"
#include "time/timestamp.h"

/* --- memory ------------------------------------------------------------------ */

/* All groups read it: the person hears what an agent wrote, and where to delete it. */
static int remember_from_agent(
	struct call *call, const char *text, bool *ret_added, struct error *err)
{
	const struct worker *worker = call->actor->worker;
	char time[TIMESTAMP_SIZE];
	CLEANUP(freep) char *about = xasprintf("global-%" PRId64, call->now);
	CLEANUP(freep) char *source = NULL;
	CLEANUP(freep) char *shown = utf8_excerpt(view_of(text));
	CLEANUP(freep) char *notice = NULL;
	CLEANUP(buf_release) struct buf memory = BUF_INIT;

	timestamp_format(call->now, time);
	source = xasprintf("%s, t%" PRId64 ", %s", call->actor->folder,
		worker ? worker->turn.id : 0, time);
	if (global_memory_plan(
		    call->registry->root, view_of(text), source, &memory, ret_added, err) < 0)
		return -1;
	if (!*ret_added)
		return 0;
	notice = xasprintf("The agent of '%s' has added to the memory that all groups read: "
			   "'%s'. To take it back, delete the lines from '[%s]' on in "
			   "'" SHARED_GLOBAL "'.",
		call->actor->folder, shown, source);
	/* The notice first: no entry is left without one, whatever is killed. */
	if (call->host &&
		delivery_notice_main(call->host->delivery, NULL, about, notice, err) < 0)
		return -1;
	return global_memory_write(call->registry->root, view_of_buf(&memory), err);
}

/* A person replaces it; what an agent writes is added. */
int op_write_global_memory(struct call *call, struct error *err)
{
	bool added;

	if (call->actor->kind != ACTOR_PERSON)
		return remember_from_agent(call, call_text(call, "text"), &added, err);
	return global_memory_write(call->registry->root, view_of(call_text(call, "text")), err);
}

int op_remember_globally(struct call *call, struct error *err)
{
	bool added;

	const char *text = call_text(call, "text");

	if ((call->actor->kind == ACTOR_PERSON
			    ? global_memory_add(
				      call->registry->root, view_of(text), &added, err)
			    : remember_from_agent(call, text, &added, err)) < 0)
		return -1;
	json_put(call->reply, "added:b", added);
	return 0;
}

int op_compose(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;

	if (call_text(call, "group") && call_group(call, &group, err) < 0)
		return -1;
	return composed_report(call->registry, group.folder,
		call_flag(call, "check") ? COMPOSE_DRY_RUN : 0, call->reply, err);
}

/* --- the host ---------------------------------------------------------------- */

static json_t *channel_json(const struct channel *c)
{
	json_t *json = json_build("name:s kind:s state:s detail:s remembersKeys:b", c->name,
		c->kind->name, channel_state_name(c->state), c->detail, c->remembers_keys);
	char time[TIMESTAMP_SIZE];

	if (c->last_event) {
		timestamp_format(c->last_event, time);
		json_put(json, "lastEvent:s", time);
	}
	if (c->lost_ticks && c->state != CHANNEL_CONNECTED) {
		timestamp_format(c->lost_at, time);
		json_put(json, "since:s", time);
	}
	if (c->retry_at) {
		timestamp_format(c->retry_at, time);
		json_put(json, "retryAt:s", time);
	}
	return json;
}

int op_list_channels(struct call *call, struct error *err)
{
	json_t *list = json_array();

	json_put(call->reply, "channels:o", list);
	for (const struct channel *c = call->host->inst->channels; c; c = c->next) {
		CLEANUP(freep) char *command = NULL;
		json_t *json = channel_json(c);

		json_array_append_new(list, json);
		if (pairing_command(call->store, c->name, &command, err) < 0)
			return -1;
		if (command)
			json_put(json, "pair:s", command);
	}
	return 0;
}

/* Others cannot read this link: the host is not dumpable. */
static json_t *program_json(void)
{
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path));

	return len > 0 ? json_text((struct view){path, (size_t)len}) : json_null();
}

/* Main's chat is the terminal until a person gives it another one. */
static int pairing_folder(struct call *call, const char **ret_folder, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;

	*ret_folder = call_text(call, "folder");
	if (*ret_folder) {
		if (group_check_folder(*ret_folder, err) < 0 ||
			store_group_owner(call->store, *ret_folder, &group, err) < 0)
			return -1;
		return group.removed_at ? group_refuse_binned(&group, err) : 0;
	}
	if (store_group_by_folder(call->store, GROUP_MAIN, &group, err) < 0)
		return -1;
	if (group.folder && !local_group(group.jid)) {
		error_set(err, ERROR_INVALID, "main has a chat already: '%s'", group.jid);
		return error_hint(err, "name the group: '--folder NAME'");
	}
	*ret_folder = GROUP_MAIN;
	return 0;
}

int op_pair_channel(struct call *call, struct error *err)
{
	struct pairing *pairing = &call->host->pairing;
	const char *name = call_text(call, "channel");
	const struct channel *channel = call->host->inst->channels;
	const char *folder;
	char time[TIMESTAMP_SIZE];

	while (channel && strcmp(channel->name, name) != 0)
		channel = channel->next;
	if (!channel || !strcmp(channel->kind->name, "local")) {
		error_set(err, ERROR_INVALID, "there is no channel '%s' to pair with", name);
		return error_hint(err, "'nanoclaw channel list' lists them");
	}
	if (channel->state == CHANNEL_DOWN) {
		error_set(err, ERROR_FAILED,
			"the channel '%s' is down, so no code can reach it%s%s", name,
			channel->detail ? ": " : "", channel->detail ? channel->detail : "");
		return error_hint(
			err, "mend that first; 'nanoclaw doctor' says what is missing");
	}
	if (pairing_folder(call, &folder, err) < 0 ||
		pairing_begin(pairing, name, folder, call->now, err) < 0)
		return -1;
	timestamp_format(pairing->until, time);
	json_put(call->reply, "code:s channel:s folder:s until:s", pairing->code, name, folder,
		time);
	return 0;
}

int op_host_status(struct call *call, struct error *err)
{
	struct queue_numbers numbers = queue_count(call->host->queue);
	const struct worker *holder = queue_holder(call->host->queue);
	char time[TIMESTAMP_SIZE];

	timestamp_format(call->host->inst->started_at, time);
	json_object_update_new(
		call->reply, json_pack("{s:i, s:s, s:o, s:{s:i, s:i, s:i, s:I}}", "pid",
				     (int)getpid(), "since", time, "program", program_json(),
				     "agents", "alive", (int)numbers.agents, "working",
				     (int)numbers.working, "groupsInLine", (int)numbers.waiting,
				     "limit", (json_int_t)call->host->inst->limits.agents));
	if (holder)
		json_put(json_object_get(call->reply, "agents"), "holder:s turn:o",
			holder->folder, json_sprintf("t%" PRId64, holder->turn.id));
	return op_list_channels(call, err);
}

/* By this an agent knows a turn again that is repeated. */
int op_current_turn(struct call *call, struct error *err)
{
	const struct worker *worker = call->actor->worker;

	if (!worker || !worker->turn.id)
		return error_set(err, ERROR_INVALID, "no turn is under way");
	json_put(call->reply, "turn:o", json_sprintf("t%" PRId64, worker->turn.id));
	return 0;
}

int op_stop_turn(struct call *call, struct error *err)
{
	const char *word = call_text(call, "turn");
	char *end = NULL;
	long long turn = word[0] == 't' ? strtoll(word + 1, &end, 10) : 0;

	if (turn > 0 && !*end && queue_stop_turn(call->host->queue, turn))
		return 0;
	error_set(err, ERROR_INVALID, "no agent is working on a turn '%s'", word);
	return error_hint(err, "'nanoclaw trace' lists the latest turns");
}

int op_schedule_backups(struct call *call, struct error *err)
{
	const json_t *keep = json_object_get(call->arguments, "keep");
	const char *folder = call_text(call, "folder");

	if (backups_set(call->registry->root, call_text(call, "every"),
		    keep ? (int64_t)json_number_value(keep) : BACKUPS_KEEP,
		    folder ? folder : BACKUPS_FOLDER, call_flag(call, "secrets"), call->now,
		    err) < 0)
		return -1;
	if (call->host && call->host->backups)
		backups_changed(call->host->backups);
	return 0;
}

/* Agents do not know their rights, so they ask for them. */
int op_get_rights(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	json_t *list = json_array();
	bool rights[RIGHT_COUNT];

	json_put(call->reply, "rights:o", list);
	if (rights_all(call->store, call->actor, rights, err) < 0)
		return -1;
	for (enum right right = RIGHT_NONE + 1; right < RIGHT_COUNT; right++)
		if (rights[right])
			json_array_append_new(list, json_string(rights_name(right)));
	if (call->actor->kind == ACTOR_PERSON)
		return 0;
	if (call_group(call, &group, err) < 0)
		return -1;
	json_put(call->reply, "group:o", group_json(&group));
	return 0;
}

int op_list_tools(struct call *call, struct error *err)
{
	bool rights[RIGHT_COUNT];

	if (rights_all(call->store, call->actor, rights, err) < 0)
		return -1;
	json_put(call->reply, "tools:o", tools_list(rights));
	return 0;
}

int op_write_audit(struct call *call, struct error *err)
{
	return auditing_write(call->host->auditing, err);
}
