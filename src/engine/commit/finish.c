#include "engine/commit/finish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/commit/commands.h"
#include "engine/commit/install.h"
#include "engine/conflict/lesson.h"
#include "engine/disk/rollback.h"
#include "engine/package/pack.h"
#include "engine/session/confine.h"
#include "engine/session/guard.h"
#include "engine/stack/part.h"
#include "engine/structured/structured.h"

#define BASE_PATH ".nanoclaw/base"

/* --- the end ------------------------------------------------------------------------ */

/* Warn about files that were edited during the operation. */
static void warn_kept(struct session *s, const struct kept *kept)
{
	if (!kept->edited_stays)
		session_warn(s, "'%s' was changed in the meantime; that version is in '%s'",
			kept->path, kept->where);
	else if (kept->where)
		session_warn(s,
			"'%s' was changed in the meantime, and is kept; the earlier version is in '%s'",
			kept->path, kept->where);
	else
		session_warn(s, "'%s' was changed in the meantime, and is kept", kept->path);
}

/*
 * After a failure: undo, and warn if somebody's change had to be moved to .nanoclaw/kept.
 * `guard` is NULL if no commands were run, and `install` if nothing was installed.
 */
static int undo(struct session *s, struct guard *guard, const struct install *install,
	struct error *err)
{
	CLEANUP(error_release) struct error second = ERROR_INIT;
	CLEANUP(kept_list_release) struct kept_list kept = KEPT_LIST_INIT;
	CLEANUP(freep) char *reinstall = NULL;
	bool undone;

	if (guard)
		transaction_give_up(s->tx);
	undone = (!guard || guard_restore(guard, &kept, &second) == 0) &&
		 transaction_rollback(s->tx, &kept, &second) == 0;
	for (size_t i = 0; i < kept.count; i++)
		warn_kept(s, &kept.list[i]);
	if (!undone) {
		transaction_abandon(s->tx);
		session_warn(s, "not everything could be undone: %s", second.message);
		return error_hint(
			err, "the next command continues the rollback: 'nanoclaw status'");
	}
	if (install)
		reinstall = install_restore(s, install, err->errnum != EINTR);
	/* When all is undone; `reinstall` is what to type for node_modules, or NULL. */
	if (reinstall && (err->hint || s->continued))
		session_warn(s, "'node_modules' may have changed: run '%s'", reinstall);
	if (err->hint)
		return -1;
	if (s->continued)
		return error_hint(err,
			"it is still paused, and your files are as they were: fix them and run 'nanoclaw continue', or 'nanoclaw abort'");
	if (reinstall)
		return error_hint(err,
			"everything is as it was before, except 'node_modules': run '%s'",
			reinstall);
	return error_hint(err, "everything is as it was before");
}

int finish_fail(struct session *s, struct error *err)
{
	return undo(s, NULL, NULL, err);
}

/* The state has the test of each skill. */
static bool will_test(struct session *s, const struct string_array *skills)
{
	for (size_t i = 0; i < skills->count; i++) {
		const struct applied_skill *skill = state_find(&s->state, skills->list[i]);

		if (skill && state_has_test(skill))
			return true;
	}
	return false;
}

/* When the files are in place: run the commands and tests, and commit. */
static int run_and_commit(struct session *s, struct install *install,
	const struct commands *commands, const struct string_array *skills,
	enum transaction_end end, struct error *err)
{
	CLEANUP(guard_freep) struct guard *guard = NULL;

	/* Where 'init' was undone there is no base, and nothing of ours to guard. */
	if ((commands->count || install->choice.manager) && s->state.doc &&
		(guard_take(s->project, &s->state, s->tx, &guard, err) < 0 ||
			transaction_arm(s->tx, err) < 0))
		return undo(s, NULL, NULL, err);
	if (install_run(s, install, skills, err) < 0 || commands_run(s, commands, err) < 0 ||
		transaction_commit(s->tx, end, view_of(""), err) < 0)
		return undo(s, guard, install, err);
	return 0;
}

int finish(struct session *s, const struct string_array *skills, struct error *err)
{
	CLEANUP(string_array_release) struct string_array tested = commands_tested(s, skills);
	CLEANUP(commands_release) struct commands commands = COMMANDS_INIT;
	struct install install = INSTALL_INIT;

	for (size_t i = 0; i < skills->count && !s->only_tests; i++)
		transaction_concerns(s->tx, skills->list[i]);
	if (lesson_stage(s, will_test(s, &tested), err) < 0 || part_follow_record(s, err) < 0 ||
		session_put_state(s, err) < 0 || install_prepare(s, &install, err) < 0 ||
		confine_check_staged(s, err) < 0 ||
		commands_collect(s, skills, &install, &commands, err) < 0 ||
		commands_agree(s, skills, err) < 0 || transaction_apply(s->tx, err) < 0)
		return undo(s, NULL, NULL, err);
	if (run_and_commit(s, &install, &commands, skills, TRANSACTION_DONE, err) < 0)
		return -1;
	session_save_index(s);
	lesson_publish(s);
	return 0;
}

