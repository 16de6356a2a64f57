#include "cli/assistant/state.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/assistant/assistant.h"
#include "cli/assistant/local_time.h"
#include "cli/output.h"
#include "format/json.h"
#include "host/money/budget.h"
#include "ledger/groups.h"
#include "ledger/trace.h"
#include "ledger/turns.h"
#include "time/timestamp.h"

/* The groups that have used up their budgets, and until when. Groups that cannot be read are left
 * out; `doctor` reports them. */
static int add_paused(struct assistant *assistant, json_t *state, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};
	CLEANUP(container_cache_release) struct container_cache containers = {0};
	struct budget_desk desk = {
		assistant->store, assistant->project.root, &assistant->settings, &containers};
	json_t *list = json_array();

	json_put(state, "paused:o", list);
	if (store_group_list(assistant->store, &groups, err) < 0)
		return -1;
	for (size_t i = 0; i < groups.count; i++) {
		CLEANUP(budget_release) struct budget budget = BUDGET_INIT;
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(freep) char *used = NULL;
		CLEANUP(freep) char *until = NULL;
		const struct budget_line *line;

		if (budget_look(&desk, groups.list[i].folder, timestamp_now(), &budget,
			    &ignored) < 0 ||
			!(line = budget_used_up(&budget)))
			continue;
		used = budget_line_text(line);
		until = budget_time_text(&budget, line->until);
		json_add(list, "group:s used:s until:s all:b", groups.list[i].folder, used,
			until, line->total);
	}
	return 0;
}

static int add_live(struct assistant *assistant, json_t *state, struct error *err)
{
	static const char *const names[] = {"pid", "since", "program", "channels", "agents"};
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(error_release) struct error silent = ERROR_INIT;

	if (client_connect(assistant->project.root, &assistant->client, &assistant->running,
		    &silent) < 0) {
		if (silent.kind == ERROR_BUSY) {
			json_put(state, "running:b silent:s", true, silent.message);
			return 0;
		}
		return error_move(err, &silent);
	}
	if (!assistant->running)
		return 0;
	if (client_request(&assistant->client, json_build("op:s", "host_status"), &reply, err) <
		0)
		return -1;
	json_put(state, "running:b", true);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		json_object_set(state, names[i], json_object_get(reply, names[i]));
	return 0;
}

static int read_state(json_t **ret_state, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(json_decrefp) json_t *state = NULL;
	CLEANUP(buf_release) struct buf lines = BUF_INIT;
	struct store_summary summary = {0};
	json_t *without_place;
	struct view rest, line;
	char next[TIMESTAMP_SIZE];

	if (assistant_look(&assistant, err) < 0)
		return -1;
	if (!assistant.store)
		return 0;
	if (store_summarize(assistant.store, &summary, err) < 0)
		return -1;
	if (summary.next_run != INT64_MAX)
		timestamp_format(summary.next_run, next);
	state = json_build("running:b groups:I messages:I waiting:I openTurns:I "
			   "undelivered:I deadLetters:I tasks:I nextRun:s",
		false, summary.groups, summary.messages, summary.waiting, summary.turns,
		summary.undelivered, summary.dead, summary.tasks,
		summary.next_run != INT64_MAX ? next : NULL);
	without_place = json_array();
	json_put(state, "withoutPlace:o", without_place);
	if (turns_without_place(assistant.store, &lines, err) < 0 ||
		add_paused(&assistant, state, err) < 0 || add_live(&assistant, state, err) < 0)
		return -1;
	rest = view_of_buf(&lines);
	while (view_next(&rest, '\n', &line))
		if (line.len)
			json_array_append_new(without_place, json_text(line));
	*ret_state = TAKE(state);
	return 0;
}

json_t *host_state(const struct project *project)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	json_t *state = NULL;
	struct stat st;

	if (fstatat(project->root, STORE_FOLDER "/" STORE_FILE, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return json_null();
	if (read_state(&state, &err) < 0)
		return json_build("running:b error:s hint:S", false, err.message, err.hint);
	return state ? state : json_null();
}

static int state_number(const json_t *state, const char *name)
{
	return (int)json_number_value(json_object_get(state, name));
}

static void paused_groups_print(const struct cli *cli, const json_t *paused)
{
	json_t *group;
	size_t i;

	json_array_foreach(paused, i, group)
		printf("  group %s is %spaused%s until %s: %s%s\n", json_member(group, "group"),
			output_color(cli, COLOR_YELLOW), output_color(cli, COLOR_RESET),
			json_member(group, "until"),
			json_is_true(json_object_get(group, "all")) ? "all groups have used "
								    : "",
			json_member(group, "used"));
}

static void holder_print(const struct cli *cli, const json_t *agents)
{
	const char *turn = json_string_value(json_object_get(agents, "turn"));

	if (turn)
		printf("  group %s %skeeps others waiting%s ('nanoclaw turn stop %s' ends its "
		       "turn)\n",
			json_member(agents, "holder"), output_color(cli, COLOR_YELLOW),
			output_color(cli, COLOR_RESET), turn);
}

void host_state_print(const struct cli *cli, const json_t *state)
{
	const char *error = json_string_value(json_object_get(state, "error"));
	const char *silent = json_string_value(json_object_get(state, "silent"));
	json_t *channel, *turn;
	size_t i;
	const char *next;
	char text[LOCAL_TIME_SIZE];

	if (json_is_null(state))
		return;
	if (error) {
		printf("assistant: cannot read its state: %s\n", error);
		if (json_is_string(json_object_get(state, "hint")))
			printf("  %s\n", json_member(state, "hint"));
		return;
	}
	if (silent)
		printf("assistant: %s\n", silent);
	else if (json_is_true(json_object_get(state, "running")))
		printf("assistant: %srunning%s (pid %d)\n", output_color(cli, COLOR_GREEN),
			output_color(cli, COLOR_RESET), state_number(state, "pid"));
	else
		printf("assistant: not running ('nanoclaw start' starts it)\n");
	json_array_foreach(json_object_get(state, "channels"), i, channel)
		printf("  channel %s is %s\n", json_member(channel, "name"),
			json_member(channel, "state"));
	printf("  groups %d, messages %d, waiting %d, being answered %d\n",
		state_number(state, "groups"), state_number(state, "messages"),
		state_number(state, "waiting"), state_number(state, "openTurns"));
	holder_print(cli, json_object_get(state, "agents"));
	paused_groups_print(cli, json_object_get(state, "paused"));
	json_array_foreach(json_object_get(state, "withoutPlace"), i, turn)
		printf("  turn %s\n", json_string_value(turn));
	/* With the next run in the person's time zone. */
	next = json_string_value(json_object_get(state, "nextRun"));
	if (state_number(state, "tasks")) {
		printf("  tasks %d", state_number(state, "tasks"));
		if (next) {
			local_time(next, text);
			printf(", the next one at %.*s %s", LOCAL_SECONDS, text,
				local_time_zone());
		}
		printf("\n");
	}
	if (state_number(state, "undelivered") || state_number(state, "deadLetters"))
		printf("  answers to deliver %d, given up %d\n",
			state_number(state, "undelivered"), state_number(state, "deadLetters"));
}
