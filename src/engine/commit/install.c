#include "engine/commit/install.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/commit/install_versions.h"
#include "engine/core/ignore.h"
#include "engine/disk/command.h"
#include "engine/session/recorded.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "proc/log.h"
#include "proc/process.h"

/* In CI, package managers treat a changed lockfile as a mistake; Corepack asks questions. */
static const char *const environment[] = {
	"COREPACK_ENABLE_AUTO_PIN=0",
	"COREPACK_ENABLE_DOWNLOAD_PROMPT=0",
	"YARN_ENABLE_IMMUTABLE_INSTALLS=false",
	NULL,
};

/* --- before ---------------------------------------------------------------------- */

char *install_text(const struct install *install)
{
	return install->command ? xstrdup(install->command)
				: install_command_text(install->choice.manager->install);
}

int install_choose_for(struct session *s, struct install *ret_install, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(INSTALL_MANIFEST);
	CLEANUP(tx_file_release) struct tx_file manifest = TX_FILE_INIT;
	const char *command = getenv("NANOCLAW_INSTALL");
	struct install install = INSTALL_INIT;

	if (!s->dependencies_changed)
		return 0;
	if (command_seconds("NANOCLAW_INSTALL_TIMEOUT", INSTALL_DEFAULT_SECONDS,
		    &install.seconds, err) < 0 ||
		transaction_read(s->tx, &path, &manifest, err) < 0)
		return -1;
	install.choice = install_choose(s->project, view_of_buf(&manifest.content));
	install.command = command && *command ? command : NULL;
	s->result->install.manager = install.choice.manager->name;
	if (install.choice.other)
		session_warn(s,
			"there are lockfiles of %s and of %s; %s is used (\"packageManager\" in "
			"'" INSTALL_MANIFEST "' can say which)",
			install.choice.manager->name, install.choice.other->name,
			install.choice.manager->name);
	if (s->options->no_install) {
		CLEANUP(freep)
		char *text = xasprintf("%s install", install.choice.manager->name);

		s->result->install.skipped = true;
		session_warn(s, "dependencies %s, and are not installed: run '%s'",
			s->options->dry_run ? "would change" : "have changed", text);
		return 0;
	}
	*ret_install = install;
	return 0;
}

/* Files of the root that the manager may write; `each` fails with -1. */
typedef int (*file_function)(
	struct session *s, const struct relpath *path, void *data, struct error *err);

static int each_of(struct session *s, const char *const *names, file_function each, void *data,
	struct error *err)
{
	for (; *names; names++) {
		CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

		if (relpath_parse(view_of(*names), &path, err) < 0 ||
			each(s, &path, data, err) < 0)
			return -1;
	}
	return 0;
}

static int each_file(struct session *s, const struct install_manager *manager,
	file_function each, void *data, struct error *err)
{
	if (each_of(s, manager->locks, each, data, err) < 0)
		return -1;
	return each_of(s, manager->others, each, data, err);
}

static int expose_file(
	struct session *s, const struct relpath *path, void *data, struct error *err)
{
	(void)data;
	return transaction_expose(s->tx, path, err);
}

int install_prepare(struct session *s, struct install *ret_install, struct error *err)
{
	static const char *const ours[] = {INSTALL_MANIFEST, STATE_PATH, NULL};
	CLEANUP(relpath_release) struct relpath modules = relpath_of(INSTALL_MODULES);
	CLEANUP(freep) char *program = NULL;
	struct install install = INSTALL_INIT;
	enum tx_kind kind;
	const char *name;

	if (install_choose_for(s, &install, err) < 0)
		return -1;
	if (!install.choice.manager)
		return 0;
	name = install.choice.manager->name;
	program = install.command ? NULL : process_find(name);
	if (!program && !install.command) {
		error_set(err, ERROR_FAILED,
			"the dependencies need %s, and '%s' is not found in PATH", name, name);
		return error_hint(err,
			"nothing was changed: install %s; or add '--no-install' and install the "
			"dependencies yourself",
			name);
	}
	if (each_file(s, install.choice.manager, expose_file, NULL, err) < 0 ||
		each_of(s, ours, expose_file, NULL, err) < 0 ||
		transaction_look(s->project, &modules, &kind, err) < 0)
		return -1;
	/* The folder is created if it does not exist. */
	install.had_modules = kind != TX_ABSENT;
	if (!install.had_modules && transaction_expose_folder(s->tx, &modules, err) < 0)
		return -1;
	*ret_install = install;
	return 0;
}

/* --- files that must not change --------------------------------------------------------- */

/* A file that must not change while the package manager runs. */
struct kept_file {
	struct relpath path;
	bool present;
	struct stat stat;
	struct buf content;
};

