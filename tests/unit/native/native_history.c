#include "test.h"

#include <string.h>

#include "agent/native/session/check.h"
#include "agent/native/session/context.h"
#include "agent/native/session/history.h"
#include "format/json.h"

static void apply(struct history *history, const char *record)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;

	if (json_read(view_of(record), "record", 1000000, &json, &err) < 0)
		fail_msg("%s: %s", err.message, record);
	history_take(history, json);
}

#define CALL(id)        "{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"bash\",\"input\":{}}"
#define ANSWER(content) "{\"type\":\"answer\",\"content\":[" content "]}"
#define SAYS            ANSWER("{\"type\":\"text\",\"text\":\"yes\"}")
#define GAVE(id, text)  "{\"type\":\"result\",\"id\":\"" id "\",\"text\":\"" text "\"}"

static bool is_good(const struct history *history)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	return check_messages(history->messages, &err) == 0;
}

static void expect_messages(const struct history *history, const char *expected)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	json_write_ours(history->messages, false, &text);
	assert_string_equal(text.data, expected);
}

static void results_stand_in_the_order_of_their_calls(void **state)
{
	CLEANUP(history_release) struct history history;
	json_t *open;

	(void)state;
	history_init(&history, "s");
	apply(&history, "{\"type\":\"turn\",\"text\":\"go\"}");
	apply(&history, ANSWER(CALL("aaaaaaaa1") "," CALL("aaaaaaaa2") "," CALL("aaaaaaaa3")));
	apply(&history, GAVE("aaaaaaaa3", "3"));
	apply(&history, GAVE("aaaaaaaa1", "1"));
	open = history_open_calls(&history);
	assert_int_equal(json_array_size(open), 1);
	json_decref(open);
	apply(&history, GAVE("aaaaaaaa2", "2"));
	assert_true(is_good(&history));
	assert_null(history.answer);
}

static void a_new_turn_closes_one_that_was_interrupted(void **state)
{
	CLEANUP(history_release) struct history history;

	(void)state;
	history_init(&history, "s");
	apply(&history, "{\"type\":\"turn\",\"text\":\"go\"}");
	apply(&history, ANSWER(CALL("aaaaaaaa1") "," CALL("aaaaaaaa2")));
	apply(&history, "{\"type\":\"run\",\"id\":\"aaaaaaaa1\"}");
	assert_true(history_has_begun(&history, "aaaaaaaa1"));
	apply(&history, "{\"type\":\"turn\",\"text\":\"and?\"}");
	assert_true(is_good(&history));
	assert_non_null(strstr(
		json_string_value(json_object_get(
			json_array_get(
				json_object_get(json_array_get(history.messages, 2), "results"),
				0),
			"text")),
		"may have been carried out"));
}

static void ids_are_nine_characters_and_never_come_twice(void **state)
{
	CLEANUP(history_release) struct history history;
	char a[HISTORY_ID_SIZE];
	char b[HISTORY_ID_SIZE];

	(void)state;
	history_init(&history, "s");
	history_id(&history, 0, a);
	history_id(&history, 1, b);
	assert_int_equal(strlen(a), 9);
	assert_string_not_equal(a, b);
	apply(&history, "{\"type\":\"turn\",\"text\":\"go\"}");
	apply(&history, ANSWER(CALL("aaaaaaaa1")));
	history_id(&history, 0, a);
	assert_string_equal(a, b);
}

static void a_summary_takes_the_place_of_what_was_before(void **state)
{
	CLEANUP(history_release) struct history history;

	(void)state;
	history_init(&history, "s");
	apply(&history, "{\"type\":\"turn\",\"text\":\"one\"}");
	apply(&history, SAYS);
	apply(&history, "{\"type\":\"turn\",\"text\":\"two\"}");
	apply(&history, "{\"type\":\"summary\",\"from\":2,\"text\":\"short\"}");
	expect_messages(&history, "[{\"role\":\"user\",\"text\":\"short\"},"
				  "{\"role\":\"user\",\"text\":\"two\"}]");
	assert_int_equal(history.turn_at, 1);
	apply(&history, SAYS);
	apply(&history, "{\"type\":\"end\",\"text\":\"yes\"}");
	assert_string_equal(history.answer, "yes");
}

