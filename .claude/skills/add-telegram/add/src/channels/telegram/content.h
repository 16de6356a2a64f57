/*
 * What a message says: its text, whether that is to us, and its file.
 *
 *	CLEANUP(telegram_content_release) struct telegram_content content = {0};
 *
 *	telegram_content_read(telegram, message, &content);
 *	if (telegram_content_is_empty(&content))
 *		… a name has changed, somebody has joined, and so on …
 */
#ifndef CHANNELS_TELEGRAM_CONTENT_H
#define CHANNELS_TELEGRAM_CONTENT_H

#include "channels/telegram/telegram.h"

struct telegram_content {
	struct buf text;
	bool mentions_bot;
	bool has_file;
	struct attachment_arrival file;
	char *file_name;
	char *file_type;
};

void telegram_content_read(const struct telegram *telegram, const json_t *message,
	struct telegram_content *ret_content);
bool telegram_content_is_empty(const struct telegram_content *content);
void telegram_content_release(struct telegram_content *content);

/* The name of a person or a chat, in one line and without controls; NULL: it has none. */
char *telegram_name(const json_t *about);

#endif
