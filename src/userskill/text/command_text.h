/*
 * A message that begins with a slash command: "/brief tomorrow".
 *
 * The word is a-z, 0-9, '-' and '_' in any case of letters, begins with a letter, and ends
 * with the text or before white space. So a path, as in "/usr/bin is full", is not a command.
 */
#ifndef USERSKILL_TEXT_COMMAND_TEXT_H
#define USERSKILL_TEXT_COMMAND_TEXT_H

#include <stdbool.h>

#include "base/view.h"
#include "userskill/text/skill.h"

struct command_text {
	char name[USER_SKILL_COMMAND_MAX + 1]; /* without the slash, in lower case */
	struct view words;                     /* after it, trimmed */
};

/* Commands that the host answers itself in every group with skills. */
#define COMMAND_SKILLS   "skills"
#define COMMAND_HELP     "help"
#define COMMAND_FEEDBACK "feedback"

bool command_is_reserved(const char *name);

bool command_text_read(struct view text, struct command_text *ret_command);

#endif
