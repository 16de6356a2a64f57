#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/assistant/assistant.h"
#include "cli/assistant/local_time.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/table.h"
#include "format/json.h"
#include "ledger/trace.h"

#define LAST_TURNS 20

/* --- recent turns ------------------------------------------------------------ */

static void print_turns(const struct cli *cli, const struct trace_turns *turns)
{
	CLEANUP(table_release) struct table table = TABLE_INIT;

	table_head(&table, "turn", "time", "group", "state", "message", NULL);
	for (size_t i = 0; i < turns->count; i++) {
		const struct trace_turn *turn = &turns->list[i];
		bool failed = !strcmp(turn->state, "failed");
		CLEANUP(freep) char *text = utf8_excerpt(view_of(turn->text));
		char time[LOCAL_TIME_SIZE];

		local_time(turn->time, time);
		table_row(&table);
		table_cell(&table, COLOR_CYAN, "t%" PRId64, turn->turn);
		table_cell(&table, COLOR_DIM, "%.*s", LOCAL_SECONDS, time);
		table_cell(&table, NULL, "%s", turn->group);
		table_cell(&table, failed ? COLOR_RED : NULL, "%s", turn->state);
		table_cell(&table, NULL, "%s", text);
	}
	table_print(&table, cli);
}

static int list_turns(const struct cli *cli, struct store *store, struct error *err)
{
	CLEANUP(trace_turns_release) struct trace_turns turns = {0};
	json_t *list;

	if (store && trace_recent(store, LAST_TURNS, &turns, err) < 0)
		return -1;
	if (!cli->json && turns.count)
		print_turns(cli, &turns);
	else if (!cli->json)
		printf("this project has no messages yet\n");
	if (!cli->json)
		return EXIT_DONE;
	list = json_array();
	for (size_t i = 0; i < turns.count; i++) {
		CLEANUP(freep) char *id = xasprintf("t%" PRId64, turns.list[i].turn);

		json_add(list, "turn:s time:s group:s state:s text:s", id, turns.list[i].time,
			turns.list[i].group, turns.list[i].state, turns.list[i].text);
	}
	output_success("turns:o", list);
	return EXIT_DONE;
}

/* --- one turn ------------------------------------------------------------- */

/* The last line of a Python traceback is the error. */
static char *telling_line(const char *detail)
{
	struct view text = view_trim(view_of(detail));
	const char *traceback = strstr(detail, "Traceback (most recent call last)");
	const char *last = text.len ? memrchr(text.data, '\n', text.len) : NULL;

	if (!traceback || !last || last < traceback)
		return output_first_line(detail);
	CLEANUP(freep)
	char *joined = xasprintf("%.*s%.*s", (int)(traceback - text.data), text.data,
		(int)(text.data + text.len - last - 1), last + 1);

	return output_first_line(joined);
}

static void print_trace(const struct cli *cli, const struct trace *trace)
{
	CLEANUP(table_release) struct table table = TABLE_INIT;

	for (size_t i = 0; i < trace->count; i++) {
		const struct trace_step *step = &trace->steps[i];
		CLEANUP(freep) char *detail = telling_line(step->detail ? step->detail : "");
		char time[LOCAL_TIME_SIZE];

		local_time(step->time, time);
		table_row(&table);
		table_cell(&table, COLOR_DIM, "%s", time);
		table_cell(&table, NULL, "%s", step->what);
		table_cell(&table, NULL, "%s", detail);
	}
	table_print(&table, cli);
	printf("now: %s\n", trace->state);
}

/* Null where the agent used no model. */
static json_t *used_json(const struct usage_figures *used)
{
	if (!used->requests)
		return json_null();
	return json_build("requests:I inputTokens:I outputTokens:I cacheReadTokens:I "
			  "cacheWriteTokens:I costMicroUsd:o",
		used->requests, used->input_tokens, used->output_tokens,
		used->cache_read_tokens, used->cache_write_tokens,
		used->unpriced ? json_null() : json_integer((json_int_t)used->cost_micro_usd));
}

static int run_trace(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(trace_release) struct trace trace = TRACE_INIT;

	if (assistant_look(&assistant, err) < 0)
		return -1;
	if (!args->count)
		return list_turns(cli, assistant.store, err);
	if (!assistant.store)
		return error_set(err, ERROR_INVALID, "this project has no messages yet");
	if (trace_find(assistant.store, args->words[0], &trace, err) < 0)
		return -1;
	if (cli->json) {
		CLEANUP(freep)
		char *turn = trace.turn ? xasprintf("t%" PRId64, trace.turn) : NULL;
		json_t *steps = json_array();

		for (size_t i = 0; i < trace.count; i++)
			json_add(steps, "time:s what:s detail:s", trace.steps[i].time,
				trace.steps[i].what, trace.steps[i].detail);
		output_success("message:s turn:s chat:s group:s state:s steps:o usage:o",
			trace.message, turn, trace.chat, trace.group, trace.state, steps,
			used_json(&trace.used));
	} else {
		print_trace(cli, &trace);
	}
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw trace", "list the last turns"},
	{"nanoclaw trace t12", "explain the turn named in an error message"},
	{0},
};

COMMAND(trace) = {
	.name = "trace",
	.summary = "explain step by step what happened to a message",
	.usage = "[<message>]",
	.description =
		"<message> is the id of a turn, as in error messages ('t12'), or the id of a\n"
		"message. Without one, the command lists the last turns. Times are local; '--json'\n"
		"gives them in UTC. The command works without a running host.",
	.section = SECTION_ASSISTANT,
	.pages = true,
	.examples = examples,
	.max_arguments = 1,
	.run = run_trace,
};
