/*
 * One call of Telegram's Bot API.
 *
 *	if (telegram_api_init(&api, network, url, token, err) < 0)
 *		… this cannot be a token, or no address …
 *	telegram_call(&api, &(struct telegram_request){.method = "sendMessage", …},
 *		take_reply, data, &call, err);
 *	… take_reply(data, &reply), from the loop; the call is gone after it
 *	telegram_call_cancel(call);	instead: it is never called
 *
 * The token is part of the address of each call. It is in no message and no log: reasons name the
 * host only (net/network.h).
 */
#ifndef CHANNELS_TELEGRAM_API_H
#define CHANNELS_TELEGRAM_API_H

#include <jansson.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"

#define TELEGRAM_URL     "https://api.telegram.org"
#define TELEGRAM_CALL_MS 30000

struct telegram_call;
struct network;

struct telegram_api {
	struct network *network;
	char *url; /* without a slash at its end */
	char *token;
};

struct telegram_request {
	const char *method;
	json_t *parameters; /* taken */
	uint64_t wait_ms;   /* without a byte in either direction, an answer is none; 0:
			     * TELEGRAM_CALL_MS */
	/* A file to send, if `field` is not NULL. */
	const char *field;
	const char *file_name;
	int file; /* taken */
	int64_t file_size;
};

/* Good during the callback only. */
struct telegram_reply {
	/* 200; that of an error; 0: Telegram has not answered, and may have done it. */
	int code;
	const json_t *result;    /* NULL unless it is 200 */
	struct view body;        /* as it came; also of what is not Telegram's */
	const char *description; /* of an error, for people */
	int64_t retry_after_ms;  /* of a 429; else -1 */
	int64_t migrate_to;      /* the new id of a chat that has moved; else 0 */
};

typedef void (*telegram_call_function)(void *data, const struct telegram_reply *reply);

/* `url` may be NULL: Telegram's own. */
int telegram_api_init(struct telegram_api *api, struct network *network, const char *url,
	const char *token, struct error *err);
void telegram_api_release(struct telegram_api *api);

int telegram_call(const struct telegram_api *api, const struct telegram_request *request,
	telegram_call_function function, void *data, struct telegram_call **ret_call,
	struct error *err);
void telegram_call_cancel(struct telegram_call *call);

/* The address of a file, to be wiped and freed with telegram_forget(); NULL for an odd path. */
char *telegram_file_url(const struct telegram_api *api, const char *path);
void telegram_forget(char *secret);

/* Fields of what Telegram says: NULL, or 0, if it is not there or of another type. */
const char *telegram_text(const json_t *object, const char *name);
int64_t telegram_number(const json_t *object, const char *name);

#endif
