/*
 * One call of Linear's GraphQL API.
 *
 *	if (linear_api_init(&api, network, url, key, err) < 0)
 *		… this cannot be a key, or no address …
 *	linear_call(&api, "query { viewer { id } }", NULL, take_viewer, data, &call, err);
 *	… take_viewer(data, &reply), from the loop; the call is gone after it
 *	linear_call_cancel(call);	instead: it is never called
 *
 * The key is in a header of the request, and in no message and no log.
 */
#ifndef CHANNELS_LINEAR_API_H
#define CHANNELS_LINEAR_API_H

#include <jansson.h>
#include <stdint.h>

#include "base/error.h"

#define LINEAR_API_URL "https://api.linear.app/graphql"

/* Who has the key. */
#define LINEAR_VIEWER "query Viewer { viewer { id name displayName url } }"

struct linear_call;
struct network;

struct linear_api {
	struct network *network;
	char *url;
	char *credential; /* a header */
};

enum linear_outcome {
	LINEAR_DONE,
	LINEAR_UNANSWERED, /* it may have happened */
	LINEAR_LATER,      /* too many calls: after `wait_ms` */
	LINEAR_BUSY,       /* Linear could not do it; it may work later */
	LINEAR_NO_KEY,     /* the key is refused */
	LINEAR_REFUSED,    /* what this call is about does not exist, or not for us */
};

/* Good during the callback only. */
struct linear_reply {
	enum linear_outcome outcome;
	const json_t *data; /* NULL unless it is done */
	const char *error;  /* NULL if it is done */
	int64_t wait_ms;    /* of LINEAR_LATER; if done: until calls are not scarce, mostly 0 */
	int64_t clock;      /* Linear's; 0: not known */
};

typedef void (*linear_call_function)(void *data, const struct linear_reply *reply);

/* `url` may be NULL: Linear's own. */
int linear_api_init(struct linear_api *api, struct network *network, const char *url,
	const char *key, struct error *err);
void linear_api_release(struct linear_api *api);

/* `variables` are taken; may be NULL. */
int linear_call(const struct linear_api *api, const char *document, json_t *variables,
	linear_call_function function, void *data, struct linear_call **ret_call,
	struct error *err);
void linear_call_cancel(struct linear_call *call);

/* Fields of what Linear says: NULL, or 0, if they are not there or of another type. */
const char *linear_text(const json_t *object, const char *name);
int64_t linear_time(const json_t *object, const char *name);

#endif
