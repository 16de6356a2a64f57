/*
 * Gates of agents whose models speak OpenAI's protocol, before an API that is played on
 * loopback: keys, paths, and what is counted.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "base/view.h"
#include "place.h"
#include "upstream.h"

#define KEYS                                                                                   \
	"ANTHROPIC_API_KEY=key-of-anthropic\nOPENAI_API_KEY=key-of-openai\n"                   \
	"OPENROUTER_API_KEY=key-of-openrouter\nNANOCLAW_MODEL_KEY=key-of-own\n"

static struct upstream_server server;
static struct place place;

/* `path` says what the API does (upstream.h). */
static void begin(const char *provider, const char *path)
{
	CLEANUP(freep) char *url = NULL;

	upstream_server_start(&server);
	url = xasprintf("http://127.0.0.1:%u%s", server.port, path);
	place_start(&place, &(struct place_options){.provider = provider, .url = url});
	place_env(&place, KEYS);
}

static bool end(void)
{
	bool ok = place_stop(&place);

	upstream_server_stop(&server);
	return ok;
}

static void ask(const char *path, const char *body, struct reply *reply)
{
	CLEANUP(freep)
	char *text = xasprintf("POST %s/chat/completions HTTP/1.1\r\nHost: h\r\n"
			       "Content-Length: %zu\r\n\r\n%s",
		path, strlen(body), body);

	place_once(&place, text, reply);
}

/* --- keys -------------------------------------------------------------------- */

static const struct {
	const char *provider;
	const char *key; /* as the API has it */
} keys[] = {
	{"openai", "KEY-OF-OPENAI"},
	{"openrouter", "KEY-OF-OPENROUTER"},
	{"ollama", "KEY-OF-OWN"},
	{"custom", "KEY-OF-OWN"},
	{"groq", NULL},
};

static bool each_provider_gets_its_own_key_and_the_agent_none(void)
{
	bool ok = true;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		CLEANUP(reply_release) struct reply reply;
		CLEANUP(freep)
		char *line = xasprintf("\r\nauthorization: Bearer %s\r\n", keys[i].key);

		begin(keys[i].provider, "/echo");
		place_once(&place,
			"GET /echo/models HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer mine\r\n"
			"Api-Key: mine\r\nOpenAI-Organization: mine\r\nOpenAI-Project: mine\r\n"
			"X-Goog-Api-Key: mine\r\nX-Api-Key: mine\r\n\r\n",
			&reply);
		ok &= reply.status == 200 && !strstr(reply.body.data, "mine") &&
		      !strcasestr(reply.body.data, "x-api-key") &&
		      (keys[i].key ? strstr(reply.body.data, line) != NULL
				   : !strcasestr(reply.body.data, "authorization"));
		if (!ok)
			printf("# %s: %d %s\n", keys[i].provider, reply.status,
				reply.body.data);
		ok &= end();
	}
	return ok;
}

static bool a_key_that_comes_back_is_masked(void)
{
	CLEANUP(reply_release) struct reply reply;
	bool ok;

	begin("openai", "/mirror/3");
	ask("/mirror/3", "{}", &reply);
	ok = reply.status == 200 && strstr(reply.body.data, "Bearer *************\r\n") &&
	     !strstr(reply.body.data, "key-of");
	if (!ok)
		printf("# %d %s\n", reply.status, reply.body.data);
	return end() && ok;
}

/* --- paths ------------------------------------------------------------------- */

static const char *const refused[] = {
	"GET /echo/chat/completions",
	"DELETE /echo/models/mine",
	"GET /echo/files",
	"POST /echo/responses",
	"POST /echo/embeddings",
	"POST /echo/v1/messages",
	"GET /echo",
	"GET /",
	"POST /api/pull",
	"GET /echo/models/../files",
	"GET /echo/models/%2e%2e/files",
	"GET /echo/models%2f..%2ffiles",
};

static bool nothing_else_of_the_account_is_reached(void)
{
	bool ok = true;

	begin("openai", "/echo");
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		CLEANUP(reply_release) struct reply reply;
		CLEANUP(freep)
		char *text = xasprintf("%s HTTP/1.1\r\nHost: h\r\n\r\n", refused[i]);

		place_once(&place, text, &reply);
		if (reply.status == 403)
			continue;
		printf("# %s: %d\n", refused[i], reply.status);
		ok = false;
	}
	ok = ok && server.counts->requests == 0 &&
	     place.counts->refused == (int)ARRAY_SIZE(refused);
	return end() && ok;
}

