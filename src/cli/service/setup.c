/*
 * Connect a model: ask what the person has, try it with one request, and write '.env'.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/quote.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/prompt.h"
#include "cli/service/welcome.h"
#include "format/json.h"
#include "gate/api_address.h"
#include "net/http_call.h"
#include "proc/process.h"

#define ANSWER_MAX      ((size_t)256 * 1024)
#define TRIAL_MS        30000
#define SECRET_MAX      4096
#define BASE_URL        "ANTHROPIC_BASE_URL"
#define AGENT_SETTING   "NANOCLAW_AGENT"
#define CLAUDE_CODE_HOW "npm install -g @anthropic-ai/claude-code"

/* The choices. */
static const struct choice {
	const char *name;
	const char *title;
	const char *setting; /* that takes the secret, or NULL */
	const char *header;  /* in which the API wants it */
	const char *extra;   /* another header, or NULL */
	const char *question;
	const char *agent;   /* for NANOCLAW_AGENT */
	const char *program; /* that it needs, or NULL */
} choices_[] = {
	{"claude", "Claude Code with a subscription", "CLAUDE_CODE_OAUTH_TOKEN",
		"authorization: Bearer ", "anthropic-beta: oauth-2025-04-20",
		"Type 'claude setup-token' in another terminal, and paste the token here: ",
		"claude", "claude"},
	{"key", "an Anthropic API key, for Claude Code", "ANTHROPIC_API_KEY",
		"x-api-key: ", NULL, "Paste the key here (sk-ant-...): ", "claude", "claude"},
	{"nothing", "nothing yet: notes and reminders work without a model", NULL, NULL, NULL,
		NULL, "offline", NULL},
};

static bool is_installed(const char *program)
{
	CLEANUP(freep) char *found = process_find(program);

	return found;
}

/* --- the choice ------------------------------------------------------ */

static int find_provider(
	const char *name, const struct choice **ret_provider, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(name));

	for (size_t i = 0; i < ARRAY_SIZE(choices_); i++)
		if (!strcmp(choices_[i].name, name)) {
			*ret_provider = &choices_[i];
			return 0;
		}
	error_set(err, ERROR_INVALID, "'--with' cannot be %s", shown);
	return error_hint(err, "it is 'claude', 'key' or 'nothing'");
}

static int ask_provider(
	const struct cli *cli, const struct choice **ret_provider, struct error *err)
{
	const char *choices[ARRAY_SIZE(choices_)];
	struct ask ask = prompt_for(cli);
	size_t recommended = is_installed("claude") ? 0 : ARRAY_SIZE(choices_) - 1;
	int choice;

	if (!cli->interactive && !cli->yes) {
		error_set(err, ERROR_INVALID, "not a terminal, cannot ask what you have");
		return error_hint(err, "'--with' says it: 'claude', 'key' or 'nothing'");
	}
	for (size_t i = 0; i < ARRAY_SIZE(choices_); i++)
		choices[i] = choices_[i].title;
	choice = ask.choose(ask.data, "Which model can you use?", choices, ARRAY_SIZE(choices_),
		recommended, err);
	if (choice < 0)
		return -1;
	*ret_provider = &choices_[choice];
	return 0;
}

/* One line, which a terminal does not show. */
static int read_secret(const struct cli *cli, const struct choice *provider, char **ret_secret,
	struct error *err)
{
	CLEANUP(freep) char *line = NULL;
	struct termios usual;
	struct view secret;
	size_t cap = 0;
	ssize_t len;

	if (cli->interactive) {
		struct termios silent;

		printf("%s", provider->question);
		fflush(stdout);
		tcgetattr(STDIN_FILENO, &usual);
		silent = usual;
		silent.c_lflag &= ~(tcflag_t)ECHO;
		tcsetattr(STDIN_FILENO, TCSANOW, &silent);
	}
	len = getline(&line, &cap, stdin);
	if (cli->interactive) {
		tcsetattr(STDIN_FILENO, TCSANOW, &usual);
		printf("\n");
	}
	secret = view_trim((struct view){line ? line : "", len > 0 ? (size_t)len : 0});
	for (size_t i = 0; i < secret.len; i++)
		if (secret.data[i] <= ' ' || secret.data[i] > '~' ||
			strchr("'\"\\#", secret.data[i]))
			secret.len = 0;
	if (!secret.len || secret.len > SECRET_MAX) {
		error_set(err, ERROR_INVALID, "this is not a key or token");
		return error_hint(err, "it is one word, in one line of standard input");
	}
	*ret_secret = xmemdupz(secret.data, secret.len);
	return 0;
}

/* --- one request --------------------------------------------------------------- */

/* The API's {"error": {"message": ...}}, or "". To be freed. */
static char *complaint_of(const struct http_reply *reply)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *json = NULL;
	const char *message = NULL;

	if (http_reply_json(reply, &json, &ignored) == 0)
		message = json_string_value(
			json_object_get(json_object_get(json, "error"), "message"));
	return output_first_line(message ? message : "");
}

struct trial {
	const char *origin;
	struct error *err; /* of the trial; set if it failed */
	bool failed;
};

