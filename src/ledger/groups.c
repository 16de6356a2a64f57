#include "ledger/groups.h"

#include <ctype.h>
#include <string.h>

#include "base/quote.h"
#include "base/utf8.h"
#include "db/check.h"
#include "db/query.h"

#define COLUMNS                                                                                \
	"jid, name, folder, trigger_pattern, added_at, agent, requires_trigger, is_main,"      \
	" removed_at"

/* And not in the bin. */
#define IS_LIVE " AND removed_at IS NULL"

static const struct row_column group_columns[] = {
	ROW_COLUMN(struct group, jid),
	ROW_COLUMN(struct group, name),
	ROW_COLUMN(struct group, folder),
	ROW_COLUMN(struct group, trigger),
	ROW_COLUMN(struct group, added_at),
	ROW_COLUMN(struct group, agent),
	ROW_COLUMN(struct group, requires_trigger),
	ROW_COLUMN(struct group, is_main),
	ROW_COLUMN(struct group, removed_at),
	{0},
};

static const struct row_type group_row_type = {sizeof(struct group), group_columns};

void group_release(struct group *group)
{
	row_release(&group_row_type, group);
}

void group_list_release(struct group_list *groups)
{
	rows_release(&group_row_type, groups);
}

/* --- names ------------------------------------------------------------------- */

static bool is_folder_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

int group_check_folder(const char *folder, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(folder));
	size_t len = strlen(folder);
	bool ok = len >= 1 && len <= GROUP_FOLDER_MAX && isalnum((unsigned char)folder[0]);

	for (size_t i = 0; i < len && ok; i++)
		ok = (unsigned char)folder[i] < 0x80 && is_folder_char(folder[i]);
	if (!ok) {
		error_set(err, ERROR_INVALID, "%s cannot be the folder of a group", shown);
		return error_hint(
			err, "use 1 to %d letters, digits, '-' and '_'", GROUP_FOLDER_MAX);
	}
	if (!strcasecmp(folder, "global"))
		return error_set(err, ERROR_INVALID, "the folder %s is not for groups", shown);
	return 0;
}

int group_check_jid(const char *jid, struct error *err)
{
	struct view rest = view_of(jid);
	bool ok = rest.len >= 3 && rest.len <= GROUP_JID_MAX;

	while (rest.len && ok) {
		uint32_t character;
		size_t len = utf8_decode(rest, &character);

		ok = len && utf8_printable(character) && character > ' ' && character != 0xa0;
		rest = view_slice(rest, len, rest.len);
	}
	if (!ok) {
		CLEANUP(freep) char *shown = utf8_excerpt(view_of(jid));

		error_set(err, ERROR_INVALID, "'%s' is not a JID", shown);
		return error_hint(err, "a JID is like 'slack:C1234567890' or '12036@g.us'");
	}
	return 0;
}

char *group_folder_for(const char *name)
{
	CLEANUP(buf_release) struct buf folder = BUF_INIT_MAX(GROUP_FOLDER_MAX);

	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;

		if (c < 0x80 && isalnum(c))
			buf_append_char(&folder, (char)tolower(c));
		else if (folder.len && folder.data[folder.len - 1] != '-')
			buf_append_char(&folder, '-');
	}
	while (folder.len && folder.data[folder.len - 1] == '-')
		buf_set_len(&folder, folder.len - 1);
	return buf_take(&folder);
}

/* --- rows -------------------------------------------------------------------- */

/* Check the folder before it becomes part of a path: the store may be damaged or foreign. */
static int check_stored_folder(const char *folder, struct error *err)
{
	if (group_check_folder(folder, err) < 0) {
		error_prefix(err, "the store is damaged");
		return error_hint(err,
			"'nanoclaw doctor' names the newest backup, and how to restore it");
	}
	return 0;
}

/* Releases a group that fails. */
static int check_stored_group(struct group *group, struct error *err)
{
	if (!group->folder)
		return 0;
	if (check_stored_folder(group->folder, err) == 0) {
		if (!group->is_main || !strcmp(group->folder, GROUP_MAIN))
			return 0;
		error_set(err, ERROR_INVALID, "the store is damaged: '%s' cannot be main",
			group->folder);
	}
	group_release(group);
	return -1;
}

