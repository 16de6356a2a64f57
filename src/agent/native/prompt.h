/*
 * The instructions that a model gets before the conversation: a few words of our own, the
 * group's composed CLAUDE.md with everything that it imports, its memory, and the skills by name.
 *
 * They are the same bytes for the same files: no clock, and lists are sorted. They are read once
 * when the agent starts; a memory that changes in between is read by the next agent.
 */
#ifndef AGENT_NATIVE_PROMPT_H
#define AGENT_NATIVE_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

struct prompt_options {
	const char *folder;   /* of the group, with CLAUDE.md and CLAUDE.local.md */
	const char *home;     /* …/.claude, with skills/NAME/SKILL.md */
	const char *problems; /* what does not work, or NULL */
	const char *servers;  /* instructions of the MCP servers, or NULL */
	bool is_subagent;     /* it works for another agent, not for a person */
};

/* To be freed; never fails: a file that cannot be read is left out. */
char *prompt_build(const struct prompt_options *options);

/* Cut the prompt to about `max` bytes, with a note that it was cut. */
void prompt_cut(char **prompt, size_t max);

#endif
