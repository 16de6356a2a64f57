/*
 * The man page nanoclaw(1), made from the descriptors of the commands.
 */
#ifndef CLI_MAN_H
#define CLI_MAN_H

#include "base/buf.h"

void man_append(struct buf *out);

#endif
