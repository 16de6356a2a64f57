/*
 * A line of an agent is an event or garbage; a text that goes to an agent comes out of
 * the JSON as it went in.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "agent/stream.h"
#include "base/utf8.h"
#include "format/json.h"

static void check_turn(struct view text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf line = BUF_INIT;
	CLEANUP(json_decrefp) json_t *turn = NULL;
	const json_t *content;

	stream_write_turn(text, &line);
	assert(memchr(line.data, '\n', line.len) == line.data + line.len - 1);
	assert(json_read(view_of_buf(&line), "turn", SIZE_MAX, &turn, &err) == 0);
	content = json_object_get(
		json_array_get(json_object_get(json_object_get(turn, "message"), "content"), 0),
		"text");
	if (utf8_valid(text))
		assert(json_string_length(content) == text.len &&
			!memcmp(json_string_value(content), text.data, text.len));
}

FUZZ_TARGET(stream_json)
{
	struct view text = {len ? (const char *)data : "", len};
	struct stream_event event = stream_read(text);

	if (event.kind == STREAM_RESULT || event.kind == STREAM_TEXT)
		assert(event.text);
	if (event.session_id)
		assert(*event.session_id && event.session_id[0] != '-' &&
			strlen(event.session_id) <= STREAM_MAX_SESSION);
	stream_event_release(&event);
	check_turn(text);
	return 0;
}
