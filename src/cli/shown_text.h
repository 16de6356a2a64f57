/*
 * Contents of files on standard output: as they are, or, where that is a terminal, so
 * that they cannot steer it.
 */
#ifndef CLI_SHOWN_TEXT_H
#define CLI_SHOWN_TEXT_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/view.h"

/* Is standard output a terminal? */
bool shown_on_terminal(void);

/*
 * Append a line as `less` shows it: `^[` for a control character, `<9B>` for a byte
 * that is not UTF-8, `<U+202E>` for a character that cannot be seen. Tabs stay.
 */
void shown_append(struct buf *out, struct view line);

#endif
