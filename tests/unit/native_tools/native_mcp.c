#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "bench.h"

#include "agent/native/mcp/mcp_name.h"
#include "proc/process.h"

#define SERVER SOURCE_ROOT "/tests/mcp_servers/server.py"

static void python_or_skip(void)
{
	CLEANUP(freep) char *path = process_find("python3");

	if (path)
		return;
	puts("1..0 # SKIP python3 is not installed");
	exit(EXIT_SUCCESS);
}

/* One server called "s", which writes what it hears into the file "heard". */
static void bench_serve_within(
	struct bench *bench, void **state, const char *mode, unsigned start_ms)
{
	CLEANUP(freep) char *text = NULL;
	static char path[4096];

	bench_open(bench, state);
	text = xasprintf("{\"mcpServers\":{\"s\":{\"type\":\"stdio\",\"command\":\"python3\","
			 "\"args\":[\"" SERVER
			 "\",\"%s\",\"%s/heard\"],\"env\":{\"A\":\"b\"}}}}",
		mode, bench->dir->path);
	tempdir_put(bench->dir->fd, "mcp.json", text);
	snprintf(path, sizeof(path), "%s/mcp.json", bench->dir->path);
	bench->config.servers = path;
	bench->config.start_ms = start_ms;
	bench_reopen(bench);
}

static void bench_serve(struct bench *bench, void **state, const char *mode)
{
	bench_serve_within(bench, state, mode, 60000);
}

static bool heard(const struct bench *bench, const char *part)
{
	CLEANUP(freep) char *text = tempdir_get(bench->dir->fd, "heard");

	return text && strstr(text, part);
}

static bool has_tool(const struct bench *bench, const char *name)
{
	CLEANUP(json_decrefp) json_t *list = tools_describe(bench->tools);
	json_t *tool;
	size_t i;

	json_array_foreach(list, i, tool)
		if (!strcmp(json_string_value(json_object_get(tool, "name")), name))
			return true;
	return false;
}

static void problem_says(const struct bench *bench, const char *part)
{
	CLEANUP(freep) char *problems = tools_problems(bench->tools);

	if (!problems || !strstr(problems, part))
		fail_msg("'%s' is not in '%s'", part, problems ? problems : "");
}

/* --- as it should be --------------------------------------------------------- */

static void tools_of_all_pages_are_listed_and_called(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(freep) char *instructions = NULL;

	bench_serve(&bench, state, "good");
	assert_null(tools_problems(bench.tools));
	assert_true(has_tool(&bench, "mcp__s__echo"));
	assert_true(has_tool(&bench, "mcp__s__act"));
	assert_true(tools_is_read_only(bench.tools, "mcp__s__echo"));
	assert_false(tools_is_read_only(bench.tools, "mcp__s__act"));
	instructions = tools_instructions(bench.tools);
	assert_string_equal(instructions, "## s\nBe kind.\n");
	assert_string_equal(
		bench_call(&bench, "mcp__s__echo", "{'text':'Grüße','n':3}"), "Grüße");
	assert_false(bench.is_error);
	assert_true(heard(&bench, "\"protocolVersion\":\"2025-06-18\""));
	assert_true(heard(&bench, "\"notifications/initialized\""));
	assert_true(heard(&bench, "\"_meta\":{\"nanoclaw/key\":\"1\"}"));
	assert_true(heard(&bench, "{\"n\":3,\"text\":\"Gr"));
	bench_call(&bench, "mcp__s__ech", "{}");
	bench_says(&bench, true, "did you mean 'mcp__s__echo'?");
}

static void descriptions_are_the_same_each_time(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(buf_release) struct buf first = BUF_INIT;
	CLEANUP(buf_release) struct buf second = BUF_INIT;
	CLEANUP(json_decrefp) json_t *one = NULL;
	CLEANUP(json_decrefp) json_t *two = NULL;

	bench_serve(&bench, state, "good");
	one = tools_describe(bench.tools);
	bench_reopen(&bench);
	two = tools_describe(bench.tools);
	json_write_ours(one, false, &first);
	json_write_ours(two, false, &second);
	assert_string_equal(first.data, second.data);
	assert_non_null(
		strstr(first.data, "{\"description\":\"Say it again.\",\"input_schema\":{"
				   "\"properties\":{\"text\":{\"type\":\"string\"}},"
				   "\"type\":\"object\"},\"name\":\"mcp__s__echo\"}"));
}

static void an_older_revision_is_spoken_and_an_unknown_one_is_not(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(bench_close) struct bench other;

	bench_serve(&bench, state, "old");
	bench_call(&bench, "mcp__s__echo", "{'text':'x'}");
	bench_says(&bench, false, "x");
	bench_serve(&other, state, "alien");
	problem_says(&other, "it speaks MCP of '1999-01-01'");
}