/* The state that an undo has restored, with everything that its tests need. */
static int load_undone(struct session *s, struct state *ret_state, struct error *err)
{
	bool found;

	if (state_load(s->project, ret_state, &found, err) < 0)
		return -1;
	if (found && faccessat(s->project->root, BASE_PATH, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(err, "cannot open the base, '%s'", BASE_PATH);
	for (size_t i = 0; i < ret_state->skill_count; i++) {
		CLEANUP(manifest_release) struct manifest m = MANIFEST_INIT;

		if (pack_load_manifest(s->project, ret_state->skills[i].name, &m, err) < 0)
			return -1;
	}
	return 0;
}

int finish_undo(struct session *s, enum transaction_end end, bool mended, struct error *err)
{
	CLEANUP(string_array_release) struct string_array skills = {0};
	CLEANUP(error_release) struct error damage = ERROR_INIT;
	CLEANUP(commands_release) struct commands commands = COMMANDS_INIT;
	struct install install = INSTALL_INIT;
	struct state then = STATE_INIT;

	if (install_prepare(s, &install, err) < 0 || transaction_apply(s->tx, err) < 0)
		return undo(s, NULL, NULL, err);
	if (load_undone(s, &then, &damage) < 0) {
		state_release(&then);
		then = STATE_INIT;
		if (!mended) {
			error_move(err, &damage);
			return undo(s, NULL, NULL, err);
		}
		session_warn(s, "it is as damaged as before, and no test was run: %s",
			damage.message);
	}
	state_release(&s->state);
	s->state = then;
	for (size_t i = 0; i < then.skill_count; i++)
		string_array_add(&skills, then.skills[i].name);
	s->only_tests = true;
	/* The commands of the undone state are known only now. */
	if (commands_collect(s, &skills, &install, &commands, err) < 0 ||
		commands_agree(s, &skills, err) < 0)
		return undo(s, NULL, NULL, err);
	return run_and_commit(s, &install, &commands, &skills, end, err);
}

int finish_tests(struct session *s, const struct string_array *skills, struct error *err)
{
	CLEANUP(commands_release) struct commands commands = COMMANDS_INIT;
	CLEANUP(guard_freep) struct guard *guard = NULL;
	const struct install nothing = INSTALL_INIT;

	if (commands_collect(s, skills, &nothing, &commands, err) < 0 ||
		commands_agree(s, skills, err) < 0 || transaction_apply(s->tx, err) < 0 ||
		guard_take(s->project, &s->state, s->tx, &guard, err) < 0 ||
		transaction_arm(s->tx, err) < 0)
		return undo(s, NULL, NULL, err);
	if (commands_run(s, &commands, err) < 0)
		return undo(s, guard, NULL, err);
	return transaction_rollback(s->tx, NULL, err);
}

int finish_dry(struct session *s, const struct string_array *skills, struct error *err)
{
	CLEANUP(commands_release) struct commands commands = COMMANDS_INIT;
	struct install install = INSTALL_INIT;

	if (install_choose_for(s, &install, err) < 0 || confine_check_staged(s, err) < 0 ||
		commands_collect(s, skills, &install, &commands, err) < 0)
		return -1;
	return transaction_check(s->tx, err);
}

/* --- a pause ------------------------------------------------------------------------- */

/* A project that is initialized by an operation that pauses has a state already. */
static int put_initial_state(struct session *s, struct error *err)
{
	struct state planned = s->state;
	int failed;

	state_init(&s->state, planned.core_version);
	failed = session_put_state(s, err);
	state_release(&s->state);
	s->state = planned;
	return failed;
}

/* At a pause no command is run, but files are in place that make something run. */
static int agree_to_starts(
	struct session *s, const struct string_array *skills, struct error *err)
{
	CLEANUP(commands_release) struct commands commands = COMMANDS_INIT;
	const struct install nothing = INSTALL_INIT;
	bool starts = false;

	if (commands_collect(s, skills, &nothing, &commands, err) < 0)
		return -1;
	for (size_t i = 0; i < s->result->command_count; i++)
		starts |= s->result->commands[i].kind == COMMAND_STARTS;
	return starts ? commands_agree(s, skills, err) : 0;
}

int finish_paused(struct session *s, const struct pending *what, struct error *err)
{
	CLEANUP(buf_release) struct buf notes = BUF_INIT;
	CLEANUP(string_array_release) struct string_array remaining = {0};
	CLEANUP(freep) char *root = xasprintf("%s/", s->project->path);
	struct pending pending = *what;

	/* The project may be moved before it continues. */
	for (size_t i = 0; i < what->remaining.count; i++) {
		const char *folder = what->remaining.list[i];

		string_array_add(&remaining,
			folder + (!strncmp(folder, root, strlen(root)) ? strlen(root) : 0));
	}
	pending.remaining = remaining;
	pending.conflicts = s->result->conflicts;
	pending.conflict_count = s->result->conflict_count;
	pending.no_test = s->options->no_test;
	pending.test_new = s->options->test_new;
	pending.no_install = s->options->no_install;
	pending.allow_older_core = s->options->allow_older_core;
	pending.allow_conflicts = s->options->allow_conflicts;
	pending.ancestor_is_base = s->options->ancestor_is_base;
	pending.customize = s->options->customize;
	pending.lessons = s->lessons;
	pending.lesson_count = s->lesson_count;
	pending.state = s->state;
	pending.notes = s->notes;
	if (agree_to_starts(s, &what->skills, err) < 0 || structured_note_pause(s, err) < 0 ||
		lesson_stage_conflicts(s, err) < 0 ||
		pending_write(&pending, &notes, err) < 0 ||
		(!s->found_state && !s->core_is_tree && put_initial_state(s, err) < 0) ||
		confine_check_staged(s, err) < 0 || transaction_apply(s->tx, err) < 0 ||
		transaction_commit(s->tx, TRANSACTION_PAUSE, view_of_buf(&notes), err) < 0)
		return finish_fail(s, err);
	s->result->paused = true;
	session_save_index(s);
	lesson_publish(s);
	return 0;
}
