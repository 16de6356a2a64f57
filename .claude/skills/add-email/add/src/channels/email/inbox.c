#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/email/email.h"
#include "proc/log.h"
#include "time/civil.h"
#include "time/timestamp.h"

#define IDLE_MS    ((uint64_t)9 * 60 * 1000) /* routers forget connections that are silent */
#define POLL_MS    60000                     /* of a server without IDLE */
#define REFUSED_MS ((int64_t)60 * 60 * 1000)

#define MOST_DELAY_MS ((int64_t)30 * 24 * 60 * 60 * 1000)

/* How often the server may refuse a mail until it is passed over. */
#define MOST_REFUSALS 5

/* Mails that are listed at once; the rest follows. */
#define MOST_WAITING 1000

/* What is fetched of a mail that is too large: its head, and mostly its text. */
#define CUT_BYTES 131072

static void inbox_connect(uv_timer_t *timer);

/* --- trouble ----------------------------------------------------------------- */

/* The log has a line for each change, not for each attempt. */
static void inbox_trouble(
	struct email *email, enum channel_state state, const char *detail, int64_t wait)
{
	struct channel *channel = &email->channel;

	channel->retry_at = timestamp_clock() + wait;
	if (channel->state != state || !email->trouble || strcmp(email->trouble, detail) != 0) {
		free(email->trouble);
		email->trouble = xstrdup(detail);
		channel_set_state(channel, state, detail);
	}
	uv_timer_start(&email->timer, inbox_connect, (uint64_t)wait, 0);
}

static void inbox_drop(struct email *email)
{
	imap_close(email->imap);
	email->imap = NULL;
	email->waiting_count = email->waiting_at = 0;
	uv_timer_stop(&email->timer);
}

static void inbox_lost(struct email *email, const char *why)
{
	CLEANUP(freep) char *detail = xasprintf("the mailbox cannot be read: %s", why);

	inbox_drop(email);
	if (!email->closing)
		inbox_trouble(
			email, CHANNEL_DISCONNECTED, detail, backoff_next(&email->backoff));
}

static void inbox_closed(void *data, bool refused, const char *why)
{
	struct email *email = data;
	CLEANUP(freep)
	char *detail = xasprintf(
		"the mail server does not accept EMAIL_USER and EMAIL_PASSWORD; correct them in '.env' "
		"and restart (it says: %s)",
		why);

	email->imap = NULL; /* it frees itself */
	if (refused && !email->closing) {
		inbox_drop(email);
		inbox_trouble(email, CHANNEL_DOWN, detail, REFUSED_MS);
	} else {
		inbox_lost(email, why);
	}
}

/* --- a mail ------------------------------------------------------------------ */

/* Why a mail is not taken, or NULL. Strangers are passed over without a word in the log. */
static const char *inbox_fault(const struct email *email, const struct mail *mail)
{
	if (!mail->from || !strcmp(mail->from, email->settings.address) || mail->automatic)
		return "";
	if (!email_is_allowed(&email->settings, mail->from) ||
		(!*mail->text && !*mail->subject && !mail->attachment_count))
		return "";
	return mail->verified ? NULL : "its sender is not verified (EMAIL_VERIFIED_BY)";
}

/* A thread's first mail says in its subject what it is about; a command stays in front. */
static char *inbox_text(const struct mail *mail, bool is_cut)
{
	bool begins = mail->id && !strcmp(mail->id, mail->root) && *mail->subject;
	const char *note =
		is_cut ? "\n\n[The mail is too large: the rest of it was left out.]" : "";

	if (begins && *mail->text && *mail->text != '/')
		return xasprintf("%s\n\n%s%s", mail->subject, mail->text, note);
	return xasprintf("%s%s", begins && !*mail->text ? mail->subject : mail->text, note);
}

/* A sender may write any date: only a recent one is believed. */
static int64_t inbox_time(const struct mail *mail)
{
	int64_t now = timestamp_clock();

	return mail->time <= now && mail->time > now - MOST_DELAY_MS ? mail->time : 0;
}

