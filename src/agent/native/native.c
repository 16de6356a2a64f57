#include "agent/native/native.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "agent/native/output.h"
#include "agent/native/prompt.h"
#include "agent/native/session/check.h"
#include "agent/native/session/context.h"
#include "base/utf8.h"
#include "format/json.h"
#include "fs/sys.h"

/* Requests in one turn: more is not work any more. */
#define MAX_REQUESTS 200

/* How often a request that is too long is made shorter. */
#define MAX_SHORTENED 4

/* A server that counts fewer tokens of a prompt than this part of our guess has cut it. */
#define CUT_PART     0.6
#define CUT_AT_LEAST 1000 /* less is no window: a server that counts wrong */

#define RESULT_MAX ((size_t)50 * 1024)

int64_t native_window(const struct native *native)
{
	int64_t learned = native->history.window;

	return learned && learned < native->setup->window ? learned : native->setup->window;
}

int native_record(struct native *native, json_t *record, bool durable, struct error *err)
{
	return history_add(&native->history, native->log, record, durable, err);
}

/* --- what the person sees meanwhile ------------------------------------------ */

static void native_text(void *data, struct view piece)
{
	struct native *native = data;

	if (!native->is_subagent)
		output_piece(native->session, piece);
}

static void native_told(void *data, size_t index, const struct tool_result *result)
{
	(void)data;
	(void)index;
	(void)result;
}

/* The person is told once, in the chat if the host can do that. */
static void native_tell_waiting(struct native *native)
{
	CLEANUP(freep)
	char *text = xasprintf("%s is overloaded; I am waiting for it and will then go on.",
		native->setup->provider);
	CLEANUP(freep) char *id = xasprintf("w%08zu", native->history.turns % 100000000);
	CLEANUP(json_decrefp)
	json_t *input = json_pack("{s:o}", "text", json_text(view_of(text)));
	struct tool_call call = {id, "mcp__nanoclaw__send_message", input};
	json_t *tool;
	size_t i;

	native->told_waiting = true;
	output_note(native->session, native->setup->model, text);
	json_array_foreach(native->described, i, tool)
		if (!strcmp(wire_text(tool, "name"), call.name))
			tools_run(native->tools, &call, 1, native_told, NULL);
}

static void native_waits(void *data, enum failure_kind kind, int attempt, int64_t ms)
{
	struct native *native = data;
	bool is_long =
		attempt >= 4 || ms * ASK_USUAL_RETRY_MS / native->setup->retry_ms >= 5000;

	if (kind == FAILURE_BUSY && is_long && !native->told_waiting && !native->is_subagent)
		native_tell_waiting(native);
}

/* --- the beginning ----------------------------------------------------------- */

/* The host's texts name times and senders: one that is equal is the same message again. */
static bool native_is_same_turn(const struct history *history, const char *text)
{
	return history->turn_text && !strcmp(history->turn_text, text) &&
	       (!history->answer || text[0] == '<');
}

static int native_open_log(
	struct native *native, const char *session, enum log_mode mode, struct error *err)
{
	history_release(&native->history);
	history_init(&native->history, session);
	if (log_open(native->setup->sessions, session, mode, history_take, &native->history,
		    &native->log, err) < 0)
		return -1;
	free(native->session);
	native->session = xstrdup(session);
	return 0;
}

static bool native_adopt(struct native *native, const char *text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *newest = log_newest(native->setup->sessions);

	if (!newest || native_open_log(native, newest, LOG_EXISTING, &ignored) < 0)
		return false;
	if (history_is_open(&native->history) && native_is_same_turn(&native->history, text))
		return true;
	log_close(native->log);
	native->log = NULL;
	return false;
}

int native_open(
	struct native *native, const char *session, const char *adopt, struct error *err)
{
	CLEANUP(freep) char *fresh = NULL;

