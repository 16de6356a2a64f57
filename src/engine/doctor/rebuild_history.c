/*
 * The history (history.h) as a source: files as they were before an operation, and which
 * state the last one left. An incomplete entry is skipped.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/disk/history.h"
#include "engine/doctor/internal.h"

void rebuild_past_release(struct rebuild_past *past)
{
	for (size_t i = 0; i < past->count; i++) {
		journal_release(&past->list[i].journal);
		history_entry_release(&past->list[i].entry);
	}
	free(past->list);
	string_array_release(&past->broken);
}

/* The past owns the entry if it can be read. */
static void past_add(struct rebuild *r, struct history_entry *entry)
{
	struct rebuild_past *past = &r->past;
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(freep) char *path = xasprintf(".nanoclaw/history/%u", entry->number);
	struct journal journal = JOURNAL_INIT;
	CLEANUP(closep) int saved = -1;

	if (history_open(r->project, entry->number, &journal, &saved, &failed) < 0) {
		rebuild_judge(r, &failed);
		string_array_add(&past->broken, path);
		return;
	}
	/* An entry that lacks a saved file cannot be undone. */
	for (size_t i = 0; i < journal.change_count; i++) {
		CLEANUP(freep) char *name = xasprintf("%u", journal.changes[i].number);

		if (!journal.changes[i].had_before ||
			faccessat(saved, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
			continue;
		rebuild_judge_errno(r, path);
		string_array_add(&past->broken, path);
		break;
	}
	GROW(past->list, past->count, past->cap);
	past->list[past->count++] = (struct rebuild_operation){*entry, journal};
	*entry = (struct history_entry){0};
}

void rebuild_past_load(struct rebuild *r)
{
	CLEANUP(error_release) struct error failed = ERROR_INIT;
	CLEANUP(history_release) struct history history = HISTORY_INIT;

	if (history_load(r->project, &history, &failed) < 0)
		rebuild_judge(r, &failed);
	for (size_t i = 0; i < history.count; i++)
		past_add(r, &history.entries[i]);
}

void rebuild_history_versions(
	struct rebuild *r, const char *path, struct rebuild_versions *ret_versions)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;

	if (relpath_parse(view_of(path), &parsed, &unfit) < 0)
		return;
	for (size_t i = 0; i < r->past.count; i++) {
		const struct change *change = journal_find(&r->past.list[i].journal, &parsed);
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		CLEANUP(freep) char *saved = NULL;

		if (!change || !change->had_before)
			continue;
		saved = xasprintf(".nanoclaw/history/%u/saved/%u", r->past.list[i].entry.number,
			change->number);
		rebuild_read(r, saved, &file);
		if (file.kind == TX_FILE)
			rebuild_versions_add(ret_versions, view_of_buf(&file.content));
	}
}

/* --- the state ---------------------------------------------------------------------------- */

bool rebuild_past_state_hash(const struct rebuild_past *past, struct hash *ret_hash)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(STATE_PATH);

	for (size_t i = past->count; i > 0; i--) {
		const struct change *change = journal_find(&past->list[i - 1].journal, &path);

		if (!change)
			continue;
		*ret_hash = change->hash;
		return change->kind == CHANGE_PUT;
	}
	return false;
}

static bool parse_state(const struct buf *text, struct state *ret_state)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;

	return state_parse(view_of_buf(text), STATE_PATH, ret_state, &unfit) == 0;
}

bool rebuild_history_state(struct rebuild *r, struct state *ret_state)
{
	CLEANUP(rebuild_versions_release) struct rebuild_versions versions = {0};
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct hash hash;

	if (!rebuild_past_state_hash(&r->past, &hash))
		return false;
	if (rebuild_contents_find(r, &hash, &text))
		return parse_state(&text, ret_state);
	rebuild_git_versions(r, STATE_PATH, &versions);
	for (size_t i = 0; i < versions.count; i++) {
		struct hash is = hash_of(view_of_buf(&versions.list[i]));

		if (hash_equal(&is, &hash))
			return parse_state(&versions.list[i], ret_state);
	}
	return false;
}

bool rebuild_history_older(struct rebuild *r, struct state *ret_state, const char **ret_where)
{
	CLEANUP(rebuild_versions_release) struct rebuild_versions saved = {0};
	CLEANUP(rebuild_versions_release) struct rebuild_versions committed = {0};

	*ret_where = "the history";
	rebuild_history_versions(r, STATE_PATH, &saved);
	for (size_t i = saved.count; i > 0; i--)
		if (parse_state(&saved.list[i - 1], ret_state))
			return true;
	*ret_where = "git";
	rebuild_git_versions(r, STATE_PATH, &committed);
	for (size_t i = 0; i < committed.count; i++)
		if (parse_state(&committed.list[i], ret_state))
			return true;
	return false;
}

size_t rebuild_history_rank(const struct rebuild *r, const char *skill)
{
	const struct history_entry *last =
		r->past.count ? &r->past.list[r->past.count - 1].entry : NULL;

	for (size_t i = 0; i < r->older.skill_count; i++)
		if (!strcmp(r->older.skills[i].name, skill))
			return i;
	/* A skill that the older state lacks came with the last operation. */
	for (size_t i = 0; last && i < last->skills.count; i++)
		if (!strcmp(last->skills.list[i], skill))
			return r->older.skill_count + i;
	return SIZE_MAX;
}

/* --- packs ------------------------------------------------------------------------------ */

const struct change *rebuild_history_pack(const struct rebuild *r, const char *skill)
{
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;

	if (relpath_printf(&path, &unfit, APPLIED_FOLDER "/%s", skill) < 0)
		return NULL;
	for (size_t i = r->past.count; i > 0; i--) {
		const struct change *change = journal_find(&r->past.list[i - 1].journal, &path);

		if (change)
			return change;
	}
	return NULL;
}

void rebuild_history_skills(const struct rebuild *r, struct string_array *ret_skills)
{
	static const char folder[] = APPLIED_FOLDER "/";

	for (size_t i = 0; i < r->past.count; i++) {
		const struct journal *journal = &r->past.list[i].journal;

		for (size_t j = 0; j < journal->change_count; j++) {
			const char *path = journal->changes[j].path.text;

			if (!strncmp(path, folder, strlen(folder)))
				string_array_add(ret_skills, path + strlen(folder));
		}
	}
}
