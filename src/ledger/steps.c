#include "ledger/steps.h"

#include "db/query.h"
#include "time/timestamp.h"

static const char *const kinds[] = {
	[STEP_SAID] = "said",
	[STEP_TOOL] = "tool",
};

int store_step_add(struct store *store, int64_t turn, enum step_kind kind, const char *detail,
	int64_t now, struct error *err)
{
	char time[TIMESTAMP_SIZE];

	timestamp_format(now, time);
	return query_run(store, err,
		"INSERT INTO steps (turn, attempt, at, kind, detail)"
		" SELECT ?1, coalesce(max(number), 0), ?2, ?3, ?4 FROM attempts WHERE turn = ?1",
		"isss", turn, time, kinds[kind], detail);
}
