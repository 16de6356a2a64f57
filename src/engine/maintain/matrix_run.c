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

#include "engine/commit/pending.h"
#include "engine/commit/recovery.h"
#include "engine/disk/command.h"
#include "engine/maintain/copies.h"
#include "engine/maintain/matrix_store.h"
#include "engine/maintain/matrix_work.h"
#include "engine/resolution/resolution_folder.h"
#include "engine/resolution/resolution_import.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "proc/interrupt.h"

#define TICK_MS  100
#define GRACE_MS 5000

/* A core, as a folder that entries are copied from. */
struct run_core {
	struct project copy; /* its root is -1: not copied yet */
	struct hash hash;
	bool prepared;
};

/* An entry that is running. */
struct slot {
	pid_t pid; /* 0: nothing is */
	size_t number;
	int pipe;
	struct buf text; /* the report */
	char *name;      /* of its folder in the scratch folder */
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
	struct run_core *cores;
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

/* --- cores --- */

/* Initialize it, and run the setup command. */
static int prepare_core(struct running *r, size_t number, struct error *err)
{
	struct run_core *core = &r->cores[number];
	const char *version = r->matrix->cores.list[number].version;
	CLEANUP(freep) char *what = xasprintf("the setup of core %s", version);
	struct sys_calls before;
	int result;

	if (core->prepared)
		return 0;
	before = copy_skip_syncs();
	result = matrix_core_init(&core->copy, version, err);
	if (result == 0 && r->matrix->setup)
		result = command_run(&core->copy,
			&(struct command_request){
				.argv = (const char *const[]){"/bin/sh", "-c", r->matrix->setup,
					NULL},
				.what = what,
				.shown = r->matrix->setup,
				.kind = ERROR_FAILED,
				.installs = true,
				.seconds = r->options->seconds,
			},
			err);
	sys = before;
	core->prepared = result == 0;
	return result;
}

/* --- which entries to run --- */

static int compute_inputs(struct running *r, size_t number, struct error *err)
{
	const struct matrix_entry *entry = r->run->list[number].entry;

	return matrix_inputs(r->project, r->matrix, entry, r->options, &r->program,
		&r->cores[entry->core].hash, &r->inputs[number], err);
}

/* Copy each core once, and mark the entries whose inputs are unchanged. */
static int find_unchanged(struct running *r, struct error *err)
{
	for (size_t i = 0; i < r->run->count && !interrupt_pending(); i++) {
		struct matrix_result *result = &r->run->list[i];
		size_t number = result->entry->core;
		struct run_core *core = &r->cores[number];
		CLEANUP(freep) char *name = xasprintf("core-%zu", number);

		if (core->copy.root < 0 &&
			matrix_core_copy(r->project, &r->matrix->cores.list[number],
				&r->scratch, name, &core->copy, &core->hash, err) < 0)
			return -1;
		if (compute_inputs(r, i, err) < 0)
			return -1;
		if (!r->options->fresh &&
			matrix_store_has_passed(&r->store, result->entry, &r->inputs[i]))
			result->outcome = MATRIX_UNCHANGED;
		else if (prepare_core(r, number, err) < 0)
			return -1;
	}
	return 0;
}

/* --- starting --- */

static int start_entry(struct running *r, struct slot *slot, size_t number, struct error *err)
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
		.core = r->cores[result->entry->core].copy.root,
		.path = path,
		.lock = r->store.fd,
	};
	int64_t now = now_ms();
	int pipe;
	pid_t pid;

	if (matrix_store_open_log(&r->store, result->entry, &log, &result->log, err) < 0 ||
		copy_make_folder(r->scratch.fd, name, &folder, err) < 0)
		return -1;
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
		.name = TAKE(name),
		.started = now,
		.ends_at = now + (int64_t)r->options->seconds * 1000,
	};
	return 0;
}

/* A resolution that is recorded for a pair serves stacks, so these wait for pairs. */
static bool may_start(const struct running *r, const struct matrix_entry *entry)
{
	for (size_t i = 0; r->options->record && i < r->options->jobs; i++)
		if (r->slots[i].pid &&
			r->run->list[r->slots[i].number].entry->kind < entry->kind)
			return false;
	return true;
}

static int fill_slots(struct running *r, struct error *err)
{
	const struct matrix_watcher *watcher = &r->options->watcher;

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
		if (start_entry(r, &r->slots[i], r->next, err) < 0)
			return -1;
		if (watcher->started)
			watcher->started(r->run->list[r->next].entry, i, watcher->data);
		r->next++;
	}
	return 0;
}

