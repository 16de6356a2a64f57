#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/assistant/place.h"
#include "cli/command.h"
#include "cli/output.h"
#include "store/trace.h"
#include "util/json.h"

#define LONGEST_STEP 11 /* "interrupted" */

static void print_text(const struct cli *cli, const struct trace *trace)
{
	for (size_t i = 0; i < trace->count; i++) {
		const struct trace_step *step = &trace->steps[i];
		CLEANUP(freep)
		char *detail = output_first_line(step->detail ? step->detail : "");

		printf("%s%s%s  %s", output_color(cli, COLOR_DIM), step->time,
			output_color(cli, COLOR_RESET), step->what);
		if (*detail)
			printf("%*s  %s", LONGEST_STEP - (int)strlen(step->what), "", detail);
		printf("\n");
	}
	printf("now: %s\n", trace->state);
}

static void print_json(const struct trace *trace)
{
	CLEANUP(freep)
	char *turn = trace->turn ? xasprintf("t%" PRId64, trace->turn) : NULL;
	json_t *steps = json_array();

	for (size_t i = 0; i < trace->count; i++)
		json_array_append_new(
			steps, json_pack("{s:s, s:s, s:o}", "time", trace->steps[i].time,
				       "what", trace->steps[i].what, "detail",
				       trace->steps[i].detail
					       ? json_text(view_of(trace->steps[i].detail))
					       : json_null()));
	output_json(json_pack("{s:b, s:s?, s:s?, s:s, s:s, s:s, s:o}", "success", true,
		"message", trace->message, "turn", turn, "chat", trace->chat, "group",
		trace->group, "state", trace->state, "steps", steps));
}

static int run_trace(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(place_release) struct place place = PLACE_INIT;
	CLEANUP(trace_release) struct trace trace = TRACE_INIT;

	if (place_look(&place, err) < 0)
		return -1;
	if (!place.store)
		return error_set(err, ERROR_INVALID, "no message has come in this project yet");
	if (trace_find(place.store, args->words[0], &trace, err) < 0)
		return -1;
	if (cli->json)
		print_json(&trace);
	else
		print_text(cli, &trace);
	return EXIT_DONE;
}

static const struct example examples[] = {
	{"nanoclaw trace t12", "explain the turn named in an error message"},
	{0},
};

COMMAND(trace) = {
	.name = "trace",
	.summary = "explain step by step what happened to a message",
	.usage = "<message>",
	.description =
		"<message> is the id of a turn, as in error messages ('t12'), or the id of a\n"
		"message. The command works without a running host.",
	.section = SECTION_ASSISTANT,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run_trace,
};
