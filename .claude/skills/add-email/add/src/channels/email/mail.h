/*
 * A mail that has come, as far as a chat needs it.
 *
 *	if (mail_parse(bytes, verifier, &mail, err) == 0)
 *		…
 *	mail_release(&mail);
 *
 * The sender wrote it, so nothing in it is trusted: sizes and counts are bounded, and texts are
 * valid UTF-8.
 */
#ifndef CHANNELS_EMAIL_MAIL_H
#define CHANNELS_EMAIL_MAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"
#include "channels/channel.h"

#define MAIL_MAX_ID      200
#define MAIL_MAX_SUBJECT 200

struct mail {
	char *from; /* the address, in lower case; NULL if there is none, or several */
	char *name; /* of the sender; never NULL */
	char *id;   /* without angle brackets; NULL: it has none that can be used */
	char *root; /* the id of the first mail of its thread; its own if it begins one */
	char *subject;
	char *text;     /* what the sender wrote: no quotation, no signature */
	int64_t time;   /* in milliseconds; 0: not known */
	bool automatic; /* a program sent it: it must not be answered */
	bool verified;  /* the verifier vouches for the domain of the sender */
	struct attachment_arrival attachments[CHANNEL_MAX_ATTACHMENTS];
	size_t attachment_count;
};

/* ERROR_INVALID if it is not a mail at all. */
int mail_parse(
	struct view bytes, const char *verifier, struct mail *ret_mail, struct error *err);
void mail_release(struct mail *mail);

#endif
