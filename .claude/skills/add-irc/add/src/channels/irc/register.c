#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "channels/irc/irc.h"
#include "time/timestamp.h"

static const struct {
	const char *name;
	enum irc_capability bit;
} capabilities[] = {
	{"account-tag", IRC_ACCOUNT},
	{"batch", IRC_BATCH},
	{"echo-message", IRC_ECHO},
	{"labeled-response", IRC_LABELS},
	{"message-tags", IRC_TAGS},
	{"sasl", IRC_SASL},
	{"server-time", IRC_TIME},
};

/* --- capabilities ------------------------------------------------------------ */

/* "sasl=PLAIN,EXTERNAL" */
static unsigned capability_bit(struct view word)
{
	struct view methods = word;
	struct view method;
	struct view name;
	bool plain = false;

	if (!view_next(&methods, '=', &name))
		return 0;
	while (view_next(&methods, ',', &method))
		plain |= view_equal_str(method, "PLAIN");
	for (size_t i = 0; i < ARRAY_SIZE(capabilities); i++)
		if (view_equal_str(name, capabilities[i].name))
			return capabilities[i].bit == IRC_SASL && name.len < word.len && !plain
				       ? 0
				       : capabilities[i].bit;
	return 0;
}

static unsigned capability_bits(const char *list)
{
	struct view rest = view_of(list);
	struct view word;
	unsigned bits = 0;

	while (view_next(&rest, ' ', &word))
		bits |= capability_bit(word);
	return bits;
}

static void register_no_sasl(struct irc *irc)
{
	irc_connect_refused(irc,
		"the server offers no SASL PLAIN, so IRC_PASSWORD cannot be used: remove it from "
		"'.env', or use another server, then restart");
}

static void register_request(struct irc *irc)
{
	CLEANUP(buf_release) struct buf list = BUF_INIT;
	unsigned wanted = irc->offered;

	if (!irc->settings.password)
		wanted &= ~(unsigned)IRC_SASL;
	else if (!(wanted & IRC_SASL)) {
		register_no_sasl(irc);
		return;
	}
	/* Labels are tags, and an answer of several lines is a batch. */
	if ((wanted & (IRC_TAGS | IRC_BATCH)) != (IRC_TAGS | IRC_BATCH))
		wanted &= ~(unsigned)IRC_LABELS;
	for (size_t i = 0; i < ARRAY_SIZE(capabilities); i++)
		if (wanted & capabilities[i].bit)
			buf_appendf(&list, "%s%s", list.len ? " " : "", capabilities[i].name);
	if (list.len)
		irc_write(irc, "CAP REQ :%s", list.data);
	else
		irc_write(irc, "CAP END");
}

static void take_cap(struct irc *irc, const struct irc_line *line)
{
	const char *verb = line->parameters[1];

	if (irc->registered_at)
		return;
	if (!strcmp(verb, "LS")) {
		bool more = line->count > 3 && !strcmp(line->parameters[2], "*");

		irc->offered |= capability_bits(line->parameters[more ? 3 : 2]);
		if (!more)
			register_request(irc);
	} else if (!strcmp(verb, "ACK") || !strcmp(verb, "NAK")) {
		if (*verb == 'A')
			irc->capabilities = capability_bits(line->parameters[2]);
		if (irc->capabilities & IRC_SASL)
			irc_write(irc, "AUTHENTICATE PLAIN");
		else
			irc_write(irc, "CAP END");
	}
}

/* --- SASL -------------------------------------------------------------------- */

/* "\0name\0password"; the settings are short enough for one line. */
static void take_authenticate(struct irc *irc, const struct irc_line *line)
{
	CLEANUP(buf_release) struct buf plain = BUF_INIT;
	CLEANUP(freep) char *encoded = NULL;

	if (strcmp(line->parameters[0], "+") != 0 || !irc->settings.password)
		return;
	buf_append_char(&plain, '\0');
	buf_append_str(&plain, irc->settings.nick);
	buf_append_char(&plain, '\0');
	buf_append_str(&plain, irc->settings.password);
	encoded = xcalloc(1, BASE64_ENCODE_RAW_LENGTH(plain.len) + 1);
	base64_encode_raw(encoded, plain.len, (const uint8_t *)plain.data);
	irc_write(irc, "AUTHENTICATE %s", encoded);
}

static void take_authenticated(struct irc *irc, const struct irc_line *line)
{
	(void)line;
	irc->authenticated = true;
	irc_write(irc, "CAP END");
}

