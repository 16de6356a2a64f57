#include "host/chat/media.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fs/beneath.h"
#include "ledger/attachments.h"
#include "proc/log.h"
#include "time/backoff.h"
#include "time/timestamp.h"

#define FETCHES_MAX    4
#define FETCH_TRIES    5
#define HOLD_MS        ((int64_t)60 * 1000)
#define STALL_MS       ((int64_t)2 * 60 * 1000)
#define LATER_MAX      ((int64_t)60 * 60 * 1000)
#define DAY_MS         ((int64_t)24 * 60 * 60 * 1000)
#define STORE_RETRY_MS 5000
#define DROPS_MAX      500 /* at a time: the host waits for it */
#define RETAIN_EVERY   100 /* files that were stored */
#define GROUPS_LOOKED  64
#define PIECE          (256 * 1024)

#define NO_ROOM "too many files of this chat wait for an answer"

/* A file that a channel is fetching; `about.id` 0: none. */
struct fetch {
	struct attachment about;
	struct media_file *file;
	int64_t last; /* when bytes came */
};

struct media {
	struct installation *inst;
	struct media_handlers handlers;
	uv_timer_t timer;
	struct fetch fetches[FETCHES_MAX];
	unsigned stored; /* since old files were looked for … */
	int64_t looked;  /* … at this time */
	bool brought;    /* a message has a file: is there room for it? */
	bool woken;
	bool stopping;
};

static int64_t media_max_file(const struct media *media)
{
	return media->inst->limits.media_file_megabytes * 1024 * 1024;
}

static void fetch_end(struct fetch *fetch)
{
	media_file_discard(&fetch->file);
	attachment_release(&fetch->about);
}

static struct fetch *fetch_find(struct media *media, int64_t id)
{
	for (size_t i = 0; id && i < FETCHES_MAX; i++)
		if (media->fetches[i].about.id == id)
			return &media->fetches[i];
	return NULL;
}

/* --- room --------------------------------------------------------------------- */

/*
 * Delete rows first: a crash may leave files without a row, but never a row without its file.
 */
static int media_make_room(struct media *media, struct error *err)
{
	CLEANUP(attachment_list_release) struct attachment_list old = {0};
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	const struct limits *limits = &media->inst->limits;
	struct store *store = media->inst->store;

	media->stored = 0;
	media->looked = timestamp_clock();
	media->brought = false;
	if (attachments_to_drop(store, timestamp_clock() - limits->media_days * DAY_MS,
		    limits->media_megabytes * 1024 * 1024, DROPS_MAX, &old, err) < 0)
		return -1;
	if (!old.count)
		return 0;
	media->brought = old.count == DROPS_MAX; /* there may be more */
	if (txn_begin(&txn, store, err) < 0)
		return -1;
	for (size_t i = 0; i < old.count; i++)
		if (attachment_drop(store, old.list[i].group_folder, old.list[i].file, err) < 0)
			return -1;
	if (txn_commit(&txn, "media-retention", err) < 0)
		return -1;
	for (size_t i = 0; i < old.count; i++)
		if (media_file_remove(media->inst->root, old.list[i].group_folder,
			    old.list[i].file, err) < 0)
			return -1;
	return 0;
}

/* Do the group's files, or only the needed ones, use up its space? */
static int media_is_full(const struct media *media, const char *folder, bool needed,
	bool *ret_full, struct error *err)
{
	int64_t bytes;

	if (attachment_bytes(media->inst->store, folder, needed, &bytes, err) < 0)
		return -1;
	*ret_full = bytes > media->inst->limits.media_megabytes * 1024 * 1024;
	return 0;
}

/* --- arriving ----------------------------------------------------------------- */

static char *too_large(const struct media *media)
{
	return xasprintf(
		"it is larger than %" PRId64 " MB", media->inst->limits.media_file_megabytes);
}

/* Why the file cannot be stored; NULL if it can. To be freed. */
static int media_obstacle(const struct media *media, const char *folder,
	const struct attachment_arrival *about, char **ret_reason, struct error *err)
{
	bool full;

	*ret_reason = NULL;
	if (media_is_full(media, folder, true, &full, err) < 0)
		return -1;
	if (about->size > media_max_file(media) ||
		(int64_t)about->content.len > media_max_file(media))
		*ret_reason = too_large(media);
	else if (full)
		*ret_reason = xstrdup(NO_ROOM);
	else if (!about->content.len &&
		 (!about->source || strlen(about->source) > ATTACHMENT_MAX_SOURCE))
		*ret_reason = xstrdup("the channel did not send it");
	return 0;
}

