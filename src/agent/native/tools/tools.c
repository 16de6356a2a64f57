#include "agent/native/tools/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "agent/native/tools/builtin.h"
#include "agent/native/tools/tool_text.h"
#include "agent/native/tools/worker.h"
#include "base/quote.h"
#include "base/similar.h"
#include "format/json.h"
#include "fs/sys.h"
#include "time/timestamp.h"

#define RESULT_MAX ((size_t)50 * 1024)
#define RESULT_MIN ((size_t)1024)

/* So many workers at a time. */
#define WORKERS 4

#define AGENT_TOOL "agent"
#define AGENT_DESCRIPTION                                                                      \
	"Give a task to a second agent with the same tools and an empty memory; its last "     \
	"answer is the result."
#define AGENT_SCHEMA                                                                            \
	"{\"type\":\"object\",\"properties\":{\"prompt\":{\"type\":\"string\",\"description\":" \
	"\"the whole task\"}},\"required\":[\"prompt\"]}"

struct tools {
	struct tool_place place;
	char *folder;
	char *outputs;
	tools_subagent subagent;
	void *data;
};

void tool_result_release(struct tool_result *result)
{
	buf_release(&result->text);
	buf_release(&result->image);
	freep(&result->image_type);
}

/* --- opening and closing ----------------------------------------------------- */

