/* The frames of remote agents: what is written is read again, and no bytes do harm. Prints TAP. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "programs/remote_link/frame.h"

#define ROUNDS 20000

static int count, failed;

static void claim(bool ok, const char *text)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++count, text);
	failed |= !ok;
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* In memory that ends where the bytes end, so that a sanitizer notices a read beyond. */
static ssize_t read_copy(struct view bytes, struct frame *ret_frame)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *copy = xmalloc(bytes.len ? bytes.len : 1);
	ssize_t len;

	memcpy(copy, bytes.data, bytes.len);
	len = frame_read((struct view){copy, bytes.len}, ret_frame, &err);
	ret_frame->payload.data = NULL;
	return len;
}

static bool survives(uint64_t seed)
{
	CLEANUP(buf_release) struct buf bytes = BUF_INIT;
	size_t len = next_random(&seed) % 64;
	struct frame frame = {0};
	ssize_t read;

	if (next_random(&seed) % 2)
		frame_write(&bytes, (unsigned)next_random(&seed) % 8, FRAME_DATA,
			(struct view){"12345678", next_random(&seed) % 9});
	for (size_t i = 0; i < len; i++)
		buf_append_char(
			&bytes, (char)(next_random(&seed) % 4 ? 0 : next_random(&seed)));
	if (bytes.len)
		bytes.data[next_random(&seed) % bytes.len] ^=
			(char)(1 << next_random(&seed) % 8);
	read = read_copy(view_of_buf(&bytes), &frame);
	return read <= (ssize_t)bytes.len &&
	       (read <= 0 || (frame.payload.len <= FRAME_MAX && frame.stream < FRAME_STREAMS));
}

int main(void)
{
	CLEANUP(buf_release) struct buf bytes = BUF_INIT;
	struct frame frame;
	bool ok = true;
	size_t whole;

	frame_write(&bytes, 3, FRAME_DATA, view_of("payload"));
	whole = bytes.len;
	for (size_t len = 0; len < whole; len++)
		ok &= read_copy(view_slice(view_of_buf(&bytes), 0, len), &frame) == 0;
	claim(ok, "part of a frame is no frame yet");
	claim(read_copy(view_of_buf(&bytes), &frame) == (ssize_t)whole && frame.stream == 3 &&
			frame.type == FRAME_DATA && frame.payload.len == 7,
		"a whole one is what was written");
	buf_clear(&bytes);
	frame_write_number(&bytes, 1023, FRAME_TAKEN, 0xfedcba98);
	claim(read_copy(view_of_buf(&bytes), &frame) > 0 && frame.number == 0xfedcba98,
		"numbers keep all their bytes");
	ok = true;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++)
		ok &= survives(seed);
	claim(ok, "damaged frames are refused or read within their bytes");
	printf("1..%d\n", count);
	return failed;
}
