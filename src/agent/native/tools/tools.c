#include "agent/native/tools/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "agent/native/mcp/mcp_client.h"
#include "agent/native/tools/builtin.h"
#include "agent/native/tools/mcp_content.h"
#include "agent/native/tools/worker.h"
#include "base/quote.h"
#include "base/similar.h"
#include "format/clean_text.h"
#include "format/json.h"
#include "fs/sys.h"
#include "time/timestamp.h"

#define RESULT_MAX ((size_t)50 * 1024)
#define RESULT_MIN ((size_t)1024)

/* Workers that run at the same time. */
#define WORKERS 4

/* Bytes of names that a model gets if it calls a tool that does not exist. */
#define MAX_NAMES 3000

#define MCP_CALL_MS  300000
#define MCP_START_MS 10000

#define CANCELLED "the turn was cancelled"

#define AGENT_TOOL "agent"
#define AGENT_DESCRIPTION                                                                      \
	"Give a task to a second agent with the same tools and an empty memory; its last "     \
	"answer is the result."
#define AGENT_SCHEMA                                                                           \
	"{\"type\":\"object\",\"properties\":{\"prompt\":{\"type\":\"string\"}},"              \
	"\"required\":[\"prompt\"]}"

struct tools {
	struct tool_place place;
	char *folder;
	char *outputs;
	tools_subagent subagent;
	void *data;
	struct mcp_client *client; /* or NULL */
};

void tool_result_release(struct tool_result *result)
{
	buf_release(&result->text);
	buf_release(&result->image);
	freep(&result->image_type);
}

static void run_answered(
	void *call, const json_t *result, const char *failure, const char *note);

/* --- opening and closing ----------------------------------------------------- */

static int tools_start_servers(
	struct tools *tools, const struct tools_config *config, struct error *err)
{
	struct mcp_options options = {
		.path = config->servers,
		.folder = tools->place.dirfd,
		.cancelled = tools->place.cancelled,
		.start_ms = config->start_ms ? config->start_ms : MCP_START_MS,
		.call_ms = config->call_ms ? config->call_ms : MCP_CALL_MS,
		.answered = run_answered,
	};

	return mcp_client_open(&options, &tools->client, err);
}

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
	if (config->servers && tools_start_servers(tools, config, err) < 0) {
		tools_close(tools);
		return -1;
	}
	*ret_tools = tools;
	return 0;
}

void tools_close(struct tools *tools)
{
	if (!tools)
		return;
	mcp_client_close(tools->client);
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

	/* Does not block: there is nothing to read unless it was cancelled. */
	if (read(tools->place.cancelled, &count, sizeof(count)) < 0)
		return;
}

static bool tools_cancelled(const struct tools *tools)
{
	struct pollfd fd = {.fd = tools->place.cancelled, .events = POLLIN};

	return poll(&fd, 1, 0) > 0;
}

/* --- what there is ----------------------------------------------------------- */

static json_t *tool_description(const char *name, const char *description, const char *schema)
{
	return json_build("name:s description:s input_schema:o", name, description,
		json_loads(schema, 0, NULL));
}

static int description_compare(const void *a, const void *b)
{
	const json_t *x = *(json_t *const *)a;
	const json_t *y = *(json_t *const *)b;

	return strcmp(json_member(x, "name"), json_member(y, "name"));
}

json_t *tools_describe(const struct tools *tools)
{
	CLEANUP(json_decrefp) json_t *found = json_array();
	CLEANUP(freep) json_t **sorted = NULL;
	json_t *list = json_array();
	size_t count;

	if (tools->subagent)
		json_array_append_new(
			found, tool_description(AGENT_TOOL, AGENT_DESCRIPTION, AGENT_SCHEMA));
	for (size_t i = 0; i < builtin_count; i++)
		json_array_append_new(
			found, tool_description(builtins[i].name, builtins[i].description,
				       builtins[i].schema));
	if (tools->client)
		mcp_client_describe(tools->client, found);
	count = json_array_size(found);
	sorted = xcalloc(count, sizeof(json_t *));
	for (size_t i = 0; i < count; i++)
		sorted[i] = json_array_get(found, i);
	qsort(sorted, count, sizeof(json_t *), description_compare);
	for (size_t i = 0; i < count; i++)
		json_array_append(list, sorted[i]);
	return list;
}

/* The text about the servers, or NULL if it is empty. */
static char *tools_words(struct buf *words)
{
	clean_text_bound(words, RESULT_MAX);
	return words->len ? buf_take(words) : NULL;
}

char *tools_problems(const struct tools *tools)
{
	CLEANUP(buf_release) struct buf words = BUF_INIT;

	if (tools->client)
		mcp_client_problems(tools->client, &words);
	return tools_words(&words);
}

char *tools_instructions(const struct tools *tools)
{
	CLEANUP(buf_release) struct buf words = BUF_INIT;

	if (tools->client)
		mcp_client_instructions(tools->client, &words);
	return tools_words(&words);
}

bool tools_is_read_only(const struct tools *tools, const char *name)
{
	const struct builtin *builtin = builtin_find(name);

	if (builtin)
		return builtin->reads;
	return tools->client && mcp_client_is_read_only(tools->client, name);
}

void tools_idle(struct tools *tools)
{
	if (tools->client)
		mcp_client_wait(tools->client, NULL, 0, 0);
}

/* --- running ----------------------------------------------------------------- */

