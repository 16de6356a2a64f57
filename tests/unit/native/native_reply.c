#include "test.h"

#include <string.h>

#include "agent/native/wire/wire.h"
#include "format/json.h"

/* The message of a stream that comes in pieces of this size; to be released. */
static json_t *read_stream(const struct wire *wire, const char *stream, size_t piece,
	enum reply_state expected, struct reply_usage *usage)
{
	CLEANUP(json_decrefp) json_t *tools = json_pack("[{s:s}]", "name", "bash");
	struct reply reply;
	size_t len = strlen(stream);
	json_t *content;

	reply_init(&reply, wire, tools);
	for (size_t at = 0; at < len; at += piece)
		reply_feed(&reply,
			(struct view){stream + at, len - at < piece ? len - at : piece}, true);
	assert_int_equal(reply_end(&reply, true), expected);
	if (usage)
		*usage = reply.usage;
	content = TAKE(reply.content);
	reply_release(&reply);
	return content;
}

static void expect(const struct wire *wire, const char *stream, const char *expected)
{
	static const size_t pieces[] = {1, 7, 100000};

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		json_t *content = read_stream(wire, stream, pieces[i], REPLY_DONE, NULL);

		json_write_ours(content, false, &text);
		json_decref(content);
		assert_string_equal(text.data, expected);
	}
}

static void expect_state(const struct wire *wire, const char *stream, enum reply_state expected)
{
	json_decref(read_stream(wire, stream, 5, expected, NULL));
}

#define DELTA(inside) "data: {\"choices\":[{\"delta\":{" inside "}}]}\n\n"
#define CALLS(inside) DELTA("\"tool_calls\":[" inside "]")
#define DONE          "data: [DONE]\n\n"
#define BASH(input)   "{\"input\":" input ",\"name\":\"bash\",\"type\":\"tool_use\"}"

static void calls_go_by_index_then_id_then_the_last(void **state)
{
	(void)state;
	expect(&wire_openai,
		CALLS("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"bash\",\"arguments\":\"\"}},"
		      "{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"bash\",\"arguments\":"
		      "\"{\\\"x\\\"\"}}")
			CALLS("{\"index\":0,\"function\":{\"arguments\":\"{}\"}}") CALLS(
				"{\"index\":1,\"function\":{\"arguments\":\":1}\"}}") DONE,
		"[" BASH("{}") "," BASH("{\"x\":1}") "]");
	expect(&wire_openai,
		CALLS("{\"id\":\"a\",\"function\":{\"name\":\"bash\",\"arguments\":\"{\"}}") CALLS(
			"{\"id\":\"b\",\"function\":{\"name\":\"bash\",\"arguments\":\"{}\"}}")
			CALLS("{\"id\":\"a\",\"function\":{\"arguments\":\"}\"}}") DONE,
		"[" BASH("{}") "," BASH("{}") "]");
	expect(&wire_openai,
		CALLS("{\"function\":{\"name\":\"bash\",\"arguments\":\"{\"}}")
			CALLS("{\"function\":{\"arguments\":\"}\"}}") CALLS(
				"{\"function\":{\"name\":\"bash\",\"arguments\":{\"y\":2}}}")
				DONE,
		"[" BASH("{}") "," BASH("{\"y\":2}") "]");
}

static void two_calls_of_one_index_and_two_ids_are_two(void **state)
{
	(void)state;
	expect(&wire_openai,
		CALLS("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"bash\",\"arguments\":\"{}\"}}")
			CALLS("{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"bash\",\"arguments\":"
			      "\"{}\"}}") DONE,
		"[" BASH("{}") "," BASH("{}") "]");
	/* The pieces that follow belong to the second one. */
	expect(&wire_openai,
		CALLS("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"bash\",\"arguments\":\"{}\"}}")
			CALLS("{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"bash\",\"arguments\":"
			      "\"\"}}")
				CALLS("{\"index\":0,\"function\":{\"arguments\":\"{\\\"x\\\"\"}}")
					CALLS("{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"bash\","
					      "\"arguments\":\":1}\"}}") DONE,
		"[" BASH("{}") "," BASH("{\"x\":1}") "]");
}

static void arguments_that_are_not_whole_are_never_completed(void **state)
{
	(void)state;
	expect(&wire_openai,
		CALLS("{\"index\":0,\"function\":{\"name\":\"bash\",\"arguments\":"
		      "\"{\\\"command\\\":\\\"rm -rf /tmp/a\"}}") "data: {\"choices\":[{\"finish_reason\":\"tool_calls\"}]}\n\n" DONE,
		"[{\"broken\":\"its arguments are not whole\",\"input\":{},\"name\":\"bash\","
		"\"type\":\"tool_use\"}]");
}

#define CUT_CALL                                                                               \
	"[{\"broken\":\"its arguments are not whole\",\"input\":{},\"name\":\"bash\","         \
	"\"type\":\"tool_use\"}]"

