/*
 * Files of messages: stored with their message, or fetched from the channel afterwards.
 *
 *	media_arrived(media, …)		a message was stored: its files, in the same transaction
 *	media_work(media)		before the loop sleeps: fetch, release messages, make room
 *	media_fetched(…), media_fetch_ended(…)	what channels report (channels/channel.h)
 *
 * At most one file per group is fetched at a time, and a few in total, so that no group blocks
 * the others. A fetch that fails is retried, and finally given up: the agent sees the reason. A
 * message waits for its files for at most a minute, or, if one of them has a reader
 * (host/reading/reader.h), for two minutes plus the time that a reader may take.
 *
 * The files of a group have a limit in bytes and in days. The oldest are deleted first, but
 * never a file of a message that waits for its answer or of a text that waits to be sent. While
 * such files alone exceed the limit, new ones are not stored.
 */
#ifndef HOST_CHAT_MEDIA_H
#define HOST_CHAT_MEDIA_H

#include "channels/channel.h"
#include "host/base/installation.h"
#include "host/base/media_file.h"

struct media;

struct media_handlers {
	struct queue *queue;
	void (*wake)(struct queue *queue, const char *folder, const char *task);
	/* The reader for such a file, or NULL. */
	const char *(*reader)(
		const struct installation *inst, const struct attachment_arrival *about);
};

/* Removes the leftovers of crashes. */
int media_new(struct installation *inst, const struct media_handlers *handlers,
	struct media **ret_media, struct error *err);

/* Stop all fetches; the next host starts them again. */
void media_stop(struct media *media);
/* After the loop has ended. */
void media_free(struct media *media);

void media_work(struct media *media);

/* A channel can fetch again, or something else has changed. */
void media_wake(struct media *media);

/* Has something changed since media_work()? */
bool media_is_woken(const struct media *media);

/* A file was stored, by media_copy(): is there room? */
void media_added(struct media *media);

int media_arrived(struct media *media, const char *folder, int64_t seq,
	const struct channel_message *message, int64_t now, struct error *err);

int media_fetched(struct media *media, int64_t id, struct view bytes);
/* -1: it could not be stored, and is fetched again. */
int media_fetch_ended(struct media *media, int64_t id, enum channel_receipt receipt,
	const char *reason, int64_t later);

/*
 * Copy a file from the folder of a group, which its agent can change at the same time, to the
 * files of the group `to`. `path` is relative to that folder. ERROR_INVALID unless it is a
 * regular file within the size limit, and no link is on the way to it.
 */
int media_copy(struct installation *inst, const char *folder, const char *path, const char *to,
	struct media_stored *ret_stored, struct error *err);

#endif
