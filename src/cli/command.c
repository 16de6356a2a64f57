#include "cli/command.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/similar.h"

ENTRY_SET(commands, command)

const struct option global_options[] = {
	{'C', NULL, "DIR", "work in DIR", COMPLETE_FOLDERS},
	{0, "json", NULL, "print one JSON document on standard output"},
	{'q', "quiet", NULL, "print less"},
	{'v', "verbose", NULL, "print more"},
	{0, "yes", NULL, "answer every question as recommended"},
	{0, "no-color", NULL, "no colors; the variable NO_COLOR does the same"},
	{'h', "help", NULL, "show help for a command"},
	{0, "version", NULL, "show the version"},
	{0},
};

const char *const section_titles[SECTION_COUNT] = {
	[SECTION_START] = "Getting started",
	[SECTION_SKILLS] = "Skills",
	[SECTION_ASSISTANT] = "Assistant",
	[SECTION_PLUMBING] = "For scripts",
};

const struct command *const *command_list(void)
{
	return commands_sorted();
}

char *command_synopsis(const struct command *command)
{
	return xasprintf("%s%s%s", command->options ? "[options]" : "",
		command->options && command->usage ? " " : "",
		command->usage ? command->usage : "");
}

char *command_option_help(const struct command *command, const struct option *option)
{
	if (option->help)
		return xstrdup(option->help);
	return operation_option_help(
		command->operation, option->of ? option->of : option->name);
}

const struct command *command_find(const char *name)
{
	for (const struct command *const *c = command_list(); *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

/* The part of the name after "group ", or NULL. */
static const char *member_name(const char *name, const char *group)
{
	size_t len = strlen(group);

	if (strncmp(name, group, len) || name[len] != ' ')
		return NULL;
	return name + len + 1;
}

bool command_is_group(const char *word)
{
	for (const struct command *const *c = command_list(); *c; c++)
		if (member_name((*c)->name, word))
			return true;
	return false;
}

const char *command_suggest(const char *group, const char *word)
{
	static char first[32]; /* the group that is nearest so far */
	struct similar best = similar_to(word);

	for (const struct command *const *c = command_list(); *c; c++) {
		const char *name = group ? member_name((*c)->name, group) : (*c)->name;
		CLEANUP(freep) char *words = xstrdup((*c)->name);

		if (!name || (*c)->section == SECTION_HIDDEN)
			continue;
		if (group || !strchr(words, ' ')) {
			similar_consider(&best, name);
			continue;
		}
		*strchr(words, ' ') = '\0';
		similar_consider(&best, words);
		if (best.found == words) {
			snprintf(first, sizeof(first), "%s", words);
			best.found = first;
		}
	}
	return best.found;
}