static void only_results_of_old_turns_are_left_out(void **state)
{
	CLEANUP(history_release) struct history history;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *ids = NULL;
	static const char *const call_ids[] = {"aaaaaaaa1", "aaaaaaaa2", "aaaaaaaa3"};

	(void)state;
	history_init(&history, "s");
	for (size_t i = 0; i < 3; i++) {
		CLEANUP(json_decrefp) json_t *answer = NULL;
		CLEANUP(json_decrefp) json_t *result = NULL;

		buf_clear(&text);
		buf_append_repeated(&text, 'x', 60000);
		apply(&history, "{\"type\":\"turn\",\"text\":\"go\"}");
		answer = json_pack("{s:s, s:[{s:s, s:s, s:s, s:{}}]}", "type", "answer",
			"content", "type", "tool_use", "id", call_ids[i], "name", "bash",
			"input");
		history_take(&history, answer);
		result = json_pack("{s:s, s:s, s:s}", "type", "result", "id", call_ids[i],
			"text", text.data);
		history_take(&history, result);
		apply(&history, SAYS);
	}
	ids = context_old_results(&history, 100000, false);
	assert_int_equal(json_array_size(ids), 1);
	assert_string_equal(json_string_value(json_array_get(ids, 0)), "aaaaaaaa1");
}

static void a_cut_is_before_a_message_of_the_person(void **state)
{
	CLEANUP(history_release) struct history history;

	(void)state;
	history_init(&history, "s");
	apply(&history, "{\"type\":\"turn\",\"text\":\"one\"}");
	assert_int_equal(context_cut(&history, 4000), 0);
	apply(&history, ANSWER(CALL("aaaaaaaa1")));
	apply(&history, GAVE("aaaaaaaa1", "x"));
	apply(&history, SAYS);
	apply(&history, "{\"type\":\"turn\",\"text\":\"two\"}");
	assert_int_equal(context_cut(&history, 4), 4);
	apply(&history, "{\"type\":\"summary\",\"from\":4,\"text\":\"<summary>\\nshort\"}");
	assert_int_equal(context_cut(&history, 4), 0);
}

static void guesses_follow_what_the_server_counts(void **state)
{
	CLEANUP(history_release) struct history history;
	int64_t before;

	(void)state;
	history_init(&history, "s");
	apply(&history, "{\"type\":\"turn\",\"text\":\"one\"}");
	before = context_size(&history, 1000);
	apply(&history, "{\"type\":\"answer\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}],"
			"\"estimate\":1000,\"usage\":{\"input\":2000,\"output\":10}}");
	assert_true(history.factor > 1.4);
	assert_int_equal(context_size(&history, 1000), 2010);
	assert_true(before < 1100);
	/* A server that has cut the prompt teaches nothing. */
	apply(&history, "{\"type\":\"turn\",\"text\":\"two\"}");
	apply(&history, "{\"type\":\"answer\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}],"
			"\"estimate\":9000,\"usage\":{\"input\":2000,\"output\":10}}");
	assert_int_equal(history.known_upto, 0);
}

static void kinds_of_text_have_their_densities(void **state)
{
	CLEANUP(buf_release) struct buf base64 = BUF_INIT;

	(void)state;
	buf_append_repeated(&base64, 'Q', 1200);
	assert_int_equal(context_guess_text(base64.data), 1000);
	assert_int_equal(context_guess_text("The quick brown fox jumps over it."), 11);
	assert_int_equal(context_guess_text("{\"a\":1,\"b\":[2,3]}"), 8);
}

TESTS(cmocka_unit_test(results_stand_in_the_order_of_their_calls),
	cmocka_unit_test(a_new_turn_closes_one_that_was_interrupted),
	cmocka_unit_test(ids_are_nine_characters_and_never_come_twice),
	cmocka_unit_test(a_summary_takes_the_place_of_what_was_before),
	cmocka_unit_test(only_results_of_old_turns_are_left_out),
	cmocka_unit_test(a_cut_is_before_a_message_of_the_person),
	cmocka_unit_test(guesses_follow_what_the_server_counts),
	cmocka_unit_test(kinds_of_text_have_their_densities))
