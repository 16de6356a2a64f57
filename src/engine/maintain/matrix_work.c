#include "engine/maintain/matrix_work.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "engine/maintain/matrix_attempt.h"
#include "engine/maintain/matrix_inputs.h"
#include "util/json.h"
#include "util/sys.h"
#include "util/tree.h"

/* Of a message; the log has all of it. */
#define MESSAGE_MAX 8000

/* --- an entry ---------------------------------------------------------------------------- */

struct working {
	const struct matrix_work *work;
	struct matrix_result result;
	int resolutions; /* the open folder of those that are shipped; or -1 */
	unsigned copies; /* that were made so far */
	char *copy;      /* the name of the last one */
	bool learned;
};

static void reset(struct matrix_result *result)
{
	free(result->message);
	result->message = NULL;
	result->outcome = MATRIX_NOT_RUN;
	string_array_release(&result->conflicts);
	result->conflicts = (struct string_array){0};
}

static void drop_copy(struct working *w)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (w->copy)
		tree_remove(w->work->folder, w->copy, &ignored);
	free(w->copy);
	w->copy = NULL;
}

static void try_it(struct working *w, size_t last, bool known)
{
	struct matrix_attempt attempt = {
		.work = w->work,
		.last = last,
		.known = known,
		.resolutions = w->resolutions,
	};

	drop_copy(w);
	reset(&w->result);
	w->copy = xasprintf("%u", ++w->copies);
	attempt.name = w->copy;
	matrix_attempt(&attempt, &w->result);
	if (w->result.message)
		printf("%s: %s\n", matrix_outcome_names[w->result.outcome], w->result.message);
	fflush(stdout);
}

/* From now on what was learned in this copy counts as shipped. */
static int take_learned(struct working *w, struct error *err)
{
	CLEANUP(freep) char *from = xasprintf("%s/" RESOLUTIONS_SHIPPED, w->copy);
	int fd;

	if (tree_remove(w->work->folder, MATRIX_WORK_LEARNED, err) < 0)
		return -1;
	if (sys.rename(w->work->folder, from, w->work->folder, MATRIX_WORK_LEARNED, 0) < 0)
		return error_errno(err, "cannot keep what was learned");
	fd = openat(w->work->folder, MATRIX_WORK_LEARNED,
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, "cannot keep what was learned");
	closep(&w->resolutions);
	w->resolutions = fd;
	w->learned = true;
	return 0;
}

/*
 * What is shipped does not settle it: does what is known here? If so, then once more from what
 * will be shipped alone.
 */
static void try_known(struct working *w, size_t last)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	try_it(w, last, true);
	if (w->result.outcome != MATRIX_PASSED)
		return;
	if (take_learned(w, &err) < 0) {
		w->result.outcome = MATRIX_FAILED;
		w->result.message = xstrdup(err.message);
		return;
	}
	try_it(w, last, false);
}

static bool passes(struct working *w, size_t last)
{
	const struct matrix_run_options *options = w->work->options;

	try_it(w, last, false);
	if (w->result.outcome == MATRIX_CONFLICT && (options->resolver || options->record))
		try_known(w, last);
	return w->result.outcome == MATRIX_PASSED;
}

/*
 * People apply skills in any order. What a merge comes to depends on which of them is merged
 * into what the others have made: so each of them is the last one once.
 */
static void run(struct working *w)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (matrix_inputs_open_shipped(w->work->project->root, &w->resolutions, &err) < 0) {
		w->result.outcome = MATRIX_FAILED;
		w->result.message = xstrdup(err.message);
		return;
	}
	for (size_t last = w->work->entry->skills.count; last > 0; last--)
		if (!passes(w, last - 1))
			return;
}

/* --- what is reported ------------------------------------------------------------- */

static json_t *strings_as_json(const struct string_array *strings)
{
	json_t *json = json_array();

	for (size_t i = 0; i < strings->count; i++)
		json_array_append_new(json, json_text(view_of(strings->list[i])));
	return json;
}

static json_t *text_or_null(const char *text)
{
	struct view view = view_of(text ? text : "");

	if (view.len > MESSAGE_MAX)
		view.len = MESSAGE_MAX;
	return text ? json_text(view) : json_null();
}

static void report(const struct working *w, int pipe)
{
	const struct matrix_result *result = &w->result;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *json = json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "outcome",
		(int)result->outcome, "message", text_or_null(result->message), "conflicts",
		strings_as_json(&result->conflicts), "settled",
		strings_as_json(&result->settled), "learned", strings_as_json(&result->learned),
		"copy", text_or_null(w->copy));

	json_write_ours(json, false, &text);
	json_decref(json);
	sys_write_all(pipe, text.data, text.len);
}

static void read_strings(const json_t *json, const char *key, struct string_array *strings)
{
	const json_t *list = json_object_get(json, key);

	for (size_t i = 0; i < json_array_size(list); i++)
		string_array_add(strings, json_string_value(json_array_get(list, i)));
}

static char *read_text(const json_t *json, const char *key)
{
	const char *text = json_string_value(json_object_get(json, key));

	return text ? xstrdup(text) : NULL;
}

bool matrix_work_read(struct view text, struct matrix_result *result, char **ret_copy)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	json_t *json = NULL;

	if (json_read(text, "", MATRIX_WORK_MAX, &json, &ignored) < 0)
		return false;
	result->outcome =
		(enum matrix_outcome)json_number_value(json_object_get(json, "outcome"));
	result->message = read_text(json, "message");
	read_strings(json, "conflicts", &result->conflicts);
	read_strings(json, "settled", &result->settled);
	read_strings(json, "learned", &result->learned);
	*ret_copy = read_text(json, "copy");
	json_decref(json);
	return true;
}

/* --- the process ------------------------------------------------------------------ */

static int no_sync(int fd)
{
	(void)fd;
	return 0;
}

/* Signals end us as anybody, and commands that are under way with us (process.h). */
static void prepare(const struct matrix_work *work, pid_t parent)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM};
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], SIG_DFL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* When our parent is killed, the next run must not find us with its lock. */
	close(work->lock);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(work->log, STDOUT_FILENO) < 0 ||
		dup2(work->log, STDERR_FILENO) < 0)
		_exit(1);
	/* A test that asks git about its folder must not hear about somebody else's. */
	setenv("GIT_CEILING_DIRECTORIES", work->path, 1);
	/* These are copies, which need not survive anything. */
	sys.sync = no_sync;
	sys.sync_all = no_sync;
}

static _Noreturn void work_in_child(const struct matrix_work *work, int pipe, pid_t parent)
{
	struct working w = {.work = work, .resolutions = -1};
	bool failed;

	prepare(work, parent);
	run(&w);
	failed = w.result.outcome != MATRIX_PASSED;
	if (!failed || !work->options->keep)
		drop_copy(&w);
	report(&w, pipe);
	_exit(0);
}

pid_t matrix_work_start(const struct matrix_work *work, int *ret_pipe, struct error *err)
{
	pid_t parent = getpid(), pid;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_errno(err, "cannot make a pipe");
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		work_in_child(work, ends[1], parent);
	closep(&ends[1]);
	if (pid < 0) {
		closep(&ends[0]);
		return error_errno(err, "cannot start a process");
	}
	*ret_pipe = ends[0];
	return pid;
}
