#include "engine/doctor/internal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/base.h"
#include "engine/disk/rollback.h"
#include "engine/package/semver.h"
#include "fs/beneath.h"
#include "fs/scratch.h"

const char *const rebuild_certainty_names[] = {
	[REBUILD_SURE] = "sure",
	[REBUILD_GUESS] = "guess",
	[REBUILD_LOST] = "lost",
};

void rebuild_note(struct rebuild *r, enum rebuild_certainty certainty, const char *format, ...)
{
	struct rebuild_report *report = r->report;
	struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	GROW(report->notes, report->note_count, report->note_cap);
	report->notes[report->note_count++] =
		(struct rebuild_note){.certainty = certainty, .text = buf_take(&text)};
}

void rebuild_report_release(struct rebuild_report *report)
{
	for (size_t i = 0; i < report->note_count; i++)
		free(report->notes[i].text);
	free(report->notes);
	free(report->kept);
	string_array_release(&report->damaged);
	string_array_release(&report->broken_history);
}

void rebuild_release(struct rebuild *r)
{
	error_release(&r->unreadable);
	transaction_free(r->look);
	state_release(&r->state);
	state_release(&r->older);
	rebuild_past_release(&r->past);
	base_sums_release(&r->sums);
	free(r->core_version);
	rebuild_contents_release(&r->contents);
	package_list_release(&r->packages);
	rebuild_files_release(&r->base);
	for (size_t i = 0; i < r->skill_count; i++)
		rebuild_skill_release(&r->skills[i]);
	free(r->skills);
	for (size_t i = 0; i < r->patch_count; i++)
		rebuild_patch_release(&r->patches[i]);
	free(r->patches);
	string_array_release(&r->discarded);
	string_array_release(&r->renames);
}

/* --- what survived ------------------------------------------------------------------------ */

/* The former state; or the one that was lost, found again; or else an older one. */
static void read_state(struct rebuild *r)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	const char *where;

	if (!r->report->state_cut &&
		state_load(r->project, &r->state, &r->has_state, &failed) == 0 &&
		r->has_state) {
		rebuild_note(r, REBUILD_SURE, "'%s' can be read, and is used", STATE_PATH);
		return;
	}
	rebuild_judge(r, &failed);
	if (rebuild_history_state(r, &r->state)) {
		r->has_state = true;
		rebuild_note(r, REBUILD_SURE,
			"'%s' was lost, and was found by the hash that the last operation recorded",
			STATE_PATH);
		return;
	}
	rebuild_note(
		r, REBUILD_LOST, "'%s' is lost; it is rebuilt from other data", STATE_PATH);
	r->has_older = rebuild_history_older(r, &r->older, &where);
	r->older_committed = r->has_older && !strcmp(where, "git");
	if (r->has_older)
		rebuild_note(r, REBUILD_GUESS,
			"an older state is in %s; its entries are used for layers that are still "
			"the same",
			where);
}

/* The list of the base belongs to one version of the core. */
static void read_sums(struct rebuild *r)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	CLEANUP(freep) char *version = NULL;
	bool other = false;

	rebuild_read(r, BASE_SUMS_PATH, &file);
	if (file.kind == TX_FILE)
		version = base_sums_version(view_of_buf(&file.content));
	if (!version || (r->has_state && strcmp(version, r->state.core_version)))
		return;
	r->has_sums = base_sums_parse(view_of_buf(&file.content), version, &r->sums, &other);
	if (r->has_sums && !r->has_state)
		r->core_version = TAKE(version);
}

/* Read the core version from the files in this folder; false if they state none. */
static bool read_core_version(struct rebuild *r, const char *folder)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(relpath_release)
	struct relpath path = folder ? relpath_of(folder) : RELPATH_INIT;
	CLEANUP(freep) char *version = NULL;
	CLEANUP(closep) int core = -1;
	bool found = false;

	if (beneath_open_dir(r->project->root, folder ? &path : NULL, &core, &failed) < 0 ||
		base_core_version(core, &version, &found, &failed) < 0)
		rebuild_judge(r, &failed);
	if (found)
		r->core_version = TAKE(version);
	return found;
}

static void find_core_version(struct rebuild *r)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(semver_release) struct semver parsed = {0};

	if (r->has_state) {
		r->core_version = xstrdup(r->state.core_version);
		return;
	}
	if (r->core_version && semver_parse(view_of(r->core_version), &parsed, &unfit) == 0)
		return;
	free(TAKE(r->core_version));
	if (read_core_version(r, BASE_FOLDER))
		return;
	if (r->has_older) {
		r->core_version = xstrdup(r->older.core_version);
		rebuild_note(r, REBUILD_GUESS, "the core is %s, according to the older state",
			r->core_version);
		return;
	}
	if (!read_core_version(r, NULL))
		r->core_version = xstrdup("0.0.0");
	rebuild_note(
		r, REBUILD_GUESS, "the core is %s, according to the tree", r->core_version);
}

