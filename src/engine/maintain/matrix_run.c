#include "engine/maintain/matrix_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/commit/recovery.h"
#include "engine/maintain/matrix_cores_ready.h"
#include "engine/maintain/matrix_inputs.h"
#include "engine/maintain/matrix_store.h"
#include "engine/maintain/matrix_work.h"
#include "engine/resolution/resolution_import.h"
#include "util/interrupt.h"
#include "util/sys.h"
#include "util/tree.h"

#define TICK_MS  100
#define GRACE_MS 5000

const char *const matrix_outcome_names[] = {
	[MATRIX_NOT_RUN] = "not run",
	[MATRIX_PASSED] = "passed",
	[MATRIX_UNCHANGED] = "unchanged",
	[MATRIX_FAILED] = "failed",
	[MATRIX_TEST_FAILED] = "test failed",
	[MATRIX_CONFLICT] = "conflict",
	[MATRIX_TIMED_OUT] = "timed out",
};

bool matrix_outcome_is_failure(enum matrix_outcome outcome)
{
	return outcome >= MATRIX_FAILED;
}

/* An entry that is under way. */
struct slot {
	pid_t pid; /* 0: nothing is */
	size_t number;
	int pipe;
	struct buf text; /* what came out of it */
	int folder;
	char *name; /* of the folder in the scratch folder */
	int64_t started;
	int64_t ends_at; /* when it gets SIGTERM, and */
	int64_t dies_at; /* SIGKILL; 0: not yet */
	bool timed_out;
};

