#include "test.h"

#include <string.h>

#include "agent/native/wire/failure.h"

#define ERROR(members) "{\"error\":{" members "}}"

static void refusals_have_their_meanings(void **state)
{
	static const struct {
		int status;
		const char *body;
		enum failure_kind kind;
	} cases[] = {
		{401, "{}", FAILURE_KEY},
		{403, "budget used up", FAILURE_FORBIDDEN},
		{402, "", FAILURE_QUOTA},
		{429, "{\"error\":{\"code\":\"insufficient_quota\"}}", FAILURE_QUOTA},
		{429, "slow down", FAILURE_BUSY},
		{529, "", FAILURE_BUSY},
		{503, "", FAILURE_BUSY},
		{0, ERROR("\"type\":\"overloaded_error\",\"message\":\"x\""), FAILURE_BUSY},
		{0, ERROR("\"type\":\"api_error\",\"message\":\"Internal\""), FAILURE_BROKEN},
		{0, ERROR("\"code\":429"), FAILURE_BUSY},
		{0, "{\"object\":\"error\",\"code\":502,\"message\":\"x\"}", FAILURE_AWAY},
		/* A status code takes precedence over the message. */
		{401, ERROR("\"message\":\"the context length is fine\""), FAILURE_KEY},
		{413, ERROR("\"code\":\"rate_limit_exceeded\""), FAILURE_TOO_LONG},
		{429,
			ERROR("\"code\":\"rate_limit_exceeded\",\"message\":\"your quota and "
			      "billing page\""),
			FAILURE_BUSY},
		{400, ERROR("\"code\":\"model_not_found\",\"message\":\"credit balance\""),
			FAILURE_MODEL},
		/* Words count in the message only, and not in a page. */
		{400, ERROR("\"message\":\"no\",\"request\":\"I get 'model not found'\""),
			FAILURE_REFUSED},
		{500, "<html>Our models are overloaded: too many requests</html>",
			FAILURE_BROKEN},
		{400, ERROR("\"message\":\"no max_tokens\",\"param\":\"max_tokens\""),
			FAILURE_OPTION},
		{400, ERROR("\"message\":\"max_tokens\",\"param\":\"model\""), FAILURE_REFUSED},
		{500, "", FAILURE_BROKEN},
		{302, "", FAILURE_BROKEN},
		{502, "", FAILURE_AWAY},
		{404, "model 'x' not found, try pulling it first", FAILURE_MODEL},
		{400, "x does not support tools", FAILURE_NO_TOOLS},
		{404, "No endpoints found that support tool use", FAILURE_NO_TOOLS},
		{400, "This model's maximum context length is 8192 tokens", FAILURE_TOO_LONG},
		{500, "the request exceeds the available context size", FAILURE_TOO_LONG},
		{413, "", FAILURE_TOO_LONG},
		{400, "Unsupported parameter: 'max_tokens'", FAILURE_OPTION},
		{400, "strange words", FAILURE_REFUSED},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(freep) char *message = NULL;

		if (failure_of(cases[i].status, view_of(cases[i].body), &message) !=
			cases[i].kind)
			fail_msg("%d %s", cases[i].status, cases[i].body);
	}
}

static void the_message_is_found_in_any_form(void **state)
{
	static const char *const bodies[] = {"{\"error\":{\"message\":\"no\"}}",
		"{\"error\":\"no\"}", "{\"message\":\"no\"}", "{\"detail\":\"no\"}", " no\n"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++) {
		CLEANUP(freep) char *message = NULL;

		failure_of(400, view_of(bodies[i]), &message);
		assert_string_equal(message, "no");
	}
}

static void advice_names_server_and_model(void **state)
{
	CLEANUP(freep)
	char *text = failure_advice(FAILURE_MODEL, "Ollama", "qwen", "not found");

	(void)state;
	assert_non_null(strstr(text, "Ollama"));
	assert_non_null(strstr(text, "'qwen'"));
	assert_non_null(strstr(text, "not found"));
}

TESTS(cmocka_unit_test(refusals_have_their_meanings),
	cmocka_unit_test(the_message_is_found_in_any_form),
	cmocka_unit_test(advice_names_server_and_model))