static void take_not_authenticated(struct irc *irc, const struct irc_line *line)
{
	CLEANUP(freep)
	char *detail = xasprintf("the server refuses IRC_PASSWORD for '%s' (%s): put the right "
				 "one into '.env', then restart",
		irc->settings.nick, line->command);

	if (!irc->registered_at)
		irc_connect_refused(irc, detail);
}

/* --- the nick ---------------------------------------------------------------- */

/* Another nick, short enough for a server that takes 9 characters. */
static void take_nick_in_use(struct irc *irc, const struct irc_line *line)
{
	static const char suffixes[] = "_123456789";

	(void)line;
	if (irc->registered_at)
		return;
	if (irc->nick_attempts >= strlen(suffixes)) {
		irc_connect_lost(irc, "all nicks that were tried are in use");
		return;
	}
	free(irc->nick);
	irc->nick = xasprintf("%.8s%c", irc->settings.nick, suffixes[irc->nick_attempts++]);
	irc_write(irc, "NICK %s", irc->nick);
}

static void take_bad_nick(struct irc *irc, const struct irc_line *line)
{
	(void)line;
	if (irc->registered_at)
		return;
	if (irc->nick_attempts)
		take_nick_in_use(irc, line);
	else
		irc_connect_refused(irc,
			"the server does not take the nick in IRC_NICK: choose "
			"a shorter or simpler one, then restart");
}

static void take_nick(struct irc *irc, const struct irc_line *line)
{
	CLEANUP(freep) char *nick = irc_line_nick(line);

	if (!nick || !irc_is_me(irc, nick) || !*line->parameters[0])
		return;
	free(irc->nick);
	irc->nick = xstrdup(line->parameters[0]);
}

void irc_register_regain(struct irc *irc)
{
	if (irc->registered_at && !irc_is_me(irc, irc->settings.nick))
		irc_write(irc, "NICK %s", irc->settings.nick);
}

/* --- the server's welcome ---------------------------------------------------- */

static void take_welcome(struct irc *irc, const struct irc_line *line)
{
	if (irc->settings.password && !irc->authenticated) {
		register_no_sasl(irc);
		return;
	}
	free(irc->nick);
	irc->nick = xstrdup(line->parameters[0]);
	irc->registered_at = timestamp_clock();
}

static void take_support(struct irc *irc, const struct irc_line *line)
{
	for (int i = 1; i < line->count; i++) {
		const char *word = line->parameters[i];

		if (!strcmp(word, "CASEMAPPING=ascii"))
			irc->mapping = IRC_MAPPING_ASCII;
		else if (!strcmp(word, "CASEMAPPING=rfc1459-strict") ||
			 !strcmp(word, "CASEMAPPING=strict-rfc1459"))
			irc->mapping = IRC_MAPPING_STRICT;
	}
}

static void take_end_of_motd(struct irc *irc, const struct irc_line *line)
{
	(void)line;
	if (irc->registered_at)
		irc_connect_is_up(irc);
}

static void take_ban(struct irc *irc, const struct irc_line *line)
{
	CLEANUP(freep) char *reason = utf8_excerpt(view_of(line->parameters[line->count - 1]));
	CLEANUP(freep) char *detail = xasprintf("the server refuses us: %s", reason);

	if (!irc->registered_at)
		irc_connect_refused(irc, detail);
}

static const struct {
	const char *command;
	void (*take)(struct irc *irc, const struct irc_line *line);
} commands[] = {
	{"001", take_welcome},
	{"005", take_support},
	{"376", take_end_of_motd},
	{"422", take_end_of_motd},
	{"432", take_bad_nick},
	{"433", take_nick_in_use},
	{"464", take_ban}, /* a password of the server, which we do not have */
	{"465", take_ban},
	{"902", take_not_authenticated},
	{"903", take_authenticated},
	{"904", take_not_authenticated},
	{"905", take_not_authenticated},
	{"906", take_not_authenticated},
	{"908", take_not_authenticated},
	{"AUTHENTICATE", take_authenticate},
	{"CAP", take_cap},
	{"NICK", take_nick},
};

bool irc_register_take(struct irc *irc, const struct irc_line *line)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(line->command, commands[i].command)) {
			if (line->count)
				commands[i].take(irc, line);
			return true;
		}
	return false;
}

void irc_register_begin(struct irc *irc)
{
	free(irc->nick);
	irc->nick = xstrdup(irc->settings.nick);
	irc->nick_attempts = 0;
	irc->offered = irc->capabilities = 0;
	irc->authenticated = false;
	irc->mapping = IRC_MAPPING_RFC1459;
	irc_write(irc, "CAP LS 302");
	irc_write(irc, "NICK %s", irc->nick);
	irc_write(irc, "USER nanoclaw 0 * :NanoClaw");
}
