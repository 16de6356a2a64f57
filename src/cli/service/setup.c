/*
 * Connect a model: ask what the person has, try it with one request, and write '.env'.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/prompt.h"
#include "cli/service/setup_model.h"
#include "cli/service/welcome.h"
#include "gate/model_probe.h"
#include "proc/process.h"

#define CLAUDE_CODE_HOW "npm install -g @anthropic-ai/claude-code"

/* The models that a person may have. */
enum having {
	HAS_SUBSCRIPTION, /* of Claude Code */
	HAS_CLAUDE_KEY,   /* a key of Anthropic, for Claude Code */
	HAS_KEY,          /* of a provider, for the agent 'native' */
	HAS_SERVER,       /* likewise */
	HAS_NOTHING,
};

struct having_choice {
	const char *name;
	const char *title;
	const char *setting; /* that takes the secret, or NULL */
	const char *question;
	const char *agent; /* for NANOCLAW_AGENT */
};

static const struct having_choice havings[] = {
	[HAS_SUBSCRIPTION] = {"claude", "Claude Code with a subscription",
		"CLAUDE_CODE_OAUTH_TOKEN",
		"Type 'claude setup-token' in another terminal, and paste the token here: ",
		"claude"},
	[HAS_CLAUDE_KEY] = {"key", "Claude Code with an Anthropic API key", "ANTHROPIC_API_KEY",
		"Paste the key here (sk-ant-...): ", "claude"},
	[HAS_KEY] = {NULL, "an API key: Anthropic, OpenAI, OpenRouter, Mistral, ...",
		.agent = "native"},
	[HAS_SERVER] = {NULL, "a server of your own: Ollama, llama.cpp, LM Studio, ...",
		.agent = "native"},
	[HAS_NOTHING] = {"nothing", "nothing yet: notes and reminders work without a model",
		.agent = "offline"},
};

/* The choice. */
struct setup {
	enum having having;
	struct setup_wish wish; /* its provider is NULL unless the agent is 'native' */
	char *url;              /* of the wish, if it was typed or found */
	char *secret;           /* for Claude Code */
	struct setup_model model;
};

static void setup_release(struct setup *setup)
{
	free(setup->url);
	credentials_wipe(setup->secret);
	setup_model_release(&setup->model);
}

static bool program_is_installed(const char *program)
{
	CLEANUP(freep) char *found = process_find(program);

	return found;
}

/* --- the choice ------------------------------------------------------ */

static int hint_with(struct error *err)
{
	CLEANUP(freep) char *names = provider_names();

	return error_hint(err, "'--with' takes claude, key, nothing, or one of %s", names);
}

static int find_having(const char *name, struct setup *setup, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(name));

	for (size_t i = 0; i < ARRAY_SIZE(havings); i++)
		if (havings[i].name && !strcmp(havings[i].name, name)) {
			setup->having = (enum having)i;
			return 0;
		}
	setup->wish.provider = provider_find(name);
	if (setup->wish.provider) {
		setup->having = setup->wish.provider->needs_key ? HAS_KEY : HAS_SERVER;
		return 0;
	}
	error_set(err, ERROR_INVALID, "'--with' cannot be %s", shown);
	return hint_with(err);
}

/* One of the providers that need a key, or one of the others. */
static int ask_provider(
	const struct ask *ask, bool needs_key, struct setup *setup, struct error *err)
{
	const struct provider *list[16];
	const char *titles[16];
	size_t count = 0;
	int choice;

	for (const struct provider *p = providers; p->name && count < ARRAY_SIZE(list); p++)
		if (p->needs_key == needs_key) {
			titles[count] = p->url ? p->title : "another one";
			list[count++] = p;
		}
	choice = ask->choose(ask->data, needs_key ? "Whose key is it?" : "Which server is it?",
		titles, count, 0, err);
	if (choice < 0)
		return -1;
	setup->wish.provider = list[choice];
	return 0;
}

/* "localhost:18471" is an address: the scheme is added, and 'http' where a server of one's own is. */
static char *address_of(const char *typed)
{
	size_t host = strcspn(typed, ":/");
	bool own = !memchr(typed, '.', host) || isdigit((unsigned char)*typed) ||
		   (host > 6 && !strncasecmp(typed + host - 6, ".local", 6));

	return strstr(typed, "://") ? xstrdup(typed)
				    : xasprintf("http%s://%s", own ? "" : "s", typed);
}

