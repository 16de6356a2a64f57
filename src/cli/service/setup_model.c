#include "cli/service/setup_model.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "gate/model_probe.h"

#define SECRET_MAX 4096
#define SEARCH_MS  1500
#define MAX_SHOWN  20 /* models in a list to choose from */

void setup_servers_release(struct setup_servers *servers)
{
	for (size_t i = 0; i < servers->count; i++)
		free(servers->list[i].url);
	free(servers->list);
	*servers = (struct setup_servers){0};
}

void setup_model_release(struct setup_model *model)
{
	free(model->url);
	credentials_wipe(model->key);
	free(model->name);
	*model = (struct setup_model){0};
}

/* --- what is typed ----------------------------------------------------------- */

int setup_read_line(const char *question, const char *usual, char **ret_line, struct error *err)
{
	CLEANUP(freep) char *line = NULL;
	struct view typed;
	size_t cap = 0;
	ssize_t len;

	printf("%s", question);
	fflush(stdout);
	len = getline(&line, &cap, stdin);
	if (len < 0)
		return error_set(err, ERROR_INVALID, "no answer");
	typed = view_trim((struct view){line, (size_t)len});
	*ret_line = typed.len || !usual ? xmemdupz(typed.data, typed.len) : xstrdup(usual);
	return 0;
}

/* The terminal as it was before a secret was asked for. */
static struct termios usual_terminal;

/* So the shell finds the terminal unchanged, even after Ctrl-C. */
static void die_of_signal(int number)
{
	tcsetattr(STDIN_FILENO, TCSANOW, &usual_terminal);
	signal(number, SIG_DFL);
	raise(number);
}