static int media_add_attachment(struct media *media, const char *folder, int64_t seq,
	const struct attachment_arrival *about, int64_t now, int64_t *hold_ms,
	struct error *err)
{
	CLEANUP(freep) char *obstacle = NULL;
	CLEANUP(freep) char *file = NULL;
	struct attachment_arrival kept = *about;
	struct media_stored stored = {NULL, about->size > 0 ? about->size : 0};
	const char *reader;

	if (about->text)
		return attachment_add(media->inst->store,
			&(struct attachment_row){
				.message = seq, .group_folder = folder, .about = about},
			now, err);
	if (media_obstacle(media, folder, about, &obstacle, err) < 0)
		return -1;
	if (!obstacle && about->content.len &&
		media_file_store(media->inst->root, folder, about->content, about->name,
			about->type, &stored, err) < 0)
		return -1;
	file = stored.name;
	media->brought |= file != NULL;
	if (obstacle)
		kept.source = NULL;
	reader = obstacle ? NULL : media->handlers.reader(media->inst, about);
	/* Until the file has arrived and its reader has finished. */
	if (reader)
		*hold_ms = 2 * HOLD_MS + media->inst->limits.reading_seconds * 1000;
	else if (!obstacle && !file && !*hold_ms)
		*hold_ms = HOLD_MS;
	return attachment_add(media->inst->store,
		&(struct attachment_row){
			.message = seq,
			.group_folder = folder,
			.about = &kept,
			.size = stored.size,
			.file = file,
			.error = obstacle,
			.reader = reader,
		},
		now, err);
}

int media_arrived(struct media *media, const char *folder, int64_t seq,
	const struct channel_message *message, int64_t now, struct error *err)
{
	size_t count = message->attachment_count < CHANNEL_MAX_ATTACHMENTS
			       ? message->attachment_count
			       : CHANNEL_MAX_ATTACHMENTS;
	int64_t hold_ms = 0;

	for (size_t i = 0; i < count; i++)
		if (media_add_attachment(media, folder, seq, &message->attachments[i], now,
			    &hold_ms, err) < 0)
			return -1;
	if (count)
		media->woken = true;
	return hold_ms ? message_hold(media->inst->store, seq, now + hold_ms, err) : 0;
}

/* --- fetching ----------------------------------------------------------------- */

/* A reason why it will never come, or a time at which it is tried again. */
static int fetch_record(struct media *media, const struct attachment *about,
	enum channel_receipt receipt, const char *reason, int64_t later, struct error *err)
{
	struct store *store = media->inst->store;
	int64_t now = timestamp_clock();
	int64_t retry = media->inst->limits.send_retry_ms;
	const char *why = reason ? reason : "the channel could not fetch it";

	switch (receipt) {
	case RECEIPT_LATER:
		return attachment_later(store, about->id, false, why,
			later < now + LATER_MAX ? later : now + LATER_MAX, err);
	case RECEIPT_LOST:
		return attachment_later(store, about->id, false, why, now + retry, err);
	case RECEIPT_FAILED:
		if (about->failures + 1 < FETCH_TRIES)
			return attachment_later(store, about->id, true, why,
				now + backoff_ms(retry, 4, about->failures, LATER_MAX), err);
		break;
	case RECEIPT_SENT:
	case RECEIPT_REFUSED:
		break;
	}
	log_warning("group '%s': a file is given up: %s", about->group_folder, why);
	return attachment_missing(store, about->id, why, err);
}

static int fetch_store(struct media *media, struct fetch *fetch, struct error *err)
{
	const struct attachment *about = &fetch->about;
	struct media_stored stored;
	int failed;

	if (media_file_finish(&fetch->file, about->name, about->type, &stored, err) < 0)
		return -1;
	failed =
		attachment_stored(media->inst->store, about->id, stored.name, stored.size, err);
	free(stored.name);
	return failed;
}

static void media_timer_came(uv_timer_t *timer);