static void questions_of_the_server_are_answered(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_serve(&bench, state, "asks");
	bench_call(&bench, "mcp__s__act", "{}");
	bench_says(&bench, false, "\"result\": {}");
	bench_says(&bench, false, "-32601");
}

static void a_tool_that_is_new_is_known_after_the_call(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_serve(&bench, state, "grows");
	assert_false(has_tool(&bench, "mcp__s__new"));
	bench_call(&bench, "mcp__s__act", "{}");
	assert_true(has_tool(&bench, "mcp__s__new"));
	bench_call(&bench, "mcp__s__new", "{}");
	bench_says(&bench, false, "done");
}

struct order {
	char texts[8][64];
	bool seen[8];
};

static void order_done(void *data, size_t index, const struct tool_result *result)
{
	struct order *order = data;

	assert_false(order->seen[index]);
	order->seen[index] = true;
	snprintf(order->texts[index], sizeof(order->texts[0]), "%s", result->text.data);
}

static void several_calls_go_on_at_once(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	struct tool_call calls[4];
	struct order order = {0};

	bench_serve(&bench, state, "reversed");
	for (size_t i = 0; i < 3; i++) {
		char text[] = {(char)('a' + i), '\0'};

		calls[i] = (struct tool_call){
			"1", "mcp__s__echo", json_pack("{s:s}", "text", text)};
	}
	calls[3] = (struct tool_call){"1", "glob", json_pack("{s:s}", "pattern", "mcp.json")};
	tools_run(bench.tools, calls, 4, order_done, &order);
	assert_string_equal(order.texts[0], "a");
	assert_string_equal(order.texts[1], "b");
	assert_string_equal(order.texts[2], "c");
	assert_string_equal(order.texts[3], "mcp.json\n");
	for (size_t i = 0; i < 4; i++)
		json_decref((json_t *)(uintptr_t)calls[i].input);
}

static void every_kind_of_content_becomes_text(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(bench_close) struct bench other;

	bench_serve(&bench, state, "shapes");
	bench_call(&bench, "mcp__s__act", "{}");
	assert_string_equal(bench.text.data,
		"first\n[image: image/png, 9 bytes]\n[image: image/svg+xml, 9 bytes]\n[audio: "
		"audio/wav, 3 bytes]\n[resource: file:///a]\ninside\n[resource: file:///b, , 3 "
		"bytes]\n[resource: file:///c, c]\n[content of the unknown type 'hologram']\n"
		"[content of the unknown type '']\n[content of the unknown type '']");
	assert_null(bench.image_type);
	bench.config.images = true;
	bench_reopen(&bench);
	bench_call(&bench, "mcp__s__act", "{'fail':true}");
	assert_string_equal(bench.image_type, "image/png");
	assert_string_equal(bench.image.data, "iVBORw0KGgo=");
	assert_true(bench.is_error);
	bench_serve(&other, state, "structured");
	assert_string_equal(
		bench_call(&other, "mcp__s__act", "{}"), "{\"a\":null,\"b\":[1.5,2]}");
}

/* --- as it should not be ----------------------------------------------------- */

static void refusals_are_errors_in_words(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(bench_close) struct bench other;

	bench_serve(&bench, state, "wrong");
	bench_call(&bench, "mcp__s__act", "{}");
	bench_says(
		&bench, true, "the MCP server 's': no such thing (error -32602): try another");
	bench_serve(&other, state, "nothing");
	bench_call(&other, "mcp__s__act", "{}");
	bench_says(&other, true, "the server refused it");
}

static void lines_that_are_no_messages_are_skipped(void **state)
{
	static const char *const modes[] = {"garbage", "batch", "twice"};
	static const char *const answers[] = {"after garbage", "in an array", "once"};

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		CLEANUP(bench_close) struct bench bench;

		bench_serve(&bench, state, modes[i]);
		bench_call(&bench, "mcp__s__act", "{}");
		bench_says(&bench, false, answers[i]);
		bench_call(&bench, "mcp__s__act", "{}");
		bench_says(&bench, false, answers[i]);
	}
}

static void a_line_without_end_ends_the_call_and_not_the_server(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(bench_close) struct bench other;

	bench_serve(&bench, state, "huge");
	bench_call(&bench, "mcp__s__act", "{}");
	bench_says(&bench, true, "the answer of the server is too long");
	bench_call(&bench, "mcp__s__act", "{}");
	bench_says(&bench, true, "the answer of the server is too long");
	bench_serve(&other, state, "large");
	bench_call(&other, "mcp__s__act", "{}");
	bench_says(&other, false, "more bytes are left out");
	assert_true(other.text.len <= 50 * 1024);
}

