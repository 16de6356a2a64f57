/*
 * git's delta, as in its packs: two sizes, of the base and of the result, and then
 * commands. A byte with the highest bit set copies a piece of the base; the other
 * bits say which bytes of the offset (4) and of the length (3) follow. Any other
 * byte but 0 is the number of bytes that follow and are taken as they are.
 */
#include <stdint.h>

#include "engine/patch/patch_parts.h"

#define COPY           0x80
#define OFFSET_BYTES   4
#define LENGTH_BYTES   3
#define DEFAULT_LENGTH 0x10000

static bool take_byte(struct view *rest, unsigned char *ret_byte)
{
	if (!rest->len)
		return false;
	*ret_byte = (unsigned char)rest->data[0];
	*rest = view_slice(*rest, 1, rest->len);
	return true;
}

/* Base 128, the lowest part first. */
static bool take_size(struct view *rest, size_t *ret_size)
{
	size_t size = 0;
	unsigned char byte;

	for (unsigned shift = 0; shift <= 28; shift += 7) {
		if (!take_byte(rest, &byte))
			return false;
		size |= (size_t)(byte & 127) << shift;
		if (!(byte & 128)) {
			*ret_size = size;
			return size <= PATCH_MAX_SIZE;
		}
	}
	return false;
}

/* `count` bytes of a number, of which only those in `present` stand in the delta. */
static bool take_number(struct view *rest, unsigned present, unsigned count, size_t *ret_number)
{
	size_t number = 0;
	unsigned char byte;

	for (unsigned i = 0; i < count; i++) {
		if (!(present & 1U << i))
			continue;
		if (!take_byte(rest, &byte))
			return false;
		number |= (size_t)byte << (8 * i);
	}
	*ret_number = number;
	return true;
}

static bool copy(struct view base, unsigned char command, struct view *rest, size_t left,
	struct buf *out)
{
	size_t offset, len;

	if (!take_number(rest, command, OFFSET_BYTES, &offset) ||
		!take_number(
			rest, (unsigned)(command & ~COPY) >> OFFSET_BYTES, LENGTH_BYTES, &len))
		return false;
	if (!len)
		len = DEFAULT_LENGTH;
	if (offset > base.len || len > base.len - offset || len > left)
		return false;
	buf_append(out, base.data + offset, len);
	return true;
}

static bool insert(size_t len, struct view *rest, size_t left, struct buf *out)
{
	if (!len || len > rest->len || len > left)
		return false;
	buf_append(out, rest->data, len);
	*rest = view_slice(*rest, len, rest->len);
	return true;
}

int patch_delta_apply(
	struct view base, struct view delta, struct buf *ret_content, struct error *err)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	size_t base_size, size;
	unsigned char command;

	if (!take_size(&delta, &base_size) || !take_size(&delta, &size))
		return error_set(err, ERROR_INVALID, "the delta is damaged");
	if (base_size != base.len)
		return error_set(err, ERROR_INVALID, "the delta is for %zu bytes, not for %zu",
			base_size, base.len);
	while (take_byte(&delta, &command)) {
		size_t left = size - out.len;

		if (!(command & COPY ? copy(base, command, &delta, left, &out)
				     : insert(command, &delta, left, &out)))
			return error_set(err, ERROR_INVALID, "the delta is damaged");
	}
	if (out.len != size)
		return error_set(err, ERROR_INVALID, "the delta is damaged");
	*ret_content = out;
	out = BUF_INIT;
	return 0;
}
