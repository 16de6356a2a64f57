/*
 * How long to wait before the next attempt: longer after each failure, up to a maximum.
 *
 *	struct backoff backoff = BACKOFF_INIT(200, 60000);
 *
 *	wait = backoff_next(&backoff);	after a failure
 *	backoff_reset(&backoff);	after a success that lasted
 *
 * The wait doubles, and up to half of it is left to chance. Otherwise all clients of a server that
 * was down would come back at the same moment.
 */
#ifndef TIME_BACKOFF_H
#define TIME_BACKOFF_H

#include <stdint.h>

struct backoff {
	int64_t first_ms;
	int64_t longest_ms;
	int failures;
	uint64_t seed; /* 0: a random one at first use; tests set it */
};

#define BACKOFF_INIT(first, longest) ((struct backoff){(first), (longest), 0, 0})

int64_t backoff_next(struct backoff *backoff);

/*
 * The same after an attempt that nobody answered: the network may be back at any moment, and no
 * server is spared by waiting. At most eight seconds.
 */
int64_t backoff_away(struct backoff *backoff);
void backoff_reset(struct backoff *backoff);

/* first * factor^count, at most `longest`, without chance: for failures counted in the store. */
int64_t backoff_ms(int64_t first, int factor, int count, int64_t longest);

#endif
