/*
 * The e-mail channel: one mailbox that people write to.
 *
 *	inbox.c		reads it: IMAP, with IDLE, from the first mail that is not stored yet
 *	send.c		answers by SMTP; sent.c looks for a mail that may have been sent already
 *	threads.c	subjects and ids of threads, which answers need
 *	mail.c		a mail as it is read; compose.c: one as it is written
 *
 * A chat is a person: "email:mia@example.org". Its threads are threads of the chat.
 *
 * The mark of the inbox (UIDVALIDITY, UID) is stored in the transaction of the message, so a mail
 * is neither lost nor taken twice. The Message-ID of an answer is made from its key. Servers that
 * file what they send, as Gmail does, can so be asked whether it was sent; others may get it
 * twice, with the same Message-ID.
 */
#ifndef CHANNELS_EMAIL_EMAIL_H
#define CHANNELS_EMAIL_EMAIL_H

#include <uv.h>

#include "channels/channel.h"
#include "channels/email/imap.h"
#include "channels/email/mail.h"
#include "channels/email/settings.h"
#include "time/backoff.h"

#define EMAIL_PREFIX "email:"

/* A mail that waits to be fetched. */
struct email_waiting {
	int64_t uid;
	int64_t size;
};

/* What an answer in a thread needs to know of it. */
struct email_thread {
	char *name; /* the address of the person, and the id of its first mail */
	char *subject;
	char *last; /* the id of the newest mail from the person */
};

struct email_sending;

struct email {
	struct channel channel;
	struct email_settings settings;
	char *name; /* of the assistant */
	const char *root_path;
	struct network *network;
	uint64_t grace_ms;
	int64_t max_mail; /* larger ones are cut */
	bool closing;
	unsigned open_handles;

	/* inbox.c */
	struct imap *imap; /* NULL: not connected */
	uv_timer_t timer;  /* the next attempt; or the end of an IDLE */
	struct backoff backoff;
	char *trouble;         /* the last one that was reported, or NULL */
	int64_t validity;      /* UIDVALIDITY of what `uid` counts; 0: nothing is stored yet */
	int64_t uid;           /* the last mail that was taken */
	int64_t day;           /* when that was, in milliseconds */
	int64_t seen_validity; /* of the mailbox, as the server says now */
	int64_t next_uid;
	struct email_waiting *waiting;
	size_t waiting_count;
	size_t waiting_cap;
	size_t waiting_at;
	bool has_news;       /* more mails have come since they were listed */
	bool listing;        /* numbers and sizes are being listed */
	bool stored;         /* the mail that is fetched is in the store */
	int64_t refused_uid; /* the last mail that the server did not hand out … */
	unsigned refusals;   /* … so many times */
	int64_t found_uid;   /* the first mail of a search; 0: none */

	/* threads.c; the newest last */
	struct email_thread *threads;
	size_t thread_count;

	/* send.c */
	struct email_sending *sendings; /* the first one is under way */
	bool turned_away;
	uv_timer_t send_timer; /* the next attempt after a failure */
	struct backoff send_backoff;
};

/* --- inbox.c ----------------------------------------------------------------- */

void email_inbox_begin(struct email *email);
void email_inbox_end(struct email *email);

/* --- threads.c --------------------------------------------------------------- */

/* Mark and threads, as they are remembered between starts. */
char *email_memory_text(const struct email *email);
void email_memory_read(struct email *email, const char *text);
void email_memory_release(struct email *email);

void email_thread_note(struct email *email, const struct mail *mail);
const struct email_thread *email_thread_find(
	const struct email *email, const char *address, const char *root);

/* --- send.c ------------------------------------------------------------------ */

enum channel_sent email_send(struct channel *channel, const struct outbox_row *row);

/* Everything that waits is given back; what is under way is given up. */
void email_send_end(struct email *email);

/* --- sent.c ------------------------------------------------------------------ */

/* Is a mail with this id in the folder of sent mails? `found` is false if there is no such folder;
 * `why` is NULL unless the server could not be asked. */
typedef void (*email_sent_function)(void *data, bool found, const char *why);

struct email_search;
struct email_search *email_search_sent(struct network *network,
	const struct email_settings *settings, const char *id, email_sent_function function,
	void *data);
void email_search_cancel(struct email_search *search);

/* --- email.c ----------------------------------------------------------------- */

/* The address of a chat of ours, or NULL. */
const char *email_address_of(const char *jid);

/* Behind the last text: frees everything. */
void email_finish(struct email *email);

#endif
