#include "engine/session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/base.h"
#include "engine/core/base_sums.h"
#include "engine/core/gitdir.h"
#include "engine/core/ignore.h"
#include "engine/disk/project.h"
#include "engine/state/remap.h"
#include "fs/beneath.h"

#define BASE_PATH   BASE_FOLDER
#define IGNORE_PATH ".nanoclaw/.gitignore"

/* The rest of .nanoclaw belongs into a person's repository. */
static const char of_this_machine[] =
	"/backup/\n/builds/\n/history/\n/index\n/kept/\n/lock\n/matrix/\n/tx/\n";

/* --- beginning ---------------------------------------------------------------- */

/* List the contents of the base, so that damage to it is noticed. */
static int stage_base_sums(struct session *s, struct base_sums *sums, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(BASE_SUMS_PATH);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (base_sums_collect(s->base, sums, err) < 0)
		return -1;
	base_sums_render(sums, s->state.core_version, &text);
	return transaction_put(s->tx, &path, view_of_buf(&text), 0644, err);
}

/* Copy the core aside; it becomes .nanoclaw/base with everything else. */
int session_take_base(
	struct session *s, int core, bool whole, struct base_sums *ret_sums, struct error *err)
{
	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
	CLEANUP(relpath_release) struct relpath path = relpath_of(BASE_PATH);
	struct base_copy_result copied;
	int failed;

	if (transaction_put_folder(s->tx, &path, &s->base, err) < 0)
		return error_prefix(err, "cannot save the core");
	if (core == s->project->root) {
		s->copied = xcalloc(1, sizeof(*s->copied));
		*s->copied = STAT_INDEX_INIT;
	}
	failed = whole ? base_copy_whole(core, s->base, &copied, err)
		       : base_copy(core, s->base, s->copied, &copied, err);
	if (failed || stage_base_sums(s, ret_sums ? ret_sums : &sums, err) < 0)
		return error_prefix(err, "cannot save the core");
	if (!copied.files && !strcmp(transaction_journal(s->tx)->operation, "init")) {
		error_set(err, ERROR_INVALID, "'%s' has no files that skills could change",
			s->project->path);
		return error_hint(err, "run 'nanoclaw init' in the folder of your project");
	}
	if (!s->found_state && core == s->project->root) {
		CLEANUP(relpath_release) struct relpath ignore = relpath_of(IGNORE_PATH);
		CLEANUP(buf_release) struct buf list = BUF_INIT;
		const char *last = NULL;

		if (transaction_put(s->tx, &ignore, view_of(of_this_machine), 0644, err) < 0)
			return -1;
		/* A folder with code in it must not be missing from the core without a word. */
		for (size_t i = 0; i < IGNORE_FOLDERS; i++)
			if (copied.folders_left_out[i]) {
				last = copied.folders_left_out[i];
				buf_appendf(&list, "%s'%s'", list.len ? ", " : "", last);
			}
		if (last)
			session_warn(s,
				"left out of the core, as folders of data or built files: %s; a line '!%s/' in '.nanoclaw-ignore' includes one, if it is there before 'nanoclaw init'",
				list.data, last);
	}
	if (copied.git_unknown)
		session_warn(s,
			"git's index could not be read (%s); files that .gitignore excludes are "
			"left out of the base even if git tracks them",
			copied.git_unknown);
	if (copied.left_out)
		session_warn(s, "%zu sockets, pipes or devices are not part of the base",
			copied.left_out);
	return 0;
}

int session_open(struct session *ret_session, const struct project *project,
	const char *operation, const char *core_version,
	const struct operation_options *options, struct operation_result *result,
	struct error *err)
{
	CLEANUP(freep) char *version = NULL;
	struct session *s = ret_session;
	bool found = true;

	*s = (struct session){
		.project = project, .options = options, .result = result, .base = -1};
	s->tx = options->dry_run ? transaction_new_dry(project, operation)
				 : transaction_new(project, operation);
	if (state_load(project, &s->state, &s->found_state, err) < 0)
		return -1;
	if (s->found_state)
		return 0;
	if (core_version)
		version = xstrdup(core_version);
	else if (base_core_version(s->project->root, &version, &found, err) < 0)
		return -1;
	s->version_assumed = !found;
	state_init(&s->state, version);
	s->result->initialized = true;
	return 0;
}