struct kept_files {
	struct kept_file *list;
	size_t count;
	size_t cap;
};

static void kept_files_release(struct kept_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		relpath_release(&files->list[i].path);
		buf_release(&files->list[i].content);
	}
	free(files->list);
}

static int kept_file_read(int root, struct kept_file *file, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;

	file->content = BUF_INIT;
	file->present = beneath_stat(root, &file->path, &file->stat, &local) == 0;
	if (!file->present)
		return beneath_is_absent(&local) ? 0 : error_move(err, &local);
	return beneath_read(root, &file->path, TRANSACTION_MAX_FILE, &file->content, err);
}

static int keep_file(
	struct session *s, const struct relpath *path, void *data, struct error *err)
{
	struct kept_files *files = data;

	GROW(files->list, files->count, files->cap);
	files->list[files->count] = (struct kept_file){.path = relpath_copy(path)};
	return kept_file_read(s->project->root, &files->list[files->count++], err);
}

/* All that the manager may write. */
static int keep_files(struct session *s, const struct install_manager *manager,
	struct kept_files *files, struct error *err)
{
	static const char *const manifest[] = {INSTALL_MANIFEST, NULL};

	if (each_file(s, manager, keep_file, files, err) < 0)
		return -1;
	return each_of(s, manifest, keep_file, files, err);
}

/* For an undo, a second pass reverts the package manager's edits (T7). */
static int put_back_files(struct session *s, const struct kept_files *files, struct error *err)
{
	for (size_t i = 0; i < files->count; i++) {
		CLEANUP(tx_file_release) struct tx_file left = TX_FILE_INIT;
		const struct kept_file *file = &files->list[i];
		bool changed;
		int failed;

		if (transaction_adopt(s->tx, &file->path, &left, &changed, err) < 0)
			return -1;
		if (!changed)
			continue;
		failed = file->present ? transaction_put(s->tx, &file->path,
						 view_of_buf(&file->content),
						 file->stat.st_mode & 07777, err)
				       : transaction_remove(s->tx, &file->path, err);
		if (failed < 0)
			return -1;
	}
	return transaction_apply(s->tx, err);
}

/* --- the outcome --------------------------------------------------------------------- */

struct recording {
	const char *skill; /* the layer that the files are recorded in; or NULL */
	struct ignore *ignore;
};

/* The last skill of the operation that is applied now, else the last of all. */
static const char *skill_to_record(const struct session *s, const struct string_array *skills)
{
	const struct state *state = &s->state;

	for (size_t i = skills->count; i > 0; i--)
		if (state_find(state, skills->list[i - 1]))
			return skills->list[i - 1];
	/* An entry that is a plain string has no room for it. */
	for (size_t i = state->skill_count; i > 0; i--)
		if (state->skills[i - 1].node->kind == YAML_MAPPING)
			return state->skills[i - 1].name;
	return NULL;
}

/* It may be changed, but not broken: the person's own lines are in it. */
static int check_manifest(const struct tx_file *file, struct error *err)
{
	CLEANUP(error_release) struct error fault = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;

	if (file->kind != TX_FILE)
		return error_set(err, ERROR_FAILED,
			"installing the dependencies has left no file '" INSTALL_MANIFEST "'");
	if (json_read(view_of_buf(&file->content), INSTALL_MANIFEST, file->content.len, &json,
		    &fault) == 0)
		return 0;
	return error_set(err, ERROR_FAILED,
		"installing the dependencies left a faulty file: %s", fault.message);
}

static int adopt_file(
	struct session *s, const struct relpath *path, void *data, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct recording *recording = data;
	const struct change *change = journal_find(transaction_journal(s->tx), path);
	bool was_there = change_puts(change);
	bool changed;
	struct layer_file now;
	bool excluded, enter;

	if (transaction_adopt(s->tx, path, &file, &changed, err) < 0)
		return -1;
	if (!changed || !recording)
		return 0;
	if (!strcmp(path->text, INSTALL_MANIFEST)) {
		if (check_manifest(&file, err) < 0)
			return -1;
		session_warn(s,
			"'%s' was changed while the dependencies were installed; "
			"it is recorded as it is now",
			path->text);
	} else if (recording->skill) {
		session_note_file(s, path, recording->skill,
			file.kind == TX_ABSENT ? OUTCOME_REMOVED
			: was_there            ? OUTCOME_MERGED
					       : OUTCOME_ADDED);
	}
	/* A file that was changed by the manager counts as made by the skill. */
	now = layer_file_of(&file);
	if (!recording->skill || (file.kind != TX_FILE && file.kind != TX_ABSENT))
		return 0;
	if (!recording->ignore && ignore_open(s->project->root, &recording->ignore, err) < 0)
		return -1;
	if (ignore_excludes(recording->ignore, path->text, false, &excluded, &enter, err) < 0)
		return -1;
	if (excluded)
		return 0;
	if (file.kind == TX_FILE && recorded_keep(s, view_of_buf(&file.content), err) < 0)
		return -1;
	return state_record_resolved(&s->state, recording->skill, path, &now, err);
}

