#include "engine/operation/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/commit/finish.h"
#include "engine/commit/install_manager.h"
#include "engine/disk/project.h"
#include "engine/disk/tx_file.h"
#include "format/json.h"
#include "fs/beneath.h"
#include "fs/file.h"

#define NANOCLAW  ".nanoclaw/"
#define KEPT      ".nanoclaw/kept"
#define MOST_KEPT 1000

const char *const undo_effect_names[] = {
	[UNDO_RESTORED] = "restored",
	[UNDO_REMOVED] = "removed",
};

/* An operation of the history that is taken back, or, for a redo, an undo. */
struct undoing {
	struct session *session;
	const struct journal *journal; /* of the operation */
	int saved;                     /* its saved files */
	bool set_aside;
	bool redo;
	bool modules_gone;          /* the undo had removed node_modules */
	struct string_array taken;  /* folders, each with a slash, that go as a whole */
	struct string_array inside; /* files in these that were checked */
	struct undo_result *result;
	/* What newer operations had in the result, sorted by path. */
	size_t newer_files, newer_changed;
};

static bool is_ours(const struct relpath *path)
{
	return view_starts_with(relpath_view(path), NANOCLAW);
}

/* An undo does not forget resolutions of conflicts, just as git does not. */
static bool is_memory(const struct relpath *path)
{
	return view_starts_with(relpath_view(path), NANOCLAW "rr-cache/") ||
	       view_starts_with(relpath_view(path), NANOCLAW "hunks/");
}

/* --- files before and now ---------------------------------------------------- */

/* Read a saved file or link; TX_ABSENT if there was nothing. */
static int read_saved(const struct undoing *u, const struct change *change,
	struct tx_file *ret_file, struct stat *ret_stat, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	char name[16], target[PATH_MAX];
	ssize_t len;

	ret_file->kind = TX_ABSENT;
	if (!change->had_before)
		return 0;
	snprintf(name, sizeof(name), "%u", change->number);
	len = readlinkat(u->saved, name, target, sizeof(target));
	if (len >= 0 && fstatat(u->saved, name, ret_stat, AT_SYMLINK_NOFOLLOW) == 0) {
		ret_file->kind = TX_SYMLINK;
		buf_append(&ret_file->content, target, (size_t)len);
		return 0;
	}
	fd = openat(u->saved, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, ret_stat) < 0) {
		error_errno(err, "the history no longer has the old version of '%s'",
			change->path.text);
		return damage_hint(err);
	}
	if (!S_ISREG(ret_stat->st_mode))
		return error_set(err, ERROR_INVALID, "the history has no regular file for '%s'",
			change->path.text);
	ret_file->kind = TX_FILE;
	ret_file->mode = ret_stat->st_mode & 07777;
	return file_read_fd(
		fd, change->path.text, TRANSACTION_MAX_FILE, &ret_file->content, err);
}

static bool is_same_file(const struct tx_file *a, const struct tx_file *b)
{
	return a->kind == b->kind && (a->kind != TX_FILE || a->mode == b->mode) &&
	       view_equal(view_of_buf(&a->content), view_of_buf(&b->content));
}

static bool is_as_left(const struct change *change, const struct tx_file *now)
{
	struct hash hash = hash_of(view_of_buf(&now->content));

	switch (change->kind) {
	case CHANGE_PUT:
		return now->kind == TX_FILE && now->mode == change->mode &&
		       hash_equal(&hash, &change->hash);
	case CHANGE_LINK:
		return now->kind == TX_SYMLINK && hash_equal(&hash, &change->hash);
	case CHANGE_FOLDER:
		return now->kind == TX_FOLDER;
	case CHANGE_REMOVE:
	case CHANGE_TAKE:
		break;
	}
	return now->kind == TX_ABSENT;
}

/* --- keeping aside ---------------------------------------------------------------- */