/* Enter alone keeps the address that there is. */
static int ask_address(struct setup *setup, struct error *err)
{
	const char *usual = setup->wish.url ? setup->wish.url : setup->wish.provider->url;
	CLEANUP(freep) char *typed = NULL;
	CLEANUP(freep)
	char *question = usual ? xasprintf("Its address? [%s] ", usual)
			       : xstrdup("Its address, such as localhost:8080? ");

	for (bool good = false; !good; free(typed), typed = NULL) {
		CLEANUP(api_address_release) struct api_address address = {0};
		CLEANUP(error_release) struct error why = ERROR_INIT;
		CLEANUP(freep) char *url = NULL;

		if (setup_read_line(question, usual, &typed, err) < 0)
			return -1;
		url = address_of(typed);
		good = api_address_parse(url, "", &address, &why) == 0;
		if (!good)
			printf("That is no address. One looks like localhost:8080 or "
			       "https://example.com/v1.\n");
		else if (!usual || strcmp(typed, usual) != 0) {
			free(setup->url);
			setup->wish.url = setup->url = TAKE(url);
		}
	}
	return 0;
}

static int ask_server(const struct ask *ask, struct setup *setup, struct error *err)
{
	return ask_provider(ask, false, setup, err) < 0 ? -1 : ask_address(setup, err);
}

/* Servers that run here are first, and recommended; then Claude Code, if it is installed. */
static int ask_having(const struct cli *cli, const struct settings *settings,
	struct setup *setup, struct error *err)
{
	CLEANUP(setup_servers_release) struct setup_servers found = {0};
	CLEANUP(buf_release) struct buf titles = BUF_INIT;
	struct ask ask = prompt_for(cli);
	const char *choices[32];
	enum having havings_of[32];
	size_t count = 0, servers, recommended;
	bool claude = program_is_installed("claude");
	int choice;

	if (!cli->interactive && !cli->yes) {
		error_set(err, ERROR_INVALID, "not a terminal, cannot ask what you have");
		return hint_with(err);
	}
	setup_model_search(settings, &found);
	servers = found.count;
	for (size_t i = 0; i < servers; i++)
		buf_appendf(&titles, "%s, which runs here with %zu model%s%c",
			found.list[i].provider->title, found.list[i].models,
			plural(found.list[i].models), '\0');
	for (size_t at = 0; count < servers; at += strlen(titles.data + at) + 1)
		choices[count++] = titles.data + at;
	for (size_t i = 0; i < ARRAY_SIZE(havings); i++)
		if (i != HAS_CLAUDE_KEY || claude) {
			havings_of[count] = (enum having)i;
			choices[count++] = havings[i].title;
		}
	recommended = servers || claude ? 0 : count - 1;
	choice = ask.choose(
		ask.data, "Which model can you use?", choices, count, recommended, err);
	if (choice < 0)
		return -1;
	if ((size_t)choice < servers) {
		setup->having = HAS_SERVER;
		setup->wish.provider = found.list[choice].provider;
		setup->wish.url = setup->url = TAKE(found.list[choice].url);
		return 0;
	}
	setup->having = havings_of[choice];
	if (setup->having == HAS_KEY)
		return ask_provider(&ask, true, setup, err);
	return setup->having == HAS_SERVER ? ask_server(&ask, setup, err) : 0;
}

/* --- Claude Code ------------------------------------------------------ */

/* Asks which models there are: that costs nothing, and needs a good key. */
static int try_claude(const struct assistant *assistant, const struct having_choice *having,
	const char *secret, struct error *err)
{
	const struct provider *provider = provider_find(PROVIDER_ANTHROPIC);
	CLEANUP(api_address_release) struct api_address address = {0};
	CLEANUP(model_entries_release) struct model_entries models = {0};
	struct model_probe probe = {
		.provider = provider,
		.address = &address,
		.title = provider->title,
		.credential = {credentials_kind(having->setting), having->setting, secret},
		.ca_file = settings_ca_file(&assistant->settings),
		.limit_ms = 30000,
	};

	if (provider_address(provider, settings_get(&assistant->settings, "ANTHROPIC_BASE_URL"),
		    "ANTHROPIC_BASE_URL", &address, err) < 0)
		return -1;
	return model_probe_list(&probe, &models, err);
}

