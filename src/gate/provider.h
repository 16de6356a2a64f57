/*
 * Providers of models that are known by name, each with its address, its protocol, and the names
 * of the settings that may hold its key.
 *
 *	provider = provider_find("openrouter");
 *	if (!provider)
 *		… provider_names() lists the known ones
 *
 * "custom" is any other server that speaks OpenAI's protocol: its address is a setting.
 *
 * provider_serves() lets agents send requests to a model and list the models. Everything else
 * belongs to the whole account: files, batches, stored answers and fine-tuned models of other
 * groups, services whose cost is not counted, and new keys.
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

/* The key for a server without a known name, or for a local one that requires a key. */
#define PROVIDER_OWN_KEY "NANOCLAW_MODEL_KEY"

struct provider {
	const char *name;
	const char *title; /* for people */
	const char *url;   /* NULL: a setting gives it */
	enum api_protocol protocol;
	const char *keys
		[PROVIDER_MAX_KEYS]; /* settings for its key; the first one that is set is used */
	const char *usual_key;       /* the one that messages name */
	bool needs_key;              /* at this address */
	bool is_local;               /* runs on the user's own machine */
	bool tells_price;            /* the usage in an answer has the price in dollars */
};

/* Ends with an entry without a name. */
extern const struct provider providers[];

/* NULL if the name is unknown. */
const struct provider *provider_find(const char *name);

/* "anthropic, custom, …", for messages. To be freed. */
char *provider_names(void);

/*
 * The address of its API. `url` NULL is its usual one; with OpenAI's protocol an address
 * without a path gets "/v1". `setting` is the name of the URL's setting, for the message.
 */
int provider_address(const struct provider *provider, const char *url, const char *setting,
	struct api_address *ret_address, struct error *err);

/* Is this the provider's own address, which needs its key, and not the user's own server? */
bool provider_is_at(const struct provider *provider, const struct api_address *address);

/* Do its answers cost nothing? A local server, or any on this machine, is the user's own. */
bool provider_is_free(const struct provider *provider, const struct api_address *address);

/* The part of a target before "/messages" or "/chat/completions": "/v1". To be freed. */
char *provider_path(const struct provider *provider, const struct api_address *address);

/*
 * May an agent request this target, which api_address_covers()? With Anthropic's protocol and
 * another address than Anthropic's, it may request everything below that address.
 */
bool provider_serves(const struct provider *provider, const struct api_address *address,
	struct view method, struct view target);

/* Is it a request to a model, which uses tokens? */
bool provider_is_asked(const struct provider *provider, const struct api_address *address,
	struct view method, struct view target);

#endif
