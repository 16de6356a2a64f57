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
	said = usage_reader_end(reader, 0, true, ret);
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
	assert_false(usage_reader_end(reader, 0, true, &usage));
	usage_reader_free(reader);
}

/* --- OpenAI's protocol ------------------------------------------------------- */

/* "about" marks an estimate. */
static void check_end(const char *type, const char *bytes, size_t piece, uint64_t sent,
	bool whole, const char *expected)
{
	CLEANUP(api_usage_release) struct api_usage u = API_USAGE_INIT;
	struct usage_reader *reader = usage_reader_new(type);
	CLEANUP(freep) char *got = NULL;
	size_t len = strlen(bytes);

	for (size_t at = 0; at < len; at += piece)
		usage_reader_feed(reader, bytes + at, len - at < piece ? len - at : piece);
	if (usage_reader_end(reader, sent, whole, &u))
		got = xasprintf("%s%s in %lld out %lld cached %lld/%lld told %lld",
			u.is_estimate ? "about " : "", u.model, (long long)u.input,
			(long long)u.output, (long long)u.cache_read, (long long)u.cache_write,
			u.is_told ? (long long)u.told_micro_usd : -1);
	usage_reader_free(reader);
	assert_string_equal(got ? got : "nothing", expected);
}

#define CHUNK(rest)  "data: {\"object\":\"chat.completion.chunk\",\"model\":\"m\"," rest "}\n\n"
#define HELLO        CHUNK("\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello\"}}]")
#define FINISH(rest) CHUNK("\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"" rest)
#define DONE         "data: [DONE]\n\n"
#define FIGURES      "\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":4,\"total_tokens\":14}"

static const struct {
	const char *stream;
	const char *expected;
} variants[] = {
	/* In a last chunk without choices, as OpenAI does. */
	{HELLO FINISH("}],\"usage\":null") CHUNK("\"choices\":[]," FIGURES) DONE,
		"m in 10 out 4 cached 0/0 told -1"},
	/* In the chunk that finishes, as Mistral does. */
	{HELLO FINISH("}]," FIGURES) DONE, "m in 10 out 4 cached 0/0 told -1"},
	/* As Groq has it. */
	{HELLO FINISH("}],\"x_groq\":{\"id\":\"r\"," FIGURES "}") DONE,
		"m in 10 out 4 cached 0/0 told -1"},
	/* As Moonshot has it. */
	{HELLO FINISH("," FIGURES "}]") DONE, "m in 10 out 4 cached 0/0 told -1"},
	/* Sums in every chunk. */
	{CHUNK("\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":{\"prompt_tokens\":10,"
	       "\"completion_tokens\":1}")
			CHUNK("\"choices\":[{\"delta\":{\"content\":\"b\"}}],\"usage\":"
			      "{\"prompt_tokens\":10,\"completion_tokens\":2}"),
		"m in 10 out 2 cached 0/0 told -1"},
	/* Tokens of the cache under three names, always among those of the prompt. */
	{FINISH("}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":4,"
		"\"prompt_tokens_details\":{\"cached_tokens\":8}}"),
		"m in 2 out 4 cached 8/0 told -1"},
	{FINISH("}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":4,"
		"\"prompt_cache_hit_tokens\":8,\"prompt_cache_miss_tokens\":2}"),
		"m in 2 out 4 cached 8/0 told -1"},
	{FINISH("}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":4,"
		"\"cached_tokens\":8}"),
		"m in 2 out 4 cached 8/0 told -1"},
	{FINISH("}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":4,\"cost\":0.00042,"
		"\"prompt_tokens_details\":{\"cached_tokens\":99,\"cache_write_tokens\":3}}"),
		"m in 0 out 4 cached 10/0 told 420"},
	/* Thoughts are in the total alone, as with xAI. */
	{FINISH("}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":4,"
		"\"total_tokens\":94,\"completion_tokens_details\":{\"reasoning_tokens\":80}}"),
		"m in 10 out 84 cached 0/0 told -1"},
	/* The model is not said at first. */
	{"data: {\"choices\":[],\"model\":\"\"}\n\n" FINISH("}]," FIGURES),
		"m in 10 out 4 cached 0/0 told -1"},
};

static void every_place_for_usage_is_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		for (size_t piece = 1; piece < 99; piece += 7)
			check_end(EVENTS, variants[i].stream, piece, 100, true,
				variants[i].expected);
	check_end("application/json",
		"{\"model\":\"m\",\"choices\":[{\"message\":{\"content\":\"Hi\"}}]," FIGURES
		"}",
		9, 100, true, "m in 10 out 4 cached 0/0 told -1");
}

