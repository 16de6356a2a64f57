#include "agent/native/native.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "agent/native/offer.h"
#include "agent/native/output.h"
#include "agent/native/prompt.h"
#include "agent/native/session/context.h"
#include "base/utf8.h"
#include "format/json.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "fs/sys.h"

/* Logs that are looked at for a turn that was begun. */
#define MAX_ADOPTED 4

#define RESULT_MAX ((size_t)50 * 1024)

int64_t native_window(const struct native *native)
{
	return native->learned && native->learned < native->setup->window
		       ? native->learned
		       : native->setup->window;
}

int native_record(struct native *native, json_t *record, bool durable, struct error *err)
{
	return history_add(&native->history, native->log, record, durable, err);
}

/* --- progress ---------------------------------------------------------------- */

static void native_text(void *data, struct view piece)
{
	struct native *native = data;

	if (!native->parent)
		output_piece(native->session, piece);
}

static void native_alive(void *data)
{
	(void)data;
	output_alive();
}

static void native_told(void *data, size_t index, const struct tool_result *result)
{
	(void)data;
	(void)index;
	(void)result;
}

/* Tell the person once, in the chat if the host supports that. */
static void native_waits(void *data, enum failure_kind kind, int attempt, int64_t ms)
{
	struct native *native = data;
	bool is_long =
		attempt >= 4 || ms * ASK_USUAL_RETRY_MS / native->setup->retry_ms >= 5000;
	CLEANUP(freep) char *text = NULL;
	CLEANUP(freep) char *id = NULL;
	CLEANUP(json_decrefp) json_t *input = NULL;
	struct tool_call call;

	if (kind != FAILURE_BUSY || !is_long || native->told_waiting || native->parent)
		return;
	text = xasprintf(
		"%s is overloaded; I will wait and then continue.", native->setup->provider);
	id = xasprintf("w%08zu", native->history.turns % 100000000);
	input = json_build("text:s", text);
	call = (struct tool_call){id, "mcp__nanoclaw__send_message", input};
	native->told_waiting = true;
	output_note(native->session, native->setup->model, text);
	if (wire_tool(native->all, call.name))
		tools_run(native->tools, &call, 1, native_told, NULL);
}

/* --- the beginning ----------------------------------------------------------- */

char *native_bound(const char *text, size_t max)
{
	size_t half = max / 2;
	size_t len = strlen(text);
	size_t end = len > half ? len - half : 0;
	size_t head = utf8_valid_len((struct view){text, len < half ? len : half});

	if (len <= 2 * half)
		return xstrdup(text);
	while (((unsigned char)text[end] & 0xc0) == 0x80)
		end++;
	return xasprintf(
		"%.*s\n[… %zu bytes are left out here: the message is too long for the model …]"
		"\n%s",
		(int)head, text, end - head, text + end);
}

/* The host's texts name times and senders: one that is equal is the same message again. */
bool native_is_same_turn(const struct history *history, const char *text)
{
	return history->turn_text && !strcmp(history->turn_text, text) &&
	       (!history->answer || text[0] == '<');
}

/* The file has the model and the window, a line each. */
static int64_t native_read_window(const struct native *native)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/native/window", native->setup->home);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view rest;
	struct view model;

	if (file_read(path, 1000, &text, &ignored) < 0)
		return 0;
	rest = view_of_buf(&text);
	return view_next(&rest, '\n', &model) && view_equal_str(model, native->setup->model)
		       ? strtoll(rest.data, NULL, 10)
		       : 0;
}

static int native_open_log(
	struct native *native, const char *session, enum log_mode mode, struct error *err)
{
	struct wire_quirks *quirks = &native->ask.quirks;
	const json_t *learned;

	history_release(&native->history);
	history_init(&native->history, session);
	if (log_open(native->setup->sessions, session, mode, history_take, &native->history,
		    &native->log, err) < 0)
		return -1;
	history_use_model(&native->history, native->setup->model);
	learned = native->history.quirks;
	quirks->no_stream_options |=
		json_is_true(json_object_get(learned, "no_stream_options"));
	quirks->max_completion_tokens |=
		json_is_true(json_object_get(learned, "max_completion_tokens"));
	quirks->no_limit |= json_is_true(json_object_get(learned, "no_limit"));
	quirks->no_reasoning |= json_is_true(json_object_get(learned, "no_reasoning"));
	free(native->session);
	native->session = xstrdup(session);
	native->learned = native_read_window(native);
	return 0;
}

/*
 * A log whose last turn has this text: its process was killed before the host knew its session.
 * Logs of other agents of the group, which run at the same time, are locked or have other texts.
 */