	if (session)
		return native_open_log(native, session, LOG_EXISTING, err);
	if (adopt && native_adopt(native, adopt))
		return 0;
	fresh = log_new_session();
	if (!fresh)
		return error_set(err, ERROR_FAILED, "there are no random numbers");
	if (sys.mkdir(AT_FDCWD, native->setup->home, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot create '%s'", native->setup->home);
	return native_open_log(native, fresh, LOG_NEW, err);
}

int native_open_named(struct native *native, const char *session, struct error *err)
{
	return native_open_log(native, session, LOG_EITHER, err);
}

/* In a small window not all tools have room: our own come first. */
static json_t *native_choose_tools(const json_t *all, int64_t room)
{
	json_t *chosen = json_array();
	json_t *tool;
	size_t i;

	for (int pass = 0; pass < 2; pass++)
		json_array_foreach(all, i, tool) {
			bool is_mcp =
				view_starts_with(view_of(wire_text(tool, "name")), "mcp__");
			int64_t tokens = context_guess(tool);

			if (is_mcp != (pass == 1) || tokens > room)
				continue;
			room -= tokens;
			json_array_append(chosen, tool);
		}
	return chosen;
}

static size_t native_result_max(int64_t window)
{
	size_t part = (size_t)window * 5 / 16; /* an eighth, at 2.5 bytes for a token */

	return part < RESULT_MAX ? part : RESULT_MAX;
}

/* What is said to the model before the conversation, and how it is asked. */
static void native_instruct(struct native *native, const char *problems)
{
	const struct setup *setup = native->setup;

	native->system = prompt_build(&(struct prompt_options){
		.folder = native->folder,
		.home = setup->home,
		.problems = problems,
		.max = (size_t)setup->window * 3 / 4,
		.is_subagent = native->is_subagent,
	});
	native->ask = (struct ask){
		.wire = setup->wire,
		.address = setup->address,
		.prefix = setup->prefix,
		.retry_ms = setup->retry_ms,
		.stall_ms = setup->stall_ms,
		.stop = native->stop,
		.text = native_text,
		.waits = native_waits,
		.data = native,
	};
	native->fixed = context_guess_text(native->system) + context_guess(native->described);
}

int native_prepare(struct native *native, struct error *err)
{
	const struct setup *setup = native->setup;
	CLEANUP(freep) char *problems = NULL;
	CLEANUP(json_decrefp) json_t *all = NULL;
	struct tools_config config = {
		.folder = native->folder,
		.servers = setup->servers,
		.outputs = setup->outputs,
		.result_max = native_result_max(setup->window),
		.images = setup->vision,
		.subagent = native_subagent,
		.data = native,
	};

	if (tools_open(&config, &native->tools, err) < 0)
		return -1;
	all = tools_describe(native->tools);
	native->described = native_choose_tools(all, setup->window / 4);
	problems = tools_problems(native->tools);
	native_instruct(native, problems);
	return 0;
}

void native_prepare_child(struct native *child, const struct native *parent)
{
	json_t *tool;
	size_t i;

	child->tools = parent->tools;
	child->is_subagent = true;
	child->described = json_array();
	json_array_foreach(parent->described, i, tool)
		if (strcmp(wire_text(tool, "name"), "agent") != 0)
			json_array_append(child->described, tool);
	native_instruct(child, NULL);
}

void native_release(struct native *native)
{
	if (native->tools && !native->is_subagent)
		tools_close(native->tools);
	log_close(native->log);
	history_release(&native->history);
	json_decref(native->described);
	free(native->system);
	free(native->session);
	free(native->notice);
}

/* --- asking ------------------------------------------------------------------ */

static int native_learn(struct native *native, int64_t window, struct error *err)
{
	return native_record(native,
		json_pack("{s:s, s:I}", "type", "learned", "window",
			(json_int_t)(window > 2048 ? window : 2048)),
		false, err);
}

/*
 * It answers as if it had read everything, and has not. A server that reports less than before
 * counts only what was not in its cache.
 */
static bool native_was_cut(const struct native *native, const struct reply_usage *usage)
{
	int64_t expected = context_size(&native->history, native->fixed);

	return usage->given && usage->input >= CUT_AT_LEAST &&
	       (double)usage->input < CUT_PART * (double)expected &&
	       usage->input < context_least(&native->history, native->fixed) &&
	       usage->input >= native->history.largest * 9 / 10 &&
	       usage->input + usage->input / 4 < native_window(native);
}

static int native_notice_cut(
	struct native *native, int64_t counted, int64_t expected, struct error *err)
{
	free(native->notice);
	native->notice = xasprintf(
		"(Note: %s read only about %lld of some %lld tokens of our conversation and cut "
		"off the rest without saying so. I keep to that length from now on. Whoever "
		"runs it can raise the context length there; for Ollama that is num_ctx or "
		"OLLAMA_CONTEXT_LENGTH.)",
		native->setup->provider, (long long)counted, (long long)expected);
	return native_learn(native, counted + counted / 4, err);
}

static void native_count(struct native *native, const struct reply_usage *usage)
{
	native->requests++;
	native->spent.given |= usage->given;
	native->spent.input += usage->input;
	native->spent.output += usage->output;
	native->spent.cache_read += usage->cache_read;
	native->spent.cache_write += usage->cache_write;
}

static int native_take_answer(
	struct native *native, struct reply *reply, int64_t expected, struct error *err)
{
	const struct reply_usage *usage = &reply->usage;
	bool cut = native_was_cut(native, usage);
	json_t *content = TAKE(reply->content);
	size_t calls = 0;
	json_t *record;
	json_t *block;
	size_t i;

	json_array_foreach(content, i, block) {
		char id[HISTORY_ID_SIZE];

		if (strcmp(wire_text(block, "type"), "tool_use") != 0)
			continue;
		history_id(&native->history, calls++, id);
		json_object_set_new(block, "id", json_string(id));
	}
	native_count(native, usage->given ? usage
					  : &(struct reply_usage){
						    .given = true,
						    .input = expected,
						    .output = context_guess(content),
					    });
	record = json_pack("{s:s, s:s, s:s, s:O, s:I}", "type", "answer", "api",
		native->setup->wire->name, "model", native->setup->model, "content", content,
		"estimate", (json_int_t)context_raw_size(&native->history, native->fixed));
	if (usage->given)
		json_object_set_new(record, "usage",
			json_pack("{s:I, s:I}", "input", (json_int_t)usage->input, "output",
				(json_int_t)usage->output));
	if (!native->is_subagent)
		output_answer(native->session, native->setup->model, content);
	json_decref(content);
	if (native_record(native, record, true, err) < 0)
		return -1;
	return cut ? native_notice_cut(native, usage->input, expected, err) : 0;
}

static bool native_has_reasoning(const struct native *native)
{
	json_t *message;
	json_t *block;
	size_t i;
	size_t k;

	json_array_foreach(native->history.messages, i, message)
		json_array_foreach(json_object_get(message, "content"), k, block)
			if (strcmp(wire_text(block, "type"), "text") != 0 &&
				strcmp(wire_text(block, "type"), "tool_use") != 0)
				return true;
	return false;
}

/* What else can be tried after this failure; false: nothing. */
static int native_mend(struct native *native, enum failure_kind kind, int64_t expected,
	int *shortened, int *simplified, bool *ret_again, struct error *err)
{
	*ret_again = true;
	if (kind == FAILURE_TOO_LONG && (*shortened)++ < MAX_SHORTENED) {
		int64_t window = native_window(native);
		int64_t needed = expected < window ? expected : window;

		return native_learn(native, needed * 3 / 4, err);
	}
	/* A server that refuses the history would refuse it for ever. */
	if (kind == FAILURE_REFUSED && (*simplified)++ < 2) {
		if (*simplified == 1 && native_has_reasoning(native)) {
			native->ask.quirks.no_reasoning = true;
			return 0;
		}
		*simplified = 2;
		if (json_array_size(native->history.messages) > 1)
			return native_forget_details(native, err);
	}
	*ret_again = false;
	return 0;
}

/* One answer, in the log. FAILURE_NONE, or why there is none. */
static enum failure_kind native_ask(struct native *native, char **ret_detail, struct error *err)
{
	int shortened = 0;
	int simplified = 0;

	for (;;) {
		CLEANUP(error_release) struct error fault = ERROR_INIT;
		CLEANUP(freep) char *detail = NULL;
		struct wire_request request = {
			.model = native->setup->model,
			.system = native->system,
			.tools = native->described,
			.messages = native->history.messages,
			.max_output = native->setup->max_output,
			.vision = native->setup->vision,
		};
		enum failure_kind kind;
		struct reply reply;
		int64_t expected;
		bool again = false;
		int result = 0;

		if (native_fit(native, err) < 0)
			return FAILURE_STOPPED;
		if (check_messages(native->history.messages, &fault) < 0)
			check_repair(native->history.messages);
		expected = context_size(&native->history, native->fixed);
		kind = ask_model(&native->ask, &request, &reply, &detail);
		if (kind == FAILURE_NONE)
			result = native_take_answer(native, &reply, expected, err);
		else
			result = native_mend(
				native, kind, expected, &shortened, &simplified, &again, err);
		reply_release(&reply);
		if (result < 0)
			return FAILURE_STOPPED;
		if (!again) {
			*ret_detail = TAKE(detail);
			return kind;
		}
	}
}

/* --- a turn ------------------------------------------------------------------ */

/* A message that would fill the window by itself loses its middle. */
static char *native_bounded(const struct native *native, const char *text)
{
	size_t max = (size_t)native->setup->window;
	size_t len = strlen(text);
	size_t end = len - max / 2;

	if (len <= max)
		return xstrdup(text);
	while (((unsigned char)text[end] & 0xc0) == 0x80)
		end++;
	return xasprintf(
		"%.*s\n[… %zu bytes are left out here: the message is too long for the "
		"model …]\n%s",
		(int)utf8_valid_len((struct view){text, max / 2}), text, end - max / 2,
		text + end);
}

static char *native_last_text(const struct native *native)
{
	const json_t *messages = native->history.messages;
	const json_t *last = json_array_get(messages, json_array_size(messages) - 1);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *block;
	size_t i;

	json_array_foreach(json_object_get(last, "content"), i, block)
		if (!strcmp(wire_text(block, "type"), "text"))
			buf_appendf(&text, "%s%s", text.len ? "\n\n" : "",
				wire_text(block, "text"));
	return buf_take(&text);
}

/* The end of a turn: what the person gets is in the log before anybody sees it. */
static enum native_outcome native_end(
	struct native *native, char *text, char **ret_text, struct error *err)
{
	CLEANUP(freep) char *owned = text;
	CLEANUP(freep)
	char *whole = xasprintf("%s%s%s", owned, native->notice ? "\n\n" : "",
		native->notice ? native->notice : "");

	if (native_record(native,
		    json_pack("{s:s, s:o}", "type", "end", "text", json_text(view_of(whole))),
		    true, err) < 0)
		return NATIVE_FAILED;
	*ret_text = TAKE(whole);
	return NATIVE_ANSWERED;
}

/*
 * Something is set wrong: the person hears what, as an answer. What can be better in a while
 * fails instead, and the host comes again with the same turn.
 */
static enum native_outcome native_fail(struct native *native, enum failure_kind kind,
	const char *detail, char **ret_text, struct error *err)
{
	if (kind == FAILURE_STOPPED)
		return *native->stop ? NATIVE_STOPPED : NATIVE_FAILED;
	if (kind == FAILURE_BUSY && native->ask.retry_after > 0) {
		CLEANUP(freep)
		char *wait = xasprintf("come again in %lld minutes",
			(long long)(native->ask.retry_after / 60000 + 1));

		return native_end(native,
			failure_advice(
				kind, native->setup->provider, native->setup->model, wait),
			ret_text, err);
	}
	if (kind == FAILURE_BROKEN || kind == FAILURE_BUSY) {
		error_set(err, ERROR_FAILED, "%s: %s", native->setup->provider, detail);
		return NATIVE_FAILED;
	}
	return native_end(native,
		failure_advice(kind, native->setup->provider, native->setup->model, detail),
		ret_text, err);
}

static enum native_outcome native_work(
	struct native *native, char **ret_text, struct error *err)
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
			return native_end(native,
				xstrdup("I ended this because I kept repeating the same step "
					"without getting further. Please tell me how to go on."),
				ret_text, err);
		free(detail);
		detail = NULL;
		kind = native_ask(native, &detail, err);
		if (kind != FAILURE_NONE)
			return native_fail(native, kind, detail, ret_text, err);
		calls = history_open_calls(&native->history);
		if (!json_array_size(calls))
			return native_end(native, native_last_text(native), ret_text, err);
	}
	return native_end(native,
		xasprintf("I ended this after %d steps. Tell me to go on if I should.",
			MAX_REQUESTS),
		ret_text, err);
}

