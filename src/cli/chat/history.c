#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/assistant/assistant.h"
#include "cli/assistant/local_time.h"
#include "cli/output.h"
#include "format/json.h"
#include "ledger/groups.h"
#include "ledger/messages.h"

#define USUAL_LAST 50
#define MOST_LAST  100000

static void print_history(
	const struct cli *cli, const char *assistant, const struct chat_history *said)
{
	for (size_t i = 0; i < said->count; i++) {
		const struct chat_history_entry *s = &said->list[i];
		CLEANUP(freep) char *who = output_first_line(s->who ? s->who : assistant);
		CLEANUP(freep) char *text = output_text(s->text);
		char time[LOCAL_TIME_SIZE];

		local_time(s->time, time);
		printf("%s%.*s%s  %s%s:%s %s\n", output_color(cli, COLOR_DIM), LOCAL_SECONDS,
			time, output_color(cli, COLOR_RESET),
			output_color(cli, s->who ? COLOR_BOLD : COLOR_CYAN), who,
			output_color(cli, COLOR_RESET), text);
	}
}

static json_t *history_json(const struct chat_history *said)
{
	json_t *list = json_array();

	for (size_t i = 0; i < said->count; i++) {
		const struct chat_history_entry *s = &said->list[i];
		CLEANUP(freep) char *turn = s->turn ? xasprintf("t%" PRId64, s->turn) : NULL;

		json_add(list, "id:s time:s from:s kind:s text:s turn:s waiting:b", s->id,
			s->time, s->who, s->kind, s->text, turn, s->waits);
	}
	return json_build("success:b messages:o", true, list);
}

static int run_history(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(chat_history_release) struct chat_history said = {0};
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	struct chat_history_filter filter = {
		.last = USUAL_LAST,
		.before = arguments_value(args, "before"),
		.waiting = arguments_flag(args, "waiting"),
	};

	if (arguments_number(args, "last", 1, MOST_LAST, &filter.last, err) < 0 ||
		assistant_look(&assistant, err) < 0)
		return -1;
	if (assistant.store) {
		if (assistant_group(&assistant, args->count ? args->words[0] : GROUP_MAIN,
			    &group, err) < 0)
			return -1;
		filter.folder = group.folder;
		if (chat_history_read(assistant.store, &filter, &said, err) < 0)
			return -1;
	}
	if (cli->json)
		output_json(history_json(&said));
	else if (said.count)
		print_history(cli, settings_assistant(&assistant.settings), &said);
	else
		printf("nothing has been said yet\n");
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "before", "ID", "only messages before this one, as '--json' shows ids"},
	{'n', "last", "N", "show at most the latest N messages (50)"},
	{0, "waiting", NULL, "also answers that wait to be delivered"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw history family --last 10", "the last ten messages of a group"},
	{0},
};

COMMAND(history) = {
	.name = "history",
	.summary = "show what was said in a chat",
	.usage = "[<group>]",
	.description =
		"Messages and answers with local times, the latest last. The default is the group\n"
		"'main'. The command works without a running host.",
	.section = SECTION_ASSISTANT,
	.pages = true,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
	.completes = {COMPLETE_GROUPS},
	.run = run_history,
};
