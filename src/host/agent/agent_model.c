#include "host/agent/agent_model.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"

#define LEAST_CONTEXT 1024
#define MOST_CONTEXT  100000000

#define BASE_URL "ANTHROPIC_BASE_URL"

static const struct container_model nothing;

void agent_model_release(struct agent_model *model)
{
	api_address_release(&model->address);
	free(model->title);
	free(model->name);
	*model = AGENT_MODEL_INIT;
}

static int find_provider(const char *name, const char *setting,
	const struct provider **ret_provider, struct error *err)
{
	CLEANUP(freep) char *names = provider_names();
	CLEANUP(freep) char *shown = quote(view_of(name));

	*ret_provider = provider_find(name);
	if (!*ret_provider)
		return error_set(err, ERROR_INVALID, "%s is %s, but must be one of %s", setting,
			shown, names);
	return 0;
}

/* The installation's model. */
static int usual_provider(const struct settings *settings, const struct provider **ret_provider,
	struct error *err)
{
	const char *name = settings_get(settings, "NANOCLAW_PROVIDER");

	if (!name)
		name = settings_get(settings, "NANOCLAW_MODEL_URL") ? PROVIDER_CUSTOM
								    : PROVIDER_ANTHROPIC;
	return find_provider(name, "NANOCLAW_PROVIDER", ret_provider, err);
}

static int find_address(const struct settings *settings, const struct container_model *own,
	bool usual, struct agent_model *model, struct error *err)
{
	const char *url = own->url;
	const char *setting = "model.url";

	if (!url && usual) {
		setting = "NANOCLAW_MODEL_URL";
		url = settings_get(settings, setting);
	}
	if (!url && !strcmp(model->provider->name, PROVIDER_ANTHROPIC)) {
		setting = BASE_URL;
		url = settings_get(settings, setting);
	}
	if (provider_address(model->provider, url, setting, &model->address, err) < 0)
		return -1;
	model->needs_key =
		model->provider->needs_key && provider_is_at(model->provider, &model->address);
	model->title = strcmp(model->provider->name, PROVIDER_CUSTOM) != 0
			       ? xstrdup(model->provider->title)
			       : xasprintf("%s:%s", model->address.host, model->address.port);
	return 0;
}

/*
 * Does the installation's key belong to a server without a known name, and is this another
 * server?
 */
static bool is_keyless(const struct settings *settings, const struct provider *usual,
	const struct agent_model *model)
{
	CLEANUP(api_address_release) struct api_address address = {0};
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *url = settings_get(settings, "NANOCLAW_MODEL_URL");

	if (!url || strcmp(usual->usual_key, PROVIDER_OWN_KEY) != 0 ||
		strcmp(model->provider->usual_key, PROVIDER_OWN_KEY) != 0)
		return false;
	return provider_address(usual, url, "", &address, &ignored) < 0 ||
	       address.tls != model->address.tls ||
	       strcasecmp(address.host, model->address.host) != 0 ||
	       strcmp(address.port, model->address.port) != 0;
}

/* Without a setting, keeps the earlier value. */
static int read_vision(const struct settings *settings, bool *vision, struct error *err)
{
	const char *text = settings_get(settings, "NANOCLAW_VISION");
	CLEANUP(freep) char *shown = quote(view_of(text ? text : ""));

	if (!text)
		return 0;
	*vision = !strcmp(text, "yes") || !strcmp(text, "1");
	if (!*vision && strcmp(text, "no") != 0 && strcmp(text, "0") != 0)
		return error_set(err, ERROR_INVALID,
			"NANOCLAW_VISION is %s, and must be yes or no", shown);
	return 0;
}

/* Settings of the installation's model. */
static int read_usual(
	const struct settings *settings, struct agent_model *model, struct error *err)
{
	const char *name = settings_get(settings, "NANOCLAW_MODEL");

	model->name = name ? xstrdup(name) : NULL;
	if (settings_number(settings, "NANOCLAW_CONTEXT", LEAST_CONTEXT, MOST_CONTEXT, 0,
		    &model->context, err) < 0 ||
		settings_number(settings, "NANOCLAW_MAX_OUTPUT", 1, MOST_CONTEXT, 0,
			&model->max_output, err) < 0)
		return -1;
	return read_vision(settings, &model->vision, err);
}

int agent_model_find(const struct settings *settings, const struct container_model *own,
	struct agent_model *ret_model, struct error *err)
{
	CLEANUP(agent_model_release) struct agent_model model = AGENT_MODEL_INIT;
	const struct provider *usual;
	const char *name;

	own = own ? own : &nothing;
	name = own->provider ? own->provider : own->url ? PROVIDER_CUSTOM : NULL;
	if (usual_provider(settings, &usual, err) < 0)
		return -1;
	model.provider = usual;
	if ((name && find_provider(name, "model.provider", &model.provider, err) < 0) ||
		find_address(settings, own, model.provider == usual && !own->url, &model, err) <
			0)
		return -1;
	model.no_key = is_keyless(settings, usual, &model);
	model.vision = !strcmp(model.provider->name, PROVIDER_ANTHROPIC);
	if (model.provider == usual && !own->url && !own->name) {
		if (read_usual(settings, &model, err) < 0)
			return -1;
	} else if (own->name) {
		model.name = xstrdup(own->name);
	}
	if (own->context)
		model.context = (int64_t)own->context;
	if (own->max_output)
		model.max_output = (int64_t)own->max_output;
	if (own->says_vision)
		model.vision = own->vision;
	*ret_model = model;
	model = AGENT_MODEL_INIT;
	return 0;
}

int agent_model_find_claude(const struct settings *settings, const struct container_model *own,
	struct agent_model *ret_model, struct error *err)
{
	CLEANUP(agent_model_release) struct agent_model model = AGENT_MODEL_INIT;

	if (agent_model_find(settings, own, &model, err) < 0)
		return -1;
	if (strcmp(model.provider->name, PROVIDER_ANTHROPIC) != 0) {
		agent_model_release(&model);
		model.provider = provider_find(PROVIDER_ANTHROPIC);
		if (find_address(settings, &nothing, false, &model, err) < 0)
			return -1;
	}
	*ret_model = model;
	model = AGENT_MODEL_INIT;
	return 0;
}

bool agent_model_is_set(const struct settings *settings, const struct container_model *own)
{
	return own->provider || own->url || settings_get(settings, "NANOCLAW_PROVIDER") ||
	       settings_get(settings, "NANOCLAW_MODEL_URL") || settings_get(settings, BASE_URL);
}
