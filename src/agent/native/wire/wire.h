/*
 * The two protocols: how a conversation becomes a request, and events become an answer.
 *
 *	wire_anthropic	the Messages API
 *	wire_openai	Chat Completions, as OpenAI and many other servers speak it
 *
 * A request depends on nothing but its arguments: the same conversation gives the same bytes,
 * and a longer one begins with the bytes of the shorter one, so that caches of servers hit.
 *
 * The messages are those of session/history.h, checked (session/check.h).
 */
#ifndef AGENT_NATIVE_WIRE_WIRE_H
#define AGENT_NATIVE_WIRE_WIRE_H

#include <jansson.h>

#include "agent/native/wire/reply.h"

/* Features that the server refused. */
struct wire_quirks {
	bool no_stream_options;     /* `stream_options` is refused */
	bool max_completion_tokens; /* wants this instead of `max_tokens` */
	bool no_limit;              /* accepts neither */
	bool no_reasoning;          /* refuses its own reasoning when it gets it back */
};

struct wire_request {
	const char *model;
	const char *system;     /* the instructions */
	const json_t *tools;    /* {name, description, input_schema} each; can be empty */
	const json_t *messages; /* the conversation */
	int64_t max_output;     /* 0: the server decides; Anthropic's does not */
	bool vision;            /* the model accepts images */
	struct wire_quirks quirks;
};

struct wire {
	const char *name;   /* "openai" */
	const char *path;   /* after the prefix: "/chat/completions" */
	const char *header; /* one more header, or NULL */
	json_t *(*request)(const struct wire_request *request);
	void (*event)(struct reply *reply, struct view data);
	void (*whole)(struct reply *reply, const json_t *message); /* not a stream */
	void (*end)(struct reply *reply);                          /* it is complete; or NULL */
};

extern const struct wire wire_anthropic;
extern const struct wire wire_openai;

/* NULL: there is no such protocol. */
const struct wire *wire_find(const char *name);

/* Reasoning goes back only to the model that it came from. */
bool wire_keeps_reasoning(
	const struct wire *wire, const struct wire_request *request, const json_t *message);

/* A result as it can be sent: some servers refuse a blank text. */
const char *wire_shown(const char *text);

/* The tool of this name, or NULL. */
const json_t *wire_tool(const json_t *tools, const char *name);

#endif