/* --- the new record -------------------------------------------------------------- */

static int choose_recommended(void *data, const char *question, const char *const *choices,
	size_t count, size_t recommended, struct error *err)
{
	(void)data;
	(void)question;
	(void)choices;
	(void)count;
	(void)err;
	return (int)recommended;
}

static int replay_once(
	struct rebuild *r, const struct project *empty, bool *ret_again, struct error *err)
{
	const struct operation_options options = {
		.dry_run = true,
		.no_test = true,
		.no_install = true,
		.allow_conflicts = true,
		.ancestor_is_base = true,
		.ask = {.choose = choose_recommended},
	};
	CLEANUP(operation_result_release)
	struct operation_result result = OPERATION_RESULT_INIT;
	CLEANUP(session_release)
	struct session s = {
		.project = empty,
		.options = &options,
		.result = &result,
		.tx = transaction_new_dry(empty, "doctor --fix"),
		.base = -1,
	};
	size_t notes = r->report->note_count;

	if (rebuild_replay(r, &s, ret_again, err) < 0 || rebuild_check_readable(r, err) < 0)
		return -1;
	while (*ret_again && r->report->note_count > notes)
		free(r->report->notes[--r->report->note_count].text);
	if (*ret_again)
		return 0;
	for (size_t i = 0; i < r->skill_count; i++)
		if (r->skills[i].left_out)
			rebuild_note(r, REBUILD_LOST,
				"skill '%s' no longer fits; its changes count as yours: %s",
				r->skills[i].manifest.skill, r->skills[i].left_out);
	for (size_t i = 0; i < r->patch_count; i++)
		if (r->patches[i].left_out)
			rebuild_note(r, REBUILD_LOST,
				"patch '%s' is no longer recorded; its changes count as yours: %s",
				r->patches[i].name, r->patches[i].left_out);
	return rebuild_write(r, &s, err);
}

static int replay_and_write(struct rebuild *r, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct scratch scratch;
	struct project empty = PROJECT_INIT;
	bool again = true;
	int failed = 0;

	if (scratch_make("nanoclaw-rebuild-", &scratch, err) < 0)
		return -1;
	empty.path = scratch.path;
	empty.root = scratch.fd;
	/* Each round leaves at least one more layer out. */
	while (!failed && again)
		failed = replay_once(r, &empty, &again, err) < 0;
	scratch_remove(&scratch, &ignored);
	return failed ? -1 : 0;
}

/* Move something that no command can use to where a person can look at it. */
static int move_broken(struct rebuild *r, const char *name, struct error *err)
{
	CLEANUP(kept_list_release) struct kept_list kept = KEPT_LIST_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (relpath_parse(view_of(name), &path, err) < 0 ||
		kept_aside(r->project, &path, &kept, err) < 0)
		return -1;
	if (kept.count)
		rebuild_note(r, REBUILD_LOST,
			"'%s' is incomplete, and is now '%s': look there for the old files",
			name, kept.list[0].where);
	return 0;
}

int rebuild_run(const struct project *project, struct rebuild_report *report, struct error *err)
{
	CLEANUP(rebuild_release)
	struct rebuild r = {.project = project, .report = report};

	assert(!report->refused && !report->paused && !report->waiting);
	if (report->broken_operation && move_broken(&r, ".nanoclaw/tx", err) < 0)
		return -1;
	if (report->broken_backup && move_broken(&r, ".nanoclaw/backup", err) < 0)
		return -1;
	for (size_t i = 0; i < report->broken_history.count; i++)
		if (move_broken(&r, report->broken_history.list[i], err) < 0)
			return -1;
	if (!report->replay)
		return 0;
	r.look = transaction_new_dry(project, "doctor");
	rebuild_past_load(&r);
	if (rebuild_contents_collect(&r, err) < 0)
		return -1;
	read_state(&r);
	read_sums(&r);
	find_core_version(&r);
	if (rebuild_find_skills(&r, err) < 0 || rebuild_find_patches(&r, err) < 0)
		return -1;
	rebuild_order_skills(&r);
	if (rebuild_find_base(&r, err) < 0 || rebuild_check_readable(&r, err) < 0)
		return -1;
	return replay_and_write(&r, err);
}
