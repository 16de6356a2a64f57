#include <inttypes.h>
#include <stdio.h>

#include "cli/helper.h"
#include "cli/host/place.h"
#include "cli/host_state.h"
#include "cli/output.h"
#include "host/budget.h"
#include "store/groups.h"
#include "store/trace.h"
#include "util/json.h"
#include "util/timestamp.h"

static json_t *numbers_json(const struct store_summary *s)
{
	char next[TIMESTAMP_SIZE];

	if (s->next_run != INT64_MAX)
		timestamp_format(s->next_run, next);
	return json_pack("{s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s?}", "running", false,
		"groups", (json_int_t)s->groups, "messages", (json_int_t)s->messages, "waiting",
		(json_int_t)s->waiting, "openTurns", (json_int_t)s->turns, "undelivered",
		(json_int_t)s->undelivered, "deadLetters", (json_int_t)s->dead, "tasks",
		(json_int_t)s->tasks, "nextRun", s->next_run != INT64_MAX ? next : NULL);
}

/* Which groups have used up their budgets, and until when. What cannot be read is left out:
 * `doctor` tells it. */
static int add_paused(struct place *place, json_t *state, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};
	struct budget_desk desk = {place->store, place->project.root, &place->settings};
	json_t *list = json_array();

	json_object_set_new(state, "paused", list);
	if (store_group_list(place->store, &groups, err) < 0)
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
		json_array_append_new(
			list, json_pack("{s:s, s:s, s:s, s:b}", "group", groups.list[i].folder,
				      "used", used, "until", until, "all", line->total));
	}
	return 0;
}

static int add_live(struct place *place, json_t *state, struct error *err)
{
	static const char *const names[] = {"pid", "since", "channels", "agents"};
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(error_release) struct error silent = ERROR_INIT;

	if (client_connect(place->project.root, &place->client, &place->running, &silent) < 0) {
		if (silent.kind == ERROR_BUSY) {
			json_object_set_new(state, "running", json_true());
			json_object_set_new(
				state, "silent", json_text(view_of(silent.message)));
			return 0;
		}
		*err = silent;
		silent = ERROR_INIT;
		return -1;
	}
	if (!place->running)
		return 0;
	if (client_request(
		    &place->client, json_pack("{s:s}", "op", "host_status"), &reply, err) < 0)
		return -1;
	json_object_set_new(state, "running", json_true());
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		json_object_set(state, names[i], json_object_get(reply, names[i]));
	return 0;
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;
	CLEANUP(json_decrefp) json_t *state = NULL;
	struct store_summary summary = {0};

	(void)args;
	if (place_look(&place, err) < 0)
		return -1;
	if (place.store) {
		if (store_summarize(place.store, &summary, err) < 0)
			return -1;
		state = numbers_json(&summary);
		if (add_paused(&place, state, err) < 0 || add_live(&place, state, err) < 0)
			return -1;
	}
	if (cli->json)
		output_json(json_pack("{s:b, s:O?}", "success", true, "host", state));
	else if (state)
		host_state_print(cli, state);
	else
		printf("the assistant has not been started here\n");
	return EXIT_DONE;
}

COMMAND_RUN(host_status, "host-status", run);