int store_group_by_jid(
	struct store *store, const char *jid, struct group *ret_group, struct error *err)
{
	if (query_row(store, &group_row_type, ret_group, err,
		    "SELECT " COLUMNS " FROM registered_groups WHERE jid = ?" IS_LIVE, "s",
		    jid) < 0)
		return -1;
	return check_stored_group(ret_group, err);
}

int store_group_by_folder(
	struct store *store, const char *folder, struct group *ret_group, struct error *err)
{
	if (query_row(store, &group_row_type, ret_group, err,
		    "SELECT " COLUMNS " FROM registered_groups WHERE folder = ?" IS_LIVE, "s",
		    folder) < 0)
		return -1;
	return check_stored_group(ret_group, err);
}

int store_group_owner(
	struct store *store, const char *jid, struct group *ret_group, struct error *err)
{
	if (query_row(store, &group_row_type, ret_group, err,
		    "SELECT " COLUMNS " FROM registered_groups WHERE jid = ?1"
		    " OR (folder = ?1 AND removed_at IS NOT NULL)"
		    " ORDER BY jid = ?1 DESC LIMIT 1",
		    "s", jid) < 0)
		return -1;
	return check_stored_group(ret_group, err);
}

static int find_by_name(
	struct store *store, const char *name, struct group *ret_group, struct error *err)
{
	CLEANUP(group_list_release) struct group_list found = {0};

	if (query_rows(store, &group_row_type, &found, err,
		    "SELECT " COLUMNS " FROM registered_groups"
		    " WHERE name = ? COLLATE NOCASE" IS_LIVE " ORDER BY folder LIMIT 2",
		    "s", name) < 0)
		return -1;
	if (found.count > 1) {
		CLEANUP(freep) char *shown = quote(view_of(name));

		error_set(err, ERROR_INVALID, "more than one group is called %s: '%s' and '%s'",
			shown, found.list[0].folder, found.list[1].folder);
		return error_hint(err, "name it by its folder");
	}
	*ret_group = GROUP_INIT;
	if (found.count) {
		*ret_group = found.list[0];
		found.list[0] = GROUP_INIT;
	}
	return check_stored_group(ret_group, err);
}

int store_group_find(
	struct store *store, const char *word, struct group *ret_group, struct error *err)
{
	struct group found;

	if (store_group_by_folder(store, word, &found, err) < 0)
		return -1;
	if (!found.folder && store_group_by_jid(store, word, &found, err) < 0)
		return -1;
	if (!found.folder && find_by_name(store, word, &found, err) < 0)
		return -1;
	*ret_group = found;
	return 0;
}

int store_group_list(struct store *store, struct group_list *ret_groups, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};

	if (query_rows(store, &group_row_type, &groups, err,
		    "SELECT " COLUMNS " FROM registered_groups WHERE true" IS_LIVE
		    " ORDER BY is_main DESC, folder",
		    "") < 0)
		return -1;
	for (size_t i = 0; i < groups.count; i++)
		if (check_stored_group(&groups.list[i], err) < 0)
			return -1;
	*ret_groups = groups;
	groups = (struct group_list){0};
	return 0;
}

int group_refuse_binned(const struct group *group, struct error *err)
{
	error_set(err, ERROR_INVALID, "'%s' is the chat of the group '%s', which is in the bin",
		group->jid, group->folder);
	return error_hint(err,
		"'nanoclaw group add %s %s' takes it back as it was, 'nanoclaw group remove %s' "
		"deletes it",
		group->folder, group->folder, group->folder);
}

/* The JID may be that of the group in this folder, and of no other. */
static int check_owner(
	struct store *store, const char *jid, const char *folder, struct error *err)
{
	CLEANUP(group_release) struct group owner = GROUP_INIT;
	CLEANUP(freep) char *shown = quote(view_of(jid));

	if (store_group_owner(store, jid, &owner, err) < 0)
		return -1;
	if (!owner.folder || (folder && !strcmp(owner.folder, folder)))
		return 0;
	if (owner.removed_at)
		return group_refuse_binned(&owner, err);
	error_set(err, ERROR_INVALID, "%s is already registered as '%s'", shown, owner.folder);
	return error_hint(err, "'nanoclaw group show %s' shows it", owner.folder);
}

