/*
 * One call of Discord's REST API.
 *
 *	if (discord_api_init(&api, network, url, token, err) < 0)
 *		… this cannot be a token, or no address …
 *	discord_call(&api, &(struct discord_request){"GET", "users/@me"}, take_bot, data, &call,
 *		err);
 *	… take_bot(data, &reply), from the loop; the call is gone after it
 *	discord_call_cancel(call);	instead: it is never called
 *
 * A call for which Discord's limits leave no room is held back until they do (limits.h). The token
 * is in a header of the request, and in no message and no log.
 */
#ifndef CHANNELS_DISCORD_API_H
#define CHANNELS_DISCORD_API_H

#include <jansson.h>

#include "base/error.h"
#include "channels/discord/limits.h"
#include "net/http_multipart.h"

#define DISCORD_API_URL "https://discord.com/api/v10"

struct discord_call;
struct network;

struct discord_api {
	struct network *network;
	char *url; /* up to the path */
	char *token;
	char *credentials; /* a header */
	struct discord_limits limits;
	struct discord_call *calls;
};

struct discord_request {
	const char *method;
	const char *path;            /* "channels/7/messages?limit=1" */
	json_t *json;                /* the body, which is taken; or NULL */
	struct http_multipart *form; /* instead; taken */
};

enum discord_outcome {
	DISCORD_DONE,
	DISCORD_UNANSWERED, /* it may have happened */
	DISCORD_LATER,      /* too many calls: after `retry_after_ms` */
	DISCORD_BUSY,       /* Discord could not do it; it may work later */
	DISCORD_NO_TOKEN,   /* the token is refused */
	DISCORD_REFUSED,    /* for the reason `error` */
};

/* Good during the callback only. */
struct discord_reply {
	enum discord_outcome outcome;
	const json_t *document; /* NULL: none */
	int code;               /* Discord's own, of an error: 10003 is an unknown chat; or 0 */
	const char *error;      /* for people; NULL if it is done */
	int64_t retry_after_ms; /* of DISCORD_LATER */
};

typedef void (*discord_call_function)(void *data, const struct discord_reply *reply);

/* `url` may be NULL: Discord's own. */
int discord_api_init(struct discord_api *api, struct network *network, const char *url,
	const char *token, struct error *err);
/* Calls that are under way are cancelled. */
void discord_api_release(struct discord_api *api);

/* Without a `function`, nobody learns of its outcome; `ret_call` is NULL then. */
int discord_call(struct discord_api *api, const struct discord_request *request,
	discord_call_function function, void *data, struct discord_call **ret_call,
	struct error *err);
void discord_call_cancel(struct discord_call *call);

/* A text in what Discord says: NULL if it is not there or of another type. */
const char *discord_text(const json_t *object, const char *name);

/* "1234", as Discord numbers everything; and their order, which is that of time. */
bool discord_is_id(const char *text);
int discord_id_compare(const char *a, const char *b);
/* Milliseconds since 1970, at which it was given; and the first id of a time, to be freed. */
int64_t discord_id_time(const char *id);
char *discord_id_at(int64_t ms);

#endif
