#include "userskill/sync.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "db/query.h"
#include "time/timestamp.h"
#include "userskill/lifecycle.h"
#include "userskill/manage.h"
#include "userskill/sync_files.h"
#include "userskill/text/parse.h"
#include "userskill/user_skills.h"

/* Who changes the status of a skill by what its file states. */
#define BY_FILE "file"

/*
 * Facts that have changed alone, as a fresh checkout changes all of them, are worth a write
 * only if it saves reading this many files the next time.
 */
#define WORTH_A_WRITE 64

struct syncing {
	struct store *store;
	struct sync_files files;
	struct skill_rows rows; /* of files, by ID */
	struct sync_report *report;
	int64_t now;
	int64_t clock; /* before anything was read */
};

static void syncing_release(struct syncing *s)
{
	sync_files_release(&s->files);
	skill_rows_release(&s->rows);
}

const char *sync_kind_name(enum sync_kind kind)
{
	static const char *const names[] = {
		[SYNC_ADDED] = "added", [SYNC_CHANGED] = "changed", [SYNC_GONE] = "gone"};

	return names[kind];
}

void sync_report_release(struct sync_report *report)
{
	for (size_t i = 0; i < report->change_count; i++) {
		free(report->changes[i].skill);
		free(report->changes[i].path);
	}
	free(report->changes);
	for (size_t i = 0; i < report->problem_count; i++) {
		free(report->problems[i].text);
		free(report->problems[i].hint);
	}
	free(report->problems);
	*report = SYNC_REPORT_INIT;
}

static void add_change(
	struct syncing *s, enum sync_kind kind, const char *skill, const char *path)
{
	struct sync_report *report = s->report;

	report->counts[kind]++;
	GROW(report->changes, report->change_count, report->change_cap);
	report->changes[report->change_count++] = (struct sync_change){
		kind, xstrdup(skill), xasprintf("%s/%s", s->files.library.shown, path)};
}

/* --- what there was ---------------------------------------------------------- */

static int compare_id(const void *key, const void *row)
{
	return strcmp(key, ((const struct skill_row *)row)->id);
}

static const struct skill_row *row_of(const struct syncing *s, const char *id)
{
	if (!s->rows.count)
		return NULL;
	return bsearch(id, s->rows.list, s->rows.count, sizeof(*s->rows.list), compare_id);
}

static int compare_path(const void *key, const void *file)
{
	return strcmp(key, ((const struct sync_file *)file)->file->path);
}

/* The file of a definition, or NULL. */
static const struct sync_file *file_at(const struct syncing *s, const char *path)
{
	if (!s->files.count)
		return NULL;
	return bsearch(
		path, s->files.list, s->files.count, sizeof(*s->files.list), compare_path);
}

/* --- one file ---------------------------------------------------------------- */

static bool is_unchanged(const struct syncing *s, const struct sync_file *file)
{
	const struct skill_row *row = file->id ? row_of(s, file->id) : NULL;

	return row && !row->gone && !strcmp(row->hash, file->hash) &&
	       !strcmp(row->path, file->file->path);
}

/* The status stated in the file counts if it has changed and the lifecycle allows it. */
static enum skill_status status_of(struct syncing *s, const struct skill_row *old,
	const struct sync_file *file, const struct user_skill *skill)
{
	enum skill_status status = skill->status;

	if (!old || lifecycle_stated(skill_status_parse(old->status),
			    skill_status_parse(old->stated), skill->status, &status))
		return status;
	sync_problem(s->report, false,
		"%s/%s: it states %s, and stays %s, which cannot change to that",
		s->files.library.shown, file->file->path, skill_status_name(skill->status),
		skill_status_name(status));
	sync_hint(s->report, "'nanoclaw user-skill status %s ...' changes it step by step",
		skill->id);
	return status;
}

