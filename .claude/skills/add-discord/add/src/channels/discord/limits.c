#include "channels/discord/limits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Above this, the route that was used least lately is forgotten. */
#define MOST_ROUTES 500

struct discord_limit {
	struct discord_limit *next;
	char *route;
	char *bucket;    /* NULL: not known */
	int64_t allowed; /* calls in a period */
	int64_t period_ms;
	int64_t left;
	int64_t renewed_at; /* when `allowed` calls are left again; 0: nothing is known */
};

static void limit_free(struct discord_limit *limit)
{
	free(limit->route);
	free(limit->bucket);
	free(limit);
}

void discord_limits_release(struct discord_limits *limits)
{
	while (limits->first) {
		struct discord_limit *limit = limits->first;

		limits->first = limit->next;
		limit_free(limit);
	}
	*limits = (struct discord_limits){0};
}

/* NULL: it was not called lately. */
static struct discord_limit *limit_find(struct discord_limits *limits, const char *route)
{
	for (struct discord_limit **at = &limits->first; *at; at = &(*at)->next) {
		struct discord_limit *limit = *at;

		if (strcmp(limit->route, route) != 0)
			continue;
		*at = limit->next;
		limit->next = limits->first;
		limits->first = limit;
		return limit;
	}
	return NULL;
}

static struct discord_limit *limit_get(struct discord_limits *limits, const char *route)
{
	struct discord_limit *limit = limit_find(limits, route);

	if (limit)
		return limit;
	if (limits->count == MOST_ROUTES) {
		struct discord_limit **last = &limits->first;

		while ((*last)->next)
			last = &(*last)->next;
		limit_free(TAKE(*last));
		limits->count--;
	}
	limit = xcalloc(1, sizeof(*limit));
	limit->route = xstrdup(route);
	limit->next = limits->first;
	limits->first = limit;
	limits->count++;
	return limit;
}

/* "channels/7" of "POST channels/7/messages": buckets are counted for each of these. */
static struct view owner_of(const char *route)
{
	const char *path = strchr(route, ' ') + 1;
	size_t len = strcspn(path, "/");

	if (path[len])
		len += 1 + strcspn(path + len + 1, "/");
	return (struct view){path, len};
}

static bool share_bucket(const struct discord_limit *a, const struct discord_limit *b)
{
	return a == b || (a->bucket && b->bucket && !strcmp(a->bucket, b->bucket) &&
				 view_equal(owner_of(a->route), owner_of(b->route)));
}

static void bucket_set(struct discord_limits *limits, const struct discord_limit *source)
{
	for (struct discord_limit *limit = limits->first; limit; limit = limit->next)
		if (limit != source && share_bucket(limit, source)) {
			limit->left = source->left;
			limit->renewed_at = source->renewed_at;
		}
}

int64_t discord_limits_take(struct discord_limits *limits, const char *route, int64_t now)
{
	struct discord_limit *limit = limit_find(limits, route);

	if (limits->all_until > now)
		return limits->all_until - now;
	if (!limit || !limit->renewed_at)
		return 0;
	if (limit->renewed_at <= now) {
		limit->left = limit->allowed;
		limit->renewed_at = now + limit->period_ms;
	}
	if (!limit->left)
		return limit->renewed_at - now;
	limit->left--;
	bucket_set(limits, limit);
	return 0;
}

/* A number with a fraction, times `factor`; -1: there is none. */
static int64_t header_number(const struct http_answer *answer, const char *name, double factor)
{
	struct view value = http_answer_header(answer, name);
	CLEANUP(freep) char *text = value.data ? xmemdupz(value.data, value.len) : NULL;
	char *end = text;
	double number = text ? strtod(text, &end) : -1;

	return end && end != text && number >= 0 && number < 1e9 ? (int64_t)(number * factor)
								 : -1;
}

void discord_limits_learn(struct discord_limits *limits, const char *route,
	const struct http_answer *answer, int64_t now)
{
	struct view bucket = http_answer_header(answer, "x-ratelimit-bucket");
	int64_t left = header_number(answer, "x-ratelimit-remaining", 1);
	int64_t allowed = header_number(answer, "x-ratelimit-limit", 1);
	int64_t period = header_number(answer, "x-ratelimit-reset-after", 1000);
	struct discord_limit *limit;

	if (!bucket.data || left < 0 || allowed < 1 || period < 0)
		return;
	limit = limit_get(limits, route);
	free(limit->bucket);
	limit->bucket = xmemdupz(bucket.data, bucket.len);
	limit->allowed = allowed;
	/* Other calls of the same period may be under way. */
	limit->left = limit->renewed_at > now && limit->left < left ? limit->left : left;
	limit->renewed_at = now + period;
	if (period > limit->period_ms)
		limit->period_ms = period;
	bucket_set(limits, limit);
}

void discord_limits_block(
	struct discord_limits *limits, const char *route, bool all, int64_t until)
{
	struct discord_limit *limit;

	if (all) {
		if (limits->all_until < until)
			limits->all_until = until;
		return;
	}
	limit = limit_get(limits, route);
	if (!limit->allowed)
		limit->allowed = 1;
	limit->left = 0;
	limit->renewed_at = until;
	bucket_set(limits, limit);
}

/* Ids behind the chat's own are not told apart, nor are emoji. */
char *discord_limits_route(const char *method, const char *path)
{
	CLEANUP(buf_release) struct buf route = BUF_INIT;
	struct view rest = {path, strcspn(path, "?")};
	struct view piece;
	unsigned count = 0;

	buf_append_str(&route, method);
	while (view_next(&rest, '/', &piece)) {
		bool is_id = piece.len && isdigit((unsigned char)*piece.data);

		buf_append_char(&route, count ? '/' : ' ');
		if (is_id && count > 1)
			buf_append_char(&route, '*');
		else
			buf_append(&route, piece.data, piece.len);
		if (view_equal_str(piece, "reactions"))
			break;
		count++;
	}
	return buf_take(&route);
}