/* Was the answer written down, and only the end of the turn not? */
static bool native_is_answered(const struct native *native)
{
	const json_t *messages = native->history.messages;
	const json_t *last = json_array_get(messages, json_array_size(messages) - 1);
	json_t *calls = history_open_calls(&native->history);
	bool answered =
		!strcmp(wire_text(last, "role"), "assistant") && !json_array_size(calls);

	json_decref(calls);
	return answered;
}

enum native_outcome native_turn(struct native *native, const char *text, char **ret_text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *bounded = native_bounded(native, text);
	enum native_outcome outcome = NATIVE_FAILED;
	bool same = native_is_same_turn(&native->history, bounded);

	native->spent = (struct reply_usage){0};
	native->requests = 0;
	native->told_waiting = false;
	free(native->notice);
	native->notice = NULL;
	if (same && native->history.answer) {
		*ret_text = xstrdup(native->history.answer);
		return NATIVE_ANSWERED;
	}
	if (same && native_is_answered(native))
		outcome = native_end(native, native_last_text(native), ret_text, &err);
	else if (same || native_record(native,
				 json_pack("{s:s, s:o}", "type", "turn", "text",
					 json_text(view_of(bounded))),
				 false, &err) == 0)
		outcome = native_work(native, ret_text, &err);
	if (outcome != NATIVE_ANSWERED)
		*ret_text = xstrdup(err.message ? err.message : "the agent was told to stop");
	return outcome;
}