/* Read the file again for its content; a change since then is left to the next sync. */
static int write_file(struct syncing *s, const struct sync_file *file, struct error *err)
{
	const struct skill_row *old = row_of(s, file->id);
	CLEANUP(user_skill_release) struct user_skill skill = USER_SKILL_INIT;
	CLEANUP(skill_faults_release) struct skill_faults faults = SKILL_FAULTS_INIT;
	CLEANUP(error_release) struct error vanished = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	int64_t before = timestamp_clock();
	struct skill_file_row facts;
	enum skill_status status;
	char hex[HASH_HEX_SIZE] = "";
	struct stat st;

	if (fstatat(s->files.library.fd, file->file->path, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		library_read(&s->files.library, file->file->path, &text, &vanished) == 0)
		hash_hex_of(view_of_buf(&text), hex);
	if (strcmp(hex, file->hash) != 0) {
		sync_problem(s->report, true, "%s/%s: it was changed while it was read",
			s->files.library.shown, file->file->path);
		sync_hint(s->report, "'nanoclaw user-skill sync' reads it again");
		return 0;
	}
	user_skill_parse(view_of_buf(&text), file->file->path, &skill, &faults);
	facts = sync_facts(&st, file->file->path, file->id, file->hash, before);
	status = status_of(s, old, file, &skill);
	if (skill_put(s->store, &skill,
		    (struct skill_row){
			    .origin = (char *)(uintptr_t)SKILL_FROM_FILE,
			    .source = (char *)(uintptr_t)skill.source_text,
			    .status = (char *)(uintptr_t)skill_status_name(status),
			    .content = text.data,
			    .hash = (char *)(uintptr_t)file->hash,
			    .path = file->file->path,
		    },
		    BY_FILE, s->now, err) < 0 ||
		skill_file_put(s->store, &facts, err) < 0)
		return -1;
	if (old && strcmp(old->hash, file->hash) != 0 && !strcmp(old->version, skill.version))
		sync_problem(s->report, false,
			"%s/%s: its content has changed, and its version is still %s",
			s->files.library.shown, file->file->path, old->version);
	add_change(
		s, old && !old->gone ? SYNC_CHANGED : SYNC_ADDED, file->id, file->file->path);
	return 0;
}

/* --- all --------------------------------------------------------------------- */

/*
 * Skills that had a file and for whose ID there is no file now. A file with errors in its
 * place changes nothing.
 */
static void find_gone(const struct syncing *s, bool *ret_gone)
{
	for (size_t i = 0; i < s->rows.count; i++) {
		const struct sync_file *at = file_at(s, s->rows.list[i].path);

		ret_gone[i] = !s->rows.list[i].gone && !(at && !at->id);
	}
	for (size_t i = 0; i < s->files.count; i++) {
		const struct skill_row *row =
			s->files.list[i].id ? row_of(s, s->files.list[i].id) : NULL;

		if (row)
			ret_gone[row - s->rows.list] = false;
	}
}

static struct skill_file_row facts_of(const struct syncing *s, const struct sync_file *file)
{
	return sync_facts(&file->file->stat, file->file->path, file->id, file->hash, s->clock);
}

/* Is there anything to write, or enough new facts to save reading files next time? */
static bool is_worth_writing(const struct syncing *s, const bool *is_row_gone)
{
	size_t facts = 0;

	for (size_t i = 0; i < s->files.count; i++) {
		const struct sync_file *file = &s->files.list[i];

		if (file->id && !is_unchanged(s, file))
			return true;
		facts += file->id && file->touched && facts_of(s, file).ctime;
	}
	for (size_t i = 0; i < s->rows.count; i++)
		if (is_row_gone[i])
			return true;
	for (size_t i = 0; i < s->files.known.count; i++)
		if (!file_at(s, s->files.known.list[i].path))
			return true;
	return facts >= WORTH_A_WRITE;
}

static int write_all(struct syncing *s, const bool *is_row_gone, struct error *err)
{
	for (size_t i = 0; i < s->rows.count; i++)
		if (is_row_gone[i]) {
			const struct skill_row *row = &s->rows.list[i];

			if (store_skill_set_gone(s->store, row->id, true, err) < 0)
				return -1;
			add_change(s, SYNC_GONE, row->id, row->path);
		}
	for (size_t i = 0; i < s->files.known.count; i++)
		if (!file_at(s, s->files.known.list[i].path) &&
			skill_file_remove(s->store, s->files.known.list[i].path, err) < 0)
			return -1;
	for (size_t i = 0; i < s->files.count; i++) {
		const struct sync_file *file = &s->files.list[i];

		if (file->id && !is_unchanged(s, file)) {
			if (write_file(s, file, err) < 0)
				return -1;
		} else if (file->id && file->touched) {
			struct skill_file_row facts = facts_of(s, file);

			if (skill_file_put(s->store, &facts, err) < 0)
				return -1;
		}
	}
	return 0;
}

static int write_changes(struct syncing *s, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(freep) bool *is_row_gone = xcalloc(s->rows.count + 1, sizeof(bool));

	find_gone(s, is_row_gone);
	for (size_t i = 0; i < s->files.count; i++)
		s->report->unchanged += is_unchanged(s, &s->files.list[i]);
	if (!is_worth_writing(s, is_row_gone))
		return 0;
	s->report->wrote = true;
	if (txn_begin(&txn, s->store, err) < 0 || write_all(s, is_row_gone, err) < 0)
		return -1;
	return txn_commit(&txn, "skills", err);
}

/* A skill, with its file if it has one. */
static char *skill_text(const struct syncing *s, const char *id, const char *path)
{
	return *path ? xasprintf("'%s' (%s/%s)", id, s->files.library.shown, path)
		     : xasprintf("'%s'", id);
}

/*
 * Report skills with the same command: a group can have only one of them. Usually there are
 * none, and the index alone shows it.
 */
static int report_shared_commands(struct syncing *s, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(s->store, &q, err,
		    "WITH there AS (SELECT c.command, c.skill, min(c.origin), d.path"
		    " FROM skill_commands c JOIN skill_definitions d"
		    " ON d.id = c.skill AND d.origin = c.origin AND NOT d.gone"
		    " AND d.status <> 'Retired' WHERE c.command IN"
		    " (SELECT command FROM skill_commands GROUP BY command"
		    " HAVING min(skill) <> max(skill))"
		    " GROUP BY c.command, c.skill),"
		    " pairs AS (SELECT command, skill, path, lag(skill) OVER by_skill AS other,"
		    " lag(path) OVER by_skill AS other_path FROM there"
		    " WINDOW by_skill AS (PARTITION BY command ORDER BY skill))"
		    " SELECT command, other, other_path, skill, path FROM pairs"
		    " WHERE other IS NOT NULL ORDER BY command, skill",
		    "") < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		CLEANUP(freep)
		char *first = skill_text(s, query_text(&q, 1), query_text(&q, 2));
		CLEANUP(freep)
		char *second = skill_text(s, query_text(&q, 3), query_text(&q, 4));

		sync_problem(s->report, false, "the command '/%s' is that of %s and of %s",
			query_text(&q, 0), first, second);
		sync_hint(s->report, "a group that has both gets the first one");
	}
	return more;
}

