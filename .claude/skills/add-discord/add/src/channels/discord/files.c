#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/discord/discord.h"
#include "net/http.h"
#include "time/timestamp.h"

/* A file of a message: first the message is asked for its address, then it is read. */
struct discord_fetching {
	struct discord_fetching *next;
	struct discord *discord;
	int64_t id;
	char *file;                /* the id that it has at Discord */
	struct discord_call *call; /* one of these two */
	struct http_transfer *transfer;
	int status;
	bool unwanted; /* the host wants no more of it */
};

static void fetching_remove(struct discord_fetching *fetching)
{
	struct discord_fetching **at = &fetching->discord->fetchings;

	while (*at != fetching)
		at = &(*at)->next;
	*at = fetching->next;
	free(fetching->file);
	free(fetching);
}

static void fetching_ended(struct discord_fetching *fetching, enum channel_receipt receipt,
	const char *reason, int64_t later)
{
	struct channel *channel = &fetching->discord->channel;

	channel->events->fetch_ended(channel, fetching->id, receipt, reason, later);
	fetching_remove(fetching);
}

/* --- its bytes --------------------------------------------------------------- */

static bool take_head(void *data, const struct http_answer *answer)
{
	struct discord_fetching *fetching = data;

	fetching->status = answer->status;
	return true;
}

static bool take_piece(void *data, struct view bytes)
{
	struct discord_fetching *fetching = data;
	struct channel *channel = &fetching->discord->channel;

	if (fetching->status != 200)
		return true;
	fetching->unwanted = channel->events->fetched(channel, fetching->id, bytes) < 0;
	return !fetching->unwanted;
}

static void file_done(void *data, const char *why)
{
	struct discord_fetching *fetching = data;

	if (fetching->unwanted)
		fetching_remove(fetching);
	else if (why)
		fetching_ended(fetching, RECEIPT_FAILED, why, 0);
	else if (fetching->status == 200)
		fetching_ended(fetching, RECEIPT_SENT, NULL, 0);
	else
		fetching_ended(fetching, RECEIPT_FAILED, "Discord did not send the file", 0);
}

static const struct http_handlers file_handlers = {
	.answer = take_head,
	.bytes = take_piece,
	.done = file_done,
};

/* --- its address ------------------------------------------------------------- */

/* The address has all that is needed to read it: the token stays here. */
static int fetching_read(
	struct discord_fetching *fetching, const json_t *message, struct error *err)
{
	json_t *file;
	size_t i;

	json_array_foreach(json_object_get(message, "attachments"), i, file) {
		const char *id = discord_text(file, "id");
		const char *url = discord_text(file, "url");

		if (id && url && !strcmp(id, fetching->file))
			return http_start(fetching->discord->api.network,
				&(struct http_request){.method = "GET", .url = url},
				&file_handlers, fetching, &fetching->transfer, err);
	}
	return error_set(err, ERROR_INVALID, "it is no longer in its message");
}

static void take_message(void *data, const struct discord_reply *reply)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct discord_fetching *fetching = data;

	fetching->call = NULL;
	if (reply->outcome == DISCORD_DONE) {
		if (fetching_read(fetching, reply->document, &err) < 0)
			fetching_ended(fetching, RECEIPT_REFUSED, err.message, 0);
	} else if (reply->outcome == DISCORD_LATER) {
		fetching_ended(fetching, RECEIPT_LATER, reply->error,
			timestamp_clock() + reply->retry_after_ms);
	} else if (reply->outcome == DISCORD_REFUSED) {
		fetching_ended(fetching, RECEIPT_REFUSED, reply->error, 0);
	} else {
		fetching_ended(fetching, RECEIPT_FAILED, reply->error, 0);
	}
}

/* Its source is "CHAT/MESSAGE/FILE". */
void discord_fetch(struct channel *channel, const struct channel_file *file)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct discord *discord = (struct discord *)channel;
	struct discord_fetching *fetching = xcalloc(1, sizeof(*fetching));
	struct view rest = view_of(file->source);
	struct view chat = {"", 0};
	struct view message = {"", 0};
	CLEANUP(freep) char *path = NULL;

	view_next(&rest, '/', &chat);
	view_next(&rest, '/', &message);
	fetching->discord = discord;
	fetching->id = file->id;
	fetching->file = xmemdupz(rest.data, rest.len);
	fetching->next = discord->fetchings;
	discord->fetchings = fetching;
	path = xasprintf("channels/%.*s/messages/%.*s", VIEW_ARGS(chat), VIEW_ARGS(message));
	if (discord_call(&discord->api, &(struct discord_request){"GET", path}, take_message,
		    fetching, &fetching->call, &err) < 0)
		fetching_ended(fetching, RECEIPT_FAILED, err.message, 0);
}

void discord_fetch_end(struct discord *discord)
{
	while (discord->fetchings) {
		if (discord->fetchings->call)
			discord_call_cancel(discord->fetchings->call);
		else
			http_cancel(discord->fetchings->transfer);
		fetching_remove(discord->fetchings);
	}
}
