#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/assistant/assistant.h"
#include "cli/assistant/local_time.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/table.h"
#include "format/json.h"
#include "ledger/audit.h"
#include "ledger/groups.h"

#define USUAL_LAST 50
#define MOST_LAST  100000

static const char none[] = "no agent has made a call yet";

/* By its name, folder or JID; or the folder of one that is gone, if it has left entries. */
static int audit_rows_list(struct assistant *assistant, const char *word,
	struct audit_filter *filter, struct audit_rows *ret_rows, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	struct registry registry = assistant_registry(assistant);

	if (word && store_group_find(assistant->store, word, &group, err) < 0)
		return -1;
	filter->group = group.folder ? group.folder : word;
	if (audit_list(assistant->store, filter, ret_rows, err) < 0)
		return -1;
	if (word && !group.folder && !ret_rows->count)
		return registry_unknown(&registry, word, err);
	return 0;
}

static const char *outcome_color(const char *outcome)
{
	if (!strcmp(outcome, audit_outcome_name(AUDIT_DONE)))
		return COLOR_GREEN;
	if (!strcmp(outcome, audit_outcome_name(AUDIT_ASKED)))
		return NULL;
	return strcmp(outcome, audit_outcome_name(AUDIT_REFUSED)) ? COLOR_RED : COLOR_YELLOW;
}

static void audit_rows_print(const struct cli *cli, const struct audit_rows *rows)
{
	/* Names of hosts can be long. */
	CLEANUP(table_release) struct table table = {.widest = 24};

	table_head(&table, "time", "group", "kind", "what", "outcome", "detail", NULL);
	for (size_t i = 0; i < rows->count; i++) {
		const struct audit_row *row = &rows->list[i];
		char time[LOCAL_TIME_SIZE];

		local_time(row->at, time);
		table_row(&table);
		table_cell(&table, COLOR_DIM, "%.*s", LOCAL_SECONDS, time);
		table_cell(&table, NULL, "%s", row->group);
		table_cell(&table, NULL, "%s", row->kind);
		table_cell(&table, NULL, "%s", row->what);
		table_cell(&table, outcome_color(row->outcome), "%s", row->outcome);
		table_cell(&table, NULL, "%s", row->detail ? row->detail : "");
	}
	table_print(&table, cli);
}

static int run_audit(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(audit_rows_release) struct audit_rows rows = {0};
	struct audit_filter filter = {0};
	enum audit_kind kind;

	filter.last = USUAL_LAST;
	filter.kind = arguments_value(args, "kind");
	if (filter.kind && audit_kind_parse(filter.kind, &kind, err) < 0)
		return -1;
	if (arguments_number(args, "before", 1, INT64_MAX, &filter.before, err) < 0)
		return -1;
	if (arguments_number(args, "last", 1, MOST_LAST, &filter.last, err) < 0)
		return -1;
	if (assistant_look(&assistant, err) < 0)
		return -1;
	if (assistant.store) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(json_decrefp) json_t *reply = NULL;

		/* A running host first stores its buffered entries. */
		if (client_connect(assistant.project.root, &assistant.client,
			    &assistant.running, &ignored) == 0 &&
			assistant.running)
			client_request(&assistant.client, json_build("op:s", "write_audit"),
				&reply, &ignored);
		if (audit_rows_list(&assistant, args->count ? args->words[0] : NULL, &filter,
			    &rows, err) < 0)
			return -1;
	}
	if (cli->json) {
		json_t *list = json_array();

		for (size_t i = 0; i < rows.count; i++) {
			const struct audit_row *row = &rows.list[i];
			CLEANUP(freep)
			char *turn = row->turn ? xasprintf("t%" PRId64, row->turn) : NULL;

			json_add(list,
				"id:I time:s group:s turn:s kind:s what:s outcome:s detail:s",
				row->id, row->at, row->group, turn, row->kind, row->what,
				row->outcome, row->detail);
		}
		output_success("entries:o", list);
	} else if (rows.count) {
		audit_rows_print(cli, &rows);
	} else {
		printf("%s\n", none);
	}
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "before", "ID", "only entries before this one, as '--json' shows ids"},
	{0, "kind", "KIND", "show only this kind: tool, egress, budget or agent"},
	{'n', "last", "N", "show at most the latest N (50)"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw audit family --last 10", "the last ten calls by a group's agent"},
	{0},
};

COMMAND(audit) = {
	.name = "audit",
	.summary = "show what agents asked for, and the outcome",
	.usage = "[<group>]",
	.description =
		"The log has every call of the host by an agent with its outcome: done, refused or\n"
		"failed. It also has network connections, and the tools that the agent used in its\n"
		"sandbox ('asked'). Times are local; '--json' gives them in UTC. The command works\n"
		"without a running host.",
	.section = SECTION_ASSISTANT,
	.pages = true,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
	.run = run_audit,
};
