#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/irc/irc.h"

#define MOST_UNDER_WAY 20
#define CLOGGED_MS     1000

/*
 * Others get a line as ":nick!user@host PRIVMSG target :text\r\n", which may have 512 bytes. Which
 * user and host they see, we need not know; no server has longer ones.
 */
#define LINE_MAX_BYTES 512
#define USER_MAX_BYTES 16
#define HOST_MAX_BYTES 64

/* A text that has no receipt yet. */
struct irc_sending {
	struct irc_sending *next;
	struct irc *irc;
	uint64_t number; /* its label, and that of the PING behind it */
	char *key;
	char *target;
	struct string_array lines;
	size_t written;
	bool pinged;
	char *batch; /* in which the answer to its label comes; NULL: none */
};

enum irc_part {
	PART_SENT,
	PART_HELD,
	PART_SKIPPED,
};

/* A chat in which part of an answer of several parts was sent. */
struct irc_chat {
	struct irc_chat *next;
	char *jid;
	int64_t turn;    /* that is answered */
	int64_t skipped; /* a turn whose rest nobody wants to read; 0: none */
	int64_t whole;   /* a turn that does not stop again; 0: none */
	size_t lines;    /* sent since somebody has asked for more */
	bool held;       /* until somebody does, or `held_until` */
	uint64_t held_until;
};

static struct irc_chat *chat_find(const struct irc *irc, const char *jid)
{
	struct irc_chat *chat = irc->chats;

	while (chat && strcmp(chat->jid, jid) != 0)
		chat = chat->next;
	return chat;
}

static struct irc_chat *chat_get(struct irc *irc, const char *jid)
{
	struct irc_chat *chat = chat_find(irc, jid);

	if (chat)
		return chat;
	chat = xcalloc(1, sizeof(*chat));
	chat->jid = xstrdup(jid);
	chat->next = irc->chats;
	irc->chats = chat;
	return chat;
}

void irc_send_release(struct irc *irc)
{
	struct irc_chat *chat;

	while ((chat = irc->chats)) {
		irc->chats = chat->next;
		free(chat->jid);
		free(chat);
	}
}

bool irc_send_is_more(const struct irc *irc, const char *jid, const char *text)
{
	const struct irc_chat *chat = chat_find(irc, jid);
	struct view word = view_trim(view_of(text));

	return chat && chat->held && word.len == strlen("more") &&
	       !strncasecmp(word.data, "more", word.len);
}

static void chat_go_on(struct irc *irc, struct irc_chat *chat)
{
	chat->held = false;
	chat->lines = 0;
	irc->channel.events->ready(&irc->channel, chat->jid);
}

void irc_send_go_on(struct irc *irc, const char *jid, bool more)
{
	struct irc_chat *chat = chat_find(irc, jid);

	if (!chat || !chat->held)
		return;
	/* Another question: the rest of the answer to the one before would only be in the way. */
	if (!more)
		chat->skipped = chat->turn;
	chat_go_on(irc, chat);
}

/* Nobody has asked for more: what waits behind the rest of the answer, such as a task's text, must
 * not wait for ever. */
static void holds_look(uv_timer_t *timer)
{
	struct irc *irc = timer->data;
	uint64_t now = uv_now(timer->loop);
	uint64_t next = 0;

	for (struct irc_chat *chat = irc->chats; chat; chat = chat->next) {
		if (chat->held && chat->held_until <= now) {
			chat->whole = chat->turn;
			chat_go_on(irc, chat);
		} else if (chat->held && (!next || chat->held_until < next)) {
			next = chat->held_until;
		}
	}
	if (next)
		uv_timer_start(timer, holds_look, next - now, 0);
}

static void chat_hold(struct irc *irc, struct irc_chat *chat)
{
	uint64_t wait = (uint64_t)irc->settings.hold_seconds * 1000;

	chat->held = true;
	chat->held_until = uv_now(irc->hold_timer.loop) + wait;
	if (!uv_is_active((uv_handle_t *)&irc->hold_timer))
		uv_timer_start(&irc->hold_timer, holds_look, wait, 0);
}

static void sending_remove(struct irc_sending *sending)
{
	struct irc_sending **at = &sending->irc->sendings;

	while (*at != sending)
		at = &(*at)->next;
	*at = sending->next;
	sending->irc->sending_count--;
	free(sending->key);
	free(sending->target);
	free(sending->batch);
	string_array_release(&sending->lines);
	free(sending);
}

/* Nothing may be done with the channel after this if it is closing. */
static void sending_done(
	struct irc_sending *sending, enum channel_receipt receipt, const char *detail)
{
	struct irc *irc = sending->irc;
	struct channel *channel = &irc->channel;

