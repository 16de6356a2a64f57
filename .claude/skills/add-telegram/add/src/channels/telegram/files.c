#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/telegram/telegram.h"
#include "net/http.h"
#include "time/timestamp.h"

#define LEAST_WAIT 1000

/* A file of a message: first its path is asked for, then it is read. */
struct fetching {
	struct fetching *next;
	struct telegram *telegram;
	int64_t id;
	struct telegram_call *call; /* one of these two */
	struct http_transfer *transfer;
	int status;
	bool unwanted; /* the host wants no more of it */
};

static void fetching_remove(struct fetching *fetching)
{
	struct fetching **at = &fetching->telegram->fetchings;

	while (*at != fetching)
		at = &(*at)->next;
	*at = fetching->next;
	free(fetching);
}

static void fetching_ended(struct fetching *fetching, enum channel_receipt receipt,
	const char *reason, int64_t later)
{
	struct channel *channel = &fetching->telegram->channel;

	channel->events->fetch_ended(channel, fetching->id, receipt, reason, later);
	fetching_remove(fetching);
}

static bool take_head(void *data, const struct http_answer *answer)
{
	struct fetching *fetching = data;

	fetching->status = answer->status;
	return true;
}

static bool take_piece(void *data, struct view bytes)
{
	struct fetching *fetching = data;
	struct channel *channel = &fetching->telegram->channel;

	if (fetching->status != 200)
		return true;
	fetching->unwanted = channel->events->fetched(channel, fetching->id, bytes) < 0;
	return !fetching->unwanted;
}

static void file_done(void *data, const char *why)
{
	struct fetching *fetching = data;

	if (fetching->unwanted)
		fetching_remove(fetching);
	else if (why)
		fetching_ended(fetching, RECEIPT_FAILED, why, 0);
	else if (fetching->status != 200)
		fetching_ended(fetching, RECEIPT_FAILED, "Telegram does not give the file", 0);
	else
		fetching_ended(fetching, RECEIPT_SENT, NULL, 0);
}

static const struct http_handlers file_handlers = {
	.answer = take_head,
	.bytes = take_piece,
	.done = file_done,
};

static void take_path(void *data, const struct telegram_reply *reply)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct fetching *fetching = data;
	struct telegram *telegram = fetching->telegram;
	const char *path = telegram_text(reply->result, "file_path");
	char *url = path ? telegram_file_url(&telegram->api, path) : NULL;
	int64_t wait = reply->retry_after_ms > LEAST_WAIT ? reply->retry_after_ms : LEAST_WAIT;

	fetching->call = NULL;
	if (!reply->code) {
		telegram_poll_check(telegram, reply->description);
		fetching_ended(fetching, RECEIPT_FAILED, reply->description, 0);
	} else if (reply->code == 429) {
		fetching_ended(
			fetching, RECEIPT_LATER, reply->description, timestamp_clock() + wait);
	} else if (reply->code != 200) {
		fetching_ended(fetching, reply->code >= 500 ? RECEIPT_FAILED : RECEIPT_REFUSED,
			reply->description, 0);
	} else if (!url) {
		fetching_ended(fetching, RECEIPT_REFUSED, "Telegram names no file", 0);
	} else if (http_start(telegram->api.network,
			   &(struct http_request){.method = "GET", .url = url}, &file_handlers,
			   fetching, &fetching->transfer, &err) < 0) {
		fetching_ended(fetching, RECEIPT_FAILED, err.message, 0);
	}
	telegram_forget(url);
}

void telegram_fetch(struct channel *channel, const struct channel_file *file)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct telegram *telegram = (struct telegram *)channel;
	struct fetching *fetching = xcalloc(1, sizeof(*fetching));

	fetching->telegram = telegram;
	fetching->id = file->id;
	fetching->next = telegram->fetchings;
	telegram->fetchings = fetching;
	if (telegram_call(&telegram->api,
		    &(struct telegram_request){.method = "getFile",
			    .parameters = json_pack("{s:s}", "file_id", file->source)},
		    take_path, fetching, &fetching->call, &err) < 0)
		fetching_ended(fetching, RECEIPT_FAILED, err.message, 0);
}

void telegram_fetch_end(struct telegram *telegram)
{
	while (telegram->fetchings) {
		if (telegram->fetchings->call)
			telegram_call_cancel(telegram->fetchings->call);
		else
			http_cancel(telegram->fetchings->transfer);
		fetching_remove(telegram->fetchings);
	}
}
