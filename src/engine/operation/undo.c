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

struct undoing {
	struct session *session;
	const struct journal *journal; /* of the operation */
	int saved;                     /* its saved files */
	bool set_aside;
	struct undo_result *result;
};

static bool is_ours(const struct relpath *path)
{
	return view_starts_with(relpath_view(path), NANOCLAW);
}

/* How conflicts were resolved is remembered, as it is where git keeps it. */
static bool is_memory(const struct relpath *path)
{
	return view_starts_with(relpath_view(path), NANOCLAW "rr-cache/") ||
	       view_starts_with(relpath_view(path), NANOCLAW "hunks/");
}

/* --- what was before, and what is now ---------------------------------------------------- */

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
		error_errno(
			err, "the history has lost '%s' as it was before", change->path.text);
		return damage_hint(err);
	}
	if (!S_ISREG(ret_stat->st_mode))
		return error_set(err, ERROR_INVALID,
			"the history has something else for '%s' than a file",
			change->path.text);
	ret_file->kind = TX_FILE;
	ret_file->mode = ret_stat->st_mode & 07777;
	return file_read_fd(
		fd, change->path.text, TRANSACTION_MAX_FILE, &ret_file->content, err);
}

static bool same(const struct tx_file *a, const struct tx_file *b)
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

/* A path in .nanoclaw/kept, or kept.2 and so on, where nothing is and no file in the way. */
static int find_place(struct undoing *u, const struct relpath *path, struct relpath *ret_place,
	struct error *err)
{
	for (unsigned n = 1; n < MOST_KEPT; n++) {
		CLEANUP(error_release) struct error local = ERROR_INIT;
		CLEANUP(freep)
		char *where = n == 1 ? xasprintf(KEPT "/%s", path->text)
				     : xasprintf(KEPT ".%u/%s", n, path->text);
		CLEANUP(relpath_release) struct relpath place = RELPATH_INIT;
		enum tx_kind kind;

		if (relpath_parse(view_of(where), &place, err) < 0)
			return -1;
		if (transaction_look(u->session->project, &place, &kind, &local) < 0 ||
			kind != TX_ABSENT)
			continue;
		*ret_place = place;
		place = RELPATH_INIT;
		return 0;
	}
	return error_set(err, ERROR_FAILED, "cannot keep '%s' aside", path->text);
}

/* `*ret_where` is to be freed. */
static int keep_aside(struct undoing *u, const struct relpath *path, const struct tx_file *now,
	char **ret_where, struct error *err)
{
	CLEANUP(relpath_release) struct relpath place = RELPATH_INIT;
	struct transaction *tx = u->session->tx;
	int failed = 0;

	if (find_place(u, path, &place, err) < 0)
		return -1;
	if (now->kind == TX_FILE)
		failed =
			transaction_put(tx, &place, view_of_buf(&now->content), now->mode, err);
	else if (now->kind == TX_SYMLINK)
		failed = transaction_put_link(tx, &place, view_of_buf(&now->content), err);
	else
		return 0;
	*ret_where = failed ? NULL : xstrdup(place.text);
	return failed;
}

/* --- one change ------------------------------------------------------------------- */

static int put_back(struct undoing *u, const struct change *change,
	const struct tx_file *before, const struct stat *st, struct error *err)
{
	struct transaction *tx = u->session->tx;
	struct view content = view_of_buf(&before->content);
	int failed;

	if (before->kind == TX_ABSENT)
		return transaction_remove(tx, &change->path, err);
	failed = before->kind == TX_SYMLINK
			 ? transaction_put_link(tx, &change->path, content, err)
			 : transaction_put(tx, &change->path, content, before->mode, err);
	if (failed)
		return -1;
	return transaction_set_times(
		tx, &change->path, (struct timespec[2]){st->st_atim, st->st_mtim}, err);
}

static void note_file(struct undoing *u, const struct change *change, char *kept)
{
	struct undo_result *r = u->result;

	if (is_ours(&change->path))
		return;
	GROW(r->files, r->file_count, r->file_cap);
	r->files[r->file_count++] = (struct undo_file){
		.path = xstrdup(change->path.text),
		.effect = change->had_before ? UNDO_RESTORED : UNDO_REMOVED,
		.kept = kept,
	};
}

static void note_changed(struct undoing *u, const struct relpath *path)
{
	struct undo_result *r = u->result;

	GROW(r->changed, r->changed_count, r->changed_cap);
	r->changed[r->changed_count++] = xstrdup(path->text);
}

