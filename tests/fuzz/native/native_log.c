/*
 * The log of a session, whatever is in it: the conversation goes on with another turn, keeps the
 * rules of check.h after it was repaired, and becomes a request of both APIs.
 */
#include <assert.h>
#include <string.h>

#include "../fuzz.h"
#include "agent/native/session/check.h"
#include "agent/native/session/history.h"
#include "agent/native/wire/wire.h"
#include "format/json.h"

static void check_request(const struct wire *wire, const json_t *messages)
{
	CLEANUP(json_decrefp) json_t *tools = json_array();
	CLEANUP(json_decrefp)
	json_t *body = wire->request(&(struct wire_request){.model = "m",
		.system = "s",
		.tools = tools,
		.messages = messages,
		.vision = true});

	assert(json_array_size(json_object_get(body, "messages")));
}

FUZZ_TARGET(native_log)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(history_release) struct history history;
	CLEANUP(json_decrefp) json_t *messages = NULL;
	struct view rest = {(const char *)data, len};
	struct view line;

	history_init(&history, "0123-fuzz");
	while (view_next(&rest, '\n', &line)) {
		CLEANUP(error_release) struct error ignored = ERROR_INIT;
		CLEANUP(json_decrefp) json_t *record = NULL;

		if (json_read(line, "record", len + 1, &record, &ignored) == 0 &&
			json_is_object(record))
			history_take(&history, record);
	}
	assert(history_add(&history, NULL,
		       json_pack("{s:s, s:s}", "type", "turn", "text", "Hi"), false,
		       &err) == 0);
	messages = json_deep_copy(history.messages);
	check_repair(messages);
	assert(check_messages(messages, &err) == 0);
	check_request(&wire_anthropic, messages);
	check_request(&wire_openai, messages);
	return 0;
}