/* --- usage ------------------------------------------------------------------- */

#define HELLO  "data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n"
#define TOLD   "\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":4}"
#define LAST   "data: {\"model\":\"m\",\"choices\":[]," TOLD "}\n\ndata: [DONE]\n\n"
#define FAILED "data: {\"error\":{\"message\":\"overloaded\"}}\n\n"

static const struct {
	const char *path; /* what the API does with the body, which is its answer */
	const char *body;
	int used;
	int estimated;
	long input;
	long output;
} counted[] = {
	{"/stream", HELLO LAST, 1, 0, 10, 4},
	{"/plain", "{\"model\":\"m\",\"choices\":[]," TOLD "}", 1, 0, 10, 4},
	{"/stream", HELLO "data: [DONE]\n\n", 1, 1, 39, 3},
	{"/plain", "{\"choices\":[{\"message\":{\"content\":\"Hi\"}}]}", 1, 1, 21, 1},
	{"/cut", HELLO HELLO, 1, 1, 63, 5},
	{"/cut", HELLO LAST, 1, 0, 10, 4},
	{"/stream", FAILED, 0, 0, 0, 0},
	{"/status/429", HELLO, 0, 0, 0, 0},
};

static bool what_is_used_is_counted_or_estimated(void)
{
	bool ok = true;

	for (size_t i = 0; i < ARRAY_SIZE(counted); i++) {
		CLEANUP(reply_release) struct reply reply;
		CLEANUP(reply_release) struct reply next;
		const struct place_counts *counts;

		begin("openai", counted[i].path);
		ask(counted[i].path, counted[i].body, &reply);
		/* When it answers again, it is done with the first one. */
		place_once(&place, "GET /no HTTP/1.1\r\nHost: h\r\n\r\n", &next);
		counts = place.counts;
		if (counts->used != counted[i].used ||
			counts->estimated != counted[i].estimated ||
			counts->input != counted[i].input ||
			counts->output != counted[i].output) {
			printf("# %s: used %d, estimated %d, in %ld, out %ld\n",
				counted[i].body, counts->used, counts->estimated, counts->input,
				counts->output);
			ok = false;
		}
		ok &= end();
	}
	return ok;
}

/* And some output, by the time that it waited: unit test usage_reader. */
static bool an_agent_that_hangs_up_has_used_what_it_sent(void)
{
	CLEANUP(reply_release) struct reply next;
	bool ok;
	int fd;

	begin("openai", "/silent");
	fd = place_connect(&place);
	place_ask(fd, "POST /silent/chat/completions HTTP/1.1\r\nHost: h\r\n"
		      "Content-Length: 10\r\n\r\n0123456789");
	upstream_server_wait(&server, UPSTREAM_READ);
	close(fd);
	upstream_server_wait(&server, UPSTREAM_CLOSED);
	place_once(&place, "GET /no HTTP/1.1\r\nHost: h\r\n\r\n", &next);
	ok = place.counts->used == 1 && place.counts->estimated == 1 &&
	     place.counts->input == 5;
	if (!ok)
		printf("# used %d, in %ld\n", place.counts->used, place.counts->input);
	return end() && ok;
}

/* --- all of them ------------------------------------------------------------- */

#define CLAIM(function)                                                                        \
	{                                                                                      \
#function, function                                                            \
	}

static const struct {
	const char *name;
	bool (*function)(void);
} claims[] = {
	CLAIM(each_provider_gets_its_own_key_and_the_agent_none),
	CLAIM(a_key_that_comes_back_is_masked),
	CLAIM(nothing_else_of_the_account_is_reached),
	CLAIM(what_is_used_is_counted_or_estimated),
	CLAIM(an_agent_that_hangs_up_has_used_what_it_sent),
};

int main(void)
{
	struct tap tap = {0};

	/* Loopback is not reached through a proxy of this machine. */
	setenv("no_proxy", "127.0.0.1,localhost", 1);
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++) {
		CLEANUP(freep) char *name = xstrdup(claims[i].name);

		for (char *c = name; *c; c++)
			*c = *c == '_' ? ' ' : *c;
		tap_result(&tap, claims[i].function(), name);
	}
	return tap_end(&tap);
}