static bool native_adopt(struct native *native, const char *text)
{
	CLEANUP(string_array_release) struct string_array recent = {0};
	CLEANUP(freep) char *bounded = native_bound(text, (size_t)native->setup->window);

	log_recent(native->setup->sessions, MAX_ADOPTED, &recent);
	for (size_t i = 0; i < recent.count; i++) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;

		if (native_open_log(native, recent.list[i], LOG_EXISTING, &ignored) < 0)
			continue;
		if (native_is_same_turn(&native->history, bounded))
			return true;
		log_close(native->log);
		native->log = NULL;
	}
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
		return error_set(err, ERROR_FAILED, "cannot get random bytes");
	if (sys.mkdir(AT_FDCWD, native->setup->home, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot create '%s'", native->setup->home);
	return native_open_log(native, fresh, LOG_NEW, err);
}

int native_open_named(struct native *native, const char *session, struct error *err)
{
	return native_open_log(native, session, LOG_EITHER, err);
}

/* In a small window there is room for few tools. */
static void native_describe(struct native *native)
{
	size_t room = (size_t)native_window(native) / 4;

	json_decref(native->all);
	json_decref(native->described);
	native->all = tools_describe(native->tools);
	native->described = offer_choose(native->all, room < OFFER_ROOM ? room : OFFER_ROOM);
}

static void native_measure(struct native *native)
{
	native->fixed = context_guess_text(native->system) + context_guess(native->described);
}

/* Sets the system prompt and the options of requests. */
static void native_instruct(struct native *native, const char *problems, const char *servers)
{
	const struct setup *setup = native->setup;

	native->system = prompt_build(&(struct prompt_options){
		.folder = native->folder,
		.home = setup->home,
		.problems = problems,
		.servers = servers,
		.is_subagent = native->parent != NULL,
	});
	native->ask = (struct ask){
		.wire = setup->wire,
		.address = setup->address,
		.prefix = setup->prefix,
		.retry_ms = setup->retry_ms,
		.stall_ms = setup->stall_ms,
		.stop = native->stop,
		.quirks = native->ask.quirks,
		.alive = native_alive,
		.text = native_text,
		.waits = native_waits,
		.data = native,
	};
	prompt_cut(&native->system, (size_t)native_window(native) / 2);
	native_measure(native);
}

static void native_resize(struct native *native)
{
	prompt_cut(&native->system, (size_t)native_window(native) / 2);
	if (!native->parent)
		native_describe(native);
	native_measure(native);
}

/* Without the file, only this process knows it. */
void native_learn_window(struct native *native, int64_t window)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *folder = xasprintf("%s/native", native->setup->home);
	CLEANUP(closep) int dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(freep)
	char *text = xasprintf("%s\n%lld\n", native->setup->model, (long long)window);

	native->learned = window;
	if (dir >= 0 && !window)
		sys.unlink(dir, "window", 0);
	else if (dir >= 0)
		replace_file(dir, "window", view_of(text), 0600, NULL, 0, &ignored);
	native_resize(native);
}

int native_prepare(struct native *native, struct error *err)
{
	const struct setup *setup = native->setup;
	CLEANUP(freep) char *problems = NULL;
	CLEANUP(freep) char *servers = NULL;
	/* An eighth of the window, at 2.5 bytes for a token. */
	size_t part = (size_t)setup->window * 5 / 16;
	struct tools_config config = {
		.folder = native->folder,
		.servers = setup->servers,
		.outputs = setup->outputs,
		.result_max = part < RESULT_MAX ? part : RESULT_MAX,
		.images = setup->vision,
		.subagent = native_subagent,
		.data = native,
	};

	if (tools_open(&config, &native->tools, err) < 0)
		return -1;
	problems = tools_problems(native->tools);
	servers = tools_instructions(native->tools);
	native_describe(native);
	native_instruct(native, problems, servers);
	return 0;
}

void native_refresh(struct native *native)
{
	if (native->parent)
		return;
	tools_resume(native->tools);
	native->learned = native_read_window(native);
	native_resize(native);
}

void native_prepare_child(struct native *child, const struct native *parent)
{
	json_t *tool;
	size_t i;

	child->tools = parent->tools;
	child->parent = parent;
	child->all = json_incref(parent->all);
	child->described = json_array();
	json_array_foreach(parent->described, i, tool)
		if (strcmp(json_member(tool, "name"), "agent") != 0)
			json_array_append(child->described, tool);
	child->ask.quirks = parent->ask.quirks;
	native_instruct(child, NULL, NULL);
}

void native_release(struct native *native)
{
	if (native->tools && !native->parent)
		tools_close(native->tools);
	log_close(native->log);
	history_release(&native->history);
	json_decref(native->all);
	json_decref(native->described);
	free(native->system);
	free(native->session);
	free(native->notice);
	json_decref(native->called);
	json_decref(native->got);
}