static void a_call_that_a_limit_cuts_before_its_arguments_is_not_whole(void **state)
{
	(void)state;
	expect(&wire_openai,
		CALLS("{\"index\":0,\"function\":{\"name\":\"bash\",\"arguments\":\"\"}}") "data: {\"choices\":[{\"finish_reason\":\"length\"}]}\n\n" DONE,
		CUT_CALL);
	expect(&wire_openai,
		CALLS("{\"index\":0,\"function\":{\"name\":\"bash\",\"arguments\":\"\"}}") "data: {\"choices\":[{\"finish_reason\":\"tool_calls\"}]}\n\n" DONE,
		"[" BASH("{}") "]");
	expect(&wire_anthropic,
		"data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
		"{\"type\":\"tool_use\",\"name\":\"bash\",\"input\":{}}}\n\n"
		"data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"max_tokens\"}}\n\n"
		"data: {\"type\":\"message_stop\"}\n\n",
		CUT_CALL);
}

static void nothing_counts_before_the_end(void **state)
{
	(void)state;
	expect_state(&wire_openai, DELTA("\"content\":\"hi\""), REPLY_CUT);
	expect_state(&wire_openai, DONE, REPLY_EMPTY);
	/* An event in the middle that cannot be read may have been anything. */
	expect_state(&wire_openai,
		DELTA("\"content\":\"a\"") "data: {\"choices\":[{\"del\n\n" DELTA(
			"\"content\":\"b\"") DONE,
		REPLY_CUT);
	expect_state(&wire_openai, DELTA("\"content\":\" \\n\"") DONE, REPLY_EMPTY);
	expect_state(&wire_openai,
		DELTA("\"content\":\"hi\"") "data: {\"error\":\"x\"}\n\n" DONE, REPLY_ERROR);
	expect_state(&wire_anthropic,
		"data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":"
		"\"text\",\"text\":\"hi\"}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{"
		"\"stop_reason\":\"end_turn\"}}\n\n",
		REPLY_CUT);
}

static void a_text_is_a_call_only_as_a_whole(void **state)
{
	(void)state;
	expect(&wire_openai,
		DELTA("\"content\":\"<tool_call>{\\\"name\\\":\\\"bash\\\",\\\"arguments\\\":{}}"
		      "</tool_call>\"") DONE,
		"[" BASH("{}") "]");
	expect(&wire_openai,
		DELTA("\"content\":\"[TOOL_CALLS][{\\\"name\\\":\\\"bash\\\",\\\"arguments\\\":{}}]\"")
			DONE,
		"[" BASH("{}") "]");
	expect(&wire_openai,
		DELTA("\"content\":\"Say <tool_call>{\\\"name\\\":\\\"bash\\\",\\\"arguments\\\":{}}"
		      "</tool_call>\"") DONE,
		"[{\"text\":\"Say <tool_call>{\\\"name\\\":\\\"bash\\\",\\\"arguments\\\":{}}"
		"</tool_call>\",\"type\":\"text\"}]");
	expect(&wire_openai,
		DELTA("\"content\":\"{\\\"name\\\":\\\"format_disk\\\",\\\"arguments\\\":{}}\"")
			DONE,
		"[{\"text\":\"{\\\"name\\\":\\\"format_disk\\\",\\\"arguments\\\":{}}\",\"type\":"
		"\"text\"}]");
}

static void thoughts_are_no_text(void **state)
{
	(void)state;
	expect(&wire_openai, DELTA("\"content\":\"<think>hm</think>\\n\\nYes.\"") DONE,
		"[{\"field\":\"\",\"text\":\"hm\",\"type\":\"reasoning\"},"
		"{\"text\":\"Yes.\",\"type\":\"text\"}]");
	expect(&wire_openai,
		DELTA("\"reasoning\":\"a\",\"reasoning_content\":\"a\"")
			DELTA("\"reasoning_content\":\"b\",\"content\":null") DELTA(
				"\"content\":[{\"type\":\"text\",\"text\":\"Yes.\"}]") DONE,
		"[{\"field\":\"reasoning_content\",\"text\":\"ab\",\"type\":\"reasoning\"},"
		"{\"text\":\"Yes.\",\"type\":\"text\"}]");
}

static void characters_that_are_cut_in_two_spoil_nothing_else(void **state)
{
	(void)state;
	expect(&wire_openai,
		DELTA("\"content\":\"a\\ud83d\"")
			DELTA("\"content\":\"\\ude00b \\ud83d\\ude00\"") DONE,
		"[{\"text\":\"a\xef\xbf\xbd\xef\xbf\xbd"
		"b \xf0\x9f\x98\x80\",\"type\":\"text\"}]");
	expect(&wire_openai, DELTA("\"content\":\"a\xc3\"") DELTA("\"content\":\"\xbc\"") DONE,
		"[{\"text\":\"a\xef\xbf\xbd\xef\xbf\xbd\",\"type\":\"text\"}]");
}

