/*
 * One call of Slack's Web API.
 *
 *	if (slack_api_init(&api, network, url, bot_token, app_token, err) < 0)
 *		… one of these is not a token of its kind …
 *	slack_call(&api, SLACK_BOT, "auth.test", json_object(), take_bot, data, &call, err);
 *	… take_bot(data, &reply), from the loop; the call is gone after it
 *	slack_call_cancel(call);	instead: it is never called
 *
 * Parameters go out as a form, which every method takes: texts as they are, all other values as
 * JSON. Tokens are in a header of the request, and in no message and no log.
 */
#ifndef CHANNELS_SLACK_API_H
#define CHANNELS_SLACK_API_H

#include <jansson.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"

#define SLACK_API_URL "https://slack.com/api"

struct slack_call;
struct network;

enum slack_token {
	SLACK_BOT, /* xoxb-…: everything else */
	SLACK_APP, /* xapp-…: opens the socket */
};

struct slack_api {
	struct network *network;
	char *url;            /* up to the method */
	char *credentials[2]; /* a header for each token */
};

enum slack_outcome {
	SLACK_DONE,
	SLACK_UNANSWERED, /* it may have happened */
	SLACK_UNREADABLE, /* it happened, and the answer is not proper JSON */
	SLACK_LATER,      /* too many calls: after `retry_after_ms` */
	SLACK_BUSY,       /* Slack could not do it; it may work later */
	SLACK_NO_TOKEN,   /* the token is refused */
	SLACK_REFUSED,    /* for the reason `error` */
};

/* Good during the callback only. */
struct slack_reply {
	enum slack_outcome outcome;
	const json_t *document;
	const char *error; /* "channel_not_found" … or why there is no answer; NULL if done */
	const char *needed;     /* the scope that the token lacks, or NULL */
	struct view scopes;     /* that the token has; `data` is NULL if Slack does not say */
	int64_t retry_after_ms; /* of SLACK_LATER */
};

/* Is its error one of these? The list ends in NULL. */
bool slack_reply_is(const struct slack_reply *reply, const char *const *errors);
/* The reason in words, for the owner; to be freed. */
char *slack_reply_refusal(const struct slack_reply *reply);

typedef void (*slack_call_function)(void *data, const struct slack_reply *reply);

/* `url` may be NULL: Slack's own. */
int slack_api_init(struct slack_api *api, struct network *network, const char *url,
	const char *bot_token, const char *app_token, struct error *err);
void slack_api_release(struct slack_api *api);

/* `parameters` are taken. */
int slack_call(const struct slack_api *api, enum slack_token token, const char *method,
	json_t *parameters, slack_call_function function, void *data,
	struct slack_call **ret_call, struct error *err);
void slack_call_cancel(struct slack_call *call);

/* Is this an address of the same server, or of its files? */
bool slack_api_is_own(const struct slack_api *api, const char *url);

/* A text in what Slack says: NULL if it is not there or of another type. */
const char *slack_text(const json_t *object, const char *name);

#endif