int media_fetch_ended(struct media *media, int64_t id, enum channel_receipt receipt,
	const char *reason, int64_t later)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	struct fetch *fetch = fetch_find(media, id);
	bool full = false;
	int failed;

	if (!fetch)
		return -1;
	failed = txn_begin(&txn, media->inst->store, &err) < 0 ||
		 (receipt == RECEIPT_SENT ? fetch_store(media, fetch, &err)
					  : fetch_record(media, &fetch->about, receipt, reason,
						    later, &err)) < 0 ||
		 txn_commit(&txn, "media", &err) < 0;
	if (failed)
		log_error("a file for '%s': %s", fetch->about.group_folder, err.message);
	else if (receipt == RECEIPT_SENT &&
		 (media_is_full(media, fetch->about.group_folder, false, &full, &err) < 0 ||
			 ((full || ++media->stored >= RETAIN_EVERY) &&
				 media_make_room(media, &err) < 0)))
		log_warning("old files of groups are not deleted: %s", err.message);
	fetch_end(fetch);
	/* The store could not record the time of the next attempt. */
	if (failed)
		uv_timer_start(&media->timer, media_timer_came, STORE_RETRY_MS, 0);
	else
		media->woken = true;
	return failed ? -1 : 0;
}

int media_fetched(struct media *media, int64_t id, struct view bytes)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct fetch *fetch = fetch_find(media, id);

	if (!fetch)
		return -1;
	fetch->last = timestamp_clock();
	if (media_file_add(fetch->file, bytes, &err) == 0)
		return 0;
	if (err.kind == ERROR_INVALID) {
		CLEANUP(freep) char *why = too_large(media);

		media_fetch_ended(media, id, RECEIPT_REFUSED, why, 0);
	} else {
		media_fetch_ended(media, id, RECEIPT_FAILED, err.message, 0);
	}
	return -1;
}

static int fetch_begin(
	struct media *media, struct fetch *fetch, struct attachment *about, struct error *err)
{
	struct channel *channel = media->inst->channels;
	int64_t max = media_max_file(media);
	/* The fetch may end immediately and release its request. */
	CLEANUP(freep) char *chat = NULL;
	CLEANUP(freep) char *source = NULL;
	bool full;

	while (channel && strcmp(channel->name, about->channel) != 0)
		channel = channel->next;
	if (!channel || channel->state != CHANNEL_CONNECTED)
		return 0; /* until it is ready */
	if (media_is_full(media, about->group_folder, true, &full, err) < 0)
		return -1;
	if (full || !channel->kind->fetch) {
		media->woken = true;
		return attachment_missing(media->inst->store, about->id,
			full ? NO_ROOM : "this channel cannot fetch files", err);
	}
	if (media_file_begin(media->inst->root, about->group_folder, max, &fetch->file, err) <
		0)
		return -1;
	fetch->about = *about;
	fetch->last = timestamp_clock();
	*about = (struct attachment){0};
	chat = xstrdup(fetch->about.chat_jid);
	source = xstrdup(fetch->about.source);
	channel->kind->fetch(
		channel, &(struct channel_file){fetch->about.id, chat, source, max});
	return 0;
}

/* A place for a fetch of this group; NULL if none is free, or the group has one. */
static struct fetch *fetch_place(struct media *media, const char *folder)
{
	struct fetch *unused = NULL;

	for (size_t i = 0; i < FETCHES_MAX; i++) {
		if (!media->fetches[i].about.id)
			unused = &media->fetches[i];
		else if (!strcmp(media->fetches[i].about.group_folder, folder))
			return NULL;
	}
	return unused;
}

static int media_begin_fetches(struct media *media, struct error *err)
{
	CLEANUP(attachment_list_release) struct attachment_list waiting = {0};

	if (attachments_to_fetch(
		    media->inst->store, timestamp_clock(), GROUPS_LOOKED, &waiting, err) < 0)
		return -1;
	for (size_t i = 0; i < waiting.count; i++) {
		struct fetch *place = fetch_place(media, waiting.list[i].group_folder);

		if (place && fetch_begin(media, place, &waiting.list[i], err) < 0)
			return -1;
	}
	return 0;
}

/* --- the loop ----------------------------------------------------------------- */

static void media_timer_came(uv_timer_t *timer)
{
	struct media *media = timer->data;
	int64_t now = timestamp_clock();

	media->woken = true;
	for (size_t i = 0; i < FETCHES_MAX; i++)
		if (media->fetches[i].about.id && media->fetches[i].last + STALL_MS <= now)
			media_fetch_ended(media, media->fetches[i].about.id, RECEIPT_FAILED,
				"nothing came for two minutes", 0);
}

