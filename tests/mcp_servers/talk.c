/*
 * talk MCP.JSON: the tools of the native agent, by hand. Prints what tools there are, and then for
 * each line of input, {"name": …, "input": …} or an array of these, which run together, an array of
 * their results.
 */
#include <stdio.h>
#include <stdlib.h>

#include "agent/native/tools/tools.h"
#include "format/json.h"

static void talk_print(json_t *json)
{
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	json_write_ours(json, false, &line);
	puts(line.data);
	fflush(stdout);
	json_decref(json);
}

static void talk_done(void *data, size_t index, const struct tool_result *result)
{
	json_array_set_new(data, index,
		json_pack("{s:o, s:b, s:o, s:i}", "text", json_text(view_of_buf(&result->text)),
			"isError", result->is_error, "imageType",
			json_text_or_null(result->image_type), "imageLength",
			(int)result->image.len));
}

static void talk_run(struct tools *tools, const json_t *list)
{
	size_t count = json_array_size(list);
	struct tool_call *calls = xcalloc(count + 1, sizeof(*calls));
	json_t *results = json_array();

	for (size_t i = 0; i < count; i++) {
		const json_t *call = json_array_get(list, i);

		calls[i].name = json_string_value(json_object_get(call, "name"));
		calls[i].input = json_object_get(call, "input");
		json_array_append_new(results, json_null());
	}
	tools_run(tools, calls, count, talk_done, results);
	talk_print(results);
	free(calls);
}

int main(int argc, char **argv)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tools_config config = {
		.folder = ".", .servers = argv[1], .images = true, .start_ms = 60000};
	CLEANUP(freep) char *problems = NULL;
	CLEANUP(freep) char *line = NULL;
	struct tools *tools;
	size_t size = 0;

	if (argc != 2 || tools_open(&config, &tools, &err) < 0) {
		fprintf(stderr, "error: %s\n",
			err.message ? err.message : "usage: talk MCP.JSON");
		return EXIT_FAILURE;
	}
	problems = tools_problems(tools);
	talk_print(json_pack("{s:o, s:o}", "tools", tools_describe(tools), "problems",
		json_text_or_null(problems)));
	while (getline(&line, &size, stdin) > 0) {
		CLEANUP(json_decrefp) json_t *list = json_loads(line, JSON_DECODE_ANY, NULL);

		if (json_is_object(list)) {
			json_t *one = json_array();

			json_array_append_new(one, list);
			list = one;
		}
		talk_run(tools, list);
	}
	tools_close(tools);
	return EXIT_SUCCESS;
}
