#include "test.h"

#include <string.h>

#include "agent/native/wire/wire.h"
#include "format/json.h"

static json_t *read_json(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	json_t *json = NULL;

	if (json_read(view_of(text), "test", 1000000, &json, &err) < 0)
		fail_msg("%s", err.message);
	return json;
}

/* The text of a request with one tool; to be freed. */
static char *request_of(
	const struct wire *wire, const char *messages, struct wire_request request)
{
	CLEANUP(json_decrefp) json_t *list = read_json(messages);
	CLEANUP(json_decrefp)
	json_t *tools =
		read_json("[{\"name\":\"bash\",\"description\":\"d\",\"input_schema\":{}}]");
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	json_t *body;

	request.model = "m";
	request.system = "be brief";
	request.tools = tools;
	request.messages = list;
	body = wire->request(&request);
	json_write_npm(body, &(struct json_style){{"", 0}, {"", 0}}, &text);
	json_decref(body);
	return buf_take(&text);
}

static size_t count_of(const char *text, const char *word)
{
	size_t count = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		count++;
	return count;
}

#define PERSON(text) "{\"role\":\"user\",\"text\":\"" text "\"}"
#define SAYS(text)                                                                             \
	"{\"role\":\"assistant\",\"api\":\"openai\",\"model\":\"m\",\"content\":["             \
	"{\"type\":\"reasoning\",\"field\":\"reasoning_content\",\"text\":\"hm\"},"            \
	"{\"type\":\"text\",\"text\":\"" text "\"}]}"
#define CALLS                                                                                  \
	"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"aaaaaaaa1\","    \
	"\"name\":\"bash\",\"input\":{\"b\":1,\"a\":2},\"broken\":\"x\"}]}"
#define GAVE(more)                                                                             \
	"{\"role\":\"results\",\"results\":[{\"id\":\"aaaaaaaa1\",\"text\":\" \"" more "}]}"

static void there_are_at_most_four_marks(void **state)
{
	CLEANUP(freep)
	char *text = request_of(&wire_anthropic,
		"[" PERSON("1") "," SAYS("a") "," PERSON("2") "," SAYS("b") "," PERSON("3") "]",
		(struct wire_request){.max_output = 10});

	(void)state;
	assert_int_equal(count_of(text, "cache_control"), 4);
}

static void a_longer_conversation_begins_like_the_shorter_one(void **state)
{
	CLEANUP(freep)
	char *before = request_of(&wire_openai, "[" PERSON("1") "]", (struct wire_request){0});
	CLEANUP(freep)
	char *after = request_of(&wire_openai,
		"[" PERSON("1") "," SAYS("a") "," PERSON("2") "]", (struct wire_request){0});

	(void)state;
	assert_int_equal(strncmp(before, after, strlen(before) - strlen("]}")), 0);
}

static void what_is_only_ours_is_not_sent(void **state)
{
	static const struct wire *const wires[] = {&wire_anthropic, &wire_openai};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		CLEANUP(freep)
		char *text = request_of(wires[i], "[" PERSON("1") "," CALLS "," GAVE("") "]",
			(struct wire_request){.max_output = 10});

		assert_null(strstr(text, "broken"));
		assert_non_null(strstr(text, "(no output)"));
		assert_non_null(strstr(text, "aaaaaaaa1"));
	}
}

static void messages_of_one_side_are_one(void **state)
{
	CLEANUP(freep)
	char *text = request_of(
		&wire_openai, "[" PERSON("1") "," PERSON("2") "]", (struct wire_request){0});

	(void)state;
	assert_non_null(strstr(text, "{\"role\":\"user\",\"content\":\"1\\n\\n2\"}"));
}

static void reasoning_goes_back_to_its_model_only(void **state)
{
	static const char talk[] = "[" PERSON("1") "," SAYS("a") "," PERSON("2") "]";
	CLEANUP(freep) char *same = request_of(&wire_openai, talk, (struct wire_request){0});
	CLEANUP(freep)
	char *refused = request_of(
		&wire_openai, talk, (struct wire_request){.quirks = {.no_reasoning = true}});
	CLEANUP(freep)
	char *other =
		request_of(&wire_anthropic, talk, (struct wire_request){.max_output = 10});

	(void)state;
	assert_non_null(strstr(same, "\"reasoning_content\":\"hm\""));
	assert_null(strstr(refused, "hm"));
	assert_null(strstr(other, "hm"));
}

static void images_are_for_models_that_see(void **state)
{
	static const char talk[] = "[" PERSON("1") "," CALLS "," GAVE(
		",\"image\":\"QUJD\",\"image_type\":\"image/png\"") "]";
	static const struct wire *const wires[] = {&wire_anthropic, &wire_openai};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wires); i++) {
		CLEANUP(freep)
		char *seen = request_of(wires[i], talk,
			(struct wire_request){.vision = true, .max_output = 10});
		CLEANUP(freep)
		char *blind =
			request_of(wires[i], talk, (struct wire_request){.max_output = 10});

		assert_non_null(strstr(seen, "QUJD"));
		assert_null(strstr(blind, "QUJD"));
	}
}

static void what_a_server_refuses_is_left_out(void **state)
{
	CLEANUP(freep)
	char *text = request_of(&wire_openai, "[" PERSON("1") "]",
		(struct wire_request){.max_output = 7,
			.quirks = {.no_stream_options = true, .max_completion_tokens = true}});

	(void)state;
	assert_null(strstr(text, "stream_options"));
	assert_null(strstr(text, "max_tokens"));
	assert_non_null(strstr(text, "\"max_completion_tokens\":7"));
}

TESTS(cmocka_unit_test(there_are_at_most_four_marks),
	cmocka_unit_test(a_longer_conversation_begins_like_the_shorter_one),
	cmocka_unit_test(what_is_only_ours_is_not_sent),
	cmocka_unit_test(messages_of_one_side_are_one),
	cmocka_unit_test(reasoning_goes_back_to_its_model_only),
	cmocka_unit_test(images_are_for_models_that_see),
	cmocka_unit_test(what_a_server_refuses_is_left_out))
