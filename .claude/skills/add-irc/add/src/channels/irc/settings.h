/* The settings of the channel 'irc', checked: docs/irc.md has their meaning. */
#ifndef CHANNELS_IRC_SETTINGS_H
#define CHANNELS_IRC_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/string_array.h"

struct irc_settings {
	char *host; /* IPv6 without brackets */
	unsigned port;
	bool plain; /* without TLS */
	char *nick;
	char *password;               /* for SASL; NULL: none */
	struct string_array channels; /* "#talk" … */
	struct string_array keys;     /* of each of them; "" if it has none */
	int64_t lines_per_minute;
	int64_t lines_at_once; /* of an answer, until somebody asks for more */
	int64_t hold_seconds;  /* without such a wish, the rest comes after this */
};

/* A setting by name, or NULL. */
typedef const char *(*irc_setting_function)(void *data, const char *name);

int irc_settings_read(struct irc_settings *ret_settings, irc_setting_function get, void *data,
	struct error *err);
void irc_settings_release(struct irc_settings *settings);

#endif
