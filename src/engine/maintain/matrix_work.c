#include "engine/maintain/matrix_work.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "engine/conflict/last_resolved.h"
#include "engine/look/verify.h"
#include "engine/maintain/copies.h"
#include "engine/maintain/matrix_store.h"
#include "engine/operation/apply.h"
#include "engine/operation/remove.h"
#include "engine/resolution/resolution_folder.h"
#include "engine/resolution/rr_cache.h"
#include "engine/session/drift.h"
#include "engine/session/recorded.h"
#include "format/json.h"
#include "fs/sys.h"
#include "fs/tree.h"

/* How much of a message is reported; the log has all of it. */
#define MESSAGE_MAX 8000

struct working {
	const struct matrix_work *work;
	struct matrix_result result;
	int shipped;     /* the open folder of shipped resolutions; or -1 */
	unsigned copies; /* how many were made */
	char *copy;      /* the name of the last one, in the folder of the entry */
	size_t last;     /* the skill that is applied last in it */
	bool known;      /* use the project's own resolutions, its memory and the resolver */
	bool untested;   /* apply without tests: the files may be those that passed before */
	struct buf ran;  /* the commands after the skills were applied, in their order */
	char passed[HASH_HEX_SIZE]; /* of the files and commands that passed; "": none yet */
};

static void drop_copy(struct working *w)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (w->copy)
		tree_remove(w->work->folder, w->copy, &ignored);
	free(w->copy);
	w->copy = NULL;
}

/* --- the copy --- */

/* The core, the packages of the skills, and the known resolutions of their conflicts. */
static int make_copy(const struct working *w, struct error *err)
{
	const struct matrix_work *work = w->work;
	const struct string_array *order = &work->entry->order;
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;
	CLEANUP(closep) int to = -1;

	if (copy_folder(work->core, work->folder, w->copy, err) < 0 ||
		copy_open_folder(work->folder, w->copy, &to, err) < 0)
		return -1;
	for (size_t i = 0; i < order->count; i++) {
		const struct package *package =
			package_list_find(&work->matrix->packages, order->list[i]);

		if (copy_folder(package->fd, to, package->folder, err) < 0)
			return error_prefix(err, "%s", package->folder);
	}
	if (matrix_shipped_names(work->matrix, work->entry, w->shipped, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.count; i++) {
		CLEANUP(freep)
		char *path = xasprintf(RESOLUTIONS_SHIPPED "/%s", names.list[i]);

		if (copy_folder_if_there(w->shipped, names.list[i], to, path, err) < 0)
			return -1;
	}
	if (w->known && copy_folder_if_there(work->project->root, RESOLUTIONS_OWN, to,
				RESOLUTIONS_OWN, err) < 0)
		return -1;
	if (!w->known || !(work->options->record || work->options->resolver))
		return 0;
	/* The copy has no repository: conflicts that git remembers become its own memory. */
	rr_cache_open(work->project->root, &cache);
	if (cache.hash == RERERE_SHA1 &&
		copy_folder_if_there(cache.top,
			cache.in_git ? "rr-cache" : ".nanoclaw/rr-cache", to,
			".nanoclaw/rr-cache", err) < 0)
		return -1;
	return copy_folder_if_there(
		work->project->root, ".nanoclaw/hunks", to, ".nanoclaw/hunks", err);
}

/* --- operations --- */

static int refuse_question(void *data, const char *question, const char *const *choices,
	size_t count, size_t recommended, struct error *err)
{
	(void)data;
	(void)choices;
	(void)count;
	(void)recommended;
	return error_set(err, ERROR_INVALID, "cannot ask: %s", question);
}

/* For a resolver the error must have the output of a failed test: then it is not shown live. */
static struct operation_options attempt_options(const struct working *w)
{
	const struct matrix_run_options *run = w->work->options;
	const char *resolver = w->known ? run->resolver : NULL;

	return (struct operation_options){
		.allow_commands = true, /* running the matrix means running them */
		.resolver = resolver,
		.on_drift = ON_DRIFT_CONTINUE,
		.no_install = run->no_install,
		.live = !resolver,
		.test_seconds = run->test_seconds,
		.ask = {.choose = refuse_question},
	};
}

static void log_files(const struct operation_result *done)
{
	for (size_t i = 0; i < done->file_count; i++)
		printf("  %-9s %s (%s)\n", outcome_names[done->files[i].outcome],
			done->files[i].path, done->files[i].skill);
	for (size_t i = 0; i < done->warning_count; i++)
		printf("warning: %s\n", done->warnings[i]);
	fflush(stdout);
}

/* If the operation has paused, the result of the attempt is a conflict. */
static void report_conflicts(
	struct working *w, const struct operation_result *done, const char *what)
{
	struct matrix_result *result = &w->result;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!done->paused)
		return;
	for (size_t i = 0; i < done->conflict_count; i++)
		string_array_add_new(&result->conflicts, done->conflicts[i].path.text);
	buf_appendf(&text, "%s: a conflict in ", what);
	for (size_t i = 0; i < result->conflicts.count; i++)
		buf_appendf(&text, "%s'%s'", i ? ", " : "", result->conflicts.list[i]);
	buf_append_str(&text,
		w->known ? " without a known resolution" : " without a shipped resolution");
	for (size_t i = 0; i < done->warning_count && w->known; i++)
		buf_appendf(&text, "\n%s", done->warnings[i]);
	result->outcome = MATRIX_CONFLICT;
	result->message = buf_take(&text);
}