static void a_server_that_does_not_start_is_a_problem_in_words(void **state)
{
	static const char *const modes[] = {"dead", "refuses", "unlisted", "closes"};
	static const char *const words[] = {
		"(exit code 4; its last output: cannot find my feet)", "go away (error -32000)",
		"it does not list its tools: not today", "it closed its output"};

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		CLEANUP(bench_close) struct bench bench;

		bench_serve(&bench, state, modes[i]);
		problem_says(&bench, words[i]);
		bench_call(&bench, "bash", "{'command':'echo others work'}");
		bench_says(&bench, false, "others work");
	}
}

static void a_server_that_says_nothing_is_not_waited_for(void **state)
{
	static const char *const modes[] = {"mute", "deaf"};

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		CLEANUP(bench_close) struct bench bench;

		bench_serve_within(&bench, state, modes[i], 50);
		problem_says(&bench, "it has not started yet");
		bench_call(&bench, "glob", "{'pattern':'mcp.json'}");
		bench_says(&bench, false, "mcp.json");
	}
}

static void bad_lists_of_tools_are_made_good(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(bench_close) struct bench other;
	CLEANUP(json_decrefp) json_t *list = NULL;
	json_t *tool;
	size_t i;

	bench_serve(&bench, state, "odd");
	list = tools_describe(bench.tools);
	assert_true(json_array_size(list) <= 520);
	json_array_foreach(list, i, tool) {
		const char *name = json_string_value(json_object_get(tool, "name"));
		json_t *schema = json_object_get(tool, "input_schema");

		assert_true(strlen(name) <= 64);
		assert_int_equal(
			strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789_-"),
			strlen(name));
		assert_string_equal(
			json_string_value(json_object_get(schema, "type")), "object");
		assert_true(json_is_string(json_object_get(tool, "description")));
	}
	bench_serve(&other, state, "endless");
	assert_true(has_tool(&other, "mcp__s__echo"));
}

static void a_server_whose_tools_change_for_ever_is_waited_for_no_more(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_serve(&bench, state, "restless");
	bench_call(&bench, "mcp__s__echo", "{'text':'x'}");
	bench_says(&bench, false, "x");
}

static void a_server_that_dies_is_started_again(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_serve(&bench, state, "good");
	bench_call(&bench, "mcp__s__die", "{}");
	bench_says(
		&bench, true, "it has ended (exit code 3; its last output: these are my last");
	bench_says(&bench, true, "may or may not have been carried out");
	problem_says(&bench, "it has ended");
	bench_call(&bench, "mcp__s__echo", "{'text':'again'}");
	bench_says(
		&bench, false, "(the MCP server 's' had ended and was started again)\nagain");
	assert_null(tools_problems(bench.tools));
	bench_call(&bench, "mcp__s__echo", "{'text':'again'}");
	assert_string_equal(bench.text.data, "again");
}

static void a_server_that_left_between_calls_is_started_again(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	char *problems = NULL;

	bench_serve(&bench, state, "leaves");
	bench_call(&bench, "mcp__s__echo", "{'text':'one'}");
	bench_says(&bench, false, "one");
	for (int tries = 0; tries < 60000 && !problems; tries++) {
		poll(NULL, 0, 1);
		tools_idle(bench.tools);
		problems = tools_problems(bench.tools);
	}
	assert_non_null(problems);
	free(problems);
	bench_call(&bench, "mcp__s__echo", "{'text':'two'}");
	bench_says(&bench, false, "was started again)\ntwo");
}

static void a_call_without_an_answer_is_cancelled_at_the_server(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_serve(&bench, state, "good");
	bench.config.call_ms = 200;
	bench_reopen(&bench);
	bench_call(&bench, "mcp__s__hang", "{}");
	bench_says(&bench, true, "it did not answer in time");
	bench.config.call_ms = 60000;
	tools_close(bench.tools);
	bench.tools = NULL;
	assert_true(heard(&bench, "\"notifications/cancelled\""));
}

static struct tools *to_cancel;

static void on_alarm(int number)
{
	(void)number;
	tools_cancel(to_cancel);
}

static void a_cancelled_turn_gives_up_its_calls(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	struct itimerval soon = {.it_value = {.tv_usec = 50000}};

	bench_serve(&bench, state, "good");
	to_cancel = bench.tools;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &soon, NULL);
	bench_call(&bench, "mcp__s__hang", "{}");
	bench_says(&bench, true, "the turn was cancelled");
	tools_resume(bench.tools);
	bench_call(&bench, "mcp__s__echo", "{'text':'again'}");
	bench_says(&bench, false, "again");
	signal(SIGALRM, SIG_DFL);
}