static void what_is_not_told_is_estimated(void **state)
{
	static const char plain[] =
		"{\"model\":\"m\",\"choices\":[{\"finish_reason\":\"stop\",\"message\":"
		"{\"role\":\"assistant\",\"content\":\"0123456789\",\"reasoning\":\"0123\","
		"\"tool_calls\":[{\"id\":\"call_1\",\"type\":\"function\",\"function\":"
		"{\"name\":\"ls\",\"arguments\":\"{}\"}}]}}]}";

	(void)state;
	check_end(EVENTS, HELLO HELLO DONE, 50, 101, true,
		"about m in 51 out 5 cached 0/0 told -1");
	check_end(EVENTS, CHUNK("\"choices\":[{\"delta\":{\"content\":\"a\"}}]") DONE, 50, 2,
		true, "about m in 1 out 1 cached 0/0 told -1");
	check_end("application/json", plain, 50, 100, true,
		"about m in 50 out 9 cached 0/0 told -1");
	check_end("text/plain", "0123456789", 4, 100, true,
		"about  in 50 out 5 cached 0/0 told -1");
	/* Invalid numbers. */
	check_end(EVENTS,
		HELLO FINISH("}],\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":0,"
			     "\"total_tokens\":0}"),
		50, 100, true, "about m in 50 out 3 cached 0/0 told -1");
	check_end(EVENTS,
		HELLO FINISH("}],\"usage\":{\"prompt_tokens\":-1,\"completion_tokens\":-1,"
			     "\"total_tokens\":-1}"),
		50, 100, true, "about m in 50 out 3 cached 0/0 told -1");
	/* A request that takes no tokens, and an answer that is an error. */
	check_end(EVENTS, HELLO DONE, 50, 0, true, "nothing");
	check_end(EVENTS, "data: {\"error\":{\"message\":\"overloaded\"}}\n\n", 50, 100, true,
		"nothing");
}

static void an_answer_that_breaks_off_counts_what_came(void **state)
{
	CLEANUP(freep)
	char *broken = xasprintf("%s%s%s%s%s%s", start, text, text, text, text, text);

	(void)state;
	check_end(EVENTS, HELLO HELLO HELLO, 50, 100, false,
		"about m in 50 out 8 cached 0/0 told -1");
	check_end(EVENTS, broken, 50, 100, false,
		"about claude-sonnet-4-5-20250929 in 25 out 13 cached 4000/300 told -1");
	/* It has said that it ended: then its own figures count. */
	check_end(EVENTS, HELLO HELLO FINISH("}]," FIGURES) DONE, 50, 100, false,
		"m in 10 out 4 cached 0/0 told -1");
	check_end(EVENTS,
		CHUNK("\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":"
		      "{\"prompt_tokens\":10,\"completion_tokens\":1}") HELLO HELLO,
		50, 100, false, "about m in 10 out 6 cached 0/0 told -1");
	check_end("application/json", "{\"choices\":[{\"mess", 50, 100, false,
		"about  in 50 out 9 cached 0/0 told -1");
	/* The agent has left before anything came. */
	check_end(NULL, "", 50, 100, false, "about  in 50 out 0 cached 0/0 told -1");
}

static int64_t output_after_hanging_up(const char *stream, uint64_t ms)
{
	CLEANUP(api_usage_release) struct api_usage usage = API_USAGE_INIT;
	struct usage_reader *reader = usage_reader_new(EVENTS);

	usage_reader_feed(reader, stream, strlen(stream));
	usage_reader_left(reader, ms);
	assert_true(usage_reader_end(reader, 100, false, &usage));
	usage_reader_free(reader);
	return usage.is_estimate ? usage.output : -usage.output;
}

static void an_agent_that_hangs_up_pays_for_hidden_thoughts(void **state)
{
	(void)state;
	assert_int_equal(output_after_hanging_up("", 3000), 3 * USAGE_TOKENS_PER_SECOND);
	assert_int_equal(output_after_hanging_up(start, 3000), 3 * USAGE_TOKENS_PER_SECOND);
	/* What came is more than that. */
	assert_int_equal(output_after_hanging_up(HELLO HELLO HELLO, 20), 8);
	/* It hung up after the end. */
	assert_int_equal(
		output_after_hanging_up(HELLO HELLO FINISH("}]," FIGURES) DONE, 3000), -4);
}

TESTS(cmocka_unit_test(the_last_figures_of_a_stream_count),
	cmocka_unit_test(a_stream_that_breaks_off_gives_what_it_said),
	cmocka_unit_test(a_plain_answer_is_read_at_its_end),
	cmocka_unit_test(what_says_nothing_counts_nothing),
	cmocka_unit_test(figures_that_make_no_sense_are_bounded),
	cmocka_unit_test(an_answer_without_an_end_is_not_kept),
	cmocka_unit_test(every_place_for_usage_is_known),
	cmocka_unit_test(what_is_not_told_is_estimated),
	cmocka_unit_test(an_answer_that_breaks_off_counts_what_came),
	cmocka_unit_test(an_agent_that_hangs_up_pays_for_hidden_thoughts))
