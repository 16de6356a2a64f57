/* Gets one answer from the model, with retries and everything else that may take. */
#include <string.h>

#include "agent/native/native.h"
#include "agent/native/output.h"
#include "agent/native/session/check.h"
#include "agent/native/session/context.h"
#include "format/json.h"

/* How often a request that is too long is made shorter. */
#define MAX_SHORTENED 4

/* An answer to nothing but a summary of everything counts two, any other takes one away. */
#define MAX_SQUEEZED 4

/* A server that counts fewer tokens of a prompt than this part of our guess has cut it. */
#define CUT_PART     0.6
#define CUT_AT_LEAST 1000 /* a smaller window is not plausible: the server counts wrong */

/* --- what was learned -------------------------------------------------------- */

/* Smaller windows than this are not plausible. */
#define LEAST_WINDOW 2048

static void answer_learn_window(struct native *native, int64_t window)
{
	native_learn_window(native, window > LEAST_WINDOW ? window : LEAST_WINDOW);
}

/* Try the settings of a successful request first the next time. */
static int answer_learn_quirks(struct native *native, struct error *err)
{
	static const struct wire_quirks none = {0};
	const struct wire_quirks *quirks = &native->ask.quirks;
	CLEANUP(json_decrefp)
	json_t *learned = json_build(
		"no_stream_options:b max_completion_tokens:b no_limit:b no_reasoning:b",
		quirks->no_stream_options, quirks->max_completion_tokens, quirks->no_limit,
		quirks->no_reasoning);

	if (!memcmp(quirks, &none, sizeof(none)) || json_equal(learned, native->history.quirks))
		return 0;
	return native_record(native,
		json_build("type:s model:s quirks:O", "learned", native->setup->model, learned),
		false, err);
}

/*
 * Did the server silently cut the prompt? A server that reports less than before counts only
 * the tokens outside of its cache.
 */
static bool answer_was_cut(const struct native *native, const struct reply_usage *usage)
{
	int64_t expected = context_size(&native->history, native->fixed);

	return usage->given && usage->input >= CUT_AT_LEAST &&
	       (double)usage->input < CUT_PART * (double)expected &&
	       usage->input < context_least(&native->history, native->fixed) &&
	       usage->input >= native->history.largest * 9 / 10 &&
	       usage->input + usage->input / 4 < native_window(native);
}

static void answer_notice_cut(struct native *native, int64_t counted, int64_t expected)
{
	free(native->notice);
	native->notice = xasprintf(
		"(Note: %s read only about %lld of some %lld tokens of our conversation and cut "
		"off the rest without saying so. I keep to that length from now on. The "
		"context length can be raised there; for Ollama that is num_ctx or "
		"OLLAMA_CONTEXT_LENGTH.)",
		native->setup->provider, (long long)counted, (long long)expected);
	answer_learn_window(native, counted + counted / 4);
}

/* --- the answer -------------------------------------------------------------- */

static int answer_take(
	struct native *native, struct reply *reply, int64_t expected, struct error *err)
{
	const struct reply_usage *usage = &reply->usage;
	bool cut = answer_was_cut(native, usage);
	json_t *content = reply->content;
	size_t calls = 0;
	json_t *record;
	json_t *block;
	size_t i;

	json_array_foreach(content, i, block) {
		char id[HISTORY_ID_SIZE];

		if (strcmp(json_member(block, "type"), "tool_use") != 0)
			continue;
		history_id(&native->history, calls++, id);
		json_object_set_new(block, "id", json_string(id));
	}
	native->requests++;
	reply_usage_add(&native->spent, usage->given ? usage
						     : &(struct reply_usage){
							       .given = true,
							       .input = expected,
							       .output = context_guess(content),
						       });
	record = json_build("type:s api:s model:s content:O estimate:I", "answer",
		native->setup->wire->name, native->setup->model, content,
		(json_int_t)context_raw_size(&native->history, native->fixed));
	if (reply->limited)
		json_object_set_new(record, "limited", json_true());
	if (reply->paused)
		json_object_set_new(record, "paused", json_true());
	if (usage->given)
		json_put(record, "usage:o",
			json_build("input:I output:I", (json_int_t)usage->input,
				(json_int_t)usage->output));
	if (native_record(native, record, true, err) < 0 ||
		answer_learn_quirks(native, err) < 0)
		return -1;
	if (native->parent)
		output_calls(native->parent->session, native->session, native->setup->model,
			content);
	else
		output_answer(native->session, native->setup->model, content);
	if (cut)
		answer_notice_cut(native, usage->input, expected);
	return 0;
}

