/*
 * Discord's rate limits, as the headers of its answers tell them.
 *
 *	wait = discord_limits_take(&limits, "POST channels/7/messages", now);
 *	… 0: make the call; else ask again after so many milliseconds …
 *	discord_limits_learn(&limits, "POST channels/7/messages", &answer, now);
 *	discord_limits_block(&limits, "POST channels/7/messages", false, now + wait);	after a 429
 *
 * A route belongs to a bucket, whose name is in the first answer. Routes of one bucket and of the
 * same chat share what is left. Times are those of timestamp_steady().
 */
#ifndef CHANNELS_DISCORD_LIMITS_H
#define CHANNELS_DISCORD_LIMITS_H

#include <stdint.h>

#include "net/http_answer.h"

struct discord_limit;

struct discord_limits {
	struct discord_limit *first; /* the latest route */
	unsigned count;
	int64_t all_until; /* no call at all before this time */
};

void discord_limits_release(struct discord_limits *limits);

int64_t discord_limits_take(struct discord_limits *limits, const char *route, int64_t now);
void discord_limits_learn(struct discord_limits *limits, const char *route,
	const struct http_answer *answer, int64_t now);
/* `all`: every route. */
void discord_limits_block(
	struct discord_limits *limits, const char *route, bool all, int64_t until);

/* "POST channels/7/messages" for the path "channels/7/messages/9?limit=1": to be freed. */
char *discord_limits_route(const char *method, const char *path);

#endif