/* --- ending --- */

/* Import the new resolutions into the project, which the caller may have locked already. */
static int record_learned(struct running *r, const struct slot *slot, struct error *err)
{
	CLEANUP(freep)
	char *folder = xasprintf("%s/%s/" MATRIX_WORK_LEARNED, r->scratch.path, slot->name);
	CLEANUP(import_result_release) struct import_result imported = IMPORT_RESULT_INIT;
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;
	CLEANUP(project_release) struct project own = PROJECT_INIT;
	bool locked = r->project->locked;

	if (!locked &&
		(project_open_folder(r->project->path, &own, err) < 0 ||
			project_lock(&own, err) < 0 || recovery_run(&own, &recovery, err) < 0 ||
			pending_refuse(&own, err) < 0))
		return -1;
	if (resolution_import(locked ? r->project : &own, folder, r->options->record, true,
		    &imported, err) < 0)
		return -1;
	r->run->list[slot->number].recorded = true;
	return compute_inputs(r, slot->number, err);
}

static char *hint_for_conflict(const struct matrix_result *result)
{
	if (!result->kept)
		return xasprintf("'nanoclaw matrix run --only %s --keep' leaves a copy to "
				 "resolve it in; '--record --resolver claude' has it resolved",
			result->entry->id);
	return xasprintf("resolve it in %s, type 'nanoclaw continue' and 'nanoclaw resolution "
			 "record --source maintainer --into " RESOLUTIONS_SHIPPED
			 "' there, and here 'nanoclaw resolution import %s/" RESOLUTIONS_SHIPPED
			 " --into " RESOLUTIONS_SHIPPED "'",
		result->kept, result->kept);
}

static void read_result(struct running *r, const struct slot *slot, int status,
	struct matrix_result *result, char **ret_copy)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool reported = matrix_work_read(view_of_buf(&slot->text), result, ret_copy);

	result->seconds = (double)(now_ms() - slot->started) / 1000;
	if (slot->timed_out)
		matrix_result_fail(result, MATRIX_TIMED_OUT,
			xasprintf("it took more than %u seconds", r->options->seconds));
	else if (!reported && WIFSIGNALED(status))
		matrix_result_fail(result, MATRIX_FAILED,
			xasprintf("its process was killed by signal %d (%s)", WTERMSIG(status),
				strsignal(WTERMSIG(status))));
	else if (!reported)
		matrix_result_fail(result, MATRIX_FAILED,
			xasprintf("its process ended without a result (exit code %d)",
				WEXITSTATUS(status)));
	else if (result->outcome == MATRIX_PASSED && result->learned.count &&
		 r->options->record && record_learned(r, slot, &err) < 0)
		matrix_result_fail(result, MATRIX_FAILED,
			xasprintf("it passed, but its resolutions cannot be recorded: %s",
				err.message));
}

static void slot_clear(struct slot *slot)
{
	closep(&slot->pipe);
	buf_release(&slot->text);
	free(slot->name);
	*slot = (struct slot){0};
}

