#include "ledger/chats.h"

#include "db/query.h"

static const struct row_column chat_columns[] = {
	ROW_COLUMN(struct chat, jid),
	ROW_COLUMN(struct chat, name),
	ROW_COLUMN(struct chat, last_message_time),
	ROW_COLUMN(struct chat, channel),
	ROW_COLUMN(struct chat, is_group),
	ROW_COLUMN(struct chat, registered),
	{0},
};

static const struct row_type chat_row_type = {sizeof(struct chat), chat_columns};

void chat_list_release(struct chat_list *chats)
{
	rows_release(&chat_row_type, chats);
}

/* Make room for one more. Only chats of which just the name is known are dropped. */
static int make_room(struct store *store, struct error *err)
{
	int64_t count;

	if (query_number(store, 0, &count, err, "SELECT count(*) FROM chats", "") < 0)
		return -1;
	if (count < CHATS_MAX)
		return 0;
	return query_run(store, err,
		"DELETE FROM chats WHERE jid IN (SELECT jid FROM chats c"
		" WHERE NOT EXISTS (SELECT 1 FROM registered_groups g WHERE g.jid = c.jid)"
		" AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.chat_jid = c.jid)"
		" AND NOT EXISTS (SELECT 1 FROM cursors u WHERE u.chat_jid = c.jid)"
		" AND jid NOT IN (SELECT chat_jid FROM turns)"
		" AND jid NOT IN (SELECT chat_jid FROM outbox)"
		" AND jid NOT LIKE 'local:%'"
		" ORDER BY last_message_time LIMIT ?)",
		"d", CHATS_ROOM);
}

int store_chat_note(struct store *store, const char *jid, const char *name, const char *channel,
	enum chat_kind kind, int64_t time, bool registered, struct error *err)
{
	bool known;

	if (query_bool(store, &known, err, "SELECT EXISTS (SELECT 1 FROM chats WHERE jid = ?)",
		    "s", jid) < 0 ||
		(!known && !registered && make_room(store, err) < 0))
		return -1;
	return query_run(store, err,
		"INSERT INTO chats (jid, name, channel, is_group, last_message_time)"
		" VALUES (?1, ?2, ?3, ?4 <> 2, ?5)"
		" ON CONFLICT (jid) DO UPDATE SET name = coalesce(?2, name),"
		" channel = coalesce(nullif(?3, ''), channel),"
		" is_group = CASE ?4 WHEN 0 THEN is_group ELSE ?4 <> 2 END,"
		" last_message_time = max(coalesce(last_message_time, ''),"
		" coalesce(?5, ''))",
		"sssdt", jid, name, channel, (int)kind, time);
}

int store_chat_move(
	struct store *store, const char *jid, const char *new_jid, struct error *err)
{
	/* A message that is in both chats stays in the old one. */
	static const char *const moves[] = {
		"UPDATE registered_groups SET jid = ?2 WHERE jid = ?1",
		("UPDATE chats SET is_group = (SELECT is_group FROM chats WHERE jid = ?1)"
		 " WHERE jid = ?2 AND EXISTS (SELECT 1 FROM chats WHERE jid = ?1)"),
		"UPDATE OR IGNORE messages SET chat_jid = ?2 WHERE chat_jid = ?1",
		"UPDATE turns SET chat_jid = ?2 WHERE chat_jid = ?1",
		"UPDATE outbox SET chat_jid = ?2 WHERE chat_jid = ?1",
		"UPDATE OR REPLACE cursors SET chat_jid = ?2 WHERE chat_jid = ?1",
		"UPDATE scheduled_tasks SET chat_jid = ?2 WHERE chat_jid = ?1",
	};

	for (size_t i = 0; i < ARRAY_SIZE(moves); i++)
		if (query_run(store, err, moves[i], "ss", jid, new_jid) < 0)
			return -1;
	return 0;
}

int store_chat_unpaired(
	struct store *store, const char *channel, bool *ret_unpaired, struct error *err)
{
	return query_bool(store, ret_unpaired, err,
		"SELECT EXISTS (SELECT 1 FROM chats WHERE channel = ?1"
		" AND coalesce(last_message_time, '') <> '')"
		" AND NOT EXISTS (SELECT 1 FROM chats JOIN registered_groups USING (jid)"
		" WHERE channel IN (?1, '') AND removed_at IS NULL)", /* '': it never wrote */
		"s", channel);
}

int store_chat_kind(
	struct store *store, const char *jid, enum chat_kind *ret_kind, struct error *err)
{
	int64_t is_group;

	if (query_number(store, -1, &is_group, err, "SELECT is_group FROM chats WHERE jid = ?",
		    "s", jid) < 0)
		return -1;
	*ret_kind = is_group < 0 ? CHAT_UNKNOWN : is_group ? CHAT_GROUP : CHAT_DIRECT;
	return 0;
}

int store_chat_search(struct store *store, const char *text, int max,
	struct chat_list *ret_chats, struct error *err)
{
	return query_rows(store, &chat_row_type, ret_chats, err,
		"SELECT jid, name, last_message_time, channel, is_group,"
		" EXISTS (SELECT 1 FROM registered_groups g WHERE g.jid = chats.jid"
		" AND g.removed_at IS NULL)"
		" FROM chats WHERE instr(lower(coalesce(name, '')), lower(?1))"
		" OR instr(jid, ?1) ORDER BY last_message_time DESC, jid LIMIT ?2",
		"sd", text, max);
}
