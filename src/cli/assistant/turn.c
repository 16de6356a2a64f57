#include <stdio.h>

#include "cli/assistant/assistant.h"

static void print_stopped(const json_t *reply)
{
	(void)reply;
	printf("stopped; the chat gets an error as the answer\n");
}

static int run_turn_stop(struct cli *cli, const struct arguments *args, struct error *err)
{
	return host_command(
		cli, host_request(args, "stop_turn", "turn", NULL), print_stopped, err);
}

static const struct example examples[] = {
	{"nanoclaw turn stop t12", "ends what an agent is doing"},
	{0},
};

COMMAND(turn_stop) = {
	.name = "turn stop",
	.summary = "stop a turn that an agent is working on",
	.usage = "<turn>",
	.description =
		"The agent is ended, and the chat gets an error as the answer. The turn is not tried\n"
		"again. 'nanoclaw trace' lists the latest turns. The host must be running.",
	.section = SECTION_ASSISTANT,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run_turn_stop,
};