/* A free path in .nanoclaw/kept, or in kept.2 and so on. */
static int find_kept_path(struct undoing *u, const struct relpath *path,
	struct relpath *ret_place, struct error *err)
{
	for (unsigned n = 1; n < MOST_KEPT; n++) {
		CLEANUP(error_release) struct error local = ERROR_INIT;
		CLEANUP(relpath_release) struct relpath place = RELPATH_INIT;
		enum tx_kind kind;

		if ((n == 1 ? relpath_printf(&place, err, KEPT "/%s", path->text)
			    : relpath_printf(&place, err, KEPT ".%u/%s", n, path->text)) < 0)
			return -1;
		if (transaction_look(u->session->project, &place, &kind, &local) < 0) {
			if (local.kind != ERROR_INVALID)
				return error_move(err, &local);
			continue; /* something on the way to it is not a folder */
		}
		if (kind != TX_ABSENT)
			continue;
		*ret_place = place;
		place = RELPATH_INIT;
		return 0;
	}
	return error_set(err, ERROR_FAILED, "cannot keep '%s' aside", path->text);
}

static int keep_aside(struct undoing *u, const struct relpath *path, const struct tx_file *now,
	char **ret_where, struct error *err)
{
	CLEANUP(relpath_release) struct relpath place = RELPATH_INIT;

	if (now->kind != TX_FILE && now->kind != TX_SYMLINK)
		return 0;
	if (find_kept_path(u, path, &place, err) < 0 ||
		tx_file_stage(u->session->tx, &place, now, err) < 0)
		return -1;
	*ret_where = xstrdup(place.text);
	return 0;
}

/* --- one change ------------------------------------------------------------------- */

