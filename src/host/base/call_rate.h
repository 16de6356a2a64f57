/* How often an agent may call the host. */
#ifndef HOST_BASE_CALL_RATE_H
#define HOST_BASE_CALL_RATE_H

#include "time/rate_limit.h"

#define CALL_RATE_BURST      300
#define CALL_RATE_PER_SECOND 25

static const struct rate_rule call_rate = {CALL_RATE_PER_SECOND, 1000, CALL_RATE_BURST};

#endif