int store_group_add(struct store *store, const struct group *group, struct error *err)
{
	CLEANUP(group_release) struct group other = GROUP_INIT;

	if (check_owner(store, group->jid, NULL, err) < 0 ||
		query_row(store, &group_row_type, &other, err,
			"SELECT " COLUMNS " FROM registered_groups WHERE folder = ?", "s",
			group->folder) < 0)
		return -1;
	if (other.removed_at)
		return group_refuse_binned(&other, err);
	if (other.folder) {
		error_set(err, ERROR_INVALID, "the folder '%s' belongs to another group",
			group->folder);
		return error_hint(err, "name another one with '--folder'");
	}
	return query_run(store, err,
		"INSERT INTO registered_groups (" COLUMNS
		") VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
		"ssssssdd", group->jid, group->name, group->folder, group->trigger,
		group->added_at, group->agent, group->requires_trigger, group->is_main);
}

int store_group_rebind(struct store *store, const char *folder, const char *jid,
	const char *name, const char *agent, struct error *err)
{
	return query_run(store, err,
		"UPDATE registered_groups SET jid = ?, name = ?, agent = coalesce(?, agent)"
		" WHERE folder = ?",
		"ssss", jid, name, agent, folder);
}

int store_group_update(struct store *store, const struct group *group, struct error *err)
{
	if (check_owner(store, group->jid, group->folder, err) < 0 ||
		query_run(store, err,
			"UPDATE scheduled_tasks SET chat_jid = ?1 WHERE group_folder = ?2 AND"
			" chat_jid = (SELECT jid FROM registered_groups WHERE folder = ?2)",
			"ss", group->jid, group->folder) < 0)
		return -1;
	return query_run(store, err,
		"UPDATE registered_groups SET jid = ?, name = ?, trigger_pattern = ?,"
		" requires_trigger = ? WHERE folder = ?",
		"sssds", group->jid, group->name, group->trigger, group->requires_trigger,
		group->folder);
}

int store_group_replace_trigger(
	struct store *store, const char *old, const char *trigger, struct error *err)
{
	return query_run(store, err,
		"UPDATE registered_groups SET trigger_pattern = ? WHERE trigger_pattern = ?",
		"ss", trigger, old);
}

/* --- removal ----------------------------------------------------------------- */

int store_group_remove(struct store *store, const struct group *group, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(freep) char *local = xasprintf("local:%s", group->folder);

	/* The platform's chat stays known by name; the terminal's is gone with the group. */
	if (txn_begin(&txn, store, err) < 0 ||
		query_run(store, err, "INSERT OR IGNORE INTO removals (folder) VALUES (?)", "s",
			group->folder) < 0 ||
		query_run(store, err, "DELETE FROM cursors WHERE chat_jid IN (?, ?)", "ss",
			group->jid, local) < 0 ||
		query_run(store, err, "DELETE FROM registered_groups WHERE folder = ?", "s",
			group->folder) < 0 ||
		query_run(store, err, "UPDATE audit SET detail = NULL WHERE group_folder = ?",
			"s", group->folder) < 0 ||
		query_run(store, err, "DELETE FROM chats WHERE jid = ?", "s", local) < 0)
		return -1;
	return txn_commit(&txn, "remove", err);
}

int store_group_bin(
	struct store *store, const struct group *group, int64_t now, struct error *err)
{
	if (query_run(store, err,
		    "DELETE FROM outbox WHERE group_folder = ? AND state = 'waiting'", "s",
		    group->folder) < 0)
		return -1;
	return query_run(store, err,
		"UPDATE registered_groups SET removed_at = ? WHERE folder = ?", "ts", now,
		group->folder);
}

int store_group_unbin(struct store *store, const char *folder, struct error *err)
{
	return query_run(store, err,
		"UPDATE registered_groups SET removed_at = NULL WHERE folder = ?", "s", folder);
}

int store_group_binned(
	struct store *store, int64_t before, struct group_list *ret_groups, struct error *err)
{
	return query_rows(store, &group_row_type, ret_groups, err,
		"SELECT " COLUMNS " FROM registered_groups WHERE removed_at < coalesce(?, '~')"
		" ORDER BY folder",
		"t", before);
}

