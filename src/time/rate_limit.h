/*
 * At most so many calls in a time: a token bucket.
 *
 *	static const struct rate_rule rule = {.count = 20, .period_ms = 60000, .burst = 5};
 *	struct rate_limit limit = {0};
 *
 *	wait = rate_limit_take(&limit, &rule, now);	0: go ahead
 *	rate_limit_block(&limit, now + wait);		the server said so: retry_after.h
 *
 * Times are milliseconds of any clock that does not go back.
 */
#ifndef TIME_RATE_LIMIT_H
#define TIME_RATE_LIMIT_H

#include <stdint.h>

struct rate_rule {
	int64_t count; /* calls … */
	int64_t period_ms;
	int64_t burst; /* at once, after a rest */
};

struct rate_limit {
	int64_t spent_until; /* when all calls so far are paid for */
	int64_t blocked_until;
};

/* 0: now. Otherwise wait this many milliseconds; the call does not count. */
int64_t rate_limit_take(struct rate_limit *limit, const struct rate_rule *rule, int64_t now);

/* No call before this time. An earlier time changes nothing. */
void rate_limit_block(struct rate_limit *limit, int64_t until);

#endif
