#include "userskill/text/command_text.h"

#include <ctype.h>
#include <strings.h>

bool command_text_read(struct view text, struct command_text *ret_command)
{
	struct command_text command = {0};
	size_t len = 0;

	text = view_trim(text);
	if (!text.len || text.data[0] != '/')
		return false;
	text = view_slice(text, 1, text.len);
	while (len < text.len && !isspace((unsigned char)text.data[len]))
		len++;
	if (!len || len > USER_SKILL_COMMAND_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		command.name[i] = (char)tolower((unsigned char)text.data[i]);
	if (!skill_command_valid(command.name))
		return false;
	command.words = view_trim(view_slice(text, len, text.len));
	*ret_command = command;
	return true;
}

bool command_is_reserved(const char *name)
{
	return !strcasecmp(name, COMMAND_SKILLS) || !strcasecmp(name, COMMAND_HELP) ||
	       !strcasecmp(name, COMMAND_FEEDBACK);
}
