#include "host/base/call_rate.h"

#define COST_MS (1000 / CALL_RATE_PER_SECOND)

int64_t call_rate_take(struct call_rate *rate, int64_t now_ms)
{
	int64_t from = rate->spent_until > now_ms ? rate->spent_until : now_ms;
	int64_t until = from + COST_MS;
	int64_t most = now_ms + (int64_t)CALL_RATE_BURST * COST_MS;

	if (until > most)
		return until - most;
	rate->spent_until = until;
	return 0;
}