static int setup_claude(const struct cli *cli, const struct assistant *assistant,
	struct setup *setup, struct error *err)
{
	const struct having_choice *having = &havings[setup->having];

	if (!program_is_installed("claude")) {
		error_set(err, ERROR_INVALID, "'claude' is not installed");
		return error_hint(err,
			"install it with '%s' (also on ARM), and type 'nanoclaw setup' again",
			CLAUDE_CODE_HOW);
	}
	if (setup_read_secret(cli, having->question, &setup->secret, err) < 0)
		return -1;
	return setup->wish.no_try ? 0 : try_claude(assistant, having, setup->secret, err);
}

/* --- trying, until it works ------------------------------------------------------- */

static int setup_once(const struct cli *cli, const struct assistant *assistant,
	struct setup *setup, struct error *err)
{
	if (setup->wish.provider)
		return setup_model_choose(
			cli, &setup->wish, &assistant->settings, &setup->model, err);
	return setup->having == HAS_NOTHING ? 0 : setup_claude(cli, assistant, setup, err);
}

/* A person who was asked is asked again: for the address of a server, else for the key. */
static int setup_until_it_works(const struct cli *cli, const struct assistant *assistant,
	bool asked, struct setup *setup, struct error *err)
{
	bool can_change = setup->wish.provider || program_is_installed("claude");

	while (setup_once(cli, assistant, setup, err) < 0) {
		if (!asked || !can_change || !cli->interactive || feof(stdin))
			return -1;
		printf("\nThat did not work: %s.\n", err->message);
		if (err->hint && !strstr(err->hint, "'--key'"))
			printf("You could do this: %s.\n", err->hint);
		printf("Please try again; Ctrl-C stops.\n");
		error_clear(err);
		credentials_wipe(TAKE(setup->secret));
		if (setup->having == HAS_SERVER && ask_address(setup, err) < 0)
			return -1;
	}
	return 0;
}

/* --- writing ---------------------------------------------------------------------- */

#define MAX_SETTINGS 16

struct settings_list {
	struct new_setting list[MAX_SETTINGS];
	size_t count;
};

static void add_setting(struct settings_list *settings, const char *name, const char *value)
{
	settings->list[settings->count++] = (struct new_setting){name, value};
}

/* Other secrets of the same provider would be taken instead. */
static void add_secret(struct settings_list *settings, const struct provider *provider,
	const char *name, const char *secret)
{
	for (size_t i = 0; secret && i < PROVIDER_MAX_KEYS && provider->keys[i]; i++)
		add_setting(settings, provider->keys[i],
			!strcmp(provider->keys[i], name) ? secret : NULL);
}

/* The key of another server must not go to this one. */
static void drop_old_key(struct settings_list *list, const struct settings *settings,
	const struct provider *provider, const char *url)
{
	const char *old = settings_get(settings, "NANOCLAW_PROVIDER");
	const char *old_url = settings_get(settings, "NANOCLAW_MODEL_URL");

	if (strcmp(old ? old : "", provider->name) != 0 ||
		strcmp(old_url ? old_url : "", url ? url : "") != 0)
		add_setting(list, PROVIDER_OWN_KEY, NULL);
}

/* Write the choice to .env. */
static int setup_write(
	const struct assistant *assistant, const struct setup *setup, struct error *err)
{
	const struct provider *provider = setup->wish.provider;
	const struct setup_model *model = &setup->model;
	CLEANUP(freep) char *context = xasprintf("%" PRId64, model->context);
	struct settings_list settings = {0};

	if (provider) {
		add_secret(&settings, provider, provider->usual_key, model->key);
		if (!model->key && !strcmp(provider->usual_key, PROVIDER_OWN_KEY))
			drop_old_key(&settings, &assistant->settings, provider, model->url);
		add_setting(&settings, "NANOCLAW_PROVIDER", provider->name);
		add_setting(&settings, "NANOCLAW_MODEL_URL", model->url);
		add_setting(&settings, "NANOCLAW_MODEL", model->name);
		add_setting(&settings, "NANOCLAW_CONTEXT", model->context ? context : NULL);
		add_setting(&settings, "NANOCLAW_MAX_OUTPUT", NULL);
		add_setting(&settings, "NANOCLAW_VISION", model->vision ? "yes" : NULL);
	} else {
		add_secret(&settings, provider_find(PROVIDER_ANTHROPIC),
			havings[setup->having].setting, setup->secret);
	}
	add_setting(&settings, "NANOCLAW_AGENT", havings[setup->having].agent);
	return settings_set(assistant->project.root, settings.list, settings.count, err);
}

