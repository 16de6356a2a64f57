/* Running the tools that the model calls. */
#include <stdlib.h>
#include <string.h>

#include "agent/native/native.h"
#include "agent/native/offer.h"
#include "agent/native/output.h"
#include "agent/native/session/check.h"
#include "agent/native/wire/wire.h"
#include "format/json.h"

/* Tools of the host: its calls have keys, so that the same one twice has one effect. */
#define HOST_TOOLS "mcp__nanoclaw__"

#define SAME_AGAIN                                                                             \
	"This is the third time that you make exactly this call, and its result was the same " \
	"each time. It was not run again. Do something else, or answer with what you have."

/* Repeats of the same call until the model gets a warning, and until the turn ends. */
#define REPEATS_TOLD  3
#define REPEATS_ENDED 4

struct batch {
	struct native *native;
	const json_t *calls;
	size_t first;
	struct error *err;
	bool failed;
};

/* --- results ----------------------------------------------------------------- */

/* `durable`: it is on the disk before anything else happens. */
static int calls_record(struct native *native, const char *id, const struct tool_result *result,
	bool durable, struct error *err)
{
	CLEANUP(json_decrefp) json_t *text = json_text(view_of_buf(&result->text));
	json_t *record = json_build("type:s id:s text:O", "result", id, text);

	if (result->is_error)
		json_object_set_new(record, "is_error", json_true());
	if (result->image_type && result->image.len) {
		json_object_set_new(record, "image_type", json_string(result->image_type));
		json_object_set_new(record, "image", json_string(result->image.data));
	}
	if (native_record(native, record, durable, err) < 0)
		return -1;
	if (!native->parent)
		output_tool_result(
			native->session, id, json_string_value(text), result->is_error);
	return 0;
}

/*
 * A result that comes while the process is ending says nothing about the call, which stays
 * open.
 */
static void calls_done(void *data, size_t index, const struct tool_result *result)
{
	struct batch *batch = data;
	const json_t *call = json_array_get(batch->calls, batch->first + index);

	if (*batch->native->stop || batch->failed)
		return;
	/* It failed because the host was killed: the next one is asked with the same id. */
	if (result->is_error && !strncmp(json_member(call, "name"), "mcp", 3) &&
		output_is_gone())
		exit(EXIT_SUCCESS);
	batch->failed =
		calls_record(batch->native, json_member(call, "id"), result,
			!tools_is_read_only(batch->native->tools, offer_resolve(call).name),
			batch->err) < 0;
}

/* --- loops ------------------------------------------------------------------- */

/* The members of a list's blocks that make them the same. */
static json_t *calls_picture(const json_t *message, const char *list, const char *what)
{
	json_t *picture = json_array();
	json_t *block;
	size_t i;

	json_array_foreach(json_object_get(message, list), i, block)
		if (json_object_get(block, what))
			json_array_append_new(picture,
				json_build("name:O what:O", json_object_get(block, "name"),
					json_object_get(block, what)));
	return picture;
}

/* The messages may be a summary by now, so the last calls and results are kept apart. */
static void calls_count_answer(struct native *native, const json_t *answer)
{
	json_t *calls = calls_picture(answer, "content", "input");

	native->repeats = json_equal(calls, native->called) ? native->repeats + 1 : 1;
	json_decref(native->called);
	native->called = calls;
}

static void calls_count_results(struct native *native, const json_t *results)
{
	json_t *got = calls_picture(results, "results", "text");

	if (native->repeats > 1 && !json_equal(got, native->got))
		native->repeats = 1;
	json_decref(native->got);
	native->got = got;
}

/* --- running ----------------------------------------------------------------- */

/* The answer to a call that is not run; NULL: it is run. */
static const char *calls_refusal(const struct native *native, const json_t *call, bool repeated)
{
	const char *name = offer_resolve(call).name;

	if (json_object_get(call, "broken"))
		return "This call was not run: its name or its arguments did not arrive whole. "
		       "Make it again; if it was long, in smaller pieces.";
	if (native->parent && !strcmp(name, "agent"))
		return "A subagent has no tool 'agent': do the task yourself.";
	if (repeated)
		return SAME_AGAIN;
	/* A subagent continues where its log ends. */
	if (history_has_begun(&native->history, json_member(call, "id")) &&
		strncmp(name, HOST_TOOLS, strlen(HOST_TOOLS)) != 0 &&
		strcmp(name, "agent") != 0 && !tools_is_read_only(native->tools, name))
		return CHECK_MAY_HAVE_HAPPENED;
	return NULL;
}

/* From `first`, as many as can run together: one, or several that only read. */
static size_t calls_together(const struct native *native, const json_t *calls, size_t first)
{
	size_t count = 0;

	while (first + count < json_array_size(calls)) {
		const json_t *call = json_array_get(calls, first + count);

		if (calls_refusal(native, call, false) || !offer_resolve(call).input ||
			!tools_is_read_only(native->tools, offer_resolve(call).name))
			break;
		count++;
	}
	return count ? count : 1;
}

static int calls_run(struct native *native, const json_t *calls, size_t first, size_t count,
	struct error *err)
{
	CLEANUP(freep) struct tool_call *list = xcalloc(count, sizeof(*list));
	struct batch batch = {native, calls, first, err, false};

	for (size_t i = 0; i < count; i++)
		list[i] = offer_resolve(json_array_get(calls, first + i));
	/* A read-only call can be repeated safely, so it is not recorded. */
	if (!tools_is_read_only(native->tools, list[0].name) &&
		!history_has_begun(&native->history, list[0].id) &&
		native_record(native, json_build("type:s id:s", "run", list[0].id), true, err) <
			0)
		return -1;
	native->running = calls;
	tools_run(native->tools, list, count, calls_done, &batch);
	native->running = NULL;
	return batch.failed ? -1 : 0;
}

int native_run_calls(struct native *native, bool *ret_loop, struct error *err)
{
	CLEANUP(json_decrefp) json_t *calls = history_open_calls(&native->history);
	const json_t *messages = native->history.messages;
	const json_t *last = json_array_get(messages, json_array_size(messages) - 1);
	bool repeated;
	size_t count;

	if (json_array_size(calls) && !strcmp(json_member(last, "role"), "assistant"))
		calls_count_answer(native, last);
	repeated = native->repeats >= REPEATS_TOLD;
	*ret_loop = native->repeats >= REPEATS_ENDED;
	for (size_t i = 0; i < json_array_size(calls) && !*native->stop; i += count) {
		const json_t *call = json_array_get(calls, i);
		const char *why = calls_refusal(native, call, repeated);
		struct tool_call meant = offer_resolve(call);

		count = 1;
		/* A model that knows only the name of a tool gets its description. */
		if (why || (!meant.input && wire_tool(native->all, meant.name))) {
			CLEANUP(tool_result_release)
			struct tool_result result = TOOL_RESULT_INIT;

			result.is_error = why != NULL;
			if (why)
				buf_append_str(&result.text, why);
			else
				offer_describe(native->all, meant.name, &result.text);
			if (calls_record(native, meant.id, &result, false, err) < 0)
				return -1;
			continue;
		}
		count = calls_together(native, calls, i);
		if (calls_run(native, calls, i, count, err) < 0)
			return -1;
	}
	if (json_array_size(calls) && !repeated && !*native->stop)
		calls_count_results(
			native, json_array_get(messages, json_array_size(messages) - 1));
	return 0;
}
