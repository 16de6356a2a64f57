#include "ledger/said.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "db/query.h"

void said_list_release(struct said_list *said)
{
	for (size_t i = 0; i < said->count; i++) {
		free(said->list[i].time);
		free(said->list[i].who);
		free(said->list[i].kind);
		free(said->list[i].text);
	}
	free(said->list);
}

int store_said(struct store *store, const char *folder, int64_t max, struct said_list *ret_said,
	struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT * FROM (SELECT received_at AS at, 0 AS side, seq AS n, sender_name,"
		    "  'message', content, turn FROM messages WHERE group_folder = ?1"
		    " UNION ALL SELECT created_at, 1, id, NULL, kind, content, turn FROM outbox"
		    "  WHERE group_folder = ?1 AND state = 'sent'"
		    " ORDER BY at DESC, side DESC, n DESC LIMIT ?2) ORDER BY at, side, n",
		    "si", folder, max) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		GROW(ret_said->list, ret_said->count, ret_said->cap);
		ret_said->list[ret_said->count++] = (struct said){
			.time = query_copy(&q, 0),
			.who = query_copy(&q, 3),
			.kind = query_copy(&q, 4),
			.text = query_copy(&q, 5),
			.turn = query_int(&q, 6),
		};
	}
	return more;
}
