/*
 * A connection to an IMAP server (RFC 3501), logged in.
 *
 *	imap = imap_open(network, settings, &handlers, data);
 *	… handlers.ready(data)				logged in
 *	imap_command(imap, done, "SELECT INBOX");	one at a time
 *	… handlers.untagged(data, response) …		what the command asked for
 *	… done(data, IMAP_OK, text)
 *	imap_idle(imap, done);				until imap_idle_end(), or the server ends it
 *	imap_close(imap);				no handler is called after this
 *
 * A server that is silent for too long while a command runs, or that sends a line or a literal
 * above the limits, is given up: handlers.closed() is called last, and the connection is gone.
 */
#ifndef CHANNELS_EMAIL_IMAP_H
#define CHANNELS_EMAIL_IMAP_H

#include "base/buf.h"
#include "base/view.h"
#include "channels/email/settings.h"
#include "net/network.h"

/* Of one mail as it is fetched. */
#define IMAP_MAX_LITERAL ((size_t)32 * 1024 * 1024)

enum imap_status {
	IMAP_OK,
	IMAP_NO,
	IMAP_BAD,
};

/* A line from the server. A literal in it stands as "{N}" in `text`; the first one is kept. */
struct imap_response {
	struct view text;    /* without "* " */
	struct view literal; /* empty if there is none */
};

struct imap_handlers {
	void (*ready)(void *data);
	void (*untagged)(void *data, const struct imap_response *response);
	/* `refused`: the server does not take the name and password. */
	void (*closed)(void *data, bool refused, const char *why);
};

typedef void (*imap_done)(void *data, enum imap_status status, struct view text);

struct imap;

struct imap *imap_open(struct network *network, const struct email_settings *settings,
	const struct imap_handlers *handlers, void *data);
void imap_close(struct imap *imap);

void imap_command(struct imap *imap, imap_done done, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Has the server said, after the login, that it can do this? */
bool imap_can(const struct imap *imap, const char *capability);

void imap_idle(struct imap *imap, imap_done done);
void imap_idle_end(struct imap *imap);

#endif
