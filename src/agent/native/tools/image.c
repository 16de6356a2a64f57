#include "agent/native/tools/image.h"

const char *image_type(struct view bytes)
{
	if (view_starts_with(bytes, "\x89PNG\r\n\x1a\n"))
		return "image/png";
	if (view_starts_with(bytes, "\xff\xd8\xff"))
		return "image/jpeg";
	if (view_starts_with(bytes, "GIF87a") || view_starts_with(bytes, "GIF89a"))
		return "image/gif";
	if (bytes.len >= 12 && view_starts_with(bytes, "RIFF") &&
		view_starts_with(view_slice(bytes, 8, 12), "WEBP"))
		return "image/webp";
	return NULL;
}

void image_base64(struct view bytes, struct buf *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *at = (const unsigned char *)bytes.data;

	for (size_t i = 0; i < bytes.len; i += 3) {
		size_t left = bytes.len - i;
		unsigned group = (unsigned)at[i] << 16 |
				 (left > 1 ? (unsigned)at[i + 1] << 8 : 0) |
				 (left > 2 ? at[i + 2] : 0);
		char four[4] = {
			digits[group >> 18],
			digits[group >> 12 & 63],
			left > 1 ? digits[group >> 6 & 63] : '=',
			left > 2 ? digits[group & 63] : '=',
		};

		buf_append(out, four, sizeof(four));
	}
}
