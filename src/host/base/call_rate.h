/*
 * How often an agent may call the host: CALL_RATE_BURST times at once, and then
 * CALL_RATE_PER_SECOND times in a second.
 */
#ifndef HOST_BASE_CALL_RATE_H
#define HOST_BASE_CALL_RATE_H

#include <stdint.h>

#define CALL_RATE_BURST      300
#define CALL_RATE_PER_SECOND 25

struct call_rate {
	int64_t spent_until; /* when all of its calls so far are paid for; 0: at the start */
};

/* 0: it may call now. Otherwise so many milliseconds later, and this one does not count. */
int64_t call_rate_take(struct call_rate *rate, int64_t now_ms);

#endif
