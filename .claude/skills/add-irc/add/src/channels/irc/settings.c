#include "channels/irc/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "base/view.h"
#include "channels/irc/line.h"

#define DEFAULT_PORT    6697
#define DEFAULT_LINES   30
#define DEFAULT_AT_ONCE 20
#define DEFAULT_HOLD    300

/* Name and password fit into one AUTHENTICATE, which may have 400 bytes in base64. */
#define MAX_PASSWORD 200

void irc_settings_release(struct irc_settings *settings)
{
	free(settings->host);
	free(settings->nick);
	free(settings->password);
	string_array_release(&settings->channels);
	string_array_release(&settings->keys);
	*settings = (struct irc_settings){0};
}

/* --- the server -------------------------------------------------------------- */

/* "irc.example.org", "irc.example.org:6697", "[::1]:6697" */
static int settings_read_server(
	struct irc_settings *settings, const char *text, struct error *err)
{
	const char *bracket = *text == '[' ? strchr(text, ']') : NULL;
	const char *colon = strchr(bracket ? bracket : text, ':');
	size_t len = colon ? (size_t)(colon - text) : strlen(text);
	char *end = NULL;

	settings->port = DEFAULT_PORT;
	if (colon) {
		unsigned long port = strtoul(colon + 1, &end, 10);

		settings->port = *end || port > 65535 ? 0 : (unsigned)port;
	}
	settings->host = bracket ? xmemdupz(text + 1, (size_t)(bracket - text) - 1)
				 : xmemdupz(text, len);
	if (!*settings->host || !settings->port || (bracket && bracket[1] && !colon) ||
		!utf8_all_printable(view_of(settings->host)) || strpbrk(settings->host, " /@"))
		return error_set(err, ERROR_INVALID,
			"IRC_SERVER must be a host and a port, such as 'irc.example.org:6697'");
	return 0;
}

static bool settings_is_loopback(const char *host)
{
	return !strcmp(host, "127.0.0.1") || !strcmp(host, "::1") || !strcmp(host, "localhost");
}

/* Without TLS everybody on the way reads along, and may write: only within this machine. */
static int settings_read_plain(
	struct irc_settings *settings, const char *text, struct error *err)
{
	settings->plain = text && !strcmp(text, "yes");
	if (text && !settings->plain && strcmp(text, "no") != 0)
		return error_set(err, ERROR_INVALID, "IRC_PLAIN must be 'yes' or 'no'");
	if (settings->plain && !settings_is_loopback(settings->host))
		return error_set(err, ERROR_INVALID,
			"IRC_PLAIN is for a server on this machine: '%s' needs TLS, so remove "
			"IRC_PLAIN from '.env'",
			settings->host);
	return 0;
}

/* --- the rest ---------------------------------------------------------------- */

/* "#talk, #secret key" */
static int settings_read_channels(
	struct irc_settings *settings, const char *text, struct error *err)
{
	struct view rest = view_of(text);
	struct view item;

	while (view_next(&rest, ',', &item)) {
		struct view key = view_trim(item);
		CLEANUP(freep) char *name = NULL;
		CLEANUP(freep) char *password = NULL;
		struct view word;

		if (!view_next(&key, ' ', &word))
			continue;
		key = view_trim(key);
		name = xmemdupz(word.data, word.len);
		password = xmemdupz(key.data, key.len);
		if (!irc_is_channel(name) || strpbrk(password, " ,") || *password == ':')
			return error_set(err, ERROR_INVALID,
				"IRC_CHANNELS must be names of channels, such as '#talk,#tech'");
		string_array_add(&settings->channels, name);
		string_array_add(&settings->keys, password);
	}
	return 0;
}

static int settings_read_number(const char *name, const char *text, int64_t usual,
	int64_t *ret_number, struct error *err)
{
	char *end = NULL;
	int64_t number = text ? strtol(text, &end, 10) : usual;

	if ((end && *end) || number < 1 || number > 60000)
		return error_set(
			err, ERROR_INVALID, "%s must be a number from 1 to 60000", name);
	*ret_number = number;
	return 0;
}

static const char *settings_get_word(irc_setting_function get, void *data, const char *name)
{
	const char *text = get(data, name);

	return text && *text ? text : NULL;
}

static int settings_read_all(
	struct irc_settings *settings, irc_setting_function get, void *data, struct error *err)
{
	const char *server = settings_get_word(get, data, "IRC_SERVER");
	const char *nick = settings_get_word(get, data, "IRC_NICK");
	const char *channels = settings_get_word(get, data, "IRC_CHANNELS");
	const char *password = settings_get_word(get, data, "IRC_PASSWORD");

	if (!server || !nick)
		return error_set(err, ERROR_INVALID, "%s is not set: put it into '.env'",
			server ? "IRC_NICK" : "IRC_SERVER");
	if (!irc_is_nick(nick))
		return error_set(err, ERROR_INVALID, "IRC_NICK cannot be a nick on IRC");
	if (password && strlen(password) > MAX_PASSWORD)
		return error_set(err, ERROR_INVALID, "IRC_PASSWORD is longer than %d bytes",
			MAX_PASSWORD);
	settings->nick = xstrdup(nick);
	settings->password = password ? xstrdup(password) : NULL;
	if (settings_read_server(settings, server, err) < 0 ||
		settings_read_plain(settings, settings_get_word(get, data, "IRC_PLAIN"), err) <
			0)
		return -1;
	if (settings_read_channels(settings, channels ? channels : "", err) < 0)
		return -1;
	if (settings_read_number("IRC_LINES_PER_MINUTE",
		    settings_get_word(get, data, "IRC_LINES_PER_MINUTE"), DEFAULT_LINES,
		    &settings->lines_per_minute, err) < 0)
		return -1;
	if (settings_read_number("IRC_LINES_AT_ONCE",
		    settings_get_word(get, data, "IRC_LINES_AT_ONCE"), DEFAULT_AT_ONCE,
		    &settings->lines_at_once, err) < 0)
		return -1;
	return settings_read_number("IRC_HOLD_SECONDS",
		settings_get_word(get, data, "IRC_HOLD_SECONDS"), DEFAULT_HOLD,
		&settings->hold_seconds, err);
}

int irc_settings_read(struct irc_settings *ret_settings, irc_setting_function get, void *data,
	struct error *err)
{
	struct irc_settings settings = {0};

	if (settings_read_all(&settings, get, data, err) < 0) {
		irc_settings_release(&settings);
		return -1;
	}
	*ret_settings = settings;
	return 0;
}