struct running {
	const struct project *project;
	const struct matrix *matrix;
	const struct matrix_run_options *options;
	struct matrix_run *run;
	struct matrix_store store;
	struct scratch scratch;
	struct matrix_ready ready;
	struct hash program;
	struct hash *inputs; /* of each entry */
	struct slot *slots;
	size_t next; /* the first that may not have been started */
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* --- what there is to do --------------------------------------------------------------- */

static int check_only(const struct matrix *matrix, const struct matrix_run_options *options,
	struct error *err)
{
	for (size_t i = 0; i < options->only_count; i++)
		if (!matrix_find(matrix, options->only[i])) {
			error_set(err, ERROR_INVALID, "the matrix has no entry '%s'",
				options->only[i]);
			return error_hint(err, "'nanoclaw matrix' shows them");
		}
	return 0;
}

static bool is_chosen(
	const struct matrix_run_options *options, const struct matrix_entry *entry)
{
	for (size_t i = 0; i < options->only_count; i++)
		if (!strcmp(options->only[i], entry->id))
			return true;
	return !options->only_count;
}

static void choose(struct running *r)
{
	struct matrix_run *run = r->run;

	run->list = xcalloc(r->matrix->count + 1, sizeof(*run->list));
	for (size_t i = 0; i < r->matrix->count; i++)
		if (is_chosen(r->options, &r->matrix->list[i]))
			run->list[run->count++].entry = &r->matrix->list[i];
	r->inputs = xcalloc(run->count + 1, sizeof(*r->inputs));
}

static int compute_inputs(struct running *r, size_t number, struct error *err)
{
	const struct matrix_entry *entry = r->run->list[number].entry;

	return matrix_inputs(r->project, r->matrix, entry, r->options, &r->program,
		&r->ready.list[entry->core].hash, &r->inputs[number], err);
}

/* Bring the cores, and see what has changed since the last time. */
static int look(struct running *r, struct error *err)
{
	for (size_t i = 0; i < r->run->count && !interrupt_pending(); i++) {
		struct matrix_result *result = &r->run->list[i];
		size_t core = result->entry->core;

		if (matrix_ready_bring(&r->ready, core, err) < 0 ||
			compute_inputs(r, i, err) < 0)
			return -1;
		if (!r->options->fresh &&
			matrix_store_has_passed(&r->store, result->entry, &r->inputs[i]))
			result->outcome = MATRIX_UNCHANGED;
		else if (matrix_ready_prepare(&r->ready, core, err) < 0)
			return -1;
	}
	return 0;
}

/* --- starting -------------------------------------------------------------------------- */

static int start(struct running *r, struct slot *slot, size_t number, struct error *err)
{
	struct matrix_result *result = &r->run->list[number];
	CLEANUP(freep) char *name = xasprintf("%zu", number);
	CLEANUP(freep) char *path = xasprintf("%s/%s", r->scratch.path, name);
	CLEANUP(closep) int log = -1;
	CLEANUP(closep) int folder = -1;
	struct matrix_work work = {
		.project = r->project,
		.matrix = r->matrix,
		.entry = result->entry,
		.options = r->options,
		.core = r->ready.list[result->entry->core].fd,
		.path = path,
		.lock = r->store.fd,
	};
	int pipe;
	pid_t pid;

	if (matrix_store_open_log(&r->store, result->entry, &log, &result->log, err) < 0)
		return -1;
	if (sys.mkdir(r->scratch.fd, name, 0777) < 0)
		return error_errno(err, "cannot make a folder for '%s'", result->entry->id);
	folder = openat(r->scratch.fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return error_errno(err, "cannot open the folder for '%s'", result->entry->id);
	work.folder = folder;
	work.log = log;
	pid = matrix_work_start(&work, &pipe, err);
	if (pid < 0)
		return -1;
	*slot = (struct slot){
		.pid = pid,
		.number = number,
		.pipe = pipe,
		.text = BUF_INIT_MAX(MATRIX_WORK_MAX),
		.folder = TAKE_FD(folder),
		.name = TAKE(name),
		.started = now_ms(),
	};
	slot->ends_at = slot->started + (int64_t)r->options->seconds * 1000;
	return 0;
}

/* What is recorded for a pair serves the stacks that it is in: these have to wait for it. */
static bool may_start(const struct running *r, const struct matrix_entry *entry)
{
	for (size_t i = 0; r->options->record && i < r->options->jobs; i++)
		if (r->slots[i].pid &&
			r->run->list[r->slots[i].number].entry->kind < entry->kind)
			return false;
	return true;
}

static int fill(struct running *r, struct error *err)
{
	for (size_t i = 0; i < r->options->jobs; i++) {
		while (r->next < r->run->count &&
			r->run->list[r->next].outcome != MATRIX_NOT_RUN)
			r->next++;
		if (r->next == r->run->count)
			return 0;
		if (r->slots[i].pid)
			continue;
		if (!may_start(r, r->run->list[r->next].entry))
			return 0;
		if (start(r, &r->slots[i], r->next, err) < 0)
			return -1;
		if (r->options->watcher.started)
			r->options->watcher.started(
				r->run->list[r->next].entry, i, r->options->watcher.data);
		r->next++;
	}
	return 0;
}

/* --- ending ---------------------------------------------------------------------------- */

static void fail_with(struct matrix_result *result, enum matrix_outcome outcome, char *message)
{
	result->outcome = outcome;
	free(result->message);
	result->message = message;
}

/* The project may be locked already, by whoever called us. */
static int lock(const struct project *project, struct project *own, struct error *err)
{
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;

	if (project->locked)
		return 0;
	if (project_open_folder(project->path, own, err) < 0 || project_lock(own, err) < 0 ||
		recovery_run(own, &recovery, err) < 0)
		return -1;
	return pending_refuse(own, err);
}

/* From the copies into the project. */
static int take(struct running *r, const struct slot *slot, struct matrix_result *result,
	struct error *err)
{
	CLEANUP(freep)
	char *folder = xasprintf("%s/%s/" MATRIX_WORK_LEARNED, r->scratch.path, slot->name);
	CLEANUP(import_result_release) struct import_result imported = IMPORT_RESULT_INIT;
	CLEANUP(project_release) struct project own = PROJECT_INIT;

	if (lock(r->project, &own, err) < 0 ||
		resolution_import(r->project->locked ? r->project : &own, folder,
			r->options->record, true, &imported, err) < 0)
		return -1;
	result->recorded = true;
	return compute_inputs(r, slot->number, err);
}

static void record(struct running *r, const struct slot *slot, struct matrix_result *result)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (!result->learned.count || result->outcome != MATRIX_PASSED || !r->options->record)
		return;
	if (take(r, slot, result, &err) < 0)
		fail_with(result, MATRIX_FAILED,
			xasprintf("it has passed, but its resolutions cannot be recorded: %s",
				err.message));
}

static void keep(struct running *r, const struct slot *slot, const char *copy,
	struct matrix_result *result)
{
	const char *skills = strchr(result->entry->id, '/') + 1;
	CLEANUP(freep) char *from = xasprintf("%s/%s", slot->name, copy);
	CLEANUP(freep) char *to = xasprintf("%s-%.100s", r->scratch.path, skills);

