#include "agent/native/setup.h"

#include <stdlib.h>
#include <string.h>

#include "agent/native/wire/ask.h"
#include "base/utf8.h"

/* Windows that were not said: what Claude has, and what other models have at least. */
#define ANTHROPIC_WINDOW 200000
#define OTHER_WINDOW     32768
#define ANTHROPIC_OUTPUT 8192
#define SMALLEST_WINDOW  2048
#define LARGEST_WINDOW   10000000

static const char *setup_text(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value && *value && utf8_valid(view_of(value)) ? value : otherwise;
}

static int64_t setup_number(const char *name, int64_t otherwise, int64_t max)
{
	const char *value = setup_text(name, "");
	char *end;
	long long number = strtoll(value, &end, 10);

	return *value && !*end && number > 0 ? (number < max ? number : max) : otherwise;
}

int setup_read(struct setup *setup, struct error *err)
{
	const char *api = setup_text("NANOCLAW_API", "");
	const char *home = setup_text("HOME", "/");

	setup->home = xasprintf("%s/.claude", home);
	setup->sessions = xasprintf("%s/native", setup->home);
	setup->outputs = xasprintf("%s/native/outputs", setup->home);
	setup->wire = wire_find(api);
	setup->address = setup_text("NANOCLAW_API_SOCKET", "");
	setup->prefix = setup_text("NANOCLAW_API_PATH", "/v1");
	setup->model = setup_text("NANOCLAW_MODEL", "");
	setup->provider = setup_text("NANOCLAW_PROVIDER", "the server of the model");
	setup->window = setup_number("NANOCLAW_CONTEXT",
		setup->wire == &wire_anthropic ? ANTHROPIC_WINDOW : OTHER_WINDOW,
		LARGEST_WINDOW);
	if (setup->window < SMALLEST_WINDOW)
		setup->window = SMALLEST_WINDOW;
	setup->max_output = setup_number("NANOCLAW_MAX_OUTPUT", 0, LARGEST_WINDOW);
	/* Anthropic's API requires a limit. */
	if (!setup->max_output && setup->wire == &wire_anthropic)
		setup->max_output = setup->window / 4 < ANTHROPIC_OUTPUT ? setup->window / 4
									 : ANTHROPIC_OUTPUT;
	setup->retry_ms = setup_number("NANOCLAW_RETRY_MS", ASK_USUAL_RETRY_MS, 60000);
	setup->stall_ms = (int)setup_number("NANOCLAW_STALL_MS", ASK_USUAL_STALL_MS, 3600000);
	setup->vision = !strcmp(setup_text("NANOCLAW_VISION", ""), "1");
	if (!setup->wire)
		return error_set(err, ERROR_INVALID,
			"I cannot reach my model: NANOCLAW_API must be "
			"'anthropic' or 'openai'. 'nanoclaw setup' sets it.");
	if (!*setup->address)
		return error_set(err, ERROR_INVALID,
			"I cannot reach my model: NANOCLAW_API_SOCKET is not set. "
			"'nanoclaw setup' sets it.");
	if (!*setup->model)
		return error_set(err, ERROR_INVALID,
			"No model is chosen for me. 'nanoclaw setup' lists the models that %s "
			"has, and sets one.",
			setup->provider);
	return 0;
}

void setup_release(struct setup *setup)
{
	free(setup->home);
	free(setup->sessions);
	free(setup->outputs);
}