static int media_set_timer(struct media *media, struct error *err)
{
	int64_t now = timestamp_clock();
	int64_t next;

	if (attachments_next_time(media->inst->store, &next, err) < 0)
		return -1;
	if (!next || next > media->looked + DAY_MS)
		next = media->looked + DAY_MS;
	if (media->brought)
		next = now;
	for (size_t i = 0; i < FETCHES_MAX; i++) {
		int64_t stalls = media->fetches[i].last + STALL_MS;

		if (media->fetches[i].about.id && stalls < next)
			next = stalls;
	}
	uv_timer_start(
		&media->timer, media_timer_came, next > now ? (uint64_t)(next - now) : 1000, 0);
	return 0;
}

static int media_look(struct media *media, struct error *err)
{
	CLEANUP(buf_release) struct buf folders = BUF_INIT;
	struct view rest;
	struct view folder;

	if (((media->brought || media->looked + DAY_MS <= timestamp_clock()) &&
		    media_make_room(media, err) < 0) ||
		media_begin_fetches(media, err) < 0 ||
		messages_unhold(media->inst->store, timestamp_clock(), &folders, err) < 0 ||
		media_set_timer(media, err) < 0)
		return -1;
	rest = view_of_buf(&folders);
	while (view_next(&rest, '\n', &folder)) {
		CLEANUP(freep) char *name = xmemdupz(folder.data, folder.len);

		media->handlers.wake(media->handlers.queue, name, NULL);
	}
	return 0;
}

void media_work(struct media *media)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (!media->woken || media->stopping)
		return;
	media->woken = false;
	if (media_look(media, &err) < 0) {
		log_error("files of messages: %s", err.message);
		uv_timer_start(&media->timer, media_timer_came, STORE_RETRY_MS, 0);
	}
}

void media_wake(struct media *media)
{
	media->woken = true;
}

bool media_is_woken(const struct media *media)
{
	return media->woken;
}

void media_added(struct media *media)
{
	media->brought = media->woken = true;
}

int media_new(struct installation *inst, const struct media_handlers *handlers,
	struct media **ret_media, struct error *err)
{
	struct media *media = xcalloc(1, sizeof(*media));

	*ret_media = media;
	media->inst = inst;
	media->handlers = *handlers;
	media->woken = true;
	uv_timer_init(&inst->loop, &media->timer);
	media->timer.data = media;
	if (media_file_sweep(inst->root, inst->store, err) < 0)
		return -1;
	return media_make_room(media, err);
}

void media_stop(struct media *media)
{
	if (!media || media->stopping)
		return;
	media->stopping = true;
	for (size_t i = 0; i < FETCHES_MAX; i++)
		fetch_end(&media->fetches[i]);
	uv_close((uv_handle_t *)&media->timer, NULL);
}

void media_free(struct media *media)
{
	free(media);
}

/* --- going out ---------------------------------------------------------------- */

int media_copy(struct installation *inst, const char *folder, const char *path, const char *to,
	struct media_stored *ret_stored, struct error *err)
{
	CLEANUP(relpath_release) struct relpath below = RELPATH_INIT;
	CLEANUP(freep) char *text = xasprintf("groups/%s/%s", folder, path);
	CLEANUP(closep) int from = -1;
	struct media_file *file;
	struct stat st;
	int64_t max = inst->limits.media_file_megabytes * 1024 * 1024;
	CLEANUP(freep) char *piece = xmalloc(PIECE);
	int failed = 0;
	ssize_t n;

	if (relpath_parse(view_of(text), &below, err) < 0 ||
		beneath_open_file(inst->root, &below, &from, &st, err) < 0)
		return -1;
	if (st.st_size > max)
		return error_set(err, ERROR_INVALID, "'%s' is larger than %" PRId64 " MB", path,
			inst->limits.media_file_megabytes);
	if (media_file_begin(inst->root, to, max, &file, err) < 0)
		return -1;
	while (!failed && (n = read(from, piece, PIECE)) != 0) {
		if (n < 0 && errno != EINTR)
			failed = error_errno(err, "cannot read it");
		else if (n > 0)
			failed = media_file_add(file, (struct view){piece, (size_t)n}, err);
	}
	if (failed) {
		media_file_discard(&file);
		return error_prefix(err, "'%s'", path);
	}
	return media_file_finish(&file, path, NULL, ret_stored, err);
}
