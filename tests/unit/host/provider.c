#include "../test.h"

#include <string.h>

#include "gate/credentials.h"
#include "gate/provider.h"

static void every_provider_can_be_used(void **state)
{
	(void)state;
	for (const struct provider *p = providers; p->name; p++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(api_address_release) struct api_address address = {0};

		assert_true(!p[1].name || strcmp(p->name, p[1].name) < 0);
		assert_ptr_equal(provider_find(p->name), p);
		assert_int_equal(
			provider_address(p, "http://127.0.0.1:1/v9", "URL", &address, &err), 0);
		assert_false(p->needs_key && provider_is_at(p, &address));
		for (size_t i = 0; i < PROVIDER_MAX_KEYS && p->keys[i]; i++)
			assert_true(credentials_is_ours(p->keys[i]));
		assert_true(credentials_is_ours(p->usual_key));
		if (!p->url)
			continue;
		api_address_release(&address);
		assert_int_equal(provider_address(p, NULL, "URL", &address, &err), 0);
		assert_true(provider_is_at(p, &address));
		/* A key goes over the network encrypted. */
		assert_true(address.tls || p->is_local);
	}
	assert_null(provider_find("Ollama"));
	assert_null(provider_find(""));
}

static void an_address_without_a_path_gets_the_usual_one(void **state)
{
	static const struct {
		const char *provider;
		const char *url;
		const char *path;
	} list[] = {
		{"ollama", "http://nas:11434", "/v1"},
		{"ollama", "http://nas:11434/", "/v1"},
		{"custom", "https://gw.example/api/openai/v1/", "/api/openai/v1"},
		{"groq", NULL, "/openai/v1"},
		{"openrouter", NULL, "/api/v1"},
		{"anthropic", NULL, "/v1"},
		{"anthropic", "http://gw.example/x", "/x/v1"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(list); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(api_address_release) struct api_address address = {0};
		const struct provider *provider = provider_find(list[i].provider);
		CLEANUP(freep) char *path = NULL;

		assert_int_equal(
			provider_address(provider, list[i].url, "URL", &address, &err), 0);
		path = provider_path(provider, &address);
		assert_string_equal(path, list[i].path);
	}
}

static void a_missing_or_wrong_address_is_named(void **state)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	struct api_address address;

	(void)state;
	assert_int_equal(provider_address(provider_find("custom"), NULL, "NANOCLAW_MODEL_URL",
				 &address, &missing),
		-1);
	assert_non_null(strstr(missing.hint, "NANOCLAW_MODEL_URL is its address"));
	assert_int_equal(provider_address(provider_find("custom"), "127.0.0.1:8080",
				 "NANOCLAW_MODEL_URL", &address, &wrong),
		-1);
	assert_non_null(strstr(wrong.message, "NANOCLAW_MODEL_URL is '127.0.0.1:8080'"));
}

#define ANTHROPIC "anthropic", "https://api.anthropic.com"
#define OPENAI    "openai", "https://api.openai.com/v1"
#define SERVER    "custom", "http://127.0.0.1:8080"

