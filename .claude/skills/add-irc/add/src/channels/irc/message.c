#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/irc/irc.h"
#include "proc/log.h"
#include "time/timestamp.h"

#define ACTION "\001ACTION "

#define MAX_ACCOUNT 64

/* --- is it to us? ------------------------------------------------------------ */

/* Does `text` begin with the nick, as a whole word? */
static bool text_begins_with(const struct irc *irc, const char *text, const char *nick)
{
	size_t len = strlen(nick);
	CLEANUP(freep) char *start = xmemdupz(text, strnlen(text, len));

	return irc_same(irc->mapping, start, nick) && !irc_is_nick_character(text[len]);
}

static bool text_has_nick(const struct irc *irc, const char *text, const char *nick)
{
	for (const char *at = text; *at; at++)
		if ((at == text || !irc_is_nick_character(at[-1])) &&
			text_begins_with(irc, at, nick))
			return true;
	return false;
}

/* Behind "nick:" or "nick,"; `text` itself if it does not begin so. */
static const char *text_behind_address(
	const struct irc *irc, const char *text, const char *nick)
{
	const char *behind;

	if (!text_begins_with(irc, text, nick))
		return text;
	behind = text + strlen(nick);
	if (*behind != ':' && *behind != ',')
		return text;
	return behind + 1 + strspn(behind + 1, " ");
}

/* --- from a line ------------------------------------------------------------- */

/* "/me waves" is a text; other requests between clients (CTCP) are not, and get no answer. */
static bool message_text(const struct irc_line *line, const char *nick, struct buf *ret_text)
{
	const char *text = line->parameters[1];

	if (!strncmp(text, ACTION, strlen(ACTION))) {
		buf_appendf(ret_text, "* %s ", nick);
		text += strlen(ACTION);
	} else if (*text == '\001') {
		return false;
	}
	irc_text_plain(text, ret_text);
	return view_trim(view_of_buf(ret_text)).len > 0;
}

static int64_t message_time(const struct irc_line *line)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *tag = irc_line_tag(line, "time");
	int64_t time = 0;

	if (tag && timestamp_parse(view_of(tag), &time, &err) < 0)
		return 0;
	return time;
}

/* The server's, or one that no other message of any host has. */
static char *message_id(struct irc *irc, const struct irc_line *line)
{
	char *id = irc_line_tag(line, "msgid");

	if (id && *id && strlen(id) <= CHANNEL_MAX_ID && utf8_all_printable(view_of(id)))
		return id;
	free(id);
	return xasprintf("%s-%" PRIu64, irc->id_prefix, ++irc->id_number);
}

/*
 * The account in which the person is logged in, if the server says so: anybody can take a nick. No
 * nick has a colon.
 */
static char *message_sender(
	const struct irc *irc, const struct irc_line *line, const char *nick)
{
	CLEANUP(freep) char *account = irc_line_tag(line, "account");

	if (!(irc->capabilities & IRC_ACCOUNT) || !account || !*account ||
		strlen(account) > MAX_ACCOUNT || !utf8_all_printable(view_of(account)))
		return xstrdup(nick);
	return xasprintf("account:%s", account);
}

static void message_store(struct irc *irc, const struct irc_line *line, const char *nick,
	const char *chat, const char *text)
{
	struct channel *channel = &irc->channel;
	CLEANUP(freep) char *id = message_id(irc, line);
	CLEANUP(freep) char *jid = irc_jid(irc, chat);
	CLEANUP(freep) char *folded = irc_fold(irc->mapping, nick);
	CLEANUP(freep) char *sender = message_sender(irc, line, folded);
	const char *behind = text_behind_address(irc, text, irc->nick);
	bool mentioned = text_has_nick(irc, text, irc->nick) ||
			 text_has_nick(irc, text, irc->settings.nick);
	enum channel_arrival arrival;
	int64_t seq;
	bool more;

	if (behind == text)
		behind = text_behind_address(irc, text, irc->settings.nick);
	if (!irc_target(jid) || !*behind)
		return;
	more = irc_send_is_more(irc, jid, behind);
	channel->events->begin(channel->host);
	arrival = channel->events->message(channel,
		&(struct channel_message){
			.chat_jid = jid,
			.id = id,
			.sender = sender,
			.alias = folded,
			.sender_name = nick,
			.text = view_of(behind),
			.time = message_time(line),
			.chat_name = chat,
			.chat_kind = chat == nick ? CHAT_DIRECT : CHAT_GROUP,
			.mentions_me = mentioned,
			.only_ask = more,
		},
		&seq);
	if (channel->events->commit(channel->host) < 0)
		log_warning("a message in '%s' could not be stored, and IRC does not repeat it",
			jid);
	else if (arrival == ARRIVAL_STORED && (more || mentioned || chat == nick))
		irc_send_go_on(irc, jid, more);
}

/* Bots that say so are passed over: two that answer each other would never end. */
void irc_message_take(struct irc *irc, const struct irc_line *line)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT_MAX(CHANNEL_MAX_TEXT);
	CLEANUP(freep) char *nick = irc_line_nick(line);
	CLEANUP(freep) char *bot = irc_line_tag(line, "bot");
	const char *target = line->parameters[0];

	if (nick && irc_is_me(irc, nick)) {
		irc_send_take(irc, line);
		return;
	}
	if (!nick || bot || irc->closing || !utf8_valid(view_of(nick)) ||
		!message_text(line, nick, &text))
		return;
	if (irc_is_me(irc, target))
		message_store(irc, line, nick, nick, text.data);
	else if (irc_rooms_has(irc, target))
		message_store(irc, line, nick, target, text.data);
}