	if (sys.rename(r->scratch.fd, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		result->kept = TAKE(to);
}

static void add_hint(struct matrix_result *result)
{
	const char *id = result->entry->id;

	if (result->outcome != MATRIX_CONFLICT || result->hint)
		return;
	if (result->kept)
		result->hint = xasprintf(
			"settle it in %s, type 'nanoclaw continue' and 'nanoclaw resolution "
			"record --source maintainer --into " RESOLUTIONS_SHIPPED
			"' there, and here 'nanoclaw resolution import %s/" RESOLUTIONS_SHIPPED
			" --into " RESOLUTIONS_SHIPPED "'",
			result->kept, result->kept);
	else
		result->hint = xasprintf("'nanoclaw matrix run --only %s --keep' leaves a copy "
					 "to settle it in; '--record --resolver claude' has it "
					 "settled",
			id);
}

static void explain(struct running *r, const struct slot *slot, int status,
	struct matrix_result *result, char **ret_copy)
{
	bool reported = matrix_work_read(view_of_buf(&slot->text), result, ret_copy);

	if (slot->timed_out)
		fail_with(result, MATRIX_TIMED_OUT,
			xasprintf("it took more than %u seconds", r->options->seconds));
	else if (!reported && WIFSIGNALED(status))
		fail_with(result, MATRIX_FAILED,
			xasprintf("its process was ended by signal %d (%s)", WTERMSIG(status),
				strsignal(WTERMSIG(status))));
	else if (!reported)
		fail_with(result, MATRIX_FAILED,
			xasprintf("its process ended without a result (exit code %d)",
				WEXITSTATUS(status)));
}

static void slot_clear(struct slot *slot)
{
	closep(&slot->pipe);
	closep(&slot->folder);
	buf_release(&slot->text);
	free(slot->name);
	*slot = (struct slot){0};
}

/* Its process has closed the pipe: it has ended, or is about to. */
static int end(struct running *r, size_t worker, struct error *err)
{
	struct slot *slot = &r->slots[worker];
	struct matrix_result *result = &r->run->list[slot->number];
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *copy = NULL;
	int status = 0, put = 0;

	while (waitpid(slot->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!r->run->interrupted) {
		explain(r, slot, status, result, &copy);
		result->seconds = (double)(now_ms() - slot->started) / 1000;
		record(r, slot, result);
		if (copy && r->options->keep && matrix_outcome_is_failure(result->outcome))
			keep(r, slot, copy, result);
		add_hint(result);
		/* What has passed only here must be tried again. */
		if (!result->learned.count || result->recorded)
			put = matrix_store_put(
				&r->store, result, &r->inputs[slot->number], err);
	}
	tree_remove(r->scratch.fd, slot->name, &ignored);
	slot_clear(slot);
	if (!r->run->interrupted && r->options->watcher.ended)
		r->options->watcher.ended(result, worker, r->options->watcher.data);
	return put;
}

static void stop(struct slot *slot, int64_t now)
{
	if (slot->dies_at)
		return;
	kill(slot->pid, SIGTERM);
	slot->dies_at = now + GRACE_MS;
}

/* --- the loop -------------------------------------------------------------------------- */

static void watch_time(struct running *r)
{
	int64_t now = now_ms();

	if (interrupt_pending())
		r->run->interrupted = true;
	for (size_t i = 0; i < r->options->jobs; i++) {
		struct slot *slot = &r->slots[i];

		if (!slot->pid)
			continue;
		if (!r->run->interrupted && now >= slot->ends_at && !slot->dies_at)
			slot->timed_out = true;
		if (slot->timed_out || r->run->interrupted)
			stop(slot, now);
		if (slot->dies_at && now >= slot->dies_at)
			kill(-slot->pid, SIGKILL);
	}
}

/* Returns false at the end of the pipe. */
static bool read_some(struct slot *slot)
{
	char piece[4096];
	ssize_t len = read(slot->pipe, piece, sizeof(piece));

	if (len > 0)
		buf_append(&slot->text, piece, (size_t)len);
	return len > 0 || (len < 0 && errno == EINTR);
}

/* Wait for one of them; returns -1 with an error, or how many are under way. */
static int wait_for_some(struct running *r, struct error *err)
{
	struct pollfd fds[MATRIX_MAX_JOBS];
	size_t workers[MATRIX_MAX_JOBS];
	nfds_t count = 0;

	for (size_t i = 0; i < r->options->jobs; i++)
		if (r->slots[i].pid) {
			workers[count] = i;
			fds[count++] = (struct pollfd){
				.fd = r->slots[i].pipe,
				.events = POLLIN,
			};
		}
	if (!count)
		return 0;
	if (poll(fds, count, TICK_MS) > 0)
		for (nfds_t i = 0; i < count; i++)
			if (fds[i].revents && !read_some(&r->slots[workers[i]]) &&
				end(r, workers[i], err) < 0)
				return -1;
	if (r->options->watcher.ticked)
		r->options->watcher.ticked(r->options->watcher.data);
	return (int)count;
}

static int go_on(struct running *r, struct error *err)
{
	int left;

	do {
		watch_time(r);
		if (!r->run->interrupted && fill(r, err) < 0)
			return -1;
		left = wait_for_some(r, err);
	} while (left > 0);
	return left;
}

/* After an error: nobody is left behind. */
static void end_all(struct running *r)
{
	for (size_t i = 0; r->slots && i < r->options->jobs; i++)
		if (r->slots[i].pid) {
			kill(-r->slots[i].pid, SIGKILL);
			kill(r->slots[i].pid, SIGKILL);
			waitpid(r->slots[i].pid, NULL, 0);
			slot_clear(&r->slots[i]);
		}
}

/* --- the whole ------------------------------------------------------------------------- */

static void count(struct matrix_run *run)
{
	run->only_tests = true;
	for (size_t i = 0; i < run->count; i++) {
		enum matrix_outcome outcome = run->list[i].outcome;

		run->passed += outcome == MATRIX_PASSED;
		run->unchanged += outcome == MATRIX_UNCHANGED;
		run->not_run += outcome == MATRIX_NOT_RUN;
		run->failed += matrix_outcome_is_failure(outcome);
		if (matrix_outcome_is_failure(outcome) && outcome != MATRIX_TEST_FAILED)
			run->only_tests = false;
	}
}

static int run_in_scratch(struct running *r, struct error *err)
{
	int result;

	matrix_ready_init(&r->ready, r->project, r->matrix, &r->scratch, r->options->seconds);
	if (look(r, err) < 0)
		return -1;
	if (r->options->watcher.begun)
		r->options->watcher.begun(r->run, r->options->watcher.data);
	r->slots = xcalloc(r->options->jobs, sizeof(*r->slots));
	result = go_on(r, err);
	end_all(r);
	return result;
}

static void running_release(struct running *r)
{
	matrix_ready_release(&r->ready);
	matrix_store_release(&r->store);
	free(r->inputs);
	free(r->slots);
}

int matrix_run(const struct project *project, const struct matrix *matrix,
	const struct matrix_run_options *options, struct matrix_run *ret_run, struct error *err)
{
	CLEANUP(running_release)
	struct running r = {
		.project = project,
		.matrix = matrix,
		.options = options,
		.run = ret_run,
		.store = MATRIX_STORE_INIT,
	};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	int64_t begin = now_ms();
	int result;

	if (check_only(matrix, options, err) < 0 ||
		matrix_inputs_program(&r.program, err) < 0 ||
		matrix_store_open(project, &r.store, err) < 0)
		return -1;
	choose(&r);
	if (matrix_store_make_scratch(&r.store, &r.scratch, err) < 0)
		return -1;
	result = run_in_scratch(&r, err);
	ret_run->interrupted = ret_run->interrupted || interrupt_pending();
	matrix_store_remove_scratch(&r.store, &r.scratch, result < 0 ? &ignored : err);
	ret_run->seconds = (double)(now_ms() - begin) / 1000;
	count(ret_run);
	return result;
}

static void result_release(struct matrix_result *result)
{
	free(result->message);
	free(result->hint);
	free(result->log);
	free(result->kept);
	string_array_release(&result->conflicts);
	string_array_release(&result->settled);
	string_array_release(&result->learned);
}

void matrix_run_release(struct matrix_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		result_release(&run->list[i]);
	free(run->list);
}
