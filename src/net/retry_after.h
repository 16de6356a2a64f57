/*
 * The header Retry-After: when a server allows the next attempt.
 *
 *	struct view value = http_answer_header(reply->answer, "retry-after");
 *	int64_t wait = retry_after_ms(value, timestamp_clock());
 *
 *	if (wait >= 0)
 *		rate_limit_block(&limit, now + wait);
 */
#ifndef NET_RETRY_AFTER_H
#define NET_RETRY_AFTER_H

#include <stdint.h>

#include "base/view.h"

/* The maximum: a server that asks for more gets the next request after a day. */
#define RETRY_AFTER_MAX_MS INT64_C(86400000)

/*
 * Seconds, also with a fraction ("1", "0.25"), or a date ("Sun, 06 Nov 1994 08:49:37 GMT");
 * `clock_ms` is milliseconds since 1970. A date that has passed is 0. -1: neither.
 */
int64_t retry_after_ms(struct view value, int64_t clock_ms);

#endif