	if (receipt == RECEIPT_SENT)
		backoff_reset(&irc->backoff); /* the connection is of use */
	channel->events->receipt(channel, sending->key, receipt, detail, 0);
	sending_remove(sending);
	if (irc->turned_away) {
		irc->turned_away = false;
		channel->events->ready(channel, NULL);
	}
	if (irc->closing && !irc->sendings)
		irc_finish(irc);
}

void irc_send_lost(struct irc *irc, const char *why)
{
	uv_timer_stop(&irc->send_timer);
	while (irc->sendings)
		sending_done(irc->sendings, RECEIPT_LOST, why);
}

/* --- lines ------------------------------------------------------------------- */

static bool sending_is_written(const struct irc_sending *sending)
{
	return sending->written == sending->lines.count;
}

/* The last line carries the label: the server has taken all others before. */
static bool sending_write_line(struct irc_sending *sending)
{
	struct irc *irc = sending->irc;
	const char *text = sending->lines.list[sending->written];
	bool last = sending->written + 1 == sending->lines.count;
	bool done;

	if (last && irc->capabilities & IRC_LABELS)
		done = irc_write(irc, "@label=%" PRIu64 " PRIVMSG %s :%s", sending->number,
			sending->target, text);
	else
		done = irc_write(irc, "PRIVMSG %s :%s", sending->target, text);
	sending->written += done;
	if (done)
		irc->last_written = sending->number;
	return done;
}

/* One PING is behind all texts that have been written. */
static bool send_ping(struct irc *irc)
{
	struct irc_sending *last = irc->sendings;

	while (last->next)
		last = last->next;
	if (!irc_write(irc, "PING :%" PRIu64, last->number))
		return false;
	for (struct irc_sending *s = irc->sendings; s; s = s->next)
		s->pinged = true;
	return true;
}

/* Chats take turns, a line each: the next text behind the one that had the last turn. */
static struct irc_sending *send_next(const struct irc *irc, bool *ret_ping)
{
	struct irc_sending *first = NULL;

	*ret_ping = false;
	for (struct irc_sending *s = irc->sendings; s; s = s->next) {
		if (!sending_is_written(s) && s->number > irc->last_written)
			return s;
		if (!sending_is_written(s) && !first)
			first = s;
		*ret_ping |= !s->pinged && !(irc->capabilities & IRC_LABELS);
	}
	return first;
}

static void send_work(uv_timer_t *timer)
{
	struct irc *irc = timer->data;
	struct irc_sending *sending;
	bool ping;

	uv_timer_stop(timer);
	while ((sending = send_next(irc, &ping)) || ping) {
		int64_t wait = irc_wait(irc);

		if (!wait && !(sending ? sending_write_line(sending) : send_ping(irc)))
			wait = CLOGGED_MS;
		if (wait) {
			uv_timer_start(timer, send_work, (uint64_t)wait, 0);
			return;
		}
	}
}

/* --- receipts ---------------------------------------------------------------- */

static bool is_error(const struct irc_line *line)
{
	return !strcmp(line->command, "FAIL") ||
	       (strlen(line->command) == 3 && strchr("457", *line->command));
}

static void sending_answered(struct irc_sending *sending, const struct irc_line *line)
{
	CLEANUP(freep) char *id = irc_line_tag(line, "msgid");
	CLEANUP(freep) char *reason = NULL;

	if (!is_error(line)) {
		sending_done(sending, RECEIPT_SENT, id);
		return;
	}
	reason = utf8_excerpt(view_of(line->parameters[line->count ? line->count - 1 : 0]));
	sending_done(sending, RECEIPT_FAILED, reason);
}

/* An answer of several lines comes in a batch: it is over when that is. */
static bool take_batch(
	struct irc *irc, struct irc_sending *labeled, const struct irc_line *line)
{
	const char *name = line->parameters[0];

	if (strcmp(line->command, "BATCH") != 0)
		return false;
	if (labeled && *name == '+' && !labeled->batch)
		labeled->batch = xstrdup(name + 1);
	for (struct irc_sending *s = irc->sendings; s && *name == '-'; s = s->next)
		if (s->batch && !strcmp(s->batch, name + 1)) {
			sending_answered(s, line);
			break;
		}
	return true;
}

static void take_pong(struct irc *irc, const struct irc_line *line)
{
	const char *text = line->parameters[line->count > 1 ? 1 : 0];
	char *end;
	uint64_t number = strtoull(text, &end, 10);

	if (*end)
		return;
	while (irc->sendings && irc->sendings->pinged && irc->sendings->number <= number)
		sending_done(irc->sendings, RECEIPT_SENT, NULL);
}