static void inbox_advance(struct email *email, int64_t uid)
{
	email->validity = email->seen_validity;
	email->uid = uid > email->uid ? uid : email->uid;
	email->day = timestamp_clock();
}

/* Store a mail and the mark behind it, in one transaction. */
static int inbox_store(struct email *email, int64_t uid, const struct mail *mail, bool is_cut)
{
	const struct channel_events *events = email->channel.events;
	CLEANUP(freep)
	char *jid = xasprintf("%s%s", EMAIL_PREFIX, mail->from ? mail->from : "");
	CLEANUP(freep)
	char *id = mail->id ? xstrdup(mail->id)
			    : xasprintf("uid-%lld-%lld", (long long)email->seen_validity,
				      (long long)uid);
	CLEANUP(freep) char *text = inbox_text(mail, is_cut);
	CLEANUP(freep) char *memory = NULL;
	const char *fault = inbox_fault(email, mail);
	enum channel_arrival arrival = ARRIVAL_IGNORED;
	int64_t seq;

	if (fault && *fault)
		log_warning("email: a mail from '%s' is not taken: %s", mail->from, fault);
	events->begin(email->channel.host);
	if (!fault)
		arrival = events->message(&email->channel,
			&(struct channel_message){
				.chat_jid = jid,
				.id = id,
				.sender = mail->from,
				.sender_name = mail->name,
				.text = view_of(text),
				.time = inbox_time(mail),
				.chat_name = mail->name,
				.chat_kind = CHAT_DIRECT,
				.mentions_me = true,
				.thread = mail->root,
				.attachments = mail->attachments,
				.attachment_count = is_cut ? 0 : mail->attachment_count,
			},
			&seq);
	if (arrival == ARRIVAL_REFUSED)
		log_warning(
			"email: a mail from '%s' is not taken: it is malformed", mail->from);
	if (arrival == ARRIVAL_STORED)
		email_thread_note(email, mail);
	inbox_advance(email, uid);
	memory = email_memory_text(email);
	events->remember(&email->channel, memory);
	email->stored = arrival == ARRIVAL_STORED;
	return events->commit(email->channel.host);
}

static void inbox_take(struct email *email, const struct email_waiting *item, struct view bytes)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(mail_release) struct mail mail = {0};
	CLEANUP(freep) char *before = email_memory_text(email);

	if (mail_parse(bytes, email->settings.verifier, &mail, &err) < 0) {
		if (err.kind != ERROR_INVALID) {
			inbox_lost(email, err.message);
			return;
		}
		mail.subject = xstrdup("");
		mail.text = xstrdup("");
	}
	if (inbox_store(email, item->uid, &mail, item->size > email->max_mail) < 0) {
		/* As it was: the mail comes again. */
		email_memory_release(email);
		email->thread_count = 0;
		email_memory_read(email, before);
		inbox_lost(email, "its mails cannot be stored");
	}
}

/* --- what the server says ---------------------------------------------------- */

static int64_t inbox_number(struct view text, const char *name)
{
	CLEANUP(freep) char *copy = xmemdupz(text.data, text.len);
	const char *at = strstr(copy, name);

	return at ? strtoll(at + strlen(name), NULL, 10) : 0;
}

static void inbox_note_waiting(struct email *email, int64_t uid, int64_t size)
{
	/* "5:*" has the last mail in it, whatever its number. */
	if (uid <= email->uid || email->waiting_count >= MOST_WAITING)
		return;
	GROW(email->waiting, email->waiting_count, email->waiting_cap);
	email->waiting[email->waiting_count++] = (struct email_waiting){uid, size};
}

/* "SEARCH 4 5 9": the lowest one. */
static void inbox_take_search(struct email *email, struct view numbers)
{
	struct view word;

	while (view_next(&numbers, ' ', &word)) {
		int64_t uid = inbox_number(word, "");

		if (uid > 0 && (!email->found_uid || uid < email->found_uid))
			email->found_uid = uid;
	}
}