int store_removal_next(
	struct store *store, const char *after, char **ret_folder, struct error *err)
{
	CLEANUP(freep) char *folder = NULL;

	if (query_string(store, &folder, err,
		    "SELECT folder FROM removals WHERE folder > ? AND folder NOT IN"
		    " (SELECT folder FROM registered_groups) ORDER BY folder LIMIT 1",
		    "s", after) < 0 ||
		(folder && check_stored_folder(folder, err) < 0))
		return -1;
	*ret_folder = TAKE(folder);
	return 0;
}

int store_removal_is_left(
	struct store *store, const char *folder, bool *ret_is_left, struct error *err)
{
	return query_bool(store, ret_is_left, err,
		"SELECT EXISTS (SELECT 1 FROM removals WHERE folder = ?)", "s", folder);
}

int store_removal_done(struct store *store, const char *folder, struct error *err)
{
	return query_run(store, err, "DELETE FROM removals WHERE folder = ?", "s", folder);
}

/* --- senders ----------------------------------------------------------------- */

int store_sender_allow_all(struct store *store, const char *folder, struct error *err)
{
	return query_run(
		store, err, "DELETE FROM allowed_senders WHERE group_folder = ?", "s", folder);
}

int store_sender_allow(
	struct store *store, const char *folder, const char *sender, struct error *err)
{
	return query_run(store, err,
		"INSERT OR IGNORE INTO allowed_senders (group_folder, sender) VALUES (?, ?)",
		"ss", folder, sender);
}

int store_sender_allowed(struct store *store, const char *folder, const char *sender,
	bool *ret_allowed, struct error *err)
{
	return query_bool(store, ret_allowed, err,
		"SELECT EXISTS (SELECT 1 FROM allowed_senders"
		" WHERE group_folder = ?1 AND sender = ?2)"
		" OR NOT EXISTS (SELECT 1 FROM allowed_senders WHERE group_folder = ?1)",
		"ss", folder, sender);
}

int store_sender_list(
	struct store *store, const char *folder, struct buf *ret_senders, struct error *err)
{
	return query_lines(store, ret_senders, err,
		"SELECT sender FROM allowed_senders WHERE group_folder = ? ORDER BY sender",
		"s", folder);
}

/* --- the session of its agent -------------------------------------------------- */

void agent_session_release(struct agent_session *session)
{
	free(session->id);
	*session = (struct agent_session){0};
}

int store_session_get(struct store *store, const char *folder,
	struct agent_session *ret_session, struct error *err)
{
	static const struct row_column columns[] = {
		ROW_COLUMN(struct agent_session, id),
		ROW_TIME(struct agent_session, used_at),
		ROW_COLUMN(struct agent_session, turns),
		{0},
	};

	return query_row(store, &(struct row_type){sizeof(*ret_session), columns}, ret_session,
		err,
		"SELECT session_id, used_at, turns FROM sessions WHERE group_folder = ?"
		" AND NOT " STORED_BAD_SESSION("session_id"),
		"s", folder);
}

int store_session_used(
	struct store *store, const char *folder, const char *id, int64_t now, struct error *err)
{
	if (query_run(store, err,
		    "INSERT INTO sessions (group_folder, session_id, started_at, used_at, turns)"
		    " VALUES (?1, ?2, ?3, ?3, 1) ON CONFLICT (group_folder) DO UPDATE SET"
		    " turns = CASE session_id WHEN ?2 THEN turns + 1 ELSE 1 END,"
		    " started_at = CASE session_id WHEN ?2 THEN started_at ELSE ?3 END,"
		    " session_id = ?2, used_at = ?3",
		    "sst", folder, id, now) < 0)
		return -1;
	/* It is the agent's word, and becomes an argument and the name of a file. */
	return query_run(store, err,
		"DELETE FROM sessions WHERE group_folder = ? AND " STORED_BAD_SESSION(
			"session_id"),
		"s", folder);
}

int store_session_forget(struct store *store, const char *folder, struct error *err)
{
	return query_run(
		store, err, "DELETE FROM sessions WHERE group_folder = ?", "s", folder);
}