/* The process has closed the pipe: it has ended, or is about to. */
static int end_entry(struct running *r, size_t worker, struct error *err)
{
	struct slot *slot = &r->slots[worker];
	struct matrix_result *result = &r->run->list[slot->number];
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *copy = NULL;
	CLEANUP(freep)
	char *kept =
		xasprintf("%s-%.100s", r->scratch.path, strchr(result->entry->id, '/') + 1);
	int status = 0, stored = 0;

	while (waitpid(slot->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!r->run->interrupted) {
		read_result(r, slot, status, result, &copy);
		if (copy && r->options->keep && matrix_outcome_is_failure(result->outcome)) {
			CLEANUP(freep) char *from = xasprintf("%s/%s", slot->name, copy);

			if (sys.rename(r->scratch.fd, from, AT_FDCWD, kept, RENAME_NOREPLACE) ==
				0)
				result->kept = TAKE(kept);
		}
		if (result->outcome == MATRIX_CONFLICT)
			result->hint = hint_for_conflict(result);
		/* A pass by resolutions that are not shipped must be tried again. */
		if (!result->learned.count ||
			(result->recorded &&
				!strcmp(r->options->record->text, RESOLUTIONS_SHIPPED)))
			stored = matrix_store_put(
				&r->store, result, &r->inputs[slot->number], err);
	}
	tree_remove(r->scratch.fd, slot->name, &ignored);
	slot_clear(slot);
	if (!r->run->interrupted && r->options->watcher.ended)
		r->options->watcher.ended(result, worker, r->options->watcher.data);
	return stored;
}

/* --- the loop --- */

/* Kill entries that take too long, and all entries after a signal. */
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
		if ((slot->timed_out || r->run->interrupted) && !slot->dies_at) {
			kill(slot->pid, SIGTERM);
			slot->dies_at = now + GRACE_MS;
		}
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

/* Read reports for up to TICK_MS. Returns -1 with an error, or how many entries were running.
 */
static int wait_for_some(struct running *r, struct error *err)
{
	struct pollfd fds[MATRIX_MAX_JOBS];
	size_t workers[MATRIX_MAX_JOBS];
	nfds_t count = 0;

	for (size_t i = 0; i < r->options->jobs; i++)
		if (r->slots[i].pid) {
			workers[count] = i;
			fds[count++] =
				(struct pollfd){.fd = r->slots[i].pipe, .events = POLLIN};
		}
	if (!count)
		return 0;
	if (poll(fds, count, TICK_MS) > 0)
		for (nfds_t i = 0; i < count; i++)
			if (fds[i].revents && !read_some(&r->slots[workers[i]]) &&
				end_entry(r, workers[i], err) < 0)
				return -1;
	if (r->options->watcher.ticked)
		r->options->watcher.ticked(r->options->watcher.data);
	return (int)count;
}

static int run_in_scratch(struct running *r, struct error *err)
{
	int left;

	r->cores = xcalloc(r->matrix->cores.count + 1, sizeof(*r->cores));
	for (size_t i = 0; i < r->matrix->cores.count; i++)
		r->cores[i].copy = PROJECT_INIT;
	if (find_unchanged(r, err) < 0)
		return -1;
	if (r->options->watcher.begun)
		r->options->watcher.begun(r->run, r->options->watcher.data);
	r->slots = xcalloc(r->options->jobs, sizeof(*r->slots));
	do {
		watch_time(r);
		left = r->run->interrupted ? 0 : fill_slots(r, err);
		if (left == 0)
			left = wait_for_some(r, err);
	} while (left > 0);
	/* After an error, entries may still be running. */
	for (size_t i = 0; i < r->options->jobs; i++)
		if (r->slots[i].pid) {
			kill(-r->slots[i].pid, SIGKILL);
			kill(r->slots[i].pid, SIGKILL);
			waitpid(r->slots[i].pid, NULL, 0);
			slot_clear(&r->slots[i]);
		}
	return left;
}

static void running_release(struct running *r)
{
	for (size_t i = 0; r->cores && i < r->matrix->cores.count; i++)
		project_release(&r->cores[i].copy);
	free(r->cores);
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
	const struct string_array *only = &options->only;
	int64_t begin = now_ms();
	int result;

	for (size_t i = 0; i < only->count; i++)
		if (!matrix_find(matrix, only->list[i])) {
			error_set(err, ERROR_INVALID, "the matrix has no entry '%s'",
				only->list[i]);
			return error_hint(err, "'nanoclaw matrix' shows them");
		}
	ret_run->list = xcalloc(matrix->count + 1, sizeof(*ret_run->list));
	for (size_t i = 0; i < matrix->count; i++)
		if (!only->count || string_array_has(only, matrix->list[i].id))
			ret_run->list[ret_run->count++].entry = &matrix->list[i];
	r.inputs = xcalloc(ret_run->count + 1, sizeof(*r.inputs));
	if (matrix_inputs_program(&r.program, err) < 0 ||
		matrix_store_open(project, &r.store, err) < 0 ||
		matrix_store_make_scratch(&r.store, &r.scratch, err) < 0)
		return -1;
	result = run_in_scratch(&r, err);
	ret_run->interrupted = ret_run->interrupted || interrupt_pending();
	matrix_store_remove_scratch(&r.store, &r.scratch, result < 0 ? &ignored : err);
	ret_run->seconds = (double)(now_ms() - begin) / 1000;
	ret_run->only_tests = true;
	for (size_t i = 0; i < ret_run->count; i++) {
		enum matrix_outcome outcome = ret_run->list[i].outcome;

		ret_run->passed += outcome == MATRIX_PASSED;
		ret_run->unchanged += outcome == MATRIX_UNCHANGED;
		ret_run->not_run += outcome == MATRIX_NOT_RUN;
		ret_run->failed += matrix_outcome_is_failure(outcome);
		if (matrix_outcome_is_failure(outcome) && outcome != MATRIX_TEST_FAILED)
			ret_run->only_tests = false;
	}
	return result;
}

void matrix_run_release(struct matrix_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		matrix_result_release(&run->list[i]);
	free(run->list);
}
