#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/whatsapp_cloud/cloud.h"
#include "net/http.h"
#include "time/timestamp.h"

#define LATER_MS 30000

/* A file of a message: its id is asked for its address, which is good for five minutes. */
struct cloud_fetching {
	struct cloud_fetching *next;
	struct cloud *cloud;
	int64_t id;
	struct cloud_call *call; /* one of these two */
	struct http_transfer *transfer;
	int status;
	bool unwanted; /* the host wants no more of it */
};

static void fetching_remove(struct cloud_fetching *fetching)
{
	struct cloud_fetching **at = &fetching->cloud->fetchings;

	while (*at != fetching)
		at = &(*at)->next;
	*at = fetching->next;
	free(fetching);
}

static void fetching_ended(struct cloud_fetching *fetching, enum channel_receipt receipt,
	const char *reason, int64_t later)
{
	struct channel *channel = &fetching->cloud->channel;

	channel->events->fetch_ended(channel, fetching->id, receipt, reason, later);
	fetching_remove(fetching);
}

static bool take_head(void *data, const struct http_answer *answer)
{
	struct cloud_fetching *fetching = data;

	fetching->status = answer->status;
	return true;
}

static bool take_piece(void *data, struct view bytes)
{
	struct cloud_fetching *fetching = data;
	struct channel *channel = &fetching->cloud->channel;

	if (fetching->status != 200)
		return true;
	fetching->unwanted = channel->events->fetched(channel, fetching->id, bytes) < 0;
	return !fetching->unwanted;
}

static void file_done(void *data, const char *why)
{
	struct cloud_fetching *fetching = data;

	if (fetching->unwanted)
		fetching_remove(fetching);
	else if (why)
		fetching_ended(fetching, RECEIPT_FAILED, why, 0);
	else if (fetching->status != 200)
		fetching_ended(fetching, RECEIPT_FAILED, "WhatsApp does not give the file", 0);
	else
		fetching_ended(fetching, RECEIPT_SENT, NULL, 0);
}

static const struct http_handlers file_handlers = {
	.answer = take_head,
	.bytes = take_piece,
	.done = file_done,
};

static void take_address(void *data, const struct cloud_reply *reply)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct cloud_fetching *fetching = data;
	struct cloud *cloud = fetching->cloud;
	const char *url = cloud_text(reply->document, "url");
	const char *const headers[] = {cloud->api.credentials, "User-Agent: nanoclaw", NULL};

	fetching->call = NULL;
	if (reply->outcome == CLOUD_LATER) {
		fetching_ended(
			fetching, RECEIPT_LATER, reply->error, timestamp_clock() + LATER_MS);
	} else if (reply->outcome == CLOUD_REFUSED) {
		fetching_ended(fetching, RECEIPT_REFUSED, reply->error, 0);
	} else if (reply->outcome != CLOUD_DONE) {
		fetching_ended(fetching, RECEIPT_FAILED, reply->error, 0);
	} else if (!url || !cloud_api_is_own(&cloud->api, url)) {
		fetching_ended(fetching, RECEIPT_REFUSED,
			"its address is not Meta's, and the token stays here", 0);
	} else if (http_start(cloud->api.network,
			   &(struct http_request){
				   .method = "GET", .url = url, .headers = headers},
			   &file_handlers, fetching, &fetching->transfer, &err) < 0) {
		fetching_ended(fetching, RECEIPT_FAILED, err.message, 0);
	}
}

/* Its source is the id, which WhatsApp has sent: it becomes a part of an address. */
void cloud_fetch(struct channel *channel, const struct channel_file *file)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct cloud *cloud = (struct cloud *)channel;
	struct cloud_fetching *fetching = xcalloc(1, sizeof(*fetching));
	CLEANUP(freep)
	char *path = xasprintf("/%s?phone_number_id=%s", file->source, cloud->api.phone_id);
	bool is_id = *file->source;

	for (const char *c = file->source; *c; c++)
		is_id &= isalnum((unsigned char)*c) || *c == '-' || *c == '_';
	fetching->cloud = cloud;
	fetching->id = file->id;
	fetching->next = cloud->fetchings;
	cloud->fetchings = fetching;
	if (!is_id)
		fetching_ended(fetching, RECEIPT_REFUSED, "WhatsApp names no file", 0);
	else if (cloud_call(&cloud->api, &(struct cloud_request){"GET", path}, take_address,
			 fetching, &fetching->call, &err) < 0)
		fetching_ended(fetching, RECEIPT_FAILED, err.message, 0);
}

void cloud_fetch_end(struct cloud *cloud)
{
	while (cloud->fetchings) {
		if (cloud->fetchings->call)
			cloud_call_cancel(cloud->fetchings->call);
		else
			http_cancel(cloud->fetchings->transfer);
		fetching_remove(cloud->fetchings);
	}
}
