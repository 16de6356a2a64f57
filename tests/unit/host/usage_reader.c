#include "../test.h"

#include <string.h>

#include "base/alloc.h"
#include "gate/usage_reader.h"

#define EVENTS "text/event-stream; charset=utf-8"

static const char start[] =
	"event: message_start\n"
	"data: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"model\":"
	"\"claude-sonnet-4-5-20250929\",\"usage\":{\"input_tokens\":25,"
	"\"cache_creation_input_tokens\":300,\"cache_read_input_tokens\":4000,"
	"\"cache_creation\":{\"ephemeral_5m_input_tokens\":100,"
	"\"ephemeral_1h_input_tokens\":200},\"output_tokens\":1}}}\n\n"
	"event: ping\ndata: {\"type\": \"ping\"}\n\n";

static const char text[] = "event: content_block_delta\n"
			   "data: {\"type\":\"content_block_delta\",\"index\":0,"
			   "\"delta\":{\"type\":\"text_delta\",\"text\":\"Hello\"}}\n\n";

static const char end[] = "event: message_delta\n"
			  "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":null},"
			  "\"usage\":{\"output_tokens\":7}}\n\n"
			  "event: message_delta\n"
			  "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
			  "\"end_turn\"},\"usage\":{\"output_tokens\":15,\"input_tokens\":null,"
			  "\"server_tool_use\":{\"web_search_requests\":2}}}\n\n"
			  "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

static bool read_in_pieces(
	const char *type, const char *bytes, size_t len, size_t piece, struct api_usage *ret)
{
	struct usage_reader *reader = usage_reader_new(type);
	bool said;

	for (size_t at = 0; at < len; at += piece)
		usage_reader_feed(reader, bytes + at, len - at < piece ? len - at : piece);
	said = usage_reader_end(reader, ret);
	usage_reader_free(reader);
	return said;
}

static void check(const char *type, const char *bytes, size_t piece, const char *expected)
{
	CLEANUP(api_usage_release) struct api_usage u = API_USAGE_INIT;
	CLEANUP(freep) char *got = NULL;

	if (!read_in_pieces(type, bytes, strlen(bytes), piece, &u)) {
		assert_null(expected);
		return;
	}
	got = xasprintf("%s %lld %lld %lld %lld/%lld %lld", u.model, (long long)u.input,
		(long long)u.output, (long long)u.cache_read, (long long)u.cache_write,
		(long long)u.cache_write_1h, (long long)u.web_searches);
	assert_non_null(expected);
	assert_string_equal(got, expected);
}

static void the_last_figures_of_a_stream_count(void **state)
{
	CLEANUP(freep) char *stream = xasprintf("%s%s%s", start, text, end);

	(void)state;
	for (size_t piece = 1; piece < 200; piece++)
		check(EVENTS, stream, piece, "claude-sonnet-4-5-20250929 25 15 4000 300/200 2");
	check("Text/Event-Stream", stream, 1000,
		"claude-sonnet-4-5-20250929 25 15 4000 300/200 2");
}

static void a_stream_that_breaks_off_gives_what_it_said(void **state)
{
	CLEANUP(freep) char *stream = xasprintf("%s%s%s", start, text, end);
	size_t first = strstr(start, "\n\n") + 2 - start;

	(void)state;
	for (size_t len = 0; len < strlen(stream); len++) {
		CLEANUP(api_usage_release) struct api_usage u = API_USAGE_INIT;
		bool said = read_in_pieces(EVENTS, stream, len, 64, &u);

		assert_int_equal(said, len >= first);
		if (said)
			assert_true(u.input == 25 &&
				    (u.output == 1 || u.output == 7 || u.output == 15));
	}
}

static void a_plain_answer_is_read_at_its_end(void **state)
{
	static const char answer[] =
		"{\"type\":\"message\",\"model\":\"claude-haiku-4-5\",\"content\":[],"
		"\"usage\":{\"input_tokens\":10,\"output_tokens\":20}}";

	(void)state;
	for (size_t piece = 1; piece < sizeof(answer); piece++)
		check("application/json", answer, piece, "claude-haiku-4-5 10 20 0 0/0 0");
	check(NULL, answer, 9, "claude-haiku-4-5 10 20 0 0/0 0");
	check("application/json;charset=utf-8", answer, 9, "claude-haiku-4-5 10 20 0 0/0 0");
	check("application/jsonl", answer, 9, NULL);
	check("text/html", answer, 9, NULL);
}

static void what_says_nothing_counts_nothing(void **state)
{
	(void)state;
	check("application/json", "{\"input_tokens\": 12}", 99, NULL);
	check("application/json", "{\"type\":\"error\",\"error\":{\"type\":\"x\"}}", 99, NULL);
	check("application/json", "{\"model\":\"m\",\"usage\":{\"input_tokens\":1", 99, NULL);
	check("application/json", "[]", 99, NULL);
	check("application/json", "", 99, NULL);
	check(EVENTS, text, 99, NULL);
	check(EVENTS, "event: error\ndata: {\"type\":\"error\"}\n\n", 99, NULL);
	check(EVENTS, "event: message_start\ndata: {\"type\":\"message_start\"\n\n", 99, NULL);
}

static void figures_that_make_no_sense_are_bounded(void **state)
{
	(void)state;
	check("application/json",
		"{\"usage\":{\"input_tokens\":-5,\"output_tokens\":1e300,"
		"\"cache_read_input_tokens\":\"x\",\"cache_creation\":"
		"{\"ephemeral_1h_input_tokens\":3}}}",
		99, " 0 1000000000 0 3/3 0");
	check("application/json",
		"{\"model\":[],\"usage\":{\"input_tokens\":1.9,\"cache_creation\":7}}", 99,
		" 1 0 0 0/0 0");
}

static void an_answer_without_an_end_is_not_kept(void **state)
{
	struct usage_reader *reader = usage_reader_new("application/json");
	CLEANUP(freep) char *block = xcalloc(1, 1024 * 1024);
	struct api_usage usage;

	(void)state;
	memset(block, ' ', 1024 * 1024);
	for (int i = 0; i < 20; i++)
		usage_reader_feed(reader, block, 1024 * 1024);
	usage_reader_feed(reader, "{\"usage\":{}}", 12);
	assert_false(usage_reader_end(reader, &usage));
	usage_reader_free(reader);
}

TESTS(cmocka_unit_test(the_last_figures_of_a_stream_count),
	cmocka_unit_test(a_stream_that_breaks_off_gives_what_it_said),
	cmocka_unit_test(a_plain_answer_is_read_at_its_end),
	cmocka_unit_test(what_says_nothing_counts_nothing),
	cmocka_unit_test(figures_that_make_no_sense_are_bounded),
	cmocka_unit_test(an_answer_without_an_end_is_not_kept))