static int apply_entry(struct working *w, const struct project *project, struct error *err)
{
	const struct matrix_entry *entry = w->work->entry;
	CLEANUP(operation_result_release) struct operation_result done = OPERATION_RESULT_INIT;
	CLEANUP(freep) const char **typed = xcalloc(entry->order.count, sizeof(*typed));
	CLEANUP(buf_release) struct buf what = BUF_INIT;
	struct operation_options options = attempt_options(w);
	size_t count = 0;
	int applied;

	options.no_test = w->untested;
	for (size_t i = 0; i < entry->order.count; i++)
		if (strcmp(entry->order.list[i], entry->skills.list[w->last]) != 0)
			typed[count++] = entry->order.list[i];
	typed[count++] = entry->skills.list[w->last];
	buf_append_str(&what, "apply");
	for (size_t i = 0; i < count; i++)
		buf_appendf(&what, " %s", typed[i]);
	printf("== %s%s\n", what.data, w->known ? ", with local resolutions" : "");
	fflush(stdout);
	applied = apply_skills(project, APPLY_OPERATION, typed, count, &options, &done, err);
	log_files(&done);
	if (applied < 0)
		return -1;
	buf_clear(&w->ran);
	for (size_t i = 0; i < done.command_count; i++)
		if (done.commands[i].kind == COMMAND_POST_APPLY)
			buf_appendf(&w->ran, "%s\n", done.commands[i].text);
	for (size_t i = 0; i < done.file_count; i++)
		if (done.files[i].outcome == OUTCOME_RESOLVED)
			string_array_add_new(&w->result.resolved, done.files[i].path);
	report_conflicts(w, &done, what.data);
	return 0;
}

/* The skill that was applied last is removed first. */
static int remove_all(struct working *w, const struct project *project, struct error *err)
{
	struct operation_options options = attempt_options(w);
	CLEANUP(state_release) struct state state = STATE_INIT;
	bool found;

	if (state_load(project, &state, &found, err) < 0)
		return -1;
	for (size_t i = state.skill_count; i > 0 && w->result.outcome != MATRIX_CONFLICT; i--) {
		const char *skill = state.skills[i - 1].name;
		CLEANUP(operation_result_release)
		struct operation_result done = OPERATION_RESULT_INIT;
		CLEANUP(freep) char *what = xasprintf("remove %s", skill);

		printf("== %s\n", what);
		fflush(stdout);
		if (remove_skills(project, &skill, 1, false, &options, &done, err) < 0)
			return error_prefix(err, "%s", what);
		log_files(&done);
		report_conflicts(w, &done, what);
	}
	return 0;
}

/* --- the attempt --- */

static bool drift_has(const struct drift_list *drift, const char *path)
{
	for (size_t i = 0; i < drift->count; i++)
		if (!strcmp(drift->list[i].path, path))
			return true;
	return false;
}

