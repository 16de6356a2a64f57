#include "host/chat/delivery.h"

#include <inttypes.h>
#include <string.h>

#include "format/json.h"
#include "host/base/watchers.h"
#include "ledger/outbox.h"
#include "proc/log.h"
#include "time/backoff.h"
#include "time/timestamp.h"

#define BUCKETS 1024

/* However long a platform postpones a text, it is tried again after this. */
#define LATER_MAX ((int64_t)60 * 60 * 1000)
/* After this time, the owner gets a notice that the platform still postpones a text. */
#define LATER_REPORTED ((int64_t)6 * 60 * 60 * 1000)

enum parcel_state {
	PARCEL_MARKED,
	PARCEL_UNDER_WAY,
	PARCEL_WAITING, /* for its timer */
	PARCEL_GONE,    /* its timer is being closed */
};

struct parcel {
	struct parcel *next; /* in its bucket */
	struct parcel *next_marked;
	struct delivery *delivery;
	char *chat_jid;
	enum parcel_state state;
	bool woken; /* another text came while this one was being sent */
	struct outbox_row row;
	uv_timer_t timer;
};

/* Reported to the channel after the commit. */
struct settlement {
	struct settlement *next;
	char *chat_jid;
	int64_t seq;
};

struct delivery {
	struct installation *inst;
	struct parcel *buckets[BUCKETS];
	struct parcel *marked;
	struct parcel **last_marked;
	struct settlement *settlements;
	int64_t newest_unsure; /* rows up to this one may have been sent already */
	bool wake_all;
	bool stopping;
	bool closing;
	unsigned timers;
};

/* --- parcels ----------------------------------------------------------------- */

static size_t bucket_of(const char *text)
{
	size_t hash = 5381;

	for (; *text; text++)
		hash = hash * 33 + (unsigned char)*text;
	return hash % BUCKETS;
}

static struct parcel *find_parcel(struct delivery *delivery, const char *chat_jid)
{
	struct parcel *parcel = delivery->buckets[bucket_of(chat_jid)];

	while (parcel && strcmp(parcel->chat_jid, chat_jid) != 0)
		parcel = parcel->next;
	return parcel;
}

static void parcel_timer_closed(uv_handle_t *handle)
{
	struct parcel *parcel = handle->data;
	struct delivery *delivery = parcel->delivery;

	outbox_row_release(&parcel->row);
	free(parcel->chat_jid);
	free(parcel);
	if (!--delivery->timers && delivery->closing)
		free(delivery);
}

static void drop_parcel(struct parcel *parcel)
{
	struct parcel **at = &parcel->delivery->buckets[bucket_of(parcel->chat_jid)];

	while (*at != parcel)
		at = &(*at)->next;
	*at = parcel->next;
	parcel->state = PARCEL_GONE;
	uv_close((uv_handle_t *)&parcel->timer, parcel_timer_closed);
}

static void mark_parcel(struct parcel *parcel)
{
	parcel->state = PARCEL_MARKED;
	parcel->woken = false;
	parcel->next_marked = NULL;
	*parcel->delivery->last_marked = parcel;
	parcel->delivery->last_marked = &parcel->next_marked;
}

int delivery_new(struct installation *inst, struct delivery **ret_delivery, struct error *err)
{
	struct delivery *delivery;
	int64_t newest;

	if (outbox_newest(inst->store, &newest, err) < 0)
		return -1;
	delivery = xcalloc(1, sizeof(*delivery));
	delivery->inst = inst;
	delivery->newest_unsure = newest;
	delivery->last_marked = &delivery->marked;
	*ret_delivery = delivery;
	return 0;
}

void delivery_stop(struct delivery *delivery)
{
	delivery->stopping = true;
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct parcel *parcel = delivery->buckets[i]; parcel;
			parcel = parcel->next)
			uv_timer_stop(&parcel->timer);
}

void delivery_close(struct delivery *delivery)
{
	struct settlement *settlement;

	delivery->closing = true;
	while ((settlement = delivery->settlements)) {
		delivery->settlements = settlement->next;
		free(settlement->chat_jid);
		free(settlement);
	}
	for (size_t i = 0; i < BUCKETS; i++)
		while (delivery->buckets[i])
			drop_parcel(delivery->buckets[i]);
	if (!delivery->timers)
		free(delivery);
}