int session_open_base(struct session *s, struct error *err)
{
	if (s->version_assumed)
		session_warn(s,
			"the core has no version (in VERSION, package.json or meson.build); "
			"assuming 0.0.0 ('nanoclaw init --core-version' states another)");
	s->version_assumed = false;
	if (!s->found_state && !s->options->dry_run && !s->core_is_tree)
		return session_take_base(s, s->project->root, false, NULL, err);
	/* In a dry run, the tree is used as the base. */
	return session_open_core(s, err);
}

int session_open_core(struct session *s, struct error *err)
{
	s->core_is_tree = !s->found_state;
	s->base = s->found_state ? openat(s->project->root, BASE_PATH,
					   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
				 : fcntl(s->project->root, F_DUPFD_CLOEXEC, 0);
	if (s->base >= 0)
		return 0;
	error_errno(err, "cannot open the base, '%s'", BASE_PATH);
	return damage_hint(err);
}

/* --- the base ------------------------------------------------------------------- */

int session_base_path(const struct relpath *path, struct relpath *ret_full, struct error *err)
{
	CLEANUP(relpath_release) struct relpath folder = relpath_of(BASE_FOLDER);

	return relpath_join(&folder, relpath_view(path), ret_full, err);
}

int session_read_base(struct session *s, const struct relpath *path, struct tx_file *ret_file,
	struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	bool excluded = false;
	struct stat st;

	if (s->base_staged) {
		CLEANUP(relpath_release) struct relpath full = RELPATH_INIT;

		if (session_base_path(path, &full, err) < 0)
			return -1;
		return transaction_read(s->tx, &full, ret_file, err);
	}
	ret_file->kind = TX_ABSENT;
	if (s->core_is_tree) {
		CLEANUP(ignore_freep) struct ignore *ignore = NULL;

		/* Before there is a base: is the path left out of it? */
		if (ignore_open(s->project->root, &ignore, err) < 0 ||
			ignore_excludes_file(ignore, path, &excluded, err) < 0)
			return -1;
	}
	if (excluded)
		return 0;
	if (beneath_stat(s->base, path, &st, &local) < 0) {
		if (local.errnum == ENOENT || local.errnum == ENOTDIR)
			return 0;
		error_prefix(&local, "base");
		return error_move(err, &local);
	}
	if (S_ISLNK(st.st_mode)) {
		ret_file->kind = TX_SYMLINK;
		return beneath_read_link(s->base, path, &ret_file->content, err);
	}
	if (S_ISDIR(st.st_mode)) {
		ret_file->kind = TX_FOLDER;
		return 0;
	}
	ret_file->kind = TX_FILE;
	ret_file->mode = st.st_mode & 07777;
	return beneath_read(s->base, path, TRANSACTION_MAX_FILE, &ret_file->content, err);
}

int session_prune_above(struct session *s, const struct relpath *path, struct error *err)
{
	CLEANUP(relpath_release) struct relpath folder = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath inner = relpath_copy(path);

	while (relpath_parent(&inner, &folder)) {
		CLEANUP(tx_file_release) struct tx_file base = TX_FILE_INIT;

		if (session_read_base(s, &folder, &base, err) < 0)
			return -1;
		if (base.kind != TX_ABSENT)
			break;
		transaction_prune(s->tx, &folder);
		relpath_release(&inner);
		inner = folder;
		folder = RELPATH_INIT;
	}
	return 0;
}

bool session_base_is_edited(struct session *s, const struct relpath *path, struct view content)
{
	CLEANUP(gitdir_release) struct gitdir gitdir = GITDIR_INIT;

	if (s->found_state)
		return false;
	if (!s->git) {
		s->git = xcalloc(1, sizeof(*s->git));
		*s->git = GITINDEX_INIT;
		gitdir_open(s->project->root, &gitdir);
		if (gitdir.fd >= 0)
			gitindex_read(gitdir.fd, s->git);
	}
	return gitindex_differs(s->git, path->text, content);
}

/* --- the state and the result ------------------------------------------------------ */

int session_put_state(struct session *s, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(STATE_PATH);
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (state_write(&s->state, &text, err) < 0)
		return -1;
	return transaction_put(s->tx, &path, view_of_buf(&text), 0644, err);
}

void session_warn(struct session *s, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct operation_result *result = s->result;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	GROW(result->warnings, result->warning_count, result->warning_cap);
	result->warnings[result->warning_count++] = buf_take(&text);
}

void session_note_file(struct session *s, const struct relpath *path, const char *skill,
	enum file_outcome outcome)
{
	struct operation_result *result = s->result;

	GROW(result->files, result->file_count, result->file_cap);
	result->files[result->file_count++] = (struct file_result){
		.path = xstrdup(path->text), .skill = xstrdup(skill), .outcome = outcome};
}

void session_note_rename(struct session *s, const struct relpath *from,
	const struct relpath *to, const char *skill)
{
	session_note_file(s, to, skill, OUTCOME_RENAMED);
	s->result->files[s->result->file_count - 1].from = xstrdup(from->text);
}

void session_add_conflict(struct session *s, struct conflict conflict)
{
	struct operation_result *result = s->result;

	GROW(result->conflicts, result->conflict_count, result->conflict_cap);
	result->conflicts[result->conflict_count++] = conflict;
}

const struct rr_cache *session_rr_cache(struct session *s)
{
	if (!s->rr_cache) {
		s->rr_cache = xcalloc(1, sizeof(*s->rr_cache));
		*s->rr_cache = RR_CACHE_INIT;
		rr_cache_open(s->project->root, s->rr_cache);
	}
	return s->rr_cache;
}

void session_save_index(struct session *s)
{
	if (s->copied && !s->base_staged)
		stat_index_save_copied(s->copied, s->project);
}

void lesson_release(struct lesson *lesson)
{
	relpath_release(&lesson->path);
	free(lesson->skill);
	free(lesson->version);
	free(lesson->source);
	resolution_skills_release(&lesson->about);
}

static int compare_drift_path(const void *key, const void *drift)
{
	return strcmp(key, ((const struct drift *)drift)->path);
}

static bool is_in_drift(const struct session *s, const struct relpath *path)
{
	return s->drift.count && bsearch(path->text, s->drift.list, s->drift.count,
					 sizeof(*s->drift.list), compare_drift_path);
}

bool session_has_drift(const struct session *s, const struct relpath *path)
{
	CLEANUP(relpath_list_release) struct relpath_list origins = {0};
	bool left;

	if (!s->drift_left)
		return false;
	left = is_in_drift(s, path);
	remap_origins(&s->state, path, &origins);
	for (size_t i = 0; i < origins.count && !left; i++)
		left = is_in_drift(s, &origins.list[i]);
	return left;
}

bool session_is_migration(const struct session *s, const char *skill)
{
	const struct yaml_node *list = s->notes ? yaml_get(s->notes->root, "migrations") : NULL;

	for (size_t i = 0; list && list->kind == YAML_SEQUENCE && i < list->count; i++) {
		const struct yaml_node *name = yaml_get(list->items[i], "skill");

		if (name && view_equal_str(name->text, skill))
			return true;
	}
	return false;
}

static void session_pack_release(struct session_pack *pack)
{
	free(pack->skill);
	pack_release(&pack->pack);
	free(pack->hashes);
}

void session_forget_pack(struct session *s, const char *skill)
{
	for (size_t i = 0; i < s->pack_count; i++)
		if (!strcmp(s->packs[i].skill, skill)) {
			session_pack_release(&s->packs[i]);
			s->packs[i] = s->packs[--s->pack_count];
			return;
		}
}

void session_release(struct session *s)
{
	for (size_t i = 0; i < s->pack_count; i++)
		session_pack_release(&s->packs[i]);
	free(s->packs);
	for (size_t i = 0; i < s->lesson_count; i++)
		lesson_release(&s->lessons[i]);
	free(s->lessons);
	rr_writes_release(&s->git_writes);
	for (size_t i = 0; i < s->merge_count; i++) {
		struct merge_note *note = &s->merges[i];

		relpath_release(&note->path);
		free(note->skill);
		free(note->version);
		buf_release(&note->base);
		buf_release(&note->ours);
		buf_release(&note->theirs);
		buf_release(&note->merged);
	}
	free(s->merges);
	if (s->rr_cache)
		rr_cache_release(s->rr_cache);
	free(s->rr_cache);
	if (s->git)
		gitindex_release(s->git);
	free(s->git);
	if (s->copied)
		stat_index_release(s->copied);
	free(s->copied);
	if (s->resolutions)
		s->resolutions_free(s->resolutions);
	yaml_doc_free(s->notes);
	transaction_free(s->tx);
	state_release(&s->state);
	drift_list_release(&s->drift);
	closep(&s->base);
}