static bool inbox_is_fetch(struct view text)
{
	struct view word;

	return view_next(&text, ' ', &word) && view_next(&text, ' ', &word) &&
	       view_equal_str(word, "FETCH");
}

static void inbox_untagged(void *data, const struct imap_response *response)
{
	struct email *email = data;
	struct view text = response->text;

	email->channel.last_event = timestamp_clock();
	if (view_starts_with(text, "OK [UIDVALIDITY ")) {
		email->seen_validity = inbox_number(text, "[UIDVALIDITY ");
	} else if (view_starts_with(text, "OK [UIDNEXT ")) {
		email->next_uid = inbox_number(text, "[UIDNEXT ");
	} else if (view_starts_with(text, "SEARCH ")) {
		inbox_take_search(email, view_slice(text, strlen("SEARCH "), text.len));
	} else if (view_ends_with(text, " EXISTS")) {
		email->has_news = true;
		imap_idle_end(email->imap);
	} else if (inbox_is_fetch(text) && email->listing) {
		inbox_note_waiting(
			email, inbox_number(text, "UID "), inbox_number(text, "RFC822.SIZE "));
	} else if (inbox_is_fetch(text) && response->literal.len &&
		   email->waiting_at < email->waiting_count) {
		inbox_take(email, &email->waiting[email->waiting_at], response->literal);
	}
}

/* --- one command after the other --------------------------------------------- */

static void inbox_fetch(struct email *email);
static void inbox_list(struct email *email);

static void inbox_idle_over(uv_timer_t *timer)
{
	struct email *email = timer->data;

	if (imap_can(email->imap, "IDLE"))
		imap_idle_end(email->imap);
	else
		inbox_list(email);
}

static void inbox_idled(void *data, enum imap_status status, struct view text)
{
	struct email *email = data;

	(void)status;
	(void)text;
	inbox_list(email);
}

static void inbox_wait(struct email *email)
{
	bool idles = imap_can(email->imap, "IDLE");

	backoff_reset(&email->backoff);
	if (email->channel.state != CHANNEL_CONNECTED) {
		free(email->trouble);
		email->trouble = NULL;
		channel_set_state(&email->channel, CHANNEL_CONNECTED, NULL);
		email->channel.events->ready(&email->channel, NULL);
	}
	if (idles)
		imap_idle(email->imap, inbox_idled);
	uv_timer_start(&email->timer, inbox_idle_over, idles ? IDLE_MS : POLL_MS, 0);
}

static void inbox_marked(void *data, enum imap_status status, struct view text)
{
	(void)status; /* a mailbox that cannot be written to: its mails stay unread */
	(void)text;
	inbox_fetch(data);
}

/* The server refuses to hand out a mail: it is asked again, and at last passed over. */
static bool inbox_gives_up(struct email *email, int64_t uid, const char *said)
{
	email->refusals = email->refused_uid == uid ? email->refusals + 1 : 1;
	email->refused_uid = uid;
	if (email->refusals < MOST_REFUSALS)
		return false;
	log_error("email: mail number %lld is skipped: the server does not deliver it: %s",
		(long long)uid, said);
	return true;
}

static void inbox_fetched(void *data, enum imap_status status, struct view text)
{
	struct email *email = data;
	int64_t uid = email->waiting[email->waiting_at].uid;
	CLEANUP(freep) char *said = xmemdupz(text.data, text.len);

	/* A mail that was deleted meanwhile is no error: there is nothing to fetch. */
	if (status != IMAP_OK && !inbox_gives_up(email, uid, said)) {
		inbox_lost(email, said);
		return;
	}
	email->waiting_at++;
	if (email->stored)
		imap_command(email->imap, inbox_marked, "UID STORE %lld +FLAGS.SILENT (\\Seen)",
			(long long)uid);
	else
		inbox_fetch(email);
}