void delivery_wake(struct delivery *delivery, const char *chat_jid)
{
	struct parcel *parcel;

	if (delivery->stopping)
		return;
	parcel = find_parcel(delivery, chat_jid);
	/* A text passes a file that waits, and progress. */
	if (parcel && parcel->state == PARCEL_WAITING &&
		(parcel->row.attachments.count || parcel->row.kind == OUTBOX_PROGRESS)) {
		uv_timer_stop(&parcel->timer);
		mark_parcel(parcel);
		return;
	}
	if (parcel) {
		parcel->woken = true;
		return;
	}
	parcel = xcalloc(1, sizeof(*parcel));
	parcel->delivery = delivery;
	parcel->chat_jid = xstrdup(chat_jid);
	parcel->next = delivery->buckets[bucket_of(chat_jid)];
	delivery->buckets[bucket_of(chat_jid)] = parcel;
	uv_timer_init(&delivery->inst->loop, &parcel->timer);
	parcel->timer.data = parcel;
	delivery->timers++;
	mark_parcel(parcel);
}

void delivery_moved(struct delivery *delivery, const char *jid, const char *new_jid)
{
	struct parcel *parcel = find_parcel(delivery, jid);
	struct parcel **at = &delivery->buckets[bucket_of(jid)];

	if (!parcel || find_parcel(delivery, new_jid)) {
		delivery_wake(delivery, new_jid);
		return;
	}
	while (*at != parcel)
		at = &(*at)->next;
	*at = parcel->next;
	free(parcel->chat_jid);
	parcel->chat_jid = xstrdup(new_jid);
	parcel->woken = true;
	at = &delivery->buckets[bucket_of(new_jid)];
	parcel->next = *at;
	*at = parcel;
}

void delivery_wake_all(struct delivery *delivery)
{
	delivery->wake_all = true;
}

/* --- sending ----------------------------------------------------------------- */

static void parcel_retry_is_due(uv_timer_t *timer)
{
	mark_parcel(timer->data);
}

static void wait_until(struct parcel *parcel, int64_t time)
{
	int64_t wait = time - timestamp_clock();

	parcel->state = PARCEL_WAITING;
	if (parcel->delivery->stopping)
		return;
	uv_timer_start(&parcel->timer, parcel_retry_is_due, wait > 0 ? (uint64_t)wait : 1, 0);
}

/* A bridge that was restarted may be able to do less than before. */
static const char *beyond_channel(const struct channel *channel, const struct outbox_row *row)
{
	if (row->action == OUTBOX_REACT && !(channel->abilities & CHANNEL_REACT))
		return "the channel cannot react to messages";
	if (row->action == OUTBOX_EDIT && !(channel->abilities & CHANNEL_EDIT))
		return "the channel cannot change messages";
	if (row->action == OUTBOX_STATE && !(channel->abilities & CHANNEL_STATE))
		return "the channel has no states";
	if (row->attachments.count && !(channel->abilities & CHANNEL_FILES))
		return "the channel cannot send files";
	return NULL;
}

static bool is_answer(const struct outbox_row *row)
{
	return row->kind == OUTBOX_ANSWER || row->kind == OUTBOX_ERROR;
}

/*
 * The answer replaces the message that shows the progress of its turn. The row in the store stays a
 * text, in case this fails.
 */
static int row_prepare(struct delivery *delivery, const struct channel *channel,
	struct outbox_row *row, struct error *err)
{
	bool edits = channel->abilities & CHANNEL_EDIT;
	CLEANUP(freep) char *target = NULL;

	row->again = row->attempts > 0 || row->id <= delivery->newest_unsure;
	if (row->kind == OUTBOX_PROGRESS) {
		row->again = row->attempts > 0 || row->created_at < delivery->inst->started_at;
		if (!edits) {
			row->action = OUTBOX_TEXT;
			free(row->target);
			row->target = NULL;
		}
	}
	if (!edits || !is_answer(row) || row->part != 1 || row->attachments.count)
		return 0;
	if (outbox_progress_message(delivery->inst->store, row->turn, &target, err) < 0)
		return -1;
	if (target) {
		row->action = OUTBOX_EDIT;
		free(row->target);
		row->target = TAKE(target);
	}
	return 0;
}