static void what_a_server_has_started_ends_with_it(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(freep) char *text = NULL;
	char path[64];

	bench_serve(&bench, state, "family");
	text = tempdir_get(bench.dir->fd, "heard");
	tools_close(bench.tools);
	bench.tools = NULL;
	for (char *line = text; line && *line; line = strchr(line, '\n') + 1)
		if (*line != '{')
			snprintf(path, sizeof(path), "/proc/%ld/cmdline",
				strtol(line, NULL, 10));
	/* A zombie has no command line. */
	for (int tries = 0; tries < 60000; tries++) {
		FILE *file = fopen(path, "re");
		int first = file ? fgetc(file) : EOF;

		if (file)
			fclose(file);
		if (first == EOF)
			return;
		poll(NULL, 0, 1);
	}
	fail_msg("it still runs");
}

static void what_a_server_writes_to_its_errors_holds_up_nothing(void **state)
{
	CLEANUP(bench_close) struct bench bench;

	bench_serve(&bench, state, "chatty");
	bench_call(&bench, "mcp__s__echo", "{'text':'x'}");
	bench_says(&bench, false, "x");
	tools_idle(bench.tools);
}

/* --- configuration and names ------------------------------------------------- */

static void servers_that_cannot_be_are_named(void **state)
{
	CLEANUP(bench_close) struct bench bench;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *path = NULL;
	struct tools *tools = NULL;

	bench_open(&bench, state);
	path = xasprintf("%s/mcp.json", bench.dir->path);
	bench.config.servers = path;
	tempdir_put(bench.dir->fd, "mcp.json",
		"{\"mcpServers\":{\"a\":{\"type\":\"http\",\"url\":\"x\"},\"b\":{},\"c\":"
		"{\"command\":\"/nowhere\"},\"d\":{\"command\":\"x\",\"args\":[1]},\"e\":5}}");
	bench_reopen(&bench);
	problem_says(&bench, "'a' is not available: its type is not 'stdio'");
	problem_says(&bench, "'b' is not available: it has no 'command'");
	problem_says(&bench, "'c' is not available: cannot start '/nowhere'");
	problem_says(&bench, "'d' is not available: one of its 'args' is not a string");
	problem_says(&bench, "'e' is not available: it has no 'command'");
	tempdir_put(bench.dir->fd, "mcp.json", "{");
	assert_int_equal(tools_open(&bench.config, &tools, &err), -1);
	assert_non_null(strstr(err.message, "mcp.json:1:"));
}

static void long_and_strange_names_become_short_and_plain(void **state)
{
	CLEANUP(freep) char *plain = mcp_name("nanoclaw", "send_message");
	CLEANUP(freep) char *strange = mcp_name("my server", "a.b/c");
	CLEANUP(freep) char *other = mcp_name("my server", "a.b_c");
	CLEANUP(freep)
	char *longer = mcp_name(
		"server", "a_tool_with_a_name_that_is_longer_than_any_provider_would_take_it");

	(void)state;
	assert_string_equal(plain, "mcp__nanoclaw__send_message");
	assert_memory_equal(strange, "mcp__my_server__a_b_c_", 22);
	assert_string_not_equal(strange, other);
	assert_int_equal(strlen(longer), 64);
}

TESTS_AFTER(python_or_skip(), IN_TEMPDIR(tools_of_all_pages_are_listed_and_called),
	IN_TEMPDIR(descriptions_are_the_same_each_time),
	IN_TEMPDIR(an_older_revision_is_spoken_and_an_unknown_one_is_not),
	IN_TEMPDIR(questions_of_the_server_are_answered),
	IN_TEMPDIR(a_tool_that_is_new_is_known_after_the_call),
	IN_TEMPDIR(several_calls_go_on_at_once), IN_TEMPDIR(every_kind_of_content_becomes_text),
	IN_TEMPDIR(refusals_are_errors_in_words),
	IN_TEMPDIR(lines_that_are_no_messages_are_skipped),
	IN_TEMPDIR(a_line_without_end_ends_the_call_and_not_the_server),
	IN_TEMPDIR(a_server_that_does_not_start_is_a_problem_in_words),
	IN_TEMPDIR(a_server_that_says_nothing_is_not_waited_for),
	IN_TEMPDIR(bad_lists_of_tools_are_made_good),
	IN_TEMPDIR(a_server_whose_tools_change_for_ever_is_waited_for_no_more),
	IN_TEMPDIR(a_server_that_dies_is_started_again),
	IN_TEMPDIR(a_server_that_left_between_calls_is_started_again),
	IN_TEMPDIR(a_call_without_an_answer_is_cancelled_at_the_server),
	IN_TEMPDIR(a_cancelled_turn_gives_up_its_calls),
	IN_TEMPDIR(what_a_server_has_started_ends_with_it),
	IN_TEMPDIR(what_a_server_writes_to_its_errors_holds_up_nothing),
	IN_TEMPDIR(servers_that_cannot_be_are_named),
	IN_TEMPDIR(long_and_strange_names_become_short_and_plain))
