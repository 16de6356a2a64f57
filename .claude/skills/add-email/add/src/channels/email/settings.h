/* The settings of the mailbox that the assistant reads and writes from. */
#ifndef CHANNELS_EMAIL_SETTINGS_H
#define CHANNELS_EMAIL_SETTINGS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string_array.h"

struct email_server {
	char *host;
	unsigned port;
};

struct email_settings {
	char *address; /* of the assistant, in lower case */
	char *user;
	char *password;
	struct email_server imap;
	struct email_server smtp;
	struct string_array allowed; /* "mia@example.org" or "@example.org", in lower case */
	char *verifier; /* the server whose verdict on senders counts; NULL: any sender
	                                counts as genuine */
	bool plain;     /* without TLS, within this machine */
	bool starttls;  /* TLS to the SMTP server begins after some plain words */
};

/* A setting by its name, or NULL. */
typedef const char *(*email_setting_function)(void *data, const char *name);

/* ERROR_INVALID names the setting that is missing or wrong. */
int email_settings_read(struct email_settings *ret_settings, email_setting_function get,
	void *data, struct error *err);
void email_settings_release(struct email_settings *settings);

/* May this address, in lower case, talk to the assistant? */
bool email_is_allowed(const struct email_settings *settings, const char *address);

/* One mailbox: no name, no white space, no brackets. */
bool email_is_address(const char *text);

/* A copy in lower case; only ASCII letters change. */
char *email_lower(const char *text);

#endif