/* Of the last line, or of an error that names the target: a chat has one text under way. */
static bool sending_is_meant(const struct irc_sending *sending, const struct irc_line *line)
{
	enum irc_mapping mapping = sending->irc->mapping;

	if (!strcmp(line->command, "PRIVMSG"))
		return sending_is_written(sending) &&
		       irc_same(mapping, sending->target, line->parameters[0]) &&
		       !strcmp(sending->lines.list[sending->lines.count - 1],
			       line->parameters[1]);
	return is_error(line) && sending->written &&
	       irc_same(mapping, sending->target, line->parameters[1]);
}

void irc_send_take(struct irc *irc, const struct irc_line *line)
{
	CLEANUP(freep) char *label = irc_line_tag(line, "label");
	struct irc_sending *found = irc->sendings;

	if (!strcmp(line->command, "PONG")) {
		take_pong(irc, line);
		return;
	}
	for (; found && label; found = found->next)
		if (strtoull(label, NULL, 10) == found->number)
			break;
	if (take_batch(irc, label ? found : NULL, line))
		return;
	if (!label)
		while (found && !sending_is_meant(found, line))
			found = found->next;
	if (found)
		sending_answered(found, line);
}

bool irc_send_is_stuck(struct irc *irc)
{
	const struct irc_sending *first = irc->sendings;
	bool asked = first && (first->pinged || irc->capabilities & IRC_LABELS);
	uint64_t before = irc->overdue;

	irc->overdue = asked && sending_is_written(first) ? first->number : 0;
	return before && before == irc->overdue;
}

/* --- texts ------------------------------------------------------------------- */

static struct irc_sending *sending_new(
	struct irc *irc, const struct outbox_row *row, const char *target)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t frame = strlen(":!@ PRIVMSG  :\r\n") + strlen(irc->nick) + USER_MAX_BYTES +
		       HOST_MAX_BYTES + strlen(target);
	struct irc_sending **at = &irc->sendings;

	while (*at)
		at = &(*at)->next;
	*at = xcalloc(1, sizeof(**at));
	(*at)->irc = irc;
	(*at)->number = ++irc->sending_number;
	(*at)->key = xstrdup(row->key);
	(*at)->target = xstrdup(target);
	markup_render(view_of(row->content), MARKUP_IRC, &text);
	irc_text_lines(view_of_buf(&text), LINE_MAX_BYTES - frame, &(*at)->lines);
	irc->sending_count++;
	return *at;
}

/*
 * An answer of several parts stops after some lines, so that it does not fill the chat for minutes.
 * The last part is sent in any case: it takes no more room than a question.
 */
static enum irc_part send_part(
	struct irc *irc, const struct outbox_row *row, const char *target)
{
	struct irc_chat *chat = chat_get(irc, row->chat_jid);

	if (row->turn == chat->skipped)
		return PART_SKIPPED;
	if (row->turn != chat->turn) {
		chat->turn = row->turn;
		chat->lines = 0;
		chat->held = false;
	}
	if (chat->lines < (size_t)irc->settings.lines_at_once || row->part == row->parts ||
		row->turn == chat->whole)
		return PART_SENT;
	if (!chat->held) {
		irc_write(irc, "PRIVMSG %s :(Write 'more' for the rest: %d of %d parts.)",
			target, row->parts - row->part + 1, row->parts);
		chat_hold(irc, chat);
	}
	return PART_HELD;
}

enum channel_sent irc_send(struct channel *channel, const struct outbox_row *row)
{
	struct irc *irc = (struct irc *)channel;
	const char *target = irc_target(row->chat_jid);
	struct irc_sending *sending;

	if (channel->state != CHANNEL_CONNECTED)
		return CHANNEL_NOT_NOW;
	if (!irc_is_nick(target) && !irc_rooms_has(irc, target)) {
		channel->events->receipt(channel, row->key, RECEIPT_REFUSED,
			"the channel is not in IRC_CHANNELS", 0);
		return CHANNEL_TAKEN;
	}
	if (!irc_is_nick(target) && !irc_rooms_in(irc, target))
		return CHANNEL_NOT_NOW;
	if (irc->sending_count >= MOST_UNDER_WAY) {
		irc->turned_away = true;
		return CHANNEL_NOT_NOW;
	}
	if (row->turn && row->parts > 1) {
		enum irc_part part = send_part(irc, row, target);

		if (part == PART_HELD)
			return CHANNEL_NOT_NOW;
		if (part == PART_SKIPPED) {
			channel->events->receipt(channel, row->key, RECEIPT_SENT, NULL, 0);
			return CHANNEL_TAKEN;
		}
	}
	sending = sending_new(irc, row, target);
	if (row->turn && row->parts > 1)
		chat_get(irc, row->chat_jid)->lines += sending->lines.count;
	if (sending->lines.count)
		uv_timer_start(&irc->send_timer, send_work, 0, 0);
	else
		sending_done(sending, RECEIPT_SENT, NULL);
	return CHANNEL_TAKEN;
}
