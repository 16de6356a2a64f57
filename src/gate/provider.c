#include "gate/provider.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"

const char *const api_protocol_names[] = {
	[API_ANTHROPIC] = "anthropic",
	[API_OPENAI] = "openai",
};

/* clang-format off */
#define KEY(name)       .keys = {name}, .usual_key = (name), .needs_key = true
#define LOCAL           .keys = {PROVIDER_OWN_KEY}, .usual_key = PROVIDER_OWN_KEY, .is_local = true

/* One per line, sorted. */
const struct provider providers[] = {
	{"anthropic", "Anthropic", API_ADDRESS_DEFAULT, API_ANTHROPIC,
		{"ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"},
		"ANTHROPIC_API_KEY", .needs_key = true},
	{PROVIDER_CUSTOM, "your server", NULL, API_OPENAI,
		{PROVIDER_OWN_KEY}, PROVIDER_OWN_KEY},
	{"deepseek", "DeepSeek", "https://api.deepseek.com/v1", API_OPENAI, KEY("DEEPSEEK_API_KEY")},
	{"groq", "Groq", "https://api.groq.com/openai/v1", API_OPENAI, KEY("GROQ_API_KEY")},
	{"llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1", API_OPENAI, LOCAL},
	{"lmstudio", "LM Studio", "http://127.0.0.1:1234/v1", API_OPENAI, LOCAL},
	{"mistral", "Mistral", "https://api.mistral.ai/v1", API_OPENAI, KEY("MISTRAL_API_KEY")},
	{"ollama", "Ollama", "http://127.0.0.1:11434/v1", API_OPENAI, LOCAL},
	{"openai", "OpenAI", "https://api.openai.com/v1", API_OPENAI, KEY("OPENAI_API_KEY")},
	{"openrouter", "OpenRouter", "https://openrouter.ai/api/v1", API_OPENAI, KEY("OPENROUTER_API_KEY"),
		.tells_price = true},
	{"vllm", "vLLM", "http://127.0.0.1:8000/v1", API_OPENAI, LOCAL},
	{0},
};
/* clang-format on */

const struct provider *provider_find(const char *name)
{
	for (const struct provider *provider = providers; provider->name; provider++)
		if (!strcmp(provider->name, name))
			return provider;
	return NULL;
}

char *provider_names(void)
{
	CLEANUP(buf_release) struct buf names = BUF_INIT;

	for (const struct provider *provider = providers; provider->name; provider++)
		buf_appendf(&names, "%s%s", names.len ? ", " : "", provider->name);
	return buf_take(&names);
}

int provider_address(const struct provider *provider, const char *url, const char *setting,
	struct api_address *ret_address, struct error *err)
{
	struct api_address address;

	if (!url && !provider->url) {
		error_set(err, ERROR_INVALID, "the address of the model's server is missing");
		return error_hint(
			err, "%s is its address, such as 'http://127.0.0.1:8080/v1'", setting);
	}
	if (api_address_parse(url ? url : provider->url, setting, &address, err) < 0)
		return -1;
	if (provider->protocol == API_OPENAI && !*address.path) {
		free(address.path);
		address.path = xstrdup("/v1");
	}
	*ret_address = address;
	return 0;
}

bool provider_is_at(const struct provider *provider, const struct api_address *address)
{
	CLEANUP(api_address_release) struct api_address own = {0};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	return provider->url && api_address_parse(provider->url, "", &own, &ignored) == 0 &&
	       !strcasecmp(own.host, address->host);
}

bool provider_is_free(const struct provider *provider, const struct api_address *address)
{
	const char *host = address->host;
	bool is_here = !strcasecmp(host, "localhost") || !strcmp(host, "::1") ||
		       (!strncmp(host, "127.", 4) && !host[strspn(host, "0123456789.")]);

	return provider->is_local || (is_here && !strcmp(provider->name, PROVIDER_CUSTOM));
}

/* --- targets ----------------------------------------------------------------- */

#define OF_ANTHROPIC "/v1"

char *provider_path(const struct provider *provider, const struct api_address *address)
{
	return xasprintf(
		"%s%s", address->path, provider->protocol == API_ANTHROPIC ? OF_ANTHROPIC : "");
}

struct service {
	enum api_protocol protocol;
	const char *method; /* with GET, HEAD is allowed too */
	const char *path;   /* "/models/" is everything below it */
	bool takes_tokens;
};

static const struct service services[] = {
	{API_ANTHROPIC, "POST", "/messages", true},
	{API_ANTHROPIC, "POST", "/messages/count_tokens", false},
	{API_ANTHROPIC, "GET", "/models", false},
	{API_ANTHROPIC, "GET", "/models/", false},
	{API_OPENAI, "POST", "/chat/completions", true},
	{API_OPENAI, "GET", "/models", false},
	{API_OPENAI, "GET", "/models/", false},
};

static bool service_fits(const struct service *service, struct view method, struct view path)
{
	bool is_get = !strcmp(service->method, "GET");

	if (!view_equal_str(method, service->method) &&
		!(is_get && view_equal_str(method, "HEAD")))
		return false;
	if (service->path[strlen(service->path) - 1] == '/')
		return view_starts_with(path, service->path);
	return view_equal_str(path, service->path);
}

/* NULL if no service matches. */
static const struct service *service_find(const struct provider *provider,
	const struct api_address *address, struct view method, struct view target)
{
	CLEANUP(freep) char *prefix = provider_path(provider, address);
	const char *question = memchr(target.data, '?', target.len);
	struct view path = target;

	if (question)
		path = view_slice(path, 0, (size_t)(question - target.data));
	if (!view_starts_with(path, prefix))
		return NULL;
	path = view_slice(path, strlen(prefix), path.len);
	for (size_t i = 0; i < ARRAY_SIZE(services); i++)
		if (services[i].protocol == provider->protocol &&
			service_fits(&services[i], method, path))
			return &services[i];
	return NULL;
}

bool provider_serves(const struct provider *provider, const struct api_address *address,
	struct view method, struct view target)
{
	if (provider->protocol == API_ANTHROPIC && !provider_is_at(provider, address))
		return true;
	return service_find(provider, address, method, target);
}

bool provider_is_asked(const struct provider *provider, const struct api_address *address,
	struct view method, struct view target)
{
	const struct service *service = service_find(provider, address, method, target);

	return service && service->takes_tokens;
}
