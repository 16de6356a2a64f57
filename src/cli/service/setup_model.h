/*
 * The part of `nanoclaw setup` that finds a model for the agent `native`: servers that run on
 * this machine, the models of a provider, and one that answers.
 *
 *	setup_model_search(cli, settings, &found)	which local servers run?
 *	setup_model_choose(cli, &wish, settings, &model, err)
 */
#ifndef CLI_SERVICE_SETUP_MODEL_H
#define CLI_SERVICE_SETUP_MODEL_H

#include "cli/command.h"
#include "gate/provider.h"
#include "host/base/settings.h"

/* A server that runs here. */
struct setup_server {
	const struct provider *provider;
	char *url; /* or NULL: its usual address */
	size_t models;
};

struct setup_servers {
	struct setup_server *list;
	size_t count;
	size_t cap;
};

void setup_servers_release(struct setup_servers *servers);

/* Local servers at their usual addresses, and at the one that is set. Takes a second or two. */
void setup_model_search(const struct settings *settings, struct setup_servers *ret_servers);

struct setup_wish {
	const struct provider *provider;
	const char *url;      /* or NULL */
	const char *url_name; /* as the person knows it, for messages */
	const char *model;    /* or NULL: to be asked for */
	bool has_key; /* the key is on standard input, even for a provider that needs none */
	bool no_try;  /* no request is made */
};

struct setup_model {
	char *url; /* NULL: the usual one */
	char *key; /* or NULL */
	char *name;
	int64_t context; /* 0: not known */
	bool vision;
};

void setup_model_release(struct setup_model *model);

/* ERROR_INVALID if a question is necessary and there is no terminal. */
int setup_model_choose(const struct cli *cli, const struct setup_wish *wish,
	const struct settings *settings, struct setup_model *ret_model, struct error *err);

/* One line that a terminal does not show: a key or a token. ERROR_INVALID if it is not one. */
int setup_read_secret(
	const struct cli *cli, const char *question, char **ret_secret, struct error *err);

/* One line that was typed, without space around it; `usual` for an empty one. To be freed. */
int setup_read_line(
	const char *question, const char *usual, char **ret_line, struct error *err);

#endif