/* The second round of the transaction (T7). */
static int record_install(struct session *s, const struct install *install,
	const struct string_array *skills, struct error *err)
{
	static const char *const manifest[] = {INSTALL_MANIFEST, NULL};
	struct recording recording = {.skill = skill_to_record(s, skills)};
	int failed = each_file(s, install->choice.manager, adopt_file, &recording, err) < 0 ||
		     each_of(s, manifest, adopt_file, &recording, err) < 0;

	ignore_free(recording.ignore);
	if (failed)
		return -1;
	if (install_versions_record(s, err) < 0 || session_put_state(s, err) < 0)
		return -1;
	return transaction_apply(s->tx, err);
}

int install_run(struct session *s, struct install *install, const struct string_array *skills,
	struct error *err)
{
	CLEANUP(kept_files_release) struct kept_files wanted = {0};
	CLEANUP(freep) char *text = NULL;
	struct command_request command = {
		.env = environment,
		.what = "installing the dependencies",
		.kind = ERROR_FAILED,
		.installs = true,
		.live = s->options->live,
		.progress = s->options->progress,
		.seconds = install->seconds,
	};

	if (!install->choice.manager)
		return 0;
	text = install_text(install);
	command.shown = text;
	command.argv = install->command
			       ? (const char *const[]){"/bin/sh", "-c", install->command, NULL}
			       : install->choice.manager->install;
	if (s->undoing && keep_files(s, install->choice.manager, &wanted, err) < 0)
		return -1;
	install->started = true;
	if (command_run(s->project, &command, err) < 0) {
		CLEANUP(error_release) struct error second = ERROR_INIT;

		/* A lockfile that it has half written is ours, and of no use to anybody. */
		if (each_file(s, install->choice.manager, adopt_file, NULL, &second) < 0 ||
			transaction_apply(s->tx, &second) < 0)
			log_debug("%s", second.message);
		return -1;
	}
	s->result->install.ran = true;
	return s->undoing ? put_back_files(s, &wanted, err)
			  : record_install(s, install, skills, err);
}

/* --- the way back ---------------------------------------------------------------------- */

/* The modules by the lockfile, which is the old one again, from the manager's cache. */
static int restore_offline(struct session *s, const struct install *install, struct error *err)
{
	const struct install_manager *manager = install->choice.manager;
	CLEANUP(kept_files_release) struct kept_files files = {0};
	CLEANUP(freep) char *text = install_command_text(manager->offline);
	int failed;

	if (keep_files(s, manager, &files, err) < 0)
		return -1;
	failed = command_run(s->project,
		&(struct command_request){
			.argv = manager->offline,
			.env = environment,
			.what = "bringing back '" INSTALL_MODULES "'",
			.shown = text,
			.kind = ERROR_FAILED,
			.installs = true,
			.seconds = install->seconds,
		},
		err);
	/* A well-behaved manager does not touch these files. */
	for (size_t i = 0; i < files.count; i++) {
		const struct kept_file *file = &files.list[i];
		const struct timespec times[2] = {file->stat.st_atim, file->stat.st_mtim};
		CLEANUP(buf_release) struct buf content = BUF_INIT;
		struct kept_file now = {.path = file->path};

		if (kept_file_read(s->project->root, &now, err) < 0) {
			failed = -1;
			continue;
		}
		content = now.content;
		if (file->present == now.present &&
			view_equal(view_of_buf(&file->content), view_of_buf(&content)))
			continue;
		if ((file->present ? replace_file(s->project->root, file->path.text,
					     view_of_buf(&file->content),
					     file->stat.st_mode & 07777, times, 0, err)
				   : replace_delete(
					     s->project->root, file->path.text, 0, err)) < 0)
			failed = -1;
	}
	return failed;
}

char *install_restore(struct session *s, const struct install *install, bool may_run)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	const struct install_manager *manager = install->choice.manager;

	/* A node_modules that did not exist before is gone with the transaction. */
	if (!install->started || !install->had_modules)
		return NULL;
	if (may_run && !install->command && manager->offline &&
		restore_offline(s, install, &local) == 0) {
		session_warn(s, "'" INSTALL_MODULES "' was brought back from the cache of %s",
			manager->name);
		return NULL;
	}
	if (local.message)
		log_debug("%s", local.message);
	return install_by_hand(&install->choice);
}
