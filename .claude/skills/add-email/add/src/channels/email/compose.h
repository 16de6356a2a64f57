/* A mail of the assistant, as bytes: the same ones each time it is sent. */
#ifndef CHANNELS_EMAIL_COMPOSE_H
#define CHANNELS_EMAIL_COMPOSE_H

#include "base/buf.h"
#include "base/error.h"
#include "ledger/outbox.h"

/* What to write, beside the text and the files of the row. */
struct compose {
	const char *address; /* of the assistant */
	const char *name;
	const char *to;
	const char *id; /* without angle brackets, like the next two */
	const char *subject;
	const char *root;      /* the first mail of the thread, or NULL */
	const char *answers;   /* the mail that it answers, or NULL */
	const char *root_path; /* of the project: files are below it */
};

/* The id of the mail for a row of the outbox: the key is in it. To be freed. */
char *compose_id(const char *key, const char *address);

/* Plain text and HTML, and the files. -1 if a file cannot be read. */
int compose_mail(const struct compose *mail, const struct outbox_row *row, struct buf *out,
	struct error *err);

#endif
