/*
 * One mail, handed to an SMTP server (RFC 5321).
 *
 *	smtp = smtp_send(network, settings, to, bytes, done, data);
 *	… done(data, RECEIPT_SENT, NULL)	from the loop, once; then it is gone
 *	smtp_cancel(smtp);			instead: done() is not called
 *
 * The outcome is RECEIPT_LOST if the server had the whole mail and did not confirm it,
 * RECEIPT_REFUSED if it never takes this mail, RECEIPT_LATER if it does not take the password,
 * and RECEIPT_FAILED otherwise.
 */
#ifndef CHANNELS_EMAIL_SMTP_H
#define CHANNELS_EMAIL_SMTP_H

#include "channels/channel.h"
#include "channels/email/settings.h"
#include "net/network.h"

typedef void (*smtp_done)(void *data, enum channel_receipt receipt, const char *why);

struct smtp;

/* `bytes` is a mail with CRLF at the end of each line; it is copied. */
struct smtp *smtp_send(struct network *network, const struct email_settings *settings,
	const char *to, struct view bytes, smtp_done done, void *data);
void smtp_cancel(struct smtp *smtp);

#endif
