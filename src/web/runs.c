#include "web/runs.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "format/json.h"
#include "format/line_reader.h"
#include "loop/child.h"
#include "veil/veil.h"

#define PROGRAM "/proc/self/exe" /* this one, also after a newer one was installed */

struct run {
	struct run *next;
	struct runs *runs;
	struct string_array words; /* the whole command line */
	struct buf input;
	uint64_t timeout;
	struct run_handlers handlers;
	void *data;
	uv_timer_t timer;
	struct loop_child *child; /* NULL: waiting */
	struct buf output;
	struct buf messages;
	struct line_reader lines;
	bool broken_off;
	bool interrupted;
};

struct runs {
	uv_loop_t *loop;
	int root;
	struct string_array env;
	struct run *waiting;
	struct run *running;
	size_t waiting_count, running_count;
};

static void runs_start_next(struct runs *runs);

static void run_freed(uv_handle_t *timer)
{
	struct run *run = timer->data;

	string_array_release(&run->words);
	buf_release(&run->input);
	buf_release(&run->output);
	buf_release(&run->messages);
	line_reader_release(&run->lines);
	free(run);
}

static void run_take_out(struct run **list, struct run *run)
{
	while (*list != run)
		list = &(*list)->next;
	*list = run->next;
}

static void run_end(struct run *run, int exit)
{
	struct runs *runs = run->runs;
	struct run_result result = {
		.exit = exit,
		.output = view_of_buf(&run->output),
		.messages = view_of_buf(&run->messages),
	};

	run_take_out(&runs->running, run);
	runs->running_count -= run->timeout != 0;
	run->handlers.ended(&result, run->data);
	uv_close((uv_handle_t *)&run->timer, run_freed);
	runs_start_next(runs);
}

/* --- a running one ----------------------------------------------------------- */

static void run_break_off(struct run *run, const char *why)
{
	if (run->broken_off)
		return;
	run->broken_off = true;
	buf_clear(&run->messages);
	buf_append_str(&run->messages, why);
	loop_child_signal(run->child, SIGKILL);
}

static void run_wrote(struct view bytes, void *data)
{
	struct run *run = data;

	if (run->output.len + bytes.len > RUN_OUTPUT_MAX)
		run_break_off(run, "the result is too long");
	else if (!run->broken_off)
		buf_append(&run->output, bytes.data, bytes.len);
}

static bool run_take_line(struct view line, bool too_long, void *data)
{
	struct run *run = data;

	if (!too_long && run->handlers.message)
		run->handlers.message(line, run->data);
	return true;
}

/* Of many messages the last ones are kept. */
static void run_complained(struct view bytes, void *data)
{
	struct run *run = data;

	line_reader_feed(&run->lines, bytes.data, bytes.len, run_take_line, run);
	if (run->broken_off)
		return;
	buf_append(&run->messages, bytes.data, bytes.len);
	if (run->messages.len > RUN_MESSAGE_MAX) {
		size_t surplus = run->messages.len - RUN_MESSAGE_MAX / 2;

		memmove(run->messages.data, run->messages.data + surplus,
			run->messages.len - surplus);
		buf_set_len(&run->messages, run->messages.len - surplus);
	}
}

static void run_ended(int exit_code, void *data)
{
	struct run *run = data;

	run->child = NULL;
	run_end(run, run->broken_off ? -1 : exit_code);
}

static void run_expired(uv_timer_t *timer)
{
	run_break_off(timer->data, "the command took too long");
}

static void run_begin(struct run *run)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) const char **argv = xcalloc(run->words.count + 1, sizeof(*argv));
	struct child_request request = {
		.argv = argv,
		.env = (const char *const *)run->runs->env.list,
		.cwd = run->runs->root,
	};
	struct loop_child_options options = {
		.loop = run->runs->loop,
		.request = &request,
		.handlers = {run_wrote, run_complained, run_ended},
		.data = run,
	};

	memcpy(argv, run->words.list, run->words.count * sizeof(*argv));
	run->next = run->runs->running;
	run->runs->running = run;
	run->runs->running_count += run->timeout != 0;
	if (run->interrupted || loop_child_start(&options, &run->child, &err) < 0) {
		buf_append_str(&run->messages, err.message ? err.message : "interrupted");
		run_end(run, -1);
		return;
	}
	if (run->timeout)
		uv_timer_start(&run->timer, run_expired, run->timeout, 0);
	if (run->input.len)
		loop_child_write(run->child, &run->input);
	loop_child_close_input(run->child);
}