/* --- asking ------------------------------------------------------------------ */

static bool answer_has_reasoning(const struct native *native)
{
	json_t *message;
	json_t *block;
	size_t i;
	size_t k;

	json_array_foreach(native->history.messages, i, message)
		json_array_foreach(json_object_get(message, "content"), k, block)
			if (strcmp(json_member(block, "type"), "text") != 0 &&
				strcmp(json_member(block, "type"), "tool_use") != 0)
				return true;
	return false;
}

/* The attempts at one answer. */
struct attempts {
	int shortened;
	int simplified;
	json_t *shorter; /* a record of a summary, which counts if it helps; or NULL */
};

/* Is there anything left to try after this failure? */
static bool answer_mend(struct native *native, enum failure_kind kind, int64_t expected,
	struct attempts *attempts)
{
	int64_t window = native_window(native);

	if (kind == FAILURE_TOO_LONG) {
		int64_t known = expected < window ? expected : window;

		/* It is often a little too long; a wrong setting can be far off. */
		known = attempts->shortened++ ? known / 2 : known * 3 / 4;
		/* If that has not helped, nothing was learned. */
		if (attempts->shortened > MAX_SHORTENED)
			native_learn_window(native, 0);
		else
			answer_learn_window(native, known);
		return attempts->shortened <= MAX_SHORTENED;
	}
	/* A server that refuses the history would refuse it for ever. */
	if (kind != FAILURE_REFUSED || attempts->simplified == 2)
		return false;
	if (!attempts->simplified++ && answer_has_reasoning(native)) {
		native->ask.quirks.no_reasoning = true;
		return true;
	}
	attempts->simplified = 2;
	if (json_array_size(native->history.messages) <= 1)
		return false;
	attempts->shorter = native_shorter(native);
	return true;
}

/* Ask once; a conversation that had to be made shorter is that from now on if it helps. */
static enum failure_kind answer_ask(struct native *native, struct attempts *attempts,
	int64_t expected, struct reply *reply, char **ret_detail, struct error *err)
{
	CLEANUP(json_decrefp)
	json_t *messages = attempts->shorter
				   ? history_preview(&native->history, attempts->shorter)
				   : json_incref(native->history.messages);
	struct wire_request request = {
		.model = native->setup->model,
		.system = native->system,
		.tools = native->described,
		.messages = messages,
		.max_output = native->setup->max_output,
		.vision = native->setup->vision,
	};
	enum failure_kind kind = ask_model(&native->ask, &request, reply, ret_detail);

	if (kind != FAILURE_NONE)
		return kind;
	if (attempts->shorter && native_record(native, TAKE(attempts->shorter), false, err) < 0)
		return FAILURE_STOPPED;
	return answer_take(native, reply, expected, err) < 0 ? FAILURE_STOPPED : kind;
}

/*
 * What was done is forgotten at every other step: no work gets done. The server may have a larger
 * window when the person asks again, so this one is forgotten as well.
 */
static enum failure_kind answer_give_up(struct native *native, char **ret_detail)
{
	*ret_detail = xasprintf(
		"It has a window of about %lld tokens; my instructions and tools take %lld of "
		"them, and this needs more than the rest.",
		(long long)native_window(native), (long long)native->fixed);
	native_learn_window(native, 0);
	return FAILURE_SMALL;
}

enum failure_kind native_answer(struct native *native, char **ret_detail, struct error *err)
{
	struct attempts attempts = {0};
	enum failure_kind kind = FAILURE_STOPPED;
	bool again = true;

	while (again) {
		CLEANUP(error_release) struct error fault = ERROR_INIT;
		CLEANUP(freep) char *detail = NULL;
		struct reply reply;
		int64_t expected;
		bool squeezed;

		kind = FAILURE_STOPPED;
		if (native->squeezed >= MAX_SQUEEZED &&
			context_size(&native->history, native->fixed) >
				context_limit(native_window(native)))
			return answer_give_up(native, ret_detail);
		if (native_fit(native, &squeezed, err) < 0 ||
			(check_messages(native->history.messages, &fault) < 0 &&
				native_record(native, json_build("type:s", "repair"), false,
					err) < 0))
			break;
		expected = context_size(&native->history, native->fixed);
		kind = answer_ask(native, &attempts, expected, &reply, &detail, err);
		reply_release(&reply);
		if (kind == FAILURE_NONE)
			native->squeezed += squeezed ? 2 : native->squeezed ? -1 : 0;
		again = answer_mend(native, kind, expected, &attempts);
		if (!again)
			*ret_detail = TAKE(detail);
	}
	json_decref(attempts.shorter);
	return kind;
}