/* Show the typed characters, or hide them. */
static void show_typing(bool show)
{
	static const int deadly[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
	struct termios silent;

	if (!show) {
		tcgetattr(STDIN_FILENO, &usual_terminal);
		silent = usual_terminal;
		silent.c_lflag &= ~(tcflag_t)ECHO;
	}
	for (size_t i = 0; i < ARRAY_SIZE(deadly); i++)
		signal(deadly[i], show ? SIG_DFL : die_of_signal);
	tcsetattr(STDIN_FILENO, TCSANOW, show ? &usual_terminal : &silent);
}

int setup_read_secret(
	const struct cli *cli, const char *question, char **ret_secret, struct error *err)
{
	CLEANUP(freep) char *line = NULL;
	struct view secret;
	size_t cap = 0;
	ssize_t len;

	if (cli->interactive) {
		show_typing(false);
		printf("%s", question);
		fflush(stdout);
	}
	len = getline(&line, &cap, stdin);
	if (cli->interactive) {
		show_typing(true);
		printf("\n");
	}
	secret = view_trim((struct view){line ? line : "", len > 0 ? (size_t)len : 0});
	for (size_t i = 0; i < secret.len; i++)
		if (secret.data[i] <= ' ' || secret.data[i] > '~' ||
			strchr("'\"\\#", secret.data[i]))
			secret.len = 0;
	if (!secret.len || secret.len > SECRET_MAX) {
		error_set(err, ERROR_INVALID, "this is not a key or token");
		return error_hint(err, "it must be one word on one line of standard input");
	}
	*ret_secret = xmemdupz(secret.data, secret.len);
	return 0;
}

/* --- servers of this machine ------------------------------------------------- */

static size_t models_at(
	const struct provider *provider, const char *url, const struct settings *settings)
{
	CLEANUP(api_address_release) struct api_address address = {0};
	CLEANUP(model_entries_release) struct model_entries models = {0};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct model_probe probe = {
		.provider = provider,
		.address = &address,
		.title = provider->title,
		.ca_file = settings_ca_file(settings),
		.limit_ms = SEARCH_MS,
	};

	if (provider_address(provider, url, "NANOCLAW_MODEL_URL", &address, &ignored) < 0 ||
		model_probe_list(&probe, &models, &ignored) < 0)
		return 0;
	return models.count;
}

void setup_model_search(const struct settings *settings, struct setup_servers *ret_servers)
{
	const char *set = settings_get(settings, "NANOCLAW_PROVIDER");

	*ret_servers = (struct setup_servers){0};
	for (const struct provider *p = providers; p->name; p++) {
		bool is_set = set && !strcmp(set, p->name);
		const char *url = is_set ? settings_get(settings, "NANOCLAW_MODEL_URL") : NULL;
		size_t models = p->is_local ? models_at(p, url, settings) : 0;

		if (!models)
			continue;
		GROW(ret_servers->list, ret_servers->count, ret_servers->cap);
		ret_servers->list[ret_servers->count++] =
			(struct setup_server){p, url ? xstrdup(url) : NULL, models};
	}
}

/* --- the model --------------------------------------------------------------- */

/* Those with this part in their name; "" shows the first ones. The only one, or NULL. */
static const struct model_entry *show_models(
	const struct model_entries *models, const char *part)
{
	const struct model_entry *only = NULL;
	size_t count = 0;

	for (size_t i = 0; i < models->count; i++) {
		if (!strcasestr(models->list[i].name, part))
			continue;
		only = &models->list[i];
		count++;
	}
	if (count == 1 && *part)
		return only;
	if (!count)
		printf("No model has '%s' in its name.\n", part);
	for (size_t i = 0, shown = 0; i < models->count && shown < MAX_SHOWN; i++)
		if (strcasestr(models->list[i].name, part)) {
			printf("  [%zu] %s\n", i + 1, models->list[i].name);
			shown++;
		}
	if (count > MAX_SHOWN)
		printf("  ... and %zu more: type a part of the name to see which\n",
			count - MAX_SHOWN);
	return NULL;
}

/* By its number, its name, or a part of that which no other has. */
static int ask_model(const struct model_entries *models, char **ret_name, struct error *err)
{
	const struct model_entry *chosen = NULL;

	if (!models->count)
		return setup_read_line("What is the model called? ", NULL, ret_name, err);
	printf("Which model?\n");
	show_models(models, "");
	while (!chosen) {
		CLEANUP(freep) char *typed = NULL;
		unsigned long number;
		char *end;

		if (setup_read_line("> ", NULL, &typed, err) < 0)
			return -1;
		number = strtoul(typed, &end, 10);
		chosen = model_entries_find(models, typed);
		if (!chosen && *typed && !*end && number >= 1 && number <= models->count)
			chosen = &models->list[number - 1];
		if (!chosen)
			chosen = show_models(models, typed);
	}
	*ret_name = xstrdup(chosen->name);
	return 0;
}

static int choose_model(const struct cli *cli, const struct setup_wish *wish,
	const struct model_entries *models, char **ret_name, struct error *err)
{
	if (wish->model) {
		*ret_name = xstrdup(wish->model);
		return 0;
	}
	if (!models->count && !strcmp(wish->provider->name, "ollama")) {
		error_set(err, ERROR_INVALID, "Ollama has no model yet");
		return error_hint(err, "'ollama pull qwen3:8b' gets one that can use tools");
	}
	if (models->count == 1 || (models->count && cli->yes)) {
		*ret_name = xstrdup(models->list[0].name);
		return 0;
	}
	if (cli->interactive && !cli->yes)
		return ask_model(models, ret_name, err);
	if (!models->count)
		error_set(err, ERROR_INVALID, "the server does not list its models");
	else
		error_set(err, ERROR_INVALID,
			"not a terminal, cannot ask which of %zu models to use", models->count);
	return error_hint(err, "'--model' says which");
}

static int read_key(const struct cli *cli, struct model_probe *probe, struct setup_model *model,
	struct error *err)
{
	CLEANUP(freep) char *question = xasprintf("Paste the key of %s here: ", probe->title);

	if (setup_read_secret(cli, question, &model->key, err) < 0)
		return -1;
	probe->credential = (struct credential){credentials_kind(probe->provider->usual_key),
		probe->provider->usual_key, model->key};
	return 0;
}

/* A server that wants a key although it usually needs none is asked again with one. */
static int list_models(const struct cli *cli, struct model_probe *probe,
	struct setup_model *model, struct model_entries *ret_models, struct error *err)
{
	if (model_probe_list(probe, ret_models, err) == 0)
		return 0;
	if (probe->fault != MODEL_FAULT_KEY || model->key || !cli->interactive)
		return -1;
	printf("%s.\n", err->message);
	error_clear(err);
	return read_key(cli, probe, model, err) < 0 ? -1
						    : model_probe_list(probe, ret_models, err);
}

static int try_model(const struct cli *cli, const struct setup_wish *wish,
	struct model_probe *probe, struct setup_model *model, struct error *err)
{
	CLEANUP(model_entries_release) struct model_entries models = {0};
	const struct model_entry *known;

	if (list_models(cli, probe, model, &models, err) < 0 ||
		choose_model(cli, wish, &models, &model->name, err) < 0)
		return -1;
	if (!cli->json && !cli->quiet)
		printf("Asking %s for a word ...\n", model->name);
	fflush(stdout);
	if (model_probe_try(probe, model->name, &models, err) < 0)
		return -1;
	known = model_entries_find(&models, model->name);
	model->context = known ? known->context : 0;
	model->vision = known && known->vision;
	return 0;
}

int setup_model_choose(const struct cli *cli, const struct setup_wish *wish,
	const struct settings *settings, struct setup_model *ret_model, struct error *err)
{
	CLEANUP(api_address_release) struct api_address address = {0};
	CLEANUP(setup_model_release) struct setup_model model = {0};
	bool anthropic = !strcmp(wish->provider->name, PROVIDER_ANTHROPIC);
	const char *base = anthropic ? settings_get(settings, "ANTHROPIC_BASE_URL") : NULL;
	CLEANUP(freep) char *title = NULL;
	struct model_probe probe = {
		.provider = wish->provider,
		.address = &address,
		.ca_file = settings_ca_file(settings),
	};

	if (provider_address(wish->provider, wish->url ? wish->url : base,
		    base && !wish->url ? "ANTHROPIC_BASE_URL" : wish->url_name, &address,
		    err) < 0)
		return -1;
	title = strcmp(wish->provider->name, PROVIDER_CUSTOM) != 0
			? xstrdup(wish->provider->title)
			: xasprintf("%s:%s", address.host, address.port);
	probe.title = title;
	model.url = wish->url ? xstrdup(wish->url) : NULL;
	if (wish->no_try && !wish->model)
		return error_set(err, ERROR_INVALID, "'--no-try' needs '--model'");
	if ((wish->has_key || (wish->provider->needs_key && !wish->url)) &&
		read_key(cli, &probe, &model, err) < 0)
		return -1;
	if (wish->no_try)
		model.name = xstrdup(wish->model);
	else if (try_model(cli, wish, &probe, &model, err) < 0)
		return -1;
	*ret_model = model;
	model = (struct setup_model){0};
	return 0;
}
