#include "channels/email/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "base/view.h"

#define IMAP_PORT     993
#define SMTP_PORT     465
#define STARTTLS_PORT 587

/* Google's servers add the verdict of this one to every mail. */
#define GMAIL_IMAP     "imap.gmail.com"
#define GMAIL_VERIFIER "mx.google.com"

#define MAX_ADDRESS 200

void email_settings_release(struct email_settings *settings)
{
	free(settings->address);
	free(settings->user);
	free(settings->password);
	free(settings->imap.host);
	free(settings->smtp.host);
	free(settings->verifier);
	string_array_release(&settings->allowed);
	*settings = (struct email_settings){0};
}

char *email_lower(const char *text)
{
	char *lower = xstrdup(text);

	for (char *at = lower; *at; at++)
		if (*at >= 'A' && *at <= 'Z')
			*at += 'a' - 'A';
	return lower;
}

bool email_is_address(const char *text)
{
	const char *at = strchr(text, '@');

	for (const char *c = text; *c; c++)
		if (*c <= ' ' || *c >= 127)
			return false;
	return at && at != text && at[1] && !strchr(at + 1, '@') &&
	       strlen(text) <= MAX_ADDRESS && !strpbrk(text, "<>()[]\\,;:\"");
}

bool email_is_allowed(const struct email_settings *settings, const char *address)
{
	const char *domain = strchr(address, '@');

	return domain && (string_array_has(&settings->allowed, address) ||
				 string_array_has(&settings->allowed, domain));
}

/* "imap.example.org" or "imap.example.org:993" */
static int settings_read_server(struct email_server *server, const char *name, const char *text,
	unsigned port, struct error *err)
{
	const char *colon = strrchr(text, ':');
	char *end = NULL;

	server->port = port;
	if (colon) {
		unsigned long number = strtoul(colon + 1, &end, 10);

		server->port = *end || number > 65535 ? 0 : (unsigned)number;
	}
	server->host = xmemdupz(text, colon ? (size_t)(colon - text) : strlen(text));
	if (!*server->host || !server->port || !utf8_all_printable(view_of(server->host)) ||
		strpbrk(server->host, " /@:"))
		return error_set(err, ERROR_INVALID,
			"%s must be a host and perhaps a port, such as 'mail.example.org:%u'",
			name, port);
	return 0;
}

/* "mia@example.org, @family.example" */
static int settings_read_allowed(
	struct email_settings *settings, const char *text, struct error *err)
{
	struct view rest = view_of(text);
	struct view item;

	while (view_next(&rest, ',', &item)) {
		struct view trimmed = view_trim(item);
		CLEANUP(freep) char *word = xmemdupz(trimmed.data, trimmed.len);
		CLEANUP(freep) char *lower = email_lower(word);
		CLEANUP(freep) char *example = xasprintf("x%s", lower);

		if (!email_is_address(*lower == '@' ? example : lower))
			return error_set(err, ERROR_INVALID,
				"EMAIL_ALLOW must be addresses or domains, such as "
				"'mia@example.org,@family.example'");
		string_array_add(&settings->allowed, lower);
	}
	return 0;
}

static bool settings_is_loopback(const char *host)
{
	return !strcmp(host, "127.0.0.1") || !strcmp(host, "localhost");
}

/* Without TLS the password and every mail can be read on the way. */
static int settings_read_plain(
	struct email_settings *settings, const char *text, struct error *err)
{
	settings->plain = text && !strcmp(text, "yes");
	if (text && !settings->plain && strcmp(text, "no") != 0)
		return error_set(err, ERROR_INVALID, "EMAIL_PLAIN must be 'yes' or 'no'");
	if (settings->plain && (!settings_is_loopback(settings->imap.host) ||
				       !settings_is_loopback(settings->smtp.host)))
		return error_set(err, ERROR_INVALID,
			"EMAIL_PLAIN is for servers on this machine: remove it from '.env'");
	return 0;
}

/* That is how a server at port 587 has it. */
static int settings_read_starttls(
	struct email_settings *settings, const char *text, struct error *err)
{
	if (text && strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
		return error_set(err, ERROR_INVALID, "EMAIL_STARTTLS must be 'yes' or 'no'");
	settings->starttls = !settings->plain && (text ? !strcmp(text, "yes")
						       : settings->smtp.port == STARTTLS_PORT);
	return 0;
}

/* A From line proves nothing by itself: the receiving server has to vouch for it. */
static int settings_read_verifier(
	struct email_settings *settings, const char *text, struct error *err)
{
	if (!text && !strcmp(settings->imap.host, GMAIL_IMAP))
		text = GMAIL_VERIFIER;
	if (!text)
		return error_set(err, ERROR_INVALID,
			"EMAIL_VERIFIED_BY is not set: put the name into '.env' that your mail "
			"server writes at the beginning of 'Authentication-Results', or 'nobody' "
			"to trust every sender line, which anyone can forge");
	if (strcmp(text, "nobody") != 0)
		settings->verifier = email_lower(text);
	return 0;
}

static int settings_read_all(struct email_settings *settings, email_setting_function get,
	void *data, struct error *err)
{
	static const char *const names[] = {"EMAIL_ADDRESS", "EMAIL_PASSWORD", "EMAIL_IMAP",
		"EMAIL_SMTP", "EMAIL_ALLOW", "EMAIL_USER", "EMAIL_VERIFIED_BY", "EMAIL_PLAIN",
		"EMAIL_STARTTLS"};
	enum { ADDRESS, PASSWORD, IMAP, SMTP, ALLOW, USER, VERIFIER, PLAIN, STARTTLS };
	const char *values[ARRAY_SIZE(names)];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		values[i] = get(data, names[i]);
		if (values[i] && !*values[i])
			values[i] = NULL;
		if (!values[i] && i <= ALLOW)
			return error_set(err, ERROR_INVALID,
				"%s is not set: put it into '.env'", names[i]);
	}
	settings->address = email_lower(values[ADDRESS]);
	if (!email_is_address(settings->address))
		return error_set(err, ERROR_INVALID,
			"EMAIL_ADDRESS must be an address, such as 'andy@example.org'");
	settings->user = xstrdup(values[USER] ? values[USER] : values[ADDRESS]);
	settings->password = xstrdup(values[PASSWORD]);
	if (settings_read_server(&settings->imap, "EMAIL_IMAP", values[IMAP], IMAP_PORT, err) <
			0 ||
		settings_read_server(
			&settings->smtp, "EMAIL_SMTP", values[SMTP], SMTP_PORT, err) < 0)
		return -1;
	if (settings_read_allowed(settings, values[ALLOW], err) < 0 ||
		settings_read_plain(settings, values[PLAIN], err) < 0 ||
		settings_read_starttls(settings, values[STARTTLS], err) < 0)
		return -1;
	return settings_read_verifier(settings, values[VERIFIER], err);
}

int email_settings_read(struct email_settings *ret_settings, email_setting_function get,
	void *data, struct error *err)
{
	struct email_settings settings = {0};

	if (settings_read_all(&settings, get, data, err) < 0) {
		email_settings_release(&settings);
		return -1;
	}
	*ret_settings = settings;
	return 0;
}