static void send_parcel(struct parcel *parcel)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct installation *inst = parcel->delivery->inst;
	struct channel *channel = installation_channel(inst, parcel->chat_jid);
	const char *beyond;

	outbox_row_release(&parcel->row);
	if (outbox_next(inst->store, parcel->chat_jid, timestamp_clock(), &parcel->row, &err) <
			0 ||
		(!parcel->row.key && outbox_progress_next(inst->store, parcel->chat_jid,
					     &parcel->row, &err) < 0) ||
		(parcel->row.key && channel &&
			row_prepare(parcel->delivery, channel, &parcel->row, &err) < 0)) {
		log_error("%s", err.message);
		wait_until(parcel, timestamp_clock() + inst->limits.send_retry_ms);
		return;
	}
	/* Without a channel it waits until one is ready. */
	if (!parcel->row.key || !channel) {
		drop_parcel(parcel);
		return;
	}
	if (parcel->row.not_before > timestamp_clock()) {
		wait_until(parcel, parcel->row.not_before);
		return;
	}
	parcel->state = PARCEL_UNDER_WAY;
	beyond = beyond_channel(channel, &parcel->row);
	if (beyond)
		delivery_receipt(parcel->delivery, parcel->row.key, RECEIPT_REFUSED, beyond, 0);
	else if (channel->kind->send(channel, &parcel->row) == CHANNEL_NOT_NOW)
		drop_parcel(parcel);
}

static void mark_all(struct delivery *delivery)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf chats = BUF_INIT;
	struct view rest;
	struct view chat;

	delivery->wake_all = false;
	if (outbox_chats(delivery->inst->store, &chats, &err) < 0) {
		log_error("%s", err.message);
		return;
	}
	rest = view_of_buf(&chats);
	while (view_next(&rest, '\n', &chat)) {
		CLEANUP(freep) char *jid = xmemdupz(chat.data, chat.len);

		delivery_wake(delivery, jid);
	}
}

static void report_settled(struct delivery *delivery)
{
	struct settlement *settlement;

	while ((settlement = delivery->settlements)) {
		struct channel *channel =
			installation_channel(delivery->inst, settlement->chat_jid);

		delivery->settlements = settlement->next;
		if (channel && channel->kind->settled)
			channel->kind->settled(channel, settlement->chat_jid, settlement->seq);
		free(settlement->chat_jid);
		free(settlement);
	}
}

void delivery_work(struct delivery *delivery)
{
	struct parcel *parcel;

	report_settled(delivery);
	if (delivery->wake_all)
		mark_all(delivery);
	while ((parcel = delivery->marked)) {
		delivery->marked = parcel->next_marked;
		if (!delivery->marked)
			delivery->last_marked = &delivery->marked;
		send_parcel(parcel);
	}
}

void delivery_settled(struct delivery *delivery, const char *chat_jid, int64_t seq)
{
	struct settlement *settlement;

	if (delivery->stopping)
		return;
	settlement = xcalloc(1, sizeof(*settlement));
	settlement->chat_jid = xstrdup(chat_jid);
	settlement->seq = seq;
	settlement->next = delivery->settlements;
	delivery->settlements = settlement;
}

/* --- receipts ---------------------------------------------------------------- */

static struct parcel *find_by_key(struct delivery *delivery, const char *key)
{
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct parcel *parcel = delivery->buckets[i]; parcel;
			parcel = parcel->next)
			if (parcel->state == PARCEL_UNDER_WAY && !strcmp(parcel->row.key, key))
				return parcel;
	return NULL;
}

int delivery_notice(struct delivery *delivery, const char *folder, const char *chat_jid,
	const char *about, const char *text, struct error *err)
{
	struct store *store = delivery->inst->store;
	CLEANUP(freep) char *key = xasprintf("%s-%s", store_installation(store), about);
	bool added;

	if (outbox_add(store,
		    &(struct outbox_row){
			    .key = key,
			    .group_folder = (char *)(uintptr_t)folder,
			    .chat_jid = (char *)(uintptr_t)chat_jid,
			    .kind = OUTBOX_NOTICE,
			    .part = 1,
			    .parts = 1,
			    .content = (char *)(uintptr_t)text,
		    },
		    timestamp_clock(), &added, err) < 0)
		return -1;
	if (added)
		delivery_wake(delivery, chat_jid);
	return 0;
}