int tools_open(const struct tools_config *config, struct tools **ret_tools, struct error *err)
{
	struct tools *tools = xcalloc(1, sizeof(*tools));
	struct tool_place *place = &tools->place;

	signal(SIGPIPE, SIG_IGN);
	place->dirfd = open(config->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	tools->folder = realpath(config->folder, NULL);
	place->cancelled = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (place->dirfd < 0 || !tools->folder || place->cancelled < 0) {
		quote_errno(err, "open the folder", config->folder);
		tools_close(tools);
		return -1;
	}
	tools->outputs = config->outputs ? xstrdup(config->outputs) : NULL;
	tools->subagent = config->subagent;
	tools->data = config->data;
	place->folder = tools->folder;
	place->outputs = tools->outputs;
	place->max = config->result_max ? config->result_max : RESULT_MAX;
	place->max = place->max < RESULT_MIN ? RESULT_MIN : place->max;
	place->images = config->images;
	*ret_tools = tools;
	return 0;
}

void tools_close(struct tools *tools)
{
	if (!tools)
		return;
	closep(&tools->place.dirfd);
	closep(&tools->place.cancelled);
	free(tools->folder);
	free(tools->outputs);
	free(tools);
}

void tools_cancel(struct tools *tools)
{
	int before = errno;

	sys.write(tools->place.cancelled, &(uint64_t){1}, sizeof(uint64_t));
	errno = before;
}

void tools_resume(struct tools *tools)
{
	uint64_t count;

	/* Without blocking: nothing is there if it was not cancelled. */
	if (read(tools->place.cancelled, &count, sizeof(count)) < 0)
		return;
}

static bool tools_cancelled(const struct tools *tools)
{
	struct pollfd fd = {.fd = tools->place.cancelled, .events = POLLIN};

	return poll(&fd, 1, 0) > 0;
}

/* --- what there is ----------------------------------------------------------- */

static json_t *describe(const char *name, const char *description, const char *schema)
{
	return json_pack("{s:s, s:s, s:o}", "name", name, "description", description,
		"input_schema", json_loads(schema, 0, NULL));
}

json_t *tools_describe(const struct tools *tools)
{
	json_t *list = json_array();

	if (tools->subagent)
		json_array_append_new(
			list, describe(AGENT_TOOL, AGENT_DESCRIPTION, AGENT_SCHEMA));
	for (size_t i = 0; i < builtin_count; i++)
		json_array_append_new(list, describe(builtins[i].name, builtins[i].description,
						    builtins[i].schema));
	return list;
}

char *tools_problems(const struct tools *tools)
{
	(void)tools;
	return NULL;
}

bool tools_is_read_only(const struct tools *tools, const char *name)
{
	const struct builtin *builtin = builtin_find(name);

	(void)tools;
	return builtin && builtin->reads;
}

void tools_idle(struct tools *tools)
{
	(void)tools;
}

/* --- running ----------------------------------------------------------------- */

struct tools_run {
	struct tools *tools;
	const struct tool_call *calls;
	size_t count;
	tools_done done;
	void *data;
	size_t next;                    /* the first call that was not started */
	struct worker workers[WORKERS]; /* pid 0: free */
	size_t indexes[WORKERS];
};

static void run_done(struct tools_run *run, size_t index, struct tool_result *result)
{
	tool_text_bound(&result->text, run->tools->place.max);
	run->done(run->data, index, result);
}

static void run_failed(struct tools_run *run, size_t index, const char *message)
{
	CLEANUP(tool_result_release) struct tool_result result = TOOL_RESULT_INIT;

	result.is_error = true;
	buf_append_str(&result.text, message);
	run_done(run, index, &result);
}

static void run_unknown(struct tools_run *run, size_t index)
{
	CLEANUP(freep) char *name = quote(view_of(run->calls[index].name));
	CLEANUP(json_decrefp) json_t *known = tools_describe(run->tools);
	CLEANUP(freep) char *message = NULL;
	struct similar best = similar_to(run->calls[index].name);
	json_t *tool;
	size_t i;

	json_array_foreach(known, i, tool)
		similar_consider(&best, json_string_value(json_object_get(tool, "name")));
	message = best.found ? xasprintf("there is no tool %s; did you mean '%s'?", name,
				       best.found)
			     : xasprintf("there is no tool %s", name);
	run_failed(run, index, message);
}

/* In this process, or in a worker if there is a free one. False: there is none. */
static bool run_start(struct tools_run *run, size_t index)
{
	const struct tool_call *call = &run->calls[index];
	const struct builtin *builtin = builtin_find(call->name);
	CLEANUP(tool_result_release) struct tool_result result = TOOL_RESULT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	size_t slot = 0;

	if (tools_cancelled(run->tools)) {
		run_failed(run, index, "not done, because the turn was cancelled");
	} else if (call->input && !json_is_object(call->input) && !json_is_null(call->input)) {
		run_failed(run, index, "the arguments must be an object");
	} else if (run->tools->subagent && !strcmp(call->name, AGENT_TOOL)) {
		if (run->tools->subagent(run->tools->data, call->input, &result) < 0)
			result.is_error = true;
		run_done(run, index, &result);
	} else if (!builtin) {
		run_unknown(run, index);
	} else if (!builtin->reads) {
		worker_run(builtin, &run->tools->place, call->input, &result);
		run_done(run, index, &result);
	} else {
		while (slot < WORKERS && run->workers[slot].pid)
			slot++;
		if (slot == WORKERS)
			return false;
		run->indexes[slot] = index;
		if (worker_start(&run->workers[slot], builtin, &run->tools->place, call->input,
			    &err) < 0)
			run_failed(run, index, err.message);
	}
	return true;
}

static void run_finish(struct tools_run *run, size_t slot, const char *why)
{
	CLEANUP(tool_result_release) struct tool_result result = TOOL_RESULT_INIT;

	worker_finish(&run->workers[slot], &result, why);
	run->workers[slot].pid = 0;
	run_done(run, run->indexes[slot], &result);
}

/* Wait for workers. False: there is nothing to wait for. */
static bool run_wait(struct tools_run *run)
{
	struct pollfd fds[WORKERS + 1] = {
		{.fd = run->tools->place.cancelled, .events = POLLIN}};
	int64_t deadline = INT64_MAX;
	int64_t left;

	for (size_t i = 0; i < WORKERS; i++) {
		struct worker *worker = &run->workers[i];

		fds[i + 1] =
			(struct pollfd){.fd = worker->pid ? worker->out : -1, .events = POLLIN};
		if (worker->pid && worker->deadline_ms < deadline)
			deadline = worker->deadline_ms;
	}
	if (deadline == INT64_MAX)
		return false;
	left = deadline - timestamp_steady();
	if (poll(fds, ARRAY_SIZE(fds), left > 0 ? (int)left : 0) < 0)
		return true;
	for (size_t i = 0; i < WORKERS; i++) {
		struct worker *worker = &run->workers[i];

		if (!worker->pid)
			continue;
		if (fds[i + 1].revents && worker_ended(worker))
			run_finish(run, i, NULL);
		else if (fds[0].revents)
			run_finish(run, i, "ended, because the turn was cancelled");
		else if (timestamp_steady() >= worker->deadline_ms)
			run_finish(run, i, "this takes too long; ask for less");
	}
	return true;
}

void tools_run(struct tools *tools, const struct tool_call *calls, size_t count,
	tools_done done, void *data)
{
	struct tools_run run = {
		.tools = tools, .calls = calls, .count = count, .done = done, .data = data};

	do
		while (run.next < count && run_start(&run, run.next))
			run.next++;
	while (run_wait(&run) || run.next < count);
}