/* The next mail of those that are listed. */
static void inbox_fetch(struct email *email)
{
	const struct email_waiting *item = NULL;

	if (email->waiting_at < email->waiting_count)
		item = &email->waiting[email->waiting_at];
	email->stored = false;
	if (item && item->size > email->max_mail)
		imap_command(email->imap, inbox_fetched, "UID FETCH %lld (BODY.PEEK[]<0.%d>)",
			(long long)item->uid, CUT_BYTES);
	else if (item)
		imap_command(email->imap, inbox_fetched, "UID FETCH %lld (BODY.PEEK[])",
			(long long)item->uid);
	else if (email->has_news || email->waiting_count == MOST_WAITING)
		inbox_list(email);
	else
		inbox_wait(email);
}

static int inbox_compare(const void *a, const void *b)
{
	const struct email_waiting *left = a;
	const struct email_waiting *right = b;

	return left->uid < right->uid ? -1 : left->uid > right->uid;
}

static void inbox_listed(void *data, enum imap_status status, struct view text)
{
	struct email *email = data;

	email->listing = false;
	if (status != IMAP_OK) {
		CLEANUP(freep) char *said = xmemdupz(text.data, text.len);

		inbox_lost(email, said);
		return;
	}
	/* The mark moves forward only. */
	if (email->waiting_count)
		qsort(email->waiting, email->waiting_count, sizeof(*email->waiting),
			inbox_compare);
	inbox_fetch(email);
}

static void inbox_list(struct email *email)
{
	uv_timer_stop(&email->timer);
	email->waiting_count = email->waiting_at = 0;
	email->has_news = false;
	email->listing = true;
	imap_command(email->imap, inbox_listed, "UID FETCH %lld:* (UID RFC822.SIZE)",
		(long long)email->uid + 1);
}

/* Mails from here on are taken. */
static void inbox_start_at(struct email *email, int64_t uid)
{
	const struct channel_events *events = email->channel.events;
	CLEANUP(freep) char *memory = NULL;

	email->uid = 0;
	inbox_advance(email, uid - 1);
	memory = email_memory_text(email);
	events->begin(email->channel.host);
	events->remember(&email->channel, memory);
	if (events->commit(email->channel.host) < 0)
		inbox_lost(email, "the mark cannot be stored");
	else
		inbox_list(email);
}

static void inbox_searched(void *data, enum imap_status status, struct view text)
{
	struct email *email = data;

	(void)status;
	(void)text;
	inbox_start_at(email, email->found_uid ? email->found_uid : email->next_uid);
}

/* The server has numbered its mails anew. Those that are stored already are known by their ids. */
static void inbox_search(struct email *email)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	struct civil day = civil_of(email->day / 1000 - (int64_t)2 * 24 * 60 * 60);

	email->found_uid = 0;
	imap_command(email->imap, inbox_searched, "UID SEARCH SINCE %d-%.3s-%04d", day.day,
		months + (ptrdiff_t)3 * (day.month - 1), day.year);
}

static void inbox_selected(void *data, enum imap_status status, struct view text)
{
	struct email *email = data;

	(void)text;
	if (status != IMAP_OK || !email->seen_validity || !email->next_uid)
		inbox_lost(email, "the server does not open INBOX");
	else if (!email->validity)
		inbox_start_at(email, email->next_uid); /* mails from before are not answered */
	else if (email->validity != email->seen_validity)
		inbox_search(email);
	else
		inbox_list(email);
}

static void inbox_ready(void *data)
{
	struct email *email = data;

	email->seen_validity = email->next_uid = 0;
	imap_command(email->imap, inbox_selected, "SELECT INBOX");
}

/* --- begin and end ----------------------------------------------------------- */

static void inbox_connect(uv_timer_t *timer)
{
	static const struct imap_handlers handlers = {
		inbox_ready, inbox_untagged, inbox_closed};
	struct email *email = timer->data;

	email->imap = imap_open(email->network, &email->settings, &handlers, email);
}

void email_inbox_begin(struct email *email)
{
	uv_timer_start(&email->timer, inbox_connect, 0, 0);
}

void email_inbox_end(struct email *email)
{
	inbox_drop(email);
}
