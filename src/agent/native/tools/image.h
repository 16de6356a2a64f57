/* Images that models take: PNG, JPEG, GIF and WebP. */
#ifndef AGENT_NATIVE_TOOLS_IMAGE_H
#define AGENT_NATIVE_TOOLS_IMAGE_H

#include "base/buf.h"
#include "base/view.h"

/* Providers take 5 MB of base64. */
#define IMAGE_MAX ((size_t)3750000)

/* "image/png", by the first bytes; NULL: none of these. */
const char *image_type(struct view bytes);

void image_base64(struct view bytes, struct buf *out);

#endif
