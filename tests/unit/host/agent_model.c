/* Which model a group has: what its container.json says, else the installation. */
#include "../test.h"

#include <string.h>

#include "host/agent/agent_model.h"

static char *found(const char *env, const struct container_model *own, bool claude)
{
	CLEANUP(settings_release) struct settings settings = SETTINGS_INIT;
	CLEANUP(agent_model_release) struct agent_model model = AGENT_MODEL_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *origin = NULL;

	assert_int_equal(settings_parse(view_of(env), ".env", &settings, &err), 0);
	if ((claude ? agent_model_find_claude : agent_model_find)(
		    &settings, own, &model, &err) < 0)
		return xstrdup(err.message);
	origin = api_address_origin(&model.address);
	return xasprintf("%s %s%s %s %s%lld/%lld%s%s%s", model.provider->name, origin,
		model.address.path, model.title, model.name ? model.name : "-",
		(long long)model.context, (long long)model.max_output,
		model.vision ? " sees" : "", model.needs_key ? " key" : "",
		model.no_key ? " nokey" : "");
}

static void check(const char *env, const struct container_model *own, const char *expected)
{
	CLEANUP(freep) char *got = found(env, own, false);

	assert_string_equal(got, expected);
}

#define OLLAMA                                                                                 \
	"NANOCLAW_PROVIDER=ollama\nNANOCLAW_MODEL=small\nNANOCLAW_CONTEXT=8192\n"              \
	"NANOCLAW_MAX_OUTPUT=512\nNANOCLAW_VISION=yes\nNANOCLAW_MODEL_URL=http://nas:1\n"      \
	"ANTHROPIC_BASE_URL=http://gateway:2/x\n"

static void the_installation_says_it(void **state)
{
	(void)state;
	check("", NULL, "anthropic https://api.anthropic.com:443 Anthropic -0/0 sees key");
	check("ANTHROPIC_BASE_URL=http://h:1/x\nNANOCLAW_MODEL=m\n", NULL,
		"anthropic http://h:1/x Anthropic m0/0 sees");
	check("NANOCLAW_PROVIDER=groq\nNANOCLAW_MODEL=m\n", NULL,
		"groq https://api.groq.com:443/openai/v1 Groq m0/0 key");
	check("NANOCLAW_PROVIDER=groq\nNANOCLAW_MODEL_URL=https://gw.example/v1\n", NULL,
		"groq https://gw.example:443/v1 Groq -0/0");
	check("NANOCLAW_MODEL_URL=http://h:1\n", NULL, "custom http://h:1/v1 h:1 -0/0");
	check(OLLAMA, NULL, "ollama http://nas:1/v1 Ollama small8192/512 sees");
}

static void a_group_says_it_otherwise(void **state)
{
	(void)state;
	check(OLLAMA, &(struct container_model){.name = (char[]){"large"}},
		"ollama http://nas:1/v1 Ollama large0/0");
	check(OLLAMA, &(struct container_model){.name = (char[]){"large"}, .context = 4096},
		"ollama http://nas:1/v1 Ollama large4096/0");
	check(OLLAMA, &(struct container_model){.context = 4096, .says_vision = true},
		"ollama http://nas:1/v1 Ollama small4096/512");
	check(OLLAMA, &(struct container_model){.provider = (char[]){"ollama"}},
		"ollama http://nas:1/v1 Ollama small8192/512 sees");
	check(OLLAMA, &(struct container_model){.provider = (char[]){"openai"}},
		"openai https://api.openai.com:443/v1 OpenAI -0/0 key");
	check(OLLAMA, &(struct container_model){.provider = (char[]){"anthropic"}},
		"anthropic http://gateway:2/x Anthropic -0/0 sees");
	/* A key never follows to another address by itself. */
	check("NANOCLAW_PROVIDER=openai\nNANOCLAW_MODEL=m\n",
		&(struct container_model){.url = (char[]){"http://10.0.0.1:8000/v1"}},
		"custom http://10.0.0.1:8000/v1 10.0.0.1:8000 -0/0");
	check(OLLAMA, &(struct container_model){.url = (char[]){"http://10.0.0.1:8000/v1"}},
		"custom http://10.0.0.1:8000/v1 10.0.0.1:8000 -0/0 nokey");
	check(OLLAMA, &(struct container_model){.provider = (char[]){"vllm"}},
		"vllm http://127.0.0.1:8000/v1 vLLM -0/0 nokey");
	check(OLLAMA, &(struct container_model){.url = (char[]){"http://NAS:1/other"}},
		"custom http://NAS:1/other NAS:1 -0/0");
	check("NANOCLAW_PROVIDER=ollama\n",
		&(struct container_model){.url = (char[]){"https://llm.example/v1"}},
		"custom https://llm.example:443/v1 llm.example:443 -0/0");
}

static void claude_code_speaks_with_anthropic_alone(void **state)
{
	CLEANUP(freep) char *other = found(OLLAMA, NULL, true);
	CLEANUP(freep)
	char *own = found("NANOCLAW_PROVIDER=anthropic\nNANOCLAW_MODEL=m\n", NULL, true);

	(void)state;
	assert_string_equal(other, "anthropic http://gateway:2/x Anthropic -0/0");
	assert_string_equal(
		own, "anthropic https://api.anthropic.com:443 Anthropic m0/0 sees key");
}

static void what_is_wrong_is_named(void **state)
{
	static const struct {
		const char *env;
		const char *part;
	} wrong[] = {
		{"NANOCLAW_PROVIDER=Ollama\n", "NANOCLAW_PROVIDER is 'Ollama'"},
		{"NANOCLAW_PROVIDER=custom\n", "the address of the model's server is missing"},
		{"NANOCLAW_MODEL_URL=nas:1\n", "NANOCLAW_MODEL_URL is 'nas:1'"},
		{"NANOCLAW_CONTEXT=12\n", "NANOCLAW_CONTEXT is '12'"},
		{"NANOCLAW_VISION=maybe\n",
			"NANOCLAW_VISION is 'maybe', and must be yes or no"},
		{"ANTHROPIC_BASE_URL=x\n", "ANTHROPIC_BASE_URL is 'x'"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		CLEANUP(freep) char *got = found(wrong[i].env, NULL, false);

		if (!strstr(got, wrong[i].part))
			fail_msg("%s", got);
	}
}

TESTS(cmocka_unit_test(the_installation_says_it), cmocka_unit_test(a_group_says_it_otherwise),
	cmocka_unit_test(claude_code_speaks_with_anthropic_alone),
	cmocka_unit_test(what_is_wrong_is_named))