/* The path is the first member of what is listed. */
static int by_path(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Of several operations, the oldest one determines what happens to a file. */
static void note_file(struct undoing *u, const struct change *change, char *kept)
{
	struct undo_result *r = u->result;
	enum undo_effect effect = change->had_before ? UNDO_RESTORED : UNDO_REMOVED;
	struct undo_file *newer = NULL;

	if (is_ours(&change->path))
		return;
	if (u->newer_files)
		newer = bsearch(
			&change->path.text, r->files, u->newer_files, sizeof(*newer), by_path);
	if (newer) {
		newer->effect = effect;
		if (kept) {
			free(newer->kept);
			newer->kept = kept;
		}
		return;
	}
	GROW(r->files, r->file_count, r->file_cap);
	r->files[r->file_count++] = (struct undo_file){
		.path = xstrdup(change->path.text),
		.effect = effect,
		.kept = kept,
	};
}

/* Of several operations, the newest has left the file. */
static void note_changed(struct undoing *u, const struct relpath *path)
{
	struct undo_result *r = u->result;

	if (u->newer_changed && bsearch(&path->text, r->changed, u->newer_changed,
					sizeof(*r->changed), by_path))
		return;
	GROW(r->changed, r->changed_count, r->changed_cap);
	r->changed[r->changed_count++] = (struct undo_changed){
		.path = xstrdup(path->text),
		.by = xstrdup(u->redo ? "undo" : u->journal->operation),
	};
}

/* Remove a folder that the operation or its install created. */
static int stage_folder(struct undoing *u, const struct change *change, struct error *err)
{
	enum tx_kind kind;

	if (transaction_look(u->session->project, &change->path, &kind, err) < 0)
		return -1;
	if (kind == TX_ABSENT || (change->exposed && u->session->options->no_install) ||
		journal_find(transaction_journal(u->session->tx), &change->path))
		return 0;
	if (kind != TX_FOLDER) {
		note_changed(u, &change->path);
		return 0;
	}
	return transaction_take_folder(u->session->tx, &change->path, err);
}

/* Of a redo: the undo took a folder away. node_modules is installed again. */
static int stage_taken(struct undoing *u, const struct change *change, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	enum tx_kind kind;

	if (!strcmp(change->path.text, INSTALL_MODULES)) {
		u->modules_gone = true;
		return 0;
	}
	if (transaction_look(u->session->project, &change->path, &kind, err) < 0)
		return -1;
	if (kind != TX_ABSENT || u->session->options->dry_run)
		return 0;
	return transaction_put_folder(u->session->tx, &change->path, &fd, err);
}

static bool is_in_taken(const struct undoing *u, const struct relpath *path)
{
	for (size_t i = 0; i < u->taken.count; i++)
		if (view_starts_with(relpath_view(path), u->taken.list[i]))
			return true;
	return false;
}

static int stage_change(struct undoing *u, const struct change *change, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;
	CLEANUP(freep) char *kept = NULL;
	struct transaction *tx = u->session->tx;
	struct stat st = {0};
	bool untouched;

	if (is_memory(&change->path) && !change->had_before)
		return 0;
	if (change->kind == CHANGE_FOLDER)
		return stage_folder(u, change, err);
	if (change->kind == CHANGE_TAKE)
		return stage_taken(u, change, err);
	if (read_saved(u, change, &before, &st, err) < 0 ||
		transaction_read(u->session->tx, &change->path, &now, err) < 0)
		return -1;
	if (is_same_file(&before, &now))
		return 0;
	untouched = is_as_left(change, &now);
	/*
	 * An older operation removes the folder; the newest one has the file's last known
	 * content.
	 */
	if (is_in_taken(u, &change->path)) {
		if (!untouched && !string_array_has(&u->inside, change->path.text))
			note_changed(u, &change->path);
		string_array_add_new(&u->inside, change->path.text);
		return 0;
	}
	/* A file that the undo moved to .nanoclaw/kept stays there if it was edited. */
	if (!untouched && u->redo && view_starts_with(relpath_view(&change->path), KEPT "/"))
		return 0;
	if (!untouched && (!u->set_aside || is_ours(&change->path) || now.kind == TX_FOLDER ||
				  now.kind == TX_OTHER)) {
		note_changed(u, &change->path);
		return 0;
	}
	if ((!untouched || change->edited) &&
		keep_aside(u, &change->path, &now, &kept, err) < 0)
		return -1;
	if (tx_file_stage(tx, &change->path, &before, err) < 0 ||
		(before.kind != TX_ABSENT &&
			transaction_set_times(tx, &change->path,
				(struct timespec[2]){st.st_atim, st.st_mtim}, err) < 0))
		return -1;
	note_file(u, change, TAKE(kept));
	return 0;
}

/* A journal has each path once, so only paths of newer operations can come again. */
static int stage_all(struct undoing *u, struct error *err)
{
	struct undo_result *r = u->result;

	for (size_t i = u->journal->change_count; i > 0; i--)
		if (stage_change(u, &u->journal->changes[i - 1], err) < 0)
			return -1;
	if (r->file_count)
		qsort(r->files, r->file_count, sizeof(*r->files), by_path);
	if (r->changed_count)
		qsort(r->changed, r->changed_count, sizeof(*r->changed), by_path);
	u->newer_files = r->file_count;
	u->newer_changed = r->changed_count;
	return 0;
}

/* --- dependencies ----------------------------------------------------------------- */

/* NULL if it is not JSON. */
static json_t *parse_manifest(const struct buf *text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	json_t *json = NULL;

	json_read(view_of_buf(text), INSTALL_MANIFEST, JSON_MAX_SIZE, &json, &ignored);
	return json;
}

/* Will package.json require other packages than it does now? */
static int compare_dependencies(struct undoing *u, bool *ret_differ, struct error *err)
{
	static const char *const keys[] = {
		"dependencies", "devDependencies", "optionalDependencies", "peerDependencies"};
	CLEANUP(relpath_release) struct relpath path = relpath_of(INSTALL_MANIFEST);
	CLEANUP(error_release) struct error absent = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file staged = TX_FILE_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *now, *then;

	*ret_differ = false;
	if (beneath_read(u->session->project->root, &path, JSON_MAX_SIZE, &text, &absent) < 0)
		return beneath_is_absent(&absent) || absent.kind == ERROR_INVALID
			       ? 0
			       : error_move(err, &absent);
	if (transaction_read(u->session->tx, &path, &staged, err) < 0)
		return -1;
	now = parse_manifest(&text);
	then = parse_manifest(&staged.content);
	for (size_t i = 0; now && then && i < ARRAY_SIZE(keys); i++) {
		json_t *in_now = json_object_get(now, keys[i]);
		json_t *in_then = json_object_get(then, keys[i]);

		*ret_differ |= (in_now || in_then) && !json_equal(in_now, in_then);
	}
	json_decref(now);
	json_decref(then);
	return 0;
}

/* Install only if there is a node_modules that stays, or if a redo needs one again. */
static int plan_install(struct undoing *u, struct error *err)
{
	CLEANUP(relpath_release) struct relpath modules = relpath_of(INSTALL_MODULES);
	enum tx_kind kind;
	bool differ;

	if (transaction_look(u->session->project, &modules, &kind, err) < 0)
		return -1;
	if (kind == TX_ABSENT || journal_find(transaction_journal(u->session->tx), &modules))
		differ = false;
	else if (compare_dependencies(u, &differ, err) < 0)
		return -1;
	u->session->dependencies_changed = u->modules_gone || differ;
	return 0;
}

/* --- the operation ---------------------------------------------------------------- */

static int refuse_changed(const struct undoing *u, struct error *err)
{
	const struct undo_result *r = u->result;
	char count[24] = "";
	bool ours = false;

	for (size_t i = 0; i < r->changed_count; i++)
		ours |= view_starts_with(view_of(r->changed[i].path), NANOCLAW);
	if (r->changed_count == 1)
		error_set(err, ERROR_INVALID, "'%s' has changed since '%s'", r->changed[0].path,
			r->changed[0].by);
	else
		error_set(err, ERROR_INVALID, "'%s' and %zu more have changed since '%s'",
			r->changed[0].path, r->changed_count - 1, r->changed[0].by);
	if (ours)
		return error_hint(err, "nothing was changed; 'nanoclaw verify' shows more");
	if (u->set_aside)
		return error_hint(
			err, "nothing was changed; it is not a file: move it away first");
	if (!u->redo && r->entries.count > 1)
		snprintf(count, sizeof(count), " %zu", r->entries.count);
	return error_hint(err,
		"nothing was changed; 'nanoclaw %s%s --set-aside' does it, and puts your "
		"version in '" KEPT "'",
		u->redo ? "redo" : "undo", count);
}

/* When all changes are staged. `mended`: the state may be damaged afterwards. */
static int finish_staged(struct undoing *u, bool mended, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(STATE_PATH);
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;
	CLEANUP(error_release) struct error damaged = ERROR_INIT;
	CLEANUP(string_array_release) struct string_array nothing = {0};
	struct undo_result *r = u->result;
	struct session *s = u->session;

	if (plan_install(u, err) < 0)
		return finish_fail(s, err);
	if (r->changed_count) {
		refuse_changed(u, err);
		return finish_fail(s, err);
	}
	if (s->options->dry_run) {
		/* It names the tests that would run; a damaged state has none. */
		if (transaction_read(s->tx, &path, &text, err) < 0)
			return finish_fail(s, err);
		state_release(&s->state);
		s->state = STATE_INIT;
		s->only_tests = true;
		if (text.kind == TX_FILE)
			state_parse(
				view_of_buf(&text.content), STATE_PATH, &s->state, &damaged);
		return finish_dry(s, &nothing, err);
	}
	return finish_undo(s, u->redo ? TRANSACTION_REDO : TRANSACTION_UNDO, mended, err);
}

/* The newest `count` entries, the newest first. */
static int find_last(const struct project *project, size_t count, struct history *ret_last,
	struct error *err)
{
	CLEANUP(history_release) struct history history = HISTORY_INIT;

	if (history_load(project, &history, err) < 0)
		return -1;
	if (history.count < count) {
		if (history.count)
			error_set(err, ERROR_INVALID, "only %zu operation%s can be undone",
				history.count, history.count == 1 ? "" : "s");
		else
			return error_set(err, ERROR_INVALID, "there is nothing to undo");
		return error_hint(err, "'nanoclaw undo --list' lists what can be undone");
	}
	while (ret_last->count < count) {
		GROW(ret_last->entries, ret_last->count, ret_last->cap);
		ret_last->entries[ret_last->count++] = history.entries[--history.count];
	}
	return 0;
}

/* An entry of the history that is open. */
struct open_entry {
	struct journal journal;
	int saved;
};

/* Each entry is staged on top of the newer ones. */
static int undo_entries(struct undoing *u, struct open_entry *entries, struct error *err)
{
	const struct history *last = &u->result->entries;
	struct transaction *tx = u->session->tx;
	bool mended = false;

	for (size_t i = 0; i < last->count; i++) {
		const struct journal *journal = &entries[i].journal;

		if (history_open(u->session->project, last->entries[i].number,
			    &entries[i].journal, &entries[i].saved, err) < 0)
			return finish_fail(u->session, err);
		for (size_t j = 0; j < journal->change_count; j++)
			if (journal->changes[j].kind == CHANGE_FOLDER)
				string_array_addf(
					&u->taken, "%s/", journal->changes[j].path.text);
	}
	for (size_t i = 0; i < last->count; i++) {
		u->journal = &entries[i].journal;
		u->saved = entries[i].saved;
		if (stage_all(u, err) < 0)
			return finish_fail(u->session, err);
		mended |= !strcmp(last->entries[i].operation, REBUILD_OPERATION);
	}
	/* A newer operation may have made a folder in one of an older: outer before inner. */
	for (size_t i = last->count; i > 0; i--)
		for (size_t j = 0; j < entries[i - 1].journal.folders.count; j++)
			transaction_leave_folder(tx, &entries[i - 1].journal.folders.list[j]);
	transaction_undoes(tx, last->entries[last->count - 1].number);
	return finish_staged(u, mended, err);
}

int undo_last(const struct project *project, size_t count,
	const struct operation_options *options, bool set_aside, struct undo_result *ret_result,
	struct error *err)
{
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(freep) struct open_entry *entries = xcalloc(count, sizeof(*entries));
	struct undoing u = {.session = &s, .set_aside = set_aside, .result = ret_result};
	int failed;

	if (find_last(project, count, &ret_result->entries, err) < 0 ||
		session_open(&s, project, "undo", NULL, options, &ret_result->told, err) < 0)
		return -1;
	s.undoing = true;
	for (size_t i = 0; i < count; i++)
		entries[i].saved = -1;
	failed = undo_entries(&u, entries, err);
	for (size_t i = 0; i < count; i++) {
		journal_release(&entries[i].journal);
		closep(&entries[i].saved);
	}
	string_array_release(&u.taken);
	string_array_release(&u.inside);
	return failed;
}

int redo_last(const struct project *project, const struct operation_options *options,
	bool set_aside, struct undo_result *ret_result, struct error *err)
{
	CLEANUP(history_release) struct history undone = HISTORY_INIT;
	CLEANUP(journal_release) struct journal journal = JOURNAL_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(closep) int saved = -1;
	struct history *last = &ret_result->entries;
	struct undoing u = {.session = &s,
		.journal = &journal,
		.set_aside = set_aside,
		.redo = true,
		.result = ret_result};

	if (history_load_redo(project, &undone, err) < 0)
		return -1;
	if (!undone.count) {
		error_set(err, ERROR_INVALID, "there is nothing to redo");
		return error_hint(err,
			"an undo can be redone until another operation runs, unless it undid the "
			"first operation");
	}
	while (undone.count && undone.entries[undone.count - 1].step != 1)
		history_entry_release(&undone.entries[--undone.count]);
	*last = undone;
	undone = HISTORY_INIT;
	if (history_open_redo(project, &journal, &saved, err) < 0 ||
		session_open(&s, project, "redo", NULL, options, &ret_result->told, err) < 0)
		return -1;
	u.saved = saved;
	s.undoing = true;
	if (stage_all(&u, err) < 0)
		return finish_fail(&s, err);
	for (size_t i = 0; i < journal.folders.count; i++)
		transaction_leave_folder(s.tx, &journal.folders.list[i]);
	return finish_staged(&u, false, err);
}

void undo_result_release(struct undo_result *result)
{
	history_release(&result->entries);
	for (size_t i = 0; i < result->file_count; i++) {
		free(result->files[i].path);
		free(result->files[i].kept);
	}
	free(result->files);
	for (size_t i = 0; i < result->changed_count; i++) {
		free(result->changed[i].path);
		free(result->changed[i].by);
	}
	free(result->changed);
	operation_result_release(&result->told);
}
