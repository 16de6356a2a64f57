/*
 * The conversation that a group's agent goes on with: the id that the agent gave.
 */
#ifndef LEDGER_SESSIONS_H
#define LEDGER_SESSIONS_H

#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

struct agent_session {
	char *id; /* NULL: no session */
	int64_t used_at;
	int turns;
};

void agent_session_release(struct agent_session *session);

int store_session_get(struct store *store, const char *folder,
	struct agent_session *ret_session, struct error *err);

/* One more turn in it. Another id than before is a new session. */
int store_session_used(struct store *store, const char *folder, const char *id, int64_t now,
	struct error *err);
int store_session_forget(struct store *store, const char *folder, struct error *err);

#endif
