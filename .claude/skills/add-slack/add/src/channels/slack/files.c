#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/slack/slack.h"
#include "net/http.h"
#include "time/timestamp.h"

/* A file of a message: first its address is asked for, then it is read. */
struct slack_fetching {
	struct slack_fetching *next;
	struct slack *slack;
	int64_t id;
	struct slack_call *call; /* one of these two */
	struct http_transfer *transfer;
	int status;
	bool is_html; /* the file; anybody without the right to read it gets a page to sign in */
	bool page;    /* what comes is HTML */
	bool unwanted; /* the host wants no more of it */
};

static void fetching_remove(struct slack_fetching *fetching)
{
	struct slack_fetching **at = &fetching->slack->fetchings;

	while (*at != fetching)
		at = &(*at)->next;
	*at = fetching->next;
	free(fetching);
}

static void fetching_ended(struct slack_fetching *fetching, enum channel_receipt receipt,
	const char *reason, int64_t later)
{
	struct channel *channel = &fetching->slack->channel;

	channel->events->fetch_ended(channel, fetching->id, receipt, reason, later);
	fetching_remove(fetching);
}

/* --- its bytes --------------------------------------------------------------- */

static bool fetching_is_file(const struct slack_fetching *fetching)
{
	return fetching->status == 200 && (fetching->is_html || !fetching->page);
}

static bool take_head(void *data, const struct http_answer *answer)
{
	struct slack_fetching *fetching = data;

	fetching->status = answer->status;
	fetching->page =
		view_starts_with(http_answer_header(answer, "content-type"), "text/html");
	return true;
}

static bool take_piece(void *data, struct view bytes)
{
	struct slack_fetching *fetching = data;
	struct channel *channel = &fetching->slack->channel;

	if (!fetching_is_file(fetching))
		return true;
	fetching->unwanted = channel->events->fetched(channel, fetching->id, bytes) < 0;
	return !fetching->unwanted;
}

static void file_done(void *data, const char *why)
{
	struct slack_fetching *fetching = data;

	if (fetching->unwanted)
		fetching_remove(fetching);
	else if (why)
		fetching_ended(fetching, RECEIPT_FAILED, why, 0);
	else if (fetching_is_file(fetching))
		fetching_ended(fetching, RECEIPT_SENT, NULL, 0);
	else if (fetching->status == 200)
		fetching_ended(fetching, RECEIPT_REFUSED,
			"Slack does not let the app read it: it lacks the scope 'files:read'",
			0);
	else
		fetching_ended(fetching, RECEIPT_FAILED, "Slack did not send the file", 0);
}

static const struct http_handlers file_handlers = {
	.answer = take_head,
	.bytes = take_piece,
	.done = file_done,
};

/* --- its address ------------------------------------------------------------- */

static int fetching_read(struct slack_fetching *fetching, const json_t *file, struct error *err)
{
	const struct slack_api *api = &fetching->slack->api;
	const char *type = slack_text(file, "mimetype");
	const char *url = slack_text(file, "url_private_download");
	const char *const headers[] = {api->credentials[SLACK_BOT], NULL};

	if (!url)
		url = slack_text(file, "url_private");
	/* The token is Slack's alone, and the file may be on a server of others. */
	if (!url || !slack_api_is_own(api, url))
		return error_set(err, ERROR_INVALID, "it is not at Slack");
	fetching->is_html = type && !strcmp(type, "text/html");
	return http_start(api->network,
		&(struct http_request){.method = "GET",
			.url = url,
			.headers = headers,
			.follow_redirects = true},
		&file_handlers, fetching, &fetching->transfer, err);
}

static void take_file(void *data, const struct slack_reply *reply)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct slack_fetching *fetching = data;

	fetching->call = NULL;
	if (reply->outcome == SLACK_DONE) {
		if (fetching_read(fetching, json_object_get(reply->document, "file"), &err) < 0)
			fetching_ended(fetching, RECEIPT_REFUSED, err.message, 0);
	} else if (reply->outcome == SLACK_LATER) {
		fetching_ended(fetching, RECEIPT_LATER, reply->error,
			timestamp_clock() + reply->retry_after_ms);
	} else if (reply->outcome == SLACK_REFUSED) {
		fetching_ended(fetching, RECEIPT_REFUSED, reply->error, 0);
	} else {
		fetching_ended(fetching, RECEIPT_FAILED, reply->error, 0);
	}
}

void slack_fetch(struct channel *channel, const struct channel_file *file)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct slack *slack = (struct slack *)channel;
	struct slack_fetching *fetching = xcalloc(1, sizeof(*fetching));

	fetching->slack = slack;
	fetching->id = file->id;
	fetching->next = slack->fetchings;
	slack->fetchings = fetching;
	if (slack_call(&slack->api, SLACK_BOT, "files.info",
		    json_pack("{s:s}", "file", file->source), take_file, fetching,
		    &fetching->call, &err) < 0)
		fetching_ended(fetching, RECEIPT_FAILED, err.message, 0);
}

void slack_fetch_end(struct slack *slack)
{
	while (slack->fetchings) {
		if (slack->fetchings->call)
			slack_call_cancel(slack->fetchings->call);
		else
			http_cancel(slack->fetchings->transfer);
		fetching_remove(slack->fetchings);
	}
}
