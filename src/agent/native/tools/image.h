/* Image types that models accept: PNG, JPEG, GIF and WebP. */
#ifndef AGENT_NATIVE_TOOLS_IMAGE_H
#define AGENT_NATIVE_TOOLS_IMAGE_H

#include "base/buf.h"
#include "base/view.h"

/* Providers accept 5 MB of base64. */
#define IMAGE_MAX ((size_t)3750000)

/* "image/png", judged by the first bytes; NULL: another type. */
const char *image_type(struct view bytes);

void image_base64(struct view bytes, struct buf *out);

#endif