/*
 * The facts about a file are written together with its definition, and deleted when it is
 * marked as gone. So if no file differs from its facts, the definitions are up to date.
 */
static bool is_all_known(const struct syncing *s)
{
	if (s->files.count != s->files.known.count)
		return false;
	for (size_t i = 0; i < s->files.count; i++)
		if (!s->files.list[i].id || s->files.list[i].touched)
			return false;
	return true;
}

int skill_sync(struct store *store, int root, const char *setting,
	struct sync_report *ret_report, struct error *err)
{
	CLEANUP(sync_report_release) struct sync_report report = SYNC_REPORT_INIT;
	CLEANUP(syncing_release)
	struct syncing s = {
		.store = store,
		.files = SYNC_FILES_INIT,
		.report = &report,
		.now = timestamp_now(),
		.clock = timestamp_clock(),
	};

	if (sync_files_read(store, root, setting, &s.files, &report, err) < 0)
		return -1;
	if (is_all_known(&s))
		report.unchanged = s.files.count;
	else if (store_skill_list(store, SKILL_FROM_FILE, &s.rows, err) < 0 ||
		 write_changes(&s, err) < 0)
		return -1;
	if (report_shared_commands(&s, err) < 0)
		return -1;
	*ret_report = report;
	report = SYNC_REPORT_INIT;
	return 0;
}
