/*
 * The model of a group: who provides it, where, and what it is called. A person sets it for the
 * installation, and in container.json for a group:
 *
 *	setting			container.json		meaning
 *	NANOCLAW_PROVIDER	model.provider		one of gate/provider.h; "anthropic" if nothing
 *							is said, "custom" if only the address is
 *	NANOCLAW_MODEL_URL	model.url		the address of its API, if not the usual one
 *	NANOCLAW_MODEL		model.name		what the provider calls the model
 *	NANOCLAW_CONTEXT	model.context		tokens that it takes at once; else not known
 *	NANOCLAW_MAX_OUTPUT	model.maxOutput		tokens of an answer at most
 *	NANOCLAW_VISION		model.vision		does it take images? Anthropic's do, others
 *							do not, if nothing is said
 *
 * For Anthropic, ANTHROPIC_BASE_URL is the address unless one of these sets another.
 *
 * A group that names another provider or address uses none of the installation's other settings:
 * one provider's model does not exist at another, and a key never goes to a server that it was not
 * meant for. A group that names only another model keeps the provider and address.
 *
 * Servers without a known name share NANOCLAW_MODEL_KEY. If NANOCLAW_MODEL_URL is the address of
 * such a server, the key is for that server alone.
 */
#ifndef HOST_AGENT_AGENT_MODEL_H
#define HOST_AGENT_AGENT_MODEL_H

#include "gate/provider.h"
#include "group/container.h"
#include "host/base/settings.h"

struct agent_model {
	const struct provider *provider; /* NULL: there is no model */
	struct api_address address;
	bool needs_key;
	bool no_key;        /* the one that is set is for another server */
	char *title;        /* of the provider, for people: "Ollama", "192.168.1.5:8080" */
	char *name;         /* NULL: not configured */
	int64_t context;    /* 0: not known */
	int64_t max_output; /* likewise */
	bool vision;
};

#define AGENT_MODEL_INIT ((struct agent_model){0})

void agent_model_release(struct agent_model *model);

/* `own` is the group's setting, or NULL. ERROR_INVALID has a message for the person. */
int agent_model_find(const struct settings *settings, const struct container_model *own,
	struct agent_model *ret_model, struct error *err);

/* The same for Claude Code: if the model is not Anthropic's, Anthropic's API without a model. */
int agent_model_find_claude(const struct settings *settings, const struct container_model *own,
	struct agent_model *ret_model, struct error *err);

/* Does any setting say where an agent that is a command line finds its API? */
bool agent_model_is_set(const struct settings *settings, const struct container_model *own);

#endif