/* A folder that the operation has put there, or that its install has made. */
static int stage_folder(struct undoing *u, const struct change *change, struct error *err)
{
	enum tx_kind kind;

	if (transaction_look(u->session->project, &change->path, &kind, err) < 0)
		return -1;
	if (kind == TX_ABSENT || (change->exposed && u->session->options->no_install))
		return 0;
	if (kind != TX_FOLDER) {
		note_changed(u, &change->path);
		return 0;
	}
	return transaction_take_folder(u->session->tx, &change->path, err);
}

static int stage_change(struct undoing *u, const struct change *change, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file now = TX_FILE_INIT;
	CLEANUP(freep) char *kept = NULL;
	struct stat st = {0};
	bool untouched;

	if (is_memory(&change->path) && !change->had_before)
		return 0;
	if (change->kind == CHANGE_FOLDER)
		return stage_folder(u, change, err);
	if (read_saved(u, change, &before, &st, err) < 0 ||
		transaction_read(u->session->tx, &change->path, &now, err) < 0)
		return -1;
	if (same(&before, &now))
		return 0;
	untouched = is_as_left(change, &now);
	if (!untouched && (!u->set_aside || is_ours(&change->path) || now.kind == TX_FOLDER ||
				  now.kind == TX_OTHER)) {
		note_changed(u, &change->path);
		return 0;
	}
	if ((!untouched || change->edited) &&
		keep_aside(u, &change->path, &now, &kept, err) < 0)
		return -1;
	if (put_back(u, change, &before, &st, err) < 0)
		return -1;
	note_file(u, change, TAKE(kept));
	return 0;
}

static int compare_files(const void *a, const void *b)
{
	const struct undo_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int stage_all(struct undoing *u, struct error *err)
{
	const struct journal *journal = u->journal;

	for (size_t i = journal->change_count; i > 0; i--)
		if (stage_change(u, &journal->changes[i - 1], err) < 0)
			return -1;
	for (size_t i = 0; i < journal->folder_count; i++)
		transaction_leave_folder(u->session->tx, &journal->folders[i]);
	if (u->result->file_count)
		qsort(u->result->files, u->result->file_count, sizeof(*u->result->files),
			compare_files);
	if (u->result->changed_count)
		qsort(u->result->changed, u->result->changed_count, sizeof(char *),
			compare_paths);
	return 0;
}

/* --- dependencies ----------------------------------------------------------------- */

static int read_manifest(
	const struct project *project, struct transaction *tx, json_t **ret_json)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(tx_file_release) struct tx_file staged = TX_FILE_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (relpath_parse(view_of(INSTALL_MANIFEST), &path, &ignored) < 0)
		return -1;
	if (!tx)
		return beneath_read(project->root, &path, JSON_MAX_SIZE, &text, &ignored) < 0
			       ? -1
			       : json_read(view_of_buf(&text), INSTALL_MANIFEST, JSON_MAX_SIZE,
					 ret_json, &ignored);
	if (transaction_read(tx, &path, &staged, &ignored) < 0)
		return -1;
	return json_read(view_of_buf(&staged.content), INSTALL_MANIFEST, JSON_MAX_SIZE,
		ret_json, &ignored);
}

/* Will package.json ask for other packages than it does now? */
static bool dependencies_change(struct undoing *u)
{
	static const char *const keys[] = {
		"dependencies", "devDependencies", "optionalDependencies", "peerDependencies"};
	json_t *now = NULL, *then = NULL;
	bool differ = false;

	if (read_manifest(u->session->project, NULL, &now) == 0 &&
		read_manifest(u->session->project, u->session->tx, &then) == 0)
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
			json_t *a = json_object_get(now, keys[i]);
			json_t *b = json_object_get(then, keys[i]);

			differ |= (a || b) && !json_equal(a, b);
		}
	json_decref(now);
	json_decref(then);
	return differ;
}

/* Only where there are modules that stay is there anything to install. */
static int plan_install(struct undoing *u, struct error *err)
{
	CLEANUP(relpath_release) struct relpath modules = RELPATH_INIT;
	enum tx_kind kind;

	if (relpath_parse(view_of(INSTALL_MODULES), &modules, err) < 0 ||
		transaction_look(u->session->project, &modules, &kind, err) < 0)
		return -1;
	u->session->dependencies_changed =
		kind != TX_ABSENT &&
		!journal_find(transaction_journal(u->session->tx), &modules) &&
		dependencies_change(u);
	return 0;
}