/* Every file is as recorded, except the files that already differed `before`. */
static int check_recorded(const struct project *project, const struct drift_list *before,
	const char *when, struct error *err)
{
	CLEANUP(verify_result_release) struct verify_result found = VERIFY_RESULT_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	bool there;

	if (state_load(project, &state, &there, err) < 0 ||
		verify(project, &state, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < found.count; i++)
		if (!drift_has(before, found.list[i].path))
			return error_set(err, ERROR_FAILED, "%s '%s' is not as recorded (%s)",
				when, found.list[i].path, found.list[i].change);
	return 0;
}

/*
 * Of all files that the skills have added, changed or deleted, as recorded. Commands may have changed
 * others, so their order counts as well.
 */
static int hash_result(const struct working *w, const struct project *project, char *ret_hex,
	struct error *err)
{
	CLEANUP(recorded_release) struct recorded recorded = RECORDED_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(buf_release) struct buf list = BUF_INIT;
	bool found;

	if (state_load(project, &state, &found, err) < 0 ||
		recorded_collect(&state, &recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < recorded.count; i++) {
		const struct layer_file *file = &recorded.files[i].file;
		char hex[HASH_HEX_SIZE];

		hash_to_hex(&file->hash, hex);
		buf_appendf(&list, "%s %s %s\n",
			file->kind == TX_ABSENT ? "-" : layer_file_mode(file),
			file->kind == TX_ABSENT ? "-" : hex, recorded.files[i].path);
	}
	buf_append(&list, w->ran.data, w->ran.len);
	hash_hex_of(view_of_buf(&list), ret_hex);
	return 0;
}

/* The outcome stays MATRIX_NOT_RUN if tests were left out, and the files have never passed them. */
static int attempt_entry(struct working *w, struct error *err)
{
	CLEANUP(last_resolved_record_result_release)
	struct last_resolved_record_result recorded = {0};
	CLEANUP(relpath_release) struct relpath shipped = relpath_of(RESOLUTIONS_SHIPPED);
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(drift_list_release) struct drift_list before = DRIFT_LIST_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(freep) char *path = xasprintf("%s/%s", w->work->path, w->copy);
	char result[HASH_HEX_SIZE];
	bool found;

	if (make_copy(w, err) < 0 || project_open_folder(path, &project, err) < 0 ||
		project_lock(&project, err) < 0 ||
		state_load(&project, &state, &found, err) < 0 ||
		drift_find(&project, &state, &before, err) < 0 ||
		apply_entry(w, &project, err) < 0)
		return -1;
	if (w->result.outcome == MATRIX_CONFLICT)
		return 0;
	if (check_recorded(&project, &before, "after the skills were applied", err) < 0 ||
		hash_result(w, &project, result, err) < 0)
		return -1;
	if (w->untested && strcmp(result, w->passed) != 0)
		return 0;
	if (w->untested)
		puts("the same files have already passed the tests");
	memcpy(w->passed, result, sizeof(result));
	if (w->work->options->removal) {
		if (remove_all(w, &project, err) < 0)
			return -1;
		if (w->result.outcome == MATRIX_CONFLICT)
			return 0;
		if (check_recorded(&project, &before, "after the skills were removed", err) < 0)
			return -1;
	}
	/* Make shipped resolutions of the conflicts that were resolved in the copy. */
	if (w->known &&
		last_resolved_record(&project, &shipped,
			w->work->options->resolver ? NULL : "maintainer", &recorded, err) < 0)
		return -1;
	for (size_t i = 0; i < recorded.key_count; i++)
		string_array_add(&w->result.learned, recorded.keys[i]);
	w->result.outcome = MATRIX_PASSED;
	return 0;
}

static void attempt_in_new_copy(struct working *w)
{
	struct matrix_result *result = &w->result;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	drop_copy(w);
	w->copy = xasprintf("%u", ++w->copies);
	matrix_result_fail(result, MATRIX_NOT_RUN, NULL);
	string_array_release(&result->conflicts);
	result->conflicts = (struct string_array){0};
	/* Hints are for people who typed the command. */
	if (attempt_entry(w, &err) < 0)
		matrix_result_fail(result,
			err.kind == ERROR_TEST ? MATRIX_TEST_FAILED : MATRIX_FAILED,
			xstrdup(err.message));
	if (result->message)
		printf("%s: %s\n", matrix_outcome_names[result->outcome], result->message);
	fflush(stdout);
}

/*
 * `last` is applied last, as far as dependencies allow. Most orders give the same files, which are
 * not tested again.
 */
static void attempt(struct working *w, size_t last, bool known)
{
	w->last = last;
	w->known = known;
	w->untested = w->passed[0] && !known;
	attempt_in_new_copy(w);
	if (w->result.outcome == MATRIX_NOT_RUN) {
		w->untested = false;
		attempt_in_new_copy(w);
	}
}

/* --- the entry --- */

/*
 * People apply skills in any order, and the order decides what is merged into what: so each
 * skill is the last one once. A conflict that the shipped resolutions do not resolve is tried
 * again with what is known here, and then from the new resolutions alone.
 */
static int run_entry(struct working *w, struct error *err)
{
	const struct matrix_run_options *options = w->work->options;
	int folder = w->work->folder;

	if (matrix_shipped_open(w->work->project->root, &w->shipped, err) < 0)
		return -1;
	for (size_t last = w->work->entry->skills.count; last > 0; last--) {
		CLEANUP(freep) char *learned = NULL;

		attempt(w, last - 1, false);
		if (w->result.outcome == MATRIX_CONFLICT &&
			(options->resolver || options->record ||
				faccessat(w->work->project->root, RESOLUTIONS_OWN, F_OK, 0) ==
					0)) {
			attempt(w, last - 1, true);
			if (w->result.outcome != MATRIX_PASSED)
				return 0;
			/* The resolutions that were recorded in this copy count as shipped now. */
			learned = xasprintf("%s/" RESOLUTIONS_SHIPPED, w->copy);
			if (tree_remove(folder, MATRIX_WORK_LEARNED, err) < 0)
				return -1;
			if (sys.rename(folder, learned, folder, MATRIX_WORK_LEARNED, 0) < 0)
				return error_errno(err, "cannot keep the learned resolutions");
			closep(&w->shipped);
			if (copy_open_folder(folder, MATRIX_WORK_LEARNED, &w->shipped, err) < 0)
				return -1;
			attempt(w, last - 1, false);
		}
		if (w->result.outcome != MATRIX_PASSED)
			return 0;
	}
	return 0;
}

/* --- the report --- */

static void report_strings(const json_t *json, const char *key, struct string_array *strings)
{
	const json_t *list = json_object_get(json, key);

	for (size_t i = 0; i < json_array_size(list); i++)
		string_array_add(strings, json_string_value(json_array_get(list, i)));
}

static char *report_text(const json_t *json, const char *key)
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
	result->message = report_text(json, "message");
	report_strings(json, "conflicts", &result->conflicts);
	report_strings(json, "settled", &result->resolved);
	report_strings(json, "learned", &result->learned);
	*ret_copy = report_text(json, "copy");
	json_decref(json);
	return true;
}

/* --- the process --- */

/* Signals have their default effect again, also on running commands (process.h). */
static void prepare_child(const struct matrix_work *work, pid_t parent)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM};
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		signal(signals[i], SIG_DFL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	/* When our parent is killed, we must not keep the next run out. */
	close(work->lock);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(work->log, STDOUT_FILENO) < 0 ||
		dup2(work->log, STDERR_FILENO) < 0)
		_exit(1);
	/* A test that asks git about its folder must not find a repository above it. */
	setenv("GIT_CEILING_DIRECTORIES", work->path, 1);
	copy_skip_syncs();
}

static _Noreturn void work_in_child(const struct matrix_work *work, int pipe, pid_t parent)
{
	struct working w = {.work = work, .shipped = -1, .ran = BUF_INIT};
	struct matrix_result *result = &w.result;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	prepare_child(work, parent);
	if (run_entry(&w, &err) < 0)
		matrix_result_fail(result, MATRIX_FAILED, xstrdup(err.message));
	if (result->outcome == MATRIX_PASSED || !work->options->keep)
		drop_copy(&w);
	if (result->message && strlen(result->message) > MESSAGE_MAX)
		result->message[MESSAGE_MAX] = '\0';
	json_write_ours(
		json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "outcome", (int)result->outcome,
			"message", json_text_or_null(result->message), "conflicts",
			json_strings(&result->conflicts), "settled",
			json_strings(&result->resolved), "learned",
			json_strings(&result->learned), "copy", json_text_or_null(w.copy)),
		false, &text);
	sys_write_all(pipe, text.data, text.len);
	_exit(0);
}

pid_t matrix_work_start(const struct matrix_work *work, int *ret_pipe, struct error *err)
{
	pid_t parent = getpid(), pid;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_errno(err, "cannot create a pipe");
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
