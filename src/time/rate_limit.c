#include "time/rate_limit.h"

int64_t rate_limit_take(struct rate_limit *limit, const struct rate_rule *rule, int64_t now)
{
	int64_t cost = (rule->period_ms + rule->count - 1) / rule->count;
	int64_t from = limit->spent_until > now ? limit->spent_until : now;
	int64_t most = now + rule->burst * cost;

	if (limit->blocked_until > now)
		return limit->blocked_until - now;
	if (from + cost > most)
		return from + cost - most;
	limit->spent_until = from + cost;
	return 0;
}

void rate_limit_block(struct rate_limit *limit, int64_t until)
{
	if (until > limit->blocked_until)
		limit->blocked_until = until;
}