/* --- all of it -------------------------------------------------------------------- */

static int refuse_changed(const struct undoing *u, struct error *err)
{
	const struct undo_result *r = u->result;
	const struct history_entry *entry = &r->entry;
	bool ours = false;

	for (size_t i = 0; i < r->changed_count; i++)
		ours |= view_starts_with(view_of(r->changed[i]), NANOCLAW);
	if (r->changed_count == 1)
		error_set(err, ERROR_INVALID,
			"'%s' is not as '%s' left it: somebody changed it since", r->changed[0],
			entry->operation);
	else
		error_set(err, ERROR_INVALID,
			"'%s' and %zu more are not as '%s' left them: somebody changed "
			"them since",
			r->changed[0], r->changed_count - 1, entry->operation);
	if (ours)
		return error_hint(err, "nothing was changed; 'nanoclaw verify' shows more");
	if (u->set_aside)
		return error_hint(
			err, "nothing was changed; no file is there: move it away first");
	return error_hint(err,
		"nothing was changed; 'nanoclaw undo --set-aside' does it, and puts your "
		"version in '" KEPT "'");
}

static void copy_entry(const struct history_entry *from, struct history_entry *to)
{
	*to = *from;
	to->operation = xstrdup(from->operation);
	to->finished_at = xstrdup(from->finished_at);
	to->skills = xcalloc(from->skill_count + 1, sizeof(*to->skills));
	for (size_t i = 0; i < from->skill_count; i++)
		to->skills[i] = xstrdup(from->skills[i]);
}

static int find_last(
	const struct project *project, struct history_entry *ret_entry, struct error *err)
{
	CLEANUP(history_release) struct history history = HISTORY_INIT;

	if (history_load(project, &history, err) < 0)
		return -1;
	if (!history.count) {
		error_set(err, ERROR_INVALID, "there is no operation that could be undone");
		return error_hint(err, "'nanoclaw undo --list' shows those that can");
	}
	copy_entry(&history.entries[history.count - 1], ret_entry);
	return 0;
}

/* For a dry run, which names the tests that would run; what cannot be read has none. */
static void read_undone_state(struct session *s)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(tx_file_release) struct tx_file text = TX_FILE_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	state_release(&s->state);
	s->state = STATE_INIT;
	s->only_tests = true;
	if (relpath_parse(view_of(STATE_PATH), &path, &ignored) == 0 &&
		transaction_read(s->tx, &path, &text, &ignored) == 0 && text.kind == TX_FILE)
		state_parse(view_of_buf(&text.content), STATE_PATH, &s->state, &ignored);
}

static int undo_entry(struct undoing *u, struct error *err)
{
	struct session *s = u->session;

	if (stage_all(u, err) < 0 || plan_install(u, err) < 0)
		return finish_fail(s, err);
	if (u->result->changed_count) {
		refuse_changed(u, err);
		return finish_fail(s, err);
	}
	if (s->options->dry_run) {
		CLEANUP(string_array_release) struct string_array nothing = {0};

		read_undone_state(s);
		return finish_dry(s, &nothing, err);
	}
	return finish_undo(s, !strcmp(u->result->entry.operation, REBUILD_OPERATION), err);
}

int undo_last(const struct project *project, const struct operation_options *options,
	bool set_aside, struct undo_result *ret_result, struct error *err)
{
	CLEANUP(journal_release) struct journal journal = JOURNAL_INIT;
	CLEANUP(session_release) struct session s = {.base = -1};
	CLEANUP(closep) int saved = -1;
	struct undoing u = {.session = &s,
		.journal = &journal,
		.set_aside = set_aside,
		.result = ret_result};

	if (find_last(project, &ret_result->entry, err) < 0 ||
		history_open(project, ret_result->entry.number, &journal, &saved, err) < 0 ||
		session_open(&s, project, "undo", NULL, options, &ret_result->told, err) < 0)
		return -1;
	u.saved = saved;
	s.undoing = true;
	return undo_entry(&u, err);
}

void undo_result_release(struct undo_result *result)
{
	history_entry_release(&result->entry);
	for (size_t i = 0; i < result->file_count; i++) {
		free(result->files[i].path);
		free(result->files[i].kept);
	}
	free(result->files);
	for (size_t i = 0; i < result->changed_count; i++)
		free(result->changed[i]);
	free(result->changed);
	operation_result_release(&result->told);
}
