/*
 * Asks a provider from outside a running host: which models it has, and whether one of them
 * answers. For `nanoclaw setup` and `nanoclaw doctor`.
 *
 *	struct model_probe probe = {.provider = …, .address = …, .title = "Ollama", …};
 *
 *	model_probe_list(&probe, &models, err)
 *	model_probe_try(&probe, "qwen3:8b", &models, err)
 *
 * Each call returns when the server has answered. An error is written for a person: the server's
 * message, and the next step as a hint. `fault` is its kind.
 */
#ifndef GATE_MODEL_PROBE_H
#define GATE_MODEL_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gate/credentials.h"
#include "gate/provider.h"

enum model_fault {
	MODEL_FAULT_NONE,
	MODEL_FAULT_ABSENT,  /* nothing answers at its address */
	MODEL_FAULT_KEY,     /* the key is missing or refused */
	MODEL_FAULT_UNKNOWN, /* there is no such model */
	MODEL_FAULT_TOOLS,   /* it cannot use tools, which an agent needs */
	MODEL_FAULT_MONEY,   /* the account has no credit left */
	MODEL_FAULT_OTHER,
};

struct model_probe {
	const struct provider *provider;
	const struct api_address *address;
	const char *title; /* of the provider, for messages */
	struct credential credential;
	const char *ca_file;    /* or NULL */
	uint64_t limit_ms;      /* 0: two minutes */
	enum model_fault fault; /* set by each call */
};

struct model_entry {
	char *name;
	int64_t context; /* tokens; 0: the server does not report it */
	bool vision;     /* the server reports that it accepts images */
};

struct model_entries {
	struct model_entry *list; /* in the server's order */
	size_t count;
	size_t cap;
};

void model_entries_release(struct model_entries *entries);

/* NULL if it is not among them. */
const struct model_entry *model_entries_find(
	const struct model_entries *entries, const char *name);

/* If the server has no such list, it is empty, without an error. */
int model_probe_list(
	struct model_probe *probe, struct model_entries *ret_entries, struct error *err);

/* One short request, with a tool in it, as agents send them. `known` may be NULL. */
int model_probe_try(struct model_probe *probe, const char *model,
	const struct model_entries *known, struct error *err);

#endif
