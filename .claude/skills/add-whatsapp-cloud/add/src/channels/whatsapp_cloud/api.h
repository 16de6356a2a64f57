/*
 * One call of the Graph API of WhatsApp's Cloud API.
 *
 *	if (cloud_api_init(&api, network, url, token, phone_id, err) < 0)
 *		… one of these cannot be right …
 *	cloud_call(&api, &(struct cloud_request){"POST", "messages", .json = json}, take_sent, data,
 *		&call, err);
 *	… take_sent(data, &reply), from the loop; the call is gone after it
 *	cloud_call_cancel(call);	instead: it is never called
 *
 * The token is in a header of the request, and in no message and no log.
 */
#ifndef CHANNELS_WHATSAPP_CLOUD_API_H
#define CHANNELS_WHATSAPP_CLOUD_API_H

#include <jansson.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"
#include "net/http_multipart.h"

#define CLOUD_API_URL "https://graph.facebook.com/v24.0"

struct cloud_call;
struct network;

struct cloud_api {
	struct network *network;
	char *url;         /* without a slash at its end */
	char *phone_id;    /* of the business number */
	char *credentials; /* a header */
};

struct cloud_request {
	const char *method;
	const char *path; /* below the number: "messages"; with '/', below the address */
	json_t *json;     /* the body, which is taken; or NULL */
	struct http_multipart *form; /* instead; taken */
};

enum cloud_outcome {
	CLOUD_DONE,
	CLOUD_UNANSWERED, /* it may have happened */
	CLOUD_LATER,      /* too many calls */
	CLOUD_BUSY,       /* WhatsApp could not do it; it may work later */
	CLOUD_NO_TOKEN,   /* the token is refused, or may not do this */
	CLOUD_REFUSED,    /* for the reason `error` */
};

/* Good during the callback only. */
struct cloud_reply {
	enum cloud_outcome outcome;
	const json_t *document; /* NULL: none */
	int code;               /* of an error: 131047 is too late for an answer; or 0 */
	const char *error;      /* for people; NULL if it is done */
	int64_t retry_after_ms; /* of CLOUD_LATER; -1: WhatsApp does not say */
};

typedef void (*cloud_call_function)(void *data, const struct cloud_reply *reply);

/* `url` may be NULL: Meta's own. */
int cloud_api_init(struct cloud_api *api, struct network *network, const char *url,
	const char *token, const char *phone_id, struct error *err);
void cloud_api_release(struct cloud_api *api);

int cloud_call(const struct cloud_api *api, const struct cloud_request *request,
	cloud_call_function function, void *data, struct cloud_call **ret_call,
	struct error *err);
void cloud_call_cancel(struct cloud_call *call);

/* An "error" of a reply, or one of the "errors" of a status, in words; to be freed. */
char *cloud_error_words(const json_t *error);

/* May the token go there? To the API itself, and to where Meta keeps files. */
bool cloud_api_is_own(const struct cloud_api *api, const char *url);

/* A text in what WhatsApp says: NULL if it is not there or of another type. */
const char *cloud_text(const json_t *object, const char *name);

#endif
