#include "programs/remote_link/frame.h"

void number_write(struct buf *out, uint64_t number, size_t bytes)
{
	while (bytes-- > 0)
		buf_append_char(out, (char)(number >> (8 * bytes) & 0xff));
}

uint64_t number_read(const char *data, size_t bytes)
{
	uint64_t number = 0;

	for (size_t i = 0; i < bytes; i++)
		number = number << 8 | (unsigned char)data[i];
	return number;
}

ssize_t frame_read(struct view bytes, struct frame *ret_frame, struct error *err)
{
	struct frame frame;
	uint64_t type, len;

	if (bytes.len < FRAME_HEADER)
		return 0;
	frame.stream = (unsigned)number_read(bytes.data, 2);
	type = number_read(bytes.data + 2, 2);
	len = number_read(bytes.data + 4, 4);
	if (type < FRAME_MESSAGE || type > FRAME_OPEN || frame.stream >= FRAME_STREAMS ||
		(type == FRAME_MESSAGE) != (frame.stream == 0))
		return error_set(err, ERROR_INVALID, "sent a frame of an unknown type");
	if (len > FRAME_MAX || (type == FRAME_END && len) ||
		((type == FRAME_TAKEN || type == FRAME_OPEN) && len != 4))
		return error_set(err, ERROR_INVALID, "sent a frame of a wrong length");
	if (bytes.len < FRAME_HEADER + len)
		return 0;
	frame.type = (enum frame_type)type;
	frame.payload = (struct view){bytes.data + FRAME_HEADER, (size_t)len};
	frame.number = len == 4 ? (uint32_t)number_read(frame.payload.data, 4) : 0;
	*ret_frame = frame;
	return (ssize_t)(FRAME_HEADER + len);
}

void frame_write(struct buf *out, unsigned stream, enum frame_type type, struct view payload)
{
	number_write(out, stream, 2);
	number_write(out, type, 2);
	number_write(out, payload.len, 4);
	buf_append(out, payload.data, payload.len);
}

void frame_write_number(struct buf *out, unsigned stream, enum frame_type type, uint32_t number)
{
	char bytes[4];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(number >> (8 * (3 - i)) & 0xff);
	frame_write(out, stream, type, (struct view){bytes, sizeof(bytes)});
}