static void trial_done(void *data, const struct http_reply *reply, const char *why)
{
	CLEANUP(freep) char *complaint = NULL;
	struct trial *trial = data;

	trial->failed = !reply || reply->status != 200;
	if (!reply) {
		error_set(trial->err, ERROR_FAILED, "%s cannot be reached: %s", trial->origin,
			why);
	} else if (trial->failed) {
		complaint = complaint_of(reply);
		error_set(trial->err, ERROR_FAILED, "%s refuses it (%d)%s%s", trial->origin,
			reply->status, *complaint ? ": " : "", complaint);
	}
}

/* One call, on a loop that ends with it. */
static int trial_run(struct trial *trial, const struct settings *settings,
	const struct http_call_request *request, struct error *err)
{
	struct network *network;
	struct http_call *call;
	uv_loop_t loop;
	int result;

	uv_loop_init(&loop);
	network_new(&(struct network_options){&loop, settings_ca_file(settings)}, &network);
	trial->err = err;
	result = http_call(network, request, trial_done, trial, &call, err);
	uv_run(&loop, UV_RUN_DEFAULT);
	network_close(network);
	uv_run(&loop, UV_RUN_DEFAULT);
	uv_loop_close(&loop);
	if (result < 0 || !trial->failed)
		return result;
	return error_hint(err, "'.env' is as it was");
}

/* Asks which models there are: that costs nothing, and needs a good key. */
static int try_request(const struct assistant *assistant, const struct choice *provider,
	const char *secret, struct error *err)
{
	CLEANUP(api_address_release) struct api_address address = {0};
	const char *base = settings_get(&assistant->settings, BASE_URL);
	CLEANUP(freep) char *header = xasprintf("%s%s", provider->header, secret);
	CLEANUP(freep) char *origin = NULL, *url = NULL;
	const char *const headers[] = {
		header, "anthropic-version: 2023-06-01", provider->extra, NULL};

	if (api_address_parse(
		    base && *base ? base : API_ADDRESS_DEFAULT, BASE_URL, &address, err) < 0)
		return -1;
	origin = api_address_origin(&address);
	url = xasprintf("%s%s/v1/models?limit=1", origin, address.path);
	return trial_run(&(struct trial){.origin = origin}, &assistant->settings,
		&(struct http_call_request){
			.http = {.method = "GET",
				.url = url,
				.headers = headers,
				.total_ms = TRIAL_MS},
			.max_body = ANSWER_MAX,
		},
		err);
}

/* --- the command ------------------------------------------------------------------ */

/* Secrets of the others would be taken instead. */
static int write_settings(const struct assistant *assistant, const struct choice *provider,
	const char *secret, struct error *err)
{
	for (size_t i = 0; secret && i < ARRAY_SIZE(choices_); i++)
		if (choices_[i].setting &&
			welcome_set(assistant->project.root, choices_[i].setting,
				&choices_[i] == provider ? secret : NULL, err) < 0)
			return -1;
	return welcome_set(assistant->project.root, AGENT_SETTING, provider->agent, err);
}

static int run_setup(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *with = arguments_value(args, "with");
	const struct choice *provider = NULL;
	CLEANUP(freep) char *secret = NULL;

	if (assistant_find(&assistant, err) < 0 ||
		(with ? find_provider(with, &provider, err)
		      : ask_provider(cli, &provider, err)) < 0)
		return -1;
	if (provider->program && !is_installed(provider->program)) {
		error_set(err, ERROR_INVALID, "'%s' is not installed", provider->program);
		return error_hint(err,
			"install it with '%s' (also on ARM), and type 'nanoclaw "
			"setup' again",
			CLAUDE_CODE_HOW);
	}
	if (provider->setting && read_secret(cli, provider, &secret, err) < 0)
		return -1;
	if (secret && !arguments_flag(args, "no-try") &&
		try_request(&assistant, provider, secret, err) < 0)
		return -1;
	if (write_settings(&assistant, provider, secret, err) < 0)
		return -1;
	client_connect(assistant.project.root, &assistant.client, &assistant.running, &ignored);
	if (cli->json)
		output_json(json_pack("{s:b, s:s, s:s}", "success", true, "agent",
			provider->agent, "with", provider->name));
	else
		printf("%s'.env' now has %s=%s. Run '%s'.\n", secret ? "It works. " : "",
			AGENT_SETTING, provider->agent,
			assistant.running ? "nanoclaw restart" : "nanoclaw start");
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "with", "claude|key|nothing", "what you have, instead of being asked"},
	{0, "no-try", NULL, "write it without a request to the API"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw setup", "asks what you have"},
	{"nanoclaw setup --with key <key.txt", "for scripts: the key is on standard input"},
	{0},
};

COMMAND(setup) = {
	.name = "setup",
	.summary = "connect a model, or do without one",
	.description =
		"Asks what you have: Claude Code with a subscription, an Anthropic API key, or\n"
		"nothing. A key or token is tried with one request that costs nothing, and written\n"
		"to '.env'. You can run it again at any time. ANTHROPIC_BASE_URL sets another\n"
		"address for the API.",
	.section = SECTION_START,
	.first = 2,
	.options = options,
	.examples = examples,
	.run = run_setup,
};