/* --- the command ------------------------------------------------------------------ */

static void setup_print(const struct cli *cli, const struct setup *setup, bool running)
{
	const struct having_choice *having = &havings[setup->having];
	const char *with = setup->wish.provider ? setup->wish.provider->name : having->name;
	bool tried = (setup->wish.provider || setup->secret) && !setup->wish.no_try;

	if (cli->json)
		output_success(
			"agent:s with:s model:S", having->agent, with, setup->model.name);
	else
		printf("%s'.env' now has NANOCLAW_AGENT=%s. Run '%s'.\n",
			tried ? "It works. " : "", having->agent,
			running ? "nanoclaw restart" : "nanoclaw start");
}

static int run_setup(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(setup_release) struct setup setup = {0};
	const char *with = arguments_value(args, "with");
	int result;
	struct setup_wish *wish = &setup.wish;

	if (assistant_find(&assistant, err) < 0)
		return -1;
	wish->model = arguments_value(args, "model");
	if (arguments_value(args, "url"))
		wish->url = setup.url = address_of(arguments_value(args, "url"));
	wish->url_name = with ? "'--url'" : "the address";
	wish->has_key = arguments_flag(args, "key");
	wish->no_try = arguments_flag(args, "no-try");
	if ((wish->model || wish->url || wish->has_key) && !arguments_value(args, "with"))
		return error_set(err, ERROR_INVALID,
			"'--model', '--url' and '--key' need '--with PROVIDER'");
	if ((with ? find_having(with, &setup, err)
		  : ask_having(cli, &assistant.settings, &setup, err)) < 0)
		return -1;
	result = setup_until_it_works(cli, &assistant, !with, &setup, err);
	if (result < 0 && err->kind == ERROR_FAILED)
		return error_hint(err, "%s%s'.env' is as it was", err->hint ? err->hint : "",
			err->hint ? "; " : "");
	if (result < 0)
		return -1;
	if (setup_write(&assistant, &setup, err) < 0)
		return -1;
	client_connect(assistant.project.root, &assistant.client, &assistant.running, &ignored);
	setup_print(cli, &setup, assistant.running);
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "with", "WHAT", "what you have, instead of being asked"},
	{0, "model", "NAME", "the provider's name for the model"},
	{0, "url", "URL", "the address of the server, if it is not the usual one"},
	{0, "key", NULL, "read a key from standard input, for a server that wants one"},
	{0, "no-try", NULL, "write it without a request"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw setup", "asks what you have"},
	{"nanoclaw setup --with ollama --model qwen3:8b", "a local server"},
	{"nanoclaw setup --with openrouter --model qwen/qwen3-coder <key.txt",
		"for scripts: the key is on standard input"},
	{"nanoclaw setup --with custom --url http://192.168.1.5:8080/v1", "any other server"},
	{0},
};

COMMAND(setup) = {
	.name = "setup",
	.summary = "connect a model, or do without one",
	.description =
		"Asks what you have: a local server (it finds running ones), Claude Code, an API\n"
		"key of a provider, or nothing. The model is tried with one short request, and\n"
		"written to '.env', with the key. You can run it again at any time. WHAT is claude\n"
		"(Claude Code with a subscription), key (Claude Code with an Anthropic key), nothing,\n"
		"or a provider for NanoClaw's own agent: anthropic, deepseek, groq, llamacpp,\n"
		"lmstudio, mistral, ollama, openai, openrouter, vllm, or custom for any other server\n"
		"that speaks OpenAI's protocol.",
	.section = SECTION_START,
	.first = 2,
	.options = options,
	.examples = examples,
	.run = run_setup,
};
