/*
 * The agent's reports to the host, as lines of stream-json (agent/stream.h) on standard output.
 *
 * If the host is gone, the process ends.
 */
#ifndef AGENT_NATIVE_OUTPUT_H
#define AGENT_NATIVE_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>

#include "agent/native/wire/reply.h"
#include "base/view.h"

void output_init(const char *session, const char *model, const json_t *tools);

/* A turn begins: echo its input. */
void output_replay(const char *session, json_t *message);

/* A piece of text, before the whole. */
void output_piece(const char *session, struct view piece);

/* Prints the model's text and calls: blocks of wire/reply.h. */
void output_answer(const char *session, const char *model, const json_t *content);

/* The calls in it; `parent` is the call that gave a subagent its task. */
void output_calls(
	const char *session, const char *parent, const char *model, const json_t *content);

/* A text of our own, for the person to see that something goes on. */
void output_note(const char *session, const char *model, const char *text);

void output_tool_result(const char *session, const char *id, const char *text, bool is_error);

/* A sign of life: the host ends an agent that is silent for long. */
void output_alive(void);

/* Is the host gone? */
bool output_is_gone(void);

struct output_end {
	const char *session; /* or NULL */
	const char *text;
	bool is_error;
	bool is_final; /* another attempt would fail in the same way */
	int requests;
	struct reply_usage usage; /* of the whole turn */
};

void output_result(const struct output_end *end);

#endif