/* --- all of them ------------------------------------------------------------- */

/* The first that waits and has a place. */
static struct run *runs_next(const struct runs *runs)
{
	struct run *run = runs->waiting;

	while (run && run->timeout && runs->running_count >= RUNS_AT_ONCE)
		run = run->next;
	return run;
}

/* A run that cannot begin ends at once, and its end comes here again. */
static void runs_start_next(struct runs *runs)
{
	struct run *run;

	while ((run = runs_next(runs))) {
		run_take_out(&runs->waiting, run);
		runs->waiting_count--;
		run_begin(run);
	}
}

static void run_begin_later(uv_timer_t *timer)
{
	struct run *run = timer->data;

	runs_start_next(run->runs);
}

int run_start(struct runs *runs, const struct string_array *words, struct view input,
	uint64_t timeout, const struct run_handlers *handlers, void *data, struct run **ret_run,
	struct error *err)
{
	struct run *run;
	struct run **last = &runs->waiting;

	if (runs->waiting_count == RUNS_WAITING)
		return error_set(err, ERROR_BUSY, "too many commands are waiting");
	run = xcalloc(1, sizeof(*run));
	run->runs = runs;
	run->timeout = timeout;
	run->handlers = *handlers;
	run->data = data;
	run->input = run->output = run->messages = BUF_INIT;
	buf_append(&run->input, input.data, input.len);
	line_reader_init(&run->lines, RUN_MESSAGE_MAX);
	string_array_add(&run->words, PROGRAM);
	string_array_add(&run->words, "--json");
	for (size_t i = 0; i < words->count; i++)
		string_array_add(&run->words, words->list[i]);
	uv_timer_init(runs->loop, &run->timer);
	run->timer.data = run;
	while (*last)
		last = &(*last)->next;
	*last = run;
	runs->waiting_count++;
	/* From the loop, so that ended() never comes before this returns. */
	uv_timer_start(&run->timer, run_begin_later, 0, 0);
	if (ret_run)
		*ret_run = run;
	return 0;
}

void run_interrupt(struct run *run)
{
	run->interrupted = true;
	if (run->child)
		loop_child_signal(run->child, SIGINT);
}

json_t *run_result_json(const struct run_result *result)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	json_t *json = NULL;

	if (json_read(result->output, "result", RUN_OUTPUT_MAX, &json, &ignored) == 0)
		return json;
	/* Before it could say anything. */
	if (!view_trim(result->messages).len && result->exit > 128)
		return json_build("success:b error:s", 0, "it was stopped");
	return json_build("success:b error:v", 0, view_trim(result->messages));
}

/* What commands of packages may have, and our settings; secrets belong in '.env'. */
static void runs_environment(struct string_array *ret_env)
{
	static const char *const settings[] = {
		"ASSISTANT_NAME=", "NANOCLAW_", "SKILL_LIBRARY_PATH=", "XDG_RUNTIME_DIR="};

	veil_environment(ret_env);
	for (char **variable = environ; *variable; variable++)
		for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
			if (!strncmp(*variable, settings[i], strlen(settings[i])) &&
				!view_starts_with(view_of(*variable), "NANOCLAW_MODEL_KEY="))
				string_array_add_new(ret_env, *variable);
}

struct runs *runs_new(uv_loop_t *loop, int root)
{
	struct runs *runs = xcalloc(1, sizeof(*runs));

	runs_environment(&runs->env);

	runs->loop = loop;
	runs->root = root;
	return runs;
}

void runs_free(struct runs *runs)
{
	struct run_result stopped = {-1, view_of(""), view_of("the server stops")};

	if (!runs)
		return;
	while (runs->running || runs->waiting) {
		struct run **list = runs->running ? &runs->running : &runs->waiting;
		struct run *run = *list;

		*list = run->next;
		if (run->child)
			loop_child_abandon(run->child);
		run->handlers.ended(&stopped, run->data);
		uv_close((uv_handle_t *)&run->timer, run_freed);
	}
	string_array_release(&runs->env);
	free(runs);
}
