/*
 * Any bytes as an event stream, in pieces whose size is the first byte: what is read is what
 * the reference reads of the whole; and what it says of tokens is within bounds.
 */
#include <assert.h>
#include <string.h>

#include "../../unit/host/sse_reference.h"
#include "../fuzz.h"
#include "gate/usage_reader.h"

static void note(const struct sse_event *event, void *data)
{
	sse_note(data, event->type, event->data, event->id);
}

static void check_usage(struct view stream, size_t piece, const char *type)
{
	struct usage_reader *reader = usage_reader_new(type);
	struct api_usage usage = API_USAGE_INIT;

	for (size_t at = 0; at < stream.len; at += piece)
		usage_reader_feed(reader, stream.data + at,
			stream.len - at < piece ? stream.len - at : piece);
	if (usage_reader_end(reader, stream.len, piece % 2, &usage)) {
		assert(usage.model);
		assert(usage.input >= 0 && usage.input <= USAGE_MAX_TOKENS);
		assert(usage.cache_write >= usage.cache_write_1h && usage.cache_write_1h >= 0);
	}
	api_usage_release(&usage);
	usage_reader_free(reader);
}

FUZZ_TARGET(sse)
{
	CLEANUP(buf_release) struct buf expected = BUF_INIT;
	CLEANUP(buf_release) struct buf noted = BUF_INIT;
	struct view stream = {(const char *)data + 1, len - 1};
	size_t piece;
	struct sse sse;

	/* Types and ids beyond SSE_MAX_NAME are skipped, of which the reference knows nothing. */
	if (!len || len > SSE_MAX_NAME)
		return 0;
	piece = (size_t)*data + 1;
	sse_reference(stream, &expected);
	sse_init(&sse, len);
	for (size_t at = 0; at < stream.len; at += piece)
		sse_feed(&sse, stream.data + at,
			stream.len - at < piece ? stream.len - at : piece, note, &noted);
	assert(noted.len == expected.len && !memcmp(noted.data, expected.data, noted.len));
	assert(!sse.skipped);
	sse_release(&sse);
	check_usage(stream, piece, "text/event-stream");
	check_usage(stream, piece, "application/json");
	return 0;
}