static void usage_is_found_wherever_it_stands(void **state)
{
	static const char *const streams[] = {
		"data: {\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2,"
		"\"prompt_cache_hit_tokens\":5}}\n\n",
		"data: {\"choices\":[],\"x_groq\":{\"usage\":{\"prompt_tokens\":7,"
		"\"completion_tokens\":2,\"prompt_tokens_details\":{\"cached_tokens\":5}}}}\n\n",
		"data: {\"choices\":[{\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2,"
		"\"cached_tokens\":5}}]}\n\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(streams); i++) {
		CLEANUP(freep)
		char *stream =
			xasprintf("%s%s%s", DELTA("\"content\":\"x\""), streams[i], DONE);
		struct reply_usage usage;

		json_decref(read_stream(&wire_openai, stream, 9, REPLY_DONE, &usage));
		assert_int_equal(usage.input, 7);
		assert_int_equal(usage.output, 2);
		assert_int_equal(usage.cache_read, 5);
	}
}

#define EVENT(inside) "data: {" inside "}\n\n"
#define TEXT(i, text)                                                                          \
	EVENT("\"type\":\"content_block_start\",\"index\":" i                                  \
	      ",\"content_block\":{\"type\":\"text\",\"text\":\"\"}")                          \
	EVENT("\"type\":\"content_block_delta\",\"index\":" i                                  \
	      ",\"delta\":{\"type\":\"text_delta\",\"text\":\"" text "\"}")
#define START EVENT("\"type\":\"message_start\",\"message\":{}")
#define STOP  EVENT("\"type\":\"message_stop\"")

static void a_second_beginning_drops_what_came_before_it(void **state)
{
	(void)state;
	expect(&wire_anthropic, START TEXT("0", "old") START TEXT("0", "new") STOP,
		"[{\"text\":\"new\",\"type\":\"text\"}]");
	expect(&wire_anthropic, START TEXT("0", "a") START TEXT("1", "b") STOP,
		"[{\"text\":\"ab\",\"type\":\"text\"}]");
}

static void thinking_is_kept_to_the_byte(void **state)
{
	(void)state;
	expect(&wire_anthropic,
		START EVENT("\"type\":\"content_block_start\",\"index\":0,\"content_block\":{"
			    "\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}")
			EVENT("\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":"
			      "\"thinking_delta\",\"thinking\":\" h\\u00fc\\n\"}")
				EVENT("\"type\":\"content_block_delta\",\"index\":0,\"delta\":{"
				      "\"type\":\"signature_delta\",\"signature\":\"c2ln\"}")
					TEXT("1", "x") STOP,
		"[{\"signature\":\"c2ln\",\"thinking\":\" hü\\n\",\"type\":\"thinking\"},"
		"{\"text\":\"x\",\"type\":\"text\"}]");
}

#define DETAIL                                                                                 \
	"data: {\"choices\":[{\"delta\":{\"reasoning_details\":[{\"type\":\"t\",\"index\":%d,\"text\":\"x\"}]}}]}\n\n"

/* A stream of so many pieces of reasoning, in so many entries. */
static json_t *read_details(int pieces, int entries, enum reply_state expected)
{
	CLEANUP(buf_release) struct buf stream = BUF_INIT;

	for (int i = 0; i < pieces; i++)
		buf_appendf(&stream, DETAIL, i * entries / pieces);
	buf_append_str(&stream, DELTA("\"content\":\"ok\"") DONE);
	return read_stream(&wire_openai, stream.data, 1000, expected, NULL);
}

static void pieces_of_reasoning_are_joined_by_entry(void **state)
{
	json_t *content = read_details(3500, 7, REPLY_DONE);
	const json_t *entries = json_object_get(json_array_get(content, 0), "value");

	(void)state;
	assert_int_equal(json_array_size(entries), 7);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(strlen(json_member(json_array_get(entries, i), "text")), 500);
	json_decref(content);
	json_decref(read_details(3000, 3000, REPLY_CUT));
}

TESTS(cmocka_unit_test(calls_go_by_index_then_id_then_the_last),
	cmocka_unit_test(two_calls_of_one_index_and_two_ids_are_two),
	cmocka_unit_test(arguments_that_are_not_whole_are_never_completed),
	cmocka_unit_test(a_call_that_a_limit_cuts_before_its_arguments_is_not_whole),
	cmocka_unit_test(nothing_counts_before_the_end),
	cmocka_unit_test(a_text_is_a_call_only_as_a_whole),
	cmocka_unit_test(thoughts_are_no_text),
	cmocka_unit_test(characters_that_are_cut_in_two_spoil_nothing_else),
	cmocka_unit_test(usage_is_found_wherever_it_stands),
	cmocka_unit_test(a_second_beginning_drops_what_came_before_it),
	cmocka_unit_test(thinking_is_kept_to_the_byte),
	cmocka_unit_test(pieces_of_reasoning_are_joined_by_entry))
