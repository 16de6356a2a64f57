/* The head of a response from any server, as HTTP and as the answer to a WebSocket handshake. */
#include <assert.h>

#include "../fuzz.h"
#include "net/http_answer.h"
#include "net/retry_after.h"
#include "net/stream/websocket_handshake.h"

static void check_within(struct view whole, struct view part)
{
	assert(part.data >= whole.data && part.data + part.len <= whole.data + whole.len);
}

FUZZ_TARGET(http_answer)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct view head = {(const char *)data, len};
	struct http_answer answer;
	int64_t wait = retry_after_ms(head, 0);

	assert(wait >= -1 && wait <= RETRY_AFTER_MAX_MS);
	websocket_check(head, "dGhlIHNhbXBsZSBub25jZQ==", NULL, &err);
	if (http_answer_parse(head, &answer) < 0)
		return 0;
	for (size_t i = 0; i < answer.count; i++) {
		check_within(head, answer.headers[i].name);
		check_within(head, answer.headers[i].value);
		assert(http_is_token(answer.headers[i].name));
		assert(http_is_value(answer.headers[i].value));
	}
	return 0;
}
