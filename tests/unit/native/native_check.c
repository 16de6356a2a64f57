#include "test.h"

#include <string.h>

#include "agent/native/session/check.h"
#include "agent/native/wire/wire.h"
#include "base/error.h"
#include "format/json.h"

static json_t *read_json(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	json_t *json = NULL;

	if (json_read(view_of(text), "test", 1000000, &json, &err) < 0)
		fail_msg("%s", err.message);
	return json;
}

static bool is_good(const json_t *messages)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	return check_messages(messages, &err) == 0;
}

#define PERSON           "{\"role\":\"user\",\"text\":\"hi\"}"
#define SAYS             "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"yes\"}]}"
#define CALL(i)          "{\"type\":\"tool_use\",\"id\":\"" i "\",\"name\":\"bash\",\"input\":{}}"
#define CALLS(calls)     "{\"role\":\"assistant\",\"content\":[" calls "]}"
#define GAVE(i)          "{\"id\":\"" i "\",\"text\":\"x\"}"
#define RESULTS(results) "{\"role\":\"results\",\"results\":[" results "]}"

static const char *const good[] = {
	"[" PERSON "]",
	"[" PERSON "," PERSON "]",
	"[" PERSON "," SAYS "," PERSON "]",
	"[" PERSON "," CALLS(CALL("aaaaaaaa1") "," CALL("aaaaaaaa2")) "," RESULTS(
		GAVE("aaaaaaaa1") "," GAVE("aaaaaaaa2")) "]",
};

static const char *const bad[] = {
	"[]",
	"[" SAYS "]",
	"[" PERSON "," SAYS "]",
	"[" PERSON "," SAYS "," SAYS "," PERSON "]",
	"[{\"role\":\"user\",\"text\":\" \\n\"}]",
	"[{\"role\":\"system\",\"text\":\"x\"}]",
	"[" PERSON "," CALLS("") "," PERSON "]",
	"[" PERSON "," CALLS("{\"type\":\"text\",\"text\":\"\"}") "," PERSON "]",
	"[" PERSON "," CALLS(CALL("short")) "," RESULTS(GAVE("short")) "]",
	"[" PERSON "," CALLS(CALL("aaaaaaaa1")) "," PERSON "]",
	"[" PERSON "," CALLS(CALL("aaaaaaaa1")) "," RESULTS("") "]",
	"[" PERSON "," CALLS(CALL("aaaaaaaa1")) "," RESULTS(GAVE("aaaaaaaa2")) "]",
	"[" PERSON
	"," CALLS(CALL("aaaaaaaa1")) "," RESULTS(GAVE("aaaaaaaa1") "," GAVE("aaaaaaaa2")) "]",
	"[" PERSON "," CALLS(CALL("aaaaaaaa1") "," CALL("aaaaaaaa1")) "," RESULTS(
		GAVE("aaaaaaaa1") "," GAVE("aaaaaaaa1")) "]",
	"[" PERSON "," CALLS(CALL("aaaaaaaa1")) "," RESULTS(GAVE("aaaaaaaa1")) "," PERSON "]",
	"[" PERSON "," RESULTS(GAVE("aaaaaaaa1")) "]",
	"[7, null, \"x\", {}, {\"role\":7}]",
};

static void good_conversations_stay_as_they_are(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		CLEANUP(json_decrefp) json_t *messages = read_json(good[i]);
		CLEANUP(json_decrefp) json_t *before = json_deep_copy(messages);

		assert_true(is_good(messages));
		check_repair(messages);
		assert_true(json_equal(messages, before));
	}
}

static void bad_ones_are_noticed_and_mended(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		CLEANUP(json_decrefp) json_t *messages = read_json(bad[i]);

		if (is_good(messages))
			fail_msg("not noticed: %s", bad[i]);
		check_repair(messages);
		if (!is_good(messages))
			fail_msg("not mended: %s", bad[i]);
	}
}

/* Any sequence of pieces, good and bad ones. */
static void whatever_it_was_it_is_good_afterwards(void **state)
{
	static const char *const pieces[] = {PERSON, SAYS, CALLS(CALL("aaaaaaaa1")),
		CALLS(CALL("aaaaaaaa2") "," CALL("aaaaaaaa1")), RESULTS(GAVE("aaaaaaaa1")),
		RESULTS(GAVE("aaaaaaaa2") "," GAVE("aaaaaaaa1")), RESULTS(""),
		CALLS("{\"type\":\"thinking\",\"thinking\":\"x\",\"signature\":\"y\"}"), "{}"};
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		CLEANUP(json_decrefp) json_t *messages = json_array();

		for (int i = 0; i < 8; i++) {
			seed = seed * 1103515245 + 12345;
			json_array_append_new(
				messages, read_json(pieces[(seed >> 16) % ARRAY_SIZE(pieces)]));
		}
		check_repair(messages);
		assert_true(is_good(messages));
	}
}

TESTS(cmocka_unit_test(good_conversations_stay_as_they_are),
	cmocka_unit_test(bad_ones_are_noticed_and_mended),
	cmocka_unit_test(whatever_it_was_it_is_good_afterwards))