struct tools_run;

/* A request to an MCP server. */
struct run_request {
	struct tools_run *run;
	size_t index;
};

struct tools_run {
	struct tools *tools;
	const struct tool_call *calls;
	size_t count;
	tools_done done;
	void *data;
	size_t next;                    /* the first call that was not started */
	struct worker workers[WORKERS]; /* pid 0: free */
	size_t indexes[WORKERS];
	struct run_request *requests; /* one for each call */
};

static void run_done(struct tools_run *run, size_t index, struct tool_result *result)
{
	clean_text_bound(&result->text, run->tools->place.max);
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
	CLEANUP(buf_release) struct buf message = BUF_INIT;
	struct similar best = similar_to(run->calls[index].name);
	json_t *tool;
	size_t i;

	json_array_foreach(known, i, tool)
		similar_consider(&best, json_member(tool, "name"));
	buf_appendf(&message, "there is no tool %s; ", name);
	if (best.found)
		buf_appendf(&message, "did you mean '%s'? ", best.found);
	buf_append_str(&message, "There are: ");
	json_array_foreach(known, i, tool)
		if (message.len < MAX_NAMES)
			buf_appendf(&message, "%s%s", i ? ", " : "", json_member(tool, "name"));
	run_failed(run, index, message.data);
}

static void run_answered(
	void *call, const json_t *answer, const char *failure, const char *note)
{
	const struct run_request *request = call;
	struct tools_run *run = request->run;
	CLEANUP(tool_result_release) struct tool_result result = TOOL_RESULT_INIT;

	if (failure) {
		result.is_error = true;
		buf_append_str(&result.text, failure);
	} else {
		mcp_content(answer, run->tools->place.images, &result);
	}
	if (note) {
		CLEANUP(buf_release) struct buf text = result.text;

		result.text = BUF_INIT;
		buf_appendf(&result.text, "%s\n", note);
		buf_append(&result.text, text.data, text.len);
	}
	run_done(run, request->index, &result);
}

/* Runs the call in this process, or in a free worker. False: no worker is free. */
static bool run_start(struct tools_run *run, size_t index)
{
	const struct tool_call *call = &run->calls[index];
	const struct builtin *builtin = builtin_find(call->name);
	CLEANUP(tool_result_release) struct tool_result result = TOOL_RESULT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	size_t slot = 0;

	if (tools_cancelled(run->tools)) {
		run_failed(run, index, "not done, because " CANCELLED);
	} else if (call->input && !json_is_object(call->input) && !json_is_null(call->input)) {
		run_failed(run, index, "the arguments must be an object");
	} else if (run->tools->subagent && !strcmp(call->name, AGENT_TOOL)) {
		if (run->tools->subagent(run->tools->data, call->input, &result) < 0)
			result.is_error = true;
		run_done(run, index, &result);
	} else if (!builtin && run->tools->client &&
		   mcp_client_has(run->tools->client, call->name)) {
		run->requests[index] = (struct run_request){run, index};
		mcp_client_call(run->tools->client, call->name, call->input, call->id,
			&run->requests[index]);
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

/* Wait for workers and servers. False: there is nothing to wait for. */
static bool run_wait(struct tools_run *run)
{
	struct pollfd fds[WORKERS + 1] = {
		{.fd = run->tools->place.cancelled, .events = POLLIN}};
	struct mcp_client *client = run->tools->client;
	int64_t deadline = INT64_MAX;
	int64_t left;

	for (size_t i = 0; i < WORKERS; i++) {
		struct worker *worker = &run->workers[i];

		fds[i + 1] =
			(struct pollfd){.fd = worker->pid ? worker->out : -1, .events = POLLIN};
		if (worker->pid && worker->deadline_ms < deadline)
			deadline = worker->deadline_ms;
	}
	if (deadline == INT64_MAX && !(client && mcp_client_busy(client)))
		return false;
	left = deadline == INT64_MAX ? INT_MAX : deadline - timestamp_steady();
	if (client)
		mcp_client_wait(client, fds, ARRAY_SIZE(fds), left);
	else if (poll(fds, ARRAY_SIZE(fds), left > 0 ? (int)left : 0) < 0)
		return true;
	for (size_t i = 0; i < WORKERS; i++) {
		struct worker *worker = &run->workers[i];

		if (!worker->pid)
			continue;
		if (fds[i + 1].revents && worker_ended(worker))
			run_finish(run, i, NULL);
		else if (fds[0].revents)
			run_finish(run, i, "ended, because " CANCELLED);
		else if (timestamp_steady() >= worker->deadline_ms)
			run_finish(run, i, "this takes too long; ask for less");
	}
	if (client && fds[0].revents)
		mcp_client_cancel(client, "given up, because " CANCELLED);
	return !fds[0].revents;
}

void tools_run(struct tools *tools, const struct tool_call *calls, size_t count,
	tools_done done, void *data)
{
	CLEANUP(freep)
	struct run_request *requests = xcalloc(count + 1, sizeof(*requests));
	struct tools_run run = {
		.tools = tools,
		.calls = calls,
		.count = count,
		.done = done,
		.data = data,
		.requests = requests,
	};

	/* A server that has ended meanwhile is started again for these. */
	tools_idle(tools);
	do
		while (run.next < count && run_start(&run, run.next))
			run.next++;
	while (run_wait(&run) || run.next < count);
}