int delivery_notice_main(struct delivery *delivery, const char *except, const char *about,
	const char *text, struct error *err)
{
	CLEANUP(group_release) struct group main = GROUP_INIT;

	if (store_group_by_folder(delivery->inst->store, GROUP_MAIN, &main, err) < 0)
		return -1;
	if (!main.folder || (except && !strcmp(main.jid, except)))
		return 0;
	return delivery_notice(delivery, main.folder, main.jid, about, text, err);
}

/* A notice that is not sent gets no notice about it. */
static int row_report(struct delivery *delivery, const struct outbox_row *row,
	const char *about, const char *text, struct error *err)
{
	if (row->kind == OUTBOX_NOTICE)
		return 0;
	return delivery_notice_main(delivery, row->chat_jid, about, text, err);
}

/* What is said besides the file is still sent, in a notice. */
static int row_tell_chat(struct delivery *delivery, const struct outbox_row *row,
	const char *about, const char *reason, struct error *err)
{
	CLEANUP(freep) char *key = xasprintf("%s-chat", about);
	const struct attachment *file = row->attachments.list;
	const char *name = row->attachments.count == 1 && file->name ? file->name : NULL;
	CLEANUP(freep) char *what = name ? xasprintf("The file '%s'", name) : xstrdup("A file");
	CLEANUP(freep)
	char *text = xasprintf("%s%s%s could not be sent: %s.", row->content,
		*row->content ? "\n\n" : "", what, reason);

	return row->attachments.count && row->kind != OUTBOX_NOTICE
		       ? delivery_notice(
				 delivery, row->group_folder, row->chat_jid, key, text, err)
		       : 0;
}

static int give_up_row(struct delivery *delivery, const struct outbox_row *row,
	const char *reason, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(freep) char *about = xasprintf("dead-%" PRId64, row->id);
	CLEANUP(freep)
	char *text = row->turn ? xasprintf("Something for '%s' could not be delivered: %s "
					   "(error t%" PRId64 ").",
					 row->group_folder, reason, row->turn)
			       : xasprintf("Something for '%s' could not be delivered: %s.",
					 row->group_folder, reason);
	struct store *store = delivery->inst->store;

	log_error("a text for '%s' could not be delivered: %s", row->chat_jid, reason);
	if (txn_begin(&txn, store, err) < 0 ||
		outbox_dead(store, row, reason, timestamp_clock(), err) < 0 ||
		row_report(delivery, row, about, text, err) < 0 ||
		row_tell_chat(delivery, row, about, reason, err) < 0)
		return -1;
	return txn_commit(&txn, "dead-letter", err);
}

/* Not a failure, but the owner should know if it goes on for hours. */
static int put_off_row(struct delivery *delivery, const struct outbox_row *row,
	const char *reason, int64_t until, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(freep) char *about = xasprintf("later-%" PRId64, row->id);
	CLEANUP(freep)
	char *text = xasprintf(
		"Something for '%s' has been waiting for hours, because its platform postpones it: %s.",
		row->group_folder, reason);
	int64_t now = timestamp_clock();
	bool long_since = now - row->created_at > LATER_REPORTED;

	if (long_since)
		log_warning("a text for '%s' still waits: %s", row->chat_jid, reason);
	if (txn_begin(&txn, delivery->inst->store, err) < 0 ||
		outbox_later(delivery->inst->store, row, reason,
			until < now + LATER_MAX ? until : now + LATER_MAX, err) < 0 ||
		(long_since && row_report(delivery, row, about, text, err) < 0))
		return -1;
	return txn_commit(&txn, "later", err);
}

/* Progress that fails is dropped, and the next text waits longer. */
static int record_progress(struct delivery *delivery, const struct outbox_row *row,
	enum channel_receipt receipt, const char *detail, int64_t later, struct error *err)
{
	const struct limits *limits = &delivery->inst->limits;
	const struct channel *channel = installation_channel(delivery->inst, row->chat_jid);
	int64_t now = timestamp_clock();
	struct progress_result result = {
		.sent = receipt == RECEIPT_SENT,
		.again = receipt == RECEIPT_LATER || receipt == RECEIPT_LOST,
		.receipt = row->target,
		.not_before = now + limits->progress_line_seconds * 1000,
	};

