/*
 * Numbers as JavaScript writes them: the fewest digits that read back as the
 * same double, with an exponent from 1e21 up and below 1e-6. -0 is written 0.
 * It does not depend on the locale.
 */
#ifndef FORMAT_JSON_NUMBER_H
#define FORMAT_JSON_NUMBER_H

#include "base/buf.h"

/* `number` must be finite. */
void json_number_append(struct buf *out, double number);

#endif
