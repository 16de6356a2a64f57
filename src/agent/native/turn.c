/* A turn: from a message of the person to its answer. */
#include <string.h>

#include "agent/native/native.h"
#include "format/json.h"

/* Requests in one turn: a model that needs more is lost. */
#define MAX_REQUESTS 200

/* A text that the limit of the output has cut must not pass for a whole one. */
#define LIMITED "[The answer is cut off here: it reached the length limit. Ask me to continue.]"

/* How often one answer may pause. */
#define MAX_PAUSES 10

static const json_t *turn_last(const struct native *native, size_t back)
{
	const json_t *messages = native->history.messages;

	return json_array_get(messages, json_array_size(messages) - 1 - back);
}

/* How many answers before the last one have paused: each continues the one before. */
static size_t turn_pauses(const struct native *native)
{
	size_t count = 0;

	while (json_is_true(json_object_get(turn_last(native, 2 * count + 2), "paused")) &&
		!strcmp(json_member(turn_last(native, 2 * count + 1), "text"), HISTORY_GO_ON))
		count++;
	return count;
}

static char *turn_last_text(const struct native *native)
{
	const json_t *last = turn_last(native, 0);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *block;
	size_t i;

	for (size_t back = turn_pauses(native) + 1; back-- > 0;) {
		const json_t *content = json_object_get(turn_last(native, 2 * back), "content");
		size_t begun = text.len;

		json_array_foreach(content, i, block)
			if (!strcmp(json_member(block, "type"), "text"))
				buf_appendf(&text, "%s%s", text.len > begun ? "\n\n" : "",
					json_member(block, "text"));
	}
	if (json_is_true(json_object_get(last, "limited")))
		buf_append_str(&text, "\n\n" LIMITED);
	return buf_take(&text);
}

/* Ends a turn: the answer is in the log before it is shown to anyone. */
static enum native_outcome turn_end(
	struct native *native, char *text, char **ret_text, struct error *err)
{
	CLEANUP(freep) char *owned = text;
	CLEANUP(freep)
	char *whole = xasprintf("%s%s%s", owned, native->notice ? "\n\n" : "",
		native->notice ? native->notice : "");

	if (native_record(native, json_build("type:s text:s", "end", whole), true, err) < 0)
		return NATIVE_FAILED;
	*ret_text = TAKE(whole);
	return NATIVE_ANSWERED;
}

/*
 * Leaves the turn open, without an answer. The host retries failures that may pass; for the
 * others, tells the person what to do.
 */
static enum native_outcome turn_fail(
	struct native *native, enum failure_kind kind, const char *detail, struct error *err)
{
	CLEANUP(freep) char *wait = NULL;
	CLEANUP(freep) char *advice = NULL;

	if (kind == FAILURE_STOPPED)
		return *native->stop ? NATIVE_STOPPED : NATIVE_FAILED;
	if (kind == FAILURE_BUSY && native->ask.retry_after > 0)
		wait = xasprintf("try again in %lld minutes",
			(long long)((native->ask.retry_after + 59999) / 60000));
	if ((kind == FAILURE_BROKEN || kind == FAILURE_BUSY) && !wait) {
		error_set(err, ERROR_FAILED, "%s: %s", native->setup->provider, detail);
		return NATIVE_FAILED;
	}
	advice = failure_advice(
		kind, native->setup->provider, native->setup->model, wait ? wait : detail);
	error_set(err, ERROR_INVALID, "%s", advice);
	return NATIVE_REFUSED;
}

static enum native_outcome turn_work(struct native *native, char **ret_text, struct error *err)
{
	CLEANUP(freep) char *detail = NULL;
	enum failure_kind kind;
	bool loop;

	for (int i = 0; i < MAX_REQUESTS; i++) {
		CLEANUP(json_decrefp) json_t *calls = NULL;

		if (native_run_calls(native, &loop, err) < 0)
			return NATIVE_FAILED;
		if (*native->stop)
			return NATIVE_STOPPED;
		if (loop)
			return turn_end(native,
				xstrdup("I stopped because I kept repeating the same step "
					"without progress. How should I continue?"),
				ret_text, err);
		free(detail);
		detail = NULL;
		kind = native_answer(native, &detail, err);
		if (kind != FAILURE_NONE)
			return turn_fail(native, kind, detail, err);
		calls = history_open_calls(&native->history);
		if (json_array_size(calls))
			continue;
		if (!json_is_true(json_object_get(turn_last(native, 0), "paused")) ||
			turn_pauses(native) >= MAX_PAUSES)
			return turn_end(native, turn_last_text(native), ret_text, err);
		if (native_record(native, json_build("type:s", "go-on"), false, err) < 0)
			return NATIVE_FAILED;
	}
	return turn_end(native,
		xasprintf("I stopped after %d steps. Ask me to continue if I should.",
			MAX_REQUESTS),
		ret_text, err);
}

/* Was the answer written down, and only the end of the turn not? */
static bool turn_is_answered(const struct native *native)
{
	const json_t *last = turn_last(native, 0);
	json_t *calls = history_open_calls(&native->history);
	bool answered = !strcmp(json_member(last, "role"), "assistant") &&
			!json_array_size(calls) &&
			!json_is_true(json_object_get(last, "paused"));

	json_decref(calls);
	return answered;
}

enum native_outcome native_turn(struct native *native, const char *text, char **ret_text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	/* One that would fill the window by itself loses its middle. */
	CLEANUP(freep) char *bounded = native_bound(text, (size_t)native->setup->window);
	enum native_outcome outcome = NATIVE_FAILED;
	bool same = native_is_same_turn(&native->history, bounded);

	native_refresh(native);
	native->spent = (struct reply_usage){0};
	native->requests = 0;
	native->told_waiting = false;
	native->repeats = native->squeezed = 0;
	free(native->notice);
	native->notice = NULL;
	if (same && native->history.answer) {
		*ret_text = xstrdup(native->history.answer);
		return NATIVE_ANSWERED;
	}
	if (same && turn_is_answered(native))
		outcome = turn_end(native, turn_last_text(native), ret_text, &err);
	else if (same || native_record(native, json_build("type:s text:s", "turn", bounded),
				 false, &err) == 0)
		outcome = turn_work(native, ret_text, &err);
	if (outcome != NATIVE_ANSWERED)
		*ret_text = xstrdup(err.message ? err.message : "the agent was asked to stop");
	return outcome;
}
