/*
 * Providers of models: those that are known by name, each with its address, the protocol that
 * it speaks, and the names of the settings that may hold its key.
 *
 *	provider = provider_find("openrouter");
 *	if (!provider)
 *		… provider_names() lists those that exist
 *
 * "custom" is any other server that speaks OpenAI's protocol: its address is a setting.
 *
 * Agents reach of a provider what provider_serves() allows: requests to a model, and the list
 * of models. The rest belongs to the whole account: files, batches, stored answers and
 * fine-tuned models that other groups have made, what is paid for without being counted, and
 * new keys.
 */
#ifndef GATE_PROVIDER_H
#define GATE_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/view.h"
#include "gate/api_address.h"

enum api_protocol {
	API_ANTHROPIC, /* POST …/v1/messages */
	API_OPENAI,    /* POST …/chat/completions */
};

/* "anthropic", "openai" */
extern const char *const api_protocol_names[];

#define PROVIDER_MAX_KEYS 3

#define PROVIDER_ANTHROPIC "anthropic"
#define PROVIDER_CUSTOM    "custom"

/* The key of a server that is not known by name, and of a local one that wants a key. */
#define PROVIDER_OWN_KEY "NANOCLAW_MODEL_KEY"

struct provider {
	const char *name;
	const char *title; /* for people */
	const char *url;   /* NULL: it has to be given */
	enum api_protocol protocol;
	const char *keys
		[PROVIDER_MAX_KEYS]; /* settings for its key; the first that is set counts */
	const char *usual_key;       /* the one of these that people are told about */
	bool needs_key;              /* at this address */
	bool is_local;               /* runs on a machine of the user, and costs nothing */
	bool tells_price;            /* in the usage of an answer, in dollars */
};

/* Ends with one without a name. */
extern const struct provider providers[];

/* NULL if there is none of this name. */
const struct provider *provider_find(const char *name);

/* "anthropic, custom, …", for messages. To be freed. */
char *provider_names(void);

/*
 * The address of its API. `url` NULL is its usual one; with OpenAI's protocol an address
 * without a path gets "/v1". `setting` is what the URL was written in, for the message.
 */
int provider_address(const struct provider *provider, const char *url, const char *setting,
	struct api_address *ret_address, struct error *err);

/* Is this its own address, where it wants its key, and not a gateway or a server of the user? */
bool provider_is_at(const struct provider *provider, const struct api_address *address);

/* What stands before "/messages" or "/chat/completions" in a target: "/v1". To be freed. */
char *provider_path(const struct provider *provider, const struct api_address *address);

/*
 * May an agent ask for this target, which api_address_covers()? With Anthropic's protocol and
 * an address that is not Anthropic's, everything below it.
 */
bool provider_serves(const struct provider *provider, const struct api_address *address,
	struct view method, struct view target);

/* Is it a request to a model: one that takes tokens? */
bool provider_is_asked(const struct provider *provider, const struct api_address *address,
	struct view method, struct view target);

#endif
