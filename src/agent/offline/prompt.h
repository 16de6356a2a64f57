/*
 * The host's input to an agent in a turn: the messages of a chat, or a scheduled task.
 *
 *	<messages>
 *	<message sender="Bob" time="2026-02-16T22:47:02.139Z" context="yes">hello</message>
 *	<message sender="Ann" time="2026-02-16T22:47:09.201Z">@Andy notes</message>
 *	</messages>
 *
 *	<scheduled_task id="3" due="…" tz="Europe/Berlin">Reminder: call mum</scheduled_task>
 *
 * Either may follow a user skill that the person asked for:
 *
 *	<skill id="…" name="Day Plan" version="1.0" command="/plan">
 *	<instructions>…</instructions> … <output_format>…</output_format> …
 *	</skill>
 *
 * Messages with context="yes" want no answer. Any other input counts as one message, for people who
 * try the program by hand.
 */
#ifndef AGENT_OFFLINE_PROMPT_H
#define AGENT_OFFLINE_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/view.h"

struct prompt_message {
	char *time; /* as in the prompt; may be ""; of a task, when it was due */
	char *text;
	char *file; /* if there is only a file: its element's attributes; or NULL */
	bool is_context;
};

struct prompt {
	bool is_task; /* there is one message, its text */
	char *skill;  /* its name; NULL: none was asked for */
	char *instructions;
	char *output_format; /* may be "" */
	struct prompt_message *list;
	size_t count;
	size_t cap;
};

void prompt_read(struct view text, struct prompt *ret_prompt);
void prompt_release(struct prompt *prompt);

#endif