	if (receipt == RECEIPT_REFUSED)
		result.receipt = NULL; /* the message is gone */
	if (receipt == RECEIPT_SENT && row->action == OUTBOX_TEXT)
		result.receipt = detail;
	if (receipt == RECEIPT_SENT && result.receipt && channel &&
		channel->abilities & CHANNEL_EDIT)
		result.not_before = now + limits->progress_seconds * 1000 / 2;
	if (receipt == RECEIPT_LATER)
		result.not_before = later < now + LATER_MAX ? later : now + LATER_MAX;
	if (receipt == RECEIPT_LOST)
		result.not_before = row->not_before;
	return outbox_progress_tried(delivery->inst->store, row, &result, err);
}

static int record_receipt(struct delivery *delivery, const struct outbox_row *row,
	enum channel_receipt receipt, const char *detail, int64_t later, struct error *err)
{
	int64_t now = timestamp_clock();
	const char *reason = detail ? detail : "the platform did not accept it";
	bool failed = receipt == RECEIPT_REFUSED ||
		      (receipt == RECEIPT_FAILED &&
			      row->attempts + 1 >= delivery->inst->limits.send_failures);

	bool forgotten = false;

	if (row->kind == OUTBOX_PROGRESS)
		return record_progress(delivery, row, receipt, detail, later, err);
	if (failed && is_answer(row) &&
		outbox_progress_forget(delivery->inst->store, row, &forgotten, err) < 0)
		return -1;
	if (forgotten)
		return 0; /* next, it is sent as a text */
	if (is_answer(row) && row->action == OUTBOX_EDIT)
		detail = row->target; /* edits of the answer are edits of this message */
	switch (receipt) {
	case RECEIPT_SENT:
		if (row->turn)
			delivery_settled(delivery, row->chat_jid, row->last_seq);
		if (watchers_wanted(delivery->inst->watchers))
			watchers_send(delivery->inst->watchers,
				json_build("type:s chat:s", "sent", row->chat_jid));
		return outbox_sent(delivery->inst->store, row, detail, now, err);
	case RECEIPT_LATER:
		return put_off_row(delivery, row, reason, later, err);
	case RECEIPT_FAILED:
		if (failed)
			return give_up_row(delivery, row, reason, err);
		return outbox_failed(delivery->inst->store, row, reason,
			now + backoff_ms(delivery->inst->limits.send_retry_ms, 2, row->attempts,
				      LONGEST_RETRY_MS),
			err);
	case RECEIPT_REFUSED:
		return give_up_row(delivery, row, reason, err);
	case RECEIPT_LOST:
		break;
	}
	return 0;
}

/* Older rows may also have been sent; channels check whether they arrived. */
static void note_unsure(struct delivery *delivery, const struct outbox_row *row)
{
	if (delivery->newest_unsure < row->id)
		delivery->newest_unsure = row->id;
}

/*
 * A receipt for a text that is not being sent. Some platforms report later, perhaps to the next
 * host, that a text has arrived, or that they accepted it but could not deliver it.
 */
static void take_late_receipt(struct delivery *delivery, const char *key,
	enum channel_receipt receipt, const char *detail)
{
	CLEANUP(outbox_row_release) struct outbox_row row = OUTBOX_ROW_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (receipt != RECEIPT_SENT && receipt != RECEIPT_REFUSED)
		return;
	if (outbox_of_key(delivery->inst->store, key, receipt == RECEIPT_SENT, &row, &err) <
			0 ||
		(row.id && record_receipt(delivery, &row, receipt, detail, 0, &err) < 0))
		log_error("%s", err.message);
	else if (row.id)
		delivery_wake(delivery, row.chat_jid);
}

void delivery_receipt(struct delivery *delivery, const char *key, enum channel_receipt receipt,
	const char *detail, int64_t later)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct parcel *parcel = find_by_key(delivery, key);

	if (!parcel) {
		take_late_receipt(delivery, key, receipt, detail);
		return;
	}
	if (receipt == RECEIPT_LOST)
		note_unsure(delivery, &parcel->row);
	if (record_receipt(delivery, &parcel->row, receipt, detail, later, &err) < 0) {
		note_unsure(delivery, &parcel->row);
		log_error("%s", err.message);
		wait_until(parcel, timestamp_clock() + delivery->inst->limits.send_retry_ms);
	} else if (receipt == RECEIPT_LOST && !parcel->woken) {
		drop_parcel(parcel); /* the channel says when it is ready */
	} else {
		mark_parcel(parcel);
	}
}
