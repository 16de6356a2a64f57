#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "channels/email/compose.h"
#include "channels/email/email.h"
#include "channels/email/smtp.h"
#include "time/timestamp.h"

#define MOST_WAITING 20
#define REFUSED_MS   ((int64_t)10 * 60 * 1000)

/* A mail that has no receipt yet. */
struct email_sending {
	struct email_sending *next;
	struct email *email;
	char *key;
	char *to;
	char *id;
	struct buf mail;
	bool again;
	struct email_search *search;
	struct smtp *smtp;
};

static void sending_begin(struct email *email);

static void sending_free(struct email_sending *sending)
{
	email_search_cancel(sending->search);
	smtp_cancel(sending->smtp);
	buf_release(&sending->mail);
	free(sending->key);
	free(sending->to);
	free(sending->id);
	free(sending);
}

static void sending_ready(uv_timer_t *timer)
{
	struct email *email = timer->data;

	email->channel.events->ready(&email->channel, NULL);
}

/* The first one has its receipt: on to the next. */
static void sending_done(struct email *email, enum channel_receipt receipt, const char *detail)
{
	const struct channel_events *events = email->channel.events;
	struct email_sending *sending = email->sendings;

	email->sendings = sending->next;
	sending->search = NULL;
	sending->smtp = NULL;
	events->receipt(&email->channel, sending->key, receipt,
		receipt == RECEIPT_SENT ? sending->id : detail, timestamp_clock() + REFUSED_MS);
	sending_free(sending);
	if (email->closing && !email->sendings) {
		email_finish(email);
		return;
	}
	if (receipt == RECEIPT_SENT)
		backoff_reset(&email->send_backoff);
	/* A text that was lost waits until the channel is ready. */
	if (receipt == RECEIPT_LOST && !email->closing)
		uv_timer_start(&email->send_timer, sending_ready,
			(uint64_t)backoff_next(&email->send_backoff), 0);
	else if (email->turned_away)
		events->ready(&email->channel, NULL);
	email->turned_away = false;
	sending_begin(email);
}

static void sending_sent(void *data, enum channel_receipt receipt, const char *why)
{
	sending_done(data, receipt, why);
}

static void sending_searched(void *data, bool found, const char *why)
{
	struct email *email = data;
	struct email_sending *sending = email->sendings;

	sending->search = NULL;
	sending->again = false;
	if (why)
		sending_done(email, RECEIPT_LOST, why); /* it is asked again */
	else if (found)
		sending_done(email, RECEIPT_SENT, NULL);
	else
		sending_begin(email);
}

static void sending_begin(struct email *email)
{
	struct email_sending *sending = email->sendings;

	if (!sending || sending->search || sending->smtp)
		return;
	if (sending->again)
		sending->search = email_search_sent(
			email->network, &email->settings, sending->id, sending_searched, email);
	else
		sending->smtp = smtp_send(email->network, &email->settings, sending->to,
			view_of_buf(&sending->mail), sending_sent, email);
}

/* A mail without a thread begins one; one in a thread answers the newest mail of it. */
static int sending_compose(struct email *email, const struct outbox_row *row,
	struct email_sending *sending, struct error *err)
{
	const struct email_thread *thread =
		row->thread ? email_thread_find(email, sending->to, row->thread) : NULL;
	const char *about = thread && *thread->subject ? thread->subject : NULL;
	bool has_re = about && !strncasecmp(about, "re:", 3);
	CLEANUP(freep)
	char *own = xasprintf("Message from %s", email->name);
	CLEANUP(freep)
	char *subject =
		xasprintf("%s%s", row->thread && !has_re ? "Re: " : "", about ? about : own);
	struct compose mail = {
		.address = email->settings.address,
		.name = email->name,
		.to = sending->to,
		.id = sending->id,
		.subject = subject,
		.root = row->thread,
		.answers = thread ? thread->last : row->thread,
		.root_path = email->root_path,
	};

	return compose_mail(&mail, row, &sending->mail, err);
}

enum channel_sent email_send(struct channel *channel, const struct outbox_row *row)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct email *email = (struct email *)channel;
	struct email_sending **at = &email->sendings;
	struct email_sending *sending;
	unsigned waiting = 0;

	for (; *at; at = &(*at)->next)
		waiting++;
	if (channel->state != CHANNEL_CONNECTED || email->closing || waiting >= MOST_WAITING) {
		email->turned_away = true;
		return CHANNEL_NOT_NOW;
	}
	sending = xcalloc(1, sizeof(*sending));
	sending->email = email;
	sending->key = xstrdup(row->key);
	sending->to = xstrdup(email_address_of(row->chat_jid));
	sending->id = compose_id(row->key, email->settings.address);
	sending->mail = BUF_INIT;
	sending->again = row->again;
	if (sending_compose(email, row, sending, &err) < 0) {
		sending_free(sending);
		channel->events->receipt(channel, row->key, RECEIPT_REFUSED, err.message, 0);
		return CHANNEL_TAKEN;
	}
	*at = sending;
	sending_begin(email);
	return CHANNEL_TAKEN;
}

void email_send_end(struct email *email)
{
	while (email->sendings) {
		struct email_sending *sending = email->sendings;

		email->sendings = sending->next;
		sending_free(sending);
	}
}
