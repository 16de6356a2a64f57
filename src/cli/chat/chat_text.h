/* The assistant's messages on a terminal: Markdown rendered (markup/markup.h), wrapped at words. */
#ifndef CLI_CHAT_CHAT_TEXT_H
#define CLI_CHAT_CHAT_TEXT_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * Append the text, which must be harmless for a terminal (output_text()). `used` columns of the
 * first line are taken already; `columns` is how wide the terminal is.
 */
void chat_text_append(struct buf *out, const char *text, int used, int columns, bool color);

#endif
