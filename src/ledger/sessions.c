#include "ledger/sessions.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/view.h"
#include "db/query.h"

void agent_session_release(struct agent_session *session)
{
	free(session->id);
	*session = (struct agent_session){0};
}

static bool is_session_id(const char *id)
{
	if (!*id || *id == '-')
		return false;
	for (; *id; id++)
		if (*id <= ' ' || *id > '~')
			return false;
	return true;
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

	if (query_row(store, &(struct row_type){sizeof(*ret_session), columns}, ret_session,
		    err,
		    "SELECT session_id, used_at, turns FROM sessions WHERE group_folder = ?",
		    "s", folder) < 0)
		return -1;
	/* It becomes an argument of the agent: no option, and nothing odd. */
	if (ret_session->id && !is_session_id(ret_session->id)) {
		free(ret_session->id);
		ret_session->id = NULL;
	}
	return 0;
}

int store_session_used(
	struct store *store, const char *folder, const char *id, int64_t now, struct error *err)
{
	return query_run(store, err,
		"INSERT INTO sessions (group_folder, session_id, started_at, used_at, turns)"
		" VALUES (?1, ?2, ?3, ?3, 1) ON CONFLICT (group_folder) DO UPDATE SET"
		" turns = CASE session_id WHEN ?2 THEN turns + 1 ELSE 1 END,"
		" started_at = CASE session_id WHEN ?2 THEN started_at ELSE ?3 END,"
		" session_id = ?2, used_at = ?3",
		"sst", folder, id, now);
}

int store_session_forget(struct store *store, const char *folder, struct error *err)
{
	return query_run(
		store, err, "DELETE FROM sessions WHERE group_folder = ?", "s", folder);
}