static const struct {
	const char *provider;
	const char *base;
	const char *method;
	const char *target;
	bool is_served;
	bool is_asked;
} requests[] = {
	{ANTHROPIC, "POST", "/v1/messages", true, true},
	{ANTHROPIC, "POST", "/v1/messages?beta=true", true, true},
	{ANTHROPIC, "GET", "/v1/messages", false, false},
	{ANTHROPIC, "POST", "/v1/messages/count_tokens?beta=true", true, false},
	{ANTHROPIC, "GET", "/v1/models", true, false},
	{ANTHROPIC, "HEAD", "/v1/models", true, false},
	{ANTHROPIC, "GET", "/v1/models/claude-sonnet-4-6", true, false},
	{ANTHROPIC, "POST", "/v1/messages/batches", false, false},
	{ANTHROPIC, "POST", "/v1/messages/batches?x=/v1/messages", false, false},
	{ANTHROPIC, "POST", "/v1//messages", false, false},
	{ANTHROPIC, "POST", "/V1/messages", false, false},
	{ANTHROPIC, "GET", "/v1/files", false, false},
	{ANTHROPIC, "GET", "/v1/organizations/api_keys", false, false},
	{ANTHROPIC, "POST", "/api/oauth/claude_cli/create_api_key", false, false},
	{ANTHROPIC, "POST", "/v1/oauth/token", false, false},
	{ANTHROPIC, "GET", "/v1/modelsx", false, false},
	{ANTHROPIC, "GET", "/", false, false},
	{ANTHROPIC, "POST", "/v1/chat/completions", false, false},
	{"anthropic", "HTTPS://API.Anthropic.com:443/", "GET", "/v1/files", false, false},
	{"anthropic", "https://api.anthropic.com/x", "POST", "/x/v1/messages", true, true},
	{"anthropic", "https://api.anthropic.com/x", "GET", "/x/v1/files", false, false},
	{"anthropic", "http://localhost:8080", "GET", "/v1/files", true, false},
	{"anthropic", "http://localhost:8080", "POST", "/v1/messages", true, true},
	{OPENAI, "POST", "/v1/chat/completions", true, true},
	{OPENAI, "GET", "/v1/chat/completions", false, false},
	{OPENAI, "DELETE", "/v1/chat/completions", false, false},
	{OPENAI, "GET", "/v1/chat/completions/chatcmpl-1", false, false},
	{OPENAI, "GET", "/v1/models", true, false},
	{OPENAI, "GET", "/v1/models/gpt-5", true, false},
	{OPENAI, "DELETE", "/v1/models/ft:mine", false, false},
	{OPENAI, "POST", "/v1/models", false, false},
	{OPENAI, "POST", "/v1/responses", false, false},
	{OPENAI, "POST", "/v1/files", false, false},
	{OPENAI, "POST", "/v1/embeddings", false, false},
	{OPENAI, "GET", "/v1/organization/admin_api_keys", false, false},
	{OPENAI, "POST", "/chat/completions", false, false},
	{SERVER, "POST", "/v1/chat/completions", true, true},
	{SERVER, "POST", "/api/pull", false, false},
	{SERVER, "GET", "/v1/../api/tags", false, false},
	{SERVER, "POST", "/v1/messages", false, false},
};

static void agents_reach_models_and_nothing_of_the_account(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
		const struct provider *provider = provider_find(requests[i].provider);
		struct view method = view_of(requests[i].method);
		struct view target = view_of(requests[i].target);
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(api_address_release) struct api_address address = {0};

		assert_int_equal(
			provider_address(provider, requests[i].base, "URL", &address, &err), 0);
		if (provider_serves(provider, &address, method, target) !=
				requests[i].is_served ||
			provider_is_asked(provider, &address, method, target) !=
				requests[i].is_asked)
			fail_msg("%s: %s %s", requests[i].base, requests[i].method,
				requests[i].target);
	}
}

static void servers_of_the_user_are_free(void **state)
{
	static const struct {
		const char *provider;
		const char *base;
		bool is_free;
	} servers[] = {
		{"custom", "http://127.0.0.1:8080/v1", true},
		{"custom", "http://localhost:8080", true},
		{"custom", "http://[::1]:8080", true},
		{"custom", "https://127.example.com/v1", false},
		{"custom", "http://192.168.1.5:8080", false},
		{"vllm", "http://192.168.1.5:8000/v1", true},
		{"openai", "http://127.0.0.1:8080/v1", false},
		{"anthropic", "http://127.0.0.1:8080", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(servers); i++) {
		const struct provider *provider = provider_find(servers[i].provider);
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(api_address_release) struct api_address address = {0};

		assert_int_equal(
			provider_address(provider, servers[i].base, "URL", &address, &err), 0);
		if (provider_is_free(provider, &address) != servers[i].is_free)
			fail_msg("%s at %s", servers[i].provider, servers[i].base);
	}
}

TESTS(cmocka_unit_test(every_provider_can_be_used),
	cmocka_unit_test(an_address_without_a_path_gets_the_usual_one),
	cmocka_unit_test(a_missing_or_wrong_address_is_named),
	cmocka_unit_test(agents_reach_models_and_nothing_of_the_account),
	cmocka_unit_test(servers_of_the_user_are_free))
